"""What happened: an id for every request, counts and durations for monitoring, a line of log where it is asked for.

Paths are logged by their pattern (`/watch/<token>`), never as asked: secrets may stand in them.
"""

from __future__ import annotations

import logging
import re
import secrets
import time

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Histogram
from pythonjsonlogger.json import JsonFormatter

_ACCEPTABLE = re.compile(r"[A-Za-z0-9_-]{8,64}")
BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)


def init_app(app: Flask) -> None:
    """Number and time every request."""
    registry = app.extensions["metrics"] = CollectorRegistry()
    durations = Histogram(
        "companion_request_seconds", "Requests by route and status.", ["method", "route", "status"],
        registry=registry, buckets=BUCKETS,
    )  # fmt: skip
    known: dict[tuple[str, str, int], Histogram] = {}
    log = _access_log() if app.config["ACCESS_LOG"] else None

    @app.before_request
    def begin() -> None:
        given = request.headers.get("X-Request-Id", "")
        g.request_id = given if _ACCEPTABLE.fullmatch(given) else secrets.token_urlsafe(12)
        g.began = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.get("request_id", "")
        route = request.url_rule.rule if request.url_rule else "none"
        took = time.perf_counter() - g.get("began", time.perf_counter())
        series = (_method(), route, response.status_code)
        if series not in known:
            known[series] = durations.labels(*series)
        known[series].observe(took)
        if log:
            log.info(
                "request",
                extra={
                    "request_id": g.get("request_id"),
                    "method": _method(),
                    "route": route,
                    "status": response.status_code,
                    "milliseconds": round(took * 1000, 2),
                },
            )
        return response


def _method() -> str:
    """The method; anything a client made up is `other`, so that nobody can fill the memory with labels."""
    return request.method if request.method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") else "other"


def _access_log() -> logging.Logger:
    log = logging.getLogger("companion.access")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(JsonFormatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
    return log
