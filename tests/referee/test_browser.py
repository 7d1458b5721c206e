"""The referee's pages in a real browser: quick taps, no script at all, nothing for axe to find, nothing too wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.data import LANGUAGES
from companion.games import GAMES
from tests.keeper.driving import Keeper
from tests.referee.reading import address

pytestmark = pytest.mark.browser

ASKED: dict[str, dict[str, object]] = {
    "spades/card": {"h": "7H.2S.9C.AS.QD.KH", "t": "9H.2H"},
    "spades/call": {"c": "5.nil.double_nil"},
    "spades/trick": {"t": "9H.2S.3H.KH"},
    "spades/deal": {"c": "-", "p": "9H.2S.3H.4H.5H"},
    "casino/take": {"l": "2S.3H.5C.8D.6C", "h": "8S.AC", "b0": "6S.3D", "step": "ask", "c": "8S", "m": "5C.3H"},
    "casino/turn": {"l": "2S.3H.5C", "h": "8S.AC", "b0": "6S.3D", "step": "ask", "p": "c*8S*5C.3H", "q": "t*AC"},
    "casino/deal": {"t": "4D.5C.KH.8S", "p": "b*4S*4D-t*KC-t*AS", "q": "*8H*8S"},
    "spades/consult": {"c": "5", "w": 1},
    "spades/dealt": {"b": 0, "d": 2, "c0": 12},
    "casino/dealt": {"rules": "swedish", "b": 0, "c1": 3},
    "spite-and-malice/dealt": {"c0": 40},
    "spades/exchange": {"k": "double", "give": 1},
    "spite-and-malice/deal": {"p0": "2", "p1": "9", "m": "Anp20Qs9nAns5nr1", "q": "3"},
    "spite-and-malice/stack": {"s": "8.X.X.9"},
    "spite-and-malice/moves": {"h": "A.2.5.K.X", "y": "2", "c": "A.5", "s0": "9.8", "f": "hand.5", "g": "c1"},
    "spite-and-malice/start": {"p0": "KS", "p1": "KH"},
    "spite-and-malice/stuck": {"idle": 2, "stock": 10, "complete": 1},
}  # fmt: skip
LAYING: dict[str, dict[str, object]] = {
    "casino/take": {"l": "2S.3H", "b0": "6S.3D"},
    "casino/turn": {"l": "2S.3H", "h": "4C", "n": 4},
    "casino/deal": {"t": "2S.3H"},
    "spades/deal": {"c": "5.nil", "w": "0"},
    "spite-and-malice/deal": {"p0": "2", "rules": "massachusetts"},
}


def pages(lang: str) -> Iterator[str]:
    """The page of all questions, and every question in the middle of being asked, and before."""
    yield f"/{lang}/referee"
    for game, questions in ((game.id, game.questions) for game in GAMES.values()):
        for name in questions:
            path = f"{game}/{name}"
            yield address(path, {}, lang=lang)
            yield address(path, ASKED[path], lang=lang)
            if path in LAYING:
                yield address(path, LAYING[path], lang=lang)


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_in_four_colours(page: Any, axe: Any, lang: str) -> None:
    page.goto(address("spades/card", ASKED["spades/card"], lang=lang))
    page.locator("button[data-setting=deck]").click()
    colours = page.evaluate(
        "[...'shdc'].map(suit => getComputedStyle(document.querySelector('button.face.suit-' + suit)).color)"
    )
    assert len(set(colours)) == 4
    assert axe(page) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_fits_with_buttons_for_a_thumb_and_nothing_for_axe(
    page: Any, faults: Any, looked_at: Any, lang: str
) -> None:
    found = {}
    for path in looked_at(list(pages(lang)), lang):
        page.goto(path)
        found[path] = faults(page, also=[1200]) + page.evaluate(MISPLACED)
        page.set_viewport_size({"width": 320, "height": 844})
        found[path] += page.evaluate(MISPLACED)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


MISPLACED = """() => {
  const buttons = [...document.querySelectorAll(".referee button")].filter(each => each.offsetParent);
  const small = buttons.map(each => [each.value, each.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44);
  const bar = [...document.querySelectorAll(".bar > *")];
  const out = bar.filter(each => each.getBoundingClientRect().right > innerWidth);
  return [
    ...small.map(([value, box]) => `${value} is ${box.width} by ${box.height}`),
    ...out.map(each => `${each.textContent} leaves the bar`),
  ];
}"""


ROWS = """() => [...document.querySelectorAll(".cards")].map((pack) => {
  const tops = [...pack.children].map((card) => card.offsetTop);
  return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length);
})"""


def test_no_card_of_a_pack_stands_alone_in_its_row(page: Any) -> None:
    page.goto(address("spades/card", ASKED["spades/card"]))
    for width in (320, 344, 358, 360, 375, 390, 412):
        page.set_viewport_size({"width": width, "height": 700})
        rows = page.evaluate(ROWS)
        assert rows
        assert all(min(pack) > 1 for pack in rows), (width, rows)


ABOVE_THE_BAR = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect().top;
  const seen = [...document.querySelectorAll(".mine .face, .picker .face")];
  return [seen.length, seen.filter(each => each.getBoundingClientRect().bottom > bar + 1).length];
}"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_judged_hand_and_the_whole_pack_stand_above_the_verdict(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address("spades/card", ASKED["spades/card"], lang=lang))
    expect(page.locator(".bar")).to_be_visible()
    seen = page.evaluate(ABOVE_THE_BAR)
    assert seen == [6 + 52, 0]


def test_quick_taps_are_all_kept_without_a_page_load(page: Any) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/en/referee/spades/card")
    page.evaluate("window.stays = true")
    cards = ["7H", "2S", "9C", "AS", "QD", "KH"]
    page.evaluate(
        "cards => { for (const card of cards) document.querySelector(`[value='tap:${card}']`).click(); }", cards
    )
    expect(page).to_have_url(re.compile(r"\?h=7H\.2S\.9C\.AS\.QD\.KH$"))
    page.locator("[value='to:t']").click()
    page.locator("[value='tap:9H']").click()
    expect(page.get_by_role("status")).to_have_text("2 of 6 cards may be played.")
    expect(page.locator("[value='tap:2S']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[value='tap:2S']")).to_contain_class("illegal")
    stays, address = page.evaluate("[window.stays, location.pathname + location.search]")
    assert stays
    expect(page.locator("a.language")).to_have_attribute("href", address.replace("/en/", "/ja/"))
    assert complaints == []


def test_focus_stays_on_the_tapped_card(page: Any) -> None:
    page.goto("/en/referee/spite-and-malice/stack")
    page.locator("[value='tap:8']").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?s=8$"))
    expect(page.locator("[value='tap:8']")).to_be_focused()


def test_totals_are_taken_up_when_they_are_typed(page: Any) -> None:
    page.goto("/ja/referee/spades/call?c=4.double_nil-n")
    expect(page.get_by_role("status")).to_contain_class("illegal")
    page.locator("input[name=x1]").fill("150")
    page.locator("input[name=x1]").press("Enter")
    expect(page.get_by_role("status")).to_have_class("legal")
    expect(page).to_have_url(re.compile("x1=150"))


def press(page: Any, *values: str) -> None:
    """Press buttons one after the other, each on the page that the one before led to."""
    for value in values:
        with page.expect_navigation():
            page.locator(f"button[value='{value}']").click()


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", LANGUAGES)
def test_questions_are_answered_without_scripts(browser: Any, base_url: str, lang: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    page.goto(f"/{lang}/referee/spades/card")
    press(page, "tap:7H", "tap:2S", "to:t", "tap:9H")
    expect(page.locator("[value='tap:2S']")).to_contain_class("illegal")
    expect(page.locator(".answer.illegal a").first).to_have_attribute("href", f"/{lang}/rules/spades#follow-suit")
    page.goto(f"/{lang}/referee/casino/take")
    press(page, "tap:5C", "tap:4D", "to:h", "tap:9S", "step:ask", "mark:5C", "mark:4D")
    expect(page.get_by_role("status")).to_have_class("legal")
    page.goto(f"/{lang}/referee/spite-and-malice/stack")
    press(page, "tap:8", "tap:X")
    expect(page.locator("[value='tap:6']")).to_contain_class("legal")
    page.locator("[value='drop:s.1']").click()
    expect(page.locator("[value='tap:6']")).to_contain_class("illegal")
    context.close()


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_turn_of_casino_is_tapped_together(page: Any, lang: str) -> None:
    page.goto(f"/{lang}/referee/casino/turn?l=4D.5C.KH&h=6S.10H&step=ask")
    for value in ("kind:b", "card:6S", "mark:4D"):
        page.locator(f"[value='{value}']").click()
        expect(page.locator(f"[value='{value}']")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("status")).to_have_class("legal")
    page.locator("[value=add]").click()
    page.wait_for_function("() => new URLSearchParams(location.search).get('p') === 'b*6S*4D'")
    expect(page.locator("[value='named:N1']")).to_have_count(1)


def test_article_is_one_tap_away(page: Any) -> None:
    page.goto(address("spades/card", ASKED["spades/card"]))
    page.locator(".answer.illegal a").first.click()
    page.wait_for_url("**/en/rules/spades#follow-suit")


def test_back_leads_to_the_sheet_with_what_was_entered_of_the_deal(page: Any) -> None:
    entered = f"{Keeper(page, 'en').begin('casino', names=('Aki', 'Beth'))}?mc=0&ms=1"
    page.goto(entered)
    page.goto(page.locator("a[href*='/referee/']").first.evaluate("link => link.href"), referer=entered)
    page.locator(".rows a").first.click()
    page.locator(".tabs a").last.click()
    page.get_by_role("link", name="Back to the sheet").click()
    expect(page).to_have_url(entered)
    page.goto("/en/referee/spades/card")
    expect(page.locator(".tabs")).to_be_visible()
    expect(page.get_by_role("link", name="Back to the sheet")).to_have_count(0)
