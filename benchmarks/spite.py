"""What a verdict of Spite and Malice costs on a position that is read already, beside a step of TextArena's game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.measure import Measured
from benchmarks.peers import against
from companion.engine.problems import Node
from companion.engine.shapes import read_at
from companion.games import GAMES
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.position import MOVE, players_in
from companion.games.spite_and_malice.shapes import read_position

_TABLE: Final[Mapping[str, Any]] = {
    "players": ["A", "B"], "player": "A", "payoff": "7", "payoff_left": 12, "hand": ["4", "9", "K", "2", "J"],
    "side_stacks": [["9", "8"], ["J", "10"], ["5"]], "centre_stacks": ["3", "6", "A", "10"], "stock": 40,
}  # fmt: skip
_MOVES: Final[tuple[Mapping[str, Any], ...]] = (
    {"type": "play", "from": "hand", "card": "4", "to": 0},
    {"type": "play", "from": "payoff", "to": 1},
    {"type": "play", "from": "hand", "card": "2", "to": 2},
    {"type": "play", "from": "side", "stack": 1, "to": 3},
    {"type": "discard", "card": "9", "to": 0},
    {"type": "discard", "card": "K", "to": "new"},
    {"type": "end_turn"},
)
_PRESETS: Final = ("blackwood", "massachusetts")


def spite() -> Iterator[Measured]:
    """Legal and illegal plays, discards and ends of turns under rules with and without compulsory plays."""
    questions = []
    for preset in _PRESETS:
        rules = GAMES["spite-and-malice"].options.preset(preset).options
        position = read_position(rules, Node(dict(_TABLE)))
        players = players_in(rules, Node(_TABLE["players"]))
        for move in _MOVES:
            questions.append((rules, position, read_at(Node(dict(move)), MOVE, context=players)))

    def judge_all() -> None:
        for rules, position, move in questions:
            judge_move(rules, position, move).value  # noqa: B018

    ratio = against("textarena", "step", judge_all, times=100, units=len(questions))
    yield Measured("Spite and Malice: a move judged: time against a step", ratio, 0.5, "<=", peer="TextArena")
