"""What is answered before Flask is answered byte for byte as Flask would answer it; kept pages and polls with 304."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.describe import extra_questions
from companion.games import GAMES
from companion.web import create_app, fast_path, monitoring
from companion.web.fast_path import MOST_SENT
from tests.conftest import settings_in
from tests.sheet_client import SheetClient

JSON = "application/json"
QUESTIONS = {
    f"/api/v1/games/{game}/{name}": body
    for game in GAMES
    for name, body in GAMES[game].examples.items()
    if name in ("score", "check", "moves", "replay", *extra_questions())
}
ADDRESSES = iter(f"198.51.{number // 250}.{number % 250}" for number in range(50_000))


class Sent(NamedTuple):
    """A request."""

    method: str
    path: str
    body: bytes = b""
    environ: Mapping[str, Any] = {}


class Got(NamedTuple):
    """A response, and the route that the metrics counted it under."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes
    counted: set[tuple[str, ...]]
    directly: bool


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    limits = {"RATE_LIMIT": "2 per hour", "OPENING_LIMIT": "off", "HOSTS": ".cards.example"}
    app = create_app({**settings_in(tmp_path_factory.mktemp("direct")), **limits})
    app.logger.disabled = True
    yield app
    app.logger.disabled = False


@pytest.fixture(scope="module")
def sheet(app: Flask) -> SheetClient:
    http = app.test_client()
    http.environ_base["REMOTE_ADDR"] = next(ADDRESSES)
    return SheetClient(http)


def _answer(app: Flask, sent: Sent, *, by_flask: bool = False, times: int = 1) -> Got:
    """Send a request so often from an address of its own, and return the last response."""
    found: list[bool] = []
    started: list[Any] = []

    def answer(app: Flask, paths: Any, environ: dict[str, Any]) -> Any:
        got = None if by_flask else plain(app, paths, environ)
        found.append(got is not None)
        return got

    plain, address = fast_path._answer, next(ADDRESSES)
    before = _counts(app)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_path, "_answer", answer)
        for _ in range(times):
            monitoring._ids.seed(1)
            environ = {
                "REQUEST_METHOD": sent.method, "SCRIPT_NAME": "", "PATH_INFO": sent.path, "QUERY_STRING": "",
                "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
                "REMOTE_ADDR": address, "HTTP_HOST": "localhost", "wsgi.url_scheme": "http", "wsgi.version": (1, 0),
                "wsgi.input": BytesIO(sent.body), "wsgi.multithread": True, "wsgi.multiprocess": False,
                "wsgi.run_once": False, "wsgi.input_terminated": True, **sent.environ,
            }  # fmt: skip
            whole = app({k: v for k, v in environ.items() if v is not None}, lambda *given: started.append(given))
            body = b"".join(whole)
            if hasattr(whole, "close"):
                whole.close()
    status, headers = started[-1][:2]
    headers = [(name, value.partition(";t=")[0] if name == "RateLimit" else value) for name, value in headers]
    headers = [(name, "" if name == "Retry-After" else value) for name, value in headers]  # seconds pass
    counted = {series for series, count in _counts(app).items() if count != before.get(series)}
    return Got(status, headers, body, counted, found[-1])


def _counts(app: Flask) -> dict[tuple[str, ...], float]:
    (family,) = app.extensions["metrics"].collect()
    return {tuple(each.labels.values()): each.value for each in family.samples if each.name.endswith("_count")}


def _both_ways(app: Flask, sent: Sent, *, times: int = 1) -> Got:
    """Return the answer to a request, which is the same on both ways."""
    directly, by_flask = _answer(app, sent, times=times), _answer(app, sent, by_flask=True, times=times)
    assert directly[:-1] == by_flask[:-1]
    return directly


def _json(path: str, body: bytes, **environ: Any) -> Sent:
    return Sent("POST", path, body, {"CONTENT_TYPE": JSON, "CONTENT_LENGTH": str(len(body)), **environ})


