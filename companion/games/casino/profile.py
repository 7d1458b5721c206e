"""What other parts of the program show of Casino: seatings, the next dealer, paper columns, essentials, fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

from companion.engine.profile import Column, Essentials, Fixes, JsonObject, PaperSheet, Seating, clockwise
from companion.games.casino.rules import CasinoRules


def _worth(option: str) -> Callable[[CasinoRules], bool]:
    """Return a test whether what an option counts is worth anything."""
    points: Callable[[CasinoRules], int] = attrgetter(option)
    return lambda rules: points(rules) != 0


PAPER: Final = PaperSheet(
    shared=(
        Column("most-cards", _worth("cards_points")),
        Column("most-spades", _worth("spades_points")),
        Column("big-ten", _worth("big_ten_points")),
        Column("spy-two", _worth("spy_two_points")),
        Column("last-capture", _worth("last_capture_points")),
    ),
    each=(Column("aces", _worth("ace_points")), Column("sweeps", _worth("sweep")), Column("points"), Column("total")),
)

ESSENTIALS: Final = Essentials(
    "scoring",
    (
        "dealing", "rounds-of-four", "first-player", "card-values", "courts-without-number", "one-hand-card",
        "equal-rank", "sums", "court-capture", "capture-build", "standard-build-capture", "single-build",
        "build-needs-card", "builder-holds", "one-build-a-value", "raise", "standard-raise", "set-total",
        "multiple-build", "trail", "keep-capturer", "owner-may-not-trail", "demand", "sweeps", "majority-tie",
        "target",
    ),
)  # fmt: skip

FIXES: Final = Fixes(
    counts={"cards-total": "mc", "spades-total": "ms", "aces-total": "ac"},
    holders={"big-ten-total": "bt", "spy-two-total": "st", "spy-two-without-spade": "st"},
    suspects={"cards-below-parts": ("mc", "ms", "ac")},
)


def seatings(rules: CasinoRules) -> tuple[Seating, ...]:
    """Return two, three or four players: four in partnerships, or each alone."""
    return (Seating(2), Seating(3), Seating(4, 2), Seating(4))


def next_dealer(options: JsonObject, seating: Sequence[str], dealer: str) -> str:
    """Return the seat that deals next, in the direction of play."""
    if options.get("direction") == "anticlockwise":
        return seating[seating.index(dealer) - 1]
    return clockwise(options, seating, dealer)
