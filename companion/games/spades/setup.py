"""What precedes the first lead: judge whose deal it is, the hands dealt, the draw of two players, and the exchange."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import Because, Breach, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    NIL,
    Position,
    Table,
    pack_of,
    read_hands,
    read_seat,
    read_side,
)


def judge_dealer(position: Position, seat: str) -> Verdict:
    """The verdict on who deals next: the seat at the left of the dealer before (SPADES-003)."""
    if position.previous_dealer is None:
        return Verdict(missing=(Missing("previous-dealer", a.DEALER.id),))
    order = [other for other in position.table.after(position.previous_dealer) if other != "dummy"]
    if seat != order[0]:
        return Verdict((Breach(a.DEALER.id, "dealer-out-of-turn", {"seat": seat, "next": order[0]}),))
    return Verdict(because=(Because(a.DEALER.id),))


def judge_deal(position: Position, node: Node) -> Verdict:
    """The verdict on dealt hands: `counts` by seat (SPADES-004, 101, 105, 111)."""
    table = position.table
    counts = node["counts"]
    if not counts.object(required=table.seats):
        return Verdict()
    article, breaches, missing = _deal_article(table.rules), [], []
    size, extra = table.rules.tricks, 2 if table.rules.deck == "jokers_dealer_discards" else 0
    held = {seat: counts[seat].integer(low=0, high=60) for seat in table.seats}
    if extra and table.dealer is None:
        missing.append(Missing("dealer", article))
    for seat, count in held.items():
        more = extra if seat == table.dealer else 0
        perhaps = table.dealer is None and count == size + extra and list(held.values()).count(count) == 1
        if count != size + more and not perhaps:
            breaches.append(Breach(article, "hand-count", {"seat": seat, "count": count, "expected": size + more}))
    return Verdict(tuple(breaches), tuple(missing), (Because(article),))


def _deal_article(rules: SpadesRules) -> str:
    if rules.deck == "jokers_dealer_discards":
        return a.JOKERS_DEALER_DISCARDS.id
    return {"solo3": a.SOLO3, "duo_draw": a.DUO_DRAW, "duo_dummy": a.DUO_DUMMY}.get(rules.mode, a.DEALING).id


def judge_draw(position: Position, turns: Node, node: Node) -> Verdict:
    """The verdict on one turn of the two players' draw: exactly one of two cards is kept (SPADES-103).

    `turns` lists the seats that have drawn so far; the move is `{"type": "draw", "seat", "first", "second"}` with
    `keep` or `discard` for each card.
    """
    table = position.table
    seat = read_seat(node["seat"], table)
    kept = [node[name].one_of(("keep", "discard")) == "keep" for name in ("first", "second")]
    drawn = [read_seat(item, table) for item in turns.items(most=26)]
    if table.rules.mode != "duo_draw":
        return Verdict((Breach(a.DUO_DRAW.id, "not-played", {"seat": seat}),))
    if table.dealer is None:
        return Verdict(missing=(Missing("dealer", a.DUO_DRAW.id),))
    breaches = []
    expected = table.after(drawn[-1] if drawn else table.dealer)[0]
    if len(drawn) >= 2 * table.rules.tricks:
        breaches.append(Breach(a.DUO_DRAW.id, "draw-over", {"seat": seat}))
    elif seat != expected:
        breaches.append(Breach(a.DUO_DRAW.id, "draw-out-of-turn", {"seat": seat, "next": expected}))
    if sum(kept) != 1:
        breaches.append(Breach(a.DUO_DRAW.id, "draw-keeps-one", {"seat": seat, "count": sum(kept)}))
    return Verdict(tuple(breaches), because=(Because(a.DUO_DRAW.id),))


@dataclass(frozen=True, slots=True)
class Exchange:
    """What two partners give each other: how many cards each, and which ones where that is told."""

    side: str
    counts: tuple[int, ...]
    cards: Mapping[str, tuple[Card, ...]]
    hands: Mapping[str, tuple[Card, ...]]
    """The hands before the exchange, as far as they are known."""


def read_exchange(node: Node, hands: Node, table: Table) -> Exchange:
    """An exchange as it is announced; `cards` by the seat that gives them."""
    side = read_side(node["side"], table)
    counts = tuple(item.integer(low=0, high=60) for item in node["counts"].items(least=2, most=2))
    given: dict[str, tuple[Card, ...]] = {}
    if node["cards"].present and node["cards"].object(optional=table.members(side)):
        given = read_hands(node["cards"], table)
    return Exchange(side, counts, given, read_hands(hands, table))


def judge_exchange(position: Position, exchange: Exchange) -> Verdict:
    """The verdict on cards that two partners give each other after the bidding (SPADES-028, 145 to 147, 150)."""
    table, rules = position.table, position.table.rules
    side, counts = exchange.side, exchange.counts
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
    given = {*counts, *(len(cards) for cards in exchange.cards.values())}
    declined = counts == (0, 0) and DOUBLE_NIL not in words
    breaches = []
    if given != {0 if declined else expected}:
        facts = {"side": side, "counts": list(counts), "expected": expected}
        breaches.append(Breach(a.EXCHANGE_COUNT.id, "exchange-count", facts))
    missing = []
    for seat, cards in exchange.cards.items():
        breaches += _not_to_give(rules, exchange, seat, cards)
        if seat not in exchange.hands:
            missing.append(Missing("hand", article.id, seat, {"seat": seat}))
    return Verdict(tuple(breaches), tuple(missing), (Because(article.id, {"count": expected}),))


def _not_to_give(rules: SpadesRules, exchange: Exchange, seat: str, cards: Sequence[Card]) -> Iterator[Breach]:
    """Cards that a seat cannot have given away."""
    pack, hand = pack_of(rules), exchange.hands.get(seat)
    for card in cards:
        if card not in pack.cards:
            yield Breach(a.PACK.id, "card-not-in-pack", {"card": str(card)})
        elif hand is not None and card not in hand:
            yield Breach(a.EXCHANGE.id, "card-not-in-hand", {"card": str(card), "seat": seat})


def _exchange_count(rules: SpadesRules, words: set[str]) -> tuple[int, Article]:
    """How many cards go each way, and the article that says so; with both kinds of nil the larger number (A-12)."""
    if DOUBLE_BLIND_NIL in words:
        return 0, a.DOUBLE_BLIND_NIL
    counts = [(rules.double_nil_exchange, a.EXCHANGE)] if DOUBLE_NIL in words else []
    counts += [(rules.nil_exchange, a.NIL_EXCHANGE)] if NIL in words else []
    if not counts:
        return 0, a.EXCHANGE
    best = max(counts, key=lambda pair: pair[0])
    return best if best[0] else (0, a.NO_EXCHANGE if DOUBLE_NIL in words else a.EXCHANGE)
