"""The sheet service of the application: one store, opened when the application is created."""

from __future__ import annotations

from flask import Flask, current_app

from companion.sheets.service import SheetService
from companion.sheets.store import open_store


def init_app(app: Flask) -> None:
    """Open the store named by `COMPANION_DATABASE` and register its readiness check."""
    store = open_store(app.config["DATABASE"])
    app.extensions["companion-sheets"] = SheetService(store)
    app.extensions.setdefault("readiness", {})["sheets"] = store.ready


def sheet_service() -> SheetService:
    """Return the sheet service of the current application."""
    found: SheetService = current_app.extensions["companion-sheets"]
    return found
