"""The table of Casino: what cards count, the deal, seats, builds, a position, and the table during a turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile
from typing import Annotated, ClassVar, Final, TypeVar, Unpack

from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import RANKS, Card, pack
from companion.engine.ledger import side_id
from companion.engine.problems import Node, Pointer, Problem, impossible_position
from companion.engine.verdict import (
    FALSE,
    TRUE,
    AnyOf,
    AtLeast,
    AtMost,
    Claim,
    Ground,
    Place,
    Question,
    Ruling,
    Verdict,
    negation,
)
from companion.games.casino import articles as a
from companion.games.casino.hidden import (
    BITS,
    ELSEWHERE,
    STOCK,
    Shown,
    Unseen,
    all_of,
    any_of,
    capturing_mask,
    hand_of,
    pile_of,
)
from companion.games.casino.rules import NO_HALVES, CasinoRules

_T = TypeVar("_T")

ACE_HIGH: Final = 14
BIG_TEN: Final = Card("10", "D")
SPY_TWO: Final = Card("2", "S")
COURTS: Final = ("J", "Q", "K")
_SPECIAL: Final = {SPY_TWO: 15, BIG_TEN: 16}

_PAIR: Final = {1: ACE_HIGH, ACE_HIGH: 1}
"""Values that one ace captures, each with the other."""
_HAND_ACES: Final = {"1": (1,), "14": (ACE_HIGH,), "1or14": (1, ACE_HIGH)}


@lru_cache(maxsize=16)
def full_pack(rules: CasinoRules) -> frozenset[Card]:
    """Return all cards of the pack in use: 52, 40 without the courts, or 49 without three twos (BKC-012)."""
    cards = frozenset(pack(ranks=RANKS[:10] if rules.deck == 40 else RANKS))
    return frozenset(card for card in cards if card.rank != "2" or card == SPY_TWO) if rules.deck == 49 else cards


def pack_article(rules: CasinoRules) -> Article:
    """Return the article that says which cards are used."""
    return {40: a.FORTY_CARDS, 49: a.FORTY_NINE}.get(rules.deck, a.PACK)


def players_range(rules: CasinoRules) -> tuple[int, int]:
    """Return how few and how many play: five with 49 cards, else two to four (CASINO-001, BKC-012)."""
    return (5, 5) if rules.deck == 49 else (2, 4)


def numberless(rules: CasinoRules, card: Card) -> bool:
    """Return whether the card is a court without a number (STD-101)."""
    return rules.court_values == "none" and card.rank in COURTS


def hand_values(rules: CasinoRules, card: Card) -> tuple[int, ...]:
    """Return what a card counts when it captures from the hand; nothing for a court without a number (CASINO-101)."""
    if rules.special_hand_values and card in _SPECIAL:
        return (_SPECIAL[card],)
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
    return capturing_mask(capturers(rules, value), value)


@lru_cache(maxsize=16)
def highest_value(rules: CasinoRules) -> int:
    """Return the highest value that any card captures."""
    return max(value for card in full_pack(rules) for value in hand_values(rules, card))


FIRST_CARDS: Final = 4
_FIRST_HALF: Final = 1


@dataclass(frozen=True, slots=True)
class DealPlan:
    """How many cards go to the table, to each player in each round of dealing, and to a stock that is drawn from."""

    table: int
    rounds: tuple[int, ...]
    stock: int = 0


@lru_cache(maxsize=64)
def deal_plan(rules: CasinoRules, players: int) -> DealPlan:
    """Return the deal for a number of players (CASINO-005 to 007, STD-001, SAF-102, DRC-001)."""
    table = FIRST_CARDS
    if rules.deck == 49:
        return DealPlan(table, (FIRST_CARDS, FIRST_CARDS + 1))
    if rules.deal == "draw":
        return DealPlan(table, (FIRST_CARDS,), rules.deck - table - FIRST_CARDS * players)
    if rules.deal == "south_african":
        table = rules.deck % players
    each = (rules.deck - table) // players
    if rules.deal == "fours":
        rest = each % FIRST_CARDS
        return DealPlan(table, (FIRST_CARDS,) * (each // FIRST_CARDS) + ((rest,) if rest else ()))
    if two_halves(rules, players):
        return DealPlan(table, (each - each // 2, each // 2))
    return DealPlan(table, (each,))


def recut_played(rules: CasinoRules) -> bool:
    """Return whether rich first cards are cut again, where four are cut at all (CASINO-009)."""
    return rules.recut and rules.deal == "cut_four"


def two_halves(rules: CasinoRules, players: int) -> bool:
    """Return whether the deal is played in two halves with rules of their own for the first (CASINO-007, 008)."""
    return players == 2 and rules.two_player_deal == "two_halves" and rules.deal not in NO_HALVES


_MOST_ID: Final = 60
MOST_CARDS: Final = 104
_MOST_SETS: Final = 26
_MOST_BUILDS: Final = 52
MAX_MATERIAL: Final = 52


def cards_field(describe: str = "", *, most: int = s.MAX_ITEMS, **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    """Declare a list of cards."""
    return s.ListOf(s.CardField(), describe, most=most, **common)


def seats_field(describe: str, **common: Unpack[s.FieldOptions]) -> s.ListOf[str]:
    """Declare the list of seats."""
    return s.ListOf(s.Name(most=_MOST_ID), describe, most=8, **common)


PARTNERS: Final = s.Flag("False where four play each alone.", default=True)


def check_cards(rules: CasinoRules, places: Sequence[tuple[Pointer, Card]]) -> Iterator[Problem]:
    """Yield a problem for each card that is not in the pack in use, or that has been seen at another place."""
    pack, used = full_pack(rules), dict[Card, Pointer]()
    for pointer, card in places:
        if card not in pack:
            yield from impossible_position([pointer], "not-in-pack", pack_article(rules).id, cards=[str(card)])
        elif card in used:
            facts = {"card": str(card), "place": "/".join(map(str, used[card]))}
            yield Problem(pointer, "duplicate-card", facts, a.PACK.id)
        else:
            used[card] = pointer


def listed(pointer: Pointer, found: Sequence[Card] | None) -> list[tuple[Pointer, Card]]:
    """Return cards with their places in a list."""
    return [((*pointer, place), card) for place, card in enumerate(found or ())]


@dataclass(frozen=True, slots=True)
class Build:
    """A build on the table: its announced value, its sets, and who answers for it."""

    # Who builds on the partner's proven card may hold one too. Then the maker answers for the build, and while that is
    # not known, `held` says on what it depends.

    id: Annotated[str, s.Text("The name by which plays call it.", most=_MOST_ID)]
    value: Annotated[int, s.Integer("The announced value.", example=9)]
    sets: Annotated[
        tuple[tuple[Card, ...], ...],
        s.ListOf(
            cards_field(most=MOST_CARDS),
            "One set for a single build, several for an augmented one.",
            least=1,
            most=_MOST_SETS,
        ),
    ]
    owner: Annotated[str, s.Seat("Who announced it last.")]
    """Who answers for the build; the partner of its maker unless `held` is true."""
    maker: str = ""
    """Who made it while the partner's card was proven; empty where nobody did. Such a build proves nothing (804)."""
    held: Claim = FALSE
    """Whether the maker held a card of the value all the same."""

    @staticmethod
    def check_read(data: s.Attributes, around: Around) -> Iterator[Problem]:
        """Yield sets that do not make the value, and a build of one card."""
        rules, value, sets = around.rules, data["value"], data["sets"]
        if any(card not in full_pack(rules) for one in sets for card in one):
            return
        wrong = [names(one) for one in sets if not makes(rules, one, value)]
        if wrong:
            yield Problem(("sets",), "build-total", {"value": value, "sets": wrong}, a.KINDS_OF_BUILD.id)
        elif len(sets) == 1 and len(sets[0]) < 2:
            yield Problem(("sets",), "build-too-small", {"value": value}, a.KINDS_OF_BUILD.id)

    @property
    def single(self) -> bool:
        """Return whether the build is one set; an augmented (multiple) one is several."""
        return len(self.sets) == 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all cards of the build."""
        return tuple(card for one in self.sets for card in one)

    def answers(self, seat: str) -> Claim:
        """Return the claim that this seat answers for the build."""
        if seat == self.maker:
            return self.held
        return negation(self.held) if seat == self.owner else FALSE

    def plain(self) -> dict[str, object]:
        """Return the build as JSON has it."""
        return {"id": self.id, "value": self.value, "sets": [*map(names, self.sets)], "owner": self.owner}


Layer = frozenset[Card]
"""Cards of a pile whose order among themselves is not known; usually a single card."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits where, clockwise round the table; four play as partners across it, unless each is alone (CASINO-001)."""

    names: tuple[str, ...]
    partners: bool = True

    @property
    def paired(self) -> bool:
        """Return whether there are two partnerships."""
        return self.partners and len(self.names) == 4

    def side(self, seat: str) -> str:
        """Return the seat under which a side keeps its pile: the first of the partners."""
        return self.names[self.names.index(seat) % 2] if self.paired else seat

    def partner(self, seat: str) -> str | None:
        """Return the seat opposite where there are partners."""
        return self.names[(self.names.index(seat) + 2) % 4] if self.paired else None

    def opponents(self, one: str, other: str) -> bool:
        """Return whether two seats play against each other (CASINO-109)."""
        return self.side(one) != self.side(other)

    def sides(self) -> dict[str, tuple[str, ...]]:
        """Return the sides by their score id (`P1+P3` for partners) with their seats."""
        if self.paired:
            return {side_id(pair): pair for pair in (self.names[0::2], self.names[1::2])}
        return {name: (name,) for name in self.names}

    def after(self, seat: str, direction: str) -> str:
        """Return the seat that plays after this one (CASINO-003)."""
        step = 1 if direction == "clockwise" else -1
        return self.names[(self.names.index(seat) + step) % len(self.names)]


