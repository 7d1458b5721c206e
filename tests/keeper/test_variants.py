"""Every way to bid and count that the house rules of Spades know, entered on the sheet with buttons alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.keeper.phone import Phone


def test_sum_bidding_adds_the_partners(phone: Phone) -> None:
    phone.open(bid_method="sum")
    phone.deal(3, 4, 2, 3, 6)  # Beth 3 and Dan 2, Chika 4 and Aki 3
    assert phone.totals == ["−70", "52"]


def test_later_partner_decides(phone: Phone) -> None:
    phone.open()
    phone.deal(3, 4, 5, 6, 6)
    assert phone.totals == ["60", "52"]


def test_consultation_asks_each_side_once(phone: Phone) -> None:
    phone.open(bid_method="consultation")
    assert "Beth & Dan to bid" in phone.page.text
    assert phone.deal(5, 6, 8) == 4
    assert phone.totals == ["62", "50"]


def test_consultation_with_a_nil_asks_the_side_again(phone: Phone) -> None:
    phone.open(bid_method="consultation")
    phone.press("Dan: nil")
    assert "Beth & Dan to bid" in phone.page.text
    phone.deal(5, 6, 8, 0)
    assert phone.totals == ["62", "150"]


def test_second_round_lets_everybody_pass_or_raise(phone: Phone) -> None:
    phone.open(second_round="on")
    for call in (3, 3, 4, 4):
        phone.press(call)
    assert phone.has("Pass")
    for raised in (5, "Pass", "Pass", "Pass"):
        phone.press(raised)
    phone.deal(7)
    assert phone.totals == ["43", "51"]


def test_blind_number_is_the_call_of_the_whole_side(phone: Phone) -> None:
    phone.open(blind_bid="on", blind_deficit="")
    phone.press("blind 6")
    assert "Chika to bid" in phone.page.text
    phone.press(4)
    assert "Aki to bid" in phone.page.text  # the partner of a blind number has nothing to say
    phone.deal(5, 6)
    assert phone.totals == ["51", "121"]


def test_blind_number_of_the_dealers_side_ends_the_bidding(phone: Phone) -> None:
    phone.open(blind_bid="on", blind_deficit="")
    for call in (3, "blind 6", 4):
        phone.press(call)
    assert "Tricks of Aki & Chika" in phone.page.text
    phone.deal(6)
    assert phone.totals == ["120", "43"]


def test_moon(phone: Phone) -> None:
    phone.open(moon="on")
    phone.press("moon")
    phone.press(0)
    phone.deal(0, 0)
    assert phone.totals == ["0", "200"]


def test_double_blind_nil(phone: Phone) -> None:
    phone.open(double_blind_nil="on")
    phone.deal("double blind nil", 4, 3, 4, 8, 0)
    assert phone.totals == ["44", "432"]


def test_both_nils_of_a_side_leave_no_contract(phone: Phone) -> None:
    phone.open()
    assert phone.deal("nil", 9, "nil", 9, 12, 0) == 7
    assert "Tricks of Dan (nil)" not in phone.page.text
    assert phone.totals == ["93", "0"]


def test_three_alone_play_seventeen_tricks(phone: Phone) -> None:
    phone.open("Aki", "Beth", "Chika", rules="solo3")
    phone.deal(5, "nil", 6, 7, 8)
    assert len(phone.totals) == 3
    assert phone.totals == ["61", "53", "−100"]


def test_correction_of_four_alone_tells_whose_lines_change(phone: Phone) -> None:
    phone.open(rules="solo4")
    phone.deal(3, 3, 3, 3, 4, 3, 3)
    phone.get(f"{phone.sheet}/deals/1/correct?t0=2&t1=5")
    assert "<b>Aki</b>" in phone.page.html
    phone.press("Save the correction")
    assert phone.totals == ["−30", "32", "30", "30"]


def test_two_who_draw(phone: Phone) -> None:
    phone.open("Aki", "Beth", rules="duo_draw")
    assert phone.deal(5, 6, 7) == 4
    assert phone.totals == ["61", "51"]


def test_two_with_a_dummy_whose_tricks_are_the_rest(phone: Phone) -> None:
    phone.open("Aki", "Beth", rules="duo_dummy")
    for label in (5, 6, 7):
        phone.press(label)
    phone.press(5)
    assert "Tricks of the dummy 5" in phone.page.text
    phone.deal()
    assert phone.totals == ["61", "50"]


def test_first_hand_bids_itself(phone: Phone) -> None:
    phone.open(first_hand_bids_itself="on")
    assert phone.deal(8) == 2
    assert phone.totals == ["80", "50"]
    assert "Chika to bid" in phone.page.text


def test_last_tricks_are_asked_of_an_exact_contract(phone: Phone) -> None:
    phone.open(last_trick_bonus="on")
    for label in (5, 6, 5, 6, 6):
        phone.press(label)
    phone.press("Aki & Chika: A♠︎")
    phone.press("Save the deal")
    assert phone.totals == ["70", "52"]


def test_a_run_of_last_tricks_is_tapped_card_by_card(phone: Phone) -> None:
    phone.open(last_sequence_bonus="on")
    for label in (5, 6, 5, 6, 6):
        phone.press(label)
    phone.press("Aki & Chika: A♠︎")
    phone.press("Aki & Chika: K♠︎")
    phone.press("That is all")
    assert "A♠︎, K♠︎" in phone.page.text
    phone.press("Save the deal")
    phone.get(f"{phone.sheet}/deals/1")
    assert "Ten a card for a sequence in the last tricks" in phone.page.text


def test_a_call_that_is_none_is_refused_and_nothing_written(phone: Phone) -> None:
    phone.open(moon="on")
    form, _ = phone.find(5)
    version = phone.version
    phone.post(form.action, **{**dict(form.fields), "call": "blind_moon_of_nobody"})
    assert phone.status == 422
    assert phone.version == version


@pytest.mark.parametrize(
    ("rules", "names", "taps"),
    [
        ("classic", 4, (5, "nil", 4, "nil", 6, 0)),
        ("classic", 4, ("nil", "nil", "nil", "nil", 6, 3, 2)),
        ("classic", 4, (3, 4, 5, 6, 6)),
        ("solo4", 4, (3, "nil", 4, 5, 4, 4, 3)),
        ("solo4", 4, (3, 3, 3, 3, 4, 4, 3)),
        ("solo3", 3, ("nil", 4, 5, 5, 6)),
        ("modern", 4, (1, "nil", 4, "nil", 6, 0)),
    ],
)
def test_a_deal_takes_at_most_ten_taps(phone: Phone, rules: str, names: int, taps: tuple[Any, ...]) -> None:
    phone.open(*("Aki", "Beth", "Chika", "Dan")[:names], rules=rules)
    assert phone.deal(*taps) <= 10
    assert "Deal 1 saved" in phone.page.text
