"""Nobody holds the server by being slow: heads, bodies and readers have deadlines, addresses have shares."""

from __future__ import annotations

import http.client
import re
import select
import socket
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import replace

import pytest

from companion.serving.bounds import Shares
from companion.serving.connections import Connection
from tests.conftest import one_of_three
from tests.serving.conftest import BOUNDS, LARGE, Application, serving

PATIENCE = 20
"""Seconds to wait for what comes, however busy the machine is."""
PATIENT = replace(BOUNDS, head_seconds=60, body_seconds=60)
"""For clients that shall not be let go while the test looks elsewhere."""


def connected(port: int, text: str = "", *, source: str = "127.0.0.1") -> socket.socket:
    """A connection from an address of this machine that has sent something."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))
    connection.sendall(text.replace("\n", "\r\n").encode())
    return connection


def received(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def answered(port: int, path: str = "/", body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    """The status and body of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


HEAD = "POST / HTTP/1.1\nHost: a\nContent-Length: 1000\n\n"


@pytest.mark.parametrize("trailers", [b"X-A: b\r\n" * 20, b"y" * 160], ids=["many", "one without end"])
def test_trailers_are_bounded_as_headers_are(port: int, trailers: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server has taken counts: how much more a client sends meanwhile depends on who has the processor."""
    taken, still_open, plain = 0, [], Connection.data_received

    def noted(self: Connection, data: bytes) -> None:
        nonlocal taken
        plain(self, data)
        taken += len(data)
        if not self.transport.is_closing():
            still_open.append(taken)

    monkeypatch.setattr(Connection, "data_received", noted)
    with connected(port, "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n2\nab\n0\nX-Z: ") as connection:
        with suppress(OSError):
            for _ in range(20 * BOUNDS.head_bytes // len(trailers)):
                time.sleep(0.005)  # one part a read
                connection.sendall(trailers)
        received(connection)
    assert BOUNDS.head_bytes / 2 < still_open[-1] < 2 * BOUNDS.head_bytes


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ("", b""),
        ("GET / HT", b""),
        ("GET / HTTP/1.1\nHost: a\nX", b""),
        (HEAD, b"HTTP/1.1 408"),
        (HEAD + "a", b"HTTP/1.1 408"),
        (HEAD.replace("Content-Length: 1000", "Transfer-Encoding: chunked") + "5\nab", b"HTTP/1.1 408"),
    ],
    ids=["nothing", "half a line", "half a head", "no body", "half a body", "half a chunk"],
)
def test_clients_that_fall_silent_are_let_go(port: int, sent: str, answer: bytes) -> None:

    def let_go() -> bool:
        began = time.monotonic()
        with ExitStack() as stack:
            silent = [stack.enter_context(connected(port, sent)) for _ in range(8)]  # four times the threads
            assert answered(port)[0] == 200
            assert all(received(connection)[: len(answer) or 1] == answer for connection in silent)
        return time.monotonic() - began < 8

    assert one_of_three(let_go)


@pytest.mark.parametrize("head", [HEAD, "GET / HTTP/1.1\nX-Long: ", ""], ids=["body", "head", "empty lines"])
def test_a_client_that_sends_a_byte_now_and_then_is_let_go(port: int, head: str) -> None:
    def let_go() -> bool:
        with connected(port, head) as trickling:
            began = time.monotonic()
            with suppress(OSError):
                while time.monotonic() - began < 5:
                    trickling.sendall(b"a" if head else b"\r\n")
                    time.sleep(0.05)
            return time.monotonic() - began < 4

    assert one_of_three(let_go)


def test_a_body_that_keeps_to_the_rate_may_take_long(port: int) -> None:
    def taken() -> bool:
        body, began = bytes(60_000), time.monotonic()
        with connected(port, HEAD.replace("1000", str(len(body)))) as slow, suppress(OSError):
            for place in range(0, len(body), 4000):
                slow.sendall(body[place : place + 4000])
                time.sleep(0.1)
            assert time.monotonic() - began > BOUNDS.body_seconds
            return slow.recv(100).startswith(b"HTTP/1.1 200")
        return False

    assert one_of_three(taken)


def test_a_large_head_is_refused(port: int) -> None:
    with connected(port, "GET / HTTP/1.1\nX: " + "a" * 5000) as large:
        assert received(large).startswith(b"HTTP/1.1 431")
    with connected(port, "GET / HTTP/1.1\n" + "X: a\n" * 1000) as many:
        assert received(many).startswith(b"HTTP/1.1 431")


def test_a_body_that_is_too_large_is_refused_before_it_is_kept(port: int) -> None:
    assert answered(port, "/", bytes(100_000))[0] == 200
    assert answered(port, "/", bytes(100_001))[0] == 413
    chunked = HEAD.replace("Content-Length: 1000", "Transfer-Encoding: chunked")
    with connected(port, chunked + f"{100_001:x}\n" + "a" * 100_001 + "\n0\n\n") as large:
        assert large.recv(100).startswith(b"HTTP/1.1 413")


def test_an_address_has_a_share_of_large_bodies(app: Application) -> None:
    with serving(app, PATIENT) as port:
        with connected(port, HEAD.replace("1000", "90000")):
            assert answered(port, "/", bytes(90_000))[0] == 429
            assert answered(port, "/", bytes(10_000))[0] == 200
            with connected(port, HEAD.replace("1000", "90000") + "a" * 90_000, source="127.0.0.2") as other:
                assert other.recv(100).startswith(b"HTTP/1.1 200")
        assert answered_in_the_end(port, bytes(90_000)), "what a client that went away has sent still counts"


def test_a_large_body_that_is_late_no_longer_counts(port: int) -> None:
    with connected(port, HEAD.replace("1000", "90000")) as late:
        assert received(late).startswith(b"HTTP/1.1 408")
        assert answered_in_the_end(port, bytes(90_000))


def test_an_address_has_a_share_of_connections(app: Application) -> None:
    with serving(app, PATIENT) as port:
        with ExitStack() as stack:
            for _ in range(BOUNDS.connections):
                stack.enter_context(connected(port))
            with connected(port) as further:
                assert received(further).startswith(b"HTTP/1.1 429")
            with connected(port, "GET / HTTP/1.1\nHost: a\n\n", source="127.0.0.2") as other:
                assert other.recv(100).startswith(b"HTTP/1.1 200")
        assert answered_in_the_end(port), "connections that were closed still count"


def answered_in_the_end(port: int, body: bytes | None = None) -> bool:
    """Return whether a request is answered once the server has noticed what others did."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError):
            if answered(port, "/", body)[0] == 200:
                return True
        time.sleep(0.02)
    return False


def test_clients_that_read_nothing_hold_no_thread_and_are_let_go(app: Application, port: int) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connected(port, "GET /large HTTP/1.1\nHost: a\n\n"))
        assert answered(port)[0] == 200
        assert app.closed.wait(PATIENCE)


