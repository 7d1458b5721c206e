"""The table: the pack in use, the seats and sides, calls and cards played, and what is known of a position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, ClassVar, Final, NamedTuple, Unpack

from companion.engine import shapes as s
from companion.engine.cards import RANKS, Card, pack
from companion.engine.game import read_side_list
from companion.engine.ledger import DealContext, Side, deal_shape, side_id
from companion.engine.problems import JsonObject, Node, Pointer, Problem
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules

NORMAL, BLIND, MOON, BLIND_MOON = "normal", "blind", "moon", "blind_moon"
NIL, DOUBLE_NIL, DOUBLE_BLIND_NIL = "nil", "double_nil", "double_blind_nil"
NIL_CALLS: Final = (NIL, DOUBLE_NIL, DOUBLE_BLIND_NIL)

JOKERS: Final = ("BJ", "LJ")
SPADES: Final = "S"

_ACE_HIGH: Final = (*RANKS[1:], "A")


class SpadesPack:
    """The cards of one table's pack with their suit and strength for play.

    Every card has a bit of its own: suit by suit, within a suit the stronger card the higher bit, trumps above all. A
    set of cards is a sum of bits; a card that the pack does not hold has none. Of two packs, `bits` has the first of
    two equal cards, and the second has the bit above it: which one is which, the order says in which they are named.
    """

    def __init__(
        self, deck: str, gone: tuple[Card, ...], promoted: tuple[Card, ...], trump_order: str, *, later: bool = False
    ) -> None:
        """`later` says that the later of two equal cards is the higher one."""
        jokers = tuple(map(Card, reversed(JOKERS))) if "jokers" in deck else ()
        self.copies, self._later = 2 if deck.startswith("two_packs") else 1, later
        spades = [*pack(SPADES, _ACE_HIGH)]
        if trump_order == "deuce_high":
            spades.append(spades.pop(0))
        self.cards = frozenset((*pack(), *jokers)) - set(gone)
        self.trumps = tuple(c for c in (*spades, *reversed(promoted), *jokers) if c in self.cards)
        plain = pack("CDH", _ACE_HIGH)
        self.order = (*(c for c in plain if c in self.cards and c not in self.trumps), *self.trumps)
        self.bits: Mapping[Card, int] = {card: 1 << place * self.copies for place, card in enumerate(self.order)}
        self.whole = (1 << len(self.order) * self.copies) - 1
        self.trump_bits = self.mask(self.trumps * self.copies)
        self.suits: Mapping[str, int] = {SPADES: self.trump_bits} | {
            suit: self.mask([card for card in plain if card.suit == suit] * self.copies) & ~self.trump_bits
            for suit in "CDH"
        }
        self.suit_of: Mapping[Card, str] = {
            card: suit for suit, bits in self.suits.items() for card in self.order if self.bits[card] & bits
        }
        self._trump_strength = {card: place for place, card in enumerate(self.trumps)}
        self._rank_strength = {rank: place for place, rank in enumerate(_ACE_HIGH)}

    def mask(self, cards: Iterable[Card], taken: int = 0) -> int:
        """Return the bits of all these cards that the pack holds; `taken` are the bits of others, named before."""
        bits, found = self.bits, 0
        if self.copies == 2:
            for card in cards:
                found |= self.bit(card, taken | found)
            return found
        for card in cards:
            found |= bits.get(card, 0)
        return found

    def bit(self, card: Card, taken: int = 0, held: int = 0) -> int:
        """Return the bit of one card, 0 where the pack does not hold it.

        Of two equal cards that is the one in `held`, else the first that is not in `taken`.
        """
        first = self.bits.get(card, 0)
        if self.copies == 1 or held & first:
            return first
        return first << 1 if held & first << 1 or taken & first else first

    def equals(self, card: Card) -> int:
        """Return the bits of all copies of a card."""
        first = self.bits.get(card, 0)
        return first if self.copies == 1 else first | first << 1

    def named(self, bits: int) -> list[str]:
        """Return the cards of a mask as people write them, the weakest of each suit first."""
        return [str(card) for card in self.order for _ in range((self.equals(card) & bits).bit_count())]

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

        `led` names the suit led where it is not that of the first card. The rules say which of two equal cards is the
        higher one (SIX-003).
        """
        bits = [self.bits.get(card, 0) for card in cards]
        played = sum(set(bits))
        counting = played & self.trump_bits or played & self.suits.get(led or self.suit(cards[0]), 0)
        if not counting:
            return 0
        best = 1 << counting.bit_length() - 1
        return len(bits) - 1 - bits[::-1].index(best) if self._later else bits.index(best)

    def high_trump(self, card: Card) -> bool:
        """Whether the card is a trump at least as strong as the nine (SPADES-203)."""
        return self.is_trump(card) and self.strength(card) >= self._trump_strength[Card("9", SPADES)]


