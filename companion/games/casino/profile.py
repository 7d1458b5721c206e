"""What other parts of the program show of Casino: seatings, the next dealer, paper columns, essentials, fixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from companion.engine.profile import Agreement, Column, Essentials, Fixes, Offer, PaperSheet, Seating, clockwise
from companion.engine.reading import JsonObject
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import deal_plan, highest_value


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


AGREEMENTS: Final = (
    Agreement("length", (Offer("single", {"target": None}), Offer("to-21", {"target": 21})), length=True),
)


def numbers(rules: CasinoRules) -> Mapping[str, int]:
    """Return the cards of each hand by the number of players, how often they are dealt, and the highest value.

    `half` is what two players are dealt at first, `dealt_two` how often two are dealt hands.
    """
    plans = {name: deal_plan(rules, players) for name, players in (("two", 2), ("three", 3), ("four", 4))}
    return {
        **{f"hand_{name}": sum(plan.rounds) for name, plan in plans.items()},
        **{f"dealt_{name}": len(plan.rounds) for name, plan in plans.items()},
        "half": plans["two"].rounds[0],
        "highest": highest_value(rules),
        "too_high": highest_value(rules) + 1,
    }


def seatings(rules: CasinoRules) -> tuple[Seating, ...]:
    """Return two, three or four players: four in partnerships, or each alone."""
    return (Seating(2), Seating(3), Seating(4, 2), Seating(4))


def next_dealer(options: JsonObject, seating: Sequence[str], dealer: str) -> str:
    """Return the seat that deals next, in the direction of play."""
    if options.get("direction") == "anticlockwise":
        return seating[seating.index(dealer) - 1]
    return clockwise(options, seating, dealer)
