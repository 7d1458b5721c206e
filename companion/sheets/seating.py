"""Who plays a game and who with whom: the beginning of a game on a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion import __version__
from companion.engine.game import Game, read_opening
from companion.engine.ledger import Side
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.sheets import commands as c
from companion.sheets import events as e
from companion.sheets.fields import plain
from companion.sheets.refusals import refuse, refuse_all


def game_started(command: c.StartGame, number: int, seats: Sequence[str], games: Mapping[str, Game]) -> e.GameStarted:
    """The beginning of a game among these seats of the sheet, its rules written out whole. Raises Refused."""
    known = games.get(command.game)
    if known is None:
        refuse(("game",), "unknown-game", value=command.game, choices=list(games))
    node = Node(command.rules, ("rules",))
    house = known.options.read(node)
    refuse_all(node.problems)
    seating = command.seating or tuple(seats)
    for seat in seating:
        if seat not in seats:
            refuse(("seating",), "unknown-seat", value=seat, choices=list(seats))
    dealer = command.dealer or seating[0]
    if dealer not in seating:
        refuse(("dealer",), "unknown-seat", value=dealer, choices=list(seating))
    sides = _sides(known, house.options, seating, command.sides)
    opening = Node(command.opening, ("opening",))
    read_opening(known, opening, house.options, sides)
    refuse_all(opening.problems)
    options = known.options.plain(house.options)
    return e.GameStarted(
        number, known.id, house.preset, options, __version__, seating, sides, dealer, command.opening
    )  # fmt: skip


def _sides(known: Game, rules: Any, seating: tuple[str, ...], given: tuple[Side, ...] | None) -> tuple[Side, ...]:
    """The sides as given, or the game's preferred way for this number of players. Raises Refused."""
    if given is not None:
        playing = sorted(seat for side in given for seat in side.players)
        if playing != sorted(seating):
            refuse(("sides",), "sides-seats", seating=list(seating), playing=playing)
        node = Node(plain(given), ("sides",))
        known.read_sides(node, rules)
        refuse_all(node.problems)
        return given
    for way in known.seatings(rules):
        if way.players == len(seating):
            return way.sides(seating)
    facts = {"count": len(seating), "possible": possible_seats(known, rules)}
    raise Refused([Problem(("seats",), "table-size", facts)])


def alone(seating: tuple[str, ...]) -> tuple[Side, ...]:
    """Everybody on a side of their own."""
    return tuple(Side(seat, (seat,)) for seat in seating)


def possible_seats(known: Game, rules: Any) -> list[int]:
    """Return how many players the game can have under the rules, fewest first."""
    return sorted({way.players for way in known.seatings(rules)})
