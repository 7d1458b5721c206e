"""Three processes on one PostgreSQL and one Redis, under a mixed load, while each of the five is killed in turn."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.sheets import backup
from companion.sheets.store import open_store
from tests.conftest import IN_CI, one_of_three
from tests.sheet_client import NAMES, record
from tests.sheets.conftest import postgres_place as postgres_place  # a fixture

ROOT = Path(__file__).parents[2]
SCORED = {"sides": ["A+C", "B+D"], "deals": [record(5, 8, 4)["facts"]]}
KEY = "one key for all processes"
A_MINUTE = 200
PATIENCE = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A process on a port of its own that can be killed and started again."""

    def __init__(self, command: list[str], port: int, *, user: str | None = None, **environ: str) -> None:
        self.command, self.port, self.environ, self.user = command, port, environ, user
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command, cwd=ROOT if self.user is None else "/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, **self.environ}, start_new_session=True, user=self.user, group=self.user,
        )  # fmt: skip

    def wait(self) -> None:
        """Return once it answers; a database may refuse to start while the children of the one before still end."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < end, self.command
                time.sleep(0.1)
                if self.process.poll() is not None:
                    self.start()

    def kill(self) -> None:
        """Kill it. A database is told to drop everything at once, as its children would else hold its memory."""
        with suppress(ProcessLookupError):
            if self.user:
                os.kill(self.process.pid, signal.SIGQUIT)
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def asked(
    port: int, method: str, path: str, body: object = None, *, source: str = "127.0.0.1", **headers: str
) -> tuple[int, Any]:
    """The status and the answer to a client of that address; 0 where nothing was answered."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
        with closing(connection):
            connection.request(method, path, sent, {"Content-Type": "application/json", **named})
            answer = connection.getresponse()
            return answer.status, (answer.headers, answer.read().decode())
    except (OSError, http.client.HTTPException):
        return 0, None


class Writer(threading.Thread):
    """Somebody who writes notes on a sheet, polls it and scores, and asks any process, whichever answers."""

    def __init__(self, ports: list[int], number: int, sheet: dict[str, Any], over: threading.Event) -> None:
        super().__init__()
        self.ports, self.number, self.sheet, self.over = ports, number, sheet, over
        self.source = f"127.0.5.{number + 1}"
        self.dice = random.Random(number)
        self.acknowledged: list[str] = []
        self.seen: Counter[int] = Counter()

    def run(self) -> None:
        secret = {"Authorization": f"Bearer {self.sheet['secrets']['score']}"}
        path = f"/api/v1/sheets/{self.sheet['id']}"
        while not self.over.is_set():
            note = f"{self.number}-{len(self.acknowledged)}"
            command = {"type": "write_note", "note": note}
            while (status := self._ask("POST", f"{path}/events", command, Idempotency_Key=note, **secret)) != 201:
                if self.over.is_set():
                    return
                assert status in (0, 409, 429, 500, 503), status
                time.sleep(0.05)
            self.acknowledged.append(note)
            self._ask("GET", path, **secret)
            self._ask(
                "POST", "/api/v1/games/spades/score", {"sides": ["A+C", "B+D"], "deals": [record(5, 8, 4)["facts"]]}
            )
            time.sleep(0.1)

    def _ask(self, method: str, path: str, body: object = None, **headers: str) -> int:
        more = {"If_Match": "*"} if path.endswith("/events") else {}
        status, _ = asked(self.dice.choice(self.ports), method, path, body, source=self.source, **headers, **more)
        self.seen[status] += 1
        return status


def redis_server(folder: Path) -> Server:
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        (pytest.fail if IN_CI else pytest.skip)("no redis-server")
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    return Server([program, *options], port)