def seats_of(rules: CasinoRules, names: tuple[str, ...], *, partners: bool) -> Seats:
    """Return the seats; nobody has a partner where the house rules let each play alone (BKC-011)."""
    return Seats(names, partners and rules.partners == "opposite")


@dataclass(frozen=True, slots=True)
class Around:
    """The rules and the seats, clockwise: what positions and moves are read against."""

    rules: CasinoRules
    table: Seats

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the names of the seats."""
        return self.table.names


@dataclass(frozen=True, slots=True)
class Position:
    """The table before a turn. What is left out is not known; without `table` and `builds` there are none."""

    seats: Seats
    player: Annotated[str, s.Seat("Who is to move.")]
    table: Annotated[tuple[Card, ...], cards_field("The loose cards.", most=MOST_CARDS)] = ()
    builds: tuple[Build, ...] = ()
    hand: Annotated[frozenset[Card] | None, cards_field("The hand of who is to move.", most=MOST_CARDS)] = None
    piles: Annotated[
        Mapping[str, tuple[Layer, ...]],
        s.Keyed(
            cards_field(most=MOST_CARDS), "Captured piles by seat, the top card first; partners share one.",
            keys=lambda around: around.seats, absent=True,
        ),
    ] = field(default_factory=dict)  # fmt: skip
    """By the side's first seat, the top layer first; a pile that is absent is not known."""
    proven: Annotated[
        Mapping[str, frozenset[int]],
        s.Keyed(
            s.ListOf(s.Integer(low=1, high=99), most=52),
            "Values that seats are known to hold, from their builds; standing builds prove their own.",
            keys=lambda around: around.seats, absent=True,
        ),
    ] = field(default_factory=dict)  # fmt: skip
    half: Annotated[
        int | None, s.Integer("Which half of the deal it is.", low=1, high=2, article="casino.two-halves")
    ] = None
    hands: Mapping[str, frozenset[Card]] = field(default_factory=dict)
    """Other hands that are known, by seat."""
    elsewhere: frozenset[Card] = frozenset()
    """Cards known to be in other hands or dealt later."""
    round: int = 0
    """The round of dealing, from 0."""
    unseen: Unseen | None = None
    """What the record so far says of hidden cards; None where there is no record, only this position."""
    partly: Mapping[str, frozenset[Card]] = field(default_factory=dict)
    """Cards known to be in hands that are not wholly known, by seat."""
    stock: Annotated[int | None, s.Count("Cards left to draw from.", high=MOST_CARDS, unit="cards")] = None
    missed_draw: Annotated[bool | None, s.Flag("Whether the last draw was missed.", default=None)] = None

    read_keys: ClassVar = {
        "builds_": s.ListOf(s.object_of(Build), "The builds.", most=_MOST_BUILDS, default=(), key="builds"),
        "seats": seats_field("The seats clockwise."),
        "dealer": s.Seat("Who dealt last, for the verdict on a deal.", absent=True, nullable=True),
        "partners": PARTNERS,
    }
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, around: Around) -> Iterator[Problem]:
        """Yield cards in two places or of another pack, else what no distribution of the cards agrees with."""
        places = _places(data)
        wrong = [*_check_names(data, around), *check_cards(around.rules, places)]
        yield from wrong or _impossible(data, around, places)

    @staticmethod
    def build_read(data: s.Attributes, around: Around) -> Position:
        """Return the position; of piles that are told, every card lies in its order."""
        seats, hand = around.table, data["hand"]
        piles = {
            seats.side(seat): tuple([frozenset((card,)) for card in pile])
            for seat, pile in data.get("piles", {}).items()
        }
        proven = {seat: frozenset(values) for seat, values in data.get("proven", {}).items()}
        known = None if hand is None else frozenset(hand)
        return Position(
            seats, data["player"], data["table"], data["builds_"], known, piles, proven, data["half"],
            stock=data["stock"], missed_draw=data["missed_draw"],
        )  # fmt: skip

    @property
    def partner(self) -> str | None:
        """Return the partner of the player to move."""
        return self.seats.partner(self.player)

    def proven_by_partner(self, rules: CasinoRules) -> frozenset[int]:
        """Return the values that the partner is proven to hold, also by a build that stands (CASINO-803, A17).

        A build of a value that the player is proven to hold may rely on that card: it proves nothing (CASINO-804). Nor
        does one for which no card must be kept: the partner may have played it since (CASINO-704, 805).
        """
        partner = self.partner
        if partner is None or rules.partner_build != "proven":
            return frozenset()
        kept = self.builds if rules.keep_capturer else ()
        own = {build.value for build in kept if build.owner == partner and not build.maker}
        proven = self.proven.get(partner, frozenset()) | (own - self.proven.get(self.player, frozenset()))
        elsewhere = self.open_cards().union(self.hand or ())
        return frozenset(value for value in proven if not capturers(rules, value) <= elsewhere)

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
        known = {*self.hands, self.player} if self.hand is not None else {*self.hands}
        gone = self.visible().union(self.hand or ())
        unseen = _hidden_cards(rules, self.seats.names, known, gone, stock=self.stock, half=self.half)
        hidden = [(seat, value) for seat, values in self.proven.items() if seat not in known for value in values]
        return unseen.assuming(*(_holding(rules, seat, value) for seat, value in hidden))


