"""A new user's first score within a minute: the steps of `docs/first-score.md`, taken as they are written there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import BOUNCE

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": DOCS / "first-score.md", "ja": DOCS / "first-score.ja.md"}
SECONDS_A_TAP, SECONDS_A_CHARACTER = 1.5, 0.3
"""How long people take to find a button and press it, and to type on a phone."""
A_MINUTE = 60
AT_MOST = 8
"""Taps that somebody who has never seen the site needs for the first score."""
ENGLISH = {(8, 0): "Eight taps and nothing to type", (12, 13): "twelve taps and thirteen characters"}
JAPANESE = {(8, 0): "押すのは8回、打つ文字はありません", (12, 8): "押すのは12回、打つのは8文字"}
STEP = re.compile(r"\| ([\d.]+) \| (.+?) \| (.*?) ?\| (\d+) \| (\d+) \|")
SEATS = {"en": ("North", "East", "South", "West"), "ja": ("北", "東", "南", "西")}


@dataclass(frozen=True)
class Step:
    """One row of the table: what is tapped, what is typed, what is seen then, and what that costs."""

    tapped: str
    typed: str
    seen: tuple[str, ...]
    taps: int
    characters: int


def steps(lang: str, *, names: bool) -> list[Step]:
    """The steps as the page for people tells them, in the order of their numbers; 2.1 to 2.4 give the names."""
    found = {}
    for number, done, then, taps, characters in STEP.findall(PAGES[lang].read_text("utf-8")):
        tapped, typed = re.search(r"\*\*(.+?)\*\*", done), re.search(r"`(.+?)`", done)
        seen = tuple(re.findall(r"\*\*(.+?)\*\*", then))
        found[float(number)] = Step(
            tapped[1] if tapped else "", typed[1] if typed else "", seen, int(taps), int(characters)
        )  # fmt: skip
    given = dict(zip(SEATS[lang], (step.typed for step in found.values() if step.typed), strict=True))
    if not names:
        return [found[number] for number in sorted(found) if number.is_integer()]
    return [replace(step, seen=tuple(called(words, given) for words in step.seen)) for _, step in sorted(found.items())]


def called(words: str, given: dict[str, str]) -> str:
    """What the screen says when the seats have names."""
    return re.sub("|".join(given), lambda seat: given[seat[0]], words)


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_table_counts_what_it_tells(lang: str, names: bool) -> None:
    told = steps(lang, names=names)
    assert len(told) == (13 if names else 9)
    assert [(step.taps, step.characters) for step in told] == [(bool(step.tapped), len(step.typed)) for step in told]
    sums = sum(step.taps for step in told), sum(step.characters for step in told)
    assert names or sums[0] <= AT_MOST
    assert {"en": ENGLISH, "ja": JAPANESE}[lang][sums] in PAGES[lang].read_text("utf-8")


@pytest.mark.browser
@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_new_user_has_the_first_score_within_a_minute(new_phone: NewPhone, lang: str, names: bool) -> None:
    page = new_phone(locale=lang, has_touch=True)
    page.goto("/")
    seconds = 0.0
    for step in steps(lang, names=names):
        if step.tapped:
            page.wait_for_timeout(1000 * BOUNCE)
            tap(page, step.tapped)
        page.keyboard.insert_text(step.typed)
        seconds += step.taps * SECONDS_A_TAP + step.characters * SECONDS_A_CHARACTER
        for words in step.seen:
            page.get_by_text(words).first.wait_for()
    expect(page.locator(".total")).to_have_text(["60", "70"])  # 3 + 3 bid, 6 taken; 3 + 4 bid, 7 taken
    assert seconds <= A_MINUTE


def tap(page: Any, words: str) -> None:
    """A tap on the first thing that is called so, on the screen as it stands, and the page that follows."""
    target = (
        page.get_by_label(words, exact=True)
        .or_(page.get_by_role("button", name=words, exact=True))
        .or_(page.get_by_role("link", name=words, exact=True))
    )
    target.first.tap()
