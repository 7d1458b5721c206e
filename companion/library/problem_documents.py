"""Problem documents (RFC 9457): what is wrong with a request, in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict, Unpack

from companion.engine import shapes as s
from companion.engine.game import AnswerShape, Game
from companion.engine.problems import MOST_PROBLEMS, Problem
from companion.library.problem_codes import STATUSES
from companion.rulebook.answers import MOST_TEXT, problem_answers
from companion.rulebook.words import say

Document = dict[str, object]


class ProblemSchema(AnswerShape):
    """A problem document (RFC 9457)."""

    type = s.Text("`/problems/<code>`: a page in both languages.")
    title = s.Text("What kind of problem it is, in the language of the request.", most=MOST_TEXT)
    status = s.Integer("The status of the response.")
    detail = s.Text("What is wrong, in the language of the request.", most=MOST_TEXT)
    instance = s.Text("The id of the request.", absent=True)
    errors = s.ListOf(
        s.Anything(schema={"$ref": "#/components/schemas/Error"}), "Every problem of the input.", absent=True
    )
    line = s.Integer("In a batch: the number of the line, from 1. Else the line of invalid JSON.", absent=True)
    column = s.Integer("Of invalid JSON: where reading stopped, from 1.", absent=True)
    id = s.Text("In a batch: the `id` of the line.", absent=True)
    version = s.Integer("Of a sheet or a group that is at another version: its latest.", absent=True)
    events = s.ListOf(
        s.Anything(schema={"anyOf": [{"$ref": f"#/components/schemas/{log}Event"} for log in ("Sheet", "Group")]}),
        "Of such a sheet or group: what was written since the version named; none where that is not known.",
        absent=True,
    )


class Members(TypedDict, total=False):
    """What a problem document may have beside its kind."""

    status: int
    detail: str
    instance: str
    errors: Sequence[Mapping[str, object]]
    line: int
    column: int
    id: str
    version: int
    events: Sequence[Mapping[str, object]]


class _Documented(NamedTuple):
    """What a problem document says."""

    type: str
    title: str
    status: int
    detail: str
    instance: str | None = None
    errors: Sequence[Mapping[str, object]] | None = None
    line: int | None = None
    column: int | None = None
    id: str | None = None
    version: int | None = None
    events: Sequence[Mapping[str, object]] | None = None


def problem_document(code: str, lang: str, **members: Unpack[Members]) -> Document:
    """Return a problem document; without `status` and `detail` it has those of its code."""
    usual: Members = {"status": STATUSES.get(code, 500), "detail": say(lang, f"problem.{code}.detail")}
    said = _Documented(f"/problems/{code}", say(lang, f"problem.{code}.title"), **(usual | members))
    return s.write(ProblemSchema, said)


def refusal_document(game: Game | None, problems: Iterable[Problem], lang: str, **members: Unpack[Members]) -> Document:
    """Return the problem document for unreadable or impossible input; of a single problem it takes the detail."""
    found = {(problem.path(), problem.code): problem for problem in problems}
    errors = problem_answers(game, list(found.values())[:MOST_PROBLEMS], lang)
    members["errors"] = errors
    if len(errors) == 1:
        members["detail"] = errors[0]["detail"]
    return problem_document("invalid-input", lang, **members)
