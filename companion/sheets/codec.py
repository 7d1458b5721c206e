"""Events to JSON and back by kind and version; old versions are brought up step by step, unknown kinds refused."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from companion.engine.ledger import Side
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.reading import Node
from companion.sheets import events as e
from companion.sheets.fields import plain, read_fields

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

_CLASSES: tuple[type, ...] = (
    e.SheetOpened, e.GameStarted, e.CallMade, e.CallChanged, e.CallsCleared, e.DealRecorded, e.DealCorrected,
    e.DealVoided, e.Adjusted, e.DealConfirmed, e.DealerSet, e.RulesChanged, e.Noted, e.PlayerRenamed, e.PlayerJoined,
    e.SheetTitled, e.Undone, e.Redone,
)  # fmt: skip

KINDS: Mapping[str, type] = {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in _CLASSES}
NAMES: Mapping[type, str] = {kind: name for name, kind in KINDS.items()}
UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""By kind and the version that it lifts: what turns that version's data into the next one's."""
NO_HASH = "0" * 64
"""What the first event of a sheet has before it."""


def kind_of(event: e.Event) -> str:
    """The kind's name in JSON: `deal_recorded`."""
    return NAMES[type(event)]


def version_of(kind: str, upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS) -> int:
    """The version in which events of a kind are written now."""
    return 1 + max((version for name, version in upcasters if name == kind), default=0)


def encode(event: e.Event) -> dict[str, Any]:
    """The event's own fields as JSON has them, in its kind's present version."""
    return {field.name: plain(getattr(event, field.name)) for field in dataclasses.fields(event)}


def decode(
    kind: str,
    version: int,
    data: Any,
    *,
    pointer: Pointer = (),
    upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
) -> e.Event:
    """The event in foreign JSON, every field checked.

    Raises Refused with `unknown-event` or `event-version` for what this program does not know.
    """
    if kind not in KINDS:
        raise Refused([Problem((*pointer, "kind"), "unknown-event", {"value": kind[:60]})])
    if not 1 <= version <= version_of(kind, upcasters):
        raise Refused([Problem((*pointer, "version"), "event-version", {"kind": kind, "value": version})])
    node = Node(data, (*pointer, "data"))
    if not node.object(others=True):
        raise Refused(node.problems)
    node = Node(_lifted(kind, version, data, upcasters), node.pointer)
    event: Any = read_fields(KINDS[kind], node)
    if event is None or node.problems:
        raise Refused(node.problems)
    if version == version_of(kind, upcasters) and encode(event) != data:
        raise Refused([Problem(node.pointer, "not-canonical", {"kind": kind})])
    known: e.Event = event
    return known


def restore(kind: str, version: int, data: dict[str, Any]) -> e.Event:
    """The event in JSON that this program wrote itself. Raises KeyError for an unknown kind."""
    values = dict(_lifted(kind, version, data, UPCASTERS))
    if kind == "sheet_opened":
        values["seats"] = tuple(e.Seat(**seat) for seat in values["seats"])
    elif kind == "game_started":
        values["seating"] = tuple(values["seating"])
        values["sides"] = tuple(Side(side["id"], tuple(side["players"])) for side in values["sides"])
    event: e.Event = KINDS[kind](**values)
    return event


def canonical(value: Any) -> str:
    """JSON text that is the same for equal values, whatever the order of their keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def chain(previous: str, seq: int, at: str, actor: str, kind: str, version: int, body: str) -> str:
    """The hash of an event that stands after another: SHA-256 over everything that it says, and the hash before it."""
    return sha256(canonical([previous, seq, at, actor, kind, version, body]).encode()).hexdigest()


def _lifted(
    kind: str, version: int, data: dict[str, Any], upcasters: Mapping[tuple[str, int], Upcaster]
) -> dict[str, Any]:
    while (kind, version) in upcasters:
        data, version = upcasters[kind, version](data), version + 1
    return data
