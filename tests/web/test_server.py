"""The real server answers, streams, serves files, and stops when it is told to."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PATIENCE = 120
"""Seconds to wait for an answer or an end, however busy the machine is: a batch is answered at a low priority."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the server until the block ends."""
    port = _free_port()
    settings = {"COMPANION_DATABASE": f"sqlite:///{folder}/companion.sqlite3"}
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "serve", "--port", str(port)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **settings},
        start_new_session=True,
    )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < end:
            with suppress(OSError):
                if _ask(port, "GET", "/healthz")[0] == 200:
                    break
            time.sleep(0.1)
        else:
            pytest.fail("the server does not answer")
        yield process, port
    finally:
        if process.poll() is None:
            _kill(process)
        process.communicate()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], int]]:
    with _serving(tmp_path_factory.mktemp("served")) as found:
        yield found


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill the server and its worker: a worker that outlives it would hold the pipe open, and reading would not end."""
    os.killpg(process.pid, signal.SIGKILL)


def _ask(
    port: int, method: str, path: str, body: bytes | Iterator[bytes] | None = None, **headers: str
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers, encode_chunked=headers.get("Transfer-Encoding") == "chunked")
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


LINE = json.dumps(
    {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": 5, "tricks": 8}, "EW": {"bid": 6, "tricks": 5}}]}
).encode()


def test_pages_files_and_scores_are_served(server: tuple[object, int]) -> None:
    port = server[1]
    assert _ask(port, "GET", "/ja/rules/spades")[0] == 200
    assert _ask(port, "GET", "/static/site.css")[0] == 200
    status, body = _ask(port, "POST", "/api/v1/games/spades/score", LINE, **{"Content-Type": "application/json"})
    assert (status, json.loads(body)["standing"]["NS"]["total"]) == (200, 53)


def test_bodies_without_a_length_are_read(server: tuple[object, int]) -> None:
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    parts = iter([LINE[:20], LINE[20:]])
    assert _ask(server[1], "POST", "/api/v1/games/spades/score", parts, **headers)[0] == 200


@pytest.mark.parametrize("length", ["given", "chunked"])
def test_batches_are_streamed(server: tuple[object, int], length: str) -> None:
    headers = {"Content-Type": "application/x-ndjson"}
    lines = (LINE + b"\n" for _ in range(3_000))
    body: bytes | Iterator[bytes] = lines if length == "chunked" else b"".join(lines)
    if length == "chunked":
        headers["Transfer-Encoding"] = "chunked"
    status, answer = _ask(server[1], "POST", "/api/v1/games/spades/score/batch", body, **headers)
    assert status == 200
    assert len(answer.splitlines()) == 3_000


def test_server_says_where_it_is_and_stops_cleanly(tmp_path: Path) -> None:
    """One of its own: what others have begun to ask of the one above may be cut off, which it would say."""
    with _serving(tmp_path) as (process, port):
        first = next(line for line in iter(process.stdout.readline, "") if not line.startswith("Warning: this runs as"))
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    lines = [first.strip(), *output.splitlines()]
    assert lines == [f"Serving on http://127.0.0.1:{port} (Ctrl-C stops)"]
