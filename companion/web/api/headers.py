"""The headers of the API's responses, as the document describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from companion.data import LANGUAGES
from companion.engine.shapes import JsonSchema

_TEXT: Final[JsonSchema] = {"type": "string"}


def _header(description: str, schema: JsonSchema = _TEXT, *, always: bool = False) -> JsonSchema:
    return {"description": description, "schema": schema} | ({"required": True} if always else {})


HEADERS: Final[Mapping[str, JsonSchema]] = {
    "X-Request-Id": _header("The id of the request: yours where you sent a harmless one.", always=True),
    "Content-Language": _header("The language of the texts.", {"type": "string", "enum": list(LANGUAGES)}),
    "RateLimit": _header('What is left, and the seconds until it is whole again: `"default";r=5999;t=60`.'),
    "RateLimit-Policy": _header('The limits, in requests and seconds: `"default";q=6000;w=60`.'),
    "Retry-After": _header("Seconds to wait.", {"type": "integer", "minimum": 1}),
    "ETag": _header('What is here, for `If-None-Match`. Of a sheet its version, for `If-Match` too: `"7"`.'),
    "Location": _header("The address of what was made."),
    "Link": _header('The next page, with `rel="next"`; absent on the last.'),
    "WWW-Authenticate": _header("How a secret is sent."),
    "Idempotent-Replayed": _header(
        "`true` where the request had been sent before with this key: this is its first answer.", {"const": "true"}
    ),
    "Content-Disposition": _header("The name under which the file is saved."),
    "Allow": _header("With 405: the methods of this address."),
}
USUAL: Final = ("X-Request-Id", "Content-Language", "RateLimit", "RateLimit-Policy")
"""Headers that a response of any operation may have."""


def described_headers(names: Iterable[str] = ()) -> JsonSchema:
    """Return the headers of a response: the usual ones and these, as references into the document."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*USUAL, *names)}
