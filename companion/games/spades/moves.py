"""One move in one position: which judge it belongs to, and everything that could be done instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import LEGAL, UNDECIDED, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.bidding import judge_call
from companion.games.spades.bids import Bids
from companion.games.spades.exchange import judge_exchange, read_exchange
from companion.games.spades.leader import opening_leaders
from companion.games.spades.options import SpadesRules
from companion.games.spades.pack import JOKERS
from companion.games.spades.play import judge_play, next_in_trick
from companion.games.spades.position import (
    PASS,
    Call,
    Played,
    Position,
    read_call,
    read_position,
    read_seat,
)  # fmt: skip
from companion.games.spades.setup import judge_deal, judge_dealer, judge_draw

MOVES: Final = {
    "call": ("call",),
    "play": ("seat", "card"),
    "exchange": ("side", "counts"),
    "deal": ("counts",),
    "dealer": ("seat",),
    "draw": ("seat", "first", "second"),
}
_OPTIONAL: Final = {"call": ("seat", "side", "looked"), "exchange": ("cards",)}


def judge(rules: SpadesRules, position_node: Node, move_node: Node) -> Verdict:
    """The verdict on a move in a position. Raises Refused where either cannot be read."""
    position = read_position(position_node, rules)
    verdict = Verdict()
    if move_node.object(required=("type",), others=True) and position is not None:
        kind = move_node["type"].one_of(tuple(MOVES))
        move_node.object(required=("type", *MOVES[kind]), optional=_OPTIONAL.get(kind, ()))
        verdict = _judge(kind, position, position_node, move_node)
    if position_node.problems or move_node.problems:
        raise Refused([*position_node.problems, *(p for p in move_node.problems if p not in position_node.problems)])
    return verdict


def _judge(kind: str, position: Position, position_node: Node, node: Node) -> Verdict:
    table = position.table
    if kind == "call":
        call = read_call(node, table)
        return Verdict() if node.problems else judge_call(position, call)
    if kind == "play":
        seat, card = read_seat(node["seat"], table), node["card"].card(jokers=JOKERS)
        return Verdict() if node.problems else judge_play(position, Played(seat, card))
    if kind == "exchange":
        exchange = read_exchange(node, position_node["hands"], table)
        return Verdict() if node.problems else judge_exchange(position, exchange)
    if kind == "dealer":
        seat = read_seat(node["seat"], table)
        return Verdict() if node.problems else judge_dealer(position, seat)
    if kind == "deal":
        return judge_deal(position, node)
    return judge_draw(position, position_node["turns"], node)


def list_moves(rules: SpadesRules, request: Node) -> Mapping[str, Any]:
    """Every legal call or card of who is to move; `missing` says what must be known for more.

    `seat` names the mover where the position does not say it; `looked` answers the question of blind calls.
    Raises Refused.
    """
    request.object(required=("position",), optional=("rules", "seat", "looked"))
    position = read_position(request["position"], rules)
    looked = request["looked"].optional(lambda n: n.flag())
    seat = None
    if position is not None:
        table = position.table
        seat = request["seat"].optional(lambda n: read_seat(n, table))
    if position is None or request.problems:
        raise Refused(request.problems)
    if position.phase == "bidding":
        return _calls(position, seat, looked)
    return _cards(position, seat)


def _calls(position: Position, seat: str | None, looked: bool | None) -> Mapping[str, Any]:
    if position.table.dealer is None:
        return _answer((), (Missing("dealer", a.BID_IN_TURN.id),))
    moves, missing = [], {}
    for call in _candidates(position, seat, looked):
        verdict = judge_call(position, call)
        if verdict.value == LEGAL:
            who = {"side": call.side} if call.seat is None else {"seat": call.seat}
            said = {} if call.looked is None else {"looked": call.looked}
            moves.append({"type": "call", **who, "call": call.spoken, **said})
        elif verdict.value == UNDECIDED:
            missing.update({(item.fact, item.article): item for item in verdict.missing})
    return _answer(moves, missing.values())


def _candidates(position: Position, seat: str | None, looked: bool | None) -> Iterable[Call]:
    table, rules = position.table, position.table.rules
    bids = Bids(table, position.calls or ())
    numbers = [(f.NORMAL, n) for n in range(rules.max_contract + 1)]
    numbers += [(f.BLIND, n) for n in range(rules.blind_bid_min, rules.tricks + 1)]
    words = [(word, None) for word in (*f.NIL_CALLS, f.MOON, f.BLIND_MOON, PASS)]
    if rules.bid_method == "consultation" and rules.partners and seat is None:
        dealers = table.side(table.dealer or table.seats[0])
        side = next((s for s in (*(x for x in table.sides if x != dealers), dealers) if not bids.complete(s)), dealers)
        for word, number in (*numbers, *words):
            if word in f.NIL_CALLS:
                yield from (Call(word, None, one, side, looked) for one in table.members(side))
            else:
                yield Call(word, number, None, side, looked)
        return
    seats = [seat] if seat is not None else list(bids.next_seats()[0])[:1]
    for one in seats:
        for word, number in (*numbers, *words):
            yield Call(word, number, one, table.side(one), looked)


def _cards(position: Position, seat: str | None) -> Mapping[str, Any]:
    table = position.table
    if seat is None and position.trick:
        seat = next_in_trick(table, position.trick)
    if seat is None:
        leaders = opening_leaders(table, position.calls) if position.trick_number == 1 else ()
        seat = position.leader or next(iter(leaders), None)
    if seat is None:
        return _answer((), (Missing("seat", a.WINNER_LEADS.id),))
    if position.hand is None:
        return _answer((), (Missing("hand", a.FOLLOW_SUIT.id, seat, {"seat": seat}),))
    moves, missing = [], {}
    for card in position.hand:
        verdict = judge_play(position, Played(seat, card))
        if verdict.value == LEGAL:
            moves.append({"type": "play", "seat": seat, "card": str(card)})
        elif verdict.value == UNDECIDED:
            missing.update({(item.fact, item.article): item for item in verdict.missing})
    return _answer(moves, missing.values())


def _answer(moves: Iterable[Mapping[str, Any]], missing: Iterable[Missing]) -> Mapping[str, Any]:
    """The answer's shape; a card that must be played is compulsory when it is the only one."""
    found = list(moves)
    return {"moves": found, "compulsory": found if len(found) == 1 else [], "missing": list(missing)}
