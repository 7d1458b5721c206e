"""The page that says what the rulebook was made from, what was lost, and what it decides itself."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Flask, Response, render_template

from companion.games import GAMES
from companion.rulebook.book import article_url, words
from companion.rulebook.markup import draw_cards
from companion.rulebook.sources import sources
from companion.web.page_cache import CachedPage, cache_page, serve

PATH = "sources"

source_pages = Blueprint("source_pages", __name__)


def init_app(app: Flask) -> None:
    """Add the page."""
    app.register_blueprint(source_pages)


@source_pages.get(f"/<lang:lang>/{PATH}")
def show_sources(lang: str) -> Response:
    """The sources of every game, and the decisions of this book."""
    return serve(_cached_sources(lang))


@lru_cache(maxsize=8)
def _cached_sources(lang: str) -> CachedPage:
    found = [(words(game, lang), game, sources(game, lang)) for game in GAMES]
    games = [each for each in found if each[2]]
    html = render_template("book/sources.html", games=games, path=PATH, article_url=article_url, drawn=draw_cards)
    return cache_page(html)
