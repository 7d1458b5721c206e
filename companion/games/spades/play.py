"""What is known of a player's cards: those that show for certain, and where the hidden cards can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.problems import Pointer, Problem, impossible_position
from companion.engine.verdict import (
    FALSE,
    TRUE,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Claim,
    Knowledge,
    Missing,
    Place,
    Ruling,
    Verdict,
    decide,
    in_every_case,
    negation,
)
from companion.games.spades import articles as a
from companion.games.spades.bidding import Bids, nils_played, thrown_in, whole_bidding
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    BLIND_MOON,
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    DUMMY,
    MOON,
    NIL,
    SPADES,
    Call,
    Draw,
    Exchange,
    Played,
    Position,
    SpadesPack,
    Table,
    next_in_trick,
    pack_of,
    trick_winner,
)

HAND: Final = "hand"
"""The hidden cards of the player whose card is judged, that card left aside."""
OTHERS: Final = "others"
DEAD: Final = "dead"
"""Cards that nobody was dealt, or that were laid aside before play."""
EARLIER: Final = "earlier"
"""Cards of earlier tricks that nobody names."""


class Sizes(NamedTuple):
    """How many hidden cards each place holds."""

    hand: int
    others: int
    dead: int
    earlier: int = 0


@dataclass(frozen=True, slots=True)
class Holding:
    """What is known of a player's cards beside the one that is judged."""

    sure: int = 0
    """Cards that the player holds for certain."""
    hidden: int = 0
    """Cards of which nobody says where they are."""
    sizes: Sequence[Sizes] = ()
    """The sizes of the hidden places, one entry for every trick that it may be."""
    conditions: tuple[Claim, ...] = ()
    elsewhere: int = 0
    """Cards that other players hold for certain."""
    counted: bool = True
    """False where the facts contradict each other, so that only certain cards prove anything."""

    def claim(self, cards: int) -> Claim:
        """Return the claim that the player holds any of these cards."""
        if self.sure & cards:
            return TRUE
        return AtLeast(HAND, cards) if any(sizes.hand for sizes in self.sizes) else FALSE

    def holds(self, cards: int) -> bool | None:
        """Return whether the player holds any of these cards; None where nobody can say."""
        if self.sure & cards:
            return True
        if not self.counted:
            return None
        if not self.hidden & cards or not any(sizes.hand for sizes in self.sizes):
            return False
        return self.decide(AtLeast(HAND, cards)) if self.conditions else self._by_counting(cards)

    def _by_counting(self, cards: int) -> bool | None:
        """Return whether the hand holds any of these cards where nothing but the sizes of the places is known."""
        others = (self.hidden & ~cards).bit_count()
        found = {sizes.hand > others or (None if sizes.hand else False) for sizes in self._fitting()}
        return found.pop() if len(found) == 1 else None

    def _fitting(self) -> list[Sizes]:
        """Return the sizes that the hidden cards fill exactly."""
        count = self.hidden.bit_count()
        return [sizes for sizes in self.sizes if sum(sizes) == count and min(sizes) >= 0]

    def decide(self, claim: Claim) -> bool | None:
        """Return True where a claim about hidden cards holds in every world, False where in none, None otherwise."""
        if claim in (TRUE, FALSE):
            return claim == TRUE
        if not self.counted:
            return None
        found = {known.decide(claim) for known in self.worlds() if known.consistent}
        return found.pop() if len(found) == 1 else None

    def may(self, claim: Claim) -> bool:
        """Return whether a claim about hidden cards holds in any world."""
        return not self.counted or any(known.possible(claim) for known in self.worlds())

    @property
    def possible(self) -> bool:
        """Whether any world agrees with what is known."""
        if not self.counted:
            return True
        return any(known.consistent for known in self.worlds()) if self.conditions else bool(self._fitting())

    def worlds(self) -> Iterator[Knowledge]:
        """Yield what is known of the hidden cards, for every trick that it may be."""
        for sizes in self.sizes:
            if min(sizes) >= 0:
                places = [Place(name, size, size) for name, size in zip(_PLACES, sizes, strict=True)]
                yield Knowledge(self.hidden, tuple(places), self.conditions)

    def proof_by_counting(self, cards: int) -> Mapping[str, int]:
        """Return the two numbers that prove a hidden card of these: cards in the hand, hidden cards of other kinds.

        None where more than these numbers is needed, such as what was given away.
        """
        others = (self.hidden & ~cards).bit_count()
        if self.sure & cards or len(self.sizes) != 1 or self.sizes[0].hand <= others:
            return {}
        return {"cards_held": self.sizes[0].hand, "others": others}


_PLACES: Final = (HAND, OTHERS, DEAD, EARLIER)


def dead_cards(table: Table) -> int:
    """Return how many cards of the pack nobody plays (SPADES-101, 103, 105, 111)."""
    return pack_of(table.rules).whole.bit_count() - table.rules.tricks * len(table.seats)


