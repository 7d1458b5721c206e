"""A phone that keeps the program, without network or server: it opens sheets, keeps evenings, and comes back."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from werkzeug.serving import BaseWSGIServer, make_server

from companion.data import LANGUAGES
from companion.web import create_app
from companion.web.phone import BUNDLE, MANIFEST
from tests.conftest import settings_in
from tests.keeper.driving import PHONE, held
from tests.keeper.evenings import WORDS, Evening
from tests.keeper.hands import Thumb
from tests.keeper.phone import Phone, Requests
from tests.keeper.test_whole_evenings import OTHERWISE, begin, correct, finish, give_link, ids
from tests.phone.test_coming_home import in_each_way, kept, name_of, promised

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / BUNDLE / MANIFEST).is_file(), reason="no program for phones is built: make phone"),
]
KEEP = {"en": "Keep on this phone", "ja": "この端末に入れる"}
REMOVE = {"en": "Remove from this phone", "ja": "この端末から消す"}
FETCHED = SENT = 60_000
"""Milliseconds in which the program is fetched, and what a phone has is sent, by a machine that has other work."""


class Server:
    """A server of its own, which can be stopped and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.settings = settings_in(folder)
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.app = create_app(self.settings)
        self.running: BaseWSGIServer | None = None

    def offer(self, bundle: Path) -> None:
        """Offer another program to phones from the next start on."""
        self.app = create_app({**self.settings, "PHONE": str(bundle)})

    def start(self) -> None:
        """Answer, where it does not."""
        if not self.running:
            self.running = make_server("127.0.0.1", self.port, self.app, threaded=True)
            threading.Thread(target=self.running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        """Leave nobody at the address: who asks is refused."""
        if self.running:
            self.running.shutdown()
            self.running.server_close()
            self.running = None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


def keeping(browser: Any, server: Server, lang: str) -> Any:
    """A phone that keeps the program, put there in a language."""
    context = browser.new_context(base_url=server.url, viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(f"/{lang}/phone")
    expect(page.get_by_role("button", name=KEEP[lang])).to_be_visible()
    assert not [url for url in fetched if "/phone/" in url or "on-phone" in url], "fetched before it was chosen"
    with held(page, "**/phone/**"):
        page.get_by_role("button", name=KEEP[lang]).click()
        expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("button", name=REMOVE[lang])).to_be_visible(timeout=FETCHED)
    assert not [url for url in fetched if not url.startswith(server.url)], "fetched from elsewhere"
    page.close()
    return context


@pytest.fixture(scope="module")
def context(browser: Any, server: Server) -> Iterator[Any]:
    """A phone that keeps the program, once for all tests."""
    context = keeping(browser, server, "en")
    yield context
    context.close()


@pytest.fixture(scope="module")
def second(browser: Any, server: Server) -> Iterator[Any]:
    """Another phone that keeps the program, until the last test removes it there."""
    server.start()
    context = keeping(browser, server, "ja")
    yield context
    context.close()


@pytest.fixture
def airplane(context: Any, server: Server) -> Iterator[Any]:
    """A page of the phone with no network and no server."""
    server.stop()
    context.set_offline(True)
    page = context.new_page()
    yield page
    page.close()
    context.set_offline(False)


def stop_worker(page: Any) -> None:
    """End the worker, as a browser does whenever it likes."""
    line = page.context.new_cdp_session(page)
    line.send("ServiceWorker.enable")
    line.send("ServiceWorker.stopAllWorkers")
    line.detach()


def test_book_search_and_referee_answer_from_a_cold_start(airplane: Any) -> None:
    page = airplane
    stop_worker(page)
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
    expect(airplane.locator("main .rows b").first).to_be_visible()
    airplane.goto(f"{hand.sheet}/deals/1")
    expect(airplane.locator(f"main a[href*='/rules/{evening.game}']").first).to_be_visible()


def test_what_was_answered_is_there_after_the_worker_was_stopped(airplane: Any) -> None:
    evening, lang = OTHERWISE[0]
    hand = Thumb(airplane, lang)
    stop_worker(airplane)
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
    expect(page.locator("[data-do=send]")).to_be_hidden(timeout=SENT)
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


@pytest.fixture
def online(context: Any, server: Server) -> Iterator[Any]:
    """A page of the phone with a line."""
    server.start()
    context.set_offline(False)
    page = context.new_page()
    yield page
    page.close()
    server.start()
    context.set_offline(False)


COPIED = """async () => {
  const opening = indexedDB.open("companion-phone");
  const base = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
  const id = location.pathname.split("/").pop();
  for (;;) {
    const asking = base.transaction("facts").objectStore("facts").get("copy:" + id);
    const copy = await new Promise((done) => { asking.onsuccess = () => done(asking.result); });
    if (copy && copy.tag === document.querySelector("[data-live]").dataset.version) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}"""
"""Wait until the phone has the sheet on the screen as it is."""


LISTED = """async (id) => {
  const opening = indexedDB.open("companion-phone");
  const base = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
  for (let left = 1200; left; left -= 1) {
    const asking = base.transaction("facts").objectStore("facts").get("copy:" + id);
    if (await new Promise((done) => { asking.onsuccess = () => done(asking.result); })) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(id + " is not copied");
}"""


def test_a_sheet_that_was_never_opened_here_is_continued(online: Any, context: Any) -> None:
    evening, lang = OTHERWISE[0]
    plain = Phone(Requests(context), lang)
    plain.open(*evening.names, game=evening.game, rules=evening.rules)
    plain.play(evening.begun[:1])
    online.goto(f"/{lang}/sheets")
    online.evaluate(LISTED, name_of(plain.sheet))
    context.set_offline(True)
    stop_worker(online)
    online.goto(plain.sheet)
    hand = Thumb(online, lang)
    hand.deal(evening.begun[1])
    expect(hand.totals).to_have_text(evening.totals)


def test_a_sheet_that_is_opened_for_a_group_goes_up_into_it(online: Any, context: Any) -> None:
    plain = Phone(Requests(context))
    plain.get("/en/groups")
    plain.press("Make the group", title="Tuesday", names="Aki\nBeth\nChika\nDan")
    group = plain.url
    online.goto(f"/en/sheets/new/spades?group={name_of(group)}&player=m1&player=m2&player=m3&player=m4")
    context.set_offline(True)
    online.get_by_role("button", name="Start").click()
    expect(online.locator("[data-live]")).to_contain_text("Beth")
    online.goto(group)
    expect(online.locator("h1")).to_have_text("This needs the network")
    online.goto("/en/phone")
    context.set_offline(False)
    online.evaluate(SEND)
    assert "Aki & Chika" in plain.get(group).text


def continued(page: Any, context: Any) -> Thumb:
    """A sheet of the site with one deal, of which the phone enters another one without a line."""
    evening, lang = OTHERWISE[0]
    hand = Thumb(page, lang)
    hand.open(evening)
    hand.deal(evening.begun[0])
    page.evaluate(COPIED)
    context.set_offline(True)
    hand.deal(evening.begun[1])
    expect(hand.totals).to_have_text(evening.totals)
    return hand


def test_a_sheet_of_the_site_is_continued_with_its_totals(online: Any, context: Any) -> None:
    hand = continued(online, context)
    evening = OTHERWISE[0][0]
    stop_worker(online)
    online.goto(hand.sheet)
    expect(hand.totals).to_have_text(evening.totals)
    context.set_offline(False)
    online.goto(f"/{hand.lang}/phone")
    online.locator("[data-do=send]").click()
    expect(online.locator("[data-do=send]")).to_be_hidden()
    stop_worker(online)
    online.goto(hand.sheet)
    expect(hand.totals).to_have_text(evening.totals)
    plain = Phone(Requests(context))
    plain.get(hand.sheet)
    assert tuple(plain.totals) == evening.totals


SEND = """async () => {
  const { active } = await navigator.serviceWorker.getRegistration(), { port1, port2 } = new MessageChannel();
  const said = new Promise((done) => { port1.onmessage = (event) => done(event.data.sheets); });
  active.postMessage("send", [port2]);
  return said;
}"""
"""Send what is on the phone alone; return what of it is left."""


def test_a_tap_on_a_page_that_was_made_here_counts_although_its_sheet_went_up(online: Any, context: Any) -> None:
    hand = continued(online, context)
    context.set_offline(False)
    left = online.evaluate(SEND)
    assert left == [], "the page on the screen is still the one that was made here"
    hand.press("3")
    hand.press("4")
    expect(online.locator(".said b:not(.unsent b)")).to_have_text(["3", "4"])
    online.goto(hand.sheet)
    expect(online.locator(".said b")).to_have_text(["3", "4"])


def test_a_form_on_a_page_that_was_made_here_counts_although_its_sheet_went_up(
    airplane: Any, context: Any, server: Server
) -> None:
    evening, lang = OTHERWISE[0]
    hand = Thumb(airplane, lang)
    begin(hand, evening)
    hand.follow(hand.word("deal", 1))
    hand.follow(hand.word("correct"))
    hand.press(evening.wrong[lang])
    hand.press(str(evening.right))
    server.start()
    context.set_offline(False)
    left = airplane.evaluate(SEND)
    assert left == [], "the form on the screen is still that of the sheet which was opened here"
    hand.press(hand.word("keep"))
    expect(airplane).not_to_have_url(re.compile(re.escape(hand.sheet)))
    expect(hand.totals).to_have_text(evening.corrected)
    plain = Phone(Requests(context), lang)
    plain.get(urlsplit(airplane.url).path)
    assert tuple(plain.totals) == evening.corrected


def test_both_histories_are_shown_where_others_wrote(online: Any, context: Any) -> None:
    """Nothing that the phone entered is lost, and nobody else's."""
    hand = continued(online, context)
    plain = Phone(Requests(context), hand.lang)
    plain.get(hand.sheet)
    plain.deal(*(label if isinstance(label, int) else WORDS[hand.lang][label] for label in OTHERWISE[0][0].begun[1]))
    context.set_offline(False)
    expect(online.locator("#theirs")).to_be_visible()
    online.locator("button[value=mine]").click()
    expect(online.locator("table.deals tbody tr")).to_have_count(3)
    plain.get(hand.sheet)
    assert plain.page.html.count('class="deal-link"') == 3


BUTTON = {"mine": "button[value=mine]", "only": "[aria-labelledby=only] button", "copy": "button[value=copy]"}


@pytest.mark.by_turns
@in_each_way
def test_two_phones_come_back_and_each_choice_ends_as_promised(
    online: Any, context: Any, second: Any, server: Server, thorough: bool, evening: Evening, choice: str, lang: str
) -> None:
    """Both go on with a sheet of the site from a cold start, the second one with a deal, and it is back first."""
    second.set_offline(False)  # whatever became of it in another test
    hand, other = Thumb(online, lang), Thumb(second.new_page(), lang)
    hand.open(evening)
    hand.deal(evening.begun[0])
    other.page.goto(give_link(hand, "score", "Emi"))
    other.page.wait_for_url(hand.sheet)
    hand.page.goto(hand.sheet)
    for page in (other.page, hand.page):
        page.evaluate(COPIED)
    server.stop()
    for each in (other, hand):
        each.page.context.set_offline(True)
        stop_worker(each.page)
        each.page.goto(f"/{lang}/sheets")
        each.page.locator(f"main a[href='{urlsplit(hand.sheet).path}']").click()
        each.deal(evening.begun[1])
        expect(each.totals).to_have_text(evening.totals)
    correct(hand, evening)
    for answers in evening.rest if thorough else ():
        hand.deal(answers)
    server.start()
    second.set_offline(False)
    other.page.goto(f"/{lang}/phone")
    left = other.page.evaluate(SEND)  # its page may have sent it before
    assert left == []
    context.set_offline(False)
    hand.page.goto(hand.sheet)
    expect(hand.page.locator("#theirs")).to_be_visible()
    would = promised(hand.page.content())
    assert (would["only"], would["copy"]) == (
        list(evening.totals),
        list(evening.final if thorough else evening.corrected),
    )
    hand.page.locator(BUTTON[choice]).click()
    expect(hand.totals).to_have_text([total.replace("-", "−") for total in would[choice]])
    address = expect(hand.page)
    (address.not_to_have_url if choice == "copy" else address.to_have_url)(hand.sheet)
    assert kept(Phone(Requests(second), lang), hand.sheet) == would["mine" if choice == "mine" else "only"]
    other.page.close()


def test_a_form_that_was_fetched_before_the_line_dropped_keeps_its_entries(online: Any, context: Any) -> None:
    """A new sheet is opened on the phone; what only the site can do stays as it was filled in, and says so."""
    online.goto("/en/sheets/new/spades")
    for place, name in enumerate(("Akiko", "Beatrix", "Chikako", "Daniel")):
        online.get_by_role("textbox", name=f"Player {place + 1}").fill(name)
    context.set_offline(True)
    online.get_by_role("button", name="Start").click()
    expect(online.locator("[data-live]")).to_contain_text("Beatrix")
    context.set_offline(False)
    online.goto("/en/devices/enter")
    online.locator("#join input[name=code]").fill("ABCD EFGH")
    context.set_offline(True)
    online.locator("#join button").click()
    expect(online.get_by_role("alert")).to_contain_text("What you entered is still here")
    expect(online.locator("#join input[name=code]")).to_have_value("ABCD EFGH")


def test_a_form_that_was_made_here_is_taken_although_the_line_is_back(
    airplane: Any, context: Any, server: Server
) -> None:
    airplane.goto("/en/sheets/new/spades")
    for place, name in enumerate(("Akiko", "Beatrix", "Chikako", "Daniel")):
        airplane.get_by_role("textbox", name=f"Player {place + 1}").fill(name)
    server.start()
    context.set_offline(False)
    airplane.get_by_role("button", name="Start").click()
    expect(airplane.locator("[data-live]")).to_contain_text("Beatrix")


def test_what_only_the_site_can_make_says_that_it_needs_the_network(airplane: Any) -> None:
    for page, said in (("en/devices", "This needs the network"), ("ja/sheets/none", "ここには通信が必要です")):
        airplane.goto(f"/{page}")
        expect(airplane.locator("h1")).to_have_text(said)


RENEWED = """async (before) => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  for (let left = 1200; left; left -= 1) {
    const held = (await caches.keys()).filter((each) => each.startsWith("phone-"));
    if (held.length === 1 && held[0] !== before && !registration.installing && !registration.waiting) return held[0];
    await new Promise((done) => setTimeout(done, 50));
  }
}"""
HELD = "async () => (await caches.keys()).find((each) => each.startsWith('phone-'))"


def test_a_newer_program_takes_over_without_losing_what_is_on_the_phone_alone(
    airplane: Any, context: Any, server: Server, tmp_path: Path
) -> None:
    """Neither a sheet that was opened without a network, nor what was entered on it."""
    evening, lang = OTHERWISE[0]
    hand = Thumb(airplane, lang)
    hand.open(evening)
    hand.press("1")
    expect(airplane.locator(".said b")).to_have_text(["1"])
    airplane.goto(f"/{lang}/phone")  # from here nothing is sent unasked
    before = airplane.evaluate(HELD)
    for file in (ROOT / BUNDLE).iterdir():
        (tmp_path / file.name).symlink_to(file)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).unlink()
    (tmp_path / MANIFEST).write_text(json.dumps(manifest | {"version": "newer"}))
    server.offer(tmp_path)
    server.start()
    context.set_offline(False)
    held = airplane.evaluate(RENEWED, before)
    assert held == "phone-newer"
    server.stop()
    context.set_offline(True)
    airplane.goto(hand.sheet)
    hand.press("2")
    expect(airplane.locator(".said b")).to_have_text(["1", "2"])
    server.offer(ROOT / BUNDLE)


def test_it_is_removed_where_nothing_is_lost(second: Any, server: Server) -> None:
    """Not while a sheet is on this phone alone."""
    server.start()
    page = second.new_page()
    second.set_offline(True)
    hand = Thumb(page, "ja")
    hand.open(OTHERWISE[0][0])
    page.goto("/ja/phone")
    page.locator("[data-do=remove]").click()
    expect(page.locator("[data-do=send]")).to_be_visible()
    page.goto(hand.sheet)
    expect(page.locator(".keys")).to_be_visible()
    second.set_offline(False)
    page.goto("/ja/phone")
    page.locator("[data-do=send]").click()
    expect(page.locator("[data-do=send]")).to_be_hidden(timeout=SENT)
    page.locator("[data-do=remove]").click()
    expect(page.locator("[data-do=keep]")).to_be_visible()
    page.goto(hand.sheet)
    expect(page.locator("h1")).to_be_visible()
    page.close()
