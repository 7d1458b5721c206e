"""The program as it runs on a phone: the same pages, for one person, over a store that the phone keeps."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable, Sequence
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import unquote, urlsplit

from companion.sheets.journal import JournalStore, Line
from companion.web import (
    assemble,
    discovery,
    headers,
    installing,
    keeper,
    language,
    limits,
    pages,
    referee,
    responses,
    search_pages,
    sheet_service,
    site_address,
)

Header = tuple[str, str]


class Device:
    """The application with the cookies and the sheets of this phone."""

    def __init__(self, static: dict[str, str]) -> None:
        """Prepare the application. `static` has the addresses of the static files by their names."""
        config = {"RATE_LIMIT": "off", "OPENING_LIMIT": "off", "SECRET_KEY": "replaced by that of the phone"}
        parts = (
            language, limits, headers, responses, site_address, discovery, pages, search_pages, keeper, referee,
            installing,
        )  # fmt: skip
        self.app = assemble(config, parts)
        self.app.jinja_env.globals.update(static=static.__getitem__, phone_offered=True)
        self.cookies: dict[str, str] = {}
        self.store = JournalStore()
        sheet_service.use_store(self.app, self.store)

    def begin(self, key: str, cookies: str, lines: Iterable[str]) -> None:
        """Go on with the key, the cookies and the sheets that this phone has kept."""
        random.seed()  # a copy of a memory would draw what all copies draw
        self.app.config["SECRET_KEY"] = key
        self.cookies = json.loads(cookies)
        self.store = JournalStore(lines)
        sheet_service.use_store(self.app, self.store)

    def erase(self, sheet: str) -> list[Line]:
        """Erase a sheet that a server keeps from now on; return what was written."""
        sheet_service.use_store(self.app, self.store)  # nothing that was read before is answered any more
        self.store.erase(sheet, "")
        return self.store.take()

    def answer(self, method: str, url: str, sent: Sequence[Header], body: bytes) -> Answer:
        """Return the answer to a request, with what has to be kept before anybody sees it."""
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
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": place.scheme,
            "wsgi.input": io.BytesIO(bytes(body)),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in sent:
            if name.lower() not in UNSENT:
                place_of = name.upper().replace("-", "_")
                environ[place_of if place_of == "CONTENT_TYPE" else f"HTTP_{place_of}"] = value
        return Answer(self, environ)


UNSENT: Final = frozenset({"accept-encoding", "content-length", "cookie", "host"})
"""Headers of a request that mean something else on a phone: nothing is compressed, and its cookies are its own."""


class Answer:
    """What the application answers, as plain values."""

    def __init__(self, device: Device, environ: dict[str, object]) -> None:
        self.status = 500
        self.headers: list[Header] = []
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

    def _start(self, status: str, headers: list[Header], failure: object = None, /) -> Callable[[bytes], object]:
        self.status, self.headers = int(status[:3]), headers
        return lambda part: None
