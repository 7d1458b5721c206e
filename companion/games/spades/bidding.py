"""Which special calls a table plays, from how far behind each may be made, and the articles that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Final, TypedDict

from companion.engine.articles import Article
from companion.engine.cards import Card, read_card
from companion.engine.ledger import Side
from companion.engine.problems import Node
from companion.engine.verdict import Breach, Missing, Ruling, Verdict, in_every_case
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    BLIND,
    BLIND_MOON,
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    JOKERS,
    MOON,
    NIL,
    NIL_CALLS,
    NORMAL,
    PASS,
    RECORDED,
    Call,
    Played,
    Position,
    Table,
    call_in_force,
    next_to_play,
    pack_of,
    parse_word,
    points_behind,
    read_calls,
)


@dataclass(frozen=True, slots=True)
class CallRule:
    """Whether rules play a call, with the article otherwise; and how many points behind its side must be, if any."""

    played: Callable[[SpadesRules], bool]
    article: Article
    needed: Callable[[SpadesRules], int | None] = lambda rules: None
    behind: Article = a.BID


CALL_RULES: Final[Mapping[str, CallRule]] = {
    NIL: CallRule(lambda r: r.nil, a.NO_NIL),
    DOUBLE_NIL: CallRule(
        lambda r: r.double_nil, a.NO_DOUBLE_NIL, lambda r: r.double_nil_deficit, a.DOUBLE_NIL_BEHIND
    ),
    DOUBLE_BLIND_NIL: CallRule(
        lambda r: r.double_blind_nil, a.DOUBLE_BLIND_NIL,
        lambda r: r.double_blind_nil_deficit, a.DOUBLE_BLIND_NIL_BEHIND,
    ),
    BLIND: CallRule(lambda r: r.blind_bid, a.BLIND_BID, lambda r: r.blind_deficit, a.BLIND_BEHIND),
    MOON: CallRule(lambda r: r.moon, a.MOON),
    BLIND_MOON: CallRule(lambda r: r.blind_moon, a.BLIND_MOON, lambda r: r.blind_moon_deficit, a.BLIND_MOON_BEHIND),
}  # fmt: skip


def why_not_played(rules: SpadesRules, word: str) -> Article | None:
    """Return the article by which a special call is not played; None where it is."""
    rule = CALL_RULES[NIL if word in NIL_CALLS and not rules.nil else word]
    return None if rule.played(rules) else rule.article


def points_needed(rules: SpadesRules, word: str, number: int | None = None) -> tuple[int, Article]:
    """Return how many points behind a side must be for a special call, 0 for none, and the article that says so.

    A blind number that counts as a moon is bound by both.
    """
    words = {word, call_in_force(rules, word, number)}
    return max(((CALL_RULES[one].needed(rules) or 0, CALL_RULES[one].behind) for one in words), key=lambda one: one[0])


@dataclass(frozen=True)
class Bids:
    """What has been called so far."""

    table: Table
    calls: tuple[Call, ...]

    @cached_property
    def by_seat(self) -> Mapping[str, Sequence[Call]]:
        """The calls of each seat that has called, in order."""
        found: dict[str, list[Call]] = {}
        for call in self.calls:
            if call.seat is not None:
                found.setdefault(call.seat, []).append(call)
        return found

    def first(self, seat: str | None) -> Call | None:
        """Return a seat's call of the first round."""
        return next(iter(self.by_seat.get(seat or "", ())), None)

    @cached_property
    def by_side(self) -> Mapping[str | None, Sequence[Call]]:
        """The calls of each side that count, in order: those of the rounds, up to one for the whole side."""
        found: dict[str | None, list[Call]] = {}
        for call in self.calls:
            counted = found.setdefault(call.side, [])
            whole = counted and counted[-1].side_wide
            if not whole and (call.seat is None or [one.seat for one in counted].count(call.seat) < self.rounds):
                counted.append(call)
        return found

    def side_calls(self, side: str) -> Sequence[Call]:
        """Return the calls of a side that count, in order."""
        return self.by_side.get(side, ())

    def side_wide(self, side: str) -> Call | None:
        """Return a side's blind number or moon."""
        return next((call for call in self.side_calls(side) if call.side_wide), None)

    def contract(self, side: str) -> int | None:
        """Return the side's number of tricks; None where it has called none that can be (SPADES-012, 024, 130, 131)."""
        rules = self.table.rules
        number: int | None = None
        seen: set[str | None] = set()
        for call in self.side_calls(side):
            called = rules.tricks if call.word in (MOON, BLIND_MOON) else call.number
            if called is not None and called in RECORDED:
                adds = call.word == NORMAL and rules.partners and rules.bid_method == "sum" and call.seat not in seen
                whole = called + (number or 0) if adds else called
                number = whole if whole in RECORDED else number
            seen.add(call.seat)
        return number

    @property
    def total(self) -> int:
        """What all contracts add up to."""
        return sum(self.contract(side) or 0 for side in self.table.sides)

    def nils(self, side: str) -> list[Call]:
        """Return the nil calls of a side."""
        return [call for call in self.side_calls(side) if call.is_nil]

    def complete(self, side: str) -> bool:
        """Return whether a side has announced all that it must, in consultation."""
        return self.contract(side) is not None or len(self.nils(side)) == len(self.table.members(side))

    @property
    def rounds(self) -> int:
        """How often everybody may call (SPADES-131)."""
        return 2 if self.table.rules.second_round else 1

    @property
    def over(self) -> bool:
        """Whether everybody has called; partners who have nothing to say need not."""
        return self.waiting is None

    @property
    def waiting(self) -> str | None:
        """Who must call before anybody leads: a seat, or a side in consultation; None when the bidding is over."""
        if self.by_sides:
            return next((side for side in self.table.sides if not self.complete(side)), None)
        return next((seat for seat in self.turn[0] if not self.silent(seat)), None)

    @property
    def by_sides(self) -> bool:
        """Whether partners confer and announce one number for their side (SPADES-132)."""
        return self.table.rules.partners and self.table.rules.bid_method == "consultation"

    @property
    def announcing(self) -> tuple[str, ...]:
        """In consultation: the sides in the order in which they announce, the dealer's the last (SPADES-132)."""
        table = self.table
        dealers = table.side(table.dealer or table.seats[0])
        others = [table.side(seat) for seat in table.after(table.dealer or table.seats[0])]
        return (*dict.fromkeys(side for side in others if side != dealers), dealers)

    @property
    def callers(self) -> tuple[str, ...]:
        """Everybody who calls: seats, or sides where partners announce together."""
        return self.table.sides if self.by_sides else self.table.bidders

    def caller(self, place: int | None = None) -> tuple[str | None, str]:
        """Return the seat and the side that call next, or those at an index of `callers`.

        The seat is None where partners announce together. After the bidding it is the first bidder, or the dealer's
        side.
        """
        if place is not None and place < len(self.callers):
            named = self.callers[place]
            return (None, named) if self.by_sides else (named, self.table.side(named))
        if self.by_sides:
            order = self.announcing
            return None, next((side for side in order if not self.complete(side)), order[-1])
        seat = next(iter(self.turn[0]), self.table.bidders[0])
        return seat, self.table.side(seat)

    @cached_property
    def turn(self) -> tuple[tuple[str, ...], int]:
        """Who may call now, and in which round (0 when the bidding is over).

        A partner of a blind number or a moon has nothing to say: both that seat and the one after may go on.
        """
        waiting: list[str] = []
        for number, seat in product(range(1, self.rounds + 1), self.table.bidders):
            if len(self.by_seat.get(seat, ())) >= number:
                waiting = []
                continue
            waiting.append(seat)
            if not self.silent(seat):
                return tuple(waiting), number
        return tuple(waiting), self.rounds if waiting else 0

    def highest(self, side: str) -> int:
        """Return the largest number a side's contract can be (SPADES-011, 130, 166).

        A nil leaves one partner's number, and no moon beside it.
        """
        rules = self.table.rules
        return rules.tricks - rules.thirteen_is_moon if self.nils(side) else rules.max_contract

    def may_have_called_unseen(self, seat: str) -> bool:
        """Return whether a seat may have called a double blind nil that these calls leave out."""
        side = self.table.side(seat)
        if seat in self.by_seat or why_not_played(self.table.rules, DOUBLE_BLIND_NIL) is not None:
            return False
        unnamed = any(call.word == DOUBLE_BLIND_NIL and call.seat is None for call in self.nils(side))
        return unnamed or not (self.complete(side) if self.by_sides else self.silent(seat))

    def silent(self, seat: str) -> bool:
        """Return whether the partner's blind number or moon has already said everything for this seat."""
        return any(call.side_wide for call in self.by_seat.get(self.table.partner(seat) or "", ()))


