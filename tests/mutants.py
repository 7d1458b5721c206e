"""Change the pure layers in small ways, one at a time, and report which changes the tests notice.

    python -m tests.mutants run RESULTS [FILE ...]    test a sample of the mutants of these files, and note each outcome
    python -m tests.mutants again RESULTS             test those that survived once more, against the tests as they are
    python -m tests.mutants report RESULTS            print the score as a Markdown table

The mutants are those of mutmut's operators, inside functions and methods. They are written into a copy of the tree
rather than switched by mutmut's trampolines: caches and everything else that is computed at import see the mutant too.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from math import ceil, sqrt
from pathlib import Path
from time import process_time
from typing import Any, Final

import libcst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import create_mutations

ROOT: Final = Path(__file__).parents[1]
COPIED: Final = ("companion", "tests", "rules_ja", "rules_en", "templates", "docs", "pyproject.toml")
MUTATED: Final = ("companion/engine", "companion/games")
TESTS: Final = (
    "tests/engine",
    "tests/spades",
    "tests/casino",
    "tests/spite_and_malice",
    "tests/referee",
    "tests/learn",
    "tests/groups",
    "tests/keeper",
)
GAMES: Final = {"spades": "spades", "casino": "casino", "spite_and_malice": "spite-and-malice"}
"""Folders of games, and the ids of their snapshots."""
PAGES: Final = {
    "asks": "tests/referee",
    "questions": "tests/referee",
    "dialogue": "tests/referee",
    "scene": "tests/referee",
    "teach": "tests/learn",
    "lessons": "tests/learn",
    "evenings": "tests/groups",
    "entry": "tests/keeper",
}
"""Some parts of a game are tested through the pages that show them."""
DOCUMENT: Final = "tests/api/test_snapshot.py"
"""What survives everything else is looked for in the document of the API, which shows descriptions and ranges."""
OPTIONS: Final = ["-q", "-x", "-p", "xdist.plugin", "-p", "no:cacheprovider"]
QUICK: Final = "not postgres and not browser and not soak and not slow"
THOROUGH: Final = "not postgres and not browser and not soak"
SEED: Final = 53
OUTCOMES: Final = {
    0: "survived",
    pytest.ExitCode.TESTS_FAILED: "killed",
    pytest.ExitCode.INTERRUPTED: "killed",  # it cannot be imported
    -signal.SIGXCPU: "timeout",
    -signal.SIGKILL: "timeout",
}
KILLED: Final = ("killed", "timeout")
Results = dict[str, Any]


@dataclass(frozen=True)
class Mutant:
    """One change of one file, named by what it changes, so that changes elsewhere leave the sample as it is."""

    path: str
    function: str
    line: int
    before: str
    after: str
    number: int
    """Counts the equal changes within one function."""

    def key(self, seed: int) -> str:
        """Return where the mutant is in the random order of a seed."""
        parts = (seed, self.path, self.function, self.before, self.after, self.number)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "again", "report"))
    parser.add_argument("results", type=Path)
    parser.add_argument("files", nargs="*", default=[str(file) for folder in MUTATED for file in _modules(folder)])
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the random order (default: {SEED})")
    parser.add_argument("--count", type=int, default=300, help="of mutants, the first of that order (default: 300)")
    parser.add_argument("--seconds", type=float, default=8, help="of each kind of tests (default: 8)")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutants", help="where the tree is copied to")
    chosen = parser.parse_args()
    results = json.loads(chosen.results.read_text("utf-8")) if chosen.results.exists() else {"of": {}, "mutants": {}}
    if chosen.command == "report":
        sys.stdout.write("\n".join(report(results)) + "\n")
        return
    chosen.results = chosen.results.resolve()
    copy_tree(chosen.work.resolve())
    run(chosen, results)


def copy_tree(copy: Path) -> None:
    """Copy what the tests need and work there from now on."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.rmtree(copy / name, ignore_errors=True)
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    os.chdir(copy)
    os.environ["CI"] = "true"  # hypothesis, when it is imported, takes the same examples every time and any time
    for library in ("axe_playwright_python", "flask", "hypothesis", "marshmallow"):
        import_module(library)  # once for all runs
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # only xdist is needed, whose hook the tests use


