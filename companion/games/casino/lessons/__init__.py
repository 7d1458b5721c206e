"""What teaches Casino."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.engine.lessons import Lessons, Watched, Way, load
from companion.games.casino.lessons.positions import acts, describe, scene, tap
from companion.games.casino.lessons.quiz import draw, puzzles
from companion.games.casino.lessons.sheet import CHOICE, WHY, sheet
from companion.games.casino.lessons.steps import steps

_HERE: Final = Path(__file__).parent
_DEALS: Final = {
    "swazi": ("swazi", "swazi-mistake"), "standard": ("standard", "unheld-mistake"),
    "royal": ("royal", "unheld-mistake"),
}  # fmt: skip
"""The deals of each way."""


def _way(preset: str) -> Way:
    first, mistake = _DEALS[preset]
    deals = {
        "first": Watched(load(_HERE, first, preset), first, shown=12),
        "mistake": Watched(load(_HERE, mistake, preset), mistake),
    }
    return Way(deals, puzzles(preset), sheet(preset), WHY)


LESSONS: Final = Lessons(
    ways={preset: _way(preset) for preset in _DEALS}, steps=steps, scene=scene, describe=describe, draw=draw, acts=acts,
    tap=tap, choice=CHOICE,
)  # fmt: skip
