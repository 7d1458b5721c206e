"""Problems of an entry as a keeper reads them: what is wrong, who could be off, the fixes that one tap makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.engine.problems import Problem
from companion.rulebook.book import article_url
from companion.rulebook.phrases import Words
from companion.sheets.sheet import SheetGame
from companion.sheets.view import View
from companion.web.keeper.naming import by_name, names_of

COUNTED = {"tricks-total": "t", "cards-total": "mc", "spades-total": "ms", "aces-total": "ac"}
"""How the questions begin whose answers are out by so much; the place of the side follows."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one answer that would put things right."""

    question: str
    value: int
    label: str


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """A problem in words, with its article and its fixes."""

    text: str
    url: str = ""
    fixes: tuple[Fix, ...] = ()


def shown_problems(problems: Sequence[Problem], view: View, game: SheetGame, own: Words) -> list[ShownProblem]:
    """The problems with seats and sides called by their players' names."""
    names = names_of(view.sheet, game)
    return [
        ShownProblem(
            own.problem(replace(problem, facts=by_name(problem.facts, names))),
            article_url(own.lang, problem.article) if problem.article else "",
            tuple(_fixes(problem, game, names)),
        )
        for problem in problems
    ]


def _fixes(problem: Problem, game: SheetGame, names: dict[str, str]) -> list[Fix]:
    """Where counts do not add up: each side's count as the others would have it."""
    counts, difference = problem.facts.get("counts"), problem.facts.get("difference")
    question = COUNTED.get(problem.code)
    if question is None or not isinstance(counts, dict) or not isinstance(difference, int):
        return []
    fixes = []
    for place, side in enumerate(game.sides):
        value = counts.get(side.id, 0) + difference
        if value >= 0:
            fixes.append(Fix(f"{question}{place}", value, names[side.id]))
    return fixes
