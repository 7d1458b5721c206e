"""The application as a server wants it: the book rendered and compressed before the first reader comes."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any

from flask import Flask

from companion.web import book, create_app


def start(config: Mapping[str, Any] | None = None) -> Flask:
    """The application, ready: its pages prepared, and all of it kept out of the garbage collector's way."""
    app = create_app(config)
    book.prepare(app)
    gc.collect()
    gc.freeze()
    return app
