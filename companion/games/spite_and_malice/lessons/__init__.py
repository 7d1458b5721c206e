"""What teaches Spite and Malice."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.engine.lessons import Lessons, Watched, load
from companion.games.spite_and_malice.lessons.quiz import PUZZLES, draw
from companion.games.spite_and_malice.lessons.sheet import CHOICE, SHEET, WHY
from companion.games.spite_and_malice.lessons.steps import describe, position_scene, steps

_HERE: Final = Path(__file__).parent

LESSONS: Final = Lessons(
    ways=("blackwood", "massachusetts", "pagat"),
    deals={"first": Watched(load(_HERE / "first.json")), "mistake": Watched(load(_HERE / "mistake.json"))},
    steps=steps,
    puzzles=PUZZLES,
    scene=lambda puzzle: position_scene(puzzle.position, puzzle.move),
    describe=describe,
    draw=draw,
    sheet=SHEET,
    why=WHY,
    choice=CHOICE,
)
