"""May these cards be exchanged? Partners give each other cards after a nil, before the first lead."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.articles import Article
from companion.engine.verdict import Because, Breach, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.bids import Bids
from companion.games.spades.options import SpadesRules
from companion.games.spades.position import Position


def judge_exchange(position: Position, side: str, counts: Sequence[int]) -> Verdict:
    """The verdict on cards that two partners give each other after the bidding (SPADES-028, 145 to 147, 150)."""
    table, rules = position.table, position.table.rules
    bids = Bids(table, position.calls or ())
    if not rules.partners:
        return Verdict((Breach(a.EXCHANGE.id, "no-partner", {"side": side}),))
    if position.phase == "play" and (position.trick or (position.trick_number or 1) > 1):
        return Verdict((Breach(a.EXCHANGE.id, "exchange-too-late", {"side": side}),))
    if position.calls is None:
        return Verdict(missing=(Missing("calls", a.EXCHANGE.id),))
    words = {call.word for call in bids.nils(side)}
    expected, article = _exchange_count(rules, words)
    if expected == 0:
        return Verdict((Breach(article.id, "no-exchange", {"side": side, "counts": list(counts)}),))
    if not bids.over:
        waiting = bids.uncalled() or bids.next_seats()[0]
        return Verdict((Breach(a.EXCHANGE.id, "bidding-not-over", {"next": waiting[0]}),))
    declined = list(counts) == [0, 0] and f.DOUBLE_NIL not in words
    if list(counts) != [expected, expected] and not declined:
        facts = {"side": side, "counts": list(counts), "expected": expected}
        return Verdict((Breach(a.EXCHANGE_COUNT.id, "exchange-count", facts),))
    return Verdict(because=(Because(article.id, {"count": expected}),))


def _exchange_count(rules: SpadesRules, words: set[str]) -> tuple[int, Article]:
    """How many cards go each way, and the article that says so; with both kinds of nil the larger number (A-12)."""
    if f.DOUBLE_BLIND_NIL in words:
        return 0, a.DOUBLE_BLIND_NIL
    counts = [(rules.double_nil_exchange, a.EXCHANGE)] if f.DOUBLE_NIL in words else []
    counts += [(rules.nil_exchange, a.NIL_EXCHANGE)] if f.NIL in words else []
    if not counts:
        return 0, a.EXCHANGE
    best = max(counts, key=lambda pair: pair[0])
    return best if best[0] else (0, a.NO_EXCHANGE if f.DOUBLE_NIL in words else a.EXCHANGE)
