"""The scorer against a second one in another style, on many random deals over random house rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from tests.spades.asking import ask
from tests.spades.chance import deal, house_rules, side_names
from tests.spades.oracle import ROWS, deal_points, is_set, rows_used, winners

DEALS, FEW = 20_000, 6_000
"""Deals of a round: of a long run, and of every run."""


def test_agrees_with_the_oracle(soak_round: int, soaked: Any) -> None:
    rng, wanted = Random(1965 + soak_round), DEALS if soak_round else FEW
    seen, fired = 0, Counter[int]()
    while seen < wanted:
        given, options = house_rules(rng)
        deals, expected = _game(rng, options, fired)
        seen += len(deals)
        request = {"rules": {"options": given}, "sides": side_names(options), "deals": deals}
        body = ask("score", request)
        got = [
            {name: (side["points"], side["total"], side.get("bags", 0)) for name, side in deal["sides"].items()}
            for deal in body["deals"]
        ]
        assert got == [sides for sides, _ in expected], request
        assert body["outcome"]["winners"] == expected[-1][1], request
    soaked(deals=seen)
    assert min(fired[row] for row in range(len(ROWS))) > 2, f"a row of the oracle is hardly used: {fired}"


def _game(rng: Random, options: dict[str, Any], fired: Counter[int]) -> tuple[list[dict[str, Any]], list[Any]]:
    """Deals until the oracle says that the game is over, at most twelve, with what it expects of each."""
    totals, bags = dict.fromkeys(side_names(options), 0), dict.fromkeys(side_names(options), 0)
    deals: list[dict[str, Any]] = []
    expected: list[Any] = []
    sets: dict[str, list[bool]] = {name: [] for name in totals}
    while len(deals) < 12 and not (expected and expected[-1][1]):
        first = options["first_hand_bids_itself"] and not deals
        facts = deal(rng, options, first_hand=first)
        if rng.random() < 0.05:
            facts["time_up"] = True
        sides = {}
        for name in totals:
            points, bags[name] = deal_points(options, facts[name], bags[name], before=totals[name], first_hand=first)
            totals[name] += points
            sides[name] = (points, totals[name], bags[name])
            sets[name] += [failed for failed in [is_set(options, facts[name], first_hand=first)] if failed is not None]
            fired.update(rows_used(options, facts[name], first_hand=first))
        deals.append(facts)
        late = any(one.get("time_up") for one in deals)
        expected.append((sides, winners(options, facts, totals, played=len(deals), late=late, sets=sets)))
    return deals, expected
