"""Measures every cost and prints it beside its budget: `python -m benchmarks`. Exit status 1 where one is missed."""

from __future__ import annotations

import itertools
import sys

from benchmarks.games import verdicts
from benchmarks.over_http import ratios
from benchmarks.sheets import sheets
from benchmarks.under_load import waits

PASSED, MISSED = "ok", "MISSED"


def main() -> int:
    """Print the table; 1 comes back where a budget is missed, else 0."""
    missed = 0
    print(f"{'what':<58} {'seen':>7} {'budget':>8}", flush=True)
    for measured in itertools.chain(ratios(), verdicts(), sheets(), waits()):
        missed += not measured.kept
        mark = PASSED if measured.kept else MISSED
        print(f"{measured.name:<58} {measured.seen:>7.2f} {measured.sign}{measured.budget:>6.2f}  {mark}", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
