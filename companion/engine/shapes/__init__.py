"""Shapes of JSON values, declared once in marshmallow: they read, refuse, document and serialise.

A `Shape` is a schema whose keys are fields. `read` returns what a shape builds from a value, or raises `Refused` with
every problem found. Plainly valid input is read by closures compiled from the declaration; everything else goes to
marshmallow, which has the last word.

What depends on the table (its seats, its sides, a range from its rules) is taken from the `context` of the read: a
limit, a choice or a set of keys may be a function of it.
"""

from companion.engine.shapes.base import (
    LEAST_READ,
    LEFT_OUT,
    MAX_ITEMS,
    MAX_TEXT,
    MOST_READ,
    Attributes,
    Field,
    FieldOptions,
    Get,
    Json,
    JsonSchema,
    Limit,
    Read,
    ReadContext,
    Refer,
    Slow,
    Write,
    WriteContext,
    fault,
    invalid,
)
from companion.engine.shapes.containers import Either, Keyed, ListOf, ListOptions, Object, Variants, Written
from companion.engine.shapes.describing import described_field, further_keys, shape_schema
from companion.engine.shapes.objects import OpenShape, Others, Shape
from companion.engine.shapes.reading import NOT_PLAIN, attribute, compiled, load, read, read_at, schema, write
from companion.engine.shapes.values import (
    Anything,
    CardField,
    Count,
    Flag,
    Integer,
    IntegerOptions,
    Name,
    Points,
    Seat,
    SideId,
    Text,
    TextOptions,
    Word,
)

__all__ = [
    "LEAST_READ",
    "LEFT_OUT",
    "MAX_ITEMS",
    "MAX_TEXT",
    "MOST_READ",
    "NOT_PLAIN",
    "Anything",
    "Attributes",
    "CardField",
    "Count",
    "Either",
    "Field",
    "FieldOptions",
    "Flag",
    "Get",
    "Integer",
    "IntegerOptions",
    "Json",
    "JsonSchema",
    "Keyed",
    "Limit",
    "ListOf",
    "ListOptions",
    "Name",
    "Object",
    "OpenShape",
    "Others",
    "Points",
    "Read",
    "ReadContext",
    "Refer",
    "Seat",
    "Shape",
    "SideId",
    "Slow",
    "Text",
    "TextOptions",
    "Variants",
    "Word",
    "Write",
    "WriteContext",
    "Written",
    "attribute",
    "compiled",
    "described_field",
    "fault",
    "further_keys",
    "invalid",
    "load",
    "read",
    "read_at",
    "schema",
    "shape_schema",
    "write",
]
