"""How often one address may ask, and how often open a sheet, told in the RateLimit fields of the IETF draft.

Flask-Limiter was measured at several times the cost of scoring a deal; so was the memory storage of `limits`, which it
is made of: it starts a thread with nearly every request. Shared stores are those of `limits`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, request
from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from werkzeug.exceptions import TooManyRequests

from companion.web.around import Environ, Headers, tell

UNCOUNTED = frozenset({"/healthz", "/readyz", "/version", "/metrics"})
OPENING = frozenset({"keeper.open_sheet", "keeper.import_sheet", "sheets.open_sheet", "sheets.import_sheet"})
"""Endpoints that leave a new sheet behind when something is posted to them."""
TOLD = "companion.limits"
"""Under this key of the environment stand the limits that a request was counted against."""

Hit = Callable[[str], tuple[int, float]]
"""Counts one more for an address: the count so far, and when counting begins anew, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit under its name, with the counting of its hits."""

    name: str
    amount: int
    window: int
    hit: Hit

    @property
    def policy(self) -> str:
        """The limit as `RateLimit-Policy` has it."""
        return f'"{self.name}";q={self.amount};w={self.window}'


class Counts:
    """Counts of this process in windows that begin with an address's first request."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._open: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()
        self._sweep = 0.0

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._open)

    def hit(self, address: str) -> tuple[int, float]:
        """Count one more; see `Hit`."""
        now = time.time()
        with self._lock:
            if now >= self._sweep:
                self._open = {key: entry for key, entry in self._open.items() if entry[1] > now}
                self._sweep = now + self._window
            count, end = self._open.get(address, (0, 0.0))
            entry = self._open[address] = (count + 1, end) if end > now else (1, now + self._window)
            return entry


def init_app(app: Flask) -> None:
    """Count requests unless the setting RATE_LIMIT is `off`, and sheets opened unless OPENING_LIMIT is."""
    if str(app.config["RATE_LIMIT"]) == "off":
        return
    default = _limit("default", app.config["RATE_LIMIT"], app.config["RATE_STORE"])
    opening = None
    if str(app.config["OPENING_LIMIT"]) != "off":
        opening = _limit("opening", app.config["OPENING_LIMIT"], app.config["RATE_STORE"])

    @app.before_request
    def count() -> None:
        asked = request._get_current_object()  # type: ignore[attr-defined]  # each look at the proxy has its price
        if asked.path in UNCOUNTED:
            return
        address = asked.remote_addr or "unknown"
        hits = asked.environ[TOLD] = [(default, default.hit(address))]
        if opening and asked.method == "POST" and asked.endpoint in OPENING:
            hits.append((opening, opening.hit(address)))
        for limit, (count, _) in hits:
            if count > limit.amount:
                raise TooManyRequests

    tell(app, _tell)


def _limit(name: str, setting: object, store: str) -> Limit:
    item = parse(str(setting))
    window = item.get_expiry()
    hit = Counts(window).hit if store == "memory://" else _shared(store, item, name)
    return Limit(name, item.amount, window, hit)


def _shared(store: str, item: RateLimitItem, name: str) -> Hit:
    """Counting in a store that several processes share."""
    storage, window = storage_from_string(store), item.get_expiry()

    def hit(address: str) -> tuple[int, float]:
        key = item.key_for(name, address)
        count: int = storage.incr(key, window)  # type: ignore[assignment]  # never one of the asynchronous stores
        end: float = storage.get_expiry(key)  # type: ignore[assignment]
        return count, end

    return hit


def _tell(environ: Environ, status: str, headers: Headers) -> None:
    hits = environ.get(TOLD)
    if hits:
        headers += _fields(hits, refused=status.startswith("429"))


def _fields(hits: list[tuple[Limit, tuple[int, float]]], *, refused: bool) -> Headers:
    now = time.time()
    told, waits = [], []
    for limit, (count, end) in hits:
        wait = max(1, math.floor(end - now) + 1)
        told.append(f'"{limit.name}";r={max(0, limit.amount - count)};t={wait}')
        if count > limit.amount:
            waits.append(wait)
    fields = [("RateLimit-Policy", ", ".join(limit.policy for limit, _ in hits)), ("RateLimit", ", ".join(told))]
    return [*fields, ("Retry-After", str(max(waits)))] if refused and waits else fields
