"""What a recorded deal says of the cards: who is known to hold what at each play, and where it contradicts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate
from operator import itemgetter, or_
from typing import Final, TypeAlias, TypedDict

from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.game import AnswerShape, GameShapes, QuestionShapes
from companion.engine.game import ScoredSide as game_ScoredSide
from companion.engine.problems import JsonObject, Node, Refused
from companion.engine.shapes import LIMITS, NUMBER, SIZE, TEXT, TEXTS, TOTAL, VALUE, FactTypes
from companion.engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDECIDED,
    AtLeast,
    AtMost,
    Because,
    Breach,
    Claim,
    Finding,
    Judged,
    Missing,
    PlainList,
    Verdict,
    record_contradicts,
)
from companion.games.spades import articles as a
from companion.games.spades import table as f
from companion.games.spades.bidding import RULES_OF_BIDS, Bids, SideEntry, call_menu, judge_call, settled_facts
from companion.games.spades.play import (
    DEAD,
    HAND,
    Holding,
    Sizes,
    contradictions,
    dead_cards,
    judge_deal,
    judge_dealer,
    judge_draw,
    judge_exchange,
    judge_play,
    opening_leaders,
)
from companion.games.spades.remedies import irregularities, remedy_for
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    BLIND,
    DEAL,
    DUMMY,
    MOVE,
    NIL_CALLS,
    PHASES,
    SPADES,
    Call,
    Dealt,
    Draw,
    Exchange,
    Hands,
    Move,
    MovesRequest,
    NextDealer,
    Played,
    Position,
    Record,
    SpokenField,
    Table,
    card_field,
    cards_field,
    next_in_trick,
    next_to_play,
    pack_of,
    read_check,
    read_moves_request,
    read_record,
    trick_winner,
    tricks_field,
)


class Cards:
    """The cards of a record, in bits; what is known of them after any number of plays.

    A hand that contradicts the plays is left out of account. Where the plays contradict each other, nothing is proved
    by counting cards.
    """

    def __init__(self, record: Record) -> None:
        self.record, self.plays = record, record.plays
        self.pack = pack_of(record.table.rules)
        self.contradictions = tuple(_contradictions(record))
        wrong = {found.seat for found in self.contradictions if found.facts["why"] in _WRONG_HAND}
        held = {seat: of for seat, of in _hands_of_play(record).items() if seat not in wrong}
        self._ordered: dict[str, list[tuple[Card, int]]] = {}
        self._known: dict[str, int] = {}
        taken = 0
        for seat, of in held.items():
            self._known[seat] = self.pack.mask(of.sure, taken)
            if of.whole:
                self._ordered[seat] = [*self._in_order(of.sure, taken)]
            taken |= self._known[seat] if self.pack.copies == 2 else 0
        self.whole_hands = {seat: self._known[seat] for seat in self._ordered}
        pools = held.items() if self.pack.copies == 1 else ()  # which of two equal cards was given, no play shows
        self._pools = {seat: (self.pack.mask(of.pool), of.given) for seat, of in pools if of.pool}
        self._laid_aside = self.pack.mask(record.discards) if record.table.rules.dealer_extra else 0
        self._dead = dead_cards(record.table) - self._laid_aside.bit_count()
        times = Counter([one.card for one in self.plays])
        twice = self.pack.mask([card for card, count in times.items() if count > self.pack.copies] * self.pack.copies)
        self.bits = [*self._bits_of_plays(taken)]
        self.counted = (
            not twice
            and 0 not in self.bits
            and all(len(set(exchange.counts)) == 1 for exchange in record.exchanges)
            and all(found.facts["why"] not in _UNCOUNTED for found in self.contradictions)
        )
        """Whether numbers of cards prove anything: the plays do not contradict each other."""
        self.seen = [*accumulate(self.bits, or_, initial=0)]
        """The cards seen before each play, and at the end."""
        self._played = dict.fromkeys(record.table.seats, 0)
        """The cards that each seat plays at some time; none that is played twice."""
        for one, bit in zip(self.plays, self.bits, strict=True):
            self._played[one.seat] |= bit & ~twice

    def _in_order(self, cards: Iterable[Card], taken: int) -> Iterator[tuple[Card, int]]:
        for card in cards:
            bit = self.pack.bit(card, taken)
            taken |= bit
            yield card, bit

    def _bits_of_plays(self, held: int) -> Iterator[int]:
        """Yield the bit of each play: of two equal cards the one that its player is known to hold."""
        seen = 0
        for one in self.plays:
            own = self._known.get(one.seat, 0) & ~seen
            bit = self.pack.bit(one.card, seen | held & ~own, own)
            seen |= bit
            yield bit

    @property
    def leader(self) -> str | None:
        """Who had the first lead as recorded, unless the record contradicts itself there."""
        wrong = any(found.facts["why"] == "leader-not-first" for found in self.contradictions)
        return None if wrong else self.record.leader

    def established(self, number: int) -> int | None:
        """Return the trick from which on a play could no longer be taken back: the last one ends with its deal."""
        trick, size = number // len(self.record.table.seats) + 1, len(self.record.table.seats)
        return trick + 1 if len(self.plays) > trick * size else trick if self.record.complete else None

    def from_the_top(self, number: int) -> tuple[Card, ...] | None:
        """Return what is left of the mover's hand in its order, where the whole hand is known."""
        hand = self._ordered.get(self.plays[number].seat)
        if hand is None:
            return None
        seen = self.seen[number]
        return tuple([card for card, bit in hand if not bit & seen])

    def holding(self, number: int, known: int) -> Holding:
        """Return what is known of the mover's other cards at a play, from the record up to so many plays."""
        seat, count = self.plays[number].seat, max(known, number + 1)
        gone, tricks = self.seen[count], self.record.table.rules.tricks
        sure = self._played[seat] & self.seen[known] & ~self.seen[number + 1]
        mine = others = elsewhere = left = 0
        for each, played in self._played.items():
            here = self._known.get(each, 0) & ~gone
            hidden = 0 if each in self.whole_hands else tricks - (played & gone | here).bit_count()
            left |= here
            if each == seat:
                sure, mine = sure | here, hidden
            else:
                others += hidden
                elsewhere |= here
                if number == 0:  # only the first lead depends on what others hold
                    elsewhere |= played & self.seen[known]
        return Holding(
            sure, self.pack.whole & ~(gone | self._laid_aside | left), (Sizes(mine, others, self._dead),),
            tuple(self._of_pools(seat, count)), elsewhere, counted=self.counted or seat in self.whole_hands,
        )  # fmt: skip

    def _of_pools(self, mover: str, count: int) -> Iterator[Claim]:
        """Yield what is known of hands from which cards were given away unseen: the partner has those, nobody else."""
        for seat, (pool, given) in self._pools.items():
            partner = self.record.table.partner(seat) or seat
            kept = self.record.table.rules.tricks - given
            sizes = {seat: kept, partner: given}
            left = {
                each: size - (self._played[each] & self.seen[count] & pool).bit_count() for each, size in sizes.items()
            }
            if min(left.values()) >= 0:  # otherwise the record contradicts itself
                mine = left.get(mover, 0)
                unseen = pool & ~self.seen[count]
                yield from (AtLeast(HAND, unseen, mine), AtMost(HAND, unseen, mine), AtMost(DEAD, unseen))

    def shown_void(self, number: int, led: Card | None) -> bool:
        """Return whether the rest of a whole deal shows that a play that did not follow suit came from a void hand."""
        record, seat = self.record, self.plays[number].seat
        special = record.table.rules.special_first_trick and number < len(record.table.seats)
        if led is None or special or not record.complete or not self.counted:
            return False
        later = self._played[seat] & ~self.seen[number + 1]
        return not later & self.pack.suits.get(self.pack.suit(led), 0)

    def first_of(self, facts: JsonObject, number: int) -> int | None:
        """Return the first play after another that shows a card of the evidence of a breach."""
        evidence = {facts["lowest"]} if facts.get("lowest") else set(facts.get("held", ()))
        later = range(number + 1, len(self.plays))
        return next((place for place in later if str(self.plays[place].card) in evidence), None)


