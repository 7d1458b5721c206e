"""Positions of Casino with a turn in each: ten for each way to play, and as many others as anybody wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from companion.engine.cards import pack
from companion.engine.lessons import Puzzle
from companion.engine.problems import JsonObject
from companion.games.casino import articles as a
from companion.games.casino.rules import OPTIONS
from companion.games.casino.table import set_value

SEATS: Final = ["p1", "p2"]
_BUILD: Final = "5♣4♦"
"""How verdicts call the one build of a position: by its cards, which are drawn."""


def _turn(
    table: str, hand: str, play: JsonObject, article: str, *, builds: Sequence[JsonObject] = ()
) -> tuple[JsonObject, JsonObject, str]:
    """Return a position, a turn of one play by p1, and the article that the answer rests on."""
    position: dict[str, object] = {
        "seats": SEATS, "player": "p1", "table": table.split(), "hand": hand.split(), "builds": list(builds),
    }  # fmt: skip
    return position, {"type": "turn", "player": "p1", "plays": [play]}, article


def _capture(card: str, table: str, *builds: str, **more: int) -> JsonObject:
    return {"play": "capture", "card": card, "table": table.split(), "builds": list(builds), **more}


def _build(card: str, table: str, value: int) -> JsonObject:
    return {"play": "build", "card": card, "table": table.split(), "value": value}


def _raise(card: str, to: int) -> JsonObject:
    return {"play": "raise", "card": card, "build": _BUILD, "to": to}


def _pile(value: int, owner: str, *sets: str) -> JsonObject:
    return {"id": _BUILD, "value": value, "owner": owner, "sets": [one.split() for one in sets]}


_MINE, _THEIRS = (_pile(9, "p1", "5C 4D"),), (_pile(9, "p2", "5C 4D"),)
_ALL: Final = {
    "equal": _turn("8H 3C KD", "8S 4D", _capture("8S", "8H"), a.EQUAL_RANK.id),
    "sum": _turn("2H 4C 5D QS", "JC 3S", _capture("JC", "2H 4C 5D"), a.SUMS.id),
    "sum-ten": _turn("2H 3C 5D QS", "10C 3S", _capture("10C", "2H 3C 5D"), a.SUMS.id),
    "twice": _turn("3H 3D 5C", "8S 9H", _capture("8S", "3H 3D 5C"), a.SUMS.id),
    "together": _turn("9D 6H 3C 7S", "9S KC", _capture("9S", "9D 6H 3C"), a.SUMS.id),
    "court-sum": _turn("2H 4C 5D QS", "JC 3S", _capture("JC", "2H 4C 5D"), a.COURT_CAPTURE.id),
    "court-two": _turn("KH KD 4C", "KS 3D", _capture("KS", "KH KD"), a.COURT_TAKE.id),
    "ace-high": _turn("9C 5D 2H", "AS 7D", _capture("AS", "9C 5D", **{"as": 14}), a.SUMS.id),
    "trail": _turn("7D QC 2H", "7C JD", {"play": "trail", "card": "7C"}, a.TRAIL_ANY_CARD.id),
    "build": _turn("5C KH", "4D 9H", _build("4D", "5C", 9), a.SINGLE_BUILD.id),
    "build-court": _turn("8C KH", "4D QH", _build("4D", "8C", 12), a.SINGLE_BUILD.id),
    "build-unheld": _turn("5C KH", "4D 8H", _build("4D", "5C", 9), a.BUILD_NEEDS_CARD.id),
    "raise-own": _turn("KH", "2S JD 9C", _raise("2S", 11), a.OWN_BUILD_NOT_RAISED.id, builds=_MINE),
    "raise-theirs": _turn("KH", "2S JD 9C", _raise("2S", 11), a.RAISE.id, builds=_THEIRS),
    "same-value": _turn("6C 3S QD", "3H 9C 2D", _build("3H", "6C", 9), a.BUILD_VALUE_FREE.id, builds=_THEIRS),
    "trail-own": _turn("KH 2D", "7S 9C", {"play": "trail", "card": "7S"}, a.OWNER_MAY_NOT_TRAIL.id, builds=_MINE),
}  # fmt: skip
_QUIZ: Final = {
    "swazi": "equal sum twice together trail build build-unheld raise-own raise-theirs same-value",
    "standard": "equal sum-ten twice together court-sum court-two trail build build-unheld trail-own",
    "royal": "equal sum twice together ace-high trail build build-court build-unheld trail-own",
}


_STANDARD: Final = {
    a.SUMS.id: a.STANDARD_CAPTURE.id, a.SINGLE_BUILD.id: a.BUILD_TOTAL.id, a.BUILD_NEEDS_CARD.id: a.BUILDER_HOLDS.id,
}  # fmt: skip
"""The articles that say the same of standard building."""


def puzzles(preset: str) -> Mapping[str, Puzzle]:
    """Return the quiz of a preset from easy to hard."""
    standard = OPTIONS.preset(preset).options.building == "standard"
    found = {}
    for name in _QUIZ[preset].split():
        position, move, article = _ALL[name]
        article = _STANDARD.get(article, article) if standard else article
        found[name] = Puzzle({"preset": preset}, position, move, article)
    return found


def draw(random: Random, preset: str) -> Puzzle:
    """Return a position that nobody has thought out, with a capture or a build that looks right."""
    rules = OPTIONS.preset(preset).options
    cards = [str(card) for card in pack()]
    random.shuffle(cards)
    value_of = {str(card): set_value(rules, card) or card.pips for card in pack()}
    adds_up = {str(card) for card in pack() if set_value(rules, card)}
    table, hand = cards[:5], sorted(cards[5:9])
    card = next((one for one in hand if 7 <= value_of[one] <= 13), hand[0])
    small = [one for one in hand if one in adds_up]
    loose = [one for one in table if one in adds_up]
    if random.random() < 0.5 and small and loose:
        low = min(small, key=value_of.__getitem__)
        first = min(loose, key=value_of.__getitem__)
        wanted = [value for one in hand if (value := value_of[one]) > value_of[low]]
        value = value_of[low] + value_of[first]
        value = value if random.random() < 0.6 or not wanted else random.choice(wanted)
        return _drawn(preset, table, hand, _build(low, first, value))
    for size in random.sample((1, 2, 3), 3):
        some = random.sample(table, size)
        if abs(sum(value_of[one] for one in some) - value_of[card]) <= random.choice((0, 0, 1)):
            return _drawn(preset, table, hand, _capture(card, " ".join(some)))
    return _drawn(preset, table, hand, _capture(card, random.choice(table)))


def _drawn(preset: str, table: Sequence[str], hand: Sequence[str], play: JsonObject) -> Puzzle:
    return Puzzle({"preset": preset}, *_turn(" ".join(table), " ".join(hand), play, ""))