def _hidden_cards(
    rules: CasinoRules, seats: Sequence[str], known: Collection[str], gone: Collection[Card], *,
    stock: int | None, half: int | None,
) -> Unseen:  # fmt: skip
    """Return what is known of hidden cards where the hands of some seats are, and where so many cards are gone."""
    plan, hidden = deal_plan(rules, len(seats)), full_pack(rules).difference(gone)
    places = [Place(hand_of(seat, 0), 0, max(plan.rounds)) for seat in seats if seat not in known]
    places.append(Place(ELSEWHERE, (plan.stock and stock) or 0, rules.deck))
    unseen = Unseen(sum(BITS[card] for card in hidden), tuple(places))
    if not two_halves(rules, len(seats)) or half == 2:
        return unseen
    rest = 2 * plan.rounds[1]
    unseen = replace(unseen, places=(*places, Place(STOCK, rest if half else 0, rest)))
    return unseen.assuming(AnyOf((AtLeast(STOCK, -1, rest), AtMost(STOCK, -1, 0))))


def _holding(rules: CasinoRules, seat: str, value: int) -> Claim:
    """Claim that a seat holds a card that captures a value."""
    return AtLeast(hand_of(seat, 0), capturer_mask(rules, value))


_SEATS: Final = seats_field("Two to four seats clockwise.")


def read_around(node: Node, rules: CasinoRules, *, players: bool = False) -> Around | None:
    """Return the rules with the seats that an object names (CASINO-001); None with problems recorded at the node.

    With `players` that is another name of `seats`.
    """
    if not isinstance(node.value, dict):
        node.object()
        return None
    at = node["players" if players and "players" in node and "seats" not in node else "seats"]
    if players and not at.present:
        at.fault("required", contextual=True)
        return None
    names = s.read_at(at, _SEATS)
    if names is None:
        return None
    low, high = players_range(rules)
    if not low <= len(names) <= high:
        at.fault("seats-count", a.PLAYERS.id, low=low, high=high, count=len(names))
    elif len(set(names)) < len(names) or "" in names:
        at.fault("seat-twice", a.PLAYERS.id, seats=list(names))
    else:
        return Around(rules, seats_of(rules, names, partners=node["partners"].value is not False))
    return None


