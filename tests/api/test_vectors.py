"""Every published case, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from companion.conformance import judge, published

CASES = published()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_published_case(shared_client: Any, case: dict[str, Any]) -> None:
    answer = shared_client.post(f"/api/v1{case['post']}", json=case["request"])
    assert judge(case, answer.status_code, answer.json).differences == ()


def test_cases_have_different_ids() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len(CASES) > 400
