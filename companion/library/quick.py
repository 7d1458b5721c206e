"""Imports what commands need in less than half the time: without what is of no use here, compiled once.

What marshmallow does with e-mail is neither compiled nor imported until it is used. The methods of dataclasses, which
are generated and compiled for each class at every start, are kept from start to start by their text.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from companion.engine.deferred import deferred_function
from companion.kept import read_kept, write_kept

_OF: Final = "marshmallow.validate"
_EMAIL: Final = "email.utils"
_HERE: Final = Path(__file__)
_KEY: Final = b"methods"


class _Pattern:
    """A regular expression that is compiled when one of its attributes is asked for."""

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments
        self.compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the metaclass of abstract classes asks every attribute for one
            raise AttributeError(name)
        self.compiled = self.compiled or re.compile(*self._arguments)
        return getattr(self.compiled, name)


def import_marshmallow() -> None:
    """Import marshmallow without what it needs for e-mail; nothing happens if it is imported already."""
    if "marshmallow" in sys.modules:
        return
    compile_now = re.compile

    def compile_later(pattern: Any, flags: int = 0) -> Any:
        of_validate = sys._getframe(1).f_globals["__name__"] == _OF
        return _Pattern(pattern, flags) if of_validate else compile_now(pattern, flags)

    re.compile = compile_later
    try:
        with _email_dates_later():
            import marshmallow  # noqa: F401
    finally:
        re.compile = compile_now


@contextmanager
def _email_dates_later() -> Iterator[None]:
    """Put functions that import `email.utils` when they are called in its place, for modules that are imported here."""
    if _EMAIL in sys.modules:
        yield
        return
    import email

    later = ModuleType(_EMAIL)
    for name in ("format_datetime", "parsedate_to_datetime"):
        setattr(later, name, deferred_function(_EMAIL, name))
    sys.modules[_EMAIL] = email.utils = later
    try:
        yield
    finally:
        del sys.modules[_EMAIL], email.utils


@contextmanager
def kept_methods(command: str) -> Iterator[None]:
    """Define dataclasses with methods that are compiled once for a command, and kept beside this package.

    The module `dataclasses` executes the text of each method that it generates. Here it finds the text compiled.
    """
    place = _HERE.with_name(f"{command}.py")
    methods: dict[str, CodeType] = read_kept(place, _KEY) or {}
    known = len(methods)

    def execute(text: str, names: dict[str, Any], own: dict[str, Any]) -> None:
        code = methods.get(text)
        if code is None:
            code = methods[text] = compile(text, "<string>", "exec")
        exec(code, names, own)  # noqa: S102  as the module does

    dataclasses.exec = execute  # type: ignore[attr-defined]  # in place of the built-in function
    try:
        yield
    finally:
        del dataclasses.exec  # type: ignore[attr-defined]
        if len(methods) > known:
            write_kept(place, _KEY, methods)
