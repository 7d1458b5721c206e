"""Statistics against an independent count over random evenings, and the cases that people argue about by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from companion.engine.evenings import Figure, Statistics
from companion.engine.ledger import PlayedDeal, PlayedGame
from companion.games import GAMES
from companion.sheets.groups import GroupService
from tests.fixtures.hearts import HEARTS
from tests.groups import oracle
from tests.groups.evenings import every_pair, play

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def test_statistics_of_random_evenings_are_those_of_an_independent_count(thorough: bool, soaked: Any) -> None:
    evenings = 1_000 if thorough else 25
    groups, group = play(Random(20 + evenings), evenings)
    view = groups.read(group)
    found = groups.played(view)
    games, deals = oracle.rows_of(groups, group)
    choices: list[tuple[str | None, int | None]] = [(None, None), *((game, None) for game in (*GAMES, HEARTS.id))]
    choices += [(None, year) for year in sorted({game.at.year for game in found})]
    checked = 0
    for game, year in choices:
        ours = Statistics(each for each in found if game in (None, each.game) and year in (None, each.at.year))
        _check_behind(ours)
        some = [row for row in games if game in (None, row["game"]) and year in (None, row["at"].year)]
        every = [row for row in deals if game in (None, row["game"]) and year in (None, row["at"].year)]
        players = list({row["player"]: None for row in (*some, *every)})
        assert set(ours.players) >= set(players)
        for player in players:
            won = ours.wins(player)
            assert (won.count, won.drawn, won.of) == oracle.wins(some, player)
            assert (ours.longest_streak(player).count, ours.streak(player).count) == oracle.streaks(some, player)
            checked += 5
            if game is not None:
                assert ours.comeback(player).count == oracle.comeback(some, every, player, game)
                assert _pair(ours.points(player)) == oracle.points(every, player, game)
                for measure in (HEARTS if game == HEARTS.id else GAMES[game]).measures:
                    count = oracle.counted(every, player, game, measure.name)
                    assert _pair(ours.measured(player, measure.name)) == count, (player, game, measure.name)
                    checked += 1
                checked += 2
        for one, other in every_pair(players):
            assert _pair(ours.beside(one, other)) == oracle.beside(some, one, other)
            duel = ours.against(one, other)
            assert (duel.count, duel.drawn, duel.of) == oracle.against(some, one, other)
            checked += 2
    soaked(evenings=evenings, deals=len({(row["sheet"], row["number"], row["deal"]) for row in deals}), numbers=checked)
    assert {row["game"] for row in deals} == {*(name for name, game in GAMES.items() if game.judge), HEARTS.id}


def _pair(figure: Figure) -> tuple[int, int]:
    return figure.count, figure.of


def _check_behind(statistics: Statistics) -> None:
    """What is behind a number are games and scored deals that there are, none of them twice."""
    known: set[tuple[str, int | None]] = {(game.id, None) for game in statistics.games}
    known |= {(game.id, deal.number) for game in statistics.games for deal in game.deals}
    for player in statistics.players:
        for figure in (statistics.wins(player), statistics.points(player), statistics.comeback(player)):
            places = [(each.game, each.deal) for each in figure.behind]
            assert len(places) == len(set(places))
            assert set(places) <= known


# By hand --------------------------------------------------------------------------------------------------------------


def game(*sides: str, totals: tuple[tuple[int, ...], ...], winners: tuple[int, ...] = (), low: bool = False) -> Any:
    """A game of sides such as "AC" with the totals after each deal; over where somebody has won."""
    deals, before = [], (0,) * len(sides)
    for number, after in enumerate(totals, start=1):
        points = tuple(new - old for new, old in zip(after, before, strict=True))
        deals.append(PlayedDeal(number, points, after, {}))
        before = after
    game.count += 1  # type: ignore[attr-defined]
    at = BEGINNING + timedelta(days=game.count)  # type: ignore[attr-defined]
    sat = tuple(tuple(side) for side in sides)
    return PlayedGame(f"s{game.count}.1", at, "any", low, sat, tuple(deals), bool(winners), winners)  # type: ignore[attr-defined]


game.count = 0  # type: ignore[attr-defined]


def test_game_that_was_broken_off_is_neither_won_nor_lost() -> None:
    found = Statistics([game("A", "B", totals=((10, 0),))])
    assert found.wins("A") == Figure()
    assert _pair(found.points("A")) == (10, 1)


def test_draw_is_no_win_and_ends_a_streak() -> None:
    won, drawn = ((10, 0),), ((5, 5),)
    games = [
        game("A", "B", totals=won, winners=(0,)),
        game("A", "B", totals=won, winners=(0,)),
        game("A", "B", totals=drawn, winners=(0, 1)),
        game("A", "B", totals=won, winners=(0,)),
    ]
    found = Statistics(reversed(games))
    assert (found.wins("A").count, found.wins("A").drawn, found.wins("A").of) == (3, 1, 4)
    assert [each.game for each in found.longest_streak("A").behind] == [games[0].id, games[1].id]
    assert [each.game for each in found.streak("A").behind] == [games[3].id]
    assert found.against("A", "B").drawn == 1
    assert found.streak("B") == Figure()


def test_whoever_won_is_ahead_whatever_the_totals_say() -> None:
    """Some games end at once, such as by taking every trick, and are won with fewer points."""
    found = Statistics([game("A", "B", totals=((10, 90),), winners=(0,))])
    assert _pair(found.against("A", "B")) == (1, 1)
    assert _pair(found.against("B", "A")) == (0, 1)


@pytest.mark.parametrize(("low", "ahead"), [(False, "C"), (True, "B")])
def test_of_two_who_did_not_win_the_better_total_is_ahead(low: bool, ahead: str) -> None:
    totals = ((0 if low else 90, 20, 50),)
    found = Statistics([game("A", "B", "C", totals=totals, winners=(0,), low=low)])
    assert found.against(ahead, "B" if ahead == "C" else "C").count == 1
    assert found.against("B" if ahead == "C" else "C", ahead).count == 0


def test_comeback_is_the_deepest_hole_out_of_which_a_game_was_won() -> None:
    games = [
        game("AC", "BD", totals=((0, 60), (10, 50), (120, 60)), winners=(0,)),
        game("AC", "BD", totals=((0, 200), (10, 250)), winners=(1,)),
        game("AC", "BD", totals=((-10, 40), (100, 50)), winners=(0,)),
    ]
    games.append(game("AC", "BD", totals=((0, 99), (100, 100)), winners=(0, 1)))
    found = Statistics(games).comeback("A")
    assert (found.count, found.behind[0].game, found.behind[0].deal) == (60, games[0].id, 1)
    assert Statistics(games[1:2]).comeback("A") == Figure()


def test_comeback_where_the_lowest_total_wins() -> None:
    totals = ((30, 5, 10, 8), (31, 40, 40, 40))
    found = Statistics([game("A", "B", "C", "D", totals=totals, winners=(0,), low=True)])
    assert found.comeback("A").count == 25


def test_partners_and_opponents_come_most_frequent_first() -> None:
    won = ((10, 0),)
    games = [game("AC", "BD", totals=won, winners=(0,)) for _ in range(2)]
    games.append(game("AB", "CD", totals=won, winners=(1,)))
    found = Statistics(games)
    assert [(who, _pair(figure)) for who, figure in found.partners("A")] == [("C", (2, 2)), ("B", (0, 1))]
    assert [(who, figure.of) for who, figure in found.opponents("A")] == [("D", 3), ("B", 2), ("C", 1)]


def test_table_is_by_wins_then_by_their_part_then_by_draws() -> None:
    won, drawn = ((10, 0),), ((5, 5),)
    games = [
        game("A", "B", totals=won, winners=(0,)),
        game("C", "B", totals=won, winners=(0,)),
        game("C", "D", totals=won, winners=(1,)),
        game("E", "F", totals=drawn, winners=(0, 1)),
    ]
    assert [row.player for row in Statistics(games).table()] == ["A", "D", "C", "E", "F", "B"]


def test_void_deal_is_not_the_first_that_is_measured(groups: GroupService) -> None:
    """A first deal without bidding is still to come after a void one."""
    rules = {"options": {"first_hand_bids_itself": True}}
    sheet = groups.sheets.open_sheet({"seats": list("wxyz"), "game": "spades", "rules": rules}).id
    group = groups.open_group("Tuesday").view.id
    groups.sheets.do(sheet, {"type": "void_deal"})
    deal = {"A+C": {"bid": 5, "tricks": 7}, "B+D": {"bid": 4, "tricks": 6}}
    for _ in range(2):
        groups.sheets.do(sheet, {"type": "record_deal", "facts": deal})
    groups.join(group, sheet)
    found = Statistics(groups.played(groups.read(group))).measured("m1", "off")
    assert [(each.deal, each.count) for each in found.behind] == [(2, 0), (3, 2)]


def test_points_given_by_agreement_are_not_what_going_out_brought(groups: GroupService) -> None:
    rules = {"options": {"match": "deals", "match_deals": 3}}
    sheet = groups.sheets.open_sheet({"seats": ["x", "y"], "game": "spite-and-malice", "rules": rules}).id
    group = groups.open_group("Tuesday").view.id
    deal = {"winner": "A", "remaining": {"B": 9}, "adjustments": [{"side": "A", "points": -30, "reason": "late"}]}
    groups.sheets.do(sheet, {"type": "record_deal", "facts": deal})
    groups.join(group, sheet)
    found = Statistics(groups.played(groups.read(group)))
    assert (_pair(found.measured("m1", "payoff")), _pair(found.points("m1"))) == ((14, 1), (-16, 1))
