"""Compression of large JSON answers, as the client accepts it; small ones are sent as they are."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

import brotli
from flask import Response, request

from companion.web.headers import Headers
from companion.web.page_cache import LEAST, best_encoding

BROTLI, GZIP = 4, 5
"""Qualities: a third to a tenth of the size in a few milliseconds for the largest answers."""
IDENTITY: Final = "identity"


def encoding_for(body: bytes) -> str:
    """Return how a body is sent to the current client: `br`, `gzip` or `identity`."""
    return IDENTITY if len(body) < LEAST else best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", ""))


def encode(response: Response, encoding: str, *, keep: bool = False) -> Response:
    """Return the response with its body in an encoding. `keep` the result of what many clients ask for."""
    body = response.get_data()
    if len(body) >= LEAST:
        response.vary.add("Accept-Encoding")
    if encoding != IDENTITY:
        response.set_data(_kept(body, encoding) if keep else _compress(body, encoding))
        response.headers["Content-Encoding"] = encoding
    return response


def encoded(body: bytes, accepted: str) -> tuple[bytes, Headers]:
    """Return a body as a client with this `Accept-Encoding` takes it, and the headers of a response with it."""
    if len(body) < LEAST:
        return body, [("Content-Length", str(len(body)))]
    encoding = best_encoding(accepted)
    sent = body if encoding == IDENTITY else _compress(body, encoding)
    coded = [] if encoding == IDENTITY else [("Content-Encoding", encoding)]
    return sent, [("Content-Length", str(len(sent))), ("Vary", "Accept-Encoding"), *coded]


def _compress(body: bytes, encoding: str) -> bytes:
    if encoding == "gzip":
        return gzip.compress(body, GZIP, mtime=0)
    compressed: bytes = brotli.compress(body, mode=brotli.MODE_TEXT, quality=BROTLI)
    return compressed


@lru_cache(maxsize=32)
def _kept(body: bytes, encoding: str) -> bytes:
    return _compress(body, encoding)
