"""Requests and responses of the API: declared operations, what is read of a request, compression, problems."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from inspect import cleandoc
from typing import Final, TypeVar, Unpack
from urllib.parse import urlencode

import brotli
import orjson
from flask import Blueprint, Response, current_app, g, request
from marshmallow import Schema
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter, ValidationError

from companion.data import LANGUAGES
from companion.describe import STATUSES, Members, parameter_schemas, problem_document, refusal_document
from companion.engine import shapes as s
from companion.engine.cards import quoted
from companion.engine.game import Game
from companion.engine.problems import MOST_COUNTED, Pointer, Problem, Refused
from companion.engine.shapes import Json, JsonSchema, Shape, schema
from companion.games import GAMES
from companion.library import Absent, absent, duplicate_keys, may_have_fractions, not_text, whole_numbers
from companion.sheets.store import SCORE, WATCH
from companion.web.http import (
    API,
    KEPT_HEADERS,
    KNOWN,
    LEAST,
    Environ,
    Headers,
    best_encoding,
    current_language,
    error_page,
)
from companion.web.monitoring import request_id

BROTLI, GZIP = 4, 5
"""Qualities: a third to a tenth of the size in a few milliseconds for the largest answers."""
_IDENTITY: Final = "identity"


def encode(response: Response, encoding: str, *, keep: bool = False) -> Response:
    """Return the response with its body in an encoding. `keep` the result of what many clients ask for."""
    body = response.get_data()
    if len(body) >= LEAST:
        response.vary.add("Accept-Encoding")
    if encoding != _IDENTITY:
        response.set_data(_kept(body, encoding) if keep else _compress(body, encoding))
        response.headers["Content-Encoding"] = encoding
    return response


def encoded(body: bytes, accepted: str) -> tuple[bytes, Headers]:
    """Return a body as a client with this `Accept-Encoding` takes it, and the headers of a response with it."""
    if len(body) < LEAST:
        return body, [("Content-Length", str(len(body)))]
    encoding = best_encoding(accepted)
    sent = body if encoding == _IDENTITY else _compress(body, encoding)
    coded = [] if encoding == _IDENTITY else [("Content-Encoding", encoding)]
    return sent, [("Content-Length", str(len(sent))), ("Vary", "Accept-Encoding"), *coded]


def _compress(body: bytes, encoding: str) -> bytes:
    if encoding == "gzip":
        return gzip.compress(body, GZIP, mtime=0)
    compressed: bytes = brotli.compress(body, mode=brotli.MODE_TEXT, quality=BROTLI)
    return compressed


@lru_cache(maxsize=32)
def _kept(body: bytes, encoding: str) -> bytes:
    return _compress(body, encoding)


MIMETYPE = "application/problem+json"


class Declined(Exception):
    """A declined request: the code of its problem document, further members, headers."""

    def __init__(self, code: str, *, headers: Mapping[str, str] | None = None, **members: Unpack[Members]) -> None:
        super().__init__(code)
        self.code = code
        self.headers = dict(headers or {})
        self.members = members


def answer_refused(refused: Refused) -> Response:
    """Return 422 with every problem that was found; 404 for what is not here, with what is near it."""
    game = (request.view_args or {}).get("game") or g.get("game")
    code = "not-found" if isinstance(refused, Absent) else "invalid-input"
    document = refusal_document(game, refused.problems, current_language(), code, instance=_instance())
    return _respond(document, STATUSES[code])


def answer_declined(declined: Declined) -> Response:
    """Return the problem document that a view raised."""
    members: Members = {**declined.members, "instance": _instance()}
    document = problem_document(declined.code, current_language(), **members)
    return _respond(document, STATUSES[declined.code], declined.headers)


def answer_http(error: HTTPException) -> Response:
    """Return the problem document for an error of Flask; on the site, its error page."""
    if not f"{request.path}/".startswith("/api/"):
        return error_page(error)
    plain = error.get_response()
    if plain.status_code < 400:
        return Response(plain.get_data(), plain.status_code, plain.headers)
    if plain.status_code == STATUSES["not-found"] and (fault := _absent_address(request.path)):
        return answer_refused(fault)
    code = KNOWN.get(plain.status_code, "bad-request" if plain.status_code < 500 else "server-error")
    headers = {name: plain.headers[name] for name in KEPT_HEADERS if name in plain.headers}
    document = problem_document(code, current_language(), status=plain.status_code, instance=_instance())
    return _respond(document, plain.status_code, headers)


def _absent_address(path: str) -> Absent | None:
    """Return the refusal of an address by its game, or with addresses that are near; None if only its id is unknown."""
    _, of_game, rest = path.partition(f"{PREFIX}/games/")
    game = rest.partition("/")[0]
    if of_game and game not in GAMES:
        return absent("game", game, GAMES)
    rules = [rule.rule for rule in current_app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    known = sorted({path_template(rule.replace("<game:game>", game)) for rule in rules})
    if any(re.fullmatch(re.sub(r"{\w+}", "[^/]+", each), path) for each in known):
        return None
    return absent("path", path, get_close_matches(path, known))


def _instance() -> str:
    return f"urn:request:{request_id()}"


def _respond(document: dict[str, object], status: int, headers: Mapping[str, str] | None = None) -> Response:
    response = Response(orjson.dumps(document), status=status, mimetype=MIMETYPE, headers=dict(headers or {}))
    response.headers["Cache-Control"] = "no-store"
    return response


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
_USUAL: Final = ("X-Request-Id", "Content-Language", "RateLimit", "RateLimit-Policy")
"""Headers that a response of any operation may have."""


def described_headers(names: Iterable[str]) -> JsonSchema:
    """Return the headers of a response: the usual ones and these, as references into the document."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*_USUAL, *names)}


