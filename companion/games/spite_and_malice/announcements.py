"""What players do or say at the table, as values: plays, discards, refills, ends of turns, claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card

HAND, PAYOFF, SIDE = "hand", "payoff", "side"
PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND = "partner_payoff", "partner_side", "partner_hand"
SOURCES: Final = (
    HAND, PAYOFF, SIDE, PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND,
    "opponent_payoff", "opponent_side", "opponent_hand", "centre", "stock",
)  # fmt: skip
NEW: Final = "new"
FAR: Final = 1_000_000

Place = int | str
"""A stack by its place in the list, or `new`."""


@dataclass(frozen=True, slots=True)
class OntoSide:
    """A target that only discards have: a side stack of one's own."""

    side: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the centre; `depth` counts the cards that lie on it in its stack."""

    source: str
    to: Place | OntoSide
    card: Card | None = None
    stack: int | None = None
    depth: int = 0
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A card onto a side stack, which ends the turn."""

    to: Place
    card: Card | None = None
    source: str = HAND
    owner: str = "own"
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Refill:
    """Cards drawn from the stock."""

    count: int
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The spoken end of a turn."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Complete:
    """A completed centre stack, and what is done with it."""

    stack: int
    done: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Recycle:
    """Centre stacks shuffled and put under the stock."""

    what: str
    by: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class SecondChance:
    """The announcement that everybody gets one further turn."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Redeal:
    """All cards but the pay-off piles dealt again; who plays first then."""

    first: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Who plays first, or how the pay-off tops are turned up anew."""

    first: str | None = None
    redo: str | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class DealCheck:
    """Counts after the deal: the stock, and by player the pay-off pile, the hand, the cards in side stacks."""

    stock: int | None
    payoffs: Mapping[str, int]
    hands: Mapping[str, int]
    sides: Mapping[str, int]
    centre: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """`I am out`."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimStalemate:
    """Nobody can finish the deal."""

    seat: str | None = None


Announcement = (
    Play | Discard | Refill | EndTurn | Complete | Recycle | SecondChance | Redeal | Start | DealCheck | ClaimWin
    | ClaimStalemate
)  # fmt: skip


def plain(announcement: Announcement) -> dict[str, object]:
    """A play, a discard or another move of a turn in the shape of the API."""
    match announcement:
        case Play(source, to, card, stack, _, _):
            target = {"side": to.side} if isinstance(to, OntoSide) else to
            named = {} if card is None else {"card": str(card)}
            pile = {} if stack is None else {"stack": stack}
            return {"type": "play", "from": source, **named, **pile, "to": target}
        case Discard(to, card, _, _, _):
            return {"type": "discard", "card": str(card), "to": to}
        case Refill(count, _):
            return {"type": "refill", "count": count}
        case Recycle(what, by, _):
            return {"type": "recycle", "what": what, "by": by}
        case Redeal(first, _):
            return {"type": "redeal", "first": first}
        case ClaimWin():
            return {"type": "claim_win"}
        case ClaimStalemate():
            return {"type": "claim_stalemate"}
        case EndTurn():
            return {"type": "end_turn"}
        case _:
            raise TypeError(announcement)
