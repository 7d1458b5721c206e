"""The course of a turn: whether it may go on, drawing cards, and its end."""

from __future__ import annotations

from companion.engine.articles import Article
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import in_pack, is_wild
from companion.games.spite_and_malice.duties import judge_duties
from companion.games.spite_and_malice.options import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.position import Position
from companion.games.spite_and_malice.stacks import accepted

_BETWEEN_TURNS = (n.Start, n.DealCheck, n.Redeal, n.SecondChance)
_AT_ANY_TIME = (*_BETWEEN_TURNS, n.Recycle, n.Complete, n.ClaimWin, n.ClaimStalemate)


def judge_moment(rules: SpiteRules, position: Position, move: n.Announcement, ruling: Ruling) -> None:
    """Whether this kind of move may come now at all: the deal goes on, the turn is not over, the hand is drawn up."""
    if not isinstance(move, n.Recycle | n.Start | n.DealCheck) and move.seat not in (None, position.player):
        ruling.breach(a.TURN_ORDER, "not-your-turn", seat=move.seat, player=position.player)
    if is_over(rules, position) and not isinstance(move, n.Start | n.DealCheck | n.ClaimWin | n.Complete):
        ruling.breach(out_article(rules), "deal-over")
    if isinstance(move, _AT_ANY_TIME):
        return
    if position.discarded and not isinstance(move, n.EndTurn):
        if not (isinstance(move, n.Refill) and may_play_again(rules, position)):
            ruling.breach(a.AFTER_DISCARD, "turn-is-over")
        return
    if not isinstance(move, n.Refill) and not position.discarded:
        _judge_drawn(rules, position, ruling)


def is_over(rules: SpiteRules, position: Position) -> bool:
    """Whether the deal has ended: somebody said so, or the mover's side has emptied its piles (SNM-090, 108)."""
    if rules.players == 2:
        return position.over or position.own.out
    return position.over or (position.own.out and position.partner is not None and position.partner.out)


def out_article(rules: SpiteRules) -> Article:
    """The article on the end of a deal: one pile, or both of a partnership."""
    return a.GOING_OUT if rules.players == 2 else a.BOTH_PILES


def may_play_again(rules: SpiteRules, position: Position) -> bool:
    """Whether the discard that emptied the hand lets its player draw and go on (SNM-123)."""
    return rules.after_last_discard == "refill_and_replay" and position.held in (0, None)


def judge_refill(rules: SpiteRules, position: Position, move: n.Refill, ruling: Ruling) -> None:
    """The number of cards drawn: up to five at the start, five in mid-turn once the hand is empty (SNM-020, 028)."""
    again = position.discarded and may_play_again(rules, position)
    if position.discarded and not again:
        return
    if not position.refilled and not again:
        article, held = a.REFILL, position.held
        ruling.allow(article)
    else:
        article, held = _midturn_article(rules, again=again), position.held
        if held is not None and held > 0:
            ruling.breach(article, "hand-not-empty", held=held)
            return
        if held is None:
            ruling.lack("hand", article, position.player)
        held = 0
        ruling.allow(article)
    stock = position.stock if position.stock is not None else n.FAR
    if held is None:
        if not 1 <= move.count <= min(HAND_SIZE, stock):
            ruling.breach(article, "draw-count", count=move.count, most=min(HAND_SIZE, stock))
        else:
            ruling.lack("hand", article, position.player)
        return
    expected = max(min(HAND_SIZE - held, stock), 0)
    if move.count != expected or expected == 0:
        ruling.breach(article, "draw-count", count=move.count, most=expected)
        return
    ruling.effect |= {"hand_count": held + expected}
    if position.stock is not None:
        ruling.effect["stock"] = position.stock - expected


def judge_end(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """The spoken end of a turn: no duty left, and no discard owed (SNM-026, 216, 218)."""
    if not position.discarded:
        judge_duties(rules, position, ruling)
        if rules.discard_required:
            _judge_closing(rules, position, ruling)
    ruling.allow(a.SHORT_HAND if rules.discard_required and not position.discarded else a.END_OF_TURN)
    ruling.effect |= {"turn_ends": True, "next": position.next_player}


def can_draw(rules: SpiteRules, position: Position) -> bool:
    """Whether the stock has cards, or would have after recycling."""
    if position.stock is None or position.stock > 0:
        return True
    stacks = position.complete or sum(top == rules.top for top in position.centre or ())
    if rules.recycle_source == "complete_then_incomplete":
        stacks += position.incomplete or 0
    return rules.recycle_source != "none" and stacks > 0


def _judge_drawn(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    stocked = position.stock is None or position.stock > 0
    held = position.held
    if not position.refilled and stocked:
        if held is None:
            ruling.lack("hand", a.REFILL, position.player)
        elif held < HAND_SIZE:
            ruling.breach(a.REFILL, "refill-first", held=held)
    elif rules.midturn_refill == "must" and held == 0 and stocked:
        ruling.breach(a.FIVE_NEW_CARDS, "five-first")


def _judge_closing(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    held = position.held
    if held == 0 and not can_draw(rules, position):
        return
    if held == 0 and rules.midturn_refill == "must":
        ruling.breach(a.FIVE_NEW_CARDS, "five-first")
    elif held is None and not can_draw(rules, position):
        ruling.lack("hand", a.CLOSING_DISCARD, position.player)
    elif held == 0 or held is None or _can_discard(rules, position):
        ruling.breach(a.CLOSING_DISCARD, "discard-owed")


def _can_discard(rules: SpiteRules, position: Position) -> bool:
    """Whether any card of the hand fits a side stack; a hand that nobody showed is taken to have one."""
    sides = position.own.sides
    if position.hand is None or sides is None:
        return True
    places = [stack for stack in sides if stack] + [()] * (4 - sum(bool(stack) for stack in sides))
    return any(
        in_pack(rules, card) and (is_wild(rules, card) or card.pips in accepted(rules, stack))
        for card in position.hand
        for stack in places
    )


def _midturn_article(rules: SpiteRules, *, again: bool) -> Article:
    if again:
        return a.PLAY_AGAIN
    return a.FIVE_NEW_CARDS if rules.midturn_refill == "must" else a.EMPTY_HAND
