"""Before the first turn: the counts of the deal, and who starts."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.articles import Article
from companion.engine.cards import SUITS, Card
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import in_pack, is_wild
from companion.games.spite_and_malice.options import SpiteRules
from companion.games.spite_and_malice.position import Position

_HIGHEST, _LOWEST = 14, 0


def judge_deal(rules: SpiteRules, position: Position, move: n.DealCheck, ruling: Ruling) -> None:
    """Counts after the deal against packs, piles and hands of the rules (SNM-005 to 008, 101, 105, 203 to 206, 301)."""
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
    """Who plays first, or how tops that decide nothing are turned up anew (SNM-012, 013, 112, 122, 207, 208, 302)."""
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
    """Who plays first by the pay-off tops of all players; None where they decide nothing."""
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
    """With some tops unknown: a player who is beaten already cannot start; else the tops are asked for."""
    if move.first is not None and move.first in tops:
        own = _value(rules, tops[move.first])
        best = max(_value(rules, card) for card in tops.values())
        if own < best:
            leader = next(player for player, card in tops.items() if _value(rules, card) == best)
            ruling.breach(a.START, "start-higher", first=leader, named=move.first)
    for player in unknown:
        ruling.lack("payoff_top", a.START, player)


def _comparison(rules: SpiteRules, tops: Mapping[str, Card]) -> tuple[str | None, list[str], Article]:
    """What the tops decide: a redo (or `suits` where these must be told), who is highest, and the article."""
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
