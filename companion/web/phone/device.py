"""The program as it runs on a phone: the same pages, for one person, over a store that the phone keeps."""

from __future__ import annotations

import io
import json
import random
import secrets
from collections.abc import Callable, Iterable, Sequence
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import unquote, urlsplit

from flask import render_template, request

from companion.games import GAMES
from companion.rulebook.words import say
from companion.sheets.event import history
from companion.sheets.memory import JournalService, JournalStore, Line
from companion.sheets.store import SCORE, Link, from_file, from_records, to_file
from companion.web import assemble, http, keeper, referee, sheet_service, site
from companion.web.assets import add_manifest
from companion.web.keeper import OWN_FORM
from companion.web.keeper.access import COOKIE, KEY_BYTES, cookie_name, is_own_form, remember
from companion.web.keeper.deals import history_step

_Header = tuple[str, str]
_SITE_ALONE: Final = frozenset({"share", "create", "revoke", "watch", "wall", "watch_log", "join_page", "join"}) | {
    "my_devices", "rename_device", "sign_out", "make_code", "enter_page", "enter_code",
}  # fmt: skip
"""Pages of the keeper that only the site can make: what they give to others, or take from them, is known there."""


class Device:
    """The application with the cookies and the sheets of this phone."""

    def __init__(self, static: dict[str, str]) -> None:
        """Prepare the application. `static` has the addresses of the static files by their names."""
        config = {"RATE_LIMIT": "off", "OPENING_LIMIT": "off", "SECRET_KEY": "replaced by that of the phone"}
        parts = (
            http.add_language, http.add_limits, http.add_security_headers, http.add_responses, http.add_site_address,
            site.init_app, keeper.init_app, referee.init_app, add_manifest,
        )  # fmt: skip
        self.app = assemble(config, parts)
        self.app.jinja_env.globals.update(static=static.__getitem__, phone_offered=True)
        self.app.before_request(self._needs_network)
        self.cookies: dict[str, str] = {}
        self._use(JournalStore())

    def begin(self, key: str, cookies: str, lines: Iterable[str]) -> None:
        """Go on with the key, the cookies and the sheets that this phone has kept."""
        random.seed()  # a copy of a memory would draw what all copies draw
        self.app.config["SECRET_KEY"] = key
        self.cookies = json.loads(cookies)
        self._use(JournalStore(lines))

    def adopt(self, sheet: str, file: str, label: str) -> list[Line]:
        """Go on with a sheet of the site from what it has exported; return what was written.

        `label` is that of the link by which this phone keeps it. Raises Refused where the file cannot be read.
        """
        records = from_file(json.loads(file), GAMES)
        at, id = records[-1].at, secrets.token_urlsafe(6)
        link = Link(id, sheet, SCORE, label, at)
        if not any(name.startswith(COOKIE) for name in self.cookies):
            key = secrets.token_urlsafe(KEY_BYTES)
            self.cookies[cookie_name(key)] = key
        self.store.create(sheet, at, records, [(link, secrets.token_hex(32))])
        with self.app.test_request_context(headers={"Cookie": self._cookie()}):
            remember(link)
        return self.store.take()

    def owns(self, token: str) -> bool:
        """Return whether a form with this token was made here."""
        with self.app.test_request_context(headers={"Cookie": self._cookie()}):
            return is_own_form(token)

    def kept_cookies(self) -> str:
        """Return the cookies of this phone as `begin` reads them."""
        return json.dumps(self.cookies)

    def outgoing(self, sheet: str, lang: str) -> str:
        """Return what a server needs to go on with a sheet, as JSON.

        `file` is what there was before anything was entered here, `base` its tag, `mine` what was entered, in order.
        """
        records, given = self.store.read(sheet), self.store.given(sheet)
        before = records[: given[0].seq - 1] if given else records
        ends = [*(each.seq for each in given[1:]), len(records) + 1] if given else []
        steps = history(from_records(records))
        with self.app.test_request_context():
            said = {
                step.seq: step.text for step in (history_step(trace, GAMES, lang) for trace in steps[len(before) :])
            }
        mine = [
            {
                "command": each.command, "key": each.key, "at": records[each.seq - 1].at,
                "label": " ".join(said[seq] for seq in range(each.seq, end)),
            }
            for each, end in zip(given, ends, strict=True)
        ]  # fmt: skip
        return json.dumps({"file": to_file(before), "base": before[-1].head.tag, "mine": mine}, ensure_ascii=False)

    def erase(self, sheet: str) -> list[Line]:
        """Erase a sheet that a server keeps from now on; return what was written."""
        self._use(self.store)  # nothing that was read before is answered any more
        self.store.erase(sheet, "")
        return self.store.take()

    def answer(self, method: str, url: str, sent: Sequence[_Header], body: bytes, own: bool = False) -> Response:
        """Return the answer to a request, with what has to be kept before anybody sees it.

        `own` says that a form is known to be one of this site, whoever has made it: this program or the server.
        """
        place = urlsplit(url)
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote(place.path, "latin-1"),
            "QUERY_STRING": place.query,
            "SERVER_NAME": place.hostname or "",
            "SERVER_PORT": str(place.port or {"http": 80, "https": 443}[place.scheme]),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_HOST": place.netloc,
            "HTTP_COOKIE": self._cookie(),
            OWN_FORM: own,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": place.scheme,
            "wsgi.input": io.BytesIO(bytes(body)),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in sent:
            if name.lower() not in _UNSENT:
                place_of = name.upper().replace("-", "_")
                environ[place_of if place_of == "CONTENT_TYPE" else f"HTTP_{place_of}"] = value
        return Response(self, environ)

    def _use(self, store: JournalStore) -> None:
        self.store = store
        sheet_service.use_service(self.app, JournalService(store))

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _needs_network(self) -> tuple[str, int] | None:
        """Say of a page that only the site can make that it needs the network, as of a sheet that is not here."""
        blueprint, _, view = (request.endpoint or "").rpartition(".")
        sheet = (request.view_args or {}).get("sheet")
        here = sheet is None or any(known == sheet for known in self.store.sheets())
        if request.endpoint and here and not (blueprint == "keeper" and view in _SITE_ALONE):
            return None
        return render_template("needs-network.html", why=say(http.current_language(), "phone.needs-why")), _NO_NETWORK


_NO_NETWORK: Final = 503
"""The status of a page that needs the network."""
_UNSENT: Final = frozenset({"accept-encoding", "content-length", "cookie", "host"})
"""Headers of a request that mean something else on a phone: nothing is compressed, and its cookies are its own."""


class Response:
    """What the application answers, as plain values."""

    def __init__(self, device: Device, environ: dict[str, object]) -> None:
        self.status = 500
        self.headers: list[_Header] = []
        parts = device.app(environ, self._start)
        self.body = b"".join(parts)
        close = getattr(parts, "close", None)
        if close:
            close()
        before = dict(device.cookies)
        for name, value in self.headers:
            if name.lower() == "set-cookie":
                for morsel in SimpleCookie(value).values():
                    device.cookies.pop(morsel.key, None)
                    if morsel["max-age"] != "0" and morsel.value:
                        device.cookies[morsel.key] = morsel.coded_value
        self.headers = [header for header in self.headers if header[0].lower() != "set-cookie"]
        self.lines = device.store.take()
        self.cookies = json.dumps(device.cookies) if device.cookies != before else ""

    def _start(self, status: str, headers: list[_Header], failure: object = None, /) -> Callable[[bytes], object]:
        self.status, self.headers = int(status[:3]), headers
        return lambda part: None
