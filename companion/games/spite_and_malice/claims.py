"""Announcements before the first turn and at the end: counts of the deal, who starts, going out, a stalemate."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.articles import Article
from companion.engine.cards import SUITS, Card
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.play import can_draw, is_over, out_article
from companion.games.spite_and_malice.position import UNKNOWN, Piles, Position, idle_run, in_pack, is_wild
from companion.games.spite_and_malice.rules import SpiteRules

_HIGHEST, _LOWEST = 14, 0


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
    ruling.effect |= {"cards": rules.cards, "stock": rules.stock_dealt}


def judge_start(rules: SpiteRules, position: Position, move: n.Start, ruling: Ruling) -> None:
    """Judge who plays first, or how tied tops are turned up anew (SNM-012, 013, 112, 122, 207, 208, 302)."""
    tops = position.payoff_tops
    for player, card in tops.items():
        if not in_pack(rules, card):
            ruling.breach(a.PACKS, "not-in-pack", card=str(card), player=player)
    if ruling.breaches:
        return
    unknown = [player for player in position.players if player not in tops]
    if unknown:
        _judge_some_tops(rules, tops, move, unknown, ruling)
        return
    redo, leaders, article = _comparison(rules, tops)
    if redo == "suits":
        for player in leaders:
            if not tops[player].suit:
                ruling.lack("suit", a.START_SUIT, player)
        if move.first is not None and move.first not in leaders:
            ruling.breach(a.START, "start-higher", first=leaders, named=move.first)
    elif redo is not None:
        _judge_redo(redo, leaders, article, move, ruling)
    elif move.first is None:
        ruling.breach(article, "no-redo", redo=move.redo, first=leaders[0])
    elif move.first != leaders[0]:
        ruling.breach(article, "start-higher", first=leaders[0], named=move.first)
    ruling.allow(article)
    if rules.players > 2:
        ruling.allow(a.PARTNERS_START)
    ruling.effect |= {"redo": redo} if redo else {"first": leaders[0]}


def starter(rules: SpiteRules, tops: Mapping[str, Card]) -> str | None:
    """Return who plays first by the pay-off tops of all players, or None if they decide nothing."""
    redo, leaders, _ = _comparison(rules, tops)
    return None if redo else leaders[0]


def _judge_count(
    zone: str, count: int | None, expected: int, article: Article, ruling: Ruling, player: str | None = None
) -> None:
    if count is None:
        return
    if count != expected:
        ruling.breach(article, "deal-count", zone=zone, count=count, expected=expected, player=player)
    else:
        ruling.allow(article)


def _judge_some_tops(
    rules: SpiteRules, tops: Mapping[str, Card], move: n.Start, unknown: list[str], ruling: Ruling
) -> None:
    """Judge with some tops unknown: a player whose top is beaten cannot start; otherwise the tops are missing facts."""
    if move.first is not None and move.first in tops:
        own = _value(rules, tops[move.first])
        best = max(_value(rules, card) for card in tops.values())
        if own < best:
            leader = next(player for player, card in tops.items() if _value(rules, card) == best)
            ruling.breach(a.START, "start-higher", first=leader, named=move.first)
    for player in unknown:
        ruling.lack("payoff_top", a.START, player)


def _comparison(rules: SpiteRules, tops: Mapping[str, Card]) -> tuple[str | None, list[str], Article]:
    """Return what the tops decide: a redo (or `suits` if these are missing), who is highest, and the article."""
    if rules.start_wild == "redraw":
        wild = [player for player, card in tops.items() if is_wild(rules, card)]
        if wild:
            return "redraw", wild, a.WILD_IN_PAYOFF
    best = max(_value(rules, card) for card in tops.values())
    leaders = [player for player, card in tops.items() if _value(rules, card) == best]
    if len(leaders) == 1:
        return None, leaders, a.START
    if rules.start_tie != "suit":
        return rules.start_tie, leaders, a.START_BURY if rules.start_tie == "bury" else a.START_RESHUFFLE
    cards = [tops[player] for player in leaders]
    if any(not card.suit and card.pips for card in cards):
        return "suits", leaders, a.START_SUIT
    places = [SUITS.index(card.suit) if card.suit else -1 for card in cards]
    if places.count(min(places)) > 1:
        return "reshuffle", leaders, a.START_RESHUFFLE
    return None, [leaders[places.index(min(places))]], a.START_SUIT


def _value(rules: SpiteRules, card: Card) -> int:
    if is_wild(rules, card):
        return _LOWEST if rules.start_wild == "low" else _HIGHEST
    return card.pips


def _judge_redo(redo: str, leaders: list[str], article: Article, move: n.Start, ruling: Ruling) -> None:
    if move.redo is None:
        ruling.breach(article, "start-redo", redo=redo, tied=leaders)
    elif move.redo != redo:
        ruling.breach(article, "wrong-redo", redo=redo, named=move.redo)


# The end of a deal ---------------------------------------------------------------------------------------------------


def judge_win(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge `I am out`: the own pay-off pile is empty, and the partner's too (SNM-090, 108, 221, 312)."""
    article = out_article(rules)
    _judge_empty(position.own, position.player, "payoff_left", article, ruling)
    if rules.players > 2:
        _judge_empty(position.partner or UNKNOWN, position.player, "partner_payoff_left", article, ruling)
    ruling.allow(article)
    ruling.effect |= {"over": True, "winner": position.player}


def judge_stalemate(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge `nobody can finish`: the rules end the deal on a deadlock or an empty stock (SNM-085, 093, 313)."""
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
