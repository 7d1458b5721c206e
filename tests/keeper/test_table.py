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
    """Return the seats on the page."""
    found = []
    for body, classes in re.findall(r'(<li class="(seat\b[^"]*)".*?</li>)', phone.page.html, re.DOTALL):
        note = re.search(r'class="note">.*?<b>(.*?)</b> <small>(.*?)</small>', body, re.DOTALL)
        name = re.search(r'class="who[^"]*">([^<]+)<', body)
        assert name
        figure, detail = note.groups() if note else ("", "")
        found.append(Drawn(name[1], figure, detail, "turn" in classes, 'class="dealer"' in body))
    return found


def ledger(phone: Phone) -> dict[str, list[str]]:
    """Return the rows of the table's ledger: the values of each side by the name of the row."""
    table = phone.page.html.partition('<div class="felt">')[2].partition("</table>")[0]
    rows = [re.sub(r"<td[^>]*>|</t[dh]>", "|", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table)]
    cells = [[" ".join(re.sub("<[^>]*>", "", cell).split()) for cell in row.split("|")] for row in rows[1:]]
    return {row[0]: row[1:][1::2] if row[1] == "" else row[1:] for row in cells}


def test_a_counted_deal_shows_what_each_side_has_taken_and_what_it_is_worth(phone: Phone) -> None:
    sheet = phone.open("Aki", "Beth", "", "", game="casino")
    assert {cell for row in ledger(phone).values() for cell in row} == {"open", "0"}
    assert "At most 11 points a deal" in phone.page.text
    phone.get(f"{sheet}?mc=0&ms=1&bt=0&st=1&ac0=1")
    sign = "\ufe0e"
    assert ledger(phone) == {
        "Cards": ["✓ +2", ""], f"♠{sign} Spades": ["", f"♠{sign} ✓ +2"],
        f"10♦{sign}": [f"10♦{sign} +2", ""], f"2♠{sign}": ["", f"2♠{sign} +1"],
        "A Aces": ["A 1 +1", "AAA 3 +3"], "Points": ["5", "6"],
    }  # fmt: skip
    assert 'class="now"' not in phone.page.html
    phone.get(f"{sheet}?mc=0&ms=1")
    asked = [row for row in re.findall(r"<tr>.*?</tr>", phone.page.html) if 'class="now"' in row]
    assert len(asked) == 1
    assert "10♦" in asked[0]
    assert asked[0].count('<td class="now">') == 2  # who took it: one of the two
    phone.get(f"{sheet}?by=counts")
    assert re.findall(r"Cards</th><td( class=.now.)?>.*?</td><td( class=.now.)?>", phone.page.html) == [
        (' class="now"', "")
    ]


def test_bids_and_tricks_of_each_side_are_in_the_middle(phone: Phone) -> None:
    phone.open(rules="modern")
    for call in (4, 3):
        phone.press(call)
    middle = re.search(r'<table class="mid two">.*?</table>', phone.page.html, re.DOTALL)
    assert middle
    assert re.findall(r"<td[^>]*>([^<]*)</td>", middle[0])[1:] == ["3", "4"]
    assert middle[0].count("bid so\u00a0far") == 1  # said once for both
    phone.press(5)
    phone.press(4)
    assert "All 13 tricks bid" not in phone.page.text
    assert "16 bid, 3 more than the 13 tricks" in phone.page.text  # while the tricks are counted, too
    phone.press(8)
    middle = re.search(r'<table class="mid two">.*?</table>', phone.page.html, re.DOTALL)
    assert middle
    assert re.findall(r"<td[^>]*>([^<]*)</td>", middle[0])[1:] == ["7", "9", "8", "5"]
    assert "so\u00a0far" not in middle[0]
    assert "later" not in middle[0]
    assert "7 bid, 8 taken: contract made" in phone.page.text


def test_the_middle_says_where_the_later_bid_alone_is_the_contract(phone: Phone) -> None:
    """Nobody can see from 3 and 4 beside a contract of 4 that they are not added."""
    phone.open(rules="classic")
    for call in (3, 3, 4):
        phone.press(call)
    assert "later" not in phone.page.html.partition('<table class="mid two">')[2].partition("</table>")[0]
    phone.press(4)
    middle = re.search(r'<table class="mid two">.*?</table>', phone.page.html, re.DOTALL)
    assert middle
    assert "later bid" in middle[0]


def test_a_race_shows_the_piles_the_deals_won_and_the_stake(phone: Phone) -> None:
    sheet = phone.open("Aki", "Beth", game="spite-and-malice", match="target", target="60")
    assert [(seat.figure, seat.detail) for seat in drawn(phone)] == [("26", "to start")] * 2
    assert phone.page.text.count("0 deals won") == 2
    assert [len(re.findall("<rect", each)) for each in PILE.findall(phone.page.html)] == [9, 9]
    assert "Going out: 5 + 1 a card left. First to 60." in phone.page.text
    phone.get(f"{sheet}?w=0")
    assert [(seat.figure, seat.lit) for seat in drawn(phone)] == [("0", False), ("26", True)]
    phone.get(f"{sheet}?w=0&rB=3")
    assert [(seat.figure, seat.detail) for seat in drawn(phone)] == [("0", "left"), ("3", "left")]
    assert [each.startswith("pile empty") for each in PILE.findall(phone.page.html)] == [True, False]
    phone.press("Save the deal")
    assert [(seat.figure, seat.detail, seat.deals) for seat in drawn(phone)] == [
        ("26", "to start", False), ("26", "to start", True)
    ]  # fmt: skip
    assert "Aki 8 1 deal won 52 to go +8 Beth 0 0 deals won 60 to go ±0" in phone.page.text


