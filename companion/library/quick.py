"""Imports what commands need in less than half the time: compiled once, and without what is of no use here.

The methods that dataclasses generate and the regular expressions of modules, which are compiled at every start, are
kept from start to start by their text. marshmallow does not import what it would need for dates in e-mail.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import local
from types import CodeType, ModuleType
from typing import Any, Final

from companion.engine.deferred import deferred_function
from companion.kept import read_kept, write_kept

_EMAIL: Final = "email.utils"
_HERE: Final = Path(__file__)
_KEY: Final = b"compiled"
Compiled = dict[object, Any]
"""Code by the text of a method, and what makes a regular expression by its pattern and its flags."""


def import_marshmallow() -> None:
    """Import marshmallow; functions that import `email.utils` when they are called take that module's place."""
    if "marshmallow" in sys.modules or _EMAIL in sys.modules:
        return
    import email

    later = ModuleType(_EMAIL)
    for name in ("format_datetime", "parsedate_to_datetime"):
        setattr(later, name, deferred_function(_EMAIL, name))
    sys.modules[_EMAIL] = email.utils = later
    try:
        import marshmallow  # noqa: F401
    finally:
        del sys.modules[_EMAIL], email.utils


@contextmanager
def compiled_once(command: str) -> Iterator[None]:
    """Compile methods of dataclasses and regular expressions once for a command, and keep them beside this module."""
    place = _HERE.with_name(f"{command}.py")
    compiled: Compiled = read_kept(place, _KEY) or {}
    known = len(compiled)
    try:
        with _methods_from(compiled), _expressions_from(compiled):
            yield
    finally:
        if len(compiled) > known:
            write_kept(place, _KEY, compiled)


@contextmanager
def _methods_from(compiled: Compiled) -> Iterator[None]:
    """Let the module `dataclasses`, which executes the text of each method, find the text compiled."""

    def execute(text: str, names: dict[str, Any], own: dict[str, Any]) -> None:
        code: CodeType | None = compiled.get(text)
        if code is None:
            code = compiled[text] = compile(text, "<string>", "exec")
        exec(code, names, own)  # noqa: S102  as the module does

    dataclasses.exec = execute  # type: ignore[attr-defined]  # in place of the built-in function
    try:
        yield
    finally:
        del dataclasses.exec  # type: ignore[attr-defined]


class _Engine(local):
    """The module that makes regular expressions of their code; it notes the last one of each thread."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.made: tuple[Any, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def compile(self, *code: Any) -> re.Pattern[Any]:
        """Return an expression."""
        self.made = code
        made: re.Pattern[Any] = self._engine.compile(*code)
        return made


@contextmanager
def _expressions_from(compiled: Compiled) -> Iterator[None]:
    """Let the module `re` find expressions compiled; where Python has other parts than these, it compiles them."""
    parts: Any = getattr(re, "_compiler", None)
    compile_now: Callable[..., re.Pattern[Any]] | None = getattr(parts, "compile", None)
    if compile_now is None or not hasattr(parts, "_sre"):
        yield
        return
    engine = _Engine(parts._sre)

    def find(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        code = compiled.get((pattern, int(flags)))
        if code is not None:
            return engine.compile(*code)
        made = compile_now(pattern, flags)
        if isinstance(pattern, str | bytes):
            text, all_flags, code, *groups = engine.made
            kept = text, int(all_flags), [*map(int, code)], *groups
            compiled[pattern, int(flags)] = kept
            compiled[pattern, made.flags] = kept  # as it is asked for by an index that was kept
        return made

    parts.compile, parts._sre = find, engine
    try:
        yield
    finally:
        parts.compile, parts._sre = compile_now, parts._sre._engine
