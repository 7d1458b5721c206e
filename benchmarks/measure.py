"""CPU time of one call, and what was measured beside its budget."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, a ratio or milliseconds as its name says: at least or at most its budget."""

    name: str
    seen: float
    budget: float
    sign: str

    @property
    def kept(self) -> bool:
        """Whether the budget is kept."""
        return self.seen >= self.budget if self.sign == ">=" else self.seen <= self.budget


def seconds_a_call(*calls: Callable[[], object], times: int) -> list[float]:
    """The CPU seconds of one call of each, the best of several rounds taken in turn, so that noise meets all alike."""
    best = [float("inf")] * len(calls)
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        for place, call in enumerate(calls):
            began = time.process_time()
            for _ in range(times):
                call()
            best[place] = min(best[place], (time.process_time() - began) / times)
    return best
