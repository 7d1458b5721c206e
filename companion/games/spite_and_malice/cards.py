"""Cards as Spite and Malice sees them: ranks count, suits hardly ever, and some cards are wild."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine.cards import RANKS, Card
from companion.games.spite_and_malice.options import SpiteRules

JOKER: Final = "X"
JOKERS: Final = (JOKER,)
ACE: Final = 1
TWO: Final = 2


def is_wild(rules: SpiteRules, card: Card) -> bool:
    """Whether the card stands for any rank (SNM-060, 202)."""
    return (card.rank == JOKER and "joker" in rules.wild) or (card.rank == "K" and "K" in rules.wild)


def is_natural(rules: SpiteRules, card: Card | None, rank: int) -> bool:
    """Whether the card is known and is this rank by itself, not as a wild card."""
    return card is not None and card.pips == rank and not is_wild(rules, card)


def in_pack(rules: SpiteRules, card: Card) -> bool:
    """Whether such a card is among the packs in use."""
    return card.rank != JOKER or rules.jokers > 0


def copies(rules: SpiteRules, card: Card) -> int:
    """How many cards the packs hold that could be this one; four times as many where the suit was not said."""
    if card.rank == JOKER:
        return rules.jokers
    return rules.packs if card.suit else 4 * rules.packs


def rank_name(rank: int) -> str:
    """The name of a rank, 1 to 13: `A`, `10`, `K`."""
    return RANKS[rank - 1]


def matches(card: Card, named: Card) -> bool:
    """Whether a card can be the one that was named; a suit that was not said fits every suit."""
    return card.rank == named.rank and (not card.suit or not named.suit or card.suit == named.suit)


def find(cards: Sequence[Card], named: Card) -> int | None:
    """The place of a named card among cards, the exact one first; None where it is not there."""
    if named in cards:
        return cards.index(named)
    return next((place for place, card in enumerate(cards) if matches(card, named)), None)


def names(cards: Sequence[Card]) -> list[str]:
    """Cards as JSON has them."""
    return [str(card) for card in cards]
