"""What people ask a sheet to write down: commands, and their reading from JSON.

In JSON a command is `{"type": "record_deal", ...}` with the fields of its class. `deal` and `game_number` mean the open
deal and the running game where they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.engine.ledger import Side
from companion.engine.problems import Pointer, Refused
from companion.engine.reading import Node
from companion.sheets.events import Json, Seat
from companion.sheets.fields import read_fields


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a game. Without `sides` the seats are paired across the table where the rules play so, else each alone."""

    game: str
    rules: Json = field(default_factory=dict)
    seating: tuple[str, ...] | None = None
    sides: tuple[Side, ...] | None = None
    dealer: str | None = None
    opening: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """Open a sheet; with `game`, begin the first game at once."""

    seats: tuple[Seat, ...]
    title: str = ""
    lang: str = ""
    game: str | None = None
    rules: Json = field(default_factory=dict)
    seating: tuple[str, ...] | None = None
    sides: tuple[Side, ...] | None = None
    dealer: str | None = None
    opening: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rematch:
    """Begin the same game again: same rules and sides, the dealer moved on; another `seating` makes new sides."""

    seating: tuple[str, ...] | None = None
    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class MakeCall:
    call: Json
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class ChangeCall:
    place: int
    call: Json
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class ClearCalls:
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class RecordDeal:
    """Record the open deal. What its calls have settled need not be repeated in the facts."""

    facts: Json
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class CorrectDeal:
    """Put other facts in the place of a deal's; adjustments stay where the facts name none."""

    deal: int
    facts: Json
    reason: str = ""
    game_number: int | None = None


@dataclass(frozen=True, slots=True)
class VoidDeal:
    """Let a deal count for nothing, the open one where none is named."""

    deal: int | None = None
    reason: str = ""
    dealer_stays: bool = False
    game_number: int | None = None


@dataclass(frozen=True, slots=True)
class Adjust:
    """Give or take points with a reason, in the last deal that counts where none is named."""

    side: str
    points: int
    reason: str
    deal: int | None = None
    game_number: int | None = None


@dataclass(frozen=True, slots=True)
class ConfirmDeal:
    deal: int
    side: str
    game_number: int | None = None


@dataclass(frozen=True, slots=True)
class SetDealer:
    seat: str


@dataclass(frozen=True, slots=True)
class SkipDealer:
    pass


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Play by other rules from a deal on, the open one where none is named."""

    rules: Json
    deal: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class WriteNote:
    note: str
    deal: int | None = None
    game_number: int | None = None


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class AddPlayer:
    name: str


@dataclass(frozen=True, slots=True)
class TitleSheet:
    title: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last event that stands; with `target`, only if it is that one."""

    target: int | None = None


@dataclass(frozen=True, slots=True)
class Redo:
    target: int | None = None


Command = (
    StartGame
    | Rematch
    | MakeCall
    | ChangeCall
    | ClearCalls
    | RecordDeal
    | CorrectDeal
    | VoidDeal
    | Adjust
    | ConfirmDeal
    | SetDealer
    | SkipDealer
    | ChangeRules
    | WriteNote
    | RenamePlayer
    | AddPlayer
    | TitleSheet
    | Undo
    | Redo
)

_CLASSES: tuple[type, ...] = (
    StartGame, Rematch, MakeCall, ChangeCall, ClearCalls, RecordDeal, CorrectDeal, VoidDeal, Adjust, ConfirmDeal,
    SetDealer, SkipDealer, ChangeRules, WriteNote, RenamePlayer, AddPlayer, TitleSheet, Undo, Redo,
)  # fmt: skip

COMMANDS: Mapping[str, type] = {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in _CLASSES}


def read_command(value: Any, *, pointer: Pointer = ()) -> Command:
    """The command in a JSON value. Raises Refused with every fault found."""
    node = Node(value, pointer)
    if node.object(required=("type",), others=True):
        kind = node["type"].one_of(COMMANDS, code="unknown-command")
        if not node.problems:
            fields = Node({key: item for key, item in value.items() if key != "type"}, pointer, node.problems)
            command: Any = read_fields(COMMANDS[kind], fields)
            if command is not None:
                known: Command = command
                return known
    raise Refused(node.problems)


def read_opening_request(value: Any, *, pointer: Pointer = ()) -> OpenSheet:
    """What a new sheet is to be, from a JSON value. Raises Refused with every fault found."""
    node = Node(value, pointer)
    request = read_fields(OpenSheet, node)
    if request is None:
        raise Refused(node.problems)
    return request
