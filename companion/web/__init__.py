"""The site and the JSON API: the only package that knows Flask. Nothing happens at import; `create_app` does it all."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.data import data_folder
from companion.sheets.store import DEFAULT_PLACE, NotMigrated, Unavailable, Unusable
from companion.web.http import REQUEST_ID, Misconfigured

PREFIX = "COMPANION_"
"""What the names of settings begin with in the environment."""
OTHER_SETTINGS = frozenset({"GAMES", "TEXTS"})
"""Settings that are read by other packages."""
DEFAULTS: Mapping[str, object] = {
    "RATE_LIMIT": "6000 per minute",  # per address; "off" for none
    "OPENING_LIMIT": "1200 per hour",  # sheets opened or brought back, per address; "off" for none
    "WORK_LIMIT": "20 per minute",  # seconds of processor time, per address
    "GUESS_LIMIT": "30 per hour",  # codes of other devices that are tried, per address; "off" for none
    "RATE_STORE": "memory://",  # where the counts are kept; a Redis address where several processes share them
    "PROXIES": 0,  # trusted proxies in front; 0 ignores X-Forwarded-*
    "SITE_URL": "",  # the public address, such as https://cards.example; empty for that of each request
    "ACCESS_LOG": False,
    "HOSTS": "",  # further names that the service answers to; with neither these nor SITE_URL, those of the own network
    "PHONE": "",  # the folder that `make phone` wrote; empty for that of the checkout
    "METRICS": False,  # whether /metrics is there
    "DATABASE": DEFAULT_PLACE,
    "MAX_CONTENT_LENGTH": 64 * 1024,
    "BATCH_CONTENT_LENGTH": 64 * 1024 * 1024,
    "MAX_FORM_PARTS": 500,
    "CHECK_TEXTS": True,  # whether texts are checked before the first answer; `start` does it after that
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Strict",
}
PREPARATION = "companion-preparation"
"""Name of the thread in which `start` prepares what readers need; until it is done, a page is made when asked for."""
WARMUP_DELAY = 0.5
"""Seconds before the preparation begins, so that it does not compete with the first answers for the interpreter."""


LOGGED_FRAMES = 12
"""Places in the program named in the log line of a fault, the innermost first."""


class Companion(Flask):
    """Flask without support for coroutines: each hook of each request would be inspected for them."""

    def ensure_sync(self, func: Callable[..., object]) -> Callable[..., object]:
        """Return the function unchanged."""
        return func

    def log_exception(self, exc_info: object) -> None:
        """Log a fault of the program in one line: where, never with what: paths and messages may hold secrets."""
        fault = sys.exc_info()[1]
        route = request.url_rule.rule if request.url_rule else "none"
        places = " < ".join(
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in reversed(traceback.extract_tb(fault.__traceback__ if fault else None)[-LOGGED_FRAMES:])
        )
        name, number = type(fault).__name__, request.environ.get(REQUEST_ID)
        self.logger.error("%s in %s (request %s): %s", name, route, number, places)


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Return the application. Settings: the defaults, then `COMPANION_*` of the environment, then `config`."""
    from companion.web import api, assets, fast_path, groups, http, keeper, monitoring, referee, sheet_service, site
    from companion.web.phone import pages as phone_pages

    app = assemble(config or {}, (
        fast_path.init_app, http.add_language, http.add_hosts, http.add_limits, http.add_security_headers,
        monitoring.init_app, assets.init_app, http.add_responses, http.add_site_address, sheet_service.init_app,
        site.init_app, keeper.init_app, groups.init_app, referee.init_app, assets.add_manifest, phone_pages.init_app,
        api.init_app,
    ))  # fmt: skip
    if app.config["PROXIES"]:
        hops = int(app.config["PROXIES"])
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    return app


def assemble(config: Mapping[str, object], parts: Iterable[Callable[[Flask], None]]) -> Flask:
    """Return an application of these parts, whose header hooks run in the same order."""
    app = Companion("companion.web", static_folder=None, template_folder=str(data_folder("templates")))
    app.config.from_mapping(DEFAULTS)
    app.config.from_prefixed_env(PREFIX.rstrip("_"))
    app.config.from_mapping(config)
    _check_types(app.config)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    for add_part in parts:
        add_part(app)
    return app


def check_settings(processes: int) -> None:
    """Raise Misconfigured if the service cannot start with the settings in the environment."""
    from companion.web.sheet_service import service_of

    known = {*DEFAULTS, *Flask.default_config, *OTHER_SETTINGS}
    for name in os.environ:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            near = get_close_matches(name, [PREFIX + each for each in known], 1)
            raise Misconfigured(f"{name} is no setting{f'; is it {near[0]}?' if near else '.'}")
    try:
        app = create_app({"CHECK_TEXTS": False})
    except NotMigrated:
        raise Misconfigured("the tables of the database are of another version: companion migrate") from None
    except (Unavailable, Unusable, OSError) as fault:
        raise Misconfigured(f"the database cannot be opened ({fault})") from None
    if processes > 1 and not str(app.config["DATABASE"]).startswith("postgresql"):
        raise Misconfigured("several processes need a PostgreSQL database: COMPANION_DATABASE")
    service_of(app).store.close()


def _check_types(config: Mapping[str, object]) -> None:
    for name, default in DEFAULTS.items():
        value = config[name]
        if isinstance(default, bool) and value not in (0, 1):
            raise Misconfigured(f"{PREFIX}{name} is true or false, not {value!r}")
        if isinstance(default, int) and not isinstance(value, int):
            raise Misconfigured(f"{PREFIX}{name} is a whole number, not {value!r}")


def start(config: Mapping[str, object] | None = None) -> Flask:
    """Return the application as a server wants it: at once, while what every reader needs is prepared in a thread.

    Rows "start to the first answer" of `make bench`.
    """
    gc.disable()  # hardly anything of a start is garbage: to look for it takes a tenth of the time
    try:
        app = create_app({**(config or {}), "CHECK_TEXTS": False})
    finally:
        gc.enable()
    threading.Thread(target=_prepare, args=(app,), name=PREPARATION, daemon=True).start()
    return app


def _prepare(app: Flask) -> None:
    """Check the texts, compress the static files, render the book, and keep all from the garbage collector."""
    from companion.rulebook.lessons import check_texts
    from companion.web import assets, book

    time.sleep(WARMUP_DELAY)
    try:
        check_texts()
    except ValueError as fault:
        app.logger.error("%s", fault)  # the readiness check fails, too; where it was raised says nothing
    assets.compress(app)
    book.prepare(app)
    gc.collect()
    gc.freeze()
