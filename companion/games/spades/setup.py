"""May it begin like this? Whose deal it is, how many cards everybody has, and the draw of two players."""

from __future__ import annotations

from companion.engine.reading import Node
from companion.engine.verdict import Because, Breach, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades.options import SpadesRules
from companion.games.spades.position import Position, read_seat


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
