"""What players argue about: wins, partners, opponents, streaks, comebacks, and what each game counts.

Wins, streaks and comebacks are of games that have ended; what is counted deal by deal is of every scored deal. Each
number comes with the games and deals that it is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.engine.played import PlayedGame, Player

WON, DRAWN, LOST = "won", "drawn", "lost"


def games_of(games: Iterable[PlayedGame], game: str = "", year: int | None = None) -> Iterator[PlayedGame]:
    """Yield the games of one kind, of one year (UTC), or both; without either, all."""
    return (each for each in games if game in ("", each.game) and year in (None, each.at.year))


@dataclass(frozen=True, slots=True)
class Behind:
    """A game, or one deal of it, that is part of a number: how many of how much it brought, and how a game went."""

    game: str
    deal: int | None
    count: int
    of: int
    result: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what it is made of: `count` out of `of`, each the sum of those behind it."""

    behind: tuple[Behind, ...] = ()

    @property
    def count(self) -> int:
        """How many."""
        return sum(each.count for each in self.behind)

    @property
    def of(self) -> int:
        """Out of how many."""
        return sum(each.of for each in self.behind)

    @property
    def drawn(self) -> int:
        """How many of the games were a draw."""
        return sum(each.result == DRAWN for each in self.behind)

    @property
    def rate(self) -> float | None:
        """The part of the whole, or the mean; None of nothing."""
        return self.count / self.of if self.of else None


class Row(NamedTuple):
    """A player in the table of wins."""

    player: Player
    wins: Figure


class Statistics:
    """The statistics of games. Those of one year or one kind of game are the statistics of these games."""

    def __init__(self, games: Iterable[PlayedGame]) -> None:
        self.games: Final = tuple(sorted(games, key=lambda game: (game.at, game.id)))
        self._of: dict[Player, list[tuple[PlayedGame, int]]] = {}
        for game in self.games:
            for place, side in enumerate(game.sides):
                for player in side:
                    self._of.setdefault(player, []).append((game, place))

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody who played, in the order of their first game."""
        return tuple(self._of)

    def table(self) -> list[Row]:
        """Return the players by wins, then by their part of the games, then by draws."""
        rows = [Row(player, self.wins(player)) for player in self.players]
        return sorted(rows, key=lambda row: (-row.wins.count, -(row.wins.rate or 0), -row.wins.drawn))

    def wins(self, player: Player) -> Figure:
        """Return the games that a player won alone or with partners, out of those that ended."""
        return Figure(tuple(_won(game, place) for game, place in self._ended(player)))

    def beside(self, player: Player, partner: Player) -> Figure:
        """Return the games that two players won together, out of those in which they were partners."""
        together = ((game, place) for game, place in self._ended(player) if partner in game.sides[place])
        return Figure(tuple(_won(game, place) for game, place in together))

    def against(self, player: Player, other: Player) -> Figure:
        """Return the games in which a player came out ahead of another, out of those in which they were opponents.

        Whoever won is ahead; of two who did not win, whoever has the better total.
        """
        return Figure(
            tuple(
                _ahead(game, place, theirs)
                for game, place in self._ended(player)
                if (theirs := game.side_of(other)) is not None and theirs != place
            )
        )

    def partners(self, player: Player) -> list[tuple[Player, Figure]]:
        """Return everybody who was a partner of a player, the most frequent first."""
        return self._most_first(player, self.beside)

    def opponents(self, player: Player) -> list[tuple[Player, Figure]]:
        """Return everybody who was an opponent of a player, the most frequent first."""
        return self._most_first(player, self.against)

    def longest_streak(self, player: Player) -> Figure:
        """Return the first of the longest rows of games won; a draw ends it as a loss does."""
        return Figure(max(self._streaks(player), key=len, default=()))

    def streak(self, player: Player) -> Figure:
        """Return the games that a player has won in a row until now."""
        last = list(self._streaks(player))[-1:]
        return Figure(last[0] if last else ())

    def comeback(self, player: Player) -> Figure:
        """Return the most points by which a player was behind after a deal of a game that was won in the end.

        `count` is in points; of several such deals, the first.
        """
        found: list[Behind] = []
        for game, place in self._ended(player):
            if game.winners != (place,):
                continue
            for deal in game.deals:
                sign = -1 if game.lowest_wins else 1
                others = [sign * total for side, total in enumerate(deal.totals) if side != place]
                behind = max(others) - sign * deal.totals[place]
                if behind > 0:
                    found.append(Behind(game.id, deal.number, behind, 1, WON))
        return Figure((max(found, key=lambda each: each.count),)) if found else Figure()

    def points(self, player: Player) -> Figure:
        """Return the points of a player's side over the deals."""
        return Figure(
            tuple(
                Behind(game.id, deal.number, deal.points[place], 1)
                for game, place in self._of.get(player, ())
                for deal in game.deals
            )
        )

    def measured(self, player: Player, measure: str) -> Figure:
        """Return what a measure found for a player, deal by deal."""
        return Figure(
            tuple(
                Behind(game.id, deal.number, *deal.counts[measure][player])
                for game, _ in self._of.get(player, ())
                for deal in game.deals
                if player in deal.counts.get(measure, ())
            )
        )

    def _most_first(self, player: Player, figure: Callable[[Player, Player], Figure]) -> list[tuple[Player, Figure]]:
        found = [(other, figure(player, other)) for other in self.players if other != player]
        return sorted((each for each in found if each[1].of), key=lambda each: (-each[1].of, -each[1].count))

    def _ended(self, player: Player) -> Iterator[tuple[PlayedGame, int]]:
        return ((game, place) for game, place in self._of.get(player, ()) if game.over)

    def _streaks(self, player: Player) -> Iterator[tuple[Behind, ...]]:
        """Yield every row of games won, the last one also when it is empty."""
        row: list[Behind] = []
        for each in self.wins(player).behind:
            if each.result == WON:
                row.append(each)
                continue
            if row:
                yield tuple(row)
            row = []
        yield tuple(row)


def _won(game: PlayedGame, place: int) -> Behind:
    won = place in game.winners
    result = (WON if len(game.winners) == 1 else DRAWN) if won else LOST
    return Behind(game.id, None, int(result == WON), 1, result)


def _ahead(game: PlayedGame, mine: int, theirs: int) -> Behind:
    if (mine in game.winners) != (theirs in game.winners):
        result = WON if mine in game.winners else LOST
    else:
        totals = game.deals[-1].totals if game.deals else (0,) * len(game.sides)
        ahead = totals[mine] - totals[theirs]
        even = mine in game.winners or not ahead
        result = DRAWN if even else WON if (ahead < 0) == game.lowest_wins else LOST
    return Behind(game.id, None, int(result == WON), 1, result)
