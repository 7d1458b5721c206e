"""The score keeper's screens: sheets opened, deals entered by big buttons, corrections with their consequences."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, abort, request

from companion.sheets.store import Conflict, KeyReused, NoSuchSheet
from companion.web.http import add_routes, allow_body, encode_private
from companion.web.keeper import access, board, deals, entry, exports, offline, opening, rules_pages, screen, sharing
from companion.web.keeper.access import conflict_page, gone_page

OWN_FORM = "companion.own-form"
"""Set in the environment of a request by a phone whose worker knows that the form is one of this site."""

_PARTS = (opening, rules_pages, screen, entry, deals, exports, sharing, offline)


def init_app(app: Flask) -> None:
    """Add the keeper's pages, the key of devices, the guard of their forms, and answers to what happens meanwhile."""
    access.init_app(app)
    keeper = Blueprint("keeper", __name__)
    allow_body(app, "keeper.import_sheet", exports.ROOM_FOR_FORM)
    allow_body(app, "keeper.submit_offline", exports.ROOM_FOR_FORM)
    guard(keeper)
    for part in _PARTS:
        add_routes(keeper, part.ROUTES)
    keeper.get("/offline.js")(screen.service_worker)
    board.init_app(app)
    for fault, answer in ((NoSuchSheet, gone_page), (Conflict, conflict_page), (KeyReused, conflict_page)):
        app.register_error_handler(fault, answer)
    app.jinja_env.globals.update(outline=entry.outline)
    app.register_blueprint(keeper)


def guard(pages: Blueprint) -> None:
    """Let a blueprint take forms of this site alone, and keep its pages from others."""
    pages.before_request(_same_site)
    pages.after_request(_private)


def _same_site() -> None:
    """A form of another site is refused twice: by what the browser says of it, and by the token."""
    if request.method == "POST":
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            abort(403)
        if not request.environ.get(OWN_FORM) and not access.is_own_form(request.form.get("csrf_token", "")):
            abort(400)


def _private(response: Response) -> Response:
    """Pages of a sheet are nobody else's: no referrer, no search engine, no shared cache. They are compressed."""
    for name, value in sharing.PRIVATE:
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", sharing.REVALIDATED)
    encode_private(response)
    return response
