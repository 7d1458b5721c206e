"""What teaches Spite and Malice."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.engine.lessons import Lessons, Watched, Way, load
from companion.engine.problems import JsonObject
from companion.games.spite_and_malice.lessons.positions import acts, describe, scene, tap
from companion.games.spite_and_malice.lessons.quiz import draw, puzzles
from companion.games.spite_and_malice.lessons.sheet import CHOICE, sheet, why
from companion.games.spite_and_malice.lessons.steps import steps

_HERE: Final = Path(__file__).parent
_DEALS: Final = {
    "blackwood": ("blackwood", "blackwood-mistake"), "massachusetts": ("massachusetts", "free-mistake"),
    "pagat": ("pagat", "free-mistake"),
}  # fmt: skip
"""The deals of each way."""
_BEGUN: Final = {"massachusetts": {"side_stacks": {"p1": [["8H"]], "p2": [["JC"]]}}}
"""What the first side stacks begin with in a deal that two ways share, where they begin with a card."""


def _way(preset: str) -> Way:
    first, mistake = _DEALS[preset]
    record: JsonObject = {**load(_HERE, mistake, preset), **_BEGUN.get(preset, {})}
    deals = {"first": Watched(load(_HERE, first, preset), first), "mistake": Watched(record, mistake)}
    return Way(deals, puzzles(preset), sheet(preset), why(preset))


LESSONS: Final = Lessons(
    ways={preset: _way(preset) for preset in _DEALS}, steps=steps, scene=scene, describe=describe, draw=draw, acts=acts,
    tap=tap, choice=CHOICE,
)  # fmt: skip
