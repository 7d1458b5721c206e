"""Positions that no deal leads to: every reason with its article, its figures and all facts that contradict."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Node, Refused
from companion.games.spades import SPADES
from tests.spades.positions import RANKS
from tests.spades.test_knowledge import CLUBS, FOUR, HEARTS

JOKERS = {"preset": "jokers"}
NO_CARD = {"why": "not-in-pack"}
DUMMY = {"preset": "duo_dummy"}


def impossible(rules: dict[str, Any], seat: str, **position: Any) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Code, article and facts of every problem of a position by its pointer; empty where it can be."""
    house = SPADES.options.read(Node(rules)).options
    place = FOUR | {"phase": "play"} | position
    move: dict[str, Any] = {"type": "play", "seat": seat, "card": "9H"}
    if place["phase"] == "bidding":
        move = {"type": "call", "seat": seat, "call": 4}
    try:
        SPADES.judge(house, Node(place), Node(move))
    except Refused as refused:
        return {p.path(): (p.code, (p.article or "").partition(".")[2], dict(p.facts)) for p in refused.problems}
    return {}


def call(*seats: str) -> list[dict[str, Any]]:
    return [{"seat": seat, "call": 4} for seat in seats]


def lay(**cards: str) -> list[dict[str, str]]:
    return [{"seat": seat, "card": card} for seat, card in cards.items()]


