"""May this card be played? The judge of leads, following, the first trick, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.engine.cards import Card
from companion.engine.verdict import Because, Breach, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades.leader import judge_leader
from companion.games.spades.options import SpadesRules
from companion.games.spades.pack import SPADES, SpadesPack, pack_of
from companion.games.spades.position import DUMMY, Played, Position, Table

Found = Iterator[Breach | Missing | Because]


@dataclass(frozen=True, slots=True)
class Situation:
    """One card about to be played, with all that is known around it."""

    position: Position
    play: Played
    pack: SpadesPack
    seen: frozenset[Card]
    """Every card that lies or lay open on the table, as far as it was told."""

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
    """The verdict on one card (SPADES-002, 030 to 038, 105, 110 to 122, 150, 180 to 185)."""
    at = Situation(position, play, pack_of(position.table.rules), position.seen)
    found = [*_turn(at), *_card_exists(at), *_duties(at)]
    breaches = tuple(item for item in found if isinstance(item, Breach))
    missing = tuple(item for item in found if isinstance(item, Missing))
    because = tuple(item for item in found if isinstance(item, Because))
    return Verdict(breaches, missing, because, {} if breaches else _effect(at))


def trick_winner(rules: SpadesRules, cards: list[Card], *, first: bool) -> int:
    """The place of the winning card; in a first trick of lowest clubs, clubs are led whatever came first."""
    pack = pack_of(rules)
    if not first or rules.first_trick == "normal":
        return pack.winner(cards)
    counting = [(pack.is_trump(c), pack.strength(c), i) for i, c in enumerate(cards) if pack.suit(c) in (SPADES, "C")]
    return max(counting)[2] if counting else pack.winner(cards)


def next_in_trick(table: Table, trick: Sequence[Played]) -> str | None:
    """Whose turn it is in a trick that was begun: the first seat after the leader that has no card in it yet.

    So a card out of turn leaves those who were passed over in turn; None where everybody has played.
    """
    played = {one.seat for one in trick}
    return next((seat for seat in table.after(trick[0].seat) if seat not in played), None)


def _turn(at: Situation) -> Found:
    trick, table = at.position.trick, at.position.table
    if at.special_first_trick and at.rules.first_trick == "lowest_club":
        if at.play.seat in {one.seat for one in trick}:
            yield Breach(a.OPENING_LEAD.id, "play-out-of-turn", {"seat": at.play.seat, "next": None})
    elif trick:
        expected = next_in_trick(table, trick)
        if at.play.seat != expected:
            yield Breach(a.OPENING_LEAD.id, "play-out-of-turn", {"seat": at.play.seat, "next": expected})
    else:
        yield from judge_leader(at.position, at.play, at.pack)


def _card_exists(at: Situation) -> Found:
    card, hand = at.card, at.position.hand
    if card not in at.pack.cards:
        article = a.JOKERS if at.rules.deck == "jokers_minus_twos" else a.PACK
        yield Breach(article.id, "card-not-in-pack", {"card": str(card)})
    elif card in at.seen:
        yield Breach(a.PACK.id, "card-already-played", {"card": str(card)})
    elif hand is not None and card not in hand:
        yield Breach(a.PACK.id, "card-not-in-hand", {"card": str(card), "seat": at.play.seat})


def _duties(at: Situation) -> Found:
    """What the card owes to the suit led, to the first trick, or as a lead."""
    seat, position = at.play.seat, at.position
    if position.played_from_the_top(seat):
        article = a.DUO_DUMMY if seat == DUMMY else a.DOUBLE_BLIND_NIL
        if position.hand and at.card != position.hand[0]:
            yield Breach(article.id, "not-the-top-card", {"seat": seat, "top": str(position.hand[0])})
        yield Because(article.id, {"seat": seat})
    elif at.special_first_trick:
        yield from _lowest_club(at)
    elif position.trick:
        yield from _follow(at)
    elif at.suit == SPADES:
        yield from _lead_spade(at)
    else:
        yield Because(a.WINNER_LEADS.id if (position.trick_number or 2) > 1 else a.OPENING_LEAD.id)


def _follow(at: Situation) -> Found:
    led = at.pack.suit(at.position.trick[0].card)
    if at.suit == led:
        yield Because(a.FOLLOW_SUIT.id, {"led": led})
        return
    held = at.held(lambda card: at.pack.suit(card) == led)
    if held == ():
        yield Because(a.WHEN_VOID.id, {"led": led})
    elif held is None and not at.must_hold(lambda card: at.pack.suit(card) == led):
        yield Missing("hand", a.FOLLOW_SUIT.id, at.play.seat, {"led": led, "seat": at.play.seat})
    else:
        facts = {"led": led, "held": [str(card) for card in held or ()], "card": str(at.card), "seat": at.play.seat}
        yield Breach(a.FOLLOW_SUIT.id, "must-follow", facts)


def _lead_spade(at: Situation) -> Found:
    if at.rules.lead_spades_anytime:
        yield Because(a.LEAD_ANYTIME.id)
        return
    broken = spades_broken(at.position, at.pack)
    if broken:
        yield Because(a.BREAKING_SPADES.id)
        return
    others = at.held(lambda card: not at.pack.is_trump(card))
    if others == ():
        yield Because(a.ALL_SPADES.id)
    elif broken is None:
        yield Missing("spades_broken", a.BREAKING_SPADES.id)
        if others is None:
            yield Missing("hand", a.ALL_SPADES.id, at.play.seat, {"seat": at.play.seat})
    elif others is None and not at.must_hold(lambda card: not at.pack.is_trump(card)):
        yield Missing("hand", a.ALL_SPADES.id, at.play.seat, {"seat": at.play.seat})
    else:
        facts = {"card": str(at.card), "held": [str(card) for card in others or ()], "seat": at.play.seat}
        yield Breach(a.LEADING_SPADES.id, "spades-not-broken", facts)


def spades_broken(position: Position, pack: SpadesPack) -> bool | None:
    """Whether a spade has been played in an earlier trick; None where nobody has said so (SPADES-038)."""
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


def _lowest_club(at: Situation) -> Found:
    """The lowest club; without clubs a red card; spades only from spades alone (SPADES-180, A-34)."""
    clubs, hand = at.pack.clubs(), at.position.hand
    if hand is None:
        yield _lowest_club_unseen(at, clubs)
        return
    own = [card for card in clubs if card in hand]
    facts: dict[str, object] = {"card": str(at.card), "seat": at.play.seat}
    if own and at.card != own[0]:
        yield Breach(a.LOWEST_CLUB.id, "first-trick-lowest-club", facts | {"lowest": str(own[0])})
    elif not own and at.suit == SPADES and any(at.pack.suit(card) != SPADES for card in hand):
        yield Breach(a.LOWEST_CLUB.id, "first-trick-no-spade", facts)
    else:
        yield Because(a.LOWEST_CLUB.id)


def _lowest_club_unseen(at: Situation, clubs: tuple[Card, ...]) -> Missing | Because:
    """Without the hand: legal where every club that would have to be played instead has been seen."""
    unseen = [card for card in clubs if card not in at.seen and card != at.card]
    if at.suit == "C":
        unseen = [card for card in unseen if at.pack.strength(card) < at.pack.strength(at.card)]
    if unseen or at.suit == SPADES:
        return Missing("hand", a.LOWEST_CLUB.id, at.play.seat, {"seat": at.play.seat})
    return Because(a.LOWEST_CLUB.id)


def _effect(at: Situation) -> dict[str, object]:
    """Who plays next, or who won the trick, and whether spades are broken by this card."""
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
