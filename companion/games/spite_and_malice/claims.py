"""Announcements before the first turn and at the end: counts of the deal, going out, a stalemate."""

from __future__ import annotations

from companion.engine.articles import Article
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.position import UNKNOWN, Piles, Position, idle_run
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.ruling import Ruling
from companion.games.spite_and_malice.turn import can_draw, is_over, out_article


def judge_deal(rules: SpiteRules, position: Position, move: n.DealCheck, ruling: Ruling) -> None:
    """Judge counts after the deal against the packs, piles and hands (SNM-005 to 008, 101, 105, 203 to 206, 301)."""
    stock = {
        "split": a.HAND, "single": a.PARTNERS_PACKS if rules.players > 2 else a.SINGLE_SHUFFLE,
        "payoff_from_one_pack": a.HANDS_DEALT,
    }[rules.deal_mode]  # fmt: skip
    payoff = a.SMALL_PAYOFF if rules.deal_mode == "payoff_from_one_pack" else a.PAYOFF_PILE
    hand = a.DRAWN_HANDS if rules.initial_hand == "drawn_first_turn" else a.HAND
    _judge_count("stock", move.stock, rules.stock_dealt, stock, ruling)
    _judge_count("centre_stacks", move.centre, 0, a.OPENING_TABLE, ruling)
    for zone, counts, expected, article in (
        ("payoff", move.payoffs, rules.payoff_size, payoff),
        ("hand", move.hands, rules.hands_dealt, hand),
        ("side_stacks", move.sides, rules.side_start, a.FIRST_SIDE_CARDS if rules.side_start else a.OPENING_TABLE),
    ):
        for player, count in counts.items():
            _judge_count(zone, count, expected, article, ruling, player)
    ruling.then(lambda: {"cards": rules.cards, "stock": rules.stock_dealt})


def _judge_count(
    zone: str, count: int | None, expected: int, article: Article, ruling: Ruling, player: str | None = None
) -> None:
    if count is None:
        return
    if count != expected:
        ruling.breach(article, "deal-count", zone=zone, count=count, expected=expected, player=player)
    else:
        ruling.allow(article)


# The end of a deal ---------------------------------------------------------------------------------------------------


def judge_win(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge `I am out`: the own pay-off pile is empty, and the partner's too (SNM-090, 108, 221, 312)."""
    article = out_article(rules)
    _judge_empty(position.own, position.player, "payoff_left", article, ruling)
    if rules.players > 2:
        partner = position.partner_name or position.player
        _judge_empty(position.partner or UNKNOWN, partner, "partner_payoff_left", article, ruling)
    ruling.allow(article)
    ruling.then(lambda: {"over": True, "winner": position.player})


def judge_stalemate(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge `nobody can finish`: the rules end the deal on a deadlock or an empty stock (SNM-085, 093, 313).

    A deal that is played on with what there is ends as well, once nothing can be drawn and everybody was idle in a row.
    """
    if is_over(rules, position):
        return
    settled = {value for value in (rules.deadlock, rules.stock_out) if value in ("draw", "compare")}
    draw = can_draw(rules, position)
    idle = None if position.turns is None else len(idle_run(position.turns))
    stuck = None if idle is None else idle >= rules.players
    if rules.stock_out in settled and draw is False:
        _allow_end(a.STOCK_EXHAUSTED, rules.stock_out, ruling)
    elif rules.deadlock in settled and stuck:
        _allow_end(a.STALEMATE, rules.deadlock, ruling)
    elif rules.deadlock == "none" and not settled and draw is not True and stuck is not False:
        _judge_dead_table(position, draw, stuck, ruling)
    elif rules.stock_out in settled and draw is None:
        ruling.lack("complete", a.STOCK_EXHAUSTED)
    elif rules.deadlock in settled and idle is None:
        ruling.lack("turns", a.IDLE_TURN)
    elif rules.deadlock in settled:
        ruling.breach(a.STALEMATE, "not-all-idle", idle=idle, needed=rules.players)
    elif settled:
        ruling.breach(a.STOCK_EXHAUSTED, "stock-left", stock=position.stock)
    else:
        article = a.REDEAL if rules.deadlock == "second_chance_redeal" else a.SHORT_HAND
        ruling.breach(article, "no-stalemate", deadlock=rules.deadlock, stock_out=rules.stock_out)


def _allow_end(article: Article, settled_by: str, ruling: Ruling) -> None:
    ruling.allow(article)
    ruling.then(lambda: {"over": True, "winner": None, "settled_by": settled_by})


def _judge_dead_table(position: Position, draw: bool | None, stuck: bool | None, ruling: Ruling) -> None:
    """Judge the end of a deal that the rules would play on for ever: no hand, no card to draw, nobody played."""
    held = position.held
    if held:
        ruling.breach(a.SHORT_HAND, "cards-in-hand", held=held)
    elif held is None:
        ruling.lack("hand", a.SHORT_HAND, position.player)
    if draw is None:
        ruling.lack("complete", a.SHORT_HAND)
    if stuck is None:
        ruling.lack("turns", a.IDLE_TURN)
    _allow_end(a.SHORT_HAND, "play_on", ruling)


def _judge_empty(piles: Piles, player: str, fact: str, article: Article, ruling: Ruling) -> None:
    if piles.payoff is not None or piles.payoff_left:
        ruling.breach(article, "cards-left", left=piles.payoff_left, pile=fact)
    elif piles.payoff_left is None:
        ruling.lack(fact, article, player)
