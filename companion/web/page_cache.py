"""Pages that are the same for everybody: rendered once and compressed once for each encoding that somebody accepts,
then served from memory or answered with 304.

A page that names the site's own address is compressed for each address that the site is reached by, at most
`MOST_ROOTS` of them: what one client's Host header says is never served to another host.

What only the path of a request decides on is served before Flask looks at it, once it has been served by Flask. The row
of `make bench` is "kept rule page: time against the const view in this shell".
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial

from flask import Flask, Response, current_app, request
from werkzeug.datastructures import Headers
from werkzeug.http import parse_accept_header

from companion.web.direct import Answer, admits, direct
from companion.web.headers import Environ
from companion.web.language import current_language
from companion.web.site_address import ROOT_MARK, root_key, with_root

ENCODINGS = ("br", "gzip", "identity")
SECONDS = 300
MOST_ROOTS = 4
HTML = "text/html; charset=utf-8"
BEST, GOOD, QUICK = 11, 10, 5
"""Brotli qualities: the best takes three times as long as the good one and forty times as long as the quick one."""

AT_ONCE = 4
"""The quality for a page that one client waits for: a fifth of the size in a millisecond."""
LEAST = 1_400
"""Bytes from which on a page made for one client is compressed: what is shorter goes in one packet anyway."""

Header = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Body:
    """A page in one encoding, its entity tag, and the headers of responses 200 and 304."""

    content: bytes
    tag: str
    headers: tuple[Header, ...]
    unchanged: tuple[Header, ...]


@dataclass(frozen=True, slots=True)
class CachedPage:
    """One page with its language (none if empty) and brotli quality; its bodies by root of the site and encoding."""

    html: str
    lang: str
    effort: int
    content_type: str = HTML
    made: dict[tuple[str, ...], dict[str, Body]] = field(default_factory=dict)
    names_root: bool = field(init=False)
    """Whether the page names the site's own address."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names_root", ROOT_MARK in self.html)

    def body(self, encoding: str) -> Body:
        """Return the page in an encoding, for the address that this request reached the site by."""
        root = root_key(current_app, request.environ) if self.names_root else ()
        bodies = self.made.get(root)
        if bodies is None:
            for oldest in list(self.made)[: len(self.made) + 1 - MOST_ROOTS]:
                self.made.pop(oldest, None)
            bodies = self.made[root] = {}
        if encoding not in bodies:
            bodies[encoding] = _body(with_root(self.html), encoding, self)
        return bodies[encoding]

    def made_body(self, app: Flask, environ: Environ) -> Body | None:
        """Return the page as a request takes it, None if it was not made for that yet."""
        bodies = self.made.get(root_key(app, environ) if self.names_root else (), {})
        return bodies.get(best_encoding(environ.get("HTTP_ACCEPT_ENCODING", "")))


def cache_page(html: str, *, effort: int = BEST) -> CachedPage:
    """Return a page to be compressed for its first reader, in the language of the current request."""
    return CachedPage(html, current_language(), effort)


def compress(page: CachedPage) -> None:
    """Compress a page before its first reader comes."""
    for encoding in ENCODINGS:
        page.body(encoding)


def serve(page: CachedPage) -> Response:
    """Return the page in the best encoding that the client accepts; 304 where the client has it already."""
    body = page.body(best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", "")))
    if _has(body, request.environ):
        return Response(status=304, headers=Headers(body.unchanged))
    return Response(body.content, headers=Headers(body.headers))


def serve_at_path(page: Callable[[], CachedPage]) -> Response:
    """Return the page as `serve` does, and answer the next requests for this path before Flask looks at them."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # the proxy is for this request
    route = request.url_rule.rule if request.url_rule else ""
    direct(app).add_page(request.path, partial(_answer_directly, app, page, route))
    return serve(page())


def _answer_directly(app: Flask, page: Callable[[], CachedPage], route: str, environ: Environ) -> Answer | None:
    """Return the page; None, or an exception, where Flask has to make it."""
    if not admits(app, environ) or (body := page().made_body(app, environ)) is None:
        return None
    if _has(body, environ):
        return Answer("304 NOT MODIFIED", list(body.unchanged), b"", route)
    return Answer("200 OK", [*body.headers, ("Content-Length", str(len(body.content)))], body.content, route)


def _has(body: Body, environ: Environ) -> bool:
    """Return whether the client has the page already; Werkzeug's `make_conditional` takes a third longer for it."""
    known: str = environ.get("HTTP_IF_NONE_MATCH", "")
    return known == "*" or body.tag in (each.strip().removeprefix("W/") for each in known.split(","))


def _body(html: str, encoding: str, page: CachedPage) -> Body:
    plain = html.encode()
    tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}-{encoding}"'
    unchanged = (("ETag", tag), ("Cache-Control", f"public, max-age={SECONDS}"), ("Vary", "Accept-Encoding"))
    language = (("Content-Language", page.lang),) if page.lang else ()
    coded = () if encoding == "identity" else (("Content-Encoding", encoding),)
    described = (("Content-Type", page.content_type), *language, *coded)
    return Body(_encoded(plain, encoding, page.effort), tag, (*unchanged, *described), unchanged)


def _encoded(plain: bytes, encoding: str, effort: int) -> bytes:
    if encoding == "br":
        import brotli  # a page that is made on a phone is not compressed

        return bytes(brotli.compress(plain, mode=brotli.MODE_TEXT, quality=effort))
    return gzip.compress(plain, min(effort, 9), mtime=0) if encoding == "gzip" else plain


def encode_private(response: Response) -> None:
    """Compress a page that is made for one client, as that client accepts it; what fits in one packet stays as it is.

    What such a page holds to be sent back, the token of its forms, is another one each time: the length of the
    compressed page betrays nothing of it.
    """
    if response.mimetype != "text/html" or response.is_streamed or "Content-Encoding" in response.headers:
        return
    body = response.get_data()
    if len(body) < LEAST:
        return
    response.vary.add("Accept-Encoding")
    encoding = best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", ""))
    if encoding != "identity":
        response.set_data(_encoded(body, encoding, AT_ONCE))
        response.headers["Content-Encoding"] = encoding


@lru_cache(maxsize=256)
def best_encoding(header: str) -> str:
    """Return the first of `ENCODINGS` that an `Accept-Encoding` header accepts."""
    accepted = dict(parse_accept_header(header))
    return next((name for name in ENCODINGS if accepted.get(name, 0) > 0), "identity")
