"""A group after its events: who belongs to it, which sheets, and the house rules that it plays."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from companion.engine.ledger import Seating
from companion.games import GAMES
from companion.sheets.names import clean


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
        wanted = folded(name)
        for member in self.current:
            if folded(member.name) == wanted:
                return member
        for member in self.members.values():
            if not member.removed and wanted in map(folded, (member.name, *member.earlier)):
                found = self.who(member.id)
                return found if found.current else None
        return None

    def seated(self, sheet: str, names: Mapping[str, str]) -> dict[str, str]:
        """Return who sits at each seat of a sheet, by the ids of seats and members, given the names at the seats.

        Seats that nobody of the group has are left out: guests.
        """
        given = self.sheets[sheet].players if sheet in self.sheets else {}
        found: dict[str, str] = {}
        for seat, name in names.items():
            member = self.who(given[seat]) if given.get(seat) in self.members else self.named(name)
            if member is not None and member.id not in found.values():
                found[seat] = member.id
        return found

    def partnership(self, game: str) -> Seating:
        """Return how partners sit down in a game by the house rules that the group plays. Raises KeyError."""
        known, code = GAMES[game], self.rules.get(game)
        return known.partnership(known.options.decode(code) if code else None)

    def has_table(self, table: Sequence[int]) -> bool:
        """Return whether a league, its round and a table of it, each from 1, have been drawn."""
        if len(table) != 3 or min(table) < 1 or table[0] > len(self.leagues):
            return False
        rounds = self.leagues[table[0] - 1].rounds
        return table[1] <= len(rounds) and table[2] <= len(rounds[table[1] - 1])

    def evenings(self) -> Iterator[JoinedSheet]:
        """Yield the sheets, the latest to join first."""
        return reversed(list(self.sheets.values()))


def folded(name: str) -> str:
    """Return what two names have in common that people would take for the same."""
    return unicodedata.normalize("NFKC", clean(name)).casefold()
