"""What keeps a form from being written: problems with their fixes, and what somebody else wrote in the meantime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from companion.engine.entry import Answers, EntryStep
from companion.engine.game import Game
from companion.engine.problems import Problem
from companion.rulebook.book import article_url, say
from companion.rulebook.phrases import Words
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import TAG, answers_in, correction_step
from companion.web.naming import by_name

# Problems and fixes ---------------------------------------------------------------------------------------------------


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
    problems: Sequence[Problem], view: View, game: SheetGame, own: Words, stage: EntryStep | None = None
) -> list[ShownProblem]:
    """Return the problems with seats and sides called by name, with fixes for the answers of the stage."""
    names = dict(own.vocabulary.by_fact.get("side", {})) | view.sheet.names_in(game)
    known = view.games[game.game]
    return [
        ShownProblem(
            own.problem(replace(problem, facts=by_name(problem.facts, names))),
            article_url(own.lang, problem.article) if problem.article else "",
            tuple(_fixes(problem, known, game, names, stage)) if stage else (),
        )
        for problem in problems
    ]


def _fixes(problem: Problem, known: Game, game: SheetGame, names: Mapping[str, str], stage: EntryStep) -> Iterator[Fix]:
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


# Written in the meantime ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What to say, and where this phone's counts can be laid beside what stands on the sheet."""

    text: str
    url: str = ""


def tag_of(game: SheetGame) -> str:
    """The open deal as counts name it: `2.7` is the seventh deal of the second game."""
    return f"{game.number}.{game.open.number}"


def belongs(game: SheetGame, answers: Answers) -> bool:
    """Whether the answers were given for the deal that is still open."""
    return answers.get(TAG) in (None, tag_of(game))


def meanwhile(view: View, answers: Answers, lang: str) -> Meanwhile:
    """What to tell somebody who wrote on a sheet as it no longer stands."""
    game = view.game
    number = _deal_meant(game, answers) if game else None
    counts = {name: item for name, item in answers_in(answers).items() if name not in ("ask", "change")}
    counts = {} if counts.keys() == {"by"} else counts  # a way to count, and nothing counted yet
    if game is not None and counts and belongs(game, answers):
        return Meanwhile(say(lang, "keeper.stale-kept"))
    if game is None or number is None or not counts:
        return Meanwhile(say(lang, "keeper.stale"))
    facts = correction_step(view, game, number, counts, lang).facts
    if facts is not None and _counted(facts) == _counted(game.deal(number).facts):
        return Meanwhile(say(lang, "keeper.stale-same", number=number))
    url = f"/{lang}/sheets/{view.id}/deals/{number}/correct?{urlencode(counts)}"
    return Meanwhile(say(lang, "keeper.stale-deal", number=number), url)


def _deal_meant(game: SheetGame, answers: Answers) -> int | None:
    """The recorded deal to which the answers belong, if it is one of the running game that counts."""
    match answers.get(TAG, "").split("."):
        case [first, second] if first == str(game.number) and second.isascii() and second.isdigit():
            number = int(second[:6])
            return number if 1 <= number <= len(game.deals) and not game.deal(number).void else None
    return None


def _counted(facts: Mapping[str, object]) -> dict[str, object]:
    """The facts without what a keeper adds beside the counts."""
    return {key: item for key, item in facts.items() if key not in ("accept", "adjustments")}
