"""Example requests of the OpenAPI document: of games, sheets and groups; a test sends all of them in this order."""

from __future__ import annotations

import json
from typing import Final

from companion.engine.shapes import Json
from companion.games import GAMES, default_game

_Examples = dict[str, Json]


def of_operation(operation: str) -> _Examples:
    """Return the example of every game that has one for an operation."""
    return {game.id: game.examples[operation] for game in GAMES.values() if operation in game.examples}


RULES: Final = of_operation("rules")
DIFF: Final = of_operation("diff")
SCORE: Final = of_operation("score")
CHECK: Final = of_operation("check")
MOVES: Final = of_operation("moves")
REPLAY: Final = of_operation("replay")
REFUSED: Final = of_operation("refused")
"""Score requests whose facts cannot be."""
BATCH: Final[_Examples] = {game: f"{json.dumps(request)}\n" for game, request in of_operation("batch").items()}
REPLAY_BATCH: Final[_Examples] = {game: f"{json.dumps(request)}\n" for game, request in REPLAY.items()}

_GAME: Final = default_game().id
_OF_GAME: Final = default_game().examples

OPEN: Final[_Examples] = {
    _GAME: _OF_GAME["open"],
    "no-game-yet": {"seats": [{"id": "N", "name": "North"}, {"id": "S", "name": "South"}]},
}

COMMANDS: Final[_Examples] = {
    "call": _OF_GAME["commands"]["call"],
    "no-calls-after-all": {"type": "clear_calls"},
    "deal": _OF_GAME["commands"]["deal"],
    "correction": _OF_GAME["commands"]["correction"],
    "adjustment": _OF_GAME["commands"]["adjustment"],
    "undo": {"type": "undo"},
    "somebody-leaves": {"type": "take_seat", "seat": "B", "player": "Eve"},
}

PREVIEW: Final[_Examples] = {"correction": COMMANDS["correction"]}

WHAT_IF: Final[_Examples] = {
    preset: {"rules": {"preset": preset}} for preset in list(default_game().options.presets)[:2]
}

LINK: Final[_Examples] = {"phone": {"scope": "score", "label": "Ben's phone"}}

FILE: Final[_Examples] = {
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

GROUP_OPEN: Final[_Examples] = {"tuesday": {"title": "Tuesday", "names": ["Aki", "Ben", "Chie", "Dai"], "lang": "en"}}

GROUP_COMMANDS: Final[_Examples] = {
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

GROUP_SHEET: Final[_Examples] = {
    "evening": OPEN[_GAME],
    "league": {**OPEN[_GAME], "table": [1, 1, 1]},
}
GROUP_JOIN: Final[_Examples] = {"sheet": {"secret": "the score secret of that sheet"}}
GROUP_LINK: Final[_Examples] = {"club-house": {"scope": "watch", "label": "The club house"}}
