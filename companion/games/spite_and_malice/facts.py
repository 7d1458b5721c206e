"""The facts of one deal of Spite and Malice as people enter them: who went out, and the pay-off cards left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.deals import POINTS_LIMIT, RESERVED_SIDE_IDS
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


def read_facts(node: Node, rules: SpiteRules, sides: Sequence[Side]) -> DealFacts:
    """The facts of one deal; whose cards are left, and how many, is judged by the scorer."""
    for key in (WINNER, REMAINING):
        if not node[key].present:
            node[key].fault("required")
    for side in sides:
        if node[side.id].present and side.id not in (WINNER, REMAINING):
            node[side.id].fault("unknown-key", key=side.id)
    winner = node[WINNER].optional(lambda n: n.one_of([side.id for side in sides], code="unknown-side"))
    remaining: dict[str, int] = {}
    left, ids = node[REMAINING], {name: side.id for side in sides for name in side.players if rules.side_players == 1}
    if left.present and left.object(others=True):
        for name in left.value:
            count = left[name].integer(low=0, high=POINTS_LIMIT, code="remaining-range", article=a.CARDS_LEFT.id)
            alone = name not in {side.id for side in sides}
            remaining[ids.get(name, name) if alone else name] = count
    return DealFacts(
        winner,
        remaining,
        {side.id: sum(remaining.get(name, 0) for name in entries(side, rules)) for side in sides if side.id != winner},
    )


def entries(side: Side, rules: SpiteRules) -> tuple[str, ...]:
    """The names under which a side's cards are entered: its players, or the side itself where it is one player."""
    return side.players if rules.side_players > 1 and side.players else (side.id,)
