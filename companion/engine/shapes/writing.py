"""Writing by a shape: an object in JSON, by the writer compiled from the declaration."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from companion.engine.shapes.base import Get, Json, Write, WriteContext
from companion.engine.shapes.reading import schema

if TYPE_CHECKING:
    from companion.engine.shapes.objects import Shape


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
