"""Shapes and fields in JSON Schema, for the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from marshmallow import RAISE, missing

from companion.engine.shapes.base import LEAST_READ, MOST_READ, Field, Json, JsonSchema, Refer
from companion.engine.shapes.reading import schema
from companion.engine.shapes.values import Anything

if TYPE_CHECKING:
    from companion.engine.shapes.objects import Shape


def described_field(field: Field[Json], refer: Refer) -> JsonSchema:
    """Describe a field in JSON Schema with its words; null is among its types where it may be null."""
    described = field.json_schema(refer)
    about = {key: text for key, text in field.metadata.items() if isinstance(key, str)}
    if field.allow_none and not isinstance(field, Anything):
        if isinstance(described.get("type"), str) and "$ref" not in described:
            described["type"] = [described["type"], "null"]
            if "enum" in described:
                described["enum"] = [*described["enum"], None]
        else:
            described = {"anyOf": [described, {"type": "null"}]}
    if field.load_default is not missing and field.load_default is not None and not callable(field.load_default):
        described["x-default"] = field.load_default  # with `default`, generators of types take a key for always there
    return {**described, **about}


def shape_schema(shape: type[Shape[Json]], refer: Refer) -> JsonSchema:
    """Describe a shape in JSON Schema: its properties, what is required, that no further keys are admitted.

    Where they are, nothing is said: with `additionalProperties: true` generators of types would take any key for known.
    """
    instance = schema(shape)
    properties = {
        field.data_key or name: described_field(cast("Field[Json]", field), refer)
        for name, field in instance.load_fields.items()
    }
    required = [field.data_key or name for name, field in instance.load_fields.items() if field.required]
    open_ = shape.Meta.unknown != RAISE
    if not open_:
        properties = {name: _bounded(each) for name, each in properties.items()}
    described: JsonSchema = {"type": "object", "properties": properties}
    if not open_:
        described["additionalProperties"] = False
    if instance.others is not None:
        value = described_field(instance.others.entries.value, refer)
        described |= {"additionalProperties": value} if open_ else further_keys(value, properties)
    if required:
        described["required"] = required
    if shape.__doc__:
        described["description"] = " ".join(shape.__doc__.split())
    return described


def _bounded(schema: JsonSchema) -> JsonSchema:
    """Return the schema of a request's value whose whole numbers are those that are read exactly."""
    described: JsonSchema = {key: _bounded(each) if isinstance(each, dict) else each for key, each in schema.items()}
    for key in ("anyOf", "oneOf"):
        if key in schema:
            described[key] = [_bounded(each) for each in schema[key]]
    kinds = schema.get("type", ())
    if "enum" not in schema and "integer" in ([kinds] if isinstance(kinds, str) else kinds):
        described = {"minimum": LEAST_READ, "maximum": MOST_READ, **described}
    return described


def further_keys(value: JsonSchema, properties: Mapping[str, JsonSchema]) -> JsonSchema:
    """Describe the keys of a request beside the declared ones, whose values are all alike.

    TypeScript can only say that *every* key holds such a value. So that an object with declared keys is one of its
    types, a pattern describes the further keys, and `additionalProperties`, which then has no key left, names the
    values of all keys.
    """
    if not value or not properties:
        return {"additionalProperties": value}
    bare = [{key: item for key, item in each.items() if key not in _WORDS} for each in (value, *properties.values())]
    either = {str(each): each for each in bare}
    names = "|".join(map(re.escape, properties))
    return {
        "patternProperties": {f"^(?!(?:{names})$)": value},
        "additionalProperties": {"anyOf": list(either.values())} if len(either) > 1 else value,
    }


_WORDS: Final = ("description", "example", "x-default", "x-unit", "x-article")