def pack_of(rules: SpadesRules) -> SpadesPack:
    """Return the pack that these rules are played with."""
    gone = rules.removed_twos if rules.deck == "jokers_minus_twos" else ()
    three_without = rules.mode == "solo3" and rules.solo3_deck == "remove_2c" and rules.deck != "jokers_added"
    if rules.deck == "two_packs" or three_without:
        gone = (*gone, Card("2", "C"))
    later = rules.two_packs and rules.equal_cards == "later"
    return _pack(rules.deck, gone, rules.promoted_twos, rules.trump_order, later=later)


@lru_cache(maxsize=64)
def _pack(
    deck: str, gone: tuple[Card, ...], promoted: tuple[Card, ...], trump_order: str, *, later: bool
) -> SpadesPack:
    return SpadesPack(deck, gone, promoted, trump_order, later=later)


DUMMY: Final = "dummy"
PASS: Final = "pass"  # noqa: S105  (a call, not a password)
_BLIND: Final = re.compile(r"blind_([0-9]{1,2})")
_CALL_WORDS: Final = (*NIL_CALLS, MOON, BLIND_MOON, PASS)
PHASES: Final = ("bidding", "play")
_MOST_CALLS: Final = 40
_MOST_DRAWS: Final = 26
_MOST_HELD: Final = 60


def card_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.CardField:
    """Declare a card, jokers included."""
    return s.CardField(describe, jokers=JOKERS, **common)


def cards_field(describe: str = "", **common: Unpack[s.ListOptions]) -> s.ListOf[Card]:
    """Declare a list of cards."""
    return s.ListOf(card_field(), describe, **common)


RECORDED: Final = range(100)
"""Numbers of tricks that a table may record anyway; what is no count of tricks at all is always refused."""


def tricks_field(describe: str, **common: Unpack[s.IntegerOptions]) -> s.Integer:
    """Declare a number of tricks."""
    common["unit"] = "tricks"
    common.setdefault("bounds", (RECORDED[0], RECORDED[-1]))
    return s.Integer(describe, **common)


class SpokenField(s.Field[tuple[str, int | None]]):
    """A call as people say it: a number, `nil`, `blind_6`, `pass`; read as its word and its number."""

    expected = "text"
    json_types = (int, str)

    def take(self, value: s.Json, context: s.ReadContext) -> tuple[str, int | None]:
        if type(value) is int:
            return NORMAL, max(-1, min(value, 999))
        if not isinstance(value, str):
            raise s.fault("call", value=None)
        read = parse_word(value)
        if read is None:
            raise s.fault("call", value=value[:40])
        return read

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        words = [{"type": "string", "enum": list(_CALL_WORDS)}, {"type": "string", "pattern": "^blind_[0-9]{1,2}$"}]
        return {"anyOf": [{"type": "integer"}, *words]}


class PairField(s.SideId):
    """The id of a side of the table, its two seats in either order."""

    def take(self, value: s.Json, context: Table) -> str:
        return super().take(context.side_named(value) if isinstance(value, str) else value, context)


