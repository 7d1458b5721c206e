"""The size of the program stays below the ceilings in pyproject.toml, which are lowered with each step."""

from __future__ import annotations

import ast
import statistics
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CEILINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["companion"]["ceilings"]
SMALL = 60
"""Lines under which a file is a fragment of a concept."""


def is_text(node: ast.AST) -> bool:
    """Return whether a statement is a docstring: words do not count as syntax."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def public_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines for others."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def measure(folder: Path) -> dict[str, int]:
    """Return the figures of the Python files below a folder, by the names that the ceilings have."""
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))]
    trees = [ast.parse(text) for text in texts]
    nodes = [node for tree in trees for node in ast.walk(tree) if not is_text(node)]
    lines = [text.count("\n") for text in texts]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return {
        "files": len(texts),
        "files-under-60-lines": sum(each < SMALL for each in lines),
        "lines": sum(lines),
        "syntax-nodes": len(nodes),
        "public-names": sum(1 for tree in trees for _ in public_names(tree)),
        "any": sum(isinstance(node, ast.Name) and node.id == "Any" for node in nodes),
        "import-lines": sum((node.end_lineno or 0) - node.lineno + 1 for node in imports),
        "largest-file": max(lines),
        "median-lines": int(statistics.median(lines)),
    }


@pytest.fixture(scope="module")
def figures() -> dict[str, int]:
    return measure(ROOT / "companion")


@pytest.mark.parametrize("figure", [name for name in CEILINGS if name not in ("median-lines", "modules")])
def test_no_figure_is_above_its_ceiling(figures: dict[str, int], figure: str) -> None:
    assert figures[figure] <= CEILINGS[figure]


def test_files_hold_a_concept_each(figures: dict[str, int]) -> None:
    assert figures["median-lines"] >= CEILINGS["median-lines"]


@pytest.mark.parametrize("package", CEILINGS["modules"])
def test_a_package_has_no_more_modules_than_its_ceiling(package: str) -> None:
    assert 1 < len([*(ROOT / "companion" / package).rglob("*.py")]) <= CEILINGS["modules"][package]


def test_what_is_written_is_measured(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('"""Words."""\nfrom typing import Any\n\n_T = 1\nvalue: Any = None\n', "utf-8")
    (tmp_path / "b.py").write_text("def called() -> int:\n    return 1\n" + "\n" * 60, "utf-8")
    found = measure(tmp_path)
    assert (found["files"], found["files-under-60-lines"], found["lines"], found["largest-file"]) == (2, 1, 67, 62)
    assert (found["public-names"], found["any"], found["import-lines"], found["median-lines"]) == (2, 1, 1, 33)
    assert found["syntax-nodes"] == 21
