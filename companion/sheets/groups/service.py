"""The service that opens, reads and writes groups; their sheets are those of the sheet service."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple

from companion.engine.played import PlayedGame
from companion.engine.problems import Problem, Refused
from companion.sheets.anchors import Head
from companion.sheets.groups.log import stored, to_records
from companion.sheets.groups.model import (
    AddMembers,
    GroupCommand,
    GroupEvent,
    GroupOpened,
    JoinSheet,
    LeaveSheet,
    Stored,
    fold_group,
)
from companion.sheets.groups.played import Kept, PlayedCache, played_games
from companion.sheets.groups.state import Group, JoinedSheet
from companion.sheets.log import NO_HASH, later, stamp
from companion.sheets.repeating import answer_to, written_before, written_once
from companion.sheets.scoring import View
from companion.sheets.service import MAX_RETRIES, NewLink, SheetService
from companion.sheets.shapes import read
from companion.sheets.store import (
    GROUP_MARK,
    SCOPES,
    SCORE,
    WATCH,
    Answered,
    Conflict,
    Link,
    NoSuchSheet,
    Record,
    is_group,
)
from companion.sheets.tokens import hashed

MAX_EVENTS: Final = 5_000
"""Events of one group."""
CACHED: Final = 200
"""Groups whose state is kept between requests."""
NIGHT: Final = timedelta(hours=12)
"""How long a table of a club night is shown after its last entry."""
LOOKED_AT: Final = 100
"""Sheets, the latest to join first, among which the tables of a night are found."""
MOST_PLAYING: Final = 24
"""Tables of one night."""


class GroupView(NamedTuple):
    """A group at its latest version, with its id and the event that brought it there."""

    id: str
    group: Group
    head: Head


class OpenedGroup(NamedTuple):
    """A new group, and the link by which it is kept with its secret, which is shown only once."""

    view: GroupView
    link: Link
    secret: str
    head: Head
    """The latest event that it was made with."""
    watch_secret: str = ""
    """That of the watch link; empty where none was asked for."""
    replayed: bool = False
    """Whether it had been made before under the same key."""


class WrittenGroup(NamedTuple):
    """What a command has written in a group, none if it changed nothing, and the group after it."""

    view: GroupView
    entries: tuple[Record, ...]
    head: Head
    """The last of these events."""
    replayed: bool = False
    """Whether the command had been sent before under the same key."""


class GroupService:
    """Open, read and write groups in the store of a sheet service, with its clock and its source of secrets."""

    def __init__(self, sheets: SheetService) -> None:
        self.sheets = sheets
        self.store = sheets.store
        self._views: dict[str, GroupView] = {}
        self._games = PlayedCache()
        self._lock = Lock()

    def open_group(
        self, title: str, names: Sequence[str] = (), lang: str = "", *, watch: bool = False, seed: bytes | None = None
    ) -> OpenedGroup:
        """Create a group of players with these names; with `watch`, with a watch link, too.

        With a `seed`, the id and the secrets follow from it: the same group with the same seed is made once. Raises
        Refused, or KeyReused for another group.
        """
        opened = read(GroupOpened, {"title": title, "lang": lang})
        now = self._now()
        group = fold_group([Stored(1, now, opened)])
        events: list[GroupEvent] = [opened]
        if names:
            events += read(AddMembers, {"names": list(names)}).decide(group)
        records = to_records(events, NO_HASH, 0, stamp(now), "")
        made = self.sheets.create_log(records, SCOPES if watch else (SCORE,), seed=seed, mark=GROUP_MARK)
        shown = made.links[WATCH][1] if watch else ""
        return OpenedGroup(self.read(made.id), *made.links[SCORE], made.head, shown, made.replayed)

    def read(self, group: str) -> GroupView:
        """Return a group at its latest version. Raises NoSuchSheet."""
        if not is_group(group):
            raise NoSuchSheet(group)
        with self._lock:
            known = self._views.get(group)
        if known is not None and self.store.head(group) == known.head:
            return known
        records = self.store.read(group)
        folded = fold_group(stored(record) for record in records)
        return self._keep(GroupView(group, folded, Head(records[-1].seq, records[-1].hash)))

    def events(self, group: str, after: int, limit: int) -> list[Record]:
        """Return the records of the log of a group after a version, at most this many."""
        return self.store.read(group, after, limit)

    def do(self, group: str, command: GroupCommand, *, link: Link | None = None) -> GroupView:
        """Write the events to which a command leads; return the group after them. Raises as `write` does."""
        return self.write(group, command, link=link).view

    def write(
        self,
        group: str,
        command: GroupCommand,
        *,
        base_version: int | None = None,
        key: str | None = None,
        link: Link | None = None,
    ) -> WrittenGroup:
        """Write the events to which a command leads.

        With `base_version`, raises Conflict if the group is at another version. A `key` that was used before returns
        the first result again, or raises KeyReused for another command. The link of whoever writes is looked up again
        in the transaction that writes. Raises Refused and NoSuchSheet, or Conflict where others write all the time.
        """
        return written_once(
            lambda: self._earlier(group, key, command),
            lambda: self._written(group, command, base_version, key, link),
        )

    def erase(self, group: str) -> None:
        """Erase a group for good, and revoke its links to its sheets, which remain. Raises NoSuchSheet."""
        joined = self.read(group).group.sheets.values()
        self.sheets.erase(group)
        with self._lock:
            self._views.pop(group, None)
        for each in joined:
            with suppress(NoSuchSheet):
                self.sheets.revoke_link(each.id, each.link)

    def find(self, secret: str, scope: str = WATCH) -> Link:
        """Return the link with a secret if it allows at least this on a group. Raises NoSuchSheet."""
        link = self.store.find_link(hashed(secret))
        if link is None or not is_group(link.sheet) or not link.allows(scope):
            raise NoSuchSheet("no such link")
        return link

    def create_link(self, group: str, scope: str, label: str = "") -> NewLink:
        """Create a link to a group. Raises Refused and NoSuchSheet."""
        return self.sheets.create_link(group, scope, label)

    def links(self, group: str) -> list[Link]:
        """Return all links of a group, oldest first. Raises NoSuchSheet."""
        return self.store.links(group)

    def revoke_link(self, group: str, link: str) -> None:
        """Revoke a link. Raises NoSuchSheet if the group has no such link."""
        self.sheets.revoke_link(group, link)

    def join(self, group: str, sheet: str, *, link: Link | None = None, table: Sequence[int] = ()) -> GroupView:
        """Let a sheet belong to a group, with a watch link of its own for the group, which the sheet can revoke.

        Whoever asks must be allowed to keep the sheet. Raises Refused and NoSuchSheet.
        """
        view = self.read(group)
        names = self.sheets.read(sheet).sheet.names
        before = view.group.sheets.get(sheet)
        own = self.store.link(before.link) if before else None
        command = read(JoinSheet, {"sheet": sheet, "link": own.id if own else "", "seats": names, "table": list(table)})
        if own is None or own.revoked is not None:
            command.decide(view.group)  # no link is made for what is refused
            command = replace(command, link=self.sheets.create_link(sheet, WATCH, view.group.title).link.id)
        return self.do(group, command, link=link)

    def leave(self, group: str, sheet: str, *, link: Link | None = None) -> GroupView:
        """Take a sheet out of a group and revoke the group's link to it. Raises NoSuchSheet."""
        before = self.read(group).group.sheets.get(sheet)
        view = self.do(group, LeaveSheet(sheet), link=link)
        if before is not None and self.store.link(before.link) is not None:
            self.sheets.revoke_link(sheet, before.link)
        return view

    def playing(self, view: GroupView) -> list[View]:
        """Return the sheets on which something was written in the last hours, in the order in which they joined."""
        since = self._now() - NIGHT
        found: list[View] = []
        for joined in list(view.group.evenings())[:LOOKED_AT]:
            try:
                sheet = self.sheet(joined)
            except NoSuchSheet:
                continue
            if sheet.game is not None and sheet.sheet.changed >= since:
                found.append(sheet)
        return found[:MOST_PLAYING][::-1]

    def sheet(self, joined: JoinedSheet) -> View:
        """Return a sheet of a group. Raises NoSuchSheet if it was erased, or if the group's link to it was revoked."""
        link = self.store.link(joined.link)
        if link is None or link.sheet != joined.id or not link.allows(WATCH):
            raise NoSuchSheet(joined.id)
        return self.sheets.read(joined.id)

    def played(self, view: GroupView) -> list[PlayedGame]:
        """Return the games of all sheets of a group that can be read, as statistics see them."""
        return [game for joined in view.group.sheets.values() for game in self._played(view, joined)]

    def _played(self, view: GroupView, joined: JoinedSheet) -> tuple[PlayedGame, ...]:
        try:
            link = self.store.link(joined.link)
            if link is None or not link.allows(WATCH):
                return ()
            kept = self._games.find(view.id, joined.id)
            same = kept is not None and kept.tag == self.store.head(joined.id).tag
            if kept and same and view.group.seated(joined.id, kept.names) == kept.seats:
                return kept.games
            found = self.sheet(joined)
        except NoSuchSheet:
            return ()
        names = found.sheet.names
        seats = view.group.seated(joined.id, names)
        games = played_games(found, seats)
        self._games.keep(view.id, joined.id, Kept(found.head.tag, names, seats, games))
        return games

    def _written(
        self, group: str, command: GroupCommand, base_version: int | None, key: str | None, link: Link | None
    ) -> WrittenGroup:
        """Decide on the latest version and append, again after a concurrent write. Raises Conflict."""
        for _ in range(MAX_RETRIES):
            view = self.read(group)
            if base_version is not None and view.head.version != base_version:
                raise Conflict(view.head.version, raced=False)
            events = command.decide(view.group)
            if not events:
                return WrittenGroup(view, (), view.head)
            if view.head.version + len(events) > MAX_EVENTS:
                raise Refused([Problem((), "sheet-full", {"most": MAX_EVENTS})])
            at = stamp(later(self._now(), view.group.changed))
            records = to_records(events, view.head.hash, view.head.version, at, link.label if link else "")
            answered = answer_to(command, records)
            try:
                before = self.store.append(group, view.head.version, records, key, answered, link.id if link else None)
            except Conflict:
                if base_version is not None:
                    raise
                continue
            if before:
                return self._again(group, before, command)
            grown = fold_group((stored(record) for record in records), view.group)
            kept = self._keep(GroupView(group, grown, Head(records[-1].seq, records[-1].hash)))
            return WrittenGroup(kept, tuple(records), kept.head)
        raise Conflict(self.store.head(group).version, raced=True)

    def _earlier(self, group: str, key: str | None, command: GroupCommand) -> WrittenGroup | None:
        before = self.store.answered(group, key) if key is not None else None
        return self._again(group, before, command) if before else None

    def _again(self, group: str, before: Answered, command: GroupCommand) -> WrittenGroup:
        first, last = written_before(before, command)
        records = tuple(self.store.read(group, first - 1, last - first + 1))
        return WrittenGroup(self.read(group), records, Head(last, records[-1].hash), replayed=True)

    def _now(self) -> datetime:
        return self.sheets.now().astimezone(UTC)

    def _keep(self, view: GroupView) -> GroupView:
        with self._lock:
            self._views.pop(view.id, None)
            self._views[view.id] = view
            while len(self._views) > CACHED:
                del self._views[next(iter(self._views))]
        return view
