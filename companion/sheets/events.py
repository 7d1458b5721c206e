"""What has happened on a sheet: frozen, in the past tense, whole, never edited.

`game_number` counts the games of a sheet and `deal` the deals of one game, both from 1. The next deal's number stands
for the open deal: calls are written to it before the deal itself is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from companion.engine.ledger import Side

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table under an id that never changes, and the name of who sits there."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SheetOpened:
    seats: tuple[Seat, ...]
    title: str = ""
    lang: str = ""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began. Every option is written out, so that a later default changes no old game."""

    game_number: int
    game: str
    preset: str
    options: Json
    engine: str
    seating: tuple[str, ...]
    """Seat ids clockwise around the table."""
    sides: tuple[Side, ...]
    dealer: str
    opening: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallMade:
    game_number: int
    deal: int
    call: Json
    """The call as the contract writes it: `{"seat": "A", "call": 5}`."""


@dataclass(frozen=True, slots=True)
class CallChanged:
    game_number: int
    deal: int
    place: int
    """Which call of the deal, from 0."""
    call: Json


@dataclass(frozen=True, slots=True)
class CallsCleared:
    game_number: int
    deal: int


@dataclass(frozen=True, slots=True)
class DealRecorded:
    game_number: int
    deal: int
    facts: Json
    """The deal as the contract writes it, with its adjustments and accepted problems."""


@dataclass(frozen=True, slots=True)
class DealCorrected:
    game_number: int
    deal: int
    facts: Json
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DealVoided:
    game_number: int
    deal: int
    reason: str = ""
    dealer_stays: bool = False


@dataclass(frozen=True, slots=True)
class Adjusted:
    game_number: int
    deal: int
    side: str
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class DealConfirmed:
    game_number: int
    deal: int
    side: str


@dataclass(frozen=True, slots=True)
class DealerSet:
    game_number: int
    deal: int
    seat: str
    skipped: bool = False
    """True where the seat before was passed over, False where the table named the dealer."""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """From a deal on the table plays by these rules, written out whole."""

    game_number: int
    deal: int
    preset: str
    options: Json
    note: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    game_number: int
    deal: int
    note: str


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class SheetTitled:
    title: str


@dataclass(frozen=True, slots=True)
class Undone:
    target: int
    """The sequence number of the event that was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    target: int


Event = (
    SheetOpened
    | GameStarted
    | CallMade
    | CallChanged
    | CallsCleared
    | DealRecorded
    | DealCorrected
    | DealVoided
    | Adjusted
    | DealConfirmed
    | DealerSet
    | RulesChanged
    | Noted
    | PlayerRenamed
    | PlayerJoined
    | SheetTitled
    | Undone
    | Redone
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in its place in the log: when it was written (UTC) and under which label."""

    seq: int
    at: datetime
    actor: str
    event: Event
