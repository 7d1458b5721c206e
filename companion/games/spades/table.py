"""The table: the pack in use, the seats and sides, calls and cards played, and what is known of a position."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from companion.engine.cards import RANKS, Card, pack
from companion.engine.reading import Node
from companion.games.spades import articles as a
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


DUMMY: Final = "dummy"
PASS: Final = "pass"  # noqa: S105  (a call, not a password)
PHASES: Final = ("bidding", "play")
POSITION_KEYS: Final = (
    "phase", "seats", "dealer", "previous_dealer", "totals", "calls", "trick", "trick_number", "leader",
    "spades_broken", "hand", "played", "turns", "hands",
)  # fmt: skip
_SEATS: Final = {"partners4": (4,), "solo4": (4,), "solo3": (3,), "duo_draw": (2,), "duo_dummy": (3, 2)}
_BLIND: Final = re.compile(r"blind_([0-9]{1,2})")
_WORDS: Final = (*NIL_CALLS, MOON, BLIND_MOON, PASS)
_TOTAL_LIMIT: Final = 1_000_000


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
    return (text, None) if text in _WORDS else None


@dataclass(frozen=True, slots=True)
class Played:
    """A card and who played it."""

    seat: str
    card: Card


@dataclass(frozen=True, slots=True)
class Table:
    """The seats clockwise, the sides they form and the dealer, who may be unknown during play."""

    rules: SpadesRules
    seats: tuple[str, ...]
    dealer: str | None

    @property
    def bidders(self) -> tuple[str, ...]:
        """Everybody who bids, from the dealer's left; the dummy does not."""
        order = self.seats if self.dealer is None else self.after(self.dealer)
        return tuple(seat for seat in order if seat != DUMMY)

    def after(self, seat: str) -> tuple[str, ...]:
        """All seats clockwise, beginning at the left of the given one."""
        place = self.seats.index(seat) + 1
        return self.seats[place:] + self.seats[:place]

    def side(self, seat: str) -> str:
        """The id of the side that a seat scores for: `A+C`, or the seat itself in individual play."""
        if not self.rules.partners:
            return seat
        place = self.seats.index(seat) % 2
        return f"{self.seats[place]}+{self.seats[place + 2]}"

    @property
    def sides(self) -> tuple[str, ...]:
        """All sides in the order of their first seats."""
        return tuple(dict.fromkeys(self.side(seat) for seat in self.seats if seat != DUMMY))

    def members(self, side: str) -> tuple[str, ...]:
        """The seats of a side."""
        return tuple(seat for seat in self.seats if seat != DUMMY and self.side(seat) == side)

    def partner(self, seat: str) -> str | None:
        """The seat opposite, where there are partners."""
        return next((other for other in self.members(self.side(seat)) if other != seat), None)


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
    dealt: frozenset[Card] | None = None
    """All cards that were dealt, where a whole deal is on record."""

    @property
    def seen(self) -> frozenset[Card]:
        """Every card that lies or lay open on the table, as far as it was told."""
        return frozenset((*(self.played or ()), *(one.card for one in self.trick)))

    def played_from_the_top(self, seat: str) -> bool:
        """Whether a seat plays unseen cards and owes nothing: the dummy, or a double blind nil (SPADES-105, 150)."""
        return seat == DUMMY or any(c.seat == seat and c.word == DOUBLE_BLIND_NIL for c in self.calls or ())

    def behind(self, side: str) -> int | None:
        """How many points a side is behind the best other side before the deal (A-10)."""
        if self.totals is None:
            return None
        others = [self.totals.get(name, 0) for name in self.table.sides if name != side]
        return max(others, default=0) - self.totals.get(side, 0)


def read_position(node: Node, rules: SpadesRules) -> Position | None:
    """The position that stands at a node; faults are noted there, None where the seats cannot be read."""
    if not node.object(required=("seats",), optional=POSITION_KEYS):
        return None
    table = read_table(node, rules)
    if table is None:
        return None
    phase = node["phase"].one_of(PHASES, default="play" if node["trick"].present else "bidding")
    position = Position(
        table,
        phase,
        _read_totals(node["totals"], table),
        node["calls"].optional(lambda n: read_calls(n, table)),
        tuple(read_played(item, table) for item in node["trick"].items(most=len(table.seats))),
        node["trick_number"].optional(lambda n: n.integer(low=1, high=rules.tricks)),
        node["leader"].optional(lambda n: read_seat(n, table)),
        node["spades_broken"].optional(lambda n: n.flag()),
        node["hand"].optional(lambda n: n.cards(jokers=JOKERS)),
        node["played"].optional(lambda n: n.cards(jokers=JOKERS)),
        node["previous_dealer"].optional(lambda n: read_seat(n, table)),
    )
    if len(position.trick) == len(table.seats):
        node["trick"].fault("trick-full", a.WINNER_LEADS.id, count=len(position.trick))
    if phase == "play" and rules.mode == "duo_dummy" and DUMMY not in table.seats:
        node["seats"].fault("no-dummy", a.DUO_DUMMY.id, seats=list(table.seats))
    _one_place_each(node, position)
    return position


