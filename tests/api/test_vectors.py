"""Every published case, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.published import cases, differences

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_published_case(shared_client: Any, case: dict[str, Any]) -> None:
    answer = shared_client.post(f"/api/v1{case['post']}", json=case["request"])
    assert answer.status_code == case["expect"]["status"], answer.text
    assert differences(case["expect"].get("body", {}), answer.json) == []
    codes = {error["code"] for error in answer.json.get("errors", [])}
    assert set(case["expect"].get("codes", [])) <= codes


def test_cases_have_different_ids() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len(CASES) > 400


def test_comparison_finds_what_is_missing() -> None:
    answer = {"lines": [{"a": 1}, {"a": 2}], "total": 3, "list": [1, 2]}
    assert differences({"lines": [{"a": 2}], "total": 3}, answer) == []
    for wrong in ({"lines": [{"a": 3}]}, {"total": 3.0}, {"total": True}, {"list": [1]}, {"other": None}):
        assert differences(wrong, answer)
