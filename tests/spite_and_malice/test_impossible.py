"""What nobody can have in front of them: every reason with its article, its figures and all facts that contradict."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Refused
from tests.spite_and_malice.asking import ask

END = {"type": "end_turn"}
FOUR: dict[str, Any] = {"preset": "partners4", "players": list("ABCD")}
KINGS = {"preset": "massachusetts"}


def idle(*players: str, acted: str = "") -> list[dict[str, Any]]:
    """A log of idle turns, but for the turns of these players."""
    return [{"player": player, "acted": player in acted} for player in players]


def impossible(**position: Any) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Code, article and facts of every problem of a position by its pointer; empty where it can be."""
    try:
        ask(END, **position)
    except Refused as refused:
        return {
            p.path().removeprefix("/position/"): (p.code, (p.article or "").partition(".")[2], dict(p.facts))
            for p in refused.problems
        }
    return {}


NINES: dict[str, Any] = {"why": "too-many-copies", "cards": ["9S"], "count": 3, "most": 2}
CASES: list[tuple[dict[str, Any], str, dict[str, Any], list[str]]] = [
    # SNM-002, 201: cards that the packs do not hold
    ({"hand": ["9", "X"], **KINGS}, "packs", {"why": "not-in-pack", "cards": ["X"]}, ["hand/1"]),
    ({"centre_stacks": ["2", "X"], **KINGS}, "packs", {"why": "not-in-pack", "cards": ["X"]}, ["centre_stacks/1"]),
    (
        {"preset": "pagat", "payoff_tops": {"B": "X"}},
        "packs", {"why": "not-in-pack", "cards": ["X"]}, ["payoff_tops/B"],
    ),
    # SNM-005, 203: a joker is in no pile that is dealt from one plain pack
    ({"set_aside": 2}, "completed-stack", {"why": "none-set-aside", "count": 2}, ["set_aside"]),
    ({"payoff": "X"}, "split-deck", {"why": "no-joker-in-payoff", "cards": ["X"]}, ["payoff"]),
    ({"payoff_tops": {"B": "X"}}, "split-deck", {"why": "no-joker-in-payoff", "cards": ["X"]}, ["payoff_tops/B"]),
    # SNM-010: one top of each pile, none of an empty one
    (
        {"payoff": "9", "payoff_tops": {"A": "8"}},
        "payoff-top", {"why": "two-tops", "cards": ["9", "8"]}, ["payoff", "payoff_tops/A"],
    ),
    (
        {"payoff_left": 0, "payoff_tops": {"A": "8"}},
        "payoff-top", {"why": "payoff-empty", "cards": ["8"]}, ["payoff_left", "payoff_tops/A"],
    ),
    # SNM-002: copies of a card, of a rank whatever the suit, and of the joker
    ({"hand": ["9S", "9S"], "side_stacks": [["3"], ["9S"]]}, "packs", NINES, ["hand/0", "hand/1", "side_stacks/1/0"]),
    ({"payoff": "9S", "hand": ["9S", "9S"]}, "packs", NINES, ["payoff", "hand/0", "hand/1"]),
    (
        {**FOUR, "partner": {"side_stacks": [["9S", "9S"]]}, "hand": ["9S"]},
        "packs", NINES, ["hand/0", "partner/side_stacks/0/0", "partner/side_stacks/0/1"],
    ),
    (
        {"hand": ["X"] * 3, "side_stacks": [["X", "X"]]},
        "packs", {"why": "too-many-copies", "cards": ["X"], "count": 5, "most": 4},
        ["hand/0", "hand/1", "hand/2", "side_stacks/0/0", "side_stacks/0/1"],
    ),
    (
        {"hand": ["9"] * 4, "side_stacks": [["9S"] * 2 + ["9"] * 3]},
        "packs", {"why": "too-many-copies", "cards": ["9"], "count": 9, "most": 8},
        [f"hand/{place}" for place in range(4)] + [f"side_stacks/0/{place}" for place in range(5)],
    ),
    # SNM-007: one pack fills the pay-off piles
    (
        {"payoff_tops": {"A": "9S", "B": "9S"}},
        "payoff-pile", {"why": "one-pack", "cards": ["9S"], "count": 2, "most": 1}, ["payoff_tops/A", "payoff_tops/B"],
    ),
    # SNM-031: more tops than cards, with the wild cards that are left
    (
        {"centre_stacks": ["2"] * 13 + ["5"]},
        "packs", {"why": "centre-tops", "cards": ["2"]}, [f"centre_stacks/{place}" for place in range(13)],
    ),
    (
        {"centre_stacks": ["5", *["X"] * 4], "hand": ["X"]},
        "packs", {"why": "centre-tops", "cards": []}, [f"centre_stacks/{place}" for place in range(1, 5)],
    ),
    # SNM-006, 007, 203: piles and hands are no larger than they are dealt, together no larger than the packs
    ({"payoff_left": 27}, "payoff-pile", {"why": "payoff-size", "count": 27, "most": 26}, ["payoff_left"]),
    ({"payoff_left": 15, **KINGS}, "payoff-pile", {"why": "payoff-size", "count": 15, "most": 14}, ["payoff_left"]),
    (
        {**FOUR, "partner": {"payoff_left": 21}},
        "payoff-pile", {"why": "payoff-size", "count": 21, "most": 20}, ["partner/payoff_left"],
    ),
    ({"hand_count": 11}, "hand", {"why": "hand-size", "count": 11, "most": 10}, ["hand_count"]),
    (
        {"hand": list("34567893456")},
        "hand", {"why": "hand-size", "count": 11, "most": 10}, ["hand"],
    ),
    (
        {"hand": ["9"], "hand_count": 3},
        "hand", {"why": "hand-counts", "count": 1, "most": 3}, ["hand", "hand_count"],
    ),
    ({"stock": 109}, "packs", {"why": "too-many-cards", "count": 109, "most": 108}, ["stock"]),
    (
        {"stock": 85, "hand": ["9", "8"], "payoff_left": 20, "side_stacks": [["7"]], "centre_stacks": ["4"]},
        "packs", {"why": "too-many-cards", "count": 109, "most": 108},
        ["stock", "hand", "side_stacks", "centre_stacks", "payoff_left"],
    ),
    # SNM-014, 112: the log of turns
    (
        {"turns": idle("A", "A", acted="A")},
        "turn-order", {"why": "turn-order", "seat": "A", "expected": "B"}, ["turns/0/player", "turns/1/player"],
    ),
    (
        {**FOUR, "turns": idle("D", "A", "C", acted="ACD")},
        "turn-order", {"why": "turn-order", "seat": "C", "expected": "B"}, ["turns/1/player", "turns/2/player"],
    ),
    # SNM-071: a second chance follows a round of idle turns, and nothing else
    (
        {"phase": "second_chance", "turns": idle("A", "B", acted="AB")},
        "second-chance", {"why": "no-idle-round"}, ["phase", "turns"],
    ),
    ({"phase": "normal", "turns": idle("A", "B")}, "second-chance", {"why": "idle-round"}, ["phase", "turns"]),
]  # fmt: skip


