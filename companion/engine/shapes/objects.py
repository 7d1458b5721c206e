"""Shapes: objects with declared keys, and what is built from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar, cast

from marshmallow import EXCLUDE, RAISE, Schema, post_load, validates_schema
from marshmallow.experimental.context import Context

from companion.engine.problems import Problem
from companion.engine.shapes.base import Attributes, Field, Json, Read, ReadContext, Write, invalid
from companion.engine.shapes.compiling import compile_reader, compile_writer
from companion.engine.shapes.containers import Keyed

T = TypeVar("T")
Hooks = dict[str, list[tuple[str, bool, dict[str, Json]]]]


@dataclass(frozen=True, slots=True)
class Others:
    """Keys beside the declared ones, such as the ids of sides, and the attribute that takes what they hold."""

    entries: Keyed[Json]
    into: str


class Shape(Schema, Generic[T]):
    """An object with declared keys. `make` builds what a read returns. Further keys are read by `others` or refused."""

    class Meta:
        unknown = RAISE

    builds: ClassVar[Callable[..., object] | None] = None
    """What is made of the attributes, usually a frozen dataclass; without it a read returns them as a dict."""
    others: ClassVar[Others | None] = None
    checks_parts: ClassVar[bool] = False
    """Whether `check` can do with attributes missing, where their keys are missing or hold something else."""
    error_messages: ClassVar[dict[str, Json]] = {  # type: ignore[misc]  # problems in the place of words
        "type": Problem((), "type", {"expected": "object"}),
        "unknown": Problem((), "unknown-key"),
    }

    @classmethod
    def resolve_hooks(cls) -> Hooks:
        """Return the hooks of a class: its base's, if it has none itself. To look at every attribute takes longer."""
        own = any(hasattr(each, "__marshmallow_hook__") for each in vars(cls).values())
        hooks: Hooks = type(cls).resolve_hooks(cls) if own else cls._hooks
        return hooks

    def __init__(self, **options: Json) -> None:
        if self.others is not None:
            options.setdefault("unknown", EXCLUDE)  # `others` reads them, or refuses them
        super().__init__(**options)

    def check(self, data: Attributes, context: ReadContext) -> Iterable[Problem]:
        """Problems between attributes that are each valid, their pointers relative to the object."""
        return ()

    def make(self, data: Attributes, context: ReadContext) -> T:
        """Return what is built from the attributes. Raises ValidationError."""
        builds = type(self).builds
        return cast("T", data if builds is None else builds(**data))

    def reader(self) -> Read[T]:
        """Return the compiled reader of this shape."""
        kind = type(self)
        builds = kind.builds if kind.make is Shape.make and kind.builds is not None else None
        check = None if kind.check is Shape.check else self.check
        whole = builds is None
        return compile_reader(_fields(self.load_fields), self.others, builds or self.make, check=check, whole=whole)

    def writer(self) -> Write:
        """Return the compiled writer of this shape: each key has what `get` of its field returns, or the attribute."""
        return compile_writer(_fields(self.dump_fields), self.others)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _complete(self, data: Attributes, original: Json, **kwargs: object) -> None:
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
    def _make(self, data: Attributes, **kwargs: object) -> T:
        return self.make(data, Context.get(None))


def _fields(fields: Mapping[str, object]) -> dict[str, Field[Json]]:
    return {name: cast("Field[Json]", field) for name, field in fields.items()}


class OpenShape(Shape[T]):
    """A shape that passes over keys that it does not declare."""

    class Meta:
        unknown = EXCLUDE
