"""Measures every ratio and prints it beside its budget: `python -m benchmarks`. Exit status 1 where one is missed."""

from __future__ import annotations

import sys

from benchmarks.over_http import ratios

PASSED, MISSED = "ok", "MISSED"


def main() -> int:
    """Print the table."""
    missed = 0
    print(f"{'what':<58} {'seen':>7} {'budget':>8}")
    for ratio in ratios():
        missed += not ratio.kept
        mark = PASSED if ratio.kept else MISSED
        print(f"{ratio.name:<58} {ratio.seen:>7.2f} {ratio.sign}{ratio.budget:>6.2f}  {mark}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
