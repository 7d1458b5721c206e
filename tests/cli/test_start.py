"""What a command costs before it does anything: what it loads, and its CPU time, with and without what is kept."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli import cli
from companion.games import GAMES

NEVER: Final = {
    "alembic", "apispec", "babel", "companion.describe", "companion.sheets", "companion.web", "flask", "granian",
    "mcp", "orjson", "segno", "sqlalchemy", "uvicorn",
}  # fmt: skip
"""Modules that no question of a table loads."""
QUESTIONS: Final = ("score", "check", "moves", "demand", "replay", "ask", "article", "rules")
BUDGETS: Final = {"score": 0.25, "check": 0.25, "rules": 0.25, "article": 0.4, "ask": 0.6}
ASK_WITH_NOTHING_KEPT: Final = 2.4
"""CPU seconds of a command on a machine that takes its yardstick's time for that; more where that takes more.

Before the families, a pad and help, a quarter more texts and options, this had 1.2: missed.
"""
YARDSTICK: Final = ("import click, marshmallow", 0.07)
LONG_YARDSTICK: Final = (
    """
import argparse, inspect, tokenize
kept = []
for module in (argparse, inspect) * 12:
    with open(module.__file__, "rb") as file:
        kept += [(each, {each.string: each.line}) for each in tokenize.tokenize(file.readline)]
""",
    2.2,
)
"""A program of the same kind and its CPU seconds; the long one uses as much memory as making an index of the search."""
TRIES: Final = 8
PROGRAM: Final = """
import sys
from companion.cli import main
try: main(sys.argv[1:])
except SystemExit as done: assert done.code != 2
print(*sys.modules, sep="\\n", file=sys.stderr)
"""
"""Runs a command, then names the modules that are loaded."""


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[str]]:
    """Return a command and its arguments, a request that a game gives as an example in a file."""
    folder = tmp_path_factory.mktemp("requests")

    def arguments(command: str, lang: str) -> list[str]:
        game = next((game for game in GAMES.values() if command in game.examples), None)
        given = {"ask": ["bags"], "article": ["spades.bags"], "rules": ["list"]}.get(command)
        if given is None:
            (folder / f"{command}.json").write_text(json.dumps({**game.examples[command], "game": game.id}), "utf-8")
            given = [str(folder / f"{command}.json")]
        return [command, *given, "--lang", lang]

    return arguments


@pytest.mark.parametrize("command", QUESTIONS)
def test_a_command_loads_no_more_than_it_needs(start: Callable[..., list[str]], command: str) -> None:
    program = [sys.executable, "-c", PROGRAM, *start(command, "ja")]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert done.stdout
    seen = set(done.stderr.splitlines())
    assert "marshmallow" in seen
    assert NEVER & seen == set()


def test_help_loads_nothing_of_the_commands() -> None:
    program = "import sys; from companion.cli import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert all(f"  {command} " in done.stdout for command in cli.commands)
    assert {"companion.engine", "companion.sheets", "marshmallow"} & set(done.stdout.split()) == set()


@pytest.mark.parametrize(("command", "budget"), BUDGETS.items())
def test_a_command_stays_within_its_cpu_time(start: Callable[..., list[str]], command: str, budget: float) -> None:
    _hold(start(command, "en"), budget, os.environ)


def test_a_question_is_answered_where_nothing_can_be_kept(start: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "file")}
    _hold(start("ask", "en"), ASK_WITH_NOTHING_KEPT, environment, LONG_YARDSTICK)


def _hold(
    arguments: list[str],
    budget: float,
    environment: dict[str, str] | os._Environ[str],
    yardstick: tuple[str, float] = YARDSTICK,
) -> None:
    """Compare the least of some runs: other work of the machine makes each longer, and none shorter."""
    environment = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", "from companion.cli import main; main()", *arguments]
    (program, usual), taken, now = yardstick, 9.0, 9.0
    for _ in range(TRIES):
        taken = min(taken, _cpu(command, environment))
        now = min(now, _cpu([sys.executable, "-c", program], environment))
        if taken <= budget * max(1, now / usual):
            return
    pytest.fail(f"{taken:.3f} s, the yardstick {now:.3f} s: {arguments}")


def _cpu(command: list[str], environment: dict[str, str]) -> float:
    """Return the CPU time of a program in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=False, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_what_help_shows_without_loading_it_is_so() -> None:
    from companion.rulebook.answers import KINDS
    from companion.sheets.store import DEFAULT_PLACE

    options: dict[str | None, Any] = {
        option.name: option for name in ("ask", "backup") for option in cli.commands[name].params
    }
    assert tuple(options["kind"].type.choices) == KINDS
    assert options["place"].default == DEFAULT_PLACE
