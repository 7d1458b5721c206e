"""CPU time of one call, and what was measured beside its budget."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 21


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, a ratio or milliseconds as its name says, and its budget; None if its peer is missing."""

    name: str
    seen: float | None
    budget: float
    sign: str
    peer: str = ""
    """The program by others that the ratio is taken against."""

    @property
    def kept(self) -> bool:
        """Whether the budget is kept; nothing is missed where nothing was measured."""
        if self.seen is None:
            return True
        return self.seen >= self.budget if self.sign == ">=" else self.seen <= self.budget


def seconds_a_call(*calls: Callable[[], object], times: int) -> list[float]:
    """Return the CPU seconds of one call of each, the best of several rounds."""
    return best_in_turn(*[lambda call=call: seconds_once(call, times) for call in calls])  # type: ignore[misc]


def best_in_turn(*clocks: Callable[[], float]) -> list[float]:
    """Return the least of what each clock gives in several rounds, taken in turn, so that noise meets all alike."""
    best = [float("inf")] * len(clocks)
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        for place, clock in enumerate(clocks):
            best[place] = min(best[place], clock())
    return best


def seconds_once(call: Callable[[], object], times: int) -> float:
    """Return the CPU seconds of one call, from so many in a row."""
    began = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - began) / times
