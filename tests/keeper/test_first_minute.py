"""The first minute: what a table agrees on is asked once, in words; a name that is too long is said at its field."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from companion.rulebook.words import words
from tests.keeper.phone import Phone

FRONT_DOOR = "/en/sheets/new/spades"


def test_the_main_button_starts_what_most_people_play(phone: Phone) -> None:
    phone.get(FRONT_DOOR)
    phone.press("Start", name0="Aki", name1="Beth", name2="Chika", name3="Dan")
    assert "partners’ bids are added" in phone.page.text
    phone.deal(3, 4, 4, 2, 6)
    assert phone.totals == ["60", "70"]  # 4 and 2 make six, 3 and 4 seven


@pytest.mark.parametrize("offer", ["later", "sum"])
def test_an_offer_that_is_tapped_holds_whatever_the_options_below_say(phone: Phone, offer: str) -> None:
    rules = {"later": "classic~bm-sum", "sum": "classic"}[offer]
    phone.get(f"{FRONT_DOOR}?rules={rules}")
    phone.press("Start", **{"first.bids": offer, "first.length": "to-200"})
    assert ("partners’ bids are added" in phone.page.text) == (offer == "sum")
    assert "200 to go" in phone.page.text


def test_an_option_changed_below_holds_where_no_offer_was_tapped(phone: Phone) -> None:
    phone.get(FRONT_DOOR)
    phone.press("Start", **{"o.target": "350", "o.bid_method": "consultation"})
    assert "350 to go" in phone.page.text
    assert "partners confer" in phone.page.text


def test_rules_that_fit_no_offer_are_shown_as_they_are(phone: Phone) -> None:
    page = phone.get(f"{FRONT_DOOR}?rules=classic~t-350")
    assert "350 points as set below" in page.text
    phone.press("Start")
    assert "350 to go" in phone.page.text


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_offer_can_be_started_and_changes_the_rules(game: Any) -> None:
    base = game.options.plain(game.options.preset().options)
    for asked in game.agreements:
        settled = []
        for offer in asked.offers:
            assert offer.options.keys() <= game.options.options.keys()
            settled.append(tuple({**base, **offer.options}.items()))
        assert len(set(map(str, settled))) == len(settled), asked.id
        assert asked.usual in ("", *(offer.id for offer in asked.offers))
        for lang in ("ja", "en"):
            assert words(game.id, lang).say(f"agree.{asked.id}.question")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "Too long: 45 characters, 40 at most."), ("ja", "長すぎます（45文字）。")]
)
def test_a_name_too_long_is_said_at_its_field_and_nowhere_else(phone: Phone, lang: str, said: str) -> None:
    phone.get(f"/{lang}/sheets/new/casino")
    start = {"en": "Start", "ja": "始める"}[lang]
    phone.press(start, name0="Aki", name1="", name2="b" * 45)
    assert phone.status == 422
    field = re.search(r'<input id="name2".*?</p>', phone.page.html, re.DOTALL)
    assert field
    assert 'aria-invalid="true" aria-describedby="wrong2"' in field[0]
    assert said in field[0]
    assert 'role="alert"' not in phone.page.html
    assert '<details class="house" open' not in phone.page.html


def test_who_deals_first_is_a_place_at_the_table_even_beside_an_empty_one(phone: Phone) -> None:
    phone.get("/en/sheets/new/casino")
    phone.press("Start", name0="Aki", name1="", name2="Chika", dealer="2")
    assert "Deal 1 · Chika deals" in phone.page.text


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_start_stands_above_the_fold_and_words_and_options_agree(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for game in (name for name, each in GAMES.items() if each.judge):  # the pad has places for twelve
        page.goto(f"/{lang}/sheets/new/{game}")
        page.wait_for_function("""() => {
            const at = document.querySelector(".start").getBoundingClientRect();
            const asked = [...document.querySelectorAll(".names, [data-agree]")];
            return at.bottom <= innerHeight && asked.every((part) => part.getBoundingClientRect().bottom <= at.top);
        }""")
        page.evaluate("document.querySelector('#rules').scrollIntoView()")
        expect(page.locator(".start button")).to_be_in_viewport(ratio=1)
    page.goto(f"/{lang}/sheets/new/spades")
    page.locator(".offer:has([value=later])").click()
    expect(page.locator("[name='o.bid_method']")).to_have_value("later_partner")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    page.locator("[name='o.bid_method']").select_option("sum")
    expect(page.locator("[name='first.bids'][value=sum]")).to_be_checked()
    page.locator("[name='o.bid_method']").select_option("consultation")
    expect(page.locator("[name='first.bids']:checked")).to_have_count(0)


def test_a_new_sheet_says_in_a_line_what_its_rules_are(phone: Phone) -> None:
    """The help of a preset is said as it is, below what was answered, and not where house rules change what it says."""
    told, first = "every ten bags cost 100 points", "Your answers above come first"
    pages = {
        code: phone.get(f"/en/sheets/new/spades?rules={code}").text
        for code in ("classic", "classic~bm-sum", "classic~bt-5")
    }
    assert {code: (told in html, first in html) for code, html in pages.items()} == {
        "classic": (True, False), "classic~bm-sum": (True, True), "classic~bt-5": (False, False),
    }  # fmt: skip
    assert "Bid your tricks, then take them" in phone.get("/en/sheets/new/spades").text
