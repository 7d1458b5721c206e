"""The book in a real browser: every page in both languages, themes and widths; paper; what small scripts add."""

from __future__ import annotations

import io
import re
import time
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import pypdf
import pytest
from playwright.sync_api import Error, expect

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook.words import GUIDES
from tests.conftest import one_of_three
from tests.keeper.driving import Keeper
from tests.web.addresses import LEAVES, PAPER, PARTS

pytestmark = pytest.mark.browser

OURS = ["rules/spades?rules=classic~bt-7", "rules/casino/royal", "rules/spite-and-malice/massachusetts"]
PAGES = ["rules", *PARTS, *LEAVES, *GUIDES, *PAPER, *OURS, f"search?q={quote('札')}"]

KINDS = [
    "", "rules", "rules/casino/relatives", "rules/spite-and-malice/versions/both", "verdicts", "glossary",
    "rules/spades/bag-penalty", "rules/spades/summary", "rules/casino/score-sheet", "rules/spades/summary?rules=jokers",
    "rules/spades?rules=classic~bt-7~n-0", "search", f"search?q={quote('場札')}", "search?q=sandbg",
]  # fmt: skip
"""One of each kind of page, as small as they come: what axe takes for a page grows with its length."""

languages = pytest.mark.parametrize("lang", LANGUAGES)


def stands_on_top(heading: Any) -> None:
    """Wait until a heading is among the first 200 pixels of the screen."""
    expect(heading).to_be_in_viewport()
    heading.page.wait_for_function(
        "id => document.getElementById(id).getBoundingClientRect().top < 200", arg=heading.get_attribute("id")
    )


@languages
def test_axe_finds_nothing_on_any_kind_of_page_light_or_dark(
    page: Any, axe: Any, faults: Any, looked_at: Any, lang: str
) -> None:
    found = {}
    for path in looked_at(KINDS, lang):
        page.goto(f"/{lang}/{path}")
        found[path] = faults(page, also=[1280]) + axe(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@languages
def test_no_page_is_wider_than_a_small_phone_and_none_is_complained_about(page: Any, looked_at: Any, lang: str) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_viewport_size({"width": 320, "height": 800})
    wide = []
    for path in looked_at(PAGES, lang):
        page.goto(f"/{lang}/{path}")
        if page.evaluate("document.documentElement.scrollWidth") > 320:
            wide.append(path)
    assert (wide, complaints) == ([], [])


@languages
@pytest.mark.parametrize("game", GAMES)
def test_a_summary_and_a_score_sheet_are_one_sheet_of_paper(page: Any, lang: str, game: str, thorough: bool) -> None:
    """The languages share the presets among them; in a long run both have all."""
    presets = [f"?rules={preset}" for preset in GAMES[game].options.presets]
    own = presets if thorough else presets[LANGUAGES.index(lang) :: len(LANGUAGES)]
    page.emulate_media(media="print")
    for path in ["summary", "score-sheet", *(f"summary{each}" for each in own), f"score-sheet{presets[-1]}"]:
        page.goto(f"/{lang}/rules/{game}/{path}")
        paper = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
        assert len(paper) == 1, path
        width, height = (float(paper[0].mediabox[corner]) * 25.4 / 72 for corner in (2, 3))
        assert (round(width), round(height)) == (210, 297)
        expect(page.locator("body")).to_contain_text(f"/{lang}/rules/{game}", use_inner_text=True)


@pytest.mark.by_turns
@languages
def test_the_whole_book_can_be_printed_in_both_languages_beside_each_other(page: Any, lang: str) -> None:
    page.goto(f"/{lang}/rules/spades/both")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})
    left, right = (page.locator("section.article:has(#nil) > div").nth(side).bounding_box() for side in (0, 1))
    assert abs(left["y"] - right["y"]) < 1
    assert left["x"] + left["width"] <= right["x"]


