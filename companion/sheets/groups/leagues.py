"""Leagues of a group: begun with their players, and drawn round by round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from random import Random
from typing import Annotated, Final

from companion.engine import shapes
from companion.engine.evenings import FORMS, draw, least_players
from companion.games import GAMES
from companion.sheets.groups.model import GroupCommand, GroupEvent, GroupTitle, require_member
from companion.sheets.groups.state import Group, League
from companion.sheets.model.base import refuse
from companion.sheets.shapes import GameId, SeatIdField

MAX_ENTRANTS: Final = 64
"""Players of one league."""
MAX_LEAGUES: Final = 50
MAX_ROUNDS: Final = 100

Form = Annotated[str, partial(shapes.Word, FORMS, "How rounds are drawn.")]
Entrants = Annotated[
    tuple[str, ...], partial(shapes.ListOf, SeatIdField(most=20), "Members.", least=2, most=MAX_ENTRANTS)
]
LeaguePoints = Annotated[int, partial(shapes.Integer, "Points of the league.", low=0, high=100)]
Number = Annotated[int, partial(shapes.Integer, "The number of a league, from 1.", low=1, high=100_000)]
RoundCount = Annotated[int, partial(shapes.Integer, "A number of rounds, or a seed.", low=0, high=2**53)]
Tables = Annotated[
    tuple[tuple[str, ...], ...],
    partial(shapes.ListOf, shapes.ListOf(SeatIdField(most=20)), "Members at each table.", most=MAX_ENTRANTS),
]


@dataclass(frozen=True, slots=True)
class LeagueStarted(GroupEvent):
    """A league began."""

    title: GroupTitle
    game: GameId
    form: Form
    players: Entrants
    win: LeaguePoints
    level: LeaguePoints

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the league."""
        number = len(group.leagues) + 1
        league = League(number, self.title, self.game, self.form, self.players, self.win, self.level, at)
        return replace(group, leagues=(*group.leagues, league))


@dataclass(frozen=True, slots=True)
class StartLeague(GroupCommand):
    """Begin a league of members."""

    title: GroupTitle
    game: GameId
    form: Form
    players: Entrants
    win: LeaguePoints = 2
    level: LeaguePoints = 1

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the league. Refused for a game that there is not, for unknown players, and for too many leagues."""
        if self.game not in GAMES:
            refuse(("game",), "choice", value=self.game)
        for player in self.players:
            require_member(group, player, "players")
        if len(group.leagues) >= MAX_LEAGUES:
            refuse((), "leagues-full", most=MAX_LEAGUES)
        players = tuple(dict.fromkeys(self.players))
        least = least_players(self.form, group.partnership(self.game))
        if len(players) < least:
            refuse(("players",), "length", least=least, most=MAX_ENTRANTS, count=len(players))
        return (LeagueStarted(self.title, self.game, self.form, players, self.win, self.level),)


@dataclass(frozen=True, slots=True)
class RoundDrawn(GroupEvent):
    """The tables of the next round of a league were drawn."""

    league: Number
    tables: Tables

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the round. Raises IndexError for a league that there is not."""
        league = group.leagues[self.league - 1]
        drawn = replace(league, rounds=(*league.rounds, self.tables))
        place = self.league - 1
        return replace(group, leagues=(*group.leagues[:place], drawn, *group.leagues[place + 1 :]))


@dataclass(frozen=True, slots=True)
class DrawRound(GroupCommand):
    """Draw the tables of the next round. `after` is the number of rounds there are: sent twice, it draws once."""

    league: Number
    after: RoundCount
    seed: RoundCount

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the tables; nothing where the round was drawn already. Refused for an unknown league."""
        if self.league > len(group.leagues):
            refuse(("league",), "choice", value=self.league)
        league = group.leagues[self.league - 1]
        if len(league.rounds) != self.after:
            return ()
        if self.after >= MAX_ROUNDS:
            refuse((), "rounds-full", most=MAX_ROUNDS)
        seating = group.partnership(league.game)
        players = tuple(dict.fromkeys(who.id for each in league.players if (who := group.who(each)).current))
        earlier = [[tuple(group.who(each).id for each in table) for table in tables] for tables in league.rounds]
        try:
            tables = draw(league.form, players, earlier, Random(self.seed), seating)  # noqa: S311 (nothing secret)
        except ValueError:
            least = least_players(league.form, seating)
            refuse(("players",), "length", least=least, most=MAX_ENTRANTS, count=len(players))
        return (RoundDrawn(self.league, tables),)
