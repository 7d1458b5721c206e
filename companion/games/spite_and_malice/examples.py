"""Example requests about Spite and Malice for the API document, by operation; a test sends every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_POSITION: Final[Mapping[str, object]] = {
    "player": "A",
    "players": ["A", "B"],
    "payoff": "7",
    "payoff_left": 12,
    "hand": ["4", "9", "K"],
    "side_stacks": [["9", "8"], ["X"]],
    "centre_stacks": ["3", "5"],
    "stock": 40,
}
EXAMPLES: Final[Mapping[str, object]] = {
    "rules": {"rules": {}},
    "diff": {"one": {}, "other": {}},
    "score": {"sides": ["A", "B"], "deals": [{"winner": "A", "remaining": {"B": 9}}]},
    "check": {"position": _POSITION, "move": {"type": "play", "from": "hand", "card": "4", "to": 0}},
    "moves": {"position": _POSITION},
    "batch": {"sides": ["A", "B"], "deals": [{"winner": "A", "remaining": {"B": 9}}]},
    "replay": {
        "players": ["A", "B"],
        "turns": [
            {
                "player": "A",
                "moves": [
                    {"type": "play", "from": "hand", "card": "A", "to": "new"},
                    {"type": "discard", "card": "9", "to": "new"},
                ],
            }
        ],
    },
}
