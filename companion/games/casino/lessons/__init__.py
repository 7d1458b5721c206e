"""What teaches Casino."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.engine.lessons import Lessons, Watched, load
from companion.games.casino.lessons.quiz import PUZZLES, draw
from companion.games.casino.lessons.sheet import CHOICE, SHEET, WHY
from companion.games.casino.lessons.steps import describe, position_scene, steps

_HERE: Final = Path(__file__).parent

LESSONS: Final = Lessons(
    ways=("swazi", "standard", "royal"),
    deals={
        "first": Watched(load(_HERE / "first.json"), shown=12),
        "mistake": Watched(load(_HERE / "mistake.json")),
    },
    steps=steps,
    puzzles=PUZZLES,
    scene=lambda puzzle: position_scene(puzzle.position, puzzle.move),
    describe=describe,
    draw=draw,
    sheet=SHEET,
    why=WHY,
    choice=CHOICE,
)
