"""`companion conformance`: the published cases against any service, by the one matching rule."""

from __future__ import annotations

from copy import deepcopy

import pytest

from companion.conformance import VERSION, differences, digest, judge, published, run
from tests.cli.test_score import run as run_command

CASE = {"id": "one", "post": "/x", "request": {}, "expect": {"status": 422, "body": {"a": 1}, "codes": ["range"]}}
KITS = {"1.0": "6259e1d5", "1.1": "07fba5de", "1.2": "27483632", "1.3": "fefd2773"}
"""The digests of the versions: cases that were added or changed are a new version."""


def test_the_cases_are_those_of_the_version() -> None:
    assert KITS[VERSION] == digest(), "the published cases have changed: give them a new version"


def test_an_answer_passes_or_says_where_it_differs() -> None:
    right = {"a": 1, "more": True, "errors": [{"code": "range"}]}
    assert judge(CASE, 422, right).differences == ()
    for status, change, place in ((200, {}, "status"), (422, {"a": 2}, "/a"), (422, {"errors": []}, "/errors")):
        found = judge(CASE, status, {**right, **change}).differences
        assert len(found) == 1
        assert found[0].startswith(place)
    assert judge(CASE, 422, "no JSON").differences


def test_the_comparison_finds_what_is_missing() -> None:
    answer = {"lines": [{"a": 1}, {"a": 2}], "total": 3, "list": [1, 2]}
    assert differences({"lines": [{"a": 2}], "total": 3}, answer) == []
    for wrong in ({"lines": [{"a": 3}]}, {"total": 3.0}, {"total": True}, {"list": [1]}, {"other": None}):
        assert differences(wrong, answer)


def test_a_service_is_asked_over_http(live_site: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_command(capsys, "conformance", f"{live_site}/api/v1/", "--only", "replay")
    assert (status, out) == (0, f"11 of 11 cases pass (version {VERSION}, {digest()})\n")


def test_a_wrong_answer_is_shown_with_its_place(live_site: str) -> None:
    case = deepcopy(published("spades_score")[0])
    case["expect"]["body"]["standing"] = {"us": {"total": -1}}
    [failed] = run(f"{live_site}/api/v1", [case]).failed
    assert failed.differences == ("/standing/us/total: expected -1, got 50",)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "file:///etc/passwd", "nonsense"])
def test_nobody_there_is_status_2(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_command(capsys, "conformance", url, "--only", "replay")
    assert (status, out) == (2, "")
    assert url in err
