"""Small things that were wrong once: marks and charts that break, links too small for a thumb, pages sent unpacked."""

from __future__ import annotations

import gzip
import re
from typing import Any

import brotli
import pytest

from tests.keeper.evenings import WORDS
from tests.keeper.phone import Phone, Requests

UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress}
LONE_LINKS = """() => [...document.querySelectorAll("main a")].filter((link) => {
  const { width, height } = link.getBoundingClientRect();
  const beside = link.parentElement.textContent.trim().length - link.textContent.trim().length;
  return width && height < 24 && beside < 4;
}).map((link) => link.outerHTML)"""
BROKEN = """() => [...document.querySelectorAll(".flag")].filter((flag) => {
  const words = document.createRange();
  words.selectNodeContents(flag);
  return new Set([...words.getClientRects()].map((part) => Math.round(part.top))).size > 1;
}).map((flag) => flag.textContent)"""
PAPER = {"width": 703, "height": 1031}
"""An A4 page without its margins, in pixels."""


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_private_pages_are_compressed_and_say_the_same(phone: Phone, encoding: str) -> None:
    phone.open()
    for page in (phone.sheet, "/ja/sheets/new/spades", f"{phone.sheet}/settings"):
        plain = phone.client.get(page, headers={"Accept-Encoding": "identity"})
        packed = phone.client.get(page, headers={"Accept-Encoding": encoding})
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == encoding
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert len(packed.data) < len(plain.data) / 2.5
        assert len(packed.data) < 14_000
        tokens = re.compile(r'name="(?:csrf_token|key)" value="[^"]*"')
        assert tokens.sub("", UNPACK[encoding](packed.data).decode()) == tokens.sub("", plain.text)


def test_what_hides_in_a_compressed_page_is_another_each_time(phone: Phone) -> None:
    tokens = {
        re.search(r'name="csrf_token" value="([^"]*)"', phone.get("/en/sheets/new/spades").html) for _ in range(3)
    }
    assert len({token[1] for token in tokens if token}) == 3


@pytest.mark.browser
def test_links_that_stand_alone_fit_a_thumb_and_marks_stay_whole(browser: Any, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, viewport={"width": 320, "height": 640})
    phone = Phone(Requests(context), "en")
    sheet = phone.open()
    for _ in range(2):
        phone.deal(3, 4, 5, 6, 7)
    phone.get(f"{sheet}/deals/1/correct?t0=9")
    phone.press(WORDS["en"]["keep"])
    page = context.new_page()
    found: dict[str, Any] = {}
    places = ("", "/games/1", "/games/1/deals/1", "/log", "/rules", "/settings")
    public = ("/en/problems", "/en/rules/casino", "/en/house-rules/spades/classic", "/en/devices", "/en/referee/spades")
    for address in (*(sheet + place for place in places), *public):
        page.goto(address)
        found[address] = [*page.evaluate(LONE_LINKS), *page.evaluate(BROKEN)]
    context.close()
    assert {address: faults for address, faults in found.items() if faults} == {}


@pytest.mark.browser
def test_the_chart_is_printed_on_the_first_page(browser: Any, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, viewport=PAPER)
    phone = Phone(Requests(context), "en")
    phone.open()
    for _ in range(5):
        phone.deal(3, 4, 5, 6, 7)
    page = context.new_page()
    page.emulate_media(media="print")
    page.goto(f"{phone.sheet}/games/1")
    chart = page.locator(".chart").bounding_box()
    context.close()
    assert chart["y"] + chart["height"] <= PAPER["height"]
