"""What every request and response passes: hosts, language, the site's address, limits, headers, errors.

Header hooks run in one WSGI middleware, so that they see what is answered before Flask, too.
"""

from __future__ import annotations

import gzip
import hashlib
import ipaddress
import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import orjson
from flask import Blueprint, Flask, Response, abort, current_app, make_response, render_template, request
from flask.json.provider import JSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import LanguageAccept
from werkzeug.exceptions import HTTPException, ServiceUnavailable, TooManyRequests
from werkzeug.http import parse_accept_header
from werkzeug.routing import BaseConverter
from werkzeug.sansio.utils import get_host

from companion.data import LANGUAGES, other_language
from companion.rulebook.lessons import check_texts
from companion.rulebook.words import say
from companion.sheets.store import Unavailable

if TYPE_CHECKING:
    from limits import RateLimitItem


class Misconfigured(ValueError):
    """Settings with which the service must not start, in a sentence."""


Environ = dict[str, Any]
Headers = list[tuple[str, str]]
HeaderHook = Callable[[Environ, str, Headers], None]
"""Adds to the headers of a response, given the request's environment and the status line."""
_EXTENSION = "companion-header-hooks"

API = "/api/v1"
"""What the addresses of version 1 of the API begin with."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""For the API's documentation only: its interface sets styles on elements."""

