"""Requests about groups shown in the document; a test sends every one of them in this order."""

from __future__ import annotations

from typing import Final

from companion.engine.shapes import Json
from companion.games import default_game
from companion.web.api import sheet_examples

Examples = dict[str, Json]

_GAME: Final = default_game().id

OPEN: Final[Examples] = {"tuesday": {"title": "Tuesday", "names": ["Aki", "Ben", "Chie", "Dai"], "lang": "en"}}

COMMANDS: Final[Examples] = {
    "title": {"type": "title_group", "title": "Tuesdays"},
    "more-players": {"type": "add_members", "names": ["Eve", "Fumi", "Evi"]},
    "rename": {"type": "rename_member", "member": "m1", "name": "Akiko"},
    "merge": {"type": "merge_member", "member": "m7", "into": "m5"},
    "remove": {"type": "remove_member", "member": "m6"},
    "rules": {"type": "keep_rules", "game": _GAME, "code": default_game().options.default_preset},
    "league": {
        "type": "start_league",
        "title": "Autumn",
        "game": _GAME,
        "form": "random-partners",
        "players": ["m1", "m2", "m3", "m4"],
        "win": 2,
        "level": 1,
    },
    "round": {"type": "draw_round", "league": 1, "after": 0, "seed": 4},
}

SHEET: Final[Examples] = {
    "evening": sheet_examples.OPEN[_GAME],
    "league": {**sheet_examples.OPEN[_GAME], "table": [1, 1, 1]},
}
JOIN: Final[Examples] = {"sheet": {"secret": "the score secret of that sheet"}}
LINK: Final[Examples] = {"club-house": {"scope": "watch", "label": "The club house"}}
