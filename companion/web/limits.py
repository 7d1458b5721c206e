"""Per-client limits of requests, bodies and processor time, reported in the IETF draft's `RateLimit` header fields.

Shared counts are kept by `limits`. Its memory store, which Flask-Limiter uses too, starts a timer thread for nearly
every request: 40 microseconds more than `Counts`, a third of a score request.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, NoReturn

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException, TooManyRequests

from companion.web.headers import Environ, Headers, add_header_hook

if TYPE_CHECKING:
    from limits import RateLimitItem

WORK_AT_ONCE = 2
"""Batches and imports that run at once in one process; one address has one of them."""
UNCOUNTED = frozenset({"/healthz", "/readyz", "/version", "/metrics"})
OPENING = frozenset(
    {
        "group_pages.open_group",
        "groups.open_group",
        "groups.open_group_sheet",
        "keeper.submit_offline",
        "keeper.open_sheet",
        "keeper.import_sheet",
        "phone.import_offline",
        "sheets.open_sheet",
        "sheets.import_sheet",
    }
)
"""Endpoints that create a sheet or a group when something is posted to them."""
GUESSING = frozenset({"keeper.enter_code"})
"""Endpoints where a code is tried out."""
HITS, BEGAN = "companion.hits", "companion.began"
"""Keys of the request environment: limits with the counts of a request, and the CPU time of its thread before it."""
OWN_STORE = "memory://"
"""The store of counts in the memory of a process."""
SECONDS_AWAY = 5
"""How long a store of counts that did not answer is not asked again."""
DRAINED = 64 * 1024 * 1024
"""Bytes of a body that are read before its request is refused: a proxy that is still sending would report 502."""

Hit = Callable[[str, float], tuple[float, float]]
"""Adds an amount for a client. Returns the count so far and the end of the window, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A named limit: an amount in a window of seconds."""

    name: str
    amount: int
    window: int
    hit: Hit


Hits = list[tuple[Limit, float, float]]


class WorkLimiter:
    """Bound concurrent expensive work in this process, one slot per address."""

    def __init__(self, at_once: int = WORK_AT_ONCE) -> None:
        self._at_once = at_once
        self._working: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def slot(self, address: str) -> Iterator[None]:
        """Do expensive work in the block. Raises TooManyRequests if the address has a slot, or if there is none."""
        with self._lock:
            if address in self._working or len(self._working) >= self._at_once:
                refuse_busy()
            self._working.add(address)
        try:
            yield
        finally:
            self._working.discard(address)


def slot() -> AbstractContextManager[None]:
    """Return the block in which the current request does expensive work; see `WorkLimiter.slot`."""
    limiter: WorkLimiter = current_app.extensions[_SLOTS]
    return limiter.slot(client_of(request.environ))


class Counts:
    """Counts in the memory of this process, in windows that begin with a client's first request."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._open: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()
        self._sweep = 0.0

    def __len__(self) -> int:
        """Return the number of clients with an open window."""
        return len(self._open)

    def hit(self, client: str, amount: float = 1) -> tuple[float, float]:
        """Add an amount; see `Hit`."""
        now = time.time()
        with self._lock:
            if now >= self._sweep:
                self._open = {key: entry for key, entry in self._open.items() if entry[1] > now}
                self._sweep = now + self._window
            count, end = self._open.get(client, (0, 0.0))
            entry = self._open[client] = (count + amount, end) if end > now else (amount, now + self._window)
            return entry


_BODIES, _SLOTS, _LIMITS = "companion-body-limits", "companion-work-limiter", "companion-limits"


def init_app(app: Flask) -> None:
    """Bound bodies, and unless the setting RATE_LIMIT is `off`, what one client may ask for. Raises Misconfigured."""
    app.extensions[_SLOTS] = WorkLimiter()
    app.extensions.setdefault(_BODIES, {})
    app.before_request(_bound_body)
    app.after_request(_drain)
    if app.config["RATE_LIMIT"] == "off":
        return
    default, work = _limit(app, "default", "RATE_LIMIT"), _limit(app, "work", "WORK_LIMIT")
    narrower: dict[str, Limit] = {}
    for name, setting, endpoints in (("opening", "OPENING_LIMIT", OPENING), ("guess", "GUESS_LIMIT", GUESSING)):
        if app.config[setting] != "off":
            narrower |= dict.fromkeys(endpoints, _limit(app, name, setting))

    app.extensions[_LIMITS] = default, work

    @app.before_request
    def count() -> None:
        environ = request.environ
        if environ["PATH_INFO"] in UNCOUNTED or _is_preflight(environ):
            return
        count_request(app, environ)
        if environ["REQUEST_METHOD"] == "POST" and (narrow := narrower.get(request.endpoint or "")):
            environ[HITS].append((narrow, *narrow.hit(client_of(environ), 1)))
            _refuse_over(environ[HITS])

    def report(environ: Environ, status: str, headers: Headers) -> None:
        if HITS in environ:
            work.hit(client_of(environ), time.thread_time() - environ[BEGAN])
            headers += _fields(environ[HITS], refused=status.startswith("429"))

    add_header_hook(app, report)


