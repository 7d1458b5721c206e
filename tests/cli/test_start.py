"""What a command costs before it does anything: what it loads and compiles, and its CPU time beside Python's own."""

from __future__ import annotations

import builtins
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli import COMMANDS, main
from companion.games import GAMES
from companion.library import quick

NEVER: Final = {
    "alembic", "apispec", "babel", "companion.library.facade", "companion.sheets", "companion.web", "email.utils",
    "flask", "granian", "jinja2", "mcp", "orjson", "segno", "sqlalchemy", "tomllib", "uvicorn",
}  # fmt: skip
"""Modules that no question of a table loads when it is asked again."""
QUESTIONS: Final = ("score", "check", "moves", "demand", "replay", "ask", "article", "rules")
TIMES: Final = 22
"""How many times the CPU time of an empty program a command may take: less than 0.3 s where that takes 14 ms."""
PROGRAM: Final = """
import builtins, re, sys
from companion.cli import main
compiled, compile_text, parse = [], builtins.compile, re._parser.parse
def compile_noted(text, *arguments, **named):
    compiled.extend(["method"] if "__create_fn__" in str(text) else [])
    return compile_text(text, *arguments, **named)
def parse_noted(pattern, *arguments):
    compiled.append(pattern)
    return parse(pattern, *arguments)
builtins.compile, re._parser.parse = compile_noted, parse_noted
try: main(sys.argv[1:])
except SystemExit as done: assert done.code != 2
print(*sys.modules, *(f"compiled: {text!r}" for text in compiled), sep="\\n", file=sys.stderr)
"""
"""Runs a command, then names the modules that are loaded, and what methods and expressions had to be compiled."""


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


@pytest.mark.parametrize("command", QUESTIONS)
def test_a_command_loads_and_compiles_no_more_than_it_needs(start: Callable[..., list[str]], command: str) -> None:
    program = [sys.executable, "-c", PROGRAM, *start(command, "ja")]
    for _ in range(2):  # what the first compiles is kept for the second
        done = subprocess.run(program, capture_output=True, text=True, check=True, env=_environment())
    assert done.stdout
    seen = done.stderr.splitlines()
    assert {f"companion.cli.{COMMANDS[command][0]}", "marshmallow"} <= set(seen)
    assert NEVER & set(seen) == set()
    assert [line for line in seen if line.startswith("compiled: ")] == []


def test_methods_and_expressions_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[object] = []

    def noted(compile_now: Callable[..., Any]) -> Callable[..., Any]:
        def compile_noted(text: object, *arguments: object) -> Any:
            compiled.append(text)
            return compile_now(text, *arguments)

        return compile_noted

    monkeypatch.setattr(quick, "_HERE", tmp_path / "quick.py")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(builtins, "compile", noted(builtins.compile))
    monkeypatch.setattr(re._parser, "parse", noted(re._parser.parse))
    pattern, found = r"(?P<bid>[一-鿿]+)\d(?:x|y)*?", []
    for _ in range(2):
        re.purge()
        with quick.compiled_once("score"):
            found.append((make_dataclass("Score", [("points", int)], frozen=True), re.compile(pattern, re.IGNORECASE)))
    (first, one), (again, other) = found
    assert len(compiled) == len({*compiled}) > 4
    assert (repr(again(3)), hash(again(3)), again(3) == again(3)) == (repr(first(3)), hash(first(3)), True)
    assert one == other
    assert one.match("勝1X").groupdict() == other.match("勝1X").groupdict() == {"bid": "勝"}


def test_threads_do_not_mix_what_they_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "_HERE", tmp_path / "quick.py")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    patterns = [f"(?P<a{number}>x{{{number},}})" for number in range(200)]
    for _ in range(2):
        re.purge()
        with quick.compiled_once("score"), ThreadPoolExecutor(8) as pool:
            assert [each.pattern for each in pool.map(re.compile, patterns)] == patterns


def test_a_server_compiles_as_any_program_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.compiled_once", None)
    main(["serve", "--help"])
    assert "--port" in capsys.readouterr().out
    with pytest.raises(TypeError):
        main(["score", "--help"])


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
