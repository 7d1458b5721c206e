"""What one card can take, and the moves of one request: reading, judging, listing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import Breach, Missing, Verdict
from companion.games.casino import articles as a
from companion.games.casino.capture import SMALL_LAYOUT, Reach, complete_captures, largest, minimal_sets
from companion.games.casino.dealing import judge_deal, judge_recut, judge_request
from companion.games.casino.layout import names
from companion.games.casino.options import CasinoRules
from companion.games.casino.plays import CAPTURE, TRAIL, Material, Play, read_plays
from companion.games.casino.position import Build, Position, read_position
from companion.games.casino.taking import declared_values
from companion.games.casino.turn import play_turn, verdict_of
from companion.games.casino.values import full_pack, hand_values

MOVE_TYPES = ("turn", "request", "deal", "recut")


def judge(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    """The verdict on a turn, a deal, a second cut or a partner's request; faults are noted at the nodes."""
    if not isinstance(move.value, dict):
        move.object()
        return Verdict()
    kind = move["type"].one_of(MOVE_TYPES)
    if kind == "deal":
        return judge_deal(rules, position, move)
    if kind == "recut":
        return judge_recut(rules, position, move)
    read = read_position(position, rules)
    if read is None:
        return Verdict()
    if kind == "request":
        return judge_request(rules, read, move)
    move.object(required=("type", "plays"), optional=("player",))
    plays = read_plays(move["plays"], read)
    player = move["player"].optional(lambda n: n.one_of(read.seats.names, code="unknown-seat"))
    if move.problems:
        return Verdict()
    if player is not None and player != read.player:
        return Verdict((Breach(a.FIRST_PLAYER.id, "out-of-turn", {"seat": player, "expected": read.player}),))
    return verdict_of(play_turn(rules, read, plays))


def list_moves(rules: CasinoRules, request: Node) -> Mapping[str, Any]:
    """What a card can take (`card`, `as`), or a short choice of legal turns with every card of the hand.

    Raises Refused with every problem of the request.
    """
    request.object(required=("position",), optional=("rules", "card", "as"))
    read = read_position(request["position"], rules)
    card = request["card"].optional(lambda n: n.card())
    declared = request["as"].optional(lambda n: n.integer())
    if read is None or request.problems:
        raise Refused(request.problems)
    if card is None:
        return _choice(rules, read)
    values = declared_values(rules, card, declared)
    if not values or card not in full_pack(rules) or card in read.visible():
        if not values:
            request["as"].fault("card-value", card=str(card), values=list(hand_values(rules, card)))
        else:
            request["card"].fault("card-elsewhere", card=str(card))
        raise Refused(request.problems)
    return max((_takes(rules, read, card, value) for value in values), key=lambda one: one["maximum"]["cards"])


def _takes(rules: CasinoRules, position: Position, card: Card, value: int) -> dict[str, Any]:
    reach = Reach(rules, card, value)
    most = largest(reach, position.table)
    taken = most.cards if most else ()
    builds = builds_of(position.builds, value)
    sets, cut = minimal_sets(reach, position.table)
    captures: list[tuple[Card, ...]] | None = None
    more = False
    if len(position.table) <= SMALL_LAYOUT:
        captures, more = complete_captures(reach, position.table, maximum=rules.demand_measure == "maximum")
    moves = [
        turn
        for turn in (_capture(rules, card, value, taken, builds), _trail(card))
        if verdict_of(play_turn(rules, position, turn)).value == "legal"
    ]
    return {
        "as": value or None,
        "maximum": {"cards": len(taken), "table": names(taken), "builds": [build.id for build in builds]},
        "minimal_sets": [names(one) for one in sets],
        "captures": None if captures is None else [names(one) for one in captures],
        "truncated": bool(cut or more or (most and most.truncated)),
        "moves": [_plain(turn) for turn in moves],
        "compulsory": [],
        "missing": [],
    }


def builds_of(builds: Sequence[Build], value: int) -> list[Build]:
    """The builds that a card of this value takes."""
    return [build for build in builds if build.value == value and value]


def _choice(rules: CasinoRules, position: Position) -> dict[str, Any]:
    """For every card of the hand: the largest capture as each of its values, and trailing it, where legal."""
    if position.hand is None:
        missing = Missing("hand", a.ONE_HAND_CARD.id, position.player)
        return {"moves": [], "compulsory": [], "missing": [missing]}
    moves = []
    for card in sorted(position.hand):
        for value in declared_values(rules, card, None):
            found = largest(Reach(rules, card, value), position.table)
            builds = builds_of(position.builds, value)
            moves.append(_capture(rules, card, value, found.cards if found else (), builds))
        moves.append(_trail(card))
    legal = [turn for turn in moves if verdict_of(play_turn(rules, position, turn)).value == "legal"]
    return {"moves": [_plain(turn) for turn in legal], "compulsory": [], "missing": []}


def _capture(
    rules: CasinoRules, card: Card, value: int, table: Sequence[Card], builds: Sequence[Build]
) -> tuple[Play, ...]:
    declared = value if len(hand_values(rules, card)) > 1 else None
    return (Play(CAPTURE, Material(tuple(table), card, builds=tuple(build.id for build in builds)), declared=declared),)


def _trail(card: Card) -> tuple[Play, ...]:
    return (Play(TRAIL, Material(card=card)),)


def _plain(turn: tuple[Play, ...]) -> dict[str, Any]:
    plays = []
    for play in turn:
        one: dict[str, Any] = {"play": play.kind, "card": str(play.material.card)}
        if play.kind == CAPTURE:
            one |= {"table": names(play.material.table), "builds": list(play.material.builds)}
        if play.declared is not None:
            one["as"] = play.declared
        plays.append(one)
    return {"type": "turn", "plays": plays}
