"""How often one address may ask: counted by Flask-Limiter, told in the RateLimit fields of the IETF draft."""

from __future__ import annotations

import time

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

UNCOUNTED = frozenset({"/healthz", "/readyz", "/version", "/metrics"})


def init_app(app: Flask) -> None:
    """Count requests unless the setting RATE_LIMIT is `off`."""
    limit = str(app.config["RATE_LIMIT"])
    if limit == "off":
        return
    limiter = Limiter(
        get_remote_address,
        application_limits=[limit],
        storage_uri=app.config["RATE_STORE"],
        strategy="fixed-window",
    )
    limiter.request_filter(lambda: request.path in UNCOUNTED)
    limiter.init_app(app)

    @app.after_request
    def tell(response: Response) -> Response:
        current = limiter.current_limit
        if current is not None:
            wait = max(0, int(current.reset_at - time.time()) + 1)
            response.headers["RateLimit-Policy"] = f'"default";q={current.limit.amount};w={current.limit.get_expiry()}'
            response.headers["RateLimit"] = f'"default";r={current.remaining};t={wait}'
            if response.status_code == 429:
                response.headers["Retry-After"] = str(wait)
        return response
