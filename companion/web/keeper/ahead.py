"""The questions that are likely to come next, so that a phone on a slow line can ask them before the server answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from flask import Blueprint, Response, get_template_attribute, jsonify, request

from companion.engine.dialogue import Prompt, Text
from companion.engine.entry import Answers, Entry, EntryStep, Sitting
from companion.engine.game import Game
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import SIDE_MARKS
from companion.web.keeper.entry import answers_in, drawer_of, sitting_of
from companion.web.keeper.forms import call_given
from companion.web.keeper.problems import belongs, tag_of
from companion.web.keeper.seats import ASKED

MOST = 16
"""Questions that are looked ahead: four calls and the counts of every side are fewer."""
FEW = 6
"""Up to so many answers are each tried; of a longer row of numbers the lowest, a middle and the highest one."""
CALLERS = (ASKED, "side:")
"""How questions begin that ask for a call."""


@dataclass(slots=True)
class Upcoming:
    """A question that is asked now or later, and the index of the one that follows after each ordinary answer."""

    prompt: Prompt
    after: dict[str, int] = field(default_factory=dict)
    label: Text = ""
    """What its answer is called beside the answer."""


def add_pages(keeper: Blueprint) -> None:
    """What a script asks for after it has shown a sheet."""
    keeper.get("/<lang:lang>/sheets/<sheet>/ahead")(ahead)


def ahead(lang: str, sheet: str) -> Response:
    """The question of the open deal and those after it, as JSON with a drawing of each."""
    view = kept_sheet(sheet)
    game = view.game
    questions: list[dict[str, object]] = []
    if game is not None and belongs(game, request.args) and not (view.ledger and view.ledger.outcome.over):
        drawer, draw = drawer_of(view, game, lang), get_template_attribute("keeper/macros.html", "question_field")
        marks = {view.sheet.side_name(side): mark for side, mark in zip(game.sides, SIDE_MARKS, strict=False)}
        for one in upcoming(view, game, answers_in(request.args)):
            prompt = drawer.in_words(one.prompt)
            name = "call" if prompt.id.startswith(CALLERS) else prompt.id
            drawn = {"question": prompt.id, "html": draw(prompt, name, marks), "label": drawer.text(one.label)}
            questions.append(drawn | {"after": one.after})
    answer = jsonify(deal=tag_of(game) if game else "", questions=questions)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def upcoming(view: View, game: SheetGame, answers: Answers) -> list[Upcoming]:
    """Return the question now asked and those that follow after ordinary answers.

    An answer is ordinary if the rules allow it. Where a keypad of numbers leads to several questions, none is said to
    come next. The server asks anew in any case: a question that turns out to be another one costs an answer that is
    not sent, never one that is written for somebody else.
    """
    known = view.games[game.game]
    entry = known.load_entry()
    if entry is None:
        return []
    sitting = sitting_of(view, game)
    first = entry.step(sitting, answers)
    found = [Upcoming(first.question)] if first.question else []
    steps = deque([(sitting, first)] if found else [])
    for one in found:
        sitting, step = steps.popleft()
        values = _ordinary(one.prompt)
        tried = {value: _answered(entry, known, sitting, step, one.prompt, value) for value in _samples(values)}
        before = {said.question for said in step.said}
        one.label = next(
            (said.label for _, to in tried.values() for said in to.said if said.question not in before), ""
        )
        far = len(values) == len(tried)
        asked = {value: tuple(_way(entry, known, *to, far=far)) for value, to in tried.items()}
        if not far:
            same = set(asked.values())
            asked = dict.fromkeys(values, same.pop()) if len(same) == 1 else {}
        for way in dict.fromkeys(asked.values()):
            if way[:1] in ((), (one.prompt.id,)) or len(found) == MOST:
                continue
            leading = [value for value in asked if asked[value] == way]
            after = max((tried[value] for value in leading if value in tried), key=_room)
            one.after |= dict.fromkeys(leading, len(found))
            found.append(Upcoming(cast("Prompt", after[1].question)))
            steps.append(after)
    return found


def _way(entry: Entry, known: Game, sitting: Sitting, step: EntryStep, *, far: bool) -> Iterator[str]:
    """Yield the question of a step, and from afar those after it while everybody gives the first answer allowed."""
    for _ in range(MOST if far else 1):
        if step.question is None:
            return
        yield step.question.id
        if not (values := _ordinary(step.question)):
            return
        sitting, step = _answered(entry, known, sitting, step, step.question, values[0])


def _answered(
    entry: Entry, known: Game, sitting: Sitting, step: EntryStep, prompt: Prompt, value: str
) -> tuple[Sitting, EntryStep]:
    """Return what an entry knows and asks once a question has been answered."""
    if step.kind == "call":
        sitting = replace(sitting, calls=(*sitting.calls, call_given(prompt.id, value, known)))
        return sitting, entry.step(sitting, {})
    return sitting, entry.step(sitting, {**(step.answers or {}), prompt.id: value})


def _ordinary(prompt: Prompt) -> list[str]:
    """Return the answers that the rules allow, of a long list the numbers; none where an earlier call is changed."""
    choices = [choice for group in prompt.groups for choice in group]
    if prompt.place is not None or any(choice.pressed is not None for choice in choices):
        return []
    if len(choices) > FEW:
        choices = [choice for choice in prompt.groups[0] if choice.value.isdecimal()]
    return [choice.value for choice in choices if not choice.tone]


def _samples(values: Sequence[str]) -> Sequence[str]:
    return values if len(values) <= FEW else [values[0], values[len(values) // 2], values[-1]]


def _room(reached: tuple[Sitting, EntryStep]) -> int:
    """How many buttons a step offers: of several drawings of a question the one with the most serves all answers."""
    prompt = reached[1].question
    return sum(map(len, prompt.groups)) if prompt else 0
