"""Somebody leaves in the middle of an evening: who plays on is said on the page and shown wherever deals are."""

from __future__ import annotations

import re
from typing import Final

import pytest

from companion.rulebook.words import words
from companion.sheets.service import SheetService
from companion.sheets.store import open_store
from companion.web.api.sheets import SheetWords
from companion.web.dialogue import effect_sentences
from tests.keeper.phone import Phone


def leaves(phone: Phone, seat: str, player: str, deal: str = "") -> None:
    """Say under More that somebody plays on at a seat."""
    phone.get(f"{phone.sheet}/settings")
    given = {"from_deal": deal} if deal else {}
    phone.press("Save who plays on", seat=seat, player=player, **given)


def test_who_plays_on_is_shown_from_that_deal_on(phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    leaves(phone, "D", "Emi")
    assert "Saved who plays on." in phone.page.text
    assert "Beth & Emi" in phone.get(phone.sheet).text
    phone.deal(3, 4, 5, 6, 8)
    pages = [phone.get(f"{phone.sheet}/games/1/deals/{deal}").text for deal in (1, 2)]
    one, two = (page.partition("Add or take off points")[0] for page in pages)
    assert ("Beth & Dan" in one, "Emi" in one) == (True, False)
    assert ("Beth & Emi" in two, "Dan" in two) == (True, False)
    assert "Beth & Dan: bid" in phone.get(f"{phone.sheet}/log").text
    assert "Emi plays for Dan from deal 2 on." in phone.page.text
    assert "Emi" not in phone.get(f"{phone.sheet}/games/1/deals/1/correct").text.partition("Tap what was wrong")[2]


def test_the_story_and_the_records_are_those_of_whoever_played(phone: Phone) -> None:
    phone.open(target="250")
    phone.deal(4, 4, 4, "nil", 6, 0)
    leaves(phone, "A", "Emi")
    phone.deal(4, 4, "nil", 4, 6, 0)
    page = phone.get(phone.sheet)
    assert "Won by Emi & Chika" in page.text
    assert "Emi played for Aki from deal 2 on." in page.text
    assert ("Aki made" in page.text, "Emi made" in page.text) == (True, True)
    records = phone.get(f"{phone.sheet}/games").text
    assert "Aki 0 0 – 1/1" in records
    assert re.search(r"Emi 1 1 \d+ 1/1", records)
    text = phone.get(f"{phone.sheet}/text").text
    assert "From deal 2: Emi for Aki" in text


def test_who_comes_turns_no_game_on_the_drawing_of_its_end(phone: Phone) -> None:
    phone.open("Aki", "Beth", "", "", game="pad", rounds="3")
    for place in range(3):
        if place == 1:
            leaves(phone, "A", "Emi")
        phone.get(f"{phone.sheet}?p0=5&p1=5")
        phone.press("Save the deal")
    assert "Emi played for Aki from deal 2 on." in phone.get(phone.sheet).text
    assert 'class="turned"' not in phone.page.html


def test_whoever_comes_back_is_one_player_under_one_name(phone: Phone) -> None:
    phone.open("Ann", "Bob", "Cy", "Dee", target="90")
    phone.deal(3, 3, 3, 3, 7)
    leaves(phone, "B", "Gil")
    phone.deal(3, 3, 3, 3, 7)
    leaves(phone, "B", "Bob")
    phone.get(f"{phone.sheet}/settings")
    phone.press("Save", **{"name.B": "Robert"})
    phone.get(phone.sheet)
    phone.deal(3, 3, 3, 3, 7)
    page = phone.page.text
    assert "Gil played for Robert in deal 2." in page
    assert "Robert was back from deal 3 on." in page
    assert "Bob" not in phone.get(f"{phone.sheet}/games/1").text
    records = phone.get(f"{phone.sheet}/games").text
    assert re.findall(r"(Robert|Gil) (\d) \d", records) == [("Robert", "1"), ("Gil", "0")]


@pytest.mark.parametrize("new", ["Frida", "Dan"])
def test_members_of_the_group_are_offered_and_a_new_name_joins_it(phone: Phone, new: str) -> None:
    phone.get("/en/groups")
    phone.press("Make the group", title="Tuesday", names="Aki\nBeth\nChika\nDan\nEmi")
    group = phone.url
    phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&player=m1&player=m2&player=m3&player=m5")
    phone.press("Start", **{"o.target": "100"})
    phone.sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    phone.get(f"{phone.sheet}/settings")
    assert '<option value="Dan">' in phone.page.html
    assert '<option value="Emi">' not in phone.page.html
    leaves(phone, "D", new)
    phone.deal(3, 3, 3, 3, 7)
    assert new in phone.get(group).text
    statistics = phone.get(f"{group}/statistics?game=spades").text
    assert statistics.count(new) > 0
    assert phone.get(f"{group}/members").html.count(f'value="{new}"') == 1


WRONG_IN_IT: Final = "/what-now?game=1&deal=1&player=D&when=later&what="
OF_DEAL: Final = (
    "", "/what-now", f"{WRONG_IN_IT}revoke&trick=3", f"{WRONG_IN_IT}revoke&trick=99", f"{WRONG_IN_IT}misdeal",
    "/correct", "/correct?t0=5", "/correct?t0=14",
)  # fmt: skip


@pytest.mark.parametrize("path", OF_DEAL)
def test_pages_of_a_deal_name_nobody_who_was_not_there(phone: Phone, path: str) -> None:
    sheet = phone.open(revoke_remedy="tricks", revoke_tricks="2")
    deal = f"{sheet}/games/1/deals/1"
    phone.deal(3, 4, 5, 6, 6)
    phone.get(deal)
    phone.press("Beth & Dan: it is right")
    phone.get(deal)
    phone.press("Add or take off points", side="B+D", points="5", reason="agreed")
    leaves(phone, "D", "Emi")
    phone.deal(3, 4, 5, 6, 6)
    page = phone.get(deal + path)
    text = re.sub(r"After deal 2, the total of Beth & Emi is \d+ instead of \d+\.", "", page.text)
    assert ("Emi" in text, "Dan" in text) == (False, True)


@pytest.mark.parametrize(
    ("where", "name"), [("?in=last", "Dan"), ("?in=open", "Emi"), ("?in=last&what=misdeal", "Emi")]
)
def test_trouble_names_whoever_plays_the_deal_that_is_meant(phone: Phone, where: str, name: str) -> None:
    sheet = phone.open()
    phone.deal(3, 4, 5, 6, 6)
    leaves(phone, "D", "Emi")
    for call in (3, 4, 5, 6):
        phone.get(sheet)
        phone.press(call)
    text = phone.get(f"{sheet}/what-now{where}").text
    assert [each for each in ("Dan", "Emi") if each in text] == [name]


def test_the_log_names_whoever_played_the_deal_of_a_step(phone: Phone) -> None:
    sheet = phone.open()
    phone.deal(3, 4, 5, 6, 6)
    leaves(phone, "D", "Emi")
    deal = f"{sheet}/games/1/deals/1"
    phone.get(deal)
    phone.press("Beth & Dan: it is right")
    phone.get(deal)
    phone.press("Add or take off points", side="B+D", points="5", reason="agreed")
    text = phone.get(f"{sheet}/log").text
    assert text.count("Emi") == text.count("Emi plays for Dan")
    assert "Emi" not in phone.get(deal).text


def test_what_an_api_would_change_in_a_deal_names_whoever_played_it() -> None:
    service = SheetService(open_store("memory:"))
    view = service.open_sheet({"seats": list("NESW"), "game": "spades"})
    facts = {"A+C": {"bid": 5, "tricks": 6}, "B+D": {"bid": 5, "tricks": 7}}
    for command in (
        {"type": "record_deal", "facts": facts}, {"type": "adjust", "side": "B+D", "points": 5, "reason": "agreed"},
        {"type": "take_seat", "seat": "B", "player": "Emi"}, {"type": "record_deal", "facts": facts},
    ):  # fmt: skip
        service.do(view.id, command)
    sheet = service.read(view.id).sheet
    effects = service.preview(view.id, {"type": "void_deal", "deal": 1}).effects
    said = [(one.deal, SheetWords("en", sheet, sheet.games[0]).effect(one)) for one in effects]
    assert {deal for deal, text in said if "E & W" in text} == {1}
    assert {deal for deal, text in said if "Emi & W" in text} == {2}
    assert [text for _, text in said] == effect_sentences(effects, words("spades", "en"), sheet, sheet.games[0])


def test_a_game_that_goes_on_names_whoever_plays_it_and_not_who_comes_for_the_next(phone: Phone) -> None:
    sheet = phone.open(target="100", rules="modern")
    for _ in range(2):
        phone.deal(3, 3, 3, 3, 6)
    assert phone.has("Rematch")
    leaves(phone, "A", "Emi")
    phone.post(f"{sheet}/do/rules", preset="modern", deal="2", **{"o.target": "300"})
    for seat, path in (("B", "/share"), ("A", ""), ("B", "/what-now"), ("A", "")):
        phone.get(sheet)
        phone.post(f"{sheet}/do/dealer", seat=seat)
        assert "Emi" not in phone.get(sheet + path).text
    assert "Aki" in phone.page.text
    phone.get(f"{sheet}/settings")
    assert phone.has("Aki")
    assert not phone.has("Emi")
    log = phone.get(f"{sheet}/log").text
    assert log.count("Emi") == log.count("Emi plays for Aki")
    for call in (3, 3, 3, 3):
        phone.get(sheet)
        phone.press(call)
    assert "Emi" not in phone.page.text
    asked = phone.get(f"/en/referee/spades/card?sheet={sheet.rpartition('/')[2]}").text
    assert ("Aki" in asked, "Emi" in asked) == (True, False)
