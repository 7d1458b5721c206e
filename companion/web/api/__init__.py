"""The JSON API under /api: OpenAPI 3.1, problem documents for every error, the same functions as the site."""

from __future__ import annotations

from functools import partial

from flask import Flask
from werkzeug.exceptions import HTTPException

from companion.engine.problems import Refused
from companion.sheets.store import MAX_FILE
from companion.web.api import groups, sheets
from companion.web.api.catalogue import catalogue, index_answer, rulebook
from companion.web.api.document import Document, docs
from companion.web.api.http import Declined, GameConverter, answer_declined, answer_http, answer_refused
from companion.web.api.questions import batches, questions
from companion.web.api.sheets import links
from companion.web.http import allow_body, endpoint_size


def init_app(app: Flask) -> None:
    """Add the API, its document and its documentation pages."""
    app.url_map.converters |= {"game": GameConverter, "sheet": sheets.SheetConverter}
    declared = (catalogue, rulebook, questions, sheets.sheets, links, groups.groups, batches)
    for group in declared:
        app.register_blueprint(group)
    app.register_blueprint(docs)
    for batch in ("score", "replay"):
        allow_body(app, f"batches.{batch}_batch", "BATCH_CONTENT_LENGTH")
    allow_body(app, "sheets.import_sheet", MAX_FILE)
    app.register_error_handler(HTTPException, answer_http)
    app.register_error_handler(Refused, answer_refused)
    app.register_error_handler(Declined, answer_declined)

    def document() -> Document:
        made = Document(partial(endpoint_size, app))
        sheets.describe(made)
        groups.describe(made)
        made.add(declared)
        return made

    app.extensions["api"] = document
    app.extensions["api-index"] = index_answer(declared)
