"""Every page of a group in a browser: axe finds nothing, nothing is too wide; names are picked by tapping."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.driving import Keeper

pytestmark = pytest.mark.browser
LONG = "Wolfeschlegelsteinhausenbergerdorff"


def _open_group(page: Any, lang: str) -> str:
    page.goto(f"/{lang}/groups")
    page.locator("input[name=title]").fill("Tuesday")
    page.locator("textarea").fill(f"Aki\nBeth\n{LONG}\nDan")
    page.locator("form.stack button").click()
    expect(page.locator(".chips label")).to_have_count(4)
    return str(page.url)


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_axe_finds_nothing_and_nothing_is_too_wide(page: Any, faults: Any, looked_at: Any, lang: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    group = _open_group(page, lang)
    number = group.rpartition("/")[2]
    page.goto(f"/{lang}/sheets/new/casino?group={number}&player=m1&player=m3")
    page.locator("button.strong").first.click()
    expect(page).to_have_url(re.compile(r"/sheets/[\w-]+$"))
    sheet = page.url
    page.goto(f"{sheet}?mc=0&ms=1&bt=0&st=1&ac0=1")
    page.locator("button.save").first.click()
    expect(page.locator(".deals")).to_be_visible()
    evening = f"/evenings/{sheet.rpartition('/')[2]}"
    page.goto(f"{group}/leagues")
    page.locator("input[name=title]").fill(LONG)
    page.locator("input[value=random-partners]").check()
    page.locator("form.stack button").click()
    expect(page).to_have_url(re.compile("/leagues/1$"))
    page.locator("main form button").click()
    expect(page.locator(".round li")).to_have_count(1)
    found = []
    places = [
        "", "/members", "/share", "/evenings", evening, f"{evening}/1/1", "/statistics", "/statistics/m1",
        "/statistics/m1/most-cards?game=casino", "/statistics/m1/wins", "/night", "/leagues", "/leagues/1",
    ]  # fmt: skip
    addresses = [*(group + place for place in places), f"/{lang}/groups", f"/{lang}/groups/join"]
    for address in looked_at(addresses, lang):
        answer = page.goto(address)
        assert answer.status == 200, address
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        found += [f"{address} {fault}" for fault in faults(page)]
    page.goto(f"/{lang}/sheets/new/casino?group={number}&player=m1")
    found += [f"new {fault}" for fault in faults(page)]
    assert "\n".join(found) == ""


IN_LINE = """() => [...document.querySelectorAll(".stat tbody tr")].flatMap((row) => {
  const foot = (cell) => {  // of the letters of its first line
    const none = document.createElement("span");
    none.style.display = "inline-block";
    cell.prepend(none);
    const { bottom } = none.getBoundingClientRect();
    none.remove();
    return bottom;
  };
  const written = (cell) => { const text = document.createRange(); text.selectNodeContents(cell); return text; };
  const name = foot(row.querySelector("th"));
  return [...row.querySelectorAll("td")].filter((cell) => cell.offsetParent).map((cell) => [
    foot(cell) - name, cell.getBoundingClientRect().right - written(cell).getBoundingClientRect().right,
  ]);
})"""


def test_numbers_stand_in_the_line_of_their_player_and_at_the_end_of_their_column(page: Any) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    group = _open_group(page, "en")
    page.goto(f"/en/sheets/new/spite-and-malice?group={group.rpartition('/')[2]}&player=m1&player=m2")
    page.locator("button.strong").first.click()
    expect(page).to_have_url(re.compile(r"/sheets/[\w-]+$"))
    page.goto(f"{page.url}?w=0&rB=3")
    page.locator("button.save").first.click()
    expect(page.locator(".ending")).to_be_visible()
    for place, figures in (("", 2), ("/statistics", 3)):
        page.goto(group + place)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        numbers = page.evaluate(IN_LINE)
        assert len(numbers) == 2 * figures
        assert [number for number in numbers if abs(number[0]) > 1 or number[1] > 10] == []


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_numbers_of_spades_fit_the_narrowest_phone(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    group = _open_group(page, lang)
    players = "&".join(f"player=m{number}" for number in range(1, 5))
    page.goto(f"/{lang}/sheets/new/spades?group={group.rpartition('/')[2]}&{players}&rules=classic")
    page.evaluate("document.querySelector(`[name='o.target']`).value = '30'")
    page.locator("button.strong").first.click()
    expect(page).to_have_url(re.compile(r"/sheets/[\w-]+$"))
    Keeper(page, lang).deal((3, 3, 3, 3), 7)
    expect(page.locator(".ending")).to_be_visible()
    page.goto(f"{group}/statistics?game=spades")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    expect(page.locator(".stat tbody tr")).to_have_count(4)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == 320


def test_names_are_tapped_in_the_order_of_the_seats(page: Any) -> None:
    _open_group(page, "en")
    for name in ("Dan", "Aki", "Beth"):
        page.locator(".chips label", has_text=name).click()
    page.get_by_role("button", name="Spades").click()
    seats = page.locator(".names input[name^=name]")
    expect(seats.nth(0)).to_have_value("Dan")
    expect(seats.nth(1)).to_have_value("Aki")
    expect(seats.nth(2)).to_have_value("Beth")
    expect(seats).to_have_count(3)  # as many as were tapped
    page.get_by_role("button", name="Aki", exact=True).click()
    expect(seats.nth(1)).to_have_value("")
    page.get_by_role("button", name=LONG).click()
    expect(seats.nth(1)).to_have_value(LONG)
