"""Positions of Casino with a turn in each: ten that were thought out, and as many others as anybody wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from companion.engine.cards import pack
from companion.engine.lessons import Json, Puzzle
from companion.games.casino import articles as a

SEATS: Final = ["p1", "p2"]


def _turn(table: str, hand: str, play: Json, article: str, *, builds: Sequence[Json] = (), pile: str = "") -> Puzzle:
    """Return a turn of one play by p1; `pile` is the top of the other pile."""
    position: dict[str, object] = {
        "seats": SEATS, "player": "p1", "table": table.split(), "hand": hand.split(), "builds": list(builds),
    }  # fmt: skip
    position |= {"piles": {"p2": pile.split()}} if pile else {}
    return Puzzle(position, {"type": "turn", "player": "p1", "plays": [play]}, article)


def _capture(card: str, table: str, *builds: str) -> Json:
    return {"play": "capture", "card": card, "table": table.split(), "builds": list(builds)}


def _build(card: str, table: str, value: int) -> Json:
    return {"play": "build", "card": card, "table": table.split(), "value": value}


def _pile(name: str, value: int, owner: str, *sets: str) -> Json:
    return {"id": name, "value": value, "owner": owner, "sets": [one.split() for one in sets]}


PUZZLES: Final[Mapping[str, Puzzle]] = {
    "equal": _turn("8H 3C KD", "8S 4D", _capture("8S", "8H"), a.EQUAL_RANK.id),
    "sum": _turn("2H 4C 5D QS", "JC 3S", _capture("JC", "2H 4C 5D"), a.SUMS.id),
    "twice": _turn("3H 3D 5C", "8S 9H", _capture("8S", "3H 3D 5C"), a.SUMS.id),
    "together": _turn("9D 6H 3C 7S", "9S KC", _capture("9S", "9D 6H 3C"), a.SUMS.id),
    "trail": _turn("7D QC 2H", "7C JD", {"play": "trail", "card": "7C"}, a.TRAIL_ANY_CARD.id),
    "build": _turn("5C KH", "4D 9H", _build("4D", "5C", 9), a.SINGLE_BUILD.id),
    "build-unheld": _turn("5C KH", "4D 8H", _build("4D", "5C", 9), a.BUILD_NEEDS_CARD.id),
    "raise-own": _turn(
        "KH", "2S JD 9C", {"play": "raise", "card": "2S", "build": "B1", "to": 11}, a.OWN_BUILD_NOT_RAISED.id,
        builds=(_pile("B1", 9, "p1", "5C 4D"),),
    ),
    "raise-theirs": _turn(
        "KH", "2S JD 9C", {"play": "raise", "card": "2S", "build": "B1", "to": 11}, a.RAISE.id,
        builds=(_pile("B1", 9, "p2", "5C 4D"),),
    ),
    "same-value": _turn(
        "6C 3S QD", "3H 9C 2D", _build("3H", "6C", 9), a.BUILD_VALUE_FREE.id,
        builds=(_pile("B1", 9, "p2", "5C 4D"),),
    ),
}  # fmt: skip


def draw(random: Random) -> Puzzle:
    """Return a position that nobody has thought out, with a capture or a build that looks right."""
    cards = [str(card) for card in pack()]
    random.shuffle(cards)
    pips = {str(card): card.pips for card in pack()}
    table, hand = cards[:5], sorted(cards[5:9])
    card = next((one for one in hand if 7 <= pips[one] <= 13), hand[0])
    if random.random() < 0.5:
        low = min(hand, key=lambda one: pips[one])
        first = min(table, key=lambda one: pips[one])
        wanted = [value for one in hand if (value := pips[one]) > pips[low]]
        value = pips[low] + pips[first]
        value = value if random.random() < 0.6 or not wanted else random.choice(wanted)
        return _turn(" ".join(table), " ".join(hand), _build(low, first, value), "")
    for size in random.sample((1, 2, 3), 3):
        some = random.sample(table, size)
        if abs(sum(pips[one] for one in some) - pips[card]) <= random.choice((0, 0, 1)):
            return _turn(" ".join(table), " ".join(hand), _capture(card, " ".join(some)), "")
    return _turn(" ".join(table), " ".join(hand), _capture(card, random.choice(table)), "")
