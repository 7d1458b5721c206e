"""Shapes of JSON values, declared once in marshmallow: they read, refuse, document and serialise.

A `Shape` is a schema whose keys are fields. `read` returns what a shape builds from a value, or raises `Refused` with
every problem found. Plainly valid input is read by closures made from the declaration; everything else goes to
marshmallow, which has the last word.

What depends on the table (its seats, its sides, a range from its rules) is taken from the `context` of the read: a
limit, a choice or a set of keys may be a function of it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import MISSING, dataclass, is_dataclass, replace
from dataclasses import fields as dataclass_fields
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    TypeAlias,
    TypedDict,
    TypeVar,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, missing, post_load, validates_schema
from marshmallow.experimental.context import Context

from companion.engine.cards import Card, card_pattern, control_pattern, is_control, is_encodable, quoted, read_card
from companion.engine.problems import MOST_COUNTED, Node, Pointer, Problem, Refused

_T = TypeVar("_T")
Json: TypeAlias = Any
"""A JSON value; which kind it is, reading finds out."""
ReadContext: TypeAlias = Any
"""What a value is read against, such as a table with its seats. Every shape says which one it needs."""
Attributes: TypeAlias = dict[str, Any]
"""What the fields of a shape have read, by attribute; each has the type of its field."""
JsonSchema: TypeAlias = dict[str, Any]
WriteContext: TypeAlias = Any
"""What an answer is written with, such as the words of a language. Every shape says which one it needs."""
Get = Callable[[Json, WriteContext], Json]
"""The object that an answer is about, and the context, to what a field of the answer holds."""
Write = Callable[[Json, WriteContext], Json]
"""What a field holds, and the context, to its JSON value."""
Read = Callable[[Json, ReadContext], _T]
"""A value and the context of the read to what is built from it. Raises ValidationError, or `Slow`."""
Refer = Callable[[type["Shape[Json]"]], JsonSchema]
"""A shape to the reference under which an OpenAPI document describes it."""
_Limit = int | Callable[[ReadContext], int] | None

MAX_ITEMS: Final = 20_000
MAX_TEXT: Final = 400
LEAST_READ: Final = -(2**63)
MOST_READ: Final = 2**64 - 1
"""The least and the largest whole number that are read as one: beyond these, JSON's numbers are inexact."""
_NO_DEFAULT: Final[object] = missing
LEFT_OUT: Final[object] = missing
"""What `get` of a field returns where an answer has no such key."""


class Slow(Exception):
    """The value is not plainly valid: marshmallow must look at it."""


def fault(
    code: str, article: str | None = None, *, at: Pointer = (), contextual: bool = False, **facts: object
) -> ValidationError:
    """Return a validation error with one problem, its pointer relative to the value that is read."""
    return invalid([Problem(at, code, facts, article, contextual=contextual)])


def invalid(problems: Iterable[Problem]) -> ValidationError:
    """Return a validation error with these problems, their pointers relative to the value that is read."""
    return ValidationError(cast("list[str]", list(problems)))


class FieldOptions(TypedDict, total=False):
    """The options that every field has; see `Field`."""

    optional: bool
    nullable: bool
    default: object
    absent: bool
    key: str | None
    unit: str | None
    article: str | None
    example: object
    get: Get | str | None


