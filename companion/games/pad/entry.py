"""Entering a round on a sheet: a number for every side, from the dealer's left on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion.engine.cards import number_text, signed_text
from companion.engine.dialogue import Phrase, whole_number
from companion.engine.entry import Answers, Entry, EntryQuestion, EntryStep, SeatNote, Sitting, next_step
from companion.engine.problems import JsonObject
from companion.games.pad.rules import MOST_POINTS, PadRules

_MOST_AT_TABLE: Final = 6
"""Sides that are drawn at the table."""


def step(sitting: Sitting, answers: Answers) -> EntryStep:
    """Return the next step of a round: the first side without a number is asked for."""
    rules: PadRules = sitting.rules
    low = -MOST_POINTS if rules.negative else 0
    questions, facts = [], {}
    for place, side in enumerate(sitting.sides):
        points = whole_number(answers.get(f"p{place}", ""), low=low, high=MOST_POINTS)
        name = sitting.side_name(side)
        questions.append(
            EntryQuestion(
                f"p{place}", Phrase("entry.points-of", {"name": name}), (), None if points is None else str(points),
                short=name, shown="" if points is None else Phrase("entry.points", {"points": points}),
                side=side.id, span=(low, MOST_POINTS),
            )
        )  # fmt: skip
        facts[side.id] = {"points": points or 0}
    found = next_step(questions, answers, facts, hint=Phrase("entry.round", _ending(rules)))
    return replace(found, notes=tuple(_notes(sitting, questions)))


def correction(sitting: Sitting, facts: JsonObject | None, answers: Answers) -> EntryStep:
    """Return the step of a recorded round, its numbers filled in."""
    recorded = {
        f"p{place}": str(facts[side.id]["points"])
        for place, side in enumerate(sitting.sides)
        if facts is not None and side.id in facts
    }
    return step(sitting, recorded | dict(answers))


def _notes(sitting: Sitting, questions: Sequence[EntryQuestion]) -> Iterator[SeatNote]:
    """Yield what is entered so far: at the seats, or where there is no room for them, beside the totals."""
    for side, question in zip(sitting.sides, questions, strict=True):
        figure, total = "", ""
        if question.answer is not None:
            points = int(question.answer)
            figure = signed_text(points)
            total = f"{figure} → {number_text(sitting.totals.get(side.id, 0) + points)}"
        yield SeatNote(side.players[0], figure or "–", of_side=total if len(sitting.sides) > _MOST_AT_TABLE else "")


def _ending(rules: PadRules) -> JsonObject:
    return {"target": rules.target, "rounds": rules.rounds, "lower": rules.lower_wins}


ENTRY = Entry(step, correction)
