"""Positions of Spite and Malice with a move in each: ten that were thought out, and as many others as anybody wants."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from companion.engine.lessons import Json, Puzzle
from companion.games.spite_and_malice import articles as a

_RANKS: Final = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def _at(payoff: str, hand: str, centre: str, sides: str, move: Json, article: str) -> Puzzle:
    """Return a move of p1; side stacks are separated by bars, the top card of each last."""
    position = {
        "players": ["p1", "p2"], "player": "p1", "payoff": payoff, "payoff_left": 8, "hand": hand.split(),
        "centre_stacks": centre.split(), "side_stacks": [stack.split() for stack in sides.split("|") if stack.strip()],
        "stock": 40,
    }  # fmt: skip
    return Puzzle(position, {"seat": "p1", **move}, article)


def _play(source: str, card: str, to: int | str, **more: object) -> Json:
    return {"type": "play", "from": source, "card": card, "to": to, **more}


def _discard(card: str, to: int | str) -> Json:
    return {"type": "discard", "card": card, "to": to}


PUZZLES: Final[Mapping[str, Puzzle]] = {
    "next": _at("9", "4 7 7 J K", "3", "", _play("hand", "4", 0), a.NEXT_RANK.id),
    "skip": _at("9", "5 7 7 J K", "3", "", _play("hand", "5", 0), a.NEXT_RANK.id),
    "open": _at("9", "2 7 7 J K", "6", "", _play("hand", "2", "new"), a.OPEN_STACK.id),
    "payoff": _at("8", "3 5 J Q K", "7 2", "", _play("payoff", "8", 0), a.PAYOFF_TOP.id),
    "side-top": _at("9", "2 7 J K K", "4", "5 8", _play("side", "5", 0, stack=0, depth=1), a.TOP_CARD_ONLY.id),
    "joker": _at("9", "X 7 7 J K", "7", "", _play("hand", "X", 0), a.JOKER_TO_CENTRE.id),
    "discard-lower": _at("9", "7 J K 3 3", "5", "8", _discard("7", 0), a.SAME_OR_LOWER.id),
    "discard-higher": _at("4", "9 J K 3 3", "5", "8", _discard("9", 0), a.SAME_OR_LOWER.id),
    "payoff-ace": _at("A", "7 J K 3 3", "5", "8", _discard("7", 0), a.PAYOFF_ACE.id),
    "joker-range": _at("4", "6 J K 3 Q", "9", "8 X", _discard("6", 0), a.JOKER_RANGE.id),
}


def draw(random: Random) -> Puzzle:
    """Return a position that nobody has thought out, with a play to the centre or a discard that looks right."""
    payoff, *hand = random.choices([rank for rank in _RANKS if rank != "A"], k=6)
    centre = random.sample(_RANKS[:-1], 2)
    sides = [[rank] for rank in random.sample(_RANKS[3:], 2)]
    if random.random() < 0.4:
        sides[0].append("X")
    hand[0] = random.choice((hand[0], "X", "A"))
    shown = " | ".join(" ".join(stack) for stack in sides)
    text = " ".join(hand)
    if random.random() < 0.5:
        place = random.randrange(2)
        near = sorted(hand, key=lambda card: abs(_after(centre[place], card) - 1))[: random.choice((1, 2))]
        return _at(payoff, text, " ".join(centre), shown, _play("hand", random.choice(near), place), "")
    place = random.randrange(2)
    near = sorted(hand, key=lambda card: abs(_after(sides[place][0], card) + 0.5))[:2]
    return _at(payoff, text, " ".join(centre), shown, _discard(random.choice(near), place), "")


def _after(top: str, card: str) -> int:
    """Return how many ranks above a card another one is; a joker is just above."""
    return 1 if card == "X" else _RANKS.index(card) - _RANKS.index(top)
