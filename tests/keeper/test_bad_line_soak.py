"""Random evenings on a bad line, and tabs that are killed: everything that was tapped is written, and nothing else.

Time in the pages is not that outside: whenever no request is on its way it jumps to what is due next, so that an
evening of slow answers takes as long as its pages take to make. The same answers are given to a sheet without any page;
both sheets have to say the same. Pages, browser and server are those of all rounds.
"""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect
from werkzeug.datastructures import MultiDict
from werkzeug.serving import make_server

from companion.games import GAMES
from companion.sheets.store import Record
from companion.web import create_app
from companion.web.keeper.entry import CALLERS, call_given, command_of
from companion.web.sheet_service import device_service, sheet_service
from tests.keeper.driving import PHONE

pytestmark = pytest.mark.browser

LATENCIES = (400, 0, 1000)
"""Milliseconds from a request to its answer, as the page takes them, beside what the server needs; by the round."""
DEALS = 2

LINE = """([latency, bad]) => {
  const later = setTimeout, real = fetch, timers = new Map(), line = { lost: 0, down: false, bad };
  let now = 0, number = 0, asking = 0, free = null, turning = false;
  window.setTimeout = (work, after = 0, ...rest) => {
    timers.set(++number, { due: now + Number(after), work: () => work(...rest) });
    turn();
    return number;
  };
  window.clearTimeout = (which) => { timers.delete(which); };
  async function turn() {
    if (turning) return;
    turning = true;
    while (timers.size) {
      await new Promise((done) => later(done, 0));
      while (asking) await new Promise((done) => { free = done; });
      const sooner = (one, other) => (other[1].due < one[1].due ? other : one);
      const [which, next] = [...timers].reduce(sooner, [0, { due: Infinity }]);
      if (!which) continue;
      timers.delete(which);
      now = Math.max(now, next.due);
      next.work();
    }
    turning = false;
  }
  const half = () => new Promise((done) => window.setTimeout(done, latency / 2));
  window.fetch = async (...asked) => {
    await half();
    const fate = line.bad ? Math.random() : 1;
    if (line.down || fate < 0.1) { line.lost += 1; throw new TypeError("lost on the way"); }
    asking += 1;
    const answer = await real(...asked).finally(() => { asking -= 1; if (!asking && free) free(); });
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
  const later = (time) => new Promise((done) => setTimeout(done, time));
  const recorded = () => document.querySelectorAll("table.deals tbody tr").length;
  for (let idle = 0; recorded() < deals && idle < 6000; idle += 1) {
    const entry = document.querySelector("#entry");
    const free = ".question button:not([disabled]), form > button.save:not([disabled])";
    const offered = entry ? [...entry.querySelectorAll(free)] : [];
    const waits = offered.some((each) => each.matches(".save")) && document.querySelector(".unsent");
    if (!offered.length || waits || document.querySelector("#entry .trouble, .ending")) {
      if (!document.querySelector(".unsent, .line p") && document.querySelector("#entry .trouble, .ending")) break;
      await later(100);
      continue;
    }
    const button = offered[Math.floor(random() * random() * offered.length)], before = entry.innerHTML;
    const question = button.closest(".question");
    taps.push([question ? question.dataset.question : "", button.name, button.value]);
    button.click();
    do await later(50 + random() * random() * 2000);
    while (document.querySelector("#entry") && document.querySelector("#entry").innerHTML === before);
    idle = 0;
  }
  return taps;
}"""
"""Tap at random as soon as there is something to tap, small numbers more often, now quickly and now slowly; return what
was tapped: the question, the name and the value of the button."""


@pytest.fixture(scope="module")
def kept() -> Flask:
    """An application whose sheets are in memory."""
    return create_app({"DATABASE": "memory:", "RATE_LIMIT": "off", "TESTING": True})


