"""Pages for those who have never played: the quick start of each way to play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from flask import Blueprint, Flask, Response, abort, render_template

from companion.engine.game import Game
from companion.engine.lessons import Lessons
from companion.games import GAMES
from companion.rulebook.book import rules_url, words
from companion.rulebook.lessons import quick_start
from companion.web.navigation import NavLink
from companion.web.page_cache import GOOD, CachedPage, cache_page, serve

learn = Blueprint("learn", __name__)


def init_app(app: Flask) -> None:
    """Add the pages, and `teaches` for templates that lead to them."""
    app.register_blueprint(learn)
    app.jinja_env.globals["teaches"] = teaches


def teaches(game_id: str) -> bool:
    """Return whether a game has lessons."""
    return game_id in GAMES and GAMES[game_id].lessons is not None


@learn.get("/<lang:lang>/learn/<game_id>")
@learn.get("/<lang:lang>/learn/<game_id>/<preset>")
def quick(lang: str, game_id: str, preset: str = "") -> Response:
    """The quick start of a preset, or of the one for beginners."""
    game, lessons = _lessons(game_id)
    if preset and preset not in lessons.ways[1:]:
        abort(404)
    return serve(_cached_quick(game.id, lang, preset or lessons.ways[0]))


def learn_paths() -> Iterator[str]:
    """Yield the paths of all pages for learners that others should find, without the language."""
    for game in GAMES.values():
        lessons = game.load_lessons()
        if lessons is not None:
            yield from (quick_path(game.id, lessons, way) for way in lessons.ways)


def quick_path(game_id: str, lessons: Lessons, way: str) -> str:
    """Return the path of a quick start, without the language."""
    return f"learn/{game_id}" if way == lessons.ways[0] else f"learn/{game_id}/{way}"


def _lessons(game_id: str) -> tuple[Game, Lessons]:
    """Return a game and what teaches it; answers 404 without."""
    game = GAMES.get(game_id) or abort(404)
    return game, game.load_lessons() or abort(404)


@lru_cache(maxsize=64)
def _cached_quick(game_id: str, lang: str, preset: str) -> CachedPage:
    game, lessons = _lessons(game_id)
    own = words(game_id, lang)
    ways = [
        NavLink(own.preset_label(way), f"/{lang}/{quick_path(game_id, lessons, way)}", way == preset)
        for way in lessons.ways
    ]
    html = render_template(
        "learn/quick.html", game=game, name=own.name, way=own.preset_label(preset), ways=ways,
        start=quick_start(game_id, lang, preset), rules=rules_url(lang, game_id, preset),
        path=quick_path(game_id, lessons, preset), code=preset,
    )  # fmt: skip
    return cache_page(html, effort=GOOD)
