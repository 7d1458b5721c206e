"""The table: the pack in use, the seats and sides, calls and cards played, and what is known of a position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from companion.engine.cards import RANKS, Card, pack
from companion.engine.ledger import side_id
from companion.games.spades.rules import SpadesRules

NORMAL, BLIND, MOON, BLIND_MOON = "normal", "blind", "moon", "blind_moon"
CONTRACT_CALLS: Final = (NORMAL, BLIND, MOON, BLIND_MOON)
NIL, DOUBLE_NIL, DOUBLE_BLIND_NIL = "nil", "double_nil", "double_blind_nil"
NIL_CALLS: Final = (NIL, DOUBLE_NIL, DOUBLE_BLIND_NIL)

BIG_JOKER: Final = Card("BJ")
LITTLE_JOKER: Final = Card("LJ")
JOKERS: Final = ("BJ", "LJ")
SPADES: Final = "S"

_ACE_HIGH: Final = (*RANKS[1:], "A")


class SpadesPack:
    """The cards of one table's pack with their suit and strength for play.

    Every card has a bit of its own: suit by suit, within a suit the stronger card the higher bit, trumps above all. A
    set of cards is a sum of bits; a card that the pack does not hold has none.
    """

    def __init__(self, deck: str, gone: tuple[Card, ...], promoted: tuple[Card, ...], trump_order: str) -> None:
        jokers = () if deck == "standard52" else (LITTLE_JOKER, BIG_JOKER)
        spades = [*pack(SPADES, _ACE_HIGH)]
        if trump_order == "deuce_high":
            spades.append(spades.pop(0))
        self.cards = frozenset((*pack(), *jokers)) - set(gone)
        self.trumps = tuple(c for c in (*spades, *reversed(promoted), *jokers) if c in self.cards)
        plain = pack("CDH", _ACE_HIGH)
        self.order = (*(c for c in plain if c in self.cards and c not in self.trumps), *self.trumps)
        self.bits: Mapping[Card, int] = {card: 1 << place for place, card in enumerate(self.order)}
        self.whole = (1 << len(self.order)) - 1
        self.trump_bits = self.mask(self.trumps)
        self.suits: Mapping[str, int] = {SPADES: self.trump_bits} | {
            suit: self.mask(card for card in plain if card.suit == suit) & ~self.trump_bits for suit in "CDH"
        }
        self.suit_of: Mapping[Card, str] = {
            card: suit for suit, bits in self.suits.items() for card in self.order if self.bits[card] & bits
        }
        self._trump_strength = {card: place for place, card in enumerate(self.trumps)}
        self._rank_strength = {rank: place for place, rank in enumerate(_ACE_HIGH)}

    def mask(self, cards: Iterable[Card]) -> int:
        """Return the bits of all these cards that the pack holds."""
        bits, found = self.bits, 0
        for card in cards:
            found |= bits.get(card, 0)
        return found

    def named(self, bits: int) -> list[str]:
        """Return the cards of a mask as people write them, the weakest of each suit first."""
        return [str(card) for card in self.order if self.bits[card] & bits]

    def suit(self, card: Card) -> str:
        """The suit for following and leading: `S` for every trump, whatever is printed on it."""
        return self.suit_of.get(card, card.suit)

    def is_trump(self, card: Card) -> bool:
        """Whether the card is a trump, jokers and promoted twos included."""
        return card in self._trump_strength

    def strength(self, card: Card) -> int:
        """The place of a card within its suit, the lowest 0."""
        place = self._trump_strength.get(card)
        return self._rank_strength.get(card.rank, 0) if place is None else place

    def winner(self, cards: Sequence[Card], led: str | None = None) -> int:
        """The place of the winning card in a trick: the highest trump, else the highest card led (SPADES-034).

        `led` names the suit led where it is not that of the first card.
        """
        bits = [self.bits.get(card, 0) for card in cards]
        played = sum(set(bits))
        counting = played & self.trump_bits or played & self.suits.get(led or self.suit(cards[0]), 0)
        return bits.index(1 << counting.bit_length() - 1) if counting else 0

    def high_trump(self, card: Card) -> bool:
        """Whether the card is a trump at least as strong as the nine (SPADES-203)."""
        return self.is_trump(card) and self.strength(card) >= self._trump_strength[Card("9", SPADES)]


def pack_of(rules: SpadesRules) -> SpadesPack:
    """Return the pack that these rules are played with."""
    gone = rules.removed_twos if rules.deck == "jokers_minus_twos" else ()
    if rules.mode == "solo3" and rules.solo3_deck == "remove_2c":
        gone = (*gone, Card("2", "C"))
    return _pack(rules.deck, gone, rules.promoted_twos, rules.trump_order)


@lru_cache(maxsize=64)
def _pack(deck: str, gone: tuple[Card, ...], promoted: tuple[Card, ...], trump_order: str) -> SpadesPack:
    return SpadesPack(deck, gone, promoted, trump_order)


DUMMY: Final = "dummy"
PASS: Final = "pass"  # noqa: S105  (a call, not a password)
_BLIND: Final = re.compile(r"blind_([0-9]{1,2})")
CALL_WORDS: Final = (*NIL_CALLS, MOON, BLIND_MOON, PASS)


@dataclass(frozen=True, slots=True)
class Call:
    """One call: a number, or a word with the number in it where it has one (`blind_6` is `blind` and 6)."""

    word: str
    number: int | None = None
    seat: str | None = None
    side: str | None = None
    looked: bool | None = None

    @property
    def spoken(self) -> int | str:
        """The call as people write it: `5`, `nil`, `blind_6`."""
        if self.word == NORMAL:
            return self.number or 0
        return f"blind_{self.number}" if self.word == BLIND else self.word

    @property
    def is_nil(self) -> bool:
        """Whether one player undertakes to take nothing."""
        return self.word in NIL_CALLS

    @property
    def blind(self) -> bool:
        """Whether the call must be made before looking."""
        return self.word in (DOUBLE_NIL, DOUBLE_BLIND_NIL, BLIND, BLIND_MOON)

    @property
    def side_wide(self) -> bool:
        """Whether the call is the whole bid of a side: a blind number or a moon."""
        return self.word in (BLIND, MOON, BLIND_MOON)


def parse_word(text: str) -> tuple[str, int | None] | None:
    """Return the kind of a call that is no plain number, and its number where it has one; None if it is no call.

    >>> parse_word("blind_6"), parse_word("nil"), parse_word("five")
    (('blind', 6), ('nil', None), None)
    """
    blind = _BLIND.fullmatch(text)
    if blind:
        return BLIND, int(blind[1])
    return (text, None) if text in CALL_WORDS else None


@dataclass(frozen=True, slots=True)
class Played:
    """A card and who played it."""

    seat: str
    card: Card


Hands = Mapping[str, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What two partners give each other: how many cards each, and which ones where that is known."""

    side: str
    counts: tuple[int, ...]
    cards: Hands


