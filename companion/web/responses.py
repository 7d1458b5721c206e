"""Responses of the whole application: JSON by orjson, and error pages; under /api errors are problem documents."""

from __future__ import annotations

import orjson
from flask import Flask, Response, current_app, make_response, render_template, request
from flask.json.provider import JSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, ServiceUnavailable

from companion.sheets.store import Unavailable

REQUEST_ID = "companion.request_id"
"""Key of the request environment: the id of the request."""

KNOWN = {
    400: "bad-request",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    408: "request-timeout",
    409: "conflict",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-input",
    429: "too-many-requests",
    500: "server-error",
    503: "unavailable",
}
"""The problem code of each status that Flask itself responds with."""
RETRY_SECONDS = 5
"""When a client may try again after a fault of the storage."""
KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


class OrjsonProvider(JSONProvider):
    """Flask's JSON by orjson: strict when reading, UTF-8 when writing, and several times as fast as the default."""

    def dumps(self, obj: object, **kwargs: object) -> str:
        return orjson.dumps(obj, option=orjson.OPT_NON_STR_KEYS).decode()

    def loads(self, s: str | bytes, **kwargs: object) -> object:
        return orjson.loads(s)

    def response(self, *args: object, **kwargs: object) -> Response:
        return json_response(self._prepare_response_obj(args, kwargs))


def json_response(value: object, *, status: int = 200) -> Response:
    """Return a response with a JSON body."""
    return Response(orjson.dumps(value), status=status, content_type="application/json")


def as_file(response: Response, name: str) -> Response:
    """Return a response that browsers save under a name."""
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def init_app(app: Flask) -> None:
    """Use orjson, and an error page for every HTTP error. The API handles errors of its own paths."""
    app.json = OrjsonProvider(app)
    app.register_error_handler(HTTPException, error_page)
    app.register_error_handler(Unavailable, answer_unavailable)


def answer_unavailable(fault: Unavailable) -> ResponseReturnValue:
    """Return 503 for a fault of the storage, with one line in the log."""
    current_app.logger.error("storage unavailable: %s (request %s)", fault, request.environ.get(REQUEST_ID))
    return current_app.handle_http_exception(ServiceUnavailable(retry_after=RETRY_SECONDS))


def error_page(error: HTTPException) -> Response:
    """Return the page for an HTTP error, in the language of the path or of the reader."""
    plain = error.get_response()
    status = plain.status_code
    if status < 400:
        return Response(plain.get_data(), status, plain.headers)
    code = KNOWN.get(status, "bad-request" if status < 500 else "server-error")
    response = make_response(render_template("error.html", code=code, status=status), status)
    for name in KEPT_HEADERS:
        if name in plain.headers:
            response.headers[name] = plain.headers[name]
    response.headers["Cache-Control"] = "no-store"
    return response