_WRONG_HAND = frozenset({"not-in-pack", "two-places", "played-by-another", "not-in-hand", "given-not-held"})
"""How a record contradicts itself about one hand, which is left out of account."""
_UNCOUNTED = frozenset({"too-many-cards", "discard-played"})
"""How a record contradicts itself so that no numbers of cards can be relied on."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is known of the hand that a seat plays from."""

    sure: tuple[Card, ...]
    """Cards that it holds, in their order; with cards unknown, those received are among them."""
    whole: bool = True
    pool: tuple[Card, ...] = ()
    """Cards of which some were given away, nobody knows which."""
    given: int = 0
    """How many of the pool were given away."""


def _hands_of_play(record: Record) -> dict[str, Held]:
    """Return the hands that were played from: as dealt, less the cards given away, with those received."""
    hands = {seat: Held(cards) for seat, cards in record.hands.items()}
    for exchange in record.exchanges:
        members = record.table.members(exchange.side)
        for place, (seat, partner) in enumerate(zip(members, reversed(members), strict=True)):
            given, received = exchange.cards.get(seat), exchange.cards.get(partner)
            hand = record.hands.get(seat)
            if hand is None:
                hands[seat] = Held(received or (), whole=False)
            elif given is None:
                hands[seat] = Held(received or (), whole=False, pool=hand, given=exchange.counts[place])
            else:
                kept = [*hand]
                for card in given:  # of two equal cards one may be kept
                    if card in kept:
                        kept.remove(card)
                hands[seat] = Held((*kept, *(received or ())), whole=received is not None)
    return hands


def _received(record: Record) -> Hands:
    """Return the cards that seats are known to have got in an exchange."""
    received: dict[str, tuple[Card, ...]] = {}
    for exchange in record.exchanges:
        members = record.table.members(exchange.side)
        for seat, partner in zip(members, reversed(members), strict=True):
            received[seat] = (*received.get(seat, ()), *exchange.cards.get(partner, ()))
    return received


def _contradictions(record: Record) -> Iterator[Finding]:
    """Yield what no deal of the cards agrees with; a card played twice or out of the pack is a fault of its play."""
    yield from _not_in_pack(record)
    yield from _two_places(record)
    yield from _wrong_hands(record)
    yield from _wrong_counts(record)
    yield from _wrong_leader(record)
    if record.table.dummy_misplaced:
        yield record_contradicts("dummy-side", a.DUMMY_SIDE)


def _not_in_pack(record: Record) -> Iterator[Finding]:
    pack = pack_of(record.table.rules)
    given = {seat: cards for exchange in record.exchanges for seat, cards in exchange.cards.items()}
    for places in (record.hands, given, {"": record.discards}):
        for seat, cards in places.items():
            strange = [card for card in cards if card not in pack.bits]
            if strange:
                yield _finding("not-in-pack", a.PACK, seat, strange)


