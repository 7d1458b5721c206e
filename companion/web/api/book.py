"""The rule book: articles with their text and a table's numbers, whole books, the glossary."""

from __future__ import annotations

from flask import Response

from companion.engine.game import Game
from companion.games import GAMES
from companion.library.asking import raise_for_problems, read_house
from companion.rulebook import text as schemas
from companion.rulebook.text import article_text, book_text, glossary
from companion.web.api.catalogue import ETAG, UNCHANGED
from companion.web.api.operations import blueprint, operation, reply_if_new
from companion.web.api.problems import Declined
from companion.web.api.reading import query
from companion.web.language import current_language

RULES = (
    {
        "name": "rules",
        "in": "query",
        "schema": {"type": "string", "maxLength": 2000},
        "description": "House rules as a short code, or a preset: the text then has the numbers of that table.",
    },
)

rulebook = blueprint("rulebook", "The rule book: every article with its text, in both languages, for any house rules.")


@operation(
    rulebook, "/articles/<article>",
    gives=schemas.ArticleTextShape, query=RULES, faults=(422,), headers=ETAG, others=UNCHANGED,
)  # fmt: skip
def read_article(article: str) -> Response:
    """An article with its text, the options that it explains, where it comes from, and published cases.

    Without `rules` it has the values of the default preset, or of one that plays it. The id of an article that has
    retired is answered with its successor.
    """
    game = GAMES.get(article.partition(".")[0])
    if game is None:
        raise Declined("not-found")
    node = query()
    house = read_house(game, node["rules"]) if node["rules"].present else None
    raise_for_problems(node)
    try:
        return reply_if_new(article_text(article, current_language(), house))
    except KeyError:
        raise Declined("not-found") from None


@operation(
    rulebook, "/games/<game:game>/book",
    gives=schemas.BookTextShape, query=RULES, faults=(422,), headers=ETAG, others=UNCHANGED,
)  # fmt: skip
def read_book(game: Game) -> Response:
    """The book of a game: sections and articles with their text.

    With `rules` it has only what this table plays, in the order of play and with its numbers. Without, it has every
    article in the order of the page, and `played` tells the default preset.
    """
    node = query()
    house = read_house(game, node["rules"]) if node["rules"].present else None
    raise_for_problems(node)
    return reply_if_new(book_text(game, current_language(), house))


@operation(rulebook, "/glossary", gives=schemas.GlossaryShape, headers=ETAG, others=UNCHANGED)
def read_glossary() -> Response:
    """The glossary: the terms of all games, in the order of its page."""
    return reply_if_new(glossary(current_language()))
