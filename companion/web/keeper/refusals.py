"""Problems of an entry as a keeper reads them: what is wrong, who could be off, the fixes that one tap makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.problems import Problem
from companion.rulebook.book import article_url, say
from companion.rulebook.phrases import Words
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import Stage
from companion.web.keeper.naming import by_name, names_of

COUNTED = {"tricks-total": "t", "cards-total": "mc", "spades-total": "ms", "aces-total": "ac"}
"""How the questions begin whose answers are out by so much; the place of the side follows."""
HELD = {"big-ten-total": "bt", "spy-two-total": "st", "spy-two-without-spade": "st"}
"""The questions about one card that one side has, and that another side may have instead."""
LOOK_AGAIN = {
    "cards-below-parts": ("mc", "ms", "ac"),
    "remaining-range": ("w", "r"),
    "tricks-range": ("t", "n"),
    "last-tricks-count": ("t", "last"),
    "last-trick-sides": ("last",),
}
"""How the questions begin of which one could be off; of any other problem it is a call."""
CALLS = ("change=", "b", "c")
DUMMY = "dummy"
"""What problems call the hand that nobody plays for."""
EVERYBODYS = ("total-forbidden", "remaining-range")
"""Problems that are not of one side alone."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A tap that puts things right, or that opens the one answer to look at again (`settles` is false)."""

    question: str
    value: str
    label: str
    settles: bool = True


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """A problem in words, with its article and its fixes."""

    text: str
    url: str = ""
    fixes: tuple[Fix, ...] = ()


def shown_problems(
    problems: Sequence[Problem], view: View, game: SheetGame, own: Words, stage: Stage | None = None
) -> list[ShownProblem]:
    """The problems with seats and sides called by their players' names, and fixes for the answers of the stage."""
    names = {DUMMY: say(own.lang, "keeper.dummy")} | names_of(view.sheet, game)
    return [
        ShownProblem(
            own.problem(replace(problem, facts=by_name(problem.facts, names))),
            article_url(own.lang, problem.article) if problem.article else "",
            tuple(_fixes(problem, game, names, stage)),
        )
        for problem in problems
    ]


def _fixes(problem: Problem, game: SheetGame, names: dict[str, str], stage: Stage | None) -> Iterator[Fix]:
    if stage is None or stage.facts is None:
        return
    if problem.code in COUNTED:
        yield from _counts(problem, game, names)
    elif problem.code in HELD:
        yield from _holders(problem, game, names)
    elif problem.facts.get("side") == DUMMY:
        yield from _above_the_dummy(stage.facts, game, names)
    else:
        yield from _answers(problem, stage)


def _counts(problem: Problem, game: SheetGame, names: dict[str, str]) -> Iterator[Fix]:
    """Where counts do not add up: each side's count as the others would have it."""
    counts, difference = problem.facts.get("counts"), problem.facts.get("difference")
    if not isinstance(counts, Mapping) or not isinstance(difference, int):
        return
    for place, side in enumerate(game.sides):
        value = counts.get(side.id, 0) + difference
        if value >= 0:
            yield Fix(f"{COUNTED[problem.code]}{place}", str(value), f"{names[side.id]}: {value}")


def _holders(problem: Problem, game: SheetGame, names: dict[str, str]) -> Iterator[Fix]:
    """Where a card is with nobody, or with somebody who cannot have it: the others who could."""
    for place, side in enumerate(game.sides):
        if side.id != problem.facts.get("side"):
            yield Fix(HELD[problem.code], str(place), names[side.id])


def _above_the_dummy(facts: Mapping[str, Any], game: SheetGame, names: dict[str, str]) -> Iterator[Fix]:
    """Where the players took more tricks than there are: each count so that none are left for the dummy."""
    for place, side in enumerate(game.sides):
        value = facts[side.id]["tricks"] + facts["dummy_tricks"]
        if value >= 0:
            yield Fix(f"t{place}", str(value), f"{names[side.id]}: {value}")


def _answers(problem: Problem, stage: Stage) -> Iterator[Fix]:
    """The answers of which one could be off, each to be opened again."""
    side = "" if problem.code in EVERYBODYS else problem.facts.get("side", "")
    for said in stage.said:
        mine = not side or said.side in ("", side)
        if mine and said.question and said.question.startswith(LOOK_AGAIN.get(problem.code, CALLS)):
            changes = said.question.startswith("change=")
            question, value = ("change", said.question[7:]) if changes else ("ask", said.question)
            yield Fix(question, value, f"{said.label} {said.value}", settles=False)
