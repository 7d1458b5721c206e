"""What a command costs before it does anything: what it loads and compiles, and its CPU time beside Python's own."""

from __future__ import annotations

import builtins
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli import COMMANDS
from companion.games import GAMES
from companion.library import quick

NEVER: Final = {
    "alembic", "apispec", "babel", "companion.library.facade", "companion.sheets", "companion.web", "email.utils",
    "flask", "jinja2", "mcp", "orjson", "segno", "sqlalchemy", "tomllib", "uvicorn",
}  # fmt: skip
"""Modules that no question of a table loads when it is asked again."""
TIMES: Final = 22
"""How many times the CPU time of an empty program a command may take: less than 0.3 s where that takes 14 ms."""
PROGRAM: Final = """
import builtins, sys
from companion.cli import main
generated, compile = [], builtins.compile
def noted(text, *arguments, **named):
    if "__create_fn__" in str(text):
        generated.append(text.split("def ")[2].split(":")[0])
    return compile(text, *arguments, **named)
builtins.compile = noted
try: main(sys.argv[1:])
except SystemExit as done: assert done.code != 2
print(*sys.modules, *(f"generated: {text}" for text in generated), sep="\\n", file=sys.stderr)
"""
"""Runs a command, then names the modules that are loaded, and the methods of dataclasses that had to be compiled."""


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


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@pytest.mark.parametrize("command", ["score", "check", "moves", "demand", "replay", "rules"])
def test_a_command_loads_and_compiles_no_more_than_it_needs(start: Callable[..., list[str]], command: str) -> None:
    program = [sys.executable, "-c", PROGRAM, *start(command, "ja")]
    for _ in range(2):
        done = subprocess.run(program, capture_output=True, text=True, check=True, env=_environment())
    assert done.stdout
    seen = done.stderr.splitlines()
    assert {f"companion.cli.{COMMANDS[command][0]}", "marshmallow"} <= set(seen)
    assert NEVER & set(seen) == set()
    assert [line for line in seen if line.startswith("generated: ")] == []


def test_methods_of_dataclasses_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def noted(text: str, *arguments: Any, **named: Any) -> Any:
        compiled.append(text)
        return compile_now(text, *arguments, **named)

    compile_now = builtins.compile
    monkeypatch.setattr(quick, "_HERE", tmp_path / "quick.py")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(builtins, "compile", noted)
    made = []
    for _ in range(2):
        with quick.kept_methods("score"):
            made.append(make_dataclass("Score", [("points", int)], frozen=True))
    first, again = made
    assert len(compiled) == len({*compiled}) > 3
    assert all("__create_fn__" in text for text in compiled)
    assert (repr(again(3)), again(3) == again(3), again(3) == first(3)) == (repr(first(3)), True, False)
    assert len({*map(hash, (again(3), first(3)))}) == 1


def test_help_loads_no_command() -> None:
    program = "import sys; from companion.cli import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert all(f"  {command} " in done.stdout for command in COMMANDS)
    modules = {module for module, _ in COMMANDS.values()}
    assert {f"companion.cli.{module}" for module in modules} & set(done.stdout.split()) == set()
    assert "marshmallow" not in done.stdout.split()


def test_a_command_takes_a_quarter_of_a_second_at_most(start: Callable[..., list[str]]) -> None:
    """The least of some pairs counts: other work of the machine makes both longer, and neither shorter."""
    commands = [
        [sys.executable, "-c", "from companion.cli import main; main()", *start(command, "en")]
        for command in ("score", "replay")
    ]
    empty = min(_cpu([sys.executable, "-c", "pass"]) for _ in range(5))
    for command in commands:
        taken = min(_cpu(command) for _ in range(4))
        assert taken < TIMES * empty, f"{taken:.3f} s, an empty program {empty:.3f} s: {command}"


def _cpu(command: list[str]) -> float:
    """Return the CPU time of a program in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=False, env=_environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
