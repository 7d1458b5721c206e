"""Headers that close what a page does not need, and the door that the API leaves open to other origins."""

from __future__ import annotations

from flask import Flask, Response, request

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""For the API's documentation alone: its interface sets styles on elements."""

EXPOSED = "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Content-Language, X-Request-Id"
ACCEPTED = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id"


def init_app(app: Flask) -> None:
    """Put the headers on every answer."""
    app.after_request(_close)
    app.after_request(_open_api)


def _close(response: Response) -> Response:
    headers = response.headers
    html = response.mimetype == "text/html"
    headers.setdefault("Content-Security-Policy", PAGE_POLICY if html else DATA_POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    if html:
        headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response


def _open_api(response: Response) -> Response:
    """Any origin may ask the API, without cookies: it takes its secrets from the Authorization header alone."""
    if request.path.startswith("/api/v1/"):
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "GET, POST")
            response.headers["Access-Control-Allow-Headers"] = ACCEPTED
            response.headers["Access-Control-Max-Age"] = "86400"
    return response
