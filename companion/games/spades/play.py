"""May this card be played? Judge leads, following suit and the first trick; find the winner of a trick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Ruling, Verdict
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
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


@dataclass(frozen=True, slots=True)
class Situation:
    """One card about to be played, with all that is known around it."""

    position: Position
    play: Played
    pack: SpadesPack
    seen: frozenset[Card]
    """Every card seen on the table, as far as it is known."""

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
        return self.pack.suit(self.card)

    @property
    def special_first_trick(self) -> bool:
        """Whether this is a first trick of lowest clubs."""
        return self.rules.first_trick != "normal" and self.position.trick_number == 1

    @property
    def hand(self) -> tuple[Card, ...] | None:
        """The mover's hand; in the last trick it is the card itself."""
        last = self.position.trick_number == self.rules.tricks
        return (self.card,) if self.position.hand is None and last else self.position.hand

    def held(self, wanted: Callable[[Card], bool]) -> tuple[Card, ...] | None:
        """The mover's cards of a kind, none where all of them have been seen; None where that cannot be said."""
        if self.hand is not None:
            return tuple(card for card in self.hand if wanted(card))
        return None if any(map(wanted, self.unseen())) else ()

    def must_hold(self, wanted: Callable[[Card], bool]) -> bool:
        """Whether a hand that is not known has more cards than there are unseen ones of any other kind."""
        if self.position.trick_number is None:
            return False
        unseen = self.unseen()
        others = len(unseen) - sum(map(wanted, unseen))
        return self.rules.tricks - self.position.trick_number > others

    def unseen(self) -> frozenset[Card]:
        """The cards that have not been seen on the table, the one about to be played left aside."""
        return self.pack.cards - self.seen - {self.card}


def judge_play(position: Position, play: Played) -> Verdict:
    """Return the verdict on one card (SPADES-002, 030 to 038, 105, 110 to 122, 150, 180 to 185)."""
    at = Situation(position, play, pack_of(position.table.rules), position.seen)
    ruling = Ruling()
    _turn(at, ruling)
    _card_exists(at, ruling)
    _duties(at, ruling)
    verdict = ruling.verdict()
    return verdict if verdict.breaches else replace(verdict, effect=_effect(at))


def trick_winner(rules: SpadesRules, cards: list[Card], *, first: bool) -> int:
    """Return the index of the winning card; in a first trick of lowest clubs, clubs are led whatever came first."""
    pack = pack_of(rules)
    if not first or rules.first_trick == "normal":
        return pack.winner(cards)
    counting = [(pack.is_trump(c), pack.strength(c), i) for i, c in enumerate(cards) if pack.suit(c) in (SPADES, "C")]
    return max(counting)[2] if counting else pack.winner(cards)


def next_in_trick(table: Table, trick: Sequence[Played]) -> str | None:
    """Return whose turn it is in a trick that was begun: the first seat after the leader without a card in it.

    So a card out of turn leaves those who were passed over in turn; None where everybody has played.
    """
    played = {one.seat for one in trick}
    return next((seat for seat in table.after(trick[0].seat) if seat not in played), None)


def next_to_play(table: Table, plays: Sequence[Played], leader: str | None = None) -> str | None:
    """Return whose turn it is after these plays of a deal; before the first, the seat that leads."""
    size = len(table.seats)
    trick = plays[len(plays) - len(plays) % size :]
    if trick:
        return next_in_trick(table, trick) or trick[0].seat
    if not plays:
        return leader
    last = plays[-size:]
    return last[trick_winner(table.rules, [one.card for one in last], first=len(plays) == size)].seat


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
    card, hand = at.card, at.position.hand
    if card not in at.pack.cards:
        article = a.JOKERS if at.rules.deck == "jokers_minus_twos" else a.PACK
        ruling.breach(article, "card-not-in-pack", card=str(card))
    elif card in at.seen:
        ruling.breach(a.PACK, "card-already-played", card=str(card))
    elif hand is not None and card not in hand:
        ruling.breach(a.PACK, "card-not-in-hand", card=str(card), seat=at.play.seat)


def _duties(at: Situation, ruling: Ruling) -> None:
    """Judge what the card owes to the suit led, to the first trick, or as a lead."""
    seat, position = at.play.seat, at.position
    if position.played_from_the_top(seat):
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


def _follow(at: Situation, ruling: Ruling) -> None:
    led = at.pack.suit(at.position.trick[0].card)
    if at.suit == led:
        ruling.allow(a.FOLLOW_SUIT, led=led)
        return
    held = at.held(lambda card: at.pack.suit(card) == led)
    if held == ():
        ruling.allow(a.WHEN_VOID, led=led)
    elif held is None and not at.must_hold(lambda card: at.pack.suit(card) == led):
        ruling.lack("hand", a.FOLLOW_SUIT, at.play.seat, led=led, seat=at.play.seat)
    else:
        facts = {"led": led, "held": [str(card) for card in held or ()], "card": str(at.card), "seat": at.play.seat}
        ruling.breach(a.FOLLOW_SUIT, "must-follow", **facts)