@dataclass(frozen=True, slots=True)
class CallMenu:
    """Every call that a table plays for one caller, legal at this moment or not."""

    numbers: tuple[Call, ...]
    nils: tuple[Call, ...]
    """Nils, of both partners where they announce together."""
    special: tuple[Call, ...]
    """Blind numbers and moons."""
    passes: tuple[Call, ...]

    def __iter__(self) -> Iterator[Call]:
        return iter((*self.numbers, *self.nils, *self.special, *self.passes))


def call_menu(bids: Bids, seat: str | None, side: str, *, looked: bool | None = None) -> CallMenu:
    """Return every call that this table plays, for a seat, or for a side whose partners announce together.

    In the second round that is a higher number, a moon or a pass (SPADES-131); in the first, only the partner of a
    blind number or a moon may pass.
    """
    rules = bids.table.rules
    second = bids.turn[1] == 2
    plain = Call(NORMAL, None, seat, side, looked)
    numbers = [replace(plain, number=n) for n in range((bids.highest(side) if second else rules.tricks) + 1)]
    nils, special, passes = [], [], []
    if not second:
        members = (seat,) if seat is not None else bids.table.members(side)
        nils = [replace(plain, word=word, seat=one) for one in members for word in nils_played(rules)]
        if why_not_played(rules, BLIND) is None:
            blind = range(rules.blind_bid_min, rules.tricks + 1)
            special += [replace(plain, word=BLIND, number=n) for n in blind]
    moons = (MOON,) if second else (MOON, BLIND_MOON)
    special += [replace(plain, word=word) for word in moons if why_not_played(rules, word) is None]
    if second or (seat is not None and bids.silent(seat)):
        passes.append(replace(plain, word=PASS))
    return CallMenu(tuple(numbers), tuple(nils), tuple(special), tuple(passes))


