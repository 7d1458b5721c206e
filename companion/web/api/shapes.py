"""The shapes of the API that no single game decides: problem documents, the index, lists, what a search finds."""

from __future__ import annotations

from typing import Final, Unpack

from companion import __version__
from companion.engine import shapes as s
from companion.engine.game import AnswerShape
from companion.engine.options import CODE_LENGTH
from companion.rulebook.answers import MOST_TEXT
from companion.rulebook.catalogue_answers import ArticleShape, GameEntryShape
from companion.rulebook.search_answers import AnswersShape
from companion.web.api.operations import PREFIX, path_template, summary_of

RULES_OR_CODE: Final[s.JsonSchema] = {
    "anyOf": [{"$ref": "#/components/schemas/HouseRules"}, {"type": "string", "maxLength": CODE_LENGTH}]
}


def _text(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Text:
    return s.Text(describe, most=MOST_TEXT, **common)


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
    """What there is; written from the operations, each in JSON."""

    version = s.Text("Of this program.", get=lambda operations, _: __version__)
    openapi = s.Text("Where the document is.", get=lambda operations, _: f"{PREFIX}/openapi.json")
    documentation = s.Text("Where the document is shown to people.", get=lambda operations, _: "/api/docs")
    operations = s.ListOf(s.Written(OperationShape), get=lambda operations, _: operations)


class GamesShape(AnswerShape):
    """The games of this service."""

    games = s.ListOf(s.Written(GameEntryShape), get=lambda games, _: games)


class ArticlesShape(AnswerShape):
    """The articles of a game in the order of its page."""

    articles = s.ListOf(s.Written(ArticleShape), get=lambda articles, _: articles)


class FoundShape(AnswersShape):
    """What was found, the best first; `next` is the cursor of the next page, null on the last."""

    next = s.Text(nullable=True)
