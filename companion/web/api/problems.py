"""Problem documents (RFC 9457): one shape for every error under /api, in the language of the request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

import orjson
from flask import Response, g, request
from werkzeug.exceptions import HTTPException

from companion.engine.problems import Refused
from companion.library.problem_codes import STATUSES
from companion.library.problem_documents import Members, problem_document, refusal_document
from companion.web.language import current_language
from companion.web.monitoring import request_id
from companion.web.responses import KEPT_HEADERS, KNOWN, error_page

MIMETYPE = "application/problem+json"


class Declined(Exception):
    """A declined request: the code of its problem document, further members, headers."""

    def __init__(self, code: str, *, headers: Mapping[str, str] | None = None, **members: Unpack[Members]) -> None:
        super().__init__(code)
        self.code = code
        self.headers = dict(headers or {})
        self.members = members


def is_api() -> bool:
    """Return whether the current request is for the API, so that errors are problem documents."""
    return request.path.startswith("/api/")


def answer_refused(refused: Refused) -> Response:
    """Return 422 with every problem that was found."""
    game = (request.view_args or {}).get("game") or g.get("game")
    document = refusal_document(game, refused.problems, current_language(), instance=_instance())
    return _respond(document, STATUSES["invalid-input"])


def answer_declined(declined: Declined) -> Response:
    """Return the problem document that a view raised."""
    members: Members = {**declined.members, "instance": _instance()}
    document = problem_document(declined.code, current_language(), **members)
    return _respond(document, STATUSES[declined.code], declined.headers)


def answer_http(error: HTTPException) -> Response:
    """Return the problem document for an error of Flask; on the site, its error page."""
    if not is_api():
        return error_page(error)
    plain = error.get_response()
    if plain.status_code < 400:
        return Response(plain.get_data(), plain.status_code, plain.headers)
    code = KNOWN.get(plain.status_code, "bad-request" if plain.status_code < 500 else "server-error")
    headers = {name: plain.headers[name] for name in KEPT_HEADERS if name in plain.headers}
    document = problem_document(code, current_language(), status=plain.status_code, instance=_instance())
    return _respond(document, plain.status_code, headers)


def _instance() -> str:
    return f"urn:request:{request_id()}"


def _respond(document: dict[str, object], status: int, headers: Mapping[str, str] | None = None) -> Response:
    response = Response(orjson.dumps(document), status=status, mimetype=MIMETYPE, headers=dict(headers or {}))
    response.headers["Cache-Control"] = "no-store"
    return response
