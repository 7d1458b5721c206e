"""Readers and writers compiled from the fields of a shape, as dataclasses compile `__init__`: a function of its own for
each shape, so that no request pays for looking at the declaration again.

The rows of `make bench` are "batch of lines" and "score requests a second of one core over HTTP";
`tests/engine/test_shapes.py` and the generated requests hold that they read as marshmallow does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from companion.engine.problems import Problem
from companion.engine.shapes.base import LEFT_OUT, Attributes, Field, Json, Read, ReadContext, Slow, Write

if TYPE_CHECKING:
    from companion.engine.shapes.objects import Others

Fields = Mapping[str, Field[Json]]


def compile_reader(
    fields: Fields,
    others: Others | None,
    build: Callable[..., Json],
    *,
    check: Callable[[Attributes, ReadContext], Iterable[Problem]] | None,
    whole: bool,
) -> Read[Json]:
    """Return what reads an object with these keys; it raises Slow, or ValidationError, where anything is wrong.

    `build` takes the attributes by name; or, with `whole`, as one dictionary, and the context.
    """
    names: dict[str, Json] = {"Slow": Slow, "ABSENT": object(), "build": build, "check": check}
    required, further, always, sometimes = [], [], {}, {}
    for number, (name, field) in enumerate(fields.items()):
        key, value, default = field.data_key or name, f"v{number}", field.load_default
        names[f"take{number}"], names[f"plain{number}"], names[f"default{number}"] = (
            field.reader(),
            field.plain,
            default,
        )
        taken = f"take{number}({value}, context)"
        if field.plain:
            taken = f"{value} if {value}.__class__ is plain{number} else {taken}"
        if field.allow_none:
            taken = f"None if {value} is None else {taken}"
        if field.required:
            required.append(f"        {value} = rest.pop({key!r})")
        else:
            further.append(f"    {value} = rest.pop({key!r}, ABSENT)")
        if not field.required and not field.absent:
            taken = f"default{number}{'()' if callable(default) else ''} if {value} is ABSENT else {taken}"
        if not field.absent:
            always[field.attribute or name] = taken
        else:
            sometimes[field.attribute or name] = value, taken
    if others is not None:
        names["others"] = others.entries.items_reader()
        always[others.into] = "others(rest, context)"
    lines = ["    if value.__class__ is not dict:", "        raise Slow", "    rest = value.copy()"]
    if required:
        lines += ["    try:", *required, "    except KeyError:", "        raise Slow from None"]
    lines += further
    if others is None:
        lines += ["    if rest:", "        raise Slow"]
    arguments = ", ".join(f"{attribute}={taken}" for attribute, taken in always.items())
    if not (whole or check or sometimes):
        return _function([*lines, f"    return build({arguments})"], names)
    lines.append(f"    data = dict({arguments})")
    for attribute, (value, taken) in sometimes.items():
        lines += [f"    if {value} is not ABSENT:", f"        data[{attribute!r}] = {taken}"]
    if check:
        lines += ["    for _ in check(data, context):", "        raise Slow"]
    return _function([*lines, f"    return build({'data, context' if whole else '**data'})"], names)


def compile_writer(fields: Fields, others: Others | None) -> Write:
    """Return what writes an object: each key has what `get` of its field returns, or the attribute."""
    names: dict[str, Json] = {"LEFT_OUT": LEFT_OUT}
    entries: list[str] = []
    lines: list[str] = []
    for number, (name, field) in enumerate(fields.items()):
        key, write, found = field.data_key or name, field.writer(), f"value.{field.attribute or name}"
        names[f"get{number}"], names[f"write{number}"] = field.get, write
        if field.get is not None:
            found = f"get{number}(value, context)"
        written = "found" if write is None else f"None if found is None else write{number}(found, context)"
        if field.absent:
            left_out = "found is LEFT_OUT" if field.allow_none else "found is None or found is LEFT_OUT"
            lines += [f"    found = {found}", f"    if not ({left_out}):", f"        answer[{key!r}] = {written}"]
            continue
        written = found if write is None else written.replace("found is", f"(found := {found}) is")
        if lines:
            lines.append(f"    answer[{key!r}] = {written}")
        else:
            entries.append(f"{key!r}: {written}")
    if others is not None:
        names["others"] = others.entries.writer()
        lines.append(f"    answer |= others(value.{others.into}, context)")
    return _function([f"    answer = {{{', '.join(entries)}}}", *lines, "    return answer"], names)


def _function(lines: Sequence[str], names: dict[str, Json]) -> Callable[[Json, Json], Json]:
    """Return a function of a value and a context with these lines; they are made of declarations, never of input."""
    exec("\n".join(["def compiled(value, context):", *lines]), names)  # noqa: S102
    return cast("Callable[[Json, Json], Json]", names["compiled"])
