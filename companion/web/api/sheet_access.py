"""Who may do what with a sheet, and on which version: the bearer secret, If-Match, Idempotency-Key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request

from companion.sheets.store import SCORE, WATCH, Link, NoSuchSheet
from companion.web.api.problems import Declined, answer_declined
from companion.web.sheet_service import sheet_service

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="score sheet"'}
MOST_KEY = 200
"""Signs of an idempotency key."""

SECRET: Mapping[str, Any] = {"security": [{"sheetSecret": []}]}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "schema": {"type": "string"},
    "description": 'The ETag that you have: `"7"`.',
}
IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "schema": {"type": "string"},
    "description": 'The version that you have seen, as its ETag: `"7"`; `*` for whichever it is.',
}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": MOST_KEY},
    "description": "A text of your own for this command, quoted or bare. Sent again with the same key, the command is "
    "not written again: the first answer comes back with `Idempotent-Replayed: true`, however much later.",
}
NO_VERSION = 0
"""A version at which no sheet stands: every sheet begins with an event."""


def guard(group: Blueprint) -> None:
    """Let nobody keep or find what belongs to one table, and let a sheet that is not there look like a foreign one."""
    group.register_error_handler(NoSuchSheet, lambda _: answer_declined(Declined("not-found")))
    group.after_request(_keep_private)


def may_watch(sheet: str) -> Link:
    """The link whose secret was sent, where it opens this sheet. Raises Declined."""
    return _allowed(sheet, WATCH)


def may_score(sheet: str) -> Link:
    """The link whose secret was sent, where it may write on this sheet. Raises Declined."""
    return _allowed(sheet, SCORE)


def wanted_version(sheet: str) -> int | None:
    """The version that `If-Match` names where the sheet stands there, else `NO_VERSION`; None for `*`.

    Raises Declined where the header was not sent.
    """
    if "If-Match" not in request.headers:
        raise Declined("precondition-required")
    named = request.if_match
    if named.star_tag:
        return None
    version = sheet_service().version(sheet)
    return version if named.contains(str(version)) else NO_VERSION


def named_version() -> int | None:
    """The one version that `If-Match` names, None where it names none or several."""
    tags = request.if_match.as_set()
    tag = next(iter(tags), "")
    return int(tag) if len(tags) == 1 and tag.isascii() and tag.isdecimal() and len(tag) < 10 else None


def idempotency_key() -> str:
    """The key of `Idempotency-Key`, written as a quoted string or bare. Raises Declined where none can be used."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if not key or len(key) > MOST_KEY or not (key.isascii() and key.isprintable()):
        raise Declined("idempotency-key-required")
    return key


def _keep_private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    response.vary.add("Authorization")
    return response


def _allowed(sheet: str, scope: str) -> Link:
    """Unknown sheets, foreign secrets and revoked links are answered alike; a watching link is told that it watches."""
    secret = _secret()
    try:
        return sheet_service().check(secret, scope, sheet)
    except NoSuchSheet:
        pass
    try:
        sheet_service().check(secret, WATCH, sheet)
    except NoSuchSheet:
        raise Declined("not-found") from None
    raise Declined("forbidden")


def _secret() -> str:
    """The secret of the `Authorization` header: secrets in a path, a query or a cookie are not looked at."""
    scheme, _, secret = request.headers.get("Authorization", "").strip().partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Declined("unauthorized", headers=CHALLENGE)
    return secret.strip()
