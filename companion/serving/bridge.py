"""ASGI in front of a WSGI application: read the body, run the application in a thread, send the response."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import unquote_to_bytes

from companion.serving import BODY_FAULT, LONG_WORK
from companion.serving.bounds import Bounds, Shares
from companion.serving.helpers import Helpers
from companion.serving.workers import Workers

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_IN_MEMORY = 1024 * 1024
_AT_ONCE = 64 * 1024
"""Bytes of a response that are collected before any are sent."""
_DISCARDED = 1024 * 1024
"""Bytes of a refused body that are still read: many clients read no answer before they have sent everything."""
_MOST_DIGITS = 15
_HELD = "companion.held"
"""Key of the environment: how many bytes of the body count against the share of its address."""
_ENVIRON = "companion.environ"
"""Key of the scope: the environment, where it was made already."""
_ANSWER = "companion.answer"
"""Key of the scope: the response, where there is one already."""
_BODY = "companion.body"
"""Key of the environment: the file that the body was read into; the application may put another in its place."""


@dataclass(slots=True)
class Response:
    """The beginning of a response, or all of it if there is no `rest`."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    rest: Iterator[bytes] | None
    whole: Iterable[bytes]

    @property
    def length(self) -> int | None:
        """The length of the body as the headers say it."""
        return next((int(value) for name, value in self.headers if name.lower() == b"content-length"), None)


