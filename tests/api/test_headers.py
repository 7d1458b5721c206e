"""What stands around every answer: ids, languages, other origins, limits."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from limits.storage import MemoryStorage

from companion.web import create_app
from companion.web.http import OPENING, Counts, client_of

SCORE = "/api/v1/games/spades/score"


def _limited(limit: str) -> Any:
    return create_app({"TESTING": True, "RATE_LIMIT": limit, "DATABASE": "memory:"}).test_client()


def test_ids_of_requests_are_made_or_taken_over_when_harmless(shared_client: Any) -> None:
    def sent(own: str) -> str:
        return str(shared_client.get("/healthz", headers={"X-Request-Id": own}).headers["X-Request-Id"])

    assert sent("abc-DEF_12345") == "abc-DEF_12345"
    made = {sent(""), sent("short"), sent("x" * 65), sent("no spaces here"), sent("<script>alert(1)")}
    assert len(made) == 5
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{8,64}", each) for each in made)


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/nope", "/api/v1/openapi.json"])
def test_any_origin_may_read_without_credentials(shared_client: Any, path: str) -> None:
    answer = shared_client.get(path, headers={"Origin": "https://elsewhere.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]


def test_any_origin_may_ask_first_and_then_score(shared_client: Any) -> None:
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    answer = shared_client.options(SCORE, headers=asked)
    assert answer.status_code == 200
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in answer.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("path", ["/", "/healthz", "/en/rules/spades", "/api/docs"])
def test_pages_are_not_for_other_origins(shared_client: Any, path: str) -> None:
    assert "Access-Control-Allow-Origin" not in shared_client.get(path).headers


def test_limit_is_reported_and_kept() -> None:
    client = _limited("3 per minute")
    answers = [client.get("/api/v1/games") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    for left, answer in zip((2, 1, 0, 0), answers, strict=True):
        assert answer.headers["RateLimit-Policy"] == '"default";q=3;w=60'
        assert re.fullmatch(rf'"default";r={left};t=\d+', answer.headers["RateLimit"])
    assert 1 <= int(answers[3].headers["Retry-After"]) <= 61
    assert answers[3].mimetype == "application/problem+json"
    assert answers[3].json["type"] == "/problems/too-many-requests"
    page = client.get("/ja/rules")
    assert (page.status_code, page.mimetype) == (429, "text/html")
    assert "リクエストが多すぎます" in page.text
    assert client.get("/healthz").status_code == 200


def _opening(limit: str) -> Any:
    settings = {"TESTING": True, "OPENING_LIMIT": limit, "DATABASE": "memory:"}
    return create_app(settings)


def test_opening_sheets_has_a_limit_of_its_own() -> None:
    client = _opening("2 per hour").test_client()
    body = {"game": "spades", "seats": ["Ann", "Bo", "Cy", "Di"]}
    answers = [client.post("/api/v1/sheets", json=body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert answers[0].headers["RateLimit-Policy"] == '"default";q=6000;w=60, "opening";q=2;w=3600'
    for left, answer in zip((1, 0, 0), answers, strict=True):
        assert re.fullmatch(rf'"default";r=\d+;t=\d+, "opening";r={left};t=\d+', answer.headers["RateLimit"])
    assert 3500 <= int(answers[2].headers["Retry-After"]) <= 3601
    assert client.post("/api/v1/sheets/import", json={}).status_code == 429
    page = client.post("/ja/sheets/new/spades", data={})
    assert (page.status_code, page.mimetype) == (429, "text/html")
    assert client.post("/ja/sheets/import", data={}).status_code == 429
    assert client.get("/ja/sheets/new/spades").status_code == client.post(SCORE, json={}).status_code - 222 == 200


def test_limit_of_opening_names_endpoints_that_there_are() -> None:
    app = _opening("off")
    assert {rule.endpoint for rule in app.url_map.iter_rules()} >= OPENING - {"phone.import_offline"}
    body = {"game": "spades", "seats": ["Ann", "Bo", "Cy", "Di"]}
    assert "opening" not in app.test_client().post("/api/v1/sheets", json=body).headers["RateLimit-Policy"]


def test_counts_begin_anew_with_their_window_and_forget_who_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("companion.web.http.time.time", lambda: clock[0])
    counts = Counts(60)
    assert [counts.hit("a"), counts.hit("a"), counts.hit("b")] == [(1, 1060.0), (2, 1060.0), (1, 1060.0)]
    clock[0] = 1061
    assert counts.hit("b") == (1, 1121.0)
    assert len(counts) == 1


def test_counts_miss_nobody_who_comes_at_the_same_time() -> None:
    counts = Counts(3600)
    threads = [threading.Thread(target=lambda: [counts.hit("a") for _ in range(500)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts.hit("a")[0] == 4001


def test_shared_store_counts_likewise(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = MemoryStorage()
    monkeypatch.setattr("limits.storage.storage_from_string", lambda address: shared)
    settings = {"TESTING": True, "RATE_LIMIT": "3 per minute", "RATE_STORE": "elsewhere://", "DATABASE": "memory:"}
    one, other = (create_app(settings).test_client() for _ in range(2))
    assert [client.get("/api/v1/games").status_code for client in (one, other, one, other)] == [200, 200, 200, 429]


def test_default_limit_lets_hundreds_through() -> None:
    client = create_app({"TESTING": True, "DATABASE": "memory:"}).test_client()
    answers = [client.get("/api/v1/games") for _ in range(600)]
    assert {answer.status_code for answer in answers} == {200}
    allowed, left = (re.search(r"[qr]=(\d+)", answers[-1].headers[name]) for name in ("RateLimit-Policy", "RateLimit"))
    assert allowed
    assert left
    assert int(allowed[1]) - int(left[1]) == 600


def test_limit_can_be_turned_off_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_RATE_LIMIT", "off")
    answer = create_app({"TESTING": True, "DATABASE": "memory:"}).test_client().get("/api/v1/games")
    assert "RateLimit" not in answer.headers


def test_address_of_a_client_comes_from_a_proxy_only_by_setting() -> None:
    def answers(proxies: int) -> list[int]:
        settings = {"TESTING": True, "RATE_LIMIT": "1 per minute", "PROXIES": proxies, "DATABASE": "memory:"}
        client = create_app(settings).test_client()
        return [client.get("/ja/", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in (1, 2)]

    assert answers(0) == [200, 429]
    assert answers(1) == [200, 200]


def test_published_cases_are_served_one_a_line(shared_client: Any) -> None:
    answer = shared_client.get("/api/v1/games/spades/vectors")
    assert answer.mimetype == "application/x-ndjson"
    lines = answer.data.splitlines()
    assert len(lines) > 100
    assert all(b'"/games/spades/' in line for line in lines)


def test_a_browser_that_asks_first_is_not_counted() -> None:
    client = _limited("2 per minute")
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    for _ in range(5):
        answer = client.options(SCORE, headers=asked)
        assert (answer.status_code, "RateLimit" in answer.headers) == (200, False)
    assert client.get("/api/v1/games").status_code == 200
    assert client.options(SCORE).status_code == 200
    assert client.options(SCORE).status_code == 429


def test_a_shared_store_that_is_away_lets_each_process_count_for_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Away(MemoryStorage):
        base_exceptions = ConnectionError

        def incr(self, key: str, expiry: float, amount: int = 1) -> int:
            raise ConnectionError("secret address")

    monkeypatch.setattr("limits.storage.storage_from_string", lambda _: Away())
    settings = {"TESTING": True, "RATE_LIMIT": "3 per minute", "RATE_STORE": "elsewhere://", "DATABASE": "memory:"}
    client = create_app(settings).test_client()
    assert [client.get("/api/v1/games").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert [record.getMessage() for record in caplog.records] == ["counts not shared: ConnectionError"]


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_client_is_an_address_or_the_network_of_a_subscriber(address: str, client: str) -> None:
    assert client_of({"REMOTE_ADDR": address}) == client


def test_processor_time_is_counted_and_refused_like_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def passing() -> float:
        clock[0] += 0.4
        return clock[0]

    monkeypatch.setattr("companion.web.http.time.thread_time", passing)
    settings = {"TESTING": True, "WORK_LIMIT": "1 per minute", "DATABASE": "memory:"}
    client = create_app(settings).test_client()
    answers = [client.get("/api/v1/games") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert '"work";r=0' in answers[-1].headers["RateLimit"]
    assert "work" not in answers[0].headers["RateLimit"]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert client.get("/healthz").status_code == 200
