"""The screen under the thumb and the keys: focus, scrolling, words for the ear, lines behind every number."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import NIL, SAVE, Keeper

pytestmark = pytest.mark.browser


def test_keys_alone_keep_a_deal(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    page = keeper.page
    page.goto("/en/sheets/new/spades")
    press_until(page, lambda: page.evaluate("document.activeElement.id") == "name0")
    page.keyboard.type("Aki")
    press_until(page, lambda: page.evaluate("document.activeElement.textContent").strip() == "Start")
    page.keyboard.press("Enter")
    page.wait_for_url(keeper.opened)
    expect(page.locator(".board")).to_contain_text("Aki & South")
    press_until(page, lambda: page.evaluate("!!document.activeElement.closest('.question')"))
    for key in ("3", "4", "1"):
        with keeper.settled():
            page.keyboard.press(key)
    with keeper.settled():
        page.keyboard.press("1")
        page.keyboard.press("2")
    expect(page.locator(".said b")).to_have_text(["3", "4", "1", "12"])
    with keeper.settled():
        page.keyboard.press("Control+z")
    press_until(page, lambda: page.evaluate("document.activeElement.textContent") == "nil")
    with keeper.settled():
        page.keyboard.press("Enter")
    with keeper.settled():
        page.keyboard.press("6")
    with keeper.settled():
        page.keyboard.press("0")
    expect(page.locator(":focus")).to_have_text(SAVE["en"])
    with keeper.settled():
        page.keyboard.press("Enter")
    expect(keeper.said).to_contain_text("Deal 1 saved")


def press_until(page: Any, reached: Callable[[], bool]) -> None:
    """Tab from place to place; the focus is always to be seen."""
    for _ in range(60):
        page.keyboard.press("Tab")
        seen, focused = page.evaluate(
            "(() => { const b = document.activeElement.getBoundingClientRect();"
            " const hit = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);"
            " const seen = !hit || document.activeElement.contains(hit) || hit.contains(document.activeElement);"
            " return [seen, document.activeElement.outerHTML]; })()"
        )
        assert seen, focused
        if reached():
            return
    raise AssertionError("never reached")


def test_digits_press_keys_wherever_the_focus_is_but_in_a_field(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    keeper.page.locator(".our-rules a").focus()
    with keeper.settled():
        keeper.page.keyboard.press("5")
    expect(keeper.page.locator(".said b")).to_have_text(["5"])


def test_a_large_number_is_put_together_from_digits_and_sent_once(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin("casino", names=("Aki", "Beth", "", ""))
    keeper.tap("By counts")
    page, asked = keeper.page, []
    page.on(
        "request",
        lambda request: (
            asked.append(request.url) if "?d=1.1&by=counts&mc0" in request.url and "ahead" not in request.url else None
        ),
    )
    expect(page.get_by_role("button", name="OK")).to_be_disabled()
    for key in ("5", "3"):  # 53 cards are too many: the second digit is not taken
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="OK 5")).to_be_enabled()
    page.get_by_role("button", name="Erase the last digit").click()
    for key in ("2", "7"):
        page.keyboard.press(key)
    assert asked == []
    with keeper.settled():
        page.keyboard.press("Enter")
    expect(page.locator(".ledger tr", has_text="Cards").locator("td")).to_have_text(["27 +2", "25"])
    assert len(asked) == 1


def test_the_question_is_on_the_screen_after_every_tap(new_phone: NewPhone) -> None:
    page = new_phone()
    page.set_viewport_size({"width": 320, "height": 568})
    keeper = Keeper(page, "en")
    keeper.begin()
    for label in (13, NIL["en"], 4, 3, 6):
        keeper.tap(label)
        if label != 6:
            assert_seen(page, ".keys")
    keeper.tap(2)
    assert_seen(page, ".save")


def assert_seen(page: Any, place: str) -> None:
    """The whole of it comes to lie between the head and the bar."""
    page.wait_for_function(
        "place => { const [part, head, bar] = [place, '.head', '.bar'].map("
        " each => document.querySelector(each).getBoundingClientRect());"
        " return part.top >= Math.max(head.bottom, 0) - 1 && part.bottom <= bar.top + 1; }",
        arg=place,
    )


def test_who_deals_and_what_was_saved_is_said_in_the_head(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    for _ in range(3):
        keeper.deal((3, 4, 5, 6), 7)
    heading, note = keeper.page.locator("#entry-title"), keeper.page.locator(".flash")
    expect(heading).to_contain_text("Deal 4 · Dan deals")
    expect(note).to_contain_text(re.compile(r"Deal 3 saved: [+−]\d+, [+−]\d+"))
    tops = [part.bounding_box()["y"] for part in (heading, note, keeper.page.locator(".board"))]
    assert tops == sorted(set(tops))


def test_the_end_is_read_from_its_beginning(new_phone: NewPhone) -> None:
    page = new_phone()
    page.set_viewport_size({"width": 320, "height": 568})
    keeper = Keeper(page, "en")
    keeper.begin(target=50)
    keeper.deal((3, 4, 5, 6), 7)
    expect(page.locator("#ending")).to_be_focused()
    assert_seen(page, "#ending")


def test_the_screen_does_not_move_while_captured_cards_are_tapped(new_phone: NewPhone) -> None:
    """The same question with one card more: the thumb and the focus stay where they are."""
    page = new_phone()
    keeper = Keeper(page, "en")
    keeper.begin("casino", names=("Aki", "Beth", "", ""))
    keeper.tap("By counts")
    keeper.tap("By the cards")
    card = "9♣\N{VARIATION SELECTOR-15}"
    page.locator("#entry").get_by_role("button", name=card).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    keeper.tap(card)
    focused = page.locator(":focus")
    expect(focused).to_have_text(card)
    expect(focused).to_have_attribute("aria-pressed", "true")
    after = page.evaluate("scrollY")
    assert abs(after - before) < 30  # the label of the question counts the cards
    page.keyboard.press("Tab")
    expect(focused).to_have_text(re.compile("^10♣"))


def test_problems_take_the_focus(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    for label in (3, 4, 5, 6, 6):
        keeper.tap(label)
    keeper.page.get_by_role("button", name="Change an answer").click()
    keeper.tap("Tricks of Beth & Dan: 7. Change")
    keeper.tap(6)
    expect(keeper.page.locator(":focus")).to_have_role("alert")
    keeper.tap("Beth & Dan: 7")
    keeper.tap(SAVE["en"])
    expect(keeper.totals).to_have_text(["60", "52"])


def test_every_number_explains_itself(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    keeper.deal((3, 4, 5, 6), 7)
    page = keeper.page
    page.locator(".cell").first.focus()
    page.keyboard.press("Enter")
    lines = page.locator(".pop:popover-open .lines li")
    expect(lines).to_have_text([re.compile(r"^\s*\+60\b"), re.compile(r"^\s*\+1\b")])
    expect(lines.first.locator("a")).to_have_attribute("href", re.compile("^/en/rules/spades"))
    page.keyboard.press("Escape")
    expect(page.locator(".pop:popover-open")).to_have_count(0)
    expect(page.locator(":focus")).to_have_class("cell")


def test_the_screen_stays_on_where_asked(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    toggle = keeper.page.locator(".awake button")
    expect(toggle).to_have_attribute("aria-checked", "false")
    expect(toggle).to_have_role("switch")
    toggle.click()
    expect(toggle).to_have_attribute("aria-checked", "true")
    keeper.tap(5)
    expect(keeper.page.locator(".awake button")).to_have_attribute("aria-checked", "true")


def test_a_browser_without_wake_lock_is_told_why(new_phone: NewPhone) -> None:
    page = new_phone()
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined })")
    keeper = Keeper(page, "en")
    keeper.begin()
    page.locator(".awake button").click()
    expect(page.locator(".awake")).to_contain_text("HTTPS")


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_what_is_saved_is_spoken_once(new_phone: NewPhone, lang: str) -> None:
    keeper = Keeper(new_phone(), lang)
    keeper.begin()
    keeper.deal((3, 4, 5, 6), 6)
    region = keeper.page.locator("[role=status]")
    expect(region).to_have_count(1)
    spoken = region.evaluate("each => each.textContent.trim()")
    expect(keeper.page.locator(".flash p")).to_have_text(spoken)