@dataclass(frozen=True, slots=True)
class Dealt:
    """How many cards every seat was dealt."""

    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class NextDealer:
    """Who deals next."""

    seat: str


@dataclass(frozen=True, slots=True)
class Draw:
    """One turn of two players who draw their hands: what becomes of the first card and of the second."""

    seat: str
    first: str
    second: str

    @property
    def kept(self) -> int:
        """How many of the two cards are kept; the rules want one."""
        return (self.first, self.second).count("keep")


Move = Call | Played | Exchange | Dealt | NextDealer | Draw


@dataclass(frozen=True, slots=True)
class Table:
    """The seats clockwise, the sides they form and the dealer, who may be unknown during play."""

    rules: SpadesRules
    seats: tuple[str, ...]
    dealer: str | None

    @property
    def bidders(self) -> tuple[str, ...]:
        """Everybody who bids, from the dealer's left; the dummy does not."""
        return _bidders(self.seats, self.dealer)

    @property
    def dummy_misplaced(self) -> bool:
        """Whether a dummy sits on the wrong side of the dealer (SPADES-105, 106)."""
        if self.dealer is None or DUMMY not in self.seats:
            return False
        left, right, _ = self.after(self.dealer)
        return (left if self.rules.dummy_side == "left" else right) != DUMMY

    def after(self, seat: str) -> tuple[str, ...]:
        """All seats clockwise, beginning at the left of the given one."""
        return _after(self.seats)[seat]

    def side(self, seat: str) -> str:
        """The id of the side that a seat scores for: `A+C`, or the seat itself in individual play."""
        return _pairs(self.seats)[seat] if self.rules.partners else seat

    @property
    def sides(self) -> tuple[str, ...]:
        """All sides in the order of their first seats."""
        return tuple(dict.fromkeys(self.side(seat) for seat in self.seats if seat != DUMMY))

    def members(self, side: str) -> tuple[str, ...]:
        """The seats of a side."""
        return _members(self.seats, self.rules.partners).get(side, ())

    def side_named(self, text: str) -> str:
        """Return the id of the side that a text names with its seats in either order; the text where it names none."""
        return next((side for side in self.sides if text in (side, side_id(reversed(self.members(side))))), text)

    def partner(self, seat: str) -> str | None:
        """The seat opposite, where there are partners."""
        return _opposite(self.seats)[seat] if self.rules.partners else None


