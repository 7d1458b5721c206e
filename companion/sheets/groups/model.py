"""Everything that can be asked of a group and everything that can happen to one, each event beside its command."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Final, TypeAlias

from companion.engine import shapes
from companion.engine.options import CODE_LENGTH
from companion.engine.problems import JsonObject
from companion.games import GAMES
from companion.sheets.groups.state import Group, JoinedSheet, Member, folded
from companion.sheets.model.base import refuse
from companion.sheets.shapes import GameId, JsonField, Language, Name, NameField, SeatIdField
from companion.sheets.state import LogEntry

MAX_MEMBERS: Final = 200
"""Members of one group, those removed and merged included."""
MAX_SHEETS: Final = 1_000
"""Sheets of one group: some ten years of evenings."""
TEXT: Final[shapes.JsonSchema] = {"type": "string"}

MemberId = Annotated[str, partial(SeatIdField, "The id of a member.", most=20)]
LogId = Annotated[str, partial(shapes.Text, "The id of a sheet or of a link.", most=60)]
Names = Annotated[
    tuple[str, ...], partial(shapes.ListOf, NameField(), "The names of players.", least=1, most=MAX_MEMBERS)
]
Players = Annotated[
    JsonObject, partial(JsonField, "Who of the group sits at each seat, by the id of the seat.", values=TEXT)
]
Code = Annotated[str, partial(shapes.Text, "The code of house rules; empty for none.", most=CODE_LENGTH)]
GroupTitle = Annotated[str, partial(NameField, "The name of the group.")]
Table = Annotated[
    tuple[int, ...], partial(shapes.ListOf, shapes.Integer(low=0, high=100_000), "League, round, table.", most=3)
]


class GroupEvent(ABC):
    """Something that happened to a group; frozen, in the past tense, never edited."""

    __slots__ = ()

    @abstractmethod
    def apply(self, group: Group, at: datetime) -> Group:
        """Return the group after the event. Raises LookupError or ValueError if it does not fit."""

    def advance(self, group: Group | None, entry: GroupEntry) -> Group:
        """Return the group after the event, at its version. Raises as `apply` does."""
        if group is None:
            raise ValueError("a group begins with its opening")
        return replace(self.apply(group, entry.at), version=entry.seq, changed=entry.at)


GroupEntry: TypeAlias = LogEntry[GroupEvent]
"""An entry in the log of a group."""


class GroupCommand(ABC):
    """A request to write in a group's log."""

    __slots__ = ()

    @abstractmethod
    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Return the events to write, none if nothing would change. Raises Refused."""


@dataclass(frozen=True, slots=True)
class OpenGroup:
    """A new group, with its first players."""

    title: GroupTitle
    names: Names | None = None
    lang: Language = ""


@dataclass(frozen=True, slots=True)
class GroupOpened(GroupEvent):
    """A group came together."""

    title: GroupTitle
    lang: Language = ""

    def apply(self, group: Group, at: datetime) -> Group:
        """Raise ValueError: a group begins once."""
        raise ValueError("opened twice")

    def advance(self, group: Group | None, entry: GroupEntry) -> Group:
        """Return the new group. Raises ValueError if it is open already."""
        if group is not None:
            return self.apply(group, entry.at)
        return Group(1, self.title, self.lang, entry.at, entry.at)


@dataclass(frozen=True, slots=True)
class GroupTitled(GroupEvent):
    """The group has another name."""

    title: GroupTitle

    def apply(self, group: Group, at: datetime) -> Group:
        """Set the name."""
        return replace(group, title=self.title)


@dataclass(frozen=True, slots=True)
class TitleGroup(GroupCommand):
    """Give the group another name."""

    title: GroupTitle

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the name unless it is the same."""
        return () if self.title == group.title else (GroupTitled(self.title),)


@dataclass(frozen=True, slots=True)
class MemberAdded(GroupEvent):
    """Somebody belongs to the group from now on."""

    member: MemberId
    name: Name

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the member."""
        if self.member in group.members:
            raise KeyError(self.member)
        return _with(group, Member(self.member, self.name))


@dataclass(frozen=True, slots=True)
class AddMembers(GroupCommand):
    """Add players by their names; those who belong to the group already are left out."""

    names: Names

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write who is new."""
        return added(group, self.names)


@dataclass(frozen=True, slots=True)
class MemberRenamed(GroupEvent):
    """A member has another name from now on."""

    member: MemberId
    name: Name

    def apply(self, group: Group, at: datetime) -> Group:
        """Rename the member."""
        before = group.members[self.member]
        return _with(group, replace(before, name=self.name, earlier=(*before.earlier, before.name)))


@dataclass(frozen=True, slots=True)
class RenameMember(GroupCommand):
    """Give a member another name."""

    member: MemberId
    name: Name

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the name unless it is the same. Refused if another member has it."""
        member = require_member(group, self.member)
        if any(folded(each.name) == folded(self.name) for each in group.current if each is not member):
            refuse(("name",), "name-taken", value=self.name)
        return () if self.name == member.name else (MemberRenamed(self.member, self.name),)


@dataclass(frozen=True, slots=True)
class MemberMerged(GroupEvent):
    """A member turned out to be another one, who has all of the evenings from now on."""

    member: MemberId
    into: MemberId

    def apply(self, group: Group, at: datetime) -> Group:
        """Merge the member. Raises ValueError for a merger into oneself."""
        if group.who(self.into).id == self.member:
            raise ValueError(self.into)
        return _with(group, replace(group.members[self.member], into=group.who(self.into).id))


@dataclass(frozen=True, slots=True)
class MergeMember(GroupCommand):
    """Say that a member is another one."""

    member: MemberId
    into: MemberId

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the merger. Refused for a merger into oneself."""
        require_member(group, self.member)
        require_member(group, self.into, "into")
        if self.member == self.into:
            refuse(("into",), "same-member")
        return (MemberMerged(self.member, self.into),)


