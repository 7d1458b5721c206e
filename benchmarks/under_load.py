"""Real servers on this machine: what one score waits while batches run, and requests a second beside FastAPI."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.measure import Measured, best_in_turn
from benchmarks.over_http import BODY, SCORE
from benchmarks.peers import PYTHON, ROOT

SCORES = 200
LINES = 10_000
REQUESTS = 1000
TICK = os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(command: Sequence[str | Path], port: int) -> Iterator[int]:
    """Run a server until the block ends, and give its process id. Raises RuntimeError if it does not come up."""
    settings = {"COMPANION_DATABASE": "memory:", "COMPANION_RATE_LIMIT": "off"}
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env={**os.environ, **settings})
    try:
        _wait_for(port, server)
        yield server.pid
    finally:
        server.terminate()
        server.wait()


def waits() -> Iterator[Measured]:
    """The 99th percentile of single scores while batches run, on a server that has prepared the book."""
    port = _free_port()
    with serving(_own_server(port), port) as pid:
        _wait_until_idle(pid)
        slow = sorted(_times(port))[SCORES * 99 // 100]
    yield Measured("a score while batches run: milliseconds, 99th percentile", slow * 1000, 30, "<=")


def throughput() -> Iterator[Measured]:
    """Score requests that one core answers in a second, beside FastAPI; both answer with the same bytes."""
    yield Measured("score requests a second of one core over HTTP", _throughput(), 1.1, ">=", "FastAPI")


def _throughput() -> float | None:
    """Return our requests a second as a multiple of FastAPI's, by the CPU time of the servers; None without it."""
    if not PYTHON.exists() or not Path("/proc/self/stat").exists():
        return None
    ports = [_free_port(), _free_port()]
    commands: list[Sequence[str | Path]] = [
        _own_server(ports[0]),
        [PYTHON, "-m", "benchmarks.peer_fastapi", str(ports[1])],
    ]
    with ExitStack() as servers:
        pids = [servers.enter_context(serving(*each)) for each in zip(commands, ports, strict=True)]
        answers = [_post(port, SCORE, BODY, "application/json") for port in ports]
        if answers[0] != answers[1]:
            raise RuntimeError("the peer answers otherwise")
        ours, theirs = best_in_turn(*[_cpu_a_request(*each) for each in zip(pids, ports, strict=True)])
    return theirs / ours


def _cpu_a_request(pid: int, port: int) -> Callable[[], float]:
    """Return a clock for the CPU seconds that a server spends on a request, one after another on one connection."""

    def clock() -> float:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        before = _cpu(pid)
        for _ in range(REQUESTS):
            connection.request("POST", SCORE, BODY, {"Content-Type": "application/json"})
            connection.getresponse().read()
        connection.close()
        return (_cpu(pid) - before) / REQUESTS

    return clock


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its children that are running."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICK + sum(_cpu(int(child)) for child in children)


def _own_server(port: int) -> list[str]:
    return [sys.executable, "-m", "companion", "serve", "--port", str(port)]


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


def _post(port: int, path: str, body: bytes, media: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, body, {"Content-Type": media})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} was answered {answer.status}")
    return content


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_until_idle(pid: int) -> None:
    """Wait while a server uses a tenth of a processor or more."""
    before = _cpu(pid)
    for _ in range(120):
        time.sleep(0.5)
        now = _cpu(pid)
        if now - before < 0.05:
            return
        before = now
    raise RuntimeError("the server is busy by itself")


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(900):
        if server.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not come up within 90 seconds")
