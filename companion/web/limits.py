"""Per-client rate limits for requests and for new sheets, reported in the `RateLimit` header fields of the IETF draft.

Shared stores are those of `limits`. Its memory store, which Flask-Limiter uses too, starts a timer thread for nearly
every request: 40 microseconds of CPU more than the counts below, a seventh of a score request. The row of `make bench`
is "score request: speed against the const view of a bare Flask".
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from flask import Flask, Request, abort, current_app, request
from werkzeug.exceptions import HTTPException, TooManyRequests

from companion.serving import BODY_FAULT, LONG_WORK
from companion.serving.helpers import InPlace, LongWork
from companion.web.headers import Environ, Headers, add_header_hook

if TYPE_CHECKING:
    from limits import RateLimitItem

WORK_AT_ONCE = 2
"""Batches and imports that run at once in one process; one address has one of them."""
UNSENT = 64
"""Answers to batches that one process keeps for those who read them slowly."""
UNCOUNTED = frozenset({"/healthz", "/readyz", "/version", "/metrics"})
OPENING = frozenset(
    {
        "group_pages.open_group",
        "groups.open_group",
        "groups.open_group_sheet",
        "keeper.bring",
        "keeper.open_sheet",
        "keeper.import_sheet",
        "phone.take_home",
        "sheets.open_sheet",
        "sheets.import_sheet",
    }
)
"""Endpoints that create a sheet or a group when something is posted to them."""
GUESSING = frozenset({"keeper.enter_code"})
"""Endpoints where a code is tried out."""
COUNTED = "companion.limits"
"""Key of the request environment: the limits that a request was counted against."""

OWN_STORE = "memory://"
"""The store of counts in the memory of a process."""
IN_PLACE = InPlace()
SECONDS_AWAY = 5
"""How long a store of counts that did not answer is not asked again."""

Hit = Callable[[str], tuple[int, float]]
"""Counts a request of an address. Returns the count so far and the end of the window, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A named limit: `amount` requests in `window` seconds."""

    name: str
    amount: int
    window: int
    hit: Hit

    @property
    def policy(self) -> str:
        """Return the value of `RateLimit-Policy`."""
        return f'"{self.name}";q={self.amount};w={self.window}'


class Turns:
    """Turns at work that is expensive: so many at once in this process, and one of each address.

    Whoever reads the answer slowly keeps nobody else from working.
    """

    def __init__(self, at_once: int = WORK_AT_ONCE, unsent: int = UNSENT) -> None:
        self._at_once = at_once
        self._unsent = unsent
        self._working: set[Turn] = set()
        self._open: dict[str, Turn] = {}
        self._lock = threading.Lock()

    def take(self, address: str) -> Turn:
        """Return a turn for an address. Raises TooManyRequests if it has one, or if there is none."""
        with self._lock:
            if not self.free(address):
                refuse_busy()
            turn = self._open[address] = Turn(self, address)
            self._working.add(turn)
        return turn

    def free(self, address: str) -> bool:
        """Return whether an address could take a turn now."""
        return address not in self._open and len(self._working) < self._at_once and len(self._open) < self._unsent

    def end(self, turn: Turn, *, sent: bool) -> None:
        """Let others work; with `sent`, also the address of the turn."""
        with self._lock:
            self._working.discard(turn)
            if sent and self._open.get(turn.address) is turn:
                del self._open[turn.address]


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A turn at work that is expensive. Both functions may be called again."""

    turns: Turns
    address: str

    def end_work(self) -> None:
        """Let others work; the address has the turn until its answer is sent."""
        self.turns.end(self, sent=False)

    def end(self) -> None:
        """Let others work, and the address too."""
        self.turns.end(self, sent=True)


def take_turn() -> Turn:
    """Return the current request's turn at expensive work. Raises TooManyRequests."""
    turns: Turns = current_app.extensions[_TURNS]
    return turns.take(_address(request.environ))


def long_work() -> LongWork:
    """Return how the current request does long work: in another process where the server has any for that."""
    found: LongWork = request.environ.get(LONG_WORK, IN_PLACE)
    return found


