"""What all fields have in common, and what a reader raises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypedDict, TypeVar, cast

from marshmallow import ValidationError, fields, missing
from marshmallow.experimental.context import Context

from companion.engine.problems import Pointer, Problem

if TYPE_CHECKING:
    from companion.engine.shapes.objects import Shape

T = TypeVar("T")
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
Read = Callable[[Json, ReadContext], T]
"""A value and the context of the read to what is built from it. Raises ValidationError, or `Slow`."""
Refer = Callable[[type["Shape[Json]"]], JsonSchema]
"""A shape to the reference under which an OpenAPI document describes it."""
Limit = int | Callable[[ReadContext], int] | None

MAX_ITEMS: Final = 20_000
MAX_TEXT: Final = 400
LEAST_READ: Final = -(2**63)
MOST_READ: Final = 2**64 - 1
"""The least and the largest whole number that are read as one: beyond these, JSON's numbers are inexact."""
NO_DEFAULT: Final[object] = missing
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
    get: Get | None


class Field(fields.Field[T], ABC):
    """A field of this domain. Without `optional` or `default` its key is required.

    `optional` reads an absent key and null as None; `default` stands for an absent key only. `key` is the name in
    JSON where it differs from the attribute. `get` finds what is written, which is else the attribute of the field's
    name. The rest documents: a description, a unit, an article, an example.
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
        default: object = NO_DEFAULT,
        absent: bool = False,
        key: str | None = None,
        unit: str | None = None,
        article: str | None = None,
        example: object = NO_DEFAULT,
        get: Get | None = None,
    ) -> None:
        """`absent` lets the key be left out without a default: what is built then has no such attribute.

        Unless null is allowed, too, such a key is not written for None.
        """
        about = {"description": describe, "x-unit": unit, "x-article": article}
        metadata: dict[str, object] = {name: text for name, text in about.items() if text}
        if example is not NO_DEFAULT:
            metadata["example"] = example
        super().__init__(
            required=not (optional or absent) and default is NO_DEFAULT,
            allow_none=optional or nullable,
            load_default=None if optional and default is NO_DEFAULT else default,
            data_key=key,
            metadata=metadata,
        )
        self.article, self.get = article, get

    def make_error(self, key: str, **kwargs: object) -> ValidationError:
        """Report a missing key as `required`, and null or another wrong kind of value as `type`."""
        return fault("required" if key == "required" else "type", expected=self.expected)

    @abstractmethod
    def take(self, value: Json, context: ReadContext) -> T:
        """Return what the value means. Raises ValidationError with every problem of it."""

    def reader(self) -> Read[T]:
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

    def _deserialize(self, value: Json, attr: str | None, data: Mapping[str, Json] | None, **kwargs: object) -> T:
        return self.take(value, Context.get(None))
