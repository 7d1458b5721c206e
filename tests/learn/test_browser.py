"""Pages for learners in a real browser: nothing for axe, keys that step, cards to tap, a quiz whose result stays."""

from __future__ import annotations

import io
from typing import Any

import pypdf
import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from companion.rulebook.lessons import learn_path

pytestmark = pytest.mark.browser

KINDS = ["spades", "casino/royal/deal/first/6", "spite-and-malice/deal/mistake/5?pick=all", "spades/quiz/lead?say=no",
         "casino/quiz/together?tap-hand=9S&tap=9D&tap=capture", "spite-and-malice/pagat/quiz/king", "spades/solo3/quiz",
         "casino/score", "spades/choose?people=two", "spite-and-malice/questions"]  # fmt: skip


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_small_phone(
    page: Any, faults: Any, looked_at: Any, lang: str
) -> None:
    found = {}
    for path in looked_at(KINDS, lang):
        page.goto(f"/{lang}/learn/{path}")
        found[path] = faults(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_names_stand_above_their_cards_and_nothing_leaves_the_felt(page: Any, lang: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    for place in ("first/4", "first/8", "first/29", "mistake/7"):
        page.goto(f"/{lang}/learn/spades/deal/{place}")
        found = page.evaluate("""() => [...document.querySelectorAll("figure p > *")].map((each) => {
          const box = each.getBoundingClientRect(), felt = each.closest("figure").getBoundingClientRect();
          const under = each.localName === "i" && each.nextElementSibling.getBoundingClientRect();
          return [box.left >= felt.left && box.right <= felt.right,
                  !under || (under.top >= box.bottom && Math.abs(under.left + under.right - box.left - box.right) < 4)];
        })""")
        assert found, place
        assert all(inside and above for inside, above in found), place


def test_keys_step_through_a_deal_and_the_quiz_remembers(page: Any) -> None:
    page.goto("/en/learn/casino/deal/first/2")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url("/en/learn/casino/deal/first/3")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url("/en/learn/casino/deal/first/2")
    page.goto("/en/learn/spades/quiz/lead")
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.locator("#answer")).to_contain_text("Right!")
    page.goto("/en/learn/spades/quiz")
    expect(page.locator(".tally")).to_have_text("Right: 1 of 10")
    page.goto("/en/learn/spades/modern/quiz")
    expect(page.locator(".tally")).to_have_text("Right: 0 of 10")


def test_tapped_cards_are_judged_in_place(page: Any) -> None:
    page.goto("/en/learn/casino/quiz/together?say=yes")
    for card in ("9♠", "9♦", "6♥", "3♣"):
        page.locator("label", has_text=card).click()
    page.get_by_role("button", name="Capture?").click()
    expect(page.locator("#tried .verdict.legal")).to_contain_text("This is allowed.")
    page.locator("label", has_text="7♠").click()
    page.get_by_role("button", name="Capture?").click()
    expect(page.locator("#tried .verdict.illegal")).to_contain_text("This is not allowed.")
    expect(page).to_have_url("/en/learn/casino/quiz/together?say=yes")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_hand_out_of_each_way_is_two_sheets_of_paper(page: Any, lang: str) -> None:
    found = {}
    for game in GAMES.values():
        lessons = game.load_lessons()
        for way in lessons.ways if lessons else ():
            page.goto(f"/{lang}/{learn_path(game.id, lessons, way, 'hand-out')}")
            found[way] = len(pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages)
    assert {way: pages for way, pages in found.items() if pages != 2} == {}
    assert len(found) == 13


COVERED = """() => [...document.querySelectorAll("figure p > svg:has(text)")].filter(card => {
  const box = card.querySelector("text").getBoundingClientRect();
  return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).closest("svg") !== card;
}).map(card => card.textContent)"""


def test_the_card_that_is_played_hides_no_other_card_of_its_hand(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 1200})
    for path in ("casino/deal/first/2", "casino/deal/first/4", "spades/deal/first/5"):
        page.goto(f"/en/learn/{path}")
        expect(page.locator("figure p > svg").nth(12)).to_be_visible()
        covered = page.evaluate(COVERED)
        assert covered == [], path
