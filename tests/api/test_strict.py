"""What a request says and no operation reads is refused: query parameters, encodings of bodies; and why JSON is."""

from __future__ import annotations

import gzip
import json
import time
from typing import Any

import pytest

from companion.library import json_value
from companion.web.api import examples

SCORE = "/api/v1/games/spades/score"


@pytest.mark.parametrize(
    ("method", "path", "key", "allowed"),
    [
        ("POST", f"{SCORE}?rules=modern", "rules", ["lang"]),
        ("POST", f"{SCORE}?lang=ja&afer=7", "afer", ["lang"]),
        ("GET", "/api/v1/games?limit=1", "limit", ["lang"]),
        (
            "GET",
            "/api/v1/articles?q=nil&gmae=spades",
            "gmae",
            ["cursor", "game", "kind", "lang", "limit", "q", "rules"],
        ),
        ("POST", f"{SCORE}/batch?id=1", "id", ["lang"]),
        ("GET", "/api/v1/sheets/nowhere/events?afer=7", "afer", ["after", "cursor", "lang", "limit"]),
    ],
)
def test_a_query_parameter_that_no_operation_reads_is_refused(
    shared_client: Any, method: str, path: str, key: str, allowed: list[str]
) -> None:
    sent = examples.SCORE["spades"] if method == "POST" else None
    media = "application/x-ndjson" if "batch" in path else "application/json"
    answer = shared_client.open(path, method=method, data=json.dumps(sent), content_type=media)
    assert answer.status_code == 422
    [error] = answer.json["errors"]
    assert (error["code"], error["pointer"], error["allowed"]) == ("unknown-key", f"/{key}", allowed)


@pytest.mark.parametrize("path", [SCORE, f"{SCORE}/batch", "/api/v1/sheets"])
def test_an_encoded_body_is_refused_as_such(shared_client: Any, path: str) -> None:
    body = gzip.compress(json.dumps(examples.SCORE["spades"]).encode())
    media = "application/x-ndjson" if path.endswith("batch") else "application/json"
    answer = shared_client.post(path, data=body, content_type=media, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 415
    assert answer.headers["Accept-Encoding"] == "identity"


def test_an_identical_encoding_is_none(shared_client: Any) -> None:
    answer = shared_client.post(SCORE, json=examples.SCORE["spades"], headers={"Content-Encoding": "identity"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("[" * 5_000 + "]" * 5_000, "depth"),
        ('{"deals": ' + "9" * 400 + "}", "range"),
        ('{"deals": [1e400]}', "range"),
    ],
)
@pytest.mark.parametrize("path", [SCORE, f"{SCORE}/batch"])
def test_deep_json_and_huge_numbers_are_valid_json(shared_client: Any, path: str, body: str, code: str) -> None:
    media = "application/x-ndjson" if path.endswith("batch") else "application/json"
    answer = shared_client.post(path, data=body, content_type=media)
    document = json.loads(answer.data)
    assert document["type"] == "/problems/invalid-input"
    assert [error["code"] for error in document["errors"]] == [code]
    assert len(answer.data) < 1_000


@pytest.mark.parametrize(
    ("deal", "pointer"),
    [
        (f'{{"NS": {{"bid": {"9" * 400}, "tricks": 1}}}}', "/deals/0/NS/bid"),
        ('{"NS": [1, {"x": -1e400}]}', "/deals/0/NS/1/x"),
    ],
)
def test_a_huge_number_is_pointed_at(shared_client: Any, deal: str, pointer: str) -> None:
    body = f'{{"sides": ["NS", "EW"], "deals": [{deal}]}}'
    [error] = shared_client.post(SCORE, data=body, content_type="application/json").json["errors"]
    assert (error["code"], error["pointer"]) == ("range", pointer)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'{"sides":["\xff","EW"],"deals":[]}', (1, 12)),
        (b'{"sides":\n ["\xe3\x81\x82\xff","EW"]}', (2, 5)),
        (b'{"sides":["NaN"],\n"deals":[NaN]}', (2, 10)),
    ],
)
def test_what_is_no_json_is_pointed_at(shared_client: Any, body: bytes, place: tuple[int, int]) -> None:
    document = shared_client.post(SCORE, data=body, content_type="application/json").json
    assert (document["line"], document["column"]) == place
    with pytest.raises(json.JSONDecodeError) as found:
        json_value(body)
    assert (found.value.lineno, found.value.colno) == place


@pytest.mark.parametrize(
    ("opening", "allowed"),
    [
        ({}, ["sides", "deals", "rules", "opening", "game", "title"]),
        ({"NS": {"foo": 3}}, ["total", "bags", "sets", "sets_in_row"]),
    ],
)
def test_every_key_that_is_accepted_is_named(shared_client: Any, opening: Any, allowed: list[str]) -> None:
    sent = {"sides": ["NS", "EW"], "deals": [], "opening": opening} | ({} if opening else {"wat": 1})
    [error] = shared_client.post(SCORE, json=sent).json["errors"]
    assert error["allowed"] == allowed


@pytest.mark.parametrize(("lang", "word"), [("en", "characters"), ("ja", "文字")])
def test_a_text_that_is_too_long_is_measured_in_characters(shared_client: Any, lang: str, word: str) -> None:
    opened = {"seats": [{"id": "A", "name": "Aki"}, {"id": "B", "name": "Ben"}], "title": "x" * 500}
    [error] = shared_client.post(f"/api/v1/sheets?lang={lang}", json=opened).json["errors"]
    assert (error["code"], error["pointer"]) == ("length", "/title")
    assert word in error["detail"]
    [error] = shared_client.get(f"/api/v1/articles?lang={lang}&q={'x' * 1_000}").json["errors"]
    assert word in error["detail"]


def test_an_unknown_key_names_the_known_ones(shared_client: Any) -> None:
    request = examples.SCORE["spades"]
    [error] = shared_client.post(SCORE, json={**request, "deels": []}).json["errors"]
    assert (error["code"], error["pointer"]) == ("unknown-key", "/deels")
    assert "deals" in error["allowed"]
    sides = [{"id": "NS", "plaiers": []}, {"id": "EW"}]
    errors = shared_client.post(SCORE, json={**request, "sides": sides}).json["errors"]
    assert {"players"} <= set(next(e for e in errors if e["code"] == "unknown-key")["allowed"])


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/", "/api/nowhere", "/api/v2"])
def test_whatever_is_below_api_is_answered_with_problem_documents(shared_client: Any, path: str) -> None:
    answer = shared_client.get(path)
    assert answer.status_code in (200, 404)
    if answer.status_code == 404:
        assert answer.content_type == "application/problem+json"


def test_a_text_that_never_closes_is_refused_at_once() -> None:
    """A search for NaN began anew at each of its quotes."""
    began = time.process_time()
    with pytest.raises(json.JSONDecodeError):
        json_value(b"[" * 100_000 + b'"' + b'\\"' * 80_000)
    assert time.process_time() - began < 5
