"""Reading the book in a real browser: cards in text and in figures, large text, paper."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.addresses import PARTS
from tests.web.test_furigana import READ_ALOUD, printed, read

pytestmark = pytest.mark.browser

LOOKS = """([size]) => {
  const text = document.querySelector("figcaption");
  text.style.fontSize = size + "px";
  const card = text.querySelector(".card"), box = card.getBoundingClientRect(), style = getComputedStyle(card);
  const line = parseFloat(getComputedStyle(text).lineHeight);
  return {
    ratio: box.height / box.width, lines: card.getClientRects().length, high: box.height <= line,
    face: style.backgroundColor, ink: style.color, border: style.borderTopStyle,
  };
}"""
FACE, RED, BLACK = "rgb(255, 253, 248)", "rgb(179, 0, 27)", "rgb(26, 26, 26)"


@pytest.mark.by_turns
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_card_in_text_looks_like_a_card_small_and_large(page: Any, lang: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"/{lang}/rules/casino")
    for size in (12, 24):
        seen = page.evaluate(LOOKS, [size])
        assert 0.7 < seen.pop("ratio") < 1.6
        assert seen.pop("ink") in (RED, BLACK)
        assert seen == {"lines": 1, "high": True, "face": FACE, "border": "solid"}, size


def test_figures_stay_on_a_small_screen_with_text_twice_as_large(page: Any) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    for path in ("ja/rules/casino", "en/rules/spades", "en/rules/spite-and-malice"):
        page.goto(f"/{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        wide = page.evaluate("""[...document.querySelectorAll("figure :is(p, figcaption, svg, b, i)")]
            .filter((part) => part.getBoundingClientRect().right > innerWidth).length""")
        assert wide == 0, path


def test_figures_are_printed_in_ink_on_paper(page: Any) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    page.goto("/en/rules/spades")
    style = "f => { const s = getComputedStyle(f); return [s.color, s.backgroundColor, s.breakInside]; }"
    printed = page.locator("figure").first.evaluate(style)
    assert printed == ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "avoid"]
    expect(page.locator("figure .back").first).to_have_css("print-color-adjust", "exact")


@pytest.mark.by_turns
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_paper_has_lines_as_long_as_its_columns_and_nothing_for_the_ear(page: Any, lang: str) -> None:
    page.emulate_media(media="print")
    page.goto(f"/{lang}/rules/spades/classic")
    for part in ("article p", ".summary li", ".lead"):
        expect(page.locator(f"main {part}").first).to_have_css("max-width", "none")
    page.goto(f"/{lang}/sheets/new")
    expect(page.locator("body > .spoken")).to_be_hidden()


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_pages_do_not_scroll_sideways_with_text_twice_as_large(page: Any, lang: str) -> None:
    paths = [*PARTS, "sources", "verdicts", "rules/casino/swazi", "rules/spite-and-malice/massachusetts"]
    wide = []
    for path in [*paths, "rules/spades/nil"]:
        page.goto(f"/{lang}/{path}", wait_until="domcontentloaded")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((path, width))
    assert wide == []


@pytest.mark.parametrize("script", [True, False])
def test_the_section_in_view_is_named_and_leads_back_to_the_contents(browser: Any, base_url: str, script: bool) -> None:
    size = {"width": 390, "height": 800}
    context = browser.new_context(base_url=base_url, java_script_enabled=script, viewport=size)
    page = context.new_page()
    page.goto("/en/rules/spades#nil-partner")
    head = page.locator("h2#nil-and-double-nil")
    expect(head).to_be_in_viewport()
    top = head.bounding_box()["y"]
    assert top < 5
    if script:
        expect(page.locator(".contents [aria-current]")).to_have_count(2)
        expect(page.locator(".contents a[href='#nil-and-double-nil']")).to_have_attribute("aria-current", "location")
    head.get_by_role("link").click()
    expect(page.locator("#contents")).to_be_in_viewport()
    page.locator("#contents summary").click()
    page.locator("#contents details a[href='#bags']").click()
    expect(page.locator("h3#bags")).to_be_in_viewport()
    context.close()


def test_axe_finds_nothing_on_the_page_of_sources_and_in_open_contents(page: Any, axe: Any) -> None:
    found = {}
    for path in ("ja/sources", "en/sources", "ja/rules/spite-and-malice/massachusetts"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(f"/{path}")
            page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
            found[path, scheme] = axe(page, contrast_only=scheme == "dark")
    assert {which: faults for which, faults in found.items() if faults} == {}


def test_readings_are_shown_over_hard_words_none_or_all(page: Any) -> None:
    page.goto("/ja/rules/casino/swazi")
    button, first = page.locator("button[data-setting=furigana]"), page.locator("#sums").locator("xpath=../..")
    expect(first.locator("rt").first).to_be_visible()
    added = first.locator("ruby.more-readings rt")
    expect(added).to_have_count(0)
    button.click()
    expect(first.locator("rt").first).to_be_hidden()
    button.click()
    expect(added.filter(has_text="と").first).to_be_visible()
    page.goto("/ja/glossary")
    expect(page.locator(".more-readings rt").first).to_be_visible()
    page.locator("button[data-setting=furigana]").click()
    expect(page.locator(".more-readings rt").first).to_be_hidden()


def test_the_script_reads_every_line_of_the_texts_as_whole_words(page: Any) -> None:
    page.goto("/ja/rules")
    shown = page.evaluate(
        """async (lines) => {
          const main = document.querySelector("main");
          const paragraph = (line) => Object.assign(document.createElement("p"), { textContent: line });
          main.replaceChildren(...lines.map(paragraph));
          document.documentElement.dataset.furigana = "all";
          await addReadings();
          return [...main.children].map((line) => {
            let at = 0;
            const found = [];
            for (const part of line.childNodes) {
              const word = part.firstChild ? part.firstChild.data : part.data;
              if (part.firstChild) found.push([at, word, part.querySelector("rt").textContent]);
              at += word.length;
            }
            return found;
          });
        }""",
        [*printed(), *READ_ALOUD],
    )
    assert [[tuple(word) for word in line] for line in shown] == [read(line) for line in [*printed(), *READ_ALOUD]]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_row_numbers_and_games_of_hits_are_never_broken_in_two(page: Any, lang: str) -> None:
    """Number 10 of the paper score sheet had two lines, and so had a game's name after a hit."""
    broken = """(which) => [...document.querySelectorAll(which)].filter((each) => {
      const text = document.createRange();
      text.selectNodeContents(each);
      return new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size > 1;
    }).map((each) => each.textContent)"""
    found = []
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        for game in ("spades", "casino", "spite-and-malice"):
            page.goto(f"/{lang}/rules/{game}/score-sheet")
            expect(page.locator("tbody th")).not_to_have_count(0)
            found += page.evaluate(broken, "tbody th")
        for query in ("2", {"ja": "勝ち", "en": "deal"}[lang], "jokers"):
            page.goto(f"/{lang}/search?q={query}")
            expect(page.locator(".hits .tag")).not_to_have_count(0)
            found += page.evaluate(broken, ".hits .tag")
    assert found == []


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_page_of_the_search_waits_for_words_where_it_has_none(page: Any, lang: str) -> None:
    """Its field is the one in the header, so the cursor is there already."""
    page.goto(f"/{lang}/search")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("nil")
    page.keyboard.press("Enter")
    expect(page.locator("main .hits li")).not_to_have_count(0)
    page.goto(f"/{lang}/search?q=nil")
    expect(page.get_by_role("searchbox")).not_to_be_focused()