def run(chosen: argparse.Namespace, results: Results) -> None:
    """Test the sample, or its survivors again; write the results after every mutant.

    The sample is a random order of all mutants, so that what is tested of it is a sample at any time.
    """
    again = chosen.command == "again"
    tests = Tests(chosen.seconds, thorough=again)
    if again:
        keys = [key for key, former in results["mutants"].items() if former["outcome"] not in KILLED]
        places = {key: results["mutants"][key]["path"] for key in keys}
    else:
        places = {mutant.key(chosen.seed): path for path in chosen.files for mutant, _ in read_mutants(path)}
        for path in chosen.files:
            results["of"][path] = sum(place == path for place in places.values())
        keys = [key for key in sorted(places)[: chosen.count] if key not in results["mutants"]]
    for path in {_game(places[key]): places[key] for key in keys}.values():
        if tests.outcome(path, Path(path).read_text("utf-8")) != "survived":
            sys.exit(f"The tests for {path} fail without any mutant, see last-run.txt")
    for key in keys:
        found = next((each for each in read_mutants(places[key]) if each[0].key(chosen.seed) == key), None)
        if found is None:
            continue  # the code has changed since
        mutant, build = found
        outcome = tests.outcome(mutant.path, build())
        results["mutants"][key] = {**asdict(mutant), "outcome": outcome}
        chosen.results.write_text(json.dumps(results, indent=1, ensure_ascii=False), "utf-8")
        sys.stdout.write(f"{outcome} {key} {mutant.path}:{mutant.line} {mutant.function}\n")
        if outcome not in KILLED:
            sys.stdout.write("".join(_difference(mutant)))
        sys.stdout.flush()


def read_mutants(path: str) -> Iterator[tuple[Mutant, Callable[[], str]]]:
    """Return every mutant inside the functions and methods of a file, and what builds the mutated file."""
    module, mutations, _classes, _functions = create_mutations(path, Path(path).read_text("utf-8"))
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    counted: dict[tuple[str, str, str], int] = {}
    for mutation in mutations:
        function, original, mutated = (
            mutation.contained_by_top_level_function, mutation.original_node, mutation.mutated_node,
        )  # fmt: skip
        if not isinstance(function, libcst.FunctionDef):
            continue
        change = (function.name.value, module.code_for_node(original), module.code_for_node(mutated))
        counted[change] = counted.get(change, 0) + 1
        line = (positions.get(original) or positions[function]).start.line
        mutant = Mutant(path, change[0], line, change[1], change[2], counted[change])
        yield mutant, partial(_changed, module, original, mutated)


def _changed(module: libcst.Module, original: Any, mutated: Any) -> str:
    changed: Any = module.deep_replace(original, mutated)
    return str(changed.code)


class Tests:
    """What the tests make of a mutant."""

    def __init__(self, limit: float, *, thorough: bool) -> None:
        """Begin no test of a kind after `limit` seconds of processor time.

        With `thorough`, slow tests are asked as well, and what survives meets the document of the API, what of the
        engine the tests of all games, what of a game those of the engine and of the pages.
        """
        self._limit = limit
        self._thorough = thorough
        self._files = {str(file) for folder in TESTS for file in Path(folder).rglob("test_*.py")}
        _in_child(lambda: pytest.main([*OPTIONS, "--collect-only", "tests/snapshots", *TESTS]), 600)  # compiles them
        sys.dont_write_bytecode = True

    def outcome(self, path: str, source: str) -> str:
        """Return killed, timeout or survived: what the tests make of a file with this source."""
        file = Path(path)
        original = file.read_text("utf-8")
        file.write_text(source, "utf-8")
        try:
            status = _in_child(lambda: self._run(path), ceil(40 + 6 * self._limit))
        finally:
            file.write_text(original, "utf-8")
        if status not in OUTCOMES:
            sys.exit(f"status {status} of pytest, see {Path.cwd()}/last-run.txt")
        return OUTCOMES[status]

    def _run(self, path: str) -> int:
        """Repeat the snapshots; run the tests that import a file, then others of its pages, its game or the engine."""
        if not _repeats(path):
            return pytest.ExitCode.TESTS_FAILED
        module = path.removesuffix(".py").replace("/", ".")
        direct = {file for file in self._files if f"from {module} import" in Path(file).read_text("utf-8")}
        near = {file for part, tests in PAGES.items() if f"/{part}" in path for file in self._in(tests)}
        near = (near | self._in(f"tests/{_game(path)}")) - direct
        status = self._run_some(direct) or self._run_some(near)
        if not self._thorough:
            return status
        far = self._files if _game(path) == "engine" else self._in("tests/engine") | self._in("tests/referee")
        return status or self._run_some(far - direct - near) or pytest.main([*OPTIONS, DOCUMENT])

    def _in(self, folder: str) -> set[str]:
        return {file for file in self._files if file.startswith(f"{folder}/")}

    def _run_some(self, files: set[str]) -> int:
        chosen = ["-m", THOROUGH if self._thorough else QUICK, *sorted(files)]
        status = pytest.main([*OPTIONS, *chosen], plugins=[_Limit(self._limit)]) if files else 0
        return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status


