"""Sheets by API: the game under other rules, addresses for people, deleting."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES
from companion.rulebook.words import say
from tests.sheet_client import PREFIX, SheetClient, bearer, record


@pytest.fixture
def sheet(client: Any) -> SheetClient:
    """A sheet with a deal of which a nil was not made."""
    sheet = SheetClient(client)
    sheet.written(record(5, 8, 4))
    return sheet


def test_other_rules_are_tried_without_writing(sheet: SheetClient) -> None:
    before = sheet.state()
    answer = sheet.post("/what-if", {"rules": {"options": {"sandbag": False}}}, secret=sheet.watch)
    assert (answer.status_code, answer.json["version"]) == (200, sheet.version)
    total = answer.json["standing"]["before"]["A+C"]["total"]
    assert total == before["games"][0]["standing"]["A+C"]["total"]
    assert sheet.post("/what-if", {"rules": "plain"}).status_code == 200
    assert sheet.state() == before


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/rules"),
        ({"rules": "no~such"}, "/rules"),
        ({"rules": {"preset": "solo4"}}, "/sides"),
        ({"rules": {}, "deal": 1}, "/deal"),
    ],
)
def test_rules_that_the_table_cannot_play_are_refused(sheet: SheetClient, body: Any, pointer: str) -> None:
    answer = sheet.post("/what-if", body)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, pointer)


def test_without_a_game_there_is_nothing_to_try(client: Any) -> None:
    opened = client.post(PREFIX, json={"seats": ["A", "B"]}).json
    answer = client.post(f"{opened['url']}/what-if", json={"rules": {}}, headers=bearer(opened["secrets"]["score"]))
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (422, "no-game")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_sheet_made_by_api_has_pages_for_people(client: Any, lang: str) -> None:
    opened = client.post(f"{PREFIX}?lang={lang}", json={"seats": ["A", "B", "C", "D"], "game": "spades"}).json
    watch = opened["urls"]["watch"]
    assert watch.endswith(f"/{lang}/watch/{opened['secrets']['watch']}")
    page = client.get(watch)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    path, _, code = opened["urls"]["join"].partition("#")
    assert (client.get(path).status_code, code) == (200, opened["secrets"]["score"])
    made = client.post(f"{opened['url']}/links", json={"scope": "watch"}, headers=bearer(opened["secrets"]["score"]))
    assert client.get(made.json["url"]).status_code == 200
    assert made.json["secret"] in made.json["url"]


def test_a_sheet_can_be_deleted_by_who_may_score(sheet: SheetClient) -> None:
    assert sheet.delete("", secret=None).status_code == 401
    assert sheet.delete("", secret=sheet.watch).status_code == 403
    assert sheet.get().status_code == 200
    assert sheet.delete("").status_code == 204
    for answer in (sheet.get(), sheet.get("/events"), sheet.delete(""), sheet.write(record(5, 8, 4))):
        assert answer.status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_a_new_sheet_says_who_scores_together(client: Any, game: str) -> None:
    """A deal names its sides; whoever has only the answer that made the sheet can record the first."""
    names = ["Aki", "Ben", "Chie", "Dai"][: GAMES[game].seatings(GAMES[game].options.preset().options)[0].players]
    opened = client.post(PREFIX, json={"seats": names, "game": game})
    sheet = client.get(opened.json["url"], headers=bearer(opened.json["secrets"]["watch"])).json
    assert opened.json["sides"] == [side["id"] for side in sheet["games"][0]["sides"]] != []


def test_a_sheet_without_a_game_has_no_sides_and_a_repeated_opening_none_either(client: Any) -> None:
    key = {"Idempotency-Key": "open-0123456789-0123456789-0123456789"}
    asked = {"seats": ["Aki", "Ben"]}
    first = client.post(PREFIX, json=asked, headers=key)
    assert first.json["sides"] == []
    secret = bearer(first.json["secrets"]["score"]) | {"If-Match": "*", "Idempotency-Key": "begin"}
    begun = client.post(f"{first.json['url']}/events", json={"type": "start_game", "game": "casino"}, headers=secret)
    assert begun.status_code == 201
    assert client.post(PREFIX, json=asked, headers=key).json == first.json


def test_wrong_sides_are_answered_with_those_there_are(client: Any) -> None:
    sheet = SheetClient(client)
    wrong = sheet.write({"type": "record_deal", "facts": {"NS": {"bid": 5, "tricks": 8}}})
    unknown = [error for error in wrong.json["errors"] if error["code"] == "unknown-key"]
    others = ["adjustments", "void", "accept", "irregularities", "dummy_tricks", "time_up"]
    assert [(error["pointer"], error["allowed"]) for error in unknown] == [("/facts/NS", [*others, "A+C", "B+D"])]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_watcher_learns_that_the_secret_only_watches(client: Any, lang: str) -> None:
    sheet = SheetClient(client)
    refused = sheet.write(record(5, 8, 4), secret=sheet.watch, lang=lang)
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/forbidden")
    assert refused.json["detail"] == say(lang, "detail.watch-only")


@pytest.mark.parametrize(("value", "code"), [("-1", "range"), ("1000001", "range"), ("1.5", "type"), ("x", "type")])
def test_a_number_out_of_range_is_not_called_no_number(client: Any, value: str, code: str) -> None:
    answer = SheetClient(client).get(f"/events?after={value}")
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (422, code)
