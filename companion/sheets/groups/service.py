"""The service that opens, reads and writes groups; their sheets are those of the sheet service."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple, TypeAlias

from companion.engine.ledger import PlayedGame
from companion.sheets.anchors import Head
from companion.sheets.fold import fold
from companion.sheets.groups.log import from_group_records
from companion.sheets.groups.model import (
    AddMembers,
    GroupCommand,
    GroupEntry,
    GroupEvent,
    GroupOpened,
    JoinSheet,
    LeaveSheet,
)
from companion.sheets.groups.played import Kept, PlayedCache, played_games
from companion.sheets.groups.state import Group, JoinedSheet
from companion.sheets.log import NO_HASH, stamp, to_records
from companion.sheets.scoring import View
from companion.sheets.service import NewLink, SheetService
from companion.sheets.shapes import read
from companion.sheets.store import (
    GROUP_MARK,
    SCOPES,
    SCORE,
    WATCH,
    Link,
    NoSuchSheet,
    is_group,
)
from companion.sheets.tokens import hashed
from companion.sheets.writing import Writer, Written

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

    @property
    def changed(self) -> datetime:
        """When that event was written."""
        return self.group.changed


WrittenGroup: TypeAlias = Written[GroupView, GroupEntry]
"""What a command has written in a group, and the group after it."""


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


class GroupService:
    """Open, read and write groups in the store of a sheet service, with its clock and its source of secrets."""

    def __init__(self, sheets: SheetService) -> None:
        self.sheets = sheets
        self.store = sheets.store
        self._views: dict[str, GroupView] = {}
        self._games = PlayedCache()
        self._lock = Lock()
        self._writer: Writer[GroupView, GroupEntry] = Writer(
            sheets.store, sheets.now, load=self.read, entries=from_group_records, grow=self._grown, most=MAX_EVENTS
        )

    def open_group(
        self, title: str, names: Sequence[str] = (), lang: str = "", *, watch: bool = False, seed: bytes | None = None
    ) -> OpenedGroup:
        """Create a group of players with these names; with `watch`, with a watch link, too.

        With a `seed`, the id and the secrets follow from it: the same group with the same seed is made once. Raises
        Refused, or KeyReused for another group.
        """
        opened = read(GroupOpened, {"title": title, "lang": lang})
        now = self._now()
        group = fold([GroupEntry(1, now, "", opened)])
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
        return self._keep(GroupView(group, fold(from_group_records(records)), records[-1].head))

    def events(self, group: str, after: int, limit: int) -> list[GroupEntry]:
        """Return the log of a group after a version, at most so many events of it."""
        return from_group_records(self.store.read(group, after, limit))

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
        return self._writer.write(
            group, command, lambda view: command.decide(view.group), base_version=base_version, key=key, link=link
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

    def _grown(self, view: GroupView, entries: Sequence[GroupEntry], head: Head) -> GroupView:
        return self._keep(GroupView(view.id, fold(entries, view.group), head))

    def _now(self) -> datetime:
        return self.sheets.now().astimezone(UTC)

    def _keep(self, view: GroupView) -> GroupView:
        with self._lock:
            self._views.pop(view.id, None)
            self._views[view.id] = view
            while len(self._views) > CACHED:
                del self._views[next(iter(self._views))]
        return view