def _holding_in(position: Position, seat: str | None, card: Card | None = None) -> Holding:
    """Return what a position says of a seat's cards beside the one that is judged.

    Where the trick is not numbered, every trick is possible that agrees with the cards named. A hand of fewer cards
    than its player must have is taken for the whole hand all the same: others hold the rest. Without a seat, the
    cards are those of one that has not played to the trick.
    """
    table = position.table
    pack, rules = pack_of(table.rules), table.rules
    played = pack.mask(position.played or ())
    seen = played | pack.mask([one.card for one in position.trick], played)
    hand = None if position.hand is None else pack.mask(position.hand, seen)
    hidden = pack.whole & ~(seen | (hand or 0))
    bit = 0 if card is None else pack.bit(card, seen, hand or 0)
    own = bit & hidden if hand is None else 0
    on_table = [one.seat for one in position.trick]
    dead, sizes = dead_cards(table), []
    numbers = range(2 if position.later else 1, rules.tricks + 1)
    for number in (position.trick_number,) if position.trick_number else numbers:
        left = {each: rules.tricks - number + 1 - on_table.count(each) for each in table.seats}
        earlier = (number - 1) * len(table.seats) - len(position.played or ())
        mine = left.pop(seat or max(left, key=left.__getitem__))
        others = -1 if min(left.values()) < 0 else sum(left.values())
        if hand is None:
            sizes.append(Sizes(mine - own.bit_count(), others, dead, earlier))
        elif hand.bit_count() <= mine:
            sizes.append(Sizes(0, others + mine - hand.bit_count(), dead, earlier))
    conditions: tuple[Claim, ...] = ()
    broken, ruffed = position.spades_broken, (seen if position.spades_broken else played) & pack.trump_bits
    if broken is not None and not ruffed:  # the trick on the table may have broken spades
        earlier_spade = AtLeast(EARLIER, pack.trump_bits)
        conditions = (earlier_spade if broken else negation(earlier_spade),)
    return Holding((hand or 0) & ~bit, hidden & ~own, sizes, conditions)


def contradictions(position: Position, seat: str | None = None) -> Iterator[Problem]:
    """Yield a problem for every fact of a contradiction, pointers relative to the position; `seat` plays a card."""
    found = [*_not_in_pack(position), *_too_often(position), *_drawn_twice(position)]
    if position.table.dummy_misplaced:
        found += impossible_position([("seats",), ("dealer",)], "dummy-side", a.DUMMY_SIDE.id)
    if position.phase == "play" or seat is not None:
        found += [*_leader(position), *_too_many(position)]
        found = found or [*_spades(position)] or [*_no_deal(position, seat)]
    yield from found


def _not_in_pack(position: Position) -> Iterator[Problem]:
    """Yield cards that the pack in use does not hold."""
    bits = pack_of(position.table.rules).bits
    places: dict[Pointer, tuple[object, ...]] = {
        ("hand",): position.hand or (),
        ("played",): position.played or (),
        **{("hands", seat): cards for seat, cards in position.hands.items()},
    }
    named = [((*at, place), card) for at, cards in places.items() for place, card in enumerate(cards)]
    named += [(("trick", place, "card"), one.card) for place, one in enumerate(position.trick)]
    for pointer, card in named:
        if card not in bits:
            yield from impossible_position([pointer], "not-in-pack", a.PACK.id, cards=[str(card)])


def _too_often(position: Position) -> Iterator[Problem]:
    """Yield a seat with two cards in one trick, or with more calls than there are rounds of bidding."""
    bids = Bids(position.table, position.calls or ())
    lists: tuple[tuple[str, Sequence[Played | Call], int, str, Article], ...] = (
        ("trick", position.trick, 1, "seat-twice", a.OPENING_LEAD),
        ("calls", bids.calls, bids.rounds, "called-twice", a.BID_IN_TURN),
    )
    for key, moves, most, why, article in lists:
        for seat, count in Counter(move.seat for move in moves).items():
            if seat is not None and count > most and not (bids.by_sides and key == "calls"):
                pointers = [(key, place, "seat") for place, move in enumerate(moves) if move.seat == seat]
                yield from impossible_position([*pointers], why, article.id, seat=seat)


def _drawn_twice(position: Position) -> Iterator[Problem]:
    """Yield a player who drew twice in a row (SPADES-103)."""
    for place, (before, seat) in enumerate(pairwise(position.turns or ()), start=1):
        if seat == before:
            yield from impossible_position(
                [("turns", place - 1), ("turns", place)], "drawn-twice", a.DUO_DRAW.id, seat=seat
            )


def _leader(position: Position) -> Iterator[Problem]:
    """Yield a leader who did not play the first card of the trick, or who cannot lead to the first (SPADES-030)."""
    leader, trick = position.leader, position.trick
    if leader is None:
        return
    together = position.trick_number == 1 and position.table.rules.first_trick == "lowest_club"
    if trick and trick[0].seat != leader and not together:
        facts = {"leader": leader, "player": trick[0].seat}
        yield from impossible_position(
            [("leader",), ("trick", 0, "seat")], "leader-not-first", a.OPENING_LEAD.id, **facts
        )
    table, hand = position.table, position.hand
    whole: list[Pointer] = (
        [("hand",)] if position.trick_number is None and hand and len(hand) == table.rules.tricks else []
    )
    leaders = opening_leaders(table, position.calls) if position.trick_number == 1 or whole else ()
    if leaders and leader not in leaders:
        facts = {"leader": leader, "expected": leaders[0]}
        by_bid = table.rules.first_leader == "highest_bidder" and position.calls
        other = "calls" if by_bid else "seats" if table.dealer is None else "dealer"
        pointers = [("leader",), *whole, (other,)]
        yield from impossible_position(pointers, "leader-against-rule", a.OPENING_LEAD.id, **facts)


