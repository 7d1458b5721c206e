"""The rule book: articles with their text and a table's numbers, whole books, the glossary."""

from __future__ import annotations

from flask import Response

from companion.engine.game import Game
from companion.engine.options import CODE_LENGTH
from companion.engine.shapes import Attributes, ReadContext, Text
from companion.games import GAMES
from companion.library.searching import HouseRulesParameters
from companion.rulebook import text as schemas
from companion.rulebook.text import article_text, book_text, glossary
from companion.web.api.catalogue import ETAG, UNCHANGED
from companion.web.api.operations import blueprint, operation, reply_if_new
from companion.web.api.problems import Declined
from companion.web.api.reading import query
from companion.web.language import current_language


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


rulebook = blueprint("rulebook", "The rule book: every article with its text, in both languages, for any house rules.")


@operation(
    rulebook, "/articles/<article>",
    gives=schemas.ArticleTextShape, query=BookQuery, faults=(422,), headers=ETAG, others=UNCHANGED,
)  # fmt: skip
def read_article(article: str) -> Response:
    """An article with its text, the options that it explains, where it comes from, and published cases.

    Without `rules` it has the values of the default preset, or of one that plays it. The id of an article that has
    retired is answered with its successor.
    """
    game = GAMES.get(article.partition(".")[0])
    if game is None:
        raise Declined("not-found")
    house = query(BookQuery, context=game.id)["house"]
    try:
        return reply_if_new(article_text(article, current_language(), house))
    except KeyError:
        raise Declined("not-found") from None


@operation(
    rulebook, "/games/<game:game>/book",
    gives=schemas.BookTextShape, query=BookQuery, faults=(422,), headers=ETAG, others=UNCHANGED,
)  # fmt: skip
def read_book(game: Game) -> Response:
    """The book of a game: sections and articles with their text.

    With `rules` it has only what this table plays, in the order of play and with its numbers. Without, it has every
    article in the order of the page, and `played` tells the default preset.
    """
    house = query(BookQuery, context=game.id)["house"]
    return reply_if_new(book_text(game, current_language(), house))


@operation(rulebook, "/glossary", gives=schemas.GlossaryShape, headers=ETAG, others=UNCHANGED)
def read_glossary() -> Response:
    """The glossary: the terms of all games, in the order of its page."""
    return reply_if_new(glossary(current_language()))