def _totals(describe: str, **common: Unpack[s.FieldOptions]) -> s.Keyed[int]:
    return s.Keyed(
        s.Points(),
        describe,
        keys=lambda table: table.sides,
        code="unknown-side",
        rename=lambda name, table: table.side_named(name),
        **common,
    )


def calls_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[Call]:
    """Declare a list of calls."""
    return s.ListOf(s.object_of(Call), describe, most=_MOST_CALLS, **common)


def plays_field(describe: str, **common: Unpack[s.ListOptions]) -> s.ListOf[Played]:
    """Declare a list of cards with the seats that played them."""
    return s.ListOf(s.object_of(Played), describe, **common)


def _hands(describe: str) -> s.Keyed[tuple[Card, ...]]:
    return s.Keyed(cards_field(), describe, keys=lambda table: table.seats)


@dataclass(frozen=True, slots=True)
class Call:
    """A call with the seat that made it or, in consultation, its side."""

    word: str
    number: int | None = None
    """The number in the call where it has one: `blind_6` is `blind` and 6."""
    seat: Annotated[str | None, s.Seat("Who calls.", example="B")] = None
    side: Annotated[str | None, PairField("Whose call it is, where partners bid together.", example="A+C")] = None
    looked: Annotated[bool | None, s.Flag("Whether the caller had looked at the hand.")] = None

    read_keys: ClassVar = {"call": SpokenField("The call.", example=4)}
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, table: Table) -> Iterator[Problem]:
        """Yield a missing seat, and a side that is not the seat's."""
        if "seat" not in data or "side" not in data:  # one of them is wrong already
            return
        seat, side = data["seat"], data["side"]
        if seat is None and (side is None or table.rules.bid_method != "consultation"):
            yield Problem(("seat",), "required", contextual=True)
        elif seat not in (None, DUMMY) and side is not None and table.side(seat) != side:
            yield Problem(("side",), "seat-of-other-side", {"seat": seat, "side": side})

    @staticmethod
    def build_read(data: s.Attributes, table: Table) -> Call:
        """Return the call, with the side of its seat."""
        (word, number), seat, side = data["call"], data["seat"], data["side"]
        if seat is not None and side is None and seat != DUMMY:
            side = table.side(seat)
        return Call(word, number, seat, side, data["looked"])

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
    return (text, None) if text in _CALL_WORDS else None


@dataclass(frozen=True, slots=True)
class Played:
    """A card and the seat that played it."""

    seat: Annotated[str, s.Seat("Who plays it.", example="A")]
    card: Annotated[Card, card_field("The card.", example="9H")]


