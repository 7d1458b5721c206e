"""Requests shown in the document, by game, as the games themselves give them; a test posts every one of them."""

from __future__ import annotations

import json
from typing import Any, Final

from companion.games import GAMES

Examples = dict[str, Any]


def _of(operation: str) -> Examples:
    """Return the example of every game that has one for an operation."""
    return {game.id: game.examples[operation] for game in GAMES.values() if operation in game.examples}


RULES: Final = _of("rules")
DIFF: Final = _of("diff")
SCORE: Final = _of("score")
CHECK: Final = _of("check")
MOVES: Final = _of("moves")
DEMAND: Final = _of("demand")
REPLAY: Final = _of("replay")
BATCH: Final[Examples] = {game: f"{json.dumps(request)}\n" for game, request in _of("batch").items()}
