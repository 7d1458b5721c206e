"""The game Casino: its record, paper columns, essentials, what is counted for players, examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.engine.deferred import Deferred, DeferredMapping, deferred_function, deferred_object
from companion.engine.evenings import Achievement
from companion.engine.game import Game, GameShapes
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
from companion.games.casino.articles import ARTICLES, GAME
from companion.games.casino.rules import OPTIONS, CasinoRules
from companion.games.casino.score import (
    ACES,
    DEAL,
    DEAL_KEYS,
    KINDS,
    CasinoScorer,
    leaders,
    read_sides,
    single_spades,
    tallies,
)
from companion.games.casino.table import deal_plan, highest_value


def _worth(option: str) -> Callable[[CasinoRules], bool]:
    """Return a test whether what an option counts is worth anything."""
    return lambda rules: bool(getattr(rules, option))


_PAPER: Final = PaperSheet(
    shared=(
        Column("most-cards", _worth("cards_points")),
        Column("most-spades", _worth("spades_points")),
        Column("big-ten", _worth("big_ten_points")),
        Column("spy-two", _worth("spy_two_points")),
        Column("spade-jack", lambda rules: "spade_jack" in single_spades(rules)),
        Column("spade-ace", _worth("spade_ace_points")),
        Column("last-capture", _worth("last_capture_points")),
    ),
    each=(
        Column("each-spade", _worth("each_spade_points")),
        Column("aces", _worth("ace_points")),
        Column("sweeps", _worth("sweep")),
        Column("points"),
        Column("total"),
    ),
)

_ESSENTIALS: Final = Essentials(
    "scoring",
    (
        "dealing", "rounds-of-four", "first-player", "card-values", "courts-without-number", "one-hand-card",
        "equal-rank", "sums", "court-capture", "capture-build", "standard-build-capture", "single-build",
        "build-needs-card", "builder-holds", "one-build-a-value", "raise", "standard-raise", "set-total",
        "multiple-build", "trail", "keep-capturer", "owner-may-not-trail", "demand", "sweeps", "majority-tie",
        "draw-casino", "owner-must-take", "no-capturer-trailed",
        "target", "claim", "count-out", "as-taken",
    ),
)  # fmt: skip

_FIXES: Final = Fixes(
    counts={"cards-total": "mc", "spades-total": "ms", "aces-total": "ac"},
    holders={
        "big-ten-total": "bt",
        "spy-two-total": "st",
        "spy-two-without-spade": "st",
        "spade-jack-total": "sj",
        "spade-ace-total": "sa",
    },
    suspects={"cards-below-parts": ("mc", "ms", "ac")},
)


_AGREEMENTS: Final = (
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
        "stock_two": plans["two"].stock,
        "highest": highest_value(rules),
        "too_high": highest_value(rules) + 1,
    }


def seatings(rules: CasinoRules) -> tuple[Seating, ...]:
    """Return two, three or four players, four in partnerships or each alone; five with a pack of 49 cards."""
    if rules.deck == 49:
        return (Seating(5),)
    return (Seating(2), Seating(3), *((Seating(4, 2),) if rules.partners == "opposite" else ()), Seating(4))


def _next_dealer(options: JsonObject, seating: Sequence[str], dealer: str) -> str:
    """Return the seat that deals next, in the direction of play."""
    if options.get("direction") == "anticlockwise":
        return seating[seating.index(dealer) - 1]
    return clockwise(options, seating, dealer)


# What is counted for players ------------------------------------------------------------------------------------------


def _most(item: str) -> Callable[[MeasuredDeal], tuple[int, int] | None]:
    return lambda deal: (int([*found] == [deal.side]), 1) if (found := leaders(deal.facts, item)) else None


def _has(item: str) -> Callable[[MeasuredDeal], tuple[int, int]]:
    return lambda deal: (int(getattr(deal.facts.sides[deal.side], item)), 1)


def _sweeps(deal: MeasuredDeal) -> tuple[int, int] | None:
    return (deal.facts.sides[deal.side].sweeps, 1) if deal.rules.sweep else None


def _cards(deal: MeasuredDeal) -> tuple[int, int] | None:
    cards = deal.facts.sides[deal.side].cards
    return None if cards is None else (cards, 1)


_MEASURES: Final = (
    Measure("most-cards", _most("cards")),
    Measure("most-spades", _most("spades")),
    Measure("big-ten", _has("big_ten")),
    Measure("spy-two", _has("spy_two")),
    Measure("aces", _has("aces"), share=False),
    Measure("sweeps", _sweeps, share=False),
    Measure("captures", _cards, share=False),
)
"""All are those of the side. Cards and majorities are those of the deals in which they were told."""


# What an evening is remembered for ------------------------------------------------------------------------------------


def _sweeps_line(line: Line) -> tuple[int, int] | None:
    """Count the sweeps that scored; those of both sides that cancel each other do not."""
    if line.article not in (a.SWEEPS.id, a.SWEEPS_CANCEL.id):
        return None
    return line.facts["sweeps"] - line.facts["cancelled"], line.facts["sweeps"]


def _scored(article: str) -> Callable[[Line], tuple[int, int] | None]:
    return lambda line: (1, 1) if line.article == article else None


def _aces(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.ACES.id and line.facts["aces"] == ACES else None


_ACHIEVEMENTS: Final = (
    Achievement("shutout", _scored(a.SHUTOUT.id)),
    Achievement("aces", _aces),
    Achievement("sweeps", _sweeps_line, "most"),
    Achievement("big-ten", _scored(a.BIG_TEN.id), "most"),
)


_POSITION: Final[Mapping[str, object]] = {
    "seats": ["P1", "P2"],
    "player": "P1",
    "table": ["9H", "5C", "4D"],
    "hand": ["9S", "2H"],
}
_COUNTED: Final = {
    "A": {"cards": 30, "spades": 8, "aces": 3, "big_ten": True, "spy_two": False, "sweeps": 0, "last_capture": True},
    "B": {"cards": 22, "spades": 5, "aces": 1, "big_ten": False, "spy_two": True, "sweeps": 0, "last_capture": False},
}
_EXAMPLES: Final[Mapping[str, object]] = {
    "rules": {"rules": {"options": {"target": 11}}},
    "diff": {"one": {}, "other": {}},
    "score": {"sides": ["A", "B"], "deals": [_COUNTED]},
    "check": {
        "position": _POSITION,
        "move": {"type": "turn", "plays": [{"play": "capture", "card": "9S", "table": ["9H", "5C", "4D"]}]},
    },
    "moves": {"position": _POSITION, "card": "9S", "as": 9},
    "demand": {
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["2S", "2H", "4S", "8D"], "builds": []},
        "card": "8S",
        "table": ["8D"],
        "builds": [],
    },
    "replay": {
        "seats": ["P1", "P2"],
        "dealer": "P2",
        "table": ["9H", "5C", "4D", "KS"],
        "turns": [
            {"player": "P1", "plays": [{"play": "capture", "card": "9S", "table": ["9H", "5C", "4D"]}]},
            {"player": "P2", "plays": [{"play": "trail", "card": "2C"}]},
        ],
    },
}


CASINO = Game(
    id=GAME,
    articles=ARTICLES,
    options=OPTIONS,
    scorer=CasinoScorer(),
    read_sides=read_sides,
    deal=DEAL,
    shapes=deferred_object(f"{__name__}.shapes", "SHAPES", GameShapes),
    judge=deferred_function(f"{__name__}.deal", "judge"),
    witness=deferred_function(f"{__name__}.witness", "witness"),
    verify=deferred_function(f"{__name__}.checker", "verify"),
    deal_keys=DEAL_KEYS,
    irregular=KINDS,
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    questions=DeferredMapping(f"{__name__}.asks", "QUESTIONS"),
    tallies=tallies,
    moves=deferred_function(f"{__name__}.moves", "list_moves"),
    replay=deferred_function(f"{__name__}.deal", "replay"),
    extra={"demand": deferred_function(f"{__name__}.moves", "answer_demand")},
    seatings=seatings,
    next_dealer=_next_dealer,
    numbers=numbers,
    measures=_MEASURES,
    achievements=_ACHIEVEMENTS,
    paper=_PAPER,
    essentials=_ESSENTIALS,
    fixes=_FIXES,
    agreements=_AGREEMENTS,
    examples=_EXAMPLES,
    lessons=Deferred(f"{__name__}.teach", "LESSONS"),
    chooser=Path(__file__).with_name("which.toml"),
)