def _too_many(position: Position) -> Iterator[Problem]:
    """Yield a hand or earlier tricks of more cards than there can be in this trick."""
    rules, number = position.table.rules, position.trick_number
    before = ((number or rules.tricks) - 1) * len(position.table.seats)
    for key, cards, most, why in (
        ("hand", position.hand, rules.tricks - (number or 1) + 1, "hand-too-large"),
        ("played", position.played, before, "too-many-played"),
    ):
        if cards is not None and len(cards) > most:
            pointers = [(key,), *([] if number is None else [("trick_number",)])]
            yield from impossible_position(pointers, why, a.DEALING.id, count=len(cards), most=most)


def _spades(position: Position) -> Iterator[Problem]:
    """Yield a flag that contradicts the spades among the cards of earlier tricks (SPADES-038)."""
    pack = pack_of(position.table.rules)
    if position.spades_broken is False:
        spades = [(place, card) for place, card in enumerate(position.played or ()) if pack.is_trump(card)]
        pointers = [("spades_broken",), *(("played", place) for place, _ in spades)]
        if spades:
            cards = [str(card) for _, card in spades]
            yield from impossible_position(pointers, "spade-was-played", a.BREAKING_SPADES.id, cards=cards)
    elif (
        position.spades_broken and position.trick_number == 1 and not any(pack.is_trump(x.card) for x in position.trick)
    ):
        yield from impossible_position(
            [("spades_broken",), ("trick_number",)], "first-trick-broken", a.BREAKING_SPADES.id
        )  # fmt: skip


def _no_deal(position: Position, seat: str | None) -> Iterator[Problem]:
    """Yield the fewest facts that no distribution of the cards satisfies: none of them can be left out."""
    if _holding_in(position, seat).possible:
        return
    left, involved = position, list[Pointer]()
    for fact, without in _WITHOUT.items():
        fewer = without(left)
        if _holding_in(fewer, seat).possible:
            involved.append((fact,))
        else:
            left = fewer
    yield from impossible_position(involved, "no-distribution", a.PACK.id)


_WITHOUT: Mapping[str, Callable[[Position], Position]] = {
    "spades_broken": lambda at: replace(at, spades_broken=None),
    "hand": lambda at: replace(at, hand=None),
    "played": lambda at: replace(at, played=None),
    "trick": lambda at: replace(at, trick=()),
    "trick_number": lambda at: replace(at, trick_number=None),
}
"""Each fact that limits where cards can be, and the position without it."""


@dataclass(frozen=True)
class Situation:
    """One card about to be played, with all that is known around it."""

    position: Position
    play: Played
    pack: SpadesPack
    seen: int
    """Cards on the table and cards of earlier tricks, as far as they are named."""
    find_holding: Callable[[], Holding] | None
    """What a record says of the player's other cards; without a record the position says it."""

    @cached_property
    def exempt(self) -> bool:
        """Whether the player owes nothing but the top card."""
        return self.position.played_from_the_top(self.play.seat)

    @cached_property
    def holding(self) -> Holding:
        """What is known of the player's other cards; most plays do not depend on it."""
        return self.find_holding() if self.find_holding else _holding_in(self.position, self.play.seat, self.play.card)

    @property
    def rules(self) -> SpadesRules:
        """The rules of the table."""
        return self.position.table.rules

    @property
    def card(self) -> Card:
        """The card about to be played."""
        return self.play.card

    @property
    def suit(self) -> str:
        """Its suit for play: a joker or a promoted two is a spade."""
        return self.pack.suit(self.play.card)

    @property
    def own(self) -> int:
        """The cards that the player holds for certain, with the one about to be played, as bits."""
        return self.holding.sure | self.pack.bits.get(self.play.card, 0)

    @property
    def special_first_trick(self) -> bool:
        """Whether this is a first trick of lowest clubs."""
        return self.position.trick_number == 1 and self.rules.first_trick != "normal"

    def evidence(self, cards: int) -> dict[str, object]:
        """Return the cards of these that the player holds, or else the numbers that prove one of them."""
        held = self.pack.named(self.holding.sure & cards)
        return {"held": held} if held else {"held": held, **self.holding.proof_by_counting(cards)}


def judge_play(
    position: Position, play: Played, holding: Callable[[], Holding] | None = None, seen: int | None = None
) -> Verdict:
    """Return the verdict on one card (SPADES-002, 030 to 038, 105, 110 to 122, 150, 180 to 185).

    `holding` says what is known of the player's cards, and `seen` which cards lie on the table or were played before,
    where the position does not say it. The trick, calls and a dealer that are left out are judged in every case.
    """
    pack, table = pack_of(position.table.rules), position.table
    if seen is None:
        seen = pack.mask((*(position.played or ()), *[one.card for one in position.trick]))
    tricks, rules = [position] if position.trick_number else _tricks_it_may_be(position, play), table.rules
    by_card = rules.first_trick != "normal" or rules.first_leader == "club_two"
    leads = not (position.trick or position.leader or by_card)  # calls or the dealer say who leads to the first trick
    by_rule = leads and any(one.trick_number == 1 for one in tricks)

    def judge(one: Position, calls: tuple[Call, ...] | None, dealer: str | None) -> Verdict:
        if (calls, dealer) != (one.calls, table.dealer):
            one = replace(one, calls=calls, table=replace(table, dealer=dealer))
        return _judge_play(Situation(one, play, pack, seen, holding))

    lead = lead_rule(rules).id
    called = lead if by_rule else a.DOUBLE_BLIND_NIL.id if rules.double_blind_nil else a.BID_IN_TURN.id
    return in_every_case(
        judge,
        (Missing("trick_number", _special_article(position).id), tricks),
        (Missing("calls", called), _biddings(position, play, by_rule)),
        (Missing("dealer", lead), table.dealers if by_rule else (table.dealer,)),
    )


