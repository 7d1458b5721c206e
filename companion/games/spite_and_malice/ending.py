"""The end of a deal: going out, and the stalemate that nobody can finish."""

from __future__ import annotations

from companion.engine.articles import Article
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.options import SpiteRules
from companion.games.spite_and_malice.position import UNKNOWN, Piles, Position, idle_run
from companion.games.spite_and_malice.turn import can_draw, is_over, out_article


def judge_win(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """`I am out`: the own pay-off pile is empty, and the partner's too (SNM-090, 108, 221, 312)."""
    article = out_article(rules)
    _judge_empty(position.own, position.player, "payoff_left", article, ruling)
    if rules.players > 2:
        _judge_empty(position.partner or UNKNOWN, position.player, "partner_payoff_left", article, ruling)
    ruling.allow(article)
    ruling.effect |= {"over": True, "winner": position.player}


def judge_stalemate(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """`Nobody can finish`: where the table's rules end the deal on a deadlock or an empty stock (SNM-085, 093, 313)."""
    if is_over(rules, position):
        ruling.breach(out_article(rules), "deal-over")
        return
    decided = [value for value in (rules.deadlock, rules.stock_out) if value in ("draw", "compare")]
    if not decided:
        article = a.REDEAL if rules.deadlock == "second_chance_redeal" else a.SHORT_HAND
        ruling.breach(article, "no-stalemate", deadlock=rules.deadlock, stock_out=rules.stock_out)
        return
    if rules.stock_out in ("draw", "compare") and position.stock is not None and not can_draw(rules, position):
        ruling.allow(a.STOCK_EXHAUSTED)
        ruling.effect |= {"over": True, "winner": None, "settled_by": rules.stock_out}
        return
    if rules.deadlock in ("draw", "compare"):
        idle = None if position.turns is None else len(idle_run(position.turns))
        if idle is not None and idle >= rules.players:
            ruling.allow(a.STALEMATE)
            ruling.effect |= {"over": True, "winner": None, "settled_by": rules.deadlock}
            return
        if idle is None:
            ruling.lack("turns", a.IDLE_TURN)
        else:
            ruling.breach(a.STALEMATE, "not-all-idle", idle=idle, needed=rules.players)
        return
    ruling.breach(a.STOCK_EXHAUSTED, "stock-left", stock=position.stock)


def _judge_empty(piles: Piles, player: str, fact: str, article: Article, ruling: Ruling) -> None:
    if piles.payoff is not None or piles.payoff_left:
        ruling.breach(article, "cards-left", left=piles.payoff_left, pile=fact)
    elif piles.payoff_left is None:
        ruling.lack(fact, article, player)
