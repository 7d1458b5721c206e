"""The facts of one deal of Spades as people enter them: contracts, nils, tricks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.game import read_side_list
from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, CONTRACT_CALLS, JOKERS, MOON, NIL_CALLS, NORMAL

DUMMY_TRICKS: Final = "dummy_tricks"

_SIDES: Final = {"partners4": 2, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


@dataclass(frozen=True, slots=True)
class NilFacts:
    """One declared nil: the kind, and the tricks that its player took."""

    call: str
    tricks: int
    player: str | None = None

    @property
    def made(self) -> bool:
        """A nil is made when its player took no trick."""
        return self.tricks == 0


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side's deal: its contract (None where it has none), all its tricks, its nils, its final run of tricks."""

    bid: int | None
    tricks: int
    call: str = NORMAL
    nils: tuple[NilFacts, ...] = ()
    last_tricks: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class DealFacts:
    """One deal: the facts of every side, and the tricks of a dummy that scores nothing."""

    sides: Mapping[str, SideFacts]
    dummy_tricks: int = 0


def call_in_force(rules: SpadesRules, facts: SideFacts) -> str:
    """The call that a side's contract counts as: any final bid of all tricks may be a moon (SPADES-166)."""
    if not rules.thirteen_is_moon or facts.bid != rules.tricks:
        return facts.call
    if facts.call == BLIND:
        return BLIND_MOON if rules.blind_moon else MOON
    return MOON if facts.call == NORMAL else facts.call


def read_sides(node: Node, rules: SpadesRules) -> tuple[Side, ...]:
    """The sides of a score request: two pairs, or everybody alone."""
    sides = read_side_list(node, least=1, most=8)
    expected, players = _SIDES[rules.mode], 2 if rules.partners else 1
    article = (a.PLAYERS if rules.partners else a.SOLO4).id
    if sides and len(sides) != expected:
        node.fault("sides-count", article, expected=expected, count=len(sides))
    for place, side in enumerate(sides):
        if side.id == DUMMY_TRICKS:
            node.fault("side-id", value=side.id)
        if side.players and len(side.players) != players:
            Node(None, (*node.pointer, place, "players"), node.problems).fault(
                "players-count", article, expected=players, count=len(side.players)
            )
    return sides


def read_facts(node: Node, rules: SpadesRules, sides: Sequence[Side]) -> DealFacts:
    """The facts of one deal; counts are read as they stand and judged by the scorer."""
    dummy = 0
    if DUMMY_TRICKS in node:
        if rules.mode != "duo_dummy":
            node[DUMMY_TRICKS].fault("unknown-key", key=DUMMY_TRICKS)
        dummy = node[DUMMY_TRICKS].integer()
    return DealFacts({side.id: _read_side(node[side.id], side) for side in sides}, dummy)


def _read_side(node: Node, side: Side) -> SideFacts:
    plain = _plain_side(node.value)
    if plain is not None:
        return plain
    if not node.object(required=("tricks",), optional=("bid", "call", "nils", "last_tricks")):
        return SideFacts(None, 0)
    bid = node["bid"].optional(lambda n: n.integer())
    tricks = node["tricks"].integer() if node["tricks"].present else 0
    call = node["call"].one_of(CONTRACT_CALLS, default=NORMAL)
    nils = tuple(_read_nil(item, side) for item in node["nils"].items(most=4))
    return SideFacts(bid, tricks, call, nils, node["last_tricks"].cards(jokers=JOKERS))


def _plain_side(value: Any) -> SideFacts | None:
    """What most deals bring, a bid and tricks and nothing else, read at once; None for whatever needs a closer look."""
    if value.__class__ is dict and len(value) == 2:
        bid, tricks = value.get("bid"), value.get("tricks")
        if bid.__class__ is int and tricks.__class__ is int:
            return SideFacts(bid, tricks)
    return None


def _read_nil(node: Node, side: Side) -> NilFacts:
    node.object(required=("call", "tricks"), optional=("player",))
    player = node["player"].optional(lambda n: n.name(most=60))
    if player is not None and side.players and player not in side.players:
        node["player"].fault("unknown-player", value=player, choices=list(side.players))
    tricks = node["tricks"].integer() if node["tricks"].present else 0
    return NilFacts(node["call"].one_of(NIL_CALLS), tricks, player)
