"""How an operation of the API is declared: its address, what it takes and gives, the faults it may answer with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from flask import Response, request
from flask_smorest import Blueprint
from marshmallow import Schema
from werkzeug.routing import BaseConverter, ValidationError

from companion.engine.game import Game
from companion.games import GAMES
from companion.web.api.problems import MIMETYPE
from companion.web.api.schemas import ProblemSchema
from companion.web.json import json_response
from companion.web.language import current_language

View = TypeVar("View", bound=Callable[..., Response])
JSON, NDJSON = "application/json", "application/x-ndjson"

PREFIX = "/api/v1"

FAULTS: Mapping[int, str] = {
    400: "The body is no JSON.",
    404: "There is nothing at this address.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    422: "The input cannot be read or cannot be; `errors` lists every fault.",
    429: "Too many requests; `Retry-After` says how many seconds to wait.",
}


class GameConverter(BaseConverter):
    """The id of a game in a path, as the game itself."""

    def to_python(self, value: str) -> Game:
        try:
            return GAMES[value]
        except KeyError:
            raise ValidationError from None

    def to_url(self, value: Game | str) -> str:
        return value if isinstance(value, str) else value.id


def blueprint(name: str, description: str) -> Blueprint:
    """A group of operations of version 1, under one heading of the document."""
    return Blueprint(name, __name__, url_prefix=PREFIX, description=description)


def operation(
    group: Blueprint,
    rule: str,
    *,
    gives: type[Schema] | Mapping[str, Any],
    takes: type[Schema] | Mapping[str, Any] | None = None,
    examples: Mapping[str, Any] | None = None,
    media: str = JSON,
    query: Sequence[Mapping[str, Any]] = (),
    faults: Sequence[int] = (),
) -> Callable[[View], View]:
    """Declare a view as an operation of version 1: with a body it is a POST, without one a GET."""
    found = {429, *faults} | ({400, 413, 415, 422} if takes else set()) | ({404} if "<" in rule else set())

    def declare(view: View) -> View:
        documented = group.response(200, gives, description="The answer.", content_type=media)(view)
        for status in sorted(found):
            documented = group.alt_response(
                status, schema=ProblemSchema, description=FAULTS[status], content_type=MIMETYPE
            )(documented)
        manual: dict[str, Any] = {"parameters": ["LANG", *query]}
        if takes is not None:
            content: dict[str, Any] = {"schema": takes}
            if examples:
                content["examples"] = {name: {"value": value} for name, value in examples.items()}
            manual["requestBody"] = {"required": True, "content": {media: content}}
        # Views answer whole responses: only what was said about them is kept, not the wrappers that would build one.
        view.__dict__["_apidoc"] = group.doc(**manual)(documented).__dict__["_apidoc"]
        group.route(rule, methods=["POST" if takes else "GET"])(view)
        return view

    return declare


def reply(value: Any) -> Response:
    """An answer in JSON, in the language of the request."""
    current_language()
    return json_response(value)


def reply_if_new(value: Any) -> Response:
    """An answer in JSON with an entity tag; 304 where the client has it already."""
    response = reply(value)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
