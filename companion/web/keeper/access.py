"""Which sheets this device may keep, by its key and links looked up at every request; the token of its forms."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from flask import (
    Flask,
    Request,
    Response,
    abort,
    after_this_request,
    current_app,
    g,
    make_response,
    render_template,
    request,
)
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.exceptions import Conflict

from companion.sheets.event import View
from companion.sheets.store import Link, NoSuchSheet
from companion.web.http import error_page
from companion.web.sheet_service import device_service, sheet_service

PAGE = 50
"""Sheets of a list that one page shows."""
_FOUND = "own_link"
"""Where a request keeps the link that it was let in by."""


def remember(link: Link) -> None:
    """Let this device keep the sheet or the group of a score link from now on."""
    device_service().keep(needed_key(), (link.sheet, link.id))


def forget(sheet: str) -> None:
    """Take a sheet off the list of this device."""
    if key := device_key():
        device_service().forget(key, sheet)


def kept_sheets(most: int = PAGE, skip: int = 0) -> list[View]:
    """The sheets that this device may keep, the latest first; links that were revoked are left out."""
    key = device_key()
    sheets = device_service().sheets(key, most, skip) if key else []
    return [view for sheet in sheets if (view := _kept(sheet))]


def kept_sheet(sheet: str) -> View:
    """A sheet that this device may keep; alike for unknown and foreign, the page is not there.

    A device whose link was revoked learns that, as does one that was signed out. Nobody learns from it whether a sheet
    exists: it says no more than what is on the device's own list.
    """
    kept = _kept(sheet)
    if kept is None:
        abort(_why_not(sheet))
    if kept.game is None:
        abort(no_page("keeper/gameless.html"))
    return kept


def gone_page(_: NoSuchSheet) -> Response:
    """Return the page for a link that was revoked, or a sheet that was erased, while a form was being written."""
    return _why_not((request.view_args or {}).get("sheet", ""))


def conflict_page(_: Exception) -> Response:
    """Return the page for a form that others were faster than, or whose key was used for something else."""
    return error_page(Conflict())


def _why_not(sheet: str) -> Response:
    key = device_key()
    if key and device_service().kept(key, sheet) and _kept(sheet) is None:
        return no_page("keeper/revoked.html", sheet=sheet)
    if is_signed_out():
        return no_page("keeper/signed-out.html")
    return no_page("keeper/no-link.html", of="sheet")


def count_kept() -> int:
    """Return the number of sheets on this device's list whose links are not revoked."""
    key = device_key()
    return device_service().count(key) if key else 0


def is_signed_out() -> bool:
    """Return whether another device took the list away from this one."""
    key = device_key()
    found = device_service().find(key) if key else None
    return found is not None and found.signed_out is not None


def no_page(template: str, **facts: str) -> Response:
    """The answer 404 with a page of its own that says why there is nothing to be seen."""
    return make_response(render_template(template, **facts), 404, {"Cache-Control": "no-store"})


def own_link(sheet: str) -> Link:
    """The link by which this device keeps a sheet; its label says who writes. Raises NoSuchSheet.

    What `kept_sheet` has found in this request is not looked up again: whoever writes with a link that was revoked
    meanwhile is refused in the transaction that writes.
    """
    found: Link | None = g.get(_FOUND)
    return found if found and found.sheet == sheet else _look_up(sheet)


def _look_up(sheet: str) -> Link:
    key = device_key()
    if key is None:
        raise NoSuchSheet(sheet)
    link = device_service().link(key, sheet)
    setattr(g, _FOUND, link)
    return link


def _kept(sheet: str) -> View | None:
    try:
        _look_up(sheet)
        return sheet_service().read(sheet)
    except NoSuchSheet:
        return None


COOKIE = "device-"
"""How the names of the cookies begin."""
KEY_BYTES = 32
SECONDS_KEPT = 400 * 24 * 3600
"""The longest that a browser keeps a cookie; each is renewed by none but its own expiry."""
EARLIER_COOKIE = "companion"
"""The signed cookie of versions before 0.2, which held the sheets itself."""
LINKS, KEYS, TOKEN = "links", "keys", "csrf_token"
"""What it held: ids of links by sheet; until version 0.1 their secrets; what its forms were signed for."""
_SALT_BYTES = 12


class SessionInterface(SecureCookieSessionInterface):
    """A signed cookie for what is said on the next page, gone with the browser. The API has none."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """What the cookie says; nothing at all for the API, which takes no cookies."""
        if request.path.startswith("/api/"):
            return None
        said = self.get_cookie_name(app) in request.cookies
        return super().open_session(app, request) if said else self.session_class()

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie is for HTTPS alone."""
        return request.is_secure


def init_app(app: Flask) -> None:
    """Sign what one page says to the next, and give templates `csrf_token()`."""
    app.session_interface = SessionInterface()
    app.config["SESSION_COOKIE_NAME"] = "companion-notice"
    # Strict would lose the sheets: a page reached from a chat comes without the cookie.
    app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
    app.jinja_env.globals["csrf_token"] = _form_token


