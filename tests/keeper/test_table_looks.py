"""The drawn table on a phone: seats stand alike in every language, and a question with its answers fits the screen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.keeper.driving import PHONE
from tests.keeper.phone import Phone, Requests

pytestmark = pytest.mark.browser

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

MEASURE = """() => {
  const box = (each) => each.getBoundingClientRect();
  const all = (which) => [...document.querySelectorAll(which)];
  const below = (seat) => box(seat.querySelector(".note")).top >= box(seat.querySelector(".chip, button")).bottom - 1;
  return {
    end: Math.max(...all(".question button").map((each) => box(each).bottom)),
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
        page.set_viewport_size({"width": 320, "height": 568})
        if page.evaluate(MEASURE)["wide"] > 0:
            found.append(f"{place}: too wide at 320 px")
        page.set_viewport_size(PHONE)
    context.close()
    assert found == []
