"""The table of Casino: what cards count, the deal, seats, builds, a position, and the table during a turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import RANKS, Card, pack
from companion.engine.ledger import side_id
from companion.engine.verdict import (
    FALSE,
    TRUE,
    AnyOf,
    AtLeast,
    AtMost,
    Breach,
    Claim,
    Place,
    Ruling,
    Verdict,
    negation,
)
from companion.games.casino import articles as a
from companion.games.casino.hidden import (
    BITS,
    ELSEWHERE,
    STOCK,
    Condition,
    Shown,
    Unseen,
    all_of,
    any_of,
    capturing_mask,
    hand_of,
    pile_of,
)
from companion.games.casino.rules import CasinoRules

ACE_HIGH: Final = 14
BIG_TEN: Final = Card("10", "D")
SPY_TWO: Final = Card("2", "S")
COURTS: Final = ("J", "Q", "K")
_SPECIAL: Final = {SPY_TWO: 15, BIG_TEN: 16}

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
    held: Claim = FALSE
    """Whether the maker held a card of the value all the same."""

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


CAPTURE, BUILD, RAISE, AUGMENT, TRAIL = "capture", "build", "raise", "augment", "trail"

PLAYS: Final = (CAPTURE, TRAIL, BUILD, RAISE, AUGMENT)


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
        return (*self.table, *hand, *(card for _, card in self.piles))

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
        return (*self.sets, self.material) if self.material else self.sets


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: who takes it, where that is said, and its plays in order."""

    player: str | None
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """The request that the partner adds to a build instead of taking it."""

    build: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: who dealt, who plays first, and how many cards there are on the table and in the hands of a round."""

    dealer: str | None
    first: str | None
    table: int | None
    hands: Mapping[str, int]
    round: int


@dataclass(frozen=True, slots=True)
class Recut:
    """A second cut, because the first cards are rich."""

    table: tuple[Card, ...]


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
        self.awaiting: dict[str, int] = {}
        """Opponents' builds extended in this turn and not yet captured, with their value."""
        self.proofs: set[int] = set()
        """Values of builds made in this turn while the partner's card was not proven, so on the own word (804)."""
        self.conditions: list[Condition] = []
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
            cards = [str(one) for one in (*self.played, card)]
            self.ruling.breach(article, "second-hand-card", cards=cards)
        if card not in full_pack(self.rules):
            self.ruling.breach(a.FORTY_CARDS, "not-in-pack", card=str(card))
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
        if side not in self.position.piles:
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
        placed = (self.place(one) for one in sets)
        return tuple(one for one in placed if one)

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
            self.conditions.append(Condition(claim, article, Breach(article.id, code, facts)))

    def accountable_builds(self, *, besides: str = "") -> list[tuple[Build, Claim]]:
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

        Where capturers need not be kept, a card may be trailed by whoever holds none for an own build: who can take
        none of them might have no other play.
        """
        own = self.accountable_builds(besides=besides)
        if trailed is not None and not self.rules.keep_capturer:
            own = [(build, all_of(fact, self._held_for(build.value, trailed))) for build, fact in own]
        sure = [build.id for build, fact in own if fact == TRUE]
        builds = sure or [build.id for build, fact in own if fact != FALSE]
        when = any_of(*(fact for _, fact in own))
        if when != FALSE and article is a.FIRST_HALF:
            when = all_of(when, self._first_half(builds))
        self.breach_if(when, article, code, builds=builds)

    def _held_for(self, value: int, trailed: Card) -> Claim:
        """Return the claim that the player held a card for a build before trailing one."""
        return TRUE if trailed in capturers(self.rules, value) else self.holds(value)

    def _first_half(self, builds: Sequence[str]) -> Claim:
        if not two_halves(self.rules, len(self.seats.names)):
            return FALSE
        if self.position.half is None:
            return AtLeast(STOCK, -1)
        return TRUE if self.position.half == FIRST_HALF else FALSE

    def answers(self, value: int, article: Article, *, besides: str = "") -> Claim | None:
        """Check that the player holds the card for a build, or the partner by proof (CASINO-502, 803).

        Returns the claim that the player holds it where the partner's card is proven; None where it is not.
        """
        enough, wanted = self._enough(value, besides)
        if self.rules.partner_build == "proven" and value in self.position.proven_by_partner:
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
        if hand is not None:
            return TRUE if len(capturers(self.rules, value) & hand) >= wanted else FALSE
        before = self.position.unseen.shown if self.position.unseen else ()
        gone = sum({BITS[one.card] for one in (*before, *self.shown)})
        return AtLeast(
            hand_of(seat or self.player, self.position.round), capturer_mask(self.rules, value) & ~gone, wanted
        )

    def _enough(self, value: int, besides: str = "") -> tuple[Claim, int]:
        """Return the claim that the player holds what a build needs: a card, or 2 aces where own builds of 1 and of 14
        both need one (ruling on CASINO-102); and how many cards that are."""
        pair = {1: ACE_HIGH, ACE_HIGH: 1}.get(value)
        one = self.holds(value)
        if pair is None or not _both(capturers(self.rules, value), capturers(self.rules, pair)):
            return one, 1
        two = any_of(*(fact for build, fact in self.accountable_builds(besides=besides) if build.value == pair))
        if two == TRUE:
            return self.holds(value, wanted=2), 2
        return all_of(one, any_of(negation(two), self.holds(value, wanted=2))), 1

    def check_kept(self) -> None:
        """Check that nobody uses up the last card for an own build, except to take it (CASINO-704)."""
        if not self.rules.keep_capturer:
            return
        article = self.cite(a.KEEP_CAPTURER, a.KEEP_NUMBER)
        for build in self.builds.values():
            spent = [card for card in self.played if build.value in hand_values(self.rules, card)]
            own = self._must_keep(build) if spent else FALSE
            if own == FALSE:
                continue
            enough, wanted = self._enough(build.value)
            if (build.value, enough) not in self.unheld:
                self.breach_if(
                    all_of(own, negation(enough)), article, "capturer-used-up",
                    build=build.id, cards=names(spent), value=build.value, count=wanted, seat=self.player,
                )  # fmt: skip

    def _must_keep(self, build: Build) -> Claim:
        """Return the claim that no partner's card stands in for the player's last one (CASINO-704, 803).

        Whoever built on the partner's proven card may rely on it until it is played; the partner, on the maker's own.
        """
        if self.player != build.maker and build.maker and not self.is_opponents(build):
            return negation(self.holds(build.value, seat=build.maker))
        return FALSE if build.maker and build.value in self.position.proven_by_partner else build.answers(self.player)

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
        if self.conditions:
            unseen = self.unseen()
            certain, open_ = unseen.breaches(self.conditions)
            breaches += [one for one in certain if one not in breaches]
            if not breaches:
                missing = unseen.lacking(open_)
        if breaches:
            return Verdict(tuple(breaches))
        return Verdict((), tuple(missing), () if missing else tuple(ruling.because), self.effect())

    def effect(self) -> dict[str, object]:
        """Return the table after the turn, as JSON has it."""
        found: dict[str, object] = {
            "table": names(self.loose),
            "builds": [build.plain() for build in self.builds.values()],
            "captured": names(self.taken),
            "sweep": self.swept,
        }
        if self.hand is not None:
            found["hand"] = names(sorted(self.hand))
        changed = [side for side, layers in self.position.piles.items() if tuple(self.piles[side]) != layers]
        if changed:
            found["piles"] = {side: _pile_names(self.piles[side]) for side in changed}
        return found


def _pile_names(layers: Sequence[Layer]) -> list[str]:
    """Return a pile as JSON has it, top card first."""
    return [str(card) for layer in layers for card in sorted(layer)]


def names(cards: Iterable[Card]) -> list[str]:
    """Return cards as JSON has them."""
    return [str(card) for card in cards]


def _both(one: Collection[Card], other: Collection[Card]) -> bool:
    return not set(one).isdisjoint(other)
