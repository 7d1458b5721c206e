"""Requests that meet: a sheet deleted while it is written on, and one key used on many sheets."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from companion.web.sheet_service import service_of
from tests.sheet_client import SheetClient, record

WRITERS = 4
NOTE = {"type": "write_note", "note": "x"}


def test_a_sheet_that_is_deleted_while_it_is_written_on_is_gone(app: Any) -> None:
    doomed, kept = SheetClient(app.test_client()), SheetClient(app.test_client())

    def write(number: int) -> list[int]:
        client = SheetClient.__new__(SheetClient)
        client.__dict__ |= doomed.__dict__ | {"client": app.test_client()}
        return [client.write(NOTE, key=f"w{number}-{each}", version="*").status_code for each in range(10)]

    with ThreadPoolExecutor(WRITERS + 1) as threads:
        writing = [threads.submit(write, number) for number in range(WRITERS)]
        deleted = threads.submit(lambda: app.test_client().delete(doomed.url, headers=_bearer(doomed)).status_code)
    statuses = Counter(status for each in writing for status in each.result())
    assert deleted.result() == 204
    assert set(statuses) <= {201, 404, 409}, statuses
    assert doomed.write(NOTE, version="*").status_code == doomed.get().status_code == 404
    assert kept.written(record(5, 8, 5))
    assert service_of(app).verify() == []


def test_one_key_on_many_sheets_writes_on_each(app: Any) -> None:
    sheets = [SheetClient(app.test_client()) for _ in range(3)]
    answers = [sheet.write(NOTE, key="the-same-key") for sheet in sheets for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201] * 6
    assert ["Idempotent-Replayed" in answer.headers for answer in answers] == [False, True] * 3
    assert {sheet.state()["version"] for sheet in sheets} == {sheets[0].version}


def _bearer(sheet: SheetClient) -> dict[str, str]:
    return {"Authorization": f"Bearer {sheet.score}"}
