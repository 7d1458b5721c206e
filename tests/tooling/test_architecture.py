"""Imports go one way, and each outside library stays in the room that it was let into."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import marshmallow
import pytest

from companion.games import GAMES

ROOT = Path(__file__).parents[2]
ORDER = (
    "engine", "games", "data", "sheets", "rulebook", "describe", "library", "web", "serve", "mcp", "conformance", "cli",
    "__main__",
)  # fmt: skip
PURE = ("engine/", "games/", "sheets/event.py", "sheets/events.py", "sheets/group_events.py", "sheets/state.py")
ROOMS = {
    "flask": ("web/",),
    "apispec": ("web/api/",),
    "marshmallow": ("engine/", "games/", "sheets/", "describe.py", "web/api/"),
    "sqlalchemy": ("sheets/",),
    "alembic": ("sheets/",),
    "granian": ("serve.py",),
    "uvicorn": ("mcp.py",),
    "mcp": ("mcp.py",),
    "mcp_types": ("mcp.py",),
}
MODULES = sorted((ROOT / "companion").rglob("*.py"))


def _path(module: Path) -> str:
    return module.relative_to(ROOT / "companion").as_posix()


@cache
def _imports(module: Path) -> tuple[str, ...]:
    return tuple(_read_imports(module))


def _read_imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{_path(module)}: imports are written out in full"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _room(dotted: str) -> str | None:
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "companion" else None


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_imports_go_to_the_left(module: Path) -> None:
    own = module.relative_to(ROOT / "companion").parts[0].removesuffix(".py")
    if own == "__init__":
        return  # it imports nothing itself, see tests/library/test_facade.py
    rank = ORDER.index(own)
    wrong = {name for name in _imports(module) if (room := _room(name)) in ORDER and ORDER.index(room) > rank}
    assert not wrong


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_outside_libraries_stay_in_their_rooms(module: Path) -> None:
    path = _path(module)
    for name in _imports(module):
        outside = name.split(".")[0]
        assert outside not in ROOMS or path.startswith(ROOMS[outside]), f"{outside} in {path}"
        if path.startswith(PURE):
            known = outside in sys.stdlib_module_names or outside in ("companion", "marshmallow")
            assert known, f"{outside} in {path}"


def test_games_alone_load_no_third_party_module_but_marshmallow() -> None:
    folders = [str(ROOT), str(Path(marshmallow.__file__).parents[1])]
    program = "import companion.games; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {folders!r}; {program}"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert set(loaded) - set(sys.stdlib_module_names) - {"companion", "__main__"} <= {"marshmallow"}


def test_games_does_not_know_of_other_games() -> None:
    for module in (ROOT / "companion/games").glob("*/*.py"):
        foreign = {name for name in _imports(module) if name.startswith("companion.games.")}
        assert all(name.startswith(f"companion.games.{module.parent.name}") for name in foreign), module


# A short name must be a whole word: "pad" is in "keypad" and "padding".
NAMED = re.compile(
    "|".join(rf"(?<![a-z]){game}(?![a-z])" if len(game) < 5 else re.sub("[^a-z]", "[-_ ]?", game) for game in GAMES),
    re.IGNORECASE,
)
FOLDERS = {path.parent.name for path in (ROOT / "companion/games").glob("*/__init__.py")}
SHOWN = sorted(
    path
    for folder, kinds in (("companion", ("py", "js", "css")), ("templates", ("html",)))
    for kind in kinds
    for path in (ROOT / folder).rglob(f"*.{kind}")
    if not path.is_relative_to(ROOT / "companion/games")
)


def test_no_file_outside_the_games_names_a_game() -> None:
    naming = {
        f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"
        for path in SHOWN
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if NAMED.search(line)
    }
    assert not sorted(naming)


def test_no_module_outside_the_games_imports_the_inside_of_a_game() -> None:
    importing = {
        f"{module.relative_to(ROOT).as_posix()}: {name}"
        for module in MODULES
        if not module.is_relative_to(ROOT / "companion/games")
        for name in _imports(module)
        if name.split(".")[:2] == ["companion", "games"] and {*name.split(".")[2:]} & FOLDERS
    }
    assert not sorted(importing)


def test_a_name_of_a_game_would_be_found() -> None:
    assert NAMED.search("class SpadesRules:")
    assert NAMED.search("/rules/spite-and-malice")
    assert NAMED.search("from companion.games.spite_and_malice import x")
    assert NAMED.search("/rules/pad")
    assert not NAMED.search("in spite of the version")
    assert not NAMED.search("a keypad with padding")
