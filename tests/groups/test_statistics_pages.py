"""Statistics on pages: every number leads to the games and deals behind it, for keepers and watchers alike."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from random import Random

import pytest

from companion.engine.evenings import Statistics
from companion.sheets.group_events import JoinedSheet
from companion.sheets.groups import GroupService
from companion.sheets.store import NoSuchSheet
from companion.web.groups.statistics import _course
from tests.groups.conftest import NAMES
from tests.groups.evenings import play
from tests.groups.test_pages import new_sheet, secret_of
from tests.keeper.phone import Phone


@pytest.fixture
def played(phone: Phone) -> tuple[Phone, str]:
    """The group after an evening of two deals that is not over and one that is, and the address of its page."""
    group = phone.url
    new_sheet(phone, "m1", "m2", "m3", "m4")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    phone.get(group)
    number = group.rpartition("/")[2]
    phone.get(f"/en/sheets/new/spades?group={number}&player=m1&player=m3&player=m2&player=m4&rules=classic")
    phone.press("Start", **{"o.target": "30"})
    phone.sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    phone.get(group)
    return phone, group


def test_every_number_leads_to_what_is_behind_it(played: tuple[Phone, str]) -> None:
    phone, group = played
    page = phone.get(f"{group}/statistics?game=spades")
    figure = r'<a class="figure" href="([^"]+)"><b>([^<]+)</b>(?: <span class="muted">([^<]+))?'
    figures = re.findall(figure, page.html)
    assert len(figures) >= 4 * 6
    # The games played stand under the name: they are what the first number, of wins, is out of.
    listed = re.findall(rf'<span class="muted">(\d+ games?)</span></th><td>{figure}', page.html)
    assert len(listed) == 4
    figures += [(address, text, games) for games, address, text, _ in listed]
    for address, text, out_of in figures:
        behind = phone.get(unescape(address))
        assert phone.status == 200
        assert f"<b>{text}</b>" in behind.html
        rows = re.findall(r'<ul class="rows">.*?</ul>', behind.html, re.DOTALL)
        if text != "–":
            links = re.findall(r'<li><a href="([^"]+)"', rows[0])
            counted = re.search(r"\d+", out_of)
            assert len(links) == (int(counted[0]) if counted else len(links)), (address, out_of)
            assert phone.client.get(unescape(links[0])).status_code == 200


@pytest.mark.parametrize("query", ["", "?game=spades"])
def test_one_table_says_all_numbers_with_a_bar_for_each_part_of_a_whole(played: tuple[Phone, str], query: str) -> None:
    phone, group = played
    html = phone.get(f"{group}/statistics{query}").html
    assert html.count("<table") == 1
    assert re.search(
        r"1 finished game so far.*<details>.*<table.*</details>", html, re.DOTALL
    )  # folded, until there are three
    rows = re.findall(r"<tr[^>]*><th scope=\"row\">.*?</tr>", html, re.DOTALL)
    assert len(rows) == 4
    for row in rows:
        games = re.search(r"<span class=\"muted\">(\d+) games?</span></th>", row)
        assert games, row
        for place, cell in enumerate(re.findall(r"<td.*?</td>", row, re.DOTALL)):
            part = re.search(r"<b>(\d+)(%?)</b>(?: <span class=\"muted\">of (\d+))?", cell)
            whole = games[1] if place == 0 else part and part[3]
            bar = re.search(r"<rect width=\"([\d.]+)\"", cell)
            assert bool(whole) == bool(bar), cell
            if part and whole and bar:
                share = int(part[1]) if part[2] else 100 * int(part[1]) / int(whole)
                assert abs(float(bar[1]) - share) <= 1, cell


def test_bars_of_wins_grow_shorter_from_the_first_of_the_table_to_the_last(phone: Phone) -> None:
    """Who won two of three stands before who won one of one: their bars say so, too."""
    group = phone.url
    phone.get(f"{group}/members")
    phone.press("Add", names="Eve")
    for players in (("m1", "m2", "m3", "m4"), ("m1", "m2", "m5", "m4"), ("m2", "m1", "m4", "m3")):
        asked = "&".join(f"player={player}" for player in players)
        phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&{asked}&rules=classic")
        phone.press("Start", **{"o.target": "30"})
        phone.sheet = phone.url
        phone.deal(3, 3, 3, 3, 7)
    for place in ("", "/statistics"):
        html = phone.get(group + place).html
        wins = re.findall(r'<span class="muted">(\d) games?</span></th><td><a class="figure"[^>]*><b>(\d)</b><', html)
        assert wins[0] == ("3", "2")
        assert ("1", "1") in wins
        bars = re.findall(r'</th><td>(?:(?!</td>).)*<rect width="([\d.]+)"', html)
        assert [float(bar) for bar in bars] == [50 * int(won) for _, won in wins], place


def test_wins_grow_evening_by_evening_with_every_name_at_the_end_of_its_line() -> None:
    """Lines that end together still have their names apart."""
    service, number = play(Random(3), 60)
    found = Statistics(service.played(service.read(number)))
    course = _course(found, service.read(number).group)
    assert course is not None
    best = [row for row in found.table() if row.wins.of][:6]
    assert course["totals"] == [row.wins.count for row in best]
    assert [line.name for line in course["drawn"].courses] == [
        service.read(number).group.who(row.player).name for row in best
    ]
    assert len(course["evenings"]) == len({game.at.date() for game in found.games if game.over})
    places = sorted(course["drawn"].labels.values())
    assert all(low - high >= 15 for high, low in pairwise(places))


def test_a_sheet_that_is_erased_meanwhile_is_said_to_be_gone(
    played: tuple[Phone, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its games were counted a moment before; the sheet itself cannot be read any more."""
    phone, group = played
    phone.get(f"{group}/statistics")

    def gone(self: GroupService, joined: JoinedSheet) -> None:
        raise NoSuchSheet(joined.id)

    monkeypatch.setattr(GroupService, "sheet", gone)
    for lang, unreadable in (("en", "can no longer be read"), ("ja", "もう読めません")):
        page = phone.get(f"{group}/statistics/m1/wins".replace("/en/", f"/{lang}/"))
        assert (phone.status, unreadable in page.text) == (200, True)


