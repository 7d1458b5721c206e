"""How a league stands: its places, and the tables of its rounds with the games that count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.engine.evenings import Place, sides_at, standings
from companion.engine.ledger import PlayedGame
from companion.sheets.groups.played import place_of
from companion.sheets.groups.state import Group, League


class LeagueTable(NamedTuple):
    """A table of a round: its players, who of them play together, the sheet opened for it, the game that counts."""

    number: int
    players: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    sheet: str | None
    game: PlayedGame | None

    @property
    def winners(self) -> tuple[tuple[str, ...], ...]:
        """The sides that have won, several for a draw; none while no game has ended."""
        return tuple(self.game.sides[side] for side in self.game.winners) if self.game else ()


class LeagueRound(NamedTuple):
    """A round that was drawn, and who sits at none of its tables."""

    number: int
    tables: tuple[LeagueTable, ...]
    resting: tuple[str, ...]


class LeagueStand(NamedTuple):
    """A league with its places, the first one first, and its rounds. Players are ids after all mergers."""

    league: League
    places: tuple[Place, ...]
    rounds: tuple[LeagueRound, ...]


def league_stand(group: Group, league: League, games: Iterable[PlayedGame]) -> LeagueStand:
    """Return how a league stands after the games of its group: of a table, the first finished one counts."""
    tables = {
        sheet: joined.table[1:]
        for sheet, joined in group.sheets.items()
        if joined.table and joined.table[0] == league.number
    }
    sheets = {table: sheet for sheet, table in tables.items()}
    results: dict[tuple[int, int], PlayedGame] = {}
    for game in games:
        table = tables.get(place_of(game.id)[0])
        if table and game.over:
            results.setdefault(table, game)
    players = tuple(dict.fromkeys(group.who(player).id for player in league.players))
    rounds, seating = [], group.partnership(league.game)
    for number, drawn in enumerate(league.rounds, start=1):
        seated = [tuple(group.who(player).id for player in seats) for seats in drawn]
        at_tables = {player for seats in seated for player in seats}
        shown = tuple(
            LeagueTable(
                place, seats, sides_at(seats, seating), sheets.get((number, place)), results.get((number, place))
            )
            for place, seats in enumerate(seated, start=1)
        )
        rounds.append(LeagueRound(number, shown, tuple(player for player in players if player not in at_tables)))
    return LeagueStand(league, tuple(standings(players, results, league.win, league.level)), tuple(rounds))
