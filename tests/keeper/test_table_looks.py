"""The drawn table on a phone: seats stand alike in every language, and a question with its answers fits the screen.

On the smallest phone they do, too, as long as there are not dozens; a wide screen has the deals beside them.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.driving import PHONE, Keeper
from tests.keeper.phone import Phone, Requests

pytestmark = pytest.mark.browser

SMALL, WIDE = {"width": 320, "height": 568}, {"width": 1280, "height": 800}
TARGET = 48
"""Pixels of the smallest side of a key."""

NAMES = {"en": ("Aki", "Beth", "Chika", "Dan", "Emi", "Finn"), "ja": ("あき", "べん", "ちか", "だん", "えみ", "ふみこ")}
TABLES = (
    ("spite-and-malice", "hoyle", 2, "?w=0"),
    ("spite-and-malice", "partners4", 4, ""),
    ("spite-and-malice", "skipbo_like", 4, "?w=0"),
    ("spite-and-malice", "partners6", 6, "?w=0"),
    ("casino", "swazi", 2, "?mc=0&ms=1&bt=0"),
    ("casino", "swazi", 3, "?mc=0&ms=1&bt=0"),
    ("casino", "swazi", 4, "?mc=0&ms=1&bt=0"),
    ("spades", "classic", 4, ""),
    ("spades", "solo3", 3, ""),
    ("spades", "duo_draw", 2, ""),
)
"""Game, preset, players, and how far the deal is: where the screen is fullest."""
DOZENS = ("hoyle", "skipbo_like", "partners6", "solo3")
"""Presets with more counts (18 to 27) than the smallest phone has room for: a row of them shows that there are more."""

MEASURE = """() => {
  const box = (each) => each.getBoundingClientRect();
  const all = (which) => [...document.querySelectorAll(which)];
  const below = (seat) => box(seat.querySelector(".note")).top >= box(seat.querySelector(".chip, button")).bottom - 1;
  const keys = all(".question button").map(box);
  return {
    end: Math.max(...keys.map((key) => key.bottom)),
    first: Math.min(...keys.map((key) => key.bottom)),
    smallest: Math.min(...keys.flatMap((key) => [key.width, key.height])),
    bar: box(document.querySelector(".bar")).top,
    below: all(".felt .seat:has(.note)").every(below),
    heights: all(".felt .note:has(.pile)").map((each) => Math.round(box(each).height)),
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}"""


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_question_fits_above_the_bar_and_seats_stand_alike(browser: Any, base_url: str, lang: str) -> None:
    context = browser.new_context(base_url=base_url, viewport=PHONE, java_script_enabled=False)
    phone, page = Phone(Requests(context), lang), context.new_page()
    found = []
    for game, preset, players, state in TABLES:
        names = (*NAMES[lang][:players], *[""] * (4 - players))
        page.goto(phone.open(*names, game=game, rules=preset) + state)
        seen, place = page.evaluate(MEASURE), f"{game} {preset} {players}{state}"
        if seen["end"] > seen["bar"]:
            found.append(f"{place}: answers end {seen['end'] - seen['bar']:.0f} px below the bar's edge")
        if not seen["below"]:
            found.append(f"{place}: what stands at a seat is not below its name")
        if len(set(seen["heights"])) > 1:
            found.append(f"{place}: piles with their words are {seen['heights']} px high")
        page.set_viewport_size(SMALL)
        seen = page.evaluate(MEASURE)
        if seen["wide"] > 0:
            found.append(f"{place}: too wide at 320 px")
        if seen["first" if preset in DOZENS else "end"] > seen["bar"]:
            found.append(f"{place}: at 320 px answers end {seen['end'] - seen['bar']:.0f} px below the bar's edge")
        if seen["smallest"] < TARGET:
            found.append(f"{place}: at 320 px a key has {seen['smallest']:.1f} px")
        page.set_viewport_size(PHONE)
    context.close()
    assert found == []


PLACES = """() => {
  const box = (which) => document.querySelector(which).getBoundingClientRect().toJSON();
  const keys = [...document.querySelectorAll(".question .numbers button")].map((each) => each.getBoundingClientRect());
  return {
    board: box(".board .side:last-child"), felt: box(".felt"), question: box(".question"), deals: box(".deals"),
    brand: box(".top .name"), bar: box(".bar"),
    right: Math.max(...keys.map((each) => each.right)),
  };
}"""
LONELY = """() => {
  const rows = {};
  for (const key of document.querySelectorAll(".question .numbers button")) (rows[key.offsetTop] ??= []).push(key);
  return Math.min(...Object.values(rows).map((row) => row.length));
}"""
BROKEN = """() => [...document.querySelectorAll(".question .cards button")].filter((key) => {
  const text = document.createRange();
  text.selectNodeContents(key);
  return new Set([...text.getClientRects()].map((part) => Math.round(part.bottom / 8))).size > 1;
}).map((key) => key.textContent)"""


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_sheet_uses_the_screen_that_it_has(browser: Any, base_url: str, lang: str) -> None:
    """Deals stand beside the question on a wide screen; the smallest phone shows every bid and breaks no card."""
    context = browser.new_context(base_url=base_url, viewport=WIDE, java_script_enabled=False)
    phone, page = Phone(Requests(context), lang), context.new_page()
    sheet = phone.open(*NAMES[lang][:4])
    for deal in ((4, 3, 3, 4, 8), (2, 4, 5, 4, 7), (3, 3, 4, 3, 5)):  # bags near the penalty take a line more
        phone.deal(*deal)
    for call in (3, 4):
        phone.press(call)
    page.goto(sheet)
    expect(page.locator(".tally-left.near")).not_to_have_count(0)
    seen = page.evaluate(PLACES)
    assert seen["deals"]["left"] > seen["felt"]["right"]
    assert seen["deals"]["top"] < seen["felt"]["top"]
    assert abs(seen["felt"]["left"] - seen["brand"]["left"]) < 8
    assert max(abs(seen["right"] - seen[part]["right"]) for part in ("felt", "board")) < 8
    page.set_viewport_size(SMALL)
    seen = page.evaluate(PLACES)
    assert seen["deals"]["top"] > seen["question"]["bottom"]
    seen = page.evaluate(MEASURE)
    assert seen["end"] < seen["bar"]
    assert seen["smallest"] >= TARGET
    spite, casino = (phone.open(*NAMES[lang][:2], game=game) for game in ("spite-and-malice", "casino"))
    page.goto(f"{spite}?w=0")
    expect(page.locator(".question .numbers button")).to_have_count(26)
    fewest_in_a_row = page.evaluate(LONELY)
    assert fewest_in_a_row > 1
    page.goto(f"{casino}?by=cards")
    expect(page.locator(".question .cards button")).to_have_count(52)
    broken = page.evaluate(BROKEN)
    assert broken == []
    context.close()


RAGGED = """() => [...document.querySelectorAll(".question .calls")].flatMap((group) => {
  const keys = [...group.children].map((key) => key.getBoundingClientRect());
  const rows = Map.groupBy(keys, (key) => key.top);
  const right = Math.max(...keys.map((key) => key.right));
  return [...rows.values()].flatMap((row) => [
    ...(Math.abs(row.at(-1).right - right) > 1 ? ["a row ends early"] : []),
    ...(Math.abs(row[0].width - row.at(-1).width) > 1 ? ["keys of a row differ"] : []),
  ]);
})"""


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("size", [SMALL, PHONE, WIDE], ids=["small", "phone", "wide"])
def test_many_calls_stand_in_full_rows(browser: Any, base_url: str, lang: str, size: dict[str, int]) -> None:
    context = browser.new_context(base_url=base_url, viewport=size, java_script_enabled=False)
    phone, page = Phone(Requests(context), lang), context.new_page()
    blind = dict.fromkeys(("double_nil", "double_blind_nil", "blind_bid", "blind_moon", "moon"), "on")
    page.goto(phone.open(*NAMES[lang][:4], **blind))
    expect(page.locator(".question .calls")).to_have_count(2)
    ragged = page.evaluate(RAGGED)
    overflowing = page.evaluate(
        "() => [...document.querySelectorAll('.question button')].filter((key) => key.scrollWidth > key.clientWidth)"
        ".map((key) => key.textContent)"
    )
    context.close()
    assert (ragged, overflowing) == ([], [])


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
    """The reason is between the totals and the question, with its article, and a screen reader says it once."""
    context = browser.new_context(base_url=base_url, viewport=size)
    keeper = Keeper(context.new_page(), lang)
    keeper.open(names=NAMES[lang][:4])
    for call in (4, 3):
        keeper.tap(call)
    expect(keeper.page.locator(".question button.odd").first).to_have_accessible_description(re.compile(r"\d"))
    keeper.tap(1)
    reason = keeper.page.locator(".oddity")
    expect(reason).to_have_count(1)
    seen = keeper.page.evaluate("""() => {
      const box = (which) => document.querySelector(which).getBoundingClientRect().toJSON();
      return { board: box(".standing"), reason: box(".oddity"), question: box(".question legend"), bar: box(".bar") };
    }""")
    expect(keeper.page.locator(".spoken")).to_contain_text({"ja": "だん 1", "en": "Dan 1"}[lang])
    keeper.tap(5)
    expect(keeper.page.locator(".spoken")).to_have_text("")
    expect(reason).to_have_count(1)
    with keeper.arrived():
        reason.get_by_role("link").click()
    expect(keeper.page).to_have_url(re.compile(rf"/{lang}/rules/spades"))
    context.close()
    assert seen["board"]["bottom"] <= seen["reason"]["top"]
    assert seen["reason"]["bottom"] <= seen["question"]["top"] < seen["bar"]["top"]
