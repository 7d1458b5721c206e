"""Cases as data, named by their articles: the published ones, and those of this folder; the engine answers them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.conformance import differences, published
from companion.games.spades.articles import ARTICLES
from tests.spades.asking import answer

FOLDER = Path(__file__).parent / "cases"
PUBLISHED = published("*spades_*")
OWN = [
    json.loads(line)
    for file in sorted(FOLDER.glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
    if line
]
NUMBERS = {number for article in ARTICLES for number in article.numbers}


@pytest.mark.parametrize("case", PUBLISHED + OWN, ids=[case["id"] for case in PUBLISHED + OWN])
def test_case(case: dict[str, Any]) -> None:
    status, body = answer(case["post"].rpartition("/")[2], case["request"])
    assert status == case["expect"]["status"], body
    assert differences(case["expect"].get("body", {}), body) == []
    for deal, sides in zip(body.get("deals", ()), case["expect"].get("articles", ()), strict=False):
        for side, articles in sides.items():
            assert [line["article"] for line in deal["sides"][side]["lines"]] == articles
    found = {error["code"] for error in body.get("errors", ())}
    assert set(case["expect"].get("codes", [])) <= found


def test_own_cases_have_ids_and_numbers_that_exist() -> None:
    assert len({case["id"] for case in PUBLISHED + OWN}) == len(PUBLISHED + OWN)
    for case in OWN:
        assert case["spec"] in NUMBERS, case["id"]
