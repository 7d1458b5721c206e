"""The JSON API under /api: OpenAPI 3.1, problem documents for every fault, the same functions as the site."""

from __future__ import annotations

from flask import Flask

from companion.web.api import sheets
from companion.web.api.batch import batches
from companion.web.api.catalogue import catalogue
from companion.web.api.docs import docs
from companion.web.api.document import make_document
from companion.web.api.operations import GameConverter
from companion.web.api.questions import questions
from companion.web.api.sheet_links import links


def init_app(app: Flask) -> None:
    """Add the API, its document and its documentation pages."""
    app.url_map.converters |= {"game": GameConverter, "sheet": sheets.SheetConverter}
    document = make_document(app)
    sheets.describe(document)
    for group in (catalogue, questions, sheets.sheets, links, batches):
        document.register_blueprint(group)
    app.register_blueprint(docs)
