"""What is answered before Flask is, byte for byte on the connection, what Flask answers: to attackers too."""

from __future__ import annotations

import json
import logging
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from companion.games import GAMES
from companion.serving.bounds import Bounds
from companion.serving.bridge import Bridge
from companion.web import create_app
from companion.web.api.questions import ANSWERING
from companion.web.direct import Direct, direct
from companion.web.limits import body_limit
from tests.conftest import settings_in
from tests.serving.conftest import running
from tests.sheet_client import SheetClient

QUESTIONS = {
    f"/api/v1/games/{game}/{name}": json.dumps(body).encode()
    for game in GAMES
    for name, body in GAMES[game].examples.items()
    if name in ANSWERING
}
SCORE = "/api/v1/games/spades/score"
SCORED = QUESTIONS[SCORE]
JSON = "Content-Type: application/json"
MARK = "s3cret-that-no-log-may-have"
_CHANGING = (
    (re.compile(rb"(?im)^(date|retry-after): .*?$"), rb"\1:"),
    (re.compile(rb";t=\d+"), b""),
)
"""What differs between two answers to the same request, beside its id."""
_REQUEST_ID = re.compile(rb"(?im)^x-request-id: (\w+)")


def _head(line: str, *headers: str, host: str = "Host: localhost") -> bytes:
    return "\r\n".join([line, *filter(None, [host]), *headers, "Connection: close", "", ""]).encode("latin-1")


def _post(path: str, body: bytes = SCORED, *headers: str, line: str = "POST {} HTTP/1.1", **host: str) -> bytes:
    kinds = [] if any(each.lower().startswith("content-type") for each in headers) else [JSON]
    sizes = [] if any(each.lower().startswith(("content-length", "transfer")) for each in headers) else [len(body)]
    length = [f"Content-Length: {size}" for size in sizes]
    return _head(line.format(path), *kinds, *length, *headers, **host) + body


def _chunks(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


HEADERS: tuple[tuple[str, ...], ...] = (
    ("Content-Type: application/json; charset=utf-8",), ("content-type: APPLICATION/JSON",),
    ("Content-Type: text/plain",), ("Content-Type:",), ("Content-Type: application/json", "Content-Type: text/plain"),
    ("Content-Type: application/json", "Content-Type: application/json"), ("Content_Type: text/plain",),
    (f"Content-Length: {len(SCORED)}",) * 2, (f"Content-Length: {len(SCORED)}", "Content-Length: 3"),
    ("Content-Length: -1",), ("Content-Length: +5",), ("Content-Length: 1e1",), ("Content-Length: " + "9" * 30,),
    ("Content-Length: 0",), ("Content-Length: 5",), ("Transfer-Encoding: identity",), ("Transfer-Encoding: xchunked",),
    ("Transfer-Encoding: gzip, chunked",), (f"Content-Length: {len(SCORED)}", "Transfer-Encoding: chunked"),
    ("Accept-Encoding: br",), ("Accept-Encoding: br;q=0", "Accept-Encoding: gzip"), ("Accept-Language: ja",),
    ("Accept-Language: en;q=0.1", "Accept-Language: ja"), ("Accept-Language: " + "x" * 9_000,),
    ("Expect: 100-continue",), ("Origin: https://evil.example",), ("Cookie: device-1=x", "Cookie: companion=y"),
    ("X-Request-Id: abcdefgh",), ("X-Request-Id: short",), ("X-Request-Id: abcdefgh", "X-Request-Id: ijklmnop"),
    ("X_Request_Id: abcdefgh",), ("X-Forwarded-For: 1.2.3.4", "X-Forwarded-Host: evil.example"),
    ("X-Forwarded-Proto: https",), ("X-HTTP-Method-Override: DELETE",), ("If-None-Match: *",), ("If-Match: *",),
    (f"Authorization: Bearer {MARK}",), ("Bad Header: x",), (": x",), ("X: a\rb",), ("X: a\x00b",), ("X: \xff\xfe",),
    ("X: " + "a" * 70_000,), tuple(f"X-{number}: {number}" for number in range(300)), ("Upgrade: h2c",),
)  # fmt: skip
LINES = (
    "GET {} HTTP/1.1", "HEAD {} HTTP/1.1", "OPTIONS {} HTTP/1.1", "PUT {} HTTP/1.1", "DELETE {} HTTP/1.1",
    "BREW {} HTTP/1.1", "POST {} HTTP/1.0", "POST {} HTTP/2.0", "POST {}/ HTTP/1.1", "POST {}? HTTP/1.1",
    "POST {}?lang=ja HTTP/1.1", "POST {}%00 HTTP/1.1", "POST {}%2F HTTP/1.1", "POST /{} HTTP/1.1",
    "POST {};a=b HTTP/1.1", "POST {}/.. HTTP/1.1", "POST {}#x HTTP/1.1", "POST http://evil.example{} HTTP/1.1",
    "POST {}\xe9 HTTP/1.1",
)  # fmt: skip
HOSTS = (
    "", "Host:", "Host: evil.example", "Host: localhost\r\nHost: evil.example", "Host: evil@localhost",
    "Host: localhost:99999", "Host: [::1]", "Host: a.example",
)  # fmt: skip
BODIES = (
    b"", b"{", b"null", b"[]", b"\xff", b"\xef\xbb\xbf{}", b"\x00", b"[" * 3_000, b'{"a":1,"a":2}', b'{"deals":1e400}',
    b'{"sides":["NS","EW"],"deals":[{"NS":{"bid":5.0,"tricks":8},"EW":{"bid":6,"tricks":5}}]}',
    json.dumps({"sides": [MARK, MARK], "deals": []}).encode(), SCORED.ljust(20_000), SCORED.ljust(70_000),
)  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, int]]:
    folder = tmp_path_factory.mktemp("raw")
    app = create_app(
        {**settings_in(folder), "RATE_LIMIT": "100000 per hour", "OPENING_LIMIT": "off", "ACCESS_LOG": True}
    )
    handlers = direct(app)
    bounds = Bounds(head_seconds=1, body_seconds=1, idle_seconds=1)  # some requests are never whole
    with running(Bridge(app, body_limit(app), bounds=bounds, is_quick=handlers.is_quick)) as port:
        yield app, port


