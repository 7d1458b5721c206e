"""Partners in rotation: in three games everybody of four has played with everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.ledger import team_name
from companion.sheets.state import Sheet, SheetGame

GAMES_IN_ROUND: Final = 3
"""Games until everybody of four has played with everybody."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """Who plays with whom in the next game, and how far the rotation is.

    `game` is the number of the last game in its round of three; 0 while the partners have not changed yet.
    """

    sides: str
    game: int = 0

    @property
    def complete(self) -> bool:
        """Return whether everybody has played with everybody."""
        return self.game == GAMES_IN_ROUND


def next_seating(seating: Sequence[str]) -> tuple[str, ...]:
    """Return the seats for other partners: the first stays, and the others move up behind the one who sits last."""
    return (*seating[:1], *seating[-1:], *seating[1:-1])


def next_sides(game: SheetGame, names: Mapping[str, str]) -> str:
    """Return who would play with whom in the next game of a rotation; empty where four do not play in pairs."""
    if len(game.seating) != 4 or len(game.sides) != 2:
        return ""
    sat = [names[seat] for seat in next_seating(game.seating)]
    return " – ".join(_unbroken(team_name(side)) for side in (sat[::2], sat[1::2]))


def _unbroken(team: str) -> str:
    """Return a team that stays in one line where there is room."""
    return team.replace(" & ", "\u00a0&\u00a0").replace("・", "\u2060・\u2060")


def rotation_of(sheet: Sheet) -> Rotation | None:
    """Return how the rotation of a sheet goes on; None where four do not play in pairs.

    It lasts as long as each game is seated as this one says, so that nothing has to be written down about it.
    """
    sides = next_sides(sheet.games[-1], sheet.names)
    if not sides:
        return None
    rotated = 0
    for before, game in zip(sheet.games[-2::-1], sheet.games[:0:-1], strict=True):
        if tuple(game.seating) != next_seating(before.seating):
            break
        rotated += 1
    return Rotation(sides, rotated % GAMES_IN_ROUND + 1 if rotated else 0)
