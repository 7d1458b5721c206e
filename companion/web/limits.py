"""How often one address may ask, counted by `limits` and told in the RateLimit fields of the IETF draft.

Flask-Limiter, made of the same library, was measured at several times the cost of scoring a deal.
"""

from __future__ import annotations

import time

from flask import Flask, Response, g, request
from limits import parse
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

UNCOUNTED = frozenset({"/healthz", "/readyz", "/version", "/metrics"})


def init_app(app: Flask) -> None:
    """Count requests unless the setting RATE_LIMIT is `off`."""
    setting = str(app.config["RATE_LIMIT"])
    if setting == "off":
        return
    limit = parse(setting)
    policy = f'"default";q={limit.amount};w={limit.get_expiry()}'
    counter = FixedWindowRateLimiter(storage_from_string(app.config["RATE_STORE"]))

    @app.before_request
    def count() -> None:
        if request.path not in UNCOUNTED:
            g.caller = request.remote_addr or "unknown"
            if not counter.hit(limit, g.caller):
                raise TooManyRequests

    @app.after_request
    def tell(response: Response) -> Response:
        if "caller" in g:
            reset, left = counter.get_window_stats(limit, g.caller)
            wait = max(1, int(reset - time.time()) + 1)
            response.headers["RateLimit-Policy"] = policy
            response.headers["RateLimit"] = f'"default";r={left};t={wait}'
            if response.status_code == 429:
                response.headers["Retry-After"] = str(wait)
        return response
