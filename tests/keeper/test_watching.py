"""Pages that others watch say when the line is gone, and since when what they show has stood."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.keeper.driving import START
from tests.keeper.phone import Phone, Requests
from tests.keeper.test_looks import WATCH_LINK

pytestmark = pytest.mark.browser
WORDS = {"en": r"As of \d\d:\d\d, no connection", "ja": r"\d\d:\d\d時点（接続なし）"}
FAULTS: dict[str, Callable[[Route], Any]] = {
    "no-line": lambda route: route.abort("internetdisconnected"),
    "server-fault": lambda route: route.fulfill(status=503),
    "no-answer": lambda route: None,
}


def _watched(page: Page, lang: str) -> list[str]:
    """The watched page of a sheet, its wall, and the club night of the group to which the sheet belongs."""
    phone = Phone(Requests(page.context), lang)
    phone.get(f"/{lang}/groups")
    phone.press({"ja": "グループを作る", "en": "Make the group"}[lang], title="Tuesday", names="Aki\nBeth\nChika\nDan")
    group = phone.url
    number = group.rpartition("/")[2]
    phone.get(f"/{lang}/sheets/new/spades?group={number}&player=m1&player=m2&player=m3&player=m4")
    phone.press(START[lang])
    phone.deal(3, 3, 3, 3, 7)
    phone.get(f"{phone.url}/share")
    phone.press(WATCH_LINK[lang])
    link = urlsplit(re.search(r'class="made box".*?<a href="([^"]+)"', phone.page.html, re.DOTALL)[1]).path
    return [link, f"{link}/wall", f"{group}/night"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_watched_page_says_that_the_line_is_gone_and_forgets_it_with_the_line(page: Any, lang: str) -> None:
    for address, (fault, answer) in zip(_watched(page, lang), FAULTS.items(), strict=True):
        page.goto(address)
        mark = page.locator(".stale")
        before = page.evaluate("document.documentElement.scrollHeight")
        expect(mark, fault).to_have_text("")
        page.route(address, answer)
        expect(mark, fault).to_have_text(re.compile(WORDS[lang]))
        after = page.evaluate("document.documentElement.scrollHeight")
        assert after == before, "the mark moved the page"
        page.unroute(address)
        expect(mark).to_have_text("")


def test_the_mark_says_when_the_last_answer_came(page: Any) -> None:
    page.clock.install(time="2026-11-26T21:03:50")
    address = _watched(page, "en")[1]
    page.clock.set_fixed_time("2026-11-26T21:04:20")
    page.goto(address)
    page.clock.resume()
    page.clock.run_for(5000)
    expect(page.locator(".stale")).to_have_text("")
    page.route(address, FAULTS["no-line"])
    page.clock.fast_forward("30:00")
    expect(page.locator(".stale")).to_have_text("As of 21:04, no connection")


SCREENS = [(844, 390), (960, 540), (1024, 768), (1280, 800), (1920, 1080)]


def test_all_of_a_wall_is_in_view_on_a_screen_wider_than_high(page: Any) -> None:
    address = _watched(page, "en")[1]
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        all_of_it = page.evaluate("document.documentElement.scrollHeight")
        assert all_of_it <= height, (width, height)
        for part in (".wall-sides b", ".felt", ".wall-foot p"):
            box = page.locator(part).first.bounding_box()
            assert 0 <= box["y"] < box["y"] + box["height"] <= height, (width, height, part)