CASES: list[tuple[dict[str, Any], dict[str, Any], str, dict[str, Any], list[str]]] = [
    # SPADES-002, 110: cards that the pack in use does not hold
    (JOKERS, {"hand": ["9H", "2C"], "trick": []}, "pack", NO_CARD | {"cards": ["2C"]}, ["/hand/1"]),
    (JOKERS, {"played": ["3C", "2D"], "trick": []}, "pack", NO_CARD | {"cards": ["2D"]}, ["/played/1"]),
    ({}, {"trick": lay(D="BJ"), "trick_number": 3}, "pack", NO_CARD | {"cards": ["BJ"]}, ["/trick/0/card"]),
    (JOKERS, {"phase": "bidding", "hand": ["2D"]}, "pack", NO_CARD | {"cards": ["2D"]}, ["/hand/0"]),
    (
        JOKERS, {"phase": "bidding", "hands": {"A": ["9H"], "B": ["3C", "2C"]}},
        "pack", NO_CARD | {"cards": ["2C"]}, ["/hands/B/1"],
    ),
    # SPADES-105, 106: where the dummy sits
    (DUMMY, {"seats": ["A", "dummy", "B"], "dealer": "B"}, "dummy-side", {"why": "dummy-side"}, ["/seats", "/dealer"]),
    # SPADES-030: one card of each player in a trick; who leads it
    (
        {}, {"trick": lay(D="2H") + lay(D="3H"), "trick_number": 3},
        "opening-lead", {"why": "seat-twice", "seat": "D"}, ["/trick/0/seat", "/trick/1/seat"],
    ),
    (
        {}, {"trick": lay(D="2H"), "trick_number": 3, "leader": "C"},
        "opening-lead", {"why": "leader-not-first", "leader": "C", "player": "D"}, ["/leader", "/trick/0/seat"],
    ),
    (
        {}, {"trick": [], "trick_number": 1, "leader": "B"},
        "opening-lead", {"why": "leader-against-rule", "leader": "B", "expected": "A"}, ["/leader", "/dealer"],
    ),
    (  # a whole hand is that of a first trick
        {}, {"trick": [], "hand": [f"{rank}C" for rank in RANKS], "leader": "B"},
        "opening-lead", {"why": "leader-against-rule", "leader": "B", "expected": "A"}, ["/leader", "/hand", "/dealer"],
    ),
    (  # the seat of the dummy says who dealt
        DUMMY, {"seats": ["A", "dummy", "B"], "dealer": None, "trick": [], "trick_number": 1, "leader": "A"},
        "opening-lead", {"why": "leader-against-rule", "leader": "A", "expected": "dummy"}, ["/leader", "/seats"],
    ),
    (
        {"options": {"first_leader": "highest_bidder"}},
        {"trick": [], "trick_number": 1, "leader": "B", "calls": call("A", "B", "C", "D")},
        "opening-lead", {"why": "leader-against-rule", "leader": "B", "expected": "A"}, ["/leader", "/calls"],
    ),
    # SPADES-010, 131: one call of each player, or two
    (
        {}, {"calls": call("A", "B", "A"), "trick_number": 3},
        "bid-in-turn", {"why": "called-twice", "seat": "A"}, ["/calls/0/seat", "/calls/2/seat"],
    ),
    (
        {"options": {"second_round": True}}, {"calls": call("A", "A", "A"), "trick_number": 3},
        "bid-in-turn", {"why": "called-twice", "seat": "A"}, ["/calls/0/seat", "/calls/1/seat", "/calls/2/seat"],
    ),
    # SPADES-004: as many cards as there can be by this trick
    (
        {}, {"trick": [], "trick_number": 12, "hand": ["9H", "3C", "4C"]},
        "dealing", {"why": "hand-too-large", "count": 3, "most": 2}, ["/hand", "/trick_number"],
    ),
    (
        {}, {"trick": [], "hand": [*CLUBS, "9H"]},
        "dealing", {"why": "hand-too-large", "count": 14, "most": 13}, ["/hand"],
    ),
    (
        {}, {"trick": [], "trick_number": 2, "played": CLUBS[:5]},
        "dealing", {"why": "too-many-played", "count": 5, "most": 4}, ["/played", "/trick_number"],
    ),
    (
        {}, {"trick": [], "trick_number": 1, "played": CLUBS[:1]},
        "dealing", {"why": "too-many-played", "count": 1, "most": 0}, ["/played", "/trick_number"],
    ),
    # SPADES-038: the flag and the cards
    (
        {}, {"trick": [], "trick_number": 3, "spades_broken": False, "played": ["3C", "2S", "KS"]},
        "breaking-spades", {"why": "spade-was-played", "cards": ["2S", "KS"]},
        ["/spades_broken", "/played/1", "/played/2"],
    ),
    (
        {}, {"trick": [], "trick_number": 1, "spades_broken": True},
        "breaking-spades", {"why": "first-trick-broken"}, ["/spades_broken", "/trick_number"],
    ),
    # what only all together make impossible: none of the facts can be left out
    (
        {}, {"trick": [], "trick_number": 2, "spades_broken": True, "played": CLUBS[:4]},
        "pack", {"why": "no-distribution"}, ["/spades_broken", "/played", "/trick_number"],
    ),
    (
        {}, {"trick": [], "trick_number": 11, "spades_broken": False},
        "pack", {"why": "no-distribution"}, ["/spades_broken", "/trick_number"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "position", "article", "facts", "pointers"), CASES, ids=lambda it: str(it)[:40])
def test_every_fact_of_a_contradiction_is_named_with_its_figures(
    rules: dict[str, Any], position: dict[str, Any], article: str, facts: dict[str, Any], pointers: list[str]
) -> None:
    expected = ("impossible-position", article, facts)
    assert impossible(rules, "A", **position) == dict.fromkeys(pointers, expected)


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        (JOKERS, {"hand": ["9H", "2H"], "trick": []}),
        (JOKERS, {"trick": lay(D="BJ"), "trick_number": 3}),
        (DUMMY, {"seats": ["A", "dummy", "B"], "dealer": "A"}),
        ({}, {"trick": lay(D="2H"), "trick_number": 3, "leader": "D"}),
        ({}, {"trick": [], "trick_number": 1, "leader": "A"}),
        ({}, {"trick": [], "trick_number": 2, "leader": "B"}),
        ({"options": {"first_trick": "lowest_club"}}, {"trick": lay(D="2C"), "trick_number": 1, "leader": "C"}),
        ({"options": {"second_round": True}}, {"calls": call("A", "A"), "trick_number": 3}),
        ({}, {"trick": [], "trick_number": 12, "hand": ["9H", "3C"]}),
        ({}, {"trick": [], "hand": [*HEARTS]}),
        ({}, {"trick": [], "trick_number": 2, "played": CLUBS[:4]}),
        ({}, {"trick": [], "trick_number": 3, "spades_broken": True, "played": ["3C", "2S", "KS"]}),
        ({}, {"trick": [], "trick_number": 3, "spades_broken": False, "played": ["3C", "2D"]}),
        ({}, {"trick": [], "trick_number": 10, "spades_broken": False}),
    ],
    ids=str,
)
def test_what_a_deal_can_lead_to_is_judged(rules: dict[str, Any], position: dict[str, Any]) -> None:
    assert impossible(rules, "A", **position) == {}


def test_cards_are_counted_whatever_phase_is_given() -> None:
    """A card is played: that partners are said to be bidding changes nothing about where cards can be."""
    at = {"trick": lay(A="2C", B="3C", C="4C"), "trick_number": 12, "hand": ["9H", "3S"], "spades_broken": False}
    assert list(impossible({}, "D", **at)) == ["/spades_broken", "/trick_number"]
    move = {"type": "play", "seat": "D", "card": "9H"}
    house = SPADES.options.read(Node({})).options
    with pytest.raises(Refused):
        SPADES.judge(house, Node(FOUR | at | {"phase": "bidding"}), Node(move))
