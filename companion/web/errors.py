"""What a reader of pages sees where something went wrong; under /api the same faults are problem documents."""

from __future__ import annotations

from flask import Flask, Response, make_response, render_template
from werkzeug.exceptions import HTTPException

KNOWN = {
    400: "bad-request",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-input",
    429: "too-many-requests",
    500: "server-error",
}
"""The code of the problem behind a status that Flask answers by itself."""
KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


def init_app(app: Flask) -> None:
    """Show an error page of our own for every HTTP fault. The API's handler takes over for its own paths."""
    app.register_error_handler(HTTPException, error_page)


def error_page(error: HTTPException) -> Response:
    """The page for a fault, in the language of the path or of the reader."""
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
