"""Write every generated file anew: `python -m tests.renew`. Read the difference before you commit it.

The snapshots of answers and entries have a command of their own, `python -m tests.snapshots`: a change there is a
change of what a game answers.
"""

from __future__ import annotations

import runpy

GENERATED = (
    "tests.api.test_example_responses",
    "tests.api.test_problem_examples",
    "tests.api.test_snapshot",
    "tests.library.test_types",
    "tests.api.test_games_page",
)

if __name__ == "__main__":
    for module in GENERATED:
        runpy.run_module(module, run_name="__main__")
