"""The drawn table: every game shows what matters at its seats, and the seat that the question is about is lit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from companion.engine.entry import Sitting
from companion.games import GAMES
from tests.keeper.phone import Phone

PILE = re.compile(r'<svg class="(pile.*?)</svg>', re.DOTALL)


@dataclass(frozen=True)
class Drawn:
    """A seat as the page shows it: the name, the figure and what it is; whether it is lit, or deals."""

    name: str
    figure: str
    detail: str
    lit: bool
    deals: bool


def drawn(phone: Phone) -> list[Drawn]:
    """Return the seats on the page: at a table, or beside the totals where two play alone."""
    places = re.findall(r'(<li class="((?:seat|side|mark)\b[^"]*)".*?</li>)', phone.page.html, re.DOTALL)
    found = []
    for body, classes in places:
        if not classes.startswith("seat") and 'class="note"' not in body:
            continue  # totals with a table below them
        note = re.search(r'class="note">.*?<b>(.*?)</b> <small>(.*?)</small>', body, re.DOTALL)
        name = re.search(r"<span(?: class=\"side-name\")?>([^<]+?) ?<", body)
        assert name
        found.append(
            Drawn(
                name[1], note[1] if note else "", note[2] if note else "", "turn" in classes, 'class="dealer"' in body
            )
        )
    return found


def test_a_counted_deal_shows_what_each_side_has_taken_and_what_it_is_worth(phone: Phone) -> None:
    sheet = phone.open("Aki", "Beth", "", "", game="casino")
    assert [(seat.name, seat.figure, seat.deals) for seat in drawn(phone)] == [("Aki", "–", True), ("Beth", "–", False)]
    assert "11 points a deal" in phone.page.text
    phone.get(f"{sheet}?mc=0&ms=1&bt=0&st=1&ac0=1")
    assert [(seat.figure, seat.detail) for seat in drawn(phone)] == [
        ("+5", "Cards · 10♦\ufe0e · A\u00a01"), ("+6", "Spades · 2♠\ufe0e · A\u00a03")
    ]  # fmt: skip


def test_partners_have_one_figure_and_the_seats_asked_about_are_lit(phone: Phone) -> None:
    sheet = phone.open(game="casino")
    phone.get(f"{sheet}?mc=0&ms=1&bt=0&st=1")
    assert [(seat.name, bool(seat.figure), seat.lit) for seat in drawn(phone)] == [
        ("Aki", True, True), ("Beth", True, False), ("Chika", False, True), ("Dan", False, False)
    ]  # fmt: skip


def test_a_race_shows_the_piles_the_deals_won_and_the_stake(phone: Phone) -> None:
    sheet = phone.open("Aki", "Beth", game="spite-and-malice", match="target", target="60")
    assert [(seat.figure, seat.detail) for seat in drawn(phone)] == [("26", "to start")] * 2
    assert phone.page.text.count("0 deals won") == 2
    assert [len(re.findall("<rect", each)) for each in PILE.findall(phone.page.html)] == [4, 4]
    assert "Going out: 5 + 1 for each card left. First to 60." in phone.page.text
    phone.get(f"{sheet}?w=0")
    assert [(seat.figure, seat.lit) for seat in drawn(phone)] == [("0", False), ("26", True)]
    phone.get(f"{sheet}?w=0&rB=3")
    assert [(seat.figure, seat.detail) for seat in drawn(phone)] == [("0", "left"), ("3", "left")]
    assert [each.startswith("pile empty") for each in PILE.findall(phone.page.html)] == [True, False]
    phone.press("Save the deal")
    assert [(seat.figure, seat.detail, seat.deals) for seat in drawn(phone)] == [
        ("26", "to start", False), ("26", "to start", True)
    ]  # fmt: skip
    assert [
        side in phone.page.text for side in ("Aki 8 52 to reach 60 1 deal won", "Beth 0 60 to reach 60 0 deals won")
    ]


def test_those_who_only_watch_see_the_same_table(phone: Phone) -> None:
    phone.open("Aki", "Beth", game="spite-and-malice", match="target", target="60")
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a watch link")
    link = re.search(r"/en/watch/[\w-]+", phone.page.html)
    assert link
    for place in ("", "/wall"):
        phone.get(link[0] + place)
        assert [(seat.name, seat.figure) for seat in drawn(phone)] == [("Aki", "26"), ("Beth", "26")]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_notes_stand_at_seats_that_play_under_every_preset(game: Any) -> None:
    entry = game.load_entry()
    for preset in game.options.presets:
        rules = game.options.preset(preset).options
        for seating in game.seatings(rules):
            seats = tuple("ABCDEF"[: seating.players])
            names = dict(zip(seats, seats, strict=True))
            step = entry.step(Sitting(rules, seating.sides(seats), seats, names, seats[0]), {})
            noted = [note.seat for note in step.table.seats] if step.table else []
            assert len(set(noted)) == len(noted)
            assert set(noted) <= set(seats)
