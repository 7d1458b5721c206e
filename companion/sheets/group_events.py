"""The events of a group and its state after them: members, sheets, house rules, leagues."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from random import Random
from typing import Annotated, Final, TypeAlias

from companion.engine import shapes
from companion.engine.evenings import FORMS, draw, least_players
from companion.engine.game import Game
from companion.engine.ledger import Seating
from companion.engine.options import CODE_LENGTH
from companion.engine.problems import JsonObject
from companion.games import GAMES
from companion.sheets.event import refuse
from companion.sheets.shapes import GameId, JsonField, Language, Name, NameField, SeatIdField, by_name, commands
from companion.sheets.state import LogEntry, clean
from companion.sheets.store import Record, entries_in


@dataclass(frozen=True, slots=True)
class Member:
    """A player of a group: an id that never changes, the name now, and the names before."""

    id: str
    name: str
    earlier: tuple[str, ...] = ()
    into: str = ""
    """The member that this one turned out to be; empty for one who is nobody else."""
    removed: bool = False
    """Whether only the evenings remain, without a name."""

    @property
    def current(self) -> bool:
        """Whether the member is listed and can be picked."""
        return not self.removed and not self.into


@dataclass(frozen=True, slots=True)
class JoinedSheet:
    """A sheet of a group: the link by which the group may read it, and who of the group sits at each seat."""

    id: str
    link: str
    players: Mapping[str, str]
    at: datetime
    table: tuple[int, int, int] | None = None
    """The league, its round and the table, all from 1, for which it was opened."""


@dataclass(frozen=True, slots=True)
class League:
    """A league of a group: the game, who plays, how rounds are drawn, what results bring, and the rounds so far."""

    number: int
    title: str
    game: str
    form: str
    players: tuple[str, ...]
    win: int
    level: int
    at: datetime
    rounds: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """The players at each table of each round."""
    rules: str = ""
    """The code of the house rules that the group played when it began; empty for none."""

    @property
    def seating(self) -> Seating:
        """How partners sit down, whatever the group has played since it began."""
        return _partnership(self.game, self.rules)


@dataclass(frozen=True, slots=True)
class Group:
    """A group at one version; `version` is the sequence number of its latest event."""

    version: int
    title: str
    lang: str
    opened: datetime
    changed: datetime
    members: Mapping[str, Member] = field(default_factory=dict)
    sheets: Mapping[str, JoinedSheet] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    """The code of the house rules that the group plays, by game."""
    leagues: tuple[League, ...] = ()

    @property
    def current(self) -> tuple[Member, ...]:
        """The members that can be picked, in the order in which they came."""
        return tuple(member for member in self.members.values() if member.current)

    def who(self, member: str) -> Member:
        """Return the member that an id means after all mergers. Raises KeyError."""
        found = self.members[member]
        while found.into:
            found = self.members[found.into]
        return found

    def named(self, name: str) -> Member | None:
        """Return the member who has a name, or else the one who had it; None for a name that nobody had."""
        wanted = normal_name(name)
        for member in self.current:
            if normal_name(member.name) == wanted:
                return member
        for member in self.members.values():
            if not member.removed and wanted in map(normal_name, (member.name, *member.earlier)):
                found = self.who(member.id)
                return found if found.current else None
        return None

    def seated(self, sheet: str, names: Mapping[str, str]) -> dict[str, str]:
        """Return the members who sat at a sheet, by the keys of `Sheet.players`, given their names there.

        Guests, who are nobody of the group, are left out.
        """
        given = self.sheets[sheet].players if sheet in self.sheets else {}
        found: dict[str, str] = {}
        for key, name in names.items():
            member = self.who(given[key]) if given.get(key) in self.members else self.named(name)
            if member is not None:
                found[key] = member.id
        return found

    def rules_for(self, league: League, sides: Sequence[Sequence[str]]) -> str:
        """Return the code of the latest house rules by which these sides can play; else of those of the league."""
        code, options = self.rules.get(league.game, ""), GAMES[league.game].options
        wanted = Seating(sum(map(len, sides)), len(sides[0]))
        fits = code and wanted in GAMES[league.game].seatings(options.decode(code).options)
        return code if fits else league.rules

    def has_table(self, table: Sequence[int]) -> bool:
        """Return whether a league, its round and a table of it, each from 1, have been drawn."""
        if len(table) != 3 or min(table) < 1 or table[0] > len(self.leagues):
            return False
        rounds = self.leagues[table[0] - 1].rounds
        return table[1] <= len(rounds) and table[2] <= len(rounds[table[1] - 1])

    def evenings(self) -> Iterator[JoinedSheet]:
        """Yield the sheets, the latest to join first."""
        return reversed(list(self.sheets.values()))


def _partnership(game: str, code: str) -> Seating:
    """Return how partners sit down in a game by house rules with this code. Raises KeyError."""
    known = GAMES[game]
    return known.partnership(known.options.decode(code) if code else None)


def normal_name(name: str) -> str:
    """Return what two names have in common that people would take for the same."""
    return unicodedata.normalize("NFKC", clean(name)).casefold()


MAX_MEMBERS: Final = 200
"""Members of one group, those removed and merged included."""
MAX_SHEETS: Final = 1_000
"""Sheets of one group: some ten years of evenings."""
TEXT: Final[shapes.JsonSchema] = {"type": "string"}

_MemberId = Annotated[str, partial(SeatIdField, "The id of a member.", most=20)]
_LogId = Annotated[str, partial(shapes.Text, "The id of a sheet or of a link.", most=60)]
_Names = Annotated[
    tuple[str, ...], partial(shapes.ListOf, NameField(), "The names of players.", least=1, most=MAX_MEMBERS)
]
_Players = Annotated[
    JsonObject, partial(JsonField, "Who of the group sits at each seat, by the id of the seat.", values=TEXT)
]
_Code = Annotated[str, partial(shapes.Text, "The code of house rules; empty for none.", most=CODE_LENGTH)]
_GroupTitle = Annotated[str, partial(NameField, "The name of the group.")]
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

    title: _GroupTitle
    names: _Names | None = None
    lang: Language = ""


@dataclass(frozen=True, slots=True)
class GroupOpened(GroupEvent):
    """A group came together."""

    title: _GroupTitle
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

    title: _GroupTitle

    def apply(self, group: Group, at: datetime) -> Group:
        """Set the name."""
        return replace(group, title=self.title)


@dataclass(frozen=True, slots=True)
class TitleGroup(GroupCommand):
    """Give the group another name."""

    title: _GroupTitle

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the name unless it is the same."""
        return () if self.title == group.title else (GroupTitled(self.title),)


