"""Real servers on this machine: what a score waits while batches run, requests beside FastAPI, memory; and commands."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measured, best_in_turn
from benchmarks.over_http import BODY, SCORE
from benchmarks.peers import PYTHON, ROOT
from tests.serving.attack import corrected_sheet
from tests.serving.servers import asked, busy, cpu, free_port, resident, running, serving

SCORES = 200
LINES = 10_000
REQUESTS = 2000
CONNECTIONS = 8
MIXED = 20_000
LOG_READS = 1000
CORRECTIONS = 950
COMMANDS = (
    ("score", 0.25, ["score", "--game", "spades", "-"]),
    ("rules", 0.25, ["rules", "list"]),
    ("article", 0.40, ["article", "spades.nil"]),
    ("ask, kept", 0.60, ["ask", "nil"]),
)
RUNS = 5


def waits() -> Iterator[Measured]:
    """The 99th percentile of single scores while batches run, on a server that has prepared the book."""
    with TemporaryDirectory() as folder, serving(Path(folder)) as (port, process):
        _wait_until_idle(process.pid)
        slow = sorted(_times(port))[SCORES * 99 // 100]
    yield Measured("a score while batches run: milliseconds, 99th percentile", slow * 1000, 40, "<=")


def memory() -> Iterator[Measured]:
    """The memory of a server after many requests of many kinds, and then after reads of the log of a long sheet."""
    paths = ["/en/", "/ja/rules/spades", "/en/rules/casino", "/en/glossary", "/api/v1/games", "/ja/search?q=nil"]
    with TemporaryDirectory() as folder, serving(Path(folder)) as (port, process):
        for number in range(MIXED):
            if number % 2:
                asked(port, "POST", SCORE, BODY)
            else:
                asked(port, "GET", paths[number // 2 % len(paths)])
        yield Measured(f"memory after {MIXED:,} mixed requests: MB", resident(process.pid), 300, "<=")
        pages = corrected_sheet(port, CORRECTIONS)
        for number in range(LOG_READS):
            asked(port, "GET", pages[number % len(pages)])
        yield Measured(f"memory after {LOG_READS:,} more reads of a long log: MB", resident(process.pid), 400, "<=")


def throughput() -> Iterator[Measured]:
    """Score requests that one core answers in a second, beside FastAPI; both answer with the same bytes."""
    yield Measured("score requests a second of one core over HTTP", _throughput(), 1.2, ">=", "FastAPI")


def commands() -> Iterator[Measured]:
    """CPU time of commands, whose first run fills the user's cache folder, and of a search that can keep nothing."""
    with TemporaryDirectory() as folder:
        kept = {**os.environ, "XDG_CACHE_HOME": folder}
        for name, budget, words in COMMANDS:
            yield Measured(f"companion {name}, CPU: seconds", _command(words, kept), budget, "<=")
    nowhere = {**os.environ, "XDG_CACHE_HOME": os.devnull, "TMPDIR": os.devnull}
    yield Measured("companion ask, no folder to write, CPU: seconds", _command(["ask", "nil"], nowhere), 1.2, "<=")


def _command(words: list[str], environ: dict[str, str]) -> float:
    """Return the least CPU seconds of several runs after a first one."""
    least = float("inf")
    for run in range(RUNS + 1):
        before = os.times()
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words], cwd=ROOT, env=environ, input=BODY, capture_output=True
        )
        after = os.times()
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        least = min(least, spent) if run else least
    return least


def _throughput() -> float | None:
    """Return our requests a second as a multiple of FastAPI's, by the CPU time of the servers; None without it."""
    if not PYTHON.exists() or not Path("/proc/self/stat").exists():
        return None
    port = free_port()
    peer = [str(PYTHON), "-m", "benchmarks.peer_fastapi", str(port)]
    with TemporaryDirectory() as folder, ExitStack() as servers:
        own, process = servers.enter_context(serving(Path(folder)))
        other = servers.enter_context(running(peer, port, dict(os.environ), alive=SCORE))
        if asked(own, "POST", SCORE, BODY) != asked(port, "POST", SCORE, BODY):
            raise RuntimeError("the peer answers otherwise")
        _wait_until_idle(process.pid)
        ours, theirs = best_in_turn(_cpu_a_request(process.pid, own), _cpu_a_request(other.pid, port))
    return theirs / ours


def _cpu_a_request(pid: int, port: int) -> Callable[[], float]:
    """Return a clock for the CPU seconds that a server spends on a request, of some clients at once."""

    def ask() -> None:
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            for _ in range(REQUESTS // CONNECTIONS):
                connection.request("POST", SCORE, BODY, {"Content-Type": "application/json"})
                connection.getresponse().read()

    def clock() -> float:
        before = cpu(pid)
        _together([ask] * CONNECTIONS)
        return (cpu(pid) - before) / REQUESTS

    return clock


def _together(acts: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _times(port: int) -> list[float]:
    """Return the seconds that single scores take while two clients send batch after batch."""
    over = threading.Event()
    batches = [threading.Thread(target=_keep_busy, args=(port, over, f"127.0.0.{number}")) for number in (2, 3)]
    for batch in batches:
        batch.start()
    time.sleep(0.5)
    took = []
    for _ in range(SCORES):
        began = time.perf_counter()
        asked(port, "POST", SCORE, BODY)
        took.append(time.perf_counter() - began)
        time.sleep(0.01)
    over.set()
    for batch in batches:
        batch.join()
    return took


def _keep_busy(port: int, over: threading.Event, source: str) -> None:
    ask = partial(asked, port, "POST", f"{SCORE}/batch", (BODY + b"\n") * LINES, source=source)
    while not over.is_set():
        ask(Content_Type="application/x-ndjson")


def _wait_until_idle(pid: int) -> None:
    """Wait while a server uses a tenth of a processor or more."""
    for _ in range(120):
        if not busy(pid):
            return
    raise RuntimeError("the server is busy by itself")
