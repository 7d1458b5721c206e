"""The page of sources: source articles, losses, decisions; the same in both languages, true to the games' articles."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook import source as module
from companion.rulebook.pages import page
from companion.rulebook.source import source_faults, sources
from companion.rulebook.words import article_url

WINDOW = 14_000
WRITTEN = [game for game in GAMES.values() if sources(game.id, "ja")]

languages = pytest.mark.parametrize("lang", LANGUAGES)


def shown(client: Any, lang: str) -> str:
    return str(client.get(f"/{lang}/sources").text)


@languages
def test_every_text_loss_and_decision_is_on_the_page(shared_client: Any, lang: str) -> None:
    html = unescape(re.sub(r"<span class=[^>]*>|</span>|\ufe0e", "", shown(shared_client, lang)))
    assert list(GAMES.values()) == WRITTEN
    for game in WRITTEN:
        found = sources(game.id, lang)
        for text in found.texts:
            assert text.title in html
        for loss in found.lost:
            assert loss.what in html
        for each in found.decisions:
            assert f'<a href="{article_url(lang, each.article)}">' in html
            assert each.text in html
            assert each.why in html
        assert f'id="{game.id}"' in html


@languages
def test_the_page_names_the_author_and_the_dates_of_the_sources(shared_client: Any, lang: str) -> None:
    html = shown(shared_client, lang)
    dates = {
        "ja": ("赤桐", "1996年2月28日", "1997年8月27日", "2008年4月5日"),
        "en": ("Akagiri", "28 February 1996", "27 August 1997", "5 April 2008"),
    }
    assert [word for word in dates[lang] if word not in html] == []
    texts = [text for game in GAMES if (found := sources(game, lang)) for text in found.texts]
    assert html.count("<cite>") == len(texts) >= 5


@languages
def test_the_page_fits_the_first_window_and_is_answered_from_memory(shared_client: Any, lang: str) -> None:
    answer = shared_client.get(f"/{lang}/sources", headers={"Accept-Encoding": "br"})
    assert len(answer.data) <= WINDOW
    known = {"Accept-Encoding": "br", "If-None-Match": answer.headers["ETag"]}
    assert shared_client.get(f"/{lang}/sources", headers=known).status_code == 304


@languages
def test_the_footer_and_the_page_of_each_game_lead_to_it(shared_client: Any, lang: str) -> None:
    assert f'href="/{lang}/sources"' in shared_client.get(f"/{lang}/").text.partition("<footer")[2]
    for game in WRITTEN:
        assert f'href="/{lang}/sources#{game.id}"' in shared_client.get(f"/{lang}/rules/{game.id}").text


def test_what_differs_between_languages_or_names_no_article_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game, true = GAMES["spades"], sources
    assert [fault for each in GAMES.values() for fault in source_faults(each)] == []

    def told(game_id: str, lang: str) -> Any:
        found = true(game_id, lang)
        first, *others = found.decisions
        changed = replace(first, article="spades.nope", sure="very")
        return replace(found, decisions=(changed, *others)) if lang == "en" else found

    monkeypatch.setattr(module, "sources", told)
    assert [fault.rpartition(" ")[2] for fault in source_faults(game)] == ["language", "spades.nope", "very"]


def test_what_a_source_does_not_say_is_marked_as_ours() -> None:
    """The editor found these under the author's name, or without the clause of the source that speaks against them."""
    spades = GAMES["spades"]
    assert spades.articles["spades.no-floor"].source == "ruling"
    for lang, mark, clause in (("ja", "この本の決まり", "得点がマイナス"), ("en", "Our ruling", "negative score")):
        for anchor in ("double-nil-unseen", "duo-dummy", "promoted-twos", "no-floor"):
            assert mark in page("spades", lang).article(anchor).text
        assert clause in page("spades", lang).article("penalty-timing").text
        assert "7" in page("spades", lang).article("blind-minimum").text


@languages
def test_no_article_of_a_table_is_marked_twice(shared_client: Any, lang: str) -> None:
    mark = {"ja": "この本の決まり", "en": "Our ruling"}[lang]
    for game in GAMES.values():
        for preset in game.options.presets:
            html = shared_client.get(f"/{lang}/rules/{game.id}/{preset}").text
            articles = html.partition("<footer")[0].split('<section class="article')[1:]
            assert len(articles) > (30 if game.judge else 5), preset
            assert [each for each in articles if each.count(mark) > 1] == [], preset
