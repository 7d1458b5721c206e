"""Planted faults: every one still finds its place in the program and fits there, or nobody is asked to notice it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "companion/games"


@pytest.mark.parametrize("table", ["tests/witness_mutants.toml", "tests/pairs/mutants.toml"])
def test_every_fault_stands_for_one_place_and_knows_the_names_there(table: str, tmp_path: Path) -> None:
    for number, fault in enumerate(tomllib.loads((ROOT / table).read_text("utf-8"))["mutant"]):
        program = (GAMES / fault["file"]).read_text("utf-8")
        assert program.count(fault["old"]) == 1, (number, fault)
        planted = program.replace(fault["old"], fault["new"])
        assert planted != program, (number, fault)
        (tmp_path / f"{number}-{Path(fault['file']).name}").write_text(planted, "utf-8")
    assert any(tmp_path.iterdir())
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F821", str(tmp_path)]
    done = subprocess.run([*command, "--output-format", "concise"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
