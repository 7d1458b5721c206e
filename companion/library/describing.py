"""What shapes and options are called in documents, and the options of a game in JSON Schema."""

from __future__ import annotations

from marshmallow import Schema

from companion.engine.game import Game
from companion.engine.options import Option
from companion.engine.shapes import JsonSchema
from companion.games import GAMES
from companion.library.schemas import game_prefix
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
        return {"type": "array", "items": {"type": "string"}, "minItems": option.low, "maxItems": option.high}
    if option.kind == "words":
        words = {"type": "string", "enum": list(option.choices)}
        return {"type": "array", "items": words, "minItems": option.low, "uniqueItems": True}
    return {"type": "string", "enum": list(option.choices)}
