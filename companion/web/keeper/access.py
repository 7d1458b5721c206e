"""Which sheets this device may keep: links by their ids in a signed cookie, looked up at every request."""

from __future__ import annotations

from flask import Flask, Request, Response, abort, make_response, render_template, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

from companion.sheets.scoring import View
from companion.sheets.store import SCORE, Link, NoSuchSheet
from companion.web.sheet_service import sheet_service

LINKS, KEYS = "links", "keys"
"""Keys of the session: ids of links by sheet; until version 0.1, their secrets."""
MOST_KEYS = 50
"""Sheets that one device remembers: a cookie holds about 4,000 bytes."""


class SessionInterface(SecureCookieSessionInterface):
    """The signed cookie, sent only over HTTPS where the page itself came that way. The API has none."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """What the cookie says; nothing at all for the API, which takes no cookies."""
        return None if request.path.startswith("/api/") else super().open_session(app, request)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie is for HTTPS alone."""
        return request.is_secure


def init_app(app: Flask) -> None:
    """Sign cookies with the server's key, which `sheet_service` finds."""
    app.session_interface = SessionInterface()
    app.config["SESSION_COOKIE_NAME"] = "companion"
    # Strict would lose the sheets: a page reached from a chat comes without the cookie and would start an empty one.
    app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
    app.config["SESSION_REFRESH_EACH_REQUEST"] = False  # answers that change nothing in the cookie set none
    app.config["PERMANENT_SESSION_LIFETIME"] = 400 * 24 * 3600


def remember(link: Link) -> None:
    """Let this device keep the sheet of a score link from now on; the sheet longest unused makes room."""
    links = {sheet: known for sheet, known in _links().items() if sheet != link.sheet}
    session[LINKS] = dict([*links.items(), (link.sheet, link.id)][-MOST_KEYS:])
    session.permanent = True


def forget(sheet: str) -> None:
    """Let this device no longer keep a sheet."""
    session[LINKS] = {known: link for known, link in _links().items() if known != sheet}


def kept_sheets() -> list[View]:
    """The sheets that this device may keep, the latest first; links that were revoked are left out."""
    return [view for sheet in reversed(list(_links())) if (view := _kept(sheet))]


def kept_sheet(sheet: str) -> View:
    """A sheet that this device may keep; alike for unknown and foreign, the page is not there.

    A device whose link was revoked learns that. Nobody learns from it whether a sheet exists: it says no more than what
    the device's own signed cookie says.
    """
    kept = _kept(sheet)
    if kept is None and isinstance(_links().get(sheet), str):
        abort(no_page("keeper/revoked.html", sheet=sheet))
    if kept is not None and kept.game is None:
        abort(no_page("keeper/gameless.html"))
    return kept or abort(404)


def no_page(template: str, **facts: str) -> Response:
    """The answer 404 with a page of its own that says why there is nothing to be seen."""
    return make_response(render_template(template, **facts), 404, {"Cache-Control": "no-store"})


def own_link(sheet: str) -> Link:
    """The link by which this device keeps a sheet; its label says who writes. Raises NoSuchSheet."""
    return sheet_service().granted(sheet, _links()[sheet], SCORE)


def _kept(sheet: str) -> View | None:
    link = _links().get(sheet)
    if not isinstance(link, str):
        return None
    try:
        sheet_service().granted(sheet, link, SCORE)
        return sheet_service().read(sheet)
    except NoSuchSheet:
        return None


def _links() -> dict[str, str]:
    """Return the ids of this device's links by sheet. A cookie of version 0.1 had their secrets; it is written anew."""
    if KEYS in session:
        session[LINKS] = {sheet: found for sheet, secret in session.pop(KEYS).items() if (found := _link_of(secret))}
        session.permanent = True
    links: dict[str, str] = session.get(LINKS, {})
    return links


def _link_of(secret: object) -> str | None:
    """Return the id of the link with a secret, revoked or not."""
    found = sheet_service().known(secret) if isinstance(secret, str) else None
    return found.id if found else None
