"""The page that asks how people play: reached from everywhere, answered without a script, found by the search."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.chooser import read_chooser
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.search import search
from companion.rulebook.words import words

ASKED = [game for game in GAMES.values() if game.chooser]
games = pytest.mark.parametrize("game", ASKED, ids=lambda game: game.id)
languages = pytest.mark.parametrize("lang", LANGUAGES)


@games
@languages
def test_it_is_reached_from_the_front_page_a_new_sheet_and_the_rules(shared_client: Any, game: Game, lang: str) -> None:
    for page in ("", "sheets/new", f"sheets/new/{game.id}", f"rules/{game.id}"):
        assert f'href="/{lang}/house-rules/{game.id}/which"' in shared_client.get(f"/{lang}/{page}").text, page


@games
@languages
def test_four_questions_are_asked_and_each_may_stay_open(shared_client: Any, game: Game, lang: str) -> None:
    html, own = unescape(shared_client.get(f"/{lang}/house-rules/{game.id}/which").text), words(game.id, lang)
    assert game.chooser is not None
    asked = read_chooser(game.chooser).questions
    assert len(asked) == 4
    assert len(re.findall(r'name="\w+" value="" checked', html)) == 4
    for name, answers in asked.items():
        assert re.findall(rf'name="{name}" value="(\w+)"', html) == list(answers)
        assert all(own.say(f"which.{name}.{answer}") in html for answer in answers)
    assert own.say("which.not-here") in html
    assert 'id="found"' not in html


@games
@languages
def test_the_result_leads_to_a_sheet_and_to_the_rules(shared_client: Any, game: Game, lang: str) -> None:
    assert game.chooser is not None
    chooser = read_chooser(game.chooser)
    given = {name: answers[-1] for name, answers in chooser.questions.items()}
    for answers in ({}, given):
        address = f"/{lang}/house-rules/{game.id}/which?" + "&".join(
            f"{name}={answers.get(name, '')}" for name in chooser.questions
        )
        html = unescape(shared_client.get(address).text)
        preset = chooser.choose(answers).preset
        assert f"<b>{words(game.id, lang).preset_label(preset)}" in html
        sheet = re.search(rf'href="(/{lang}/sheets/new/{game.id}\?rules=({preset}[^"]*))"', html)
        assert sheet
        assert shared_client.get(sheet[1]).status_code == 200
        rules = re.search(rf'href="(/{lang}/rules/{game.id}[^"]*)"[^>]*>', html[sheet.end() :])
        assert rules
        assert shared_client.get(rules[1]).status_code == 200
        assert shared_client.get(f"/{lang}/house-rules/{game.id}/{sheet[2]}").status_code == 200
        checked = set(re.findall(r'name="(\w+)" value="(\w+)" checked', html))
        assert checked == set(answers.items())


@games
@languages
def test_the_front_page_names_what_people_know_by_name(shared_client: Any, game: Game, lang: str) -> None:
    assert game.chooser is not None
    html = unescape(shared_client.get(f"/{lang}/").text)
    for code in read_chooser(game.chooser).known:
        address = f"/{lang}/sheets/new/{game.id}?rules={code}"
        assert f'<a href="{address}">{words(game.id, lang).preset_label(code)}</a>' in html
        assert f'name="preset" value="{code}"' in shared_client.get(address).text


@pytest.mark.parametrize("code", ["skip_bo", "alone3", "alone4", "skip_bo~p-5~ps-20", "partners4"])
def test_a_new_sheet_for_any_number_asks_how_many_play(shared_client: Any, code: str) -> None:
    game = next(game for game in GAMES.values() if code.partition("~")[0] in game.options.presets and game.chooser)
    address = f"/en/sheets/new/{game.id}?rules={code}"
    html = unescape(shared_client.get(address).text)
    [token] = re.findall(r'name="csrf_token" value="([^"]+)"', html)
    legend = words(game.id, "en").say("sheets.players")
    offered = re.findall(r'name="kind" value="([^"]+)"[^>]*>(\d)<', html[html.index(f"<legend>{legend}") :])
    assert [int(count) for _, count in offered] == [2, 3, 4, 5, 6]
    for its, count in offered:
        house = game.options.decode(its)
        assert getattr(house.options, "players") == int(count)  # noqa: B009  rules of any game
        assert not [notice for notice in house.notices if notice.code == "little-stock"]
        sent = {"kind": its, "preset": house.preset, "options": "1", "name0": "Ann", "name1": "Ben"}
        page = unescape(shared_client.post(address, data=sent | {"csrf_token": token}).text)
        assert len(re.findall(r'<input id="name\d"', page)) == int(count)
        assert 'name="name1" value="Ben"' in page
        called = words(game.id, "en").preset_label(game.options.decode(code).preset)
        assert "~pa-" in its or f": {called}</h1>" in page
        assert re.search(rf'name="kind" value="{re.escape(its)}"[^>]* aria-pressed="true">{count}<', page)


def test_every_setting_of_a_new_sheet_is_on_its_form(shared_client: Any) -> None:
    for game in ASKED:
        for code in read_chooser(game.chooser).known:  # type: ignore[arg-type]
            html = shared_client.get(f"/en/sheets/new/{game.id}?rules={code}").text
            assert f'<a href="#options">{words(game.id, "en").say("house-rules.every-option")}</a>' in html
            form = html[html.index('id="options"') :].partition("</form>")[0]
            values = game.options.plain(game.options.preset(code).options)
            for name, option in game.options.options.items():
                if option.kind == "choice":
                    field = form[form.index(f'name="o.{name}"') :]
                    assert f'<option value="{values[name]}" selected>' in field[: field.index("</select>")]


def test_a_game_that_asks_nothing_has_no_such_page(shared_client: Any) -> None:
    for game in GAMES.values():
        if not game.chooser:
            assert shared_client.get(f"/en/house-rules/{game.id}/which").status_code == 404


@pytest.mark.parametrize(
    ("lang", "query"),
    [
        ("en", "which game do we play"), ("en", "what is our variant called"), ("ja", "うちのルールはどれ"),
        ("ja", "どの遊び方か知りたい"),
    ],
)  # fmt: skip
def test_the_search_leads_there(lang: str, query: str) -> None:
    found = [hit.document.url for hit in search(lang, query).hits[:3]]
    assert any(url.endswith("/which") for url in found), found
