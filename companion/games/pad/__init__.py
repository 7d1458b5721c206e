"""The plain pad: free numbers round by round for any game that this book does not have. Nothing is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.engine.deferred import Deferred
from companion.engine.game import Game
from companion.engine.ledger import Agreement, Essentials, Offer, Seating
from companion.games.pad.rules import (
    ARTICLES,
    FEWEST_SIDES,
    GAME,
    MOST_SIDES,
    OPTIONS,
    ROUND_SHAPE,
    PadRules,
    PadScorer,
    read_sides,
)

_AGREEMENTS: Final = (
    Agreement("wins", (Offer("most", {"lower_wins": False}), Offer("least", {"lower_wins": True}))),
    Agreement(
        "length",
        (
            Offer("open", {"target": None, "rounds": None}),
            Offer("to-100", {"target": 100, "rounds": None}),
            Offer("to-500", {"target": 500, "rounds": None}),
            Offer("ten-rounds", {"target": None, "rounds": 10}),
        ),
        length=True,
    ),
)
_EXAMPLE: Final[Mapping[str, object]] = {
    "sides": ["A", "B", "C"],
    "deals": [{"A": {"points": 12}, "B": {"points": -3}, "C": {"points": 0}}],
}


def seatings(rules: PadRules) -> Sequence[Seating]:
    """Return two to twelve seats, first each for itself, then every way in which as many as four score together."""
    seats = range(FEWEST_SIDES, MOST_SIDES + 1)
    return [Seating(count, size) for size in (1, 2, 3, 4) for count in seats if count % size == 0 and count >= 2 * size]


PAD = Game(
    id=GAME,
    articles=ARTICLES,
    options=OPTIONS,
    scorer=PadScorer(),
    read_sides=read_sides,
    deal=ROUND_SHAPE,
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    seatings=seatings,
    lowest_wins=lambda rules: rules.lower_wins,
    essentials=Essentials(articles=("round", "total", "lower-wins", "target", "rounds", "level")),
    agreements=_AGREEMENTS,
    examples={
        "rules": {"rules": {"preset": "low_100"}},
        "diff": {"one": "plain", "other": "low_100"},
        "score": _EXAMPLE,
        "batch": _EXAMPLE,
    },
)
