"""Headers that close what an answer does not need, and the door that the API leaves open to other origins.

Set around the application, not within: they hold for static files too and cost next to nothing.
"""

from __future__ import annotations

from flask import Flask

from companion.web.around import Environ, Headers, tell

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""For the API's documentation alone: its interface sets styles on elements."""

EXPOSED = (
    "Content-Language, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
ACCEPTED = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id"

ALWAYS: Headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]
_PAGE: Headers = [
    *ALWAYS,
    ("Content-Security-Policy", PAGE_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
]
_DATA: Headers = [*ALWAYS, ("Content-Security-Policy", DATA_POLICY)]
PAGE, DATA = ({header[0].lower(): header for header in headers} for headers in (_PAGE, _DATA))
SECURE = [("Strict-Transport-Security", "max-age=31536000")]
OPEN = [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", EXPOSED)]
"""Any origin may ask the API, without cookies: it takes its secrets from the Authorization header alone."""
PREFLIGHT = [("Access-Control-Allow-Headers", ACCEPTED), ("Access-Control-Max-Age", "86400")]


def init_app(app: Flask) -> None:
    """Put the headers on every answer; what an answer sets itself stays."""
    tell(app, _close)


def _close(environ: Environ, status: str, headers: Headers) -> None:
    present = {name.lower(): value for name, value in headers}
    wanted = PAGE if present.get("content-type", "").startswith("text/html") else DATA
    headers += [header for name, header in wanted.items() if name not in present]
    if environ.get("wsgi.url_scheme") == "https":
        headers += SECURE
    if environ.get("PATH_INFO", "").startswith("/api/v1/"):
        headers += OPEN
        if environ.get("REQUEST_METHOD") == "OPTIONS":
            headers += [("Access-Control-Allow-Methods", present.get("allow", "GET, POST")), *PREFLIGHT]
