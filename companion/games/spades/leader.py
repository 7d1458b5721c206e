"""Who leads: the opening lead as the table plays it, and the winner of the trick before."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Breach, Missing
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.pack import SpadesPack
from companion.games.spades.position import DUMMY, Call, Played, Position, Table


def opening_leader(table: Table, calls: tuple[Call, ...] | None) -> str | None:
    """The seat that leads to the first trick, where the deal itself says so (SPADES-030, 107, 183).

    None where it hangs on who holds a card, or on calls or a dealer that are not known.
    """
    rules = table.rules
    if rules.first_trick != "normal" or rules.first_leader == "club_two":
        return None
    if rules.first_leader == "highest_bidder":
        return highest_bidder(calls)
    if table.dealer is None:
        return None
    order = table.after(table.dealer)
    skips_dummy = rules.mode == "duo_dummy" and order[0] == DUMMY and not rules.dummy_leads
    return order[1] if skips_dummy else order[0]


def highest_bidder(calls: tuple[Call, ...] | None) -> str | None:
    """Who said the highest number, the first of several (A-36); None where no seat has said one."""
    best: tuple[int, str] | None = None
    for call in calls or ():
        if (
            call.seat is not None
            and call.word in (f.NORMAL, f.BLIND)
            and (best is None or (call.number or 0) > best[0])
        ):
            best = (call.number or 0, call.seat)
    return best[1] if best else None


def judge_leader(position: Position, play: Played, pack: SpadesPack) -> Iterator[Breach | Missing]:
    """What is wrong, or not known, about who leads this trick."""
    table, rules = position.table, position.table.rules
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
        leader = position.leader or opening_leader(table, position.calls)
        if leader is None:
            yield Missing("calls" if by_bid else "dealer", article.id)
        elif play.seat != leader:
            yield Breach(article.id, "wrong-leader", {"seat": play.seat, "next": leader})


def _club_holder(
    position: Position, play: Played, pack: SpadesPack, article: Article, *, must_play: bool
) -> Iterator[Breach | Missing]:
    """The holder of the lowest club leads, with that card where the table says so (SPADES-181, 182, 185).

    Where a card is out of play and unseen, the lowest club may be that one: then the next one counts, and nobody can
    say.
    """
    lowest, hand = pack.clubs()[0], position.hand
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
    if card in position.seen:
        return False
    unseen_card = rules.mode == "solo3" and rules.solo3_deck == "leftover"
    return (
        unseen_card or rules.mode == "duo_draw" or rules.deck == "jokers_dealer_discards" or rules.mode == "duo_dummy"
    )
