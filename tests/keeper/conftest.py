"""Phones of one table: two clients of the same application, each with its own cookie."""

from __future__ import annotations

from typing import Any

import pytest

from tests.keeper.phone import Phone


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


def share(phone: Phone, other: Phone) -> None:
    """Let another phone keep the same sheet, by the code of a score link."""
    phone.get(f"{phone.sheet}/share")
    phone.press("Link to keep the score", label="the other phone")
    code = phone.page.html.partition("/join#")[2].partition('"')[0]
    other.get("/en/join")
    other.press("Open the sheet", code=code)
    other.sheet = phone.sheet
    assert other.url == phone.sheet
    phone.get(phone.sheet)
