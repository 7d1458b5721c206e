"""What comes of many games: the draw and places of a league, statistics of players, highlights of an evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from random import Random
from typing import Final, Literal, NamedTuple

from companion.engine.ledger import SCORED, DealScore, Ledger, Line, PlayedDeal, PlayedGame, Player, Seating, Standing

Table = tuple[Player, ...]
"""The players of a table, clockwise."""
ROUND_ROBIN, RANDOM_PARTNERS = "round-robin", "random-partners"
FORMS: Final = (ROUND_ROBIN, RANDOM_PARTNERS)
_SWAPS: Final = 400
"""How often two players change places in a draw if fewer partners and opponents meet again then."""
_PARTNERS_AGAIN: Final = 10
"""How much worse it is to have a partner again than an opponent."""


def draw(
    form: str, players: Sequence[Player], earlier: Sequence[Sequence[Table]], random: Random, seating: Seating
) -> tuple[Table, ...]:
    """Return the tables of the next round; who sits at none has a rest.

    A round robin has tables of two, and after as many rounds as it takes to meet everybody it begins again. Random
    partners sit down as `seating` says. Raises ValueError for fewer players than `least_players`.
    """
    if len(players) < least_players(form, seating):
        raise ValueError("too few players")
    if form == ROUND_ROBIN:
        return _round_robin(players, len(earlier))
    return _random_partners(players, earlier, random, seating)


def least_players(form: str, seating: Seating) -> int:
    """Return how many players a table has, without which there is no round."""
    return 2 if form == ROUND_ROBIN else seating.players


def sides_at(table: Table, seating: Seating) -> tuple[Table, ...]:
    """Return who play together at a table; at one of another size, everybody plays alone."""
    count = seating.side_count if len(table) == seating.players else len(table)
    return tuple(table[first::count] for first in range(count))


def _round_robin(players: Sequence[Player], number: int) -> tuple[Table, ...]:
    """Return the tables of a round by turning everybody but the first round a circle."""
    circle = [*players] + [None] * (len(players) % 2)
    turn = number % (len(circle) - 1)
    circle = circle[:1] + circle[len(circle) - turn :] + circle[1 : len(circle) - turn]
    half = len(circle) // 2
    pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
    return tuple((one, other) for one, other in pairs if one is not None and other is not None)


def _random_partners(
    players: Sequence[Player], earlier: Sequence[Sequence[Table]], random: Random, seating: Seating
) -> tuple[Table, ...]:
    rests = Counter(
        player for tables in earlier for player in set(players) - {one for table in tables for one in table}
    )
    met = Counter(pair for tables in earlier for table in tables for pair in _pairs(table, seating))
    shuffled = random.sample(list(players), len(players))
    seated = sorted(shuffled, key=lambda player: -rests[player])[: len(players) // seating.players * seating.players]
    random.shuffle(seated)
    again = _met_again(seated, met, seating)
    for _ in range(_SWAPS):
        if not again:
            break
        one, other = random.sample(range(len(seated)), 2)
        seated[one], seated[other] = seated[other], seated[one]
        after = _met_again(seated, met, seating)
        if after > again:
            seated[one], seated[other] = seated[other], seated[one]
        else:
            again = after
    return _tables(seated, seating)


def _tables(seated: Sequence[Player], seating: Seating) -> tuple[Table, ...]:
    return tuple(tuple(seated[place : place + seating.players]) for place in range(0, len(seated), seating.players))


def _met_again(seated: Sequence[Player], met: Mapping[tuple[bool, frozenset[Player]], int], seating: Seating) -> int:
    """Return how bad it is that some of these have met before, as partners or as opponents."""
    pairs = (pair for table in _tables(seated, seating) for pair in _pairs(table, seating))
    return sum(met[pair] * (_PARTNERS_AGAIN if pair[0] else 1) for pair in pairs)


def _pairs(table: Table, seating: Seating) -> Iterable[tuple[bool, frozenset[Player]]]:
    """Yield every two of a table, and whether they are partners."""
    sides = sides_at(table, seating)
    for one, other in combinations(table, 2):
        yield any(one in side and other in side for side in sides), frozenset((one, other))


@dataclass(frozen=True, slots=True)
class Place:
    """A player in the standings of a league."""

    player: Player
    points: int = 0
    played: int = 0
    won: int = 0
    difference: int = 0
    """Points of the game above those of the best other side, summed."""


def standings(players: Sequence[Player], games: Iterable[PlayedGame], win: int, level: int) -> list[Place]:
    """Return the players by points in finished games, then by wins, then by the difference.

    A win brings `win` points, a draw `level` ones.
    """
    places = {player: Place(player) for player in players}
    for game in games:
        for place, side in enumerate(game.sides):
            points = (win if len(game.winners) == 1 else level) if place in game.winners else 0
            for player in side:
                before = places.get(player)
                if before is None:
                    continue
                places[player] = Place(
                    player, before.points + points, before.played + 1, before.won + (game.winners == (place,)),
                    before.difference + _difference(game, place),
                )  # fmt: skip
    return sorted(places.values(), key=lambda each: (-each.points, -each.won, -each.difference))


def _difference(game: PlayedGame, place: int) -> int:
    if not game.deals or len(game.sides) < 2:
        return 0
    sign = -1 if game.lowest_wins else 1
    totals = [sign * total for total in game.deals[-1].totals]
    return totals[place] - max(total for side, total in enumerate(totals) if side != place)


WON, DRAWN, LOST = "won", "drawn", "lost"


def games_of(games: Iterable[PlayedGame], game: str, year: int | None) -> Iterator[PlayedGame]:
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
            for deal in game.deals:
                for player in chain(*(deal.sides or ())):
                    self._of.setdefault(player, [])

    @cached_property
    def _deals(self) -> Mapping[Player, Sequence[tuple[PlayedGame, PlayedDeal, int]]]:
        """The deals of each player, with the place of the player's side."""
        found: dict[Player, list[tuple[PlayedGame, PlayedDeal, int]]] = {player: [] for player in self._of}
        for game in self.games:
            for deal, place, player in game.dealt():
                found[player].append((game, deal, place))
        return found

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
                Behind(game.id, deal.number, deal.points[place], 1) for game, deal, place in self._deals.get(player, ())
            )
        )

    def measured(self, player: Player, measure: str) -> Figure:
        """Return what a measure found for a player, deal by deal."""
        return Figure(
            tuple(
                Behind(game.id, deal.number, *deal.counts[measure][player])
                for game, deal, _ in self._deals.get(player, ())
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
    result = (WON if len(game.winners) == 1 else DRAWN) if place in game.winners else LOST
    return Behind(game.id, None, int(result == WON), 1, result)


def _ahead(game: PlayedGame, mine: int, theirs: int) -> Behind:
    if (mine in game.winners) != (theirs in game.winners):
        result = WON if mine in game.winners else LOST
    else:
        totals = game.deals[-1].totals if game.deals else (0,) * len(game.sides)
        ahead = totals[mine] - totals[theirs]
        result = DRAWN if mine in game.winners or not ahead else WON if (ahead < 0) == game.lowest_wins else LOST
    return Behind(game.id, None, int(result == WON), 1, result)


Leaders = Callable[[Mapping[str, Standing]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Achievement:
    """An achievement that a game counts in the lines of an evening. Its sentence is the phrase `story.<name>`.

    `each` names everybody whose lines have it, `most` whoever has more of it than all others, `best` the one deal
    that has the most of it.
    """

    name: str
    count: Callable[[Line], tuple[int, int] | None]
    """How many, out of how many; None for a line about something else. `(0, 0)` adds only the points of the line."""
    of: Literal["each", "most", "best"] = "each"


@dataclass(frozen=True, slots=True)
class Achieved:
    """What a player or a side achieved: how many, out of how many, the points of the lines, the deals on the sheet."""

    achievement: str
    who: str
    side: str
    count: int
    tried: int
    points: int
    deals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swing:
    """The deal that gave or cost one side most, in points; `deal` is its number on the sheet."""

    deal: int
    side: str
    points: int


@dataclass(frozen=True, slots=True)
class Story:
    """A finished game looked back at.

    `ahead` is the number of the deal after which the winner led alone to the end; None for a draw, and for a winner who
    never led alone.
    """

    last: int
    """The number of the last deal."""
    swing: Swing
    ahead: int | None
    throughout: bool
    """Whether the winner led alone after every deal."""
    achievements: tuple[Achieved, ...] = ()
    """What it is remembered for, in the order in which the game names it."""


def story_of(
    ledger: Ledger,
    leaders: Leaders,
    achievements: Sequence[Achievement] = (),
    player: Callable[[int, str], str] = lambda deal, seat: seat,
) -> Story | None:
    """Return the story of a finished game; None for one that goes on, and for a single deal.

    A line that names a player counts for the player, any other line for the side. `player` returns who sat at a seat in
    a deal; other ids it returns unchanged.
    """
    scored = [(number, deal) for number, deal in enumerate(ledger.deals, start=1) if deal.status == SCORED]
    if not ledger.outcome.over or len(scored) < 2:
        return None
    swings = [Swing(number, side, score.points) for number, deal in scored for side, score in deal.sides.items()]
    led = [(number, _leads(deal, ledger.outcome.winners, leaders)) for number, deal in scored]
    ahead = None
    for number, alone in reversed(led):
        if not alone:
            break
        ahead = number
    return Story(
        scored[-1][0],
        max(swings, key=lambda swing: abs(swing.points)),
        ahead,
        all(alone for _, alone in led),
        tuple(
            done
            for achievement in achievements
            for done in _chosen(achievement, [*_found(ledger, achievement, player)])
        ),
    )


def _found(ledger: Ledger, achievement: Achievement, player: Callable[[int, str], str]) -> Iterator[Achieved]:
    """Yield what each deal has of an achievement."""
    for number, deal in enumerate(ledger.deals, start=1):
        for side, score in deal.sides.items():
            for line in score.lines:
                counted = achievement.count(line)
                if counted is not None:
                    who = player(number, str(line.facts.get("player") or side))
                    yield Achieved(achievement.name, who, side, *counted, line.points, (number,))


def _chosen(achievement: Achievement, found: Sequence[Achieved]) -> Sequence[Achieved]:
    """Return whoever is named for an achievement, from what the deals have of it."""
    sums: dict[tuple[object, ...], Achieved] = {}
    for done in found:
        key = (done.who, done.deals) if achievement.of == "best" else (done.who,)
        sums[key] = _together(sums[key], done) if key in sums else done
    tried = [done for done in sums.values() if done.tried]
    if achievement.of == "each" or not tried:
        return tried
    most = max(done.count for done in tried)
    first = [done for done in tried if done.count == most] if most > 0 else []
    return first[:1] if achievement.of == "best" or len(first) == 1 else ()


def _together(one: Achieved, other: Achieved) -> Achieved:
    deals = tuple(dict.fromkeys((*one.deals, *other.deals)))
    added = {each: getattr(one, each) + getattr(other, each) for each in ("count", "tried", "points")}
    return replace(one, deals=deals, **added)


def _leads(deal: DealScore, winners: tuple[str, ...], leaders: Leaders) -> bool:
    """Return whether the one winner had the best total alone after a deal."""
    return len(winners) == 1 and leaders({side: score.standing for side, score in deal.sides.items()}) == winners
