"""Response headers: hooks that add them, and the security headers of every response.

Hooks run in one WSGI middleware, so that they see what is answered before Flask, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
HeaderHook = Callable[[Environ, str, Headers], None]
"""Adds to the headers of a response, given the request's environment and the status line."""
_EXTENSION = "companion-header-hooks"

API = "/api/v1"
"""What the addresses of version 1 of the API begin with."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""For the API's documentation only: its interface sets styles on elements."""

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
    """Add the security headers to every response; what a response sets itself is kept."""
    add_header_hook(app, _secure)


def add_header_hook(app: Flask, hook: HeaderHook) -> None:
    """Register a function that may add response headers. Hooks run in registration order."""
    if _EXTENSION not in app.extensions:
        app.extensions[_EXTENSION] = []
        app.wsgi_app = _middleware(app.wsgi_app, app.extensions[_EXTENSION])  # type: ignore[method-assign]
    app.extensions[_EXTENSION].append(hook)


def _middleware(inner: Callable[..., Iterable[bytes]], hooks: list[HeaderHook]) -> Callable[..., Iterable[bytes]]:
    def outer(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        def start(status: str, headers: Headers, failure: object = None) -> object:
            for hook in hooks:
                hook(environ, status, headers)
            return start_response(status, headers, failure)

        return inner(environ, start)

    return outer


def _secure(environ: Environ, status: str, headers: Headers) -> None:
    present = {name.lower(): value for name, value in headers}
    if "set-cookie" in present and "public" in present.get("cache-control", ""):
        headers[:] = [header for header in headers if header[0].lower() != "set-cookie"]  # others would be sent it too
    if not status.startswith("304"):  # has no content type; its headers replace those that a browser has stored
        wanted = PAGE if present.get("content-type", "").startswith("text/html") else DATA
        headers += [header for name, header in wanted.items() if name not in present]
    if environ.get("wsgi.url_scheme") == "https":
        headers += SECURE
    if environ.get("PATH_INFO", "").startswith(API):
        headers += OPEN
        if environ.get("REQUEST_METHOD") == "OPTIONS":
            headers += [("Access-Control-Allow-Methods", present.get("allow", "GET, POST")), *PREFLIGHT]