def test_a_client_that_reads_slowly_but_steadily_gets_everything(port: int) -> None:
    def whole() -> bool:
        size = 0
        with (
            connected(port, "GET /large HTTP/1.1\nHost: a\nConnection: close\n\n") as slow,
            suppress(ConnectionResetError),
        ):
            while part := slow.recv(4 * 1024 * 1024):
                size += len(part)
                time.sleep(0.01)
        return size > LARGE

    assert one_of_three(whole)


def test_an_idle_connection_is_closed(port: int) -> None:
    def closed_in_time() -> bool:
        with connected(port, "GET / HTTP/1.1\nHost: a\n\n") as idle:
            began = time.monotonic()
            assert received(idle).startswith(b"HTTP/1.1 200")
            taken = time.monotonic() - began
        assert taken > 0.5
        return taken < 5

    assert one_of_three(closed_in_time)


def test_what_is_urgent_does_not_wait_for_the_others(port: int) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(connected(port, "GET /slow HTTP/1.1\nHost: a\n\n")) for _ in range(4)]
        time.sleep(0.05)
        assert answered(port, "/alive")[0] == 200
        assert select.select(slow, [], [], 0)[0] == [], "it has waited for another answer"


def test_requests_sent_ahead_are_answered_in_their_order(port: int) -> None:
    requests = "".join(HEAD.replace("1000", str(size)) + "a" * size for size in (3, 1, 2))
    with connected(port, requests) as ahead:
        answers = received(ahead)
    assert re.findall(rb"\r\n\r\n(\d)", answers) == [b"3", b"1", b"2"]


def test_a_client_that_sends_ahead_and_reads_nothing_is_let_go_without_a_word(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    with connected(port, "GET /large HTTP/1.1\nHost: a\n\n" * 30) as ahead:
        time.sleep(BOUNDS.step_seconds * 3)
        with suppress(OSError):
            received(ahead)
    assert answered(port)[0] == 200
    assert not caplog.records


def test_a_header_cannot_pass_for_another(port: int) -> None:
    assert answered(port, "/", b"", X_Trusted="yes")[1].endswith(b"127.0.0.1 ")
    assert answered(port, "/", b"", **{"X-Trusted": "yes"})[1].endswith(b"yes")


def test_shares_are_given_back_whole() -> None:
    shares = Shares(2, 3)
    assert [shares.take("a"), shares.take("a"), shares.take("a"), shares.take("b"), shares.take("c")] == [
        True, True, False, True, False,
    ]  # fmt: skip
    shares.give_back("a")
    assert shares.take("c")
    for address in ("a", "b", "c"):
        shares.give_back(address)
    assert not shares._held
