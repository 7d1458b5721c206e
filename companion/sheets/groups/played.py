"""The games of a sheet as statistics see them, kept for sheets that have not changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Final, NamedTuple

from companion.engine.game import Game, read_deal
from companion.engine.ledger import SCORED, Before, Ledger, MeasuredDeal, PlayedDeal, PlayedGame, Standing
from companion.engine.problems import Node
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame

SEPARATOR: Final = "."
"""Between the id of a sheet and the number of a game, which name a game together."""
MOST_DEALS: Final = 200_000
"""Deals of the games that are kept."""


def game_id(sheet: str, number: int) -> str:
    """Return the id of a game of a sheet."""
    return f"{sheet}{SEPARATOR}{number}"


def place_of(game: str) -> tuple[str, int]:
    """Return the sheet and the number of a game. Raises ValueError for what is no such id."""
    sheet, _, number = game.rpartition(SEPARATOR)
    return sheet, int(number)


def played_games(view: View, seats: Mapping[str, str]) -> tuple[PlayedGame, ...]:
    """Return the games of a sheet, given the players by seat."""
    return tuple(
        _played(view, game, ledger, seats) for game, ledger in zip(view.sheet.games, view.ledgers, strict=True)
    )


class Kept(NamedTuple):
    """The games of a sheet at a version, for the players that the names at its seats stood for."""

    tag: str
    names: Mapping[str, str]
    seats: Mapping[str, str]
    games: tuple[PlayedGame, ...]


class PlayedCache:
    """Keep the games of the sheets of groups until they change; the oldest entry goes first."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Kept] = {}
        self._deals = 0
        self._lock = Lock()

    def find(self, group: str, sheet: str) -> Kept | None:
        """Return what is kept of a sheet of a group."""
        with self._lock:
            return self._kept.get((group, sheet))

    def keep(self, group: str, sheet: str, kept: Kept) -> None:
        """Keep the games of a sheet, instead of those of an earlier version."""
        with self._lock:
            self._drop((group, sheet))
            self._kept[group, sheet] = kept
            self._deals += _size(kept.games)
            while self._deals > MOST_DEALS and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[str, str]) -> None:
        if dropped := self._kept.pop(key, None):
            self._deals -= _size(dropped.games)


def _size(games: tuple[PlayedGame, ...]) -> int:
    return 1 + sum(len(game.deals) for game in games)


def _played(view: View, game: SheetGame, ledger: Ledger, seats: Mapping[str, str]) -> PlayedGame:
    known, ids = view.games[game.game], [side.id for side in game.sides]
    return PlayedGame(
        id=game_id(view.id, game.number),
        at=game.started,
        game=game.game,
        lowest_wins=known.lowest_wins,
        sides=tuple(tuple(seats[seat] for seat in side.players if seat in seats) for side in game.sides),
        deals=tuple(_deals(view, game, ledger, known, seats)),
        over=ledger.outcome.over,
        winners=tuple(ids.index(winner) for winner in ledger.outcome.winners),
    )


def _deals(view: View, game: SheetGame, ledger: Ledger, known: Game, seats: Mapping[str, str]) -> Iterator[PlayedDeal]:
    before = Before({side.id: Standing() for side in game.sides}, 0, bool(game.opening))
    for deal, scored in zip(game.deals, ledger.deals, strict=True):
        after = {side: score.standing for side, score in scored.sides.items()}
        if scored.status == SCORED:
            counts: dict[str, dict[str, tuple[int, int]]] = {}
            rules = view.house(game, deal.number).options
            facts = read_deal(known, Node(deal.facts), rules, game.sides).facts if known.measures else None
            for side in game.sides:
                for seat in side.players:
                    if seat not in seats or facts is None:
                        continue
                    looked = MeasuredDeal(rules, facts, before, side.id, seat, scored.sides[side.id])
                    for measure in known.measures:
                        if found := measure.count(looked):
                            counts.setdefault(measure.name, {})[seats[seat]] = found
            yield PlayedDeal(
                deal.number,
                tuple(scored.sides[side.id].points for side in game.sides),
                tuple(after[side.id].total for side in game.sides),
                counts,
            )
        before = Before(after, before.scored + (scored.status == SCORED), before.carried_over)
