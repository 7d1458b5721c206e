"""Planted faults: every one still finds its place in the program, or it is passed over and shows nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "companion/games"


@pytest.mark.parametrize("table", ["tests/witness_mutants.toml", "tests/pairs/mutants.toml"])
def test_what_a_fault_replaces_stands_in_its_file_exactly_once(table: str) -> None:
    faults = tomllib.loads((ROOT / table).read_text("utf-8"))["mutant"]
    programs = {file: (GAMES / file).read_text("utf-8") for file in {each["file"] for each in faults}}
    stale = {
        f"{number} {each['file']}: {each['old']}": times
        for number, each in enumerate(faults)
        if (times := programs[each["file"]].count(each["old"])) != 1 or each["old"] == each["new"]
    }
    assert faults
    assert stale == {}
