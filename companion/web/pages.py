"""The pages that everybody reads: home, what each problem code means, and the way to the book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flask import Blueprint, Flask, Response, abort, current_app, make_response, render_template
from werkzeug.routing import Map

from companion.games import GAMES
from companion.library.problem_codes import explained, groups
from companion.rulebook.book import words
from companion.sheets.events import View
from companion.web import book, learn
from companion.web.keeper.access import comes_with_key, kept_sheets
from companion.web.keeper.board import Board, board
from companion.web.language import current_language
from companion.web.page_cache import GOOD, CachedPage, cache_page, serve
from companion.web.site_address import with_root

NAVIGATION = ("sheets", "referee", "rules")
"""The main parts of the site, each at `/<lang>/<name>`; one that is not there is not offered."""

SHEETS = 2
"""How many sheets the front door shows."""

pages = Blueprint("pages", __name__)


def init_app(app: Flask) -> None:
    """Add the pages, and the way to the parts of the site."""
    app.register_blueprint(pages)
    book.init_app(app)
    learn.init_app(app)
    app.context_processor(_navigation)


@pages.get("/")
@pages.get("/<lang:lang>/")
def home(lang: str | None = None) -> Response:
    """The front door, with the sheets that this device keeps; without a language in the path, in the reader's own."""
    language = current_language()
    sheets = _newest_sheets(language)
    response = (
        make_response(with_root(_home(language, sheets)))
        if sheets
        else serve(_cached_home(language, current_app.url_map))
    )
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@pages.get("/problems")
@pages.get("/<lang:lang>/problems")
def problems(lang: str | None = None) -> Response:
    """All problem codes of the API."""
    return serve(_cached_problems(current_language()))


@pages.get("/problems/<code>")
@pages.get("/<lang:lang>/problems/<code>")
def problem(code: str, lang: str | None = None) -> str:
    """What one problem code means: the page behind a problem's `type`."""
    found = explained(code, current_language()) or abort(404)
    return render_template("problem.html", code=code, explained=found, path=f"problems/{code}")


@lru_cache(maxsize=8)
def _cached_home(lang: str, routes: Map) -> CachedPage:
    """Return the front door of whoever keeps no sheet; where the routes are others, it leads elsewhere."""
    return cache_page(_home(lang, []))


def _home(lang: str, sheets: Sequence[tuple[View, Board]]) -> str:
    games = [(game, words(game.id, lang)) for game in GAMES.values()]
    return render_template("home.html", games=games, sheets=sheets[:SHEETS], more=len(sheets) > SHEETS, path="")


def _newest_sheets(lang: str) -> list[tuple[View, Board]]:
    """Up to one sheet more than the front door shows; whoever keeps none has no cookie, and pays nothing for this."""
    kept = [view for view in kept_sheets(SHEETS + 1) if view.game] if comes_with_key() else []
    return [(view, board(view, lang)) for view in kept]


@lru_cache(maxsize=8)
def _cached_problems(lang: str) -> CachedPage:
    return cache_page(render_template("problems.html", groups=groups(lang), path="problems"), effort=GOOD)


def _navigation() -> dict[str, object]:
    lang = current_language()
    return {"navigation": [(name, f"/{lang}/{name}") for name in _offered(current_app.url_map)]}


@lru_cache(maxsize=8)  # every page asks, and an application has more than a hundred routes
def _offered(routes: Map) -> tuple[str, ...]:
    """Return the pages of the navigation that an application has."""
    there = {rule.rule for rule in routes.iter_rules()}
    return tuple(name for name in NAVIGATION if f"/<lang:lang>/{name}" in there)
