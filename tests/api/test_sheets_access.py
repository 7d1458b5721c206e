"""Every route of sheets with every kind of secret: what each may do, and that nothing tells them apart from outside."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from companion.web import create_app
from tests.conftest import fresh_access_log
from tests.sheet_client import NAMES, PREFIX, SheetClient, bearer, correct, record

NEEDED = {"watch": {"none": 401, "unknown": 404, "revoked": 404, "foreign": 404, "watch": 0, "score": 0},
          "score": {"none": 401, "unknown": 404, "revoked": 404, "foreign": 404, "watch": 403, "score": 0}}  # fmt: skip
ROUTES = [
    ("GET", "", "watch", None),
    ("GET", "/events", "watch", None),
    ("GET", "/export.json", "watch", None),
    ("GET", "/export.csv", "watch", None),
    ("GET", "/export.txt", "watch", None),
    ("POST", "/events", "score", record(5, 8, 4)),
    ("POST", "/preview", "score", correct(1, 5, 7, 4)),
    ("POST", "/what-if", "watch", {"rules": {}}),
    ("DELETE", "", "score", None),
    ("GET", "/links", "score", None),
    ("POST", "/links", "score", {"scope": "score"}),
    ("DELETE", "/links/{link}", "score", None),
]
CODES = {401: "unauthorized", 403: "forbidden", 404: "not-found"}


@pytest.fixture
def sheet(client: Any) -> SheetClient:
    opened = SheetClient(client)
    opened.written(record(5, 8, 4))
    return opened


def send(sheet: SheetClient, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
    link = sheet.get("/links").json["links"][0]["id"]
    headers = {**headers, "If-Match": f'"{sheet.version}"', "Idempotency-Key": "k"}
    return sheet.client.open(sheet.url + path.format(link=link), method=method, json=body, headers=headers)


def test_every_route_with_a_sheet_is_tried(app: Any) -> None:
    served = {
        (method, rule.rule.partition(">")[2].replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"{PREFIX}/<")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == {(method, path) for method, path, _, _ in ROUTES}


@pytest.mark.parametrize(("method", "path", "scope", "body"), ROUTES, ids=[f"{r[0]} {r[1]}" for r in ROUTES])
@pytest.mark.parametrize("kind", ["none", "unknown", "revoked", "foreign", "watch", "score"])
def test_every_route_with_every_secret(
    sheet: SheetClient, kind: str, method: str, path: str, scope: str, body: Any
) -> None:
    link, revoked = sheet.link("score")
    sheet.delete(f"/links/{link}")
    secrets = {
        "none": None, "unknown": "A" * 24, "revoked": revoked, "foreign": SheetClient(sheet.client).score,
        "watch": sheet.watch, "score": sheet.score,
    }  # fmt: skip
    before = sheet.get("/export.json").data, sheet.get("/links").data
    answer = send(sheet, method, path, body, bearer(secrets[kind]))
    expected = NEEDED[scope][kind]
    if not expected:
        assert answer.status_code in (200, 201, 204)
        return
    assert answer.status_code == expected
    assert answer.json["type"] == f"/problems/{CODES[expected]}"
    assert ("WWW-Authenticate" in answer.headers) == (expected == 401)
    assert (sheet.get("/export.json").data, sheet.get("/links").data) == before


def test_unknown_foreign_and_revoked_are_answered_alike(sheet: SheetClient, client: Any) -> None:
    link, revoked = sheet.link("watch")
    sheet.delete(f"/links/{link}")
    tries = [
        (sheet.url, revoked), (sheet.url, "A" * 24), (sheet.url, SheetClient(client).watch),
        (f"{PREFIX}/nowhere", sheet.score), (f"{PREFIX}/nowhere", "A" * 24), (f"{PREFIX}/%00", sheet.score),
    ]  # fmt: skip
    answers = [client.get(url, headers=bearer(secret)) for url, secret in tries]
    assert {answer.status_code for answer in answers} == {404}
    assert len({(a.json["type"], a.json["title"], a.json["detail"], tuple(a.json)) for a in answers}) == 1


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic QTpC", "{secret}", "Token {secret}", "Bearer=x"])
def test_a_secret_is_sent_as_a_bearer_or_not_at_all(sheet: SheetClient, header: str) -> None:
    answer = sheet.client.get(sheet.url, headers={"Authorization": header.format(secret=sheet.score)})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_secrets_in_a_query_a_path_or_a_cookie_open_nothing(sheet: SheetClient, client: Any) -> None:
    for query in (f"?token={sheet.score}", f"?secret={sheet.score}", f"?access_token={sheet.score}"):
        answer = client.get(sheet.url + query)
        assert (answer.status_code, [error["code"] for error in answer.json["errors"]]) == (422, ["unknown-key"])
        assert sheet.score not in answer.text
    for name in ("session", "companion", "Authorization"):
        client.set_cookie(name, sheet.score)
    with client.session_transaction() as session:
        session["keys"] = {sheet.id: sheet.score}
    assert client.get(sheet.url).status_code == 401
    assert client.post(f"{sheet.url}/events", json={"type": "undo"}).status_code == 401
    assert client.get(f"{PREFIX}/{sheet.score}").status_code == 401


def test_odd_secrets_are_unknown_ones(sheet: SheetClient) -> None:
    for secret in ("x" * 7000, "\xff\xfe", "a b", sheet.score + "=", sheet.score.swapcase(), f'"{sheet.score}"'):
        assert sheet.client.get(sheet.url, headers={"Authorization": f"Bearer {secret}"}).status_code == 404


def test_other_origins_may_write_with_the_secret_and_without_cookies(sheet: SheetClient) -> None:
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    answer = sheet.client.options(f"{sheet.url}/events", headers=asked)
    assert answer.status_code == 200
    allowed = answer.headers["Access-Control-Allow-Headers"]
    assert all(name in allowed for name in ("Authorization", "Idempotency-Key", "If-Match", "If-None-Match"))
    assert "Access-Control-Allow-Credentials" not in answer.headers
    headers = {**bearer(sheet.score), "Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site",
               "If-Match": f'"{sheet.version}"', "Idempotency-Key": "k"}  # fmt: skip
    written = sheet.client.post(f"{sheet.url}/events", json={"type": "undo"}, headers=headers)
    assert written.status_code == 201
    assert "Idempotent-Replayed" in written.headers["Access-Control-Expose-Headers"]


def test_an_erased_sheet_is_as_one_that_never_was(sheet: SheetClient, app: Any) -> None:
    app.extensions["companion-sheets"].erase(sheet.id)
    for secret in (sheet.score, sheet.watch):
        assert sheet.get(secret=secret).status_code == 404


def test_secrets_are_never_logged(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh_access_log(monkeypatch)
    caplog.set_level(logging.DEBUG)
    client = create_app({"ACCESS_LOG": True, "RATE_LIMIT": "off", "DATABASE": "memory:"}).test_client()
    sheet = SheetClient(client, seats=NAMES)
    _, secret = sheet.link("score", "Ben")
    sheet.write(record(5, 8, 4), secret=secret)
    sheet.get(secret=sheet.watch)
    sheet.get(secret="wrong" * 5)
    logged = caplog.text + "".join(capsys.readouterr())
    assert "/sheets/<sheet:sheet>" in logged
    for word in (sheet.watch, sheet.score, secret, "wrong" * 5, sheet.id):
        assert word not in logged
    assert "Bearer" not in logged


@pytest.mark.parametrize("method", ["PUT", "PATCH", "POST"])
def test_other_methods_are_named(sheet: SheetClient, method: str) -> None:
    answer = sheet.client.open(sheet.url, method=method, headers=bearer(sheet.score))
    assert (answer.status_code, "GET" in answer.headers["Allow"]) == (405, True)


def test_import_is_no_sheet(client: Any) -> None:
    answer = client.get(f"{PREFIX}/import")
    assert (answer.status_code, "GET" in answer.headers["Allow"]) == (405, False)
