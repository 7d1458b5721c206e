"""The pages in a real browser: nothing for axe to find, nothing wider than the screen, settings that stay."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from companion.games import GAMES

pytestmark = pytest.mark.browser

PAGES = ["", "rules", "problems", "problems/tricks-total", "search?q=a", "nope", "rules/spades?rules=classic~bt-7"]
PAGES += ["help", "help?sheet=s", *(f"rules/{game}" for game in GAMES)]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_page_fits_and_has_nothing_for_axe(page: Any, faults: Any, looked_at: Any, lang: str) -> None:
    found = {}
    for path in looked_at(PAGES, lang):
        page.goto(f"/{lang}/{path}")
        found[path] = faults(page, also=[1200])
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_axe_finds_what_it_should(page: Any, axe: Any, measured: dict[str, int]) -> None:
    """Of texts that are painted alike three are measured; another theme or background makes another kind."""
    measured.clear()
    page.set_content("""<html lang="ja"><title>x</title><style>
      p { color: #111 } .faint { color: #aaa } .on { background: #333 } .off { position: absolute; clip: rect(0 0 0 0) }
      @media (prefers-color-scheme: dark) {
        body { background: #000; color: #999 } p { color: #222 } .on { background: #fff } .faint { color: #767676 }
      }
      </style><main><h1>head</h1><p class="faint off">off</p><p>plain</p>
      <p class="faint">1</p><p class="faint">first</p><p class="faint">second</p><p class="faint">third</p>
      <p class="faint">fourth</p><div class="on"><p>plain on</p><p class="faint">faint on</p></div>
      <p>text around <a href="/" style="color: #333; text-decoration: none">a link</a> that looks like it</p>
      <img src="data:,"></main>""")

    def found(scheme: Literal["light", "dark"], **asked: bool) -> list[tuple[str, str]]:
        page.emulate_media(color_scheme=scheme)
        return [
            (fault.partition(":")[0], re.sub("<[^>]*>", "", fault.partition(": ")[2])) for fault in axe(page, **asked)
        ]

    low = [("color-contrast", text) for text in ("first", "second", "third", "plain on")]
    assert found("light") == [*low, ("image-alt", ""), ("link-in-text-block", "a link")]
    dark = [("color-contrast", text) for text in ("plain", "text around a link that looks like it", "a link")]
    assert found("dark", contrast_only=True) == [*dark, ("link-in-text-block", "a link")]


def test_axe_measures_what_an_earlier_page_did_not_have(
    page: Any, axe: Any, measured: dict[str, int], thorough: bool
) -> None:
    """Contrast is asked for once of what is painted alike, unless the run is a long one; all else of every page."""
    measured.clear()
    shown = """<html lang="en"><title>x</title><style>p { color: #aaa } .on { background: #bbb }</style>
      <main><h1>head</h1><p>1</p><p>faint</p><p>faint</p><p>faint</p>%s<img src="data:,"></main>"""

    def found(more: str = "") -> list[str]:
        page.set_content(shown % more)
        return [fault.partition(":")[0] for fault in axe(page)]

    first, rest = ["color-contrast"] * 3, ["image-alt"]
    assert found() == [*first, *rest]
    assert found() == (first if thorough else []) + rest
    assert found('<p class="on">faint on</p>') == (first if thorough else []) + ["color-contrast", *rest]


def test_axe_measures_small_targets_that_an_earlier_page_did_not_have(
    page: Any, axe: Any, measured: dict[str, int], thorough: bool
) -> None:
    measured.clear()
    shown = """<html lang="ja"><title>x</title><style>button { width: 15px; height: 15px; padding: 0; border: 0;
      margin: 0; color: #000 } .big { width: 90px; height: 90px }</style><main><h1>head</h1>%s</main>"""
    large, small = ('<button class="%s">x</button>' * 4 % ((name,) * 4) for name in ("big", "little"))

    def found(what: str) -> list[str]:
        page.set_content(shown % what)
        return [fault.partition(":")[0] for fault in axe(page)]

    assert found(large) == []
    assert found(small) == ["target-size"] * 4
    assert found(small) == (["target-size"] * 4 if thorough else [])
    assert found('<div class="other">' + small + "</div>") == ["target-size"] * 4


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
    expect(page.locator("body")).to_have_css("background-color", "rgb(21, 20, 18)")
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