Hands = Mapping[str, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards that two partners give each other after a nil."""

    side: Annotated[str, PairField("The partners.")]
    counts: Annotated[
        tuple[int, ...],
        s.ListOf(s.Count(high=_MOST_HELD, unit="cards"), "How many each gives.", least=2, most=2),
    ]
    cards: Annotated[Hands, _hands("Which ones, by the seat that gives them.")] = field(default_factory=dict)

    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, table: Table) -> Iterator[Problem]:
        """Yield cards of other seats, and those that a hand cannot hold."""
        cards = data.get("cards") or {}
        members = table.members(data["side"]) if "side" in data else tuple(cards)
        for seat in cards:
            if seat not in members:
                yield Problem(("cards", seat), "unknown-key", {"key": seat}, contextual=True)
        yield from _check_hands(cards, table, "cards")


@dataclass(frozen=True, slots=True)
class Dealt:
    """The number of cards that every seat was dealt."""

    counts: Annotated[
        Mapping[str, int],
        s.Keyed(s.Count(high=_MOST_HELD, unit="cards"), "By seat.", keys=lambda table: table.seats, all_keys=True),
    ]


@dataclass(frozen=True, slots=True)
class NextDealer:
    """Who deals next."""

    seat: Annotated[str, s.Seat()]


@dataclass(frozen=True, slots=True)
class Draw:
    """One turn of two players who draw their hands: one of two cards is kept."""

    seat: Annotated[str, s.Seat()]
    first: Annotated[str, s.Word(("keep", "discard"))]
    second: Annotated[str, s.Word(("keep", "discard"))]

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
        """Everybody who bids, from the dealer's left unless the rules say another order; the dummy does not."""
        return _bidders(self.seats, self.dealer, self.rules.first_bidder)

    @property
    def dummy_misplaced(self) -> bool:
        """Whether a dummy sits on the wrong side of the dealer (SPADES-105, 106)."""
        return DUMMY in self.seats and self.dealer not in (None, *replace(self, dealer=None).dealers)

    @property
    def dealers(self) -> tuple[str, ...]:
        """The dealer, or everybody who can have dealt as the seats are (SPADES-105, 106)."""
        if self.dealer is not None:
            return (self.dealer,)
        if DUMMY not in self.seats:
            return self.seats
        return (self.after(DUMMY)[self.rules.dummy_side == "left"],)

    def after(self, seat: str) -> tuple[str, ...]:
        """All seats clockwise, beginning at the left of the given one."""
        return _after(self.seats)[seat]

    def side(self, seat: str) -> str:
        """The id of the side that a seat scores for: `A+C`, or the seat itself in individual play."""
        return _pairs(self.seats)[seat] if self.rules.partners else seat

    @property
    def sides(self) -> tuple[str, ...]:
        """All sides in the order of their first seats."""
        return tuple(_members(self.seats, self.rules.partners))

    def members(self, side: str) -> tuple[str, ...]:
        """The seats of a side."""
        return _members(self.seats, self.rules.partners).get(side, ())

    def side_named(self, text: str) -> str:
        """Return the id of the side that a text names with its seats in either order; the text where it names none."""
        return next((side for side in self.sides if text in (side, side_id(reversed(self.members(side))))), text)

    def partner(self, seat: str) -> str | None:
        """The seat opposite, where there are partners."""
        return next((one for one in self.members(self.side(seat)) if one != seat), None)


@lru_cache(maxsize=256)
def _after(seats: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return {seat: seats[place:] + seats[:place] for place, seat in enumerate(seats, start=1)}


@lru_cache(maxsize=256)
def _bidders(seats: tuple[str, ...], dealer: str | None, first: str) -> tuple[str, ...]:
    """Return the order of bidding: with the side that did not deal first, the dealer is the last (CLB-R5)."""
    order = seats if dealer is None else _after(seats)[dealer]
    if dealer is not None and first == "dealer":
        order = (dealer, *order[:-1])
    elif dealer is not None and first == "other_side":
        order = (*order[::2], *order[1::2])
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
    half = len(seats) // 2
    return {seat: side_id((seats[place % half], seats[place % half + half])) for place, seat in enumerate(seats)}


def points_behind(totals: Mapping[str, int], side: str) -> int:
    """Return how many points a side is behind the best other side; negative when it leads (A-10)."""
    return max((total for name, total in totals.items() if name != side), default=0) - totals.get(side, 0)


@dataclass(frozen=True, slots=True)
class Position:
    """What is known of the table when a move is judged. What is left out is not known."""

    table: Table
    phase: Annotated[str, s.Word(PHASES, "Without it, `play` where a trick is given, else `bidding`.", absent=True)]
    totals: Annotated[
        Mapping[str, int] | None,
        _totals("Points before the deal, under the ids of the sides (`A+C`, or the seat).", optional=True),
    ] = None
    calls: Annotated[tuple[Call, ...] | None, calls_field("All calls so far, in order.", optional=True)] = None
    trick: Annotated[
        tuple[Played, ...],
        plays_field(
            "The cards of the trick so far, in order; without it, none.",
            most=lambda table: len(table.seats), absent=True,
        ),
    ] = ()  # fmt: skip
    trick_number: Annotated[
        int | None, tricks_field("Which trick it is.", low=1, high=lambda table: table.rules.tricks)
    ] = None
    leader: Annotated[str | None, s.Seat("Who leads to the trick; without it, who plays its first card.")] = None
    spades_broken: Annotated[bool | None, s.Flag("Whether spades may be led.")] = None
    hand: Annotated[tuple[Card, ...] | None, cards_field("The hand of who is to move.")] = None
    played: Annotated[tuple[Card, ...] | None, cards_field("The cards of earlier tricks.")] = None
    previous_dealer: Annotated[str | None, s.Seat("Who dealt before.")] = None
    later: bool = False
    """Whether it is known to be no first trick, where the trick has no number."""
    turns: Annotated[
        tuple[str, ...] | None,
        s.ListOf(s.Seat(), "Two players who draw: whose turns there were so far.", most=_MOST_DRAWS, optional=True),
    ] = None
    hands: Annotated[Hands, _hands("Hands as far as they are known, for an exchange.")] = field(default_factory=dict)

    read_keys: ClassVar = {
        "seats": s.ListOf(
            s.Name(), "The seats clockwise; a dummy is the seat `dummy`.", most=8, example=["A", "B", "C", "D"]
        ),
        "dealer": s.Seat("Who dealt.", optional=True),
    }
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, table: Table) -> Iterator[Problem]:
        """Yield what cannot be on a table: a full trick, a missing dummy, a card in two places."""
        trick = data.get("trick", ())
        if len(trick) == len(table.seats):
            yield Problem(("trick",), "trick-full", {"count": len(trick)}, a.WINNER_LEADS.id)
        if _phase(data) == "play" and table.rules.mode == "duo_dummy" and DUMMY not in table.seats:
            yield Problem(("seats",), "no-dummy", {"seats": list(table.seats)}, a.DUO_DUMMY.id)
        places = {
            "hand": data.get("hand") or (),
            "trick": tuple(one.card for one in trick),
            "played": data.get("played") or (),
        }
        seen: Counter[Card] = Counter()
        for name, cards in places.items():
            for place, card in enumerate(cards):
                yield from _too_often(table.rules, seen, card, (name, place))
        yield from _check_hands(data.get("hands") or {}, table, "hands")

    @staticmethod
    def build_read(data: s.Attributes, table: Table) -> Position:
        """Return the position, its table with the dealer."""
        dealer, seats = data.pop("dealer"), data.pop("seats")
        return Position(Table(table.rules, seats, dealer), **{**data, "phase": _phase(data)})

    @property
    def begun(self) -> Sequence[bool]:
        """Whether a card was played: False and True where nobody can say."""
        if self.trick or self.played or self.phase == "bidding":
            return (self.phase != "bidding",)
        return (False, True) if self.trick_number is None else (self.trick_number > 1,)

    def played_from_the_top(self, seat: str) -> bool:
        """Whether a seat plays unseen cards and owes nothing: the dummy, or a double blind nil (SPADES-105, 150)."""
        return seat == DUMMY or any(c.seat == seat and c.word == DOUBLE_BLIND_NIL for c in self.calls or ())


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded deal: who sat where, and what was called and played in order."""

    table: Table
    totals: Annotated[Mapping[str, int] | None, _totals("Points before the deal.", absent=True)]
    calls: Annotated[tuple[Call, ...], calls_field("The calls in order.", optional=True)]
    calls_known: bool
    plays: Annotated[
        tuple[Played, ...],
        plays_field("The cards in order.", most=lambda table: table.rules.tricks * len(table.seats)),
    ]
    leader: Annotated[str | None, s.Seat("Who led to the first trick.")] = None
    hands: Annotated[
        Hands,
        _hands("Whole hands by seat, as they were before any of the `exchanges` and after the `discards`."),
    ] = field(default_factory=dict)
    exchanges: Annotated[
        tuple[Exchange, ...],
        s.ListOf(s.object_of(Exchange), "What partners exchanged between the calls and the first card.", most=3),
    ] = ()
    discards: Annotated[
        tuple[Card, ...], cards_field("The cards that the dealer laid aside before the bidding.", most=2)
    ] = ()

    shape_name: ClassVar = "SpadesReplayRequest"
    read_keys: ClassVar = {
        "rules": s.Anything("The house rules, read before.", absent=True),
        "seats": s.ListOf(s.Name(), "The seats clockwise.", most=8, example=["A", "B", "C", "D"]),
        "dealer": s.Seat("Who dealt.", optional=True, example="D"),
    }
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, table: Table) -> Iterator[Problem]:
        """Yield hands that are not whole, and a card that was laid aside twice."""
        yield from _check_hands(data.get("hands") or {}, table, "hands", whole=True)
        discards = data.get("discards", ())
        if len(set(discards)) < len(discards):
            yield Problem(("discards", 1), "duplicate-card", {"card": str(discards[1])}, a.PACK.id)

    @staticmethod
    def build_read(data: s.Attributes, table: Table) -> Record:
        """Return the record, its table with the dealer."""
        data.pop("rules", None)
        table, calls = Table(table.rules, data.pop("seats"), data.pop("dealer")), data.pop("calls")
        return Record(table, data.pop("totals", None), calls or (), calls is not None, **data)

    @property
    def complete(self) -> bool:
        """Whether every card of the deal has been played."""
        return len(self.plays) == self.table.rules.tricks * len(self.table.seats)


def trick_winner(rules: SpadesRules, cards: Sequence[Card], *, first: bool) -> int:
    """Return the index of the winning card; in a first trick of lowest clubs, clubs are led whatever came first."""
    pack = pack_of(rules)
    clubs = first and rules.first_trick != "normal" and any(pack.suit(card) == "C" for card in cards)
    return pack.winner(cards, "C" if clubs else None)


def next_in_trick(table: Table, trick: Sequence[Played]) -> str | None:
    """Return whose turn it is in a trick that was begun: the first seat after the leader without a card in it.

    So a card out of turn leaves those who were passed over in turn; None where everybody has played.
    """
    played = [one.seat for one in trick]
    return next((seat for seat in table.after(played[0]) if seat not in played), None)


def next_to_play(table: Table, plays: Sequence[Played], leader: str | None) -> str | None:
    """Return whose turn it is after these plays of a deal; before the first, the seat that leads."""
    size = len(table.seats)
    trick = plays[len(plays) - len(plays) % size :]
    if trick:
        return next_in_trick(table, trick) or trick[0].seat
    if not plays:
        return leader
    last = plays[-size:]
    return last[trick_winner(table.rules, [one.card for one in last], first=len(plays) == size)].seat


DUMMY_TRICKS: Final = "dummy_tricks"
TIME_UP: Final = "time_up"


@dataclass(frozen=True, slots=True)
class NilFacts:
    """A declared nil: the kind, and the tricks that its player took."""

    call: Annotated[str, s.Word(NIL_CALLS, "The kind of nil; `double_nil` is the one called before looking.")]
    tricks: Annotated[int, tricks_field("What the player of the nil took.", example=0)]
    player: Annotated[str | None, s.Name("Who called it.")] = None

    shape_name: ClassVar = "Nil"

    @property
    def made(self) -> bool:
        """A nil is made when its player took no trick."""
        return self.tricks == 0


class SideFacts(NamedTuple):
    """What a side undertook and took."""

    bid: Annotated[
        int | None, tricks_field("The contract; null where all its players called nil.", optional=True, example=5)
    ]
    tricks: Annotated[int, tricks_field("All tricks of the side, those of a nil among them.", example=8)]
    call: Annotated[str, s.Word((NORMAL, BLIND, MOON, BLIND_MOON), "How the contract was called.")] = NORMAL
    nils: Annotated[
        tuple[NilFacts, ...], s.ListOf(s.object_of(NilFacts), "The nils among the side's calls.", most=4)
    ] = ()
    last_tricks: Annotated[
        tuple[Card, ...],
        cards_field("The cards with which the side took the last tricks in a row, where the table scores them."),
    ] = ()


@dataclass(frozen=True, slots=True)
class DealFacts:
    """A deal of Spades: bid and tricks under the id of every side."""

    sides: Annotated[
        Mapping[str, SideFacts],
        s.Others(s.Keyed(s.object_of(SideFacts), keys=lambda deal: deal.sides, all_keys=True)),
    ]
    dummy_tricks: Annotated[
        int, tricks_field("Two players with a dummy: the tricks that the dummy took.", absent=True)
    ] = 0
    time_up: Annotated[bool, s.Flag("Whether the time was up, so that this deal was the last.", absent=True)] = False

    shape_name: ClassVar = "SpadesDeal"
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, deal: DealContext) -> Iterator[Problem]:
        """Yield tricks of a dummy at a table without one, and a nil of somebody who plays for another side."""
        if DUMMY_TRICKS in data and deal.rules.mode != "duo_dummy":
            yield Problem((DUMMY_TRICKS,), "unknown-key", {"key": DUMMY_TRICKS}, contextual=True)
        for side in deal.all_sides:
            facts = data.get("sides", {}).get(side.id)
            if not side.players or facts is None:
                continue
            for place, nil in enumerate(facts.nils):
                if nil.player is not None and nil.player not in side.players:
                    known = {"value": nil.player, "choices": list(side.players)}
                    yield Problem((side.id, "nils", place, "player"), "unknown-player", known)


DEAL: Final = deal_shape(DealFacts)


def call_in_force(rules: SpadesRules, call: str, bid: int | None) -> str:
    """Return the call that a side's contract counts as: any final bid of all tricks may be a moon (SPADES-166)."""
    if not rules.thirteen_is_moon or bid != rules.tricks:
        return call
    if call == BLIND:
        return BLIND_MOON if rules.blind_moon else MOON
    return MOON if call == NORMAL else call


def read_sides(node: Node, rules: SpadesRules) -> tuple[Side, ...]:
    """Read the sides of a score request: two pairs, or everybody alone."""
    sides = read_side_list(node)
    players = rules.side_size
    expected = rules.players // players
    article = (a.PARTNERS6 if expected == 3 and rules.partners else a.PLAYERS if rules.partners else a.SOLO4).id
    if sides and len(sides) != expected:
        node.fault("sides-count", article, expected=expected, count=len(sides))
    for place, side in enumerate(sides):
        if side.id in (DUMMY_TRICKS, TIME_UP):
            node.fault("side-id", value=side.id)
        if side.players and len(side.players) != players:
            node.fault("players-count", article, at=(place, "players"), expected=players, count=len(side.players))
    return sides


class SeatsShape(s.OpenShape[Table]):
    """The seats of a table, which everything else in an object is read against."""

    seats = s.ListOf(s.Name(), "The seats clockwise.", most=8)
    others = s.Others(s.Keyed(s.Anything()), into="rest")

    def check(self, data: s.Attributes, context: SpadesRules) -> Iterator[Problem]:
        seats = data["seats"]
        if len(set(seats)) != len(seats) or "" in seats:
            yield Problem(("seats",), "seat-twice", {"seats": list(seats)})
        elif len(seats) not in (context.seats, context.players):
            facts = {"expected": context.seats, "count": len(seats)}
            yield Problem(("seats",), "seats-count", facts, a.PLAYERS.id)
        elif context.mode == "duo_dummy" and (DUMMY in seats) != (len(seats) == 3):
            yield Problem(("seats",), "no-dummy", {"seats": list(seats)}, a.DUO_DUMMY.id)

    def make(self, data: s.Attributes, context: SpadesRules) -> Table:
        return Table(context, data["seats"], None)


_CALLS: Final = calls_field()
MOVE: Final[s.Variants[Move]] = s.one_of(
    {"call": Call, "play": Played, "exchange": Exchange, "deal": Dealt, "dealer": NextDealer, "draw": Draw},
    suffix="Move",
)


class _KindShape(s.OpenShape[str]):
    """The kind of a move, where the table that it belongs to cannot be read."""

    type = s.Word(tuple(MOVE.shapes))
    others = s.Others(s.Keyed(s.Anything()), into="rest")


@dataclass(frozen=True, slots=True)
class MovesRequest:
    """A position, and who is to move where it does not say that."""

    position: Annotated[Position, s.object_of(Position)]
    seat: Annotated[str | None, s.Seat("Who is to move.")] = None
    looked: Annotated[bool | None, s.Flag("Whether the mover has looked at the hand.")] = None

    read_keys: ClassVar = {"rules": s.Anything("The house rules, read before.", absent=True)}


def read_check(position: Node, move: Node, rules: SpadesRules) -> tuple[Position, Move] | None:
    """Return a position and a move in it, or None with problems recorded at their nodes."""
    table = _read_table(position, Position, rules)
    if table is None:
        s.read_at(move, _KindShape)
        return None
    before, made = s.read_at(position, s.shape_of(Position), context=table), s.read_at(move, MOVE, context=table)
    return None if before is None or made is None else (before, made)


def read_moves_request(node: Node, rules: SpadesRules) -> MovesRequest | None:
    """Return a request for moves, or None with problems recorded at the node."""
    named = node.object(required=("position",), others=True) and "position" in node
    table = _read_table(node["position"], Position, rules) if named else None
    if table is None:
        _unknown_keys(node, MovesRequest)
        return None
    return s.read_at(node, s.shape_of(MovesRequest), context=table)


def read_record(node: Node, rules: SpadesRules) -> Record | None:
    """Return a recorded deal, or None with problems recorded at the node."""
    table = _read_table(node, Record, rules)
    return None if table is None else s.read_at(node, s.shape_of(Record), context=table)


def _read_table(node: Node, kind: type[Position | Record], rules: SpadesRules) -> Table | None:
    """Return the table whose seats an object of this kind names, without its dealer; None with problems recorded."""
    table = s.read_at(node, SeatsShape, context=rules)
    if table is None:
        _unknown_keys(node, kind)
    return table


def call_facts(word: str) -> JsonObject:
    """Return what follows from the word of a call: nobody looks at the cards before a blind call."""
    unseen = word in (DOUBLE_NIL, DOUBLE_BLIND_NIL, BLIND_MOON) or word.startswith("blind_")
    return {"looked": False} if unseen else {}


def read_calls(node: Node, table: Table) -> tuple[Call, ...]:
    """Return all calls so far in order, none with problems recorded at the node."""
    return s.read_at(node, _CALLS, context=table) or ()


def _unknown_keys(node: Node, kind: type[Position | MovesRequest | Record]) -> None:
    """Record the keys that a shape does not know, where its table cannot be read."""
    known: Collection[str] = s.schema(s.shape_of(kind)).load_fields
    for key in node.names():
        if key not in known:
            node[key].fault("unknown-key", key=key)


def _phase(data: s.Attributes) -> str:
    phase: str = data.get("phase") or ("play" if "trick" in data else "bidding")
    return phase


def _check_hands(hands: Hands, table: Table, key: str, *, whole: bool = False) -> Iterator[Problem]:
    """Hands of too many cards (or, where they are whole, too few), and cards in two of them."""
    seen: Counter[Card] = Counter()
    expected = table.rules.tricks
    for seat, cards in hands.items():
        count = len(cards)
        if count > expected or (whole and count < expected):
            facts = {"seat": seat, "count": count, "expected": expected}
            yield Problem((key, seat), "hand-count", facts, a.DEALING.id)
        for card in cards:
            yield from _too_often(table.rules, seen, card, (key, seat))


def _too_often(rules: SpadesRules, seen: Counter[Card], card: Card, pointer: Pointer) -> Iterator[Problem]:
    """Count a card that is named, and yield that there is none left of it (SIX-R5)."""
    seen[card] += 1
    if seen[card] > 1 + rules.two_packs:
        code = "card-twice" if rules.two_packs else "duplicate-card"
        yield Problem(pointer, code, {"card": str(card)}, a.TWO_PACKS.id if rules.two_packs else a.PACK.id)
