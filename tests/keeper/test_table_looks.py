"""The screen of the entry where it is fullest: many calls, all cards, the deals beside them on a wide screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.driving import PHONE, Keeper
from tests.keeper.phone import Phone, Requests

pytestmark = pytest.mark.browser

SMALL, WIDE = {"width": 320, "height": 568}, {"width": 1280, "height": 800}

NAMES = {"en": ("Aki", "Beth", "Chika", "Dan", "Emi", "Finn"), "ja": ("あき", "べん", "ちか", "だん", "えみ", "ふみこ")}
PLACES = """() => {
  const box = (which) => document.querySelector(which).getBoundingClientRect().toJSON();
  return { felt: box(".felt"), keys: box(".keys"), deals: box(".deals"), bar: box(".bar") };
}"""
BROKEN = """() => [...document.querySelectorAll(".cards .key:not(.w2)")].filter((key) => {
  const text = document.createRange();
  text.selectNodeContents(key);
  return new Set([...text.getClientRects()].map((part) => Math.round(part.bottom / 8))).size > 1;
}).map((key) => key.textContent)"""


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_sheet_uses_the_screen_that_it_has(browser: Any, base_url: str, lang: str) -> None:
    """Deals stand beside the entry on a wide screen; the smallest phone shows every bid and breaks no card."""
    context = browser.new_context(base_url=base_url, viewport=WIDE, java_script_enabled=False)
    phone, page = Phone(Requests(context), lang), context.new_page()
    sheet = phone.open(*NAMES[lang][:4])
    for deal in ((4, 3, 3, 4, 8), (2, 4, 5, 4, 7), (3, 3, 4, 3, 5)):  # bags near the penalty take a line more
        phone.deal(*deal)
    for call in (3, 4):
        phone.press(call)
    page.goto(sheet)
    expect(page.locator(".facts .near")).not_to_have_count(0)
    seen = page.evaluate(PLACES)
    assert seen["deals"]["left"] > seen["felt"]["right"]
    assert seen["deals"]["top"] < seen["felt"]["top"]
    assert seen["deals"]["left"] > seen["keys"]["right"]
    page.set_viewport_size(SMALL)
    seen = page.evaluate(PLACES)
    assert seen["deals"]["top"] > seen["keys"]["bottom"]
    casino = phone.open(*NAMES[lang][:2], game="casino")
    page.goto(f"{casino}?by=cards")
    expect(page.locator(".cards .key:not(.w2)")).to_have_count(52)
    broken = page.evaluate(BROKEN)
    assert broken == []
    context.close()


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("size", [SMALL, PHONE, WIDE], ids=["small", "phone", "wide"])
def test_many_calls_are_all_in_view(browser: Any, base_url: str, lang: str, size: dict[str, int]) -> None:
    context = browser.new_context(base_url=base_url, viewport=size, java_script_enabled=False)
    phone, page = Phone(Requests(context), lang), context.new_page()
    blind = dict.fromkeys(("double_nil", "double_blind_nil", "blind_bid", "blind_moon", "moon"), "on")
    page.goto(phone.open(*NAMES[lang][:4], **blind))
    expect(page.locator(".keys.of-28")).to_have_count(1)
    overflowing = page.evaluate("""() => [...document.querySelectorAll(".keys button")].filter((key) => {
      const { right, bottom, height } = key.getBoundingClientRect();
      return key.scrollWidth > key.clientWidth || right > innerWidth || bottom > innerHeight || height < 24;
    }).map((key) => key.textContent)""")
    context.close()
    assert overflowing == []


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_what_a_field_asks_for_fits_it(browser: Any, base_url: str, lang: str) -> None:
    context = browser.new_context(base_url=base_url, viewport=SMALL, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/{lang}/sheets/new/casino")
    cut = page.evaluate("""() => [...document.querySelectorAll("input[placeholder]")].filter((field) => {
      const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
      const word = getComputedStyle(field, "::placeholder");
      pen.font = `${word.fontWeight} ${word.fontSize} ${word.fontFamily}`;
      const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      return pen.measureText(field.placeholder).width > room;
    }).map((field) => field.placeholder)""")
    context.close()
    assert cut == []


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_a_call_that_is_not_allowed_says_why_where_the_next_question_is(
    browser: Any, base_url: str, lang: str, size: dict[str, int]
) -> None:
    """The reason is between the table and the keys, with its article, and a screen reader says it once."""
    context = browser.new_context(base_url=base_url, viewport=size)
    keeper = Keeper(context.new_page(), lang)
    keeper.begin(names=NAMES[lang][:4])
    for call in (4, 3):
        keeper.tap(call)
    expect(keeper.page.locator(".question button.odd").first).to_have_accessible_description(re.compile(r"\d"))
    keeper.tap(1)
    reason = keeper.page.locator(".oddity")
    expect(reason).to_have_count(1)
    seen = keeper.page.evaluate("""() => {
      const box = (which) => document.querySelector(which).getBoundingClientRect().toJSON();
      return { felt: box(".felt"), reason: box(".query .hint"), keys: box(".keys"), bar: box(".bar") };
    }""")
    expect(keeper.page.locator(".spoken")).to_contain_text({"ja": "だん 1", "en": "Dan 1"}[lang])
    keeper.tap(5)
    expect(keeper.page.locator(".spoken")).to_have_text("")
    expect(reason).to_have_count(1)
    with keeper.arrived():
        reason.get_by_role("link").click()
    expect(keeper.page).to_have_url(re.compile(rf"/{lang}/rules/spades"))
    context.close()
    assert seen["felt"]["bottom"] <= seen["reason"]["top"]
    assert seen["reason"]["bottom"] <= seen["keys"]["top"] < seen["bar"]["top"]


AROUND = """(seats) => [...Array(seats).keys()].map((place) => {
  const seat = document.querySelector(`.felt .seat.at-${place}`);
  const { left, right, top, bottom } = seat.getBoundingClientRect();
  const felt = seat.closest(".felt").getBoundingClientRect();
  return [(left + right - felt.left - felt.right) / felt.width, (top + bottom - felt.top - felt.bottom) / felt.height];
})"""
"""Where each seat lies, seen from the middle of the table."""


@pytest.mark.parametrize(("rules", "seats"), [("classic", 4), ("solo3", 3), ("partners6", 6)])
def test_names_lie_at_the_side_of_the_table_where_they_were_written(page: Any, rules: str, seats: int) -> None:
    keeper = Keeper(page, "en")
    page.goto(f"/en/sheets/new/spades?rules={rules}")
    before = page.evaluate(AROUND, seats)
    keeper.begin(rules=rules, names=NAMES["en"][:seats])
    after = page.evaluate(AROUND, seats)
    assert all(x * u + y * v > 0 for (x, y), (u, v) in zip(before, after, strict=True))