def _two_places(record: Record) -> Iterator[Finding]:
    """Yield hands with a card that is also laid aside, or that somebody else gave away."""
    if record.discards and not record.table.rules.dealer_extra:
        yield _finding("no-discards", a.JOKERS_DEALER_DISCARDS, "", record.discards)
    if record.table.rules.two_packs:
        return  # the other copy of a card may be anywhere
    given = {card: seat for exchange in record.exchanges for seat, cards in exchange.cards.items() for card in cards}
    for seat in record.table.seats:
        hand, received = record.hands.get(seat, ()), _received(record).get(seat, ())
        elsewhere = [card for card in hand if given.get(card, seat) != seat]
        elsewhere += [card for card in received if any(card in cards for each, cards in record.hands.items()
                                                       if each != given[card])]  # fmt: skip
        laid = [card for card in (*hand, *received) if card in record.discards]
        if elsewhere or laid:
            yield _finding("two-places", a.PACK, seat, dict.fromkeys((*elsewhere, *laid)))


def _wrong_hands(record: Record) -> Iterator[Finding]:
    """Yield hands that their own player or another did not play from.

    Cards played twice or out of the pack are left to the verdicts on their plays.
    """
    hands = _hands_of_play(record)
    if not hands:
        return
    pack, played = pack_of(record.table.rules), Counter(one.card for one in record.plays)
    sound = [
        (place, one) for place, one in enumerate(record.plays)
        if played[one.card] <= pack.copies and one.card in pack.bits
    ]  # fmt: skip
    for seat, held in hands.items():
        owned, others = Counter((*held.sure, *held.pool)), [(p, o) for p, o in sound if o.seat != seat]
        strangers = [(place, one) for place, one in others if one.seat != record.table.partner(seat)]
        spare = (  # the partner may have got what is not sure to be here
            (strangers, {card: pack.copies - count for card, count in owned.items()}),
            (others, {card: pack.copies - count for card, count in Counter(held.sure).items()}),
        )
        by_others = sorted({found for plays, most in spare for found in _beyond(plays, most)}, key=itemgetter(0))
        if by_others:
            yield _play_finding("played-by-another", record, seat, by_others, player=by_others[0][1].seat)
        own = [(place, one) for place, one in sound if one.seat == seat]
        strange = [*_beyond(own, {one.card: owned[one.card] for _, one in own})]
        if held.whole and strange:
            yield _play_finding("not-in-hand", record, seat, strange)
    for exchange in record.exchanges:
        for seat, given in exchange.cards.items():
            lacking = [*(Counter(given) - Counter(record.hands.get(seat, given)))]
            if lacking:
                yield _finding("given-not-held", a.EXCHANGE, seat, lacking)


def _beyond(plays: Iterable[tuple[int, Played]], most: Mapping[Card, int]) -> Iterator[tuple[int, Played]]:
    """Yield the plays of a card that go beyond how often it may be played; of other cards none."""
    counted: Counter[Card] = Counter()
    for place, one in plays:
        counted[one.card] += 1
        if one.card in most and counted[one.card] > most[one.card]:
            yield place, one


def _wrong_counts(record: Record) -> Iterator[Finding]:
    tricks, received = record.table.rules.tricks, _received(record)
    copies = pack_of(record.table.rules).copies
    for seat in record.table.seats:
        played, got = [one.card for one in record.plays if one.seat == seat], received.get(seat, ())
        times = (Counter(got) | Counter(played)).values() if len(played) + len(got) > tricks else ()
        count = sum([min(each, copies) for each in times])
        if count > tricks:
            yield record_contradicts("too-many-cards", a.DEALING, seat, count=count, most=tricks)
    aside = [(place, one) for place, one in enumerate(record.plays) if one.card in record.discards]
    if aside:
        yield _play_finding("discard-played", record, aside[0][1].seat, aside)


def _wrong_leader(record: Record) -> Iterator[Finding]:
    if record.leader is None:
        return
    first = record.plays[0].seat if record.plays else record.leader
    leaders = opening_leaders(record.table, record.calls if record.calls_known else None)
    if first != record.leader and record.table.rules.first_trick != "lowest_club":
        yield record_contradicts(
            "leader-not-first", a.OPENING_LEAD, record.leader, leader=record.leader, player=first, trick=1
        )
    elif leaders and record.leader not in leaders:
        yield record_contradicts(
            "leader-against-rule", a.OPENING_LEAD, record.leader, leader=record.leader, expected=leaders[0]
        )


def _finding(why: str, article: Article, seat: str, cards: Iterable[Card]) -> Finding:
    return record_contradicts(why, article, seat, cards=[str(card) for card in cards])


