"""What an evening of Spades is remembered for: nils, and bags that cost points."""

from __future__ import annotations

from typing import Final

from companion.engine.ledger import Line
from companion.engine.story import Feat
from companion.games.spades import articles as a

_NILS: Final = (a.NIL_SCORE.id, a.DOUBLE_NIL_SCORE.id, a.DOUBLE_BLIND_NIL_SCORE.id)


def _nil(line: Line) -> tuple[int, int] | None:
    """Count nils; two that partners made or lost as one count for the side."""
    if line.article == a.BOTH_NIL_UNIT.id:
        return (2 if line.facts["made"] else 0), 2
    return (int(line.facts["made"]), 1) if line.article in _NILS else None


def _bags(line: Line) -> tuple[int, int] | None:
    """Count the penalties, and the bags that went with them."""
    if line.article != a.BAG_PENALTY.id:
        return None
    return line.facts["times"], line.facts["bags"] - line.facts["rest"]


FEATS: Final = (Feat("nil", _nil), Feat("bags", _bags))
