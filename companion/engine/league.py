"""The draw of a league: who sits at which table in a round, and the points that results bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Final

from companion.engine.played import PlayedGame, Player

Table = tuple[Player, ...]
"""The players of a table, clockwise; of four, those who sit opposite are partners."""
ROUND_ROBIN, RANDOM_PARTNERS = "round-robin", "random-partners"
FORMS: Final = (ROUND_ROBIN, RANDOM_PARTNERS)
SWAPS: Final = 400
"""How often two players change places in a draw if fewer partners and opponents meet again then."""
PARTNERS_AGAIN: Final = 10
"""How much worse it is to have a partner again than an opponent."""


def draw(form: str, players: Sequence[Player], earlier: Sequence[Sequence[Table]], random: Random) -> tuple[Table, ...]:
    """Return the tables of the next round; who sits at none has a rest.

    A round robin has tables of two, and after as many rounds as it takes to meet everybody it begins again. Random
    partners have tables of four. Raises ValueError for too few players.
    """
    if form == ROUND_ROBIN:
        return _round_robin(players, len(earlier))
    return _random_partners(players, earlier, random)


def _round_robin(players: Sequence[Player], number: int) -> tuple[Table, ...]:
    """Return the tables of a round by turning everybody but the first round a circle."""
    if len(players) < 2:
        raise ValueError("too few players")
    circle: list[Player | None] = [*players] + [None] * (len(players) % 2)
    turn = number % (len(circle) - 1)
    circle = circle[:1] + circle[len(circle) - turn :] + circle[1 : len(circle) - turn]
    half = len(circle) // 2
    pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
    return tuple((one, other) for one, other in pairs if one is not None and other is not None)


def _random_partners(
    players: Sequence[Player], earlier: Sequence[Sequence[Table]], random: Random
) -> tuple[Table, ...]:
    if len(players) < 4:
        raise ValueError("too few players")
    rests = Counter(
        player for tables in earlier for player in set(players) - {one for table in tables for one in table}
    )
    met = Counter(pair for tables in earlier for table in tables for pair in _pairs(table))
    shuffled = random.sample(list(players), len(players))
    seated = sorted(shuffled, key=lambda player: -rests[player])[: len(players) // 4 * 4]
    random.shuffle(seated)
    again = _met_again(seated, met)
    for _ in range(SWAPS):
        if not again:
            break
        one, other = random.sample(range(len(seated)), 2)
        seated[one], seated[other] = seated[other], seated[one]
        after = _met_again(seated, met)
        if after > again:
            seated[one], seated[other] = seated[other], seated[one]
        else:
            again = after
    return _tables(seated)


def _tables(seated: Sequence[Player]) -> tuple[Table, ...]:
    return tuple(tuple(seated[place : place + 4]) for place in range(0, len(seated), 4))


def _met_again(seated: Sequence[Player], met: Mapping[tuple[bool, frozenset[Player]], int]) -> int:
    """Return how bad it is that some of these have met before, as partners or as opponents."""
    return sum(met[pair] * (PARTNERS_AGAIN if pair[0] else 1) for table in _tables(seated) for pair in _pairs(table))


def _pairs(table: Table) -> Iterable[tuple[bool, frozenset[Player]]]:
    """Yield every two of a table, and whether they are partners."""
    for (place, one), (seat, other) in combinations(enumerate(table), 2):
        yield len(table) == 4 and seat - place == 2, frozenset((one, other))


@dataclass(frozen=True, slots=True)
class Place:
    """A player in the standings of a league."""

    player: Player
    points: int = 0
    played: int = 0
    won: int = 0
    difference: int = 0
    """Points of the game above those of the best other side, summed."""
    tables: tuple[tuple[int, int], ...] = field(default=())
    """The rounds and tables that brought points, from 1."""


def standings(
    players: Sequence[Player], results: Mapping[tuple[int, int], PlayedGame], win: int, level: int
) -> list[Place]:
    """Return the players by points, then by wins, then by the difference; `results` has the finished games by table.

    A win brings `win` points, a draw `level` ones.
    """
    places = {player: Place(player) for player in players}
    for table, game in sorted(results.items()):
        for place, side in enumerate(game.sides):
            won = place in game.winners
            points = (win if len(game.winners) == 1 else level) if won else 0
            for player in side:
                before = places.get(player)
                if before is None:
                    continue
                places[player] = Place(
                    player, before.points + points, before.played + 1, before.won + (game.winners == (place,)),
                    before.difference + _difference(game, place), (*before.tables, table),
                )  # fmt: skip
    return sorted(places.values(), key=lambda each: (-each.points, -each.won, -each.difference))


def _difference(game: PlayedGame, place: int) -> int:
    if not game.deals or len(game.sides) < 2:
        return 0
    sign = -1 if game.lowest_wins else 1
    totals = [sign * total for total in game.deals[-1].totals]
    return totals[place] - max(total for side, total in enumerate(totals) if side != place)