def test_numbers_of_a_player(played: tuple[Phone, str]) -> None:
    phone, group = played
    text = phone.get(f"{group}/statistics/m1").text
    assert "Contracts made" in text
    assert "3 deals" in text
    assert "With whom they win" in text
    assert "Head to head" in text
    duel = phone.get(f"{group}/statistics/m1/against?other=m3")
    assert "Ahead of Chika" in duel.text
    assert duel.html.count("<li><a") == 1


def test_deal_behind_a_number_shows_its_lines(played: tuple[Phone, str]) -> None:
    phone, group = played
    page = phone.get(f"{group}/statistics/m1/points?game=spades")
    deal = unescape(re.findall(r'<ul class="rows">\s*<li><a href="([^"]+)"', page.html)[0])
    shown = phone.get(deal)
    assert re.search(r'<span class="points (?:plus|minus)">[+−]\d+</span>', shown.html)
    assert "/rules/spades" in shown.html


def test_watchers_see_the_same_numbers(played: tuple[Phone, str], other: Phone) -> None:
    phone, group = played
    secret = secret_of(phone, group, "Make a watch link")
    for place in ("/statistics", "/statistics/m1", "/statistics/m1/wins", "/statistics/m2/contract?game=spades"):
        ours, theirs = phone.client.get(group + place), other.client.get(f"/en/groups/watch/{secret}{place}")
        assert (ours.status_code, theirs.status_code) == (200, 200)
        figures = [re.findall(r"<b>([^<]+)</b>", answer.text) for answer in (ours, theirs)]
        assert figures[0] == figures[1]
        assert group not in theirs.text


@pytest.mark.parametrize(
    "place",
    [
        "/statistics/m99", "/statistics/m1/nonsense", "/statistics/m1/contract", "/statistics/m1/points?game=nonsense",
        "/statistics/m1/with", "/statistics/m1/against?other=m99", "/statistics/m1/sweeps?game=spades",
        "/evenings/nonsense", "/evenings/nonsense/1/1", "/statistics/%00", "/statistics/m1/%F0%9F%82%A1",
    ],
)  # fmt: skip
def test_numbers_that_there_are_not(phone: Phone, place: str) -> None:
    assert phone.client.get(phone.url + place).status_code == 404


@pytest.mark.parametrize(
    "query", ["?year=x", "?year=99999999999", "?game=%00", "?page=-1", "?page=99999999", "?year=-1"]
)
def test_odd_choices_are_no_fault(played: tuple[Phone, str], query: str) -> None:
    phone, group = played
    for place in ("/statistics", "/statistics/m1", "/statistics/m1/wins", "/evenings"):
        assert phone.client.get(group + place + query).status_code == 200


def test_removed_player_is_shown_without_a_name_and_merged_ones_as_one(played: tuple[Phone, str]) -> None:
    phone, group = played
    phone.get(f"{group}/members")
    phone.post(f"{group}/do/remove", member="m1")
    page = phone.get(f"{group}/statistics?game=spades")
    assert "former player" in page.text
    assert NAMES[0] not in page.text
    phone.get(f"{group}/members")
    phone.post(f"{group}/do/add", names="Benedict")
    phone.post(f"{group}/do/merge", member="m2", into="m5")
    page = phone.get(f"{group}/statistics?game=spades")
    assert "Benedict" in page.text
    assert "/statistics/m2" not in page.html


def test_year_without_games_says_so(played: tuple[Phone, str]) -> None:
    phone, group = played
    assert "No game has been finished" in phone.get(f"{group}/statistics?year=1999").text
