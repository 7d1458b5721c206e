"""Processes for long work: what they return and raise, how they end; and answers made ahead of their reader."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.engine.problems import Refused
from companion.games import GAMES
from companion.library.asking import answer_score
from companion.serving import LONG_WORK
from companion.serving.helpers import HelperLost, Helpers
from companion.web.api.questions import answer_lines
from companion.web.keeper.exports import read_file

PATIENCE = 120
"""Seconds to wait for what comes: where other programs want the processor, a helper has a tenth of it."""


@pytest.fixture(scope="module")
def helpers() -> Iterator[Helpers]:
    found = Helpers(processes=1, longest_call=PATIENCE)
    yield found
    found.close()


def test_a_helper_has_a_lower_priority_and_returns_what_the_function_does(helpers: Helpers) -> None:
    assert helpers.call(os.nice, 0) > os.nice(0)
    assert helpers.call(os.getpid) == helpers.call(os.getpid) != os.getpid()


def test_what_a_function_raises_is_raised_whole(helpers: Helpers) -> None:
    with pytest.raises(Refused) as refused:
        helpers.call(read_file, b'{"events":[]}', None)
    with pytest.raises(Refused) as here:
        read_file(b'{"events":[]}', None)
    assert refused.value.problems == here.value.problems
    with pytest.raises(RuntimeError):
        helpers.call(threading.Lock)  # what cannot be pickled


def test_a_lost_helper_is_replaced(helpers: Helpers) -> None:
    with pytest.raises(HelperLost):
        helpers.call(os.kill, helpers.call(os.getpid), signal.SIGKILL)
    assert helpers.call(abs, -1) == 1


def test_a_call_that_takes_too_long_is_ended() -> None:
    with pytest.raises(HelperLost):
        Helpers(processes=1, longest_call=0.1).call(time.sleep, 60)


def test_a_helper_ends_with_its_server() -> None:
    program = (
        "import os, signal; from companion.serving.helpers import Helpers; "
        "print(Helpers(processes=1).call(os.getpid), flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    )  # until all have closed it
    helper = int(ended.stdout)
    until = time.monotonic() + PATIENCE
    while _runs(helper) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _runs(helper)


def _runs(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def test_lines_are_answered_by_a_helper_as_they_are_here(helpers: Helpers) -> None:
    spades = GAMES["spades"]
    lines = [b"{}", b"{", None, b'{"id":"x","id":"y"}', *[b'{"sides":["NS"]}'] * 400]
    assert b"".join(answer_lines(spades, lines, "ja", answer_score, helpers)) == b"".join(
        answer_lines(spades, lines, "ja")
    )


def test_lines_of_a_lost_helper_are_answered_with_a_problem() -> None:
    answered = answer_lines(GAMES["spades"], [b"{}"] * 30, "en", answer_score, Helpers(1, longest_call=0))
    assert b"".join(answered).count(b"/problems/unavailable") == 30


def test_an_answer_is_made_ahead_of_who_reads_it_slowly(helpers: Helpers) -> None:
    made = threading.Event()

    def parts() -> Generator[bytes]:
        try:
            for number in range(300):
                yield b"%d" % (number % 10) * 10_000
        finally:
            made.set()

    answer = helpers.ahead(parts())
    first = next(answer)
    assert made.wait(PATIENCE), "it waits for the reader"
    assert first + b"".join(answer) == b"".join(parts())
    answer.close()


def test_an_answer_that_nobody_reads_any_more_is_made_no_further(helpers: Helpers) -> None:
    go_on, ended, made = threading.Event(), threading.Event(), []

    def parts() -> Generator[bytes]:
        try:
            for number in range(1000):
                made.append(number)
                yield b"x"
                go_on.wait(PATIENCE)
        finally:
            ended.set()

    answer = helpers.ahead(parts())
    assert next(answer) == b"x"
    answer.close()
    go_on.set()
    assert ended.wait(PATIENCE)
    assert len(made) <= 2


def test_a_fault_in_an_answer_comes_where_it_is_in_it(helpers: Helpers) -> None:
    def parts() -> Generator[bytes]:
        yield b"x"
        raise ValueError("lost")

    answer = helpers.ahead(parts())
    assert next(answer) == b"x"
    with pytest.raises(ValueError, match="lost"):
        next(answer)
    answer.close()


def test_an_import_whose_helper_is_lost_is_answered_503(shared_client: FlaskClient) -> None:
    sent = {"environ_overrides": {LONG_WORK: Helpers(1, longest_call=0)}}
    answer = shared_client.post("/api/v1/sheets/import", json={}, **sent)
    assert (answer.status_code, answer.json["type"]) == (503, "/problems/unavailable")
    assert int(answer.headers["Retry-After"]) > 0
