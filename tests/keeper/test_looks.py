"""Every page of the keeper in both languages, both themes and on small screens: nothing for axe, nothing too wide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.keeper.driving import Keeper
from tests.keeper.evenings import WORDS
from tests.keeper.phone import Phone, Requests

pytestmark = pytest.mark.browser

LONG = ("アレクサンドラ・コンスタンティノヴァ", "Wolfeschlegelsteinhausenbergerdorff", "Chika", "Dan")

WATCH_LINK = {"ja": "観戦用リンクを作る", "en": "Make a watch link"}

NO_PAGES = (
    "keeper.version", "keeper.ahead", "keeper.service_worker", "keeper.back_to_sheet", "keeper.export", "keeper.shared",
    "keeper.redirect_to_sheet", "keeper.picture",
)  # fmt: skip
"""What answers with a number, with data for a script, with another address, or with a file."""

PAGES = {
    "": ("",),
    "sheets": ("",),
    "sheets/new": ("",),
    "sheets/new/spades": ("?rules=modern",),
    "sheets/import": ("",),
    "house-rules": ("",),
    "house-rules/spades/compare": ("",),
    "house-rules/spades/which": ("",),
    "house-rules/casino/swazi": ("",),
    "join": ("",),
    "devices": ("",),
    "devices/enter": ("",),
    "{long}": (
        "", "?change=0", "/deals/1", "/deals/2/correct", "/deals/1/correct?ask=b0", "/deals/1/correct?t0=7",
        "/deals/1/correct?t0=7&t1=7", "/settings", "/rules", "/rules/change?rules=classic~ot-minus10&deal=1",
        "/what-if?preset=plain", "/what-now", "/share", "/log", "/text",
    ),
    "{counting}": ("", "?t0=8", "?t0=8&nC=0", "?t0=8&t1=8&nC=0"),
    "{alone}": ("",),
    "{over}": ("",),
    "{again}": ("", "/games", "/games/1", "/games/1/deals/1", "/games/1/deals/1/correct?t0=5"),
    "{wild}": ("",),
    "{casino}": (
        "", "?by=counts", "?by=cards&k0=AS.10D", "?mc=0&ms=1&bt=-&st=-&ac0=1&ac1=1", "/deals/1/correct?ac1=2",
    ),
    "{spite}": ("", "?w=0", "?w=-&rA=3&rB=4", "/deals/1/correct?rB=4"),
    "{watch}": ("", "/wall", "/log"),
}  # fmt: skip
"""Every page of the keeper with the states that look otherwise; braces stand for what is prepared."""


@dataclass(frozen=True)
class Prepared:
    """Addresses with something of everything, and the cookie that opens them."""

    lang: str
    places: dict[str, str]
    state: Any

    @property
    def addresses(self) -> list[str]:
        """The table of the pages, in this language."""
        filled = {key: key.format(**self.places) for key in PAGES}
        rooted = {key: path if "://" in path else f"/{self.lang}/{path}" for key, path in filled.items()}
        return [rooted[key] + state for key, states in PAGES.items() for state in states]


@pytest.fixture(scope="module", params=["ja", "en"])
def prepared(browser: Any, base_url: str, request: pytest.FixtureRequest) -> Prepared:
    """Sheets of one language in every stage: corrections, nils, a finished game, a rematch, links, every game."""
    lang = request.param
    context = browser.new_context(base_url=base_url)
    phone = Phone(Requests(context), lang)
    save, keep, rematch, nil = (WORDS[lang][name] for name in ("save", "keep", "rematch", "nil"))
    long = phone.open(*LONG)
    phone.deal(nil, 4, 3, 4, 8, 1)
    for _ in range(2):
        phone.deal(3, 4, 5, 6, 7)
    phone.get(f"{long}/deals/1/correct?t0=9")
    phone.press(keep)
    assert phone.url == long
    for call in (4, 3):
        phone.press(call)
    phone.get(f"{long}/share")
    phone.press(WATCH_LINK[lang])
    link = re.search(r'class="made box".*?<a href="([^"]+)"', phone.page.html, re.DOTALL)
    assert link
    places = {"long": long, "watch": link[1]}

    places["counting"] = phone.open()
    for said in (3, nil, 5, 1):
        phone.press(said)
    places["alone"] = phone.open(rules="solo4")
    phone.deal(3, 3, 3, 3, 4, 3, 3)
    places["over"] = phone.open(target="50")
    phone.deal(3, 4, 5, 6, 7)
    places["again"] = phone.open(target="50")
    phone.deal(3, 4, 5, 6, 7)
    phone.press(rematch)
    places["wild"] = phone.open(second_round="on", blind_bid="on", moon="on", last_sequence_bonus="on")
    places["casino"] = phone.open(*LONG[:2], game="casino")
    phone.get(f"{places['casino']}?mc=0&ms=1&bt=0&st=1&ac0=1")
    phone.press(save)
    assert (phone.url, phone.status) == (places["casino"], 200)
    places["spite"] = phone.open(*LONG[:2], game="spite-and-malice", match="target", target="60")
    phone.get(f"{places['spite']}?w=0&rB=3")
    phone.press(save)
    assert (phone.url, phone.status) == (places["spite"], 200)
    places = {name: urljoin(base_url, place) for name, place in places.items()}
    state = context.storage_state()
    context.close()
    return Prepared(lang, places, state)


def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Any, base_url: str, prepared: Prepared, faults: Any, looked_at: Any
) -> None:
    context = browser.new_context(base_url=base_url, storage_state=prepared.state)
    page = context.new_page()
    found: list[str] = []

    def look(name: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        found.extend(f"{name} {fault}" for fault in faults(page))

    for address in looked_at(prepared.addresses, prepared.lang):
        answer = page.goto(address)
        assert answer.status == 200, address
        look(address)
    for scope in looked_at(("watch", "score"), prepared.lang):
        page.goto(f"{prepared.places['long']}/share")
        with page.expect_navigation():
            page.locator(f"button[value={scope}]").click()
        look(f"made {scope}")
    page.goto(f"/{prepared.lang}/devices")
    with page.expect_navigation():
        page.locator("button[value=recovery]").click()
    look("recovery code")
    context.close()
    assert "\n".join(found) == ""


def test_no_page_of_the_keeper_is_left_out(app: Any) -> None:
    """Every address of the keeper that answers with a page stands in the table."""
    places = dict.fromkeys(("long", "counting", "alone", "over", "again", "wild", "casino", "spite"), "sheets/x")
    known = Prepared("ja", {**places, "watch": "watch/x"}, None)
    match = app.url_map.bind("localhost").match
    shown = {match(address.partition("?")[0])[0] for address in known.addresses}
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("keeper.") and "GET" in rule.methods]
    assert {rule.endpoint for rule in rules} - set(NO_PAGES) == {name for name in shown if name.startswith("keeper.")}


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_buttons_of_the_entry_are_big_enough_for_a_thumb(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    keeper = Keeper(page, lang)
    keeper.begin()
    for button in page.locator(".question button, .bar :is(a, button)").all():
        box = button.bounding_box()
        assert box["height"] >= 48
        assert box["width"] >= 48
    first, second, below = (page.locator(".keys button").nth(place).bounding_box() for place in (0, 1, 4))
    assert second["x"] - first["x"] - first["width"] >= 5.9
    assert below["y"] - first["y"] - first["height"] >= 5.9
