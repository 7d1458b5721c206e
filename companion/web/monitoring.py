"""Monitoring: health, readiness and version, request ids, metrics, and the access log where it is wanted.

Routes are logged by their pattern (`/watch/<token>`), never as requested: paths may hold secrets.
"""

from __future__ import annotations

import hashlib
import logging
import random
import re
import threading
import time
from collections.abc import Callable, Iterable
from functools import lru_cache

from flask import Flask, Response, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from pythonjsonlogger.json import JsonFormatter

from companion import __version__
from companion.data import LANGUAGES, data_folder
from companion.games import GAMES
from companion.rulebook.lessons import check_texts
from companion.rulebook.source import game_folder
from companion.sheets.store import Unavailable
from companion.web.http import REQUEST_ID as ID
from companion.web.http import Environ, Headers, add_header_hook, json_response

_ACCEPTABLE = re.compile(r"[A-Za-z0-9_-]{8,64}")
_ids = random.Random()  # noqa: S311  # unique, not secret
BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Others are counted as `other`, so that no client can fill the memory with labels."""
STARTED, ROUTE = "companion.started", "companion.route"
"""Keys of the request environment: when it began, and the pattern of the route where Flask has taken none."""
READY_SECONDS = 2.0
"""How long the result of the readiness checks is good for: one of them writes to the disk."""


def init_app(app: Flask) -> None:
    """Add four addresses, and an id and a duration for every request.

    Checks that must pass before requests may come are in `app.extensions["readiness"]`.
    """
    app.extensions.setdefault("readiness", {})["rulebook"] = check_texts
    for path, view in (("/healthz", healthz), ("/readyz", readyz), ("/version", version)):
        app.add_url_rule(path, view_func=view)
    if app.config["METRICS"]:
        app.add_url_rule("/metrics", view_func=metrics)
    _observe(app)


def healthz() -> Response:
    """Return 200 while the process runs."""
    return _uncached({"status": "ok"})


def readyz() -> Response:
    """Run every readiness check; 503 where one fails, with its name."""
    checks: dict[str, Callable[[], object]] = current_app.extensions["readiness"]
    failed = _checked(checks)
    state = {"status": "unready" if failed else "ready", "checks": {name: name not in failed for name in checks}}
    return _uncached(state, 503 if failed else 200)


def version() -> Response:
    """Return the version of the program and a digest of its rulebook."""
    return _uncached({"version": __version__, "rulebook": rulebook_digest()})


def metrics() -> Response:
    """Return the metrics in the text format of Prometheus."""
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
            if path.parent.name != "__pycache__":
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _checked(checks: dict[str, Callable[[], object]]) -> list[str]:
    """Return the names of the checks that fail; of many that ask at once, one runs them."""
    with _checking:
        at, of, failed = _latest_check[0]
        if of != list(checks.values()) or time.monotonic() - at > READY_SECONDS:
            failed = [name for name, check in checks.items() if not _works(name, check)]
            _latest_check[0] = time.monotonic(), list(checks.values()), failed
    return failed


_checking = threading.Lock()
_latest_check: list[tuple[float, list[Callable[[], object]], list[str]]] = [(0.0, [], [])]


def _works(name: str, check: Callable[[], object]) -> bool:
    try:
        check()
    except Exception as fault:
        current_app.logger.error("not ready: %s: %s", name, fault if isinstance(fault, Unavailable) else type(fault))
        return False
    return True


def _uncached(value: object, status: int = 200) -> Response:
    response = json_response(value, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _observe(app: Flask) -> None:
    """Count and time every request. Done by middleware for the reason that `companion.web.http` gives."""
    registry = app.extensions["metrics"] = CollectorRegistry()
    durations = Histogram(
        "companion_request_seconds", "Requests by route and status.", ["method", "route", "status"],
        registry=registry, buckets=BUCKETS,
    )  # fmt: skip
    known: dict[tuple[str, str, str], Histogram] = {}
    log = _access_log() if app.config["ACCESS_LOG"] else None

    def finish(environ: Environ, status: str, headers: Headers) -> None:
        headers.append(("X-Request-Id", environ[ID]))
        route = environ.get(ROUTE) or _matched_route(environ)
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in METHODS else "other"
        took = time.perf_counter() - environ[STARTED]
        series = (method, route, status[:3])
        if series not in known:
            known[series] = durations.labels(*series)
        known[series].observe(took)
        if log:
            log.info(
                "request",
                extra={
                    "request_id": environ[ID],
                    "method": method,
                    "route": route,
                    "status": int(status[:3]),
                    "milliseconds": round(took * 1000, 2),
                },
            )

    add_header_hook(app, finish)
    app.wsgi_app = _start(app.wsgi_app)  # type: ignore[method-assign]


def _matched_route(environ: Environ) -> str:
    """Return the pattern of the route that Flask has taken."""
    asked = environ.get("werkzeug.request")
    return asked.url_rule.rule if asked is not None and asked.url_rule else "none"


def _start(inner: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    def outer(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID")
        environ[ID] = given if given and _ACCEPTABLE.fullmatch(given) else f"{_ids.getrandbits(80):020x}"
        environ[STARTED] = time.perf_counter()
        return inner(environ, start_response)

    return outer


def request_id() -> str:
    """Return the id of the current request."""
    found: str = request.environ.get(ID, "")
    return found


def _access_log() -> logging.Logger:
    log = logging.getLogger("companion.access")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(JsonFormatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
    return log
