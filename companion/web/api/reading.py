"""Read what a client sends: JSON bodies, and the parameters of a query."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Final, TypeVar
from urllib.parse import urlencode

import orjson
from flask import Request, Response, request
from werkzeug.exceptions import ClientDisconnected

from companion.engine.duplicates import duplicate_keys
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.library.json_text import may_have_fractions, whole_numbers
from companion.web.api.problems import Declined

T = TypeVar("T")
_MOST_DIGITS = 16
"""Digits of a `Content-Length` that is believed."""


CURSOR: Final = {"type": "string", "pattern": "^(?:[A-Za-z0-9_-]{4})?$"}
"""A cursor in JSON Schema: three bytes in Base64; an empty one is the beginning."""


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


def query() -> Node:
    """Return the query parameters as an object of texts; of a repeated one, the first."""
    return Node(request.args.to_dict())


def number_in(node: Node, *, default: int, low: int, high: int) -> int:
    """Return the integer in a query parameter; problems are recorded at the node."""
    if not node.present:
        return default
    text = node.text(most=_MOST_DIGITS)
    digits = text.removeprefix("-")
    if not digits.isdecimal() or not digits.isascii():
        node.fault("type", expected="integer")
        return default
    return Node(int(text), node.pointer, node.problems).integer(low=low, high=high)


def cursor_in(node: Node) -> int:
    """Return how many entries a cursor skips, 0 without one; problems are recorded at the node."""
    if not node.present:
        return 0
    try:
        return int.from_bytes(base64.b64decode(node.text(most=4), altchars=b"-_", validate=True), "big")
    except ValueError:
        node.fault("cursor", value=node.value)
        return 0


def with_next(response: Response, after: str | None) -> Response:
    """Return the response with a link to the page that a cursor begins, if there is one."""
    if after:
        arguments = urlencode({**request.args.to_dict(), "cursor": after})
        response.headers["Link"] = f'<{request.path}?{arguments}>; rel="next"'
    return response


def cursor(passed: int) -> str:
    """Return the cursor that skips so many entries."""
    return base64.urlsafe_b64encode(passed.to_bytes(3, "big")).decode()