def nils_played(rules: SpadesRules) -> tuple[str, ...]:
    """Return the kinds of nil that a table plays."""
    return tuple(word for word in NIL_CALLS if why_not_played(rules, word) is None)


class NilEntry(TypedDict, total=False):
    """A nil of a deal's facts as JSON; its tricks are missing until they are counted."""

    player: str
    call: str
    tricks: int


class SideEntry(TypedDict, total=False):
    """A side of a deal's facts as JSON, as far as they are known."""

    bid: int | None
    tricks: int
    call: str
    nils: list[NilEntry]
    last_tricks: list[str]


def settle_calls(node: Node, rules: SpadesRules, sides: Sequence[Side]) -> Mapping[str, SideEntry]:
    """Return the facts that the calls so far settle, by side; what is still to be counted (tricks) is left out."""
    seats = tuple(side.players[place] for place in range(len(sides[0].players)) for side in sides)
    table = Table(rules, seats, None)
    return settled_by_side(Bids(table, read_calls(node, table)), sides)


def settled_by_side(bids: Bids, sides: Iterable[Side]) -> dict[str, SideEntry]:
    """Return the facts of each side that these calls settle."""
    return {side.id: settled_facts(bids, bids.table.side(side.players[0])) for side in sides}


def settled_facts(bids: Bids, side: str) -> SideEntry:
    """Return the contract, the side-wide call and the nils of a side of the table, as facts without tricks."""
    entry: SideEntry = {}
    if (bid := bids.contract(side)) is not None:
        entry["bid"] = bid
    if (wide := bids.side_wide(side)) is not None:
        entry["call"] = wide.word
    nils: list[NilEntry] = [{"player": call.seat, "call": call.word} for call in bids.nils(side) if call.seat]
    if nils:
        entry["nils"] = nils
    return entry


@dataclass(frozen=True)
class Saying:
    """One call about to be made, with the calls before it."""

    position: Position
    call: Call
    bids: Bids
    behind: int = 0
    """How many points the side of a blind call is behind."""

    @cached_property
    def after(self) -> Bids:
        """What the calls become with it."""
        return Bids(self.bids.table, (*self.bids.calls, self.call))

    @property
    def rules(self) -> SpadesRules:
        """The rules of the table."""
        return self.bids.table.rules

    @property
    def side(self) -> str:
        """The side that the call is made for; empty where it has none."""
        return self.call.side or ""

    @property
    def caller(self) -> str:
        """The seat that calls, or the side where partners announce together."""
        return self.call.seat or self.side


def judge_call(position: Position, call: Call, bids: Bids | None = None) -> Verdict:
    """Return the verdict on one call (SPADES-010 to 027, 100, 130 to 134, 140 to 171).

    Whoever has many calls judged in one position gives its `bids`, so that they are counted once. Calls, a dealer,
    totals and a look at the hand that are left out are judged in every case.
    """
    table, calls = position.table, position.calls
    dealers: Sequence[str] = table.dealers
    if calls and table.dealer is None:  # the first case is the one that the calls speak for
        dealers = sorted(dealers, key=lambda seat: replace(table, dealer=seat).bidders[0] != calls[0].seat)
    biddings: Sequence[tuple[Call, ...]] = [calls or ()]
    if calls is None and False in position.begun:
        biddings = [*dict.fromkeys(each for seat in dealers for each in _biddings(replace(table, dealer=seat), call))]

    def judge(begun: bool, calls: tuple[Call, ...], dealer: str, behind: int = 0, call: Call = call) -> Verdict:
        counted = bids if bids and dealer == table.dealer else Bids(replace(table, dealer=dealer), calls)
        if begun:
            facts = {"seat": call.seat or call.side, "call": call.spoken}
            return Verdict((Breach(a.BID_IN_TURN.id, "bidding-over", facts),))
        return _judge_call(Saying(position, call, counted, behind))

    known = zip(_OPEN, (position.begun, biddings, dealers), strict=True)
    return in_every_case(judge, *known, *_of_blind(position, call))


_OPEN: Final = [Missing(fact, a.BID_IN_TURN.id) for fact in ("trick_number", "calls", "dealer")]
"""Facts of the table that may be left out where a call is judged."""


