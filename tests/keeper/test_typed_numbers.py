"""What stands where a number belongs is read or refused: signs that only look like one, and numbers without an end."""

from __future__ import annotations

import pytest

from companion.web.keeper.house_rules import number_in
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


@pytest.mark.parametrize(
    ("typed", "number"), [("１２０", 120), ("−60", -60), ("－６０", -60), ("+50", 50), ("＋５０", 50), ("0", 0)]
)
def test_numbers_are_read_as_keyboards_and_this_site_write_them(typed: str, number: int) -> None:
    assert number_in(typed) == number


def test_totals_from_paper_may_be_in_full_width(phone: Phone) -> None:
    phone.get("/ja/sheets/new/spades")
    phone.press("始める", **{"paper0.total": "１２０", "paper1.total": "−60"})
    assert phone.totals == ["120", "−60"]
    assert "紙から：120 – −60" in phone.client.get(f"{phone.url}/export.txt").text


def test_numbers_of_house_rules_may_be_in_full_width(phone: Phone) -> None:
    phone.get("/ja/sheets/new/spades")
    phone.press("始める", **{"o.target": "３００"})
    assert "あと300点" in phone.page.text


def test_points_of_a_player_without_a_name_are_not_dropped(phone: Phone) -> None:
    phone.get("/en/sheets/new/casino")
    names = {"name0": "Ann", "name1": "Bob", "name2": "", "name3": ""}
    phone.press("Start", **names, **{"paper0.total": "5", "paper2.total": "3"})
    assert phone.status == 422
    assert "There are points here but no name: who is it?" in phone.page.text
    phone.press("Start", name2="Cy")
    assert phone.totals == ["5", "0", "3"]


@pytest.mark.parametrize(
    ("sign", "typed", "total"), [("minus", "10", "111"), ("minus", "-10", "111"), ("plus", "10", "131")]
)
def test_points_are_taken_off_with_one_minus_sign_or_two(opened: Phone, sign: str, typed: str, total: str) -> None:
    opened.get(f"{opened.sheet}/deals/2")
    opened.post(f"{opened.sheet}/do/adjust", deal="2", side="A+C", sign=sign, points=typed, reason="a slip")
    assert opened.totals[0] == total


@pytest.mark.parametrize(("form", "sent", "asked"), [
    ("adjust", {"points": "5", "reason": "a slip"}, "Choose a side."),
    ("take-seat", {"player": "Gil", "from_deal": "3"}, "Choose a seat."),
    ("confirm", {"deal": "1"}, "Choose a side."),
    ("irregularity", {"what": "revoke", "when": "later"}, "Choose who it was."),
    ("dealer", {}, "Each seat needs a different id of letters, digits, - and _."),
])  # fmt: skip
def test_a_form_in_which_nobody_was_chosen_asks_for_whom(
    opened: Phone, form: str, sent: dict[str, str], asked: str
) -> None:
    opened.get(f"{opened.sheet}/settings")
    assert asked in opened.post(f"{opened.sheet}/do/{form}", **sent).text


@pytest.mark.parametrize("trick", ["0", "14"])
def test_a_trick_that_a_deal_does_not_have_is_out_of_range(opened: Phone, trick: str) -> None:
    page = opened.get(f"{opened.sheet}/what-now?what=revoke&player=A&when=later&trick={trick}")
    assert f"{trick} is out of range: at least 1, at most 13." in page.text
