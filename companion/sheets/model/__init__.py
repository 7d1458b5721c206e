"""Everything that can be asked of a sheet and everything that can happen on one.

Each command is beside the event to which it leads, with its fields, its decision, its application and its
description. The two registries below are the only tables by kind: a new kind is added to its module and to them.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.shapes import Shape
from companion.sheets.model.base import (
    Command,
    DealEvent,
    Description,
    Event,
    GameEvent,
    Games,
    Reversal,
    refuse,
    refuse_all,
)
from companion.sheets.model.calls import (
    CallChanged,
    CallMade,
    CallsCleared,
    ChangeCall,
    ClearCalls,
    MakeCall,
    settled_facts,
)
from companion.sheets.model.deals import (
    Adjust,
    Adjusted,
    ConfirmDeal,
    CorrectDeal,
    DealConfirmed,
    DealCorrected,
    DealRecorded,
    DealVoided,
    Noted,
    RecordDeal,
    VoidDeal,
    WriteNote,
)
from companion.sheets.model.games import (
    ChangeRules,
    DealerSet,
    GameStarted,
    Rematch,
    RulesChanged,
    SetDealer,
    SkipDealer,
    StartGame,
    possible_seats,
)
from companion.sheets.model.sheet import (
    AddPlayer,
    OpenSheet,
    PlayerJoined,
    PlayerRenamed,
    Redo,
    Redone,
    RenamePlayer,
    SheetOpened,
    SheetTitled,
    TitleSheet,
    Undo,
    Undone,
)
from companion.sheets.shapes import by_name, kind_name, read, read_tagged, tagged, to_json
from companion.sheets.state import Entry, Seat

__all__ = [
    "COMMANDS", "COMMAND_SHAPES", "EVENTS", "AddPlayer", "Adjust", "Adjusted", "CallChanged", "CallMade",
    "CallsCleared", "ChangeCall",
    "ChangeRules", "ClearCalls", "Command", "ConfirmDeal", "CorrectDeal", "DealConfirmed", "DealCorrected",
    "DealEvent", "DealRecorded", "DealVoided", "DealerSet", "Description", "Entry", "Event", "GameEvent",
    "GameStarted", "Games", "MakeCall", "Noted", "OpenSheet", "PlayerJoined", "PlayerRenamed",
    "RecordDeal", "Redo", "Redone", "Rematch", "RenamePlayer", "Reversal", "RulesChanged", "Seat", "SetDealer",
    "SheetOpened", "SheetTitled", "SkipDealer", "StartGame", "TitleSheet", "Undo", "Undone", "VoidDeal", "WriteNote",
    "command_json", "kind_of", "possible_seats", "read_command", "read_opening", "refuse", "refuse_all",
    "settled_facts",
]  # fmt: skip

EVENTS: Mapping[str, type[Event]] = by_name(
    SheetOpened, GameStarted, CallMade, CallChanged, CallsCleared, DealRecorded, DealCorrected, DealVoided, Adjusted,
    DealConfirmed, DealerSet, RulesChanged, Noted, PlayerRenamed, PlayerJoined, SheetTitled, Undone, Redone,
)  # fmt: skip
COMMANDS: Mapping[str, type[Command]] = by_name(
    StartGame, Rematch, MakeCall, ChangeCall, ClearCalls, RecordDeal, CorrectDeal, VoidDeal, Adjust, ConfirmDeal,
    SetDealer, SkipDealer, ChangeRules, WriteNote, RenamePlayer, AddPlayer, TitleSheet, Undo, Redo,
)  # fmt: skip

COMMAND_SHAPES: Mapping[str, type[Shape[Command]]] = {
    name: tagged(kind, "type", name, suffix="Command") for name, kind in COMMANDS.items()
}
"""The shape of each command with its name under `type`."""


def kind_of(event: Event) -> str:
    """Return the name of the event's kind in JSON: `deal_recorded`."""
    return kind_name(type(event))


def read_command(value: object) -> Command:
    """Return the command in a JSON object: its name under `type` beside its fields.

    `deal` and `game_number` mean the open deal and the current game if they are left out. Raises Refused with every
    problem found.
    """
    return read_tagged(COMMAND_SHAPES, value)


def command_json(command: Command) -> dict[str, object]:
    """Return a command as `read_command` reads it."""
    return {"type": kind_name(type(command)), **to_json(command)}


def read_opening(value: object) -> OpenSheet:
    """Return the request for a new sheet in a JSON object. Raises Refused with every problem found."""
    return read(OpenSheet, value)