def read_against(node: Node, kind: type[_T], rules: CasinoRules, seated: Node, *, players: bool = False) -> _T | None:
    """Return what a node holds, read against the seats that one names; None with problems recorded at them."""
    around = read_around(seated, rules, players=players)
    return None if around is None else s.read_at(node, s.shape_of(kind), context=around)


def _places(data: s.Attributes) -> list[tuple[Pointer, Card]]:
    """Return all cards of a position with their places, as far as they were read."""
    places = listed(("table",), data.get("table"))
    for number, build in enumerate(data.get("builds_", ())):
        for part, one in enumerate(build.sets):
            places += listed(("builds", number, "sets", part), one)
    places += listed(("hand",), data.get("hand"))
    for seat, pile in data.get("piles", {}).items():
        places += listed(("piles", seat), pile)
    return places


def _check_names(data: s.Attributes, context: Around) -> Iterator[Problem]:
    """Yield a problem for two builds of one name, and for a pile that is given by both partners."""
    ids = [build.id for build in data.get("builds_", ())]
    for place, name in enumerate(ids):
        if name in ids[:place]:
            yield Problem(("builds", place, "id"), "build-id", {"value": name})
    sides = [context.table.side(seat) for seat in data.get("piles", {})]
    for place, seat in enumerate(data.get("piles", {})):
        if sides[place] in sides[:place]:
            yield Problem(("piles", seat), "pile-twice", {"seat": seat}, a.COMMON_PILE.id)


def _impossible(data: s.Attributes, context: Around, places: Sequence[tuple[Pointer, Card]]) -> Iterator[Problem]:
    """Yield a problem for each fact of a position with these known cards that no distribution agrees with.

    No player is taken to have played by the rules; only the pack and the numbers of cards dealt limit what can be.
    """
    rules, hand = context.rules, data.get("hand")
    plan = deal_plan(rules, len(context.seats))
    seen, used = dict.fromkeys(pointer[:1] for pointer, _ in places), len(places) + (hand is None)
    if hand is not None and len(hand) > max(plan.rounds):
        facts = {"count": len(hand), "most": max(plan.rounds), "seat": data.get("player")}
        yield from impossible_position([("hand",)], "hand-size", a.DEALING.id, **facts)
    if data.get("half") == _FIRST_HALF and two_halves(rules, len(context.seats)):
        most = len(full_pack(rules)) - 2 * plan.rounds[1]
        if used > most:
            yield from impossible_position([("half",), *seen], "half-cards", a.TWO_HALVES.id, count=used, most=most)
    if plan.stock and (stock := data.get("stock")):
        most = min(plan.stock, len(full_pack(rules)) - used)
        if stock > most:
            cards = () if stock > plan.stock else seen
            yield from impossible_position(
                [("stock",), *cards], "stock-cards", a.DRAW_CASINO.id, count=stock, most=most
            )
    mover: str = data.get("player", "")
    known = _hidden_cards(
        rules, context.seats, () if hand is None else (mover,), [card for _, card in places],
        stock=data.get("stock"), half=data.get("half"),
    )  # fmt: skip
    proven: dict[str, list[Card]] = {}
    for seat, value in sorted({(seat, value) for seat, values in data.get("proven", {}).items() for value in values}):
        fit = sorted(capturers(rules, value))
        more = known if hand is not None and seat == mover else known.assuming(_holding(rules, seat, value))
        holds = bool({*fit} & {*(hand or ())}) if more is known else more.consistent or not known.consistent
        if not (fit and holds):
            facts = {"seat": seat, "value": value, "cards": names(fit)}
            others = [other for other, cards in proven.items() if other != seat and {*cards} & {*fit}]
            pointers: list[Pointer] = [("proven", one) for one in (seat, *others)]
            pointers += [pointer for pointer, card in places if card in fit]
            yield from impossible_position(pointers, "proven-gone", a.PROVEN_CARD.id, **facts)
        else:
            known = more
            proven.setdefault(seat, []).extend(fit)


CAPTURE, BUILD, RAISE, AUGMENT, TRAIL = "capture", "build", "raise", "augment", "trail"

PLAY_KINDS: Final = (CAPTURE, TRAIL, BUILD, RAISE, AUGMENT)


