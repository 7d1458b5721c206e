"""What makes something honours Idempotency-Key: the same request sent again makes nothing and has the same answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from companion.sheets import events as games
from companion.web import create_app
from companion.web.api.sheets import LONG_KEY
from tests.group_client import GroupClient
from tests.sheet_client import PREFIX, SheetClient, bearer, record

SEATS = {"seats": ["Aki", "Ben", "Chie", "Dai"], "game": "spades"}
UUID = "0d9f1c6e-4c36-4a31-8a6b-5d9d3f1f2a10"


def _post(client: Any, path: str, body: Any, key: str, **more: Any) -> Any:
    return client.post(path, json=body, headers={"Idempotency-Key": key, **more.pop("headers", {})}, **more)


def _sheets(app: Any) -> int:
    return len(list(app.extensions["companion-sheets"].store.sheets()))


@pytest.mark.parametrize("key", ["short", f'"{UUID}"', UUID])
@pytest.mark.parametrize("kind", ["open", "import"])
def test_a_sheet_is_made_once(client: Any, app: Any, key: str, kind: str) -> None:
    sheet = SheetClient(client)
    path, body = (PREFIX, SEATS) if kind == "open" else (f"{PREFIX}/import", sheet.get("/export.json").json)
    first = _post(client, path, body, key)
    headers = {**bearer(first.json["secrets"]["score"]), "If-Match": "*", "Idempotency-Key": "1"}
    client.post(f"{first.json['url']}/events", json={"type": "title_sheet", "title": "later"}, headers=headers)
    count = _sheets(app)
    again = _post(client, path, body, key)
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert (again.headers["ETag"], again.headers["Location"]) == (first.headers["ETag"], first.headers["Location"])
    assert ("Idempotent-Replayed" in first.headers, again.headers["Idempotent-Replayed"]) == (False, "true")
    assert _sheets(app) == count
    assert client.get(again.json["url"], headers=bearer(again.json["secrets"]["watch"])).status_code == 200


def test_another_request_with_the_same_key_is_refused(client: Any, app: Any) -> None:
    _post(client, PREFIX, SEATS, UUID)
    for body in ({**SEATS, "title": "other"}, {"seats": ["A", "B"]}):
        answer = _post(client, PREFIX, body, UUID)
        assert (answer.status_code, answer.json["type"]) == (422, "/problems/idempotency-key-reused")
    assert _sheets(app) == 1


def test_without_a_key_every_request_makes_a_sheet(client: Any, app: Any) -> None:
    for _ in range(2):
        client.post(PREFIX, json=SEATS)
    assert _sheets(app) == 2


def test_a_short_key_of_another_address_is_another_key(client: Any, app: Any) -> None:
    """Nobody gets the secrets of a stranger's sheet for having thought of the same word."""
    assert len("short") < LONG_KEY <= len(UUID)
    here, there = ({"environ_base": {"REMOTE_ADDR": f"192.0.2.{n}"}} for n in (1, 2))
    assert (
        _post(client, PREFIX, SEATS, "short", **here).json["id"]
        != _post(client, PREFIX, SEATS, "short", **there).json["id"]
    )
    assert (
        _post(client, PREFIX, SEATS, UUID, **here).json["id"] == _post(client, PREFIX, SEATS, UUID, **there).json["id"]
    )


def test_the_same_key_of_another_service_is_another_sheet() -> None:
    made = set()
    for key in ("one", "other"):
        client = create_app(
            {"TESTING": True, "RATE_LIMIT": "off", "DATABASE": "memory:", "SECRET_KEY": key}
        ).test_client()
        made.add(_post(client, PREFIX, SEATS, UUID).json["secrets"]["score"])
    assert len(made) == 2


def test_another_version_of_the_program_has_the_first_answer_too(
    client: Any, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event says which version wrote it, and every option that version knew; a request does not."""
    sheet, group = SheetClient(client), GroupClient(client)
    here, there = ({**bearer(each.score), "If-Match": "*"} for each in (sheet, group))
    sent: list[tuple[str, Any, dict[str, str]]] = [
        (PREFIX, SEATS, {}),
        (f"{PREFIX}/import", sheet.get("/export.json").json, {}),
        (f"{sheet.url}/links", {"scope": "watch", "label": "Ben"}, here),
        (f"{sheet.url}/events", {"type": "start_game", "game": "casino"}, here),
        ("/api/v1/groups", {"title": "Tuesday", "names": ["Aki", "Ben"]}, {}),
        (f"{group.url}/sheets", SEATS, there),
        (f"{group.url}/events", {"type": "add_members", "names": ["Eve"]}, there),
    ]
    first = [_post(client, path, body, UUID, headers=headers) for path, body, headers in sent]
    count = _sheets(app)
    monkeypatch.setattr(games, "__version__", "99.0")
    again = [_post(client, path, body, UUID, headers=headers) for path, body, headers in sent]
    assert [answer.status_code for answer in first] == [201] * len(sent)
    assert [answer.status_code for answer in again] == [201] * len(sent)
    assert [answer.headers.get("Idempotent-Replayed") for answer in again] == ["true"] * len(sent)
    assert [answer.headers.get("ETag") for answer in again] == [answer.headers.get("ETag") for answer in first]
    assert _sheets(app) == count
    other = _post(client, PREFIX, {**SEATS, "title": "other"}, UUID)
    assert (other.status_code, other.json["type"]) == (422, "/problems/idempotency-key-reused")


def test_a_deleted_sheet_is_not_made_again(client: Any) -> None:
    made = _post(client, PREFIX, SEATS, UUID).json
    client.delete(made["url"], headers=bearer(made["secrets"]["score"]))
    answer = _post(client, PREFIX, SEATS, UUID)
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/idempotency-key-reused")


@pytest.mark.parametrize("key", ["", "x" * 201, "\x7f"])
def test_a_key_that_is_none_makes_nothing(client: Any, app: Any, key: str) -> None:
    assert _post(client, PREFIX, SEATS, key).status_code == 400
    assert _sheets(app) == 0


def test_a_link_is_made_once(client: Any) -> None:
    sheet = SheetClient(client)
    link, headers = {"scope": "watch", "label": "Ben"}, bearer(sheet.score)
    first, again = (_post(client, f"{sheet.url}/links", link, "k", headers=headers) for _ in range(2))
    assert (again.status_code, again.data, again.headers["Idempotent-Replayed"]) == (201, first.data, "true")
    assert sum(each["label"] == "Ben" for each in sheet.get("/links").json["links"]) == 1
    other = _post(client, f"{sheet.url}/links", {**link, "label": "Chie"}, "k", headers=headers)
    assert (other.status_code, other.json["type"]) == (422, "/problems/idempotency-key-reused")
    elsewhere = SheetClient(client)
    mine = _post(client, f"{elsewhere.url}/links", link, "k", headers=bearer(elsewhere.score))
    assert mine.json["secret"] != first.json["secret"]


def test_many_at_once_make_one_sheet(client: Any, app: Any) -> None:
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(_post(app.test_client(), PREFIX, SEATS, UUID))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert _sheets(app) == 1
    score = answers[0].json["secrets"]["score"]
    headers = {**bearer(score), "If-Match": "*", "Idempotency-Key": "k"}
    assert client.post(f"{answers[0].json['url']}/events", json=record(5, 8, 4), headers=headers).status_code == 201
