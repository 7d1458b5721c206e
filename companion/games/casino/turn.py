"""A turn: its plays judged one after another, then as a whole, and the turns that a player may choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import Missing
from companion.games.casino import articles as a
from companion.games.casino.builds import judge_augment, judge_build, judge_raise
from companion.games.casino.capture import (
    SMALL_LAYOUT,
    Reach,
    complete_captures,
    declared_values,
    judge_capture,
    largest,
    minimal_sets,
)
from companion.games.casino.layout import Layout, names
from companion.games.casino.plays import AUGMENT, BUILD, CAPTURE, RAISE, TRAIL, Material, Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import Build, Position, alone_values, full_pack, hand_values, read_position, set_value

_JUDGES = {CAPTURE: judge_capture, BUILD: judge_build, RAISE: judge_raise, AUGMENT: judge_augment}


def play_turn(rules: CasinoRules, position: Position, plays: tuple[Play, ...]) -> Layout:
    """Return the table after the turn with everything found on the way (CASINO-201 to 208, 704)."""
    layout = Layout(rules, position)
    for play in plays:
        _check_material_value(layout, play)
        _JUDGES.get(play.kind, _judge_trail)(layout, play)
        layout.close_play()
    if not layout.played:
        layout.ruling.breach(layout.cite(a.ONE_HAND_CARD, a.STANDARD_TURN), "no-hand-card")
    for name, value in layout.awaiting.items():
        layout.ruling.breach(a.OPPONENTS_BUILD, "not-captured", build=name, value=value)
    layout.check_kept()
    return layout


def _judge_trail(layout: Layout, play: Play) -> None:
    """Judge one hand card that joins the loose cards (CASINO-701 to 705, STD-601, ROY-205)."""
    material, rules = play.material, layout.rules
    if material.table or material.piles or material.builds:
        cards = names((*material.table, *(card for _, card in material.piles)))
        layout.ruling.breach(a.TRAIL, "trail-takes-cards", cards=cards, builds=list(material.builds))
    card = material.card
    if card is None:
        layout.ruling.breach(a.TRAIL, "trail-without-card")
        return
    layout.play_card(card)
    if not rules.owner_may_trail:
        layout.charge_owner(a.OWNER_MAY_NOT_TRAIL, "owner-trails")
    else:
        layout.charge_owner(a.FIRST_HALF, "owner-trails-first-half")
    if not rules.trail_equal:
        equal = [one for one in layout.loose if one.rank == card.rank]
        if equal:
            layout.ruling.breach(a.EQUAL_CARDS_TAKEN, "trail-equal", card=str(card), cards=names(equal))
    layout.loose += layout.place((card,))
    layout.trailed.append(card)
    layout.ruling.allow(a.TRAIL_ANY_CARD, card=str(card))


def _check_material_value(layout: Layout, play: Play) -> None:
    """Check that a value declared for a card in a set or on the table is one that it has there."""
    card = play.material.card
    if play.kind == CAPTURE or play.declared is None or card is None:
        return
    possible = {set_value(layout.rules, card), *alone_values(layout.rules, card)} - {0}
    if play.declared not in possible:
        facts = {"card": str(card), "declared": play.declared, "values": sorted(possible)}
        layout.ruling.breach(a.ACE_VALUES if card.rank == "A" else a.GIVEN_VALUES, "declared-value", **facts)


def list_moves(rules: CasinoRules, request: Node) -> Mapping[str, Any]:
    """Return what a card can take (`card`, `as`), or a short choice of legal turns with every card of the hand.

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
        if play_turn(rules, position, turn).verdict().value == "legal"
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
    """Return the builds that a card of this value takes."""
    return [build for build in builds if build.value == value and value]


def _choice(rules: CasinoRules, position: Position) -> Mapping[str, object]:
    """Return, for each card of the hand, the largest capture as each of its values and the trail, where legal."""
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
    legal = [turn for turn in moves if play_turn(rules, position, turn).verdict().value == "legal"]
    return {"moves": [_plain(turn) for turn in legal], "compulsory": [], "missing": []}


def _capture(
    rules: CasinoRules, card: Card, value: int, table: Sequence[Card], builds: Sequence[Build]
) -> tuple[Play, ...]:
    declared = value if len(hand_values(rules, card)) > 1 else None
    return (Play(CAPTURE, Material(tuple(table), card, builds=tuple(build.id for build in builds)), declared=declared),)


def _trail(card: Card) -> tuple[Play, ...]:
    return (Play(TRAIL, Material(card=card)),)


def _plain(turn: tuple[Play, ...]) -> dict[str, object]:
    plays = []
    for play in turn:
        one: dict[str, object] = {"play": play.kind, "card": str(play.material.card)}
        if play.kind == CAPTURE:
            one |= {"table": names(play.material.table), "builds": list(play.material.builds)}
        if play.declared is not None:
            one["as"] = play.declared
        plays.append(one)
    return {"type": "turn", "plays": plays}
