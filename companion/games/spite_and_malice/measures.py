"""What is counted for players of Spite and Malice: who gets rid of the pay-off pile, and what is left of it."""

from __future__ import annotations

from typing import Final

from companion.engine.played import Measure, MeasuredDeal
from companion.games.spite_and_malice import articles as a

_GOING_OUT: Final = (a.CARDS_LEFT.id, a.BONUS.id)


def _out(deal: MeasuredDeal) -> tuple[int, int]:
    return int(deal.facts.winner == deal.side), 1


def _left(deal: MeasuredDeal) -> tuple[int, int] | None:
    return (deal.facts.left[deal.side], 1) if deal.side in deal.facts.left else None


def _payoff(deal: MeasuredDeal) -> tuple[int, int] | None:
    """Count what going out brought, without what the table gave or took by agreement."""
    if deal.facts.winner != deal.side:
        return None
    return sum(line.points for line in deal.score.lines if line.article in _GOING_OUT), 1


MEASURES: Final = (
    Measure("out", _out),
    Measure("payoff", _payoff, share=False),
    Measure("left", _left, share=False),
)
"""All are those of the side."""
