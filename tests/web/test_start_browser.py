"""What a page does before anybody touches it: no script measures, so the page is laid out once, where it is in view."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser

PAGES = [
    "", "rules/spades", "rules/casino/royal", "rules/spades/nil", "rules/spades/both", "rules/spades/summary",
    "glossary", "sources", "search?q=nil", "sheets/new/spades", "house-rules", "referee/spades/card",
    "learn/spades", "groups",
]  # fmt: skip
STACKS = ["devtools.timeline", "disabled-by-default-devtools.timeline.stack"]


def forced_layouts(browser: Any, open_page: Any) -> list[str]:
    """Return the functions that asked for a layout in the middle of a script, as a trace of the browser names them."""
    tracing, events, ended = browser.new_browser_cdp_session(), [], []
    tracing.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    tracing.on("Tracing.tracingComplete", lambda _: ended.append(True))
    tracing.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": STACKS}})
    page = open_page()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    tracing.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(10)
    tracing.detach()
    layouts = [event for event in events if event["name"] == "Layout"]
    assert layouts
    stacks = [event["args"]["beginData"].get("stackTrace") for event in layouts]
    return [f"{stack[0]['url'].rpartition('/')[2]}: {stack[0]['functionName']}" for stack in stacks if stack]


def test_no_script_of_a_public_page_measures_at_the_start(browser: Any, page: Any) -> None:
    def opened(path: str) -> Any:
        page.goto(f"/en/{path}")
        return page

    def forced(path: str) -> list[str]:
        return forced_layouts(browser, lambda: opened(path))

    # What a script asks for, it asks for each time; on a busy machine the browser may lay out late what was due before.
    assert {path: again for path in PAGES if forced(path) and (again := forced(path))} == {}


DRAWN = """() => [...document.querySelectorAll(".rules .article")].map(
    (each) => each.firstElementChild.checkVisibility({ contentVisibilityAuto: true }))"""
SHIFTED = """() => new Promise((done) => {
    const sum = (list) => list.getEntries().reduce((shifted, each) => shifted + each.value, 0);
    new PerformanceObserver((list) => done(sum(list))).observe({ type: "layout-shift", buffered: true });
    setTimeout(done, 500, 0);
})"""


def test_what_is_far_below_is_laid_out_when_it_comes_near(page: Any) -> None:
    page.goto("/en/rules/spades")
    page.wait_for_function(f"() => ({DRAWN})().some((each) => each)")
    at_first = page.evaluate(DRAWN)
    assert sum(at_first) < len(at_first) / 4
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_function(f"() => ({DRAWN})().at(-1)")
    shifted = page.evaluate(SHIFTED)
    assert shifted < 0.03
