"""What Casino's judge costs: a claim, the listed captures, the largest capture, a check; at the slow end each."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.measure import Measured
from companion.engine.cards import Card, pack, read_card
from companion.engine.problems import Node
from companion.games import GAMES
from companion.games.casino.capture import Reach, largest
from companion.games.casino.moves import complete_captures

LOOSE = 24
CLAIMS = 400
ENOUGH = 3
"""Cards that a claim names at most; the search has to find out whether more could be taken."""
SMALL = (
    ("AC", 14, "2D 3C 4C 5D 6H 7H 8D 9H AD AH AS JC"),
    ("AC", 14, "10C 2C 2S 3C 3H 5H 7D 9D AH AS KS QS"),
    ("KS", 13, "10D 2D 3S 4D 5H 6D 7C 8D 9H AC AS JS"),
)
"""The slowest tables of 12 loose cards that hill climbing found, for the listing that was before and for this one."""
LARGE = (
    ("AC", 14, {1: 3, 2: 4, 3: 3, 4: 1, 6: 4, 7: 1, 9: 4, 10: 4, 11: 4, 12: 4, 13: 1}),
    ("KC", 13, {1: 4, 2: 4, 3: 3, 4: 1, 6: 4, 7: 1, 8: 4, 9: 4, 10: 4, 11: 4, 12: 1}),
)
"""The slowest tables for the largest capture that hill climbing found, as cards of each rank."""


def casino() -> Iterator[Measured]:
    """Yield the rows of Casino, in milliseconds of CPU time."""
    claims = sorted(_claims())
    yield Measured(
        f"Casino claim, {LOOSE} loose cards: ms, 99th percentile", claims[len(claims) * 99 // 100], 0.3, "<="
    )
    yield Measured(f"Casino check, {LOOSE} loose cards: ms, median", claims[len(claims) // 2], 0.15, "<=")
    rules = GAMES["casino"].options.preset().options
    small = [
        (Reach(rules, read_card(card), value), tuple(map(read_card, loose.split()))) for card, value, loose in SMALL
    ]
    slowest = max(_best(lambda one=one: complete_captures(*one)) for one in small)  # type: ignore[misc]
    yield Measured("Casino complete captures, 12 loose cards, worst: ms", slowest, 2.0, "<=")
    large = [(Reach(rules, read_card(card), value), _cards(counts, read_card(card))) for card, value, counts in LARGE]
    slowest = max(_best(lambda one=one: largest(*one)) for one in large)  # type: ignore[misc]
    yield Measured("Casino maximum capture, 33 loose cards and more, worst: ms", slowest, 15.0, "<=")


def _claims() -> Iterator[float]:
    """Yield the milliseconds of claims against any choice of loose cards."""
    game, chance = GAMES["casino"], random.Random(24)
    rules = game.options.preset().options
    for position, move in (_claim(chance) for _ in range(CLAIMS)):
        yield _best(lambda: game.judge(rules, Node(position), Node(move)), times=3)  # noqa: B023


def _claim(chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a table of many cards, a card in the hand, and a capture of some of them that may be right or wrong."""
    cards = [str(card) for card in pack()]
    chance.shuffle(cards)
    card, loose = cards[0], cards[1 : LOOSE + 1]
    position = {"seats": ["A", "B"], "player": "A", "table": loose, "hand": [card, *cards[LOOSE + 1 : LOOSE + 4]]}
    taken = chance.sample(loose, chance.randint(1, ENOUGH))
    return position, {"type": "turn", "plays": [{"play": "capture", "card": card, "table": taken}]}


def _cards(counts: dict[int, int], played: Card) -> tuple[Card, ...]:
    """Return so many cards of each rank, the card played not among them."""
    found: list[Card] = []
    for rank, count in counts.items():
        found += [card for card in pack() if card.pips == rank and card != played][:count]
    return tuple(found)


def _best(call: Callable[[], object], *, times: int = 5) -> float:
    """Return the milliseconds of CPU time of a call, the best of some."""
    best = float("inf")
    for _ in range(times):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
    return best * 1000
