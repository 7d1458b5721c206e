"""The desk of the application: one store, opened when the application is made."""

from __future__ import annotations

from flask import Flask, current_app

from companion.sheets.desk import Desk
from companion.sheets.store import open_store


def init_app(app: Flask) -> None:
    """Open the store that `COMPANION_DATABASE` names; the service is ready while it answers."""
    store = open_store(app.config["DATABASE"])
    app.extensions["companion-desk"] = Desk(store)
    app.extensions.setdefault("readiness", {})["sheets"] = store.ready


def desk() -> Desk:
    """The desk of the current application."""
    found: Desk = current_app.extensions["companion-desk"]
    return found
