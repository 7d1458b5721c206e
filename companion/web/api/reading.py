"""Read what a client sends: JSON bodies, and the parameters of a query."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Final, TypeVar
from urllib.parse import urlencode

import orjson
from flask import Request, Response, request
from werkzeug.exceptions import ClientDisconnected

from companion.engine import shapes as s
from companion.engine.cards import quoted
from companion.engine.problems import Refused
from companion.library.json_text import duplicate_keys, may_have_fractions, whole_numbers
from companion.web.api.problems import Declined

T = TypeVar("T")
_MOST_DIGITS = 16
"""Digits of a `Content-Length` that is believed."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,16}")
_CURSOR_BYTES: Final = 3
"""Bytes that a cursor has in Base64; an empty one is the beginning."""


def json_body() -> object:
    """Return the JSON value of the request body. Raises Declined if the body is of another media type or not JSON."""
    return read_body(json_value)


def read_body(read: Callable[[bytes], T]) -> T:
    """Return what a function that reads JSON makes of the request body. Raises Declined as `json_body` does."""
    asked = request._get_current_object()  # type: ignore[attr-defined]  # each look at the proxy has its price
    if asked.environ.get("CONTENT_TYPE") != "application/json" and not asked.is_json:
        raise Declined("unsupported-media-type")
    try:
        return read(_sent(asked))
    except orjson.JSONDecodeError as fault:
        raise Declined("malformed-json", line=fault.lineno, column=fault.colno) from None


def json_value(text: bytes) -> object:
    """Return the value of a JSON text, a number without a fraction as an integer.

    Raises JSONDecodeError if it is not JSON, Refused for duplicate keys.
    """
    value = orjson.loads(text)
    if _may_repeat_keys(text, value) and (doubled := duplicate_keys(text, value)):
        raise Refused(doubled)
    return whole_numbers(value) if may_have_fractions(text) else value


def _may_repeat_keys(text: bytes, value: object) -> bool:
    """Return False if a text has as many colons as what was read of it: then no key was dropped.

    Escapes could stand for a colon; what is nested too deeply cannot be written again.
    """
    try:
        return b"\\" in text or text.count(b":") != orjson.dumps(value).count(b":")
    except orjson.JSONEncodeError:
        return True


def _sent(asked: Request) -> bytes:
    """The body. One of a known and allowed length is read without the stream that counts along, which costs more
    than reading what it says."""
    environ = asked.environ
    length = environ.get("CONTENT_LENGTH", "")
    known = length.isascii() and length.isdecimal() and len(length) < _MOST_DIGITS
    if not known or "HTTP_TRANSFER_ENCODING" in environ or int(length) > (asked.max_content_length or 0):
        return asked.get_data(cache=False)
    try:
        sent: bytes = environ["wsgi.input"].read(int(length))
    except (OSError, ValueError):
        raise ClientDisconnected from None
    if len(sent) < int(length):
        raise ClientDisconnected
    return sent


class NumberParameter(s.Integer):
    """A whole number in a query, where everything is text."""

    def take(self, value: s.Json, context: s.ReadContext) -> int:
        if type(value) is not str or not _NUMBER.fullmatch(value):
            raise self.make_error("type")
        return super().take(int(value), context)


class CursorParameter(s.Field[int]):
    """How many entries are skipped; none by default."""

    def __init__(self, describe: str = "From `next` of the page before.") -> None:
        super().__init__(describe, optional=True)

    def take(self, value: s.Json, context: s.ReadContext) -> int:
        try:
            passed = base64.b64decode(value, altchars=b"-_", validate=True)
        except ValueError:
            passed = None
        if passed is None or len(passed) > _CURSOR_BYTES:
            raise s.fault("cursor", value=quoted(value))
        return int.from_bytes(passed, "big")

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        return {"type": "string", "pattern": "^(?:[A-Za-z0-9_-]{4})?$"}


def query(shape: type[s.Shape[T]], *, context: s.ReadContext = None) -> T:
    """Return what a shape reads from the query; of a repeated parameter, the first. Raises Refused."""
    return s.read(shape, request.args.to_dict(), context=context)


def cursor(passed: int) -> str:
    """Return the cursor that skips so many entries."""
    return base64.urlsafe_b64encode(passed.to_bytes(_CURSOR_BYTES, "big")).decode()


def with_next(response: Response, after: str | None) -> Response:
    """Return the response with a link to the page that a cursor begins, if there is one."""
    if after:
        arguments = urlencode({**request.args.to_dict(), "cursor": after})
        response.headers["Link"] = f'<{request.path}?{arguments}>; rel="next"'
    return response