class Field(fields.Field[_T], ABC):
    """A field of this domain. Without `optional` or `default` its key is required.

    `optional` reads an absent key and null as None; `default` stands for an absent key only. `key` is the name in
    JSON where it differs from the attribute. What is written is the attribute of the field's name. `get` names another,
    which may be of a part (`hit.document`) or the whole object (`.`), or is a function that finds it. The rest
    documents: a description, a unit, an article, an example.
    """

    expected: str = "object"
    """What the value should have been, for the problem `type`."""
    json_types: ClassVar[tuple[type, ...]] = (dict,)
    """The Python types of the JSON values that this field may accept."""

    def __init__(
        self,
        describe: str = "",
        *,
        optional: bool = False,
        nullable: bool = False,
        default: object = _NO_DEFAULT,
        absent: bool = False,
        key: str | None = None,
        unit: str | None = None,
        article: str | None = None,
        example: object = _NO_DEFAULT,
        get: Get | str | None = None,
    ) -> None:
        """`absent` lets the key be left out without a default: what is built then has no such attribute.

        Unless null is allowed, too, such a key is not written for None.
        """
        about = {"description": describe, "x-unit": unit, "x-article": article}
        metadata: dict[str, object] = {name: text for name, text in about.items() if text}
        if example is not _NO_DEFAULT:
            metadata["example"] = example
        super().__init__(
            required=not (optional or absent) and default is _NO_DEFAULT,
            allow_none=optional or nullable,
            load_default=None if optional and default is _NO_DEFAULT else default,
            data_key=key,
            metadata=metadata,
        )
        self.article, self.get = article, get

    def make_error(self, key: str, **kwargs: object) -> ValidationError:
        """Report a missing key as `required`, and null or another wrong kind of value as `type`."""
        return fault("required" if key == "required" else "type", expected=self.expected)

    @abstractmethod
    def take(self, value: Json, context: ReadContext) -> _T:
        """Return what the value means. Raises ValidationError with every problem of it."""

    def reader(self) -> Read[_T]:
        """Return the compiled form of `take`, which may raise Slow instead of finding out what is wrong."""
        return self.take

    def writer(self) -> Write | None:
        """Return what turns a value into JSON; None if values are JSON already."""
        return None

    @property
    def absent(self) -> bool:
        """Whether the key may be left out without a default for it."""
        return not self.required and self.load_default is missing

    @property
    def plain(self) -> type | None:
        """The Python type whose every value `take` returns unchanged; None if it looks at the value."""
        return None

    @abstractmethod
    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the value in JSON Schema."""

    def _deserialize(self, value: Json, attr: str | None, data: Mapping[str, Json] | None, **kwargs: object) -> _T:
        return self.take(value, Context.get(None))


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


class IntegerOptions(FieldOptions, total=False):
    """The options of a whole number."""

    low: _Limit
    high: _Limit
    code: str
    bounds: tuple[int, int]


class Integer(Field[int]):
    """A whole number; a fraction, a text or a boolean is none. Limits may depend on the context.

    `bounds` are for the document alone: beyond them every game refuses the number, with a code of its own.
    """

    expected = "integer"
    json_types = (int,)

    def __init__(
        self,
        describe: str = "",
        *,
        low: _Limit = None,
        high: _Limit = None,
        code: str = "range",
        bounds: tuple[int, int] | None = None,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.low, self.high, self.code, self.bounds = low, high, code, bounds

    def take(self, value: Json, context: ReadContext) -> int:
        if type(value) is not int:
            raise self.make_error("type")
        low = self.low(context) if callable(self.low) else self.low
        high = self.high(context) if callable(self.high) else self.high
        if (low is not None and value < low) or (high is not None and value > high):
            depends = callable(self.low) or callable(self.high)
            raise fault(self.code, self.article, contextual=depends, value=quoted(value), low=low, high=high)
        return value

    @property
    def plain(self) -> type | None:
        return int if self.low is None and self.high is None and type(self).take is Integer.take else None

    def json_schema(self, refer: Refer) -> JsonSchema:
        described = dict(zip(("minimum", "maximum"), self.bounds or (), strict=False))
        limits = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer", **described, **{name: limit for name, limit in limits.items() if type(limit) is int}}


class Count(Integer):
    """A number of cards, tricks or the like, from 0."""

    def __init__(
        self, describe: str = "", *, high: _Limit = None, low: _Limit = 0, **common: Unpack[FieldOptions]
    ) -> None:
        super().__init__(describe, low=low, high=high, **common)


class Points(Integer):
    """Points, within what a sheet can hold."""

    def __init__(self, describe: str = "", *, most: int = 1_000_000, **common: Unpack[FieldOptions]) -> None:
        common["unit"] = "points"
        super().__init__(describe, low=-most, high=most, **common)


class Flag(Field[bool]):
    """A yes or no."""

    expected = "boolean"
    json_types = (bool,)

    def take(self, value: Json, context: ReadContext) -> bool:
        if type(value) is not bool:
            raise self.make_error("type")
        return value

    @property
    def plain(self) -> type | None:
        return bool

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "boolean"}


CHARACTERS: Final = "characters"
"""The unit of a length that is not counted in entries."""


class Text(Field[str]):
    """A text of at most so many characters."""

    expected = "text"
    json_types = (str,)

    def __init__(self, describe: str = "", *, most: int = MAX_TEXT, **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.most = most

    def take(self, value: Json, context: ReadContext) -> str:
        if not isinstance(value, str):
            raise self.make_error("type")
        if len(value) > self.most or not (value.isascii() or is_encodable(value)):
            raise fault("length", least=0, most=self.most, count=len(value), unit=CHARACTERS)
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string", "maxLength": self.most}


class Name(Text):
    """A text that names somebody or something: no control characters, no marks that change the writing direction."""

    def __init__(self, describe: str = "", *, most: int = 60, **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, most=most, **common)

    def take(self, value: Json, context: ReadContext) -> str:
        name = super().take(value, context)
        if not name.isprintable() and any(is_control(sign) for sign in name):
            raise fault("hidden-signs")
        return name

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {**super().json_schema(refer), "pattern": f"^[^{control_pattern()}]*$"}


_Choices: TypeAlias = Collection[str] | Callable[[ReadContext], Collection[str]]


class Word(Field[str]):
    """One of several words, perhaps only known from the context."""

    expected = "text"
    json_types = (str,)

    def __init__(
        self, choices: _Choices, describe: str = "", *, code: str = "choice", **common: Unpack[FieldOptions]
    ) -> None:
        super().__init__(describe, **common)
        self.choices, self.code = choices, code

    def take(self, value: Json, context: ReadContext) -> str:
        choices = self.choices(context) if callable(self.choices) else self.choices
        if not isinstance(value, str):
            raise self.make_error("type")
        if value not in choices:
            depends = callable(self.choices)
            raise fault(self.code, self.article, contextual=depends, value=quoted(value), choices=list(choices))
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string"} if callable(self.choices) else {"type": "string", "enum": list(self.choices)}


class Seat(Word):
    """The name of a seat of the table that the context describes, by its `seats`."""

    def __init__(self, describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(attrgetter("seats"), describe, code="unknown-seat", **common)


class SideId(Word):
    """The id of a side of the table that the context describes, by its `sides`."""

    def __init__(self, describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(attrgetter("sides"), describe, code="unknown-side", **common)


class CardField(Field[Card]):
    """A card in any of the usual spellings; with `bare_ranks` a rank alone is one."""

    expected = "text"
    json_types = (str,)

    def __init__(
        self,
        describe: str = "",
        *,
        jokers: tuple[str, ...] = (),
        bare_ranks: bool = False,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.jokers, self.bare_ranks = jokers, bare_ranks

    def take(self, value: Json, context: ReadContext) -> Card:
        if not isinstance(value, str):
            raise self.make_error("type")
        if len(value) > MAX_TEXT or not (value.isascii() or is_encodable(value)):
            raise fault("length", least=0, most=MAX_TEXT, count=len(value), unit=CHARACTERS)
        try:
            return read_card(value, jokers=self.jokers, bare_ranks=self.bare_ranks)
        except ValueError:
            raise fault("card", value=quoted(value)) from None

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string", "pattern": card_pattern(self.jokers, bare_ranks=self.bare_ranks)}

    def writer(self) -> Write:
        return lambda card, context: str(card)


class Anything(Field[Json]):
    """Any JSON value, taken as it is; `schema` documents what it usually is."""

    json_types = (object,)

    def __init__(self, describe: str = "", *, schema: JsonSchema | None = None, **common: Unpack[FieldOptions]) -> None:
        common["nullable"] = True
        super().__init__(describe, **common)
        self.schema = schema or {}

    def take(self, value: Json, context: ReadContext) -> Json:
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return dict(self.schema)


class ListOptions(FieldOptions, total=False):
    """The options of a list."""

    least: _Limit
    most: _Limit


class ListOf(Field[tuple[_T, ...]]):
    """A list whose items are all of one field; its length may depend on the context."""

    expected = "list"
    json_types = (list,)

    def __init__(
        self,
        item: Field[_T],
        describe: str = "",
        *,
        least: _Limit = 0,
        most: _Limit = MAX_ITEMS,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.item, self.least, self.most = item, least, most

    def take(self, value: Json, context: ReadContext) -> tuple[_T, ...]:
        if not isinstance(value, list):
            raise self.make_error("type")
        self._measure(value, context)
        taken, problems = [], []
        for place, each in enumerate(value):
            try:
                taken.append(self.item.deserialize(each))
            except ValidationError as error:
                problems += below(place, error.messages)
                if len(problems) >= MOST_COUNTED:
                    break
        if problems:
            raise invalid(problems)
        return tuple(taken)

    def reader(self) -> Read[tuple[_T, ...]]:
        item, measure, nullable = self.item.reader(), self._measure, self.item.allow_none
        fixed = not callable(self.least) and not callable(self.most) and self.most is not None
        sizes = range(cast("int", self.least or 0), cast("int", self.most) + 1) if fixed else None

        def read_list(value: Json, context: ReadContext) -> tuple[_T, ...]:
            if value.__class__ is not list:
                raise Slow
            if sizes is None:
                measure(value, context)
            elif len(value) not in sizes:
                raise Slow
            if nullable:
                return tuple([cast("_T", None) if each is None else item(each, context) for each in value])
            return tuple([item(each, context) for each in value])

        return read_list

    def json_schema(self, refer: Refer) -> JsonSchema:
        limits = {"minItems": self.least or None, "maxItems": self.most}
        described = {name: limit for name, limit in limits.items() if type(limit) is int and limit != MAX_ITEMS}
        return {"type": "array", "items": described_field(self.item, refer), **described}

    def _measure(self, value: list[Json], context: ReadContext) -> None:
        least = self.least(context) if callable(self.least) else self.least or 0
        most = self.most(context) if callable(self.most) else self.most
        if not least <= len(value) or (most is not None and len(value) > most):
            depends = callable(self.least) or callable(self.most)
            raise fault("length", contextual=depends, least=least, most=most, count=len(value))

    def writer(self) -> Write:
        item = self.item.writer()

        def write_list(value: Iterable[Json], context: WriteContext) -> list[Json]:
            if not value:
                return []
            return list(value) if item is None else [item(each, context) for each in value]

        return write_list


class Keyed(Field[dict[str, _T]]):
    """An object whose keys the table decides, such as its seats; every value is of one field.

    `keys` returns the known keys for a context (None: any). An unknown one is reported with `code`; with `all_keys`
    none may be left out. `rename` turns a known spelling of a key into the one that is kept.
    """

    def __init__(
        self,
        value: Field[_T],
        describe: str = "",
        *,
        keys: Callable[[ReadContext], Collection[str]] | None = None,
        code: str = "unknown-key",
        all_keys: bool = False,
        rename: Callable[[str, ReadContext], str] | None = None,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.value, self.keys, self.code, self.all_keys, self.rename = value, keys, code, all_keys, rename

    def take(self, value: Json, context: ReadContext) -> dict[str, _T]:
        if not isinstance(value, dict):
            raise self.make_error("type")
        return self.take_items(value.items(), context)

    def take_items(self, items: Iterable[tuple[str, Json]], context: ReadContext) -> dict[str, _T]:
        """Return the values under their keys. Raises ValidationError with every problem of every entry."""
        taken, problems = self.take_parts(items, context)
        if problems:
            raise invalid(problems)
        return taken

    def take_parts(
        self, items: Iterable[tuple[str, Json]], context: ReadContext, beside: Iterable[str] = ()
    ) -> tuple[dict[str, _T], list[Problem]]:
        """Return the valid values under their keys, and every problem of the others; `beside` are further keys."""
        known = None if self.keys is None else self.keys(context)
        taken: dict[str, _T] = {}
        problems: list[Problem] = []
        for key, each in items:
            name = key if self.rename is None else self.rename(key, context)
            if known is not None and name not in known:
                facts = {"value": quoted(key), "choices": list(known)}
                if self.code == "unknown-key":
                    facts = {"key": quoted(key), "choices": [*beside, *known]}
                problems.append(Problem((key,), self.code, facts, self.article, contextual=True))
                continue
            try:
                taken[name] = cast("_T", self.value.deserialize(each))
            except ValidationError as error:
                problems += below(key, error.messages)
                if len(problems) >= MOST_COUNTED:
                    return taken, problems
        if self.all_keys:
            reported = {problem.pointer[0] for problem in problems}
            for name in known or ():
                if name not in taken and name not in reported:
                    problems.append(Problem((name,), "required", {"expected": self.value.expected}, contextual=True))
        return taken, problems

    def reader(self) -> Read[dict[str, _T]]:
        read_items = self.items_reader()

        def read_keyed(value: Json, context: ReadContext) -> dict[str, _T]:
            if value.__class__ is not dict:
                raise Slow
            return read_items(value, context)

        return read_keyed

    def items_reader(self) -> Read[dict[str, _T]]:
        """Return the compiled form of `take_items` for an object."""
        item, nullable, keys, all_keys, rename = (
            self.value.reader(), self.value.allow_none, self.keys, self.all_keys, self.rename
        )  # fmt: skip

        def read_items(value: Json, context: ReadContext) -> dict[str, _T]:
            known = None if keys is None else keys(context)
            taken: dict[str, _T] = {}
            for key, each in value.items():
                name = key if rename is None else rename(key, context)
                if known is not None and name not in known:
                    raise Slow
                taken[name] = cast("_T", None) if each is None and nullable else item(each, context)
            if all_keys and known is not None and len(taken) != len(known):
                raise Slow
            return taken

        return read_items

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "object", "additionalProperties": described_field(self.value, refer)}

    def writer(self) -> Write:
        item = self.value.writer()

        def write_keyed(value: Mapping[str, Json], context: WriteContext) -> dict[str, Json]:
            return dict(value) if item is None else {key: item(each, context) for key, each in value.items()}

        return write_keyed


class Object(Field[_T]):
    """An object of another shape."""

    def __init__(self, shape: type[Shape[_T]], describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.shape = shape

    def take(self, value: Json, context: ReadContext) -> _T:
        return _nested(self.shape, value)

    def reader(self) -> Read[_T]:
        return schema(self.shape).reader()

    def json_schema(self, refer: Refer) -> JsonSchema:
        return refer(self.shape)

    def writer(self) -> Write:
        return written(self.shape)


class Written(Object[_T]):
    """An object of another shape that is JSON already, and is written as it is."""

    def writer(self) -> Write:
        return lambda value, context: value


class Variants(Field[_T]):
    """An object of one of several shapes, distinguished by the word under one key.

    `by` may also be a function that chooses the word from the object.
    """

    def __init__(
        self,
        by: str | Callable[[Mapping[str, Json]], str],
        shapes: Mapping[str, type[Shape[_T]]],
        describe: str = "",
        *,
        code: str = "choice",
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.by, self.shapes, self.code = by, dict(shapes), code

    def take(self, value: Json, context: ReadContext) -> _T:
        if not isinstance(value, dict):
            raise self.make_error("type")
        if not isinstance(self.by, str):
            chosen = self.by(value)
            if chosen not in self.shapes:
                raise fault("choice", value=quoted(chosen), choices=list(self.shapes))
            return _nested(self.shapes[chosen], value)
        word = value.get(self.by)
        if not isinstance(word, str):
            raise fault("type" if self.by in value else "required", at=(self.by,), expected="text")
        if word not in self.shapes:
            raise fault(self.code, at=(self.by,), value=quoted(word), choices=list(self.shapes))
        return _nested(self.shapes[word], value)

    def reader(self) -> Read[_T]:
        readers, by = {word: schema(shape).reader() for word, shape in self.shapes.items()}, self.by

        def read_variant(value: Json, context: ReadContext) -> _T:
            if value.__class__ is not dict:
                raise Slow
            word = value.get(by) if isinstance(by, str) else by(value)
            if word.__class__ is not str or word not in readers:
                raise Slow
            found: _T = readers[word](value, context)
            return found

        return read_variant

    def json_schema(self, refer: Refer) -> JsonSchema:
        shapes = {word: refer(shape) for word, shape in self.shapes.items()}
        described: JsonSchema = {"oneOf": list({str(each): each for each in shapes.values()}.values())}
        if isinstance(self.by, str) and all(set(each) == {"$ref"} for each in shapes.values()):
            mapping = {word: each["$ref"] for word, each in shapes.items()}
            described["discriminator"] = {"propertyName": self.by, "mapping": mapping}
        return described


class Either(Field[Json]):
    """A value of one of several JSON types, each with its own field."""

    def __init__(self, *options: Field[Json], describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.options, self.expected = options, "-or-".join(sorted({option.expected for option in options}))

    def take(self, value: Json, context: ReadContext) -> Json:
        option = next((option for option in self.options if type(value) in option.json_types), None)
        if option is None:
            raise self.make_error("type")
        return option.deserialize(value)

    def reader(self) -> Read[Json]:
        readers = {kind: option.reader() for option in reversed(self.options) for kind in option.json_types}

        def read_either(value: Json, context: ReadContext) -> Json:
            found = readers.get(value.__class__)
            if found is None:
                raise Slow
            return found(value, context)

        return read_either

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"anyOf": [described_field(option, refer) for option in self.options]}


def _nested(shape: type[Shape[_T]], value: Json) -> _T:
    try:
        return cast("_T", schema(shape).load(value))
    except ValidationError as error:
        error.__traceback__ = None  # see `load`
        raise invalid(_flat(error.messages)) from None


_Fields = Mapping[str, Field[Json]]


_ABSENT: Final = object()


def _object_reader(
    fields: _Fields,
    others: Others | None,
    build: Callable[..., Json],
    *,
    check: Callable[[Attributes, ReadContext], Iterable[Problem]] | None,
    whole: bool,
) -> Read[Json]:
    """Return a reader of an object with these keys; it raises Slow, or ValidationError, where anything is wrong.

    `build` takes the attributes by name; or, with `whole`, as one dictionary, and the context.
    """
    entries = [
        (field.data_key or name, field.attribute or name, field.plain, field.reader(), field)
        for name, field in fields.items()
    ]
    keys = frozenset(key for key, *_ in entries)
    read_others = None if others is None else others.entries.items_reader()

    def read_object(value: Json, context: ReadContext) -> Json:
        if value.__class__ is not dict:
            raise Slow
        data: Attributes = {}
        further = len(value)
        for key, attribute, plain, take, field in entries:
            each = value.get(key, _ABSENT)
            if each.__class__ is plain:
                data[attribute] = each
            elif each is _ABSENT:
                if field.required:
                    raise Slow
                default = field.load_default
                if default is not missing:
                    data[attribute] = default() if callable(default) else default
                continue
            else:
                data[attribute] = None if each is None and field.allow_none else take(each, context)
            further -= 1
        if others is not None and read_others is not None:
            rest = {key: each for key, each in value.items() if key not in keys} if further else {}
            data[others.into] = read_others(rest, context)
        elif further:
            raise Slow
        if check is not None:
            for _ in check(data, context):
                raise Slow
        return build(data, context) if whole else build(**data)

    return read_object


def _object_writer(fields: _Fields, others: Others | None) -> Write:
    """Return a writer of an object: each key has what `get` of its field returns, or the attribute."""
    entries = [
        (field.data_key or name, _getter(field.get or field.attribute or name), field.writer(), field.absent, field)
        for name, field in fields.items()
    ]
    get_others = None if others is None else _getter(others.into)
    write_others = None if others is None else others.entries.writer()

    def write_object(value: Json, context: WriteContext) -> dict[str, Json]:
        answer: dict[str, Json] = {}
        for key, get, convert, absent, field in entries:
            found = get(value, context)
            if absent and (found is LEFT_OUT or (found is None and not field.allow_none)):
                continue
            answer[key] = found if convert is None or found is None else convert(found, context)
        if get_others is not None and write_others is not None:
            answer |= write_others(get_others(value, context), context)
        return answer

    return write_object


NO_KEYS: Final[Mapping[str, Field[Json]]] = {}
_Hooks = dict[str, list[tuple[str, bool, dict[str, Json]]]]


@dataclass(frozen=True, slots=True)
class Others:
    """Keys beside the declared ones, such as the ids of sides, and the attribute that takes what they hold."""

    entries: Keyed[Json]
    into: str = ""


class Shape(Schema, Generic[_T]):
    """An object with declared keys. `make` builds what a read returns. Further keys are read by `others` or refused."""

    class Meta:
        register = False
        unknown = RAISE

    builds: ClassVar[Callable[..., object] | None] = None
    """What is made of the attributes, usually a frozen dataclass; without it a read returns them as a dict."""
    others: ClassVar[Others | None] = None
    nulls: ClassVar[bool] = False
    """Whether null under a key that may be left out means its default, in a shape of `shape_of`."""
    checks_parts: ClassVar[bool] = False
    """Whether `check` can do with attributes missing, where their keys are missing or hold something else."""
    error_messages: ClassVar[dict[str, Json]] = {  # type: ignore[misc]  # problems in the place of words
        "type": Problem((), "type", {"expected": "object"}),
        "unknown": Problem((), "unknown-key"),
    }

    def handle_error(self, error: ValidationError, data: Json, *, many: bool, **kwargs: object) -> None:
        """Name the keys that are possible where one is unknown."""
        keys = [field.data_key or name for name, field in self.load_fields.items()]
        for key, messages in error.messages.items() if isinstance(error.messages, dict) else ():
            if messages == [self.error_messages["unknown"]]:
                place = (key,) if key == "_schema" else ()  # what marshmallow calls the object itself
                messages[:] = [Problem(place, "unknown-key", {"key": key, "choices": keys})]

    @classmethod
    def resolve_hooks(cls) -> _Hooks:
        """Return the hooks of a class: its base's, if it has none itself. To look at every attribute takes longer."""
        own = any(hasattr(each, "__marshmallow_hook__") for each in vars(cls).values())
        hooks: _Hooks = type(cls).resolve_hooks(cls) if own else cls._hooks
        return hooks

    def __init__(self, **options: Json) -> None:
        if self.others is not None:
            options.setdefault("unknown", EXCLUDE)  # `others` reads them, or refuses them
        super().__init__(**options)

    def check(self, data: Attributes, context: ReadContext) -> Iterable[Problem]:
        """Problems between attributes that are each valid, their pointers relative to the object."""
        return ()

    def make(self, data: Attributes, context: ReadContext) -> _T:
        """Return what is read, from the attributes. Raises ValidationError."""
        return self.build_read(data, context)

    def build_read(self, data: Attributes, context: ReadContext) -> _T:
        """Return what is built from the shape's own attributes. Raises ValidationError."""
        builds = type(self).builds
        return cast("_T", data if builds is None else builds(**data))

    def reader(self) -> Read[_T]:
        """Return the compiled reader of this shape."""
        kind = type(self)
        builds = kind.builds if kind.make is Shape.make and kind.build_read is Shape.build_read else None
        check = None if kind.check is Shape.check else self.check
        return _object_reader(
            _fields(self.load_fields), self.others, builds or self.make,
            check=check, whole=builds is None,
        )  # fmt: skip

    def writer(self) -> Write:
        """Return the compiled writer of this shape: each key has what `get` of its field returns, or the attribute."""
        return _object_writer(_fields(self.dump_fields), self.others)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _complete(self, data: Attributes, original: Json, **kwargs: object) -> None:
        """Read the keys beside the declared ones, which marshmallow leaves out; then check what belongs together."""
        if not isinstance(original, Mapping):
            return
        context, keys, whole = Context.get(None), list[str](), True
        problems: list[Problem] = []
        for name, field in self.load_fields.items():
            key = field.data_key or name
            keys.append(key)
            whole &= (field.attribute or name) in data or not (field.required or key in original)
        if self.others is not None:
            rest = [(key, each) for key, each in original.items() if key not in keys]
            data[self.others.into], problems = self.others.entries.take_parts(rest, context, keys)
            whole &= not problems
        if whole or self.checks_parts:
            problems += self.check(data, context)
        if problems:
            raise invalid(problems)

    @post_load
    def _make(self, data: Attributes, **kwargs: object) -> _T:
        return self.make(data, Context.get(None))


