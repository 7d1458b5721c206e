"""The facts that a problem of each code carries, and their types: declared once, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from companion.engine.shapes import JsonSchema

FactTypes: TypeAlias = Mapping[str, JsonSchema]
"""JSON Schema by the name of the fact; a name with `?` behind it is not in every problem of the code."""

SCALAR: Final[JsonSchema] = {"type": ["string", "integer", "boolean", "null"]}
TEXT: Final[JsonSchema] = {"type": "string"}
NUMBER: Final[JsonSchema] = {"type": "integer"}
NUMBER_OR_NULL: Final[JsonSchema] = {"type": ["integer", "null"]}
TEXTS: Final[JsonSchema] = {"type": "array", "items": TEXT}
NUMBERS: Final[JsonSchema] = {"type": "array", "items": NUMBER}
COUNTS: Final[JsonSchema] = {"type": "object", "additionalProperties": NUMBER}
LIMITS: Final[FactTypes] = {"low?": NUMBER_OR_NULL, "high?": NUMBER_OR_NULL}
VALUE: Final[FactTypes] = {"value": SCALAR}
SIZE: Final[FactTypes] = {"count": NUMBER, "expected?": NUMBER, **LIMITS}
TOTAL: Final[FactTypes] = {"expected": NUMBER, "total?": NUMBER, "difference?": NUMBER, "counts?": COUNTS}

SHAPE_CODES: Final = (
    "card", "choice", "cursor", "length", "range", "required", "type", "unknown-command", "unknown-key",
)  # fmt: skip
"""Codes of what the API's document excludes, unless the problem is contextual. Every other code of an input is an
answer of the rules: of the game, of what its cards and counts can be, of what has been written on a sheet."""

SHARED_PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "broken-log": {"seq": NUMBER},
    "calls-differ": {"called": NUMBER, "given": NUMBER},
    "card": VALUE,
    "choice": {"value": {"type": ["string", "integer", "boolean", "null", "array"], "items": TEXT}},
    "cursor": VALUE,
    "deal-number": {**VALUE, "open": NUMBER},
    "dealer-moved-on": {"deal": NUMBER, "open": NUMBER},
    "depth": {"most": NUMBER},
    "duplicate-key": {"key": TEXT},
    "event-version": {"kind": TEXT, "value": NUMBER},
    "evenings-full": {"most": NUMBER},
    "file-anchor": {"seq": NUMBER},
    "game-over": {"winners?": TEXTS},
    "hash-chain": {"seq": NUMBER},
    "hidden-signs": {},
    "idempotency-key": {},
    "impossible-position": {"why": TEXT, "cards?": TEXTS, "count?": NUMBER, "most?": NUMBER, "player?": TEXT},
    "leagues-full": {"most": NUMBER},
    "length": {"least": NUMBER, "most": NUMBER_OR_NULL, "count": NUMBER},
    "members-full": {"most": NUMBER},
    "name-taken": VALUE,
    "no-calls": {"game": TEXT},
    "no-game": {},
    "no-points": {},
    "not-canonical": {"kind?": TEXT},
    "nothing-to-redo": {"target": NUMBER_OR_NULL, "next": NUMBER_OR_NULL},
    "nothing-to-undo": {"target": NUMBER_OR_NULL, "next": NUMBER_OR_NULL},
    "options-conflict": {
        "options": TEXTS,
        "values?": {"type": "object", "additionalProperties": {"anyOf": [SCALAR, TEXTS]}},
    },
    "range": {**VALUE, **LIMITS},
    "required": {"expected?": TEXT},
    "rules-code": {"value": TEXT, "part?": TEXT, "preset?": TEXT},
    "seat-id": VALUE,
    "seat-twice": {"seats": TEXTS},
    "seats-count": SIZE,
    "rounds-full": {"most": NUMBER},
    "same-member": {},
    "seats-full": {"most": NUMBER},
    "sheet-full": {"most": NUMBER},
    "side-id": VALUE,
    "sides-seats": {"playing": TEXTS, "seating": TEXTS},
    "table-size": {"count": NUMBER},
    "time": VALUE,
    "type": {"expected": TEXT},
    "unknown-call": {**VALUE, "count": NUMBER},
    "unknown-command": VALUE,
    "unknown-deal": {"deal": NUMBER, "count": NUMBER},
    "unknown-event": VALUE,
    "unknown-game": VALUE,
    "unknown-game-number": {**VALUE, "count": NUMBER},
    "unknown-key": {"key?": TEXT},
    "unknown-option": {"option": TEXT},
    "unknown-member": VALUE,
    "unknown-preset": VALUE,
    "unknown-seat": VALUE,
    "unknown-side": VALUE,
    "void-deal": {"deal": NUMBER},
}
"""The problems of any game and of sheets, without the values that are possible: those are the problem's `allowed`."""
