"""What shapes and options are called in documents, and the options of a game in JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from marshmallow import Schema

from companion.engine.game import Game
from companion.engine.options import Option
from companion.engine.shapes import Json, JsonSchema, Shape, shape_schema
from companion.games import GAMES
from companion.library.schemas import game_prefix, options_schema_name
from companion.rulebook.book import words


def schema_name(schema: type[Schema] | Schema) -> str:
    """Return the name of a schema in the document: that of its class, behind that of its game where it has one."""
    known = schema if isinstance(schema, type) else type(schema)
    name = known.__name__.removesuffix("Schema").removesuffix("Shape")
    prefix = next((game_prefix(game) for game in GAMES if f".{game.replace('-', '_')}." in known.__module__), "")
    return name if name.startswith(prefix) else prefix + name


def options_schema(game: Game) -> JsonSchema:
    """Describe the options of a game in JSON Schema, as they are declared."""
    own = words(game.id, "en")
    return {
        "type": "object",
        "additionalProperties": False,
        "description": f"The options of {own.name}.",
        "properties": {
            name: {
                **_value_schema(option),
                "description": f"{own.option_label(name)}. {own.option_help(name)} (`{option.article}`)",
                "x-default": option.plain(option.default),
            }
            for name, option in game.options.options.items()
        },
    }


def _value_schema(option: Option) -> JsonSchema:
    if option.kind == "flag":
        return {"type": "boolean"}
    if option.kind == "number":
        kind = ["integer", "null"] if option.nullable else "integer"
        if option.choices:
            return {"type": kind, "enum": [*map(int, option.choices), *([None] if option.nullable else [])]}
        return {"type": kind, "minimum": option.low, "maximum": option.high}
    if option.kind == "cards":
        card = {"type": "string", "enum": list(option.choices)}
        limits = {"minItems": option.low, "maxItems": option.high}
        return {"type": "array", "items": card, **limits, "uniqueItems": True}
    if option.kind == "words":
        words = {"type": "string", "enum": list(option.choices)}
        return {"type": "array", "items": words, "minItems": option.low, "uniqueItems": True}
    return {"type": "string", "enum": list(option.choices)}


_EXPLAINING: Final = frozenset({"description", "x-default"})


def inlined_schema(shapes: Mapping[str, type[Shape[Json]]]) -> JsonSchema:
    """Describe any of the shapes, by the game of each, as `request`, and the shapes that they refer to as `$defs`.

    Options are described without words: the schema is read by assistants, whose memory is short.
    """
    parts: JsonSchema = {}

    def refer(shape: type[Shape[Json]]) -> JsonSchema:
        name = schema_name(shape)
        if name not in parts:
            parts[name] = {}  # a shape may hold itself
            parts[name] = shape_schema(shape, refer)
        return {"$ref": f"#/$defs/{name}"}

    request = [refer(shape) for shape in shapes.values()]
    for game in shapes:
        options = options_schema(GAMES[game])["properties"]
        parts[options_schema_name(game)] = {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                name: {key: item for key, item in option.items() if key not in _EXPLAINING}
                for name, option in options.items()
            },
        }
    whole: JsonSchema = json.loads(json.dumps(parts).replace("#/components/schemas/", "#/$defs/"))
    return {"request": {"anyOf": request}, "$defs": whole}
