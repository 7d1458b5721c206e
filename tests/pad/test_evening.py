"""An evening on the plain pad without a script: entered, corrected, taken back, watched and taken out as any other."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.keeper.phone import Phone
from tests.keeper.test_guard import watch_secret


@pytest.fixture
def phone(app: Any) -> Phone:
    """A phone with a sheet of three sides, to three rounds."""
    phone = Phone(app.test_client())
    phone.open("Aki", "Beth", "Chika", "", game="pad", rules="plain~r-3")
    return phone


def enter(phone: Phone, *numbers: int) -> None:
    """One round: each number with its digits, and its minus last."""
    for number in numbers:
        for digit in str(abs(number)):
            phone.press_button(*phone.find(digit))
        if number < 0:
            phone.press_button(*phone.find("−"))
        phone.press_button(*phone.find(f"OK {number}"))
    phone.press("Save the deal")


def test_level_best_totals_share_the_last_round_and_the_deal_passes(phone: Phone) -> None:
    assert "Deal 1 · Aki deals" in phone.page.text
    enter(phone, 12, -30, 0)
    assert phone.totals == ["12", "−30", "0"]
    assert "Deal 2 · Beth deals" in phone.page.text
    enter(phone, 0, 150, 7)
    enter(phone, 100, 0, 113)
    assert phone.totals == ["112", "120", "120"]
    assert "A draw: Beth, Chika" in phone.page.text


def test_no_referee_is_offered_and_nothing_to_do_about_a_breach(phone: Phone) -> None:
    enter(phone, 1, 2, 3)
    for path in (phone.sheet, f"{phone.sheet}/deals/1", f"{phone.sheet}/settings"):
        html = phone.get(path).html
        assert "/referee/pad" not in html
        assert "what-now" not in html
        assert "/learn/pad" not in html


def test_a_number_is_corrected_and_the_correction_is_taken_back(phone: Phone) -> None:
    enter(phone, 12, -30, 0)
    phone.get(f"{phone.sheet}/deals/1/correct?p1=-35")
    assert re.search(r"<s>−30</s> → <b>−35</b>", phone.page.html)
    phone.press("Save the correction", reason="misheard")
    assert phone.totals == ["12", "−35", "0"]
    phone.press("Undo")
    assert phone.totals == ["12", "−30", "0"]


def test_it_is_watched_and_taken_out(phone: Phone, app: Any) -> None:
    enter(phone, 12, -30, 0)
    secret = watch_secret(phone)
    other = Phone(app.test_client())
    for page in ("", "/wall"):
        text = other.get(f"/en/watch/{secret}{page}").text
        assert "−30" in text
        assert "Beth" in text
    for path in ("games", "games/1", "text", "export.csv", "export.json", "what-if?rules=low_100", "log"):
        answer = phone.client.get(f"{phone.sheet}/{path}")
        assert answer.status_code == 200, path
        assert "Beth" in answer.text, path
