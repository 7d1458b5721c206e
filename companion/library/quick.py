"""Imports marshmallow in half the time: its patterns of e-mail addresses, of no use here, are not compiled.

They take a sixth of the time of `companion score`, whose budget is a quarter of a second of CPU time. Whatever does use
them compiles them then.
"""

from __future__ import annotations

import re
import sys
from typing import Any, Final

_OF: Final = "marshmallow.validate"


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
    """Import marshmallow, its patterns uncompiled; nothing happens if it is imported already."""
    if "marshmallow" in sys.modules:
        return
    compile_now = re.compile

    def compile_later(pattern: Any, flags: int = 0) -> Any:
        of_validate = sys._getframe(1).f_globals["__name__"] == _OF
        return _Pattern(pattern, flags) if of_validate else compile_now(pattern, flags)

    re.compile = compile_later
    try:
        import marshmallow  # noqa: F401
    finally:
        re.compile = compile_now
