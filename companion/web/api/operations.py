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
from companion.web.api.problems import MIMETYPE, Declined
from companion.web.api.shapes import ProblemSchema
from companion.web.json import json_response
from companion.web.language import current_language

View = TypeVar("View", bound=Callable[..., Response])
JSON, NDJSON = "application/json", "application/x-ndjson"

PREFIX = "/api/v1"

FAULTS: Mapping[int, str] = {
    400: "The body is no JSON.",
    401: "No secret was sent; `WWW-Authenticate` says how.",
    403: "The secret of a link that may watch and no more.",
    404: "There is nothing at this address.",
    409: "Another writer was faster, in spite of the version.",
    412: "The version of `If-Match` is no longer the latest.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    422: "The input cannot be read or cannot be; `errors` lists every fault.",
    428: "`If-Match` with the version was not sent.",
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
    gives: type[Schema] | Mapping[str, Any] | None,
    takes: type[Schema] | Mapping[str, Any] | None = None,
    examples: Mapping[str, Any] | None = None,
    media: str = JSON,
    query: Sequence[Mapping[str, Any]] = (),
    faults: Sequence[int] = (),
    method: str | None = None,
    status: int = 200,
    others: Mapping[int, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Callable[[View], View]:
    """Declare a view as an operation of version 1: with a body it is a POST, without one a GET, unless `method` says.

    `others` describes answers beside the usual `status`, none of them a fault; `more` goes into the document as it is.
    """
    found = {429, *faults} | ({400, 413, 415, 422} if takes else set()) | ({404} if "<" in rule else set())

    def declare(view: View) -> View:
        kind = {"content_type": media} if gives else {}
        documented = group.response(status, gives, description="The answer.", **kind)(view)
        for other, description in (others or {}).items():
            same = {"schema": gives, "content_type": media} if other < 300 else {}
            documented = group.alt_response(other, description=description, **same)(documented)
        for fault in sorted(found):
            documented = group.alt_response(
                fault, schema=ProblemSchema, description=FAULTS[fault], content_type=MIMETYPE
            )(documented)
        manual: dict[str, Any] = {"parameters": ["LANG", *query], **(more or {})}
        if takes is not None:
            content: dict[str, Any] = {"schema": takes}
            if examples:
                content["examples"] = {name: {"value": value} for name, value in examples.items()}
            manual["requestBody"] = {"required": True, "content": {media: content}}
        # Views answer whole responses: only what was said about them is kept, not the wrappers that would build one.
        view.__dict__["_apidoc"] = group.doc(**manual)(documented).__dict__["_apidoc"]
        group.route(rule, methods=[method or ("POST" if takes else "GET")])(view)
        return view

    return declare


def reply(value: Any, *, status: int = 200) -> Response:
    """An answer in JSON, in the language of the request."""
    current_language()
    return json_response(value, status=status)


def reply_if_new(value: Any) -> Response:
    """An answer in JSON with an entity tag; 304 where the client has it already."""
    return if_new(reply(value))


def if_new(response: Response) -> Response:
    """The response with an entity tag of what it says; 304 where the client has it already.

    Raises Declined where `If-Match` names none of what is here; its `*` means whatever is here (RFC 9110).
    """
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    environ = request.environ
    if request.if_match.star_tag:
        environ = {name: value for name, value in environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(environ)
    if response.status_code == 412:
        raise Declined("precondition-failed")
    return response
