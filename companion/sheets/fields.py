"""How each field of an event or a command is read from JSON: one name, one meaning, in both."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from companion.engine.deals import POINTS_LIMIT
from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.sheets.events import Seat
from companion.sheets.names import LONGEST_NAME, LONGEST_REMARK, clean, length

T = TypeVar("T")
SEAT_IDS = "ABCDEFGHIJKL"
"""Ids of seats that came without one, clockwise."""
MOST_COUNTED = 1_000_000
DEEPEST = 12

_SEAT_ID = re.compile(r"[A-Za-z0-9_-]{1,20}")


def read_fields(kind: type[T], node: Node) -> T | None:
    """An event or a command of that kind from the object at a node; None comes back where faults were noted."""
    hashable: Any = kind
    required, optional = _shape(hashable)
    known = len(node.problems)
    if not node.object(required=required, optional=optional):
        return None
    values = {}
    for name in (*required, *optional):
        field = node[name]
        if field.present and (name in required or field.value is not None):
            values[name] = READERS[name](field)
    return None if len(node.problems) > known else kind(**values)


def plain(value: Any) -> Any:
    """The value of a field as JSON has it."""
    if isinstance(value, Seat):
        return {"id": value.id, "name": value.name}
    if isinstance(value, Side):
        return {"id": value.id, "players": list(value.players)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def canonical(value: Any) -> str:
    """JSON text that is the same for equal values, whatever the order of their keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def read_title(node: Node) -> str:
    """A title or label at a node, cleaned; faults are noted there."""
    title = clean(node.text())
    if length(title) > LONGEST_NAME or len(title) > 8 * LONGEST_NAME:
        node.fault("length", least=0, most=LONGEST_NAME, count=length(title))
    return title


def read_key(node: Node) -> str:
    """An idempotency key at a node: up to 200 signs that can be printed."""
    key = node.text(most=200)
    if not key or not key.isprintable():
        node.fault("idempotency-key")
    return key


@lru_cache(maxsize=64)
def _shape(kind: Hashable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    required: list[str] = []
    optional: list[str] = []
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        given = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        (optional if given else required).append(field.name)
    return tuple(required), tuple(optional)


def _count(node: Node) -> int:
    return node.integer(low=1, high=MOST_COUNTED)


def _points(node: Node) -> int:
    return node.integer(low=-POINTS_LIMIT, high=POINTS_LIMIT)


def _word(node: Node) -> str:
    return node.text(most=60)


def _name(node: Node) -> str:
    name = read_title(node)
    if isinstance(node.value, str) and not name:
        node.fault("required")
    return name


def _remark(node: Node) -> str:
    remark = clean(node.text())
    if len(remark) > LONGEST_REMARK:
        node.fault("length", least=0, most=LONGEST_REMARK, count=len(remark))
    return remark


def _object(node: Node) -> Mapping[str, Any]:
    known = len(node.problems)
    if node.object(others=True):
        cleaned: dict[str, Any] = _cleaned(node, DEEPEST)
        if len(node.problems) == known:
            return cleaned
    return {}


def _cleaned(node: Node, depth: int) -> Any:
    """The JSON value at a node, its texts cleaned; fractions, giant numbers and too deep nesting are faults."""
    value = node.value
    if not depth:
        node.fault("depth", most=DEEPEST)
    elif isinstance(value, str):
        return clean(value)
    elif isinstance(value, Mapping):
        return {key: _cleaned(node[key], depth - 1) for key in value}
    elif isinstance(value, list):
        return [_cleaned(item, depth - 1) for item in node.items()]
    elif isinstance(value, float) or (isinstance(value, int) and value.bit_length() > 64):
        node.fault("type", expected="integer")
    return value


def _seats(node: Node) -> tuple[Seat, ...]:
    seats: list[Seat] = []
    for place, item in enumerate(node.items(least=1, most=len(SEAT_IDS))):
        if isinstance(item.value, str):
            seats.append(Seat(SEAT_IDS[place], _name(item)))
        elif item.object(required=("id", "name")):
            seats.append(Seat(_seat_id(item["id"]), _name(item["name"])))
        if len({seat.id for seat in seats}) < len(seats):
            item.fault("seat-id", value=seats.pop().id)
    if not node.present:
        node.fault("required")
    return tuple(seats)


def _seat_id(node: Node) -> str:
    seat = node.text(most=20)
    if isinstance(node.value, str) and not _SEAT_ID.fullmatch(seat):
        node.fault("seat-id", value=seat)
    return seat


def _seating(node: Node) -> tuple[str, ...]:
    seating = tuple(_seat_id(item) for item in node.items(least=1, most=len(SEAT_IDS)))
    if len(set(seating)) < len(seating):
        node.fault("seat-id", value=next(seat for seat in seating if seating.count(seat) > 1))
    return seating


def _sides(node: Node) -> tuple[Side, ...]:
    sides = []
    for item in node.items(least=1, most=len(SEAT_IDS)):
        if item.object(required=("id", "players")):
            sides.append(Side(_word(item["id"]), _seating(item["players"])))
    return tuple(sides)


READERS: Mapping[str, Callable[[Node], Any]] = {
    "call": _object,
    "deal": _count,
    "dealer": _seat_id,
    "dealer_stays": Node.flag,
    "engine": _word,
    "facts": _object,
    "game": _word,
    "game_number": _count,
    "lang": lambda node: node.one_of(("", "ja", "en")),
    "name": _name,
    "note": _remark,
    "opening": _object,
    "options": _object,
    "place": lambda node: node.integer(low=0, high=MOST_COUNTED),
    "points": _points,
    "preset": _word,
    "reason": _remark,
    "rules": _object,
    "seat": _seat_id,
    "seating": _seating,
    "seats": _seats,
    "side": _word,
    "sides": _sides,
    "skipped": Node.flag,
    "target": _count,
    "title": read_title,
}
