"""The operations about games: the index, options and articles, house rules, the search, the rulebook, the glossary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Unpack

from flask import Response, current_app

from companion import __version__
from companion.data import data_folder
from companion.describe import named
from companion.engine import shapes as s
from companion.engine.game import AnswerShape, Game
from companion.engine.options import CODE_LENGTH
from companion.engine.shapes import Attributes, ReadContext, Text, Word, write
from companion.games import GAMES
from companion.library import HouseRulesParameters, answer_diff, answer_rules, answer_search, article_named
from companion.rulebook import pages as schemas
from companion.rulebook.answers import (
    KINDS,
    MOST_TEXT,
    AnswersShape,
    ArticleShape,
    GameEntryShape,
    GameShape,
    RulesDiffShape,
    articles_answer,
    catalogue_answer,
    game_entries,
)
from companion.rulebook.pages import book_text, glossary
from companion.rulebook.search import QUERY_LIMIT
from companion.web.api import examples
from companion.web.api.document import COMPARE, NORMALISE, WRITTEN_OUT
from companion.web.api.http import (
    NDJSON,
    PREFIX,
    CursorParameter,
    NumberParameter,
    Operation,
    Tag,
    cursor,
    json_body,
    path_template,
    query,
    reply,
    reply_if_new,
    summary_of,
    with_next,
)
from companion.web.http import current_language

RULES_OR_CODE: Final[s.JsonSchema] = {
    "anyOf": [{"$ref": "#/components/schemas/HouseRules"}, {"type": "string", "maxLength": CODE_LENGTH}]
}


def _text(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Text:
    return s.Text(describe, most=MOST_TEXT, **common)


class OperationShape(AnswerShape):
    """An operation of the API."""

    id = s.Text("Its `operationId` in the document.")
    method = s.Text(get="verb")
    path = s.Text(
        "Its address, with `{names}` to fill in.", get=lambda declared, _: PREFIX + path_template(declared.rule)
    )
    summary = _text(get=lambda declared, _: summary_of(declared))
    tag = s.Text("The heading under which the document has it.", get="tag.name")


class IndexShape(AnswerShape):
    """What there is; written from the operations."""

    version = s.Text("Of this program.", get=lambda operations, _: __version__)
    openapi = s.Text("Where the document is.", get=lambda operations, _: f"{PREFIX}/openapi.json")
    documentation = s.Text("Where the document is shown to people.", get=lambda operations, _: "/api/docs")
    operations = s.ListOf(s.Object(OperationShape), get=".")


class GamesShape(AnswerShape):
    """The games of this service."""

    games = s.ListOf(s.Written(GameEntryShape), get=".")


class ArticlesShape(AnswerShape):
    """The articles of a game in the order of its page."""

    articles = s.ListOf(s.Written(ArticleShape), get=".")


class FoundShape(AnswersShape):
    """What was found, the best first; `next` is the cursor of the next page, null on the last."""

    next = s.Text(nullable=True)


_MOST_FOUND = 100
_UNCHANGED: Final = "It is as it was when you got the ETag in `If-None-Match`."

catalogue = Tag("catalogue", "What there is: games, house rules, articles, published cases.")


@Operation(catalogue, "", gives=IndexShape, unchanged=_UNCHANGED)
def _show_index() -> Response:
    """What there is: every operation with its address, and where it is described."""
    return reply_if_new(current_app.extensions["api-index"])


def index_answer(tags: Iterable[Tag]) -> dict[str, object]:
    """Return the answer of `_show_index`."""
    return write(IndexShape, [each for tag in tags for each in tag.operations])


@Operation(catalogue, "/games", gives=GamesShape, unchanged=_UNCHANGED)
def _list_games() -> Response:
    """The games."""
    return reply_if_new(write(GamesShape, game_entries(GAMES, current_language())))


@Operation(catalogue, "/games/<game:game>", gives=GameShape, unchanged=_UNCHANGED)
def _describe_game(game: Game) -> Response:
    """A game: its options with type, range, unit, default, label and article; its presets."""
    return reply_if_new(catalogue_answer(game, current_language()))


@Operation(catalogue, "/games/<game:game>/articles", gives=ArticlesShape, unchanged=_UNCHANGED)
def _list_articles(game: Game) -> Response:
    """The articles of a game in the order of its page."""
    return reply_if_new(write(ArticlesShape, articles_answer(game, current_language())))


class SearchQuery(HouseRulesParameters):
    """What the query of a search may hold."""

    q = Text("What to look for.", most=QUERY_LIMIT)
    game = Word(
        GAMES, "One game; others only where that has no answer, or where the query names another.", optional=True
    )
    rules = Text(
        "A preset or short code of the game: answers have its numbers, what it plays comes first.",
        most=CODE_LENGTH, optional=True,
    )  # fmt: skip
    kind = Word(KINDS, "One kind of results only.", optional=True)
    limit = NumberParameter(low=1, high=_MOST_FOUND, default=20)
    cursor = CursorParameter()


@Operation(catalogue, "/articles", gives=FoundShape, query=SearchQuery, headers=("Link",))
def _find_articles() -> Response:
    """Articles, presets and options that answer a query in the language of the request, the best first.

    `excerpt` is the sentence that answers, with the numbers of `rules`; `marks` are the places in it, as pairs of
    offsets in characters, where words of the query are. `score` is near 1000 for a question that the book has word
    for word. `played` says whether `rules` play the article, without them the default preset, and `instead` which one
    holds where it does not; both are null for what is no article or only tells what other tables play. `answer` is
    given where the rules settle the question; its `yes` is null if only a rule that is not in force was found.
    `widened` says that `game` has no answer.
    `repairs` are typing errors that were read as other words; `unknown`, words that the book does not have: then the
    results are only what comes nearest. Where nothing is found, `near` has words that come close.
    """
    asked = query(SearchQuery)
    limit, passed = asked["limit"], asked["cursor"] or 0
    page, more = answer_search(
        asked["q"], current_language(), games=[asked["game"]] if asked["game"] else [], house=asked["house"],
        kinds=[asked["kind"]] if asked["kind"] else [], limit=limit, passed=passed,
    )  # fmt: skip
    after = cursor(passed + limit) if more else None
    return with_next(reply({**page, "next": after}), after)


@Operation(
    catalogue,
    "/games/<game:game>/rules",
    takes=named(NORMALISE), gives=named(WRITTEN_OUT), examples=examples.RULES,
)  # fmt: skip
def _normalise_rules(game: Game) -> Response:
    """House rules written out, with their short code, a line of summary in each language, and warnings."""
    return reply(answer_rules(game, json_body(), current_language()))


@Operation(
    catalogue,
    "/games/<game:game>/rules/diff",
    takes=named(COMPARE), gives=RulesDiffShape, examples=examples.DIFF,
)  # fmt: skip
def _compare_rules(game: Game) -> Response:
    """What two sets of house rules play differently, in plain words."""
    return reply(answer_diff(game, json_body(), current_language()))


@Operation(catalogue, "/games/<game:game>/vectors", gives={"type": "string"}, media=NDJSON)
def _published_vectors(game: Game) -> Response:
    """Cases for other implementations, one a line: a path, a request, and the part of the answer that must be there."""

    def lines() -> Iterator[bytes]:
        for path in sorted(data_folder("tests/vectors").glob("*.jsonl")):
            prefix = f'"post": "/games/{game.id}/'.encode()
            with path.open("rb") as file:
                yield from (line for line in file if prefix in line)

    return Response(lines(), mimetype=NDJSON)


class BookQuery(HouseRulesParameters):
    """What a query about a text of the rule book may hold; the context is the id of the game."""

    rules = Text(
        "House rules as a short code, or a preset: the text then has the numbers of that table.",
        most=CODE_LENGTH, optional=True,
    )  # fmt: skip

    def game_of(self, data: Attributes, context: ReadContext) -> str | None:
        """Return the game in the path."""
        game: str = context
        return game


rulebook = Tag("rulebook", "The rule book: every article with its text, in both languages, for any house rules.")


@Operation(rulebook, "/articles/<article>", gives=schemas.ArticleTextShape, query=BookQuery, unchanged=_UNCHANGED)
def _read_article(article: str) -> Response:
    """An article with its text, the options that it explains, where it comes from, and published cases.

    Without `rules` it has the values of the default preset, or of one that plays it. The id of an article that has
    retired is answered with its successor.
    """
    game = article.partition(".")[0]
    house = query(BookQuery, context=game)["house"] if game in GAMES else None
    return reply_if_new(article_named(article, current_language(), house))


@Operation(rulebook, "/games/<game:game>/book", gives=schemas.BookTextShape, query=BookQuery, unchanged=_UNCHANGED)
def _read_book(game: Game) -> Response:
    """The book of a game: sections and articles with their text.

    With `rules` it has only what this table plays, in the order of play and with its numbers. Without, it has every
    article in the order of the page, and `played` tells the default preset.
    """
    return reply_if_new(book_text(game, current_language(), query(BookQuery, context=game.id)["house"]))


@Operation(rulebook, "/glossary", gives=schemas.GlossaryShape, unchanged=_UNCHANGED)
def _read_glossary() -> Response:
    """The glossary: the terms of all games, in the order of its page."""
    return reply_if_new(glossary(current_language()))