@lru_cache(maxsize=256)
def _after(seats: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return {seat: seats[place:] + seats[:place] for place, seat in enumerate(seats, start=1)}


@lru_cache(maxsize=256)
def _bidders(seats: tuple[str, ...], dealer: str | None) -> tuple[str, ...]:
    order = seats if dealer is None else _after(seats)[dealer]
    return tuple(seat for seat in order if seat != DUMMY)


@lru_cache(maxsize=256)
def _members(seats: tuple[str, ...], partners: bool) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for seat in seats:
        if seat != DUMMY:
            side = _pairs(seats)[seat] if partners else seat
            found[side] = (*found.get(side, ()), seat)
    return found


@lru_cache(maxsize=256)
def _pairs(seats: tuple[str, ...]) -> Mapping[str, str]:
    return {seat: side_id((seats[place % 2], seats[place % 2 + 2])) for place, seat in enumerate(seats)}


@lru_cache(maxsize=256)
def _opposite(seats: tuple[str, ...]) -> Mapping[str, str | None]:
    return {seat: other if other != DUMMY else None for seat, other in zip(seats, seats[2:] + seats[:2], strict=True)}


def points_behind(totals: Mapping[str, int], side: str) -> int:
    """Return how many points a side is behind the best other side; negative when it leads (A-10)."""
    return max((total for name, total in totals.items() if name != side), default=0) - totals.get(side, 0)


@dataclass(frozen=True, slots=True)
class Position:
    """A snapshot of the table. What is None is not known."""

    table: Table
    phase: str
    totals: Mapping[str, int] | None = None
    calls: tuple[Call, ...] | None = None
    trick: tuple[Played, ...] = ()
    trick_number: int | None = None
    leader: str | None = None
    spades_broken: bool | None = None
    hand: tuple[Card, ...] | None = None
    played: tuple[Card, ...] | None = None
    previous_dealer: str | None = None
    turns: tuple[str, ...] = ()
    """Whose turns to draw there were so far, where two players draw their hands."""
    hands: Hands = field(default_factory=dict)
    """Hands before an exchange, as far as they are known."""

    @property
    def seen(self) -> frozenset[Card]:
        """Every card seen on the table, as far as it is known."""
        return frozenset((*(self.played or ()), *(one.card for one in self.trick)))

    def played_from_the_top(self, seat: str) -> bool | None:
        """Whether a seat plays unseen cards and owes nothing: the dummy, or a double blind nil (SPADES-105, 150).

        None where the table plays double blind nil and nobody says what was called.
        """
        if seat == DUMMY:
            return True
        if self.calls is None:
            return None if self.table.rules.double_blind_nil else False
        return any(c.seat == seat and c.word == DOUBLE_BLIND_NIL for c in self.calls)

    def behind(self, side: str) -> int | None:
        """How many points a side is behind the best other side before the deal (A-10)."""
        if self.totals is None:
            return None
        return points_behind({name: self.totals.get(name, 0) for name in self.table.sides}, side)


@dataclass(frozen=True, slots=True)
class Record:
    """What was written down of a deal."""

    table: Table
    totals: Mapping[str, int] | None
    calls: tuple[Call, ...]
    calls_known: bool
    plays: tuple[Played, ...]
    leader: str | None = None
    hands: Hands = field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()
    discards: tuple[Card, ...] = ()
    """The cards that the dealer laid aside before the bidding."""

    @property
    def complete(self) -> bool:
        """Whether every card of the deal has been played."""
        return len(self.plays) == self.table.rules.tricks * len(self.table.seats)
