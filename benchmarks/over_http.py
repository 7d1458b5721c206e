"""What the shell costs: requests through the whole application, in process, against the barest Flask view."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

import orjson
from flask import Flask, Response
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from benchmarks.measure import Measured, seconds_a_call
from companion.data import LANGUAGES
from companion.engine.game import ScoreRequest, read_score_request, score_request
from companion.engine.problems import Node
from companion.games import GAMES
from companion.web import create_app
from companion.web.api.questions import answer_lines

SCORE = "/api/v1/games/spades/score"
DEAL = {"NS": {"bid": 5, "tricks": 8}, "EW": {"bid": 6, "tricks": 5}}
ASKED = {"sides": ["NS", "EW"], "deals": [DEAL]}
BODY = orjson.dumps(ASKED)


def ratios() -> Iterator[Measured]:
    """One score request, a kept page and a batch, each against its yardstick."""
    app = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:"})
    app.add_url_rule("/const", endpoint="const", view_func=_const, methods=["POST"])
    bare = Flask("bare")
    bare.add_url_rule("/const", view_func=_const, methods=["POST"])
    page = {"Accept-Encoding": "br"}
    const, within, scored, kept = seconds_a_call(
        request(bare, "POST", "/const", body=ASKED),
        request(app, "POST", "/const", body=ASKED),
        request(app, "POST", SCORE, body=ASKED),
        request(app, "GET", "/ja/rules/spades", page),
        times=100,
    )
    yield Measured("score request: speed against the const view of a bare Flask", const / scored, 0.25, ">=")
    yield Measured("const view: time in this shell against a bare Flask", within / const, 2.0, "<=")
    yield Measured("rule page: time against the const view of a bare Flask", kept / const, 3.0, "<=")
    pages = [_size(app, f"/{lang}/rules/{game}", page) for lang in LANGUAGES for game in GAMES]
    yield Measured("rule page, brotli: kilobytes of the largest", max(pages) / 1000, 14, "<=")

    game, lines = GAMES["spades"], [BODY] * 500
    spoilt = [*lines[:250], b"{", *lines[251:]]
    scoring, batch, with_bad = seconds_a_call(
        lambda: [score_request(game, _request_read()) for _ in lines],
        lambda: list(answer_lines(game, lines, "en")),
        lambda: list(answer_lines(game, spoilt, "en")),
        times=1,
    )
    yield Measured("batch of lines: time against the bare scoring loop", batch / scoring, 2.5, "<=")
    yield Measured("batch with one bad line: time against an all good one", with_bad / batch, 1.5, "<=")


def _size(app: Flask, path: str, headers: Mapping[str, str]) -> int:
    """Return the bytes of a response's body."""
    return len(app.test_client().get(path, headers=headers).data)


@lru_cache(maxsize=1)
def _request_read() -> ScoreRequest:
    request = read_score_request(GAMES["spades"], Node(orjson.loads(BODY)))
    assert request
    return request


def _const() -> Response:
    return Response(b"{}", mimetype="application/json")


def request(
    app: Flask,
    method: str,
    path: str,
    headers: Mapping[str, str] | None = None,
    body: object = None,
    *,
    status: int = 200,
) -> Callable[[], None]:
    """Return a call that sends one request through the application and reads the whole answer, of that status."""
    data = b"" if body is None else orjson.dumps(body)
    media = "application/json" if data else None
    environ = EnvironBuilder(
        path=path, method=method, data=data, content_type=media, headers=Headers(headers)
    ).get_environ()
    expected = str(status)

    def start(answered: str, headers: object, failure: object = None) -> None:
        if not answered.startswith(expected):
            raise RuntimeError(f"{path} was answered {answered}")

    def call() -> None:
        answer = app({**environ, "wsgi.input": io.BytesIO(data)}, start)
        for _ in answer:
            pass
        if hasattr(answer, "close"):
            answer.close()

    return call
