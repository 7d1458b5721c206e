"""May this card be played? Judge leads, following suit and the first trick."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import AllOf, AtLeast, AtMost, Ruling, Verdict
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
from companion.games.spades.holding import DEAD, EARLIER, HAND, OTHERS, Holding, holding_in
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    BLIND_MOON,
    DUMMY,
    MOON,
    SPADES,
    Call,
    Played,
    Position,
    SpadesPack,
    Table,
    pack_of,
)
from companion.games.spades.tricks import next_in_trick, trick_winner


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
    def holding(self) -> Holding:
        """What is known of the player's other cards; most plays do not depend on it."""
        return self.find_holding() if self.find_holding else holding_in(self.position, self.play.seat, self.play.card)

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
    where the position does not say it.
    """
    pack = pack_of(position.table.rules)
    if seen is None:
        seen = pack.mask((*(position.played or ()), *[one.card for one in position.trick]))
    at = Situation(position, play, pack, seen, holding)
    ruling = Ruling()
    _turn(at, ruling)
    _card_exists(at, ruling)
    about_turn = len(ruling.missing)
    _duties(at, ruling)
    first_lead = position.trick_number == 1 and not position.trick
    bound = at.suit == SPADES and position.played_from_the_top(play.seat) is False
    if first_lead and bound and 0 < about_turn < len(ruling.missing):
        _spade_of_club_holder(at, ruling)
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
        _leader(at, ruling)


def _card_exists(at: Situation, ruling: Ruling) -> None:
    card = at.card
    if card not in at.pack.bits:
        article = a.JOKERS if at.rules.deck == "jokers_minus_twos" else a.PACK
        ruling.breach(article, "card-not-in-pack", card=str(card))
    elif at.pack.bits[card] & at.seen:
        ruling.breach(a.PACK, "card-already-played", card=str(card))
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
    seat, position, before = at.play.seat, at.position, len(ruling.breaches)
    exempt = position.played_from_the_top(seat)
    if exempt:
        article = a.DUO_DUMMY if seat == DUMMY else a.DOUBLE_BLIND_NIL
        if position.hand and at.card != position.hand[0]:
            ruling.breach(article, "not-the-top-card", seat=seat, top=str(position.hand[0]))
        ruling.allow(article, seat=seat)
    elif at.special_first_trick:
        _lowest_club(at, ruling)
    elif position.trick:
        _follow(at, ruling)
    elif at.suit == SPADES:
        _lead_spade(at, ruling)
    else:
        ruling.allow(a.WINNER_LEADS if (position.trick_number or 2) > 1 else a.OPENING_LEAD)
    if exempt is None and len(ruling.breaches) > before:
        del ruling.breaches[before:]
        ruling.lack("calls", a.DOUBLE_BLIND_NIL)


def _follow(at: Situation, ruling: Ruling) -> None:
    led = at.pack.suit(at.position.trick[0].card)
    if at.suit == led:
        ruling.allow(a.FOLLOW_SUIT, led=led)
        return
    suit = at.pack.suits.get(led, 0)
    holds = at.holding.holds(suit)
    if holds is None:
        ruling.lack("hand", a.FOLLOW_SUIT, at.play.seat, led=led, seat=at.play.seat)
    elif holds:
        facts = {**at.evidence(suit), "card": str(at.card), "seat": at.play.seat}
        ruling.breach(a.FOLLOW_SUIT, "must-follow", led=led, **facts)
    else:
        ruling.allow(a.WHEN_VOID, led=led)


def _lead_spade(at: Situation, ruling: Ruling) -> None:
    """Judge a spade that is led: one was played before, or the hand holds nothing else (SPADES-036 to 038, 184)."""
    if at.rules.lead_spades_anytime:
        ruling.allow(a.LEAD_ANYTIME)
        return
    broken = spades_broken(at)
    others = at.pack.whole & ~at.pack.trump_bits
    holds = False if broken else at.holding.holds(others)
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
    unbroken = AllOf((AtMost(EARLIER, at.pack.trump_bits), AtLeast(HAND, others)))
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
    facts: dict[str, object] = {"card": str(at.card), "seat": at.play.seat}
    if not bit:
        return
    if holding.holds(clubs):
        named = pack.named(holding.sure & clubs or holding.hidden & clubs)
        lowest = named[0] if holding.sure & clubs or len(named) == 1 else None
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
        highest = _highest_bidders(bids)
        if highest or not calls or not bids.over:
            return highest
    if table.dealer is None:
        return ()
    if rules.mode == "duo_dummy":
        return (DUMMY,) if rules.dummy_side == "left" and rules.dummy_leads else table.bidders[:1]
    return table.after(table.dealer)[:1]


def _highest_bidders(bids: Bids) -> tuple[str, ...]:
    """Return who called the highest number, the first of several (A-36); a moon is all tricks, a nil is no number."""
    best = -1
    highest: tuple[str, ...] = ()
    for call in bids.calls:
        number = bids.table.rules.tricks if call.word in (MOON, BLIND_MOON) else call.number
        if number is not None and number > best:
            best, highest = number, bids.table.members(call.side or "") if call.seat is None else (call.seat,)
    return highest


def _leader(at: Situation, ruling: Ruling) -> None:
    """Judge who leads this trick."""
    position, play, table, rules = at.position, at.play, at.position.table, at.rules
    _uncalled(position, ruling)
    if position.trick_number != 1:
        if position.leader is not None and play.seat != position.leader:
            ruling.breach(a.WINNER_LEADS, "wrong-leader", seat=play.seat, next=position.leader)
        return
    if rules.first_trick == "lowest_club_strict":
        _club_holder(at, a.LOWEST_CLUB_STRICT, ruling, must_play=True)
    elif rules.first_leader == "club_two":
        _club_holder(at, a.CLUB_TWO_LEADS, ruling, must_play=rules.club_two_must_lead)
    else:
        by_bid = rules.first_leader == "highest_bidder"
        article = a.HIGHEST_BIDDER_LEADS if by_bid else a.OPENING_LEAD
        leaders = opening_leaders(table, position.calls) if position.leader is None else (position.leader,)
        if not leaders:
            ruling.lack("dealer" if position.calls or not by_bid else "calls", article)
        elif play.seat not in leaders:
            ruling.breach(article, "wrong-leader", seat=play.seat, next=leaders[0])


def _uncalled(position: Position, ruling: Ruling) -> None:
    """Judge calls missing before the first lead; where none is known, only if the phase is still the bidding."""
    bidding = position.phase == "bidding"
    if position.calls is None or not (bidding or (position.calls and position.trick_number == 1)):
        return
    waiting = Bids(position.table, position.calls).uncalled()
    if waiting:
        ruling.breach(a.BID_IN_TURN, "missing-bid", seat=waiting[0])


def _club_holder(at: Situation, article: Article, ruling: Ruling, *, must_play: bool) -> None:
    """Judge that the holder of the lowest club leads, with that card where the table says so (SPADES-181, 182, 185).

    Where cards are out of play and unseen, the lowest club may be one of them: then the next one counts. A hand that is
    played from the top owes no particular card.
    """
    seat, exempt = at.play.seat, at.position.played_from_the_top(at.play.seat)
    not_holder = _somebody_else_holds_lowest(at)
    another = must_play and not exempt and _lower_club_in_play(at)
    if not_holder is False and another is False:
        return
    lowest, in_play = _lowest_in_play(at)
    facts: dict[str, object] = {"seat": seat, "lowest": lowest}
    proven = facts | {"lowest": lowest if in_play else None}
    if not_holder:
        ruling.breach(article, "not-the-club-holder", **proven)
    elif another and exempt is None:
        ruling.lack("calls", a.DOUBLE_BLIND_NIL)
    elif another:
        code_article = a.CLUB_TWO_MUST_LEAD if at.rules.club_two_must_lead else article
        ruling.breach(code_article, "club-must-be-led", **proven, card=str(at.card))
    elif in_play:
        ruling.lack("hand", article, seat, **facts)
    else:
        ruling.lack("lowest-club", article, seat, **facts)
        if (not must_play or exempt is not False) and any(len(found) > 1 for found in _holders_of_lowest(at)):
            ruling.lack("hand", article, seat, **facts)


def _somebody_else_holds_lowest(at: Situation) -> bool | None:
    """Return whether the lowest club in play is in another hand, None where nobody can say."""
    found = set[bool]().union(*_holders_of_lowest(at))
    return found.pop() if len(found) == 1 else None


def _holders_of_lowest(at: Situation) -> Iterator[set[bool]]:
    """Yield, for every club that may be the lowest in play, whether another hand can hold it and whether this one can.

    In every world one of the clubs is the lowest; without a club in play nobody is bound.
    """
    holding, lower = at.holding, 0
    own, known = holding.sure | at.pack.bits.get(at.card, 0), holding.elsewhere
    for club in _clubs(at):
        dead = AtLeast(DEAD, lower, lower.bit_count())
        if not holding.may(dead):
            break
        if club & (own | known):
            yield {bool(club & known)}
            break
        if club & holding.hidden:
            yield {place == OTHERS for place in (HAND, OTHERS) if holding.may(AllOf((dead, AtLeast(place, club))))}
            lower |= club
    else:
        if holding.may(AtLeast(DEAD, lower, lower.bit_count())):
            yield {False}


def _spade_of_club_holder(at: Situation, ruling: Ruling) -> None:
    """Judge a spade where the lowest club leads: whoever may lead holds a club, unless no club is in play."""
    holding, clubs = at.holding, at.pack.suits["C"] & at.holding.hidden
    nothing_else = AtMost(HAND, at.pack.whole & ~at.pack.trump_bits)
    in_play = at.pack.suits["C"] & (holding.sure | holding.elsewhere)
    if in_play or not holding.may(AllOf((AtLeast(DEAD, clubs, clubs.bit_count()), nothing_else))):
        ruling.breach(a.LEADING_SPADES, "club-holder-leads-spade", seat=at.play.seat, card=str(at.card))


def _lower_club_in_play(at: Situation) -> bool | None:
    """Return whether a club lower than the card, or any club where it is none, is in anybody's hand."""
    clubs, holding = at.pack.suits["C"], at.holding
    lower = clubs & (at.pack.bits.get(at.card, 0) - 1) if at.suit == "C" else clubs
    if lower & (holding.sure | holding.elsewhere):
        return True
    lower &= holding.hidden
    return holding.decide(AtMost(DEAD, lower, lower.bit_count() - 1)) if lower else False


def _lowest_in_play(at: Situation) -> tuple[str, bool]:
    """Return the lowest club that is not known to be out of play, and whether it is certainly in play."""
    holding = at.holding
    known = holding.sure | holding.elsewhere | at.pack.bits.get(at.card, 0)
    for club in _clubs(at):
        dead = False if club & known else holding.decide(AtLeast(DEAD, club)) if club & holding.hidden else True
        if dead is not True:
            return at.pack.named(club)[0], dead is False
    return "", False


def _clubs(at: Situation) -> Iterator[int]:
    """Yield the bits of the clubs that are still clubs in this pack, the lowest first."""
    left = at.pack.suits["C"]
    while left:
        yield left & -left
        left &= left - 1