def _of_blind(position: Position, call: Call) -> Iterator[tuple[Missing, Sequence[object]]]:
    """Yield how far the side of a blind call may be behind, and whether the caller may have looked at the hand."""
    if call.blind:
        rules, caller = position.table.rules, call.seat or call.side
        yield Missing("totals", points_needed(rules, call.word, call.number)[1].id), _behind(position, call.side or "")
        calls = (call,) if call.looked is not None else [replace(call, looked=looked) for looked in (False, True)]
        yield Missing("looked", _unseen(rules, call).id, caller, {"call": call.spoken}), calls


def _behind(position: Position, side: str) -> tuple[int, ...]:
    """Return how many points a side is behind; as many as can be, and as few, where totals are left out."""
    totals, sides = position.totals or {}, position.table.sides
    most = points_behind({name: totals.get(name, -_FAR if name == side else _FAR) for name in sides}, side)
    fewest = points_behind({name: totals.get(name, _FAR if name == side else -_FAR) for name in sides}, side)
    return tuple(dict.fromkeys((most, fewest)))


_FAR: Final = 1_000_000
"""Points that no side is behind another."""


def _biddings(table: Table, call: Call) -> Iterator[tuple[Call, ...]]:
    """Yield biddings that may precede a call, among them one after which it is allowed if there is any.

    The partner may have called a number, a nil or something for the whole side; others two different numbers.
    """
    rules, order = table.rules, table.bidders
    least, low = rules.lowest_bid, rules.lowest_contract
    consulting = rules.partners and rules.bid_method == "consultation"
    whole = (BLIND_MOON,) * any(why_not_played(rules, word) is None for word in (BLIND, MOON, BLIND_MOON))
    partners: tuple[int | str, ...] = (least, low, NIL, *whole)
    for own, other, partner in product((least, low), (least, least + 1), partners):
        words = {seat: partner if table.side(seat) == call.side else other for seat in order}
        calls = whole_bidding(table, words if call.seat is None else {**words, call.seat: own})
        if consulting:  # one call of each side, the caller's own left out
            made = [next(x for x in calls if x.seat != call.seat and x.side == side) for side in table.sides]
            yield from (some for count in (1, 2) for some in combinations(made, count))
        else:
            yield from (calls[:place] for place, one in enumerate(calls) if one.seat == call.seat)
            yield calls
    yield ()


def whole_bidding(table: Table, words: Mapping[str, int | str]) -> tuple[Call, ...]:
    """Return a bidding in which each seat calls a number or a word, and passes in a second round."""
    calls = []
    for seat in table.bidders:
        word, side = words[seat], table.side(seat)
        calls.append(Call(NORMAL, word, seat, side) if isinstance(word, int) else Call(word, None, seat, side))
    return (*calls, *[Call(PASS, None, one.seat, one.side) for one in calls if table.rules.second_round])


def _judge_call(at: Saying) -> Verdict:
    ruling = Ruling()
    round_number = _judge_alone(at, ruling)
    if not ruling.breaches:
        _dead_end(at, ruling)
    if not ruling.breaches and at.call.side is not None:
        ruling.effect |= {"side": at.call.side, "contract": at.after.contract(at.call.side)}
        if thrown_in(at.after):
            ruling.effect["thrown_in"] = True
    held: dict[str, object] = {"passed": True} if at.call.word == PASS else {}
    if at.call.blind:  # the points that it needs, and whether a partner could have looked
        held = {"needed": points_needed(at.rules, at.call.word, at.call.number)[0], "alone": not at.rules.partners}
    ruling.allow(_allowing_article(at.bids, at.call, round_number), **held)
    return ruling.verdict()


def _judge_alone(at: Saying, ruling: Ruling) -> int:
    """Judge a call without regard to what can follow it; return in which round it is."""
    call, bids = at.call, at.bids
    round_number = min(1 + len(bids.by_seat.get(call.seat or "", ())), bids.rounds)
    if bids.by_sides:
        _consultation_turn(at, ruling)
    elif not (at.rules.mode == "duo_draw" and call.blind and call.seat not in (*bids.by_seat, *_drawers(at))):
        # Before a player's first card from the stock a blind call is never out of turn (SPADES-104).
        may = bids.turn[0]
        if not may:
            ruling.breach(a.BID_IN_TURN, "bidding-over", seat=call.seat, call=call.spoken)
        elif call.seat not in may:
            ruling.breach(a.BID_IN_TURN, "bid-out-of-turn", seat=call.seat, next=may[0])
    if round_number == 2:
        _second_round(at, ruling)
    else:
        _first_round(at, ruling)
    _forced(at, ruling)
    _nil_beside_moon(at, ruling)
    _forbidden_total(at, ruling)
    return round_number


def thrown_in(bids: Bids) -> bool:
    """Return whether the bidding has ended so low that the same dealer deals again (CLB-009)."""
    least = bids.table.rules.least_total
    return least is not None and bids.over and bids.total < least


_MOST_TRIED: Final = 500
"""Calls that are tried in order to finish a bidding: beyond these it is taken to go on."""


