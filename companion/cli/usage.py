"""Faults of a command line itself, such as an unknown option, in the language of its user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import click

from companion.cli.common import system_language
from companion.rulebook.words import say

_EXTRA: Final = re.compile(r"Got unexpected extra arguments? \((.*)\)")
"""Click has no exception of its own for these."""


def language_of(fault: click.UsageError) -> str:
    """Return the language that the command line asks for, or that of the locale."""
    read = fault.ctx.params if fault.ctx else {}
    return str(read.get("lang") or system_language())


def usage_text(fault: click.UsageError, lang: str) -> str:
    """Return what is wrong with a command line, and where help is."""
    lines = [_what(fault, lang)]
    near = getattr(fault, "possibilities", None)
    if near:
        lines.append(say(lang, "cli.usage-near", near=sorted(near)))
    if fault.ctx is not None:
        parts = " ".join(fault.ctx.command.collect_usage_pieces(fault.ctx))
        lines.append(say(lang, "cli.usage", file=f"{fault.ctx.command_path} {parts}"))
        lines.append(say(lang, "cli.usage-help", file=f"{fault.ctx.command_path} --help"))
    return "\n".join(lines)


def _what(fault: click.UsageError, lang: str) -> str:
    if isinstance(fault, click.NoSuchOption):
        return say(lang, "cli.usage-no-option", file=fault.option_name)
    if isinstance(fault, click.NoSuchCommand):
        return say(lang, "cli.usage-no-command", file=fault.command_name)
    if isinstance(fault, click.BadOptionUsage):
        return say(lang, "cli.usage-value-of-option", file=fault.option_name)
    if isinstance(fault, click.BadParameter) and fault.param is not None:
        option = isinstance(fault.param, click.Option)
        name = max(fault.param.opts, key=len) if option else fault.param.human_readable_name
        key = "cli.usage-missing" if isinstance(fault, click.MissingParameter) else "cli.usage-value"
        return say(lang, key, file=name, values=list(_values(fault.param.type)))
    extra = _EXTRA.fullmatch(fault.message)
    return say(lang, "cli.usage-extra" if extra else "cli.usage-other", what=extra[1] if extra else fault.message)


def _values(kind: click.ParamType[object]) -> Iterator[str]:
    """Yield the values that an option or an argument may have; none if they cannot be listed."""
    if isinstance(kind, click.Choice):
        yield from map(str, kind.choices)
    elif isinstance(kind, click.IntRange):
        yield f"{kind.min}-{kind.max}" if kind.max is not None else f"{kind.min}-"
