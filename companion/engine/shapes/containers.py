"""Fields of values made of others: lists, objects keyed by the table, objects of a shape, one of several shapes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar, Unpack, cast

from marshmallow import ValidationError

from companion.engine.characters import quoted
from companion.engine.problems import MOST_PROBLEMS, Problem
from companion.engine.shapes.base import (
    MAX_ITEMS,
    Field,
    FieldOptions,
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
from companion.engine.shapes.describing import described_field
from companion.engine.shapes.pointers import below, flat
from companion.engine.shapes.reading import schema, written

if TYPE_CHECKING:
    from companion.engine.shapes.objects import Shape

T = TypeVar("T")


class ListOptions(FieldOptions, total=False):
    """The options of a list."""

    least: Limit
    most: Limit


class ListOf(Field[tuple[T, ...]]):
    """A list whose items are all of one field; its length may depend on the context."""

    expected = "list"
    json_types = (list,)

    def __init__(
        self,
        item: Field[T],
        describe: str = "",
        *,
        least: Limit = 0,
        most: Limit = MAX_ITEMS,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.item, self.least, self.most = item, least, most

    def take(self, value: Json, context: ReadContext) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise self.make_error("type")
        self._measure(value, context)
        taken, problems = [], []
        for place, each in enumerate(value):
            try:
                taken.append(self.item.deserialize(each))
            except ValidationError as error:
                problems += below(place, error.messages)
                if len(problems) >= MOST_PROBLEMS:
                    break
        if problems:
            raise invalid(problems)
        return tuple(taken)

    def reader(self) -> Read[tuple[T, ...]]:
        item, measure, nullable = self.item.reader(), self._measure, self.item.allow_none
        fixed = not callable(self.least) and not callable(self.most) and self.most is not None
        sizes = range(cast("int", self.least or 0), cast("int", self.most) + 1) if fixed else None

        def read_list(value: Json, context: ReadContext) -> tuple[T, ...]:
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
        keys: Callable[[ReadContext], Collection[str]] | None = None,
        code: str = "unknown-key",
        all_keys: bool = False,
        rename: Callable[[str, ReadContext], str] | None = None,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.value, self.keys, self.code, self.all_keys, self.rename = value, keys, code, all_keys, rename

    def take(self, value: Json, context: ReadContext) -> dict[str, T]:
        if not isinstance(value, dict):
            raise self.make_error("type")
        return self.take_items(value.items(), context)

    def take_items(self, items: Iterable[tuple[str, Json]], context: ReadContext) -> dict[str, T]:
        """Return the values under their keys. Raises ValidationError with every problem of every entry."""
        taken, problems = self.take_parts(items, context)
        if problems:
            raise invalid(problems)
        return taken

    def take_parts(self, items: Iterable[tuple[str, Json]], context: ReadContext) -> tuple[dict[str, T], list[Problem]]:
        """Return the valid values under their keys, and every problem of the others."""
        known = None if self.keys is None else self.keys(context)
        taken: dict[str, T] = {}
        problems: list[Problem] = []
        for key, each in items:
            name = key if self.rename is None else self.rename(key, context)
            if known is not None and name not in known:
                facts = {"key" if self.code == "unknown-key" else "value": quoted(key), "choices": list(known)}
                problems.append(Problem((key,), self.code, facts, self.article, contextual=True))
                continue
            try:
                taken[name] = cast("T", self.value.deserialize(each))
            except ValidationError as error:
                problems += below(key, error.messages)
        if self.all_keys:
            reported = {problem.pointer[0] for problem in problems}
            for name in known or ():
                if name not in taken and name not in reported:
                    missing = {"expected": self.value.expected}
                    problems.append(Problem((name,), "required", missing, contextual=True))
        return taken, problems

    def reader(self) -> Read[dict[str, T]]:
        read_items = self.items_reader()

        def read_keyed(value: Json, context: ReadContext) -> dict[str, T]:
            if value.__class__ is not dict:
                raise Slow
            return read_items(value, context)

        return read_keyed

    def items_reader(self) -> Read[dict[str, T]]:
        """Return the compiled form of `take_items` for an object."""
        item, nullable, keys, all_keys, rename = (
            self.value.reader(), self.value.allow_none, self.keys, self.all_keys, self.rename
        )  # fmt: skip

        def read_items(value: Json, context: ReadContext) -> dict[str, T]:
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

    def writer(self) -> Write:
        item = self.value.writer()

        def write_keyed(value: Mapping[str, Json], context: WriteContext) -> dict[str, Json]:
            return dict(value) if item is None else {key: item(each, context) for key, each in value.items()}

        return write_keyed


class Object(Field[T]):
    """An object of another shape."""

    def __init__(self, shape: type[Shape[T]], describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.shape = shape

    def take(self, value: Json, context: ReadContext) -> T:
        return _nested(self.shape, value)

    def reader(self) -> Read[T]:
        return schema(self.shape).reader()

    def json_schema(self, refer: Refer) -> JsonSchema:
        return refer(self.shape)

    def writer(self) -> Write:
        return written(self.shape)


class Written(Object[T]):
    """An object of another shape that is JSON already, and is written as it is."""

    def writer(self) -> Write:
        return lambda value, context: value


class Variants(Field[T]):
    """An object of one of several shapes, distinguished by the word under one key.

    `by` may also be a function that chooses the word from the object.
    """

    def __init__(
        self,
        by: str | Callable[[Mapping[str, Json]], str],
        shapes: Mapping[str, type[Shape[T]]],
        describe: str = "",
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.by, self.shapes = by, dict(shapes)

    def take(self, value: Json, context: ReadContext) -> T:
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
            raise fault("choice", at=(self.by,), value=quoted(word), choices=list(self.shapes))
        return _nested(self.shapes[word], value)

    def reader(self) -> Read[T]:
        readers, by = {word: schema(shape).reader() for word, shape in self.shapes.items()}, self.by

        def read_variant(value: Json, context: ReadContext) -> T:
            if value.__class__ is not dict:
                raise Slow
            word = value.get(by) if isinstance(by, str) else by(value)
            if word.__class__ is not str or word not in readers:
                raise Slow
            found: T = readers[word](value, context)
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
    """A value of one of several JSON types, each with its own field; the last one reports what fits none of them."""

    def __init__(self, *options: Field[Json], describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.options = options

    def take(self, value: Json, context: ReadContext) -> Json:
        return self._option(value).deserialize(value)

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

    def _option(self, value: Json) -> Field[Json]:
        return next((option for option in self.options if type(value) in option.json_types), self.options[-1])


def _nested(shape: type[Shape[T]], value: Json) -> T:
    try:
        return cast("T", schema(shape).load(value))
    except ValidationError as error:
        raise invalid(flat(error.messages)) from None
