"""Corrections of recorded deals: the consequences are shown first, and a trail stays."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.rulebook.words import article_title
from tests.keeper.conftest import share
from tests.keeper.phone import Phone


def test_correction_shows_what_it_changes_first_and_leaves_a_trail(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct")
    assert not opened.has("Save the correction")
    opened.press("Tricks of Aki & Chika 6")
    opened.press(5)
    assert "Tricks of Beth & Dan 8 computed" in opened.page.text
    assert re.search(r"<s>60</s> → <b>−60</b>", opened.page.html)
    assert re.search(r"<s>121</s> → <b>1</b>", opened.page.html)
    assert article_title("en", "spades.set") in opened.page.text
    opened.press("Save the correction", reason="miscounted")
    assert opened.totals == ["1", "104"]
    assert "corrected" in opened.page.text
    page = opened.get(f"{opened.sheet}/deals/1")
    trail = page.text.partition("History")[2]
    for line in ("entered", "corrected", "miscounted", "Aki & Chika: bid 6, 6 tricks", "Aki & Chika: bid 6, 5 tricks"):
        assert line in trail
    assert "nil 0" not in trail


def test_nil_reads_as_words_in_the_history(phone: Phone) -> None:
    phone.lang = "ja"
    phone.open()
    phone.deal("ニル", 4, 3, 4, 8, 0)
    page = phone.get(f"{phone.sheet}/deals/1")
    assert "Beth：ニル、0トリック" in page.text
    assert "Beth & Dan：ビッド3、5トリック" in page.text


def test_every_kind_of_correction_can_be_tapped(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/2/correct?b0=6")
    for label, answer in (("Bid of Aki & Chika 6", 4), ("Dan: nil no nil", "nil"), ("Bid of Beth & Dan 5", 3)):
        opened.press(label.replace("6", "5") if not opened.has(label) else label)
        opened.press(answer)
    assert "Tricks of Dan (nil)" in opened.page.text
    opened.press(0)
    opened.press("Save the correction")
    assert opened.totals == ["103", "185"]


def test_correction_that_ends_the_game_names_the_winner_beforehand(phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.get(f"{phone.sheet}/deals/1/correct?b0=13&t0=13")
    assert "With this correction the game is over. Won by Aki & Chika." in phone.page.text
    phone.press("Save the correction")
    assert "Won by Aki & Chika" in phone.page.text


@pytest.fixture
def again(phone: Phone) -> Phone:
    """A phone with a finished game, won by 121 to 103, and a second one in its first deal."""
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    phone.press("Rematch")
    return phone


def test_deal_of_an_earlier_game_is_corrected_in_that_game(again: Phone) -> None:
    again.deal(3, 4, 5, 6, 7)
    again.get(f"{again.sheet}/games/1/deals/2/correct?t0=5&t1=8")
    assert re.search(r"<s>121</s> → <b>0</b>", again.page.html)
    assert "With this correction the game is over. Won by Beth & Dan." in again.page.text
    page = again.press("Save the correction", reason="miscounted")
    assert "Correction saved." in page.text
    assert again.totals == ["61", "51"]
    assert "Won by Beth & Dan" in again.get(f"{again.sheet}/games/1").text
    again.get(again.sheet)
    again.press("Undo")
    assert "Won by Aki & Chika" in again.get(f"{again.sheet}/games/1").text


def test_earlier_game_takes_points_and_void_deals_and_the_running_one_stays(again: Phone) -> None:
    again.get(f"{again.sheet}/games/1/deals/2")
    again.press("Add or take off points", side="A+C", points="30", reason="revoke")
    assert again.totals == ["0", "0"]
    again.get(f"{again.sheet}/games/1")
    assert again.totals == ["91", "103"]
    again.get(f"{again.sheet}/games/1/deals/1")
    again.press("Void this deal")
    again.get(f"{again.sheet}/games/1")
    assert again.totals == ["31", "51"]


def test_correction_begun_before_a_rematch_stays_with_its_game(phone: Phone, other: Phone) -> None:
    phone.open(target="100")
    share(phone, other)
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    other.get(f"{phone.sheet}/deals/2/correct?t0=5&t1=8")
    phone.press("Rematch")
    page = other.press("Save the correction")
    assert other.status == 409
    assert re.search(r"<s>121</s> → <b>0</b>", page.html)
    other.press("Save the correction")
    assert other.totals == ["0", "0"]
    assert "Won by Beth & Dan" in other.get(f"{phone.sheet}/games/1").text


def test_forms_about_games_that_are_not_there_are_refused(again: Phone) -> None:
    for game in ("0", "3", "99999999", "x", "²"):
        again.get(f"{again.sheet}/games/1/deals/2")
        again.post(f"{again.sheet}/do/confirm", game=game, deal="1", side="A+C")
        assert again.status == 422, game
        assert again.client.get(f"{again.sheet}/games/{game}/deals/1/correct").status_code == 404


def test_deals_after_a_corrected_end_stay_marked(phone: Phone) -> None:
    phone.open(target="120")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(3, 4, 5, 6, 5)
    phone.get(f"{phone.sheet}/deals/1/correct?b0=12&t0=13")
    assert "now after the end" in phone.page.text
    phone.press("Save the correction")
    assert "after the end" in phone.page.text


def test_void_deal_counts_for_nothing_and_can_be_filled_in_again(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Void this deal", reason="misdeal")
    assert opened.totals == ["61", "51"]
    assert "void" in opened.page.text
    opened.get(f"{opened.sheet}/deals/1/correct")
    assert "Beth 3 Chika 4 Dan 5 Aki 6" in opened.page.text
    opened.press(6)
    opened.press("Save the correction")
    assert opened.totals == ["121", "103"]
    assert "6/4 · 6" in opened.page.text


def test_void_deal_without_calls_is_filled_in_from_its_contracts(phone: Phone) -> None:
    phone.open()
    phone.get(f"{phone.sheet}/settings")
    phone.press("Void this deal")
    phone.get(f"{phone.sheet}/deals/1/correct")
    phone.press(6)
    assert "Aki & Chika: a contract is needed" in phone.page.text
    for label, answer in (("Bid of Aki & Chika none", 6), ("Bid of Beth & Dan none", 5)):
        phone.press(label)
        phone.press(answer)
    phone.press("Save the correction")
    assert phone.totals == ["60", "52"]


def test_void_deal_says_beforehand_what_it_does_to_later_ones(phone: Phone) -> None:
    phone.open(target="500")
    phone.deal(3, 6, 4, 4, 7)
    phone.deal(5, 5, 6, 5, 7)
    phone.get(f"{phone.sheet}/deals/1")
    assert "After deal 2, the total of Aki & Chika is" in phone.page.text
    phone.get(f"{phone.sheet}/deals/2")
    assert "Besides its points" not in phone.page.text


@pytest.mark.parametrize(
    ("lang", "void", "why", "rule"),
    [
        ("en", "Void this deal", "before deal 2 is corrected", "there is no bidding in this deal"),
        ("ja", "このディールを無効にする", "先に第2ディールを訂正しないと", "ここではビッドをしません"),
    ],
)
def test_deal_that_a_later_one_keeps_from_being_void_says_so(
    client: Any, lang: str, void: str, why: str, rule: str
) -> None:
    """Without deal 1, deal 2 would be the first, in which nobody bids: it has a nil."""
    phone = Phone(client, lang)
    phone.open(first_hand_bids_itself="on")
    phone.deal(7)
    phone.play((("nil", 4, 5, 4, 7, 0),))
    phone.get(f"{phone.sheet}/deals/1")
    assert phone.status == 200
    assert why in phone.page.text
    assert f"Aki & Chika{': ' if lang == 'en' else '：'}" in phone.page.text.partition(why)[2].partition(rule)[0]
    assert not phone.has(void)
    phone.get(f"{phone.sheet}/deals/2")
    assert phone.has(void)


@pytest.mark.parametrize(("lang", "beside"), [("en", "Besides its points"), ("ja", "このディールの点のほかに")])
def test_void_deal_says_beforehand_which_agreed_points_go_with_it(opened: Phone, lang: str, beside: str) -> None:
    opened.get(f"{opened.sheet}/deals/2")
    opened.press("Add or take off points", side="A+C", points="10", sign="minus", reason="revoke")
    page = opened.get(f"{opened.sheet}/deals/2".replace("/en/", f"/{lang}/"))
    would = page.text.partition(beside)[2]
    assert "revoke" in would
    assert "10" in would.partition("revoke")[0] + would.partition("revoke")[2]


def test_other_side_confirms_and_a_correction_asks_again(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Aki & Chika: it is right")
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Beth & Dan: it is right")
    assert opened.page.text.count("confirmed") == 1 + 1  # the row and the message
    opened.get(f"{opened.sheet}/deals/1/correct?t0=7")
    opened.press("Save the correction")
    opened.get(f"{opened.sheet}/deals/1")
    assert opened.has("Aki & Chika: it is right")


@pytest.mark.parametrize(
    ("by", "deal", "chip", "answer", "totals"),
    [
        ((), ("Aki", "Beth", "Aki", "Beth", 3), "Aces of Beth 1 computed", 2, ["6", "5"]),
        (("By counts",), (30, 6, "Aki", "Beth", 1), "Cards of Beth 22 computed", 30, ["3", "8"]),
        (("By counts",), (30, 6, "Aki", "Beth", 1), "Spades of Beth 7 computed", 5, ["7", "4"]),
    ],
)
def test_casino_the_other_count_follows_whichever_is_corrected(
    phone: Phone, by: tuple[str, ...], deal: tuple[str | int, ...], chip: str, answer: int, totals: list[str]
) -> None:
    phone.open("Aki", "Beth", game="casino")
    phone.deal(*by, *deal)
    phone.get(f"{phone.sheet}/deals/1/correct")
    phone.press(chip)
    phone.press(answer)
    phone.press("Save the correction")
    assert phone.totals == totals


def test_reason_of_a_correction_is_one_tap_or_own_words(opened: Phone) -> None:
    for tricks, chosen in (("7", {"reason": "miscounted"}), ("8", {"reason": "Dan found a card"})):
        opened.get(f"{opened.sheet}/deals/1/correct?t0={tricks}")
        assert 'type="radio" name="reason" value="miscounted"' in opened.page.html
        opened.press("Save the correction", **chosen)
        opened.get(f"{opened.sheet}/deals/1")
        assert chosen["reason"] in opened.page.text


@pytest.mark.parametrize("reason", ["a card is missing", "it fell under the sofa"])
def test_correction_that_does_not_add_up_needs_a_reason_too(opened: Phone, reason: str) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct?t0=7&t1=5")
    opened.press("Save the correction")
    assert opened.status == 422
    opened.press("Save the correction", **{"accept-reason": reason})
    opened.get(f"{opened.sheet}/deals/1")
    assert reason in opened.page.text


def test_an_early_deal_is_corrected_by_the_totals_of_its_time(phone: Phone) -> None:
    """Nobody has reached the target by it, whatever came later: who was first is not asked (END-R1)."""
    sheet = phone.open("Aki", "Beth", "", "", game="casino", ending="as_taken", target="21")
    six_to_five = "?by=most&mc=0&ms=0&bt=0&st=1&ac0=0"
    for _ in range(3):
        phone.get(sheet + six_to_five)
        phone.press("Save the deal")
    phone.get(f"{sheet}/deals/1/correct{six_to_five.replace('bt=0', 'bt=1')}")
    phone.press("Save the correction")
    assert phone.totals == ["16", "17"]
