"""SNM-092: when a match is over, who has won it, and what the answer says of it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.ledger import Before, Outcome, Standing
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.rules import OPTIONS, SpiteRules
from companion.games.spite_and_malice.score import DealFacts, SpiteScorer

WON = DealFacts("A", {"B": 3}, {"B": 3})
STUCK = DealFacts(None, {"A": 2, "B": 3}, {"A": 2, "B": 3})
LEVEL = DealFacts(None, {"A": 3, "B": 3}, {"A": 3, "B": 3})


def rules(**given: Any) -> SpiteRules:
    return OPTIONS.build(OPTIONS.default_preset, given).options


def outcome(played: SpiteRules, facts: DealFacts | None, a_total: int, b_total: int, deals: int) -> Outcome:
    standing = {"A": Standing(a_total), "B": Standing(b_total)}
    return SpiteScorer().outcome(played, facts, standing, Before({}, deals - (facts is not None)))


@pytest.mark.parametrize(
    ("facts", "given", "winners"),
    [
        (WON, {}, ("A",)),
        (STUCK, {}, ()),
        (STUCK, {"deadlock": "compare"}, ("A",)),
        (LEVEL, {"deadlock": "compare"}, ()),
    ],
)
def test_single_deal_is_the_whole_match(facts: DealFacts, given: dict[str, str], winners: tuple[str, ...]) -> None:
    """Whatever the totals are; before it they end nothing, though they were carried over."""
    played = rules(match="single", **given)
    assert outcome(played, facts, 8, 9, 1) == Outcome(True, winners, a.MATCH.id, {"match": "single"})
    assert outcome(played, None, 8, 9, 0) == Outcome()


@pytest.mark.parametrize("deals", [1, 2, 3])
@pytest.mark.parametrize(("facts", "totals", "winners"), [
    (WON, (11, 25), ("B",)), (WON, (25, 11), ("A",)), (WON, (9, 9), ("A", "B")), (STUCK, (0, 4), ("B",)),
    (None, (8, 9), ("B",)), (None, (9, 8), ("A",)), (None, (9, 9), ("A", "B")),
])  # fmt: skip
def test_a_single_deal_agreed_on_later_is_won_by_the_totals(
    facts: DealFacts | None, totals: tuple[int, int], winners: tuple[str, ...], deals: int
) -> None:
    """The deals before count: whoever is ahead after the next, or at once without one, has won; all deals are told."""
    played = deals + (facts is not None)
    found = outcome(rules(match="single"), facts, *totals, played)
    assert (found.over, found.winners, found.reason) == (True, winners, a.MATCH.id)
    assert (found.facts["match"], found.facts["match_deals"]) == ("deals", played)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [((49, 0), None), ((50, 49), ("A",)), ((50, 51), ("B",)), ((60, 60), ("A", "B")), ((-60, 49), None)],
)
def test_target_is_reached_by_the_best_total(totals: tuple[int, int], winners: tuple[str, ...] | None) -> None:
    found = outcome(rules(match="target", target=50), WON, *totals, 4)
    facts = {"match": "target", "target": 50, "match_deals": 3}
    assert found == (Outcome() if winners is None else Outcome(True, winners, a.MATCH.id, facts))


@pytest.mark.parametrize(("deals", "over"), [(0, False), (3, False), (4, True), (5, True)])
def test_number_of_deals(deals: int, over: bool) -> None:
    found = outcome(rules(match="deals", match_deals=4), WON if deals else None, 7, 200, deals)
    facts = {"match": "deals", "target": 100, "match_deals": deals}
    assert found == (Outcome(True, ("B",), a.MATCH.id, facts) if over else Outcome())
