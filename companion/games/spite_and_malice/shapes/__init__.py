"""The shapes of Spite and Malice in JSON: facts of a deal, positions, announcements, recorded deals."""

from __future__ import annotations

from companion.games.spite_and_malice.shapes.answers import SHAPES, SpiteAndMaliceDeal
from companion.games.spite_and_malice.shapes.fields import players_in
from companion.games.spite_and_malice.shapes.moves import MOVE
from companion.games.spite_and_malice.shapes.position import PositionShape, read_position
from companion.games.spite_and_malice.shapes.record import Moves, Shown, SpiteAndMaliceReplayRequest

__all__ = [
    "MOVE",
    "SHAPES",
    "Moves",
    "PositionShape",
    "Shown",
    "SpiteAndMaliceDeal",
    "SpiteAndMaliceReplayRequest",
    "players_in",
    "read_position",
]
