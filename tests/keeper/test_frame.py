"""The frame of the entry: no row and no key moves through an evening, and every key is in view, at every size.

Measured on the pages themselves as their keeper sees them; a short run takes one table, a long one all of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import BOUNCE, Keeper
from tests.keeper.phone import Button, Form, Phone, Requests

pytestmark = pytest.mark.browser

SIZES = (
    (390, 844), (390, 664), (360, 640), (320, 568), (844, 390), (932, 430), (740, 360), (667, 375), (568, 320),
    (768, 1024), (1024, 768), (1024, 600), (1280, 800),
)  # fmt: skip
HELD = ((390, 844), (320, 568), (844, 390), (1024, 768), (1280, 800))
"""Sizes at which a whole evening is tapped with a script."""
LYING = ((844, 390), (932, 430), (740, 360), (667, 375))
NAMES = {
    "en": ("Maximilian", "Elizabeth", "Carla", "Ben", "Finn", "Emilia"),
    "ja": ("さくらんぼ", "けんいち", "美咲", "大輔", "ふみこ", "えみ"),
}
TABLES = (
    ("spades", "modern", 4), ("spades", "classic", 4), ("spades", "solo4", 4), ("spades", "solo3", 3),
    ("spades", "partners6", 6), ("spades", "duo_draw", 2),
    ("casino", "swazi", 2), ("casino", "swazi", 3), ("casino", "standard", 4),
    ("spite-and-malice", "hoyle", 2), ("spite-and-malice", "massachusetts", 2), ("spite-and-malice", "partners4", 4),
    ("spite-and-malice", "partners6", 6),
)  # fmt: skip
CASES = [(*table, lang) for table in TABLES for lang in NAMES]
DEALS = 3

MEASURE = """([letters, dense]) => {
  const box = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].map((number) => Math.round(number * 10) / 10);
  };
  const drawn = (each) => each.getClientRects().length && !each.closest(".heard, [popover]");
  const all = (which) => [...document.querySelectorAll(which)].filter(drawn);
  const named = (row) => [row, box(document.querySelector(row))];
  const keys = all(".keys > button");
  const covered = (key) => {
    const [x, y, width, height] = box(key), top = document.elementFromPoint(x + width / 2, y + height / 2);
    const out = x < 0 || y < 0 || x + width > innerWidth + .1 || y + height > innerHeight + .1;
    return out || !top || !top.closest(".keys");
  };
  const many = document.querySelector(".of-20, .of-28, .of-many");
  const least = document.querySelector(".cards") ? 24 : many ? dense : 40;
  const target = (each) => box(each)[2] < 43.5 || box(each)[3] < 40;
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const beyond = (each) => {
    const { left, right, top, bottom, width } = each.getBoundingClientRect();
    return width && (left < felt.left - 1 || right > felt.right + 1 || top < felt.top - 7 || bottom > felt.bottom + 1);
  };
  const tall = (each) => each.clientHeight > 2.2 * parseFloat(getComputedStyle(each).fontSize) + 12;
  const wide = (each) => each.scrollWidth > each.clientWidth + 1;
  const seats = all(".seat").map((each) => each.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const faults = {
    hidden: keys.filter(covered),
    small: [
      ...keys.filter((key) => Math.min(box(key)[2], box(key)[3]) < least),
      ...all(".bar :is(a, button), button.place").filter(target),
    ],
    wrapped: all(".who").filter(tall),
    out: all(".felt :is(.who, .call, td, th, .note, svg)").filter(beyond),
    cut: all(".head h1, .flash p, .sub, .query > *, .key, .facts, .verdict, .bar :is(a, button)")
      .filter((each) => getComputedStyle(each).overflowY !== "auto")  // several problems are scrolled
      .filter((each) => wide(each) || each.scrollHeight > each.clientHeight + 3),
    dots: all(".who, .side-name > span").filter((each) => wide(each) && each.textContent.length <= letters),
  };
  const words = (each) => `${each.className}: ${each.textContent.trim().replace(/\\s+/g, " ")} ${box(each).slice(2)}`;
  return {
    rows: Object.fromEntries([".head", ".board", ".felt", ".query", ".keys", ".bar"].map(named)),
    keys: keys.map((key) => [key.firstChild.textContent, ...box(key)]).filter(([label]) => /^\\d+$/.test(label)),
    pad: document.querySelector(".keys").className,
    faults: Object.fromEntries(Object.entries(faults).map(([kind, found]) => [kind, found.map(words)])),
    over: seats.some((one, place) => seats.slice(place + 1).some((other) => meet(one, other))),
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}"""
"""What one screen shows: the boxes of its rows and number keys, and everything that is hidden, too small, broken,
outside the table, cut or shortened."""


def offered(phone: Phone) -> Iterator[tuple[Form, Button]]:
    """Yield the keys of the question, or the one that saves."""
    question = re.search(r'data-question="([^"]*)"', phone.page.html)
    names = ("call", question[1], "typed") if question else ("",)
    for form in phone.page.forms:
        for button in form.buttons:
            if button.name in names and not button.disabled and (question or form.action.endswith("/do/record")):
                yield form, button


def evening(phone: Phone, chance: random.Random, deals: int) -> Iterator[str]:
    """Play some deals at random, answered mostly as the rules allow; yield the address of each screen."""
    done = 0
    yield phone.sheet
    while done < deals:
        keys = list(offered(phone))
        if not keys:  # counts that do not add up: the deal is begun anew
            phone.get(phone.sheet)
            keys = list(offered(phone))
        calls = [key for key in keys if key[1].label.isdecimal() and int(key[1].label) < 6] or keys
        form, button = chance.choice(calls if chance.random() < 0.8 else keys)
        done += form.action.endswith("/do/record")
        yield phone.press_button(form, button)
        if "ending" in phone.page.html:
            return


@pytest.mark.by_turns
@pytest.mark.parametrize(("game", "preset", "players", "lang"), CASES)
def test_no_row_and_no_key_moves_through_an_evening(
    browser: Any, base_url: str, game: str, preset: str, players: int, lang: str, soak_round: int, soaked: Any
) -> None:
    context = browser.new_context(base_url=base_url, java_script_enabled=False, reduced_motion="reduce")
    phone, page = Phone(Requests(context), lang), context.new_page()
    phone.open(*NAMES[lang][:players], *[""] * (4 - players), game=game, rules=preset)
    chance = random.Random(f"{game} {preset} {players} {lang} {soak_round}")
    frames: dict[tuple[int, int, str], list[float]] = {}
    places: dict[tuple[int, int, str, str], list[float]] = {}
    found: list[str] = []
    screens = 0
    for address in evening(phone, chance, DEALS):
        if "ending" in phone.page.html:
            break
        page.goto(address)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(MEASURE, [10 if lang == "en" else 5, 36 if width > 600 or width < 568 else 28])
            where, screens = f"{width}x{height} {address.partition('?')[2]}", screens + 1
            for row, box in seen["rows"].items():
                if frames.setdefault((width, height, row), box) != box:
                    found.append(f"{where}: {row} moved from {frames[width, height, row]} to {box}")
            for label, *box in seen["keys"]:
                if places.setdefault((width, height, seen["pad"], label), box) != box:
                    found.append(
                        f"{where}: key {label} moved from {places[width, height, seen['pad'], label]} to {box}"
                    )
            if (width, height) == (568, 320):  # the smallest phone lying down: names and second lines may end in dots
                seen["faults"]["cut"] = [cut for cut in seen["faults"]["cut"] if cut.startswith(("key", "verdict"))]
                seen["faults"]["dots"] = []
            found += [f"{where}: {kind} {words}" for kind, words in seen["faults"].items() if words]
            found += [f"{where}: seats overlap"] * seen["over"] + [f"{where}: too wide"] * seen["wide"]
    context.close()
    assert "\n".join(found) == ""
    soaked(screens=screens, keys=len(places))


KEYS = """() => Object.fromEntries([...document.querySelectorAll("#entry .question button")].map((key) => {
  const { x, y, width, height } = key.getBoundingClientRect();
  return [key.textContent, [x, y, width, height].map((each) => Math.round(10 * each) / 10)];
}).filter(([label]) => /^\\d+$/.test(label)))"""


@pytest.mark.by_turns(5)
@pytest.mark.parametrize("size", HELD, ids=[f"{width}x{height}" for width, height in HELD])
def test_two_taps_on_one_spot_give_the_same_number(new_phone: NewPhone, size: tuple[int, int]) -> None:
    """The note that a deal was saved left the flow after the first call: 3, then 8."""
    page = new_phone(reduced_motion="reduce")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    keeper = Keeper(page, "en")
    keeper.begin(rules="modern")
    places: dict[str, list[float]] = {}
    moved = []

    def hold(moment: str) -> None:
        for label, box in page.evaluate(KEYS).items():
            if places.setdefault(label, box) != box:
                moved.append(f"{moment}: {label} from {places[label]} to {box}")

    spot = page.locator("#entry").get_by_role("button", name="3", exact=True).bounding_box()
    for deal in range(1, 5):
        hold(f"deal {deal}")
        for call in range(4):
            page.wait_for_timeout(1000 * BOUNCE)
            with keeper.settled():
                page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
            hold(f"deal {deal}, call {call}")
        expect(page.locator(".said b")).to_have_text(["3"] * 4)
        if deal == 2:
            page.wait_for_timeout(1000 * BOUNCE)
            keeper.tap("Undo", inside=".bar")
            hold("undone")
            keeper.tap(3)
        keeper.tap(7)
        keeper.tap("Save the deal")
    assert moved == []


@pytest.mark.parametrize("size", LYING, ids=[f"{width}x{height}" for width, height in LYING])
def test_every_key_is_in_view_on_a_lying_phone(browser: Any, base_url: str, size: tuple[int, int]) -> None:
    context = browser.new_context(
        base_url=base_url, viewport={"width": size[0], "height": size[1]}, java_script_enabled=False
    )
    phone, page = Phone(Requests(context), "en"), context.new_page()
    page.goto(phone.open())
    seen = page.evaluate("""() => [...document.querySelectorAll("#entry .question button")].filter((key) => {
      const { x, y, width, height } = key.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight && key.contains(top);
    }).length""")
    context.close()
    assert seen == 16


TYPE = """() => {
  const sizes = {};
  for (const each of document.querySelectorAll(".frame *, .bar *")) {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (own && each.getClientRects().length && !each.closest(".heard, [popover]")) {
      (sizes[parseFloat(getComputedStyle(each).fontSize)] ??= []).push(each.textContent.trim().slice(0, 40));
    }
  }
  return sizes;
}"""


@pytest.mark.parametrize("lang", NAMES)
@pytest.mark.parametrize(("game", "preset", "players"), [("spades", "modern", 4), ("casino", "swazi", 3)])
def test_type_has_six_sizes_and_none_is_too_small(
    browser: Any, base_url: str, game: str, preset: str, players: int, lang: str
) -> None:
    """There were eighteen, and what a player needs was as small as ten pixels."""
    context = browser.new_context(base_url=base_url, viewport={"width": 390, "height": 844}, java_script_enabled=False)
    phone, page = Phone(Requests(context), lang), context.new_page()
    phone.open(*NAMES[lang][:players], *[""] * (4 - players), game=game, rules=preset)
    found: dict[str, list[str]] = {}
    for address in evening(phone, random.Random(f"{game} {lang}"), 2):
        page.goto(address)
        found |= page.evaluate(TYPE)
    context.close()
    assert min(map(float, found)) >= 12, found
    assert len(found) <= 6, found