@pytest.fixture(scope="module")
def context(browser: Any, kept: Flask) -> Iterator[Any]:
    """One phone for all rounds, known to the server."""
    server = make_server("127.0.0.1", 0, kept, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    context = browser.new_context(base_url=url, viewport=PHONE, service_workers="block")
    context.request.get("/en/sheets/new/spades")
    yield context
    context.close()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def pages(context: Any) -> dict[int, Any]:
    """A page for each latency, once for all rounds."""
    pages = {}
    for latency in LATENCIES:
        pages[latency] = context.new_page()
        pages[latency].add_init_script(f"({LINE})({json.dumps([latency, True])})")
    return pages


def opened(context: Any, kept: Flask, game: str = "spades") -> str:
    """The id of a new sheet on the list of the phone, opened without a page."""
    key = next(each["value"] for each in context.cookies() if each["name"].startswith("device-"))
    names = ["Aki", "Beth", "Chika", "Dan"][: 4 if game == "spades" else 2]
    with kept.app_context():
        sheet = sheet_service().open_sheet({"seats": names, "lang": "en", "game": game, "rules": {}})
        device_service().keep(key, (sheet.id, sheet.score_link.id))
    return sheet.id


def written(kept: Flask, sheet: str) -> Sequence[Record]:
    """The log of a sheet."""
    with kept.app_context():
        return sheet_service().store.read(sheet)


def said(records: Sequence[Record]) -> list[tuple[str, str]]:
    """What was written on a sheet, without when and by whom."""
    return [(record.kind, record.body) for record in records]


def answered(kept: Flask, begun: Sequence[Record], taps: Sequence[tuple[str, str, str]]) -> Sequence[Record]:
    """The log of a sheet of its own that begins like this, after the answers that the taps gave, one by one."""
    with kept.app_context():
        service = sheet_service()
        view = service.import_records(begun).view
        counts: MultiDict[str, str] = MultiDict()
        for question, name, value in taps:
            if question.startswith(CALLERS):
                call = call_given(question, value, view.games[view.game.game])
                view = service.do(view.id, {"type": "make_call", "call": call}).view
            elif question:
                counts[name] = value
            else:
                view = service.do(view.id, command_of("record", counts, view, "en")).view
                counts.clear()
        return service.store.read(view.id)


def test_a_random_evening_ends_with_exactly_what_was_tapped(
    context: Any, pages: dict[int, Any], kept: Flask, soak_round: int, soaked: Any
) -> None:
    page = pages[LATENCIES[soak_round % len(LATENCIES)]]
    sheet = opened(context, kept, list(GAMES)[soak_round // len(LATENCIES) % len(GAMES)])
    begun = written(kept, sheet)
    page.goto(f"/en/sheets/{sheet}")
    taps = page.evaluate(EVENING, [soak_round * 7919 + 1, DEALS])
    expect(page.locator(".unsent, .line p")).to_have_count(0)
    lost = page.evaluate("line.lost")
    assert len(taps) > 2
    assert said(written(kept, sheet)) == said(answered(kept, begun, taps))
    soaked(evenings=1, taps=len(taps), answers_lost=lost)


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


def test_a_killed_tab_keeps_everything_that_it_showed(context: Any, kept: Flask, soak_round: int, soaked: Any) -> None:
    """Killed at any moment: with all taps unsent, some of them, or none."""
    chance = random.Random(soak_round)
    sheet = f"/en/sheets/{opened(context, kept)}"
    page = context.new_page()
    page.add_init_script(f"({LINE})({json.dumps([chance.choice(LATENCIES), False])})")
    with page.expect_response("**/ahead"):
        page.goto(sheet)
    page.wait_for_function("() => performance.getEntriesByType('resource').some((one) => /ahead/.test(one.name))")
    page.evaluate("(down) => { line.bad = true; line.down = down; }", chance.random() < 0.5)
    labels = [str(chance.randint(0, 9)) for _ in range(chance.randint(1, 4))]
    shown = page.evaluate(TAPS, [labels, chance.choice((0, 0, 50, 500, 2000))])
    with page.expect_event("crash"):
        kill_tabs(context)
    page.close()
    again = context.new_page()
    again.add_init_script("localStorage.clear()")  # as after the seconds in which the killed tab may still be there
    again.goto(sheet)
    expect(again.locator(".unsent, .line p")).to_have_count(0)
    expect(again.locator(".said b")).to_have_text(shown)
    again.reload()
    expect(again.locator(".said b")).to_have_text(shown)
    again.close()
    assert shown == labels
    soaked(kills=1, taps=len(shown))