def _biddings(position: Position, play: Played, by_rule: bool) -> Sequence[tuple[Call, ...] | None]:
    """Return the calls; where they are left out, a bidding for each of the cases that a card depends on.

    Who called the highest number, whether the player has not seen the hand, and whether there were calls before it.
    """
    table, calls, seat = position.table, position.calls, play.seat
    highest = by_rule and table.rules.first_leader == "highest_bidder"
    unbid = calls == () and table.rules.first_hand_bids_itself
    unseen = not unbid and Bids(table, calls or ()).may_have_called_unseen(seat)
    if calls or (calls is not None and (unbid or not highest)):
        # Whoever plays beyond the first lead has called, whatever these calls leave out.
        left_out = unseen and position.phase == "play" and (position.trick or position.trick_number != 1)
        return (calls, (*calls, Call(DOUBLE_BLIND_NIL, None, seat, table.side(seat)))) if left_out else (calls,)
    words = (NIL, DOUBLE_BLIND_NIL) if unseen and calls is None else (NIL,)
    # Enough is bid that no hands are thrown in, unless nobody at all named a number.
    most = table.rules.tricks
    others = dict.fromkeys(table.bidders, NIL if highest else most)
    bests = (None, *table.bidders) if highest else (None,)
    biddings = [
        whole_bidding(table, others | {seat: word} | ({best: most} if best else {})) for best in bests for word in words
    ]
    return [*biddings, ()] if position.phase == "bidding" else biddings


def _tricks_it_may_be(position: Position, play: Played) -> list[Position]:
    """Return the position in a later trick and in the first, where that matters and the card can be there.

    A whole hand is that of a first trick; there are other rules in it where the table says so.
    """
    first = replace(position, trick_number=1)
    may_be_first = not any(contradictions(first, play.seat))
    if position.hand is not None and len(position.hand) == position.table.rules.tricks:
        return [first if may_be_first else position]
    special = _special_article(position) is not a.OPENING_LEAD
    calls = position.calls
    lead = not position.trick and (position.leader is None or bool(calls and not Bids(position.table, calls).over))
    if may_be_first and not position.later and (special or lead):
        cases = (replace(position, later=True), first)
        return [one for one in cases if _holding_in(one, play.seat, play.card).possible] or [position]
    return [position]


def _special_article(position: Position) -> Article:
    """Return the article by which a first trick is special at this table and place in the trick, else of the lead."""
    rules = position.table.rules
    if rules.first_trick != "normal":
        return a.LOWEST_CLUB
    if rules.first_trick_spades == "forbidden":
        return a.FIRST_TRICK_SPADES
    return a.CLUB_TWO_LEADS if rules.first_leader == "club_two" and not position.trick else a.OPENING_LEAD


def _judge_play(at: Situation) -> Verdict:
    ruling = Ruling(case=at)
    _turn(at, ruling)
    _card_exists(at, ruling)
    _duties(at, ruling)
    several = len(ruling.questions) > 1 and ruling.missing and not ruling.breaches
    if several and decide(at.holding.decide, ruling.questions).either:
        # Whoever may lead holds a club, unless no club is in play.
        ruling.breach(a.LEADING_SPADES, "club-holder-leads-spade", seat=at.play.seat, card=str(at.card))
    if ruling.legal:
        ruling.effect = _effect(at)
    return ruling.verdict()


def _turn(at: Situation, ruling: Ruling) -> None:
    trick, table = at.position.trick, at.position.table
    if at.special_first_trick and at.rules.first_trick == "lowest_club":
        if at.play.seat in {one.seat for one in trick}:
            ruling.breach(a.OPENING_LEAD, "play-out-of-turn", seat=at.play.seat, next=None)
    elif trick:
        expected = next_in_trick(table, trick)
        if at.play.seat != expected:
            ruling.breach(a.OPENING_LEAD, "play-out-of-turn", seat=at.play.seat, next=expected)
    else:
        _leader_play(at, ruling)


def _card_exists(at: Situation, ruling: Ruling) -> None:
    card = at.card
    if card not in at.pack.bits:
        article = a.JOKERS if at.rules.deck == "jokers_minus_twos" else a.PACK
        ruling.breach(article, "card-not-in-pack", card=str(card))
    elif not at.pack.equals(card) & ~at.seen:
        article, code = (a.TWO_PACKS, "card-twice") if at.rules.two_packs else (a.PACK, "card-already-played")
        ruling.breach(article, code, card=str(card))
    elif _not_in_hand(at):
        ruling.breach(a.PACK, "card-not-in-hand", card=str(card), seat=at.play.seat)


def _not_in_hand(at: Situation) -> bool:
    """Return whether the mover cannot hold the card: a hand without it, or all that is said of spades in play.

    A record without a contradiction leaves room for every card that is played in it.
    """
    hand = at.position.hand
    if hand is not None:
        return at.card not in hand
    if at.find_holding is not None:
        return False
    flagged = at.position.spades_broken is not None or at.position.trick_number is None
    return flagged and not at.holding.possible


