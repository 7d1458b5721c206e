"""Somebody leaves in the middle of an evening: who plays on is said on the page and shown wherever deals are."""

from __future__ import annotations

import re

import pytest

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
