"""The table before a turn: what cards count, seats, builds, piles, the hand, what partners have proven."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from companion.engine.cards import RANKS, Card, pack
from companion.engine.ledger import side_id
from companion.engine.verdict import AnyOf, AtLeast, AtMost, Place
from companion.games.casino.rules import CasinoRules
from companion.games.casino.unseen import BITS, ELSEWHERE, FALSE, STOCK, Fact, Unseen, hand_of, opposite

ACE_HIGH: Final = 14
BIG_TEN: Final = Card("10", "D")
SPY_TWO: Final = Card("2", "S")
COURTS: Final = ("J", "Q", "K")
SPECIAL: Final = {SPY_TWO: 15, BIG_TEN: 16}

_HAND_ACES: Final = {"1": (1,), "14": (ACE_HIGH,), "1or14": (1, ACE_HIGH)}


@lru_cache(maxsize=16)
def full_pack(rules: CasinoRules) -> frozenset[Card]:
    """Return all cards of the pack in use: 52, or 40 without the courts."""
    return frozenset(pack(ranks=RANKS if rules.deck == 52 else RANKS[:10]))


def numberless(rules: CasinoRules, card: Card) -> bool:
    """Return whether the card is a court without a number (STD-101)."""
    return rules.court_values == "none" and card.rank in COURTS


def hand_values(rules: CasinoRules, card: Card) -> tuple[int, ...]:
    """Return what a card counts when it captures from the hand; nothing for a court without a number (CASINO-101)."""
    if rules.special_hand_values and card in SPECIAL:
        return (SPECIAL[card],)
    if card.rank == "A":
        return _HAND_ACES[rules.ace_hand]
    return () if numberless(rules, card) else (card.pips,)


def set_value(rules: CasinoRules, card: Card) -> int:
    """Return what the card counts in a set of two or more: an ace 1, a court without a number 0 (CASINO-102)."""
    return 0 if numberless(rules, card) else card.pips


def alone_values(rules: CasinoRules, card: Card) -> tuple[int, ...]:
    """Return what the card may count as a set of its own on the table (CASINO-102, ROY-102)."""
    if card.rank == "A" and rules.ace_table == "1or14":
        return (1, ACE_HIGH)
    return () if numberless(rules, card) else (card.pips,)


def makes(rules: CasinoRules, cards: Sequence[Card], value: int) -> bool:
    """Return whether these cards together are one set of the value."""
    if any(numberless(rules, card) for card in cards) or not cards:
        return False
    if len(cards) == 1:
        return value in alone_values(rules, cards[0])
    return total(rules, cards) == value


def total(rules: CasinoRules, cards: Iterable[Card]) -> int:
    """Return the sum of the cards in one set, aces 1."""
    return sum(set_value(rules, card) for card in cards)


@lru_cache(maxsize=64)
def capturers(rules: CasinoRules, value: int) -> frozenset[Card]:
    """Return the cards of the pack that could capture a build of the value."""
    return frozenset(card for card in full_pack(rules) if value in hand_values(rules, card))


@lru_cache(maxsize=64)
def capturer_mask(rules: CasinoRules, value: int) -> int:
    """Return the cards that could capture a build of the value as a mask."""
    return sum(BITS[card] for card in capturers(rules, value))


@lru_cache(maxsize=16)
def highest_value(rules: CasinoRules) -> int:
    """Return the highest value that any card captures."""
    return max(value for card in full_pack(rules) for value in hand_values(rules, card))


FIRST_CARDS: Final = 4
FIRST_HALF: Final = 1


@dataclass(frozen=True, slots=True)
class DealPlan:
    """How many cards go to the table at the start, and to each player in each round of dealing."""

    table: int
    rounds: tuple[int, ...]


@lru_cache(maxsize=64)
def deal_plan(rules: CasinoRules, players: int) -> DealPlan:
    """Return the deal for a number of players (CASINO-005 to 007, STD-001, SAF-102)."""
    table = FIRST_CARDS
    if rules.deal == "south_african":
        table = rules.deck % players
    each = (rules.deck - table) // players
    if rules.deal == "fours":
        rest = each % FIRST_CARDS
        return DealPlan(table, (FIRST_CARDS,) * (each // FIRST_CARDS) + ((rest,) if rest else ()))
    if two_halves(rules, players):
        return DealPlan(table, (each - each // 2, each // 2))
    return DealPlan(table, (each,))


def two_halves(rules: CasinoRules, players: int) -> bool:
    """Return whether the deal is played in two halves with rules of their own for the first (CASINO-007, 008)."""
    return players == 2 and rules.two_player_deal == "two_halves" and rules.deal != "fours"


@dataclass(frozen=True, slots=True)
class Build:
    """A build on the table: its announced value, its sets, and the player who answers for it.

    Who builds on the partner's proven card may hold one too. Then the maker answers for the build, and while that is
    not known, `held` says on what it depends.
    """

    id: str
    value: int
    sets: tuple[tuple[Card, ...], ...]
    owner: str
    """Who answers for the build; the partner of its maker unless `held` is true."""
    maker: str = ""
    """Who made it while the partner's card was proven; empty where nobody did. Such a build proves nothing (804)."""
    held: Fact = FALSE
    """Whether the maker held a card of the value all the same."""

    @property
    def single(self) -> bool:
        """Return whether the build is one set; an augmented (multiple) one is several."""
        return len(self.sets) == 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all cards of the build."""
        return tuple(card for one in self.sets for card in one)

    def answers(self, seat: str) -> Fact:
        """Return the fact that this seat answers for the build."""
        if seat == self.maker:
            return self.held
        return opposite(self.held) if seat == self.owner else FALSE

    def plain(self) -> dict[str, object]:
        """Return the build as JSON has it."""
        sets = [[str(card) for card in one] for one in self.sets]
        return {"id": self.id, "value": self.value, "sets": sets, "owner": self.owner}


Layer = frozenset[Card]
"""Cards of a pile whose order among themselves is not known; usually a single card."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits where, clockwise round the table; four play as partners across it (CASINO-001)."""

    names: tuple[str, ...]

    def side(self, seat: str) -> str:
        """Return the seat under which a side keeps its pile: the first of the partners."""
        return self.names[self.names.index(seat) % 2] if len(self.names) == 4 else seat

    def partner(self, seat: str) -> str | None:
        """Return the seat opposite with four players, none with fewer."""
        return self.names[(self.names.index(seat) + 2) % 4] if len(self.names) == 4 else None

    def opponents(self, one: str, other: str) -> bool:
        """Return whether two seats play against each other (CASINO-109)."""
        return self.side(one) != self.side(other)

    def sides(self) -> dict[str, tuple[str, ...]]:
        """Return the sides by their score id (`P1+P3` for partners) with their seats."""
        if len(self.names) == 4:
            pairs = (self.names[0::2], self.names[1::2])
            return {side_id(pair): pair for pair in pairs}
        return {name: (name,) for name in self.names}

    def after(self, seat: str, direction: str) -> str:
        """Return the seat that plays after this one (CASINO-003)."""
        step = 1 if direction == "clockwise" else -1
        return self.names[(self.names.index(seat) + step) % len(self.names)]


