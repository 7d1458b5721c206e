"""A score sheet to print and fill in with a pencil: which columns each game needs, for how many sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Game
from companion.engine.reading import Node

MOST_SIDES = 4
MOST_PLAYERS_OF_A_SIDE = 3


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns once for a deal, and columns for each of its sides; words under `print.<name>`."""

    shared: tuple[str, ...]
    each: tuple[str, ...]


COLUMNS: Mapping[str, Columns] = {
    "spades": Columns((), ("bid", "tricks", "bags", "points", "total")),
    "casino": Columns(
        ("most-cards", "most-spades", "big-ten", "spy-two", "last-capture"), ("aces", "sweeps", "points", "total")
    ),
    "spite-and-malice": Columns(("winner",), ("cards-left", "points", "total")),
}
_PLAIN = Columns((), ("points", "total"))
_WORTH: Mapping[str, str] = {
    "most-cards": "cards_points",
    "most-spades": "spades_points",
    "big-ten": "big_ten_points",
    "spy-two": "spy_two_points",
    "last-capture": "last_capture_points",
    "aces": "ace_points",
    "sweeps": "sweep",
}
"""The options that say what a column's cards are worth; it falls away where that is nothing."""


def columns(game: Game, rules: Any) -> Columns:
    """The columns of a game under its rules; of a game that has none of its own, points and total."""
    found = COLUMNS.get(game.id, _PLAIN)
    tallies = game.tallies(rules)

    def kept(name: str) -> bool:
        if name == "bags":
            return name in tallies
        return name not in _WORTH or getattr(rules, _WORTH[name]) != 0

    return Columns(tuple(filter(kept, found.shared)), tuple(filter(kept, found.each)))


def side_counts(game: Game, rules: Any) -> list[int]:
    """How many sides the game can have under the rules, fewest first; two where none can be told."""
    counts = []
    for count in range(2, MOST_SIDES + 1):
        for size in range(1, MOST_PLAYERS_OF_A_SIDE + 1):
            node = Node([{"id": f"S{side}", "players": [f"{side}{n}" for n in range(size)]} for side in range(count)])
            game.read_sides(node, rules)
            if not node.problems:
                counts.append(count)
                break
    return counts or [2]