def _vectors() -> list[tuple[str, bytes]]:
    lines = [line for path in sorted(Path("tests/vectors").glob("*.jsonl")) for line in path.read_text().splitlines()]
    cases = [json.loads(line) for line in lines[:: max(1, len(lines) // 50)]]
    return [(f"/api/v1{case['post']}", json.dumps(case["request"]).encode()) for case in cases]


GOOD = [*_vectors(), *((path, json.dumps(body).encode()) for path, body in QUESTIONS.items())]


def test_questions_are_answered_directly_and_alike(app: Flask) -> None:
    answers = [_both_ways(app, _json(path, body)) for path, body in GOOD]
    scores = [answer for (path, _), answer in zip(GOOD, answers, strict=True) if path.endswith("/score")]
    assert all(answer.directly == (answer.status == "200 OK") for answer in scores)
    assert len([answer for answer in scores if answer.directly]) > 10
    assert {answer.status[:3] for answer in answers} <= {"200", "422"}
    assert any(("Content-Encoding", "br") in _both_ways(app, _json(path, body, HTTP_ACCEPT_ENCODING="br")).headers
               for path, body in GOOD)  # fmt: skip


BODIES = st.sampled_from([body for _, body in GOOD]) | st.sampled_from(
    [b"", b"null", b"[]", b"{}", b'{"sides": 1e400}', b'{"a":1,"a":2}', b"\xff", b"{" * 3000, b'{"deals": 5.0}', b" "]
)
MANGLED = st.tuples(BODIES, st.integers(0, 200), st.binary(max_size=3)).map(
    lambda drawn: drawn[0][: drawn[1]] + drawn[2] + drawn[0][drawn[1] :]
)
ENVIRON: dict[str, st.SearchStrategy[Any]] = {
    "CONTENT_TYPE": st.sampled_from([JSON, f"{JSON}; charset=utf-8", "text/plain", "Application/JSON", "", None]),
    "CONTENT_LENGTH": st.sampled_from(["0", "1", "9", "99999", "-1", "+5", "٣", "9" * 30, "x", "", None]),
    "QUERY_STRING": st.sampled_from(["lang=ja", "lang=xx", "%", "a&b"]),
    "SCRIPT_NAME": st.sampled_from(["/x", ""]),
    "SERVER_PORT": st.sampled_from(["8000", "0"]),
    "wsgi.url_scheme": st.just("https"),
    "HTTP_HOST": st.sampled_from(
        ["localhost:80", "127.0.0.1:8000", "[::1]", "evil.example", "a b", "", "@", None, "x.cards.example", "a.b:443"]
    ),
    "HTTP_ACCEPT_LANGUAGE": st.sampled_from(["ja", "en;q=0.1, ja", "*", "xx", "\x00", "ja" * 5000]) | st.text(),
    "HTTP_ACCEPT_ENCODING": st.sampled_from(["br", "gzip", "br;q=0, gzip", "*", "identity", ";;"]),
    "HTTP_TRANSFER_ENCODING": st.sampled_from(["chunked", "identity"]),
    "HTTP_X_REQUEST_ID": st.sampled_from(["abcdefgh", "short", "a\nb", "x" * 65]),
    "HTTP_COOKIE": st.sampled_from(["session=x", "a=b; c", "="]),
    "HTTP_ORIGIN": st.just("https://evil.example"),
    "HTTP_EXPECT": st.just("100-continue"),
    "HTTP_IF_NONE_MATCH": st.sampled_from(["*", '"x"', 'W/"x"', '"', "1-2"]),
    "HTTP_AUTHORIZATION": st.sampled_from(["Bearer x", "bearer  ", "Basic eDp5", "x"]),
}
STRANGE = st.fixed_dictionaries({}, optional=ENVIRON)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["POST", "POST", "GET", "HEAD", "OPTIONS", "PUT"]),
    path=st.sampled_from([*QUESTIONS, *(f"{path}/" for path in QUESTIONS), "/api/v1/games/nope/score"]),
    body=BODIES | MANGLED,
    strange=STRANGE,
    times=st.sampled_from([1, 1, 1, 3]),
)
def test_whatever_is_asked_is_answered_alike(
    app: Flask, method: str, path: str, body: bytes, strange: dict[str, Any], times: int
) -> None:
    sent = _json(path, body, **strange)
    _both_ways(app, sent._replace(method=method), times=times)


TAGS = {"own": "{}", "weak": "W/{}", "many": '"a", {}', "any": "*", "old": '"x"'}


def _asked_again(app: Flask, path: str, tag: str, **headers: str) -> tuple[Got, Got]:
    """Return the first answer, and that to a client which says what it has of it."""
    first = _answer(app, Sent("GET", path, environ=headers))
    known = {"HTTP_IF_NONE_MATCH": TAGS[tag].format(dict(first.headers)["ETag"])}
    return first, _answer(app, Sent("GET", path, environ={**headers, **known}))


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("way", ["api", "", "/wall", "/log"])
def test_polls_for_what_is_known_are_answered_304(app: Flask, sheet: SheetClient, way: str, tag: str) -> None:
    path = f"/api/v1/sheets/{sheet.id}" if way == "api" else f"/en/watch/{sheet.watch}{way}"
    first, again = _asked_again(app, path, tag, HTTP_AUTHORIZATION=f"Bearer {sheet.watch}")
    assert first.status == "200 OK"
    known = tag != "old"
    assert (again.status[:3], again.body == b"") == ("304" if known else "200", known)


PAGES = ("/ja/rules", "/en/rules/spades", "/ja/rules/casino", "/en/glossary", "/ja/rules/spades/both")


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("accepted", ["br", "gzip", "identity", ""])
@pytest.mark.parametrize("path", PAGES)
def test_kept_pages_that_are_known_are_answered_304(app: Flask, path: str, accepted: str, tag: str) -> None:
    first, again = _asked_again(app, path, tag, HTTP_ACCEPT_ENCODING=accepted)
    sent, kept = dict(first.headers), dict(again.headers)
    assert first.status == "200 OK"
    assert sent.get("Content-Encoding", "") == accepted.replace("identity", "")
    assert again.status[:3] == ("200" if tag == "old" else "304")
    for name in ("ETag", "Cache-Control", "Vary"):
        assert kept[name] == sent[name]
    assert ("Content-Encoding" in kept) == (tag == "old" and accepted in ("br", "gzip"))


def test_a_kept_page_names_the_address_that_it_is_asked_for_by(app: Flask) -> None:
    for host in ("one.cards.example", "two.cards.example") * 2:
        answer = _answer(app, Sent("GET", "/en/rules/spite-and-malice", environ={"HTTP_HOST": host}))
        assert f"http://{host}/en/rules/spite-and-malice".encode() in answer.body


def test_large_bodies_are_for_flask(app: Flask) -> None:
    score = "/api/v1/games/spades/score"
    body = json.dumps(QUESTIONS[score]).encode()
    assert _both_ways(app, _json(score, body.ljust(MOST_SENT))).directly
    assert not _both_ways(app, _json(score, body.ljust(MOST_SENT + 1))).directly
