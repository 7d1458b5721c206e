"""Icons are one family of our own, and what moves rests where somebody asks for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.web.assets import STATIC
from tests.keeper.driving import Keeper
from tests.referee.reading import address

TEMPLATES = Path(__file__).parents[2] / "templates"
ICONS = TEMPLATES / "icons.html"
SIGNS = re.compile(r"[\u2190-\u21ff\u2300-\u23ff\u25a0-\u265f\u2667-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001ffff]")
"""Arrows, shapes, ticks and emoji; suits are letters of their own in texts about cards."""
BETWEEN = re.compile(r"(?<=\s)→(?=\s)")
"""An arrow between what was and what is, which is read as a word."""
MOVING = """() => [...document.querySelectorAll("*")].filter((each) => ["", "::before", "::after"].some((part) => {
  const { animationName, transitionDuration } = getComputedStyle(each, part || undefined);
  return animationName !== "none" || transitionDuration.split(",").some((time) => parseFloat(time) > 0);
})).map((each) => each.outerHTML.slice(0, 80))"""


def test_every_icon_in_use_is_of_the_family_and_none_is_left_over() -> None:
    known = set(re.findall(r'^  "([\w-]+)": "M', ICONS.read_text("utf-8"), re.MULTILINE))
    used = set()
    for template in TEMPLATES.rglob("*.html"):
        text = template.read_text("utf-8")
        used |= {name for call in re.findall(r"\bicon\(([^)]*)\)", text) for name in re.findall(r'"([\w-]+)"', call)}
        used |= {
            name for table in re.findall(r"set signs = \{(.*?)\}", text) for name in re.findall(r': "(\w+)"', table)
        }
        assert text.count('class="icon"') == (template == ICONS), template.name
    assert used - {"legal", "illegal"} == known


def test_no_sign_of_a_font_stands_for_an_icon() -> None:
    found = {}
    for path in (*TEMPLATES.rglob("*.html"), *STATIC.glob("*.css"), *STATIC.glob("*.js")):
        text = re.sub(
            r"/\*.*?\*/|\{#.*?#\}|^\s*//.*$|set signs = .*?%\}", "", path.read_text("utf-8"), flags=re.S | re.M
        )
        signs = set(SIGNS.findall(BETWEEN.sub("", text)))
        if signs:
            found[path.name] = signs
    assert found == {}


def test_animations_are_declared_only_for_those_who_have_not_asked_for_rest() -> None:
    site = (STATIC / "site.css").read_text("utf-8")
    assert re.search(r"prefers-reduced-motion: reduce\) \{ \*, ::before, ::after \{ animation: none !important;", site)
    for sheet in STATIC.glob("*.css"):
        free = re.sub(
            r"@media \(prefers-reduced-motion: [\w-]+\) (\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})",
            "",
            sheet.read_text(),
        )
        assert re.findall(r"animation[\w-]*:|@keyframes", free) == [], sheet.name
    for script in STATIC.glob("*.js"):
        assert ".animate(" not in script.read_text("utf-8"), script.name


@pytest.mark.browser
def test_nothing_moves_where_somebody_asked_for_rest(page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    keeper = Keeper(page, "en")
    keeper.begin()
    keeper.tap(4)
    found = page.evaluate(MOVING)
    for path in (
        address("spades/card", {"h": "7H.2S", "t": "9H"}),
        "/en/groups",
        "/en/learn/spades",
        "/en/house-rules",
    ):
        page.goto(path)
        found += page.evaluate(MOVING)
    assert found == []


@pytest.mark.browser
def test_a_call_and_a_verdict_turn_over_like_a_card(page: Any) -> None:
    page.emulate_media(reduced_motion="no-preference")
    keeper = Keeper(page, "en")
    keeper.begin()
    keeper.tap(4)
    keeper.tap(3)
    expect(page.locator(".felt .seat b.turned", has_text="3")).to_be_visible()
    page.goto(address("spades/card", {"t": "9H"}))
    page.locator(".cards button.face").first.click()
    expect(page.locator(".answer.turned").first).to_be_visible()
