"""The facts of one deal of Casino as people enter them: captured cards, counts, or only who had the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card
from companion.engine.game import read_side_list
from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.casino import articles as a
from companion.games.casino.options import CasinoRules
from companion.games.casino.values import BIG_TEN, SPY_TWO

UNCLAIMED: Final = "unclaimed"
MOST_PLAYERS: Final = 4

_MOST_COUNT: Final = 1_000
_BESIDE: Final = ("sweeps", "last_capture")
_COUNTED: Final = ("cards", "spades", "most_cards", "most_spades", "aces", "big_ten", "spy_two")


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side's deal. A count is None where only `most_...` was entered: who had the most, or shared the most."""

    cards: int | None
    spades: int | None
    aces: int
    big_ten: bool
    spy_two: bool
    sweeps: int = 0
    last_capture: bool = False
    most_cards: bool = False
    most_spades: bool = False
    captured: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class DealFacts:
    """One deal: the facts of every side, and how many cards nobody took."""

    sides: Mapping[str, SideFacts]
    unclaimed: int = 0


def read_sides(node: Node, rules: CasinoRules) -> tuple[Side, ...]:
    """The sides of a score request: two to four, of four players at most (CASINO-001)."""
    sides = read_side_list(node, least=1, most=8)
    if sides and not 2 <= len(sides) <= MOST_PLAYERS:
        node.fault("sides-count", a.PLAYERS.id, low=2, high=MOST_PLAYERS, count=len(sides))
    for place, side in enumerate(sides):
        if side.id == UNCLAIMED:
            node.fault("side-id", value=side.id)
        most = 2 if len(sides) == 2 else 1
        if len(side.players) > most:
            Node(None, (*node.pointer, place, "players"), node.problems).fault(
                "players-count", a.PLAYERS.id, expected=most, count=len(side.players)
            )
    return sides


def read_facts(node: Node, rules: CasinoRules, sides: Sequence[Side]) -> DealFacts:
    """The facts of one deal; counts are read as they stand and judged by the scorer."""
    unclaimed = node[UNCLAIMED].integer(low=0, high=_MOST_COUNT) if node[UNCLAIMED].present else 0
    facts = {side.id: _read_side(node[side.id]) for side in sides}
    for count, most in (("cards", "most_cards"), ("spades", "most_spades")):
        _same_form(node, sides, facts, count, most)
    return DealFacts(facts, unclaimed)


def from_cards(cards: Sequence[Card], *, sweeps: int = 0, last_capture: bool = False) -> SideFacts:
    """The facts of a side that took exactly these cards."""
    return SideFacts(
        cards=len(cards),
        spades=sum(card.suit == "S" for card in cards),
        aces=sum(card.rank == "A" for card in cards),
        big_ten=BIG_TEN in cards,
        spy_two=SPY_TWO in cards,
        sweeps=sweeps,
        last_capture=last_capture,
        captured=tuple(cards),
    )


def _read_side(node: Node) -> SideFacts:
    if node["captured"].present:
        node.object(required=("captured",), optional=_BESIDE)
        return from_cards(node["captured"].cards(), sweeps=_sweeps(node), last_capture=_last_capture(node))
    if not node.object(required=("aces", "big_ten", "spy_two"), optional=(*_COUNTED, *_BESIDE)):
        return SideFacts(0, 0, 0, False, False)
    for count, most in (("cards", "most_cards"), ("spades", "most_spades")):
        if not node[count].present and not node[most].present:
            node[count].fault("required")
        elif node[count].present and node[most].present:
            node[most].fault("unknown-key", key=most)
    return SideFacts(
        cards=_count(node["cards"]),
        spades=_count(node["spades"]),
        aces=_count(node["aces"]) or 0,
        big_ten=node["big_ten"].flag(default=False),
        spy_two=node["spy_two"].flag(default=False),
        sweeps=_sweeps(node),
        last_capture=_last_capture(node),
        most_cards=node["most_cards"].flag(default=False),
        most_spades=node["most_spades"].flag(default=False),
    )


def _count(node: Node) -> int | None:
    return node.integer(low=0, high=_MOST_COUNT) if node.present else None


def _sweeps(node: Node) -> int:
    return node["sweeps"].integer(low=0, high=_MOST_COUNT) if node["sweeps"].present else 0


def _last_capture(node: Node) -> bool:
    return node["last_capture"].flag(default=False)


def _same_form(node: Node, sides: Sequence[Side], facts: Mapping[str, SideFacts], count: str, most: str) -> None:
    """A majority is entered as counts by every side or as who had the most by every side."""
    without = [side.id for side in sides if getattr(facts[side.id], count) is None]
    if without and len(without) < len(sides):
        for side in without:
            if node[side][most].present:  # where neither is written, the count was missed already
                node[side][most].fault("unknown-key", key=most)
                node[side][count].fault("required")