def test_those_who_only_watch_see_the_same_table(phone: Phone) -> None:
    phone.open("Aki", "Beth", game="spite-and-malice", match="target", target="60")
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a watch link")
    link = re.search(r"/en/watch/[\w-]+", phone.page.html)
    assert link
    for place in ("", "/wall"):
        phone.get(link[0] + place)
        assert [(seat.name, seat.figure) for seat in drawn(phone)] == [("Aki", "26"), ("Beth", "26")]


def test_a_total_has_its_way_to_the_target_drawn_and_its_bags_in_words(phone: Phone) -> None:
    phone.open(rules="modern")
    phone.deal(3, 4, 4, 2, 8)
    board = re.search(r'<ul class="board.*?</ul>', phone.page.html, re.DOTALL)
    assert board
    assert phone.totals == ["62", "−70"]
    assert re.findall(r'<rect width="(\d+)"', board[0]) == ["13", "0"]  # of the way to 500
    assert re.findall(r"<span>(\d/10 bags)</span>", board[0]) == ["2/10 bags", "0/10 bags"]


def test_the_wall_asks_in_the_middle_and_has_the_bids_beside_the_totals(phone: Phone) -> None:
    phone.open(rules="modern")
    for call in (4, 3):
        phone.press(call)
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a watch link")
    link = re.search(r"/en/watch/[\w-]+", phone.page.html)
    assert link
    phone.get(f"{link[0]}/wall")
    middle = re.findall(r'<li class="middle">(.*?)</li>', phone.page.html)
    assert middle == [next(seat.name for seat in drawn(phone) if seat.lit) + " to bid"]
    assert '<table class="mid' not in phone.page.html
    assert sorted(re.findall(r"<span>(Bid \d+)</span>", phone.page.html)) == ["Bid 3", "Bid 4"]
    assert "Scan to follow along" in phone.page.text


def test_a_call_against_the_rules_can_be_changed_where_its_reason_is_and_the_wall_says_the_reason(phone: Phone) -> None:
    """On the wall there was a sign at the seat, and no word of what it means."""
    phone.open()
    for call in (4, 4, 5, 3):
        phone.press(call)
    said = re.search(
        r'class="oddity">.*?</b>(.*?) <a .*?<button form="change" name="change" value="(\d)"', phone.page.html
    )
    assert said
    reason, place = said.groups()
    sheet = phone.sheet
    phone.get(f"{sheet}/share")
    phone.press("Make a watch link")
    link = re.search(r"/en/watch/[\w-]+", phone.page.html)
    assert link
    assert reason in phone.get(f"{link[0]}/wall").html
    asked = phone.get(f"{sheet}?change={place}").text
    assert "Aki to bid" in asked
    phone.press("4")
    assert 'class="oddity"' not in phone.page.html
    assert reason not in phone.get(f"{link[0]}/wall").html


@pytest.mark.parametrize(
    ("rules", "names", "left", "backs", "shown"),
    [
        ("blackwood", ("Aki", "Beth", "", ""), "rB=9", [9], ["Beth: 9 left"]),
        ("alone3", ("Aki", "Beth", "Chika", ""), "rB=9&rC=4", [9, 4], ["Beth", "9 left", "Chika", "4 left"]),
        ("partners4", ("Aki", "Beth", "Chika", "Dan"), "rB=9&rD=4", [13], ["Beth &amp; Dan: 13 left"]),
    ],
)
def test_the_end_draws_what_each_side_has_left(
    phone: Phone, rules: str, names: tuple[str, ...], left: str, backs: list[int], shown: list[str]
) -> None:
    sheet = phone.open(*names, game="spite-and-malice", rules=rules)
    phone.get(f"{sheet}?w=0&{left}")
    phone.press("Save the deal")
    ending = phone.page.html.partition('class="ending"')[2].partition("</section>")[0]
    assert [fan.count("url(#back)") for fan in ending.split("<g ")[1:]] == backs
    assert re.findall(r"(?:<text[^>]*>|</svg><p>)([^<]+)<", ending) == shown
    assert "Ahead by " in ending
    assert "stroke-dasharray" not in ending  # an empty place looked like something that is still to come
    phone.get(f"{sheet}/share")
    phone.press("Make a watch link")
    link = re.search(r"/en/watch/[\w-]+", phone.page.html)
    assert link
    assert 'class="board' not in phone.get(f"{link[0]}/wall").html  # its totals are beside the table


def test_a_tie_at_the_target_says_that_another_deal_decides(phone: Phone) -> None:
    """Both sides had "0 to reach 500"."""
    phone.open(rules="modern", target="120")
    phone.deal(3, 3, 3, 3, 6)
    assert "one more deal" not in phone.page.text
    phone.deal(3, 3, 3, 3, 7)
    assert phone.totals == ["121", "121"]
    assert phone.page.text.count("one more deal") == 2


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_notes_stand_at_seats_that_play_under_every_preset(game: Any) -> None:
    entry = game.load_entry()
    for preset in game.options.presets:
        rules = game.options.preset(preset).options
        for seating in game.seatings(rules):
            seats = tuple("ABCDEFGHIJKL"[: seating.players])
            names = dict(zip(seats, seats, strict=True))
            step = entry.step(Sitting(rules, seating.sides(seats), seats, names, seats[0]), {})
            noted = [note.seat for note in step.notes]
            assert len(set(noted)) == len(noted)
            assert set(noted) <= set(seats)
