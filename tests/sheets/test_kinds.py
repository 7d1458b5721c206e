"""Every kind of command and event has all its parts: fields, decision, application, description, words."""

from __future__ import annotations

import dataclasses

import pytest

from companion.data import LANGUAGES
from companion.engine.shapes import Field, schema, shape_schema
from companion.rulebook.words import say
from companion.sheets.event import Command, Event, HistoryEntry, Reversal, history
from companion.sheets.events import COMMANDS, EVENTS, OpenSheet, kind_of
from companion.sheets.service import SheetService
from companion.sheets.shapes import shape_of
from companion.sheets.store import open_store
from tests.keeper.test_trail import SEATS, every_command

KINDS = {**COMMANDS, **EVENTS, "open_sheet": OpenSheet}


@pytest.fixture(scope="module")
def log() -> list[HistoryEntry]:
    """The history of a sheet on which every command was written once, with a further undo and redo of each."""
    service = SheetService(open_store("memory:"))
    sheet = service.open_sheet({"seats": SEATS, "game": "spades"}).id
    for command in every_command()[:-2]:
        for step in (command, {"type": "undo"}, {"type": "redo"}):
            service.do(sheet, step)
    return history(service.events(sheet))


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_declared_once(kind: str) -> None:
    made = KINDS[kind]
    fields = schema(shape_of(made)).load_fields
    assert list(fields) == [field.name for field in dataclasses.fields(made)]
    assert all(isinstance(field, Field) for field in fields.values())
    described = shape_schema(shape_of(made), lambda shape: {"$ref": shape.__name__})
    assert described["additionalProperties"] is False
    assert all({"type", "anyOf", "$ref"} & set(field) for field in described["properties"].values())
    assert made.__doc__ is not None
    assert not made.__doc__.startswith(f"{made.__name__}(")


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_command_decides(kind: str) -> None:
    assert issubclass(COMMANDS[kind], Command)
    assert "decide" in vars(COMMANDS[kind])


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_applies_and_describes_itself(kind: str) -> None:
    made = EVENTS[kind]
    assert issubclass(made, Event)
    assert "describe" in vars(made)
    assert ("advance" if issubclass(made, Reversal) else "apply") in vars(made)


def test_every_event_is_written_by_some_command(log: list[HistoryEntry]) -> None:
    assert {kind_of(each.entry.event) for each in log} == set(EVENTS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_description_has_words(log: list[HistoryEntry], lang: str) -> None:
    for each in log:
        description = each.entry.event.describe(each.earlier or each.sheet, each.sheet)
        for message in (description.message, *description.details):
            facts = {**message.facts, "what": "what was undone"} if each.target else message.facts
            assert say(lang, f"trail.{message.key}", **facts).strip()
