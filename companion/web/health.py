"""Whether the service is up and ready, which version runs, and its counts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache

from flask import Flask, Response, current_app
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from companion import __version__
from companion.data import data_folder
from companion.games import GAMES
from companion.rulebook.book import load_book
from companion.rulebook.phrases import LANGUAGES
from companion.rulebook.source import game_folder
from companion.web.json import json_response


def init_app(app: Flask) -> None:
    """Add the four addresses. What must work before requests may come goes into `app.extensions["readiness"]`."""
    app.extensions.setdefault("readiness", {})["rulebook"] = load_book
    for path, view in (("/healthz", healthz), ("/readyz", readyz), ("/version", version), ("/metrics", metrics)):
        app.add_url_rule(path, view_func=view)


def healthz() -> Response:
    """The process answers."""
    return _uncached({"status": "ok"})


def readyz() -> Response:
    """Everything that a request may need works; 503 and its name where something does not."""
    checks: dict[str, Callable[[], object]] = current_app.extensions["readiness"]
    failed = [name for name, check in checks.items() if not _works(name, check)]
    state = {"status": "unready" if failed else "ready", "checks": {name: name not in failed for name in checks}}
    return _uncached(state, 503 if failed else 200)


def version() -> Response:
    """The version of the program and a digest of its rulebook."""
    return _uncached({"version": __version__, "rulebook": rulebook_digest()})


def metrics() -> Response:
    """Counts and durations in the text format of Prometheus."""
    response = Response(generate_latest(current_app.extensions["metrics"]), content_type=CONTENT_TYPE_LATEST)
    response.headers["Cache-Control"] = "no-store"
    return response


@lru_cache(maxsize=1)
def rulebook_digest() -> str:
    """Return a short digest over every file of the rulebook in both languages."""
    digest = hashlib.sha256()
    shared = [data_folder(f"rules_{lang}") for lang in LANGUAGES]
    brought = [game_folder(game, lang) for game in GAMES.values() if game.texts for lang in LANGUAGES]
    for folder in (*shared, *brought):
        for path in sorted(folder.rglob("*.*")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _works(name: str, check: Callable[[], object]) -> bool:
    try:
        check()
    except Exception:
        current_app.logger.exception("not ready: %s", name)
        return False
    return True


def _uncached(value: object, status: int = 200) -> Response:
    response = json_response(value, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
