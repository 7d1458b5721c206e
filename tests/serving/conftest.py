"""A small application behind the real server, in a thread of the test process, with bounds that are soon reached."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from companion.serving import BODY_FAULT
from companion.serving.bounds import Bounds
from companion.serving.bridge import Bridge
from companion.serving.connections import Connection

LARGE = 40 * 1024 * 1024


class Application:
    """Answers with the size of the body; `/slow` waits for the test, `/large` streams more than any buffer holds."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.closed = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        """Answer a request."""
        if environ["PATH_INFO"] == "/slow":
            self.go_on.wait(10)
        if environ["PATH_INFO"] == "/large":
            start("200 OK", [])
            return self._large()
        body = environ["wsgi.input"].read()
        status = environ.get(BODY_FAULT) or (413 if int(environ.get("CONTENT_LENGTH") or 0) > len(body) else 200)
        answer = f"{len(body)} {environ['REMOTE_ADDR']} {environ.get('HTTP_X_TRUSTED', '')}".encode()
        start(f"{status} Whatever", [("Content-Length", str(len(answer)))])
        return [answer]

    def _large(self) -> Iterator[bytes]:
        try:
            for _ in range(LARGE // 65536):
                yield bytes(65536)
        finally:
            self.closed.set()


BOUNDS = Bounds(
    head_seconds=1.2, body_seconds=1.2, rate=10_000, step_seconds=0.3, idle_seconds=1, connections=20, threads=2,
    head_bytes=4096, large_body=50_000, held=150_000,
)  # fmt: skip


@contextmanager
def serving(app: Application, bounds: Bounds = BOUNDS) -> Iterator[int]:
    """Serve an application on a free port."""
    with running(Bridge(app, lambda _: 100_000, bounds=bounds, urgent=("/alive",))) as port:
        try:
            yield port
        finally:
            app.go_on.set()


@contextmanager
def running(bridge: Bridge) -> Iterator[int]:
    """Run the server in a thread of this process, on a free port."""
    config = uvicorn.Config(
        bridge, http=Connection, ws="none", lifespan="off", interface="asgi3", proxy_headers=False, log_config=None,
        access_log=False, server_header=False,
        timeout_keep_alive=bridge.bounds.idle_seconds, timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def app() -> Application:
    return Application()


@pytest.fixture
def port(app: Application) -> Iterator[int]:
    with serving(app) as found:
        yield found
