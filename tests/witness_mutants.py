"""Change the judges, one fault at a time, and report which faults the checkers of witnesses notice.

    python -m tests.witness_mutants [--set N] [--rounds N] [NUMBER ...]

A fault of `witness_mutants.toml` is put in place of a module's text when it is imported; nothing is written. Asked are
the published cases and the random positions of so many rounds of `make soak`. Exit status: how many faults survive.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from time import monotonic
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
MUTANTS = tomllib.loads((Path(__file__).parent / "witness_mutants.toml").read_text("utf-8"))["mutant"]


class Planted(MetaPathFinder):
    """Finds one module of a game with a fault in it."""

    def __init__(self, mutant: dict[str, str]) -> None:
        self.path, self.old, self.new = ROOT / "companion/games" / mutant["file"], mutant["old"], mutant["new"]
        if self.path.read_text("utf-8").count(self.old) != 1:
            raise ValueError(f"the program has changed: {self.old!r}")
        self.used = False

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.origin != str(self.path):
            return None
        self.used = True
        planted = self

        class Loader(SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return compile(planted.path.read_text("utf-8").replace(planted.old, planted.new), self.path, "exec")

        return ModuleSpec(name, Loader(name, str(self.path)), origin=spec.origin)


def asked(game: str, rounds: int) -> Iterator[Callable[[], object]]:
    """The tests of a game's witnesses: every published case, then rounds of random positions."""
    tests: Any = import_module(f"tests.{game}.test_witness")

    def ignore(**figures: int) -> None:
        """Take the place of the figures that a soak keeps."""

    if game == "spades":
        yield tests.test_every_vector_of_a_card_is_witnessed
        yield tests.test_positions_of_real_deals_are_never_refused
    for case in getattr(tests, "CASES", ()):
        yield partial(tests.test_every_published_verdict_is_shown_and_contradicted_by_no_distribution, case)
    for number in range(rounds):
        for name in (
            "test_every_verdict_is_shown_and_contradicted_by_no_distribution",
            "test_random_positions_are_witnessed",
            "test_every_contradiction_is_shown_by_the_fewest_facts",
        ):
            if hasattr(tests, name):
                yield partial(getattr(tests, name), number, ignore)


def notice(mutant: dict[str, str], rounds: int) -> str:
    """What notices a fault: a test, or an exception; nothing where all pass."""
    planted = Planted(mutant)
    sys.meta_path.insert(0, planted)
    game = mutant["file"].partition("/")[0]
    for test in asked(game, rounds):
        try:
            test()
        except Exception as found:
            return f"{type(found).__name__}: {str(found)[:150]}".replace("\n", " ")
    return "" if planted.used else "never imported"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--set", type=int, default=0, help="the sample; without it all of them")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--one", type=int, default=None, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one is not None:
        sys.stdout.write(notice(MUTANTS[chosen.one], chosen.rounds))
        return
    survived: Counter[str] = Counter()
    for number, mutant in enumerate(MUTANTS):
        if chosen.set not in (0, mutant["set"]) or (chosen.numbers and number not in chosen.numbers):
            continue
        start, command = monotonic(), [sys.executable, "-m", "tests.witness_mutants", "--rounds", str(chosen.rounds)]
        done = subprocess.run([*command, "--one", str(number)], cwd=ROOT, capture_output=True, text=True)
        noticed = done.stdout or (done.stderr[-150:] if done.returncode else "")
        survived[mutant["file"].partition("/")[0]] += not noticed
        word = f"noticed by {noticed}" if noticed else "SURVIVED"
        sys.stdout.write(f"{number} {mutant['file']} {monotonic() - start:.0f} s: {word}\n")
        sys.stdout.flush()
    sys.stdout.write(f"survived: {dict(survived)}\n")
    sys.exit(survived.total())


if __name__ == "__main__":
    main()
