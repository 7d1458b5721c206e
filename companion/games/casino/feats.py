"""What an evening of Casino is remembered for: sweeps, the big ten, all aces, everything."""

from __future__ import annotations

from typing import Final

from companion.engine.ledger import Line
from companion.engine.story import Feat
from companion.games.casino import articles as a
from companion.games.casino.score import ACES


def _sweeps(line: Line) -> tuple[int, int] | None:
    """Count the sweeps that scored; those of both sides that cancel each other do not."""
    if line.article not in (a.SWEEPS.id, a.SWEEPS_CANCEL.id):
        return None
    return line.facts["sweeps"] - line.facts["cancelled"], line.facts["sweeps"]


def _big_ten(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.BIG_TEN.id else None


def _aces(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.ACES.id and line.facts["aces"] == ACES else None


def _shutout(line: Line) -> tuple[int, int] | None:
    return (1, 1) if line.article == a.SHUTOUT.id else None


FEATS: Final = (
    Feat("shutout", _shutout),
    Feat("aces", _aces),
    Feat("sweeps", _sweeps, "most"),
    Feat("big-ten", _big_ten, "most"),
)