@dataclass(frozen=True, slots=True)
class Material:
    """Cards announced together: loose ones, one from the hand, pile cards with the side they lie with, builds by id."""

    table: tuple[Card, ...] = ()
    card: Card | None = None
    piles: tuple[tuple[str, Card], ...] = ()
    builds: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all single cards of the material."""
        hand = () if self.card is None else (self.card,)
        return (*self.table, *hand, *self.tops)

    @property
    def tops(self) -> tuple[Card, ...]:
        """Return the cards from piles."""
        return tuple(card for _, card in self.piles)

    def __bool__(self) -> bool:
        return bool(self.cards or self.builds)


@dataclass(frozen=True, slots=True)
class Base:
    """What an augmented build starts from: `build`, `table`, and what cannot be one, `hand` and `pile`."""

    kind: str
    build: str = ""
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """One play of a turn. `value` is the announced value of a build, the new one when it is raised."""

    kind: str
    material: Material
    sets: tuple[Material, ...] = ()
    value: int = 0
    declared: int | None = None
    target: str = ""
    absorbed: tuple[tuple[Card, ...], ...] = ()
    base: Base | None = None
    name: str = ""
    asked_by: str | None = None

    def groups(self) -> tuple[Material, ...]:
        """Return the sets announced; material written beside them is one more set."""
        return tuple(filter(None, (*self.sets, self.material)))


_MOST_PLAYS: Final = 60
_BASES: Final = ("build", "table", "hand", "pile")


class PileCardShape(s.Shape[tuple[str, Card]]):
    """A card on top of a captured pile."""

    from_ = s.Seat("Whose pile it is.", key="from")
    card = s.CardField()

    def make(self, data: s.Attributes, context: Around) -> tuple[str, Card]:
        return context.table.side(data["from_"]), data["card"]


class _MaterialShape(s.Shape[s.Json]):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    id = s.Text("The name of the build that comes of it.", most=_MOST_ID, absent=True)
    card = s.CardField("From the hand.", optional=True)
    table = cards_field("Loose cards.", absent=True)
    piles = s.ListOf(s.Object(PileCardShape), "Tops of piles.", most=MAX_MATERIAL, absent=True)
    builds_ = s.ListOf(s.Text(most=_MOST_ID), "Builds by their names.", most=MAX_MATERIAL, absent=True, key="builds")


class MaterialShape(_MaterialShape):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    def make(self, data: s.Attributes, context: Around) -> Material:
        return _material(data)


def _material(data: s.Attributes) -> Material:
    return Material(data.get("table", ()), data["card"], data.get("piles", ()), data.get("builds_", ()))


class BaseShape(s.Shape[Base]):
    """What an augmented build starts from: one of a build, a loose card, a card of the hand, the top of a pile."""

    build = s.Text("A build by its name.", most=_MOST_ID, absent=True)
    table = s.CardField("A loose card.", absent=True)
    hand = s.CardField("A card of the hand.", absent=True)
    pile = s.CardField("The top of a pile.", absent=True)
    from_ = s.Seat("Whose pile it is.", key="from", absent=True)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        if sum(kind in data for kind in _BASES) != 1:
            yield Problem((), "one-base", {"choices": list(_BASES)})

    def make(self, data: s.Attributes, context: Around) -> Base:
        kind = next(kind for kind in _BASES if kind in data)
        return Base("build", build=data["build"]) if kind == "build" else Base(kind, card=data[kind])


class _PlayShape(_MaterialShape):
    declared = s.Integer("The value that the card counts as, where it has several.", key="as", optional=True)

    def make(self, data: s.Attributes, context: Around) -> Play:
        base = data.get("base")
        return Play(
            data["play"],
            _material(data),
            data.get("sets", ()),
            data["to"] if "to" in data else data.get("value", 0),
            data["declared"],
            data.get("build", "") if base is None else base.build,
            data.get("absorb", ()),
            base,
            data.get("id", ""),
            data.get("asked_by"),
        )


class CapturePlay(_PlayShape):
    """Cards and builds taken with a card of the hand."""

    play = s.Word(("capture",))


class TrailPlay(_PlayShape):
    """A card laid down on the table."""

    play = s.Word(("trail",))


class BuildPlay(_PlayShape):
    """A new build."""

    play = s.Word(("build",))
    value = s.Integer("The announced value.")
    sets = s.ListOf(s.Object(MaterialShape), "Its sets, where there are several.", most=_MOST_SETS, absent=True)


class RaisePlay(_PlayShape):
    """A build whose value is raised by a card."""

    play = s.Word(("raise",))
    build = s.Text("The build by its name.", most=_MOST_ID)
    to = s.Integer("The new value.")
    absorb = s.ListOf(cards_field(), "Loose sets of the new value that join it.", most=_MOST_SETS, absent=True)


class AugmentPlay(_PlayShape):
    """Sets added to a build, or to a card that becomes one."""

    play = s.Word(("augment",))
    value = s.Integer("The announced value.")
    base = s.Object(BaseShape, "What it starts from.")
    sets = s.ListOf(s.Object(MaterialShape), "The sets that are added.", most=_MOST_SETS, absent=True)
    asked_by = s.Seat("The partner who asked for it.", optional=True)


PLAY: Final[s.Variants[s.Json]] = s.Variants(
    "play",
    {"capture": CapturePlay, "build": BuildPlay, "raise": RaisePlay, "augment": AugmentPlay, "trail": TrailPlay},
)
PLAYS: Final = s.ListOf(PLAY, "The plays in order; a turn ends with a card of the hand.", most=_MOST_PLAYS)


def _deck(around: Around) -> int:
    return around.rules.deck


def _rounds(around: Around) -> int:
    return len(deal_plan(around.rules, len(around.seats)).rounds)


_CARD: Final = s.CardField()


class _Drawn(s.Field[tuple[Card | None, ...]]):
    """A card that was drawn, `hidden` where nobody recorded it, or a list of two."""

    expected = "text"
    json_types = (str, list)

    def take(self, value: s.Json, context: s.ReadContext) -> tuple[Card | None, ...]:
        each = value if isinstance(value, list) else [value]
        if len(each) > FIRST_CARDS:
            raise s.fault("length", least=0, most=FIRST_CARDS, count=len(each))
        return tuple(None if one == "hidden" else _CARD.take(one, context) for one in each)

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        one = {"anyOf": [{"const": "hidden"}, _CARD.json_schema(refer)]}
        return {"anyOf": [*one["anyOf"], {"type": "array", "items": one, "maxItems": FIRST_CARDS}]}


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn."""

    player: Annotated[
        str | None, s.Seat("Who plays it, where that could be another than who is to move.", optional=True)
    ]
    plays: Annotated[tuple[Play, ...], PLAYS]


@dataclass(frozen=True, slots=True)
class RecordedTurn(Turn):
    """A turn as it was played."""

    player: Annotated[str | None, s.Seat("Who played it, where it was not that player's turn.", optional=True)]

    drawn: Annotated[
        tuple[Card | None, ...],
        _Drawn('What was drawn after it: a card, "hidden", or a list of two. Without it, none.', default=()),
    ] = ()

    read_keys: ClassVar = {"type": s.Word(("turn",), absent=True)}


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards drawn from the stock after the play."""

    count: Annotated[int, s.Count("How many.", low=1, high=FIRST_CARDS, unit="cards", default=1)] = 1


@dataclass(frozen=True, slots=True)
class Request:
    """The request that the partner adds to a build instead of taking it."""

    build: Annotated[str, s.Text("The build by its name.")]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards dealt: how many lie on the table and in the hands."""

    dealer: Annotated[str | None, s.Seat("Who deals.")] = None
    first: Annotated[str | None, s.Seat("Who plays first.")] = None
    table: Annotated[int | None, s.Count("Cards on the table.", high=_deck, unit="cards")] = None
    hands: Annotated[
        Mapping[str, int],
        s.Keyed(
            s.Count(high=_deck, unit="cards"), "Cards of each hand, by seat.",
            keys=lambda around: around.seats, absent=True,
        ),
    ] = field(default_factory=dict)  # fmt: skip
    round: Annotated[int | None, s.Integer("Which round of dealing it is.", low=1, high=_rounds)] = None


