"""The pages in a real browser: nothing for axe to find, nothing wider than the screen, settings that stay."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import GAMES

pytestmark = pytest.mark.browser

PAGES = ["", "rules", "problems", "problems/tricks-total", "search?q=a", "nope", "rules/spades?rules=classic~bt-7"]
PAGES += [f"rules/{game}" for game in GAMES]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_axe_finds_nothing(page: Any, axe: Any, lang: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    found = {}
    for path in PAGES:
        page.goto(f"/{lang}/{path}")
        page.emulate_media(color_scheme="light")
        found[path] = axe(page)
        page.emulate_media(color_scheme="dark")
        found[path] += axe(page, contrast_only=True)
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_page_is_wider_than_the_screen(page: Any, lang: str) -> None:
    for path in PAGES:
        page.goto(f"/{lang}/{path}")
        for width in (320, 390, 1200):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (path, width)


def test_nothing_is_blocked_or_complained_about(page: Any) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path in ("/ja/", "/en/rules/spades", "/ja/problems"):
        page.goto(path)
    assert complaints == []


def test_settings_stay_from_page_to_page(page: Any, axe: Any) -> None:
    page.goto("/ja/rules/spades")
    dark, deck, furigana = (page.locator(f"button[data-setting={name}]") for name in ("theme", "deck", "furigana"))
    dark.click(click_count=2)
    deck.click()
    furigana.click()
    for address in ("/ja/rules/spades", "/ja/"):
        for name, value in (("theme", "dark"), ("deck", "four"), ("furigana", "off")):
            expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
        page.goto(address)
    expect(page.locator("button[data-setting=deck]")).to_have_text("スート：4色")
    expect(page.locator("body")).to_have_css("background-color", "rgb(18, 18, 18)")
    page.goto("/ja/rules/spades")
    assert axe(page) == []
    expect(page.locator("rt").first).to_be_hidden()


def test_language_switch_keeps_the_place(page: Any) -> None:
    page.goto("/ja/rules/spades#follow-suit")
    page.locator("a.language").click()
    page.wait_for_url("**/en/rules/spades#follow-suit")
    expect(page.locator("#follow-suit")).to_be_in_viewport()


def test_site_reads_without_scripts(browser: Any, base_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    page.goto("/en/rules/spades")
    expect(page.locator("h1")).to_have_text("Spades")
    expect(page.locator(".settings")).to_be_hidden()
    context.close()


def test_keyboard_reaches_the_content_first(page: Any) -> None:
    page.goto("/en/rules/spades")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_class("skip")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("main :focus")).to_have_count(1)
