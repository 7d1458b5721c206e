"""Reading a page of the book: contents down to articles, words of the field, tables, without a script."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook.markup import add_readings, link_terms, to_html
from companion.rulebook.pages import page, plain_text
from tests.web.addresses import PARTS

languages = pytest.mark.parametrize("lang", LANGUAGES)
PRESETS = [f"rules/{game.id}/{preset}" for game in GAMES.values() for preset in game.options.presets]
TERM = re.compile(r'<a href="/[a-z]+/glossary#(term-[a-z0-9-]+)">')
COUNTED = re.compile(r"\d(?:<[^>]+>)*[個点枚人回組番巡倍]")


@languages
def test_the_contents_have_every_article_of_the_page_in_its_order(shared_client: Any, lang: str) -> None:
    for path in [*PARTS, *PRESETS]:
        html = shared_client.get(f"/{lang}/{path}").text
        contents = html.partition('<nav class="contents" id="contents"')[2].partition("</nav>")[0]
        linked = re.findall(r'<a href="#([^"]+)">', contents.partition("<details>")[2])
        assert linked == re.findall(r'<h3 id="([^"]+)">', html), path
        assert len(linked) >= 5


@languages
def test_every_section_leads_back_to_the_contents(shared_client: Any, lang: str) -> None:
    for path in PARTS:
        html = shared_client.get(f"/{lang}/{path}").text
        heads = re.findall(r"<h2 id=.*?</h2>", html, re.DOTALL)
        assert heads
        assert all('<a class="up" href="#contents"' in head for head in heads), path


@languages
@pytest.mark.parametrize("game", GAMES)
def test_an_article_links_a_loanword_once_where_it_is_first_used(game: str, lang: str) -> None:
    linked = 0
    for article in page(game, lang).articles():
        terms = TERM.findall(article.html)
        assert len(terms) == len(set(terms)), article.id
        linked += len(terms)
    assert linked >= (50 if GAMES[game].judge else 1)


def test_words_within_links_figures_and_longer_words_are_left_alone() -> None:
    def ja(html: str) -> str:
        return link_terms(html, "spades", "ja")

    nil = '<a href="/ja/glossary#term-nil">ニル</a>'
    assert ja("<p>ニルとニル</p>") == f"<p>{nil}とニル</p>"
    assert ja('<a href="#x">ニル</a>ニル') == f'<a href="#x">ニル</a>{nil}'
    assert ja("<figure><svg/>ニル</figure>") == "<figure><svg/>ニル</figure>"
    assert ja("トリックテイキング") == "トリックテイキング"
    assert "term-double-nil" in ja("ダブル・ニル")
    assert "term-nil" not in ja("ダブル・ニル")
    assert link_terms("<p>Bids and nil</p>", "spades", "en").count("<a ") == 2
    assert link_terms("<p>forbidden, nilly</p>", "spades", "en").count("<a ") == 0
    assert link_terms("<p>first side cards</p>", "spite-and-malice", "en").count("<a ") == 0


def test_a_table_never_breaks_a_number_from_its_counter() -> None:
    html = to_html("| 札 | 点 |\n|---|---|\n| 2枚 | −\x0210\x03点 |\n| x | 3 tricks |\n\n5枚")
    assert html.count('<span class="amount">') == 3
    assert '<span class="amount">−<b class="differs">10</b>点</span>' in html
    for game in GAMES:
        for article in page(game, "ja").articles():
            for table in re.findall(r"<table>.*?</table>", article.html, re.DOTALL):
                loose = re.sub(r'<span class="amount">.*?</span>', "", table)
                assert COUNTED.findall(loose) == [], article.id


def test_every_article_has_the_readings_of_its_hard_words_on_its_own() -> None:
    """A reader who comes from a verdict has not read the page from its beginning."""
    hard = {"手札": "てふだ", "場札": "ばふだ", "捨て札": "すてふだ", "台札": "だいふだ", "宣言": "せんげん"}
    for game in GAMES:
        for article in page(game, "ja").articles():
            body = re.sub(r"<figure>.*?</figure>", "", article.html, flags=re.DOTALL)
            for word, reading in hard.items():
                assert body.count(f"<rt>{reading}</rt>") == (word in plain_text(body)), (article.id, word)
    assert "<ruby>" not in "".join(article.html for game in GAMES for article in page(game, "en").articles())


def test_a_word_of_one_sign_is_not_read_alone_within_a_longer_word() -> None:
    for game in GAMES:
        for article in page(game, "ja").articles():
            assert not re.findall(r"<ruby>(.)<rp>[^/]*</rp><rt>[^<]*</rt><rp>\)</rp></ruby>[一-龯]", article.html), (
                article.id
            )
    for words in ("場合と場所と", "置き場と", "置き場に出し、"):
        assert add_readings(f"<p>{words}場</p>", "ja").partition("<ruby>")[0] == f"<p>{words}"
