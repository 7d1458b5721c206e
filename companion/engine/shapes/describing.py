"""Shapes and fields in JSON Schema, for the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from marshmallow import RAISE, missing

from companion.engine.shapes.base import Field, Json, JsonSchema, Refer
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
    """Describe a shape in JSON Schema: its properties, what is required, whether further keys are admitted."""
    instance = schema(shape)
    properties = {
        field.data_key or name: described_field(cast("Field[Json]", field), refer)
        for name, field in instance.load_fields.items()
    }
    required = [field.data_key or name for name, field in instance.load_fields.items() if field.required]
    further: object = False
    if instance.others is not None:
        further = described_field(instance.others.entries.value, refer)
    elif instance.unknown != RAISE:
        further = True
    described: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": further}
    if required:
        described["required"] = required
    if shape.__doc__:
        described["description"] = " ".join(shape.__doc__.split())
    return described
