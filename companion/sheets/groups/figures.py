"""The numbers of a group as plain values: of its players, its games and deals; and all of it as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from companion.engine import shapes as s
from companion.engine.evenings import Figure, Statistics
from companion.engine.game import AnswerShape
from companion.engine.ledger import PlayedGame
from companion.games import GAMES
from companion.sheets.export import safe_cell
from companion.sheets.groups.played import place_of
from companion.sheets.groups.state import Group
from companion.sheets.log import stamp

FORMAT: Final = "companion-group"
FORMAT_VERSION: Final = 1
COLUMNS: Final = (
    "date", "sheet", "game_number", "game", "deal", "player", "name", "side", "points", "total", "finished", "result",
)  # fmt: skip


class MemberShape(AnswerShape):
    """A player of a group; the name of one who was removed is empty."""

    id = s.Text("Never changes, and is never given again.")
    name = s.Text()
    removed = s.Flag("Whether only the evenings remain, without a name.")
    into = s.Text("The member that this one turned out to be.", nullable=True, get=lambda who, _: who.into or None)


class FigureShape(AnswerShape):
    """A number: so many, out of so many."""

    count = s.Integer("How many.")
    of = s.Integer("Out of how many games or deals.")
    drawn = s.Integer("How many of the games were a draw.", absent=True, get=lambda figure, _: figure.drawn or None)


def _figure(describe: str) -> s.Object[s.Json]:
    return s.Object(FigureShape, describe)


def _figures(describe: str) -> s.Keyed[s.Json]:
    return s.Keyed(s.Object(FigureShape), describe)


class GameFigures(NamedTuple):
    """The numbers of a player in games of one kind."""

    wins: Figure
    points: Figure
    comeback: int
    measures: Mapping[str, Figure]


class PlayerFigures(NamedTuple):
    """The numbers of a player."""

    player: str
    wins: Figure
    longest_streak: int
    streak: int
    partners: Mapping[str, Figure]
    opponents: Mapping[str, Figure]
    games: Mapping[str, GameFigures]


class GameFiguresShape(AnswerShape):
    """The numbers of a player in games of one kind."""

    wins = _figure("Games won, out of those that ended.")
    points = _figure("Points of the side, out of so many scored deals.")
    comeback = s.Integer("The most points behind after a deal of a game that was won.", unit="points")
    measures = _figures("What the game counts, by name.")


class PlayerFiguresShape(AnswerShape):
    """The numbers of a player of a group."""

    player = s.Text("The id of the member.")
    wins = _figure("Games won, out of those that ended.")
    longest_streak = s.Integer("The most games won in a row.")
    streak = s.Integer("The games won in a row until now.")
    partners = _figures("By member: games won together, out of those played together.")
    opponents = _figures("By member: games in which the player came out ahead, out of those against each other.")
    games = s.Keyed(s.Object(GameFiguresShape), "By the id of the game.")


class PlayedDealShape(AnswerShape):
    """A scored deal; sides are in the order of the game."""

    number = s.Integer("From 1.")
    points = s.ListOf(s.Integer(unit="points"), "Of each side.")
    totals = s.ListOf(s.Integer(unit="points"), "Of each side, after the deal.")
    counts = s.Keyed(
        s.Keyed(s.ListOf(s.Integer(), least=2, most=2)), "By measure and member: how many, out of how many."
    )


class PlayedGameShape(AnswerShape):
    """A game that members of a group played; guests are in none of its sides."""

    sheet = s.Text("The id of the sheet.", get=lambda game, _: place_of(game.id)[0])
    game_number = s.Integer("The number of the game on the sheet, from 1.", get=lambda game, _: place_of(game.id)[1])
    at = s.Text("When it began: UTC, to the millisecond.", get=lambda game, _: stamp(game.at))
    game = s.Text("The id of the game.")
    sides = s.ListOf(s.ListOf(s.Text()), "The members of each side.")
    finished = s.Flag("Whether it has ended.", get=lambda game, _: game.over)
    winners = s.ListOf(s.Integer(), "The places of the sides that won, from 0; several for a draw.")
    deals = s.ListOf(s.Object(PlayedDealShape), "The scored deals.")


class GroupFileShape(AnswerShape):
    """A group to take elsewhere: its members, its games with their deals, and the numbers of its players."""

    format = s.Text(get=lambda group, games: FORMAT)
    format_version = s.Integer(get=lambda group, games: FORMAT_VERSION)
    title = s.Text()
    members = s.ListOf(s.Object(MemberShape), get=lambda group, games: group.members.values())
    rules = s.Keyed(s.Text(), "The code of the house rules that the group plays, by game.")
    games = s.ListOf(s.Object(PlayedGameShape), get=lambda group, games: games)
    statistics = s.ListOf(s.Object(PlayerFiguresShape), get=lambda group, games: player_figures(games))


def player_figures(games: Iterable[PlayedGame]) -> Iterator[PlayerFigures]:
    """Yield the numbers of every player, over all games and over those of each kind, in the order of wins."""
    found = Statistics(games)
    kinds = {
        game: Statistics(each for each in found.games if each.game == game)
        for game in dict.fromkeys(each.game for each in found.games)
    }
    for player, wins in found.table():
        yield PlayerFigures(
            player,
            wins,
            found.longest_streak(player).count,
            found.streak(player).count,
            dict(found.partners(player)),
            dict(found.opponents(player)),
            {game: _of_kind(game, kind, player) for game, kind in kinds.items() if player in kind.players},
        )


def group_csv(group: Group, games: Iterable[PlayedGame]) -> str:
    """Return a row for each player in each scored deal, safe to open in a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for game in Statistics(games).games:
        rows.writerows([safe_cell(value) for value in row] for row in _rows(group, game))
    return out.getvalue()


def _of_kind(game: str, statistics: Statistics, player: str) -> GameFigures:
    measured = ((each.name, statistics.measured(player, each.name)) for each in GAMES[game].measures)
    return GameFigures(
        statistics.wins(player),
        statistics.points(player),
        statistics.comeback(player).count,
        {name: figure for name, figure in measured if figure.of},
    )


def _rows(group: Group, game: PlayedGame) -> Iterator[tuple[object, ...]]:
    sheet, number = place_of(game.id)
    for deal in game.deals:
        for place, side in enumerate(game.sides):
            won = place in game.winners
            result = ("won" if len(game.winners) == 1 else "drawn") if won else "lost" if game.over else ""
            for player in side:
                yield (
                    *(game.at.date().isoformat(), sheet, number, game.game, deal.number, player),
                    *(group.who(player).name, place + 1, deal.points[place], deal.totals[place]),
                    *(int(game.over), result),
                )
