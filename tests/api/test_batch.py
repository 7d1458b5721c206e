"""Batches: in order, bad lines alone, thousands of them without holding them."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.games import GAMES
from companion.web.api.questions import LINE_LIMIT, answer_lines, bounded_lines

PATH = "/api/v1/games/spades/score/batch"
KIND = "application/x-ndjson"


def _line(tricks: int = 8) -> bytes:
    deal = {"NS": {"bid": 5, "tricks": tricks}, "EW": {"bid": 6, "tricks": 13 - tricks}}
    return json.dumps({"sides": ["NS", "EW"], "deals": [deal]}).encode() + b"\n"


def _post(client: Any, body: bytes, kind: str = KIND) -> Any:
    return client.post(PATH, data=body, content_type=kind)


def test_ten_thousand_lines_with_bad_ones_between(shared_client: Any) -> None:
    bad = {10: b"{\n", 500: b'{"sides": 3}\n', 9_999: b'"\xff"\n'}
    answer = _post(shared_client, b"".join(bad.get(n, _line(n % 14)) for n in range(1, 10_001)))
    lines = [json.loads(line) for line in answer.data.splitlines()]
    assert (answer.status_code, answer.mimetype, len(lines)) == (200, KIND, 10_000)
    assert {n: line["type"] for n, line in enumerate(lines, start=1) if "type" in line} == {
        10: "/problems/malformed-json",
        500: "/problems/invalid-input",
        9_999: "/problems/malformed-json",
    }
    assert all(lines[n - 1]["line"] == n for n in bad)
    single = shared_client.post("/api/v1/games/spades/score", json=json.loads(_line(3))).json
    assert lines[2] == {"line": 3, **single}
    assert [line["line"] for line in lines] == list(range(1, 10_001))


def test_last_line_needs_no_newline_and_empty_lines_are_answered(shared_client: Any) -> None:
    answer = _post(shared_client, b"\n" + _line() + b"\r\n  \n" + _line().rstrip())
    lines = [json.loads(line) for line in answer.data.splitlines()]
    assert [(line["line"], line.get("type")) for line in lines] == [
        (1, "/problems/malformed-json"),
        (2, None),
        (3, "/problems/malformed-json"),
        (4, "/problems/malformed-json"),
        (5, None),
    ]


def test_a_line_may_have_an_id_which_its_answer_has_too(shared_client: Any) -> None:
    request = json.loads(_line())
    sent = [
        {"id": "first", **request},
        {"id": "second", "sides": 3},
        {"id": "x" * 101, **request},
        {"id": 7, **request},
    ]
    body = b"".join(json.dumps(each).encode() + b"\n" for each in [*sent, request])
    lines = [json.loads(line) for line in _post(shared_client, body).data.splitlines()]
    assert [(line["line"], line.get("id")) for line in lines] == [
        (1, "first"), (2, "second"), (3, None), (4, None), (5, None),
    ]  # fmt: skip
    assert ["standing" in line for line in lines] == [True, False, False, False, True]
    assert [lines[n]["errors"][0]["pointer"] for n in (2, 3)] == ["/id", "/id"]


def test_line_that_is_too_long_fails_alone(shared_client: Any) -> None:
    long = b'{"x": "' + b"y" * (3 * LINE_LIMIT) + b'"}\n'
    lines = [json.loads(line) for line in _post(shared_client, _line() + long + _line()).data.splitlines()]
    assert ["type" in line for line in lines] == [False, True, False]
    assert lines[1]["type"] == "/problems/too-large"


def test_line_with_a_key_twice_fails_alone(shared_client: Any) -> None:
    doubled = _line().replace(b'"bid": 5', b'"bid": 5, "bid": 4')
    lines = [json.loads(line) for line in _post(shared_client, _line() + doubled + _line()).data.splitlines()]
    assert ["type" in line for line in lines] == [False, True, False]
    assert lines[1]["errors"][0]["pointer"] == "/deals/0/NS/bid"
    assert lines[1]["errors"][0]["code"] == "duplicate-key"


def test_line_of_just_the_limit_is_read() -> None:
    full = b"x" * (LINE_LIMIT - 1) + b"\n"
    assert list(bounded_lines(io.BytesIO(full + b"x" + full + b"end"))) == [full, None, b"end"]


def test_problems_of_lines_are_in_the_language_asked_for(shared_client: Any) -> None:
    answer = shared_client.post(f"{PATH}?lang=ja", data=b"{\n", content_type=KIND)
    assert json.loads(answer.data)["title"] == "正しいJSONではありません"
    assert answer.headers["Content-Language"] == "ja"


def test_other_media_types_are_415(shared_client: Any) -> None:
    assert _post(shared_client, _line(), "application/json").status_code == 415


def test_body_beyond_the_limit_is_413(app: Any) -> None:
    app.config["BATCH_CONTENT_LENGTH"] = 100
    assert _post(app.test_client(), _line() * 3).status_code == 413


def test_memory_does_not_grow_with_the_lines() -> None:
    def lines(count: int) -> Iterator[bytes]:
        yield from (_line(n % 14) for n in range(count))

    tracemalloc.start()
    answered = sum(len(answer) for answer in answer_lines(GAMES["spades"], lines(4_000), "en"))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < answered / 4


def test_a_batch_of_recorded_deals_answers_each_as_if_asked_alone(shared_client: Any) -> None:
    replayed = {name: game for name, game in GAMES.items() if "replay" in game.examples}
    assert replayed
    for name, game in replayed.items():
        deal = {key: part for key, part in game.examples["replay"].items() if key != "id"}
        spoilt = {**deal, "rules": {"preset": "none"}}
        sent = [{"id": "one", **deal}, spoilt, deal]
        body = b"".join(json.dumps(each).encode() + b"\n" for each in sent)
        answer = shared_client.post(f"/api/v1/games/{name}/replay/batch", data=body, content_type=KIND)
        lines = [json.loads(line) for line in answer.data.splitlines()]
        single = shared_client.post(f"/api/v1/games/{name}/replay", json=deal).json
        assert (answer.status_code, answer.mimetype) == (200, KIND)
        assert lines[0] == {"line": 1, "id": "one", **single}
        assert (lines[1]["line"], lines[1]["type"]) == (2, "/problems/invalid-input")
        assert lines[2] == {"line": 3, **single}


def test_games_without_replay_have_no_batch_of_it(shared_client: Any) -> None:
    assert shared_client.post("/api/v1/games/none/replay/batch", data=b"", content_type=KIND).status_code == 404


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
@pytest.mark.parametrize(("line", "column"), [('{"sides":', 10), ('{"a" 1}', 6), ("", 1)])
def test_a_line_that_is_no_json_says_in_which_column(
    shared_client: Any, tmp_path: Path, ending: str, line: str, column: int
) -> None:
    """Also one that is cut off: the line break behind it does not count."""
    text = f"{{}}{ending or chr(10)}{line}{ending}"
    sent = shared_client.post("/api/v1/games/spades/score/batch", data=text, content_type="application/x-ndjson")
    answers = [json.loads(each) for each in sent.data.splitlines()][1:]
    (tmp_path / "lines.ndjson").write_bytes(text.encode())
    run = CliRunner().invoke(cli, ["batch", "--game", "spades", "--lang", "en", str(tmp_path / "lines.ndjson")])
    assert [json.loads(each) for each in run.stdout.splitlines()][1:] == answers
    if line or ending:
        assert [(answer["line"], answer["column"]) for answer in answers] == [(2, column)]
