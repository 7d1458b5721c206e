"""Pages that are the same for everybody: rendered and compressed once, then answered by bytes or by 304."""

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
"""How hard a page is compressed: the best takes three times as long as the good one, forty times as the quick one."""

Header = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Body:
    """A page in one encoding: its entity tag, and the headers with and without a body."""

    content: bytes
    tag: str
    headers: tuple[Header, ...]
    unchanged: tuple[Header, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A page by encoding."""

    bodies: Mapping[str, Body]


def keep(html: str, *, effort: int = BEST) -> Kept:
    """A page made ready to be answered often, in the language of the request that it is made for."""
    plain = html.encode()
    digest = hashlib.sha256(plain).hexdigest()[:16]
    contents = {
        "br": brotli.compress(plain, mode=brotli.MODE_TEXT, quality=effort),
        "gzip": gzip.compress(plain, min(effort, 9), mtime=0),
        "identity": plain,
    }
    lang = current_language()
    return Kept({encoding: _body(content, encoding, digest, lang) for encoding, content in contents.items()})


def answer(kept: Kept) -> Response:
    """The kept page in the best encoding that the client reads; 304 where the client has it already."""
    asked = request.environ
    body = kept.bodies[_best_encoding(asked.get("HTTP_ACCEPT_ENCODING", ""))]
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
