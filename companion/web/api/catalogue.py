"""What there is: games, house rules written out and compared, articles and their search, published cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flask import Response, current_app

from companion.data import data_folder
from companion.engine.game import Game
from companion.engine.options import CODE_LENGTH
from companion.engine.shapes import Text, Word, write
from companion.games import GAMES
from companion.library.asking import answer_diff, answer_rules
from companion.library.schemas import named
from companion.library.searching import HouseRulesParameters, answer_search
from companion.rulebook.catalogue_answers import (
    GameShape,
    RulesDiffShape,
    articles_answer,
    catalogue_answer,
    game_entries,
)
from companion.rulebook.search import KINDS, QUERY_LIMIT
from companion.web.api import examples, rules_schemas
from companion.web.api import shapes as schemas
from companion.web.api.operations import (
    NDJSON,
    Group,
    blueprint,
    operation,
    reply,
    reply_if_new,
)
from companion.web.api.reading import CursorParameter, NumberParameter, cursor, json_body, query, with_next
from companion.web.language import current_language

MOST_FOUND = 100
ETAG = ("ETag",)
UNCHANGED = {304: "It is as it was when you got the ETag in `If-None-Match`."}

catalogue = blueprint("catalogue", "What there is: games, house rules, articles, published cases.")


@operation(catalogue, "", gives=schemas.IndexShape, headers=ETAG, others=UNCHANGED)
def show_index() -> Response:
    """What there is: every operation with its address, and where it is described."""
    return reply_if_new(current_app.extensions["api-index"])


def index_answer(groups: Iterable[Group]) -> dict[str, object]:
    """Return the answer of `show_index`."""
    operations = [write(schemas.OperationShape, each, group) for group in groups for each in group.operations]
    return write(schemas.IndexShape, operations)


@operation(catalogue, "/games", gives=schemas.GamesShape, headers=ETAG, others=UNCHANGED)
def list_games() -> Response:
    """The games."""
    return reply_if_new(write(schemas.GamesShape, game_entries(GAMES, current_language())))


@operation(catalogue, "/games/<game:game>", gives=GameShape, headers=ETAG, others=UNCHANGED)
def describe_game(game: Game) -> Response:
    """A game: its options with type, range, unit, default, label and article; its presets."""
    return reply_if_new(catalogue_answer(game, current_language()))


@operation(catalogue, "/games/<game:game>/articles", gives=schemas.ArticlesShape, headers=ETAG, others=UNCHANGED)
def list_articles(game: Game) -> Response:
    """The articles of a game in the order of its page."""
    return reply_if_new(write(schemas.ArticlesShape, articles_answer(game, current_language())))


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
    limit = NumberParameter(low=1, high=MOST_FOUND, default=20)
    cursor = CursorParameter()


@operation(
    catalogue,
    "/articles",
    gives=schemas.FoundShape,
    query=SearchQuery,
    faults=(422,), headers=("Link",),
)  # fmt: skip
def find_articles() -> Response:
    """Articles, presets and options that answer a query in the language of the request, the best first.

    `excerpt` is the sentence that answers, with the numbers of `rules`; `marks` are the places in it, as pairs of
    offsets in characters, where words of the query are. `score` is near 1000 for a question that the book has word
    for word. `played` says whether `rules` play the article; `widened`, that `game` has no answer. `repairs` are
    typing errors that were read as other words. Where nothing is found, `near` has words that come close.
    """
    asked = query(SearchQuery)
    limit, passed = asked["limit"], asked["cursor"] or 0
    page, more = answer_search(
        asked["q"], current_language(), games=[asked["game"]] if asked["game"] else [], house=asked["house"],
        kinds=[asked["kind"]] if asked["kind"] else [], limit=limit, passed=passed,
    )  # fmt: skip
    after = cursor(passed + limit) if more else None
    return with_next(reply({**page, "next": after}), after)


@operation(
    catalogue,
    "/games/<game:game>/rules",
    takes=named(rules_schemas.NORMALISE), gives=named(rules_schemas.WRITTEN_OUT), examples=examples.RULES,
)  # fmt: skip
def normalise_rules(game: Game) -> Response:
    """House rules written out, with their short code, a line of summary in each language, and warnings."""
    return reply(answer_rules(game, json_body(), current_language()))


@operation(
    catalogue,
    "/games/<game:game>/rules/diff",
    takes=named(rules_schemas.COMPARE), gives=RulesDiffShape, examples=examples.DIFF,
)  # fmt: skip
def compare_rules(game: Game) -> Response:
    """What two sets of house rules play differently, in plain words."""
    return reply(answer_diff(game, json_body(), current_language()))


@operation(catalogue, "/games/<game:game>/vectors", gives={"type": "string"}, media=NDJSON)
def published_vectors(game: Game) -> Response:
    """Cases for other implementations, one a line: a path, a request, and the part of the answer that must be there."""

    def lines() -> Iterator[bytes]:
        for path in sorted(data_folder("tests/vectors").glob("*.jsonl")):
            prefix = f'"post": "/games/{game.id}/'.encode()
            with path.open("rb") as file:
                yield from (line for line in file if prefix in line)

    return Response(lines(), mimetype=NDJSON)