def _duties(at: Situation, ruling: Ruling) -> None:
    """Judge what the card owes to the suit led, to the first trick, or as a lead."""
    seat, position = at.play.seat, at.position
    if at.exempt:
        article = a.DUO_DUMMY if seat == DUMMY else a.DOUBLE_BLIND_NIL
        if position.hand and at.card != position.hand[0]:
            ruling.breach(article, "not-the-top-card", seat=seat, top=str(position.hand[0]))
        ruling.allow(article, seat=seat)
    elif at.special_first_trick:
        _lowest_club(at, ruling)
    elif position.trick:
        _follow(at, ruling)
        _first_trick_spade(at, ruling)
    elif at.suit == SPADES:
        _lead_spade(at, ruling)
        _first_trick_spade(at, ruling)
    else:
        ruling.allow(a.WINNER_LEADS if (position.trick_number or 2) > 1 else a.OPENING_LEAD)


def _follow(at: Situation, ruling: Ruling) -> None:
    led = at.pack.suit(at.position.trick[0].card)
    if at.suit == led:
        ruling.allow(a.FOLLOW_SUIT, led=led)
    else:
        _from_a_hand_without(at, ruling, at.pack.suits.get(led, 0), a.FOLLOW_SUIT, "must-follow", a.WHEN_VOID, led=led)


def _first_trick_spade(at: Situation, ruling: Ruling) -> None:
    """Judge a spade that is led or ruffs in the first trick: from a hand of nothing else (CLB-001)."""
    trick, article = at.position.trick, a.FIRST_TRICK_SPADES
    banned = at.position.trick_number == 1 and at.rules.first_trick_spades == "forbidden"
    if banned and at.suit == SPADES and not (trick and at.pack.suit(trick[0].card) == SPADES):
        others = at.pack.whole & ~at.pack.trump_bits
        _from_a_hand_without(at, ruling, others, article, "first-trick-no-spade", article)


def _from_a_hand_without(
    at: Situation, ruling: Ruling, cards: int, article: Article, code: str, allowing: Article, **facts: object
) -> None:
    """Judge a card that may be played only from a hand without these others."""
    holds = at.holding.holds(cards)
    ruling.ask(at.holding.claim(cards), article, code)
    if holds is None:
        ruling.lack("hand", article, at.play.seat, **facts, seat=at.play.seat)
    elif holds:
        ruling.breach(article, code, **facts, **at.evidence(cards), card=str(at.card), seat=at.play.seat)
    else:
        ruling.allow(allowing, **facts)


def _lead_spade(at: Situation, ruling: Ruling) -> None:
    """Judge a spade that is led: one was played before, or the hand holds nothing else (SPADES-036 to 038, 184)."""
    if at.rules.lead_spades_anytime:
        ruling.allow(a.LEAD_ANYTIME)
        return
    broken = spades_broken(at)
    others = at.pack.whole & ~at.pack.trump_bits
    holds = False if broken else at.holding.holds(others)
    unbroken = AtMost(EARLIER, at.pack.trump_bits) if at.position.spades_broken is None else TRUE
    held = at.holding.claim(others)
    if at.seen & at.pack.trump_bits or at.position.spades_broken or FALSE in (held, unbroken):
        claim: Claim = FALSE
    else:
        claim = AllOf((unbroken, held))
    ruling.ask(claim, a.LEADING_SPADES, "spades-not-broken")
    if broken:
        ruling.allow(a.BREAKING_SPADES)
    elif holds is False:
        ruling.allow(a.ALL_SPADES)
    elif holds and broken is False:
        ruling.breach(
            a.LEADING_SPADES, "spades-not-broken", **at.evidence(others), card=str(at.card), seat=at.play.seat
        )
    else:
        _undecided_spade(at, others, holds, broken, ruling)


def _undecided_spade(at: Situation, others: int, holds: bool | None, broken: bool | None, ruling: Ruling) -> None:
    """Judge a spade where neither the hand nor the earlier tricks decide alone: perhaps both together do."""
    unbroken = ruling.questions[-1].claim
    either_way = AllOf((AtLeast(EARLIER, at.pack.trump_bits), AtLeast(HAND, others)))
    if broken is None and holds is None and not at.holding.may(unbroken):
        ruling.allow(a.BREAKING_SPADES)
        return
    # A hand shows by its size which trick it is, and with it perhaps that no spade was played before.
    worlds = list(at.holding.worlds()) if holds is None else []
    alone = worlds and not any(known.possible(unbroken) and known.possible(either_way) for known in worlds)
    if broken is None and not alone:
        ruling.lack("spades_broken", a.BREAKING_SPADES)
    if holds is None:
        ruling.lack("hand", a.ALL_SPADES, at.play.seat, seat=at.play.seat)


def spades_broken(at: Situation) -> bool | None:
    """Return whether a spade was played in an earlier trick; None where that is not known (SPADES-038)."""
    position, trumps = at.position, at.pack.trump_bits
    if position.spades_broken is not None:
        return position.spades_broken
    if at.pack.mask(position.played or ()) & trumps:
        return True
    return at.holding.decide(AtLeast(EARLIER, trumps))


