"""What a recorded deal says of the cards: who is known to hold what at each play, and where it contradicts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import or_

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.problems import JsonObject
from companion.engine.verdict import AtLeast, AtMost, Claim, Finding, record_contradicts
from companion.games.spades import articles as a
from companion.games.spades.holding import DEAD, HAND, Holding, Sizes, dead_cards
from companion.games.spades.play import opening_leaders
from companion.games.spades.table import Hands, Played, Record, pack_of


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
        self._ordered = {seat: of.sure for seat, of in held.items() if of.whole}
        self._whole_hands = {seat: self.pack.mask(hand) for seat, hand in self._ordered.items()}
        self._known = {seat: self.pack.mask(of.sure) for seat, of in held.items()}
        self._pools = {seat: (self.pack.mask(of.pool), of.given) for seat, of in held.items() if of.pool}
        self._laid_aside = self.pack.mask(record.discards) if record.table.rules.dealer_extra else 0
        self._dead = dead_cards(record.table) - self._laid_aside.bit_count()
        cards = [one.card for one in self.plays]
        twice = set() if len(set(cards)) == len(cards) else {card for card in cards if cards.count(card) > 1}
        self.bits = [self.pack.bits.get(one.card, 0) for one in self.plays]
        self._twice = twice
        self.counted = (
            not twice
            and 0 not in self.bits
            and all(len(set(exchange.counts)) == 1 for exchange in record.exchanges)
            and all(found.facts["why"] not in _UNCOUNTED for found in self.contradictions)
        )
        """Whether numbers of cards prove anything: the plays do not contradict each other."""

    @cached_property
    def _seen(self) -> Sequence[int]:
        """The cards seen before each play, and at the end."""
        return list(accumulate(self.bits, or_, initial=0))

    @cached_property
    def _own(self) -> Mapping[str, Sequence[int]]:
        """The cards that each seat had played before each play, and at the end; none that was played twice."""
        own = {}
        for seat in self.record.table.seats:
            mine = [
                bit if one.seat == seat and one.card not in self._twice else 0
                for one, bit in zip(self.plays, self.bits, strict=True)
            ]
            own[seat] = list(accumulate(mine, or_, initial=0))
        return own

    @property
    def leader(self) -> str | None:
        """Who had the first lead as recorded, unless the record contradicts itself there."""
        wrong = any(found.facts["why"] == "leader-not-first" for found in self.contradictions)
        return None if wrong else self.record.leader

    def seen(self, count: int) -> int:
        """Return the cards seen after so many plays."""
        return self._seen[count]

    def from_the_top(self, number: int) -> tuple[Card, ...] | None:
        """Return what is left of the mover's hand in its order, where the whole hand is known."""
        hand = self._ordered.get(self.plays[number].seat)
        if hand is None:
            return None
        seen, bits = self._seen[number], self.pack.bits
        return tuple([card for card in hand if not bits[card] & seen])

    def holding(self, number: int, known: int) -> Holding:
        """Return what is known of the mover's other cards at a play, from the record up to so many plays."""
        seat, own, count = self.plays[number].seat, self._own, max(known, number + 1)
        gone, tricks, left = self._seen[count], self.record.table.rules.tricks, 0
        sure = own[seat][known] & ~own[seat][number] & ~self.bits[number]
        mine = others = elsewhere = 0
        for each, played in own.items():
            here = self._known[each] & ~gone if each in self._known else 0
            hidden = 0 if each in self._whole_hands else tricks - played[count].bit_count() - here.bit_count()
            left |= here
            if each == seat:
                sure, mine = sure | here, hidden
            else:
                others += hidden
                elsewhere |= here
                if number == 0:  # only the first lead depends on what others hold
                    elsewhere |= played[known]
        return Holding(
            sure, self.pack.whole & ~(gone | self._laid_aside | left), (Sizes(mine, others, self._dead),),
            tuple(self._of_pools(seat, count)), elsewhere, counted=self.counted or seat in self._whole_hands,
        )  # fmt: skip

    def _of_pools(self, mover: str, count: int) -> Iterator[Claim]:
        """Yield what is known of hands from which cards were given away unseen: the partner has those, nobody else."""
        for seat, (pool, given) in self._pools.items():
            partner = self.record.table.partner(seat) or seat
            kept = self.record.table.rules.tricks - given
            sizes = {seat: kept, partner: given}
            left = {each: size - (self._own[each][count] & pool).bit_count() for each, size in sizes.items()}
            if min(left.values()) >= 0:  # otherwise the record contradicts itself
                mine = left.get(mover, 0)
                unseen = pool & ~self._seen[count]
                yield from (AtLeast(HAND, unseen, mine), AtMost(HAND, unseen, mine), AtMost(DEAD, unseen))

    def lacks(self, seat: str, bit: int) -> bool:
        """Return whether the whole hand of a seat is known, and is without a card."""
        return seat in self._whole_hands and not bit & self._whole_hands[seat]

    def shown_void(self, number: int, led: Card | None) -> bool:
        """Return whether the rest of a whole deal shows that a play that did not follow suit came from a void hand."""
        record, seat = self.record, self.plays[number].seat
        special = record.table.rules.first_trick != "normal" and number < len(record.table.seats)
        if led is None or special or not record.complete or not self.counted:
            return False
        later = self._own[seat][-1] & ~self._own[seat][number] & ~self.bits[number]
        return not later & self.pack.suits.get(self.pack.suit(led), 0)

    def knows_hand(self, seat: str) -> bool:
        """Return whether the whole hand of a seat is known."""
        return seat in self._whole_hands

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
                kept = tuple(card for card in hand if card not in given)
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
    bits, played = pack_of(record.table.rules).bits, Counter(one.card for one in record.plays)
    sound = [(place, one) for place, one in enumerate(record.plays) if played[one.card] == 1 and one.card in bits]
    for seat, held in hands.items():
        cards, passed = held.sure, record.table.partner(seat)
        by_others = [
            (place, one) for place, one in sound
            if one.seat != seat and (one.card in cards or (one.card in held.pool and one.seat != passed))
        ]  # fmt: skip
        if by_others:
            yield _play_finding("played-by-another", record, seat, by_others, player=by_others[0][1].seat)
        strange = [(place, one) for place, one in sound if one.seat == seat and one.card not in cards]
        if held.whole and strange:
            yield _play_finding("not-in-hand", record, seat, strange)
    for exchange in record.exchanges:
        for seat, given in exchange.cards.items():
            lacking = [card for card in given if card not in record.hands.get(seat, given)]
            if lacking:
                yield _finding("given-not-held", a.EXCHANGE, seat, lacking)


def _wrong_counts(record: Record) -> Iterator[Finding]:
    tricks, received = record.table.rules.tricks, _received(record)
    held = {seat: set(received.get(seat, ())) for seat in record.table.seats}
    for one in record.plays:
        held[one.seat].add(one.card)
    for seat, cards in held.items():
        if len(cards) > tricks:
            yield record_contradicts("too-many-cards", a.DEALING, seat, count=len(cards), most=tricks)
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
