"""Shapes: objects with declared keys, and what is built from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar, Generic, NamedTuple, TypeVar, cast

from marshmallow import EXCLUDE, RAISE, Schema, missing, post_load, validates_schema
from marshmallow.experimental.context import Context

from companion.engine.problems import Problem
from companion.engine.shapes.base import (
    LEFT_OUT,
    Attributes,
    Field,
    Get,
    Json,
    Read,
    ReadContext,
    Slow,
    Write,
    WriteContext,
    invalid,
)
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
        fields = {name: cast("Field[Json]", field) for name, field in self.load_fields.items()}
        plan = {field.data_key or name: _entry(field, name) for name, field in fields.items()}
        required = frozenset(field.data_key or name for name, field in fields.items() if field.required)
        defaults: Attributes = {
            field.attribute or name: field.load_default
            for name, field in fields.items()
            if field.load_default is not missing
        }
        factories = [(attribute, make) for attribute, make in defaults.items() if callable(make)]
        others = None if self.others is None else self.others.entries.items_reader()
        others_as, make = "" if self.others is None else self.others.into, self.make
        check = None if type(self).check is Shape.check else self.check
        builds = type(self).builds if type(self).make is Shape.make else None

        def read_object(value: Json, context: ReadContext) -> T:
            if value.__class__ is not dict or not required <= value.keys():
                raise Slow
            data, rest = defaults.copy(), {}
            for attribute, default in factories:
                data[attribute] = default()
            for key, each in value.items():
                entry = plan.get(key)
                if entry is None:
                    rest[key] = each
                else:
                    attribute, plain, take = entry
                    data[attribute] = each if each.__class__ is plain else take(each, context)
            if others is not None:
                data[others_as] = others(rest, context)
            elif rest:
                raise Slow
            if check is not None:
                for _ in check(data, context):
                    raise Slow
            return cast("T", builds(**data)) if builds is not None else make(data, context)

        return read_object

    def writer(self) -> Write:
        """Return the compiled writer of this shape: each key has what `get` of its field returns, or the attribute."""
        plan = [_exit(cast("Field[Json]", field), name) for name, field in self.dump_fields.items()]
        rest = None if self.others is None else attrgetter(self.others.into)
        write_rest = None if self.others is None else self.others.entries.writer()

        def write_object(value: Json, context: WriteContext) -> dict[str, Json]:
            answer: dict[str, Json] = {}
            for key, attribute, get, write, may_be_left_out in plan:
                each = attribute(value) if get is None else get(value, context)
                if each is None:
                    if may_be_left_out:
                        continue
                elif each is LEFT_OUT:
                    continue
                elif write is not None:
                    each = write(each, context)
                answer[key] = each
            if rest is not None and write_rest is not None:
                answer |= write_rest(rest(value), context)
            return answer

        return write_object

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


class _Entry(NamedTuple):
    """What a compiled reader does with a declared key. A value of the class `plain` is taken as it is."""

    attribute: str
    plain: type | None
    take: Read[Json]


def _entry(field: Field[Json], name: str) -> _Entry:
    read = field.reader()
    take = (lambda value, context: None if value is None else read(value, context)) if field.allow_none else read
    return _Entry(field.attribute or name, field.plain, take)


class _Exit(NamedTuple):
    """How a compiled writer comes to the value of a key."""

    key: str
    attribute: Callable[[Json], Json]
    get: Get | None
    write: Write | None
    may_be_left_out: bool


def _exit(field: Field[Json], name: str) -> _Exit:
    may_be_left_out = not field.required and not field.allow_none and field.load_default is missing
    return _Exit(
        field.data_key or name, attrgetter(field.attribute or name), field.get, field.writer(), may_be_left_out
    )


class OpenShape(Shape[T]):
    """A shape that passes over keys that it does not declare."""

    class Meta:
        unknown = EXCLUDE
