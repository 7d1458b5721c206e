"""The kinds of events and commands of a group by their names, and the entries in the records of its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.engine.shapes import Shape
from companion.sheets.groups.leagues import DrawRound, LeagueStarted, RoundDrawn, StartLeague
from companion.sheets.groups.model import (
    AddMembers,
    GroupCommand,
    GroupEntry,
    GroupEvent,
    GroupOpened,
    GroupTitled,
    KeepRules,
    MemberAdded,
    MemberMerged,
    MemberRemoved,
    MemberRenamed,
    MergeMember,
    RemoveMember,
    RenameMember,
    RulesKept,
    SheetJoined,
    SheetLeft,
    TitleGroup,
)
from companion.sheets.log import entries_in
from companion.sheets.shapes import by_name, read_tagged, tagged
from companion.sheets.store import Record

EVENTS: Final[Mapping[str, type[GroupEvent]]] = by_name(
    GroupOpened, GroupTitled, MemberAdded, MemberRenamed, MemberMerged, MemberRemoved, SheetJoined, SheetLeft,
    RulesKept, LeagueStarted, RoundDrawn,
)  # fmt: skip
"""The kinds of events by their names in the log."""
_COMMANDS: Final[Mapping[str, type[GroupCommand]]] = by_name(
    TitleGroup, AddMembers, RenameMember, MergeMember, RemoveMember, KeepRules, StartLeague, DrawRound
)
COMMANDS: Final[Mapping[str, type[Shape[GroupCommand]]]] = {
    name: tagged(kind, "type", name, suffix="Command") for name, kind in _COMMANDS.items()
}
"""The shapes of the commands that need nothing but the group, each with its name under `type`."""


def read_group_command(value: object) -> GroupCommand:
    """Return the command in a JSON object: its name under `type` beside its fields. Raises Refused."""
    return read_tagged(COMMANDS, value)


def from_group_records(records: Sequence[Record]) -> list[GroupEntry]:
    """Return the entries in the records of a group. Raises KeyError for an unknown kind."""
    return entries_in(records, EVENTS)
