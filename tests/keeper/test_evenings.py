"""Whole games kept in a browser on a phone's screen, as people keep them: by taps, by keys, without scripts, by two."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import SAVE, Keeper

pytestmark = pytest.mark.browser

NOON = 12 * 60 * 60 * 1000
"""A time of a page whose clock stands still until a test moves it, in milliseconds."""


def test_a_whole_game_in_japanese_to_its_end_and_a_rematch(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "ja")
    keeper.open(names=("あき", "ちか", "だん", "えみ"), target=200)
    assert keeper.deal(("nil", 4, 3, 4), 8, 0) <= 10
    expect(keeper.totals).to_have_text(["44", "132"])
    expect(keeper.said).to_contain_text("第1ディール記録済み：+44、+132")
    expect(keeper.said).to_contain_text(
        "あき・だんは+44、合計44点（バッグ4個）。ちか・えみは+132、合計132点（バッグ2個）。"
    )
    assert keeper.deal((3, 3, 4, 4), 8) <= 10
    assert keeper.deal((4, 5, 5, 6), 7) <= 10
    page = keeper.page
    expect(page.locator("#ending")).to_have_text("ちか・えみの勝ち")
    ending = page.locator(".ending")
    expect(ending).to_contain_text("200点")
    expect(ending.locator("a")).to_have_attribute("href", re.compile("^/ja/rules/spades#"))
    expect(page.locator(".question")).to_have_count(0)
    keeper.tap("もう一度遊ぶ", inside=".after-end")
    expect(keeper.totals).to_have_text(["0", "0"])
    expect(page.locator("#entry-title")).to_contain_text("第1ディール · えみが配る")
    assert keeper.deal((3, 3, 4, 4), 8) <= 10


def test_a_game_in_english_with_a_correction_in_the_middle(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    for _ in range(3):
        keeper.deal((3, 4, 5, 6), 7)
    expect(keeper.totals).to_have_text(["174", "162"])
    page = keeper.page
    with keeper.arrived():
        page.get_by_role("link", name="Deal 1: details and correction").click()
    with keeper.arrived():
        page.get_by_role("link", name="Correct this deal").click()
    keeper.tap("Tricks of Aki & Chika: 7. Change")
    keeper.tap(5)
    rows = page.locator(".ripple tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("61 → −60")
    expect(rows.nth(2)).to_contain_text("174 → 53")
    expect(rows.nth(0)).to_contain_text("51 → 53")
    page.get_by_label("Reason").fill("miscounted")
    with keeper.settled():
        page.get_by_role("button", name="Save the correction").click()
    expect(keeper.totals).to_have_text(["53", "164"])
    expect(page).to_have_url(keeper.sheet)
    expect(page.locator("tr", has_text="corrected")).to_have_count(1)
    keeper.deal((3, 4, 5, 6), 7)
    expect(keeper.totals).to_have_text(["105", "224"])
    with keeper.arrived():
        page.get_by_role("link", name="Deal 1: details and correction").click()
    for kept in ("miscounted", "Aki & Chika: bid 6, 7 tricks", "Aki & Chika: bid 6, 5 tricks"):
        expect(page.locator(".history")).to_contain_text(kept)


def test_taking_back_without_scripts(new_phone: NewPhone) -> None:
    page = new_phone(java_script_enabled=False)
    page.goto("/ja/sheets")
    page.get_by_role("link", name="新しいスコアシート").click()
    page.get_by_role("link", name="クラシック").first.click()
    page.get_by_role("button", name="始める").click()
    entry, bar = page.locator("#entry"), page.locator(".bar")

    def press(button: Any) -> None:
        with page.expect_navigation():  # a click alone does not wait for the page that it leads to
            button.click()

    for _ in range(2):
        for call in (6, 6, 6, 6):
            press(entry.get_by_role("button", name=str(call), exact=True))
        press(entry.get_by_role("button", name="7", exact=True))
        press(entry.get_by_role("button", name=SAVE["ja"]))
    expect(page.locator(".board .total")).to_have_text(["122", "120"])
    press(bar.get_by_role("button", name="取り消す"))
    expect(page.locator(".board .total")).to_have_text(["61", "60"])
    press(page.locator(".head").get_by_role("button", name="やり直す"))
    expect(page.locator(".board .total")).to_have_text(["122", "120"])


def join(new_phone: NewPhone, keeper: Keeper) -> Keeper:
    """A second phone that keeps the same sheet, by a score link."""
    page = keeper.page
    page.goto(f"{keeper.sheet}/share")
    page.locator("button[value=score]").click()
    link = page.locator(".made a").get_attribute("href")
    second = Keeper(new_phone(), keeper.lang)
    second.page.goto(link)
    second.page.wait_for_url(keeper.sheet)
    expect(second.page).to_have_url(keeper.sheet)
    second.sheet = keeper.sheet
    page.goto(keeper.sheet)
    return second


def test_two_phones_race_and_end_on_the_same_sheet(new_phone: NewPhone) -> None:
    first = Keeper(new_phone(), "en")
    first.begin()
    second = join(new_phone, first)
    for call in (3, 4, 5, 6):
        first.tap(call)
    second.page.goto(second.sheet)
    first.tap(6)
    second.tap(7)
    first.tap(SAVE["en"])
    second.tap(SAVE["en"])
    expect(second.page.locator(".moved")).to_contain_text("Another device has already saved deal 1")
    for each in (first, second):
        expect(each.totals).to_have_text(["60", "52"])
    expect(second.page.locator(".moved")).to_be_focused()
    with second.arrived():
        second.page.get_by_role("link", name="Compare with what I entered").click()
    expect(second.page.locator(".ripple")).to_contain_text("60 → 61")
    with second.settled():
        second.page.get_by_role("button", name="Save the correction").click()
    expect(first.totals).to_have_text(["61", "51"])
    expect(second.totals).to_have_text(["61", "51"])


def test_a_phone_that_is_counting_is_told_and_keeps_its_counts(new_phone: NewPhone) -> None:
    first = Keeper(new_phone(), "ja")
    first.begin()
    second = join(new_phone, first)
    for call in (3, 4, 5, 6):
        first.tap(call)
    first.tap(6)
    second.page.goto(f"{second.sheet}/settings")
    second.page.get_by_label("シートの題名").fill("金曜")
    with second.arrived():
        second.page.locator("form", has=second.page.locator("#title")).get_by_role("button").click()
    expect(first.page.locator(".flash.warning")).to_be_visible()
    first.tap(SAVE["ja"])
    expect(first.page.locator(".moved")).to_contain_text("入力はそのまま残っています")
    first.tap(SAVE["ja"])
    expect(first.totals).to_have_text(["60", "52"])


def test_watchers_see_a_change_within_three_seconds_and_nothing_once_revoked(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    page = keeper.page
    page.goto(f"{keeper.sheet}/share")
    page.get_by_label("For whom?").fill("grandma")
    page.locator("button[value=watch]").click()
    link = page.locator(".made a").get_attribute("href")
    watcher, wall = new_phone(), new_phone()
    for each, address in ((watcher, link), (wall, f"{link}/wall")):
        each.clock.install(time=0)  # three seconds of the page's own time, however busy the machine is
        each.goto(address)
        each.clock.pause_at(NOON)
    page.goto(keeper.sheet)
    for expected, calls in (("60", (3, 4, 5, 6)), ("111", (3, 4, 5, 6))):
        keeper.deal(calls, 6)
        for each in (watcher, wall):
            each.clock.run_for(3000)
            expect(each.locator(".total, .wall-sides b").first).to_have_text(expected)
    expect(watcher.locator("main form")).to_have_count(0)
    page.goto(f"{keeper.sheet}/share")
    with keeper.arrived():
        page.get_by_role("button", name="Revoke the link “grandma” (Watch)").click()
    for each in (watcher, wall):
        each.clock.run_for(3000)
        expect(each.locator(".total, .wall-sides")).to_have_count(0)
        assert each.goto(link).status == 404


def test_a_revoked_score_link_ends_keeping_on_that_phone(new_phone: NewPhone) -> None:
    first = Keeper(new_phone(), "en")
    first.begin()
    second = join(new_phone, first)
    first.page.goto(f"{first.sheet}/share")
    with first.arrived():
        first.page.get_by_role("button", name=re.compile("Revoke the link “no label” .Keep the score.")).click()
    second.tap(5)
    expect(second.page.locator(".board")).to_have_count(0)
    first.page.goto(first.sheet)
    expect(first.page.locator(".said b")).to_have_count(0)


def test_a_link_in_a_chat_does_not_cost_the_sheets_of_this_phone(new_phone: NewPhone, base_url: str) -> None:
    """A page of another site leads here: the sheets kept before are still there afterwards."""
    keeper = Keeper(new_phone(), "en")
    keeper.begin()
    foreign = base_url.replace("127.0.0.1", "localhost")
    keeper.page.goto(f"{foreign}/en/problems")
    keeper.page.evaluate(f"location.href = '{base_url}/en/join'")
    keeper.page.wait_for_url(f"{base_url}/en/join")
    keeper.page.goto("/en/sheets")
    expect(keeper.page.locator(".doors a")).to_have_count(1)