def _play_finding(why: str, record: Record, seat: str, plays: Sequence[tuple[int, Played]], **facts: object) -> Finding:
    """Return a contradiction between a hand and plays, with the trick and the card of the first of these."""
    place, first = plays[0]
    where = {"trick": place // len(record.table.seats) + 1, "card": str(first.card)}
    return record_contradicts(why, a.DEALING, seat, cards=[str(one.card) for _, one in plays], **where, **facts)


class ScoredSide(TypedDict):
    """A side as a score request has it."""

    id: str
    players: list[str]


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in the order of play; the winner once it is full."""

    number: int
    plays: tuple[Played, ...]
    winner: str | None

    @property
    def winning_card(self) -> str:
        """The card that won the trick."""
        return next((str(one.card) for one in self.plays if one.seat == self.winner), "")


@dataclass(frozen=True)
class Replay:
    """A recorded deal with everything that can be said about it."""

    record: Record
    findings: tuple[Finding, ...]
    tricks: tuple[Trick, ...]
    sides: tuple[ScoredSide, ...]
    facts: Mapping[str, SideEntry] | None
    """The facts of every side, ready to be scored; None while tricks are missing."""
    dummy_tricks: int | None
    verdicts: tuple[Judged, ...]
    """The verdict on each call, each exchange and each play at the time, in order."""
    cards: Cards
    calls: tuple[Bids, ...]
    """What had been called before each call, and at the end."""

    @property
    def result(self) -> Mapping[str, object] | None:
        """One deal ready to be posted to `score`; None while tricks are missing."""
        if self.facts is None:
            return None
        beside = {} if self.dummy_tricks is None else {f.DUMMY_TRICKS: self.dummy_tricks}
        happened = irregularities(self.findings)
        return {**self.facts, **beside, **({"irregularities": happened} if happened else {})}

    @property
    def tables(self) -> list[JsonObject]:
        """The table after each call, each exchange and each play as JSON, beside `verdicts`."""
        exchanged = [{"phase": "bidding", "next": None}] * len(self.record.exchanges)
        return [*_tables_of_calls(self.calls), *exchanged, *_tables_of_plays(self.cards, self.tricks)]


def replay(rules: SpadesRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each move, findings, tricks and the result. Raises Refused when unreadable."""
    record = request.require(read_record(request, rules))
    found = follow(record)
    tricks = [
        {"leader": trick.plays[0].seat, "cards": [str(one.card) for one in trick.plays], "winner": trick.winner}
        for trick in found.tricks
    ]
    return {
        "verdicts": list(found.verdicts),
        "tables": PlainList(found.tables),
        "findings": list(found.findings),
        "tricks": PlainList(tricks),
        "complete": record.complete,
        "sides": list(found.sides),
        "result": found.result,
    }


def follow(record: Record) -> Replay:
    """Return everything that can be said about a recorded deal."""
    tricks = _tricks(record)
    cards = Cards(record)
    findings = list(cards.contradictions)
    calls = [Bids(record.table, record.calls[:place]) for place in range(len(record.calls) + 1)]
    judged = [*_judge_calls(cards, calls, findings), *_judge_exchanges(record, findings)]
    for one, faults in _in_every_reading(record, [*_judge_plays(cards, tricks)]):
        judged.append(one)
        findings += faults
    sides = tuple(ScoredSide(id=side, players=list(record.table.members(side))) for side in record.table.sides)
    winners = [trick.winner for trick in tricks]
    won = {seat: winners.count(seat) for seat in record.table.seats}
    facts = _facts(calls[-1], tricks, won) if record.complete else None
    return Replay(
        record, tuple(findings), tuple(tricks), sides, facts, won.get(DUMMY), tuple(judged), cards, tuple(calls)
    )


def _tables_of_calls(calls: Sequence[Bids]) -> Iterator[JsonObject]:
    for bids in calls[1:]:
        seat, side = bids.caller()
        yield {"phase": "bidding", "next": None if bids.over else seat or side}


def _tables_of_plays(cards: Cards, tricks: Sequence[Trick]) -> Iterator[JsonObject]:
    """Yield the table after each play; a full trick is there until the next begins."""
    table, trumps = cards.record.table, cards.pack.trump_bits
    hands, size, count = dict.fromkeys(table.seats, table.rules.tricks), len(table.seats), 0
    for trick in tricks:
        shown, waiting = list[JsonObject](), [*table.after(trick.plays[0].seat)]
        for play in trick.plays:
            hands[play.seat] -= 1
            count += 1
            shown = [*shown, {"seat": play.seat, "card": str(play.card)}]
            if play.seat in waiting:
                waiting.remove(play.seat)
            winner = trick.winner if len(shown) == size else None
            yield {
                "phase": "play", "next": None if count == size * table.rules.tricks else winner or waiting[0],
                "trick_number": trick.number, "trick": shown, "winner": winner,
                "spades_broken": bool(cards.seen[count] & trumps), "hands": hands.copy(),
            }  # fmt: skip


def _tricks(record: Record) -> list[Trick]:
    size = len(record.table.seats)
    tricks: list[Trick] = []
    for start in range(0, len(record.plays), size):
        plays = record.plays[start : start + size]
        cards = [one.card for one in plays]
        full = len(cards) == size and all(card.rank for card in cards)
        winner = plays[trick_winner(record.table.rules, cards, first=not start)].seat if full else None
        tricks.append(Trick(len(tricks) + 1, plays, winner))
    return tricks


def _judge_calls(cards: Cards, calls: Sequence[Bids], findings: list[Finding]) -> Iterator[Judged]:
    record = cards.record
    forced = record.table.rules.bidding_rule in ("mirror", "whiz")
    for bids, call in zip(calls, record.calls, strict=False):
        hand = record.hands.get(call.seat or "") if forced else None
        before = Position(record.table, "bidding", totals=record.totals, calls=bids.calls, hand=hand)
        verdict = judge_call(before, call, bids)
        move = {"type": "call", "seat": call.seat, "side": call.side, "call": call.spoken}
        findings += [_plain_finding(record, call, breach, call.seat or call.side or "") for breach in verdict.breaches]
        settled = _settled(verdict)
        if settled is None and forced:
            settled, shown = _bid_shown(cards, call)
            findings += shown
        yield Judged({k: v for k, v in move.items() if v is not None}, verdict, settled)


def _bid_shown(cards: Cards, call: Call) -> tuple[str | None, list[Finding]]:
    """Return what the plays say of a bid of the spades held: one too many, or too few at the end (MIR-R2).

    Where partners exchanged cards, or may have done so after a nil, they say nothing.
    """
    record, bid, trumps = cards.record, call.number or 0, cards.pack.trump_bits
    exchanged = any(call.seat in record.table.members(one.side) for one in record.exchanges)
    may = record.table.rules.nil_exchange and any(one.is_nil and one.side == call.side for one in record.calls)
    if not cards.counted or exchanged or may:
        return None, []
    played = enumerate(zip(record.plays, cards.bits, strict=True))
    own = [place for place, (one, bit) in played if one.seat == call.seat and bit & trumps]
    if len(own) <= bid and not record.complete:
        return None, []
    if len(own) == bid:
        return LEGAL, []
    shown = own[bid] if len(own) > bid else len(record.plays) - 1
    one, trick = record.plays[shown], shown // len(record.table.seats) + 1
    by = {"trick": trick, "card": str(one.card), "seat": one.seat}
    facts = {"seat": call.seat, "call": call.spoken, "spades": min(len(own), bid + 1), "shown_by": by}
    article = RULES_OF_BIDS[record.table.rules.bidding_rule]
    return ILLEGAL, [
        Finding(article.id, "spades-held", call.seat or "", facts, remedy_for(record.table.rules, call, ""), 1)
    ]


def _judge_exchanges(record: Record, findings: list[Finding]) -> Iterator[Judged]:
    calls = record.calls if record.calls_known else None
    for place, exchange in enumerate(record.exchanges):
        # A hand that holds a card which somebody else gave is a finding about the record, and no fault of the giver.
        hands = {
            seat: hand for seat, hand in record.hands.items()
            if not any(card in hand for giver, cards in exchange.cards.items() if giver != seat for card in cards)
        }  # fmt: skip
        verdict = judge_exchange(Position(record.table, "bidding", calls=calls, hands=hands), exchange)
        if any(other.side == exchange.side for other in record.exchanges[:place]):
            verdict = Verdict((Breach(a.EXCHANGE.id, "exchange-twice", {"side": exchange.side}), *verdict.breaches))
        for breach in verdict.breaches:
            findings.append(_plain_finding(record, exchange, breach, breach.facts.get("seat", exchange.side)))
        yield Judged({"type": "exchange", "side": exchange.side}, verdict, _settled(verdict))


def _plain_finding(record: Record, move: Move, breach: Breach, seat: str) -> Finding:
    remedy = remedy_for(record.table.rules, move, breach.code)
    return Finding(breach.article, breach.code, seat, breach.facts, remedy, 1 if record.plays else None)


_LEFT_OUT: Final = Card("")
"""A card that nobody recorded."""
_TURN: Final = "play-out-of-turn"


def _in_every_reading(record: Record, plays: list[_JudgedPlay]) -> list[_JudgedPlay]:
    """Return the verdicts on plays; where one that was left out explains some out of turn, what holds either way.

    The first of these is told all the same.
    """
    known, readings = {_TURN}, _with_a_play_more(record)
    others = [
        [_codes(faults) for one, faults in _judge_plays(Cards(fuller), _tricks(fuller)) if one.move["card"]]
        for fuller in readings.values()
    ]
    unknown = Verdict(missing=(Missing("plays", a.OPENING_LEAD.id),))
    for place in range(min(readings, default=len(plays)), len(plays)):
        one, faults = plays[place]
        sure = [fault for fault in faults if all(_codes([fault]) <= known | other[place] for other in others)]
        plays[place] = (one if sure else replace(one, verdict=unknown, settled=None)), sure
        known -= _codes(faults)
    return plays


def _codes(faults: Iterable[Finding]) -> set[str]:
    return {one.code.replace("wrong-leader", _TURN) for one in faults}


def _with_a_play_more(record: Record) -> Mapping[int, Record]:
    """Return the record with a play that may have been left out, by its place: wherever fewest are out of turn then."""
    table, plays, wrong = record.table, record.plays, 0 if record.complete else _out_of_turn(record)
    found: dict[int, dict[int, Record]] = {}
    for gap in range(len(plays) if wrong else 0):
        seat = next_to_play(table, plays[:gap], table.after(plays[0].seat)[-2]) or ""
        hands = {each: hand for each, hand in record.hands.items() if each != seat}
        fuller = replace(record, plays=(*plays[:gap], Played(seat, _LEFT_OUT), *plays[gap:]), hands=hands)
        found.setdefault(_out_of_turn(fuller), {})[gap] = fuller
    return found[min(found)] if min(found, default=wrong) < wrong else {}


def _out_of_turn(record: Record) -> int:
    """Return how many play after the first lead whose turn it is not."""
    tricks, together = _tricks(record), record.table.rules.first_trick == "lowest_club"
    leaders = [None, *(trick.winner for trick in tricks)]
    return sum(
        (next_in_trick(record.table, trick.plays[:place]) if place else leader) not in (None, one.seat)
        for trick, leader in [*zip(tricks, leaders, strict=False)][together:]
        for place, one in enumerate(trick.plays)
    )


_JudgedPlay: TypeAlias = tuple[Judged, list[Finding]]


def _judge_plays(cards: Cards, tricks: Sequence[Trick]) -> Iterator[_JudgedPlay]:
    """Yield the verdict on each play, in the order of play."""
    record, table = cards.record, cards.record.table
    start = Position(table, "play", calls=record.calls if record.calls_known else None)
    bids, number, leader = Bids(table, record.calls), 0, None
    may_play = {
        seat: cards.whole_hands.get(seat, cards.pack.whole)
        for seat in table.seats
        if not (start.played_from_the_top(seat) or bids.may_have_called_unseen(seat))
    }
    for trick in tricks:
        for one, verdict in zip(trick.plays, _plain_verdicts(cards, trick, leader, may_play), strict=True):
            if verdict is None:
                yield _judge_play(cards, tricks, number)
            else:
                move = {"type": "play", "seat": one.seat, "card": str(one.card), "trick": trick.number}
                yield Judged(move, verdict, LEGAL), []
            number += 1
        leader = trick.winner


def _plain_verdicts(
    cards: Cards, trick: Trick, leader: str | None, may_play: Mapping[str, int]
) -> Iterator[Verdict | None]:
    """Yield the verdict on each play of a trick that depends on nothing but the suit led; None for another.

    It is in turn, and of a card that its seat may play.
    """
    pack, table, rules = cards.pack, cards.record.table, cards.record.table.rules
    number, first = (trick.number - 1) * len(table.seats), trick.plays[0]
    order, led, seen = (first.seat, *table.after(first.seat)), pack.suit(first.card), cards.seen[number]
    suit, unbroken = pack.suits.get(led, 0), 0 if seen & pack.trump_bits else pack.trump_bits
    lead = _allowed_lead(rules, led, broken=not unbroken) if first.seat == leader else None
    because: tuple[str, str | None] | None = (lead.id, None) if lead else None
    in_turn = trick.number > 1 or not rules.special_first_trick
    for place, one in enumerate(trick.plays, start=1):
        bit, verdict = cards.bits[number], None
        in_turn, breaks = in_turn and one.seat == order[place - 1], bool(bit & unbroken)
        if not in_turn or not bit & may_play.get(one.seat, 0) & ~seen:
            because = None
        elif not bit & suit:
            holds = cards.holding(number, number).holds(suit)
            because = (a.WHEN_VOID.id, led) if holds is False else None
            if holds is None and cards.shown_void(number, first.card):
                verdict = _hand_needed(one.seat, led)
        if because and place < len(table.seats):
            verdict = _goes_on(*because, order[place], breaks=breaks)
        elif because:
            verdict = _allowed(*because, {"winner": trick.winner, "card": trick.winning_card}, breaks=breaks)
        yield verdict
        number, seen, because = number + 1, seen | bit, (a.FOLLOW_SUIT.id, led)


def _allowed_lead(rules: SpadesRules, led: str, *, broken: bool) -> Article | None:
    """Return the article by which a suit may be led from any hand; None where that depends on the hand."""
    if led != SPADES:
        return a.WINNER_LEADS
    if rules.lead_spades_anytime:
        return a.LEAD_ANYTIME
    return a.BREAKING_SPADES if broken else None


def _allowed(article: str, led: str | None, effect: JsonObject, *, breaks: bool) -> Verdict:
    because = Because(article, {} if led is None else {"led": led})
    return Verdict(because=(because,), effect={"breaks_spades": True, **effect} if breaks else effect)


@lru_cache(maxsize=1024)
def _goes_on(article: str, led: str | None, following: str, *, breaks: bool) -> Verdict:
    """Return the verdict on a play that another follows: one object for those that say the same, to be written once."""
    return _allowed(article, led, {"next": following}, breaks=breaks)


@lru_cache(maxsize=1024)
def _hand_needed(seat: str, led: str) -> Verdict:
    """Return the verdict on a play that does not follow suit, from a hand that may do so or not."""
    return Verdict(missing=(Missing("hand", a.FOLLOW_SUIT.id, seat, {"led": led, "seat": seat}),))


def _judge_play(cards: Cards, tricks: Sequence[Trick], number: int) -> _JudgedPlay:
    """Return the verdict on a play, with the faults that it is by the whole record."""
    record, play = cards.record, cards.plays[number]
    trick = tricks[number // len(record.table.seats)]
    place = number % len(record.table.seats)
    broken = bool(cards.seen[number - place] & cards.pack.trump_bits)
    position = Position(
        record.table, "play", record.totals, record.calls if record.calls_known else None, trick.plays[:place],
        trick.number, tricks[trick.number - 2].winner if trick.number > 1 else cards.leader, broken,
        cards.from_the_top(number),
    )  # fmt: skip
    seen = cards.seen[number]
    verdict = judge_play(position, play, partial(cards.holding, number, number), seen)
    settled = _settled(verdict)
    found = [_finding_replay(breach, position, cards, number, later=False) for breach in verdict.breaches]
    if settled is None and cards.shown_void(number, trick.plays[0].card if place else None):
        settled = LEGAL
    elif settled is None or (verdict.breaches and not number):  # what is wrong with a first lead may be shown later
        later = judge_play(position, play, partial(cards.holding, number, len(cards.plays)), seen)
        settled = settled or _settled(later)
        known = {one.code: one for one in verdict.breaches}
        found = [
            _finding_replay(known.get(one.code, one), position, cards, number, later=one.code not in known)
            for one in later.breaches
        ]
    move = {"type": "play", "seat": play.seat, "card": str(play.card), "trick": trick.number}
    return Judged(move, verdict, settled), found


def _finding_replay(breach: Breach, position: Position, cards: Cards, number: int, *, later: bool) -> Finding:
    """Return a breach with its trick and card, and the card that showed it where that was a later one."""
    play = cards.plays[number]
    facts = dict(breach.facts) | {"trick": position.trick_number, "card": str(play.card), "shown_by": None}
    if later:
        shown = cards.first_of(breach.facts, number)
        if shown is None:
            shown = next(
                last - 1 for last in range(number + 1, len(cards.plays) + 1)
                if judge_play(position, play, partial(cards.holding, number, last), cards.seen[number]).breaches
            )  # fmt: skip
        one, trick = cards.plays[shown], shown // len(position.table.seats) + 1
        facts["shown_by"] = {"trick": trick, "card": str(one.card), "seat": one.seat}
    remedy = remedy_for(position.table.rules, play, breach.code)
    return Finding(breach.article, breach.code, play.seat, facts, remedy, cards.established(number))


def _settled(verdict: Verdict) -> str | None:
    return None if verdict.value == UNDECIDED else verdict.value


def _facts(bids: Bids, tricks: Sequence[Trick], won: Mapping[str, int]) -> dict[str, SideEntry]:
    """Return the facts of every side; without calls the contracts are null, to be filled in by who knows them."""
    table, facts = bids.table, {}
    for side in table.sides:
        taken = sum(won[seat] for seat in table.members(side))
        entry: SideEntry = {"bid": None, "tricks": taken, **settled_facts(bids, side)}
        if "nils" in entry:
            entry["nils"] = [{**nil, "tricks": won[nil["player"]]} for nil in entry["nils"]]
        last = _last_run(table, side, tricks)
        if last:
            entry["last_tricks"] = last
        facts[side] = entry
    return facts


def _last_run(table: Table, side: str, tricks: Sequence[Trick]) -> list[str]:
    """Return the winning cards of a side's final run of tricks, the last trick first."""
    cards = []
    for trick in reversed(tricks):
        if trick.winner not in table.members(side):
            break
        cards.append(trick.winning_card)
    return cards


_SIDE: Final[FactTypes] = {"side": TEXT}
_BID: Final[FactTypes] = {"bid": {"type": ["integer", "string"]}}
"""A text is the beginning of a number with more digits than anybody reads."""
_TRICKS: Final[FactTypes] = {"tricks": {"type": ["integer", "string"]}}

_PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "below-minimum": {**_SIDE, "bid?": _BID["bid"], "minimum": NUMBER},
    "bid-range": {**_SIDE, **_BID, **LIMITS},
    "bid-replaced": {**_SIDE, **_TRICKS},
    "bid-with-nil": {**_SIDE, **_BID},
    "blind-too-low": {**_SIDE, **_BID, "minimum": NUMBER},
    "call": VALUE,
    "call-not-played": {"call": TEXT},
    "card-not-in-pack": {"card": TEXT},
    "card-twice": {"card": TEXT},
    "contract-unmakeable": {**_SIDE, **_BID, **_TRICKS},
    "duplicate-card": {"card": TEXT},
    "hand-count": {"seat": TEXT, **SIZE},
    "impossible-position": {
        "why": TEXT,
        "leader?": TEXT,
        "expected?": TEXT,
        "side?": TEXT,
        "bags?": NUMBER,
    },
    "mirror-total": {"total": NUMBER, **LIMITS},
    "last-trick-sides": {**_SIDE, "other": TEXT},
    "last-tricks-count": _SIDE,
    "last-tricks-missing": {},
    "missing-bid": _SIDE,
    "nil-in-blind-side": {**_SIDE, "call": TEXT},
    "nil-player-missing": {**_SIDE, "player": TEXT},
    "nil-twice": {**_SIDE, "player": TEXT},
    "nils-count": {**_SIDE, "high": NUMBER},
    "no-bidding": _SIDE,
    "no-dummy": {"seats": TEXTS},
    "not-far-enough-behind": {**_SIDE, "behind": NUMBER, "needed": NUMBER},
    "players-count": SIZE,
    "seat-of-other-side": {"seat": TEXT, **_SIDE},
    "sides-count": SIZE,
    "suicide": _SIDE,
    "total-forbidden": {"total": NUMBER},
    "total-too-low": {"total": NUMBER, "least": NUMBER},
    "trick-full": {"count": NUMBER},
    "tricks-range": {**_SIDE, **LIMITS},
    "tricks-total": TOTAL,
}

_ACCEPTABLE: Final = (
    "tricks-range", "tricks-total", "bid-range", "below-minimum", "not-far-enough-behind", "nil-in-blind-side",
    "call-not-played", "total-forbidden", "total-too-low", "mirror-total", "suicide", "blind-too-low",
    "bid-replaced", "contract-unmakeable", "last-tricks-missing", "nil-player-missing",
)  # fmt: skip
"""What may be recorded anyway; the last four only warn."""


class EffectShape(AnswerShape):
    """What a legal call or card changes."""

    side = s.Text("Whose contract it is.", absent=True)
    contract = tricks_field("The contract of the side as it stands.", absent=True, nullable=True)
    thrown_in = s.Flag("True where all bids are too low together: the same dealer deals again.", absent=True)
    breaks_spades = s.Flag("True where spades may be led from now on.", absent=True)
    next = s.Text("Who is next.", absent=True, nullable=True)
    winner = s.Text("Who wins the trick.", absent=True)
    card = card_field("The card that wins it.", absent=True)


class ReplayedShape(AnswerShape):
    """A call, an exchange, or a card with its trick."""

    type = s.Word(("call", "exchange", "play"))
    seat = s.Text(absent=True)
    side = s.Text(absent=True)
    call = SpokenField(absent=True)
    card = card_field(absent=True)
    trick = tricks_field("Which trick it was.", absent=True)


class TrickShape(AnswerShape):
    """A trick: its cards in order, who led it and who won it."""

    leader = s.Text()
    cards = cards_field()
    winner = s.Text("Null while the trick is not complete.", nullable=True)


class TableShape(AnswerShape):
    """The table after a move; during the bidding it has no trick."""

    phase = s.Word(PHASES)
    next = s.Text("Whose turn it is: a seat, or a side whose partners announce together.", nullable=True)
    trick_number = tricks_field("Which trick it is.", absent=True)
    trick = s.ListOf(s.object_of(Played), "Its cards in order; a full trick, until the next begins.", absent=True)
    winner = s.Text("Who won the trick, once it is full.", absent=True, nullable=True)
    spades_broken = s.Flag("Whether a spade has been played.", absent=True)
    hands = s.Keyed(s.Count(unit="cards"), "How many cards each seat still holds.", absent=True)


class ListedMoves(AnswerShape):
    """A call or a card that is legal."""

    type = s.Word(("call", "play"))
    seat = s.Text(absent=True)
    side = s.Text(absent=True)
    call = SpokenField(absent=True)
    looked = s.Flag(absent=True)
    card = card_field(absent=True)


SHAPES: Final = GameShapes(
    position=s.shape_of(Position),
    move=MOVE,
    effect=EffectShape,
    problems=_PROBLEMS,
    acceptable=_ACCEPTABLE,
    moves=QuestionShapes(
        s.shape_of(MovesRequest),
        {
            "moves": s.ListOf(s.Object(ListedMoves), "Every legal call or card."),
            "compulsory": s.ListOf(s.Object(ListedMoves), "The only legal one, where there is one alone."),
        },
    ),
    replay=QuestionShapes(
        s.shape_of(Record),
        {
            "tables": s.ListOf(s.Object(TableShape), "The table after each move, in the order of `verdicts`."),
            "tricks": s.ListOf(s.Object(TrickShape)),
            "complete": s.Flag("Whether every card was played."),
            "sides": s.ListOf(s.Object(game_ScoredSide), "The sides of a score request."),
            "result": s.Object(DEAL, "A deal of a score request; null while tricks are missing.", nullable=True),
        },
    ),
    replayed_move=s.Object(ReplayedShape),
)


def judge(rules: SpadesRules, position_node: Node, move_node: Node, *, later: bool = False) -> Verdict:
    """Return the verdict on a move in a position. Raises Refused where either cannot be read, or no deal fits.

    `later` says that a trick without a number is no first trick.
    """
    read = read_check(position_node, move_node, rules)
    if read is None or position_node.problems or move_node.problems:
        known = position_node.problems
        raise Refused([*known, *(problem for problem in move_node.problems if problem not in known)])
    position, move = read
    if later:
        position = replace(position, later=True)
    _require_possible(position, position_node, move.seat if isinstance(move, Played) else None)
    verdict = _judge_move(position, move)
    return replace(verdict, remedy=remedy_for(rules, move, verdict.breaches[0].code)) if verdict.breaches else verdict


def _require_possible(position: Position, node: Node, seat: str | None) -> None:
    found = [replace(one, pointer=(*node.pointer, *one.pointer)) for one in contradictions(position, seat)]
    if found:
        raise Refused(found)


def _judge_move(position: Position, move: Move) -> Verdict:
    """Return the verdict on a call, a card, or what precedes the first lead."""
    match move:
        case Call():
            return judge_call(position, move)
        case Played():
            return judge_play(position, move)
        case Exchange():
            return judge_exchange(position, move)
        case Dealt(counts):
            return judge_deal(position, counts)
        case NextDealer(seat):
            return judge_dealer(position, seat)
        case Draw():
            return judge_draw(position, move)


def list_moves(rules: SpadesRules, request: Node) -> Mapping[str, object]:
    """Return every legal call or card of who is to move; `missing` says what must be known for more.

    `seat` names the mover where the position does not say it; `looked` answers the question of blind calls.
    Raises Refused.
    """
    asked = request.require(read_moves_request(request, rules))
    position, seat = asked.position, asked.seat
    _require_possible(position, request["position"], seat)
    if position.phase == "bidding":
        return _calls(position, seat, asked.looked)
    return _cards(position, seat)


def _calls(position: Position, seat: str | None, looked: bool | None) -> Mapping[str, object]:
    known = {"dealer": position.table.dealer, "calls": position.calls}
    unknown = [Missing(fact, a.BID_IN_TURN.id) for fact, value in known.items() if value is None]
    bids = Bids(position.table, position.calls or ())
    judged = ((_spoken(call), judge_call(position, call, bids)) for call in _candidates(bids, seat, looked))
    return _answer((), unknown) if unknown else _answer(judged)


def _spoken(call: Call) -> JsonObject:
    who = {"side": call.side} if call.seat is None else {"seat": call.seat}
    said = {} if call.looked is None else {"looked": call.looked}
    return {"type": "call", **who, "call": call.spoken, **said}


def _candidates(bids: Bids, seat: str | None, looked: bool | None) -> Iterator[Call]:
    """Yield every call of who is to call, or of a seat: numbers, blind numbers, nils, moons, a pass.

    Where partners confer, a side that has said its number may still name a nil until the next side has begun.
    """
    callers: list[tuple[str | None, str]] = [(None, side) for side in bids.announcing]
    if not bids.by_sides:
        callers = [(one, bids.table.side(one)) for one in bids.turn[0]] or [bids.caller()]
    for caller in callers if seat is None else [(seat, bids.table.side(seat))]:
        menu = call_menu(bids, *caller, looked=looked)
        blind = [call for call in menu.special if call.word == BLIND]
        nils = sorted(menu.nils, key=lambda call: NIL_CALLS.index(call.word))
        yield from (*menu.numbers, *blind, *nils, *menu.special[len(blind) :], *menu.passes)


def _cards(position: Position, seat: str | None) -> Mapping[str, object]:
    table = position.table
    if seat is None and position.trick:
        seat = next_in_trick(table, position.trick)
    if seat is None:
        leaders = opening_leaders(table, position.calls) if position.trick_number == 1 else ()
        seat = position.leader or next(iter(leaders), None)
    if seat is None:
        return _answer((), (Missing("seat", a.WINNER_LEADS.id),))
    if position.hand is None:
        return _answer((), (Missing("hand", a.FOLLOW_SUIT.id, seat, {"seat": seat}),))
    plays = (Played(seat, card) for card in position.hand)
    return _answer(
        ({"type": "play", "seat": play.seat, "card": str(play.card)}, judge_play(position, play)) for play in plays
    )


def _answer(judged: Iterable[tuple[JsonObject, Verdict]], unknown: Iterable[Missing] = ()) -> Mapping[str, object]:
    """Return the legal moves, what must be known for more, and the one that must be made where it is the only one."""
    moves, missing = [], {(item.fact, item.article): item for item in unknown}
    for move, verdict in judged:
        if verdict.value == LEGAL:
            moves.append(move)
        elif verdict.value == UNDECIDED:
            missing.update({(item.fact, item.article): item for item in verdict.missing})
    compulsory = moves if len(moves) == 1 and not missing else []
    return {"moves": moves, "compulsory": compulsory, "missing": list(missing.values())}