def _fields(fields: Mapping[str, object]) -> dict[str, Field[Json]]:
    return {name: cast("Field[Json]", field) for name, field in fields.items()}


class OpenShape(Shape[_T]):
    """A shape that passes over keys that it does not declare."""

    class Meta:
        register = False
        unknown = EXCLUDE


def shape_of(
    kind: type[_T], base: type[Shape[Json]] = Shape, *, name: str = "", keys: Mapping[str, Field[Json]] = NO_KEYS
) -> type[Shape[_T]]:
    """Return the shape of a frozen dataclass or named tuple, whose annotations say how its attributes are read.

    `seat: Annotated[str, Seat("Who plays it.")]` is read by that field, or by the one that a function without arguments
    makes. An attribute with a default may be left out; where None is the default, or a function makes it, the key may
    be null as well. A field that has a default of its own, or none, has the last word. `Others` reads all keys that
    nothing else declares. Attributes that are not annotated so are not read. The class may also have

    - `read_keys`, a mapping of fields by name that are read beside the attributes;
    - `check_read(data, context)`, which yields the problems between attributes, and `checks_parts`: see `Shape`;
    - `build_read(data, context)`, which builds the object in place of the constructor;
    - `shape_name`, the name of the shape where it differs from that of the class.

    Both functions are static methods; `data` holds the attributes and the `read_keys`. Annotations may name what their
    module defines later: they are evaluated when the shape is first asked for, and only once. `base` has the fields
    that several shapes share; `name` and `keys` make a variant.
    """
    derived: type[Shape[_T]] = _derived(cast("Hashable", kind), base, name, tuple(keys.items()))
    return derived


