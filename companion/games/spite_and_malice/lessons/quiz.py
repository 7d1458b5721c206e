"""Positions of Spite and Malice with a move in each: ten for each way to play, and as many others as anybody wants."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from companion.engine.lessons import Puzzle
from companion.engine.problems import JsonObject
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.rules import OPTIONS

_RANKS: Final = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def _at(
    payoff: str, hand: str, centre: str, sides: str, move: JsonObject, article: str
) -> tuple[JsonObject, JsonObject, str]:
    """Return a position, a move of p1, its article; side stacks are separated by bars, the top card of each last."""
    position = {
        "players": ["p1", "p2"], "player": "p1", "payoff": payoff, "payoff_left": 12, "hand": hand.split(),
        "centre_stacks": centre.split(), "side_stacks": [stack.split() for stack in sides.split("|") if stack.strip()],
        "stock": 40,
    }  # fmt: skip
    return position, {"seat": "p1", **move}, article


def _play(source: str, card: str, to: int | str, **more: object) -> JsonObject:
    return {"type": "play", "from": source, "card": card, "to": to, **more}


def _discard(card: str, to: int | str) -> JsonObject:
    return {"type": "discard", "card": card, "to": to}


_ALL: Final = {
    "next": _at("9", "4 7 7 J Q", "3", "", _play("hand", "4", 0), a.NEXT_RANK.id),
    "skip": _at("9", "5 7 7 J Q", "3", "", _play("hand", "5", 0), a.NEXT_RANK.id),
    "open": _at("9", "2 7 7 J Q", "6", "", _play("hand", "2", "new"), a.OPEN_STACK.id),
    "payoff": _at("8", "3 5 J Q Q", "7 2", "", _play("payoff", "8", 0), a.PAYOFF_TOP.id),
    "side-top": _at("9", "2 7 J Q Q", "4", "5 4", _play("side", "5", 0, stack=0, depth=1), a.TOP_CARD_ONLY.id),
    "joker": _at("9", "X 7 7 J K", "7", "", _play("hand", "X", 0), a.JOKER_TO_CENTRE.id),
    "king": _at("9", "K 7 7 J Q", "7", "", _play("hand", "K", 0), a.KING_TO_CENTRE.id),
    "fourth": _at("9", "A 7 7 J Q", "3 6 9", "", _play("hand", "A", "new"), a.CENTRE_PLACES.id),
    "fifth": _at("9", "A 7 7 J Q", "3 6 9 J", "", _play("hand", "A", "new"), a.CENTRE_PLACES.id),
    "discard-any": _at("4", "9 J Q 3 3", "5", "8", _discard("9", 0), a.ANY_CARD_ANYWHERE.id),
    "discard-ace": _at("4", "A J Q 3 3", "5", "8", _discard("A", 0), a.ANY_CARD_ANYWHERE.id),
    "no-discard": _at("4", "9 J Q 3 3", "5", "8", {"type": "end_turn"}, a.CLOSING_DISCARD.id),
    "discard-lower": _at("9", "7 J K 3 3", "5", "8", _discard("7", 0), a.SAME_OR_LOWER.id),
    "discard-higher": _at("4", "9 J K 3 3", "5", "8", _discard("9", 0), a.SAME_OR_LOWER.id),
    "payoff-ace": _at("A", "7 J K 3 3", "5", "8", _discard("7", 0), a.PAYOFF_ACE.id),
    "joker-range": _at("4", "6 J K 3 Q", "9", "8 X", _discard("6", 0), a.JOKER_RANGE.id),
}
_QUIZ: Final = {
    "blackwood": "next skip open payoff side-top joker discard-lower discard-higher payoff-ace joker-range",
    "massachusetts": "next skip open payoff side-top king discard-any fifth discard-ace no-discard",
    "pagat": "next skip open payoff side-top king discard-any fourth discard-ace no-discard",
}


def puzzles(preset: str) -> Mapping[str, Puzzle]:
    """Return the quiz of a preset from easy to hard."""
    return {name: Puzzle({"preset": preset}, *_ALL[name]) for name in _QUIZ[preset].split()}


def draw(random: Random, preset: str) -> Puzzle:
    """Return a position that nobody has thought out, with a play to the centre or a discard that looks right."""
    jokers = OPTIONS.preset(preset).options.jokers
    ranks = _RANKS if jokers else _RANKS[:-1]
    wild = "X" if jokers else "K"
    payoff, *hand = random.choices([rank for rank in ranks if rank != "A"], k=6)
    centre = random.sample(ranks[:-1], 2)
    sides = [[rank] for rank in random.sample(ranks[3:], 2)]
    if random.random() < 0.4:
        sides[0].append(wild)
    hand[0] = random.choice((hand[0], wild, "A"))
    shown = " | ".join(" ".join(stack) for stack in sides)
    text, place = " ".join(hand), random.randrange(2)
    if random.random() < 0.5:
        near = sorted(hand, key=lambda card: abs(_after(centre[place], card, wild) - 1))[: random.choice((1, 2))]
        move = _play("hand", random.choice(near), place)
    elif jokers or random.random() < 0.3:
        near = sorted(hand, key=lambda card: abs(_after(sides[place][0], card, wild) + 0.5))[:2]
        move = _discard(random.choice(near), place)
    else:
        card = sides[place][-1]
        move = _play("side", card, 1 - place, stack=place)
    return Puzzle({"preset": preset}, *_at(payoff, text, " ".join(centre), shown, move, ""))


def _after(top: str, card: str, wild: str) -> int:
    """Return how many ranks above a card another one is; a wild card is just above."""
    return 1 if card == wild else _RANKS.index(card) - _RANKS.index(top)
