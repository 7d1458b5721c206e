"""The largest capture and the demand against brute force, hard layouts under a stated number of nodes."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import Any

import pytest

from companion.conformance import published
from companion.engine.cards import Card, pack, read_card
from companion.games.casino.capture import Reach, largest, most, set_types, split
from companion.games.casino.moves import complete_captures, minimal_sets
from companion.games.casino.rules import OPTIONS
from tests.casino.asking import ask
from tests.casino.oracle import all_captures

SWAZI = OPTIONS.preset("swazi").options
LAYOUTS, FEW = 2_000, 600
"""Random layouts of a round: of a long run, and of every run."""
NODE_LIMIT = 5_000
"""Nodes that no layout of the published cases and none of the hardest known ones may need."""


@lru_cache(maxsize=2)
def random_layouts(soak_round: int = 0) -> list[tuple[tuple[Card, ...], Card, int]]:
    """Loose cards, a card played, and the value it is played as."""
    chance = random.Random(20_080_405 + soak_round)
    layouts = []
    for _ in range(LAYOUTS if soak_round else FEW):
        cards = chance.sample(pack(), chance.randint(1, 12) + 1)
        card = cards.pop()
        layouts.append((tuple(cards), card, 14 if card.rank == "A" and chance.random() < 0.7 else card.pips))
    return layouts


def names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(str(card) for card in cards)


def test_the_maximum_agrees_with_brute_force(soak_round: int, soaked: Any) -> None:
    layouts = random_layouts(soak_round)
    soaked(layouts=len(layouts))
    for table, card, value in layouts:
        captures = all_captures(names(table), str(card), value)
        found = largest(Reach(SWAZI, card, value), table)
        assert found is not None
        assert len(found) == max(map(len, captures)), (names(table), str(card), value)
        assert frozenset(names(found)) in captures


def test_the_demand_agrees_with_brute_force(soak_round: int, soaked: Any) -> None:
    layouts = random_layouts(soak_round)
    soaked(layouts=len(layouts))
    chance = random.Random(7 + soak_round)
    judged = {True: 0, False: 0}
    for table, card, value in layouts:
        captures = sorted(all_captures(names(table), str(card), value) - {frozenset()}, key=sorted)
        if not captures:
            continue
        announced = chance.choice(captures)
        size = max(map(len, captures))
        for measure, complete in (
            ("maximal", not any(announced < other for other in captures)),
            ("maximum", len(announced) == size),
        ):
            request = {
                "rules": {"options": {"demand_measure": measure}},
                "position": {"seats": ["P1", "P2"], "player": "P1", "table": list(names(table))},
                "card": str(card), "table": sorted(announced), "by": "P2",
            } | ({"as": value} if card.rank == "A" else {})  # fmt: skip
            answer = ask("demand", request)
            assert answer["legal"]
            assert answer["complete"] == complete, request
            taken = frozenset(answer["must_take"]["table"])
            assert taken in captures
            if measure == "maximal":
                assert announced <= taken
            else:
                assert len(taken) == size
            judged[complete] += 1
    assert min(judged.values()) > len(layouts) / 4


def test_a_claim_adds_up_exactly_when_brute_force_says_so() -> None:
    chance = random.Random(11)
    for table, card, value in random_layouts():
        captures = all_captures(names(table), str(card), value)
        claims = [chance.sample(table, chance.randint(1, len(table))) for _ in range(4)]
        claims += [[read_card(name) for name in one] for one in list(captures)[:4]]
        for claim in claims:
            found = split(Reach(SWAZI, card, value), claim)
            assert (found is not None) == (frozenset(map(str, claim)) in captures)
            assert found is None or sorted(c for one in found for c in one) == sorted(claim)


def test_small_layouts_list_every_complete_capture() -> None:
    for table, card, value in random_layouts()[:400]:
        captures = all_captures(names(table), str(card), value)
        complete = {one for one in captures if one and not any(one < other for other in captures)}
        found, cut = complete_captures(Reach(SWAZI, card, value), table, cap=10_000)
        assert not cut
        assert {frozenset(map(str, one)) for one in found} == complete
        size = max(map(len, captures))
        largest_only, _ = complete_captures(Reach(SWAZI, card, value), table, maximum=True, cap=10_000)
        assert {frozenset(map(str, one)) for one in largest_only} == {one for one in complete if len(one) == size}


def test_minimal_sets_are_all_captures_that_hold_no_smaller_one() -> None:
    for table, card, value in random_layouts()[:400]:
        captures = all_captures(names(table), str(card), value) - {frozenset()}
        expected = {one for one in captures if not any(one - other in captures for other in captures if other < one)}
        found, cut = minimal_sets(Reach(SWAZI, card, value), table, cap=10_000)
        assert not cut
        assert {frozenset(map(str, one)) for one in found} == expected


@pytest.mark.parametrize(
    ("value", "counts", "cards"),
    [
        (14, {1: 3, 2: 4, 3: 3, 4: 1, 6: 4, 7: 1, 9: 4, 10: 4, 11: 4, 12: 4, 13: 1}, 23),
        (13, {1: 4, 2: 4, 3: 3, 4: 1, 6: 4, 7: 1, 8: 4, 9: 4, 10: 4, 11: 4, 12: 1}, 25),
        (14, {1: 3, 2: 4, 3: 3, 4: 1, 6: 4, 7: 3, 9: 4, 10: 4, 11: 4, 12: 4, 13: 2}, 26),
        (13, dict.fromkeys(range(1, 11), 4), 38),
        (14, {1: 3} | dict.fromkeys(range(2, 11), 4), 38),
        (10, dict.fromkeys(range(1, 10), 4), 36),
    ],
)
def test_hard_layouts_stay_under_the_node_limit(value: int, counts: dict[int, int], cards: int) -> None:
    found = most(counts, value, loose_aces=value == 14)
    assert found is not None
    assert found.cards == cards
    assert found.nodes <= NODE_LIMIT
    assert all(sum(one) in (value, 1) for one in found.sets)


def test_published_layouts_stay_under_the_node_limit() -> None:
    layouts = [case["request"] for case in published("casino_capture") if "hand" in case["request"]["position"]]
    assert len(layouts) > 20
    for request in layouts:
        card = read_card(request["card"])
        table = [read_card(name) for name in request["position"]["table"]]
        value = request.get("as", card.pips)
        found = most(Counter(one.pips for one in table), value, loose_aces=value == 14)
        assert found is not None
        assert found.nodes <= NODE_LIMIT


def test_set_types_are_as_many_as_there_are() -> None:
    counted = [sum(map(len, set_types(value))) for value in (5, 8, 10, 11, 12, 13, 14, 15, 16)]
    assert counted == [5, 18, 33, 43, 59, 75, 99, 125, 160]


def test_long_lists_are_cut_and_say_so() -> None:
    table = [str(card) for card in pack(ranks=("A", "2", "3", "4", "5", "6", "7", "8", "9"))]
    answer = ask("moves", {"position": {"seats": ["P1", "P2"], "player": "P1", "table": table}, "card": "10S"})
    assert len(answer["minimal_sets"]) == 200
    assert answer["truncated"]
    assert answer["captures"] is None


def test_listed_captures_have_pile_tops_where_they_can_be_taken() -> None:
    """Loose cards and the top of the opponent's pile: what brute force finds among them all, and no more."""
    chance, with_top = random.Random(103), 0
    for table, card, value in random_layouts()[:150]:
        if not 2 <= len(table) <= 8:
            continue
        loose, top = names(table[:-1]), str(table[-1])
        for pile_cards in ("augment_and_capture", "augment"):
            lying = names(table) if pile_cards == "augment_and_capture" else loose
            possible = all_captures(lying, str(card), value) - {frozenset()}
            complete = {one for one in possible if not any(one < other for other in possible)}
            position = {"seats": ["P1", "P2"], "player": "P1", "table": chance.sample(loose, len(loose))}
            request = {
                "rules": {"options": {"pile_cards": pile_cards}}, "card": str(card), "as": value,
                "position": position | {"piles": {"P2": [top]}},
            }  # fmt: skip
            body = ask("moves", request)
            listed = {frozenset(one) for one in body["captures"]} - {frozenset()}
            assert listed == complete, (request, body)
            with_top += any(top in one for one in listed)
    assert with_top > 10
