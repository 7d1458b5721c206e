"""How an operation of the API is declared: its address, its request and response, the errors it may answer with."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import TypeVar

import orjson
from flask import Blueprint, Response, request
from marshmallow import Schema
from werkzeug.routing import BaseConverter, ValidationError

from companion.engine.game import Game
from companion.engine.shapes import Json, Shape, schema
from companion.games import GAMES
from companion.library.describing import parameter_schemas
from companion.web.api.encoding import encode, encoded, encoding_for
from companion.web.api.problems import Declined
from companion.web.headers import API, Environ, Headers
from companion.web.language import current_language

View = TypeVar("View", bound=Callable[..., Response])
Described = type[Schema] | Mapping[str, object] | None
"""A schema class, or JSON Schema."""
JSON, NDJSON = "application/json", "application/x-ndjson"

PREFIX = API
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """The response of an error status: its name in the document, what it means, headers beside the usual ones."""

    name: str
    description: str
    headers: tuple[str, ...] = ()


ERRORS: Mapping[int, ErrorResponse] = {
    400: ErrorResponse("BadRequest", "The request body is not valid JSON, or a header cannot be read."),
    401: ErrorResponse("Unauthorized", "No secret was sent; `WWW-Authenticate` says how.", ("WWW-Authenticate",)),
    403: ErrorResponse("Forbidden", "The secret may watch, not write."),
    404: ErrorResponse(
        "NotFound", "There is nothing at this address; a sheet or a group is not there for who has no secret of it."
    ),
    408: ErrorResponse("RequestTimeout", "The request body came too slowly."),
    409: ErrorResponse("Conflict", "The sheet or the group was modified concurrently."),
    412: ErrorResponse(
        "PreconditionFailed",
        "The version of `If-Match` is not the latest. Nothing was written; `version` is the latest, `events` are "
        "those since the version named.",
        ("ETag",),
    ),
    413: ErrorResponse("ContentTooLarge", "The request body is too large."),
    415: ErrorResponse("UnsupportedMediaType", "The request body is of an unsupported media type."),
    422: ErrorResponse("InvalidInput", "The input is unreadable or impossible; `errors` lists every problem."),
    428: ErrorResponse("PreconditionRequired", "`If-Match` with the version is required."),
    429: ErrorResponse(
        "TooManyRequests", "Too many requests; `Retry-After` says how many seconds to wait.", ("Retry-After",)
    ),
    503: ErrorResponse(
        "ServiceUnavailable",
        "The service is overloaded or cannot reach its storage; `Retry-After` says how many seconds to wait.",
        ("Retry-After",),
    ),
}
"""Every status of a problem document that an operation may declare."""


class GameConverter(BaseConverter):
    """The id of a game in a path, as the game itself."""

    def to_python(self, value: str) -> Game:
        try:
            return GAMES[value]
        except KeyError:
            raise ValidationError from None

    def to_url(self, value: Game | str) -> str:
        return value if isinstance(value, str) else value.id


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation as declared: where it is, what is sent to it, what it answers."""

    id: str
    """The `operationId`."""
    rule: str
    method: str
    view: str
    docstring: str
    gives: Described
    takes: Described
    examples: Mapping[str, object]
    media: str
    parameters: Sequence[Mapping[str, object]]
    errors: tuple[int, ...]
    status: int
    others: Mapping[int, str]
    headers: tuple[str, ...]
    links: Mapping[str, Mapping[str, object]]
    more: Mapping[str, object]