@dataclass(frozen=True, slots=True)
class Position:
    """What is known of the table before a turn; a hand or a pile that is None is not known."""

    seats: Seats
    player: str
    table: tuple[Card, ...] = ()
    builds: tuple[Build, ...] = ()
    hand: frozenset[Card] | None = None
    piles: Mapping[str, tuple[Layer, ...]] = field(default_factory=dict)
    """By the side's first seat, the top layer first; a pile that is absent is not known."""
    proven: Mapping[str, frozenset[int]] = field(default_factory=dict)
    half: int | None = None
    hands: Mapping[str, frozenset[Card]] = field(default_factory=dict)
    """Other hands that are known, by seat."""
    elsewhere: frozenset[Card] = frozenset()
    """Cards known to be in other hands or dealt later."""
    round: int = 0
    """The round of dealing, from 0."""
    unseen: Unseen | None = None
    """What the record so far says of hidden cards; None where there is no record, only this position."""

    @property
    def partner(self) -> str | None:
        """Return the partner of the player to move."""
        return self.seats.partner(self.player)

    @property
    def proven_by_partner(self) -> frozenset[int]:
        """Return the values that the partner is proven to hold, also by a build that stands (CASINO-803, A17)."""
        partner = self.partner
        if partner is None:
            return frozenset()
        standing = (build.value for build in self.builds if build.owner == partner and not build.maker)
        return self.proven.get(partner, frozenset()).union(standing)

    def open_cards(self) -> set[Card]:
        """Return every card that lies open: loose, in builds and in known piles."""
        seen = set(self.table).union(*(build.cards for build in self.builds))
        return seen.union(*(layer for pile in self.piles.values() for layer in pile))

    def visible(self) -> set[Card]:
        """Return every card that is known to be anywhere but in the hand of the player to move."""
        return self.open_cards().union(self.elsewhere)

    def unseen_cards(self, rules: CasinoRules) -> Unseen:
        """Return what the position says of hidden cards: hands of any size up to what is dealt, and the rest."""
        if self.unseen is not None:
            return self.unseen
        hidden = full_pack(rules) - self.visible() - (self.hand or frozenset())
        plan = deal_plan(rules, len(self.seats.names))
        known = {*self.hands, self.player} if self.hand is not None else {*self.hands}
        places = [Place(hand_of(seat, 0), 0, plan.rounds[0]) for seat in self.seats.names if seat not in known]
        places.append(Place(ELSEWHERE, 0, rules.deck))
        conditions = []
        if two_halves(rules, 2) and len(self.seats.names) == 2 and self.half != 2:
            rest = 2 * plan.rounds[1]
            places.append(Place(STOCK, rest if self.half else 0, rest))
            conditions.append(AnyOf((AtLeast(STOCK, -1, rest), AtMost(STOCK, -1, 0))))
        return Unseen(sum(BITS[card] for card in hidden), tuple(places), (), tuple(conditions))
