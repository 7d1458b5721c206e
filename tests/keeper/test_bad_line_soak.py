"""Random evenings on a bad line, and tabs that are killed: everything that was tapped is written, and nothing else.

Time passes faster in the pages than outside, so that an evening of slow answers takes seconds. The same taps are made
without script, one after the other on a good line; both sheets have to say the same.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from tests.keeper.driving import PHONE
from tests.keeper.phone import Phone, Requests

pytestmark = pytest.mark.browser

LATENCIES = (400, 0, 1000)
"""Milliseconds until a request reaches the server, and again until its answer is back; by the round."""
FASTER = 25
"""How much faster than outside time passes in the pages."""
DEALS = 2

WHEN_AND_WHOM = frozenset({"at", "actor", "hash", "prev_hash"})

LINE = """([latency, faster, bad]) => {
  const later = setTimeout, real = fetch, line = { lost: 0, down: false, bad };
  window.setTimeout = (work, after = 0, ...rest) => later(work, after / faster, ...rest);
  const half = () => new Promise((done) => later(done, latency / faster / 2));
  window.fetch = async (...asked) => {
    await half();
    const fate = line.bad ? Math.random() : 1;
    if (line.down || fate < 0.1) { line.lost += 1; throw new TypeError("lost on the way"); }
    const answer = await real(...asked);
    await half();
    if (line.down || fate < 0.2) { line.lost += 1; throw new TypeError("lost on the way back"); }
    return answer;
  };
  window.line = line;
}"""
"""A line that loses a fifth of what is sent: half of it before the server has it, half on the way back."""

EVENING = """async ([seed, deals]) => {
  const taps = [];
  const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
  const frame = () => new Promise((done) => setTimeout(done, 1));
  const recorded = () => document.querySelectorAll("table.deals tbody tr").length;
  for (let idle = 0; recorded() < deals && idle < 6000; idle += 1) {
    const entry = document.querySelector("#entry");
    const free = ".question button:not([disabled]), form > button.save:not([disabled])";
    const offered = entry ? [...entry.querySelectorAll(free)] : [];
    const waits = offered.some((each) => each.matches(".save")) && document.querySelector(".unsent");
    if (!offered.length || waits || document.querySelector("#entry .trouble, .ending")) {
      if (!document.querySelector(".unsent, .line p") && document.querySelector("#entry .trouble, .ending")) break;
      await frame();
      continue;
    }
    const button = offered[Math.floor(random() * random() * offered.length)], before = entry.innerHTML;
    taps.push([button.name, button.value, button.textContent.trim()]);
    button.click();
    while (document.querySelector("#entry") && document.querySelector("#entry").innerHTML === before) await frame();
    idle = 0;
  }
  return taps;
}"""
"""Tap at random as soon as there is something to tap, small numbers more often; return what was tapped."""


@pytest.fixture(scope="module")
def context(browser: Any, base_url: str) -> Iterator[Any]:
    """One phone for all rounds."""
    context = browser.new_context(base_url=base_url, viewport=PHONE, service_workers="block")
    yield context
    context.close()


def opened(context: Any, game: str = "spades") -> Phone:
    """A new sheet, opened without a page."""
    phone = Phone(Requests(context))
    phone.get(f"/en/sheets/new/{game}")
    phone.press("Start")
    phone.sheet = phone.url
    return phone


def written(context: Any, sheet: str) -> list[dict[str, Any]]:
    """What was written on a sheet, without when and by whom."""
    log = context.request.get(f"{sheet}/export.json").json()
    return [{name: value for name, value in event.items() if name not in WHEN_AND_WHOM} for event in log["events"]]


def tap_plainly(phone: Phone, name: str, value: str, label: str) -> None:
    """Press the same button of the question without script."""
    for form in phone.page.forms:
        for button in form.buttons:
            if (button.name, button.value, button.label) == (name, value, label):
                phone.page.forms = [form]
                form.buttons = [button]
                phone.press(label)
                return
    raise AssertionError(f"no button {name}={value} {label}: {phone.page.text}")


def test_a_random_evening_ends_with_exactly_what_was_tapped(context: Any, soak_round: int, soaked: Any) -> None:
    latency = LATENCIES[soak_round % len(LATENCIES)]
    game = list(GAMES)[soak_round // len(LATENCIES) % len(GAMES)]
    phone, plain = opened(context, game), opened(context, game)
    page = context.new_page()
    page.add_init_script(f"({LINE})({json.dumps([latency, FASTER, True])})")
    page.goto(phone.sheet)
    taps = page.evaluate(EVENING, [soak_round * 7919 + 1, DEALS])
    expect(page.locator(".unsent, .line p")).to_have_count(0)
    lost = page.evaluate("line.lost")
    page.close()
    assert len(taps) > 2
    plain.get(plain.sheet)
    for tapped in taps:
        tap_plainly(plain, *tapped)
    assert written(context, phone.sheet) == written(context, plain.sheet)
    soaked(taps=len(taps), answers_lost=lost)


TAPS = """async ([labels, wait]) => {
  for (const label of labels) {
    const buttons = [...document.querySelectorAll("#entry .question button")];
    buttons.find((each) => each.textContent === label).click();
  }
  await new Promise((done) => setTimeout(done, wait));
  return [...document.querySelectorAll(".said b")].map((each) => each.textContent);
}"""


def kill_tabs(context: Any) -> None:
    """Kill the processes behind the pages, as a phone that needs its memory does: they can do nothing any more."""
    known = context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    for process in known["processInfo"]:
        if process["type"] == "renderer":
            with suppress(ProcessLookupError):
                os.kill(int(process["id"]), signal.SIGKILL)


def test_a_killed_tab_keeps_everything_that_it_showed(context: Any, soak_round: int, soaked: Any) -> None:
    """Killed at any moment: with all taps unsent, some of them, or none."""
    chance = random.Random(soak_round)
    phone = opened(context)
    page = context.new_page()
    page.add_init_script(f"({LINE})({json.dumps([chance.choice(LATENCIES), FASTER, False])})")
    with page.expect_response("**/ahead"):
        page.goto(phone.sheet)
    page.wait_for_function("() => performance.getEntriesByType('resource').some((one) => /ahead/.test(one.name))")
    page.evaluate("(down) => { line.bad = true; line.down = down; }", chance.random() < 0.5)
    labels = [str(chance.randint(0, 9)) for _ in range(chance.randint(1, 4))]
    shown = page.evaluate(TAPS, [labels, chance.choice((0, 0, 50, 500, 2000))])
    with page.expect_event("crash"):
        kill_tabs(context)
    page.close()
    again = context.new_page()
    again.add_init_script("localStorage.clear()")  # as after the seconds in which the killed tab may still be there
    again.goto(phone.sheet)
    expect(again.locator(".unsent, .line p")).to_have_count(0)
    expect(again.locator(".said b")).to_have_text(shown)
    again.reload()
    expect(again.locator(".said b")).to_have_text(shown)
    again.close()
    assert shown == labels
    soaked(kills=1, taps=len(shown))