@cache
def _derived(
    kind: type[Json], base: type[Shape[Json]], name: str, variant: tuple[tuple[str, Field[Json]], ...]
) -> type[Shape[Json]]:
    parts: dict[str, Json] = {**getattr(kind, "read_keys", {}), **dict(variant)}
    unbuilt, defaults, null_defaults = tuple(parts), _defaults(kind), []
    for attribute, hint in get_type_hints(kind, include_extras=True).items():
        for mark in _marks(hint):
            if isinstance(mark, Others):
                parts["others"] = replace(mark, into=attribute)
                continue
            field = parts[attribute] = copy(mark) if isinstance(mark, Field) else mark()
            if field.required and attribute in defaults:
                default = defaults[attribute]
                field.required, field.load_default = False, None if callable(default) else default
                if field.load_default is None or base.nulls:
                    field.allow_none = True
                if callable(default) or base.nulls:
                    null_defaults.append(attribute)
    if unbuilt or null_defaults or hasattr(kind, "build_read"):
        parts["build_read"] = _builder(kind, unbuilt, null_defaults)
    if hasattr(kind, "check_read"):
        parts["check"] = lambda self, data, context: kind.check_read(data, context)
    parts |= {"builds": kind, "checks_parts": getattr(kind, "checks_parts", base.checks_parts)}
    parts |= {"__doc__": kind.__doc__, "__module__": kind.__module__}
    return cast("type[Shape[Json]]", type(name or getattr(kind, "shape_name", kind.__name__), (base,), parts))


