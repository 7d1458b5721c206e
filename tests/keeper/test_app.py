"""The keeper's screen as an app: it begins without a line, and a newer program takes over without losing a tap."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import Keeper
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
    page.wait_for_function("async () => (await (await caches.open('sheets-1')).keys()).length > 0")
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
    """From the icon on the home screen: the list of sheets as it was last seen, and from it the sheet."""
    keeper = Keeper(new_phone(bad_line=True, service_workers="allow"), lang)
    page = keeper.page
    keeper.open()
    page.wait_for_function("async () => (await (await caches.open('sheets-1')).keys()).length > 0")
    for place in (keeper.sheet, f"/{lang}/sheets"):
        page.goto(place)
        page.wait_for_function(f"async () => !!(await (await caches.open('sheets-1')).match('{urlsplit(place).path}'))")
    context = page.context
    page.close()
    context.set_offline(True)
    page = context.new_page()
    total = page.locator(".board .total").first
    for _ in range(3):  # known fault on a busy machine: a tap may end on the browser's own page, and the next does not
        page.goto(f"/{lang}/sheets")
        page.locator(".doors a").click()
        with suppress(AssertionError):
            expect(total).to_have_text("0", timeout=5000)
            break
    expect(total).to_have_text("0")