def _dead_end(at: Saying, ruling: Ruling) -> None:
    """Judge a call after which the bidding cannot be finished, where another call leaves a way (SPADES-134, 170)."""
    rules = at.rules
    if not (rules.forbidden_totals or rules.minimum_bid):
        return
    below = _stays_below(at)
    if not below and _can_finish(at.position, at.after, [_MOST_TRIED]):
        return
    if _can_finish(at.position, at.bids, [_MOST_TRIED]):
        article = a.MINIMUM_BID if below else next(iter(rules.forbidden_totals.values()), a.MINIMUM_BID)
        ruling.breach(article, "no-call-left", seat=at.caller, call=at.call.spoken)


def _stays_below(at: Saying) -> bool:
    """Return whether nobody of the side can raise it to the minimum any more: those still to call are nil."""
    after, rules, contract = at.after, at.rules, at.after.contract(at.side)
    if not rules.second_round or contract is None or contract >= rules.minimum_bid:
        return False
    nils = () if rules.bid_method == "later_partner" else [call.seat for call in after.nils(at.side)]
    own = [seat for seat in after.table.bidders if after.table.side(seat) == at.side]
    return all(seat in nils or len(after.by_seat.get(seat, ())) == after.rounds for seat in own)


def _can_finish(position: Position, bids: Bids, left: list[int]) -> bool:
    """Return whether calls that are allowed one by one end this bidding; `left` counts down the calls tried."""
    if bids.over:
        return True
    no_number, position = False, replace(position, hand=None)  # of other players' hands nothing is known
    for call in reversed([*call_menu(bids, *bids.caller())]):  # a pass, then the highest number, is seldom forbidden
        if no_number and call.word == NORMAL:
            continue
        left[0] -= 1
        if left[0] < 0:
            return True
        at, ruling = Saying(position, call, bids, _behind(position, call.side or "")[0]), Ruling()
        _judge_alone(at, ruling)
        no_number = call.word == NORMAL and any(breach.code in _WHATEVER_NUMBER for breach in ruling.breaches)
        if not ruling.breaches and _can_finish(position, at.after, left):
            return True
    return False


_WHATEVER_NUMBER: Final = ("side-has-called", "already-announced", "nothing-to-raise", "nil-raises")
"""Breaches of a number that another number would be, too."""


def _consultation_turn(at: Saying, ruling: Ruling) -> None:
    """The sides without the dealer announce first, then the dealer's side, each once (SPADES-132)."""
    bids, call = at.bids, at.call
    order = bids.announcing
    place = order.index(call.side) if call.side in order else 0
    waiting = next((side for side in order[:place] if not bids.complete(side)), None)
    if waiting is not None:
        ruling.breach(a.CONSULTATION, "wrong-side-first", side=call.side, next=waiting)
    later = next((side for side in order[place + 1 :] if bids.side_calls(side)), None)
    if later is not None and call.side is not None and bids.complete(call.side):
        ruling.breach(a.CONSULTATION, "bid-out-of-turn", seat=call.side, next=later)
    known = call.side is not None and bids.contract(call.side) is not None and bool(bids.nils(call.side))
    if call.side is not None and (known if call.is_nil else bids.complete(call.side)):
        ruling.breach(a.CONSULTATION, "already-announced", side=call.side)
    if call.is_nil and call.seat is None:
        ruling.breach(a.NIL, "nil-of-nobody", side=call.side)
    if call.is_nil and call.seat is not None and bids.first(call.seat):
        ruling.breach(a.BID_IN_TURN, "bid-out-of-turn", seat=call.seat, next=call.side)


def _first_round(at: Saying, ruling: Ruling) -> None:
    rules, bids, call = at.rules, at.bids, at.call
    wide = bids.side_wide(at.side)
    if call.word == PASS:
        if not wide:
            ruling.breach(a.BID_IN_TURN, "no-passing", seat=at.caller)
    elif wide is not None:
        _after_the_whole(at, wide, ruling)
    elif call.word == NORMAL:
        _number(at, ruling)
        _minimum(at, ruling)
    elif _is_played(rules, call, ruling):
        if call.word == BLIND:
            _blind(at, ruling)
        if call.blind:
            _blindness(at, ruling)
        if call.word in (BLIND, BLIND_MOON):
            _alone(at, CALL_RULES[call.word].article, ruling)
        if call.word == MOON and bids.nils(at.side):
            ruling.breach(a.MOON, "nil-in-blind-side", seat=at.caller, call=call.word)
    if call.is_nil and wide is None:
        _minimum_with_nil(at, ruling)


def _after_the_whole(at: Saying, wide: Call, ruling: Ruling) -> None:
    """Judge a call after a blind number or a moon, which is the side's whole bid (A-29)."""
    ruling.breach(_ALLOWING_WORD[wide.word], "side-has-called", seat=at.caller, call=wide.spoken)


