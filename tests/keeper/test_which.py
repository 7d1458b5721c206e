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
def test_a_few_questions_are_asked_and_each_may_stay_open(shared_client: Any, game: Game, lang: str) -> None:
    html, own = unescape(shared_client.get(f"/{lang}/house-rules/{game.id}/which").text), words(game.id, lang)
    assert game.chooser is not None
    asked = read_chooser(game.chooser).questions
    assert 4 <= len(asked) <= 5
    assert "people" in asked
    assert len(re.findall(r'name="\w+" value="" checked', html)) == len(asked)
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


def offered(html: str) -> list[str]:
    """Return the codes of the buttons for numbers of players and presets; each leads where its address says."""
    buttons = re.findall(r'<button name="kind" value="([^"]+)" formaction="\?rules=([^"]+)"', html)
    assert all(value == address for value, address in buttons)
    return [value for value, _ in buttons]


def tables_near(client: Any, lang: str, game: Game, taps: int) -> dict[str, int]:
    """Return the codes of the new sheets that are reached from the front page, each with how many taps that takes."""
    keep = f"/{lang}/sheets/new/{game.id}"
    front = unescape(client.get(f"/{lang}/").text)
    reached: dict[str, int] = {}
    pages = {page: client.get(page).text for page in re.findall(rf'href="({keep}(?:\?rules=\w+)?)"', front)}
    assert keep in pages
    for tap in range(1, taps + 1):
        following: dict[str, str] = {}
        for html in pages.values():
            [code] = re.findall(rf'<form method="post" action="{keep}\?rules=([^"]+)"', html)
            [token] = re.findall(r'name="csrf_token" value="([^"]+)"', html)
            reached.setdefault(code, tap)
            for each in {*offered(html)} - {*reached, *following}:
                sent = {"kind": each, "preset": code.partition("~")[0], "options": "1", "csrf_token": token}
                following[each] = client.post(f"{keep}?rules={each}", data=sent).text
        pages = following
    return reached


@games
@languages
def test_every_preset_is_reached_from_the_front_page(shared_client: Any, game: Game, lang: str) -> None:
    """Keep score, the number of players, the kind; then only Start is left."""
    near = tables_near(shared_client, lang, game, 3)
    assert set(game.options.presets) <= near.keys()


@games
def test_every_number_of_players_is_two_taps_away(shared_client: Any, game: Game) -> None:
    """Of every way to sit that any preset or answer has, the names can be written after Keep score and one more tap."""
    assert game.chooser is not None
    chooser, options = read_chooser(game.chooser), game.options
    chosen = [chooser.choose({"people": people}) for people in chooser.questions["people"]]
    rules = [options.build(found.preset, found.options).options for found in chosen]
    rules += [options.preset(name).options for name in options.presets]
    near = tables_near(shared_client, "en", game, 2)
    ways = {tuple(game.seatings(options.decode(code).options)) for code in near}
    assert {tuple(game.seatings(each)) for each in rules} <= ways


@games
@languages
def test_a_new_sheet_asks_how_many_play(shared_client: Any, game: Game, lang: str) -> None:
    assert game.chooser is not None
    own, people = words(game.id, lang), read_chooser(game.chooser).questions["people"]
    for code in (*game.options.presets, *(code for code in WITH_NUMBERS if code.split("~")[0] in game.options.presets)):
        house = game.options.decode(code)
        html = unescape(shared_client.get(f"/{lang}/sheets/new/{game.id}?rules={code}").text)
        asked = html[html.index(f"<legend>{own.say('which.people.ask')}</legend>") :].partition("</fieldset>")[0]
        assert re.findall(r">([^<]+)</button>", asked) == [own.say(f"which.people.{each}") for each in people]
        codes = offered(asked)
        assert len({tuple(game.seatings(game.options.decode(its).options)) for its in codes}) == len(people), code
        assert re.findall(r'value="([^"]+)" formaction="[^"]+" aria-pressed', asked) == [code]
        for its in codes:
            assert not [each for each in game.options.decode(its).notices if each.code == "little-stock"]
        ways = game.seatings(house.options)
        assert len(re.findall(r'<input id="name\d', html)) == max(way.players for way in ways)
        assert (own.say("sheets.partners") in html) == all(way.side_players == 2 for way in ways)
        preset = own.preset_label(house.preset)
        named = re.search(r"<h1[^>]*>([^<]*)</h1>", html)
        assert named
        assert (preset in named[1]) == (code in game.options.presets or house.preset in NAMES_NO_NUMBER), code


WITH_NUMBERS = (
    "skip_bo~p-5~ps-20", "skip_bo~p-6~pa-opposite~ps-20", "alone4~p-6~pk-4", "modern~t-350",
    "book~pp-off", "book~d-49~pp-off", "spade_26~d-49~pp-off",
)  # fmt: skip
"""Codes of presets for other numbers of players than they have."""
NAMES_NO_NUMBER = ("skip_bo", "book", "spade_26")


def test_names_stay_when_another_number_is_tapped(shared_client: Any) -> None:
    for game in ASKED:
        address = f"/en/sheets/new/{game.id}"
        html = shared_client.get(address).text
        [token] = re.findall(r'name="csrf_token" value="([^"]+)"', html)
        for its in offered(html):
            sent = {"kind": its, "preset": game.options.default_preset, "options": "1", "name1": "Ben"}
            page = shared_client.post(f"{address}?rules={its}", data=sent | {"csrf_token": token}).text
            assert 'name="name1" value="Ben"' in page


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
