"""Requests about sheets shown in the document; a test sends every one of them in this order."""

from __future__ import annotations

from typing import Any, Final

Examples = dict[str, Any]

OPEN: Final[Examples] = {
    "spades": {
        "seats": ["Aki", "Ben", "Chie", "Dai"],
        "title": "Friday",
        "game": "spades",
        "rules": {"options": {"target": 300}},
        "dealer": "D",
    },
    "no-game-yet": {"seats": [{"id": "N", "name": "North"}, {"id": "S", "name": "South"}]},
}

COMMANDS: Final[Examples] = {
    "call": {"type": "make_call", "call": {"seat": "A", "call": 5}},
    "no-calls-after-all": {"type": "clear_calls"},
    "deal": {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}},
    "correction": {
        "type": "correct_deal",
        "deal": 1,
        "facts": {"A+C": {"bid": 5, "tricks": 7}, "B+D": {"bid": 4, "tricks": 6}},
        "reason": "counted again",
    },
    "adjustment": {"type": "adjust", "side": "B+D", "points": -30, "reason": "revoke"},
    "undo": {"type": "undo"},
}

PREVIEW: Final[Examples] = {"correction": COMMANDS["correction"]}

LINK: Final[Examples] = {"phone": {"scope": "score", "label": "Ben's phone"}}

FILE: Final[Examples] = {
    "beginning": {
        "format": "companion-sheet",
        "format_version": 1,
        "events": [
            {
                "seq": 1,
                "at": "2026-11-20T18:00:00.000Z",
                "actor": "",
                "kind": "sheet_opened",
                "version": 1,
                "data": {"seats": [{"id": "A", "name": "Aki"}, {"id": "B", "name": "Ben"}], "title": "", "lang": ""},
                "hash": "69f64874c70c28d8ae150ba8d03f7f2f6d297e1d83ddc6cac16f14a2338b4139",
            }
        ],
    }
}
