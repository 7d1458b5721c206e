"""Requests shown in the document, by game; a test posts every one of them."""

from __future__ import annotations

from typing import Any, Final

Examples = dict[str, Any]

RULES: Final[Examples] = {
    "spades": {"rules": {"preset": "classic", "options": {"bag_threshold": 5}}},
    "casino": {"rules": {"options": {"target": 11}}},
    "spite-and-malice": {"rules": {}},
}

DIFF: Final[Examples] = {
    "spades": {"one": "classic", "other": {"preset": "classic", "options": {"bag_threshold": 5}}},
    "casino": {"one": {}, "other": {}},
    "spite-and-malice": {"one": {}, "other": {}},
}

SCORE: Final[Examples] = {
    "spades": {
        "sides": [{"id": "NS", "players": ["North", "South"]}, {"id": "EW", "players": ["East", "West"]}],
        "opening": {"NS": {"total": 337, "bags": 7}},
        "deals": [
            {
                "NS": {"bid": 5, "tricks": 8},
                "EW": {"bid": 6, "tricks": 5, "nils": [{"player": "East", "call": "nil", "tricks": 0}]},
            }
        ],
    },
    "casino": {
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
    "spite-and-malice": {"sides": ["A", "B"], "deals": [{"winner": "A", "remaining": {"B": 9}}]},
}

CHECK: Final[Examples] = {
    "spades": {
        "position": {
            "phase": "play",
            "seats": ["A", "B", "C", "D"],
            "dealer": "D",
            "trick": [{"seat": "A", "card": "9H"}],
            "trick_number": 4,
            "hand": ["7H", "2S"],
        },
        "move": {"type": "play", "seat": "B", "card": "2S"},
    },
    "casino": {
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["9H", "5C", "4D"], "hand": ["9S", "2H"]},
        "move": {"type": "turn", "plays": [{"play": "capture", "card": "9S", "table": ["9H", "5C", "4D"]}]},
    },
    "spite-and-malice": {
        "position": {
            "player": "A",
            "players": ["A", "B"],
            "payoff": "7",
            "payoff_left": 12,
            "hand": ["4", "9", "K"],
            "side_stacks": [["9", "8"], ["X"]],
            "centre_stacks": ["3", "5"],
            "stock": 40,
        },
        "move": {"type": "play", "from": "hand", "card": "4", "to": 0},
    },
}

MOVES: Final[Examples] = {
    "spades": {"position": CHECK["spades"]["position"]},
    "casino": {"position": CHECK["casino"]["position"], "card": "9S", "as": 9},
    "spite-and-malice": {"position": CHECK["spite-and-malice"]["position"]},
}

DEMAND: Final[Examples] = {
    "casino": {
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["2S", "2H", "4S", "8D"], "builds": []},
        "card": "8S",
        "table": ["8D"],
        "builds": [],
    },
}

REPLAY: Final[Examples] = {
    "spades": {
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
}

BATCH: Final[Examples] = {
    game: f'{{"sides": ["A", "B"], "deals": {deals}}}\n'
    for game, deals in {
        "spades": '[{"A": {"bid": 5, "tricks": 8}, "B": {"bid": 6, "tricks": 5}}]',
        "spite-and-malice": '[{"winner": "A", "remaining": {"B": 9}}]',
    }.items()
}
