"""The facts of one deal of Spite and Malice as people enter them: who went out, and the pay-off cards left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.deals import RESERVED_SIDE_IDS
from companion.engine.game import read_side_list
from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.rules import SpiteRules

WINNER, REMAINING = "winner", "remaining"


@dataclass(frozen=True, slots=True)
class DealFacts:
    """One deal: the side that went out (None where nobody could), the cards left as entered, and their sum by side."""

    winner: str | None
    remaining: Mapping[str, int]
    left: Mapping[str, int]


def read_sides(node: Node, rules: SpiteRules) -> tuple[Side, ...]:
    """The sides of a score request: two players, or two or three partnerships."""
    sides = read_side_list(node, least=1, most=6)
    article = (a.PLAYERS if rules.players == 2 else a.PARTNERS).id
    expected = rules.players // rules.side_players
    if sides and len(sides) != expected:
        node.fault("sides-count", article, expected=expected, count=len(sides))
    seen: set[str] = set()
    for place, side in enumerate(sides):
        if side.players and len(side.players) != rules.side_players:
            players = Node(None, (*node.pointer, place, "players"), node.problems)
            players.fault("players-count", article, expected=rules.side_players, count=len(side.players))
        for player in side.players:
            if player in seen or player in RESERVED_SIDE_IDS:
                node.fault("side-id", article, value=player)
            seen.add(player)
    return sides


def cards_left(winner: str | None, remaining: Mapping[str, int], rules: SpiteRules, sides: Sequence[Side]) -> DealFacts:
    """Return the facts of a deal from the cards left as they were entered, by side or by player."""
    ids = {side.id for side in sides}
    own = {name: side.id for side in sides for name in side.players if rules.side_players == 1}
    entered = {name if name in ids else own.get(name, name): count for name, count in remaining.items()}
    left = {side.id: sum(entered.get(name, 0) for name in entries(side, rules)) for side in sides if side.id != winner}
    return DealFacts(winner, entered, left)


def entries(side: Side, rules: SpiteRules) -> tuple[str, ...]:
    """The names under which a side's cards are entered: its players, or the side itself where it is one player."""
    return side.players if rules.side_players > 1 and side.players else (side.id,)
