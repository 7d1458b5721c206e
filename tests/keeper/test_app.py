"""The keeper's screen as an app: it begins without a line, and a newer program takes over without losing a tap."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from companion.data import LANGUAGES
from tests.keeper.conftest import NewPhone
from tests.keeper.driving import Keeper, seen
from tests.keeper.phone import Phone, Requests
from tests.keeper.test_slow_line import tap, written

pytestmark = pytest.mark.browser

NEWER = """async () => {
  const workers = navigator.serviceWorker;
  const taken = new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
  await workers.register("/offline.js?newer");
  await taken;
}"""
"""A worker with another address is to the browser what one with another text is: a newer version of the same."""


def test_a_newer_program_takes_over_without_losing_what_is_unsent(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(bad_line=True, service_workers="allow"), "en")
    page = keeper.page
    keeper.open()
    seen(page, keeper.sheet)
    with page.expect_response("**/ahead"):
        page.reload()
    page.route("**/do/call", lambda route: route.abort())
    tap(keeper, 3)
    tap(keeper, 4)
    page.evaluate(NEWER)
    expect(page.locator(".said .unsent b")).to_have_text(["3", "4"])
    tap(keeper, 2)
    page.reload()
    expect(page.locator(".said .unsent b")).to_have_text(["3", "4", "2"])
    page.unroute_all()
    written(keeper, "3", "4", "2")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_app_begins_without_a_line(new_phone: NewPhone, lang: str) -> None:
    """From the icon on the home screen: the list of sheets as it was last seen, and from it any of the latest.

    One of them was left before its worker was there, and the other was never opened in this browser.
    """
    keeper = Keeper(new_phone(bad_line=True, service_workers="allow"), lang)
    page, context = keeper.page, keeper.page.context
    keeper.open()
    other = Phone(Requests(context), lang)
    other.open("Akiko", "Beatrix", "Chikako", "Daniel")
    page.goto(f"/{lang}/")
    page.goto(f"/{lang}/sheets")
    for place in (f"/{lang}/", urlsplit(keeper.sheet).path, other.sheet, f"/{lang}/sheets", f"{other.sheet}/ahead"):
        seen(page, place)
    page.close()
    context.set_offline(True)
    page = context.new_page()
    page.goto(f"/{lang}")  # as people type it, from a cold start
    expect(page.locator("h1").first).not_to_have_text(re.compile("network|通信"))
    page.close()
    for name in ("Beth", "Beatrix"):
        page = context.new_page()
        page.goto(f"/{lang}/sheets")
        page.locator(".doors a", has_text=name).click()
        expect(page.locator(".board .total").first).to_have_text("0")
        expect(page.locator(".board")).to_have_css("display", "grid")  # with its files
        page.close()
    keeper.page = page = context.new_page()
    page.goto(other.sheet)
    tap(keeper, 3)
    tap(keeper, 4)
    expect(page.locator(".said .unsent b")).to_have_text(["3", "4"])


def test_a_page_that_is_not_there_without_a_line_says_so(new_phone: NewPhone) -> None:
    """Never the browser's own page: a sheet that this phone has never had, a group, a page of the book."""
    keeper = Keeper(new_phone(bad_line=True, service_workers="allow"), "en")
    page = keeper.page
    keeper.open()
    for lang in LANGUAGES:
        seen(page, f"/{lang}/needs-network")
    page.context.set_offline(True)
    for place in ("/en/sheets/none", "/en/groups/none", "/en/rules/spades", "/en/sheets?page=2"):
        page.goto(place)
        expect(page.locator("h1")).to_have_text("This needs the network")
    page.locator("a[hreflang=ja]").click()
    expect(page.locator("h1")).to_have_text("ここには通信が必要です")
