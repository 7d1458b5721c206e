"""SNM-050 to 055 and 064 to 069: what a side stack accepts, against an oracle that tries every reading of jokers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from companion.engine.cards import RANKS, Card
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.stacks import accepted
from tests.spite_and_malice.asking import articles, ask

JOKER = 0
LONGEST, MOST_JOKERS = 7, 4


@cache
def readings(stack: tuple[int, ...], low: int) -> frozenset[int]:
    """Every rank that the top card can stand for, over all readings in which each card equals the one below or is one
    lower. A card lies on a joker as on what the joker stands for."""
    *below, card = stack
    allowed = frozenset(range(low, 14))
    if below:
        allowed &= {rank - step for rank in readings(tuple(below), low) for step in (0, 1)}
    return allowed if card == JOKER else allowed & {card}


def follows(stack: tuple[int, ...], card: int) -> bool:
    """Whether some reading of the whole stack with the card on it is legal, jokers below an ace lying as aces too."""
    return card in readings((*stack, card), 1)


def built(low: int) -> Iterator[tuple[int, ...]]:
    """Every stack that legal discards can build, natural aces only where the table allows them."""
    growing: list[tuple[int, ...]] = [()]
    while growing:
        stack = growing.pop()
        yield stack
        if len(stack) < LONGEST:
            growing += [(*stack, rank) for rank in range(low, 14) if follows(stack, rank)]
            if stack.count(JOKER) < MOST_JOKERS:
                growing.append((*stack, JOKER))


@pytest.mark.slow
@pytest.mark.parametrize("discard_ace", [False, True])
def test_accepted_ranks_agree_with_every_reading_of_the_jokers(discard_ace: bool) -> None:
    rules, low, count = SpiteRules(discard_ace=discard_ace), 1 if discard_ace else 2, 0
    for stack in built(low):
        cards = [Card("X") if rank == JOKER else Card(RANKS[rank - 1]) for rank in stack]
        assert set(accepted(rules, cards)) == {rank for rank in range(low, 14) if follows(stack, rank)}, stack
        count += 1
    assert count > 25_000


@pytest.mark.parametrize(
    ("stack", "barred", "allowed"),
    [
        ("8", "8 7", "8 7"),
        ("8 X", "8 7 6", "8 7 6"),
        ("8 X X", "8 7 6 5", "8 7 6 5"),
        ("8 X 6", "6 5", "6 5"),
        ("8 X 6 X", "6 5 4", "6 5 4"),
        ("K X", "K Q J", "K Q J"),
        ("3 X", "3 2", "3 2 A"),
        ("2 X", "2", "2 A"),
        ("2 X X", "2", "2 A"),
        ("X X", "K Q J 10 9 8 7 6 5 4 3 2", "K Q J 10 9 8 7 6 5 4 3 2 A"),
        ("X 9 X", "9 8 7", "9 8 7"),
        ("A X", "", "A"),
    ],
)
def test_table_of_the_rules(stack: str, barred: str, allowed: str) -> None:
    cards = [Card(rank) for rank in stack.split()]
    for discard_ace, expected in ((False, barred), (True, allowed)):
        ranks = accepted(SpiteRules(discard_ace=discard_ace), cards)
        assert [RANKS[rank - 1] for rank in reversed(ranks)] == expected.split()


def test_kings_wild_stop_at_the_queen() -> None:
    rules = SpiteRules(wild=("K",), top_rank="Q", jokers=0, discard_ace=True)
    assert list(accepted(rules, [Card("K")])) == list(range(1, 13))
    assert list(accepted(rules, [Card("Q"), Card("K")])) == [10, 11, 12]


HAND = ["6", "A", "9", "K", "X"]


def discard(card: str, to: int | str, **options: object) -> set[str]:
    sides = [["8", "X"], ["2"], ["4"], ["4"]]
    move = {"type": "discard", "card": card, "to": to}
    return articles(ask(move, options=options, hand=HAND, payoff="7", side_stacks=sides, centre_stacks=["3"]))


def test_breaches_name_their_articles() -> None:
    assert discard("6", 0) == set()
    assert discard("9", 0) == {"joker-range"}
    assert discard("6", 1) == {"same-or-lower"}
    assert discard("A", 1) == {"ace-stays-in-hand"}
    assert discard("A", 0) == {"ace-stays-in-hand", "joker-range"}
    assert discard("K", "new") == {"side-stacks"}
    assert discard("X", "new") == {"side-stacks"}
    assert discard("X", 2) == set()
    assert discard("9", 4) == {"side-stacks"}
    assert discard("K", 1, discard_rule="free") == set()
    assert discard("A", 1, discard_rule="free") == {"ace-stays-in-hand"}


def test_only_from_hand_onto_ones_own() -> None:
    move = {"type": "discard", "card": "7", "to": 0, "from": "payoff"}
    position: dict[str, Any] = {"hand": HAND, "payoff": "7", "side_stacks": [["8"]], "centre_stacks": []}
    assert articles(ask(move, **position)) == {"only-from-hand"}
    assert articles(ask(move | {"from": "hand"}, **position)) == {"plays"}
    assert articles(ask({"type": "discard", "card": "6", "to": 0, "owner": "opponent"}, **position)) == {
        "only-from-hand"
    }
