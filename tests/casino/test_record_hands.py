"""Hands of a recorded deal: as one list, or round by round; what does not fit is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Problem, Refused
from tests.casino.asking import ask
from tests.casino.table import random_deal


def problems(hand: Any) -> list[tuple[tuple[str | int, ...], str, dict[str, Any]]]:
    request, hands = random_deal(5, "standard", 2)
    with pytest.raises(Refused) as refused:
        ask("replay", request | {"hands": hands | {"P1": hand}})
    found: tuple[Problem, ...] = refused.value.problems
    return [(one.pointer, one.code, dict(one.facts)) for one in found]


def rounds() -> list[list[str]]:
    _, hands = random_deal(5, "standard", 2)
    return [[str(card) for card in part] for part in hands["P1"]]


def test_lists_and_cards_are_not_mixed() -> None:
    assert problems([rounds()[0], "2H"]) == [(("hands", "P1"), "type", {"expected": "list"})]


def test_no_more_rounds_than_are_dealt() -> None:
    given = rounds()
    assert problems([*given, given[0]]) == [(("hands", "P1"), "type", {"expected": "list"})]


def test_round_with_a_card_too_few_is_named() -> None:
    given = rounds()
    facts = {"seat": "P1", "count": 3, "expected": 4}
    assert problems([given[0], given[1][:3], *given[2:]]) == [(("hands", "P1", 1), "hand-count", facts)]
