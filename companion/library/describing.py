"""What shapes and options are called in documents, and the options of a game in JSON Schema."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from typing import Final, cast

from marshmallow import Schema

from companion.engine.game import Game
from companion.engine.shapes import LEAST_READ, MOST_READ, Field, Json, JsonSchema, Shape, described_field, shape_schema
from companion.engine.shapes import schema as shape_instance
from companion.games import GAMES
from companion.library.schemas import game_prefix, options_schema_name
from companion.rulebook.words import words


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
                **_value_schema(option.field()),
                "description": f"{own.option_label(name)}. {own.option_help(name)} (`{option.article}`)",
                "x-default": option.plain(option.default),
            }
            for name, option in game.options.options.items()
        },
    }


def _value_schema(field: Field[Json]) -> JsonSchema:
    """Describe the value of an option, whose article is in its text."""
    described = described_field(field, lambda shape: {})
    return {key: each for key, each in described.items() if key != "x-article"}


def parameter_schemas(shape: type[Shape[Json]]) -> dict[str, JsonSchema]:
    """Describe each key of a shape of parameters, with its default and its words."""
    described = {}
    for name, field in shape_instance(shape).load_fields.items():
        known = cast("Field[Json]", field)
        default = {"default": field.load_default} if type(field.load_default) in (int, str) else {}
        words = {key: text for key, text in field.metadata.items() if key == "description"}
        described[name] = {**known.json_schema(lambda shape: {}), **default, **words}
    return described


def inlined_schema(shapes: Mapping[str, type[Shape[Json]]]) -> JsonSchema:
    """Describe any of the shapes, by the game of each, as `request`, and the shapes that they refer to as `$defs`.

    The schema is read by assistants, whose memory is short: nothing is said twice, and the options of house rules,
    which few requests need, are listed by a tool of their own.
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
        parts[options_schema_name(game)] = {"type": "object", "description": OPTIONS_TEXT}
    whole: JsonSchema = json.loads(json.dumps(parts).replace("#/components/schemas/", "#/$defs/"))
    return {
        "request": {"anyOf": request},
        "$defs": _Sharing({name: _plain(each) for name, each in whole.items()}).parts,
    }


OPTIONS_TEXT: Final = "Options by name, as the tool `rules` lists them with their values."
_NEEDLESS: Final = frozenset({"discriminator", "example", "x-article", "x-default", "x-unit"})
"""Keys that only generators of code and pages use."""
CARD, TEXT = "Card", "Text"
_NAMED_PARTS: Final = ("properties",)
_LISTED_PARTS: Final = ("anyOf", "oneOf")
_SINGLE_PARTS: Final = ("items", "additionalProperties")


def _plain(schema: JsonSchema) -> JsonSchema:
    """Return a schema that allows the same, without what only generators of code need."""
    plain = {key: item for key, item in schema.items() if key not in _NEEDLESS}
    for key, limit in (("minimum", LEAST_READ), ("maximum", MOST_READ)):
        if plain.get(key) == limit:
            del plain[key]
    if "patternProperties" in plain:  # the keys beside the declared ones: see `further_keys`
        (plain["additionalProperties"],) = plain.pop("patternProperties").values()
    if "enum" in plain:
        plain.pop("type", None)
    return _with_parts(plain, lambda part, name: _plain(part))


class _Sharing:
    """Schemas in which a part that would be written twice is referred to instead; `parts` has every schema by name."""

    LONGER_THAN: Final = 60
    """Characters from which on a part is worth a name."""

    def __init__(self, schemas: Mapping[str, JsonSchema]) -> None:
        self._counts: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self.parts: dict[str, JsonSchema] = {name: {} for name in schemas}
        for schema in schemas.values():
            self._count(schema)
        for name, schema in schemas.items():
            self.parts[name] = _with_parts(schema, self._shared)

    def _count(self, schema: JsonSchema) -> None:
        """Count the parts; those of a part that has been counted are not written twice."""

        def look(part: JsonSchema, name: str) -> JsonSchema:
            text = json.dumps(part)
            self._counts[text] += 1
            if self._counts[text] == 1:
                self._count(part)
            return part

        _with_parts(schema, look)

    def _shared(self, part: JsonSchema, name: str) -> JsonSchema:
        text = json.dumps(part)
        if "pattern" in part:
            words = {key: item for key, item in part.items() if key == "description"}
            bare = {key: item for key, item in part.items() if key not in words}
            fits = re.compile(part["pattern"]).fullmatch
            return self._refer(bare, CARD if fits("10H") and not fits("Z") else TEXT) | words
        written = self._counts[text] > 1 and len(text) > self.LONGER_THAN
        return self._refer(part, name) if written else _with_parts(part, self._shared, name)

    def _refer(self, part: JsonSchema, name: str) -> JsonSchema:
        text = json.dumps(part)
        if text not in self._names:
            free = (f"{name}{number or ''}" for number in count())
            self._names[text] = known = next(each for each in free if each not in self.parts)
            self.parts[known] = {}
            self.parts[known] = _with_parts(part, self._shared, name)
        return {"$ref": f"#/$defs/{self._names[text]}"}


def _with_parts(schema: JsonSchema, change: Callable[[JsonSchema, str], JsonSchema], name: str = "part") -> JsonSchema:
    """Return a schema with its parts changed; `change` also takes a name for the part."""
    changed = dict(schema)
    for key in _NAMED_PARTS:
        if key in schema:
            changed[key] = {each: change(part, each) for each, part in schema[key].items()}
    for key in _LISTED_PARTS:
        if key in schema:
            changed[key] = [change(part, name) for part in schema[key]]
    for key in _SINGLE_PARTS:
        if isinstance(schema.get(key), dict):
            changed[key] = change(schema[key], name)
    return changed