def _marks(hint: object) -> Iterator[Json]:
    """Yield what an annotation carries, also where only a part of a union is annotated."""
    for part in (hint, *get_args(hint)) if get_origin(hint) in (Union, UnionType) else (hint,):
        yield from getattr(part, "__metadata__", ())


def _builder(kind: type[Json], unbuilt: Collection[str], null_defaults: Collection[str]) -> Callable[..., Json]:
    """Return `build_read` of a derived shape. A null leaves `null_defaults` as they are; `unbuilt` are not built."""
    build = getattr(kind, "build_read", None)

    def build_from(self: Shape[Json], data: Attributes, context: ReadContext) -> Json:
        for name in null_defaults:
            if data.get(name) is None:
                data.pop(name, None)
        if build is not None:
            return build(data, context)
        for name in unbuilt:
            data.pop(name, None)
        return kind(**data)

    return build_from


def _defaults(kind: type[Json]) -> Mapping[str, object]:
    """Return the defaults of the attributes by name, or the function that makes one."""
    if not is_dataclass(kind):
        return cast("Mapping[str, object]", kind._field_defaults)
    given = {field.name: (field.default, field.default_factory) for field in dataclass_fields(kind)}
    return {
        name: factory if default is MISSING else default
        for name, (default, factory) in given.items()
        if default is not MISSING or factory is not MISSING
    }


