"""Problems of an entry as a keeper reads them: what is wrong, who could be off, the fixes that one tap makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.engine.game import Game
from companion.engine.problems import Problem
from companion.rulebook.book import article_url
from companion.rulebook.phrases import Words
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import Stage
from companion.web.keeper.naming import by_name, names_of


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
    """Return the problems with seats and sides called by name, with fixes for the answers of the stage."""
    names = dict(own.vocabulary.by_fact.get("side", {})) | names_of(view.sheet, game)
    known = view.games[game.game]
    return [
        ShownProblem(
            own.problem(replace(problem, facts=by_name(problem.facts, names))),
            article_url(own.lang, problem.article) if problem.article else "",
            tuple(_fixes(problem, known, game, names, stage)) if stage else (),
        )
        for problem in problems
    ]


def _fixes(problem: Problem, known: Game, game: SheetGame, names: Mapping[str, str], stage: Stage) -> Iterator[Fix]:
    """Yield the answers that would fix a problem, or else those to check again."""
    if stage.facts is None:
        return
    answers = known.fixes.answers(problem, stage.facts, game.sides)
    if answers is not None:
        for answer in answers:
            name = names[answer.side]
            label = name if problem.code in known.fixes.holders else f"{name}: {answer.value}"
            yield Fix(answer.question, answer.value, label)
        return
    for said in stage.said:
        if said.question and known.fixes.suspect(problem, said.question, said.side):
            changes = said.question.startswith("change=")
            question, value = ("change", said.question[7:]) if changes else ("ask", said.question)
            yield Fix(question, value, f"{said.label} {said.value}", settles=False)
