"""Ids and secrets of sheets and links: made by chance or from a seed, and hashed for the store."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from itertools import count

from companion.sheets.store import Link

SECRET_BYTES = 18


def new_id(token: Callable[[int], str]) -> str:
    """Return an id that no command line parses as an option."""
    while (sheet := token(9)).startswith("-"):
        pass
    return sheet


def new_link(token: Callable[[int], str], sheet: str, scope: str, label: str, at: str) -> tuple[Link, str]:
    """Return a link to a sheet, and its secret."""
    return Link(token(6), sheet, scope, label, at), token(SECRET_BYTES)


def derived(seed: bytes) -> Callable[[int], str]:
    """Return a source of ids and secrets that follow from a seed, each by its number."""
    numbers = count()

    def token(size: int) -> str:
        digest = hmac.digest(seed, b"%d" % next(numbers), "sha256")
        return urlsafe_b64encode(digest[:size]).rstrip(b"=").decode()

    return token


def hashed(secret: str) -> str:
    """Return the hash under which a store has a secret."""
    return sha256(secret.encode(errors="replace")).hexdigest()
