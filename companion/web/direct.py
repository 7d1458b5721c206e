"""Requests that are answered without Flask's routing, contexts and request objects: these take half of a score request.

A handler answers a request from its environment with the function that the view calls too, or returns None. Then, and
whenever anything is unusual, Flask answers: a bad request is worked on twice, and worded in one place. Hosts and limits
are checked by the functions that Flask's hooks call; response headers, request ids and metrics come from middleware
around both ways. The rows of `make bench` are "score request: speed against the const view of a bare Flask", "score
requests a second of one core over HTTP", "kept rule page" and "a poll of the API answered 304";
`tests/web/test_direct.py` holds that both ways answer alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import NamedTuple

from flask import Flask

from companion.serving import BODY_FAULT
from companion.web.headers import Environ, Headers
from companion.web.hosts import is_own_host
from companion.web.limits import is_over_limit

MOST_SENT = 16 * 1024
"""Bytes of a body up to which a request may be worked on twice."""
QUICK_BYTES = 4 * 1024
"""Bytes of a body up to which the work of a quick handler takes about a millisecond at most."""
ROUTE = "companion.route"
"""Key of the environment: the pattern of the route of a request that was answered."""
_EXTENSION = "companion-direct"


class Answer(NamedTuple):
    """A response, and the pattern of the route that Flask would have taken."""

    status: str
    headers: Headers
    body: bytes
    route: str


Handler = Callable[[Environ], Answer | None]


class Direct:
    """The handlers of an application."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._posts: dict[str, Handler] = {}
        self._pages: dict[str, Handler] = {}
        self._polls: list[Handler] = []
        self._quick: set[str] = set()

    def add_post(self, path: str, handler: Handler, *, quick: bool = False) -> None:
        """Add a handler for what is posted to a path; a `quick` one waits for nothing."""
        self._posts[path] = handler
        if quick:
            self._quick.add(path)

    def add_page(self, path: str, handler: Handler) -> None:
        """Add a handler for a page that is the same for everybody who asks for a path."""
        self._pages[path] = handler

    def add_poll(self, handler: Handler) -> None:
        """Add a handler for requests with an entity tag, at any path."""
        self._polls.append(handler)

    def is_quick(self, environ: Environ) -> bool:
        """Return whether a request whose body was read is answered sooner than another thread takes it over."""
        return (
            environ["PATH_INFO"] in self._quick
            and environ["REQUEST_METHOD"] == "POST"
            and int(environ.get("CONTENT_LENGTH") or 0) <= QUICK_BYTES
        )

    def answer(self, environ: Environ) -> Answer | None:
        """Return the response to a request, None if that is for Flask."""
        if environ.get("SCRIPT_NAME") or environ.get("QUERY_STRING"):
            return None
        method = environ["REQUEST_METHOD"]
        by_path = self._posts if method == "POST" else self._pages if method == "GET" else {}
        if handler := by_path.get(environ["PATH_INFO"]):
            handlers: Iterable[Handler] = (handler,)
        elif method == "GET" and "HTTP_IF_NONE_MATCH" in environ:
            handlers = self._polls
        else:
            return None
        for handler in handlers:
            try:
                if found := handler(environ):
                    return found
            except Exception:  # whatever it is, Flask meets it too, and knows how to say it
                return None
        return None


def admits(app: Flask, environ: Environ) -> bool:
    """Count a request of a known host, and return whether it may be answered at once."""
    return BODY_FAULT not in environ and is_own_host(app, environ) and not is_over_limit(app, environ)


def json_sent(app: Flask, environ: Environ) -> bytes | None:
    """Return the JSON text of a small body of known length, None for any other; it can be read again."""
    length = environ.get("CONTENT_LENGTH", "")
    if environ.get("CONTENT_TYPE") != "application/json" or "HTTP_TRANSFER_ENCODING" in environ:
        return None
    most = min(MOST_SENT, app.config["MAX_CONTENT_LENGTH"])
    if not (length.isascii() and length.isdecimal() and len(length) < 6 and int(length) <= most):
        return None
    sent: bytes = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(sent)
    return sent if len(sent) == int(length) else None


def direct(app: Flask) -> Direct:
    """Return the handlers of an application."""
    found: Direct = app.extensions.setdefault(_EXTENSION, Direct(app))
    return found