def test_languages_stand_side_by_side_on_a_wide_screen_and_below_each_other_on_a_phone(page: Any) -> None:
    for width, beside in ((1280, True), (390, False)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("/ja/rules/spades")
        expect(page.get_by_role("link", name="英語と並べる").first).to_be_visible(visible=beside)
        expect(page.get_by_role("link", name="日本語と英語を並べる（広い画面・印刷用）")).to_be_visible()
        page.goto("/ja/rules/spades/both")
        own, other = (page.locator("section.article:has(#nil) > div").nth(side) for side in (0, 1))
        places = [each.bounding_box()["x"] for each in (own, other)]
        assert (places[1] > places[0] + 100) == beside
        expect(other).to_have_attribute("lang", "en")


@pytest.mark.parametrize("script", [True, False])
def test_the_other_language_opens_at_the_same_article(browser: Any, base_url: str, script: bool) -> None:
    context = browser.new_context(java_script_enabled=script, base_url=base_url)
    page = context.new_page()
    page.goto("/ja/rules/casino/relatives#royal-ace")
    if script:
        page.locator("a.language").click()
    else:
        page.locator(".head:has(#royal-ace) a[hreflang=en]").click()
    page.wait_for_url("**/en/rules/casino/relatives#royal-ace")
    stands_on_top(page.locator("h3#royal-ace"))
    context.close()


def test_the_sign_beside_an_article_copies_its_link(browser: Any, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto("/en/rules/casino/relatives")
    page.get_by_role("link", name="Link to the article “Aces in Royal Casino”").or_(
        page.locator(".head:has(#royal-ace) h3 > a")
    ).first.click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{base_url}/en/rules/casino/royal-ace"
    page.goto(copied)
    page.get_by_role("link", name="Read it among the other rules").click()
    page.wait_for_url("**/en/rules/casino/relatives#royal-ace")
    context.close()


def test_a_link_to_a_place_in_another_part_finds_it(page: Any) -> None:
    page.goto("/en/rules/casino#royal-ace")
    page.wait_for_url("**/en/rules/casino/relatives#royal-ace")
    page.goto("/en/rules/casino#there-is-no-such-thing")
    page.wait_for_load_state("networkidle")
    expect(page).to_have_url(re.compile("/en/rules/casino#there-is-no-such-thing$"))


def test_a_place_keeps_in_both_languages_side_by_side(page: Any) -> None:
    page.goto("/ja/rules/spades/both#last-trick")
    page.wait_for_url("**/ja/rules/spades/variants/both/*#last-trick")
    stands_on_top(page.locator("h3#last-trick"))
    page.locator("a.language").click()
    page.wait_for_url("**/en/rules/spades/variants/both/*#last-trick")
    stands_on_top(page.locator("h3#last-trick"))


def test_results_come_while_typing(page: Any) -> None:
    page.goto("/ja/search")
    page.get_by_role("searchbox").press_sequentially("にる", delay=20)
    expect(page.locator("#found li a").first).to_have_attribute("href", "/ja/rules/spades#nil")
    expect(page.get_by_role("status")).to_contain_text("件あります")
    expect(page).to_have_url(re.compile(f"/ja/search\\?q={quote('にる')}$"))
    page.get_by_role("searchbox").fill("天気 予報")
    expect(page.get_by_role("status")).to_contain_text("のことはありません")


@pytest.mark.parametrize("path", ["search", "rules/spades"])
def test_results_come_for_what_was_typed_before_any_script(page: Any, path: str) -> None:
    held: list[Any] = []
    page.route("**/static/site*.js", lambda route: held.append(route))
    with page.expect_request("**/static/site*.js"):
        page.goto(f"/ja/{path}", wait_until="commit")
    page.get_by_role("searchbox").press_sequentially("にる")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    expect(page.locator("#found li a").first).to_have_attribute("href", "/ja/rules/spades#nil")


def test_answers_come_below_the_header_of_any_page_and_go_away(page: Any) -> None:
    page.goto("/en/rules/casino")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("spades bags")
    expect(page.locator(".panel li a").first).to_have_attribute("href", re.compile("/en/rules/spades#bag"))
    page.get_by_role("searchbox").fill("sweep")
    expect(page.locator(".panel li a").first).to_have_attribute("href", re.compile("/en/rules/casino"))
    page.get_by_role("link", name="Look in all games").click()
    page.wait_for_url("**/en/search?q=sweep")
    page.go_back()
    page.get_by_role("searchbox").fill("nil")
    expect(page.locator(".panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()


SLOW = 400
"""Milliseconds until an answer of the network, as in a cellar with one bar."""
WITHIN = 8.0
"""Seconds from the first tap to the answer."""
ASKED = [
    ("/ja/", "ニルに失敗したら", "ニル"),
    ("/ja/rules/spite-and-malice/both", "手札がなくなったら", "5枚"),
    ("/en/glossary", "casino sweep", "sweep"),
    ("/en/referee/spades/card", "nill", "nil"),
]


def slow_down(page: Any) -> None:
    """Let every answer of the network take its time from now on."""

    def slowly(route: Any) -> None:
        with suppress(Error):  # the page was closed in the meantime
            page.wait_for_timeout(SLOW)
            route.continue_()

    page.route("**/*", slowly)


def seconds_to_the_answer(page: Any, query: str, said: str) -> float:
    """Ask on a page that stands there, on a slow line, and follow the answer: two taps to the article.

    Return the time from the first tap to the answer.
    """
    slow_down(page)
    start = time.monotonic()
    page.get_by_role("searchbox").click()  # the first tap
    page.keyboard.type(query, delay=60)
    hit = page.locator(".panel .hits li").first
    expect(hit).to_contain_text(said)
    taken = time.monotonic() - start
    below = hit.bounding_box()["y"]
    assert below < 780
    hit.get_by_role("link").first.click()  # the second tap
    page.wait_for_url(re.compile("/rules/"))
    expect(page.locator(":target")).to_be_in_viewport()
    return taken


@pytest.mark.by_turns
@pytest.mark.parametrize(("path", "query", "said"), ASKED)
def test_from_any_page_the_answer_is_two_taps_and_eight_seconds_away(
    browser: Any, base_url: str, path: str, query: str, said: str
) -> None:
    def in_time() -> bool:
        page = browser.new_context(base_url=base_url, viewport={"width": 390, "height": 780}).new_page()
        page.request.get(f"{path[:4]}search?q=0")  # a server reads what is searched before its first reader comes
        page.goto(path)
        taken = seconds_to_the_answer(page, query, said)
        page.context.close()
        return taken < WITHIN

    assert one_of_three(in_time)


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("lang", "query", "said"), [("ja", "バッグ10個になったら", "バッグ"), ("en", "ten bags", "bags")]
)
def test_from_a_sheet_the_answer_is_two_taps_and_eight_seconds_away(
    browser: Any, base_url: str, lang: str, query: str, said: str
) -> None:
    def in_time() -> bool:
        keeper = Keeper(browser.new_context(base_url=base_url, viewport={"width": 390, "height": 780}).new_page(), lang)
        keeper.page.request.get(f"/{lang}/search?q=0")
        keeper.begin(names=("Ann", "Ben", "Cleo", "Dov"))
        keeper.page.locator(".bar a[href*='/referee/']").click()  # the sheet itself has the height for its keys
        taken = seconds_to_the_answer(keeper.page, query, said)
        keeper.page.context.close()
        return taken < WITHIN

    assert one_of_three(in_time)


def test_from_a_sheet_to_an_answer_and_back_nothing_is_lost(browser: Any, base_url: str) -> None:
    keeper = Keeper(browser.new_context(base_url=base_url, viewport={"width": 390, "height": 780}).new_page(), "en")
    page = keeper.page
    keeper.begin(names=("Ann", "Ben", "Cleo", "Dov"))
    keeper.tap(3)
    before = page.locator("#entry").evaluate("each => each.textContent")
    page.locator(".bar a[href*='/referee/']").click()
    page.get_by_role("searchbox").fill("ten bags")
    hit = page.locator(".panel .hits a").first
    expect(hit).to_have_attribute("href", re.compile("/en/rules/spades#bag"))
    hit.click()
    page.wait_for_url("**/en/rules/spades#bag*")
    page.go_back()
    page.go_back()
    expect(page.locator("#entry")).to_have_text(before)
    page.context.close()


def leads_to_its_article_and_back(page: Any, link: Any, kept: Any, *, first: Any = None) -> None:
    """Tap a link to an article, read, go back: one tap each way, in time, and what was there still is.

    `first` is tapped before, where the link is to be opened itself.
    """

    def in_time() -> bool:
        if first:
            first.click()
        before, address, leads = kept.evaluate("each => each.innerText"), page.url, link.get_attribute("href")
        start = time.monotonic()
        link.click()
        page.wait_for_url(f"**{leads}")
        expect(page.locator(":target")).to_be_in_viewport()
        taken = time.monotonic() - start
        page.go_back()
        page.wait_for_url(address)
        expect(kept).to_have_text(before, use_inner_text=True)
        return taken < WITHIN

    assert one_of_three(in_time)


@pytest.mark.by_turns
@languages
def test_from_a_verdict_to_its_article_and_back_the_cards_stay(browser: Any, base_url: str, lang: str) -> None:
    page = browser.new_context(base_url=base_url, viewport={"width": 390, "height": 780}).new_page()
    page.goto(f"/{lang}/referee/spades/card?h=7H.2S.9C.AS&t=9H.2H")
    slow_down(page)
    for link in (page.locator(".answer.legal a").first, page.locator(".answer.illegal a").first):
        leads_to_its_article_and_back(page, link, page.locator("main"))
    page.context.close()


@pytest.mark.by_turns
@languages
def test_from_a_point_to_its_article_and_back_a_deal_that_is_begun_stays(
    browser: Any, base_url: str, lang: str
) -> None:
    keeper = Keeper(browser.new_context(base_url=base_url, viewport={"width": 390, "height": 780}).new_page(), lang)
    page = keeper.page
    keeper.begin(names=("Ann", "Ben", "Cleo", "Dov"))
    keeper.deal((3, 4, 3, 4), 7)
    keeper.tap(3)
    slow_down(page)
    points, made_of = page.locator("button.cell").first, page.locator(".pop:popover-open .lines a").first
    leads_to_its_article_and_back(page, made_of, page.locator("#entry"), first=points)
    page.context.close()


def test_search_needs_no_script(browser: Any, base_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    page.goto("/en/rules/spades")
    page.get_by_role("searchbox").fill("bags")
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator("#found li a").first).to_have_attribute("href", re.compile("/en/rules/spades#bag"))
    context.close()


def test_readings_can_be_put_away(page: Any) -> None:
    page.goto("/ja/rules/spite-and-malice")
    reading = page.locator("rt").first
    expect(reading).to_be_visible()
    page.locator("button[data-setting=furigana]").click()
    expect(reading).to_be_hidden()
    page.goto("/ja/glossary")
    page.goto("/ja/rules/casino")
    expect(page.locator("rt").first).to_be_hidden()


def test_nothing_moves(page: Any) -> None:
    """No reader has to ask for rest: pages of the book have no animation, no transition, no sliding."""
    page.goto("/en/rules/spades")
    moving = """[...document.querySelectorAll("*")].map((e) => getComputedStyle(e)).filter((s) =>
        s.animationName !== "none" || parseFloat(s.transitionDuration) > 0 || s.scrollBehavior !== "auto").length"""
    found = page.evaluate(moving)
    assert found == 0


def test_forced_colours_keep_what_colour_alone_would_say(page: Any) -> None:
    page.emulate_media(forced_colors="active")
    page.goto("/en/rules/spades?rules=classic~bt-7")
    expect(page.locator(".differs").first).to_have_css("border-bottom-style", "solid")
    page.goto("/en/rules/spades#nil")
    expect(page.locator("h3#nil")).to_have_css("outline-style", "solid")
