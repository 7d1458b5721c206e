"""Requests shown in the document, by game, as the games themselves give them; a test posts every one of them."""

from __future__ import annotations

import json
from typing import Final

from companion.engine.shapes import Json
from companion.games import GAMES

Examples = dict[str, Json]


def of_operation(operation: str) -> Examples:
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
BATCH: Final[Examples] = {game: f"{json.dumps(request)}\n" for game, request in of_operation("batch").items()}
REPLAY_BATCH: Final[Examples] = {game: f"{json.dumps(request)}\n" for game, request in REPLAY.items()}
