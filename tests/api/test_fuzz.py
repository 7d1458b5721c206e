"""Schemathesis makes requests from the OpenAPI document: no fault of ours, no answer that it does not know."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection

from companion.games import GAMES
from tests.api.conftest import ask_everything, sample_of_bounds
from tests.api.live_sheets import LiveSheets

EXAMPLES, CALLS = (6, 15), (6, 12)
"""In a short run and in each round of a long one; of what is not asked at its bounds twice as many."""
BOUNDS = 16
"""A short run makes one in so many of the requests at every bound of every field; long ones make all."""
AGREED = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
OPERATIONS = [
    (method.upper(), path) for path, item in AGREED["paths"].items() for method in item if method != "parameters"
]


OF_EACH_GAME = [
    (method, path)
    for method, path in OPERATIONS
    if "{game}" in path and any(path.replace("{game}", game) in AGREED["paths"] for game in GAMES)
]
"""Operations that games have at paths of their own too, where the document says more of their bodies."""
ASKED = [each for each in OPERATIONS if each not in OF_EACH_GAME]
ALIKE = re.compile(f"/games/({'|'.join(GAMES)})/|/(?:events|preview)$")
"""What tells operations apart whose bodies are made alike: the game, and what is done with commands."""

OPENED, PARTS = {"sheet", "group"}, re.compile(r"{(\w+)}")
"""Parts of an address that only a secret opens."""


def bounded_in_a_short_run() -> set[tuple[str, str]]:
    """Operations that a short run asks at bounds of their fields: of those with bodies made alike one, by turns."""
    alike: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for method, path in ASKED:
        alike.setdefault((method, ALIKE.sub("/*/", path)), []).append((method, path))
    return {each[turn % len(each)] for turn, each in enumerate(alike.values())}


def is_half_read(body: Any) -> bool:
    """Whether a request has parts that are not read: the facts of a void deal."""
    facts = body.get("facts") if isinstance(body, dict) else None
    return isinstance(facts, dict) and facts.get("void") is True


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_answers_are_as_documented(
    asked: tuple[str, str], described: Any, soak_round: int, soaked: Any, pytestconfig: pytest.Config
) -> None:
    method, path = asked
    operation = described[path][method]
    made, sheets, statuses = 0, LiveSheets(described.app), Counter[int]()

    def check(case: schemathesis.Case) -> None:
        nonlocal made
        made += 1
        opened = bool(OPENED & set(PARTS.findall(case.operation.path)))
        about_one = opened and sheets.put_into(case)
        unread: list[Any] = [negative_data_rejection] if is_half_read(case.body) else []
        answer = case.call_and_validate(excluded_checks=unread)
        if opened and answer.status_code < 400 and case.method != "OPTIONS":
            sheets.check_secret(case)
        if about_one:
            statuses[answer.status_code // 100 * 100 if answer.status_code < 400 else answer.status_code] += 1

    rounds = pytestconfig.getoption("soak")
    bounds = rounds > 1 or asked in bounded_in_a_short_run()
    with sample_of_bounds(described, first=soak_round, step=rounds if rounds > 1 else BOUNDS):
        examples = EXAMPLES[rounds > 1] * (1 if bounds else 2)
        ask_everything(operation, check, examples=examples, bounds=bounds, seed=soak_round)
    soaked(requests=made)
    if OPENED & set(PARTS.findall(path)):
        assert statuses[200], "no request has done anything"
        assert statuses[200] + statuses[422] > statuses[404] + statuses[412], statuses
        assert not statuses[401], statuses


def test_calls_that_follow_from_each_other_are_as_documented(described: Any, thorough: bool) -> None:
    """What one call made is used by the next."""
    described.as_state_machine().run(
        settings=settings(
            max_examples=CALLS[thorough],
            stateful_step_count=8,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
    )


def test_every_operation_is_asked(described: Any) -> None:
    operations = {(each.ok().method.upper(), each.ok().path) for each in described.get_all_operations()}
    assert operations == set(OPERATIONS)
