"""Commands and the request for a new sheet in JSON Schema, derived from their declarations."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from companion.engine.deals import POINTS_LIMIT
from companion.games import GAMES
from companion.sheets.model import COMMANDS
from companion.sheets.names import MAX_NAME, MAX_REMARK
from companion.sheets.shapes import MAX_COUNT, SEAT_IDS

Json = dict[str, Any]

SEAT: Json = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,20}$", "description": "The id of a seat."}
NAME: Json = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
OBJECT: Json = {"type": "object"}
COUNT: Json = {"type": "integer", "minimum": 1, "maximum": MAX_COUNT}
REMARK: Json = {"type": "string", "maxLength": MAX_REMARK}
SEATING: Json = {"type": "array", "items": SEAT, "minItems": 1, "maxItems": len(SEAT_IDS)}
SIDES: Json = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"id": {"type": "string", "maxLength": 60}, "players": SEATING},
        "required": ["id", "players"],
        "additionalProperties": False,
    },
    "minItems": 1,
    "maxItems": len(SEAT_IDS),
}
FIELDS: Mapping[str, Json] = {
    "call": {**OBJECT, "description": 'The call as a check has it: `{"seat": "B", "call": 4}`.'},
    "deal": {**COUNT, "description": "The number of a deal in its game; the open deal without it."},
    "dealer": {**SEAT, "description": "The seat that deals first."},
    "dealer_stays": {"type": "boolean", "default": False},
    "facts": {**OBJECT, "description": "The deal as a score request has it."},
    "game": {"type": "string", "enum": list(GAMES)},
    "game_number": {**COUNT, "description": "The number of a game on the sheet; the running game without it."},
    "lang": {"type": "string", "enum": ["", "ja", "en"]},
    "name": NAME,
    "note": REMARK,
    "opening": {**OBJECT, "description": "Totals carried on from paper, in points, by side."},
    "place": {"type": "integer", "minimum": 0, "maximum": MAX_COUNT, "description": "Which call, from 0."},
    "points": {"type": "integer", "minimum": -POINTS_LIMIT, "maximum": POINTS_LIMIT, "description": "Points, not 0."},
    "reason": REMARK,
    "rules": {"$ref": "#/components/schemas/HouseRules"},
    "seat": SEAT,
    "seating": {**SEATING, "description": "The seats that play, clockwise; all of them without it."},
    "seats": {
        "type": "array",
        "items": {
            "anyOf": [
                NAME,
                {
                    "type": "object",
                    "properties": {"id": SEAT, "name": NAME},
                    "required": ["id", "name"],
                    "additionalProperties": False,
                },
            ]
        },
        "minItems": 1,
        "maxItems": len(SEAT_IDS),
        "description": "Names clockwise; the ids are A, B, C ... unless given.",
    },
    "side": {"type": "string", "maxLength": 60, "description": "The id of a side."},
    "sides": {**SIDES, "description": "Who scores together; found by the rules of the game without it."},
    "target": {**COUNT, "description": "The sequence number of the event that is meant."},
    "title": {"type": "string", "maxLength": MAX_NAME},
}
"""Each field of a command in JSON Schema, as `companion.sheets.fields` reads it."""


def command_schema() -> Json:
    """Any command: one shape for each type."""
    return {
        "description": "What is to be written down. `deal` and `game_number` mean the open deal and the running game "
        "where they are left out.",
        "oneOf": [_fields_schema(kind, name) for name, kind in COMMANDS.items()],
    }


def opening_schema(kind: type) -> Json:
    """The request for a new sheet."""
    return _fields_schema(kind, None)


def _fields_schema(kind: type, name: str | None) -> Json:
    declared = dataclasses.fields(kind)
    required = [
        field.name
        for field in declared
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    typed: Json = {} if name is None else {"type": {"type": "string", "const": name}}
    described = {
        field.name: FIELDS[field.name] if field.name in required else {"anyOf": [FIELDS[field.name], {"type": "null"}]}
        for field in declared
    }
    schema: Json = {
        "type": "object",
        "properties": typed | described,
        "required": [*typed, *required],
        "additionalProperties": False,
    }
    if name is not None:
        schema["title"] = name
    if kind.__doc__ and not kind.__doc__.startswith(f"{kind.__name__}("):
        schema["description"] = kind.__doc__
    return schema
