"""The site as an app on a home screen: a manifest for each language, and what it shows without a network."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import cast

import orjson
from flask import Blueprint, Flask, Response, current_app, render_template

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook.words import say, words
from companion.web.page_cache import GOOD, CachedPage, serve

THEMES = {"light": "#faf7f0", "dark": "#151412"}
"""The colour of paper in each theme; a test holds that the style sheet says the same."""
ICONS = {"any": (192, 512), "maskable": (192, 512)}
"""Sizes of the icons by purpose: `python -m tests.icons` draws them from `icon.svg` and `maskable.svg`."""
APPLE_ICON = "icons/apple-180.png"

_installing = Blueprint("installing", __name__)


def init_app(app: Flask) -> None:
    """Add the manifests, and what templates say of the app."""
    app.register_blueprint(_installing)
    app.jinja_env.globals.update(themes=THEMES, apple_icon=APPLE_ICON)


@_installing.get("/<lang:lang>/app.webmanifest")
def manifest(lang: str) -> Response:
    """What a browser needs to put the site on the home screen."""
    return serve(_cached_manifest(lang))


@_installing.get("/<lang:lang>/needs-network")
def needs_network(lang: str) -> Response:
    """What a phone shows without a network in the place of a page that it has not kept."""
    return serve(_cached_needs_network(lang))


@lru_cache(maxsize=len(LANGUAGES))
def _cached_needs_network(lang: str) -> CachedPage:
    why = say(lang, "phone.needs-server")
    return CachedPage(render_template("needs-network.html", why=why), lang, GOOD)


@lru_cache(maxsize=len(LANGUAGES))
def _cached_manifest(lang: str) -> CachedPage:
    return CachedPage(orjson.dumps(described(lang)).decode(), lang, GOOD, "application/manifest+json")


def described(lang: str) -> dict[str, object]:
    """Return the manifest in a language. Of the shortcuts, phones show the first three or four."""
    root = f"/{lang}"
    first, *others = (
        (say(lang, "site.new-sheet", game=words(game.id, lang).name), f"{root}/sheets/new/{game.id}")
        for game in GAMES.values()
    )
    everywhere = [(say(lang, name), f"{root}/{path}") for name, path in _SHORTCUTS.items()]
    return {
        "id": f"{root}/",
        "name": say(lang, "site.name"),
        "short_name": say(lang, "site.short-name"),
        "description": say(lang, "site.promise"),
        "lang": lang,
        "dir": "ltr",
        "start_url": f"{root}/sheets",
        "scope": "/",
        "display": "standalone",
        "theme_color": THEMES["light"],
        "background_color": THEMES["light"],
        "icons": [
            {"src": _icon(f"{purpose}-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for purpose, sizes in ICONS.items()
            for size in sizes
        ],
        "shortcuts": [{"name": name, "url": url} for name, url in (first, *everywhere, *others)],
        "share_target": {
            "action": f"{root}/house-rules/shared",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }


_SHORTCUTS = {"navigation.referee": "referee", "search.title": "search"}
"""Pages of all games, by the phrase that names them."""


def _icon(name: str) -> str:
    address = cast("Callable[[str], str]", current_app.jinja_env.globals["static"])
    return address(f"icons/{name}")
