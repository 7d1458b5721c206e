"""What a verdict costs: the claim of a Casino capture on a crowded table, in milliseconds at the slow end."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Measured
from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.games import GAMES

LOOSE = 24
CLAIMS = 400
ENOUGH = 3
"""Cards that a claim names at most; the search has to find out whether more could be taken."""


def verdicts() -> Iterator[Measured]:
    """The slow end of claims against any choice of loose cards."""
    game, chance = GAMES["casino"], random.Random(24)
    rules = game.options.preset().options
    took = []
    for position, move in (_claim(chance) for _ in range(CLAIMS)):
        began = time.process_time()
        game.judge(rules, Node(position), Node(move))
        took.append(time.process_time() - began)
    slow = sorted(took)[len(took) * 99 // 100]
    yield Measured(f"Casino claim, {LOOSE} loose cards: milliseconds, 99th percentile", slow * 1000, 0.5, "<=")


def _claim(chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table of many cards, a card in the hand, and a capture of some of them that may be right or wrong."""
    pack = [str(Card(rank, suit)) for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "SHDC"]
    chance.shuffle(pack)
    card, loose = pack[0], pack[1 : LOOSE + 1]
    position = {"seats": ["A", "B"], "player": "A", "table": loose, "hand": [card, *pack[LOOSE + 1 : LOOSE + 4]]}
    taken = chance.sample(loose, chance.randint(1, ENOUGH))
    return position, {"type": "turn", "plays": [{"play": "capture", "card": card, "table": taken}]}