def read_table(node: Node, rules: SpadesRules) -> Table | None:
    """The seats and the dealer written in an object; None where the seats cannot be read."""
    seats = tuple(item.name(most=60) for item in node["seats"].items(most=8))
    allowed = _SEATS[rules.mode]
    if len(set(seats)) != len(seats) or "" in seats:
        node["seats"].fault("seat-twice", seats=list(seats))
    elif len(seats) not in allowed:
        node["seats"].fault("seats-count", a.PLAYERS.id, expected=allowed[0], count=len(seats))
    elif rules.mode == "duo_dummy" and (DUMMY in seats) != (len(seats) == 3):
        node["seats"].fault("no-dummy", a.DUO_DUMMY.id, seats=list(seats))
    else:
        table = Table(rules, seats, None)
        dealer = node["dealer"].optional(lambda n: read_seat(n, table))
        return Table(rules, seats, dealer)
    return None


def read_seat(node: Node, table: Table) -> str:
    """A seat of the table."""
    return node.one_of(table.seats, code="unknown-seat")


def read_side(node: Node, table: Table) -> str:
    """A side of the table, its two seats in either order."""
    turned = "+".join(reversed(node.value.split("+"))) if isinstance(node.value, str) else ""
    return turned if turned in table.sides else node.one_of(table.sides, code="unknown-side")


def read_call(node: Node, table: Table) -> Call:
    """A call with its seat or, in consultation, its side; what no call looks like is noted as a fault."""
    seat = node["seat"].optional(lambda n: read_seat(n, table))
    side = node["side"].optional(lambda n: read_side(n, table))
    if seat is None and (side is None or table.rules.bid_method != "consultation"):
        node["seat"].fault("required")
        seat = table.seats[0]
    if seat is not None and side is not None and seat != DUMMY and table.side(seat) != side:
        node["side"].fault("seat-of-other-side", seat=seat, side=side)
    if seat is not None and side is None and seat != DUMMY:
        side = table.side(seat)
    looked = node["looked"].optional(lambda n: n.flag())
    word, number = _read_word(node["call"])
    return Call(word, number, seat, side, looked)


def read_calls(node: Node, table: Table) -> tuple[Call, ...]:
    """All calls so far, in order."""
    calls = []
    for item in node.items(most=40):
        if item.object(required=("call",), optional=("seat", "side", "looked")):
            calls.append(read_call(item, table))
    return tuple(calls)


def read_played(node: Node, table: Table) -> Played:
    """A card with the seat that played it."""
    node.object(required=("seat", "card"))
    return Played(read_seat(node["seat"], table), node["card"].card(jokers=JOKERS))


def read_hands(node: Node, table: Table, *, whole: bool = False) -> dict[str, tuple[Card, ...]]:
    """Cards by the seat that holds them, as far as they are known, or whole hands; one card in two cannot be."""
    hands: dict[str, tuple[Card, ...]] = {}
    if not node.present or node.value is None or not node.object(optional=table.seats):
        return hands
    seen: set[Card] = set()
    for seat in node.names():
        hands[seat] = node[seat].cards(jokers=JOKERS)
        count, expected = len(hands[seat]), table.rules.tricks
        if count > expected or (whole and count < expected):
            node[seat].fault("hand-count", a.DEALING.id, seat=seat, count=count, expected=expected)
        for card in hands[seat]:
            if card in seen:
                node[seat].fault("duplicate-card", a.PACK.id, card=str(card))
            seen.add(card)
    return hands


def _read_word(node: Node) -> tuple[str, int | None]:
    value = node.value
    if type(value) is int:
        return NORMAL, max(-1, min(value, 999))
    if not isinstance(value, str):
        node.fault("required" if not node.present else "call", value=None)
        return PASS, None
    read = parse_word(value)
    if read is None:
        node.fault("call", value=value[:40])
    return read or (value, None)


def _read_totals(node: Node, table: Table) -> dict[str, int]:
    totals = {}
    if node.present and node.object(others=True):
        for name in node.names():
            turned = "+".join(reversed(name.split("+")))
            side = name if name in table.sides else turned
            if side not in table.sides:
                node[name].fault("unknown-side", value=name[:60], choices=list(table.sides))
            else:
                totals[side] = node[name].integer(low=-_TOTAL_LIMIT, high=_TOTAL_LIMIT)
    return totals


def _one_place_each(node: Node, position: Position) -> None:
    """One card cannot lie in two places of a position."""
    places = {
        "hand": position.hand or (),
        "trick": tuple(one.card for one in position.trick),
        "played": position.played or (),
    }
    seen: set[Card] = set()
    for name, cards in places.items():
        for place, card in enumerate(cards):
            if card in seen:
                Node(None, (*node.pointer, name, place), node.problems).fault(
                    "duplicate-card", a.PACK.id, card=str(card)
                )
            seen.add(card)
