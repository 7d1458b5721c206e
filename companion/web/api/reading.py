"""What a client sends, read once: JSON bodies of the right kind, and the parameters of a query."""

from __future__ import annotations

from typing import Any

import orjson
from flask import request

from companion.engine.problems import Refused
from companion.engine.reading import ABSENT, Node
from companion.web.api.problems import Declined


def json_body() -> Any:
    """The JSON value of the request's body. Raises Declined where the body is of another kind or no JSON."""
    if not request.is_json:
        raise Declined("unsupported-media-type")
    try:
        return orjson.loads(request.get_data(cache=False))
    except orjson.JSONDecodeError:
        raise Declined("malformed-json") from None


def sound(node: Node) -> None:
    """Go on only where nothing was found wrong so far. Raises Refused with all that was."""
    if node.problems:
        raise Refused(node.problems)


def query_number(name: str, *, default: int, low: int, high: int) -> int:
    """A whole number among the query's parameters. Raises Refused where it is none or out of range."""
    text = request.args.get(name)
    if text is None:
        return default
    digits = text.isascii() and text.isdigit() and len(text) < 10
    node = Node(int(text) if digits else text, (name,))
    number = node.integer(low=low, high=high)
    sound(node)
    return number


def query_text(name: str, *, most: int) -> str:
    """A text among the query's parameters, which must be there. Raises Refused where it is not or is too long."""
    node = Node(request.args.get(name, ABSENT), (name,))
    text = node.text(most=most)
    sound(node)
    return text