def own_postgres(stack: ExitStack) -> tuple[Server, str] | None:
    """A cluster of its own that may be killed, None where the programs for it are not there."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        return None
    # Not below pytest's own folder, which every run of pytest closes to other users again.
    data, port = Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))), free_port()
    user = None
    if os.geteuid() == 0:
        shutil.chown(data, "postgres")
        user = "postgres"
    binaries = programs[-1].parent
    initdb = [
        str(binaries / "initdb"),
        "-D",
        str(data),
        "-U",
        "postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--no-sync",
    ]
    subprocess.run(initdb, check=True, cwd="/", stdout=subprocess.DEVNULL, user=user, group=user)
    options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={data}"]
    server = Server([str(binaries / "postgres"), "-D", str(data), *options], port, user=user)
    return server, f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"


@pytest.mark.slow
@pytest.mark.postgres
def test_nothing_acknowledged_is_lost_while_each_process_is_killed(
    tmp_path: Path, request: pytest.FixtureRequest, soak_round: int, soaked: Any
) -> None:
    long = request.config.getoption("--soak") > 1
    with ExitStack() as stack:
        own = own_postgres(stack) if long else None
        if own:
            stack.callback(own[0].kill)
            own[0].wait()
            place = own[1]
        else:
            place = request.getfixturevalue("postgres_place")
        _migrate(place)
        redis = redis_server(tmp_path)
        stack.callback(redis.kill)
        redis.wait()
        settings = {
            "COMPANION_DATABASE": place, "COMPANION_SECRET_KEY": KEY, "COMPANION_RATE_LIMIT": f"{A_MINUTE} per minute",
            "COMPANION_RATE_STORE": f"redis://127.0.0.1:{redis.port}/0",
        }  # fmt: skip
        webs = [web(free_port(), settings) for _ in range(3)]
        for server in webs:
            stack.callback(server.kill)
        for server in webs:
            server.wait()
        ports = [server.port for server in webs]
        assert_no_sticky_state(ports)
        assert_shared_limit(ports)
        over = threading.Event()
        sheets = [opened(ports[number % 3]) for number in range(3)]
        writers = [Writer(ports, number, sheets[number // 2], over) for number in range(6)]
        stack.callback(over.set)
        for writer in writers:
            writer.start()
        victims = [*webs, redis, *([own[0]] if own else [])] if long else [webs[0], redis]
        for victim in victims:
            count = sum(len(writer.acknowledged) for writer in writers)
            victim.kill()
            if own and victim is own[0]:
                time.sleep(1)  # nobody can write without it
                victim.start()
                victim.wait()
            wait_for_more(writers, count + 6)
            if long and victim.process.poll() is not None:
                victim.start()
                victim.wait()
        over.set()
        for writer in writers:
            writer.join()
        pairs = [writers[2 * number : 2 * number + 2] for number in range(3)]
        acknowledged = [[note for writer in pair for note in writer.acknowledged] for pair in pairs]
        soaked(killed=len(victims), acknowledged=sum(map(len, acknowledged)))
        with closing(open_store(place, key=KEY)) as store:
            for number, sheet in enumerate(sheets):
                notes = Counter(json.loads(event.body)["note"] for event in store.read(sheet["id"], 2))
                assert [note for note in acknowledged[number] if notes[note] != 1] == []
                assert max(notes.values()) == 1
        assert backup.verify(place, key=KEY) == backup.Checked(4, ())


def web(port: int, settings: dict[str, str]) -> Server:
    return Server([sys.executable, "-m", "companion", "serve", "--port", str(port)], port, **settings)


def wait_for_more(writers: list[Writer], count: int) -> None:
    """Wait until more than so many notes were acknowledged."""
    end = time.monotonic() + PATIENCE
    while sum(len(writer.acknowledged) for writer in writers) <= count:
        assert time.monotonic() < end, "the others did not go on"
        time.sleep(0.05)


def opened(port: int) -> Any:
    status, answer = asked(port, "POST", "/api/v1/sheets", {"seats": NAMES, "game": "spades"})
    assert status == 201, answer
    return json.loads(answer[1])


def assert_no_sticky_state(ports: list[int]) -> None:
    """One phone gets a form here, sends it there, and finds its sheet at the third."""
    one, two, three = ports
    secret = opened(three)["secrets"]["score"]
    _, (headers, page) = asked(one, "GET", "/en/join")
    cookie = headers["Set-Cookie"].split(";")[0]
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    form = urlencode({"csrf_token": token[1] if token else "", "code": secret})
    kind = "application/x-www-form-urlencoded"
    status, (headers, _) = asked(two, "POST", "/en/join", form, Cookie=cookie, Content_Type=kind)
    assert status == 303
    status, (_, page) = asked(three, "GET", headers["Location"], Cookie=cookie)
    assert (status, "Aki" in page) == (200, True)


def assert_shared_limit(ports: list[int]) -> None:
    """An address has one share of requests, whichever processes it asks.

    A process that had no answer of Redis for a second counts for itself a while, and on a busy machine a minute may be
    over before all have asked: three addresses are tried, one after another.
    """

    def shared(source: str) -> bool:
        statuses = [asked(ports[n % 3], "GET", "/api/v1/games", source=source)[0] for n in range(A_MINUTE + 9)]
        return Counter(statuses) == {200: A_MINUTE, 429: 9}

    sources = iter(("127.0.6.1", "127.0.6.2", "127.0.6.3"))
    assert one_of_three(lambda: shared(next(sources)))


def _migrate(place: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            open_store(place, migrate=True).close()
            return
        except Exception:  # the server still starts
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
