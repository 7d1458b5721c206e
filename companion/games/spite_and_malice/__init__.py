"""What other parts of the program show of Spite and Malice: seatings, paper, essentials, fixes, measures."""

from __future__ import annotations

from collections.abc import Mapping
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
)
from companion.games.spite_and_malice import articles
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.rules import HAND_SIZE, OPTIONS, PACK_SIZE, SpiteRules
from companion.games.spite_and_malice.score import DEAL, KINDS, REMAINING, WINNER, SpiteScorer, read_sides

_PAPER: Final = PaperSheet(shared=(Column("winner"),), each=(Column("cards-left"), Column("points"), Column("total")))

_ESSENTIALS: Final = Essentials(
    "end",
    (
        "alone", "numbered-cards", "split-deck", "small-payoff", "hand", "payoff-pile", "start", "start-agreed",
        "refill", "draw-at-end", "closed-list", "end-of-turn", "closing-discard", "empty-hand", "open-stack",
        "next-rank", "completed-stack", "payoff-ace", "payoff-two", "side-two", "hand-ace", "numbered-wild",
        "not-as-seven", "numbered-discard", "ace-stays-in-hand", "same-or-lower", "any-card-anywhere", "joker",
        "kings", "king-to-centre", "idle-turn", "stock-low", "stock-exhausted", "going-out", "alone-score",
    ),
)  # fmt: skip

_FIXES: Final = Fixes(suspects={"remaining-range": ("w", "r")}, shared=frozenset({"remaining-range"}))


_AGREEMENTS: Final = (
    Agreement(
        "length",
        (Offer("single", {"match": "single"}), Offer("to-50", {"match": "target", "target": 50})),
        length=True,
    ),
)


def seatings(rules: SpiteRules) -> tuple[Seating, ...]:
    """Return the one way to sit down for this number of players."""
    return (Seating(rules.players, rules.side_players),)


def numbers(rules: SpiteRules) -> Mapping[str, int]:
    """Return the cards in play, in a hand, in the stock after the deal, and apart from pay-off piles or their pack.

    `copies` there are of each rank, `unranked` without one.
    `short` cards are wanting for hands of five beside the pay-off piles, as after a redeal.
    """
    piles = rules.players * rules.payoff_size
    return {
        "cards": rules.cards, "hand": HAND_SIZE, "stock": rules.stock_dealt, "second": rules.cards - PACK_SIZE,
        "common": rules.cards - piles, "rest": PACK_SIZE - piles,
        "sides": rules.players // rules.side_players, "copies": 4 * rules.packs, "unranked": rules.unranked,
        "short": max(0, HAND_SIZE * rules.players - (rules.cards - piles)),
    }  # fmt: skip


def target(rules: SpiteRules) -> int | None:
    """Return the points that end a match; None where single deals or a number of deals are played."""
    return rules.target if rules.match == "target" else None


# What is counted for players ------------------------------------------------------------------------------------------

_GOING_OUT: Final = (a.CARDS_LEFT.id, a.BONUS.id)


def _payoff(deal: MeasuredDeal) -> tuple[int, int] | None:
    """Count what going out brought, without what the table gave or took by agreement."""
    if deal.facts.winner != deal.side:
        return None
    return sum(line.points for line in deal.score.lines if line.article in _GOING_OUT), 1


_MEASURES: Final = (
    Measure("out", lambda deal: (int(deal.facts.winner == deal.side), 1)),
    Measure("payoff", _payoff, share=False),
    Measure(
        "left", lambda deal: None if deal.side not in deal.facts.left else (deal.facts.left[deal.side], 1), share=False
    ),
)
"""All are those of the side."""


# What an evening is remembered for ------------------------------------------------------------------------------------


def _out_line(line: Line) -> tuple[int, int] | None:
    """Count the deals in which a side went out, with all that it was worth."""
    if line.article == a.CARDS_LEFT.id:
        return 1, 1
    return (0, 0) if line.article == a.BONUS.id else None


_ACHIEVEMENTS: Final = (
    Achievement("out", _out_line, "most"),
    Achievement("caught", lambda line: (line.facts["cards"], 1) if line.article == a.CARDS_LEFT.id else None, "best"),
)


_POSITION: Final[Mapping[str, object]] = {
    "player": "A",
    "players": ["A", "B"],
    "payoff": "7",
    "payoff_left": 12,
    "hand": ["4", "9", "K"],
    "side_stacks": [["9", "8"], ["X"]],
    "centre_stacks": ["3", "5"],
    "stock": 40,
}
_SCORED: Final = {"sides": ["A", "B"], "deals": [{"winner": "A", "remaining": {"B": 9}}]}
_EXAMPLES: Final[Mapping[str, object]] = {
    "rules": {"rules": {}},
    "diff": {"one": {}, "other": {}},
    "score": _SCORED,
    "check": {"position": _POSITION, "move": {"type": "play", "from": "hand", "card": "4", "to": 0}},
    "moves": {"position": _POSITION},
    "batch": _SCORED,
    "replay": {
        "players": ["A", "B"],
        "turns": [
            {
                "player": "A",
                "moves": [
                    {"type": "play", "from": "hand", "card": "A", "to": "new"},
                    {"type": "discard", "card": "9", "to": "new"},
                ],
            }
        ],
    },
}


SPITE_AND_MALICE = Game(
    id=articles.GAME,
    articles=articles.ARTICLES,
    options=OPTIONS,
    scorer=SpiteScorer(),
    read_sides=read_sides,
    deal=DEAL,
    shapes=deferred_object(f"{__name__}.shapes", "SHAPES", GameShapes),
    judge=deferred_function(f"{__name__}.deal", "judge"),
    witness=deferred_function(f"{__name__}.witness", "witness"),
    verify=deferred_function(f"{__name__}.checker", "verify"),
    deal_keys=(WINNER, REMAINING, "settled_by"),
    irregular=KINDS,
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    questions=DeferredMapping(f"{__name__}.asks", "QUESTIONS"),
    moves=deferred_function(f"{__name__}.deal", "list_moves"),
    replay=deferred_function(f"{__name__}.deal", "replay"),
    seatings=seatings,
    target=target,
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
