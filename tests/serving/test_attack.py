"""A phone records deals while others attack, behind nginx and on granian alone; a locked database; refused bodies."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.web.http import endpoint_size
from tests.conftest import IN_CI
from tests.serving import attack
from tests.serving.attackers import BATCH, KINDS, LINE, NDJSON, SCORE
from tests.serving.servers import NGINX, ROOT, asked, proxied, serving


@pytest.fixture(scope="module")
def nginx() -> None:
    if NGINX is None:
        (pytest.fail if IN_CI else pytest.skip)("no nginx")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A port, and the folder of the database."""
    folder = tmp_path_factory.mktemp("attacked")
    with serving(folder) as (port, _):
        yield port, folder


@pytest.fixture(scope="module")
def front(nginx: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of nginx in front of the service."""
    folder = tmp_path_factory.mktemp("behind")
    with serving(folder, COMPANION_PROXIES="1") as (behind, _), proxied(folder / "nginx", behind) as port:
        yield port


@pytest.mark.slow
@pytest.mark.parametrize("proxy", [True, False], ids=["nginx", "alone"])
def test_a_phone_keeps_its_evening_under_attack(
    request: pytest.FixtureRequest, tmp_path: Path, soaked: Any, proxy: bool
) -> None:
    """The short run of `make attack`; times are measured there, here other tests share the processors."""
    if proxy:
        request.getfixturevalue("nginx")
    kinds = tuple(KINDS) if proxy else attack.ALONE
    everything = list(attack.attacks(tmp_path, proxy=proxy, seconds=3, hardness=0.1, seed=1, kinds=kinds))
    for seen in everything:
        assert seen.lost == 0, str(seen)
        assert seen.acknowledged > 0, str(seen)
        assert seen.slowest(90) < attack.WAIT / 2, str(seen)
        assert seen.after < attack.MOST_MEGABYTES, str(seen)
    soaked(**{seen.attack.split()[-1]: round(seen.slowest(99) * 1000) for seen in everything})


def test_refused_bodies_come_through_the_proxy(front: int) -> None:
    """Never 502, whichever of both refuses, and whatever for."""
    large = LINE * 4_000
    with ExitStack() as stack:
        first = threading.Thread(target=asked, args=(front, "POST", BATCH, large), kwargs={"Content_Type": NDJSON})
        first.start()
        stack.callback(first.join)
        second = [asked(front, "POST", BATCH, large, Content_Type=NDJSON)[0] for _ in range(4)]
    assert set(second) <= {200, 429}
    assert asked(front, "POST", BATCH, b"{}\n" * 20_001, Content_Type=NDJSON)[0] == 413
    assert asked(front, "POST", BATCH, large)[0] == 415
    assert asked(front, "POST", SCORE, b" " * 66_000)[0] == 413
    assert asked(front, "POST", "/api/v1/sheets/import", b"[" * 2_000_000)[0] == 422


def test_the_proxy_lets_every_body_through_that_the_service_takes(app: Flask) -> None:
    text = (ROOT / "deploy/proxy.conf").read_text("utf-8")
    sizes = {"k": 1024, "m": 1024 * 1024}
    found = re.findall(r"location (~|=)? ?(\S+) \{([^}]*)\}", text)
    for rule in app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()):
            continue
        path = re.sub(r"<lang:\w+>", "en", re.sub(r"<(?!lang)[^>]+>", "x", rule.rule))
        matching = [block for kind, pattern, block in found if kind == "~" and re.search(pattern, path)]
        size = re.search(r"client_max_body_size (\d+)([km]);", matching[0] if matching else text)
        assert size
        assert int(size[1]) * sizes[size[2]] == endpoint_size(app, rule.endpoint), rule.rule


def test_a_batch_that_runs_is_finished_before_the_service_stops(tmp_path: Path) -> None:
    with serving(tmp_path) as (port, process):
        answers: list[tuple[int, bytes]] = []
        lines = random.Random(1).randrange(6_000, 8_000)
        batch = threading.Thread(
            target=lambda: answers.append(asked(port, "POST", BATCH, LINE * lines, Content_Type=NDJSON))
        )
        batch.start()
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGTERM)
        batch.join()
        assert process.wait(60) == 0
    assert [(status, body.count(b"\n")) for status, body in answers] == [(200, lines)]


def test_liveness_is_answered_while_the_database_is_locked(server: tuple[int, Path]) -> None:
    port, folder = server
    with ExitStack() as stack:
        address, headers = attack.opened(port)
        lock = stack.enter_context(closing(sqlite3.connect(folder / "companion.sqlite3")))
        lock.execute("BEGIN IMMEDIATE")
        statuses: list[int] = []

        def write() -> None:
            note = json.dumps({"type": "write_note", "note": "x"}).encode()
            statuses.append(asked(port, "POST", f"{address}/events", note, Idempotency_Key="a-key", **headers)[0])

        writers = [threading.Thread(target=write) for _ in range(20)]  # more than there are threads
        for writer in writers:
            writer.start()
        time.sleep(0.3)
        assert asked(port, "GET", "/healthz")[0] == 200
        assert not statuses, "it has waited until a writer gave up"
        lock.rollback()
        for writer in writers:
            writer.join()
        assert set(statuses) <= {201, 503}
        assert 201 in statuses
