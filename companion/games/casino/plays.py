"""What is announced, not yet judged: a turn with its plays in order, a request, a deal, a second cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card

CAPTURE, BUILD, RAISE, AUGMENT, TRAIL = "capture", "build", "raise", "augment", "trail"

PLAYS: Final = (CAPTURE, TRAIL, BUILD, RAISE, AUGMENT)


@dataclass(frozen=True, slots=True)
class Material:
    """Cards announced together: loose ones, one from the hand, pile cards with the side they lie with, builds by id."""

    table: tuple[Card, ...] = ()
    card: Card | None = None
    piles: tuple[tuple[str, Card], ...] = ()
    builds: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all single cards of the material."""
        hand = () if self.card is None else (self.card,)
        return (*self.table, *hand, *(card for _, card in self.piles))

    def __bool__(self) -> bool:
        return bool(self.cards or self.builds)


@dataclass(frozen=True, slots=True)
class Base:
    """What an augmented build starts from: `build`, `table`, and what cannot be one, `hand` and `pile`."""

    kind: str
    build: str = ""
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """One play of a turn. `value` is the announced value of a build, the new one when it is raised."""

    kind: str
    material: Material
    sets: tuple[Material, ...] = ()
    value: int = 0
    declared: int | None = None
    target: str = ""
    absorbed: tuple[tuple[Card, ...], ...] = ()
    base: Base | None = None
    name: str = ""
    asked_by: str | None = None

    def groups(self) -> tuple[Material, ...]:
        """Return the sets announced; material written beside them is one more set."""
        return (*self.sets, self.material) if self.material else self.sets


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: who takes it, where that is said, and its plays in order."""

    player: str | None
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """The request that the partner adds to a build instead of taking it."""

    build: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: who dealt, who plays first, and how many cards there are on the table and in the hands of a round."""

    dealer: str | None
    first: str | None
    table: int | None
    hands: Mapping[str, int]
    round: int


@dataclass(frozen=True, slots=True)
class Recut:
    """A second cut, because the first cards are rich."""

    table: tuple[Card, ...]
