"""Leagues: everybody meets everybody once, partners change, rests are shared, and results bring points."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from random import Random

import pytest

from companion.engine.evenings import RANDOM_PARTNERS, ROUND_ROBIN, Table, draw, sides_at, standings
from companion.engine.ledger import PlayedDeal, PlayedGame, Seating
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.sheets.group_events import AddMembers, DrawRound, KeepRules, League, Member, StartLeague
from companion.sheets.groups import GroupService, GroupView, league_stand
from companion.sheets.service import Opened
from tests.fixtures.hearts import HEARTS
from tests.groups.conftest import NAMES
from tests.keeper.phone import Phone
from tests.sheets.deals import record

PAIRS = Seating(4, 2)


@pytest.mark.parametrize("count", range(2, 14))
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    players = [f"m{number}" for number in range(count)]
    rounds: list[tuple[Table, ...]] = []
    for _ in range(count - 1 + count % 2):
        rounds.append(draw(ROUND_ROBIN, players, rounds, Random(1), PAIRS))
        seated = [player for table in rounds[-1] for player in table]
        assert len(seated) == len(set(seated)) == count - count % 2
    met = Counter(frozenset(table) for tables in rounds for table in tables)
    assert met == dict.fromkeys(map(frozenset, combinations(players, 2)), 1)
    assert draw(ROUND_ROBIN, players, rounds, Random(1), PAIRS) == rounds[0]


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 9, 13, 22])
def test_random_partners_share_the_rests_and_seldom_meet_again(count: int) -> None:
    players = [f"m{number}" for number in range(count)]
    rounds: list[tuple[Table, ...]] = []
    for number in range(9):
        rounds.append(draw(RANDOM_PARTNERS, players, rounds, Random(number), PAIRS))
        seated = [player for table in rounds[-1] for player in table]
        assert len(seated) == len(set(seated)) == count // 4 * 4
        assert {len(table) for table in rounds[-1]} == {4}
    played = Counter(player for tables in rounds for table in tables for player in table)
    assert max(played.values()) - min(played.values()) <= 1
    partners = Counter(frozenset(pair) for tables in rounds for a, b, c, d in tables for pair in ((a, c), (b, d)))
    assert max(partners.values()) <= (3 if count <= 5 else 2 if count <= 9 else 1)


@pytest.mark.parametrize("seating", [Seating(6, 2), Seating(6, 3), Seating(3)])
def test_partners_sit_as_the_game_says(seating: Seating) -> None:
    """In six rounds of twelve players, nobody has a partner more than two times."""
    players = [f"m{number}" for number in range(12)]
    rounds: list[tuple[Table, ...]] = []
    for number in range(6):
        rounds.append(draw(RANDOM_PARTNERS, players, rounds, Random(number), seating))
    tables = [table for tables in rounds for table in tables]
    assert {len(table) for table in tables} == {seating.players}
    sides = [side for table in tables for side in sides_at(table, seating)]
    assert [frozenset(side) for side in sides] == [
        frozenset(side.players) for table in tables for side in seating.sides(table)
    ]
    partners = Counter(frozenset(pair) for side in sides for pair in combinations(side, 2))
    assert max(partners.values(), default=0) <= 2
    assert sides_at(("a", "b"), seating) == (("a",), ("b",))


def test_league_has_the_partners_of_the_group_s_house_rules(groups: GroupService, tuesday: Opened[GroupView]) -> None:
    group, game = tuesday.view.id, GAMES["spite-and-malice"]
    groups.do(group, AddMembers(("Eve", "Fay")))
    six = tuple(f"m{number}" for number in range(1, 7))
    groups.do(group, StartLeague("Fours", game.id, RANDOM_PARTNERS, six[:4]))
    groups.do(group, KeepRules(game.id, "partners6"))
    with pytest.raises(Refused) as refused:
        groups.do(group, StartLeague("Too few", game.id, RANDOM_PARTNERS, six[:5]))
    assert refused.value.problems[0].facts["least"] == 6
    groups.do(group, StartLeague("Sixes", game.id, RANDOM_PARTNERS, six))
    groups.do(group, KeepRules(game.id, ""))
    for number, sides in ((2, [2, 2, 2]), (1, [2, 2])):  # what is played in between changes neither
        view = groups.do(group, DrawRound(number, 0, 1))
        groups.do(group, KeepRules(game.id, "partners6"))
        stand = league_stand(view.group, view.group.leagues[number - 1], ())
        assert [list(map(len, table.sides)) for drawn in stand.rounds for table in drawn.tables] == [sides]


@pytest.mark.parametrize("between", ["solo3", "solo4", "partners6", "duo_draw"])
@pytest.mark.parametrize("kept", ["", "club"])
def test_an_evening_with_other_partners_changes_no_table_of_a_league(
    groups: GroupService, tuesday: Opened[GroupView], kept: str, between: str
) -> None:
    group, pairs = tuesday.view.id, (("m1", "m3"), ("m2", "m4"))
    groups.do(group, KeepRules("spades", kept))
    groups.do(group, StartLeague("Spring", "spades", RANDOM_PARTNERS, ("m1", "m2", "m3", "m4")))
    for code, table in ((kept, kept), (between, kept), ("modern", "modern")):
        now = groups.do(group, KeepRules("spades", code)).group
        assert now.rules_for(now.leagues[0], pairs) == table
    assert now.rules_for(now.leagues[0], (("m1",), ("m2",))) == kept


@pytest.mark.parametrize(("leaves", "returns"), [(2, 0), (3, 0), (2, 3)])
@pytest.mark.parametrize("substitute", ["Eve", "Fay"])
def test_a_substitute_plays_for_whoever_was_drawn(
    groups: GroupService, tuesday: Opened[GroupView], leaves: int, returns: int, substitute: str
) -> None:
    """Eve belongs to the group, nobody knows Fay."""
    group, sheets = tuesday.view.id, groups.sheets
    groups.do(group, AddMembers(("Eve",)))
    groups.do(group, StartLeague("Spring", "spades", RANDOM_PARTNERS, ("m1", "m2", "m3", "m4", "m5")))
    drawn = ("m1", "m2", "m3", "m4")
    league = replace(groups.read(group).group.leagues[0], rounds=((drawn,),))
    rules = {"options": {"target": 260}}
    sheet = sheets.open_sheet({"seats": list(NAMES), "game": "spades", "rules": rules}).id
    groups.join(group, sheet)
    for deal in range(1, 4):
        if deal == leaves:
            sheets.do(sheet, {"type": "take_seat", "seat": "A", "player": substitute})
        if deal == returns:
            sheets.do(sheet, {"type": "take_seat", "seat": "A", "player": NAMES[0]})
        sheets.do(sheet, record(9, 10, 3))
    view = groups.read(group)
    there = replace(view.group.sheets[sheet], table=(1, 1, 1))
    now = replace(view.group, leagues=(league,), sheets={sheet: there})
    stand = league_stand(now, league, groups.played(view))
    assert stand.rounds[0].tables[0].winners == (("m1", "m3"),)
    assert [(place.player, place.points) for place in stand.places][:2] == [("m1", 2), ("m3", 2)]
    assert {place.player: place.played for place in stand.places} == {**dict.fromkeys(drawn, 1), "m5": 0}


def test_game_without_partners_has_its_usual_seating() -> None:
    assert HEARTS.partnership() == HEARTS.seatings(HEARTS.options.preset().options)[0]
    assert [GAMES[game].partnership().side_players for game in GAMES] == [2, 2, 2, 2]


@pytest.mark.parametrize(("form", "count"), [(ROUND_ROBIN, 1), (ROUND_ROBIN, 0), (RANDOM_PARTNERS, 3)])
def test_too_few_players_have_no_table(form: str, count: int) -> None:
    with pytest.raises(ValueError, match="too few"):
        draw(form, [f"m{number}" for number in range(count)], [], Random(1), PAIRS)


def test_standings_are_by_points_then_wins_then_difference() -> None:
    def game(sides: str, totals: tuple[int, int], *winners: int) -> PlayedGame:
        deal = PlayedDeal(1, totals, totals, {})
        at = datetime(2026, 1, 1, tzinfo=UTC)
        return PlayedGame("s.1", at, "any", False, tuple(map(tuple, sides.split())), (deal,), True, winners)

    games = [game("a b", (10, 0), 0), game("c d", (30, 0), 0), game("a c", (5, 5), 0, 1), game("b d", (7, 9), 1)]
    table = standings(["a", "b", "c", "d", "e"], games, 3, 1)
    shown = [(each.player, each.points, each.played, each.won, each.difference) for each in table]
    assert shown == [
        ("c", 4, 2, 1, 30),
        ("a", 4, 2, 1, 10),
        ("d", 3, 2, 1, -28),
        ("e", 0, 0, 0, 0),
        ("b", 0, 2, 0, -12),
    ]


def test_league_is_kept_and_a_round_is_drawn_once(groups: GroupService, tuesday: Opened[GroupView]) -> None:
    group = tuesday.view.id
    groups.do(group, StartLeague("Spring", "spades", RANDOM_PARTNERS, ("m1", "m2", "m3", "m4")))
    for _ in range(2):
        view = groups.do(group, DrawRound(1, 0, 7))
    fresh = GroupService(groups.sheets).read(group)
    assert fresh == view
    assert [sorted(table) for table in fresh.group.leagues[0].rounds[0]] == [["m1", "m2", "m3", "m4"]]
    assert groups.sheets.verify() == []
    for command in (
        StartLeague("Spring", "spades", RANDOM_PARTNERS, ("m1", "m2", "m3")),
        StartLeague("Spring", "spades", ROUND_ROBIN, ("m1", "m1")),
        StartLeague("Spring", "spades", ROUND_ROBIN, ("m1", "m9")),
        DrawRound(2, 0, 7),
    ):
        with pytest.raises(Refused):
            groups.do(group, command)


@pytest.mark.parametrize("seed", range(20))
def test_who_was_merged_has_rested_and_met_under_both_ids(tuesday: Opened[GroupView], seed: int) -> None:
    """The draw is that of a group in which the two had always been one."""
    players = [Member(f"m{number}", str(number)) for number in range(1, 7)]
    drawn = ((("m1", "m2", "m3", "m4"),), (("m5", "m1", "m2", "m3"),), (("m5", "m4", "m1", "m2"),))
    joined = tuple(tuple(tuple(each.replace("m5", "m6") for each in table) for table in one) for one in drawn)
    ids = tuple(member.id for member in players)
    league = League(1, "Spring", "spades", RANDOM_PARTNERS, ids, 2, 1, tuesday.view.group.opened, drawn)
    merged = replace(
        tuesday.view.group,
        members={member.id: member for member in players} | {"m5": Member("m5", "5", into="m6")},
        leagues=(league,),
    )
    always = replace(merged, leagues=(replace(league, rounds=joined),))
    assert DrawRound(1, 3, seed).decide(merged) == DrawRound(1, 3, seed).decide(always)


def test_league_is_played_on_its_pages(phone: Phone, other: Phone) -> None:
    group = phone.url
    phone.get(f"{group}/leagues")
    chosen = {"game": "spades", "form": "random-partners", "player": ["m1", "m2", "m3", "m4"]}
    phone.post(f"{group}/leagues", title="Spring", win="3", level="1", **chosen)
    assert (phone.status, phone.url) == (200, f"{group}/leagues/1")
    phone.press("Draw the next round")
    address = re.search(r'href="(/en/sheets/new/spades\?[^"]+)"', phone.page.html)[1].replace("&amp;", "&")
    phone.get(address)
    phone.press("Start", **{"o.target": "30"})
    phone.sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    page = phone.get(f"{group}/leagues/1")
    rows = re.findall(r"</a></th><td><b>(\d)</b></td><td>(\d)</td><td>(\d)</td>", page.html)
    assert rows == [("3", "1", "1")] * 2 + [("0", "1", "0")] * 2
    assert f"{group}/evenings/{phone.sheet.rpartition('/')[2]}" in page.html
    assert "Start a sheet" not in page.text
    phone.get(f"{group}/share")
    phone.press("Make a watch link")
    secret = re.search(r"/groups/watch/([\w-]+)", phone.page.html)[1]
    shown = other.get(f"/en/groups/watch/{secret}/leagues/1")
    assert (other.status, "Draw the next round" in shown.text) == (200, False)
    assert all(name in shown.text for name in NAMES)


@pytest.mark.parametrize("game", GAMES)
def test_two_at_a_table_can_begin(phone: Phone, game: str) -> None:
    group = phone.url
    phone.get(f"{group}/leagues")
    phone.post(f"{group}/leagues", title="L", win="2", level="1", game=game, form="round-robin", player=["m1", "m2"])
    phone.press("Draw the next round")
    address = re.search(rf'href="(/en/sheets/new/{game}\?[^"]+)"', phone.page.html)[1].replace("&amp;", "&")
    phone.get(address)
    phone.press("Start")
    sheet = phone.url.rpartition("/")[2]
    assert f"{group}/evenings/{sheet}" in phone.get(f"{group}/leagues/1").html


@pytest.mark.parametrize(
    "given",
    [
        {"title": ""}, {"title": "x" * 900}, {"game": "chess"}, {"form": "knock-out"}, {"player": []},
        {"player": ["m1"]}, {"player": ["m1", "m99"]}, {"player": ["m1\x00", "m2"]}, {"win": "-1"}, {"win": "x"},
        {"level": "1e9"}, {"player": [f"m{number}" for number in range(400)]},
    ],
)  # fmt: skip
def test_leagues_that_cannot_be(phone: Phone, given: dict[str, object]) -> None:
    group = phone.url
    phone.get(f"{group}/leagues")
    asked = {
        "title": "Spring",
        "game": "spades",
        "form": "round-robin",
        "player": ["m1", "m2"],
        "win": "2",
        "level": "1",
    }
    phone.post(f"{group}/leagues", **{**asked, **given})
    assert phone.status == 422
    assert 'role="alert"' in phone.page.html
    assert phone.client.get(f"{group}/leagues/1").status_code == 404
