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


@dataclass(frozen=True, slots=True)
class Kept:
    """A page by encoding, each with its entity tag."""

    bodies: Mapping[str, bytes]
    tags: Mapping[str, str]


def keep(html: str, *, thorough: bool = True) -> Kept:
    """A page made ready to be answered often; without `thorough` compressed quickly, for one that few will ask for."""
    plain = html.encode()
    digest = hashlib.sha256(plain).hexdigest()[:16]
    bodies = {
        "br": brotli.compress(plain, mode=brotli.MODE_TEXT, quality=11 if thorough else 5),
        "gzip": gzip.compress(plain, 9 if thorough else 5, mtime=0),
        "identity": plain,
    }
    return Kept(bodies, {name: f'"{digest}-{name}"' for name in bodies})


def answer(kept: Kept) -> Response:
    """The kept page in the best encoding that the client reads; 304 where the client has it already."""
    current_language()
    encoding = _best_encoding(request.headers.get("Accept-Encoding", ""))
    tag = kept.tags[encoding]
    headers = Headers([("ETag", tag), ("Cache-Control", f"public, max-age={SECONDS}"), ("Vary", "Accept-Encoding")])
    known = request.headers.get("If-None-Match")
    if known and (known == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))):
        return Response(status=304, headers=headers)
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return Response(kept.bodies[encoding], headers=headers, mimetype="text/html")


@lru_cache(maxsize=256)
def _best_encoding(header: str) -> str:
    accepted = dict(parse_accept_header(header))
    return next((name for name in ENCODINGS if accepted.get(name, 0) > 0), "identity")
