"""Example requests about Spades for the API document, by operation; a test sends every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_POSITION: Final[Mapping[str, object]] = {
    "phase": "play",
    "seats": ["A", "B", "C", "D"],
    "dealer": "D",
    "trick": [{"seat": "A", "card": "9H"}],
    "trick_number": 4,
    "hand": ["7H", "2S"],
}
EXAMPLES: Final[Mapping[str, object]] = {
    "rules": {"rules": {"preset": "classic", "options": {"bag_threshold": 5}}},
    "diff": {"one": "classic", "other": {"preset": "classic", "options": {"bag_threshold": 5}}},
    "score": {
        "sides": [{"id": "NS", "players": ["North", "South"]}, {"id": "EW", "players": ["East", "West"]}],
        "opening": {"NS": {"total": 337, "bags": 7}},
        "deals": [
            {
                "NS": {"bid": 5, "tricks": 8},
                "EW": {"bid": 6, "tricks": 5, "nils": [{"player": "East", "call": "nil", "tricks": 0}]},
            }
        ],
    },
    "check": {"position": _POSITION, "move": {"type": "play", "seat": "B", "card": "2S"}},
    "moves": {"position": _POSITION},
    "replay": {
        "seats": ["A", "B", "C", "D"],
        "dealer": "D",
        "plays": [
            {"seat": "A", "card": "9H"},
            {"seat": "B", "card": "2S"},
            {"seat": "C", "card": "KH"},
            {"seat": "D", "card": "3H"},
            {"seat": "B", "card": "7H"},
        ],
    },
    "batch": {"sides": ["A", "B"], "deals": [{"A": {"bid": 5, "tricks": 8}, "B": {"bid": 6, "tricks": 5}}]},
    "open": {
        "seats": ["Aki", "Ben", "Chie", "Dai"],
        "title": "Friday",
        "game": "spades",
        "rules": {"options": {"target": 300}},
        "dealer": "D",
    },
    "commands": {
        "call": {"type": "make_call", "call": {"seat": "A", "call": 5}},
        "deal": {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}},
        "correction": {
            "type": "correct_deal",
            "deal": 1,
            "facts": {"A+C": {"bid": 5, "tricks": 7}, "B+D": {"bid": 4, "tricks": 6}},
            "reason": "counted again",
        },
        "adjustment": {"type": "adjust", "side": "B+D", "points": -30, "reason": "revoke"},
    },
}
