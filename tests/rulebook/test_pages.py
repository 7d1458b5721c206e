"""Rule pages: the articles of the game in its order, in both languages alike, with a table's own numbers."""

from __future__ import annotations

import re
from pathlib import Path

import brotli
import pytest

from companion.data import data_folder
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.book import article_title, article_url, load_book
from companion.rulebook.digest import check_digests, drifted, with_digests, write_digests
from companion.rulebook.markup import draw_cards, rulebook_markdown
from companion.rulebook.pages import page, plain_text
from companion.rulebook.phrases import LANGUAGES
from companion.rulebook.source import pieces

SPADES = GAMES["spades"]
PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
WRITTEN = [game for game in GAMES.values() if load_book().sources[game.id, "ja"]]

written = pytest.mark.parametrize("game", WRITTEN, ids=lambda game: game.id)
languages = pytest.mark.parametrize("lang", LANGUAGES)


def render(text: str) -> str:
    reader = rulebook_markdown()
    return str(reader.render(text)).strip()


@written
@languages
def test_a_page_has_exactly_the_articles_of_its_game_in_their_order(game: Game, lang: str) -> None:
    found = [(section.anchor, [a.id for a in section.articles]) for section in page(game.id, lang).sections]
    assert found == [(name, [article.id for article in group]) for name, group in game.articles.sections.items()]


@written
@languages
def test_no_anchor_stands_twice_on_a_page(game: Game, lang: str) -> None:
    anchors = [piece.anchor for piece in pieces(load_book().sources[game.id, lang])]
    assert sorted(anchors) == sorted(set(anchors))


@written
def test_both_languages_have_the_same_places_for_options(game: Game) -> None:
    ja, en = (
        {p.anchor: set(PLACE.findall(p.text)) for p in pieces(load_book().sources[game.id, lg])} for lg in LANGUAGES
    )
    assert ja == en
    assert set().union(*ja.values()) <= set(game.options.options)


@written
@languages
def test_every_article_says_something_short(game: Game, lang: str) -> None:
    for article in page(game.id, lang).articles():
        assert article.title
        assert 10 < len(article.text) < 1200, article.id


@written
@languages
def test_every_link_within_a_page_leads_somewhere(game: Game, lang: str) -> None:
    source = load_book().sources[game.id, lang]
    anchors = {piece.anchor for piece in pieces(source)}
    assert set(re.findall(r"\]\(#([^)]+)\)", source)) <= anchors


@written
@languages
def test_a_page_without_its_frame_leaves_room_in_fourteen_thousand_bytes(game: Game, lang: str) -> None:
    whole = page(game.id, lang)
    html = whole.summary_html + "".join(
        f'<h3 id="{a.anchor}">{a.title_html}</h3>{a.html}<p>{a.source_label}</p>' for a in whole.articles()
    )
    assert len(brotli.compress(html.encode())) < 11_000


def test_the_english_was_made_from_the_japanese_of_today() -> None:
    """Where this fails: bring the English up to the Japanese, then write the digests anew."""
    assert check_digests(data_folder("rules_ja"), data_folder("rules_en")) == {}


def test_a_change_in_the_japanese_is_noticed_and_digests_can_be_written_anew(tmp_path: Path) -> None:
    ja, en = tmp_path / "ja", tmp_path / "en"
    ja.mkdir()
    en.mkdir()
    (ja / "x.md").write_text("# X\n\n{#one}\n### 一\n\nあ\n", "utf-8")
    (en / "x.md").write_text("# X\n\n{#one}\n### One\n\na\n", "utf-8")
    assert check_digests(ja, en) == {"x.md": ["one"]}
    assert write_digests(ja, en) == ["x.md"]
    assert write_digests(ja, en) == []
    assert check_digests(ja, en) == {}
    (ja / "x.md").write_text("# X\n\n{#one}\n### 一\n\nい\n", "utf-8")
    assert check_digests(ja, en) == {"x.md": ["one"]}


def test_spaces_at_line_ends_are_no_change() -> None:
    english = with_digests("{#one}\n### 一\n\nあ  \nい\n", "{#one}\n### One\n\na\n")
    assert drifted("{#one}\n### 一\n\nあ\nい\n\n", english) == []


def test_a_table_of_its_own_sees_its_numbers_and_only_what_it_plays() -> None:
    house = SPADES.options.build("classic", {"bag_threshold": 5, "nil": False})
    ours = page("spades", "en", house)
    assert '<b class="differs">5</b> bags' in ours.article("bag-numbers").html
    assert "100 points" in ours.article("bag-numbers").html
    assert ours.article("nil") is None
    assert ours.article("no-nil") is not None
    assert "nil-and-double-nil" not in [section.anchor for section in ours.sections]


def test_the_whole_page_marks_what_the_default_rules_do_not_play() -> None:
    whole = page("spades", "ja")
    assert whole.article("contract").played
    assert not whole.article("sum-bidding").played
    assert "differs" not in "".join(article.html for article in whole.articles())


def test_a_preset_is_the_measure_of_what_differs() -> None:
    modern = page("spades", "en", SPADES.options.preset("modern"))
    assert "differs" not in "".join(article.html for article in modern.articles())
    assert modern.article("final-bid") is None


def test_an_article_says_where_it_comes_from() -> None:
    assert "Pagat" in page("spades", "en").article("follow-suit").source_label
    assert page("spades", "ja").article("both-nil").source_label == "このコンパニオンの裁定"
    assert page("spades", "ja").article("contract").source_label == ""


def test_a_game_without_a_page_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        page("bridge", "ja")


def test_titles_and_addresses() -> None:
    assert article_title("en", "spades.follow-suit") == "Following suit"
    assert article_title("ja", "spades.follow-suit") == "フォロー"
    assert article_url("ja", "spades.follow-suit") == "/ja/rules/spades#follow-suit"


def test_readings_become_ruby_also_in_tables() -> None:
    assert render("{札|ふだ}") == "<p><ruby>札<rp>(</rp><rt>ふだ</rt><rp>)</rp></ruby></p>"
    assert "<td><ruby>札<rp>(</rp><rt>ふだ</rt>" in render("| a |\n|---|\n| {札\\|ふだ} |")
    assert plain_text(render("{札|ふだ}を配る")) == "札を配る"


def test_html_is_off() -> None:
    assert "<script>" not in render("a <script>alert(1)</script> {札|<b>x</b>}")
    assert "<b>" not in render("{<b>|<i>}")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("10♥", '<span class="card suit-h">10♥\ufe0e</span>'),
        ("♦10", '<span class="card suit-d">♦\ufe0e10</span>'),
        ("2♣︎", '<span class="card suit-c">2♣\ufe0e</span>'),
        ("♠", '<span class="suit-s">♠\ufe0e</span>'),
        ("A&♠", 'A&amp;<span class="suit-s">♠\ufe0e</span>'),
    ],
)
def test_cards_and_suits_are_drawn(text: str, html: str) -> None:
    assert draw_cards(text) == html