def _number(at: Saying, ruling: Ruling) -> None:
    rules, call, table = at.rules, at.call, at.bids.table
    number, lowest = call.number or 0, 0 if rules.zero_bid else 1
    if not lowest <= number <= rules.tricks:
        ruling.breach(a.BID if number else a.NO_ZERO_BID, "bid-range", call=number, low=lowest, high=rules.tricks)
    if rules.partners and rules.bid_method == "later_partner" and call.seat is not None:
        partner = at.bids.first(table.partner(call.seat))
        if partner is not None and partner.word == NORMAL and number < (partner.number or 0) <= rules.tricks:
            facts = {"seat": call.seat, "call": number, "partner": partner.seat, "partner_call": partner.number}
            ruling.breach(a.PARTNER_BID, "below-partner-bid", **facts)


def _minimum(at: Saying, ruling: Ruling) -> None:
    """Judge the minimum, which binds the side's final number only: the earlier partner may say less (SPADES-170)."""
    least, side = at.rules.minimum_bid, at.side
    contract = at.after.contract(side) if least and _final(at) else None
    if contract is not None and contract < least:
        article = a.MINIMUM_WITH_NIL if at.bids.nils(side) else a.MINIMUM_BID
        ruling.breach(article, "below-minimum", side=side, contract=contract, minimum=least)


def _minimum_with_nil(at: Saying, ruling: Ruling) -> None:
    """Judge the minimum of a side with a nil, which is not freed from it (SPADES-171, A-33)."""
    rules, bids, side = at.rules, at.bids, at.side
    if not (rules.minimum_bid and rules.partners):
        return
    beyond = rules.minimum_bid > at.after.highest(side)
    contract = None if beyond else bids.contract(side)
    below = contract is None or (contract < rules.minimum_bid and not rules.second_round)
    if beyond or (below and bids.side_calls(side)):
        ruling.breach(a.MINIMUM_WITH_NIL, "below-minimum", side=side, contract=contract, minimum=rules.minimum_bid)


def _final(at: Saying) -> bool:
    """Return whether this call is the last that settles its side's number."""
    rules, call, table = at.rules, at.call, at.bids.table
    if not rules.partners or rules.bid_method == "consultation":
        return True
    if rules.second_round:
        last = [seat for seat in table.bidders if table.side(seat) == at.side][-1]
        return call.seat == last and at.bids.first(last) is not None
    return call.seat is not None and at.bids.first(table.partner(call.seat)) is not None


def _blind(at: Saying, ruling: Ruling) -> None:
    rules, call, number = at.rules, at.call, at.call.number or 0
    if number < rules.blind_bid_min:
        ruling.breach(lowest_blind(rules), "blind-too-low", call=number, minimum=rules.blind_bid_min)
    if number > rules.tricks:
        ruling.breach(a.BID, "bid-range", call=number, low=rules.blind_bid_min, high=rules.tricks)
    if number < rules.minimum_bid:
        ruling.breach(a.MINIMUM_BID, "below-minimum", side=call.side, contract=number, minimum=rules.minimum_bid)


def lowest_blind(rules: SpadesRules) -> Article:
    """Return the article that says where blind bids start."""
    return a.BLIND_MINIMUM if rules.blind_bid_min > 6 else a.BLIND_BID


def _alone(at: Saying, article: Article, ruling: Ruling) -> None:
    """A blind call is the whole bid of its side: the partner has not called before (SPADES-155, A-29)."""
    earlier = at.bids.side_calls(at.side)
    if earlier:
        facts = {"seat": at.call.seat or at.call.side, "call": at.call.spoken, "partner_call": earlier[0].spoken}
        ruling.breach(article, "partner-has-called", **facts)


def _is_played(rules: SpadesRules, call: Call, ruling: Ruling) -> bool:
    article = why_not_played(rules, call.word)
    if article is not None:
        ruling.breach(article, "call-not-played", call=call.spoken)
    return article is None


def _second_round(at: Saying, ruling: Ruling) -> None:
    """Judge a raise of the side's number, or a pass (SPADES-131, A-18)."""
    rules, call, side = at.rules, at.call, at.side
    current, own = at.bids.contract(side), at.bids.first(call.seat)
    if call.word == PASS:
        _minimum(at, ruling)
    elif call.is_nil or call.word in (BLIND, BLIND_MOON):
        ruling.breach(a.SECOND_ROUND, "only-numbers-raised", call=call.spoken)
    elif (wide := at.bids.side_wide(side)) is not None:
        _after_the_whole(at, wide, ruling)
    elif current is None:
        ruling.breach(a.SECOND_ROUND, "nothing-to-raise", side=side)
    elif call.word != MOON or _is_played(rules, call, ruling):
        number = rules.tricks if call.word == MOON else call.number or 0
        if call.word == MOON and at.bids.nils(side):
            ruling.breach(a.MOON, "nil-in-blind-side", seat=at.caller, call=call.word)
        if own is not None and own.is_nil and rules.bid_method != "later_partner":
            ruling.breach(a.SECOND_ROUND, "nil-raises", seat=call.seat)
        if number <= current:
            ruling.breach(a.SECOND_ROUND, "not-higher", call=number, contract=current)
        if number > at.bids.highest(side):
            ruling.breach(a.BID, "bid-range", call=number, low=current + 1, high=at.bids.highest(side))
        _minimum(at, ruling)