@dataclass(frozen=True, slots=True)
class Recut:
    """A second cut, because the first four cards are rich."""

    table: Annotated[tuple[Card, ...], cards_field("The four cards.", most=MOST_CARDS)]

    @staticmethod
    def check_read(data: s.Attributes, around: Around) -> Iterator[Problem]:
        """Yield another number of cards, a card twice, and one of another pack."""
        if len(data["table"]) != FIRST_CARDS:
            facts = {"count": len(data["table"]), "expected": FIRST_CARDS}
            yield Problem(("table",), "table-count", facts, a.FIRST_TABLE_CARDS.id)
        yield from check_cards(around.rules, listed(("table",), data["table"]))


MOVE: Final[s.Variants[Turn | Request | Dealt | Recut | Draw]] = s.one_of(
    {"turn": Turn, "request": Request, "deal": Dealt, "recut": Recut, "draw": Draw}, suffix="Move"
)


def check_ids(node: Node, plays: Sequence[Play], builds: Sequence[Build]) -> None:
    """Record a problem for each play that gives a new build the name of one that stands."""
    ids = {build.id for build in builds}
    for place, play in enumerate(plays):
        if play.name in ids and play.name != play.target:
            node.fault("build-id", at=(place, "id"), value=play.name)


class Layout:
    """One turn's working table. What a play names is moved as far as it goes, so that later plays can be judged too."""

    def __init__(self, rules: CasinoRules, position: Position) -> None:
        self.rules, self.position = rules, position
        self.seats, self.player = position.seats, position.player
        self.side = position.seats.side(position.player)
        self.loose: list[Card] = list(position.table)
        self.builds: dict[str, Build] = {build.id: build for build in position.builds}
        self.hand: set[Card] | None = None if position.hand is None else set(position.hand)
        self.piles: dict[str, list[Layer]] = {side: list(layers) for side, layers in position.piles.items()}
        self.played: list[Card] = []
        self.trailed: list[Card] = []
        self.taken: list[Card] = []
        self.won: list[str] = []
        """The ids of the builds that were captured in this turn."""
        self.awaiting: dict[str, int] = {}
        """Opponents' builds extended in this turn and not yet captured, with their value."""
        self.proofs: set[int] = set()
        """Values of builds made in this turn while the partner's card was not proven, so on the own word (804)."""
        self.shown: list[Shown] = []
        self.unheld: set[tuple[int, Claim]] = set()
        """What made builds of this turn wrong already."""
        self.swept = False
        self.ruling = Ruling(allow_once=True)
        self._names: dict[str, str] = {}
        self._fresh = 0
        self._limbo: list[Card] = []
        self._open = position.open_cards()
        self._tops: dict[str, int] = {}

    @property
    def swazi(self) -> bool:
        """Return whether builds follow the Swazi rules; the articles cited depend on it."""
        return self.rules.building == "swazi"

    def cite(self, swazi: Article, other: Article) -> Article:
        """Return the article that states the rule in the form of the game that is played."""
        return swazi if self.swazi else other

    def play_card(self, card: Card) -> None:
        """Play a card from the hand; a second one in the turn is a breach (CASINO-202)."""
        article = self.cite(a.ONE_HAND_CARD, a.STANDARD_TURN)
        if self.played:
            self.ruling.breach(article, "second-hand-card", cards=names((*self.played, card)))
        if card not in full_pack(self.rules):
            self.ruling.breach(pack_article(self.rules), "not-in-pack", card=str(card))
        elif self.hand is not None and card not in self.hand:
            self.ruling.breach(article, "card-not-held", card=str(card), held=names(sorted(self.hand)))
        elif card in self._open:
            self.ruling.breach(article, "card-seen", card=str(card))
        elif self.hand is None and card in self.position.elsewhere:
            self.ruling.breach(article, "card-not-held", card=str(card), held=[])
        else:
            self.shown.append(Shown(0, self.position.round, self.player, card))
        if card in full_pack(self.rules) and card not in self._open:
            self._limbo.append(card)
        if self.hand is not None:
            self.hand.discard(card)
        self.played.append(card)
        self._open.add(card)
        self.proofs -= set(hand_values(self.rules, card))

    def take_loose(self, cards: Sequence[Card]) -> None:
        """Take cards from among the loose ones (CASINO-103, 108)."""
        for card in cards:
            if card in self.loose:
                self.loose.remove(card)
                self._limbo.append(card)
                continue
            inside = next((build.id for build in self.builds.values() if card in build.cards), None)
            if inside is not None:
                article = self.cite(a.BUILDS_STAY_WHOLE, a.STANDARD_BUILDS_WHOLE)
                self.ruling.breach(article, "card-in-build", card=str(card), build=inside)
            else:
                self.ruling.breach(a.LOOSE_CARDS, "not-loose", card=str(card))

    def take_from_piles(self, piles: Sequence[tuple[str, Card]]) -> None:
        """Take the tops of opponents' piles for one set (CASINO-609 to 611)."""
        used: set[str] = set()
        for side, card in piles:
            if side == self.side:
                self.ruling.breach(a.OPPONENTS_PILES, "own-pile", card=str(card))
                continue
            if side in used:
                self.ruling.breach(a.ONE_CARD_A_PILE, "pile-twice-in-set", pile=side, card=str(card))
            used.add(side)
            self._take_top(side, card)

    def _take_top(self, side: str, card: Card) -> None:
        # What lies under a single card that was named is not known: a capture leaves two in a pile.
        top_only = self.position.unseen is None and len(self.position.piles.get(side, ())) == 1
        if side not in self.position.piles or (top_only and not self.piles[side]):
            if card in self._open or card in self.position.elsewhere or (self.hand is not None and card in self.hand):
                covered: Claim = TRUE
            else:
                depth = self._tops.get(side, 0)
                self._tops[side] = depth + 1
                covered = AtMost(pile_of(side, depth), BITS[card])
                self._limbo.append(card)
                self._open.add(card)
            self.breach_if(covered, a.PILE_TOP, "not-pile-top", pile=side, card=str(card), top=[])
            return
        layers = self.piles[side]
        if layers and card in layers[0]:
            layers[0] -= {card}
            if not layers[0]:
                del layers[0]
            self._limbo.append(card)
            return
        top = names(sorted(layers[0])) if layers else []
        self.ruling.breach(a.PILE_TOP, "not-pile-top", pile=side, card=str(card), top=top)

    def place(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return those of these cards that were really taken in this play, to be laid down somewhere."""
        found = tuple(card for card in dict.fromkeys(cards) if card in self._limbo)
        self._limbo = [card for card in self._limbo if card not in found]
        return found

    def place_sets(self, sets: Sequence[Sequence[Card]]) -> tuple[tuple[Card, ...], ...]:
        """Return the sets with the cards that were really taken; a set that has none is left out."""
        return tuple(filter(None, map(self.place, sets)))

    def close_play(self) -> None:
        """Leave on the table what was taken and laid down nowhere: no card is ever lost."""
        self.loose += self._limbo
        self._limbo.clear()

    def find(self, name: str) -> Build | None:
        """Return the current build with that id; record a breach where there is none."""
        build = self.builds.get(self._names.get(name, name))
        if build is None:
            self.ruling.breach(a.BUILDS, "no-such-build", build=name)
        return build

    def name(self, build: str, alias: str) -> None:
        """Let later plays call a build by another id."""
        if alias and alias != build:
            self._names[alias] = build

    def fresh_id(self, wanted: str) -> str:
        """Return the id of a new build: the one wanted, else the next free one."""
        if wanted and wanted not in self.builds:
            self._names.pop(wanted, None)
            return wanted
        while not self._fresh or f"N{self._fresh}" in self.builds:
            self._fresh += 1
        return f"N{self._fresh}"

    def is_opponents(self, build: Build) -> bool:
        """Return whether the build belongs to the other side."""
        return self.seats.opponents(build.owner, self.player)

    def breach_if(self, claim: Claim, article: Article, code: str, /, **facts: object) -> None:
        """Record an article that is broken where the claim is true, which hidden cards may leave open."""
        if claim == TRUE:
            self.ruling.breach(article, code, **facts)
        elif claim != FALSE:
            self.ruling.questions.append(Question(claim, article, code, facts))

    def accountable_builds(self, *, besides: str) -> list[tuple[Build, Claim]]:
        """Return the builds that the player may answer for, each with the claim that the player does."""
        builds = ((build, build.answers(self.player)) for build in self.builds.values() if build.id != besides)
        return [(build, claim) for build, claim in builds if claim != FALSE]

    def check_free(self, value: int, article: Article, *, besides: str = "") -> None:
        """Check that no two builds have one value, unless the table allows them (CASINO-107)."""
        if self.rules.same_value_builds == "allowed":
            return
        other = next((one for one in self.builds.values() if one.value == value and one.id != besides), None)
        if other is not None:
            self.ruling.breach(article, "value-taken", value=value, build=other.id)

    def check_limit(self, *, besides: str = "") -> None:
        """Check that a player has one build at most, always (SAF-104) or in the first half of two (CASINO-008)."""
        if self.rules.builds_per_player is not None:
            self.breach_if_owner(a.ONE_BUILD_A_PLAYER, "second-build", besides=besides)
        else:
            self.breach_if_owner(a.FIRST_HALF, "second-build-first-half", besides=besides)

    def breach_if_owner(self, article: Article, code: str, *, besides: str = "", trailed: Card | None = None) -> None:
        """Record a breach where the player answers for a build; for CASINO-008 only in the first half of two.

        A card may be trailed by whoever holds none for an own build, who might have no other play.
        """
        own = self.accountable_builds(besides=besides)
        if trailed is not None:
            own = [(build, all_of(fact, self._held_for(build.value, trailed))) for build, fact in own]
        sure = [build.id for build, fact in own if fact == TRUE]
        builds = sure or [build.id for build, fact in own if fact != FALSE]
        when = any_of(*(fact for _, fact in own))
        if when != FALSE and article is a.FIRST_HALF:
            when = all_of(when, self._first_half(builds))
        self.breach_if(when, article, code, builds=builds)

    def _held_for(self, value: int, played: Card) -> Claim:
        """Return the claim that the player held a card for a build before playing one; a false build may stand."""
        return TRUE if played in capturers(self.rules, value) else self.holds(value)

    def _first_half(self, builds: Sequence[str]) -> Claim:
        if not two_halves(self.rules, len(self.seats.names)):
            return FALSE
        if self.position.half is None:
            return AtLeast(STOCK, -1)
        return TRUE if self.position.half == _FIRST_HALF else FALSE

    def answers(self, value: int, article: Article, *, besides: str = "") -> Claim | None:
        """Check that the player holds the card for a build, or the partner by proof (CASINO-502, 803).

        Returns the claim that the player holds it where the partner's card is proven; None where it is not.
        """
        enough, wanted = self._enough(value, besides)
        if value in self.position.proven_by_partner(self.rules):
            if enough != TRUE:
                self.ruling.allow(a.PROVEN_CARD, value=value, seat=self.position.partner)
            return enough
        self.breach_if(negation(enough), article, "value-not-held", value=value, count=wanted, seat=self.player)
        self.unheld.add((value, enough))
        self.proofs.add(value)
        return None

    def holds(self, value: int, *, wanted: int = 1, seat: str = "") -> Claim:
        """Return the claim that a seat, else the player, holds so many cards that capture the value."""
        hand = self.hand if seat in ("", self.player) else self.position.hands.get(seat)
        known = self.position.partly.get(seat or self.player, frozenset()) - {*self.played} if hand is None else hand
        wanted -= len(capturers(self.rules, value) & known)
        if hand is not None or wanted <= 0:
            return TRUE if wanted <= 0 else FALSE
        before = self.position.unseen.shown if self.position.unseen else ()
        gone = sum({BITS[one.card] for one in (*before, *self.shown)})
        return AtLeast(
            hand_of(seat or self.player, self.position.round), capturer_mask(self.rules, value) & ~gone, wanted
        )

    def _enough(self, value: int, besides: str = "") -> tuple[Claim, int]:
        """Return the claim that the player holds what a build needs: a card, or 2 aces where own builds of 1 and of 14
        both need one (ruling on CASINO-102); and how many cards that are."""
        pair = _PAIR.get(value)
        one = self.holds(value)
        if pair is None or not capturers(self.rules, value) & capturers(self.rules, pair):
            return one, 1
        two = any_of(*(fact for build, fact in self.accountable_builds(besides=besides) if build.value == pair))
        if two == TRUE:
            return self.holds(value, wanted=2), 2
        return all_of(one, any_of(negation(two), self.holds(value, wanted=2))), 1

    def check_taken(self) -> None:
        """Check that whoever owned builds before this turn has captured one of them (JPC-004, R1 to R3).

        Nobody owes what could not have been taken.
        """
        if not self.rules.owner_must_take or not self.played:
            return
        owned = [
            (build, all_of(build.answers(self.player), self._held_for(build.value, self.played[0])))
            for build in self.position.builds
        ]
        done = any_of(*(fact for build, fact in owned if build.id in self.won))
        builds = [build.id for build, fact in owned if fact != FALSE]
        due = all_of(any_of(*(fact for _, fact in owned)), negation(done)) if builds else FALSE
        self.breach_if(due, a.OWNER_MUST_TAKE, "own-build-left", builds=builds)

    def check_kept(self) -> None:
        """Check that nobody uses up the last card for an own build, except to take it (CASINO-704)."""
        article = self.cite(a.KEEP_CAPTURER, a.KEEP_NUMBER)
        if not article.played(self.rules):
            return
        for build in self.builds.values():
            spent = [card for card in self.played if build.value in hand_values(self.rules, card)]
            own = self._must_keep(build) if spent else FALSE
            if own == FALSE or self._took_the_other(build):
                continue
            enough, wanted = self._enough(build.value)
            if (build.value, enough) not in self.unheld:
                self.breach_if(
                    all_of(own, negation(enough)), article, "capturer-used-up",
                    build=build.id, cards=names(spent), value=build.value, count=wanted, seat=self.player,
                )  # fmt: skip

    def _took_the_other(self, build: Build) -> bool:
        """Return whether this turn took the other of own builds of 1 and of 14: who built both held a card for each."""
        won = [one for one in self.position.builds if one.id in self.won and one.answers(self.player) == TRUE]
        return any(one.value == _PAIR.get(build.value) for one in won)

    def _must_keep(self, build: Build) -> Claim:
        """Return the claim that no partner's card stands in for the player's last one (CASINO-704, 803).

        Whoever built on the partner's proven card may rely on it until it is played; the partner, on the maker's own.
        """
        if self.player != build.maker and build.maker and not self.is_opponents(build):
            return negation(self.holds(build.value, seat=build.maker))
        proven = build.maker and build.value in self.position.proven_by_partner(self.rules)
        return FALSE if proven else build.answers(self.player)

    def unseen(self) -> Unseen:
        """Return what is known of hidden cards after the cards that this turn showed."""
        before = self.position.unseen_cards(self.rules)
        tops = tuple(Place(pile_of(side, depth), 0, 1) for side, count in self._tops.items() for depth in range(count))
        return replace(before, places=(*before.places, *tops), shown=(*before.shown, *self.shown))

    def verdict(self) -> Verdict:
        """Return the verdict on what was played: illegal where it is in every distribution of the hidden cards.

        What the turn changes is returned also while it is undecided.
        """
        ruling = self.ruling
        breaches, missing = list(ruling.breaches), []
        grounds = (Ground(self, tuple(ruling.questions), tuple(ruling.breaches)),)
        if ruling.questions:
            unseen = self.unseen()
            certain, open_ = unseen.breaches(ruling.questions)
            breaches += [one for one in certain if one not in breaches]
            if not breaches:
                missing = unseen.lacking(open_)
        if breaches:
            return Verdict(tuple(breaches), grounds=grounds)
        because = () if missing else tuple(ruling.because)
        return Verdict((), tuple(missing), because, self.effect(), grounds=grounds)

    def effect(self) -> dict[str, object]:
        """Return the table after the turn, as JSON has it."""
        found = {
            "table": names(self.loose),
            "builds": [build.plain() for build in self.builds.values()],
            "captured": names(self.taken),
            "sweep": self.swept,
        }
        if self.hand is not None:
            found["hand"] = names(sorted(self.hand))
        changed = [side for side, layers in self.position.piles.items() if tuple(self.piles[side]) != layers]
        if changed:
            # What was taken together lies in no certain order: of such a pile only the top is known.
            found["piles"] = {
                side: names(
                    one for layer in takewhile(lambda layer: len(layer) == 1, self.piles[side]) for one in layer
                )
                for side in changed
            }
        return found


def names(cards: Iterable[Card]) -> list[str]:
    """Return cards as JSON has them."""
    return [str(card) for card in cards]
