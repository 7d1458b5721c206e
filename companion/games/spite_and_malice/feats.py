"""What an evening of Spite and Malice is remembered for: who went out most often, and who was caught with most."""

from __future__ import annotations

from typing import Final

from companion.engine.ledger import Line
from companion.engine.story import Feat
from companion.games.spite_and_malice import articles as a


def _out(line: Line) -> tuple[int, int] | None:
    """Count the deals in which a side went out, with all that it was worth."""
    if line.article == a.CARDS_LEFT.id:
        return 1, 1
    return (0, 0) if line.article == a.BONUS.id else None


def _caught(line: Line) -> tuple[int, int] | None:
    """Count the cards that the others still had."""
    return (line.facts["cards"], 1) if line.article == a.CARDS_LEFT.id else None


FEATS: Final = (Feat("out", _out, "most"), Feat("caught", _caught, "best"))
