"""Pages for learners in a real browser: nothing for axe, keys that step, a quiz whose result stays."""

from __future__ import annotations

import io
from typing import Any

import pypdf
import pytest
from playwright.sync_api import expect

from companion.games import GAMES

pytestmark = pytest.mark.browser

KINDS = ["spades", "casino/deal/first/6", "spite-and-malice/deal/mistake/5", "spades/quiz/lead?say=no", "casino/score",
         "spades/choose?people=two", "spite-and-malice/questions"]  # fmt: skip


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_small_phone(page: Any, axe: Any, lang: str) -> None:
    found = {}
    for path in KINDS:
        page.goto(f"/{lang}/learn/{path}")
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            found[path, str(width)] = [f"{wide} wide"] if wide > width else []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found[path, scheme] = axe(page, contrast_only=scheme == "dark")
    assert {which: faults for which, faults in found.items() if faults} == {}


def test_keys_step_through_a_deal_and_the_quiz_remembers(page: Any) -> None:
    page.goto("/en/learn/casino/deal/first/2")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url("/en/learn/casino/deal/first/3")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url("/en/learn/casino/deal/first/2")
    page.goto("/en/learn/spades/quiz/lead")
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Right!")
    page.goto("/en/learn/spades/quiz")
    expect(page.locator(".tally")).to_have_text("Right: 1 of 1")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_hand_out_is_two_sheets_of_paper(page: Any, lang: str) -> None:
    for game in GAMES:
        page.goto(f"/{lang}/learn/{game}/hand-out")
        assert len(pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages) == 2, game
