"""The plain pad in a keeper's hands: from the front page to the first score, and twelve sides on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from companion.rulebook.words import say, words
from tests.keeper.driving import PHONE, SAVE, START, Keeper

pytestmark = pytest.mark.browser
NAMES = ("Aki", "Beth", "Chika", "Dan", "Emi", "Finn", "Gen", "Hana", "Iris", "Jun", "Kaori & Ken", "Lea")
languages = pytest.mark.parametrize("lang", ["en", "ja"])


def enter(keeper: Keeper, number: int) -> None:
    """Type a number on the keypad, its minus last, and say OK."""
    keys = keeper.page.locator("#entry .digits")
    for digit in str(abs(number)):
        keeper.thumb.tap(keys.get_by_role("button", name=digit, exact=True))
    if number < 0:
        keeper.thumb.tap(keys.get_by_role("button", name=say(keeper.lang, "keeper.minus")))
    ok = keys.locator(".strong")
    expect(ok).to_have_attribute("value", str(number))
    with keeper.settled():
        keeper.thumb.tap(ok)


@languages
def test_from_the_front_page_to_the_first_score(browser: Any, live_site: str, lang: str) -> None:
    page = browser.new_context(base_url=live_site, viewport=PHONE).new_page()
    keeper = Keeper(page, lang)
    page.goto(f"/{lang}/")
    card = page.locator(".games section", has_text=words("pad", lang).name)
    expect(card.get_by_role("link")).to_have_count(2)
    card.get_by_role("link", name=say(lang, "home.keep-score")).click()
    for place, name in enumerate(("Aki", "Beth", "Chika")):
        page.fill(f"#name{place}", name)
    page.get_by_role("button", name=START[lang]).first.click()
    page.wait_for_url(keeper.opened)
    for number in (120, -45, 0):
        enter(keeper, number)
    keeper.tap(SAVE[lang])
    expect(keeper.totals).to_have_text(["120", "−45", "0"])
    for number in (-99_999, 7, 99_999):
        enter(keeper, number)
    keeper.tap(SAVE[lang])
    expect(keeper.totals).to_have_text(["−99879", "−38", "99999"])
    page.context.close()


def test_a_keyboard_types_the_minus_too(browser: Any, live_site: str) -> None:
    page = browser.new_context(base_url=live_site).new_page()
    keeper = Keeper(page, "en")
    keeper.open("pad", names=("Aki", "Beth"))
    for key in "-12":
        page.keyboard.press(key)
    expect(page.locator("#entry .digits .strong")).to_have_attribute("value", "-12")
    page.context.close()


@languages
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_twelve_sides_fit_on_a_phone_upright_and_on_its_side(
    browser: Any, live_site: str, lang: str, scheme: str
) -> None:
    context = browser.new_context(base_url=live_site, viewport=PHONE, color_scheme=scheme)
    page = context.new_page()
    keeper = Keeper(page, lang)
    keeper.open("pad", names=NAMES)
    for number in range(12):
        enter(keeper, number * (-1) ** number)
    for size in (PHONE, {"width": PHONE["height"], "height": PHONE["width"]}):
        page.set_viewport_size(size)
        fits(page, [".board .side", ".keys .save", ".bar a"])
    keeper.tap(SAVE[lang])
    for size in (PHONE, {"width": PHONE["height"], "height": PHONE["width"]}):
        page.set_viewport_size(size)
        fits(page, [".board .side", ".board .total", ".digits .key", ".bar a"])
    context.close()


def fits(page: Any, selectors: list[str]) -> None:
    """Nothing of these is beyond the screen's edges, and nothing makes the page wider."""
    page.evaluate("scrollTo(0, 0)")
    within = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert within
    for selector in selectors:
        boxes = page.eval_on_selector_all(
            selector,
            "all => all.map(each => each.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])",
        )
        size = page.viewport_size
        assert boxes, selector
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= size["width"] + 0.5, selector
            assert 0 <= top < bottom <= size["height"] + 0.5, selector
    for one in ("Kaori", "Aki"):
        expect(page.locator(".board .side-name", has_text=one)).to_be_visible()