def _lowest_club(at: Situation, ruling: Ruling) -> None:
    """Judge the lowest club; without clubs a red card; spades only from spades alone (SPADES-180, A-34)."""
    pack, holding, bit = at.pack, at.holding, at.pack.bits.get(at.card, 0)
    clubs = pack.suits["C"] & (bit - 1) if at.suit == "C" else pack.suits["C"]
    others = pack.whole & ~pack.trump_bits if at.suit == SPADES else clubs
    facts = {"card": str(at.card), "seat": at.play.seat}
    if not bit:
        return
    code = "first-trick-no-spade" if at.suit == SPADES else "first-trick-lowest-club"
    ruling.ask(holding.claim(others), a.LOWEST_CLUB, code)
    if holding.holds(clubs):
        sure = holding.sure & clubs & -(holding.sure & clubs)
        known = sure or holding.hidden & clubs
        alone = known.bit_count() == 1 and holding.holds(clubs & (known - 1)) is False
        lowest = pack.named(known)[0] if alone else None
        ruling.breach(a.LOWEST_CLUB, "first-trick-lowest-club", **facts, lowest=lowest)
    elif holding.holds(others):
        ruling.breach(a.LOWEST_CLUB, "first-trick-no-spade", **facts, **at.evidence(others))
    elif holding.holds(others) is None:
        # Whoever leads the lowest club in play holds no lower one: then that is all there is to know.
        if at.suit == SPADES or all(missing.fact != "lowest-club" for missing in ruling.missing):
            ruling.lack("hand", a.LOWEST_CLUB, at.play.seat, seat=at.play.seat)
    else:
        ruling.allow(a.LOWEST_CLUB)


def _effect(at: Situation) -> dict[str, object]:
    """Return who plays next or who won the trick, and whether this card breaks spades."""
    position, table = at.position, at.position.table
    played = [*position.trick, at.play]
    effect: dict[str, object] = {}
    if at.pack.is_trump(at.card) and not spades_broken(at):
        effect["breaks_spades"] = True
    if len(played) == len(table.seats):
        first = position.trick_number == 1
        winner = played[trick_winner(at.rules, [one.card for one in played], first=first)]
        return effect | {"winner": winner.seat, "card": str(winner.card)}
    if at.special_first_trick and at.rules.first_trick == "lowest_club":
        return effect  # played at once, in any order
    return effect | {"next": table.after(at.play.seat)[0]}


def opening_leaders(table: Table, calls: tuple[Call, ...] | None) -> tuple[str, ...]:
    """Return the seats that may lead to the first trick, where the deal itself says so (SPADES-030, 106, 107, 183).

    One seat, or both partners where they bid together. None at all where it depends on who holds a card, or on calls
    or a dealer that are not known.
    """
    rules = table.rules
    if rules.first_trick != "normal" or rules.first_leader == "club_two":
        return ()
    if rules.first_leader == "highest_bidder":
        bids = Bids(table, calls or ())
        if calls != () or not rules.first_hand_bids_itself:  # nobody bids in a first deal that bids itself
            highest = _highest_bidders(bids)
            if highest or not bids.over:
                return highest if bids.over else ()
    dealer, *others = table.dealers
    if others:
        return ()
    after = table.after(dealer)
    return after[:1] if after[0] != DUMMY or rules.dummy_leads else after[1:2]


def _highest_bidders(bids: Bids) -> tuple[str, ...]:
    """Return who called the highest number, the first of several (A-36); a moon is all tricks, a nil is no number."""
    best = -1
    highest: tuple[str, ...] = ()
    for call in bids.calls:
        number = bids.table.rules.tricks if call.word in (MOON, BLIND_MOON) else call.number
        if number is not None and number > best:
            best, highest = number, bids.table.members(call.side or "") if call.seat is None else (call.seat,)
    return highest


def _leader_play(at: Situation, ruling: Ruling) -> None:
    """Judge who leads this trick."""
    position, play, table, rules = at.position, at.play, at.position.table, at.rules
    _uncalled(at, ruling)
    if position.leader is not None and play.seat != position.leader:
        first = position.trick_number == 1
        ruling.breach(
            lead_rule(rules) if first else a.WINNER_LEADS, "wrong-leader", seat=play.seat, next=position.leader
        )
    if position.trick_number != 1:
        return
    if rules.first_trick == "lowest_club_strict":
        _club_holder(at, a.LOWEST_CLUB_STRICT, ruling, must_play=True)
    elif rules.first_leader == "club_two":
        _club_holder(at, a.CLUB_TWO_LEADS, ruling, must_play=rules.club_two_must_lead)
    elif position.leader is None:
        leaders = opening_leaders(table, position.calls)
        if leaders and play.seat not in leaders:
            others = {"partner": leaders[1]} if leaders[1:] else {}
            ruling.breach(lead_rule(rules), "wrong-leader", seat=play.seat, next=leaders[0], **others)


def lead_rule(rules: SpadesRules) -> Article:
    """Return the article that says who leads to the first trick."""
    if rules.first_trick != "normal":
        return a.LOWEST_CLUB_STRICT
    return {"club_two": a.CLUB_TWO_LEADS, "highest_bidder": a.HIGHEST_BIDDER_LEADS}.get(
        rules.first_leader, a.OPENING_LEAD
    )


def _uncalled(at: Situation, ruling: Ruling) -> None:
    """Judge calls missing before the first lead; where none is known, only if the phase is still the bidding."""
    position, bidding = at.position, at.position.phase == "bidding"
    if position.calls is None or not (bidding or (position.calls and position.trick_number == 1)):
        return
    bids = Bids(position.table, position.calls)
    if bids.waiting:
        ruling.breach(a.BID_IN_TURN, "missing-bid", seat=at.play.seat, next=bids.waiting)
    elif thrown_in(bids):
        facts = {"seat": at.play.seat, "total": bids.total, "least": at.rules.least_total}
        ruling.breach(a.LEAST_TOTAL, "thrown-in", **facts)