def comes_with_key() -> bool:
    """Return whether the browser sent a key, or a cookie that one follows from."""
    return any(name == EARLIER_COOKIE or name.startswith(COOKIE) for name in request.cookies)


def device_key() -> str | None:
    """Return the key of this device, None for one that has none yet. What it kept in other cookies is taken over."""
    if "device_key" not in g:
        g.device_key = _found_key()
    key: str | None = g.device_key
    return key


def needed_key() -> str:
    """Return the key of this device; one that has none yet is given one with this answer."""
    key = device_key()
    if key is None:
        key = g.device_key = secrets.token_urlsafe(KEY_BYTES)
        _give(key)
    return key


def _form_token() -> str:
    """Return what a form of this device must bring back: another one each time, so that compression betrays none."""
    salt = secrets.token_urlsafe(_SALT_BYTES)
    return f"{salt}.{_signed(salt, needed_key())}"


def form_seed(file: str = "") -> bytes:
    """Return what ids and secrets follow from, so that a form sent twice, perhaps with a file, makes one thing."""
    return _signed(repr((request.path, sorted(request.form.items(multi=True)), file)), needed_key()).encode()


def is_own_form(token: str) -> bool:
    """Return whether a form was shown to this device, by this version or the one that kept sheets in a cookie."""
    salt, _, given = token.partition(".")
    keys = _keys()
    if any(hmac.compare_digest(_signed(salt, key).encode(), given.encode(errors="replace")) for key in keys):
        return True
    try:
        earlier = URLSafeTimedSerializer(_secret(), salt="wtf-csrf-token").loads(token)
    except BadData:
        return False
    return any(hmac.compare_digest(_key_after(str(earlier)), key) for key in keys) or _earlier().get(TOKEN) == earlier


def _found_key() -> str | None:
    keys = _keys()
    if earlier := _earlier():
        key = _key_after(str(earlier.get(TOKEN, "")) or secrets.token_urlsafe(KEY_BYTES))
        if links := _links_in(earlier):
            device_service().keep(key, *links)
        if key not in keys:
            keys.append(key)
            _give(key)
    if EARLIER_COOKIE in request.cookies:
        _drop(EARLIER_COOKIE)
    if len(keys) < 2:
        return keys[0] if keys else None
    one = device_service().merge_duplicates(keys)
    for key in keys:
        if key != one:
            _drop(cookie_name(key))
    return one


def _keys() -> list[str]:
    """Return the keys that the browser sent, in an order of their own; a cookie with another key's name is none."""
    sent = sorted((name, value) for name, value in request.cookies.items() if name.startswith(COOKIE))
    return [value for name, value in sent if name == cookie_name(value)]


def cookie_name(key: str) -> str:
    """Return the name of the cookie that has a key."""
    return COOKIE + sha256(f"name {key}".encode(errors="replace")).hexdigest()[:8]


def _give(key: str) -> None:
    _set(cookie_name(key), key, SECONDS_KEPT)


def _drop(name: str) -> None:
    _set(name, "", 0)


def _set(name: str, value: str, seconds: int) -> None:
    @after_this_request
    def add_cookie(response: Response) -> Response:
        response.set_cookie(
            name, value, max_age=seconds, httponly=True, samesite="Lax", secure=request.is_secure, path="/"
        )
        return response


# The cookie of earlier versions ---------------------------------------------------------------------------------------


def _earlier() -> dict[str, object]:
    """Return what the cookie of an earlier version says, nothing for one that this server has not signed."""
    if EARLIER_COOKIE not in request.cookies:
        return {}
    serializer = SecureCookieSessionInterface().get_signing_serializer(current_app)
    try:
        found = serializer.loads(request.cookies[EARLIER_COOKIE], max_age=SECONDS_KEPT) if serializer else {}
    except BadData:
        return {}
    return found if isinstance(found, dict) else {}


def _links_in(earlier: dict[str, object]) -> list[tuple[str, str]]:
    """Return the sheets in the cookie of an earlier version, each with the id of its link."""
    service = sheet_service()
    links, secret = earlier.get(LINKS), earlier.get(KEYS)
    known = [(sheet, link) for sheet, link in links.items() if isinstance(link, str)] if isinstance(links, dict) else []
    revealed = (
        [service.known(each) for each in secret.values() if isinstance(each, str)] if isinstance(secret, dict) else []
    )
    known += [(link.sheet, link.id) for link in revealed if link]
    return [(sheet, link) for sheet, link in known if (found := service.store.link(link)) and found.sheet == sheet]


def _key_after(token: str) -> str:
    """Return the key that follows from such a cookie: the same for all of its requests, and for nobody without it."""
    return _signed("device after a cookie", token)


def _signed(salt: str, key: str) -> str:
    return hmac.digest(_secret().encode(), f"{salt} {key}".encode(errors="replace"), "sha256").hex()


def _secret() -> str:
    return str(current_app.config["SECRET_KEY"])
