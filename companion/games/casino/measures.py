"""What is counted for players of Casino: the parts of the score that people remember."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.engine.played import Measure, MeasuredDeal
from companion.games.casino.score import leaders


def _most(item: str) -> Callable[[MeasuredDeal], tuple[int, int]]:
    return lambda deal: (int([*leaders(deal.facts, item)] == [deal.side]), 1)


def _has(item: str) -> Callable[[MeasuredDeal], tuple[int, int]]:
    return lambda deal: (int(getattr(deal.facts.sides[deal.side], item)), 1)


def _sweeps(deal: MeasuredDeal) -> tuple[int, int] | None:
    return (deal.facts.sides[deal.side].sweeps, 1) if deal.rules.sweep else None


def _cards(deal: MeasuredDeal) -> tuple[int, int] | None:
    cards = deal.facts.sides[deal.side].cards
    return None if cards is None else (cards, 1)


MEASURES: Final = (
    Measure("most-cards", _most("cards")),
    Measure("most-spades", _most("spades")),
    Measure("big-ten", _has("big_ten")),
    Measure("spy-two", _has("spy_two")),
    Measure("aces", _has("aces"), share=False),
    Measure("sweeps", _sweeps, share=False),
    Measure("captures", _cards, share=False),
)
"""All are those of the side. Cards are counted in the deals in which they were counted."""