def _forced(at: Saying, ruling: Ruling) -> None:
    """Judge a call where a rule forces the bids (SUI-R1, MIR-R1)."""
    rule, call = at.rules.bidding_rule, at.call
    if rule == "suicide":
        _suicide(at, ruling)
    elif rule != "free" and call.seat is not None and (call.word == NORMAL or (call.word == NIL and rule == "mirror")):
        article, hand = RULES_OF_BIDS[rule], at.position.hand
        if call.number == 0 and at.rules.zero_bid:
            ruling.breach(article, "bid-range", call=0, low=1, high=at.rules.tricks)
        elif (spades := pack_of(at.rules).trump_bits.bit_count()) < (call.number or 0) <= at.rules.tricks:
            ruling.breach(article, "bid-range", call=call.number, low=1, high=spades)
        elif hand is None:
            ruling.lack("hand", article, call.seat, seat=call.seat)
        elif spades_held(at.rules, hand) != (call.number or 0):
            facts = {"seat": call.seat, "call": call.spoken, "spades": spades_held(at.rules, hand)}
            ruling.breach(article, "spades-held", **facts)


def sums_of_spades(rules: SpadesRules) -> range | None:
    """Return what all bids can add up to where they are the spades held (MIR-002); None where they are free."""
    if rules.bidding_rule not in ("mirror", "whiz"):
        return None
    pack = pack_of(rules)
    spades, unseen = pack.trump_bits.bit_count(), pack.whole.bit_count() - rules.tricks * rules.seats
    return range(spades - unseen if rules.bidding_rule == "mirror" else 0, spades + 1)


RULES_OF_BIDS: Final[Mapping[str, Article]] = {"suicide": a.SUICIDE, "mirror": a.MIRROR, "whiz": a.WHIZ}


def spades_held(rules: SpadesRules, hand: Iterable[Card]) -> int:
    """Return how many of these cards are spades in this pack."""
    pack = pack_of(rules)
    return sum(pack.is_trump(card) for card in hand)


def _suicide(at: Saying, ruling: Ruling) -> None:
    """One of two partners bids nil and the other at least so many; the first to call chooses (SUI-001)."""
    call, least = at.call, at.rules.suicide_minimum
    if call.word == NORMAL and (call.number or 0) < least:
        ruling.breach(a.SUICIDE, "below-minimum", side=at.side, contract=call.number, minimum=least)
    partner = at.bids.first(at.bids.table.partner(call.seat or ""))
    if partner is not None and call.word in (NORMAL, NIL) and partner.is_nil == call.is_nil:
        ruling.breach(a.SUICIDE, "suicide", seat=call.seat, nil=partner.is_nil)


def _nil_beside_moon(at: Saying, ruling: Ruling) -> None:
    """A contract of all tricks that counts as a moon is the whole side's call (SPADES-166, A-29)."""
    rules, side = at.rules, at.side
    if not rules.thirteen_is_moon:
        return
    counts_as_moon = at.after.contract(side) == rules.tricks and not at.after.side_wide(side)
    if counts_as_moon and at.after.nils(side):
        ruling.breach(a.THIRTEEN_IS_MOON, "nil-in-blind-side", seat=at.caller, call=rules.tricks)


def _forbidden_total(at: Saying, ruling: Ruling) -> None:
    """The call that ends the bidding may not bring all contracts to a forbidden sum (SPADES-134, CLB-008)."""
    if not at.rules.forbidden_totals or not at.after.over:
        return
    total = at.after.total
    if total in at.rules.forbidden_totals:
        ruling.breach(at.rules.forbidden_totals[total], "total-forbidden", total=total)


def _allowing_article(bids: Bids, call: Call, round_number: int) -> Article:
    rules, wide = bids.table.rules, bids.side_wide(call.side or "")
    if rules.bidding_rule != "free":
        return RULES_OF_BIDS[rules.bidding_rule]
    if call.word == PASS and wide is not None and wide.seat != call.seat:
        return _ALLOWING_WORD[wide.word]
    if round_number == 2:
        return a.SECOND_ROUND
    if call.word == DOUBLE_NIL and not rules.double_nil_deficit:
        return _unseen(rules, call)
    if call.word in _ALLOWING_WORD:
        return _ALLOWING_WORD[call.word]
    if not rules.partners:
        return a.BID
    if rules.bid_method == "consultation":
        return a.CONSULTATION
    if bids.nils(call.side or ""):
        return a.NIL_THEN_NUMBER
    if rules.bid_method == "sum":
        return a.SUM_BIDDING
    if call.number == 0:
        return a.ZERO_BID
    return a.PARTNER_BID if bids.side_calls(call.side or "") else a.BID


