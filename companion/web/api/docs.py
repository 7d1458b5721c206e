"""The document and the pages that show it, all served from here."""

from __future__ import annotations

import orjson
from flask import Blueprint, Response, current_app, make_response, render_template, request

from companion.web.language import current_language
from companion.web.security import DOCS_POLICY

docs = Blueprint("docs", __name__, url_prefix="/api")


@docs.get("/v1/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    known = current_app.extensions
    if "openapi" not in known:
        known["openapi"] = orjson.dumps(known["api"].spec.to_dict(), option=orjson.OPT_INDENT_2)
    response = Response(known["openapi"], mimetype="application/json")
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


@docs.get("/docs")
def documentation() -> Response:
    """The document in Swagger UI, under a policy of its own."""
    current_language()
    response = make_response(render_template("docs.html"))
    response.headers["Content-Security-Policy"] = DOCS_POLICY
    return response
