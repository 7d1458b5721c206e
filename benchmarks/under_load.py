"""How long one score takes while somebody else has thousands done: the real server, milliseconds of the clock."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from benchmarks.measure import Measured
from benchmarks.over_http import BODY, SCORE

SCORES = 200
LINES = 10_000


def waits() -> Iterator[Measured]:
    """The 99th percentile of single scores while batches run."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {"COMPANION_DATABASE": "memory:", "COMPANION_RATE_LIMIT": "off"}
    server = subprocess.Popen(
        [sys.executable, "-m", "companion.serve", "--port", str(port)],
        stdout=subprocess.DEVNULL, env={**os.environ, **settings},
    )  # fmt: skip
    try:
        _wait_for(port)
        slow = sorted(_times(port))[SCORES * 99 // 100]
    finally:
        server.terminate()
        server.wait()
    yield Measured("a score while batches run: milliseconds, 99th percentile", slow * 1000, 30, "<=")


def _times(port: int) -> list[float]:
    over = threading.Event()
    batches = threading.Thread(target=_keep_busy, args=(port, over))
    batches.start()
    time.sleep(0.5)
    took = []
    for _ in range(SCORES):
        began = time.perf_counter()
        _post(port, SCORE, BODY, "application/json")
        took.append(time.perf_counter() - began)
        time.sleep(0.01)
    over.set()
    batches.join()
    return took


def _keep_busy(port: int, over: threading.Event) -> None:
    body = (BODY + b"\n") * LINES
    while not over.is_set():
        _post(port, f"{SCORE}/batch", body, "application/x-ndjson")


def _post(port: int, path: str, body: bytes, media: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, body, {"Content-Type": media})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} was answered {answer.status}")


def _wait_for(port: int) -> None:
    for _ in range(900):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not come up within 90 seconds")
