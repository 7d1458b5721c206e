"""Shapes of JSON values, declared once in marshmallow: they read, refuse, document and serialise.

A `Shape` is a schema whose keys are the fields below. `read` returns what a shape builds from a value, or raises
`Refused` with every problem found. Plainly valid input is read by closures compiled from the declaration; everything
else goes to marshmallow, which has the last word.

What depends on the table (its seats, its sides, a range from its rules) is taken from the `context` of the read: a
limit, a choice or a set of keys may be a function of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, Generic, TypeVar, cast, overload

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, missing, post_load, validates_schema
from marshmallow.experimental.context import Context

from companion.engine.cards import Card, read_card
from companion.engine.characters import is_control, is_encodable, quoted
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.reading import Node

T = TypeVar("T")
V = TypeVar("V")
Read = Callable[[Any, Any], T]
"""A value and the context of the read to what is built from it. Raises ValidationError, or `Slow`."""
JsonSchema = dict[str, Any]
Refer = Callable[[type["Shape[Any]"]], JsonSchema]
"""A shape to the reference under which an OpenAPI document describes it."""

MAX_ITEMS: Final = 20_000
MAX_TEXT: Final = 400
NO_DEFAULT: Any = missing


class Slow(Exception):
    """The value is not plainly valid: marshmallow must look at it."""


NOT_PLAIN: Final = (Slow, ValidationError)
"""What a compiled reader raises where marshmallow must look at the value."""


def fault(code: str, article: str | None = None, *, at: Pointer = (), **facts: Any) -> ValidationError:
    """A validation error with one problem, its pointer relative to the value that is read."""
    return ValidationError([Problem(at, code, facts, article)])


def invalid(problems: Iterable[Problem]) -> ValidationError:
    """A validation error with these problems, their pointers relative to the value that is read."""
    return ValidationError(cast("list[str]", list(problems)))


@overload
def read(shape: type[Shape[T]], value: Any, pointer: Pointer = (), *, context: Any = None) -> T: ...
@overload
def read(shape: Field[T], value: Any, pointer: Pointer = (), *, context: Any = None) -> T: ...
def read(shape: type[Shape[T]] | Field[T], value: Any, pointer: Pointer = (), *, context: Any = None) -> T:
    """Return what a shape, or a single field, builds from a JSON value.

    `pointer` is where the value is in the whole input. Raises Refused with every problem, in the order of the input.
    """
    try:
        reader: Read[T] = compiled(shape)
        return reader(value, context)
    except NOT_PLAIN:
        return load(shape, value, pointer, context=context)


def load(shape: type[Shape[T]] | Field[T], value: Any, pointer: Pointer = (), *, context: Any = None) -> T:
    """Return the same as `read`, by marshmallow alone. Raises Refused."""
    with Context(context):
        try:
            return shape.deserialize(value) if isinstance(shape, Field) else cast("T", schema(shape).load(value))
        except ValidationError as error:
            problems = list(_flat(error.messages))
    raise Refused(_in_order(problems, value, pointer))


def read_at(node: Node, shape: type[Shape[T]] | Field[T], *, context: Any = None) -> T | None:
    """Return what `read` builds from the value at a node, or None with its problems recorded at the node."""
    if not node.present:
        node.fault("required")
        return None
    try:
        found: T = read(shape, node.value, node.pointer, context=context)
        return found
    except Refused as refused:
        node.problems.extend(refused.problems)
        return None


@cache
def schema(shape: type[Shape[T]]) -> Shape[T]:
    """Return the one instance of a shape: making one costs more than reading with it."""
    return shape()


@cache
def compiled(shape: type[Shape[T]] | Field[T]) -> Read[T]:
    """Return the compiled reader of a shape or field, for many values in a row; it may raise any of `NOT_PLAIN`."""
    return shape.reader() if isinstance(shape, Field) else schema(shape).reader()


class Field(fields.Field[T], ABC):
    """A field of this domain. Without `optional` or `default` its key is required.

    `optional` reads an absent key and null as None; `default` stands for an absent key only. `key` is the name in
    JSON where it differs from the attribute. The rest documents: a description, a unit, an article, an example.
    """

    expected: ClassVar[str] = "object"
    """What the value should have been, for the problem `type`."""
    json_types: ClassVar[tuple[type, ...]] = (dict,)
    """The Python types of the JSON values that this field may accept."""

    def __init__(
        self,
        describe: str = "",
        *,
        optional: bool = False,
        nullable: bool = False,
        default: Any = NO_DEFAULT,
        absent: bool = False,
        key: str | None = None,
        unit: str | None = None,
        article: str | None = None,
        example: Any = NO_DEFAULT,
    ) -> None:
        """`absent` lets the key be left out without a default: what is built then has no such attribute."""
        about = {"description": describe, "x-unit": unit, "x-article": article}
        metadata: dict[str, Any] = {name: text for name, text in about.items() if text}
        if example is not NO_DEFAULT:
            metadata["example"] = example
        super().__init__(
            required=not (optional or absent) and default is NO_DEFAULT,
            allow_none=optional or nullable,
            load_default=None if optional and default is NO_DEFAULT else default,
            data_key=key,
            metadata=metadata,
        )
        self.article = article

    def make_error(self, key: str, **kwargs: Any) -> ValidationError:
        """Report a missing key as `required`, and null or another wrong kind of value as `type`."""
        return fault("required" if key == "required" else "type", expected=self.expected)

    @abstractmethod
    def take(self, value: Any, context: Any) -> T:
        """Return what the value means. Raises ValidationError with every problem of it."""

    def reader(self) -> Read[T]:
        """Return the compiled form of `take`, which may raise Slow instead of finding out what is wrong."""
        return self.take

    @abstractmethod
    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the value in JSON Schema."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> T:
        return self.take(value, Context.get(None))


Limit = int | Callable[[Any], int] | None


class Integer(Field[int]):
    """A whole number; a fraction, a text or a boolean is none. Limits may depend on the context."""

    expected = "integer"
    json_types = (int,)

    def __init__(
        self, describe: str = "", *, low: Limit = None, high: Limit = None, code: str = "range", **common: Any
    ) -> None:
        super().__init__(describe, **common)
        self.low, self.high, self.code = low, high, code

    def take(self, value: Any, context: Any) -> int:
        if type(value) is not int:
            raise self.make_error("type")
        low = self.low(context) if callable(self.low) else self.low
        high = self.high(context) if callable(self.high) else self.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise fault(self.code, self.article, value=quoted(value), low=low, high=high)
        return value

    def reader(self) -> Read[int]:
        if self.low is None and self.high is None:
            return _plain_integer
        return self.take

    def json_schema(self, refer: Refer) -> JsonSchema:
        limits = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer", **{name: limit for name, limit in limits.items() if type(limit) is int}}


class Count(Integer):
    """A number of cards, tricks or the like, from 0."""

    def __init__(self, describe: str = "", *, high: Limit = None, low: Limit = 0, **common: Any) -> None:
        super().__init__(describe, low=low, high=high, **common)


class Points(Integer):
    """Points, within what a sheet can hold."""

    def __init__(self, describe: str = "", *, most: int = 1_000_000, **common: Any) -> None:
        super().__init__(describe, low=-most, high=most, unit="points", **common)


class Flag(Field[bool]):
    """A yes or no."""

    expected = "boolean"
    json_types = (bool,)

    def take(self, value: Any, context: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("type")
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "boolean"}


class Text(Field[str]):
    """A text of at most so many characters."""

    expected = "text"
    json_types = (str,)

    def __init__(self, describe: str = "", *, most: int = MAX_TEXT, **common: Any) -> None:
        super().__init__(describe, **common)
        self.most = most

    def take(self, value: Any, context: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("type")
        if len(value) > self.most or not (value.isascii() or is_encodable(value)):
            raise fault("length", least=0, most=self.most, count=len(value))
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string", "maxLength": self.most}


class Name(Text):
    """A text that names somebody or something: no control characters, no marks that change the writing direction."""

    def __init__(self, describe: str = "", *, most: int = 60, **common: Any) -> None:
        super().__init__(describe, most=most, **common)

    def take(self, value: Any, context: Any) -> str:
        name = super().take(value, context)
        if not name.isprintable() and any(is_control(sign) for sign in name):
            raise fault("hidden-signs")
        return name


Choices = Collection[str] | Callable[[Any], Collection[str]]


class Word(Field[str]):
    """One of several words, perhaps only known from the context."""

    expected = "text"
    json_types = (str,)

    def __init__(self, choices: Choices, describe: str = "", *, code: str = "choice", **common: Any) -> None:
        super().__init__(describe, **common)
        self.choices, self.code = choices, code

    def take(self, value: Any, context: Any) -> str:
        choices = self.choices(context) if callable(self.choices) else self.choices
        if not isinstance(value, str):
            raise self.make_error("type")
        if value not in choices:
            raise fault(self.code, self.article, value=quoted(value), choices=list(choices))
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string"} if callable(self.choices) else {"type": "string", "enum": list(self.choices)}


class Seat(Word):
    """The name of a seat of the table that the context describes, by its `seats`."""

    def __init__(
        self,
        describe: str = "",
        *,
        among: Callable[[Any], Collection[str]] = lambda table: cast("Collection[str]", table.seats),
        **common: Any,
    ) -> None:
        super().__init__(among, describe, code="unknown-seat", **common)


class SideId(Word):
    """The id of a side of the table that the context describes, by its `sides`."""

    def __init__(
        self,
        describe: str = "",
        *,
        among: Callable[[Any], Collection[str]] = lambda table: cast("Collection[str]", table.sides),
        **common: Any,
    ) -> None:
        super().__init__(among, describe, code="unknown-side", **common)


class CardField(Field[Card]):
    """A card in any of the usual spellings; with `bare_ranks` a rank alone is one."""

    expected = "text"
    json_types = (str,)

    def __init__(
        self, describe: str = "", *, jokers: tuple[str, ...] = (), bare_ranks: bool = False, **common: Any
    ) -> None:
        super().__init__(describe, **common)
        self.jokers, self.bare_ranks = jokers, bare_ranks

    def take(self, value: Any, context: Any) -> Card:
        if not isinstance(value, str):
            raise self.make_error("type")
        if len(value) > MAX_TEXT or not (value.isascii() or is_encodable(value)):
            raise fault("length", least=0, most=MAX_TEXT, count=len(value))
        try:
            return read_card(value, jokers=self.jokers, bare_ranks=self.bare_ranks)
        except ValueError:
            raise fault("card", value=quoted(value)) from None

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string", "maxLength": MAX_TEXT}

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else str(value)


class Anything(Field[Any]):
    """Any JSON value, taken as it is; `schema` documents what it usually is."""

    json_types = (object,)

    def __init__(self, describe: str = "", *, schema: JsonSchema | None = None, **common: Any) -> None:
        super().__init__(describe, nullable=True, **common)
        self.schema = schema or {}

    def take(self, value: Any, context: Any) -> Any:
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return dict(self.schema)


class ListOf(Field[tuple[T, ...]]):
    """A list whose items are all of one field; its length may depend on the context."""

    expected = "list"
    json_types = (list,)

    def __init__(
        self, item: Field[T], describe: str = "", *, least: Limit = 0, most: Limit = MAX_ITEMS, **common: Any
    ) -> None:
        super().__init__(describe, **common)
        self.item, self.least, self.most = item, least, most

    def take(self, value: Any, context: Any) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise self.make_error("type")
        self._measure(value, context)
        taken, problems = [], []
        for place, each in enumerate(value):
            try:
                taken.append(self.item.deserialize(each))
            except ValidationError as error:
                problems += _below(place, error.messages)
        if problems:
            raise invalid(problems)
        return tuple(taken)

    def reader(self) -> Read[tuple[T, ...]]:
        item, measure, nullable = self.item.reader(), self._measure, self.item.allow_none
        fixed = not callable(self.least) and not callable(self.most) and self.most is not None
        sizes = range(cast("int", self.least or 0), cast("int", self.most) + 1) if fixed else None

        def read_list(value: Any, context: Any) -> tuple[T, ...]:
            if value.__class__ is not list:
                raise Slow
            if sizes is None:
                measure(value, context)
            elif len(value) not in sizes:
                raise Slow
            if nullable:
                return tuple([cast("T", None) if each is None else item(each, context) for each in value])
            return tuple([item(each, context) for each in value])

        return read_list

    def json_schema(self, refer: Refer) -> JsonSchema:
        limits = {"minItems": self.least or None, "maxItems": self.most}
        described = {name: limit for name, limit in limits.items() if type(limit) is int}
        return {"type": "array", "items": described_field(self.item, refer), **described}

    def _measure(self, value: list[Any], context: Any) -> None:
        least = self.least(context) if callable(self.least) else self.least or 0
        most = self.most(context) if callable(self.most) else self.most
        if not least <= len(value) or (most is not None and len(value) > most):
            raise fault("length", least=least, most=most, count=len(value))

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> list[Any] | None:
        return None if value is None else [self.item._serialize(each, attr, obj, **kwargs) for each in value]


class Keyed(Field[dict[str, T]]):
    """An object whose keys the table decides, such as its seats; every value is of one field.

    `keys` returns the known keys for a context (None: any). An unknown one is reported with `code`; with `all_keys`
    none may be left out. `rename` turns a known spelling of a key into the one that is kept.
    """

    def __init__(
        self,
        value: Field[T],
        describe: str = "",
        *,
        keys: Callable[[Any], Collection[str]] | None = None,
        code: str = "unknown-key",
        all_keys: bool = False,
        rename: Callable[[str, Any], str] | None = None,
        **common: Any,
    ) -> None:
        super().__init__(describe, **common)
        self.value, self.keys, self.code, self.all_keys, self.rename = value, keys, code, all_keys, rename

    def take(self, value: Any, context: Any) -> dict[str, T]:
        if not isinstance(value, dict):
            raise self.make_error("type")
        return self.take_items(value.items(), context)

    def take_items(self, items: Iterable[tuple[str, Any]], context: Any) -> dict[str, T]:
        """Return the values under their keys. Raises ValidationError with every problem of every entry."""
        taken, problems = self.take_parts(items, context)
        if problems:
            raise invalid(problems)
        return taken

    def take_parts(self, items: Iterable[tuple[str, Any]], context: Any) -> tuple[dict[str, T], list[Problem]]:
        """Return the valid values under their keys, and every problem of the others."""
        known = None if self.keys is None else self.keys(context)
        taken: dict[str, T] = {}
        problems: list[Problem] = []
        for key, each in items:
            name = key if self.rename is None else self.rename(key, context)
            if known is not None and name not in known:
                facts = (
                    {"key": key}
                    if self.code == "unknown-key"
                    else {"value": quoted(key), "choices": list(known)}
                )  # fmt: skip
                problems.append(Problem((key,), self.code, facts, self.article))
                continue
            try:
                taken[name] = self.value.deserialize(each)
            except ValidationError as error:
                problems += _below(key, error.messages)
        if self.all_keys:
            reported = {problem.pointer[0] for problem in problems}
            for name in known or ():
                if name not in taken and name not in reported:
                    problems.append(Problem((name,), "required", {"expected": self.value.expected}))
        return taken, problems

    def reader(self) -> Read[dict[str, T]]:
        read_items = self.items_reader()

        def read_keyed(value: Any, context: Any) -> dict[str, T]:
            if value.__class__ is not dict:
                raise Slow
            return read_items(value, context)

        return read_keyed

    def items_reader(self) -> Read[dict[str, T]]:
        """Return the compiled form of `take_items` for an object."""
        item, nullable, keys, all_keys, rename = (
            self.value.reader(), self.value.allow_none, self.keys, self.all_keys, self.rename
        )  # fmt: skip

        def read_items(value: Any, context: Any) -> dict[str, T]:
            known = None if keys is None else keys(context)
            taken: dict[str, T] = {}
            for key, each in value.items():
                name = key if rename is None else rename(key, context)
                if known is not None and name not in known:
                    raise Slow
                taken[name] = cast("T", None) if each is None and nullable else item(each, context)
            if all_keys and known is not None and len(taken) != len(known):
                raise Slow
            return taken

        return read_items

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "object", "additionalProperties": described_field(self.value, refer)}

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> dict[str, Any] | None:
        if value is None:
            return None
        return {key: self.value._serialize(each, key, value, **kwargs) for key, each in value.items()}


class Object(Field[T]):
    """An object of another shape."""

    def __init__(self, shape: type[Shape[T]], describe: str = "", **common: Any) -> None:
        super().__init__(describe, **common)
        self.shape = shape

    def take(self, value: Any, context: Any) -> T:
        return _nested(self.shape, value)

    def reader(self) -> Read[T]:
        return schema(self.shape).reader()

    def json_schema(self, refer: Refer) -> JsonSchema:
        return refer(self.shape)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else schema(self.shape).dump(value)


class Variants(Field[T]):
    """An object of one of several shapes, distinguished by the word under one key; `usual` is meant where it is absent.

    `by` may also be a function that chooses the word from the object.
    """

    def __init__(
        self,
        by: str | Callable[[Mapping[str, Any]], str],
        shapes: Mapping[str, type[Shape[T]]],
        describe: str = "",
        *,
        usual: str | None = None,
        **common: Any,
    ) -> None:
        super().__init__(describe, **common)
        self.by, self.shapes, self.usual = by, dict(shapes), usual

    def take(self, value: Any, context: Any) -> T:
        if not isinstance(value, dict):
            raise self.make_error("type")
        if not isinstance(self.by, str):
            chosen = self.by(value)
            if chosen not in self.shapes:
                raise fault("choice", value=quoted(chosen), choices=list(self.shapes))
            return _nested(self.shapes[chosen], value)
        word = value.get(self.by, self.usual)
        if not isinstance(word, str):
            raise fault("type" if self.by in value else "required", at=(self.by,), expected="text")
        if word not in self.shapes:
            raise fault("choice", at=(self.by,), value=quoted(word), choices=list(self.shapes))
        return _nested(self.shapes[word], value)

    def reader(self) -> Read[T]:
        readers, by, usual = {word: schema(shape).reader() for word, shape in self.shapes.items()}, self.by, self.usual

        def read_variant(value: Any, context: Any) -> T:
            if value.__class__ is not dict:
                raise Slow
            word = value.get(by, usual) if isinstance(by, str) else by(value)
            if word.__class__ is not str or word not in readers:
                raise Slow
            found: T = readers[word](value, context)
            return found

        return read_variant

    def json_schema(self, refer: Refer) -> JsonSchema:
        shapes = {word: refer(shape) for word, shape in self.shapes.items()}
        described: JsonSchema = {"oneOf": list({str(each): each for each in shapes.values()}.values())}
        if isinstance(self.by, str) and self.usual is None and all(set(each) == {"$ref"} for each in shapes.values()):
            mapping = {word: each["$ref"] for word, each in shapes.items()}
            described["discriminator"] = {"propertyName": self.by, "mapping": mapping}
        return described

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return value


class Either(Field[Any]):
    """A value of one of several JSON types, each with its own field; the last one reports what fits none of them."""

    def __init__(self, *options: Field[Any], describe: str = "", **common: Any) -> None:
        super().__init__(describe, **common)
        self.options = options

    def take(self, value: Any, context: Any) -> Any:
        return self._option(value).deserialize(value)

    def reader(self) -> Read[Any]:
        readers = {kind: option.reader() for option in reversed(self.options) for kind in option.json_types}

        def read_either(value: Any, context: Any) -> Any:
            found = readers.get(value.__class__)
            if found is None:
                raise Slow
            return found(value, context)

        return read_either

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"anyOf": [described_field(option, refer) for option in self.options]}

    def _option(self, value: Any) -> Field[Any]:
        return next((option for option in self.options if type(value) in option.json_types), self.options[-1])

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return value


@dataclass(frozen=True, slots=True)
class Others:
    """Keys beside the declared ones, such as the ids of sides, and the attribute that takes what they hold."""

    entries: Keyed[Any]
    into: str


class Shape(Schema, Generic[T]):
    """An object with declared keys. `make` builds what a read returns. Further keys are read by `others` or refused."""

    class Meta:
        unknown = RAISE

    builds: ClassVar[Callable[..., Any] | None] = None
    """What is made of the attributes, usually a frozen dataclass; without it a read returns them as a dict."""
    others: ClassVar[Others | None] = None
    checks_parts: ClassVar[bool] = False
    """Whether `check` can do with attributes missing, where their keys are missing or hold something else."""
    error_messages: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # problems in the place of words
        "type": Problem((), "type", {"expected": "object"}),
        "unknown": Problem((), "unknown-key"),
    }

    def __init__(self, **options: Any) -> None:
        if self.others is not None:
            options.setdefault("unknown", EXCLUDE)  # `others` reads them, or refuses them
        super().__init__(**options)

    def check(self, data: Mapping[str, Any], context: Any) -> Iterable[Problem]:
        """Problems between attributes that are each valid, their pointers relative to the object."""
        return ()

    def make(self, data: dict[str, Any], context: Any) -> T:
        """Return what is built from the attributes. Raises ValidationError."""
        builds = type(self).builds
        return cast("T", data if builds is None else builds(**data))

    def reader(self) -> Read[T]:
        """Return the compiled reader of this shape."""
        plan = {
            field.data_key or name: (
                field.attribute or name, cast("Field[Any]", field).reader(), field.required, field.allow_none
            )
            for name, field in self.load_fields.items()
        }  # fmt: skip
        defaults = {
            field.attribute or name: field.load_default
            for name, field in self.load_fields.items()
            if field.load_default is not missing
        }
        factories = [(attribute, make) for attribute, make in defaults.items() if callable(make)]
        count = sum(required for _, _, required, _ in plan.values())
        others = None if self.others is None else self.others.entries.items_reader()
        others_as, make = "" if self.others is None else self.others.into, self.make
        checks = self.check if type(self).check is not Shape.check else None
        builds = type(self).builds if type(self).make is Shape.make else None

        def read_object(value: Any, context: Any) -> T:
            if value.__class__ is not dict:
                raise Slow
            data, rest, lacking = defaults.copy(), {}, count
            for attribute, default in factories:
                data[attribute] = default()
            for key, each in value.items():
                entry = plan.get(key)
                if entry is None:
                    rest[key] = each
                    continue
                attribute, take, required, nullable = entry
                data[attribute] = None if each is None and nullable else take(each, context)
                lacking -= required
            if lacking:
                raise Slow
            if others is not None:
                data[others_as] = others(rest, context)
            elif rest:
                raise Slow
            if checks is not None and any(True for _ in checks(data, context)):
                raise Slow
            return cast("T", builds(**data)) if builds is not None else make(data, context)

        return read_object

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _complete(self, data: dict[str, Any], original: Any, **kwargs: Any) -> None:
        """Read the keys beside the declared ones, which marshmallow leaves out; then check what belongs together."""
        if not isinstance(original, Mapping):
            return
        context, keys, whole = Context.get(None), set(), True
        problems: list[Problem] = []
        for name, field in self.load_fields.items():
            key = field.data_key or name
            keys.add(key)
            whole &= (field.attribute or name) in data or not (field.required or key in original)
        if self.others is not None:
            rest = [(key, each) for key, each in original.items() if key not in keys]
            data[self.others.into], problems = self.others.entries.take_parts(rest, context)
            whole &= not problems
        if whole or self.checks_parts:
            problems += self.check(data, context)
        if problems:
            raise invalid(problems)

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: Any) -> T:
        return self.make(data, Context.get(None))


class OpenShape(Shape[T]):
    """A shape that passes over keys that it does not declare."""

    class Meta:
        unknown = EXCLUDE


def described_field(field: Field[Any], refer: Refer) -> JsonSchema:
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
        described["default"] = field.load_default
    return {**described, **about}


def shape_schema(shape: type[Shape[Any]], refer: Refer) -> JsonSchema:
    """Describe a shape in JSON Schema: its properties, what is required, whether further keys are admitted."""
    instance = schema(shape)
    properties = {
        field.data_key or name: described_field(cast("Field[Any]", field), refer)
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


def _plain_integer(value: Any, context: Any) -> int:
    if type(value) is not int:
        raise Slow
    return value


def _nested(shape: type[Shape[T]], value: Any) -> T:
    try:
        return cast("T", schema(shape).load(value))
    except ValidationError as error:
        raise invalid(_flat(error.messages)) from None


def _flat(messages: Any, pointer: Pointer = ()) -> Iterator[Problem]:
    """Problems in marshmallow's messages, with their pointers."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            for problem in inner:
                own = problem.code == "unknown-key" and not problem.pointer and not problem.facts
                if own:
                    yield Problem((*pointer, key), problem.code, {"key": key})
                else:
                    yield _moved(problem, pointer if key == "_schema" else (*pointer, key))
    else:
        for problem in messages:
            yield _moved(problem, pointer)


def _below(key: str | int, messages: Any) -> list[Problem]:
    return [_moved(problem, (key,)) for problem in _flat(messages)]


def _moved(problem: Problem, pointer: Pointer) -> Problem:
    if not pointer:
        return problem
    return Problem(
        (*pointer, *problem.pointer), problem.code, problem.facts, problem.article, problem.acceptable, problem.warning
    )


def _in_order(problems: Iterable[Problem], value: Any, pointer: Pointer) -> list[Problem]:
    """Problems in the order of the input, what is missing in an object first."""
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

    return [_moved(problem, pointer) for problem in sorted(problems, key=place)]
