"""What goes with the book: the page of its sources and decisions, and the readings of its words."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Flask, Response, jsonify, render_template

from companion.games import GAMES
from companion.rulebook.book import article_url, words
from companion.rulebook.markup import draw_cards
from companion.rulebook.reading import readings
from companion.rulebook.sources import sources
from companion.web.page_cache import SECONDS, CachedPage, cache_page, serve

PATH = "sources"

source_pages = Blueprint("source_pages", __name__)


def init_app(app: Flask) -> None:
    """Add the page."""
    app.register_blueprint(source_pages)


@source_pages.get(f"/<lang:lang>/{PATH}")
def show_sources(lang: str) -> Response:
    """The sources of every game, and the decisions of this book."""
    return serve(_cached_sources(lang))


@source_pages.get("/readings/<lang:language>.json")
def show_readings(language: str) -> Response:
    """The readings of words, for a script that shows all of them."""
    response = jsonify(readings(language))
    response.headers["Cache-Control"] = f"public, max-age={SECONDS}"
    return response


@lru_cache(maxsize=8)
def _cached_sources(lang: str) -> CachedPage:
    found = [(words(game, lang), game, sources(game, lang)) for game in GAMES]
    games = [each for each in found if each[2]]
    html = render_template("book/sources.html", games=games, path=PATH, article_url=article_url, drawn=draw_cards)
    return cache_page(html)
