"""The shapes of Casino in JSON: facts of a deal, positions, turns and other moves, recorded deals, the demand."""

from __future__ import annotations

from companion.games.casino.shapes.facts import CasinoDeal
from companion.games.casino.shapes.moves import MOVE, PLAYS, check_ids
from companion.games.casino.shapes.position import Around, DealtShape, PositionShape, read_around, read_position
from companion.games.casino.shapes.questions import (
    SHAPES,
    CasinoDemandRequest,
    CasinoMovesRequest,
    CasinoReplayRequest,
    DemandRequest,
    Hands,
    Record,
    read_demand,
    read_moves_request,
    read_record,
)

__all__ = [
    "MOVE",
    "PLAYS",
    "SHAPES",
    "Around",
    "CasinoDeal",
    "CasinoDemandRequest",
    "CasinoMovesRequest",
    "CasinoReplayRequest",
    "DealtShape",
    "DemandRequest",
    "Hands",
    "PositionShape",
    "Record",
    "check_ids",
    "read_around",
    "read_demand",
    "read_moves_request",
    "read_position",
    "read_record",
]
