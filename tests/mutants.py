"""Change the pure layers in small ways, one at a time, and report which changes the tests notice.

    python -m tests.mutants run RESULTS [FILE ...]    test a sample of the mutants of these files, and note each outcome
    python -m tests.mutants again RESULTS [FILE ...]  test those that survived once more, against the tests as they are
    python -m tests.mutants report RESULTS            print the score as a Markdown table

The mutants are those of mutmut's operators, inside functions and methods. They are written into a copy of the tree
rather than switched by mutmut's trampolines: caches and everything else that is computed at import see the mutant too.
How long each test takes is measured once and kept in `build/mutants`, beside the copy.
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
    "tests/keeper",
    "tests/snapshots",
)
PAGES: Final = {"asks": "tests/referee", "entry.py": "tests/keeper"}
"""Questions of a game are tested through the pages that show them."""
DOCUMENT: Final = "tests/api/test_snapshot.py"
"""What survives everything else is looked for in the document of the API, which shows descriptions and ranges."""
OPTIONS: Final = [
    "-q",
    "-p",
    "xdist.plugin",
    "-p",
    "no:cacheprovider",
    "-m",
    "not postgres and not browser and not soak",
]
SEED: Final = 29
OUTCOMES: Final = {
    0: "survived",
    pytest.ExitCode.TESTS_FAILED: "killed",
    pytest.ExitCode.INTERRUPTED: "killed",  # it cannot be imported
    -signal.SIGXCPU: "timeout",
    -signal.SIGKILL: "timeout",
}
KILLED: Final = ("killed", "timeout")
TIMES: Final = Path("seconds.json")


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

    @property
    def key(self) -> str:
        parts = (SEED, self.path, self.function, self.before, self.after, self.number)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "again", "report"))
    parser.add_argument("results", type=Path)
    parser.add_argument("files", nargs="*", default=[str(file) for folder in MUTATED for file in _modules(folder)])
    parser.add_argument("--share", type=float, default=0.015, help="of the mutants of a file (default: 0.015)")
    parser.add_argument("--least", type=int, default=8, help="mutants of a file, where it has so many (default: 8)")
    parser.add_argument("--seconds", type=float, default=25, help="of tests for each mutant (default: 25)")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutants", help="where the tree is copied to")
    chosen = parser.parse_args()
    results = json.loads(chosen.results.read_text("utf-8")) if chosen.results.exists() else {}
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


def run(chosen: argparse.Namespace, results: dict[str, Any]) -> None:
    """Test the sample of each file; write the results after every mutant."""
    tests = Tests(chosen.seconds, thorough=chosen.command == "again")
    for path in {_game(path): path for path in chosen.files}.values():
        if tests.outcome(path, Path(path).read_text("utf-8")) != "survived":
            sys.exit(f"The tests for {path} fail without any mutant, see last-run.txt")
    for path in chosen.files:
        mutants = dict(sorted((mutant.key, (mutant, build)) for mutant, build in read_mutants(path)))
        sample = list(mutants)[: max(chosen.least, round(len(mutants) * chosen.share))]
        former = results.get(path, {}).get("mutants", {})
        results[path] = {"of": len(mutants), "mutants": {key: former[key] for key in sample if key in former}}
        for key in sample:
            if key in former and (chosen.command == "run" or former[key]["outcome"] in KILLED):
                continue
            mutant, build = mutants[key]
            outcome = tests.outcome(path, build())
            results[path]["mutants"][key] = {**asdict(mutant), "outcome": outcome}
            chosen.results.write_text(json.dumps(results, indent=1, ensure_ascii=False), "utf-8")
            sys.stdout.write(f"{outcome} {key} {path}:{mutant.line} {mutant.function}\n")
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
    """The tests with the time that each takes, and what they make of a mutant."""

    def __init__(self, limit: float, *, thorough: bool) -> None:
        """Take at most `limit` seconds of tests for one mutant; time the files first that never were.

        With `thorough`, what survives meets the document of the API as well, what of the engine the tests of all games,
        what of a game those of the engine and of the pages.
        """
        self._limit = limit
        self._thorough = thorough
        self._files = {str(file) for folder in TESTS for file in Path(folder).rglob("test_*.py")}
        self._seconds: dict[str, float] = json.loads(TIMES.read_text("utf-8")) if TIMES.exists() else {}
        new = self._files - set(map(_file, self._seconds))
        _in_child(lambda: pytest.main([*OPTIONS, "--collect-only", *TESTS]))  # keeps the compiled files
        _in_child(lambda: pytest.main([*OPTIONS, *sorted(new)], plugins=[_Timing(self._seconds)]) if new else 0)
        self._seconds = json.loads(TIMES.read_text("utf-8"))
        sys.dont_write_bytecode = True

    def outcome(self, path: str, source: str) -> str:
        """Return killed, timeout or survived: what the tests make of a file with this source."""
        file = Path(path)
        original = file.read_text("utf-8")
        file.write_text(source, "utf-8")
        try:
            status = _in_child(lambda: self._run(path), seconds=ceil(20 + 3 * self._limit))
        finally:
            file.write_text(original, "utf-8")
        if status not in OUTCOMES:
            sys.exit(f"status {status} of pytest, see {TIMES.parent.resolve()}/last-run.txt")
        return OUTCOMES[status]

    def _run(self, path: str) -> int:
        """Run the tests that import a file, the snapshots, those of its pages, its game or the engine, the rest."""
        module = path.removesuffix(".py").replace("/", ".")
        direct = {file for file in self._files if f"from {module} import" in Path(file).read_text("utf-8")}
        pages = {file for part, tests in PAGES.items() if f"/{part}" in path for file in self._in(tests)} - direct
        whole = self._in("tests/snapshots") - direct
        near = self._in(f"tests/{_game(path)}") - direct
        status = 0
        for files in (direct, whole, pages, near):
            status = status or self._run_some(files, self._limit)
        if not self._thorough:
            return status
        far = self._files if _game(path) == "engine" else self._in("tests/engine") | self._in("tests/referee")
        far -= direct | whole | pages | near
        return status or self._run_some(far, self._limit) or pytest.main(["-x", *OPTIONS, DOCUMENT])

    def _in(self, folder: str) -> set[str]:
        return {file for file in self._files if file.startswith(f"{folder}/")}

    def _run_some(self, files: set[str], limit: float) -> int:
        timed = {test: seconds for test, seconds in self._seconds.items() if _file(test) in files}
        chosen = list(_within(sorted(timed, key=timed.__getitem__), timed, limit))
        used = sorted(set(map(_file, chosen)))
        return pytest.main(["-x", *OPTIONS, *used], plugins=[_Choosing(chosen, set(timed))]) if used else 0


class _Timing:
    """A pytest plugin that notes how much processor time each test takes; a test that fails is never chosen."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.seconds[nodeid] = -process_time()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.seconds[report.nodeid] = float("inf")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.seconds[nodeid] += process_time() + 0.01  # what pytest takes around a test

    def pytest_sessionfinish(self) -> None:
        TIMES.write_text(json.dumps(self.seconds), "utf-8")