@dataclass(frozen=True, slots=True)
class MemberAdded(GroupEvent):
    """Somebody belongs to the group from now on."""

    member: _MemberId
    name: Name

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the member."""
        if self.member in group.members:
            raise KeyError(self.member)
        return _with(group, Member(self.member, self.name))


@dataclass(frozen=True, slots=True)
class AddMembers(GroupCommand):
    """Add players by their names; those who belong to the group already are left out."""

    names: _Names

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write who is new."""
        return added(group, self.names)


@dataclass(frozen=True, slots=True)
class MemberRenamed(GroupEvent):
    """A member has another name from now on."""

    member: _MemberId
    name: Name

    def apply(self, group: Group, at: datetime) -> Group:
        """Rename the member."""
        before = group.members[self.member]
        return _with(group, replace(before, name=self.name, earlier=(*before.earlier, before.name)))


@dataclass(frozen=True, slots=True)
class RenameMember(GroupCommand):
    """Give a member another name."""

    member: _MemberId
    name: Name

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the name unless it is the same. Refused if another member has it."""
        member = _require_member(group, self.member, "member")
        if any(normal_name(each.name) == normal_name(self.name) for each in group.current if each is not member):
            refuse(("name",), "name-taken", value=self.name)
        return () if self.name == member.name else (MemberRenamed(self.member, self.name),)


@dataclass(frozen=True, slots=True)
class MemberMerged(GroupEvent):
    """A member turned out to be another one, who has all of the evenings from now on."""

    member: _MemberId
    into: _MemberId

    def apply(self, group: Group, at: datetime) -> Group:
        """Merge the member. Raises ValueError for a merger into oneself."""
        if group.who(self.into).id == self.member:
            raise ValueError(self.into)
        return _with(group, replace(group.members[self.member], into=group.who(self.into).id))


@dataclass(frozen=True, slots=True)
class MergeMember(GroupCommand):
    """Say that a member is another one."""

    member: _MemberId
    into: _MemberId

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the merger. Refused for a merger into oneself."""
        _require_member(group, self.member, "member")
        _require_member(group, self.into, "into")
        if self.member == self.into:
            refuse(("into",), "same-member")
        return (MemberMerged(self.member, self.into),)


