"""Phones of one table: two clients of the same application, each with its own cookie."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest
from flask import Flask

from tests.conftest import DATABASE, in_folder
from tests.keeper.driving import FORETELLING, PHONE
from tests.keeper.phone import Phone

NewPhone = Callable[..., Any]


@pytest.fixture
def phone(app: Any) -> Phone:
    """The phone that opens the sheets."""
    return Phone(app.test_client())


@pytest.fixture
def other(app: Any) -> Phone:
    """A phone that has no link to anything yet."""
    return Phone(app.test_client())


@pytest.fixture
def both(phone: Phone, other: Phone) -> tuple[Phone, Phone]:
    """Two phones that keep the same sheet in its first deal, everybody having called."""
    phone.open()
    share(phone, other)
    for call in (3, 4, 5, 6):
        phone.press(call)
    other.get(phone.sheet)
    return phone, other


@pytest.fixture(scope="session")
def played(shared_app: Flask, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Phone]:
    """A folder with a database, and the phone that played two deals on it."""
    folder = tmp_path_factory.mktemp("played")
    with in_folder(shared_app, folder):
        phone = Phone(shared_app.test_client())
        phone.open()
        phone.deal(3, 4, 5, 6, 6)
        phone.deal(5, 5, 6, 5, 7)
    return folder, phone


@pytest.fixture
def opened(played: tuple[Path, Phone], phone: Phone, tmp_path: Path) -> Phone:
    """A phone with a sheet of two deals: 60 and 52, then 121 and 103; on a copy of what was played once."""
    folder, before = played
    with closing(connect(folder / DATABASE)) as source, closing(connect(tmp_path / DATABASE)) as copy:
        source.backup(copy)
    for name, value in before.cookies.items():
        phone.client.set_cookie(name, value)
    phone.sheet, phone.page, phone.status, phone.url = before.sheet, before.page, before.status, before.url
    return phone


@pytest.fixture
def new_phone(browser: Any, base_url: str) -> Iterator[NewPhone]:
    """Phones with cookies of their own; complaints of their browsers fail the test, but not those of a bad line.

    Nothing moves on them but where a test says so: what turns and rises with each tap is a fifth of what it costs.
    """
    contexts, complaints, expected = [], [], ["404|409|422"]

    def make(*, bad_line: bool = False, **settings: Any) -> Any:
        if bad_line:
            expected.append("429|502|net::ERR_FAILED|net::ERR_INTERNET_DISCONNECTED")
        blocked = {"service_workers": "block"}  # what a test answers itself never reaches one
        settings = {**blocked, "reduced_motion": "reduce", **settings}
        context = browser.new_context(base_url=base_url, viewport=PHONE, **settings)
        context.add_init_script(FORETELLING)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        return page

    yield make
    for context in contexts:
        context.close()
    lines = re.compile(rf"Failed to load resource: .*({'|'.join(expected)})")
    assert [line for line in complaints if not lines.search(line)] == []


def share(phone: Phone, other: Phone) -> None:
    """Let another phone keep the same sheet, by the code of a score link."""
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a score link", label="the other phone")
    code = phone.page.html.partition("/join#")[2].partition('"')[0]
    other.get("/en/join")
    other.press("Open the sheet", code=code)
    other.sheet = phone.sheet
    assert other.url == phone.sheet
    phone.get(phone.sheet)