@contextmanager
def turn() -> Iterator[None]:
    """Do expensive work in the block. Raises TooManyRequests if too much is being done already."""
    taken = take_turn()
    try:
        yield
    finally:
        taken.end()


class Counts:
    """Counts in the memory of this process, in windows that begin with an address's first request."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._open: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()
        self._sweep = 0.0

    def __len__(self) -> int:
        """Return the number of addresses with an open window."""
        return len(self._open)

    def hit(self, address: str) -> tuple[int, float]:
        """Count a request; see `Hit`."""
        now = time.time()
        with self._lock:
            if now >= self._sweep:
                self._open = {key: entry for key, entry in self._open.items() if entry[1] > now}
                self._sweep = now + self._window
            count, end = self._open.get(address, (0, 0.0))
            entry = self._open[address] = (count + 1, end) if end > now else (1, now + self._window)
            return entry


_BODIES, _TURNS, _DEFAULT = "companion-body-limits", "companion-turns", "companion-default-limit"


def init_app(app: Flask) -> None:
    """Count requests unless the setting RATE_LIMIT is `off`, new sheets and codes unless their limits are."""
    app.extensions[_TURNS] = Turns()
    larger: dict[str, int | str] = app.extensions.setdefault(_BODIES, {})

    @app.before_request
    def bound_body() -> None:
        current = request._get_current_object()  # type: ignore[attr-defined]  # the proxy costs at every access
        if current.endpoint in larger:
            current.max_content_length = _size(app, larger[current.endpoint])
        if BODY_FAULT in current.environ:
            refuse_busy() if current.environ[BODY_FAULT] == TooManyRequests.code else abort(408)

    if str(app.config["RATE_LIMIT"]) == "off":
        return
    default = app.extensions[_DEFAULT] = _limit(app, "default", "RATE_LIMIT")
    narrower: dict[str, Limit] = {}
    for name, setting, endpoints in (("opening", "OPENING_LIMIT", OPENING), ("guess", "GUESS_LIMIT", GUESSING)):
        if str(app.config[setting]) != "off":
            narrow = _limit(app, name, setting)
            narrower |= dict.fromkeys(endpoints, narrow)

    @app.before_request
    def count() -> None:
        current = request._get_current_object()  # type: ignore[attr-defined]  # the proxy costs at every access
        if current.path in UNCOUNTED or _is_preflight(current):
            return
        hits = current.environ.get(COUNTED) or _counted(default, current.environ)
        if current.method == "POST" and (narrow := narrower.get(current.endpoint or "")):
            hits.append((narrow, narrow.hit(_address(current.environ))))
        for limit, (count, _) in hits:
            if count > limit.amount:
                raise TooManyRequests

    add_header_hook(app, _report)


def is_over_limit(app: Flask, environ: Environ) -> bool:
    """Count a request by the limit of all requests, once; return whether it is one too many."""
    default: Limit | None = app.extensions.get(_DEFAULT)
    if default is None:
        return False
    ((_, (count, _)),) = _counted(default, environ)
    return count > default.amount


def counts_are_own(app: Flask) -> bool:
    """Return whether requests are counted in the memory of this process, so that counting waits for nothing."""
    return str(app.config["RATE_STORE"]) == OWN_STORE


def _counted(default: Limit, environ: Environ) -> list[tuple[Limit, tuple[int, float]]]:
    """Count a request by the limit of all requests, and note that in its environment."""
    hits = environ[COUNTED] = [(default, default.hit(_address(environ)))]
    return hits


def _address(environ: Environ) -> str:
    return environ.get("REMOTE_ADDR") or "unknown"


def _is_preflight(asked: Request) -> bool:
    """Return whether a browser asks if it may send a request of another origin."""
    return asked.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in asked.environ


def allow_body(app: Flask, endpoint: str, size: int | str) -> None:
    """Let the bodies of an endpoint have this many bytes, given as such or as the setting that has the number.

    All others have at most MAX_CONTENT_LENGTH.
    """
    app.extensions.setdefault(_BODIES, {})[endpoint] = size


def endpoint_size(app: Flask, endpoint: str) -> int:
    """Return how many bytes the body of a request to an endpoint may have."""
    return _size(app, app.extensions[_BODIES].get(endpoint, "MAX_CONTENT_LENGTH"))


def body_limit(app: Flask) -> Callable[[Environ], int]:
    """Return the function by which a server finds out how large the body of a request may be.

    The larger ones are for expensive work: if there is no turn at it, the function notes in the environment that the
    body is refused, so that nobody can have bodies read for nothing.
    """
    usual: int = app.config["MAX_CONTENT_LENGTH"]
    larger: dict[str, int | str] = app.extensions[_BODIES]
    turns: Turns = app.extensions[_TURNS]
    behind_proxy = bool(app.config["PROXIES"])

    def limit(environ: Environ) -> int:
        length = environ.get("CONTENT_LENGTH", "")
        if length.isdecimal() and len(length) < 10 and int(length) <= usual:
            return usual
        try:
            endpoint, _ = app.url_map.bind_to_environ(environ).match()
        except HTTPException:
            return usual
        if endpoint in larger and not turns.free("" if behind_proxy else environ["REMOTE_ADDR"]):
            environ[BODY_FAULT] = TooManyRequests.code
        return _size(app, larger.get(endpoint, usual))

    return limit


def _size(app: Flask, size: int | str) -> int:
    found: int = app.config[size] if isinstance(size, str) else size
    return found


def refuse_busy() -> NoReturn:
    """Refuse the current request because too much is being done already, for its client or in all."""
    raise TooManyRequests(retry_after=5)


_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_PLAIN = re.compile(rf"([1-9]\d{{0,8}}) per ({'|'.join(_SECONDS)})")


def _limit(app: Flask, name: str, setting: str) -> Limit:
    text = str(app.config[setting])
    if counts_are_own(app) and (plain := _PLAIN.fullmatch(text)):
        amount, window = int(plain[1]), _SECONDS[plain[2]]
        return Limit(name, amount, window, Counts(window).hit)
    from limits import parse  # a tenth of a second at the start, which plain limits do not need

    item = parse(text)
    window = item.get_expiry()
    hit = Counts(window).hit if counts_are_own(app) else _shared(app, item, name)
    return Limit(name, item.amount, window, hit)


def _shared(app: Flask, item: RateLimitItem, name: str) -> Hit:
    """Count in a store that several processes share; while it is away, each process counts for itself."""
    from limits.storage import storage_from_string

    store = str(app.config["RATE_STORE"])
    prompt = {"socket_timeout": 1, "socket_connect_timeout": 1} if store.startswith("redis") else {}
    storage, window = storage_from_string(store, **prompt), item.get_expiry()
    faults = storage.base_exceptions
    alone, away_until = Counts(window), [0.0]

    def hit(address: str) -> tuple[int, float]:
        if time.monotonic() < away_until[0]:
            return alone.hit(address)
        key = item.key_for(name, address)
        try:
            count: int = storage.incr(key, window)  # type: ignore[assignment]  # never one of the asynchronous stores
            end: float = storage.get_expiry(key)  # type: ignore[assignment]
        except faults as fault:
            away_until[0] = time.monotonic() + SECONDS_AWAY
            app.logger.error("counts not shared: %s", type(fault).__name__)
            return alone.hit(address)
        return count, end

    return hit


def _report(environ: Environ, status: str, headers: Headers) -> None:
    hits = environ.get(COUNTED)
    if hits:
        headers += _fields(hits, refused=status.startswith("429"))


def _fields(hits: list[tuple[Limit, tuple[int, float]]], *, refused: bool) -> Headers:
    now = time.time()
    states, waits = [], []
    for limit, (count, end) in hits:
        wait = max(1, math.floor(end - now) + 1)
        states.append(f'"{limit.name}";r={max(0, limit.amount - count)};t={wait}')
        if count > limit.amount:
            waits.append(wait)
    fields = [("RateLimit-Policy", ", ".join(limit.policy for limit, _ in hits)), ("RateLimit", ", ".join(states))]
    return [*fields, ("Retry-After", str(max(waits)))] if refused and waits else fields
