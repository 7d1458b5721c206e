"""Connections that nobody can hold open by doing nothing: uvicorn's, with deadlines and a cap for each address."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import (
    HEADER_VALUE_RE,
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from companion.serving.bounds import Bounds, Shares


class Connection(HttpToolsProtocol):
    """One connection. What it may do is said by the `bounds` of the application that uvicorn was given."""

    bounds: Bounds
    _cycles: Sequence[RequestResponseCycle] = ()
    """The requests without a whole answer."""
    _shares: Shares
    _address: str | None = None
    """Whose share of the connections it has; None if it was refused."""
    _parsing = False
    _waiting: tuple[RequestResponseCycle, Any] | None = None
    """A request whose body may come with the data that is parsed."""
    _in_head = True
    _head_size = 0
    _messages = 0
    """How many requests have come whole."""
    _parts = 0
    """How many parts of bodies have come."""
    _head_deadline: asyncio.TimerHandle | None = None
    _write_check: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or refuse it if its address has too many."""
        super().connection_made(transport)
        app = cast(Any, self.app)
        self.bounds, self._shares = app.bounds, app.connections_by_address
        address = self.client[0] if self.client else ""
        if not self._shares.take(address):
            transport.write(_refusal("429 Too Many Requests"))
            transport.close()
            return
        self._address = address
        transport.set_write_buffer_limits(high=0)  # `pause_writing` is called whenever something waits to be taken
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the share back."""
        if self._address is not None:
            self._shares.give_back(self._address)
            self._address = None
        self._cancel_head_deadline()
        self._cancel_write_check()
        self._forget_requests()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came; close if the headers, or the trailers after a body, have become too large."""
        if self._address is None or self.transport.is_closing():
            return
        before = self._messages, self._parts
        self._parsing = True
        super().data_received(data)
        self._parsing = False
        if before == (self._messages, self._parts):  # nothing but headers came, or trailers
            self._head_size += len(data)
            if self._in_head:
                self._expect_head()
            if self._head_size > self.bounds.head_bytes and not self.transport.is_closing():
                self.transport.write(_refusal("431 Request Header Fields Too Large"))
                self.transport.close()
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            if not self._answer_at_once(waiting[0]):
                super()._start_asgi_task(*waiting)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Start a request, at once or when all is parsed that came with its headers."""
        if self._parsing:
            self._waiting = cycle, app
        else:
            super()._start_asgi_task(cycle, app)

    def _answer_at_once(self, cycle: RequestResponseCycle) -> bool:
        """Answer a request whose body has come, if that is quick; return whether it was."""
        plain = cycle.keep_alive and not (cycle.more_body or cycle.waiting_for_100_continue or self.flow.write_paused)
        if not plain or not cycle.body or self.transport.is_closing():
            return False
        answer = cast(Any, self.app).answer_at_once(cycle.scope, bytes(cycle.body))
        if answer is None:
            return False
        headers = [*self.server_state.default_headers, *answer.headers]
        if HEADER_VALUE_RE.search(b"".join([part for header in headers for part in header])):
            raise RuntimeError("a header has a control character")
        lines = [b"%s: %s\r\n" % (name.lower(), value) for name, value in headers]
        self.transport.write(b"".join([STATUS_LINE[answer.status], *lines, b"\r\n", answer.body]))
        cycle.response_started = cycle.response_complete = True
        self.on_response_complete()
        return True

    def on_headers_complete(self) -> None:
        """Start the request."""
        self._in_head = False
        self._head_size = 0
        self._cancel_head_deadline()
        super().on_headers_complete()
        self._cycles = [*(cycle for cycle in self._cycles if not cycle.response_complete), self.cycle]

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self._parts += 1
        self._head_size = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Expect the headers of another request."""
        self._in_head = True
        self._messages += 1
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Look after the client, which does not take its answer as fast as it is written."""
        super().pause_writing()
        self._check_writing_later()

    def resume_writing(self) -> None:
        """Go on: the client has taken everything."""
        self._cancel_write_check()
        super().resume_writing()

    def _drop(self) -> None:
        self._forget_requests()
        self.transport.abort()

    def _forget_requests(self) -> None:
        """Let nothing be written for any request any more: uvicorn knows only the latest one."""
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()
        self._cycles = ()

    def _expect_head(self) -> None:
        if self._head_deadline is None:
            self._head_deadline = self.loop.call_later(self.bounds.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        self._head_deadline = None
        if self.cycle is not None and not self.cycle.response_complete:
            return  # the beginning of a further request, sent before the answer to this one
        self._drop()

    def _cancel_head_deadline(self) -> None:
        if self._head_deadline is not None:
            self._head_deadline.cancel()
            self._head_deadline = None

    def _check_writing_later(self) -> None:
        if self._write_check is None:
            waiting = self.transport.get_write_buffer_size()
            self._write_check = self.loop.call_later(self.bounds.step_seconds, self._check_writing, waiting)

    def _check_writing(self, before: int) -> None:
        self._write_check = None
        waiting = self.transport.get_write_buffer_size()
        if waiting and before - waiting < self.bounds.rate * self.bounds.step_seconds:
            self._drop()
        elif waiting:
            self._check_writing_later()

    def _cancel_write_check(self) -> None:
        if self._write_check is not None:
            self._write_check.cancel()
            self._write_check = None


def _refusal(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
