"""The sheet service of the application: one store, opened when the application is created."""

from __future__ import annotations

from flask import Flask, current_app

from companion.sheets.service import SheetService
from companion.sheets.store import Store, open_store

_EXTENSION = "companion-sheets"


def init_app(app: Flask) -> None:
    """Open the store that `COMPANION_DATABASE` names."""
    use_store(app, open_store(app.config["DATABASE"]))


def use_store(app: Flask, store: Store) -> None:
    """Serve sheets from a store; the application is ready while the store answers."""
    use_service(app, SheetService(store))


def use_service(app: Flask, service: SheetService) -> None:
    """Serve the sheets of a service; the application is ready while its store answers."""
    app.extensions[_EXTENSION] = service
    app.extensions.setdefault("readiness", {})["sheets"] = service.store.ready


def sheet_service() -> SheetService:
    """Return the sheet service of the current application."""
    service: SheetService = current_app.extensions[_EXTENSION]
    return service