@dataclass(frozen=True, slots=True)
class MemberRemoved(GroupEvent):
    """A member does not belong to the group any more; the evenings remain, without the name."""

    member: _MemberId

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

    member: _MemberId

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the removal."""
        _require_member(group, self.member, "member")
        return (MemberRemoved(self.member),)


@dataclass(frozen=True, slots=True)
class SheetJoined(GroupEvent):
    """A sheet belongs to the group from now on, or another link or other players of it do."""

    sheet: _LogId
    link: _LogId
    players: _Players
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

    `seats` has the name of everybody who sat down, as `Sheet.players`. It comes from the sheet itself.
    """

    sheet: _LogId
    link: _LogId
    seats: _Players
    table: Table = ()

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write who is new and who sits where, unless that is known. Refused for too many sheets, or no such table."""
        if self.sheet not in group.sheets and len(group.sheets) >= MAX_SHEETS:
            refuse(("sheet",), "evenings-full", most=MAX_SHEETS)
        if self.table and not group.has_table(self.table):
            refuse(("table",), "choice", value=" ".join(map(str, self.table)))
        events, after = added(group, self.seats.values()), group
        for event in events:
            after = event.apply(after, group.changed)
        found = {seat: after.named(name) for seat, name in self.seats.items()}
        players = {seat: member.id if member else "" for seat, member in found.items()}
        joined = SheetJoined(self.sheet, self.link, players, self.table)
        same = joined.apply(after, after.changed).sheets[self.sheet] == group.sheets.get(self.sheet)
        return () if same and not events else (*events, joined)


@dataclass(frozen=True, slots=True)
class SheetLeft(GroupEvent):
    """A sheet does not belong to the group any more."""

    sheet: _LogId

    def apply(self, group: Group, at: datetime) -> Group:
        """Take the sheet out."""
        return replace(group, sheets={log: each for log, each in group.sheets.items() if log != self.sheet})


@dataclass(frozen=True, slots=True)
class LeaveSheet(GroupCommand):
    """Take a sheet out of the group."""

    sheet: _LogId

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write that it left, if it was there."""
        return (SheetLeft(self.sheet),) if self.sheet in group.sheets else ()


@dataclass(frozen=True, slots=True)
class RulesKept(GroupEvent):
    """The group plays a game by these house rules from now on."""

    game: GameId
    code: _Code

    def apply(self, group: Group, at: datetime) -> Group:
        """Keep the code, or drop it."""
        kept = {game: code for game, code in group.rules.items() if game != self.game}
        return replace(group, rules=kept | ({self.game: self.code} if self.code else {}))


@dataclass(frozen=True, slots=True)
class KeepRules(GroupCommand):
    """Say by which house rules the group plays a game."""

    game: GameId
    code: _Code

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the code unless it is the same. Refused for a game or a code that cannot be read."""
        options = _require_game(self.game).options
        code = self.code and options.code(options.decode(self.code, pointer=("code",)))
        return () if group.rules.get(self.game, "") == code else (RulesKept(self.game, code),)


def _require_game(game: str) -> Game:
    """Return a game by its id. Raises Refused if there is none."""
    return GAMES[game] if game in GAMES else refuse(("game",), "choice", value=game, choices=list(GAMES))


def _require_member(group: Group, member: str, *pointer: str | int) -> Member:
    """Return a current member, of the id at this place of the command. Raises Refused if there is none."""
    found = group.members.get(member)
    return found if found and found.current else refuse(pointer, "unknown-member", value=member)


def added(group: Group, names: Iterable[str]) -> tuple[MemberAdded, ...]:
    """Return the events that add those whose names nobody of the group has or had. Raises Refused if they are many."""
    new: dict[str, str] = {}
    for name in names:
        if normal_name(name) and group.named(name) is None:
            new.setdefault(normal_name(name), name)
    first = len(group.members) + 1
    if first + len(new) - 1 > MAX_MEMBERS and new:
        refuse(("names",), "members-full", most=MAX_MEMBERS)
    return tuple(MemberAdded(f"m{place}", name) for place, name in enumerate(new.values(), first))


def _with(group: Group, member: Member) -> Group:
    return replace(group, members={**group.members, member.id: member})


_MAX_ENTRANTS: Final = 64
"""Players of one league."""
_MAX_LEAGUES: Final = 50
_MAX_ROUNDS: Final = 100

_Form = Annotated[str, partial(shapes.Word, FORMS, "How rounds are drawn.")]
_Entrants = Annotated[
    tuple[str, ...], partial(shapes.ListOf, SeatIdField(most=20), "Members.", least=2, most=_MAX_ENTRANTS)
]
_LeaguePoints = Annotated[int, partial(shapes.Integer, "Points of the league.", low=0, high=100)]
_Number = Annotated[int, partial(shapes.Integer, "The number of a league, from 1.", low=1, high=100_000)]
_RoundCount = Annotated[int, partial(shapes.Integer, "A number of rounds, or a seed.", low=0, high=2**53)]
_Tables = Annotated[
    tuple[tuple[str, ...], ...],
    partial(shapes.ListOf, shapes.ListOf(SeatIdField(most=20)), "Members at each table.", most=_MAX_ENTRANTS),
]


@dataclass(frozen=True, slots=True)
class LeagueStarted(GroupEvent):
    """A league began."""

    title: _GroupTitle
    game: GameId
    form: _Form
    players: _Entrants
    win: _LeaguePoints
    level: _LeaguePoints

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the league."""
        league = League(
            len(group.leagues) + 1, self.title, self.game, self.form, self.players, self.win, self.level, at,
            rules=group.rules.get(self.game, ""),
        )  # fmt: skip
        return replace(group, leagues=(*group.leagues, league))


