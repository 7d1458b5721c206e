"""The search of the site: a page that any header's field leads to, and whose list a script shows while typing."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlencode

from flask import Blueprint, Flask, Response, abort, render_template, request

from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import words
from companion.rulebook.search import QUERY_LIMIT, asks_permission, search
from companion.rulebook.search_answers import answers
from companion.web.page_cache import QUICK, CachedPage, cache_page, serve

MOST_FOUND = 12
"""Hits on a page: whoever does not find it among these asks in other words."""

search_pages = Blueprint("search", __name__)


def init_app(app: Flask) -> None:
    """Add the page."""
    app.register_blueprint(search_pages)


@search_pages.get("/<lang:lang>/search")
def search_book(lang: str) -> Response:
    """What the rulebook says about `?q=`, first of the game of `?game=` under the rules of `?rules=`."""
    query, game_id, code = (request.args.get(name, "") for name in ("q", "game", "rules"))
    game = GAMES.get(game_id)
    try:
        code = game.options.code(game.options.decode(code)) if game and code else ""
    except Refused:
        abort(422)
    return serve(_cached_search(lang, query[:QUERY_LIMIT].strip(), game.id if game else "", code))


@lru_cache(maxsize=256)
def _cached_search(lang: str, query: str, game_id: str, code: str) -> CachedPage:
    house = GAMES[game_id].options.decode(code) if code else None
    found = search(lang, query, games=[game_id] if game_id else [], house=house, limit=MOST_FOUND)
    given = list(answers(found, lang, house, game_id))
    asked = {name: value for name, value in (("q", query), ("game", game_id), ("rules", code)) if value}
    html = render_template(
        "book/search.html", query=query, found=found, answers=given, scope=(game_id, code) if game_id else None,
        names={game.id: words(game.id, lang).name for game in GAMES.values()},
        judged=_judged(lang, query, given[0].hit.document.game if given else ""),
        path=f"search?{urlencode(asked)}" if asked else "search",
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


def _judged(lang: str, query: str, game_id: str) -> str:
    """Return the game whose referee can answer a question by whether something may be done; empty if there is none."""
    return game_id if game_id and GAMES[game_id].questions and asks_permission(lang, query) else ""
