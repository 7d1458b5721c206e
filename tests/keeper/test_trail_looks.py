"""Looking back and sharing in a browser on a phone: nothing for axe, nothing too wide, a clean sheet of paper."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import PHONE, Keeper

pytestmark = pytest.mark.browser

LONG = ("アレクサンドラ・コンスタンティノヴァ", "Wolfeschlegelsteinhausenbergerdorff", "Chika", "Dan")


@dataclass(frozen=True)
class Evening:
    """A sheet with two games, a correction, an undo, a confirmation and an adjustment; and what opens it."""

    lang: str
    sheet: str
    watch: str
    state: Any


@pytest.fixture(scope="module", params=["ja", "en"])
def evening(browser: Any, base_url: str, request: pytest.FixtureRequest) -> Iterator[Evening]:
    lang = request.param
    context = browser.new_context(base_url=base_url, locale=lang, viewport=PHONE)
    keeper = Keeper(context.new_page(), lang)
    page = keeper.page
    sheet = keeper.begin(names=LONG, target=100)
    keeper.deal(("nil", 4, 3, 4), 8, 1)
    page.goto(f"{sheet}/deals/1")
    with keeper.settled():
        page.locator(".confirming button").first.click()
    page.goto(f"{sheet}/deals/1/correct?t0=9")
    with keeper.settled():
        page.locator(".save").click()
    with keeper.settled():
        page.locator(".bar form button").first.click()
    keeper.deal((5, 3, 6, 3), 11)
    page.goto(f"{sheet}/share")
    page.locator("button[value=watch]").click()
    watch = page.locator(".made a").get_attribute("href")
    page.goto(sheet)
    with keeper.settled():
        page.locator(".after-end button.strong").click()
    keeper.tap(4)
    yield Evening(lang, sheet, watch, context.storage_state())
    context.close()


@pytest.mark.by_turns
def test_axe_finds_nothing_and_nothing_is_too_wide(browser: Any, evening: Evening, faults: Any) -> None:
    host = evening.sheet.partition("/sheets/")[0]
    places = [f"{evening.sheet}/log", f"{evening.sheet}/games/2", f"{host}/watch/nothing"]
    context = browser.new_context(storage_state=evening.state, locale=evening.lang)
    page = context.new_page()
    found: list[str] = []
    for place in places:
        page.goto(place)
        found.extend(f"{place} {fault}" for fault in faults(page))
    context.close()
    assert "\n".join(found) == ""


@pytest.mark.by_turns
def test_times_of_the_log_are_those_of_the_reader(browser: Any, evening: Evening) -> None:
    for script in (True, False):
        context = browser.new_context(java_script_enabled=script, locale=evening.lang, timezone_id="Asia/Tokyo")
        page = context.new_page()
        page.goto(f"{evening.watch}/log")
        first = page.locator("time").first
        expect(first).to_have_attribute("datetime", re.compile(r"\+00:00$"))
        (expect(first).not_to_contain_text if script else expect(first).to_contain_text)("UTC")
        context.close()


@pytest.mark.by_turns
def test_game_prints_as_a_clean_page(browser: Any, evening: Evening, tmp_path: Path) -> None:
    context = browser.new_context(storage_state=evening.state, locale=evening.lang)
    page = context.new_page()
    page.goto(f"{evening.sheet}/games/1")
    page.emulate_media(media="print")
    for gone in (".top", ".bottom", ".back", ".links", ".pop"):
        expect(page.locator(gone).filter(visible=True)).to_have_count(0)
    for there in (".board .total", ".full .lines li", ".by-rules", ".ending"):
        expect(page.locator(there).first).to_be_visible()
    paper = page.pdf(path=tmp_path / "game.pdf", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    context.close()


@pytest.mark.by_turns
def test_finished_game_leads_to_paper_text_and_bg_stats(browser: Any, evening: Evening) -> None:
    context = browser.new_context(storage_state=evening.state, locale=evening.lang, viewport=PHONE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{evening.sheet}/games")
    page.locator(".games a").last.click()
    page.wait_for_url("**/games/1")
    expect(page.locator("[data-print]")).to_be_visible()
    expect(page.locator("a[rel~=external]")).to_have_attribute(
        "href", re.compile("^https://app.bgstatsapp.com/createPlay")
    )
    page.locator("a[href$='/text']").click()
    page.wait_for_url("**/text")
    page.locator("[data-copy]").click()
    expect(page.locator(".copied")).not_to_be_empty()
    copied, shown = page.evaluate(
        "(async () => [await navigator.clipboard.readText(), document.querySelector('.chat-text').textContent])()"
    )
    assert copied == shown
    assert re.search(r"^1(: |：)", copied, re.MULTILINE)
    assert all(url.startswith(evening.sheet.partition("/sheets/")[0].rpartition("/")[0]) for url in asked)
    context.close()


def test_file_goes_out_and_comes_back_by_hand(new_phone: NewPhone, tmp_path: Path) -> None:
    keeper = Keeper(new_phone(), "ja")
    keeper.begin()
    keeper.deal((3, 4, 5, 6), 6)
    keeper.page.goto(f"{keeper.sheet}/settings")
    with keeper.page.expect_download() as download:
        keeper.page.get_by_role("link", name="JSON").click()
    download.value.save_as(tmp_path / "scores.json")
    assert json.loads((tmp_path / "scores.json").read_text("utf-8"))["format"] == "companion-sheet"
    friend = new_phone(java_script_enabled=False)
    friend.goto("/ja/sheets")
    friend.get_by_role("link", name="保存したシートを開く").click()
    friend.set_input_files("input[type=file]", tmp_path / "scores.json")
    friend.get_by_role("button", name="新しいシートとして開く").click()
    expect(friend.locator(".board .total")).to_have_text(["60", "52"])
    expect(friend.locator(".notice")).to_contain_text("続きから記録できます")


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_both_ends_of_a_link(new_phone: NewPhone, lang: str) -> None:
    """Made on one phone, opened on two others: the watcher sees each deal by itself, the writer is shut out."""
    keeper = Keeper(new_phone(), lang)
    sheet = keeper.begin()
    links = []
    for scope in ("watch", "score"):
        keeper.page.goto(f"{sheet}/share")
        keeper.page.fill("input[name=label]", "Ben")
        keeper.page.locator(f"button[value={scope}]").click()
        links.append(keeper.page.locator(".made a").get_attribute("href"))
        expect(keeper.page.locator(".made .qr")).to_be_visible()
    watcher, writer = new_phone(), Keeper(new_phone(), lang)
    watcher.goto(links[0])
    writer.page.goto(links[1])
    writer.page.wait_for_selector("#entry")
    writer.deal((3, 4, 5, 6), 6)
    expect(watcher.locator(".total").first).to_have_text("60")
    watcher.locator("a[href$='/log']").click()
    watcher.wait_for_url("**/log")
    expect(watcher.locator(".actor").first).to_have_text({"ja": "Ben", "en": "by Ben"}[lang])
    watcher.goto(links[0])

    for place in (0, 0):
        keeper.page.goto(f"{sheet}/share")
        keeper.page.locator(".link-list form button").nth(place).click()
        keeper.page.wait_for_selector(".flash")
    nothing = {"ja": "このリンクで開けるシートはありません", "en": "This link does not open a sheet"}[lang]
    shut_out = {"ja": "もうこのシートに", "en": "no longer change"}[lang]
    watcher.wait_for_selector(f"h1:has-text('{nothing}')")
    writer.page.wait_for_selector(f"h1:has-text('{shut_out}')")
