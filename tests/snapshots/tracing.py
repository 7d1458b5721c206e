"""Which steps of the pure layers something takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, TypeVar

PURE: Final = ("/companion/games/", "/companion/engine/")
T = TypeVar("T")


def traced(work: Callable[[], T]) -> tuple[T, set[object]]:
    """Return what a function returns, and every step from one line to another that it takes in engine and games."""
    steps: set[object] = set()

    def called(frame: FrameType, _event: str, _arg: object) -> Any:
        code = frame.f_code
        if not any(part in code.co_filename for part in PURE):
            return None
        last = 0

        def stepped(frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal last
            if event == "line":
                steps.add((code, last, frame.f_lineno))
                last = frame.f_lineno
            return stepped

        return stepped

    before = sys.gettrace()
    sys.settrace(called)
    try:
        return work(), steps
    finally:
        sys.settrace(before)
