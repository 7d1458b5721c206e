"""Who leads: the opening lead as the table plays it, and the winner of the trick before."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Breach, Missing
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.bids import Bids
from companion.games.spades.pack import SpadesPack
from companion.games.spades.position import DUMMY, Call, Played, Position, Table


def opening_leaders(table: Table, calls: tuple[Call, ...] | None) -> tuple[str, ...]:
    """The seats that may lead to the first trick, where the deal itself says so (SPADES-030, 106, 107, 183).

    One seat, or both partners where they bid together. None at all where it hangs on who holds a card, or on calls or
    a dealer that are not known.
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
    """Who said the highest number, the first of several (A-36); a moon is all tricks, a nil is no number."""
    best = -1
    highest: tuple[str, ...] = ()
    for call in bids.calls:
        number = bids.table.rules.tricks if call.word in (f.MOON, f.BLIND_MOON) else call.number
        if number is not None and number > best:
            best, highest = number, bids.table.members(call.side or "") if call.seat is None else (call.seat,)
    return highest


def judge_leader(position: Position, play: Played, pack: SpadesPack) -> Iterator[Breach | Missing]:
    """What is wrong, or not known, about who leads this trick."""
    table, rules = position.table, position.table.rules
    yield from _uncalled(position)
    if position.trick_number != 1:
        if position.leader is not None and play.seat != position.leader:
            yield Breach(a.WINNER_LEADS.id, "wrong-leader", {"seat": play.seat, "next": position.leader})
        return
    if rules.first_trick == "lowest_club_strict":
        yield from _club_holder(position, play, pack, a.LOWEST_CLUB_STRICT, must_play=True)
    elif rules.first_leader == "club_two":
        yield from _club_holder(position, play, pack, a.CLUB_TWO_LEADS, must_play=rules.club_two_must_lead)
    else:
        by_bid = rules.first_leader == "highest_bidder"
        article = a.HIGHEST_BIDDER_LEADS if by_bid else a.OPENING_LEAD
        leaders = opening_leaders(table, position.calls) if position.leader is None else (position.leader,)
        if not leaders:
            yield Missing("dealer" if position.calls or not by_bid else "calls", article.id)
        elif play.seat not in leaders:
            yield Breach(article.id, "wrong-leader", {"seat": play.seat, "next": leaders[0]})


def _uncalled(position: Position) -> Iterator[Breach]:
    """A call that is missing before the first lead; without any, only where the bidding is said to go on."""
    bidding = position.phase == "bidding"
    told = bool(position.calls) or (bidding and position.calls is not None)
    waiting = Bids(position.table, position.calls or ()).uncalled()
    if told and waiting and (bidding or position.trick_number == 1):
        yield Breach(a.BID_IN_TURN.id, "missing-bid", {"seat": waiting[0]})


def _club_holder(
    position: Position, play: Played, pack: SpadesPack, article: Article, *, must_play: bool
) -> Iterator[Breach | Missing]:
    """The holder of the lowest club leads, with that card where the table says so (SPADES-181, 182, 185).

    Where a card is out of play and unseen, the lowest club may be that one: then the next one counts, and nobody can
    say. A hand that is played from the top owes no particular card.
    """
    dealt, hand = position.dealt, position.hand
    lowest = next(card for card in pack.clubs() if dealt is None or card in dealt)
    must_play = must_play and not position.played_from_the_top(play.seat)
    if play.card == lowest:
        return
    facts: dict[str, object] = {"seat": play.seat, "lowest": str(lowest)}
    if _may_be_out_of_play(position, lowest):
        if hand is None or lowest not in hand:
            yield Missing("lowest-club", article.id, play.seat, facts)
            return
    elif hand is not None and lowest not in hand:
        yield Breach(article.id, "not-the-club-holder", facts)
        return
    if must_play:
        code_article = a.CLUB_TWO_MUST_LEAD if position.table.rules.club_two_must_lead else article
        yield Breach(code_article.id, "club-must-be-led", facts | {"card": str(play.card)})
    elif hand is None:
        yield Missing("hand", article.id, play.seat, facts)


def _may_be_out_of_play(position: Position, card: Card) -> bool:
    rules = position.table.rules
    if card in position.seen or position.dealt is not None:
        return False
    unseen_card = rules.mode == "solo3" and rules.solo3_deck == "leftover"
    return (
        unseen_card or rules.mode == "duo_draw" or rules.deck == "jokers_dealer_discards" or rules.mode == "duo_dummy"
    )