def object_of(kind: type[_T], describe: str = "", **common: Unpack[FieldOptions]) -> Object[_T]:
    """Declare an object that is read into this dataclass."""
    return Object(shape_of(kind), describe, **common)


def one_of(kinds: Mapping[str, type[_T]], *, suffix: str) -> Variants[_T]:
    """Declare an object that is read into one of several dataclasses, by the word under the key `type`.

    The shapes are named after their words, with the suffix: `deal_recorded` is `DealRecordedEvent`.
    """
    shapes = {
        word: shape_of(kind, name=word.title().replace("_", "") + suffix, keys={"type": Word((word,))})
        for word, kind in kinds.items()
    }
    return Variants("type", shapes)


def _flat(messages: Json) -> Iterator[Problem]:
    """Yield the problems in the messages of a ValidationError, with their pointers."""
    if not isinstance(messages, dict):
        yield from messages
        return
    for key, inner in messages.items():
        for problem in inner:
            yield moved(problem, () if key == "_schema" else (key,))


def below(key: str | int, messages: Json) -> list[Problem]:
    """Return the problems in the messages about the value under a key."""
    return [moved(problem, (key,)) for problem in _flat(messages)]


def moved(problem: Problem, pointer: Pointer) -> Problem:
    """Return a problem of a value that is at this place."""
    return replace(problem, pointer=(*pointer, *problem.pointer)) if pointer else problem