class Group(Blueprint):
    """A blueprint of operations of version 1, under one heading of the OpenAPI document."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__, url_prefix=PREFIX)
        self.description = description
        self.operations: list[Operation] = []


def blueprint(name: str, description: str) -> Group:
    """Return a group of operations of version 1."""
    return Group(name, description)


def operation(
    group: Group,
    rule: str,
    *,
    gives: Described,
    takes: Described = None,
    examples: Mapping[str, object] | None = None,
    media: str = JSON,
    query: type[Shape[Json]] | None = None,
    conditions: Sequence[Mapping[str, object]] = (),
    faults: Sequence[int] = (),
    method: str | None = None,
    status: int = 200,
    others: Mapping[int, str] | None = None,
    headers: Sequence[str] = (),
    links: Mapping[str, Mapping[str, object]] | None = None,
    more: Mapping[str, object] | None = None,
) -> Callable[[View], View]:
    """Declare a view as an operation of version 1: with a body it is a POST, without one a GET, unless `method` says.

    The name of the view is the operation's id. `query` declares what its query may hold, `conditions` are parameters in
    headers. `faults` are statuses of problem documents beside the usual ones.
    `others` describes further responses that are no errors; `headers` are those of every response that is no error,
    beside the usual ones; `links` say what can be done with the answer; `more` goes into the document as it is.
    """
    errors = {429, 503, *faults} | ({400, 408, 413, 415, 422} if takes else set()) | ({404} if "<" in rule else set())

    def declare(view: View) -> View:
        verb = method or ("POST" if takes else "GET")
        group.operations.append(
            Operation(
                operation_id(view.__name__), rule, verb, view.__name__, view.__doc__ or "", gives, takes,
                examples or {}, media, (*(query_parameters(query) if query else ()), *conditions),
                tuple(sorted(errors)), status, others or {}, tuple(headers), links or {}, more or {},
            )
        )  # fmt: skip
        group.add_url_rule(rule, view_func=view, methods=[verb])
        return view

    return declare


def query_parameters(shape: type[Shape[Json]]) -> Iterator[dict[str, object]]:
    """Describe the parameters of a query."""
    required = [name for name, field in schema(shape).load_fields.items() if field.required]
    for name, described in parameter_schemas(shape).items():
        about = {"description": described.pop("description")} if "description" in described else {}
        must = {"required": True} if name in required else {}
        yield {"name": name, "in": "query", **must, "schema": described, **about}


def operation_id(name: str) -> str:
    """Return the id of the operation of a view: `score_deals` is `scoreDeals`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def path_template(rule: str) -> str:
    """Return a route as OpenAPI writes it: `/games/{game}`."""
    return _PARAMETER.sub(r"{\1}", rule)


def parameters_in(rule: str) -> list[str]:
    """Return the names of what a client fills in."""
    return _PARAMETER.findall(rule)


def summary_of(operation: Operation) -> str:
    """Return what an operation does, in a line."""
    return cleandoc(operation.docstring).partition("\n\n")[0].replace("\n", " ")


def reply(value: object, *, status: int = 200) -> Response:
    """Return a response in JSON, in the language of the request; a large one compressed if the client accepts it."""
    current_language()
    body, headers = json_answer(value, request.environ)
    return Response(body, status=status, headers=headers)


def json_answer(value: object, environ: Environ) -> tuple[bytes, Headers]:
    """Return a value in JSON as the client of a request takes it, with its headers."""
    body, headers = encoded(orjson.dumps(value), environ.get("HTTP_ACCEPT_ENCODING", ""))
    return body, [("Content-Type", JSON), *headers]


def reply_if_new(value: object) -> Response:
    """Return a response in JSON with an entity tag; 304 where the client has it already."""
    current_language()
    return if_new(Response(orjson.dumps(value), content_type=JSON))


def if_new(response: Response) -> Response:
    """Return the response with an entity tag of its body and encoding; 304 where the client has it already.

    Raises Declined where `If-Match` names none of what is here; its `*` means whatever is here (RFC 9110).
    """
    body = response.get_data()
    encoding = encoding_for(body)
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(f"{hashlib.sha256(body).hexdigest()[:20]}-{encoding}")
    environ = request.environ
    if request.if_match.star_tag:
        environ = {name: value for name, value in environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(environ)
    if response.status_code == 412:
        raise Declined("precondition-failed")
    return response if response.status_code == 304 else encode(response, encoding, keep=True)
