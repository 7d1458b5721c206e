"""Whole games kept in a browser on a phone's screen, as people keep them: by taps, by keys, without scripts, by two."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import SAVE, Keeper

pytestmark = pytest.mark.browser


def test_a_whole_game_in_japanese_to_its_end_and_a_rematch(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "ja")
    keeper.open(names=("あき", "ちか", "だん", "えみ"), target=200)
    assert keeper.deal(("nil", 4, 3, 4), 8, 0) <= 10
    assert keeper.totals == ["44", "132"]
    assert "第1ディールを記録しました。次のディーラーはちかです。" in keeper.said
    assert "あき & だんは44点（バッグ 4）。ちか & えみは132点（バッグ 2）。" in keeper.said
    assert keeper.deal((3, 3, 4, 4), 8) <= 10
    assert keeper.deal((4, 5, 5, 6), 7) <= 10
    page = keeper.page
    assert page.locator("#ending").inner_text() == "ちか & えみの勝ち"
    ending = page.locator(".ending")
    assert "200点" in ending.inner_text()
    assert ending.locator("a").get_attribute("href").startswith("/ja/rules/spades#")
    assert page.locator(".question").count() == 0
    keeper.tap("もう一度遊ぶ", inside=".after-end")
    assert keeper.totals == ["0", "0"]
    assert "第1ディール · ディーラーはえみ" in page.locator("#entry-title").inner_text()
    assert keeper.deal((3, 3, 4, 4), 8) <= 10


def test_a_game_in_english_with_a_correction_in_the_middle(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.open()
    for _ in range(3):
        keeper.deal((3, 4, 5, 6), 7)
    assert keeper.totals == ["174", "162"]
    page = keeper.page
    with keeper.arrived():
        page.get_by_role("link", name="Deal 1: details and correction").click()
    with keeper.arrived():
        page.get_by_role("link", name="Correct this deal").click()
    keeper.tap("Tricks of Aki & Chika: 7. Change")
    keeper.tap(5)
    rows = page.locator(".ripple tbody tr")
    assert rows.count() == 3
    assert "61 → −60" in rows.nth(0).inner_text()
    assert "174 → 53" in rows.nth(2).inner_text()
    assert "51 → 53" in rows.nth(0).inner_text()
    page.get_by_label("Reason").fill("miscounted")
    with keeper.settled():
        page.get_by_role("button", name="Save the correction").click()
    assert keeper.totals == ["53", "164"]
    assert page.url == keeper.sheet
    assert page.locator("tr", has_text="corrected").count() == 1
    keeper.deal((3, 4, 5, 6), 7)
    assert keeper.totals == ["105", "224"]
    with keeper.arrived():
        page.get_by_role("link", name="Deal 1: details and correction").click()
    trail = page.locator(".history").inner_text()
    assert "miscounted" in trail
    assert "Aki & Chika: bid 6, 7 tricks" in trail
    assert "Aki & Chika: bid 6, 5 tricks" in trail


def test_taking_back_without_scripts(new_phone: NewPhone) -> None:
    page = new_phone(java_script_enabled=False)
    page.goto("/ja/sheets")
    page.get_by_role("link", name="新しいスコアシート").click()
    page.get_by_role("link", name="クラシック").first.click()
    page.get_by_role("button", name="始める").click()
    entry, flash = page.locator("#entry"), page.locator(".flash")

    def press(button: Any) -> None:
        with page.expect_navigation():  # a click alone does not wait for the page that it leads to
            button.click()

    for _ in range(2):
        for call in (6, 6, 6, 6):
            press(entry.get_by_role("button", name=str(call), exact=True))
        press(entry.get_by_role("button", name="7", exact=True))
        press(entry.get_by_role("button", name=SAVE["ja"]))
    assert page.locator(".board .total").all_inner_texts() == ["122", "120"]
    press(flash.get_by_role("button", name="取り消す"))
    assert page.locator(".board .total").all_inner_texts() == ["61", "60"]
    press(flash.get_by_role("button", name="やり直す"))
    assert page.locator(".board .total").all_inner_texts() == ["122", "120"]


def join(new_phone: NewPhone, keeper: Keeper) -> Keeper:
    """A second phone that keeps the same sheet, by a score link."""
    page = keeper.page
    page.goto(f"{keeper.sheet}/share")
    page.locator("button[value=score]").click()
    link = page.locator(".made a").get_attribute("href")
    second = Keeper(new_phone(), keeper.lang)
    second.page.goto(link)
    second.page.wait_for_url(keeper.sheet)
    assert "#" not in second.page.url
    second.sheet = keeper.sheet
    page.goto(keeper.sheet)
    return second


def test_two_phones_race_and_end_on_the_same_sheet(new_phone: NewPhone) -> None:
    first = Keeper(new_phone(), "en")
    first.open()
    second = join(new_phone, first)
    for call in (3, 4, 5, 6):
        first.tap(call)
    second.page.goto(second.sheet)
    first.tap(6)
    second.tap(7)
    first.tap(SAVE["en"])
    second.tap(SAVE["en"])
    assert "Another device has already saved deal 1" in second.page.locator(".moved").inner_text()
    assert second.totals == first.totals == ["60", "52"]
    assert second.page.evaluate("document.activeElement.className").endswith("moved")
    with second.arrived():
        second.page.get_by_role("link", name="Compare with what I entered").click()
    assert "60 → 61" in second.page.locator(".ripple").inner_text()
    with second.settled():
        second.page.get_by_role("button", name="Save the correction").click()
    first.page.wait_for_function("() => document.querySelector('.total').textContent.trim() === '61'", timeout=3000)
    assert first.totals == second.totals == ["61", "51"]


def test_a_phone_that_is_counting_is_told_and_keeps_its_counts(new_phone: NewPhone) -> None:
    first = Keeper(new_phone(), "ja")
    first.open()
    second = join(new_phone, first)
    for call in (3, 4, 5, 6):
        first.tap(call)
    first.tap(6)
    second.page.goto(f"{second.sheet}/settings")
    second.page.get_by_label("シートの題名").fill("金曜")
    second.page.locator("form", has=second.page.locator("#title")).get_by_role("button").click()
    first.page.locator(".flash.warning").wait_for(timeout=3000)
    first.tap(SAVE["ja"])
    assert "入力はそのまま残っています" in first.page.locator(".moved").inner_text()
    first.tap(SAVE["ja"])
    assert first.totals == ["60", "52"]


def test_watchers_see_a_change_within_three_seconds_and_nothing_once_revoked(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(), "en")
    keeper.open()
    page = keeper.page
    page.goto(f"{keeper.sheet}/share")
    page.get_by_label("For whom?").fill("grandma")
    page.locator("button[value=watch]").click()
    link = page.locator(".made a").get_attribute("href")
    watcher, wall = new_phone(), new_phone()
    watcher.goto(link)
    wall.goto(link + "/wall")
    page.goto(keeper.sheet)
    for expected, calls in (("60", (3, 4, 5, 6)), ("111", (3, 4, 5, 6))):
        keeper.deal(calls, 6)
        saved = time.monotonic()
        shown = f"() => document.querySelector('.total, .wall-sides b').textContent.trim() === '{expected}'"
        watcher.wait_for_function(shown, timeout=3000)
        wall.wait_for_function(shown, timeout=3000)
        assert time.monotonic() - saved < 3.5  # two waits, one after the other
    assert watcher.locator("form").count() == 0
    page.goto(f"{keeper.sheet}/share")
    with keeper.arrived():
        page.get_by_role("button", name="Revoke the link “grandma” (Watch)").click()
    for each in (watcher, wall):
        each.wait_for_function("() => !document.querySelector('.total, .wall-sides')", timeout=4000)
        assert each.goto(link).status == 404


def test_a_revoked_score_link_ends_keeping_on_that_phone(new_phone: NewPhone) -> None:
    first = Keeper(new_phone(), "en")
    first.open()
    second = join(new_phone, first)
    first.page.goto(f"{first.sheet}/share")
    with first.arrived():
        first.page.get_by_role("button", name=re.compile("Revoke the link “no label” .Keep the score.")).click()
    second.tap(5)
    assert second.page.locator(".board").count() == 0
    first.page.goto(first.sheet)
    assert first.page.locator(".said").count() == 0


def test_a_link_in_a_chat_does_not_cost_the_sheets_of_this_phone(new_phone: NewPhone, base_url: str) -> None:
    """A page of another site leads here: the sheets kept before are still there afterwards."""
    keeper = Keeper(new_phone(), "en")
    keeper.open()
    foreign = base_url.replace("127.0.0.1", "localhost")
    keeper.page.goto(f"{foreign}/en/problems")
    keeper.page.evaluate(f"location.href = '{base_url}/en/join'")
    keeper.page.wait_for_url(f"{base_url}/en/join")
    keeper.page.goto("/en/sheets")
    assert keeper.page.locator(".doors a").count() == 1
