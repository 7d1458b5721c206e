"""What lessons show: the table and the sentences of each step, positions of the quiz, what taps mean, the sheet."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

from companion.engine.dialogue import Phrase
from companion.engine.game import Game
from companion.engine.lessons import Lessons, Puzzle, Scene
from tests.snapshots.plain import plain

DRAWN: Final = range(1, 9)
"""Seeds of positions that have not been thought out."""
TAPS: Final = 16
Record = dict[str, Any]


def repeated(game: Game, record: Record) -> Record:
    """Return a record with what is shown now."""
    lessons = game.load_lessons()
    assert lessons is not None
    way = lessons.ways[record["way"]]
    match record:
        case {"deal": name}:
            watched = way.deals[name]
            shown: Any = [
                {
                    "scene": _rows(step.scene),
                    "others": [*map(_text, step.others)],
                    "passed_over": step.passed_over,
                    "says": [(_text(made.sentence), made.verdict.value, made.settled) for made in step.moves],
                }
                for step in lessons.steps(watched)
            ]
            shown = {"texts": watched.texts, "shown": watched.shown, "detailed": watched.detailed, "steps": shown}
        case {"puzzle": name}:
            shown = _seen(lessons, way.puzzles[name], record["taps"])
        case {"draw": seed}:
            shown = _seen(
                lessons, lessons.draw(random.Random(f"{record['way']} {seed}"), record["way"]), record["taps"]
            )
        case _:
            shown = {"sheet": way.sheet, "why": way.why, "choice": lessons.choice}
    return record | {"shown": plain(shown)}


def drawn(game: Game) -> Iterator[Record]:
    """Yield every deal, every position of the quiz, some drawn ones, and the sheet; alike ones of two ways once."""
    lessons, seen = game.load_lessons(), set[str]()
    for name, way in lessons.ways.items() if lessons else ():
        found: list[Record] = [{"deal": deal} for deal in way.deals]
        found += [{"puzzle": each, "taps": _taps(lessons, puzzle)} for each, puzzle in way.puzzles.items()]
        for seed in DRAWN:
            puzzle = lessons.draw(random.Random(f"{name} {seed}"), name)
            found.append({"draw": seed, "taps": _taps(lessons, puzzle)})
        for one in (*found, {"sheet": True}):
            record = repeated(game, {"way": name, **one})
            shown = json.dumps(record["shown"]).replace(name, "")
            if shown not in seen:
                seen.add(shown)
                yield record


def _taps(lessons: Lessons, puzzle: Puzzle) -> list[list[str]]:
    """Return combinations of an act with few cards, and some that lack a card or an act."""
    dice, acts = random.Random(str(puzzle)), list(lessons.acts(puzzle))
    rows = [[tap for tap in row.taps if tap] for row in lessons.scene(puzzle)]
    found = []
    for place in range(TAPS):
        cards = [tap for row in rows for tap in dice.sample(row, min(len(row), dice.choice((0, 1, 1, 2))))]
        found.append([*cards, *([acts[place % len(acts)]] if place else [])])
    return found


def _seen(lessons: Lessons, puzzle: Puzzle, taps: list[list[str]]) -> Record:
    return {
        "puzzle": puzzle, "scene": _rows(lessons.scene(puzzle)), "says": [*map(_text, lessons.describe(puzzle))],
        "acts": [f"{name}: {_text(says)}" for name, says in lessons.acts(puzzle).items()],
        "meant": [lessons.tap(puzzle, some) for some in taps],
    }  # fmt: skip


def _rows(scene: Scene) -> list[str]:
    """Return each row of cards as one text."""
    return [
        f"{row.label} {row.seat}: {' '.join(row.cards)}"
        + (f", tapped as {row.group}: {' '.join(tap or '-' for tap in row.taps)}" if row.taps or row.group else "")
        for row in scene
    ]


def _text(phrase: Phrase) -> str:
    return f"{phrase.key} {json.dumps(plain(phrase.facts), ensure_ascii=False)}"
