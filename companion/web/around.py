"""Headers that every answer gets, added around the application: hooks of Flask cost several times as much."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Teller = Callable[[Environ, str, Headers], None]
"""Adds to the headers of an answer, knowing the request and the status."""
_TELLERS = "companion-tellers"


def tell(app: Flask, teller: Teller) -> None:
    """Let a teller see every answer of the application; those that come first are asked first."""
    if _TELLERS not in app.extensions:
        app.extensions[_TELLERS] = []
        app.wsgi_app = _told(app.wsgi_app, app.extensions[_TELLERS])  # type: ignore[method-assign]
    app.extensions[_TELLERS].append(teller)


def _told(inner: Callable[..., Iterable[bytes]], tellers: list[Teller]) -> Callable[..., Iterable[bytes]]:
    def outer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: Headers, failure: Any = None) -> Any:
            for teller in tellers:
                teller(environ, status, headers)
            return start_response(status, headers, failure)

        return inner(environ, start)

    return outer
