"""The shapes of the API that no single game decides: problem documents, the index, lists, what a search finds."""

from __future__ import annotations

from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.questions import AnswerShape
from companion.rulebook.answers import MOST_TEXT
from companion.rulebook.catalogue_answers import ArticleShape, GameEntryShape
from companion.web.api.operations import PREFIX, path_template, summary_of

RULES_OR_CODE: Final[s.JsonSchema] = {
    "anyOf": [{"$ref": "#/components/schemas/HouseRules"}, {"type": "string", "maxLength": 2000}]
}


def _text(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Text:
    return s.Text(describe, most=MOST_TEXT, **common)


class ProblemSchema(AnswerShape):
    """A problem document (RFC 9457)."""

    type = s.Text("`/problems/<code>`: a page in both languages.")
    title = _text("What kind of problem it is, in the language of the request.")
    status = s.Integer("The status of the response.")
    detail = _text("What is wrong, in the language of the request.")
    instance = s.Text("The id of the request.", absent=True)
    errors = s.ListOf(
        s.Anything(schema={"$ref": "#/components/schemas/Error"}), "Every problem of the input.", absent=True
    )
    line = s.Integer("In a batch: the number of the line, from 1. Else the line of invalid JSON.", absent=True)
    column = s.Integer("Of invalid JSON: where reading stopped, from 1.", absent=True)
    id = s.Text("In a batch: the `id` of the line.", absent=True)
    version = s.Integer("Of a sheet that is at another version: its latest.", absent=True)
    events = s.ListOf(
        s.Anything(schema={"$ref": "#/components/schemas/SheetEvent"}),
        "Of such a sheet: what was written since the version named; none where that is not known.",
        absent=True,
    )


class OperationShape(AnswerShape):
    """An operation of the API."""

    id = s.Text("Its `operationId` in the document.")
    method = s.Text()
    path = s.Text(
        "Its address, with `{names}` to fill in.", get=lambda declared, group: PREFIX + path_template(declared.rule)
    )
    summary = _text(get=lambda declared, group: summary_of(declared))
    tag = s.Text("The heading under which the document has it.", get=lambda declared, group: group.name)


class IndexShape(AnswerShape):
    """What there is."""

    version = s.Text("Of this program.")
    openapi = s.Text("Where the document is.")
    documentation = s.Text("Where the document is shown to people.")
    operations = s.ListOf(s.Object(OperationShape))


class GamesShape(AnswerShape):
    """The games of this service."""

    games = s.ListOf(s.Object(GameEntryShape))


class ArticlesShape(AnswerShape):
    """The articles of a game in the order of its page."""

    articles = s.ListOf(s.Object(ArticleShape))


class HitShape(AnswerShape):
    """An article, a preset, an option with the article that explains it, a term, a passage on verdicts."""

    kind = s.Word(("article", "preset", "option", "term", "guide", "lesson"))
    game = s.Text()
    id = s.Text()
    title = _text()
    excerpt = _text()
    marks = s.ListOf(s.ListOf(s.Integer()))
    score = s.Integer()
    played = s.Flag()
    url = s.Text()


class RepairShape(AnswerShape):
    """A word of a query with a typing error, and the word that it was read as."""

    typed = s.Text()
    read = s.Text()


class FoundShape(AnswerShape):
    """What was found, the best first; `next` is the cursor of the next page, null on the last."""

    results = s.ListOf(s.Object(HitShape))
    near = s.ListOf(s.Text())
    repairs = s.ListOf(s.Object(RepairShape))
    widened = s.Flag()
    next = s.Text(nullable=True)