class _Choosing:
    """A pytest plugin that runs tests that were never timed, then the chosen ones in their order."""

    def __init__(self, chosen: list[str], timed: set[str]) -> None:
        self.places = dict.fromkeys(timed) | {test: place for place, test in enumerate(chosen)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        places = {item: self.places.get(item.nodeid, -1) for item in items}
        items[:] = sorted((item for item in items if places[item] is not None), key=lambda item: places[item])


def _in_child(work: Callable[[], int], *, seconds: int = 3600) -> int:
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


def report(results: dict[str, Any]) -> Iterator[str]:
    """Return the lines of a table of outcomes by folder; the score is weighted by the size of the files."""
    yield "| folder | mutants | tested | killed | score |"
    yield "|---|---:|---:|---:|---:|"
    folders: dict[str, list[dict[str, Any]]] = {}
    for path, result in results.items():
        folders.setdefault("/".join(path.split("/")[1 : 3 if "/games/" in path else 2]), []).append(result)
    for folder, found in [*folders.items(), ("**all**", list(results.values()))]:
        score, margin = estimate([(r["of"], [m["outcome"] in KILLED for m in r["mutants"].values()]) for r in found])
        outcomes = [m["outcome"] in KILLED for r in found for m in r["mutants"].values()]
        mutants = sum(r["of"] for r in found)
        yield f"| {folder} | {mutants:,} | {len(outcomes)} | {sum(outcomes)} | {score:.1%} ± {margin:.1%} |"


def estimate(files: list[tuple[int, list[bool]]]) -> tuple[float, float]:
    """Return the share killed in a stratified sample, (mutants of a file, outcomes), and half its 95 % interval."""
    files = [(size, outcomes) for size, outcomes in files if outcomes]
    whole = sum(size for size, _ in files)
    share = variance = 0.0
    for size, outcomes in files:
        tested, weight = len(outcomes), size / whole
        killed = sum(outcomes) / tested
        share += weight * killed
        if tested > 1:
            guess = (sum(outcomes) + 1) / (tested + 2)  # a few mutants that are all killed still leave a doubt
            variance += weight**2 * (1 - tested / size) * guess * (1 - guess) / (tested - 1)
    return share, 1.96 * sqrt(variance)


def _within(tests: list[str], seconds: dict[str, float], limit: float) -> Iterator[str]:
    """Return the tests until their time is used up."""
    for test in tests:
        limit -= seconds[test]
        if limit < 0:
            return
        yield test


def _game(path: str) -> str:
    return path.split("/")[2] if path.startswith("companion/games/") and path.count("/") > 2 else "engine"


def _file(test: str) -> str:
    return test.partition("::")[0]


def _modules(folder: str) -> Iterator[Path]:
    return (file.relative_to(ROOT) for file in sorted((ROOT / folder).rglob("*.py")))


def _difference(mutant: Mutant) -> Iterator[str]:
    lines = difflib.ndiff(mutant.before.splitlines(), mutant.after.splitlines())
    return (f"    {line.rstrip()}\n" for line in lines if not line.startswith("?"))


if __name__ == "__main__":
    main()