def _club_holder(at: Situation, article: Article, ruling: Ruling, *, must_play: bool) -> None:
    """Judge that the holder of the lowest club leads, with that card where the table says so (SPADES-181, 182, 185).

    Where cards are out of play and unseen, the lowest club may be one of them: then the next one counts. A hand that is
    played from the top owes no particular card.
    """
    seat, held = at.play.seat, _held_by_others(at)
    lower = _lower_club(at) if must_play and not at.exempt else FALSE
    ruling.ask(held, article, "not-the-club-holder")
    ruling.ask(lower, article, "club-must-be-led")
    not_holder, another = at.holding.decide(held), at.holding.decide(lower)
    if not_holder is False and another is False:
        return
    lowest, in_play = _lowest_in_play(at)
    facts = {"seat": seat, "lowest": lowest}
    proven = facts | {"lowest": lowest if in_play else None}
    if not_holder:
        ruling.breach(article, "not-the-club-holder", **proven)
    elif another:
        code_article = a.CLUB_TWO_MUST_LEAD if at.rules.club_two_must_lead else article
        ruling.breach(code_article, "club-must-be-led", **proven, card=str(at.card))
    elif in_play:
        ruling.lack("hand", article, seat, **facts)
    else:
        ruling.lack("lowest-club", article, seat, **facts)
        if (not must_play or at.exempt) and any(len(found) > 1 for found in _holders_of_lowest(at)):
            ruling.lack("hand", article, seat, **facts)


def _held_by_others(at: Situation) -> Claim:
    """Return the claim that the lowest club in play is in another hand."""
    claim: Claim = FALSE
    own, holding = at.own, at.holding
    for club in reversed(list(_clubs(at))):
        if club & (own | holding.elsewhere):
            claim = FALSE if club & own else TRUE
        else:
            claim = AnyOf((AtLeast(OTHERS, club), AllOf((AtLeast(DEAD, club), claim))))
    return claim


def _holders_of_lowest(at: Situation) -> Iterator[set[bool]]:
    """Yield, for every club that may be the lowest in play, whether another hand can hold it and whether this one can.

    In every world one of the clubs is the lowest; without a club in play nobody is bound.
    """
    holding, lower = at.holding, 0
    own, known = at.own, holding.elsewhere
    for club in _clubs(at):
        dead = AtLeast(DEAD, lower, lower.bit_count())
        if not holding.may(dead):
            break
        if club & (own | known):
            yield {bool(club & known)}
            break
        yield {place == OTHERS for place in (HAND, OTHERS) if holding.may(AllOf((dead, AtLeast(place, club))))}
        lower |= club
    else:
        if holding.may(AtLeast(DEAD, lower, lower.bit_count())):
            yield {False}


def _lower_club(at: Situation) -> Claim:
    """Return the claim that a club lower than the card, or any club where it is none, is in anybody's hand."""
    clubs, holding = at.pack.suits["C"], at.holding
    lower = clubs & (at.pack.bits.get(at.card, 0) - 1) if at.suit == "C" else clubs
    if lower & (holding.sure | holding.elsewhere):
        return TRUE
    lower &= holding.hidden
    return AtMost(DEAD, lower, lower.bit_count() - 1) if lower else FALSE


def _lowest_in_play(at: Situation) -> tuple[str, bool]:
    """Return the lowest club that is not known to be out of play, and whether it is certainly in play."""
    known = at.own | at.holding.elsewhere
    for club in _clubs(at):
        dead = False if club & known else at.holding.decide(AtLeast(DEAD, club))
        if dead is not True:
            return at.pack.named(club)[0], dead is False
    return "", False


def _clubs(at: Situation) -> Iterator[int]:
    """Yield the bits of the cards that are clubs in this pack and not known to be out of play, the lowest first."""
    left = at.pack.suits["C"] & (at.own | at.holding.elsewhere | at.holding.hidden)
    while left:
        yield left & -left
        left &= left - 1


def judge_dealer(position: Position, seat: str) -> Verdict:
    """Return the verdict on who deals next: the seat at the left of the previous dealer (SPADES-003)."""
    table, before = position.table, position.previous_dealer
    players = [each for each in table.seats if each != DUMMY]

    def judge(previous: str) -> Verdict:
        ruling, following = Ruling(), next(each for each in table.after(previous) if each != DUMMY)
        if seat != following:
            ruling.breach(a.DEALER, "dealer-out-of-turn", seat=seat, next=following)
        ruling.allow(a.DEALER)
        return ruling.verdict()

    return in_every_case(judge, (Missing("previous-dealer", a.DEALER.id), players if before is None else (before,)))


def dealing_rule(rules: SpadesRules) -> Article:
    """Return the article that says how many cards each hand has."""
    by_mode = {"solo3": a.SOLO3, "duo_draw": a.DUO_DRAW, "duo_dummy": a.DUO_DUMMY}.get(rules.mode, a.DEALING)
    return a.JOKERS_DEALER_DISCARDS if rules.dealer_extra else by_mode


def judge_deal(position: Position, counts: Mapping[str, int]) -> Verdict:
    """Return the verdict on dealt hands: the number of cards by seat (SPADES-004, 101, 105, 111)."""
    table = position.table
    article = dealing_rule(table.rules)

    def judge(dealer: str) -> Verdict:
        ruling = Ruling()
        for seat in table.seats:
            expected = table.rules.tricks + table.rules.dealer_extra * (seat == dealer)
            if counts[seat] != expected:
                ruling.breach(article, "hand-count", seat=seat, count=counts[seat], expected=expected)
        ruling.allow(article, dealt=True)
        return ruling.verdict()

    return in_every_case(judge, (Missing("dealer", article.id), table.dealers))


