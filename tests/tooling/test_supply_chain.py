"""What is installed is pinned once: the files with hashes agree with the constraints, and every package has hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = [path.name for path in sorted((ROOT / "constraints").glob("*.txt"))]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: str) -> dict[str, tuple[str, int]]:
    """The version of each package, and how many hashes it has."""
    text = (ROOT / file).read_text("utf-8")
    found = re.findall(r"^([\w.-]+)==([^\s;]+)((?:[^\n]*\\\n +--hash=sha256:[0-9a-f]{64})*)", text, re.M)
    return {normal(name): (version, hashes.count("--hash")) for name, version, hashes in found}


@pytest.mark.parametrize("name", NAMES)
def test_pinned_versions_agree(name: str) -> None:
    once, hashed = pinned("constraints.txt"), pinned(f"constraints/{name}")
    assert {package: version for package, (version, _) in hashed.items() if once[package][0] != version} == {}
    assert [package for package, (_, hashes) in hashed.items() if not hashes] == []
    assert "://" not in (ROOT / "constraints" / name).read_text("utf-8")


def test_everything_that_runs_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {"run.txt": ["web", "postgres", "redis"], "dev.txt": ["web", "postgres", "redis", "mcp", "dev"]}
    assert set(NAMES) == set(wanted)
    for name in NAMES:
        chosen = wanted[name]
        needed = [*project["dependencies"], *(line for extra in chosen for line in extras[extra])]
        named = {normal(re.match(r"[\w.-]+", line)[0]) for line in needed}
        assert named - set(pinned(f"constraints/{name}")) - {"card-table-companion"} == set()
