"""A phone that keeps the program, without network or server: it opens sheets, keeps evenings, and comes back."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from companion.data import LANGUAGES
from companion.web.phone import BUNDLE, MANIFEST
from tests.keeper.driving import PHONE
from tests.keeper.evenings import Evening
from tests.keeper.hands import Thumb
from tests.keeper.test_whole_evenings import OTHERWISE, begin, correct, finish, ids

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / BUNDLE / MANIFEST).is_file(), reason="no program for phones is built: make phone"),
]
KEEP = {"en": "Keep on this phone", "ja": "この端末に入れる"}
REMOVE = "Remove from this phone"
IMPORTED = 90_000
"""Milliseconds: the server reads what is sent in a process of low priority, which a busy machine lets wait."""


class Server:
    """A server of its own, which can be stopped and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.env = {**os.environ, "COMPANION_DATABASE": f"sqlite:///{folder / 'companion.sqlite3'}"}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it where it does not run, and wait until it answers."""
        if self.process:
            return
        command = [sys.executable, "-m", "companion.serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                urlopen(f"{self.url}/healthz").close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def stop(self) -> None:
        """Stop it."""
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def context(browser: Any, server: Server) -> Iterator[Any]:
    """A phone that keeps the program, once for all tests."""
    context = browser.new_context(base_url=server.url, viewport=PHONE, has_touch=True)
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto("/en/phone")
    expect(page.get_by_role("button", name=KEEP["en"])).to_be_visible()
    assert not [url for url in fetched if "/phone/" in url or "on-phone" in url], "fetched before it was chosen"
    page.get_by_role("button", name=KEEP["en"]).click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("button", name=REMOVE)).to_be_visible()
    assert not [url for url in fetched if not url.startswith(server.url)], "fetched from elsewhere"
    page.close()
    yield context
    context.close()


@pytest.fixture
def airplane(context: Any, server: Server) -> Iterator[Any]:
    """A page of the phone from a cold start, with no network and no server."""
    server.stop()
    context.set_offline(True)
    page = context.new_page()
    stop_worker(page)
    yield page
    page.close()
    context.set_offline(False)


def stop_worker(page: Any) -> None:
    """End the worker, as a browser does whenever it likes."""
    line = page.context.new_cdp_session(page)
    line.send("ServiceWorker.enable")
    line.send("ServiceWorker.stopAllWorkers")
    line.detach()


def test_book_search_and_referee_answer(airplane: Any) -> None:
    page = airplane
    page.goto("/ja/rules/spades")
    expect(page.locator("h1")).to_contain_text("スペード")
    page.goto("/en/search?q=nil")
    expect(page.locator("main")).to_contain_text("Nil")
    page.goto("/en/referee/spades")
    expect(page.locator("main a").first).to_be_visible()


@pytest.mark.parametrize(("evening", "lang"), OTHERWISE, ids=ids(OTHERWISE))
def test_an_evening_is_kept(airplane: Any, evening: Evening, lang: str, thorough: bool) -> None:
    """Its first deals and a correction; in a long run to its end, and in the other language, too."""
    for each in LANGUAGES if thorough else (lang,):
        hand = Thumb(airplane, each)
        begin(hand, evening)
        correct(hand, evening)
        if thorough:
            finish(hand, evening)


def test_a_point_is_explained_and_other_rules_are_tried(airplane: Any) -> None:
    evening, lang = OTHERWISE[1]
    hand = Thumb(airplane, lang)
    begin(hand, evening)
    airplane.goto(f"{hand.sheet}/what-if")
    expect(airplane.locator("main form").first).to_be_visible()
    airplane.goto(f"{hand.sheet}/deals/1")
    expect(airplane.locator(f"main a[href*='/rules/{evening.game}']").first).to_be_visible()


def test_what_was_answered_is_there_after_the_worker_was_stopped(airplane: Any) -> None:
    evening, lang = OTHERWISE[0]
    hand = Thumb(airplane, lang)
    hand.open(evening)
    for call in (1, 2, 3):
        hand.press(str(call))
        stop_worker(airplane)
    expect(airplane.locator(".said b")).to_have_text(["1", "2", "3"])
    airplane.goto(hand.sheet)
    expect(airplane.locator(".said b")).to_have_text(["1", "2", "3"])


def test_a_sheet_goes_up_once_and_goes_on_there(context: Any, airplane: Any, server: Server) -> None:
    evening, lang = OTHERWISE[2]
    hand = Thumb(airplane, lang)
    begin(hand, evening)
    server.start()
    context.set_offline(False)
    page = airplane
    page.goto(f"/{lang}/phone")
    page.locator("[data-do=send]").click()
    expect(page.locator("[data-do=send]")).to_be_hidden(timeout=IMPORTED)
    page.goto(hand.sheet)
    expect(page).not_to_have_url(hand.sheet)
    expect(page).to_have_url(re.compile(rf"/{lang}/sheets/(?!new)[^/]+$"))
    hand.sheet = page.url
    expect(hand.totals).to_have_text(evening.totals)
    correct(hand, evening)
    page.goto(f"/{lang}/sheets")
    links = page.locator("main a").evaluate_all("(all) => all.map((one) => one.href)")
    assert links.count(hand.sheet) <= 2
    assert hand.sheet in links


def test_it_is_removed_where_nothing_is_lost(browser: Any, server: Server) -> None:
    """Not while a sheet is on this phone alone."""
    server.start()
    context = browser.new_context(base_url=server.url, viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto("/ja/phone")
    page.get_by_role("button", name=KEEP["ja"]).click()
    expect(page.locator("[data-do=remove]")).to_be_visible()
    context.set_offline(True)
    hand = Thumb(page, "ja")
    hand.open(OTHERWISE[0][0])
    page.goto("/ja/phone")
    page.locator("[data-do=remove]").click()
    expect(page.locator("[data-do=send]")).to_be_visible()
    page.goto(hand.sheet)
    expect(page.locator(".question")).to_be_visible()
    context.set_offline(False)
    page.goto("/ja/phone")
    page.locator("[data-do=send]").click()
    expect(page.locator("[data-do=send]")).to_be_hidden(timeout=IMPORTED)
    page.locator("[data-do=remove]").click()
    expect(page.locator("[data-do=keep]")).to_be_visible()
    page.goto(hand.sheet)
    expect(page.locator("h1")).to_be_visible()
    context.close()