def _ask(port: int, sent: bytes, *, cut: int = 0) -> bytes:
    """Send bytes on a connection of their own, those after `cut` a little later; return all that comes.

    What differs each time is left out.
    """
    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as connection:
        parts = []
        try:
            if cut > 0:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.sendall(sent[:cut])
                time.sleep(0.01)
            connection.sendall(sent[max(cut, 0) :])
            while part := connection.recv(65536):
                parts.append(part)
        except (ConnectionResetError, BrokenPipeError):
            pass
    answer = b"".join(parts)
    for number in _REQUEST_ID.findall(answer):
        answer = answer.replace(number, b"")
    for pattern, instead in _CHANGING:
        answer = pattern.sub(instead, answer)
    return answer


def _both_ways(monkeypatch: pytest.MonkeyPatch, port: int, requests: list[bytes]) -> list[tuple[bytes, bool]]:
    """Return the answers, which are the same on both ways, and whether the first came without Flask."""
    plain, found = Direct.answer, []

    def noted(self: Direct, environ: dict[str, Any]) -> Any:
        answer = plain(self, environ)
        found.append(answer is not None)
        return answer

    answers = []
    for sent in requests:
        found.clear()
        monkeypatch.setattr(Direct, "answer", noted)
        directly = _ask(port, sent)
        was_direct = any(found)
        monkeypatch.setattr(Direct, "answer", lambda self, environ: None)
        by_flask = _ask(port, sent)
        monkeypatch.undo()
        assert _counted(directly) == _counted(by_flask), sent[:300]
        answers.append((directly, was_direct))
    return answers


def _counted(answer: bytes) -> bytes:
    """Leave out how many requests are left: the second way is one later."""
    return re.sub(rb";r=\d+", b"", answer)


def test_every_question_is_answered_alike_on_a_connection(
    monkeypatch: pytest.MonkeyPatch, served: tuple[Flask, int]
) -> None:
    answers = _both_ways(monkeypatch, served[1], [_post(path, body) for path, body in QUESTIONS.items()])
    assert all(was_direct and answer.startswith(b"HTTP/1.1 200") for answer, was_direct in answers)


def test_malformed_requests_are_answered_alike_on_a_connection(
    monkeypatch: pytest.MonkeyPatch, served: tuple[Flask, int], caplog: pytest.LogCaptureFixture
) -> None:
    other = "/api/v1/games/casino/check"
    requests = [*_malformed(), *[_post(other, QUESTIONS[other], *headers) for headers in HEADERS[:8]]]
    port = served[1]
    access = logging.getLogger("companion.access")
    access.addHandler(caplog.handler)
    try:
        with caplog.at_level(logging.DEBUG):
            answers = _both_ways(monkeypatch, port, requests)
    finally:
        access.removeHandler(caplog.handler)
    statuses = {answer[9:12] for answer, _ in answers if answer}
    assert statuses <= {b"100", b"200", b"400", b"404", b"405", b"408", b"413", b"415", b"422", b"431", b"308"}
    assert {b"200", b"400", b"404", b"405", b"413", b"415", b"422"} <= statuses
    assert caplog.records
    assert not _telling(caplog, MARK)


