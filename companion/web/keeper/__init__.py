"""The score keeper's screens: sheets opened, deals entered by big buttons, corrections with their consequences."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, abort, request
from flask_wtf.csrf import CSRFProtect

from companion.web.keeper import (
    access,
    ahead,
    deals,
    exports,
    games,
    history,
    house_pages,
    opening,
    rules_of_sheet,
    screen,
    sharing,
)
from companion.web.limits import allow_body

PARTS = (opening, house_pages, screen, ahead, deals, games, history, exports, rules_of_sheet, sharing)


def init_app(app: Flask) -> None:
    """Add the keeper's pages, the signing of their cookie, and the guard of their forms."""
    access.init_app(app)
    app.config["WTF_CSRF_CHECK_DEFAULT"] = False  # only these forms carry a cookie; the API takes none
    app.config["WTF_CSRF_TIME_LIMIT"] = None  # a game lasts longer than an hour
    app.config["WTF_CSRF_SSL_STRICT"] = False  # these pages send no referrer, so none can be checked
    guard = CSRFProtect(app)
    keeper = Blueprint("keeper", __name__)
    allow_body(app, "keeper.import_sheet", exports.ROOM_FOR_FORM)
    keeper.before_request(lambda: _same_site(guard))
    keeper.after_request(_private)
    for part in PARTS:
        part.add_pages(keeper)
    app.register_blueprint(keeper)


def _same_site(guard: CSRFProtect) -> None:
    """A form of another site is refused twice: by what the browser says of it, and by the token."""
    if request.method == "POST":
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            abort(403)
        guard.protect()


def _private(response: Response) -> Response:
    """Pages of a sheet are nobody else's: no referrer, no search engine, no shared cache."""
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
