"""What teaches Spades."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.engine.lessons import Lessons, Watched, load
from companion.games.spades.lessons.quiz import PUZZLES, draw
from companion.games.spades.lessons.sheet import CHOICE, SHEET, WHY
from companion.games.spades.lessons.steps import describe, position_scene, steps

_HERE: Final = Path(__file__).parent

LESSONS: Final = Lessons(
    ways=("classic", "modern", "solo4", "solo3", "duo_draw", "duo_dummy"),
    deals={
        "first": Watched(load(_HERE / "first.json"), detailed=4),
        "mistake": Watched(load(_HERE / "mistake.json"), detailed=0),
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
