"""What can be done: the list is exactly what the judge finds legal, and says what is compulsory and why."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from companion.engine.problems import Node, Refused
from companion.engine.verdict import Missing
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from tests.spite_and_malice.asking import check

POSITIONS, FEW = 300, 100
"""Positions of a round: of a long run, and of every run."""
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def moves(preset: str = "blackwood", options: dict[str, Any] | None = None, **position: Any) -> Any:
    request = {"rules": {"preset": preset, "options": options or {}}}
    request["position"] = {"players": ["A", "B"], "player": "A", **position}
    node = Node(request)
    answer = GAME.moves(GAME.options.read(node["rules"]).options, node)
    assert node.problems == []
    return answer


def random_position(random_: random.Random, preset: str) -> dict[str, Any]:
    ranks = RANKS if preset == "pagat" else [*RANKS, "X"]
    tops = RANKS[: 12 if preset == "pagat" else 13]
    some = lambda low, high: [random_.choice(ranks) for _ in range(random_.randint(low, high))]  # noqa: E731
    phase = random_.choice(["normal", "second_chance"])
    return {
        "payoff": random_.choice(ranks[:4]), "payoff_left": random_.randint(1, 9), "hand": some(0, 5),
        "side_stacks": [some(1, 3) for _ in range(random_.randint(0, 4))],
        "centre_stacks": [random_.choice(tops) for _ in range(random_.randint(0, 3))],
        "stock": random_.randint(0, 20), "refilled": random_.random() < 0.7, "discarded": random_.random() < 0.1,
        "phase": phase, "complete": random_.randint(0, 1), "incomplete": random_.randint(0, 1),
        "turns": [{"player": "A", "acted": phase == "normal"}, {"player": "B", "acted": False}],
    }  # fmt: skip


def everything(position: dict[str, Any]) -> Any:
    """Every announcement that could come up in a position."""
    targets = [*range(len(position["centre_stacks"])), "new"]
    cards = sorted(set(position["hand"]))
    yield from ({"type": "play", "from": "hand", "card": c, "to": t} for c, t in itertools.product(cards, targets))
    yield from ({"type": "play", "from": "payoff", "to": t} for t in targets)
    sides = range(len(position["side_stacks"]))
    yield from ({"type": "play", "from": "side", "stack": s, "to": t} for s, t in itertools.product(sides, targets))
    yield from ({"type": "discard", "card": c, "to": t} for c, t in itertools.product(cards, [*sides, "new"]))
    yield from ({"type": "refill", "count": count} for count in range(6))
    yield from ({"type": kind} for kind in ("end_turn", "claim_win", "claim_stalemate"))
    yield from ({"type": "redeal", "first": first} for first in "AB")
    for what, by in itertools.product(("complete", "incomplete"), ("opponent", "player")):
        yield {"type": "recycle", "what": what, "by": by}


def plain(move: dict[str, Any]) -> tuple[Any, ...]:
    """A move without the card that its source already names."""
    keys = sorted(key for key in move if key != "card" or move.get("from", "hand") == "hand")
    return tuple((key, move[key]) for key in keys)


@pytest.mark.parametrize("preset", ["blackwood", "hoyle", "pagat"])
def test_the_list_is_what_the_judge_allows(preset: str, soak_round: int, soaked: Any) -> None:
    random_, counted = random.Random(7 + soak_round), 0
    for _ in range(POSITIONS if soak_round else FEW):
        position = random_position(random_, preset)
        try:
            listed = moves(preset, **position)
        except Refused:  # more of one card than the packs hold
            continue
        before = {"players": ["A", "B"], "player": "A", **position}
        legal = {
            plain(move)
            for move in everything(position)
            if check({"rules": {"preset": preset}, "position": before, "move": move}).value == "legal"
        }
        assert {plain(move) for move in listed["moves"]} == legal
        assert listed["missing"] == []
        counted += len(legal)
    assert counted > 3 * FEW
    soaked(moves=counted)


def test_compulsory_plays_and_why() -> None:
    answer = moves(payoff="2", side_stacks=[["4", "2"], ["9"]], centre_stacks=["A", "5", "A"], hand=["3"])
    told = [(entry["because"][0].article.partition(".")[2], entry["moves"]) for entry in answer["compulsory"]]
    assert told == [
        ("payoff-two", [{"type": "play", "from": "payoff", "card": "2", "to": to} for to in (0, 2)]),
        ("side-two", [{"type": "play", "from": "side", "card": "2", "stack": 0, "to": to} for to in (0, 2)]),
    ]
    assert {"type": "end_turn"} not in answer["moves"]


def test_compulsory_in_the_second_chance() -> None:
    table: dict[str, Any] = {
        "payoff": "9",
        "side_stacks": [],
        "centre_stacks": ["A"],
        "hand": ["A", "2", "7", "7", "K"],
    }
    entry = moves(**table, phase="second_chance")["compulsory"][0]
    assert entry["because"][0].article.endswith("second-chance-duty")
    assert {(move["card"], move["to"]) for move in entry["moves"]} == {("A", "new"), ("2", 0)}
    assert moves(**table)["compulsory"] == []


def test_what_side_stacks_accept() -> None:
    answer = moves(payoff="9", side_stacks=[["8", "X"], ["4"]], centre_stacks=[], hand=["3"])
    assert answer["side_stacks"][:2] == [{"to": 0, "accepts": ["8", "7", "6"]}, {"to": 1, "accepts": ["4", "3"]}]
    assert answer["side_stacks"][2]["to"] == "new"
    assert answer["side_stacks"][2]["accepts"] == RANKS[:0:-1]


def test_hidden_cards_are_asked_for() -> None:
    answer = moves(side_stacks=[], centre_stacks=["A"])
    assert [missing.fact for missing in answer["missing"]] == ["hand", "payoff"]
    assert all(isinstance(missing, Missing) for missing in answer["missing"])
    shown = moves(payoff="2", side_stacks=[], centre_stacks=["A"], phase="second_chance")
    assert shown["moves"] == [{"type": "play", "from": "payoff", "card": "2", "to": 0}]


def test_a_partners_piles_are_among_the_moves() -> None:
    partner = {"payoff": "6", "payoff_left": 4, "side_stacks": [["3"]]}
    table: dict[str, Any] = {
        "players": list("ABCD"),
        "payoff": "K",
        "hand": [],
        "side_stacks": [],
        "centre_stacks": ["5", "2"],
    }
    listed = moves("partners4", **table, partner=partner)["moves"]
    assert {"type": "play", "from": "partner_payoff", "card": "6", "to": 0} in listed
    assert {"type": "play", "from": "partner_side", "card": "3", "stack": 0, "to": 1} in listed


def test_going_out_is_claimed_and_nothing_else() -> None:
    assert moves(payoff_left=0, hand=["3"], side_stacks=[], centre_stacks=[])["moves"] == [{"type": "claim_win"}]


ACES: dict[str, Any] = {"payoff": "A", "payoff_left": 3, "hand": ["9"], "side_stacks": [["2"]], "centre_stacks": ["A"]}
IDLE: list[Any] = [{"player": player, "acted": False} for player in "ABAB"]


@pytest.mark.parametrize(
    ("preset", "position", "plays"),
    [
        ("blackwood", {}, True),
        ("blackwood", {"over": True}, False),
        ("blackwood", {"payoff": None, "payoff_left": 0}, False),
        ("blackwood", {"turns": IDLE}, False),
        ("blackwood", {"turns": IDLE[:2], "phase": "second_chance"}, True),
        ("blackwood", {"discarded": True}, False),
        ("partners4", {"payoff": None, "payoff_left": 0, "partner": {"payoff_left": 0}}, False),
        ("partners4", {"payoff": None, "payoff_left": 0, "partner": {"payoff_left": 1}}, True),
    ],
)
def test_nothing_is_compulsory_where_no_turn_is_played(preset: str, position: dict[str, Any], plays: bool) -> None:
    """SNM-074, 090, 108: the deal is over, or the cards are dealt again before the next turn."""
    players = list("ABCD" if preset == "partners4" else "AB")
    assert bool(moves(preset, players=players, **ACES | position)["compulsory"]) is plays


TABLE: dict[str, Any] = {
    "payoff": "7", "payoff_left": 9, "hand": ["4", "9"], "side_stacks": [["6"]], "centre_stacks": ["5"], "stock": 20,
    "complete": 0, "set_aside": 0, "turns": [],
    "partner": {"payoff": "8", "payoff_left": 4, "side_stacks": [["3"]]},
}  # fmt: skip


@pytest.mark.parametrize("preset", ["partners4", "skip_bo", "blackwood", "massachusetts", "hoyle", "alone3"])
@pytest.mark.parametrize(
    ("hidden", "facts"),
    [
        ([], []),
        (["centre_stacks"], ["centre_stacks"]),
        (["side_stacks"], ["side_stacks"]),
        (["payoff"], ["payoff"]),
        (["partner"], ["partner_payoff", "partner_side_stacks"]),
    ],
)
@pytest.mark.parametrize("discarded", [False, True])
def test_what_hides_legal_moves_is_asked_for(preset: str, hidden: list[str], facts: list[str], discarded: bool) -> None:
    """Every legal move is listed, or the fact that would show it is named."""
    house = GAME.options.preset(preset).options
    partners = {"players": 4, "partners": "opposite"} if preset == "skip_bo" else {}
    teams = bool(partners) or house.partners == "opposite"
    position = {key: value for key, value in TABLE.items() if key not in hidden and (teams or key != "partner")}
    players = list("ABCD"[: 4 if teams else house.players])
    answer = moves(preset, partners, players=players, discarded=discarded, **position)
    wanted = set() if discarded or (hidden == ["partner"] and not teams) else {*facts}
    assert {missing.fact for missing in answer["missing"]} == wanted


def test_unreadable_positions_are_refused() -> None:
    for request in ({}, {"position": {"players": ["A", "B"]}}, {"position": 3}):
        with pytest.raises(Refused):
            GAME.moves(GAME.options.preset().options, Node(request))
