"""The pack in use and what its cards are worth in a trick: jokers and promoted twos are trumps."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from companion.engine.cards import RANKS, Card, pack
from companion.games.spades.options import SpadesRules

BIG_JOKER: Final = Card("BJ")
LITTLE_JOKER: Final = Card("LJ")
JOKERS: Final = ("BJ", "LJ")
SPADES: Final = "S"

_ACE_HIGH: Final = (*RANKS[1:], "A")


class SpadesPack:
    """The cards of one table's pack with their suit and strength for play."""

    def __init__(self, deck: str, gone: tuple[Card, ...], promoted: tuple[Card, ...], trump_order: str) -> None:
        jokers = () if deck == "standard52" else (LITTLE_JOKER, BIG_JOKER)
        spades = [Card(rank, SPADES) for rank in _ACE_HIGH]
        if trump_order == "deuce_high":
            spades.append(spades.pop(0))
        self.cards = frozenset((*pack(), *jokers)) - set(gone)
        self.trumps = tuple(c for c in (*spades, *reversed(promoted), *jokers) if c in self.cards)
        self._trump_strength = {card: place for place, card in enumerate(self.trumps)}
        self._rank_strength = {rank: place for place, rank in enumerate(_ACE_HIGH)}

    def suit(self, card: Card) -> str:
        """The suit for following and leading: `S` for every trump, whatever is printed on it."""
        return SPADES if card in self._trump_strength else card.suit

    def is_trump(self, card: Card) -> bool:
        """Whether the card is a trump, jokers and promoted twos included."""
        return card in self._trump_strength

    def strength(self, card: Card) -> int:
        """The place of a card within its suit, the lowest 0."""
        place = self._trump_strength.get(card)
        return self._rank_strength.get(card.rank, 0) if place is None else place

    def winner(self, cards: list[Card]) -> int:
        """The place of the winning card in a trick: the highest trump, else the highest card led (SPADES-034)."""
        led = self.suit(cards[0])
        counting = [
            (self.is_trump(c), self.strength(c), i) for i, c in enumerate(cards) if self.suit(c) in (led, SPADES)
        ]
        return max(counting)[2]

    def clubs(self) -> tuple[Card, ...]:
        """The clubs that are still clubs in this pack, the lowest first."""
        clubs = [card for card in self.cards if self.suit(card) == "C"]
        return tuple(sorted(clubs, key=self.strength))

    def high_trump(self, card: Card) -> bool:
        """Whether the card is a trump at least as strong as the nine (SPADES-203)."""
        return self.is_trump(card) and self.strength(card) >= self._trump_strength[Card("9", SPADES)]


def pack_of(rules: SpadesRules) -> SpadesPack:
    """The pack that these rules are played with."""
    gone = rules.removed_twos if rules.deck == "jokers_minus_twos" else ()
    if rules.mode == "solo3" and rules.solo3_deck == "remove_2c":
        gone = (*gone, Card("2", "C"))
    return _pack(rules.deck, gone, rules.promoted_twos, rules.trump_order)


@lru_cache(maxsize=64)
def _pack(deck: str, gone: tuple[Card, ...], promoted: tuple[Card, ...], trump_order: str) -> SpadesPack:
    return SpadesPack(deck, gone, promoted, trump_order)