@dataclass(frozen=True, slots=True)
class StartLeague(GroupCommand):
    """Begin a league of members."""

    title: _GroupTitle
    game: GameId
    form: _Form
    players: _Entrants
    win: _LeaguePoints = 2
    level: _LeaguePoints = 1

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the league. Refused for a game that there is not, for players unknown or doubled, and for too many."""
        _require_game(self.game)
        for place, player in enumerate(self.players):
            _require_member(group, player, "players", place)
            if player in self.players[:place]:
                refuse(("players", place), "same-member")
        if len(group.leagues) >= _MAX_LEAGUES:
            refuse((), "leagues-full", most=_MAX_LEAGUES)
        least = least_players(self.form, _partnership(self.game, group.rules.get(self.game, "")))
        if len(self.players) < least:
            refuse(("players",), "length", least=least, most=_MAX_ENTRANTS, count=len(self.players))
        return (LeagueStarted(self.title, self.game, self.form, self.players, self.win, self.level),)


@dataclass(frozen=True, slots=True)
class RoundDrawn(GroupEvent):
    """The tables of the next round of a league were drawn."""

    league: _Number
    tables: _Tables

    def apply(self, group: Group, at: datetime) -> Group:
        """Add the round. Raises IndexError for a league that there is not."""
        place = self.league - 1
        league = group.leagues[place]
        drawn = replace(league, rounds=(*league.rounds, self.tables))
        return replace(group, leagues=(*group.leagues[:place], drawn, *group.leagues[place + 1 :]))


@dataclass(frozen=True, slots=True)
class DrawRound(GroupCommand):
    """Draw the tables of the next round. `after` is the number of rounds there are: sent twice, it draws once."""

    league: _Number
    after: _RoundCount
    seed: _RoundCount

    def decide(self, group: Group) -> tuple[GroupEvent, ...]:
        """Write the tables; nothing where the round was drawn already. Refused for an unknown league."""
        if self.league > len(group.leagues):
            leagues = [league.number for league in group.leagues]
            refuse(("league",), "choice", value=self.league, choices=leagues or None)
        league = group.leagues[self.league - 1]
        if len(league.rounds) != self.after:
            return ()
        if self.after >= _MAX_ROUNDS:
            refuse((), "rounds-full", most=_MAX_ROUNDS)
        players = tuple(dict.fromkeys(who.id for each in league.players if (who := group.who(each)).current))
        earlier = [[tuple(group.who(each).id for each in table) for table in tables] for tables in league.rounds]
        try:
            tables = draw(league.form, players, earlier, Random(self.seed), league.seating)  # noqa: S311 (nothing secret)
        except ValueError:
            least = least_players(league.form, league.seating)
            refuse(("players",), "length", least=least, most=_MAX_ENTRANTS, count=len(players))
        return (RoundDrawn(self.league, tables),)


EVENTS: Final[Mapping[str, type[GroupEvent]]] = by_name(
    GroupOpened, GroupTitled, MemberAdded, MemberRenamed, MemberMerged, MemberRemoved, SheetJoined, SheetLeft,
    RulesKept, LeagueStarted, RoundDrawn,
)  # fmt: skip
"""The kinds of events by their names in the log."""
_COMMANDS: Final[Mapping[str, type[GroupCommand]]] = by_name(
    TitleGroup, AddMembers, RenameMember, MergeMember, RemoveMember, KeepRules, StartLeague, DrawRound
)
COMMAND: Final = commands(_COMMANDS)
"""A command in JSON that needs nothing but the group: its name under `type` beside its fields."""


def read_group_command(value: object) -> GroupCommand:
    """Return the command in a JSON object: its name under `type` beside its fields. Raises Refused."""
    return shapes.read(COMMAND, value)


def from_group_records(records: Sequence[Record]) -> list[GroupEntry]:
    """Return the entries in the records of a group. Raises KeyError for an unknown kind."""
    return entries_in(records, EVENTS)
