"""Events to JSON and back."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from companion.engine.ledger import Side
from companion.engine.problems import Refused
from companion.sheets import events as e
from companion.sheets.event import Event
from companion.sheets.events import EVENTS, kind_of
from companion.sheets.shapes import canonical, restore, to_json
from companion.sheets.state import Seat
from companion.sheets.store import chain, decode, version_of

EXAMPLES = [
    e.SheetOpened((Seat("A", "Aki"), Seat("B", "文子")), "金曜の会", "ja"),
    e.GameStarted(1, "spades", "classic", {"target": 500}, "0.1", ("A", "B"), (Side("A", ("A",)),), "A", {}),
    e.CallMade(1, 1, {"seat": "A", "call": "nil", "looked": False}),
    e.CallChanged(1, 1, 0, {"seat": "A", "call": 5}),
    e.CallsCleared(1, 1),
    e.DealRecorded(1, 1, {"A": {"bid": 5, "tricks": 8}}),
    e.CallsCorrected(1, 1, ({"seat": "A", "call": 5},), {"A": {"bid": 5, "tricks": 7}}, "misheard"),
    e.DealCorrected(1, 1, {"A": {"bid": 5, "tricks": 7}}, "miscounted"),
    e.DealVoided(1, 1, "a card lay open", True),
    e.Adjusted(1, 1, "A", -30, "revoke"),
    e.DealConfirmed(1, 1, "A"),
    e.DealerSet(1, 2, "B", True),
    e.RulesChanged(1, 2, "plain", {"target": 300}, "agreed"),
    e.Noted(1, 1, "new pack"),
    e.PlayerRenamed("A", "Akiko"),
    e.SeatTaken("A", "Eve", 3, 1),
    e.PlayerJoined("C", "Chie"),
    e.SheetTitled(""),
    e.Undone(4),
    e.Redone(4),
]


def test_there_is_an_example_of_every_kind() -> None:
    assert {type(event) for event in EXAMPLES} == set(EVENTS.values())


@pytest.mark.parametrize("event", EXAMPLES, ids=kind_of)
def test_an_event_comes_back_as_it_went(event: Event) -> None:
    kind = kind_of(event)
    data = json.loads(canonical(to_json(event)))
    assert decode(kind, version_of(kind), data) == event
    assert restore(type(event), data) == event
    made: Any = event
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(made, dataclasses.fields(made)[0].name, 1)


@pytest.mark.parametrize(
    ("kind", "version", "data", "path", "code"),
    [
        ("deal_guessed", 1, {}, "/kind", "unknown-event"),
        ("undone", 2, {"target": 4}, "/version", "event-version"),
        ("undone", 0, {"target": 4}, "/version", "event-version"),
        ("undone", 1, {}, "/data/target", "required"),
        ("undone", 1, {"target": 4, "more": 1}, "/data/more", "unknown-key"),
        ("undone", 1, {"target": "4"}, "/data/target", "type"),
        ("undone", 1, None, "/data", "type"),
        ("sheet_titled", 1, {"title": "a\u202eb"}, "/data", "not-canonical"),
        ("deal_voided", 2, {"game_number": 1, "deal": 1}, "/data", "not-canonical"),
    ],
)
def test_foreign_events_are_read_strictly(kind: str, version: int, data: Any, path: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        decode(kind, version, data)
    assert [(problem.path(), problem.code) for problem in caught.value.problems] == [(path, code)]


def test_old_versions_are_brought_up_step_by_step() -> None:
    upcasters = {
        ("undone", 1): lambda data: {"entry": data["event"]},
        ("undone", 2): lambda data: {"target": data["entry"]},
    }
    assert version_of("undone", upcasters) == 3
    assert decode("undone", 1, {"event": 4}, upcasters=upcasters) == e.Undone(4)
    assert decode("undone", 3, {"target": 4}, upcasters=upcasters) == e.Undone(4)


def test_every_part_of_an_event_changes_its_hash() -> None:
    told: list[Any] = ["0" * 64, 1, "2026-11-20T18:00:00.000Z", "Aki", "undone", 1, "{}"]
    others: list[Any] = ["1" * 64, 2, "2026-11-20T18:00:01.000Z", "Ben", "redone", 2, "[]"]
    hashes = {chain(*told)} | {
        chain(*(others[place] if place == changed else part for place, part in enumerate(told)))
        for changed in range(len(told))
    }
    assert len(hashes) == 1 + len(told)