def test_a_request_with_two_ends_is_refused(served: tuple[Flask, int]) -> None:
    length, chunked = f"Content-Length: {len(SCORED)}", "Transfer-Encoding: chunked"
    ambiguous = ((length, chunked), ("Content-Length: 3", length), (length, length), ("Transfer-Encoding: xchunked",))
    for headers in ambiguous:
        assert _ask(served[1], _post(SCORE, SCORED, *headers)).startswith(b"HTTP/1.1 400 "), headers


def test_polls_are_answered_alike_on_a_connection(
    monkeypatch: pytest.MonkeyPatch, served: tuple[Flask, int], caplog: pytest.LogCaptureFixture
) -> None:
    app, port = served
    sheet = SheetClient(app.test_client())
    path, secret = f"/api/v1/sheets/{sheet.id}", f"Authorization: Bearer {sheet.watch}"
    etag = re.search(rb"(?im)^etag: (.*?)\r$", _ask(port, _head(f"GET {path} HTTP/1.1", secret)))
    assert etag
    same = f"If-None-Match: {etag[1].decode()}"
    pages = [f"/en/watch/{sheet.watch}{more}" for more in ("", "/log", "/wall")]
    requests = [
        _head(line, *headers, same)
        for line in (
            f"GET {path} HTTP/1.1",
            f"HEAD {path} HTTP/1.1",
            f"GET {path}?x=1 HTTP/1.1",
            f"GET {path}x HTTP/1.1",
        )
        for headers in (
            (secret,),
            (secret, secret),
            (),
            ("Authorization: Basic eDp5",),
            (f"Authorization: Bearer {MARK}",),
        )
    ]
    requests += [
        _head(f"GET {path} HTTP/1.1", secret, same, same),
        _head(f"GET {path} HTTP/1.1", secret, 'If-None-Match: "'),
    ]
    requests += [_head(f"GET {page} HTTP/1.1", same) for page in pages]
    requests += [_head(f"GET {path} HTTP/1.1", secret, same, "Content-Length: 3") + b"abc"]
    with caplog.at_level(logging.DEBUG):
        answers = _both_ways(monkeypatch, port, requests)
    assert answers[0][1]
    assert answers[0][0].startswith(b"HTTP/1.1 304")
    assert not _telling(caplog, MARK, sheet.watch, sheet.id)


def test_an_answer_at_once_is_that_of_a_task(monkeypatch: pytest.MonkeyPatch, served: tuple[Flask, int]) -> None:
    """Each request is followed by another on the same connection, which shows where its answer ends."""
    plain, at_once = Bridge.answer_at_once, []

    def noted(self: Bridge, scope: dict[str, Any], body: bytes) -> Any:
        answer = plain(self, scope, body)
        at_once.append(answer is not None)
        return answer

    last = _post(SCORE, b"{}")
    requests = [one.replace(b"Connection: close\r\n", b"", 1) for one in _malformed()]
    requests += [_post(path, body).replace(b"Connection: close\r\n", b"") for path, body in QUESTIONS.items()]
    for sent in requests:
        monkeypatch.setattr(Bridge, "answer_at_once", noted)
        answer = _counted(_ask(served[1], sent + last))
        assert _counted(_ask(served[1], sent + last, cut=len(sent) - 20)) == answer, "in two parts"
        monkeypatch.setattr(Bridge, "answer_at_once", lambda self, scope, body: None)
        assert _counted(_ask(served[1], sent + last)) == answer, sent[:300]
    assert at_once.count(True) > len(GAMES)


def _malformed() -> list[bytes]:
    requests = [_post(SCORE, SCORED, *headers) for headers in HEADERS]
    requests += [_post(SCORE, _chunks(SCORED), "Transfer-Encoding: chunked"), _post(SCORE, SCORED) * 2]
    requests += [_post(SCORE, body, "Transfer-Encoding: chunked") for body in (b"5\r\n{}", b"x")]
    requests += [_post(SCORE, SCORED, line=line) for line in LINES]
    requests += [_post(SCORE, SCORED, host=host) for host in HOSTS]
    requests += [_post(SCORE, body) for body in BODIES]
    return requests


def _telling(caplog: pytest.LogCaptureFixture, *secrets: str) -> list[str]:
    """Return what was logged with a secret; the access log of uvicorn is switched off, but pytest listens to it."""
    said = [str(vars(record)) for record in caplog.records if record.name != "uvicorn.access"]
    return [text for text in said if any(secret in text for secret in secrets)]
