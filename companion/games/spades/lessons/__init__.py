"""What teaches Spades."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.engine.lessons import Lessons, Watched, Way, load
from companion.games.spades.lessons.positions import acts, describe, scene, tap
from companion.games.spades.lessons.quiz import draw, puzzles
from companion.games.spades.lessons.sheet import CHOICE, sheet, why
from companion.games.spades.lessons.steps import steps

_HERE: Final = Path(__file__).parent
_DEALS: Final = {
    "classic": ("four", "four-mistake"), "modern": ("four", "four-mistake"), "solo4": ("four", "four-mistake"),
    "solo3": ("three", "three-mistake"), "duo_draw": ("draw", "draw-mistake"), "duo_dummy": ("dummy", "dummy-mistake"),
}  # fmt: skip
"""The deals of each way; four people may play the same cards in any of theirs."""


def _way(preset: str) -> Way:
    first, mistake = _DEALS[preset]
    deals = {
        "first": Watched(load(_HERE, first, preset), first, detailed=4),
        "mistake": Watched(load(_HERE, mistake, preset), mistake, detailed=0),
    }
    return Way(deals, puzzles(preset), sheet(preset), why(preset))


LESSONS: Final = Lessons(
    ways={preset: _way(preset) for preset in _DEALS}, steps=steps, scene=scene, describe=describe, draw=draw, acts=acts,
    tap=tap, choice=CHOICE,
)  # fmt: skip
