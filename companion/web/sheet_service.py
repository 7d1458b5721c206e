"""The services of the application, for sheets, groups and devices: one store, opened with the application."""

from __future__ import annotations

from flask import Flask, current_app

from companion.sheets.device_service import DeviceService
from companion.sheets.groups import GroupService
from companion.sheets.service import SheetService
from companion.sheets.store import Store, open_store
from companion.web.http import Misconfigured

_EXTENSION, _GROUPS, _DEVICES = "companion-sheets", "companion-groups", "companion-devices"


def init_app(app: Flask) -> None:
    """Open the store that `COMPANION_DATABASE` names, and find the key of this server.

    Raises Misconfigured if there is no key for a database on a server.
    """
    from companion.sheets.sql import NoKey, kept_key

    place = str(app.config["DATABASE"])
    if not app.config.get("SECRET_KEY"):
        try:
            app.config["SECRET_KEY"] = kept_key(place)
        except NoKey:
            raise Misconfigured("COMPANION_SECRET_KEY must be set where the database is on a server") from None
    use_store(app, open_store(place, key=str(app.config["SECRET_KEY"])))


def use_store(app: Flask, store: Store) -> None:
    """Serve sheets from a store; the application is ready while the store answers."""
    use_service(app, SheetService(store))


def use_service(app: Flask, service: SheetService) -> None:
    """Serve the sheets of a service; the application is ready while its store answers."""
    app.extensions[_EXTENSION], app.extensions[_DEVICES] = service, DeviceService(service.store.devices)
    app.extensions[_GROUPS] = GroupService(service)
    app.extensions.setdefault("readiness", {})["sheets"] = service.store.ready


def sheet_service() -> SheetService:
    """Return the sheet service of the current application."""
    return service_of(current_app)


def service_of(app: Flask) -> SheetService:
    """Return the sheet service of an application."""
    service: SheetService = app.extensions[_EXTENSION]
    return service


def group_service() -> GroupService:
    """Return the service of the current application that knows groups."""
    service: GroupService = current_app.extensions[_GROUPS]
    return service


def device_service() -> DeviceService:
    """Return the service of the current application that knows devices."""
    service: DeviceService = current_app.extensions[_DEVICES]
    return service