def _lead_spade(at: Situation, ruling: Ruling) -> None:
    if at.rules.lead_spades_anytime:
        ruling.allow(a.LEAD_ANYTIME)
        return
    broken = spades_broken(at.position, at.pack)
    if broken:
        ruling.allow(a.BREAKING_SPADES)
        return
    others = at.held(lambda card: not at.pack.is_trump(card))
    if others == ():
        ruling.allow(a.ALL_SPADES)
    elif broken is None:
        ruling.lack("spades_broken", a.BREAKING_SPADES)
        if others is None:
            ruling.lack("hand", a.ALL_SPADES, at.play.seat, seat=at.play.seat)
    elif others is None and not at.must_hold(lambda card: not at.pack.is_trump(card)):
        ruling.lack("hand", a.ALL_SPADES, at.play.seat, seat=at.play.seat)
    else:
        facts = {"card": str(at.card), "held": [str(card) for card in others or ()], "seat": at.play.seat}
        ruling.breach(a.LEADING_SPADES, "spades-not-broken", **facts)


def spades_broken(position: Position, pack: SpadesPack) -> bool | None:
    """Return whether a spade was played in an earlier trick; None where that is not known (SPADES-038)."""
    if position.spades_broken is not None:
        return position.spades_broken
    if any(pack.is_trump(card) for card in position.played or ()):
        return True
    if position.trick_number == 1:
        return False
    if position.played is None or position.trick_number is None:
        return None
    complete = len(position.played) >= (position.trick_number - 1) * len(position.table.seats)
    return False if complete else None


def _lowest_club(at: Situation, ruling: Ruling) -> None:
    """Judge the lowest club; without clubs a red card; spades only from spades alone (SPADES-180, A-34)."""
    clubs, hand = at.pack.clubs(), at.position.hand
    if hand is None:
        _lowest_club_unseen(at, clubs, ruling)
        return
    own = [card for card in clubs if card in hand]
    facts: dict[str, object] = {"card": str(at.card), "seat": at.play.seat}
    if own and at.card != own[0]:
        ruling.breach(a.LOWEST_CLUB, "first-trick-lowest-club", **facts, lowest=str(own[0]))
    elif not own and at.suit == SPADES and any(at.pack.suit(card) != SPADES for card in hand):
        ruling.breach(a.LOWEST_CLUB, "first-trick-no-spade", **facts)
    else:
        ruling.allow(a.LOWEST_CLUB)


def _lowest_club_unseen(at: Situation, clubs: tuple[Card, ...], ruling: Ruling) -> None:
    """Judge the same without the hand: legal where every club that would have to be played instead has been seen."""
    unseen = [card for card in clubs if card not in at.seen and card != at.card]
    if at.suit == "C":
        unseen = [card for card in unseen if at.pack.strength(card) < at.pack.strength(at.card)]
    if unseen or at.suit == SPADES:
        ruling.lack("hand", a.LOWEST_CLUB, at.play.seat, seat=at.play.seat)
    else:
        ruling.allow(a.LOWEST_CLUB)


def _effect(at: Situation) -> dict[str, object]:
    """Return who plays next or who won the trick, and whether this card breaks spades."""
    position, table = at.position, at.position.table
    played = [*position.trick, at.play]
    effect: dict[str, object] = {}
    if at.pack.is_trump(at.card) and not spades_broken(position, at.pack):
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
    known = bool(position.calls) or (bidding and position.calls is not None)
    waiting = Bids(position.table, position.calls or ()).uncalled()
    if known and waiting and (bidding or position.trick_number == 1):
        ruling.breach(a.BID_IN_TURN, "missing-bid", seat=waiting[0])


def _club_holder(at: Situation, article: Article, ruling: Ruling, *, must_play: bool) -> None:
    """Judge that the holder of the lowest club leads, with that card where the table says so (SPADES-181, 182, 185).

    Where a card is out of play and unseen, the lowest club may be that one: then the next one counts, and nobody can
    say. A hand that is played from the top owes no particular card.
    """
    position, play, dealt, hand = at.position, at.play, at.position.dealt, at.position.hand
    lowest = next(card for card in at.pack.clubs() if dealt is None or card in dealt)
    must_play = must_play and not position.played_from_the_top(play.seat)
    if play.card == lowest:
        return
    facts: dict[str, object] = {"seat": play.seat, "lowest": str(lowest)}
    if _may_be_out_of_play(position, lowest):
        if hand is None or lowest not in hand:
            ruling.lack("lowest-club", article, play.seat, **facts)
            return
    elif hand is not None and lowest not in hand:
        ruling.breach(article, "not-the-club-holder", **facts)
        return
    if must_play:
        code_article = a.CLUB_TWO_MUST_LEAD if position.table.rules.club_two_must_lead else article
        ruling.breach(code_article, "club-must-be-led", **facts, card=str(play.card))
    elif hand is None:
        ruling.lack("hand", article, play.seat, **facts)


def _may_be_out_of_play(position: Position, card: Card) -> bool:
    rules = position.table.rules
    if card in position.seen or position.dealt is not None:
        return False
    unseen_card = rules.mode == "solo3" and rules.solo3_deck == "leftover"
    return (
        unseen_card or rules.mode == "duo_draw" or rules.deck == "jokers_dealer_discards" or rules.mode == "duo_dummy"
    )
