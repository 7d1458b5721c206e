"""A slow line, a broken one and a nervous thumb: every tap counts once, for the player who was asked."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import BOUNCE, SAVE, Keeper, foretold, held, seen
from tests.keeper.phone import Phone, Requests

pytestmark = pytest.mark.browser

ANSWERED = """async (label) => {
  const button = [...document.querySelectorAll('#entry .question button')].find((each) => each.textContent === label);
  const before = document.querySelector('#entry .question').dataset.question;
  button.click();
  for (let frames = 300; document.querySelector('#entry .question').dataset.question === before; frames -= 1) {
    if (!frames) throw new Error("no next question after " + label);
    await new Promise(requestAnimationFrame);
  }
}"""
"""Press a button of the question and wait for the next one."""


@pytest.fixture
def keeper(new_phone: NewPhone) -> Keeper:
    """A keeper whose sheet knows the questions to come."""
    keeper = Keeper(new_phone(bad_line=True), "en")
    with foretold(keeper.page):
        keeper.begin()
    return keeper


def slow(page: Any, latency: int) -> None:
    """Let every answer take so many milliseconds more."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def tap(keeper: Keeper, label: str | int) -> None:
    """Press a button of the question, without waiting for anything after it."""
    keeper.page.locator("#entry .question").get_by_role("button", name=str(label), exact=True).click()


