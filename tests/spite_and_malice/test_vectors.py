"""The published cases of Spite and Malice, answered by the engine itself."""

from __future__ import annotations

from typing import Any

import pytest

from companion.conformance import differences, published
from tests.spite_and_malice.asking import answer

CASES = published("snm_*")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_published_case(case: dict[str, Any]) -> None:
    status, body, codes = answer(case["post"].rpartition("/")[2], case["request"])
    assert status == case["expect"]["status"]
    assert differences(case["expect"].get("body", {}), body) == []
    assert set(case["expect"].get("codes", [])) <= codes


def test_there_are_cases_of_every_kind() -> None:
    assert {case["post"].rpartition("/")[2] for case in CASES} == {"check", "score", "replay"}
    assert len(CASES) > 100
