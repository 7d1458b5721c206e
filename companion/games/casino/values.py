"""What a card counts: played from the hand, lying in a set, standing alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from companion.engine.cards import RANKS, Card, pack
from companion.games.casino.options import CasinoRules

ACE_HIGH: Final = 14
BIG_TEN: Final = Card("10", "D")
SPY_TWO: Final = Card("2", "S")
COURTS: Final = ("J", "Q", "K")
SPECIAL: Final = {SPY_TWO: 15, BIG_TEN: 16}

_HAND_ACES: Final = {"1": (1,), "14": (ACE_HIGH,), "1or14": (1, ACE_HIGH)}


@lru_cache(maxsize=16)
def full_pack(rules: CasinoRules) -> frozenset[Card]:
    """All cards of the pack in use: 52, or 40 without the courts."""
    return frozenset(pack(ranks=RANKS if rules.deck == 52 else RANKS[:10]))


def numberless(rules: CasinoRules, card: Card) -> bool:
    """Whether the card is a court without a number (STD-101)."""
    return rules.court_values == "none" and card.rank in COURTS


def hand_values(rules: CasinoRules, card: Card) -> tuple[int, ...]:
    """What the card may count when it captures from the hand; nothing for a court without a number (CASINO-101)."""
    if rules.special_hand_values and card in SPECIAL:
        return (SPECIAL[card],)
    if card.rank == "A":
        return _HAND_ACES[rules.ace_hand]
    return () if numberless(rules, card) else (card.pips,)


def set_value(rules: CasinoRules, card: Card) -> int:
    """What the card counts in a set of two or more: an ace 1, a court without a number 0 (CASINO-102)."""
    return 0 if numberless(rules, card) else card.pips


def alone_values(rules: CasinoRules, card: Card) -> tuple[int, ...]:
    """What the card may count as a set of its own on the table (CASINO-102, ROY-102)."""
    if card.rank == "A" and rules.ace_table == "1or14":
        return (1, ACE_HIGH)
    return () if numberless(rules, card) else (card.pips,)


def makes(rules: CasinoRules, cards: Sequence[Card], value: int) -> bool:
    """Whether these cards together are one set of the value."""
    if any(numberless(rules, card) for card in cards) or not cards:
        return False
    if len(cards) == 1:
        return value in alone_values(rules, cards[0])
    return total(rules, cards) == value


def total(rules: CasinoRules, cards: Iterable[Card]) -> int:
    """The sum of the cards in one set, aces 1."""
    return sum(set_value(rules, card) for card in cards)


@lru_cache(maxsize=64)
def capturers(rules: CasinoRules, value: int) -> frozenset[Card]:
    """The cards of the pack that could capture a build of the value."""
    return frozenset(card for card in full_pack(rules) if value in hand_values(rules, card))


@lru_cache(maxsize=16)
def highest_value(rules: CasinoRules) -> int:
    """The highest value that any card captures."""
    return max(value for card in full_pack(rules) for value in hand_values(rules, card))
