"""Judge what precedes the first lead: whose deal it is, the hands, the draw of two players, and the exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Ruling, Verdict
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    DUMMY,
    NIL,
    Draw,
    Exchange,
    Position,
    pack_of,
)


def judge_dealer(position: Position, seat: str) -> Verdict:
    """Return the verdict on who deals next: the seat at the left of the previous dealer (SPADES-003)."""
    ruling = Ruling()
    if position.previous_dealer is None:
        ruling.lack("previous-dealer", a.DEALER)
    else:
        order = [other for other in position.table.after(position.previous_dealer) if other != DUMMY]
        if seat != order[0]:
            ruling.breach(a.DEALER, "dealer-out-of-turn", seat=seat, next=order[0])
    ruling.allow(a.DEALER)
    return ruling.verdict()


def judge_deal(position: Position, counts: Mapping[str, int]) -> Verdict:
    """Return the verdict on dealt hands: the number of cards by seat (SPADES-004, 101, 105, 111)."""
    table, ruling = position.table, Ruling()
    article = _deal_article(table.rules)
    size, extra = table.rules.tricks, table.rules.dealer_extra
    if extra and table.dealer is None:
        ruling.lack("dealer", article)
    for seat in table.seats:
        count = counts[seat]
        more = extra if seat == table.dealer else 0
        perhaps = table.dealer is None and count == size + extra and list(counts.values()).count(count) == 1
        if count != size + more and not perhaps:
            ruling.breach(article, "hand-count", seat=seat, count=count, expected=size + more)
    ruling.allow(article)
    return ruling.verdict()


def _deal_article(rules: SpadesRules) -> Article:
    if rules.deck == "jokers_dealer_discards":
        return a.JOKERS_DEALER_DISCARDS
    return {"solo3": a.SOLO3, "duo_draw": a.DUO_DRAW, "duo_dummy": a.DUO_DUMMY}.get(rules.mode, a.DEALING)


def judge_draw(position: Position, draw: Draw) -> Verdict:
    """Return the verdict on one turn of the two players' draw: exactly one of two cards is kept (SPADES-103)."""
    table, seat, drawn, ruling = position.table, draw.seat, position.turns, Ruling()
    if table.rules.mode != "duo_draw":
        ruling.breach(a.DUO_DRAW, "not-played", seat=seat)
        return ruling.verdict()
    if table.dealer is None:
        ruling.lack("dealer", a.DUO_DRAW)
        return ruling.verdict()
    expected = table.after(drawn[-1] if drawn else table.dealer)[0]
    if len(drawn) >= 2 * table.rules.tricks:
        ruling.breach(a.DUO_DRAW, "draw-over", seat=seat)
    elif seat != expected:
        ruling.breach(a.DUO_DRAW, "draw-out-of-turn", seat=seat, next=expected)
    if draw.kept != 1:
        ruling.breach(a.DUO_DRAW, "draw-keeps-one", seat=seat, count=draw.kept)
    ruling.allow(a.DUO_DRAW)
    return ruling.verdict()


def judge_exchange(position: Position, exchange: Exchange) -> Verdict:
    """Return the verdict on cards that two partners give each other after the bidding (SPADES-028, 145 to 147, 150).

    Named cards are taken to be in a hand that is not known.
    """
    ruling = Ruling()
    _judge_exchange(position, exchange, ruling)
    return ruling.verdict()


def _judge_exchange(position: Position, exchange: Exchange, ruling: Ruling) -> None:
    rules, side, counts = position.table.rules, exchange.side, exchange.counts
    bids = Bids(position.table, position.calls or ())
    words = {call.word for call in bids.nils(side)}
    expected, article = _exchange_count(rules, words)
    if not rules.partners:
        ruling.breach(a.EXCHANGE, "no-partner", side=side)
    elif position.phase == "play" and (position.trick or position.played or (position.trick_number or 1) > 1):
        ruling.breach(a.EXCHANGE, "exchange-too-late", side=side)
    elif position.calls is None:
        ruling.lack("calls", a.EXCHANGE)
    elif expected == 0:
        ruling.breach(article, "no-exchange", side=side, counts=list(counts))
    elif not bids.over:
        waiting = bids.uncalled() or bids.turn[0]
        ruling.breach(a.EXCHANGE, "bidding-not-over", next=waiting[0])
    else:
        given = {*counts, *(len(cards) for cards in exchange.cards.values())}
        declined = counts == (0, 0) and DOUBLE_NIL not in words
        if given != {0 if declined else expected}:
            numbers = zip(position.table.members(side), counts, strict=True)
            gave = [len(exchange.cards[seat]) if seat in exchange.cards else count for seat, count in numbers]
            ruling.breach(a.EXCHANGE_COUNT, "exchange-count", side=side, counts=gave, expected=expected)
        for seat, cards in exchange.cards.items():
            _giving(position, seat, cards, ruling)
        ruling.allow(article, count=expected)


def _giving(position: Position, seat: str, cards: Sequence[Card], ruling: Ruling) -> None:
    """Judge the cards that a seat gives away."""
    pack, hand = pack_of(position.table.rules), position.hands.get(seat)
    others = {card for other, held in position.hands.items() if other != seat for card in held}
    for card in cards:
        if card not in pack.cards:
            ruling.breach(a.PACK, "card-not-in-pack", card=str(card))
        elif card in others or (hand is not None and card not in hand):
            ruling.breach(a.EXCHANGE, "card-not-in-hand", card=str(card), seat=seat)


def _exchange_count(rules: SpadesRules, words: set[str]) -> tuple[int, Article]:
    """Return how many cards go each way and the article that says so; of two kinds of nil the larger number (A-12)."""
    if DOUBLE_BLIND_NIL in words:
        return 0, a.DOUBLE_BLIND_NIL
    counts = [(rules.double_nil_exchange, a.EXCHANGE)] if DOUBLE_NIL in words else []
    counts += [(rules.nil_exchange, a.NIL_EXCHANGE)] if NIL in words else []
    if not counts:
        return 0, a.EXCHANGE
    best = max(counts, key=lambda pair: pair[0])
    return best if best[0] else (0, a.NO_EXCHANGE if DOUBLE_NIL in words else a.EXCHANGE)