def in_order(problems: Iterable[Problem], value: Json, pointer: Pointer) -> list[Problem]:
    """Return problems in the order of the input, what is missing in an object first."""
    places: dict[int, dict[str, int]] = {}

    def place(problem: Problem) -> tuple[int, ...]:
        here, found = value, []
        for part in problem.pointer:
            if isinstance(here, dict):
                known = places.setdefault(id(here), {key: place for place, key in enumerate(here)})
                found.append(known.get(str(part), -1))
                here = here.get(part)
            else:
                found.append(part if isinstance(part, int) else -1)
                here = here[part] if isinstance(here, list) and isinstance(part, int) and part < len(here) else None
        return tuple(found)

    return [moved(problem, pointer) for problem in sorted(problems, key=place)]


_MOST_KEYS: Final = 500
NOT_PLAIN: Final = (Slow, ValidationError)
"""What a compiled reader raises where marshmallow must look at the value."""


@overload
def read(shape: type[Shape[_T]], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> _T: ...
@overload
def read(shape: Field[_T], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> _T: ...
def read(shape: type[Shape[_T]] | Field[_T], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> _T:
    """Return what a shape, or a single field, builds from a JSON value.

    `pointer` is where the value is in the whole input. Raises Refused with every problem, in the order of the input.
    """
    try:
        reader: Read[_T] = compiled(shape)
        return reader(value, context)
    except NOT_PLAIN:
        return load(shape, value, pointer, context=context)


def load(shape: type[Shape[_T]] | Field[_T], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> _T:
    """Return the same as `read`, by marshmallow alone. Raises Refused."""
    _refuse_wide(value, pointer)
    with Context(context):
        try:
            return cast("_T", shape.deserialize(value) if isinstance(shape, Field) else schema(shape).load(value))
        except ValidationError as error:
            problems = list(_flat(error.messages))
            error.__traceback__ = None  # its last frame has the error in a variable: a cycle that keeps the whole input
    raise Refused(in_order(problems, value, pointer)[:MOST_COUNTED])


def _refuse_wide(value: Json, pointer: Pointer) -> None:
    """Raise Refused if an object in the value has more keys than any input needs.

    What marshmallow does about unknown keys takes a time that grows with the square of their number.
    """
    waiting: list[tuple[Pointer, Json]] = [(pointer, value)]
    for place, each in waiting:
        if isinstance(each, dict):
            if len(each) > _MOST_KEYS:
                raise Refused([Problem(place, "length", {"least": 0, "most": _MOST_KEYS, "count": len(each)})])
            waiting += [((*place, key), inner) for key, inner in each.items() if isinstance(inner, dict | list)]
        elif isinstance(each, list):
            waiting += [
                ((*place, number), inner) for number, inner in enumerate(each) if isinstance(inner, dict | list)
            ]


def read_at(node: Node, shape: type[Shape[_T]] | Field[_T], *, context: ReadContext = None) -> _T | None:
    """Return what `read` builds from the value at a node, or None with its problems recorded at the node."""
    if not node.present:
        node.fault("required")
        return None
    try:
        return read(shape, node.value, node.pointer, context=context)
    except Refused as refused:
        node.problems.extend(refused.problems)
        return None


@cache
def schema(shape: type[Shape[_T]]) -> Shape[_T]:
    """Return the one instance of a shape: making one costs more than reading with it."""
    return shape()


@cache
def compiled(shape: type[Shape[_T]] | Field[_T]) -> Read[_T]:
    """Return the compiled reader of a shape or field, for many values in a row; it may raise any of `NOT_PLAIN`."""
    return shape.reader() if isinstance(shape, Field) else schema(shape).reader()


def write(shape: type[Shape[Json]], value: object, context: WriteContext = None) -> dict[str, Json]:
    """Return the JSON object in which a shape says what `value` is; `context` is handed to what its fields `get`."""
    answer: dict[str, Json] = written(shape)(value, context)
    return answer


def _getter(get: Get | str) -> Get:
    if callable(get):
        return get
    if get == ".":
        return lambda value, context: value
    find = attrgetter(get)
    return lambda value, context: find(value)


@cache
def written(shape: type[Shape[Json]]) -> Write:
    """Return the compiled writer of a shape."""
    return schema(shape).writer()


FactTypes: TypeAlias = Mapping[str, JsonSchema]
"""JSON Schema by the name of the fact; a name with `?` behind it is not in every problem of the code."""

SCALAR: Final[JsonSchema] = {"type": ["string", "integer", "boolean", "null"]}
TEXT: Final[JsonSchema] = {"type": "string"}
NUMBER: Final[JsonSchema] = {"type": "integer"}
_NUMBER_OR_NULL: Final[JsonSchema] = {"type": ["integer", "null"]}
TEXTS: Final[JsonSchema] = {"type": "array", "items": TEXT}
NUMBERS: Final[JsonSchema] = {"type": "array", "items": NUMBER}
_COUNTS: Final[JsonSchema] = {"type": "object", "additionalProperties": NUMBER}
LIMITS: Final[FactTypes] = {"low?": _NUMBER_OR_NULL, "high?": _NUMBER_OR_NULL}
VALUE: Final[FactTypes] = {"value": SCALAR}
SIZE: Final[FactTypes] = {"count": NUMBER, "expected?": NUMBER, **LIMITS}
TOTAL: Final[FactTypes] = {"expected": NUMBER, "total?": NUMBER, "difference?": NUMBER, "counts?": _COUNTS}

SHAPE_CODES: Final = (
    "card", "choice", "cursor", "length", "range", "required", "type", "unknown-command", "unknown-key",
)  # fmt: skip
"""Codes of what the API's document excludes, unless the problem is contextual. Every other code of an input is an
answer of the rules: of the game, of what its cards and counts can be, of what has been written on a sheet."""

SHARED_PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "broken-log": {"seq": NUMBER},
    "calls-differ": {"called?": NUMBER, "given?": NUMBER},
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
    "game-over": {"winners?": TEXTS, "opening?": {"type": "boolean"}},
    "hash-chain": {"seq": NUMBER},
    "hidden-signs": {},
    "idempotency-key": {},
    "impossible-position": {"why": TEXT, "cards?": TEXTS, "count?": NUMBER, "most?": NUMBER, "player?": TEXT},
    "leagues-full": {"most": NUMBER},
    "length": {"least": NUMBER, "most": _NUMBER_OR_NULL, "count": NUMBER, "unit?": {"const": CHARACTERS}},
    "members-full": {"most": NUMBER},
    "name-taken": VALUE,
    "no-calls": {"game": TEXT, "deal?": NUMBER},
    "no-game": {},
    "no-points": {},
    "not-canonical": {"kind?": TEXT},
    "nothing-to-redo": {"target": _NUMBER_OR_NULL, "next": _NUMBER_OR_NULL},
    "nothing-to-undo": {"target": _NUMBER_OR_NULL, "next": _NUMBER_OR_NULL},
    "options-conflict": {
        "options": TEXTS,
        "values?": {"type": "object", "additionalProperties": {"anyOf": [SCALAR, TEXTS]}},
    },
    "range": {**VALUE, **LIMITS},
    "required": {"expected?": TEXT},
    "rules-code": {"value": TEXT, "part?": TEXT, "preset?": TEXT, "example": TEXT},
    "seat-id": VALUE,
    "seat-twice": {"seats": TEXTS},
    "seats-count": SIZE,
    "rounds-full": {"most": NUMBER},
    "same-member": {},
    "seats-full": {"most": NUMBER},
    "sheet-full": {"most": NUMBER},
    "misdeal-not-void": {},
    "side-id": VALUE,
    "sides-seats": {"playing?": TEXTS, "seating": TEXTS},
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
    "unknown-player": VALUE,
    "unknown-side": VALUE,
}
"""The problems of any game and of sheets, without the values that are possible: those are the problem's `allowed`."""
