"""Requests about sheets shown in the document; a test sends every one of them in this order."""

from __future__ import annotations

from typing import Final

from companion.engine.shapes import Json
from companion.games import default_game

Examples = dict[str, Json]

_GAME: Final = default_game().examples

OPEN: Final[Examples] = {
    default_game().id: _GAME["open"],
    "no-game-yet": {"seats": [{"id": "N", "name": "North"}, {"id": "S", "name": "South"}]},
}

COMMANDS: Final[Examples] = {
    "call": _GAME["commands"]["call"],
    "no-calls-after-all": {"type": "clear_calls"},
    "deal": _GAME["commands"]["deal"],
    "correction": _GAME["commands"]["correction"],
    "adjustment": _GAME["commands"]["adjustment"],
    "undo": {"type": "undo"},
}

PREVIEW: Final[Examples] = {"correction": COMMANDS["correction"]}

WHAT_IF: Final[Examples] = {
    preset: {"rules": {"preset": preset}} for preset in list(default_game().options.presets)[:2]
}

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
