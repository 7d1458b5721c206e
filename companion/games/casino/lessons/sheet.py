"""A whole game of Casino in facts, and which way to play suits whom."""

from __future__ import annotations

from typing import Final

from companion.engine.lessons import Why
from companion.engine.problems import JsonObject


def _deal(first: tuple[int, int, int, bool, bool], *, last: str = "p1") -> JsonObject:
    """Return a deal from what p1 took: cards, spades, aces, the big ten, the spy two."""
    cards, spades, aces, big, spy = first
    return {
        "p1": _side(cards, spades, aces, big, spy, last == "p1"),
        "p2": _side(52 - cards, 13 - spades, 4 - aces, not big, not spy, last == "p2"),
    }


def _side(cards: int, spades: int, aces: int, big: bool, spy: bool, last: bool) -> JsonObject:
    return {
        "cards": cards, "spades": spades, "aces": aces, "big_ten": big, "spy_two": spy,
        "sweeps": 0, "last_capture": last,
    }  # fmt: skip


_DEALS: Final = [
    _deal((29, 6, 3, True, False)),
    _deal((26, 8, 1, False, True), last="p2"),
    _deal((31, 5, 2, True, True)),
    _deal((30, 9, 3, True, False)),
]
WHY: Final = (Why(1, "p1", "sum"), Why(2, "p2", "tie"), Why(4, "p1", "over"))


def sheet(preset: str) -> JsonObject:
    """Return the score request of a whole game."""
    return {"rules": {"preset": preset}, "sides": ["p1", "p2"], "deals": _DEALS}


CHOICE: Final = {
    "known": {"never": {"standard": 3}, "some": {"royal": 2, "swazi": 1}, "well": {"swazi": 3}},
    "building": {"little": {"standard": 2}, "middle": {"royal": 2}, "much": {"swazi": 3}},
    "courts": {"plain": {"standard": 2}, "count": {"royal": 2, "swazi": 2}},
    "hands": {"few": {"standard": 1, "royal": 1}, "all": {"swazi": 2}},
}
