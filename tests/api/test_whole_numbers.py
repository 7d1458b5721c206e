"""A number without a fraction is a whole number, `8.0` as well as `8`, wherever JSON is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from companion import library as companion
from companion.cli import cli
from companion.conformance import published
from companion.engine import shapes as s
from companion.games import GAMES
from companion.library import json_value, whole_numbers
from companion.sheets.events import read_command
from companion.sheets.shapes import to_json
from companion.web.api import examples
from companion.web.api.http import json_value as web_json_value
from tests.engine.test_shapes import MIXED, MOVE, PART, RUBBISH, SHAPES, WHOLE, outcome
from tests.sheet_client import SheetClient, record

CASES = published()
EXACT = 2**53
"""Whole numbers below it have a number with a fraction of zeros that is the same."""


def with_fractions(value: Any) -> Any:
    """The value with every whole number as a number with a fraction of zeros."""
    if isinstance(value, dict):
        return {key: with_fractions(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_fractions(item) for item in value]
    return float(value) if type(value) is int and abs(value) < EXACT else value


def typed(value: Any) -> str:
    """The value as text: 8 and 8.0 are different, and so is the order of keys."""
    return json.dumps(value, ensure_ascii=False)


def numbers(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from numbers(item)
    if type(value) in (int, float):
        yield value


def test_published_cases_have_the_same_answer(shared_client: Any) -> None:
    """Nothing differs: not what is refused, not what a problem quotes."""
    tried = 0
    for case in CASES:
        spoilt = with_fractions(case["request"])
        tried += any(True for _ in numbers(spoilt))
        answers = [shared_client.post(f"/api/v1{case['post']}", json=each) for each in (case["request"], spoilt)]
        first, again = (answer.json | {"instance": ""} for answer in answers)
        assert answers[0].status_code == answers[1].status_code, case["id"]
        assert typed(first) == typed(again), case["id"]
    assert tried > len(CASES) / 2


def test_a_batch_has_the_same_answers(shared_client: Any) -> None:
    for game in GAMES:
        requests = [case["request"] for case in CASES if case["post"] == f"/games/{game}/score"]
        answers = [
            shared_client.post(
                f"/api/v1/games/{game}/score/batch",
                data="\n".join(json.dumps(each) for each in sent),
                content_type="application/x-ndjson",
            ).data
            for sent in (requests, with_fractions(requests))
        ]
        assert requests
        assert answers[0] == answers[1]


@given(st.sampled_from(SHAPES), st.one_of(RUBBISH, PART, WHOLE, MOVE, MIXED))
def test_the_readers_of_the_engine_find_the_same(shape: Any, value: Any) -> None:
    """Whatever is sent as text: what the compiled reader builds or marshmallow refuses."""
    texts = [json.dumps(each).encode() for each in (value, with_fractions(value))]
    assume(not any(b"Infinity" in text for text in texts))
    for reader in (s.read, s.load):
        first, again = (outcome(reader, shape, json_value(text)) for text in texts)
        assert first == again


@pytest.mark.parametrize("command", examples.COMMANDS.values(), ids=list(examples.COMMANDS))
def test_commands_are_read_as_the_same(command: Any) -> None:
    spoilt = json_value(json.dumps(with_fractions(command)).encode())
    assert to_json(read_command(spoilt)) == to_json(read_command(command))
    assert typed(spoilt) == typed(command)


@pytest.mark.parametrize("game", GAMES)
def test_the_library_returns_the_same(game: str) -> None:
    examples = GAMES[game].examples
    for name in {"score", "check", "moves", "replay"} & examples.keys():
        function = getattr(companion, name)
        assert typed(function(game, examples[name])) == typed(function(game, with_fractions(examples[name])))
    rules = companion.rules(game)
    assert typed(companion.rules(game, with_fractions({"options": rules["options"]}))["options"]) == typed(
        companion.rules(game, {"options": rules["options"]})["options"]
    )


def test_a_sheet_keeps_whole_numbers(app: Any) -> None:
    """Whatever was sent: the log, the sheet and the file of a sheet say 8. Repeated with a fraction, it is the same."""
    sheet = SheetClient(app.test_client())
    command = record(4, 6, 4)
    first = sheet.write(with_fractions(command), key="once")
    assert first.status_code == 201
    again = sheet.write(command, key="once")
    assert (again.status_code, again.json) == (first.status_code, first.json)
    for path in ("", "/events", "/export.json"):
        found = list(numbers(sheet.get(path).json))
        assert found
        assert all(type(number) is int for number in found), path
    preview = sheet.post("/preview", with_fractions(record(5, 5, 4)))
    assert preview.status_code == 200
    assert all(type(number) is int for number in numbers(preview.json))


def test_a_command_line_reads_the_same(tmp_path: Any) -> None:
    request = {"game": "spades", **GAMES["spades"].examples["score"]}
    table = "NS.bid,NS.tricks,EW.bid,EW.tricks\n5,8,6,5\n"
    printed = []
    for name, text in (
        ("a.json", json.dumps(request)),
        ("b.json", json.dumps(with_fractions(request))),
        ("a.csv", table),
        ("b.csv", table.replace("8", "8.0").replace("6", "6.00")),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        run = CliRunner().invoke(cli, ["score", str(tmp_path / name), "--game", "spades", "--lang", "en"])
        assert run.exit_code == 0
        printed.append(run.output)
    assert printed[0] == printed[1]
    assert printed[2] == printed[3]


@pytest.mark.parametrize("read", [json_value, web_json_value])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8.0", 8), ("-0.0", 0), ("1e1", 10), ("1E+2", 100), ("80e-1", 8), ("8.5", 8.5), ("1e-1", 0.1),
        ("[8.0]", [8]), ('{"a": [1, {"b": 2.0}], "c": "8.0"}', {"a": [1, {"b": 2}], "c": "8.0"}), ("1e300", 1e300),
    ],
)  # fmt: skip
def test_numbers_as_json_schema_counts_them(read: Any, text: str, value: object) -> None:
    assert typed(read(text.encode())) == typed(value)


def test_numbers_beyond_what_is_exact_stay_as_they_are() -> None:
    assert typed(whole_numbers([2.0**63, -(2.0**63), 2.0**64, float("inf")])) == typed(
        [2**63, -(2**63), 2.0**64, float("inf")]
    )
