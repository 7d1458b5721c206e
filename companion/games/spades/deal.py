"""One move in one position, and every move instead of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.engine.problems import Node, Refused
from companion.engine.verdict import LEGAL, UNDECIDED, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades.bidding import judge_call
from companion.games.spades.calls import Bids, call_menu
from companion.games.spades.impossible import contradictions
from companion.games.spades.play import judge_play, opening_leaders
from companion.games.spades.rules import SpadesRules
from companion.games.spades.setup import judge_deal, judge_dealer, judge_draw, judge_exchange
from companion.games.spades.shapes import read_check, read_moves_request
from companion.games.spades.table import (
    BLIND,
    NIL_CALLS,
    Call,
    Dealt,
    Draw,
    Exchange,
    Move,
    NextDealer,
    Played,
    Position,
)
from companion.games.spades.tricks import next_in_trick


def judge(rules: SpadesRules, position_node: Node, move_node: Node) -> Verdict:
    """Return the verdict on a move in a position. Raises Refused where either cannot be read, or no deal fits."""
    read = read_check(position_node, move_node, rules)
    if read is None or position_node.problems or move_node.problems:
        known = position_node.problems
        raise Refused([*known, *(problem for problem in move_node.problems if problem not in known)])
    position, move = read
    _require_possible(position, position_node, move.seat if isinstance(move, Played) else None)
    return judge_move(position, move)


def _require_possible(position: Position, node: Node, seat: str | None) -> None:
    found = [replace(one, pointer=(*node.pointer, *one.pointer)) for one in contradictions(position, seat)]
    if found:
        raise Refused(found)


def judge_move(position: Position, move: Move) -> Verdict:
    """Return the verdict on a call, a card, or what precedes the first lead."""
    match move:
        case Call():
            return judge_call(position, move)
        case Played():
            return judge_play(position, move)
        case Exchange():
            return judge_exchange(position, move)
        case Dealt(counts):
            return judge_deal(position, counts)
        case NextDealer(seat):
            return judge_dealer(position, seat)
        case Draw():
            return judge_draw(position, move)


def list_moves(rules: SpadesRules, request: Node) -> Mapping[str, object]:
    """Return every legal call or card of who is to move; `missing` says what must be known for more.

    `seat` names the mover where the position does not say it; `looked` answers the question of blind calls.
    Raises Refused.
    """
    asked = request.require(read_moves_request(request, rules))
    position, seat = asked.position, asked.seat
    _require_possible(position, request["position"], seat)
    if position.phase == "bidding":
        return _calls(position, seat, asked.looked)
    return _cards(position, seat)


def _calls(position: Position, seat: str | None, looked: bool | None) -> Mapping[str, object]:
    if position.table.dealer is None:
        return _answer((), (Missing("dealer", a.BID_IN_TURN.id),))
    moves, missing = [], {}
    bids = Bids(position.table, position.calls or ())
    for call in _candidates(bids, seat, looked):
        verdict = judge_call(position, call, bids)
        if verdict.value == LEGAL:
            who = {"side": call.side} if call.seat is None else {"seat": call.seat}
            said = {} if call.looked is None else {"looked": call.looked}
            moves.append({"type": "call", **who, "call": call.spoken, **said})
        elif verdict.value == UNDECIDED:
            missing.update({(item.fact, item.article): item for item in verdict.missing})
    return _answer(moves, missing.values())


def _candidates(bids: Bids, seat: str | None, looked: bool | None) -> Sequence[Call]:
    """Return every call of who is to call, or of a seat: numbers, blind numbers, nils, moons, a pass."""
    if seat is not None:
        menu = call_menu(bids, seat, bids.table.side(seat), looked=looked)
    elif not bids.by_sides and not bids.turn[0]:
        return ()
    else:
        menu = call_menu(bids, *bids.caller(), looked=looked)
    blind = [call for call in menu.special if call.word == BLIND]
    nils = sorted(menu.nils, key=lambda call: NIL_CALLS.index(call.word))
    moons = [call for call in menu.special if call.word != BLIND]
    return (*menu.numbers, *blind, *nils, *moons, *menu.passes)


def _cards(position: Position, seat: str | None) -> Mapping[str, object]:
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


def _answer(moves: Iterable[Mapping[str, object]], missing: Iterable[Missing]) -> Mapping[str, object]:
    """Return the answer; a card that must be played is compulsory when it is the only one."""
    found = list(moves)
    return {"moves": found, "compulsory": found if len(found) == 1 else [], "missing": list(missing)}
