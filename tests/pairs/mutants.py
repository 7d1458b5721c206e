"""Change the program where two options meet, one change at a time, and report which changes the tests of pairs notice.

    python -m tests.pairs.mutants [--set N] [--work FOLDER] [--thorough | --both] [NUMBER ...]

The changes of `mutants.toml` are written into a copy of the tree. A short run asks what every run of the tests asks of
tables and deals drawn by lot: the tests of pairs, and the game's own oracles and second judges; then the game's cases.
A thorough one asks all tables once and five more rounds of the others, as `make soak` does; with `--both`, what
survives the short run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tomllib
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from time import monotonic

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ("companion", "tests", "rules_ja", "rules_en", "templates", "docs", "pyproject.toml")
OF_GAME = {
    "spades": "spades or calls_of_a_deal",
    "casino": "casino",
    "spite_and_malice": "spite",
}
"""Which tests ask about a game."""
OPTIONS = ["-q", "-x", "-p", "xdist.plugin", "-n", "0", "-p", "no:cacheprovider"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--set", type=int, default=0, help="the sample; without it all of them")
    parser.add_argument("--work", type=Path, default=ROOT / "build/pairs", help="where the tree is copied to")
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--trust", action="store_true", help="do not ask first whether all passes without a change")
    parser.add_argument("--both", action="store_true")
    chosen = parser.parse_args()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.rmtree(chosen.work / name, ignore_errors=True)
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, chosen.work / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, chosen.work / name)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # only xdist is needed, whose hook the tests use
    same = {"file": "spades/rules.py", "old": '"""The house rules of Spades', "new": '"""The house rules of Spades'}
    kinds = ["thorough"] if chosen.thorough else ["short", "thorough"] if chosen.both else ["short"]
    for kind in [] if chosen.trust else kinds:
        if noticed := is_noticed(chosen.work, same, thorough=kind == "thorough", games=OF_GAME):
            sys.exit(f"the tests fail without a change: {noticed}")
    for library in ("axe_playwright_python", "flask", "hypothesis", "marshmallow"):
        import_module(library)  # once for all runs
    killed = {"short": 0, "thorough": 0}
    mutants = tomllib.loads((Path(__file__).parent / "mutants.toml").read_text("utf-8"))["mutant"]
    for number, mutant in enumerate(mutants):
        if chosen.set in (0, mutant["set"]) and (not chosen.numbers or number in chosen.numbers):
            for kind in kinds:
                start = monotonic()
                try:
                    noticed = is_noticed(chosen.work, mutant, thorough=kind == "thorough")
                except ValueError as stale:
                    sys.stdout.write(f"{number} left out, as the program has changed: {stale}\n")
                    break
                word = f"killed by {noticed}" if noticed else "SURVIVED"
                game = mutant["file"].partition("/")[0]
                sys.stdout.write(f"{number} {game} {kind} {monotonic() - start:.0f} s: {word}\n")
                sys.stdout.flush()
                if noticed:
                    killed[kind] += 1
                    break
    sys.stdout.write(f"{killed}\n")


def is_noticed(work: Path, mutant: dict[str, str], *, thorough: bool, games: Iterable[str] = ()) -> str:
    """Return the first test that fails with a change; nothing where all pass. Raises ValueError for a stale change."""
    file = work / "companion/games" / mutant["file"]
    original = file.read_text("utf-8")
    if original.count(mutant["old"]) != 1:
        raise ValueError(f"{file}: {original.count(mutant['old'])} times {mutant['old']}")
    file.write_text(original.replace(mutant["old"], mutant["new"]), "utf-8")
    folders = list(games or [mutant["file"].partition("/")[0]])
    which = " or ".join(OF_GAME[game] for game in folders)
    once = ["--soak", "2", "-k", f"({which}) and not round1"] if thorough else ["-k", which]
    own = [f"tests/{game}" for game in folders]
    drawn = [*own, "-m", "soak", *(["--soak", "6"] if thorough else [])]
    first = ["tests/pairs/test_corpus.py", "tests/pairs/test_oracles.py"]
    others = ["tests/pairs", *(f"--ignore={file}" for file in first)]
    cases = [] if thorough else [[*own, "-m", "not soak"]]
    try:
        for arguments in ([*first, *once], drawn, [*others, *once], *cases):
            if noticed := in_child(work, [*OPTIONS, *arguments]):
                return noticed
    finally:
        file.write_text(original, "utf-8")
    return ""


def in_child(work: Path, arguments: list[str]) -> str:
    """Return the first test that fails in a process of its own, which has not imported the program yet."""
    said = work / "last-run.txt"
    child = os.fork()
    if not child:
        os.chdir(work)
        sys.path[:] = [str(work), *(folder for folder in sys.path if folder and Path(folder) != ROOT)]
        for name in [name for name in sys.modules if name.partition(".")[0] in ("companion", "tests")]:
            del sys.modules[name]
        sys.dont_write_bytecode = True
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        os._exit(int(pytest.main(arguments)))
    if not os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        return ""
    lines = said.read_text("utf-8").splitlines()
    return next((line for line in lines if line.startswith(("FAILED", "ERROR"))), "an error")


if __name__ == "__main__":
    main()
