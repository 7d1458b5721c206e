"""Everything that is imported is named in pyproject.toml, and the base needs no web server."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.library.test_facade import BASE

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = packages_distributions()
NAMED = {"flask-swagger-ui", "psycopg"}
"""Used by their names: files that are served, what a server or a database address asks for."""
TOOLS = {
    "build",
    "editables",
    "hatchling",
    "mypy",
    "openapi-python-client",
    "pdoc",
    "pytest-playwright",
    "pytest-xdist",
    "ruff",
}
"""Run, or loaded by pytest."""
ELSEWHERE = {"fastapi", "libcst", "mutmut", "pydantic", "pyspiel", "textarena"}
"""Installed by `make peers` and `make mutants` only."""
ROOMS = ("companion/web/", "companion/sheets/", "companion/serve.py")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def named(extra: str | None = None) -> set[str]:
    """The distributions that the project names for an extra, those of the extras in it included; None is the base."""
    lines = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    found: set[str] = set()
    for line in lines:
        if inner := re.fullmatch(r"card-table-companion\[(.*)\]", line):
            found |= {name for each in inner[1].split(",") for name in named(each)}
        else:
            found.add(normal(re.match(r"[\w.-]+", line)[0]))
    return found


@cache
def imported(*folders: str) -> list[tuple[str, str]]:
    """Every third-party distribution that a module imports, with the module's path."""
    return list(_imported(*folders))


def _imported(*folders: str) -> Iterator[tuple[str, str]]:
    for path in (file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for top in {name.partition(".")[0] for name in names}:
                if (
                    top
                    and top not in sys.stdlib_module_names
                    and top not in ("companion", "tests", "benchmarks", "phone")
                ):
                    yield normal(DISTRIBUTIONS.get(top, [top])[0]), where


def test_what_the_base_imports_is_named_in_the_base() -> None:
    optional = (*ROOMS, "companion/mcp.py", "companion/cli.py")
    found = {name for name, where in imported("companion") if not where.startswith(optional)}
    assert found == named() - {"click"}
    assert {name for name, where in imported("companion") if where == "companion/cli.py"} == {"click"}


def test_what_an_extra_imports_is_named_in_it_and_nothing_else_is() -> None:
    web = {name for name, where in imported("companion") if where.startswith(ROOMS)}
    assert web - named() == named("web") - NAMED
    tools = {name for name, where in imported("companion") if where == "companion/mcp.py"}
    assert tools - named() == named("mcp")


def test_what_the_tests_import_is_named_for_development_and_nothing_else_is() -> None:
    found = {name for name, where in imported("tests", "benchmarks") if "/fixtures/" not in where} - ELSEWHERE
    shipped = named() | named("web") | named("postgres") | named("redis") | named("mcp")
    assert found - shipped == named("dev") - shipped - TOOLS


def test_the_base_is_what_its_dependencies_bring() -> None:
    assert {normal(DISTRIBUTIONS[name][0]) for name in BASE} >= named()


def test_the_licence_is_said_wherever_it_is_looked_for() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License\n")
    assert "the Companion contributors" in text
    assert (PROJECT["license"], PROJECT["authors"]) == ("MIT", [{"name": "the Companion contributors"}])
    assert PROJECT["license-files"] == ["LICENSE"]


def test_the_document_has_the_licence_and_the_version(shared_client: object) -> None:
    from companion import __version__

    info = shared_client.get("/api/v1/openapi.json").json["info"]  # type: ignore[attr-defined]
    assert (info["license"]["identifier"], info["version"]) == (PROJECT["license"], __version__)
    assert f"\n## {__version__}\n" in (ROOT / "CHANGES.md").read_text(encoding="utf-8")
