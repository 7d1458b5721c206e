"""The pages that everybody reads: home, what each problem code means, and the way to the book."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, render_template

from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.book import words
from companion.web import book
from companion.web.kept import Kept, answer, keep
from companion.web.language import current_language
from companion.web.problem_codes import explained, groups

NAVIGATION = ("sheets", "referee", "rules")
"""The main parts of the site, each at `/<lang>/<name>`; one that is not there is not offered."""

pages = Blueprint("pages", __name__)


def init_app(app: Flask) -> None:
    """Add the pages, and the way to the parts of the site."""
    app.register_blueprint(pages)
    book.init_app(app)
    app.context_processor(_navigation)


@pages.get("/")
@pages.get("/<lang:lang>/")
def home(lang: str | None = None) -> Response:
    """The front door; without a language in the path, in the reader's own."""
    return answer(_kept_home(current_language()))


@pages.get("/problems")
@pages.get("/<lang:lang>/problems")
def problems(lang: str | None = None) -> str:
    """All problem codes of the API."""
    return render_template("problems.html", groups=groups(current_language()), path="problems")


@pages.get("/problems/<code>")
@pages.get("/<lang:lang>/problems/<code>")
def problem(code: str, lang: str | None = None) -> str:
    """What one problem code means: the page behind a problem's `type`."""
    found = explained(code, current_language()) or abort(404)
    return render_template("problem.html", code=code, explained=found, path=f"problems/{code}")


@lru_cache(maxsize=8)
def _kept_home(lang: str) -> Kept:
    return keep(render_template("home.html", games=_games(lang), path=""))


def _navigation() -> dict[str, Any]:
    there = {rule.rule for rule in current_app.url_map.iter_rules()}
    lang = current_language()
    return {"navigation": [(name, f"/{lang}/{name}") for name in NAVIGATION if f"/<lang:lang>/{name}" in there]}


def _games(lang: str) -> list[tuple[Game, str]]:
    return [(game, words(game.id, lang).name) for game in GAMES.values()]
