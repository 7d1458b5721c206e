"""Reading and writing by a shape. A compiled reader takes what is plainly valid, marshmallow everything else."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeVar, cast, overload

from marshmallow import ValidationError
from marshmallow.experimental.context import Context

from companion.engine.problems import MOST_PROBLEMS, Pointer, Problem, Refused
from companion.engine.reading import Node
from companion.engine.shapes.base import Field, Get, Json, Read, ReadContext, Slow, Write, WriteContext
from companion.engine.shapes.pointers import flat, in_order

if TYPE_CHECKING:
    from companion.engine.shapes.objects import Shape

T = TypeVar("T")
MOST_KEYS: Final = 500
NOT_PLAIN: Final = (Slow, ValidationError)
"""What a compiled reader raises where marshmallow must look at the value."""


@overload
def read(shape: type[Shape[T]], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> T: ...
@overload
def read(shape: Field[T], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> T: ...
def read(shape: type[Shape[T]] | Field[T], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> T:
    """Return what a shape, or a single field, builds from a JSON value.

    `pointer` is where the value is in the whole input. Raises Refused with every problem, in the order of the input.
    """
    try:
        reader: Read[T] = compiled(shape)
        return reader(value, context)
    except NOT_PLAIN:
        return load(shape, value, pointer, context=context)


def load(shape: type[Shape[T]] | Field[T], value: Json, pointer: Pointer = (), *, context: ReadContext = None) -> T:
    """Return the same as `read`, by marshmallow alone. Raises Refused."""
    refuse_wide(value, pointer)
    with Context(context):
        try:
            return cast("T", shape.deserialize(value) if isinstance(shape, Field) else schema(shape).load(value))
        except ValidationError as error:
            problems = list(flat(error.messages))
    raise Refused(in_order(problems, value, pointer)[:MOST_PROBLEMS])


def refuse_wide(value: Json, pointer: Pointer) -> None:
    """Raise Refused if an object in the value has more keys than any input needs.

    What marshmallow does about unknown keys takes a time that grows with the square of their number.
    """
    waiting: list[tuple[Pointer, Json]] = [(pointer, value)]
    for place, each in waiting:
        if isinstance(each, dict):
            if len(each) > MOST_KEYS:
                raise Refused([Problem(place, "length", {"least": 0, "most": MOST_KEYS, "count": len(each)})])
            waiting += [((*place, key), inner) for key, inner in each.items() if isinstance(inner, dict | list)]
        elif isinstance(each, list):
            waiting += [
                ((*place, number), inner) for number, inner in enumerate(each) if isinstance(inner, dict | list)
            ]


def read_at(node: Node, shape: type[Shape[T]] | Field[T], *, context: ReadContext = None) -> T | None:
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


def write(shape: type[Shape[Json]], value: object, context: WriteContext = None) -> dict[str, Json]:
    """Return the JSON object in which a shape says what `value` is; `context` is handed to what its fields `get`."""
    answer: dict[str, Json] = written(shape)(value, context)
    return answer


def attribute(path: str) -> Get:
    """Return what finds an attribute of the object that an answer is about, or of a part of it: `hit.document`."""
    find = attrgetter(path)
    return lambda value, context: find(value)


@cache
def written(shape: type[Shape[Json]]) -> Write:
    """Return the compiled writer of a shape."""
    return schema(shape).writer()