_View = TypeVar("_View", bound=Callable[..., Response])
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
    422: ErrorResponse(
        "InvalidInput", "The input is unreadable or impossible; `errors` lists the problems, at most 50."
    ),
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


class Tag(Blueprint):
    """A blueprint of operations of version 1, under one heading of the OpenAPI document."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__, url_prefix=PREFIX)
        self.description = description
        self.operations: list[Operation] = []
        self._queries: dict[str, list[str]] = {}
        self.before_request(self._refuse_unread)

    def declare(self, operation: Operation) -> None:
        """Add an operation."""
        self.operations.append(operation)
        self._queries[operation.view] = sorted(
            {"lang", *(str(each["name"]) for each in operation.parameters if each["in"] == "query")}
        )

    def _refuse_unread(self) -> None:
        """Raise Refused for query parameters that the operation does not read, Declined for an encoded body."""
        if request.query_string and request.method != "OPTIONS":
            known = self._queries[(request.endpoint or "").rpartition(".")[2]]
            unknown = [key for key in request.args if key not in known][:MOST_COUNTED]
            if unknown:
                raise Refused(Problem((key,), "unknown-key", {"key": quoted(key), "choices": known}) for key in unknown)
        if request.headers.get("Content-Encoding", _IDENTITY).strip().lower() != _IDENTITY:
            raise Declined("unsupported-media-type", headers={"Accept-Encoding": _IDENTITY})


_IF_NONE_MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "schema": {"type": "string"},
    "description": 'The ETag that you have: `"7-3f1c9a52e0b4"`.',
}


@dataclass(frozen=True, slots=True)
class Operation:
    """Declare a view as an operation of version 1: with a body it is a POST, without one a GET, unless `method` says.

    The name of the view is the operation's id.
    """

    tag: Tag
    rule: str
    _: KW_ONLY
    gives: Described
    takes: Described = None
    examples: Mapping[str, object] = field(default_factory=dict)
    media: str = JSON
    query: type[Shape[Json]] | None = None
    """What its query may hold."""
    conditions: Sequence[Mapping[str, object]] = ()
    """Parameters in headers."""
    faults: Sequence[int] = ()
    """Statuses of problem documents beside the usual ones."""
    unchanged: str = ""
    """What 304 means, where the answer has an ETag that a client may send back."""
    secret: str = ""
    """What the secret of the sheet or the group must allow."""
    method: str = ""
    status: int = 200
    others: Mapping[int, str] = field(default_factory=dict)
    """Further responses that are no errors."""
    headers: Sequence[str] = ()
    """Headers of every response that is no error, beside the usual ones."""
    links: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """What can be done with the answer."""
    view: str = ""
    docstring: str = ""
    id: str = ""
    """The `operationId`."""

    def __call__(self, view: _View) -> _View:
        """Add the view to its group."""
        name, about = view.__name__, view.__doc__ or ""
        operation = replace(self, view=name, docstring=about, id=operation_id(name))
        if self.unchanged:
            others, conditions = {**self.others, 304: self.unchanged}, (*self.conditions, _IF_NONE_MATCH)
            operation = replace(operation, headers=("ETag", *self.headers), others=others, conditions=conditions)
        self.tag.declare(operation)
        self.tag.add_url_rule(self.rule, view_func=view, methods=[self.verb])
        return view

    @property
    def verb(self) -> str:
        """The method of HTTP."""
        return self.method or ("POST" if self.takes else "GET")

    @property
    def parameters(self) -> list[Mapping[str, object]]:
        """The parameters of the query, then the conditions."""
        return [*(_query_parameters(self.query) if self.query else ()), *self.conditions]

    @property
    def scheme(self) -> str:
        """How the secret is sent, by its name in the document."""
        return "groupSecret" if "<group>" in self.rule else "sheetSecret"

    @property
    def errors(self) -> set[int]:
        """The statuses of problem documents."""
        found = {429, 503, *self.faults}
        found |= {400, 408, 413, 415, 422} if self.takes else set()
        found |= {422} if self.query else set()
        found |= {404} if "<" in self.rule else set()
        return found | {"": set(), WATCH: {401}, SCORE: {401, 403}}[self.secret]


def _query_parameters(shape: type[Shape[Json]]) -> Iterator[dict[str, object]]:
    """Describe the parameters of a query."""
    required = [name for name, field in schema(shape).load_fields.items() if field.required]
    for name, described in parameter_schemas(shape).items():
        about = {"description": described.pop("description")} if "description" in described else {}
        must = {"required": True} if name in required else {}
        yield {"name": name, "in": "query", **must, "schema": described, **about}


def operation_id(name: str) -> str:
    """Return the id of the operation of a view: `score_deals` is `scoreDeals`."""
    first, *rest = name.lstrip("_").split("_")
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
    """Return a value, or its JSON text, with an entity tag; 304 where the client has it already."""
    current_language()
    return if_new(Response(value if isinstance(value, str) else orjson.dumps(value), content_type=JSON))


def if_new(response: Response) -> Response:
    """Return the response with an entity tag of its body and encoding; 304 where the client has it already.

    Raises Declined where `If-Match` names none of what is here; its `*` means whatever is here (RFC 9110).
    """
    body = response.get_data()
    encoding = _IDENTITY if len(body) < LEAST else best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", ""))
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(f"{hashlib.sha256(body).hexdigest()[:20]}-{encoding}")
    environ = request.environ
    if request.if_match.star_tag:
        environ = {name: value for name, value in environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(environ)
    if response.status_code == 412:
        raise Declined("precondition-failed")
    return response if response.status_code == 304 else encode(response, encoding, keep=True)


_T = TypeVar("_T")
_MOST_DEPTH: Final = 1_024
_NUMERAL: Final = re.compile(r"-?[0-9][-+.0-9eE]*")
_NUMBER: Final = re.compile(r"-?[0-9]{1,16}")
_CURSOR_BYTES: Final = 3
"""Bytes that a cursor has in Base64; an empty one is the beginning."""


def json_body() -> object:
    """Return the JSON value of the request body. Raises Declined if the body is of another media type or not JSON."""
    return read_body(json_value)


def read_body(read: Callable[[bytes], _T]) -> _T:
    """Return what a function that reads JSON makes of the request body. Raises Declined as `json_body` does."""
    if not request.is_json:
        raise Declined("unsupported-media-type")
    try:
        return read(request.get_data(cache=False))
    except json.JSONDecodeError as fault:
        raise Declined("malformed-json", line=fault.lineno, column=fault.colno) from None


def _place_of_huge(text: bytes) -> Pointer:
    """Return where a JSON text has a number too large for any; nowhere if it cannot be read at all."""
    try:
        waiting: list[tuple[Pointer, object]] = [((), json.loads(text))]
    except (ValueError, RecursionError):
        return ()
    for place, value in waiting:
        if isinstance(value, dict | list):
            inside = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*place, key), each) for key, each in inside]
        elif isinstance(value, int | float) and abs(value) > sys.float_info.max:
            return place
    return ()


def json_value(text: bytes) -> object:
    """Return the value of a JSON text, a number without a fraction as an integer.

    Raises JSONDecodeError if it is not JSON, Refused for duplicate keys, for too deep a nesting, for huge numbers.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as fault:
        if "depth" in fault.msg:
            raise Refused([Problem((), "depth", {"most": _MOST_DEPTH})]) from None
        if "infinity" in fault.msg and (number := _NUMERAL.match(fault.doc, fault.pos)):
            facts = {"value": quoted(number[0]), "low": None, "high": None}
            raise Refused([Problem(_place_of_huge(text), "range", facts)]) from None
        try:
            text.decode()
        except UnicodeDecodeError as not_utf8:
            raise not_text(not_utf8) from None
        raise
    if _may_repeat_keys(text, value) and (doubled := duplicate_keys(text)):
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


def query(shape: type[s.Shape[_T]], *, context: s.ReadContext = None) -> _T:
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
