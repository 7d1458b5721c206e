"""Measures every cost and prints it beside its budget: `python -m benchmarks [words]`. Exit status 1 if one is missed.

With words, only the parts whose names have one of them are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping

from benchmarks.casino import casino
from benchmarks.measure import Measured
from benchmarks.over_http import ratios
from benchmarks.sheets import sheets
from benchmarks.spades import spades
from benchmarks.spite import spite
from benchmarks.under_load import commands, memory, throughput, waits

PASSED, MISSED, NO_PEER = "ok", "MISSED", "the peer is not installed: make peers"
PARTS: Mapping[str, Callable[[], Iterator[Measured]]] = {
    "requests": ratios,
    "throughput": throughput,
    "waits": waits,
    "memory": memory,
    "commands": commands,
    "casino": casino,
    "spades": spades,
    "spite": spite,
    "sheets": sheets,
}


def main(words: list[str]) -> int:
    """Print the table; 1 comes back where a budget is missed, else 0."""
    missed = 0
    print(f"{'what':<62} {'seen':>7} {'budget':>9}  {'peer':<10}", flush=True)
    for name, part in PARTS.items():
        if words and not any(word in name for word in words):
            continue
        for row in part():
            missed += not row.kept
            seen = "-" if row.seen is None else f"{row.seen:.2f}"
            mark = NO_PEER if row.seen is None else PASSED if row.kept else MISSED
            print(f"{row.name:<62} {seen:>7} {row.sign} {row.budget:>6.2f}  {row.peer:<10} {mark}", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
