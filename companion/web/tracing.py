"""What happened: an id for every request, counts and durations for monitoring, a line of log where it is asked for.

Paths are logged by their pattern (`/watch/<token>`), never as asked: secrets may stand in them.
"""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, request
from prometheus_client import CollectorRegistry, Histogram
from pythonjsonlogger.json import JsonFormatter

from companion.web.around import Environ, Headers, tell

_ACCEPTABLE = re.compile(r"[A-Za-z0-9_-]{8,64}")
_ids = random.Random()  # noqa: S311  # told apart, not kept secret
BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Any other counts as `other`, so that nobody can fill the memory with labels."""
ID, BEGAN = "companion.request_id", "companion.began"


def init_app(app: Flask) -> None:
    """Number and time every request, around the application: hooks within it cost several times as much."""
    registry = app.extensions["metrics"] = CollectorRegistry()
    durations = Histogram(
        "companion_request_seconds", "Requests by route and status.", ["method", "route", "status"],
        registry=registry, buckets=BUCKETS,
    )  # fmt: skip
    known: dict[tuple[str, str, str], Histogram] = {}
    log = _access_log() if app.config["ACCESS_LOG"] else None

    def end(environ: Environ, status: str, headers: Headers) -> None:
        headers.append(("X-Request-Id", environ[ID]))
        asked = environ.get("werkzeug.request")
        route = asked.url_rule.rule if asked is not None and asked.url_rule else "none"
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in METHODS else "other"
        took = time.perf_counter() - environ[BEGAN]
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

    tell(app, end)
    app.wsgi_app = _begun(app.wsgi_app)  # type: ignore[method-assign]


def _begun(inner: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    def outer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID")
        environ[ID] = given if given and _ACCEPTABLE.fullmatch(given) else f"{_ids.getrandbits(80):020x}"
        environ[BEGAN] = time.perf_counter()
        return inner(environ, start_response)

    return outer


def request_id() -> str:
    """The id of the current request."""
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
