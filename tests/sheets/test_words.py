"""Whatever a sheet refuses can be said in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion.sheets
from companion.data import LANGUAGES
from companion.rulebook.words import words

PLACES = {"refuse": 1, "Problem": 1, "fault": 0}
"""Which argument of these calls is the code."""


def codes() -> list[str]:
    """Every code that stands in the source of the sheets."""
    found = set()
    for file in Path(companion.sheets.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                place = PLACES.get(name)
                cited = node.args[place] if place is not None and len(node.args) > place else None
                if isinstance(cited, ast.Constant):
                    found.add(str(cited.value))
    return sorted(found)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_words(lang: str) -> None:
    assert len(codes()) > 20
    assert [code for code in codes() if code not in words("spades", lang).tables["problems"]] == []
