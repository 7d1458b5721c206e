"""What stands where a number belongs is read or refused: signs that only look like one, and numbers without an end."""

from __future__ import annotations

import pytest

from tests.keeper.phone import Phone

ENDLESS = "9" * 5000
NO_NUMBERS = ["²", ENDLESS, "-1"]


@pytest.mark.parametrize("place", NO_NUMBERS)
def test_a_dealer_who_has_no_seat_leaves_the_first_one(phone: Phone, place: str) -> None:
    phone.get("/en/sheets/new/spades")
    phone.press("Start", dealer=place)
    assert phone.status == 200
    assert "Deal 1 · North deals" in phone.page.text


@pytest.mark.parametrize("version", NO_NUMBERS)
def test_a_form_without_a_version_that_can_be_is_refused(opened: Phone, version: str) -> None:
    opened.post(f"{opened.sheet}/do/undo", v=version)
    assert opened.status in (409, 422)
    assert "Deal 3" in opened.get(opened.sheet).text


@pytest.mark.parametrize("place", NO_NUMBERS)
def test_last_tricks_of_no_side_are_nobodys(phone: Phone, place: str) -> None:
    phone.open(last_trick_bonus="on")
    for call in (3, 4, 5, 6):
        phone.press(call)
    page = phone.get(f"{phone.sheet}?t0=8&t1=5&last={place}.AS.")
    assert phone.status == 200
    assert "High trumps" in page.text


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_a_log_before_no_step_is_a_page_all_the_same(opened: Phone, number: str) -> None:
    opened.get(f"{opened.sheet}/log?before={number}")
    assert opened.status == 200