@pytest.mark.parametrize(("position", "article", "facts", "pointers"), CASES, ids=lambda value: str(value)[:40])
def test_every_fact_of_a_contradiction_is_named_with_its_figures(
    position: dict[str, Any], article: str, facts: dict[str, Any], pointers: list[str]
) -> None:
    expected = ("impossible-position", article, facts)
    assert impossible(**position) == dict.fromkeys(pointers, expected)


@pytest.mark.parametrize(
    "position",
    [
        {"payoff_left": 26},
        {"payoff_left": 14, **KINGS},
        {"payoff_left": 0},
        {**FOUR, "partner": {"payoff_left": 20}},
        {"hand_count": 10},
        {"hand": ["9"], "hand_count": 1},
        {"hand": ["9S", "9S"], "side_stacks": [["9"] * 4]},
        {"hand": ["X"] * 2, "side_stacks": [["X", "X"]]},
        {"payoff": "9", "payoff_tops": {"A": "9S"}},
        {"payoff_tops": {"A": "9S", "B": "9H"}},
        {"payoff": "X", "preset": "blackwood108"},
        {"centre_stacks": ["2"] * 12},
        {"centre_stacks": ["X"] * 4, "hand": ["9"]},
        {"stock": 84, "hand": ["9", "8"], "payoff_left": 20, "side_stacks": [["7"]], "centre_stacks": ["4"]},
        {"turns": idle("B", "A", acted="A")},
        {**FOUR, "turns": idle("D", "A", "B", acted="ABD")},
        {"phase": "second_chance", "turns": idle("A", "B")},
        {"phase": "second_chance", "turns": idle("B", "A", "B")},
        {"phase": "normal", "turns": idle("A", "B"), "options": {"deadlock": "none"}},
    ],
    ids=str,
)
def test_one_card_less_can_be(position: dict[str, Any]) -> None:
    assert impossible(**position) == {}