def off_the_table(page: Any) -> None:
    """The note of the line covers no card and no key, on whatever phone."""
    for width, height in ((844, 390), (320, 568), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        boxes = [page.locator(part).bounding_box() for part in (".line", ".felt", ".keys")]
        note, *others = [(box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in boxes]
        assert not any(note[0] < right and left < note[2] and note[3] > top for left, top, right, _ in others), boxes


def written(keeper: Keeper, *calls: str) -> None:
    """The sheet has exactly these calls, on the screen and for whoever opens it anew."""
    expect(keeper.page.locator(".said .unsent, .line p")).to_have_count(0)
    expect(keeper.page.locator(".said b")).to_have_text(list(calls))
    keeper.page.goto(keeper.sheet)
    expect(keeper.page.locator(".said b")).to_have_text(list(calls))


@pytest.mark.parametrize("latency", [0, 400, 1000])
def test_quick_taps_are_answered_at_once_and_count_for_who_was_asked(keeper: Keeper, latency: int) -> None:
    slow(keeper.page, latency)
    with held(keeper.page, "**/do/*"):
        for label in ("3", "4", "3", "5"):
            keeper.page.evaluate(ANSWERED, label)
    written(keeper, "3", "4", "3", "5")


def test_taps_count_on_a_sheet_that_was_reached_without_loading_a_page(keeper: Keeper) -> None:
    """After a correction the sheet is shown in the place of the form."""
    page = keeper.page
    keeper.deal((3, 4, 5, 6), 6)
    page.goto(f"{keeper.sheet}/deals/1/correct?t0=7")
    with foretold(page):
        page.get_by_role("button", name="Save the correction").click()
    slow(page, 1000)
    with held(page, "**/do/*"):
        for label in ("2", "4", "2"):
            page.evaluate(ANSWERED, label)
    written(keeper, "2", "4", "2")


@pytest.mark.parametrize("later", [0, 300])
def test_a_second_touch_of_the_same_place_is_no_call_of_the_next_player(keeper: Keeper, later: int) -> None:
    """A tenth of a second after the first one, although a busy phone hears of it so many milliseconds later."""
    page = keeper.page
    button = page.locator("#entry .question").get_by_role("button", name="3", exact=True)
    box = button.bounding_box()
    line = page.context.new_cdp_session(page)
    first = page.evaluate("performance.timeOrigin + performance.now()") / 1000
    for moment in (first, first + 0.1):
        for kind in ("mousePressed", "mouseReleased"):
            at = {"x": box["x"] + 9, "y": box["y"] + 9, "button": "left", "clickCount": 1, "timestamp": moment}
            line.send("Input.dispatchMouseEvent", {"type": kind, **at})
        expect(page.locator(".said b")).to_have_text(["3"])
        page.wait_for_timeout(later)
    page.wait_for_timeout(1000 * BOUNCE)
    button.click()
    written(keeper, "3", "3")


def test_an_answer_that_is_lost_writes_nothing_twice_and_nothing_else(keeper: Keeper) -> None:
    lost: list[Any] = []

    def lose(route: Any) -> None:
        if len(lost) < 2:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    keeper.page.route("**/do/call", lose)
    tap(keeper, 2)
    tap(keeper, 5)
    written(keeper, "2", "5")
    assert len(lost) == 2


@pytest.mark.parametrize("status", [429, 502])
def test_an_answer_in_between_never_replaces_the_sheet(keeper: Keeper, status: int) -> None:
    refused: list[str] = []

    def refuse(route: Any) -> None:
        refused.append(route.request.url)
        if len(refused) < 3:
            route.fulfill(status=status, body="<h1>no</h1>", headers={"Retry-After": "0"})
        else:
            route.continue_()

    keeper.page.route("**/do/call", refuse)
    tap(keeper, 4)
    expect(keeper.page.locator(".line")).to_contain_text(re.compile(r"Beth\s4"))
    expect(keeper.page.locator(".board .total")).to_have_count(2)
    tap(keeper, 6)
    written(keeper, "4", "6")


def test_taps_without_a_line_are_kept_over_a_closed_tab_and_sent_once(keeper: Keeper) -> None:
    page, context = keeper.page, keeper.page.context
    context.set_offline(True)
    for label in (3, 1, 0):
        tap(keeper, label)
    expect(page.locator(".said .unsent b")).to_have_text(["3", "1", "0"])
    expect(page.locator(".line")).to_contain_text(re.compile(r"Beth\s3, Chika\s1, Dan\s0"))
    expect(page.locator(".line button")).to_be_in_viewport()
    page.close()
    context.set_offline(False)
    keeper.page = context.new_page()
    keeper.page.goto(keeper.sheet)
    keeper.page.evaluate("localStorage.clear()")  # as after the seconds in which the closed tab may still be there
    keeper.page.reload()
    written(keeper, "3", "1", "0")


def test_what_stops_without_a_line_says_so(keeper: Keeper) -> None:
    """On a phone that does not keep the whole program: the last count cannot be saved before there is a line."""
    page, context = keeper.page, keeper.page.context
    context.set_offline(True)
    for label in (3, 1, 0):
        tap(keeper, label)
    expect(page.locator(".line")).to_contain_text("Dan")
    expect(page.locator(".line")).not_to_contain_text("it stops here")
    tap(keeper, 4)
    expect(page.locator("#entry h2")).to_contain_text("Tricks")
    tap(keeper, 5)
    expect(page.locator(".line")).to_contain_text("it stops here")
    off_the_table(page)
    context.set_offline(False)


KEEPS_ALL = """IDBObjectStore.prototype.delete = function (id) { return this.get(id); }"""
"""A disk so slow that what has been sent is still kept."""


def test_a_tap_that_was_answered_before_the_page_had_looked_is_not_sent_again(keeper: Keeper) -> None:
    """The page asks what an earlier visit left behind only when it knows the questions to come."""
    page = keeper.page
    sent: list[str] = []
    for call in (3, 4, 3, 3):
        keeper.tap(call)
    page.add_init_script(KEEPS_ALL)
    page.on("request", lambda request: sent.append(request.url))
    with foretold(page), held(page, "**/ahead*"):
        page.reload()
        with keeper.settled():
            tap(keeper, 5)
    page.wait_for_timeout(500)
    assert len([url for url in sent if "t0=5" in url and "/ahead" not in url]) == 1


WITHOUT_FIRST = """() => new Promise((done) => {
  indexedDB.open("companion", 1).onsuccess = ({ target: { result: base } }) => {
    const kept = base.transaction("taps", "readwrite");
    kept.objectStore("taps").openCursor().onsuccess = ({ target: { result: first } }) => first.delete();
    kept.oncomplete = done;
  };
})"""


def test_a_tap_whose_turn_had_not_come_when_the_tab_was_closed_is_sent(keeper: Keeper) -> None:
    """The one before it was written, and its own request not made yet."""
    page, context = keeper.page, keeper.page.context
    context.set_offline(True)
    for label in (3, 1, 0):
        tap(keeper, label)
    expect(page.locator(".said .unsent b")).to_have_text(["3", "1", "0"])
    page.evaluate(WITHOUT_FIRST)
    page.route("**/do/*", lambda route: route.abort())  # nothing is sent while it is being closed
    page.close()
    context.set_offline(False)
    plain = Phone(Requests(context))
    plain.get(keeper.sheet)
    if re.search("<h2[^<]*Beth", plain.page.html):  # else the closed tab's own request has come after all
        plain.press(3)
    keeper.page = context.new_page()
    keeper.page.add_init_script(
        "localStorage.clear()"
    )  # as after the seconds in which the closed tab may still be there
    keeper.page.goto(keeper.sheet)
    written(keeper, "3", "1", "0")


def test_a_tap_that_is_not_sent_yet_can_be_taken_back(keeper: Keeper) -> None:
    keeper.page.context.set_offline(True)
    tap(keeper, 3)
    tap(keeper, 7)
    keeper.page.get_by_role("button", name="Undo").click()
    expect(keeper.page.locator(".question h2")).to_contain_text("Chika")
    tap(keeper, 2)
    keeper.page.context.set_offline(False)
    written(keeper, "3", "2")


def test_what_another_phone_wrote_first_is_not_overwritten_and_said(keeper: Keeper, new_phone: NewPhone) -> None:
    page = keeper.page
    with keeper.arrived():
        page.goto(f"{keeper.sheet}/share")
    page.get_by_role("button", name="Make a score link").click()
    expect(page.get_by_text("/join#").first).to_be_visible()
    link = page.content().partition("/join#")[2].partition('"')[0]
    with foretold(page):
        page.goto(keeper.sheet)
    other = Keeper(new_phone(), "en")
    other.page.goto(f"/en/join#{link}")
    other.page.wait_for_url(keeper.sheet)
    page.context.set_offline(True)
    tap(keeper, 3)
    tap(keeper, 4)
    other.tap(6)
    page.context.set_offline(False)
    expect(page.locator(".line")).to_contain_text(re.compile(r"Not saved: Beth\s3, Chika\s4"))
    expect(page.locator(".said b")).to_have_text(["6"])
    page.reload()
    expect(page.locator(".line")).to_contain_text(re.compile(r"Not saved: Beth\s3, Chika\s4"))
    off_the_table(page)
    page.get_by_role("button", name="OK").click()
    expect(page.locator(".line p")).to_have_count(0)
    written(keeper, "6")


def test_an_evening_of_quick_taps_on_a_bad_line_ends_with_what_was_tapped(keeper: Keeper, soak_round: int) -> None:
    """A fifth of the answers never comes."""
    chance, page = random.Random(soak_round), keeper.page

    def maybe(route: Any) -> None:
        fate = chance.random()
        if fate < 0.1:
            route.abort()
        elif fate < 0.2:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/do/*", maybe)
    page.route("**/sheets/*?*", maybe)
    tapped = []
    for number in range(2):
        calls = [chance.randint(1, 5) for _ in range(4)]
        for place, call in enumerate(calls):
            who = ("Beth", "Chika", "Dan", "Aki")[(place + number) % 4]
            expect(page.locator(".question h2")).to_contain_text(who)
            page.wait_for_timeout(1000 * BOUNCE)
            tap(keeper, call)
            tapped.append((who, str(call)))
        expect(page.locator(".question h2")).to_contain_text("Tricks")
        page.wait_for_timeout(1000 * BOUNCE)
        tap(keeper, 7)
        page.get_by_role("button", name=SAVE["en"]).click()
        expect(page.locator("table.deals tbody tr")).to_have_count(number + 1)
    page.unroute_all()
    page.goto(f"{keeper.sheet}/log")
    written = re.findall(r"(Aki|Beth|Chika|Dan) called (\d)", " ".join(re.sub("<[^>]*>", " ", page.content()).split()))
    assert sorted(written) == sorted(tapped)


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_reload_without_a_line_shows_the_sheet_and_the_entry_goes_on(new_phone: NewPhone, lang: str) -> None:
    keeper = Keeper(new_phone(bad_line=True, service_workers="allow"), lang)
    page = keeper.page
    keeper.open()
    seen(page, keeper.sheet)
    with foretold(page):
        page.reload()
    with foretold(page):
        keeper.deal((3, 4, 5, 6), 6)
    page.context.set_offline(True)
    tap(keeper, 3)
    expect(page.locator(".said .unsent b")).to_have_text(["3"])
    page.reload()
    expect(page.locator(".board .total").first).to_have_text("60")
    expect(page.locator(".said .unsent b")).to_have_text(["3"])
    tap(keeper, 2)
    expect(page.locator(".said .unsent b")).to_have_text(["3", "2"])
    page.context.set_offline(False)
    written(keeper, "3", "2")


def test_a_sheet_that_is_gone_is_not_shown_without_a_line(new_phone: NewPhone) -> None:
    keeper = Keeper(new_phone(bad_line=True, service_workers="allow"), "en")
    page = keeper.page
    keeper.open()
    seen(page, keeper.sheet)
    page.reload()
    page.context.clear_cookies()
    page.goto(keeper.sheet)
    expect(page.locator(".board")).to_have_count(0)
    kept = page.evaluate("async () => (await (await caches.open('sheets-1')).keys()).map((one) => one.url)")
    assert keeper.sheet not in kept


@pytest.mark.parametrize("worker", ["allow", "block"])
def test_a_form_that_cannot_be_sent_stays_as_it_was_filled_in(new_phone: NewPhone, worker: str) -> None:
    """Whether a service worker is there or not: over plain HTTP no browser has one."""
    keeper = Keeper(new_phone(bad_line=True, service_workers=worker), "en")
    page = keeper.page
    keeper.open()
    if worker == "allow":
        page.evaluate("navigator.serviceWorker.ready")
    page.goto("/en/sheets/new/spades")
    page.get_by_role("textbox", name="Player 2").fill("Beatrix")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("What you entered is still here")
    expect(page.get_by_role("textbox", name="Player 2")).to_have_value("Beatrix")
    page.context.set_offline(False)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[data-live]")).to_contain_text("Beatrix")
