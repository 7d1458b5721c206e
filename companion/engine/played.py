"""Games that people have played, as statistics see them: who sat where, what each deal gave, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from companion.engine.ledger import Before, SideScore
from companion.engine.profile import Facts, Rules

Player = str
"""The id of a player, the same on every evening."""


class MeasuredDeal(NamedTuple):
    """One player's part in one scored deal: what a measure looks at."""

    rules: Rules
    facts: Facts
    """The facts of the deal as the game has read them."""
    before: Before
    side: str
    seat: str
    score: SideScore


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that a game counts for its players deal by deal. Its words are the phrases `measures.<name>`."""

    name: str
    count: Callable[[MeasuredDeal], tuple[int, int] | None]
    """How many, and out of how many; None for a deal in which there was nothing to count."""
    share: bool = True
    """Whether the number is a part of the whole, in percent; otherwise it is a mean, such as three a deal."""


class PlayedDeal(NamedTuple):
    """A scored deal: points and totals by the place of the side, and what the game's measures found."""

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    counts: Mapping[str, Mapping[Player, tuple[int, int]]]
    """By the name of the measure and by player: how many, out of how many."""


class PlayedGame(NamedTuple):
    """A game with its scored deals. Guests, who belong to no group, are in none of its sides."""

    id: str
    at: datetime
    game: str
    lowest_wins: bool
    sides: tuple[tuple[Player, ...], ...]
    deals: tuple[PlayedDeal, ...]
    over: bool = False
    winners: tuple[int, ...] = ()
    """The places of the sides that won; several for a draw."""

    def side_of(self, player: Player) -> int | None:
        """Return the place of a player's side; None for somebody who did not play."""
        return next((place for place, side in enumerate(self.sides) if player in side), None)
