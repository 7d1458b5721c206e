"""The key of this device: a long-lived cookie that is set once, when a form is shown or an old cookie is taken over.

The name of the cookie follows from the key. Two answers to a browser that had none yet can so never replace each
other's key: the device comes with both, and is known by one of them from then on.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from flask import Flask, Request, Response, after_this_request, current_app, g, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData, URLSafeTimedSerializer

from companion.web.sheet_service import device_service, sheet_service

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
    app.jinja_env.globals["csrf_token"] = form_token


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


def form_token() -> str:
    """Return what a form of this device must bring back: another one each time, so that compression betrays none."""
    salt = secrets.token_urlsafe(_SALT_BYTES)
    return f"{salt}.{_signed(salt, needed_key())}"


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
    one = device_service().unite(keys)
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
