"""The JSON API under /api: OpenAPI 3.1, problem documents for every fault, the same functions as the site."""

from __future__ import annotations

from flask import Flask

from companion.web.api import batch, catalogue, questions  # noqa: F401  # they declare their operations
from companion.web.api.docs import docs
from companion.web.api.document import make_document
from companion.web.api.operations import GameConverter, v1


def init_app(app: Flask) -> None:
    """Add the API, its document and its documentation pages."""
    app.url_map.converters["game"] = GameConverter
    make_document(app).register_blueprint(v1)
    app.register_blueprint(docs)
