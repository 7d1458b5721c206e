"""The facts of one deal of Spades as people enter them: contracts, nils, tricks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.engine.cards import Card
from companion.engine.game import read_side_list
from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, MOON, NORMAL

DUMMY_TRICKS: Final = "dummy_tricks"

_SIDES: Final = {"partners4": 2, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


class NilFacts(NamedTuple):
    """One declared nil: the kind, and the tricks that its player took."""

    call: str
    tricks: int
    player: str | None = None

    @property
    def made(self) -> bool:
        """A nil is made when its player took no trick."""
        return self.tricks == 0


class SideFacts(NamedTuple):
    """One side's deal: its contract (None where it has none), all its tricks, its nils, its final run of tricks."""

    bid: int | None
    tricks: int
    call: str = NORMAL
    nils: tuple[NilFacts, ...] = ()
    last_tricks: tuple[Card, ...] = ()


class DealFacts(NamedTuple):
    """One deal: the facts of every side, and the tricks of a dummy that scores nothing."""

    sides: Mapping[str, SideFacts]
    dummy_tricks: int = 0


def call_in_force(rules: SpadesRules, facts: SideFacts) -> str:
    """Return the call that a side's contract counts as: any final bid of all tricks may be a moon (SPADES-166)."""
    if not rules.thirteen_is_moon or facts.bid != rules.tricks:
        return facts.call
    if facts.call == BLIND:
        return BLIND_MOON if rules.blind_moon else MOON
    return MOON if facts.call == NORMAL else facts.call


def read_sides(node: Node, rules: SpadesRules) -> tuple[Side, ...]:
    """Read the sides of a score request: two pairs, or everybody alone."""
    sides = read_side_list(node)
    expected, players = _SIDES[rules.mode], 2 if rules.partners else 1
    article = (a.PLAYERS if rules.partners else a.SOLO4).id
    if sides and len(sides) != expected:
        node.fault("sides-count", article, expected=expected, count=len(sides))
    for place, side in enumerate(sides):
        if side.id == DUMMY_TRICKS:
            node.fault("side-id", value=side.id)
        if side.players and len(side.players) != players:
            node.fault("players-count", article, at=(place, "players"), expected=players, count=len(side.players))
    return sides
