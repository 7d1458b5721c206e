"""The care of stock and centre: completed stacks, recycling, and the way out of a deadlock."""

from __future__ import annotations

from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import rank_name
from companion.games.spite_and_malice.options import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.position import SECOND_CHANCE, Position, idle_run
from companion.games.spite_and_malice.stacks import done_article


def judge_complete(rules: SpiteRules, position: Position, move: n.Complete, ruling: Ruling) -> None:
    """A completed stack and what becomes of it (SNM-034, 219, 310)."""
    article = done_article(rules)
    if move.done != rules.centre_done:
        ruling.breach(article, "completed-otherwise", done=move.done, centre_done=rules.centre_done)
    if position.centre is None:
        ruling.lack("centre_stacks", article)
    elif move.stack >= len(position.centre):
        ruling.breach(a.CENTRE, "no-such-stack", stack=move.stack)
    else:
        top = position.centre[move.stack]
        if top is None:
            ruling.lack("centre_rank", article, stack=move.stack)
        elif top < rules.top:
            ruling.breach(article, "not-complete", top=rank_name(top), needed=rank_name(rules.top))
    ruling.allow(article)
    ruling.effect["completed"] = rules.centre_done


def judge_recycle(rules: SpiteRules, position: Position, move: n.Recycle, ruling: Ruling) -> None:
    """Stacks shuffled and put under the stock: when, by whom, and which (SNM-080 to 083, 125, 220)."""
    if rules.recycle_source == "none":
        ruling.breach(a.SHUFFLED_IN, "never-recycled")
        return
    _judge_low(rules, position, ruling)
    if move.by == "player" and rules.recycle_by == "opponent":
        ruling.breach(a.WHO_RECYCLES, "opponent-recycles")
    complete = stacks_complete(rules, position)
    article = a.RECYCLE_SET_ASIDE if rules.recycle_source == "complete_only" else a.RECYCLE_COMPLETE
    if move.what == "incomplete":
        if rules.recycle_source == "complete_only":
            ruling.breach(a.RECYCLE_SET_ASIDE, "only-complete")
            return
        article = a.RECYCLE_INCOMPLETE
        if complete is None:
            ruling.lack("complete", article)
        elif complete:
            ruling.breach(article, "complete-first", complete=complete)
        if stacks_incomplete(rules, position) == 0:
            ruling.breach(article, "nothing-to-recycle", what=move.what)
        elif stacks_incomplete(rules, position) is None:
            ruling.lack("incomplete", article)
    elif complete is None:
        ruling.lack("complete", article)
    elif complete == 0:
        ruling.breach(article, "nothing-to-recycle", what=move.what)
    ruling.allow(article)
    ruling.effect |= {"recycled": move.what, "under_stock": True}


def judge_second_chance(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """The announcement that everybody has been idle and gets one further turn (SNM-071)."""
    if rules.deadlock != "second_chance_redeal":
        ruling.breach(a.IDLE_TURN, "no-second-chance")
    elif position.turns is None:
        if position.phase != SECOND_CHANCE:
            ruling.lack("turns", a.SECOND_CHANCE)
    elif position.phase != SECOND_CHANCE:
        idle = len(idle_run(position.turns))
        ruling.breach(a.SECOND_CHANCE, "not-all-idle", idle=idle, needed=rules.players)
    ruling.allow(a.SECOND_CHANCE)
    ruling.effect["phase"] = SECOND_CHANCE


def judge_redeal(rules: SpiteRules, position: Position, move: n.Redeal, ruling: Ruling) -> None:
    """Everything but the pay-off piles dealt again, after two idle rounds in a row (SNM-074 to 076)."""
    if rules.deadlock != "second_chance_redeal":
        ruling.breach(a.IDLE_TURN, "no-redeal")
        return
    if position.turns is None:
        ruling.lack("turns", a.REDEAL)
        return
    needed, idle = 2 * rules.players, idle_run(position.turns)
    if len(idle) < needed:
        ruling.breach(a.REDEAL, "redeal-too-early", idle=len(idle), needed=needed)
        return
    first = idle[-needed].player
    if move.first != first:
        ruling.breach(a.REDEAL_STARTER, "redeal-starter", first=first, named=move.first)
    ruling.allow(a.REDEAL)
    ruling.allow(a.REDEAL_STARTER, first=first)
    ruling.effect |= {"first": first, "hand_count": HAND_SIZE, "side_stacks": [], "centre_stacks": []}


def stacks_complete(rules: SpiteRules, position: Position) -> int | None:
    """How many completed stacks wait on the table; None where nobody said."""
    if position.complete is not None:
        return position.complete
    return None if position.centre is None else sum(top == rules.top for top in position.centre)


def stacks_incomplete(rules: SpiteRules, position: Position) -> int | None:
    """How many centre stacks are still growing; None where nobody said."""
    if position.incomplete is not None:
        return position.incomplete
    return None if position.centre is None else sum(top != rules.top for top in position.centre)


def _judge_low(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """The stock is low enough: at the threshold, or too short for the cards that must be drawn."""
    article = a.STOCK_LOW if rules.recycle_source == "complete_then_incomplete" else a.RECYCLE_SET_ASIDE
    stock, held = position.stock, position.held
    if stock is None:
        ruling.breach(article, "stock-not-low", threshold=rules.recycle_threshold)
        return
    drawing = held is not None and not position.refilled
    to_draw = HAND_SIZE - held if drawing and held is not None else HAND_SIZE if held == 0 else 0
    if stock <= rules.recycle_threshold or stock < to_draw:
        ruling.allow(article, stock=stock)
    elif held is None and stock < HAND_SIZE:
        ruling.lack("hand", article, position.player)
    else:
        ruling.breach(article, "stock-not-low", stock=stock, threshold=rules.recycle_threshold)