def count_request(app: Flask, environ: Environ) -> None:
    """Count a request, once, by the limits of all requests. Raises TooManyRequests if it is one too many."""
    if HITS not in environ and _LIMITS in app.extensions:
        client, (default, work) = client_of(environ), app.extensions[_LIMITS]
        environ[HITS], environ[BEGAN] = [(default, *default.hit(client, 1))], time.thread_time()
        seconds, end = work.hit(client, 0)
        if seconds > work.amount:
            environ[HITS].append((work, seconds, end))
    _refuse_over(environ.get(HITS, ()))


def _refuse_over(hits: Iterable[tuple[Limit, float, float]]) -> None:
    for limit, count, _ in hits:
        if count > limit.amount:
            raise TooManyRequests


def client_of(environ: Environ) -> str:
    """Return what a client is counted by: its address, or of an IPv6 address the network that one subscriber has."""
    return _network(environ.get("REMOTE_ADDR") or "unknown")


@lru_cache(maxsize=1024)
def _network(address: str) -> str:
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if not isinstance(number, IPv6Address):
        return address
    return str(number.ipv4_mapped or f"{IPv6Address(int(number) >> 64 << 64)}/64")


def _is_preflight(environ: Environ) -> bool:
    """Return whether a browser asks if it may send a request of another origin."""
    return environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ


def allow_body(app: Flask, endpoint: str, size: int | str) -> None:
    """Let the bodies of an endpoint have this many bytes, given as such or as the setting that has the number.

    All others have at most MAX_CONTENT_LENGTH.
    """
    app.extensions.setdefault(_BODIES, {})[endpoint] = size


def endpoint_size(app: Flask, endpoint: str) -> int:
    """Return how many bytes the body of a request to an endpoint may have."""
    size = app.extensions[_BODIES].get(endpoint, "MAX_CONTENT_LENGTH")
    allowed: int = app.config[size] if isinstance(size, str) else size
    return allowed


def _bound_body() -> None:
    request.max_content_length = endpoint_size(current_app, request.endpoint or "")


def _drain(response: Response) -> Response:
    """Read the rest of the body of a request that is refused, at most `DRAINED` bytes.

    The stream of the request ends where the body does; that of the server may wait for more.
    """
    if response.status_code >= 400 and request.content_length:
        request.max_content_length, left = request.content_length, DRAINED
        with suppress(HTTPException):
            while left > 0 and (part := request.stream.read(64 * 1024)):
                left -= len(part)
    return response


def refuse_busy() -> NoReturn:
    """Refuse the current request because too much is being done already, for its client or in all."""
    raise TooManyRequests(retry_after=5)


def _limit(app: Flask, name: str, setting: str) -> Limit:
    from limits import parse  # a phone has none, and no limits
    from limits.errors import ConfigurationError

    from companion.web import Misconfigured

    text = str(app.config[setting])
    try:
        item = parse(text)
        own = name == "work" or app.config["RATE_STORE"] == OWN_STORE  # the processor is that of this process
        hit = Counts(item.get_expiry()).hit if own else _shared(app, item, name)
    except ValueError:
        raise Misconfigured(f"COMPANION_{setting} is no limit such as '6000 per minute': {text!r}") from None
    except ConfigurationError as fault:
        raise Misconfigured(f"COMPANION_RATE_STORE cannot be used: {fault}") from None
    return Limit(name, item.amount, item.get_expiry(), hit)


def _shared(app: Flask, item: RateLimitItem, name: str) -> Hit:
    """Count in a store that several processes share; while it is away, each process counts for itself."""
    from limits.storage import storage_from_string

    store = str(app.config["RATE_STORE"])
    prompt = {"socket_timeout": 1, "socket_connect_timeout": 1} if store.startswith("redis") else {}
    storage, window = storage_from_string(store, **prompt), item.get_expiry()
    faults = storage.base_exceptions
    alone, away_until = Counts(window), 0.0

    def hit(client: str, amount: float) -> tuple[float, float]:
        nonlocal away_until
        if time.monotonic() < away_until:
            return alone.hit(client, amount)
        key = item.key_for(name, client)
        try:
            count: int = storage.incr(key, window, int(amount))  # type: ignore[assignment]  # never asynchronous
            end: float = storage.get_expiry(key)  # type: ignore[assignment]
        except faults as fault:
            away_until = time.monotonic() + SECONDS_AWAY
            app.logger.error("counts not shared: %s", type(fault).__name__)
            return alone.hit(client, amount)
        return count, end

    return hit


def _fields(hits: Hits, *, refused: bool) -> Headers:
    now = time.time()
    policies, states, waits = [], [], []
    for limit, count, end in hits:
        wait = max(1, math.floor(end - now) + 1)
        policies.append(f'"{limit.name}";q={limit.amount};w={limit.window}')
        states.append(f'"{limit.name}";r={max(0, math.floor(limit.amount - count))};t={wait}')
        if count > limit.amount:
            waits.append(wait)
    fields = [("RateLimit-Policy", ", ".join(policies)), ("RateLimit", ", ".join(states))]
    return [*fields, ("Retry-After", str(max(waits)))] if refused and waits else fields