_ALLOWING_WORD: Final = {word: rule.article for word, rule in CALL_RULES.items()} | {
    NIL: a.NIL,
    DOUBLE_NIL: a.DOUBLE_NIL_BEHIND,
}


def _blindness(at: Saying, ruling: Ruling) -> None:
    """Judge what a blind call needs: a side far enough behind, a hand not looked at (SPADES-026, 027, 160)."""
    needed, article = points_needed(at.rules, at.call.word, at.call.number)
    if needed and at.behind < needed:
        ruling.breach(article, "not-far-enough-behind", side=at.call.side, behind=at.behind, needed=needed)
    drawn = at.call.seat in _drawers(at)
    if at.call.looked or drawn:
        facts = {"seat": at.call.seat or at.call.side, "call": at.call.spoken, "drawn": drawn and not at.call.looked}
        ruling.breach(_unseen(at.rules, at.call), "already-looked", **facts)


def _drawers(at: Saying) -> tuple[str, ...]:
    """Return who has drawn a card, and so seen what is kept; nobody where hands are dealt."""
    return (at.position.turns or ()) if at.rules.mode == "duo_draw" else ()


def _unseen(rules: SpadesRules, call: Call) -> Article:
    if call.word != DOUBLE_NIL:
        return CALL_RULES[call.word].article
    return a.DUO_DRAW_UNSEEN if rules.mode == "duo_draw" else a.DOUBLE_NIL_UNSEEN


MAX_CALLS: Final = 16
_LOOKED: Final = {"y": True, "n": False}


def format_call(
    spoken: int | str, *, member: int | None = None, caller: int | None = None, looked: bool | None = None
) -> str:
    """Return a call as text.

    >>> format_call("nil", member=1)
    'nil@1'
    >>> format_call("blind_7", caller=2, looked=False)
    'blind_7*2-n'
    """
    known = {True: "-y", False: "-n", None: ""}[looked]
    return f"{spoken}{'' if member is None else f'@{member}'}{'' if caller is None else f'*{caller}'}{known}"


def place_call(bids: Bids, text: str) -> Call | None:
    """Return the call that a text spells after the calls so far, given to whose turn it is; None if it is none.

    It may end with the indexes of a member of the side and of the caller, and with whether the caller had looked:
    `nil@1`, `blind_7*2-n`.
    """
    rest, _, looked = text.partition("-")
    rest, _, caller = rest.partition("*")
    spoken, _, member = rest.partition("@")
    number = int(spoken) if spoken.isascii() and spoken.isdecimal() and len(spoken) < 3 else None
    read = parse_word(spoken) if number is None else (NORMAL, number)
    if read is None:
        return None
    seat, side = bids.caller(_index(caller))
    place = _index(member)
    if place is not None and bids.by_sides:
        members = bids.table.members(side)
        seat = members[place % len(members)]
    return Call(*read, seat, side, _LOOKED.get(looked))


def parse_calls(table: Table, texts: Iterable[str]) -> Bids:
    """Return the bidding that these texts spell; unreadable ones, and any after the end, are skipped."""
    bids = Bids(table, ())
    for text in list(texts)[:MAX_CALLS]:
        call = None if bids.over else place_call(bids, text)
        if call is not None:
            bids = Bids(table, (*bids.calls, call))
    return bids


def parse_play(text: str) -> tuple[Card, int | None] | None:
    """Return the card of a play and the index of the seat it names, or None.

    >>> parse_play("9H-2")
    (Card(rank='9', suit='H'), 2)
    >>> parse_play("BJ")
    (Card(rank='BJ', suit=''), None)
    >>> parse_play("11H") is None
    True
    """
    spelled, _, place = text.partition("-")
    try:
        return read_card(spelled, jokers=JOKERS), _index(place)
    except ValueError:
        return None


def format_play(card: Card, seat: int | None = None) -> str:
    """Return a play as text.

    >>> format_play(Card("9", "H"), 2)
    '9H-2'
    """
    return str(card) if seat is None else f"{card}-{seat}"


def parse_plays(table: Table, texts: Iterable[str], leader: str | None) -> tuple[Played, ...]:
    """Return the plays that these texts spell, each by whose turn it was or by the seat it names.

    `leader` leads to the first trick; the first seat does where nobody knows. Cards that are unreadable, not in the
    pack or played before are skipped, and so is what follows the last trick.
    """
    plays: list[Played] = []
    pack, seen = pack_of(table.rules), 0
    for text in texts:
        read = parse_play(text)
        if read is None or not pack.bit(read[0], seen) & ~seen:
            continue
        card, place = read
        named = place is not None and place < len(table.seats)
        seat = table.seats[place or 0] if named else next_to_play(table, plays, leader) or table.seats[0]
        plays.append(Played(seat, card))
        seen |= pack.bit(card, seen)
    return tuple(plays[: table.rules.tricks * len(table.seats)])


def _index(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) == 1 else None
