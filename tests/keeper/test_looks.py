"""Every page of the keeper in both languages, both themes and on small screens: nothing for axe, nothing too wide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.keeper.driving import Keeper

pytestmark = pytest.mark.browser

LOOKS = ((320, "light"), (390, "dark"))
"""Layout goes by the width and contrast by the theme: two looks meet both of both."""

LONG = ("アレクサンドラ・コンスタンティノヴァ", "Wolfeschlegelsteinhausenbergerdorff", "Chika", "Dan")


@dataclass(frozen=True)
class Prepared:
    """Addresses with something of everything, and the cookie that opens them."""

    addresses: tuple[str, ...]
    share: str
    state: Any


@pytest.fixture(scope="module", params=["ja", "en"])
def prepared(browser: Any, base_url: str, request: pytest.FixtureRequest) -> Prepared:
    """Sheets of one language in every stage: corrections, nils, a finished game, a rematch, links, every game."""
    lang = request.param
    context = browser.new_context(base_url=base_url, locale=lang)
    keeper = Keeper(context.new_page(), lang)
    base = keeper.open(names=LONG)
    keeper.deal(("nil", 4, 3, 4), 8, 1)
    for _ in range(2):
        keeper.deal((3, 4, 5, 6), 7)
    keeper.page.goto(f"{base}/deals/1/correct?t0=9")
    with keeper.settled():
        keeper.page.locator(".save").click()
    for call in (4, 3):
        keeper.tap(call)
    keeper.page.goto(f"{base}/share")
    keeper.page.locator("button[value=watch]").click()
    watch = keeper.page.locator(".made a").get_attribute("href")

    counting = keeper.open()
    for call in (3, "nil", 5, 1):
        keeper.tap({"ja": "ニル", "en": "nil"}[lang] if call == "nil" else call)
    alone = keeper.open(rules="solo4")
    keeper.deal((3, 3, 3, 3), 4, 3, 3)
    over = keeper.open(target=50)
    keeper.deal((3, 4, 5, 6), 7)
    again = keeper.open(target=50)
    keeper.deal((3, 4, 5, 6), 7)
    with keeper.settled():
        keeper.page.locator(".after-end button.strong").click()
    wild = keeper.open(second_round=True, blind_bid=True, moon=True, last_sequence_bonus=True)
    others = [keeper.open(game, names=LONG[:2]) for game in ("casino", "spite-and-malice")]
    addresses = (
        *others,
        *(f"/{lang}/{page}" for page in ("sheets", "sheets/new", "sheets/new/spades?rules=modern", "join")),
        *(base + page for page in ("", "?change=0", "/deals/1", "/deals/2/correct", "/deals/1/correct?ask=b0")),
        *(base + page for page in ("/deals/1/correct?t0=7", "/deals/1/correct?t0=7&t1=7", "/settings", "/rules")),
        *(base + page for page in ("/what-if?preset=plain", "/share", "/games")),
        *(counting + page for page in ("", "?t0=8", "?t0=8&nC=0", "?t0=8&t1=8&nC=0")),
        *(alone, over, again, f"{again}/games", wild, watch, f"{watch}/wall"),
    )
    state = context.storage_state()
    context.close()
    return Prepared(addresses, f"{base}/share", state)


def test_axe_finds_nothing_and_nothing_is_too_wide(browser: Any, prepared: Prepared, axe: Any) -> None:
    known = prepared
    context = browser.new_context(storage_state=known.state)
    page = context.new_page()
    found: list[str] = []

    def look(name: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        for width, scheme in LOOKS:
            page.set_viewport_size({"width": width, "height": 780})
            page.emulate_media(color_scheme=scheme)
            wide = page.evaluate("document.documentElement.scrollWidth")
            found.extend([f"{name} at {width} is {wide} wide"] if wide > width else [])
            found.extend(f"{name} at {width}, {scheme}: {fault}" for fault in axe(page))

    host = known.share.partition("/sheets/")[0][:-3]
    for address in known.addresses:
        answer = page.goto(address if address.startswith("http") else host + address)
        assert answer.status == 200, address
        look(address.removeprefix(host))
    for scope in ("watch", "score"):
        page.goto(known.share)
        page.locator(f"button[value={scope}]").click()
        look(f"made {scope}")
    context.close()
    assert "\n".join(found) == ""


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_buttons_of_the_entry_are_big_enough_for_a_thumb(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    keeper = Keeper(page, lang)
    keeper.open()
    for button in page.locator(".question button, .bar :is(a, button)").all():
        box = button.bounding_box()
        assert box["height"] >= 48
        assert box["width"] >= 48
    first, second, below = (page.locator(".numbers button").nth(place).bounding_box() for place in (0, 1, 5))
    assert second["x"] - first["x"] - first["width"] >= 7.5
    assert below["y"] - first["y"] - first["height"] >= 7.5
