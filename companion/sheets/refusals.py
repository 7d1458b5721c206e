"""Short ways to refuse a command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from companion.engine.problems import Pointer, Problem, Refused


def refuse(pointer: Pointer, code: str, **facts: Any) -> NoReturn:
    """Raise Refused for one problem."""
    raise Refused([Problem(pointer, code, facts)])


def refuse_all(problems: Sequence[Problem]) -> None:
    """Raise Refused where there is any problem."""
    if problems:
        raise Refused(problems)
