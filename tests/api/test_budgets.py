"""What a client can make others pay is bounded in work: lines, problems, events, turns."""

from __future__ import annotations

import gc
import json
import time
import weakref
from importlib import import_module
from io import BytesIO
from typing import Any

import orjson
import pytest
from werkzeug.exceptions import TooManyRequests
from werkzeug.test import EnvironBuilder

from companion.engine.problems import MOST_COUNTED, MOST_PROBLEMS
from companion.games import GAMES
from companion.sheets import service
from companion.sheets import store as log
from companion.web import http
from companion.web.api.questions import answer_lines
from companion.web.http import WorkLimiter
from tests.conftest import one_of_three
from tests.keeper.phone import Phone
from tests.sheet_client import NAMES, SheetClient, record

questions = import_module("companion.web.api.questions")  # the package has a group of operations of that name
SCORE = "/api/v1/games/spades/score"
NDJSON = "application/x-ndjson"
GOOD = '{"NS":{"bid":5,"tricks":8},"EW":{"bid":6,"tricks":5}}'


def _score(deals: str) -> str:
    return f'{{"sides":["NS","EW"],"deals":[{deals}]}}'


@pytest.mark.parametrize(
    "body",
    [
        _score(",".join(["0"] * 19_999)),
        _score(",".join(['{"a":1}'] * 7_000)),
        _score('{"NS":{"bid":5,"tricks":8},"EW":{' + ",".join(f'"{key}":1' for key in range(6_000)) + "}}"),
        _score('{"NS":{"bid":5,"tricks":8,"nils":[' + ",".join(["0"] * 19_000) + ']},"EW":{}}'),
        "{" + ",".join(f'"{key}":1' for key in range(6_000)) + "}",
        '{"sides":[' + ",".join(["0"] * 19_000) + "]}",
    ],
    ids=["deals", "objects", "keys", "nils", "unknown keys", "sides"],
)
def test_a_body_full_of_faults_costs_no_more_than_a_body_full_of_deals(shared_client: Any, body: str) -> None:
    full = _score(",".join([GOOD] * (60_000 // len(GOOD))))
    shared_client.post(SCORE, data=full, content_type="application/json")
    took = []
    for sent in (full, body):
        began = time.process_time()
        answer = shared_client.post(SCORE, data=sent, content_type="application/json")
        took.append(time.process_time() - began)
    assert answer.status_code == 422
    assert 1 <= len(answer.json["errors"]) <= MOST_PROBLEMS
    assert took[1] < max(took[0] * 5, 0.5)


@pytest.mark.parametrize(
    ("deals", "more"), [(MOST_PROBLEMS // 2 - 1, None), (40, 30), (1_300, MOST_COUNTED - MOST_PROBLEMS)]
)
def test_a_wrong_request_has_its_first_problems_and_says_that_there_are_more(
    shared_client: Any, deals: int, more: int | None
) -> None:
    sent = _score(",".join(["{}"] * deals))
    answer = shared_client.post(SCORE, data=sent, content_type="application/json")
    assert len(answer.json["errors"]) == min(2 * deals, MOST_PROBLEMS)  # both sides are missing
    assert answer.json.get("more") == more
    assert len(answer.data) < 10_000

    def taken(body: str) -> float:
        began = time.process_time()
        shared_client.post(SCORE, data=body, content_type="application/json")
        return time.process_time() - began

    # Milliseconds of a usual machine; on a slower one it stays as many times what 40 deals take.
    assert one_of_three(lambda: taken(sent) < max(0.012, 3.4 * taken(_score(",".join(["{}"] * 40)))))


def test_a_batch_has_so_many_lines(shared_client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MOST_LINES", 50)
    for count, status, lines in ((50, 200, 50), (51, 413, 1)):
        answer = shared_client.post(f"{SCORE}/batch", data=b"{}\n" * count, content_type=NDJSON)
        assert (answer.status_code, len(answer.data.splitlines())) == (status, lines)


def test_a_batch_has_so_much_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MOST_SECONDS", 0.005)
    lines = b"".join(answer_lines(GAMES["spades"], [_score(GOOD).encode()] * 2_000, "en")).splitlines()
    answers = [json.loads(line) for line in lines]
    assert len(answers) == 2_000
    assert "standing" in answers[0]
    assert (answers[-1]["type"], answers[-1]["line"]) == ("/problems/unavailable", 2_000)


def _refused(limiter: WorkLimiter, address: str) -> None:
    with pytest.raises(TooManyRequests) as refused, limiter.slot(address):
        pass
    assert int(refused.value.get_response().headers["Retry-After"]) > 0


def test_an_address_has_one_slot_and_all_have_two() -> None:
    limiter = WorkLimiter(at_once=2)
    with limiter.slot("b"):
        with limiter.slot("a"):
            _refused(limiter, "a")
            _refused(limiter, "c")
        with limiter.slot("c"):
            _refused(limiter, "a")
    with limiter.slot("a"), limiter.slot("b"):
        pass


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/v1/games/spades/score/batch", "/api/v1/sheets/import", SCORE]
)
def test_a_body_that_is_refused_is_read_first(app: Any, path: str) -> None:
    """A proxy that is still sending when the server closes the connection reports 502 in place of the refusal."""
    sent = BytesIO(b"x" * 3_000_000)
    environ = {"wsgi.input": sent, "CONTENT_LENGTH": "3000000"}
    answer = app.test_client().post(path, environ_overrides=environ, content_type="application/json")
    assert answer.status_code >= 400
    assert sent.read(1) == b""


def test_of_a_body_that_is_refused_so_much_is_read(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "DRAINED", 1_000_000)
    sent = BytesIO(b"x" * 3_000_000)
    app.test_client().post("/nothing", environ_overrides={"wsgi.input": sent, "CONTENT_LENGTH": "3000000"})
    assert 1_000_000 <= sent.tell() < 1_100_000


def test_batches_and_imports_take_turns(app: Any) -> None:
    client = app.test_client()
    begun = client.post(f"{SCORE}/batch", data=b"{}\n" * 3_000, content_type=NDJSON)
    others = [
        client.post(f"{SCORE}/batch", data=b"{}\n", content_type=NDJSON),
        client.post("/api/v1/sheets/import", json={}),
    ]
    for answer in others:
        assert (answer.status_code, answer.json["type"]) == (429, "/problems/too-many-requests")
        assert int(answer.headers["Retry-After"]) > 0
    assert client.post(SCORE, json={}).status_code == 422
    assert len(begun.data.splitlines()) == 3_000
    for _ in range(2):  # a turn ends with the answer, also when the client has gone before its end
        client.post(f"{SCORE}/batch", data=b"{}\n" * 3_000, content_type=NDJSON).close()
    assert client.post("/api/v1/sheets/import", json={}).status_code == 422
    assert client.post("/api/v1/sheets/import", json={}).status_code == 422


def test_an_import_has_its_turn_until_it_is_done(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    client, statuses = app.test_client(), []
    phone = Phone(app.test_client())
    phone.get("/en/sheets/import")
    loads = orjson.loads
    (form,) = [form for form in phone.page.forms if form.action.endswith("/sheets/import")]

    def read_slowly(text: bytes) -> object:
        if text != b"{}":
            return loads(text)  # the cookie
        statuses.append(client.post(f"{SCORE}/batch", data=b"{}\n", content_type=NDJSON).status_code)
        return {}

    monkeypatch.setattr(orjson, "loads", read_slowly)
    assert client.post("/api/v1/sheets/import", json={}).status_code == 422
    file = {**dict(form.fields), "file": (BytesIO(b"{}"), "sheet.json")}
    assert phone.client.post("/en/sheets/import", data=file).status_code == 422
    assert statuses == [429, 429]


def test_a_sheet_has_so_many_events(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_EVENTS", 4)
    sheet = SheetClient(request.getfixturevalue("app").test_client())  # a service takes the number when it is made
    assert sheet.write(record(4, 6, 4)).status_code == 201
    assert sheet.write({"type": "write_note", "note": "4"}).status_code == 201
    answer = sheet.write({"type": "write_note", "note": "5"})
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (422, "sheet-full")
    assert "4" in answer.json["detail"]


def test_a_file_of_too_many_events_is_refused_at_once(app: Any) -> None:
    events = [{"seq": 1}] * (log.MAX_EVENTS + 1)
    file = {"format": "companion-sheet", "format_version": 1, "events": events}
    answer = app.test_client().post("/api/v1/sheets/import", json=file)
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (422, "length")


def test_a_page_of_events_reads_that_page_alone(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = SheetClient(app.test_client())
    for number in range(6):
        assert sheet.write({"type": "write_note", "note": str(number)}).status_code == 201
    store = app.extensions["companion-sheets"].store
    read, counts = store.read, []

    def counting(*asked: Any) -> Any:
        found = read(*asked)
        counts.append(len(found))
        return found

    monkeypatch.setattr(store, "read", counting)
    assert len(sheet.get("/events?limit=2").json["events"]) == 2
    assert counts == [3]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/sheets/import", {"format": "companion-sheet", "format_version": 1, "events": [{"data": {}}]}),
        (SCORE, {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": "x"}}]}),
        ("/api/v1/sheets", {"seats": NAMES, "game": "nothing"}),
    ],
)
def test_what_is_refused_is_not_kept(app: Any, path: str, body: object) -> None:
    """Red where an error and a frame keep each other, and all that was sent, until garbage is looked for."""
    sent = json.dumps(body).encode()
    stream = BytesIO(sent)
    kept = weakref.ref(stream)
    environ = EnvironBuilder(path, method="POST", content_type="application/json").get_environ()
    environ |= {"wsgi.input": stream, "CONTENT_LENGTH": str(len(sent))}
    statuses: list[str] = []
    del stream
    gc.disable()
    try:
        answer = app(environ, lambda status, headers, failure=None: statuses.append(status))
        b"".join(answer)
        answer.close()
        del answer, environ
        assert kept() is None
    finally:
        gc.enable()
    assert statuses[0].startswith("4")
