"""Example requests about Casino for the API document, by operation; a test sends every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_POSITION: Final[Mapping[str, object]] = {
    "seats": ["P1", "P2"],
    "player": "P1",
    "table": ["9H", "5C", "4D"],
    "hand": ["9S", "2H"],
}
EXAMPLES: Final[Mapping[str, object]] = {
    "rules": {"rules": {"options": {"target": 11}}},
    "diff": {"one": {}, "other": {}},
    "score": {
        "sides": ["A", "B"],
        "deals": [
            {
                "A": {
                    "cards": 30,
                    "spades": 8,
                    "aces": 3,
                    "big_ten": True,
                    "spy_two": False,
                    "sweeps": 0,
                    "last_capture": True,
                },
                "B": {
                    "cards": 22,
                    "spades": 5,
                    "aces": 1,
                    "big_ten": False,
                    "spy_two": True,
                    "sweeps": 0,
                    "last_capture": False,
                },
            }
        ],
    },
    "check": {
        "position": _POSITION,
        "move": {"type": "turn", "plays": [{"play": "capture", "card": "9S", "table": ["9H", "5C", "4D"]}]},
    },
    "moves": {"position": _POSITION, "card": "9S", "as": 9},
    "demand": {
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["2S", "2H", "4S", "8D"], "builds": []},
        "card": "8S",
        "table": ["8D"],
        "builds": [],
    },
    "replay": {
        "seats": ["P1", "P2"],
        "dealer": "P2",
        "table": ["9H", "5C", "4D", "KS"],
        "turns": [
            {"player": "P1", "plays": [{"play": "capture", "card": "9S", "table": ["9H", "5C", "4D"]}]},
            {"player": "P2", "plays": [{"play": "trail", "card": "2C"}]},
        ],
    },
}
