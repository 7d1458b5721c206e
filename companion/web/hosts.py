"""The names that the service answers to: links, QR codes and redirects that it writes never carry another."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

from flask import Flask, abort, request
from werkzeug.sansio.utils import get_host

from companion.web.headers import Environ
from companion.web.limits import UNCOUNTED

_EXTENSION = "companion-hosts"
OWN_NETWORK = (".local", ".localhost", ".lan", ".internal", ".home.arpa")
"""Ends of names that only the own network knows."""


def init_app(app: Flask) -> None:
    """Answer 400 to requests for any host but those in HOSTS and SITE_URL, or without these, but on the own network.

    A name in HOSTS that begins with a dot stands for all names that end with it.
    """
    named = {name.lower() for name in str(app.config["HOSTS"]).replace(",", " ").split()}
    if app.config["SITE_URL"]:
        named.add(urlsplit(str(app.config["SITE_URL"])).hostname or "")
    app.extensions[_EXTENSION] = frozenset(named)

    @app.before_request
    def check_host() -> None:
        if not is_own_host(app, request.environ) and request.path not in UNCOUNTED:
            app.logger.warning("request for a host that is in neither COMPANION_HOSTS nor COMPANION_SITE_URL")
            abort(400)


def is_own_host(app: Flask, environ: Environ) -> bool:
    """Return whether a request is for one of the service's own names."""
    known: frozenset[str] = app.extensions[_EXTENSION]
    scheme, server = environ["wsgi.url_scheme"], environ["SERVER_NAME"]
    return _answers_to(scheme, environ.get("HTTP_HOST"), server, environ["SERVER_PORT"], known)


@lru_cache(maxsize=64)
def _answers_to(scheme: str, header: str | None, server: str, port: str, known: frozenset[str]) -> bool:
    """Return whether the host of a request, with or without port, is one of the service's own."""
    host = get_host(scheme, header, (server, int(port) if port.isdecimal() else None))
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    if name in known or name == "localhost" or any(f".{name}".endswith(end) for end in known if end.startswith(".")):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback or not known
    except ValueError:
        return not known and ("." not in name or name.endswith(OWN_NETWORK))
