"""The log of a group: its events as stored records, in the same hash chain as those of a sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from companion.engine.shapes import Shape
from companion.sheets.groups.leagues import DrawRound, LeagueStarted, RoundDrawn, StartLeague
from companion.sheets.groups.model import (
    AddMembers,
    GroupCommand,
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
    Stored,
    TitleGroup,
    fold_group,
)
from companion.sheets.groups.state import Group
from companion.sheets.log import chain
from companion.sheets.shapes import canonical, read_tagged, restore, tagged, to_json
from companion.sheets.store import Record

EVENTS: Final[Mapping[str, type[GroupEvent]]] = {
    "group_opened": GroupOpened,
    "group_titled": GroupTitled,
    "member_added": MemberAdded,
    "member_renamed": MemberRenamed,
    "member_merged": MemberMerged,
    "member_removed": MemberRemoved,
    "sheet_joined": SheetJoined,
    "sheet_left": SheetLeft,
    "rules_kept": RulesKept,
    "league_started": LeagueStarted,
    "round_drawn": RoundDrawn,
}
"""The kinds of events by their names in the log."""
_COMMANDS: Final[Mapping[str, type[GroupCommand]]] = {
    "title_group": TitleGroup,
    "add_members": AddMembers,
    "rename_member": RenameMember,
    "merge_member": MergeMember,
    "remove_member": RemoveMember,
    "keep_rules": KeepRules,
    "start_league": StartLeague,
    "draw_round": DrawRound,
}
COMMANDS: Final[Mapping[str, type[Shape[GroupCommand]]]] = {
    name: tagged(kind, "type", name, suffix="Command") for name, kind in _COMMANDS.items()
}
"""The shapes of the commands that need nothing but the group, each with its name under `type`."""
VERSION: Final = 1
"""The version in which every kind of event is written."""
_NAMES: Final = {kind: name for name, kind in EVENTS.items()}


def read_group_command(value: object) -> GroupCommand:
    """Return the command in a JSON object: its name under `type` beside its fields. Raises Refused."""
    return read_tagged(COMMANDS, value)


def to_records(events: Sequence[GroupEvent], last_hash: str, version: int, at: str, actor: str) -> list[Record]:
    """Return records of events that follow a version of a group and the hash of its last event."""
    records = []
    for seq, event in enumerate(events, start=version + 1):
        kind, body = _NAMES[type(event)], canonical(to_json(event))
        found = chain(last_hash, seq, at, actor, kind, VERSION, body)
        records.append(Record(seq, at, actor, kind, VERSION, body, last_hash, found))
        last_hash = found
    return records


def stored(record: Record) -> Stored:
    """Return the event in a record. Raises KeyError for an unknown kind."""
    event = restore(EVENTS[record.kind], json.loads(record.body))
    return Stored(record.seq, datetime.fromisoformat(record.at), event)


def check_group(records: Sequence[Record]) -> Group:
    """Return the group after the records of its log. Raises BrokenLog or KeyError if they cannot be read."""
    return fold_group(stored(record) for record in records)