@dataclass(frozen=True, slots=True)
class MemberRemoved(GroupEvent):
    """A member does not belong to the group any more; the evenings remain, without the name."""

    member: MemberId

    def apply(self, group: Group, at: datetime) -> Group:
        """Take the name away, and those of members who were merged into this one; ids are never given again."""
        found = (group.members[self.member], *group.members.values())
        gone = [each for each in found if self.member in (each.id, group.who(each.id).id)]
        return replace(
            group,
            members={**group.members, **{each.id: Member(each.id, "", (), each.into, removed=True) for each in gone}},
        )


@dataclass(frozen=True, slots=True)
class RemoveMember(GroupCommand):
    """Take a member out of the group."""

    member: MemberId

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the removal."""
        require_member(group, self.member)
        return (MemberRemoved(self.member),)


@dataclass(frozen=True, slots=True)
class SheetJoined(GroupEvent):
    """A sheet belongs to the group from now on, or another link or other players of it do."""

    sheet: LogId
    link: LogId
    players: Players
    table: Table = ()

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the sheet, or replace what was known of it."""
        before = group.sheets.get(self.sheet)
        first = before.at if before else at
        league = (self.table[0], self.table[1], self.table[2]) if self.table else before.table if before else None
        joined = JoinedSheet(self.sheet, self.link, self.players, first, league)
        return replace(group, sheets={**group.sheets, self.sheet: joined})


@dataclass(frozen=True, slots=True)
class JoinSheet(GroupCommand):
    """Let a sheet belong to the group; players whom nobody knows yet are added by their names.

    `seats` has the name at each seat, by its id. It comes from the sheet itself.
    """

    sheet: LogId
    link: LogId
    seats: Players
    table: Table = ()

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write who is new and who sits where, unless that is known. Refused for too many sheets, or no such table."""
        if self.sheet not in group.sheets and len(group.sheets) >= MAX_SHEETS:
            refuse(("sheet",), "evenings-full", most=MAX_SHEETS)
        if self.table and not group.has_table(self.table):
            refuse(("table",), "choice", value=" ".join(map(str, self.table)))
        events = added(group, self.seats.values())
        known = {folded(event.name): event.member for event in events}
        players = {seat: known.get(folded(name)) or _id_of(group, name) for seat, name in self.seats.items()}
        joined = SheetJoined(self.sheet, self.link, players, self.table)
        before = group.sheets.get(self.sheet)
        same = before is not None and not events and joined.apply(group, group.changed).sheets[self.sheet] == before
        return () if same else (*events, joined)


@dataclass(frozen=True, slots=True)
class SheetLeft(GroupEvent):
    """A sheet does not belong to the group any more."""

    sheet: LogId

    def apply(self, group: Group, at: datetime) -> Group:
        """Take the sheet out."""
        return replace(group, sheets={log: each for log, each in group.sheets.items() if log != self.sheet})


@dataclass(frozen=True, slots=True)
class LeaveSheet(GroupCommand):
    """Take a sheet out of the group."""

    sheet: LogId

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write that it left, if it was there."""
        return (SheetLeft(self.sheet),) if self.sheet in group.sheets else ()


@dataclass(frozen=True, slots=True)
class RulesKept(GroupEvent):
    """The group plays a game by these house rules from now on."""

    game: GameId
    code: Code

    def apply(self, group: Group, at: datetime) -> Group:
        """Keep the code, or drop it."""
        kept = {game: code for game, code in group.rules.items() if game != self.game}
        return replace(group, rules=kept | ({self.game: self.code} if self.code else {}))


@dataclass(frozen=True, slots=True)
class KeepRules(GroupCommand):
    """Say by which house rules the group plays a game."""

    game: GameId
    code: Code

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the code unless it is the same. Refused for a game or a code that cannot be read."""
        if self.game not in GAMES:
            refuse(("game",), "choice", value=self.game)
        code = self.code and GAMES[self.game].options.code(GAMES[self.game].options.decode(self.code))
        return () if group.rules.get(self.game, "") == code else (RulesKept(self.game, code),)


def require_member(group: Group, member: str, key: str = "member") -> Member:
    """Return a current member. Raises Refused if there is none of that id."""
    found = group.members.get(member)
    if found is None or not found.current:
        refuse((key,), "unknown-member", value=member)
    return found


def added(group: Group, names: Iterable[str]) -> tuple[MemberAdded, ...]:
    """Return the events that add those whose names nobody of the group has or had. Raises Refused if they are many."""
    new: dict[str, str] = {}
    for name in names:
        if folded(name) and group.named(name) is None:
            new.setdefault(folded(name), name)
    first = len(group.members) + 1
    if first + len(new) - 1 > MAX_MEMBERS and new:
        refuse(("names",), "members-full", most=MAX_MEMBERS)
    return tuple(MemberAdded(f"m{place}", name) for place, name in enumerate(new.values(), first))


def _id_of(group: Group, name: str) -> str:
    found = group.named(name)
    return found.id if found else ""


def _with(group: Group, member: Member) -> Group:
    return replace(group, members={**group.members, member.id: member})