EXPOSED = (
    "Content-Language, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
ACCEPTED = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id"

ALWAYS: Headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]
_PAGE: Headers = [
    *ALWAYS,
    ("Content-Security-Policy", PAGE_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
]
_DATA: Headers = [*ALWAYS, ("Content-Security-Policy", DATA_POLICY)]
PAGE, DATA = ({header[0].lower(): header for header in headers} for headers in (_PAGE, _DATA))
SECURE = [("Strict-Transport-Security", "max-age=31536000")]
OPEN = [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", EXPOSED)]
"""Any origin may ask the API, without cookies: it takes its secrets from the Authorization header alone."""
PREFLIGHT = [("Access-Control-Allow-Headers", ACCEPTED), ("Access-Control-Max-Age", "86400")]


def add_security_headers(app: Flask) -> None:
    """Add the security headers to every response; what a response sets itself is kept."""
    add_header_hook(app, _secure)


def add_header_hook(app: Flask, hook: HeaderHook) -> None:
    """Register a function that may add response headers. Hooks run in registration order."""
    if _EXTENSION not in app.extensions:
        app.extensions[_EXTENSION] = []
        app.wsgi_app = _middleware(app.wsgi_app, app.extensions[_EXTENSION])  # type: ignore[method-assign]
    app.extensions[_EXTENSION].append(hook)


def _middleware(inner: Callable[..., Iterable[bytes]], hooks: list[HeaderHook]) -> Callable[..., Iterable[bytes]]:
    def outer(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        def start(status: str, headers: Headers, failure: object = None) -> object:
            for hook in hooks:
                hook(environ, status, headers)
            return start_response(status, headers, failure)

        return inner(environ, start)

    return outer


def _secure(environ: Environ, status: str, headers: Headers) -> None:
    present = {name.lower(): value for name, value in headers}
    if "set-cookie" in present and "public" in present.get("cache-control", ""):
        headers[:] = [header for header in headers if header[0].lower() != "set-cookie"]  # others would be sent it too
    if not status.startswith("304"):  # has no content type; its headers replace those that a browser has stored
        wanted = PAGE if present.get("content-type", "").startswith("text/html") else DATA
        headers += [header for name, header in wanted.items() if name not in present]
    if environ.get("wsgi.url_scheme") == "https":
        headers += SECURE
    if environ.get("PATH_INFO", "").startswith(API):
        headers += OPEN
        if environ.get("REQUEST_METHOD") == "OPTIONS":
            headers += [("Access-Control-Allow-Methods", present.get("allow", "GET, POST")), *PREFLIGHT]


ROOT_MARK = "https://site.invalid"
"""What templates write for the root of the site; `with_root` puts the address in."""
_ROOT = re.compile(r"https?://[A-Za-z0-9.:_\[\]-]+(?:/[A-Za-z0-9._~/-]*)?")


def add_site_address(app: Flask) -> None:
    """Give templates `absolute(path)`. Raises Misconfigured if `SITE_URL` is set to something other than an address."""
    url = app.config["SITE_URL"]
    if url and not _ROOT.fullmatch(url):
        raise Misconfigured(f"COMPANION_SITE_URL must look like https://cards.example, not {url}")
    app.jinja_env.globals["absolute"] = lambda path: f"{ROOT_MARK}{path}"


def site_root() -> str:
    """Return the address that the site is reached by, without a slash at its end: `SITE_URL`, else the request's.

    Answers 400 where the host of a request has characters that no host has.
    """
    configured: str = current_app.config["SITE_URL"]
    root = (configured or request.url_root).rstrip("/")
    return root if _ROOT.fullmatch(root) else abort(400)


def with_root(text: str) -> str:
    """Return a rendered page with the site's own address in place of the mark."""
    return text.replace(ROOT_MARK, site_root())


CURRENT, NEGOTIATED = "companion.language", "companion.language.negotiated"
"""Where a request's environment keeps the language of its answer, and whether headers decided on it."""
DEFAULT = "en"
"""The language of a client that accepts none of ours."""


class LanguageConverter(BaseConverter):
    """The first part of a page's path: a language tag such as `ja`."""

    regex = "|".join(LANGUAGES)


class PlainConverter(BaseConverter):
    """A part of a path. No control characters: a header that leads to such an address would be none."""

    regex = r"[^/\x00-\x1f\x7f]+"


def add_language(app: Flask) -> None:
    """Register the language part of paths and the phrases of templates. Raises ValueError if texts are missing."""
    if app.config["CHECK_TEXTS"]:
        check_texts()
    app.url_map.converters |= {"lang": LanguageConverter, "default": PlainConverter, "string": PlainConverter}
    app.context_processor(_template_words)
    add_header_hook(app, _declare)


def current_language() -> str:
    """The language of the current request's answer."""
    environ = request.environ
    known: str | None = environ.get(CURRENT)
    if known is None:
        fixed = _path_language()
        known = environ[CURRENT] = fixed or _asked_language()
        environ[NEGOTIATED] = fixed is None
    return known


def _asked_language() -> str:
    """The language asked for by `?lang=`, else by Accept-Language, else the default; what is unknown is passed over."""
    environ = request.environ
    asked = request.args.get("lang") if environ.get("QUERY_STRING") else None
    return str(asked) if asked in LANGUAGES else _accepted_language(environ)


def negotiated_language(environ: Environ) -> str:
    """Return the language of the answer to a request without query, by Accept-Language, and note that it is so."""
    environ[CURRENT], environ[NEGOTIATED] = _accepted_language(environ), True
    found: str = environ[CURRENT]
    return found


def _template_words() -> dict[str, object]:
    """Return what every template may use: the language, its phrases, the other languages, addresses in these."""
    lang = current_language()
    return {
        "lang": lang,
        "say": partial(say, lang),
        "other": other_language(lang),
        "language_names": language_names(),
        "url_in": _url_in,
    }


@lru_cache(maxsize=1)
def language_names() -> dict[str, str]:
    """Return what each language calls itself, by its tag."""
    return {each: say(each, "site.language") for each in LANGUAGES}


def _accepted_language(environ: Environ) -> str:
    return _accepted(environ.get("HTTP_ACCEPT_LANGUAGE", "")) or DEFAULT


@lru_cache(maxsize=1024)
def _accepted(header: str) -> str | None:
    """Return our language that an Accept-Language header prefers by the lookup of RFC 4647; None without any."""
    accepted = parse_accept_header(header, LanguageAccept)
    refused = {tag.lower() for tag, quality in accepted if not quality}
    offered = [lang for lang in (DEFAULT, *LANGUAGES) if lang not in refused]
    for tag, quality in accepted:  # the most liked first, `*` last
        subtags = tag.lower().split("-") if quality else []
        ranges = ("-".join(subtags[:count]) for count in range(len(subtags), 0, -1))
        if found := next((offered[0] if each == "*" else each for each in ranges if each in (*offered, "*")), None):
            return found
    return None


def _path_language() -> str | None:
    first = request.path[1:].partition("/")[0]
    return first if first in LANGUAGES else None


def _url_in(other: str) -> str:
    """Return the address of this page in another language; its home page if the path has no language."""
    if _path_language() is None:
        return f"/{other}/"
    query = request.query_string.decode("ascii", "replace")
    return f"/{other}/{request.path[1:].partition('/')[2]}" + (f"?{query}" if query else "")


def _declare(environ: Environ, status: str, headers: Headers) -> None:
    lang = environ.get(CURRENT)
    if lang is None:
        return
    names = [name.lower() for name, _ in headers]
    if not status.startswith("304") and "content-language" not in names:
        headers.append(("Content-Language", lang))
    if environ[NEGOTIATED]:
        if "vary" in names:
            place = names.index("vary")
            headers[place] = ("Vary", f"{headers[place][1]}, Accept-Language")
        else:
            headers.append(("Vary", "Accept-Language"))


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


def add_limits(app: Flask) -> None:
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


_HOSTS_EXTENSION = "companion-hosts"
OWN_NETWORK = (".local", ".localhost", ".lan", ".internal", ".home.arpa")
"""Ends of names that only the own network knows."""


def add_hosts(app: Flask) -> None:
    """Answer 400 to requests for any host but those in HOSTS and SITE_URL, or without these, but on the own network.

    A name in HOSTS that begins with a dot stands for all names that end with it.
    """
    named = {name.lower() for name in str(app.config["HOSTS"]).replace(",", " ").split()}
    if app.config["SITE_URL"]:
        named.add(urlsplit(str(app.config["SITE_URL"])).hostname or "")
    app.extensions[_HOSTS_EXTENSION] = frozenset(named)

    @app.before_request
    def check_host() -> None:
        if not is_own_host(app, request.environ) and request.path not in UNCOUNTED:
            app.logger.warning("request for a host that is in neither COMPANION_HOSTS nor COMPANION_SITE_URL")
            abort(400)


def is_own_host(app: Flask, environ: Environ) -> bool:
    """Return whether a request is for one of the service's own names."""
    known: frozenset[str] = app.extensions[_HOSTS_EXTENSION]
    scheme, server = environ["wsgi.url_scheme"], environ["SERVER_NAME"]
    return _answers_to(scheme, environ.get("HTTP_HOST"), server, environ["SERVER_PORT"], known)


@lru_cache(maxsize=64)
def _answers_to(scheme: str, header: str | None, server: str, port: str, known: frozenset[str]) -> bool:
    """Return whether the host of a request, with or without port, is one of the service's own."""
    host = get_host(scheme, header, (server, int(port) if port.isdecimal() else None))
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    if name in known or name == "localhost" or any(f".{name}".endswith(end) for end in known if end.startswith(".")):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback or not known
    except ValueError:
        return not known and ("." not in name or name.endswith(OWN_NETWORK))


REQUEST_ID = "companion.request_id"
"""Key of the request environment: the id of the request."""

KNOWN = {
    400: "bad-request",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    408: "request-timeout",
    409: "conflict",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-input",
    429: "too-many-requests",
    500: "server-error",
    503: "unavailable",
}
"""The problem code of each status that Flask itself responds with."""
RETRY_SECONDS = 5
"""When a client may try again after a fault of the storage."""
KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


Views = Mapping[str, Callable[..., ResponseReturnValue]]


def add_routes(pages: Blueprint, routes: Views) -> None:
    """Add views by method and address after that of the language: `GET /help`."""
    for route, view in routes.items():
        method, rule = route.split(" ", 1)
        pages.add_url_rule(f"/<lang:lang>{rule}", view_func=view, methods=[method])


class OrjsonProvider(JSONProvider):
    """Flask's JSON by orjson: strict when reading, UTF-8 when writing, and several times as fast as the default."""

    def dumps(self, obj: object, **kwargs: object) -> str:
        return orjson.dumps(obj, option=orjson.OPT_NON_STR_KEYS).decode()

    def loads(self, s: str | bytes, **kwargs: object) -> object:
        return orjson.loads(s)

    def response(self, *args: object, **kwargs: object) -> Response:
        return json_response(self._prepare_response_obj(args, kwargs))


def json_response(value: object, *, status: int = 200) -> Response:
    """Return a response with a JSON body."""
    return Response(orjson.dumps(value), status=status, content_type="application/json")


def as_file(response: Response, name: str) -> Response:
    """Return a response that browsers save under a name."""
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def add_responses(app: Flask) -> None:
    """Use orjson, and an error page for every HTTP error. The API handles errors of its own paths."""
    app.json = OrjsonProvider(app)
    app.register_error_handler(HTTPException, error_page)
    app.register_error_handler(Unavailable, answer_unavailable)


def answer_unavailable(fault: Unavailable) -> ResponseReturnValue:
    """Return 503 for a fault of the storage, with one line in the log."""
    current_app.logger.error("storage unavailable: %s (request %s)", fault, request.environ.get(REQUEST_ID))
    return current_app.handle_http_exception(ServiceUnavailable(retry_after=RETRY_SECONDS))


def error_page(error: HTTPException) -> Response:
    """Return the page for an HTTP error, in the language of the path or of the reader."""
    plain = error.get_response()
    status = plain.status_code
    if status < 400:
        return Response(plain.get_data(), status, plain.headers)
    code = KNOWN.get(status, "bad-request" if status < 500 else "server-error")
    response = make_response(render_template("error.html", code=code, status=status), status)
    for name in KEPT_HEADERS:
        if name in plain.headers:
            response.headers[name] = plain.headers[name]
    response.headers["Cache-Control"] = "no-store"
    return response


ENCODINGS = ("br", "gzip", "identity")
SECONDS = 300
MOST_ROOTS = 4
"""Addresses of the site for which one page is kept."""
HTML = "text/html; charset=utf-8"
BEST, GOOD, QUICK = 11, 10, 5
"""Brotli qualities: the best takes three times as long as the good one and forty times as long as the quick one."""

AT_ONCE = 4
"""The quality for a page that one client waits for: a fifth of the size in a millisecond."""
LEAST = 1_400
"""Bytes from which on a page made for one client is compressed: what is shorter goes in one packet anyway."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """One page with its language (none if empty) and brotli quality; bodies and tags by root and encoding."""

    html: str
    lang: str
    effort: int
    content_type: str = HTML
    made: dict[tuple[str, ...], dict[str, tuple[bytes, str]]] = field(default_factory=dict)

    def body(self, encoding: str) -> tuple[bytes, str]:
        """Return the page in an encoding, for the address that this request reached the site by, and its entity tag."""
        environ = request.environ
        root = environ["wsgi.url_scheme"], environ.get("HTTP_HOST", ""), environ["SCRIPT_NAME"]
        if root not in self.made:
            for oldest in list(self.made)[: len(self.made) + 1 - MOST_ROOTS]:
                self.made.pop(oldest, None)
        bodies = self.made.setdefault(root, {})
        if encoding not in bodies:
            plain = with_root(self.html).encode()
            tag = f"{hashlib.sha256(plain).hexdigest()[:16]}-{encoding}"
            bodies[encoding] = _encoded(plain, encoding, self.effort), tag
        return bodies[encoding]


def cache_page(html: str, *, effort: int = BEST) -> CachedPage:
    """Return a page to be compressed for its first reader, in the language of the current request."""
    return CachedPage(html, current_language(), effort)


def compress(page: CachedPage) -> None:
    """Compress a page before its first reader comes."""
    for encoding in ENCODINGS:
        page.body(encoding)


def serve(page: CachedPage) -> Response:
    """Return the page in the best encoding that the client accepts; 304 where the client has it already."""
    encoding = best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", ""))
    content, tag = page.body(encoding)
    response = Response(content, content_type=page.content_type)
    response.set_etag(tag)
    response.headers["Cache-Control"] = f"public, max-age={SECONDS}"
    response.headers["Vary"] = "Accept-Encoding"
    if page.lang:
        response.headers["Content-Language"] = page.lang
    if encoding != "identity":
        response.headers["Content-Encoding"] = encoding
    response.make_conditional(request)
    return response


def _encoded(plain: bytes, encoding: str, effort: int) -> bytes:
    if encoding == "br":
        import brotli  # a page that is made on a phone is not compressed

        return bytes(brotli.compress(plain, mode=brotli.MODE_TEXT, quality=effort))
    return gzip.compress(plain, min(effort, 9), mtime=0) if encoding == "gzip" else plain


def encode_private(response: Response) -> None:
    """Compress a page that is made for one client, as that client accepts it; what fits in one packet stays as it is.

    What such a page holds to be sent back, the token of its forms, is another one each time: the length of the
    compressed page betrays nothing of it.
    """
    if response.mimetype != "text/html" or response.is_streamed or "Content-Encoding" in response.headers:
        return
    body = response.get_data()
    if len(body) < LEAST:
        return
    response.vary.add("Accept-Encoding")
    encoding = best_encoding(request.environ.get("HTTP_ACCEPT_ENCODING", ""))
    if encoding != "identity":
        response.set_data(_encoded(body, encoding, AT_ONCE))
        response.headers["Content-Encoding"] = encoding


@lru_cache(maxsize=256)
def best_encoding(header: str) -> str:
    """Return the first of `ENCODINGS` that an `Accept-Encoding` header accepts."""
    accepted = dict(parse_accept_header(header))
    return next((name for name in ENCODINGS if accepted.get(name, 0) > 0), "identity")