def judge_draw(position: Position, draw: Draw) -> Verdict:
    """Return the verdict on one turn of the two players' draw: exactly one of two cards is kept (SPADES-103)."""
    table, seat = position.table, draw.seat
    over = 2 * table.rules.tricks

    def judge(turns: tuple[str, ...], dealer: str) -> Verdict:
        ruling, expected = Ruling(), table.after(turns[-1] if turns else dealer)[0]
        if table.rules.mode != "duo_draw":
            ruling.breach(a.DUO_DRAW, "not-played", seat=seat)
            return ruling.verdict()
        if len(turns) >= over:
            ruling.breach(a.DUO_DRAW, "draw-over", seat=seat)
        elif seat != expected:
            ruling.breach(a.DUO_DRAW, "draw-out-of-turn", seat=seat, next=expected)
        if draw.kept != 1:
            ruling.breach(a.DUO_DRAW, "draw-keeps-one", seat=seat, count=draw.kept)
        ruling.allow(a.DUO_DRAW)
        return ruling.verdict()

    turns = [(), *[(each,) for each in table.seats]] if position.turns is None else [position.turns]
    return in_every_case(
        judge, (Missing("turns", a.DUO_DRAW.id), turns), (Missing("dealer", a.DUO_DRAW.id), table.dealers)
    )


def judge_exchange(position: Position, exchange: Exchange) -> Verdict:
    """Return the verdict on cards that two partners give each other after the bidding (SPADES-028, 145 to 147, 150).

    Named cards are taken to be in a hand that is not known.
    """
    table, calls = position.table, [position.calls or ()]
    if position.calls is None:  # the biddings after which most cards are exchanged say best what is wrong with others
        caller = table.members(exchange.side)[0]
        words = sorted(nils_played(table.rules), key=lambda word: -_exchange_count(table.rules, {word})[0])
        most = dict.fromkeys(table.bidders, table.rules.tricks)  # no hands are thrown in
        calls = [*[whole_bidding(table, most | ({caller: word} if word else {})) for word in (*words, None)], ()]

    def judge(begun: bool, calls: tuple[Call, ...]) -> Verdict:
        ruling = Ruling()
        _judge_exchange(position, exchange, Bids(table, calls), ruling, begun=begun)
        return ruling.verdict()

    late, called = Missing("trick_number", a.EXCHANGE.id), Missing("calls", a.EXCHANGE.id)
    return in_every_case(judge, (late, position.begun), (called, calls))


def _judge_exchange(position: Position, exchange: Exchange, bids: Bids, ruling: Ruling, *, begun: bool) -> None:
    rules, side, counts = position.table.rules, exchange.side, exchange.counts
    words = {call.word for call in bids.nils(side)}
    expected, article = _exchange_count(rules, words)
    if not rules.partners:
        ruling.breach(a.EXCHANGE, "no-partner", side=side)
    elif begun:
        ruling.breach(a.EXCHANGE, "exchange-too-late", side=side)
    elif not bids.over and any(_exchange_count(rules, {*words, word})[0] for word in nils_played(rules)):
        ruling.breach(a.EXCHANGE, "bidding-not-over", next=bids.waiting)
    elif expected == 0:
        ruling.breach(article, "no-exchange", side=side, counts=list(counts))
    elif thrown_in(bids):
        ruling.breach(a.LEAST_TOTAL, "thrown-in", total=bids.total, least=rules.least_total)
    else:
        given = {*counts, *(len(cards) for cards in exchange.cards.values())}
        declined = counts == (0, 0) and not (DOUBLE_NIL in words and rules.double_nil_exchange)
        if given != {0 if declined else expected}:
            numbers = zip(position.table.members(side), counts, strict=True)
            gave = [len(exchange.cards[seat]) if seat in exchange.cards else count for seat, count in numbers]
            which = article if article is a.NIL_EXCHANGE else a.EXCHANGE_COUNT
            ruling.breach(which, "exchange-count", side=side, counts=gave, expected=expected)
        for seat, cards in exchange.cards.items():
            _giving(position, seat, cards, ruling)
        ruling.allow(article, count=expected)


def _giving(position: Position, seat: str, cards: Sequence[Card], ruling: Ruling) -> None:
    """Judge the cards that a seat gives away."""
    pack, hands = pack_of(position.table.rules), dict(position.hands)
    own = hands.pop(seat, None)
    others = Counter(card for held in hands.values() for card in held)
    for card, count in Counter(cards).items():
        if card not in pack.cards:
            ruling.breach(a.PACK, "card-not-in-pack", card=str(card))
        elif others[card] + count > pack.copies or (own is not None and own.count(card) < count):
            ruling.breach(a.EXCHANGE, "card-not-in-hand", card=str(card), seat=seat)


def _exchange_count(rules: SpadesRules, words: set[str]) -> tuple[int, Article]:
    """Return how many cards go each way and the article that says so; of two kinds of nil the larger number (A-12)."""
    if DOUBLE_BLIND_NIL in words:
        return 0, a.DOUBLE_BLIND_NIL
    counts = [(rules.double_nil_exchange, a.EXCHANGE)] if DOUBLE_NIL in words else []
    counts += [(rules.nil_exchange, a.NIL_EXCHANGE)] if NIL in words else []
    if not counts:
        return 0, a.EXCHANGE
    best = max(counts, key=lambda pair: pair[0])
    return best if best[0] else (0, a.NO_EXCHANGE if DOUBLE_NIL in words else a.EXCHANGE)