def _repeats(path: str) -> bool:
    """Return whether a game, or for the engine every game, repeats its snapshots: the quickest of all tests."""
    try:
        snapshots, games = import_module("tests.snapshots.test_snapshots"), import_module("companion.games").GAMES
        for id in [GAMES[_game(path)]] if _game(path) in GAMES else list(GAMES.values()):
            for name, part in snapshots.PARTS.items():
                for line in snapshots.file_of(id, name).read_text("utf-8").splitlines():
                    record = json.loads(line)
                    if json.loads(snapshots.line_of(part.repeated(games[id], record))) != record:
                        return False
    except Exception:  # whatever a mutant raises
        return False
    return True


class _Limit:
    """A pytest plugin that begins no test after some seconds; the tests come in a random order, always the same."""

    def __init__(self, seconds: float) -> None:
        self._end = process_time() + seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: hashlib.sha256(item.nodeid.encode()).digest())

    def pytest_runtest_setup(self) -> None:
        if process_time() > self._end:
            pytest.skip("out of time")


def _in_child(work: Callable[[], int], seconds: int) -> int:
    """Run a function in a process of its own that has not imported the program yet.

    Returns its status, or the negative number of the signal that ended it. `seconds` is a limit of processor time.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("companion", "tests")]:
        del sys.modules[name]
    sys.path[:] = [os.getcwd(), *(folder for folder in sys.path if folder and Path(folder) != ROOT)]
    silent = os.open("last-run.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    status = 99
    try:
        status = int(work())
    finally:
        os._exit(status)


def report(results: Results) -> Iterator[str]:
    """Return the lines of a table of outcomes by folder; the score of all is weighted by the size of the folders."""
    yield "| folder | mutants | tested | killed | score |"
    yield "|---|---:|---:|---:|---:|"
    sizes: dict[str, int] = {}
    outcomes: dict[str, list[bool]] = {}
    for path, size in results["of"].items():
        sizes[_folder(path)] = sizes.get(_folder(path), 0) + size
    for mutant in results["mutants"].values():
        outcomes.setdefault(_folder(mutant["path"]), []).append(mutant["outcome"] in KILLED)
    for folder in [*sizes, None]:
        strata = [(sizes[one], outcomes.get(one, [])) for one in sizes if folder in (one, None)]
        score, margin = estimate(strata)
        tested, killed = (sum(measure(found) for _, found in strata) for measure in (len, sum))
        size = sum(size for size, _ in strata)
        yield f"| {folder or '**all**'} | {size:,} | {tested} | {killed} | {score:.1%} ± {margin:.1%} |"


def estimate(strata: list[tuple[int, list[bool]]]) -> tuple[float, float]:
    """Return the share killed in a stratified sample, (mutants, outcomes), and half its 95 % interval."""
    strata = [(size, outcomes) for size, outcomes in strata if outcomes]
    whole = sum(size for size, _ in strata)
    share = variance = 0.0
    for size, outcomes in strata:
        tested, weight = len(outcomes), size / whole
        share += weight * sum(outcomes) / tested
        guess = (sum(outcomes) + 1) / (tested + 2)  # a few mutants that are all killed still leave a doubt
        variance += weight**2 * (1 - tested / size) * guess * (1 - guess) / tested
    return share, 1.96 * sqrt(variance)


def _folder(path: str) -> str:
    return "/".join(path.split("/")[1 : 3 if path.count("/") > 2 else 2])


def _game(path: str) -> str:
    return path.split("/")[2] if path.startswith("companion/games/") and path.count("/") > 2 else "engine"


def _modules(folder: str) -> Iterator[Path]:
    return (file.relative_to(ROOT) for file in sorted((ROOT / folder).rglob("*.py")))


def _difference(mutant: Mutant) -> Iterator[str]:
    lines = difflib.ndiff(mutant.before.splitlines(), mutant.after.splitlines())
    return (f"    {line.rstrip()}\n" for line in lines if not line.startswith("?"))


if __name__ == "__main__":
    main()
