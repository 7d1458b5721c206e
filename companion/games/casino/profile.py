"""What other parts of the program show of Casino: seatings, paper columns, essentials, fixes, measures, feats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from companion.engine.evenings import Feat
from companion.engine.ledger import (
    Agreement,
    Column,
    Essentials,
    Fixes,
    Line,
    Measure,
    MeasuredDeal,
    Offer,
    PaperSheet,
    Seating,
    clockwise,
)
from companion.engine.problems import JsonObject
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import ACES, leaders
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


# What is counted for players ------------------------------------------------------------------------------------------


def _most(item: str) -> Callable[[MeasuredDeal], tuple[int, int]]:
    return lambda deal: (int([*leaders(deal.facts, item)] == [deal.side]), 1)


def _has(item: str) -> Callable[[MeasuredDeal], tuple[int, int]]:
    return lambda deal: (int(getattr(deal.facts.sides[deal.side], item)), 1)


def _sweeps(deal: MeasuredDeal) -> tuple[int, int] | None:
    return (deal.facts.sides[deal.side].sweeps, 1) if deal.rules.sweep else None


def _cards(deal: MeasuredDeal) -> tuple[int, int] | None:
    cards = deal.facts.sides[deal.side].cards
    return None if cards is None else (cards, 1)


MEASURES: Final = (
    Measure("most-cards", _most("cards")),
    Measure("most-spades", _most("spades")),
    Measure("big-ten", _has("big_ten")),
    Measure("spy-two", _has("spy_two")),
    Measure("aces", _has("aces"), share=False),
    Measure("sweeps", _sweeps, share=False),
    Measure("captures", _cards, share=False),
)
"""All are those of the side. Cards are counted in the deals in which they were counted."""


# What an evening is remembered for ------------------------------------------------------------------------------------


def _sweeps_line(line: Line) -> tuple[int, int] | None:
    """Count the sweeps that scored; those of both sides that cancel each other do not."""
    if line.article not in (a.SWEEPS.id, a.SWEEPS_CANCEL.id):
        return None
    return line.facts["sweeps"] - line.facts["cancelled"], line.facts["sweeps"]


def _big_ten(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.BIG_TEN.id else None


def _aces(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.ACES.id and line.facts["aces"] == ACES else None


def _shutout(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.SHUTOUT.id else None


FEATS: Final = (
    Feat("shutout", _shutout),
    Feat("aces", _aces),
    Feat("sweeps", _sweeps_line, "most"),
    Feat("big-ten", _big_ten, "most"),
)
