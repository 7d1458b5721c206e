"""The form of a new sheet: names, one question, totals from paper; what it asks before it begins."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from tests.keeper.phone import Phone

NEW = "/en/sheets/new/spades"


def names_of(phone: Phone) -> list[str]:
    """The names in the form."""
    return [value for form in phone.page.forms for name, value in form.fields if re.fullmatch(r"name\d", name)]


def test_the_enter_key_asks_for_the_next_name_and_begins_nothing(phone: Phone) -> None:
    phone.get(NEW)
    form = next(form for form in phone.page.forms if form.action.startswith(NEW))
    assert (form.buttons[0].name, form.buttons[0].value) == ("step", "names")
    fields = {**dict(form.fields), "name0": "Aki", "step": "names"}
    page = phone.post(form.action, **fields)
    assert phone.status == 200
    assert names_of(phone) == ["Aki", "East", "South", "West"]
    assert re.findall(r'name="(name\d)"[^>]* autofocus', page.html) == ["name1"]
    phone.get("/en/sheets")
    assert "There is no sheet on this device yet" in phone.page.text


def test_a_code_that_is_typed_still_counts_with_the_enter_key(phone: Phone) -> None:
    phone.get(NEW)
    form = next(form for form in phone.page.forms if form.action.startswith(NEW))
    page = phone.post(form.action, **{**dict(form.fields), "start-code": "plain", "step": "names"})
    assert re.search(r'name="preset" value="plain"', page.html)


def test_two_players_of_one_name_are_asked_about(phone: Phone) -> None:
    phone.get(NEW)
    phone.press("Start", name0="Aki", name1="Ben", name2="ＡＫＩ", name3="Dan")
    assert phone.status == 422
    assert "Somebody else has this name, too." in phone.page.text
    phone.press("Start")
    assert phone.status == 200
    assert "/en/sheets/new" not in phone.url


@pytest.mark.parametrize(
    ("game", "kind"), [("casino", "Which Casino?"), ("spite-and-malice", "Which Spite and Malice?")]
)
def test_a_game_of_many_kinds_asks_which(phone: Phone, game: str, kind: str) -> None:
    phone.get(f"/en/sheets/new/{game}")
    assert kind in phone.page.text
    label = {"casino": "Royal", "spite-and-malice": "Hoyle"}[game]
    phone.press(label, name0="Aki")
    assert names_of(phone)[0] == "Aki"
    assert f">{label}</button>" in phone.page.html
    assert re.search(rf'aria-pressed="true">{label}<', phone.page.html)
    phone.press("Start")
    assert label in phone.page.text


def test_the_chosen_kind_is_first_and_in_the_address(phone: Phone) -> None:
    """The row is wider than a phone, and an address that still named the kind before would bring that back."""
    for kind in ("royal", "spade", "swazi"):
        html = phone.get(f"/en/sheets/new/casino?rules={kind}").html
        kinds = re.findall(r'name="kind" value="(\w+)" formaction="\?rules=(\w+)"', html)
        assert kinds[0] == (kind, kind)
        assert all(value == rules for value, rules in kinds)
        assert html.index('class="kinds"') < html.index('class="names"')


@pytest.mark.parametrize("game", GAMES)
def test_what_a_preset_sets_is_among_the_offers_in_words(phone: Phone, game: str) -> None:
    """350 and 61 points were an offer without a number, which a tap on another one and back did not bring back."""
    others = set()
    for preset in GAMES[game].options.presets:
        html = phone.get(f"/en/sheets/new/{game}?rules={preset}").html
        offers = re.findall(r'value="([^"]*)" data-sets="([^"]+)" checked> <span><b>([^<]+)</b>', html)
        assert len(offers) == html.count("data-agree"), preset
        others |= {(sets.replace("&#34;", ""), label) for name, sets, label in offers if not name}
    known = {
        "spades": {("{target: 350}", "350 points")},
        "casino": {("{target: 61}", "61 points"), ("{target: 16}", "16 points")},
        "spite-and-malice": {("{match: target, target: 500}", "500 points")},
    }
    assert others == known.get(game, set())


def test_totals_and_bags_come_from_paper(phone: Phone) -> None:
    phone.get(NEW)
    assert re.findall(r'name="(paper[^"]+)"', phone.page.html) == [
        f"paper{n}.{k}" for n in (0, 1) for k in ("total", "bags")
    ]
    phone.press("Start", **{"paper0.total": "337", "paper0.bags": "7", "paper1.total": "-12"})
    assert phone.totals == ["337", "−12"]
    assert "7/10 bags" in phone.page.text


def test_what_is_no_number_on_paper_is_refused_in_words(phone: Phone) -> None:
    phone.get(NEW)
    phone.press("Start", **{"paper0.total": "many"})
    assert phone.status == 422
    assert "number" in phone.page.text
    assert 'value="many"' in phone.page.html


def test_everybody_alone_brings_a_total_from_paper(phone: Phone) -> None:
    phone.get("/en/sheets/new/casino")
    phone.press("Start", name0="Aki", name1="", name2="Chika", **{"paper2.total": "9"})
    assert phone.status == 200
    assert phone.totals == ["0", "9"]


def test_no_builders_words_on_the_pages_of_players(phone: Phone) -> None:
    for place in ("sheets/new", "sheets/new/casino", "sheets/new/spite-and-malice"):
        assert "source article" not in phone.get(f"/en/{place}").text
        assert "もとの記事" not in phone.get(f"/ja/{place}").html.partition("</main>")[0]


def test_may_i_leads_back_to_the_sheet(opened: Phone) -> None:
    sheet = opened.sheet.rpartition("/")[2]
    assert f'href="{opened.sheet}"' in opened.get(f"/en/referee/spades?sheet={sheet}").html


def test_what_is_searched_from_may_i_is_answered_for_the_table(phone: Phone) -> None:
    """The sheet has no search field: the one of the referee's list knows its rules, as the question's own does."""
    phone.open("Aki", "Beth", game="casino", rules="royal")
    sheet = phone.sheet.rpartition("/")[2]
    for place in ("casino", "casino/take"):
        html = phone.get(f"/en/referee/{place}?sheet={sheet}").html
        for name, value in (("game", "casino"), ("rules", "royal")):
            assert f'<input type="hidden" name="{name}" value="{value}">' in html


@pytest.mark.browser
def test_names_are_remembered_on_this_device_until_they_are_forgotten(new_phone: Any) -> None:
    page = new_phone()
    page.goto("/en/sheets/new/spades")
    page.locator("#name0").fill("Aki")
    page.keyboard.press("Enter")
    expect(page.locator("#name1")).to_be_focused()
    page.keyboard.type("Ben")
    page.keyboard.press("Enter")
    expect(page.locator("#name2")).to_be_focused()
    page.get_by_role("button", name="Start").first.click()
    page.wait_for_url("**/sheets/*")
    page.goto("/en/sheets/new/casino")
    for place, name in enumerate(("Aki", "Ben")):
        expect(page.locator(f"#name{place}")).to_have_value(name)
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator("#name0")).to_have_value("North")
    page.reload()
    expect(page.locator("#name0")).to_have_value("North")
