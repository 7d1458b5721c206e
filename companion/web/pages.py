"""The pages that everybody reads: home, the rulebook, and what each problem code means."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.answers import notice_answer
from companion.rulebook.book import words
from companion.rulebook.pages import page
from companion.rulebook.search import QUERY_LIMIT, search
from companion.web.kept import Kept, answer, keep
from companion.web.language import current_language
from companion.web.problem_codes import explained, groups

MOST_FOUND = 50
NAVIGATION = ("sheets", "referee", "rules")
"""The main parts of the site, each at `/<lang>/<name>`; one that is not there is not offered."""

pages = Blueprint("pages", __name__)


def init_app(app: Flask) -> None:
    """Add the pages, and the way to the parts of the site."""
    app.register_blueprint(pages)
    app.context_processor(_navigation)


@pages.get("/")
@pages.get("/<lang:lang>/")
def home(lang: str | None = None) -> Response:
    """The front door; without a language in the path, in the reader's own."""
    return answer(_kept_home(current_language()))


@pages.get("/<lang:lang>/rules")
def rules_index(lang: str) -> Response:
    """The games of the rulebook."""
    return answer(_kept_index(lang))


@pages.get("/<lang:lang>/rules/<game_id>")
def rules(lang: str, game_id: str) -> Response:
    """The rule page of a game; with `?rules=<code>` as one table plays it."""
    game = GAMES.get(game_id) or abort(404)
    code = request.args.get("rules")
    if code is None:
        return answer(_kept_rules(game_id, lang))
    try:
        return answer(_kept_table_rules(game_id, lang, game.options.code(game.options.decode(code))))
    except Refused:
        abort(422)


@pages.get("/<lang:lang>/rules/<game_id>/<anchor>")
def article(lang: str, game_id: str, anchor: str) -> BaseResponse:
    """Where verdicts point: leads to the article on its page, also from an anchor that has retired."""
    game = GAMES.get(game_id) or abort(404)
    try:
        found = game.articles[f"{game_id}.{anchor}"]
    except KeyError:
        abort(404)
    return redirect(f"/{lang}/rules/{game_id}#{found.anchor}")


@pages.get("/<lang:lang>/search")
def search_rules(lang: str) -> str:
    """What the rulebook says about the words of `?q=`."""
    query = request.args.get("q", "")[:QUERY_LIMIT]
    found = search(lang, query, limit=MOST_FOUND)
    names = {game.id: name for game, name in _games(lang)}
    return render_template("search.html", query=query, found=found, names=names)


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


@lru_cache(maxsize=8)
def _kept_index(lang: str) -> Kept:
    return keep(render_template("rules_index.html", games=_games(lang), path="rules"))


@lru_cache(maxsize=32)
def _kept_rules(game: str, lang: str) -> Kept:
    return keep(render_template("rules.html", page=page(game, lang), path=f"rules/{game}"))


@lru_cache(maxsize=64)
def _kept_table_rules(game_id: str, lang: str, code: str) -> Kept:
    game, own = GAMES[game_id], words(game_id, lang)
    house = game.options.decode(code)
    table = {
        "code": code,
        "summary": own.summary(game.options, house),
        "notices": [notice_answer(notice, own)["text"] for notice in house.notices],
    }
    html = render_template(
        "rules.html", page=page(game_id, lang, house), table=table, path=f"rules/{game_id}?rules={code}"
    )
    return keep(html, thorough=False)


def _navigation() -> dict[str, Any]:
    there = {rule.rule for rule in current_app.url_map.iter_rules()}
    lang = current_language()
    return {"navigation": [(name, f"/{lang}/{name}") for name in NAVIGATION if f"/<lang:lang>/{name}" in there]}


def _games(lang: str) -> list[tuple[Game, str]]:
    return [(game, words(game.id, lang).name) for game in GAMES.values()]
