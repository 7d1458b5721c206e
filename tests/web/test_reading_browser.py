"""Reading the book in a real browser: cards in text and in figures, large text, paper."""

from __future__ import annotations

from typing import Any

import pytest

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
    assert page.locator("figure").first.evaluate(style) == ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "avoid"]