class Bridge:
    """An ASGI application that serves a WSGI application.

    `body_limit` returns how large the body of a request may be, or notes as `BODY_FAULT` why it is refused unread.
    Paths in `urgent` have a thread of their own: they are answered while all others wait. Requests of which `is_quick`
    returns True are answered by `answer_at_once`, in the thread of the event loop.
    """

    def __init__(
        self,
        app: Application,
        body_limit: Callable[[Environ], int],
        *,
        bounds: Bounds | None = None,
        urgent: Collection[str] = (),
        is_quick: Callable[[Environ], bool] = lambda environ: False,
    ) -> None:
        self.bounds = bounds or Bounds()
        self.connections_by_address = Shares(self.bounds.connections, self.bounds.connections_in_all)
        self.app = app
        self._body_limit = body_limit
        self._urgent = frozenset(urgent)
        self._is_quick = is_quick
        self._held = Shares(self.bounds.held, self.bounds.held_in_all)
        self._workers = Workers(self.bounds.threads, "worker")
        self._urgent_workers = Workers(1, "urgent")
        self._always: Environ = {
            "SCRIPT_NAME": "",
            "wsgi.version": (1, 0),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            LONG_WORK: Helpers(),
        }

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = scope.get(_ENVIRON) or self._environ(scope)
        answer: Response | None = scope.get(_ANSWER)
        workers = self._urgent_workers if scope["path"] in self._urgent else self._workers
        try:
            if answer is None:
                if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
                    await self._read(environ, receive)
                if workers.waiting >= self.bounds.queue:
                    await _send_plain(send, 503)
                    return
                answer = await workers.run(self._call, environ)
            await self._answer(answer, workers, environ, receive, send)
        except _Gone:
            return
        finally:
            self._held.give_back(environ["REMOTE_ADDR"], environ.pop(_HELD))
            environ.pop(_BODY).close()

    def answer_at_once(self, scope: Message, body: bytes) -> Response | None:
        """Return the whole response to a quick request with this body; None where the request is to be called.

        Tasks, deadlines and threads cost more than such an answer: row "score requests a second of one core over HTTP"
        of `make bench`. What is not plainly good news is sent by `__call__`, which may close the connection then.
        """
        environ = scope[_ENVIRON] = self._environ(scope)
        if environ.get("CONTENT_LENGTH") != str(len(body)) or not self._is_quick(environ):
            return None
        environ["wsgi.input"] = environ[_BODY] = BytesIO(body)
        try:
            answer = scope[_ANSWER] = self._call(environ)
        except Exception:  # called again it is raised again, and answered by uvicorn
            del scope[_ENVIRON]
            return None
        whole = answer.rest is None and answer.length == len(answer.body)
        return answer if whole and answer.status == 200 else None

    def _environ(self, scope: Message) -> Environ:
        server, client, nothing = scope["server"] or ("", None), scope["client"] or ("", 0), BytesIO()
        environ = {
            **self._always,
            "REQUEST_METHOD": scope["method"],
            "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
            "QUERY_STRING": scope["query_string"].decode("latin-1"),
            "SERVER_NAME": server[0],
            "SERVER_PORT": str(server[1]),
            "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
            "REMOTE_ADDR": client[0],
            "wsgi.url_scheme": scope["scheme"],
            "wsgi.input": nothing,
            _BODY: nothing,
            _HELD: 0,
        }
        for raw, content in scope["headers"]:
            name, value = _NAMES.get(raw) or _name(raw), content.decode("latin-1")
            if name:
                environ[name] = f"{environ[name]},{value}" if name in environ else value
        return environ

    async def _read(self, environ: Environ, receive: Receive) -> None:
        """Read the body of a request into its environment, or note there why it is refused. Raises `_Gone`."""
        limit = self._body_limit(environ)
        declared = environ.get("CONTENT_LENGTH", "")
        length = int(declared) if declared.isdecimal() and len(declared) <= _MOST_DIGITS else 0
        keeping = BODY_FAULT not in environ and length <= limit and self._hold(environ, length)
        small = 0 < length <= _IN_MEMORY and "HTTP_TRANSFER_ENCODING" not in environ  # the parser passes no more on
        body: IO[bytes] = BytesIO() if small else SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # closed with the request
        environ["wsgi.input"] = environ[_BODY] = body
        received, more = 0, True
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self.bounds.body_seconds) as deadline:
                while more and (keeping or received <= _DISCARDED):
                    message = await receive()
                    if message["type"] != "http.request":
                        raise _Gone
                    part, more = message.get("body", b""), message.get("more_body", False)
                    received += len(part)
                    keeping = keeping and received <= limit and self._hold(environ, received)
                    if keeping:
                        body.write(part)
                    if more:
                        deadline.reschedule(began + self.bounds.body_seconds + received / self.bounds.rate)
        except TimeoutError:
            keeping, environ[BODY_FAULT] = False, 408
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        environ["CONTENT_LENGTH"] = str(received if keeping else max(length, received))
        body.seek(0)
        if not keeping:
            body.truncate()

    def _hold(self, environ: Environ, size: int) -> bool:
        """Let a large body of this size count against the share of its address; note where that is too much."""
        further = size - environ[_HELD]
        if size <= self.bounds.large_body or further <= 0:
            return True
        if not self._held.take(environ["REMOTE_ADDR"], further):
            environ[BODY_FAULT] = 429
            return False
        environ[_HELD] = size
        return True

    def _call(self, environ: Environ) -> Response:
        """Run the application up to the first part of its response. Called in a worker."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], failure: object = None) -> None:
            started[:] = [(status, headers)]

        whole = self.app(environ, start_response)
        parts, size, rest = [], 0, iter(whole)
        try:
            for part in rest:
                parts.append(part)
                size += len(part)
                if size >= _AT_ONCE:
                    break
            else:
                rest = None  # type: ignore[assignment]
        except BaseException:
            _close(whole)
            raise
        if rest is None:
            _close(whole)
        status, headers = started[0]
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return Response(int(status[:3]), encoded, b"".join(parts), rest, whole)

    async def _answer(self, answer: Response, workers: Workers, environ: Environ, receive: Receive, send: Send) -> None:
        """Send a response; whoever reads it slowly holds no worker."""
        headers = answer.headers
        if int(environ.get("CONTENT_LENGTH") or 0) and answer.status in (408, 413, 429):
            headers = [*headers, (b"connection", b"close")]  # what is left of the body is not a request
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        if answer.rest is None:
            await send({"type": "http.response.body", "body": answer.body})
            return
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await send({"type": "http.response.body", "body": answer.body, "more_body": True})
            while not gone.done() and (part := await workers.run(_next, answer.rest)):
                await send({"type": "http.response.body", "body": part, "more_body": True})
            if not gone.done():
                await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            workers.run(_close, answer.whole)


class _Gone(Exception):
    """The client has closed the connection."""


async def _disconnected(receive: Receive) -> None:
    """Return once the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _next(rest: Iterator[bytes]) -> bytes:
    """Return the next part of a response, empty at its end."""
    parts, size = [], 0
    for part in rest:
        parts.append(part)
        size += len(part)
        if size >= _AT_ONCE:
            break
    return b"".join(parts)


def _close(whole: Iterable[bytes]) -> None:
    close = getattr(whole, "close", None)
    if close:
        close()


_NAMES: dict[bytes, str] = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}
"""Names of header fields in an environment, as far as they have come up."""


def _name(raw: bytes) -> str:
    """Return the name of a header field; empty for one with an underscore, which could pass for another field."""
    if b"_" in raw:
        return ""
    name = "HTTP_" + raw.decode("latin-1").upper().replace("-", "_")
    if len(_NAMES) < 200:
        _NAMES[raw] = name
    return name


async def _send_plain(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"retry-after", b"5"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
