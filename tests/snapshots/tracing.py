"""Which steps of the pure layers something takes."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final, TypeVar

PURE: Final = ("/companion/games/", "/companion/engine/")
T = TypeVar("T")
_FORKS: Final[dict[int, tuple[CodeType, frozenset[int] | None]]] = {}
"""What is known of code by its identity, which stays as long as the code is kept here."""


def traced(work: Callable[[], T]) -> tuple[T, set[object]]:
    """Return what a function returns, and every step that it takes in engine and games.

    A step is a function that is called, or a way that a condition goes: of an `if`, of a loop, also in a
    comprehension, and of each operand of `and` and `or`.
    """
    steps: set[object] = set()

    def called(frame: FrameType, _event: str, _arg: object) -> Any:
        code, last = id(frame.f_code), -1  # code itself is slow to hash
        forks = _FORKS[code][1] if code in _FORKS else _forks(frame.f_code)
        if forks is None:
            return None
        steps.add(code)
        frame.f_trace_lines, frame.f_trace_opcodes = False, True

        def stepped(frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal last
            if event == "opcode":
                if last in forks:
                    steps.add((code, last, frame.f_lasti))
                last = frame.f_lasti
            return stepped

        return stepped

    before = sys.gettrace()
    sys.settrace(called)
    try:
        return work(), steps
    finally:
        sys.settrace(before)


def _forks(code: CodeType) -> frozenset[int] | None:
    """Return the offsets of the instructions of pure code after which there are two ways, None for other code."""
    forks = None
    if any(part in code.co_filename for part in PURE):
        all = dis.get_instructions(code)
        forks = frozenset(each.offset for each in all if "JUMP_IF" in each.opname or each.opname == "FOR_ITER")
    _FORKS[id(code)] = code, forks
    return forks
