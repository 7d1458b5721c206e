"""What other parts of the program show of Spite and Malice: seatings, the target, paper columns, essentials, fixes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.profile import Agreement, Column, Essentials, Fixes, Offer, PaperSheet, Seating
from companion.games.spite_and_malice.rules import HAND_SIZE, PACK_SIZE, SpiteRules

PAPER: Final = PaperSheet(shared=(Column("winner"),), each=(Column("cards-left"), Column("points"), Column("total")))

ESSENTIALS: Final = Essentials(
    "end",
    (
        "split-deck", "small-payoff", "hand", "payoff-pile", "start", "refill", "closed-list", "end-of-turn",
        "closing-discard", "empty-hand", "open-stack", "next-rank", "completed-stack", "payoff-ace", "payoff-two",
        "side-two", "ace-stays-in-hand", "same-or-lower", "any-card-anywhere", "joker", "kings", "king-to-centre",
        "idle-turn", "stock-low", "stock-exhausted", "going-out",
    ),
)  # fmt: skip

FIXES: Final = Fixes(suspects={"remaining-range": ("w", "r")}, shared=frozenset({"remaining-range"}))


AGREEMENTS: Final = (
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
    """Return the cards in play, in a hand, in the stock after the deal, and apart from pay-off piles or their pack."""
    piles = rules.players * rules.payoff_size
    return {
        "cards": rules.cards, "hand": HAND_SIZE, "stock": rules.stock_dealt, "second": rules.cards - PACK_SIZE,
        "common": rules.cards - piles, "rest": PACK_SIZE - piles,
    }  # fmt: skip


def target(rules: SpiteRules) -> int | None:
    """Return the points that end a match; None where single deals or a number of deals are played."""
    return rules.target if rules.match == "target" else None
