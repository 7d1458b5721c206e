"""Authorise requests about sheets and read their preconditions: bearer secret, If-Match, Idempotency-Key."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping

from flask import Blueprint, Response, current_app, request

from companion.rulebook.book import say
from companion.sheets.service import IDEMPOTENCY_KEY
from companion.sheets.shapes import Head
from companion.sheets.store import NO_VERSION, SCORE, WATCH, KeyReused, Link, NoSuchSheet
from companion.web.api.problems import Declined, answer_declined
from companion.web.language import current_language
from companion.web.sheet_service import group_service, sheet_service

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="score sheet"'}
LONG_KEY = 32
"""Characters from which on a key cannot have been chosen by another client too."""
MOST_KEY = IDEMPOTENCY_KEY.most

SECRET: Mapping[str, object] = {"security": [{"sheetSecret": []}]}
GROUP_SECRET: Mapping[str, object] = {"security": [{"groupSecret": []}]}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "schema": {"type": "string"},
    "description": 'The ETag that you have: `"7-3f1c9a52e0b4"`.',
}
_ENTITY_TAGS = re.compile(r'\*|(?:(?:W/)?"[^"]*"|\d+(?:-[0-9a-f]+)?)(?:\s*,\s*(?:(?:W/)?"[^"]*"|\d+(?:-[0-9a-f]+)?))*')
"""What `If-Match` may be: `*`, or entity tags, whose quotes may be missing."""
IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "pattern": f"^(?:{_ENTITY_TAGS.pattern})$"},
    "description": 'The ETag that you have seen, `"7-3f1c9a52e0b4"`, which no other history has; the number alone is a '
    "version of any; `*` for any version.",
}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": MOST_KEY, "pattern": r'^(?!""$)[!-~](?:[ -~]*[!-~])?$'},
    "description": "A text of your own for this command, quoted or bare. Sent again with the same key, the command is "
    "not written again: the first answer comes back with `Idempotent-Replayed: true`, however much later.",
}
OPTIONAL_KEY = {
    **KEY,
    "required": False,
    "description": "A random text of your own, such as a UUID, quoted or bare. Sent again with the same key, nothing "
    "is made twice: the first answer comes back, secrets included, with `Idempotent-Replayed: true`. For a sheet or a "
    f"group, a key of fewer than {LONG_KEY} characters is known only at the address that sent it.",
}


def guard(group: Blueprint) -> None:
    """Forbid caching and indexing, and answer a missing sheet or group like one that the secret does not open."""
    group.register_error_handler(NoSuchSheet, lambda _: answer_declined(Declined("not-found")))
    group.register_error_handler(KeyReused, lambda _: answer_declined(Declined("idempotency-key-reused")))
    group.after_request(_keep_private)


def may_watch(sheet: str) -> Link:
    """Return the link whose secret was sent if it opens this sheet. Raises Declined."""
    return _allowed(sheet_service().find, sheet, WATCH)


def watched_head(sheet: str) -> Head:
    """Return the latest event of a sheet that the secret may watch. Raises Declined as `may_watch` does."""
    try:
        link, head = sheet_service().watch(_secret())
    except NoSuchSheet:
        raise Declined("not-found") from None
    if link.sheet != sheet:
        raise Declined("not-found")
    return head


def may_score(sheet: str) -> Link:
    """Return the link whose secret was sent if it may write on this sheet. Raises Declined."""
    return _allowed(sheet_service().find, sheet, SCORE)


def may_watch_group(group: str) -> Link:
    """Return the link whose secret was sent if it opens this group. Raises Declined."""
    return _allowed(group_service().find, group, WATCH)


def may_keep_group(group: str) -> Link:
    """Return the link whose secret was sent if it may change this group. Raises Declined."""
    return _allowed(group_service().find, group, SCORE)


def wanted_version(sheet: str) -> int | None:
    """Return the version in `If-Match` if the sheet has it, else `NO_VERSION`; None for `*`.

    An ETag is that of one history; a bare number is a version of any.

    Raises Declined if the header was not sent, or is none.
    """
    if "If-Match" not in request.headers:
        raise Declined("precondition-required")
    if not _ENTITY_TAGS.fullmatch(request.headers["If-Match"].strip()):
        raise Declined("if-match-unreadable")
    named = request.if_match
    if named.star_tag:
        return None
    head = sheet_service().head(sheet)
    return head.version if named.contains(head.tag) or named.contains(str(head.version)) else NO_VERSION


def named_version() -> int | None:
    """Return the one version in `If-Match`, None if there is none or several."""
    tags = request.if_match.as_set()
    return Head.version_in(next(iter(tags)) or "") if len(tags) == 1 else None


def idempotency_key() -> str:
    """Return the key in `Idempotency-Key`, quoted or bare. Raises Declined if it is missing or unusable."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if not key or len(key) > MOST_KEY or not (key.isascii() and key.isprintable()):
        raise Declined("idempotency-key-required")
    return key


def idempotency_seed(purpose: str, log: str = "") -> bytes | None:
    """Return what the id and secrets of a new thing follow from, None if no `Idempotency-Key` was sent.

    The key alone says nothing: the seed needs the signing key of this service too. Raises Declined.
    """
    if "Idempotency-Key" not in request.headers:
        return None
    key = idempotency_key()
    whose = log or ("" if len(key) >= LONG_KEY else request.remote_addr or "")
    parts = "\n".join((purpose, whose, key)).encode()
    return hmac.digest(str(current_app.config["SECRET_KEY"]).encode(), parts, "sha256")


def known_to_client(head: Head) -> bool:
    """Return whether the client of the request has what is here, up to this event."""
    return request.if_none_match.contains_weak(head.tag)


def with_tag(response: Response, head: Head) -> Response:
    """Return the response with the entity tag of a sheet or a group up to this event."""
    response.set_etag(head.tag)
    return response


def mark_replayed(response: Response, replayed: bool) -> Response:
    """Return the response, marked if it is the first answer again."""
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _keep_private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    response.vary.add("Authorization")
    return response


def _allowed(find: Callable[[str], Link], log: str, scope: str) -> Link:
    """Answer unknown ids, foreign secrets and revoked links alike; only a watch link learns that it cannot write."""
    secret = _secret()
    try:
        link = find(secret)
    except NoSuchSheet:
        raise Declined("not-found") from None
    if link.sheet != log:
        raise Declined("not-found")
    if not link.allows(scope):
        raise Declined("forbidden", detail=say(current_language(), "detail.watch-only"))
    return link


def _secret() -> str:
    """Return the secret in the `Authorization` header; those in a path, a query or a cookie are ignored."""
    secret = _bearer(request.headers.get("Authorization", ""))
    if not secret:
        raise Declined("unauthorized", headers=CHALLENGE)
    return secret


def _bearer(header: str) -> str:
    """Return the secret in an `Authorization` header, empty where there is none."""
    scheme, _, secret = header.strip().partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
