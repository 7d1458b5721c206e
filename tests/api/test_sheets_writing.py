"""Writing on a sheet: versions, keys, races, and whatever else may arrive."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest

from companion.sheets.events import COMMANDS
from tests.sheet_client import PREFIX, SheetClient, as_json, bearer, correct, record, version_in

RUBBISH: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, "", "x", [], {}, [[]], {"type": None}, {"type": "nope"}, {"type": ["undo"]},
    {"type": "undo", "target": "1"}, {"type": "undo", "target": 10**30}, {"type": "undo", "more": 1},
    {"type": "record_deal"}, {"type": "record_deal", "facts": []}, {"type": "record_deal", "facts": {"A+C": 1e308}},
    {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": -1}, "B+D": {"bid": [], "tricks": {}}}},
    {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}, "deal": 0},
    {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}, "deal": 10**9},
    {"type": "correct_deal", "deal": 1, "facts": {}},
    {"type": "correct_deal", "deal": 1, "facts": {}, "game_number": 9},
    {"type": "make_call", "call": {"seat": "Z", "call": 99}}, {"type": "make_call", "call": {"x": {}}},
    {"type": "adjust", "side": "A+C", "points": 10**12, "reason": "x"}, {"type": "start_game", "game": []},
    {"type": "start_game", "game": "chess"}, {"type": "start_game", "game": "spades", "rules": {"options": {"x": 1}}},
    {"type": "rename_player", "seat": "A", "name": "\u202e"}, {"type": "title_sheet", "title": "x" * 5000},
]  # fmt: skip


@pytest.fixture
def sheet(client: Any) -> SheetClient:
    return SheetClient(client)


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json["type"].removeprefix("/problems/")


def test_a_key_and_a_version_are_needed(sheet: SheetClient) -> None:
    before = sheet.state()
    assert code(sheet.write(record(5, 8, 4), key="")) == (400, "idempotency-key-required")
    assert code(sheet.write(record(5, 8, 4), version="")) == (428, "precondition-required")
    for key in ('""', "x" * 201, "\x7f", "é"):
        assert code(sheet.write(record(5, 8, 4), key=key)) == (400, "idempotency-key-required"), key
    assert sheet.state() == before


@pytest.mark.parametrize(
    "version", ['"1"', '"3"', 'W/"2"', '"two"', '"-2"', '"2x"', '"2-000000000000"', '"99999999999999999999"', '""']
)
def test_a_version_that_is_not_the_latest_changes_nothing(sheet: SheetClient, version: str) -> None:
    before = sheet.state()
    answer = sheet.write(record(5, 8, 4), version=version)
    assert code(answer) == (412, "version-conflict")
    assert answer.json["version"] == 2
    assert version_in(answer) == 2
    assert sheet.state() == before


@pytest.mark.parametrize("version", ["abc", ";", '"2', "2x", '"2" "3"', '"2", abc', "-1"])
def test_what_is_no_version_is_said_to_be_none(sheet: SheetClient, version: str) -> None:
    before = sheet.state()
    answer = sheet.write(record(5, 8, 4), version=version)
    assert code(answer) == (400, "if-match-unreadable")
    assert "Nothing was written" in answer.json["detail"]
    assert sheet.state() == before


@pytest.mark.parametrize("version", ['"2"', "2", '"1", "2"', "*"])
def test_a_version_may_be_written_in_several_ways(sheet: SheetClient, version: str) -> None:
    assert sheet.write(record(5, 8, 4), version=version).status_code == 201


def test_an_outdated_version_is_answered_with_the_events_since(sheet: SheetClient) -> None:
    sheet.written(record(5, 8, 4))
    sheet.written({"type": "write_note", "note": "hello"})
    answer = sheet.write(record(6, 8, 4), version='"2"')
    assert code(answer) == (412, "version-conflict")
    assert [(entry["seq"], entry["kind"]) for entry in answer.json["events"]] == [(3, "deal_recorded"), (4, "noted")]
    assert answer.json["detail"]


def test_a_retry_adds_nothing_and_is_answered_the_same(sheet: SheetClient) -> None:
    first = sheet.write(record(5, 8, 4), key='"tap-1"')
    sheet.written(record(6, 8, 4))
    sheet.written({"type": "title_sheet", "title": "later"})
    for key in ('"tap-1"', "tap-1"):
        again = sheet.write(record(5, 8, 4), key=key, version='"2"')
        assert (again.status_code, again.data) == (first.status_code, first.data) == (201, first.data)
        assert (again.headers["ETag"], again.headers["Idempotent-Replayed"]) == (first.headers["ETag"], "true")
    assert "Idempotent-Replayed" not in first.headers
    assert sheet.state()["version"] == sheet.version == 5


def test_a_key_with_another_command_is_refused(sheet: SheetClient) -> None:
    sheet.write(record(5, 8, 4), key="tap-1")
    assert code(sheet.write(record(6, 8, 4), key="tap-1")) == (422, "idempotency-key-reused")
    other = SheetClient(sheet.client)
    assert other.write(record(6, 8, 4), key="tap-1").status_code == 201


def test_a_refused_command_leaves_its_key_free(sheet: SheetClient) -> None:
    assert sheet.write({"type": "redo"}, key="tap-1").status_code == 422
    assert sheet.write(record(5, 8, 4), key="tap-1").status_code == 201


def test_a_lost_race_differs_from_an_old_version(sheet: SheetClient, app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    service = app.extensions["companion-sheets"]
    append = service.store.append

    def faster(name: str, base: int, *rest: Any) -> Any:
        monkeypatch.setattr(service.store, "append", append)
        service.do(name, {"type": "write_note", "note": "first"})
        return append(name, base, *rest)

    monkeypatch.setattr(service.store, "append", faster)
    answer = sheet.write(record(5, 8, 4))
    assert code(answer) == (409, "conflict")
    assert (answer.json["version"], sheet.state()["version"]) == (3, 3)


def test_of_twenty_writers_with_one_version_one_wins(sheet: SheetClient, app: Any) -> None:
    statuses = Counter(_together(app, sheet, [f"writer-{number}" for number in range(20)]))
    assert statuses[201] == 1
    assert statuses[409] + statuses[412] == 19
    assert sheet.state()["version"] == 3


def test_of_twenty_retries_with_one_key_one_is_written(sheet: SheetClient, app: Any) -> None:
    assert Counter(_together(app, sheet, ["the-same"] * 20)) == {201: 20}
    assert sheet.state()["version"] == 3


@pytest.mark.parametrize("command", RUBBISH, ids=str)
def test_rubbish_is_refused_and_changes_nothing(sheet: SheetClient, command: Any) -> None:
    sheet.written(record(5, 8, 4))
    before = sheet.state()
    for answer in (sheet.write(command), sheet.post("/preview", command)):
        assert answer.status_code == 422, answer.text
        assert all(error["detail"] and error["code"] for error in answer.json["errors"])
    assert sheet.state() == before


@pytest.mark.parametrize("body", [b"", b"{", b'"\\ud800"', b"\xff\xfe", b"[" * 5000, b"1e999", b'{"type": NaN}'])
@pytest.mark.parametrize("path", ["", "/import", "/{sheet}/events", "/{sheet}/preview", "/{sheet}/links"])
def test_bodies_that_are_no_json_are_refused(sheet: SheetClient, path: str, body: bytes) -> None:
    url = PREFIX + path.format(sheet=sheet.id)
    headers = {**bearer(sheet.score), "If-Match": '"2"', "Idempotency-Key": "k"}
    assert sheet.client.post(url, data=body, headers=headers).status_code == 415
    answer = sheet.client.post(url, data=body, headers=headers, content_type="application/json")
    assert answer.status_code in (400, 422)
    assert sheet.state()["version"] == 2


NO_SHEETS: list[Any] = [
    *RUBBISH, {"seats": []}, {"seats": [""]}, {"seats": ["x"] * 13}, {"seats": [{"id": "A"}]}, {"seats": ["a"], "x": 1},
    {"seats": ["a", "b"], "game": "spades", "rules": {"preset": "nope"}}, {"seats": ["a", "b"], "title": []},
    {"seats": ["a", "b", "c", "d", "e"], "game": "spades"}, {"seats": ["a"], "lang": "xx"},
]  # fmt: skip


@pytest.mark.parametrize("value", NO_SHEETS, ids=str)
def test_rubbish_opens_no_sheet(shared_client: Any, value: Any) -> None:
    for path in (PREFIX, f"{PREFIX}/import"):
        answer = shared_client.post(path, **as_json(value))
        assert answer.status_code == 422, answer.text


def test_every_command_can_be_sent(sheet: SheetClient) -> None:
    evening: list[dict[str, Any]] = [
        {"type": "set_dealer", "seat": "B"},
        {"type": "skip_dealer"},
        {"type": "make_call", "call": {"seat": "D", "call": 4}},
        {"type": "change_call", "place": 0, "call": {"seat": "D", "call": 5}},
        {"type": "clear_calls"},
        record(5, 8, 4),
        correct(1, 5, 7, 4),
        {"type": "confirm_deal", "deal": 1, "side": "A+C"},
        {"type": "adjust", "side": "A+C", "points": 10, "reason": "kindness"},
        {"type": "void_deal", "deal": 1, "reason": "misdeal"},
        {"type": "undo"},
        {"type": "redo"},
        {"type": "write_note", "note": "tea"},
        {"type": "change_rules", "rules": {"preset": "classic", "options": {"target": 250}}},
        {"type": "rename_player", "seat": "A", "name": "Akiko"},
        {"type": "set_names", "names": {"B": "Benno"}},
        {"type": "take_seat", "seat": "D", "player": "Gen", "from_deal": 1},
        {"type": "add_player", "name": "Emi"},
        {"type": "title_sheet", "title": "Tuesday"},
        {"type": "rematch"},
        {"type": "start_game", "game": "spades", "seating": ["A", "B", "C", "E"]},
    ]
    assert {command["type"] for command in evening} == set(COMMANDS)
    for command in evening:
        assert sheet.post("/preview", command).status_code == 200, command
        sheet.written(command)
    assert sheet.state()["version"] == 2 + len(evening)


def _together(app: Any, sheet: SheetClient, keys: list[str]) -> list[int]:
    """The statuses that as many clients get that write the same at the same moment."""
    gate, statuses = threading.Barrier(len(keys)), []

    def write(key: str) -> None:
        client = app.test_client()
        headers = {**bearer(sheet.score), "If-Match": '"2"', "Idempotency-Key": key}
        gate.wait()
        answer = client.post(f"{sheet.url}/events", json=record(5, 8, 4), headers=headers)
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=write, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses
