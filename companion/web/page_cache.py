"""Pages that are the same for everybody: rendered once, and compressed once for each encoding that somebody accepts.

A page may name the site's own address: it is compressed for each address that the site is reached by, so that what one
client's Host header says is never served to another host.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache

from flask import Response, request
from werkzeug.http import parse_accept_header

from companion.web.http import current_language, with_root

ENCODINGS = ("br", "gzip", "identity")
SECONDS = 300
MOST_ROOTS = 4
"""Addresses of the site for which one page is kept."""
HTML = "text/html; charset=utf-8"
BEST, GOOD, QUICK = 11, 10, 5
"""Brotli qualities: the best takes three times as long as the good one and forty times as long as the quick one."""

AT_ONCE = 4
"""The quality for a page that one client waits for: a fifth of the size in a millisecond."""
LEAST = 1_400
"""Bytes from which on a page made for one client is compressed: what is shorter goes in one packet anyway."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """One page with its language (none if empty) and brotli quality; bodies and tags by root and encoding."""

    html: str
    lang: str
    effort: int
    content_type: str = HTML
    made: dict[tuple[str, ...], dict[str, tuple[bytes, str]]] = field(default_factory=dict)

    def body(self, encoding: str) -> tuple[bytes, str]:
        """Return the page in an encoding, for the address that this request reached the site by, and its entity tag."""
        environ = request.environ
        root = environ["wsgi.url_scheme"], environ.get("HTTP_HOST", ""), environ["SCRIPT_NAME"]
        if root not in self.made:
            for oldest in list(self.made)[: len(self.made) + 1 - MOST_ROOTS]:
                self.made.pop(oldest, None)
        bodies = self.made.setdefault(root, {})
        if encoding not in bodies:
            plain = with_root(self.html).encode()
            tag = f"{hashlib.sha256(plain).hexdigest()[:16]}-{encoding}"
            bodies[encoding] = _encoded(plain, encoding, self.effort), tag
        return bodies[encoding]


def cache_page(html: str, *, effort: int = BEST) -> CachedPage:
    """Return a page to be compressed for its first reader, in the language of the current request."""
    return CachedPage(html, current_language(), effort)


def compress(page: CachedPage) -> None:
    """Compress a page before its first reader comes."""
    for encoding in ENCODINGS:
        page.body(encoding)


def serve(page: CachedPage) -> Response:
    """Return the page in the best encoding that the client accepts; 304 where the client has it already."""
    encoding = best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", ""))
    content, tag = page.body(encoding)
    response = Response(content, content_type=page.content_type)
    response.set_etag(tag)
    response.headers["Cache-Control"] = f"public, max-age={SECONDS}"
    response.headers["Vary"] = "Accept-Encoding"
    if page.lang:
        response.headers["Content-Language"] = page.lang
    if encoding != "identity":
        response.headers["Content-Encoding"] = encoding
    response.make_conditional(request)
    return response


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
