"""Problem documents (RFC 9457): what is wrong with a request, in JSON."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.game import Game
from companion.engine.problems import MOST_PROBLEMS, Problem
from companion.library.problem_codes import STATUSES
from companion.rulebook.answers import problem_answers
from companion.rulebook.book import say


def problem_document(code: str, lang: str, *, status: int | None = None, **members: object) -> dict[str, object]:
    """Return the members of a problem document; `detail` and further members may be given."""
    document = {
        "type": f"/problems/{code}",
        "title": say(lang, f"problem.{code}.title"),
        "status": status or STATUSES[code],
        "detail": say(lang, f"problem.{code}.detail"),
    }
    return document | members


def refusal_document(game: Game | None, problems: Iterable[Problem], lang: str) -> dict[str, object]:
    """Return the problem document for unreadable or impossible input; of a single problem it takes the detail."""
    found = {(problem.path(), problem.code): problem for problem in problems}
    errors = problem_answers(game, list(found.values())[:MOST_PROBLEMS], lang)
    document = problem_document("invalid-input", lang, errors=errors)
    if len(errors) == 1:
        document["detail"] = errors[0]["detail"]
    return document
