"""Pages that are the same for everybody: rendered and compressed once, then served from memory or answered with 304.

Werkzeug's `make_conditional` takes a third longer to answer 304. The row of `make bench` is "kept rule page: time
against the const view in this shell".
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import brotli
from flask import Response, request
from werkzeug.datastructures import Headers
from werkzeug.http import parse_accept_header

from companion.web.language import current_language

ENCODINGS = ("br", "gzip", "identity")
SECONDS = 300
BEST, GOOD, QUICK = 11, 10, 5
"""Brotli qualities: the best takes three times as long as the good one and forty times as long as the quick one."""

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
    """One page in every encoding."""

    bodies: Mapping[str, Body]


def cache_page(html: str, *, effort: int = BEST) -> CachedPage:
    """Compress a page, in the language of the current request."""
    plain = html.encode()
    digest = hashlib.sha256(plain).hexdigest()[:16]
    contents = {
        "br": brotli.compress(plain, mode=brotli.MODE_TEXT, quality=effort),
        "gzip": gzip.compress(plain, min(effort, 9), mtime=0),
        "identity": plain,
    }
    lang = current_language()
    return CachedPage({encoding: _body(content, encoding, digest, lang) for encoding, content in contents.items()})


def serve(page: CachedPage) -> Response:
    """Return the page in the best encoding that the client accepts; 304 where the client has it already."""
    asked = request.environ
    body = page.bodies[_best_encoding(asked.get("HTTP_ACCEPT_ENCODING", ""))]
    known = asked.get("HTTP_IF_NONE_MATCH")
    if known and (known == "*" or body.tag in (each.strip().removeprefix("W/") for each in known.split(","))):
        return Response(status=304, headers=Headers(body.unchanged))
    return Response(body.content, headers=Headers(body.headers))


def _body(content: bytes, encoding: str, digest: str, lang: str) -> Body:
    tag = f'"{digest}-{encoding}"'
    unchanged = (
        ("ETag", tag),
        ("Cache-Control", f"public, max-age={SECONDS}"),
        ("Vary", "Accept-Encoding"),
        ("Content-Language", lang),
        ("Content-Type", "text/html; charset=utf-8"),
    )
    coded = () if encoding == "identity" else (("Content-Encoding", encoding),)
    return Body(content, tag, (*unchanged, *coded), unchanged)


@lru_cache(maxsize=256)
def _best_encoding(header: str) -> str:
    accepted = dict(parse_accept_header(header))
    return next((name for name in ENCODINGS if accepted.get(name, 0) > 0), "identity")
