"""What a server hands over to phones, and what it takes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.data import LANGUAGES
from companion.sheets.memory import JournalStore
from companion.sheets.service import SheetService
from companion.web import create_app
from companion.web.http import OPENING

OPENED = {"seats": ["Aki", "Beth", "Chika", "Dan"], "lang": "en", "game": "spades", "rules": {}}
JSON = {"Content-Type": "application/json", "Idempotency-Key": "one"}


@pytest.fixture
def client(offering: Flask) -> Any:
    return offering.test_client()


@pytest.fixture(scope="module")
def sheet() -> bytes:
    """A sheet as a phone sends it."""
    service = SheetService(JournalStore())
    opened = service.open_sheet(OPENED)
    return json.dumps({"file": service.export_json(opened.id), "base": opened.head.tag, "mine": []}).encode()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_what_it_costs(client: Any, lang: str) -> None:
    page = client.get(f"/{lang}/phone").text
    assert "7 MB" in page
    assert "21 MB" in page
    assert f'href="/{lang}/phone"' in client.get(f"/{lang}/sheets/new").text


def test_without_a_bundle_nothing_is_offered(tmp_path: Path) -> None:
    client = create_app({"DATABASE": "memory:", "RATE_LIMIT": "off", "PHONE": str(tmp_path)}).test_client()
    assert client.get("/en/phone").status_code == 404
    assert client.get("/on-phone.js").status_code == 404
    assert "/en/phone" not in client.get("/en/sheets/new").text


def test_only_the_worker_may_compile_and_its_files_never_change(client: Any) -> None:
    worker = client.get("/on-phone.js")
    assert worker.mimetype == "text/javascript"
    assert "'wasm-unsafe-eval'" in worker.headers["Content-Security-Policy"]
    assert "wasm" not in client.get("/en/phone").headers["Content-Security-Policy"]
    for name, kind in (
        ("pyodide.asm.h-0123456789.wasm", "application/wasm"),
        ("pyodide.h-0123456789.mjs", "javascript"),
    ):
        with client.get(f"/phone/{name}") as file:
            assert kind in file.mimetype
            assert "immutable" in file.headers["Cache-Control"]


def test_a_sheet_is_taken_once_and_kept_by_whoever_sent_it(client: Any, sheet: bytes) -> None:
    first, again = (client.post("/en/phone/sheets", data=sheet, headers=JSON) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert first.json == again.json
    assert client.get(f"/en/sheets/{first.json['sheet']}").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json"},
        {"Content-Type": "text/plain", "Idempotency-Key": "one"},
        JSON | {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_form_of_another_site_opens_nothing(client: Any, sheet: bytes, headers: dict[str, str]) -> None:
    assert client.post("/en/phone/sheets", data=sheet, headers=headers).status_code == 403


def test_every_way_to_open_a_sheet_is_counted(offering: Flask) -> None:
    assert offering.view_functions.keys() >= OPENING


@pytest.mark.parametrize("sent", ["{}", '{"file": 7}', f'{{"file": {"[" * 1020}{"]" * 1020}}}'])
def test_what_is_no_sheet_is_refused(client: Any, sent: str) -> None:
    assert client.post("/en/phone/sheets", data=sent, headers=JSON | {"Idempotency-Key": "two"}).status_code == 422
