"""Facts that do not add up: what is off and with whom, the fix by one tap, or recorded anyway with a reason."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.keeper.evenings import WORDS
from tests.keeper.phone import Phone


def test_counts_that_do_not_add_up_name_the_sides_and_offer_the_fix(phone: Phone) -> None:
    phone.open()
    for call in (3, 4, 5, 6):
        phone.press(call)
    phone.press(6)
    phone.press("Tricks of Beth & Dan 7 computed")
    phone.press(6)
    assert "The tricks add up to 12" in phone.page.text
    assert "Aki & Chika 6, Beth & Dan 6" in phone.page.text
    assert not phone.has("Save the deal")
    phone.press("Beth & Dan: 7")
    phone.press("Save the deal")
    assert phone.totals == ["60", "52"]


def test_record_anyway_needs_a_reason_and_keeps_it(phone: Phone) -> None:
    phone.open()
    for call in (3, 4, 5, 6):
        phone.press(call)
    phone.press(6)
    phone.press("Tricks of Beth & Dan 7 computed")
    phone.press(6)
    phone.press("Record anyway", **{"accept-reason": "  "})
    assert phone.totals == ["0", "0"]
    phone.press("Record anyway", **{"accept-reason": "a card was lost"})
    assert phone.totals == ["60", "51"]
    assert "with a note" in phone.page.text
    phone.get(f"{phone.sheet}/deals/1")
    assert "a card was lost" in phone.page.text


def test_one_tap_says_why_it_is_recorded_anyway(phone: Phone) -> None:
    phone.open()
    for label in (3, 4, 5, 6, 6, "Tricks of Beth & Dan 7 computed", 6, "a card is missing"):
        phone.press(label)
    assert phone.totals == ["60", "51"]
    phone.get(f"{phone.sheet}/deals/1")
    assert "a card is missing" in phone.page.text


def test_a_call_that_the_rules_would_not_have_can_be_opened_again(phone: Phone) -> None:
    phone.open(forbid_total_13="on")
    for call in (3, 4, 5, 8):
        phone.press(call)
    phone.press(8)
    assert not phone.has("Save the deal")
    assert "Which of these is wrong?" in phone.page.text
    phone.press("Aki 8")
    phone.press(9)
    phone.deal(8)
    assert phone.totals == ["−90", "50"]


def test_tricks_of_a_nil_above_those_of_its_side_open_both_counts(phone: Phone) -> None:
    phone.open()
    for label in ("nil", 4, 3, 4, 8, 3):
        phone.press(label)
    phone.press("Tricks of Beth & Dan 5 computed")
    phone.press(2)
    phone.press("Aki & Chika: 11")
    assert "0 to 2" in phone.page.text
    assert phone.has("Tricks of Beth & Dan 2")
    phone.press("Tricks of Beth (nil) 3")
    phone.deal(0)
    assert phone.totals == ["47", "70"]


def test_more_tricks_than_there_are_leave_none_to_the_dummy(phone: Phone) -> None:
    phone.open("Aki", "Beth", rules="duo_dummy")
    for label in (5, 6, 9, 10):
        phone.press(label)
    assert not phone.has("Save the deal")
    assert not phone.has("Record anyway")
    phone.press("Beth: 8")
    phone.deal()
    assert phone.totals == ["63", "53"]


def test_casino_counts_name_both_fixes(phone: Phone) -> None:
    phone.open("Aki", "Beth", game="casino")
    for label in ("By counts", 30, 6, "Aki", "Beth", 1, "Aces of Beth 3 computed", 2):
        phone.press(label)
    assert "The aces add up to 3 instead of 4 (Aki 1, Beth 2)." in phone.page.text
    assert phone.has("Aki: 2")
    phone.press("Beth: 3")
    phone.deal()
    assert phone.totals == ["5", "6"]


@pytest.mark.parametrize(
    ("answers", "said", "fix", "totals"),
    [
        (("nobody", "Beth"), "Nobody has the big ten", "Aki", ["7", "4"]),
        (("Aki", "nobody"), "Nobody has the spy two", "Beth", ["7", "4"]),
    ],
)
def test_casino_card_that_nobody_has(
    phone: Phone, answers: tuple[str, str], said: str, fix: str, totals: list[str]
) -> None:
    phone.open("Aki", "Beth", game="casino")
    for label in ("Aki", "Beth", *answers, 3):
        phone.press(label)
    assert said in phone.page.text
    assert "One tap corrects it" in phone.page.text
    phone.press(fix)
    phone.deal()
    assert phone.totals == totals


def test_casino_spy_two_of_a_side_without_spades_goes_to_the_other(phone: Phone) -> None:
    phone.open("Aki", "Beth", game="casino")
    for label in ("By counts", 30, 0, "Aki", "Aki", 3):
        phone.press(label)
    assert "no spade was counted" in phone.page.text
    phone.press("Beth")
    phone.deal()
    assert phone.totals == ["7", "4"]


def test_casino_fewer_cards_than_were_counted_open_the_counts_of_that_side(phone: Phone) -> None:
    phone.open("Aki", "Beth", game="casino")
    for label in ("By counts", 3, 6, "Aki", "Beth", 1):
        phone.press(label)
    assert "there must be at least 7" in phone.page.text
    assert phone.has("Spades of Aki 6")
    phone.press("Cards of Aki 3")
    phone.deal(30)
    assert phone.totals == ["5", "6"]


def test_partners_of_spite_and_malice_cannot_both_have_no_cards_left(phone: Phone) -> None:
    phone.open("Aki", "Beth", "Chika", "Dan", game="spite-and-malice", rules="partners4")
    for label in ("Aki & Chika", 0, 0):
        phone.press(label)
    assert "0 cards left is impossible" in phone.page.text
    assert phone.has("a card is missing")
    phone.press("Dan: left 0")
    phone.deal(2)
    assert phone.totals[1] == "0"
    assert phone.totals[0] != "0"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_stands_below_the_points_of_a_side_adds_up_to_them(app: Flask, lang: str) -> None:
    """Also where there is no room for every line, and the rest stands in one: the screen decides which is shown."""
    phone, seen = Phone(app.test_client(), lang), 0
    phone.open()
    for tricks in (9, 8, 10, 9):
        for label in (2, 3, 2, 3, tricks):
            phone.press(label)
        for verdict in re.findall(r'<div class="verdict mark.*?</div>', phone.page.html, re.DOTALL):
            for hidden in ("fine", "rest"):
                shown = re.sub(rf'<span class="sum {hidden}">.*?</span></span>', "", verdict)
                points, *lines = [int(number.replace("−", "-")) for number in re.findall(r">([+−]?\d+)<", shown)]
                seen += len(lines)
                assert sum(lines) == points, shown
        phone.press(WORDS[lang]["save"])
    assert seen >= 24
