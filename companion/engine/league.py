"""The draw of a league: who sits at which table in a round, and the points that results bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Final

from companion.engine.played import PlayedGame, Player
from companion.engine.profile import Seating

Table = tuple[Player, ...]
"""The players of a table, clockwise."""
ROUND_ROBIN, RANDOM_PARTNERS = "round-robin", "random-partners"
FORMS: Final = (ROUND_ROBIN, RANDOM_PARTNERS)
SWAPS: Final = 400
"""How often two players change places in a draw if fewer partners and opponents meet again then."""
PARTNERS_AGAIN: Final = 10
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
    circle: list[Player | None] = [*players] + [None] * (len(players) % 2)
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
    for _ in range(SWAPS):
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
    return sum(met[pair] * (PARTNERS_AGAIN if pair[0] else 1) for pair in pairs)


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
