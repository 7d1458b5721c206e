"""The service that opens, reads and writes sheets: load, fold, decide, append."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from companion.engine import shapes
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import JsonObject, read_whole
from companion.games import GAMES
from companion.sheets.anchors import Head
from companion.sheets.cache import ViewCache
from companion.sheets.export import Say, chat_text, csv_text
from companion.sheets.fold import HistoryEntry, history
from companion.sheets.log import (
    MAX_EVENTS,
    NO_HASH,
    from_file,
    from_records,
    stamp,
    to_file,
    to_records,
)
from companion.sheets.model import Command, OpenSheet, read_command, read_opening, refuse
from companion.sheets.names import clean
from companion.sheets.preview import Ripple, preview, ripple
from companion.sheets.scoring import View
from companion.sheets.shapes import KeyField, TitleField, sides_json
from companion.sheets.state import Entry
from companion.sheets.store import (
    OPENING,
    SCOPES,
    SCORE,
    WATCH,
    Conflict,
    Fault,
    KeyReused,
    Link,
    NoSuchSheet,
    Record,
    Store,
    is_group,
)
from companion.sheets.tokens import derived, hashed, new_id, new_link
from companion.sheets.verification import faults
from companion.sheets.writing import Writer, Written, answer_to, written_before

IDEMPOTENCY_KEY = KeyField(most=200)


class NewLinkShape(shapes.Shape[dict[str, str]]):
    """A link that is to be made."""

    scope = shapes.Word(SCOPES, "Scoring includes watching.")
    label = TitleField("Whose it is; what is written with it bears this label.", default="")


class NewLog(NamedTuple):
    """A log that was made: its links with their secrets by scope, and the latest event that it was made with."""

    id: str
    links: Mapping[str, tuple[Link, str]]
    head: Head
    replayed: bool
    """Whether it had been made before under the same key."""


class NewLink(NamedTuple):
    """A link with its secret, which is shown only once, and whether it had been made before under the same key."""

    link: Link
    secret: str
    replayed: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A new sheet and its secrets, which are shown only once; no watch secret if no watch link was requested."""

    view: View
    watch_secret: str
    score_secret: str
    score_link: Link
    head: Head
    """The latest event that it was made with."""
    replayed: bool = False
    """Whether it had been made before under the same key; this is the first result again."""

    @property
    def id(self) -> str:
        """The id of the sheet."""
        return self.view.id


Done: TypeAlias = Written[View, Entry]
"""What a command has written on a sheet, and the sheet after it."""


class SheetService:
    """Open, read and write sheets in a store. Games, clock and source of secrets are parameters."""

    def __init__(
        self,
        store: Store,
        *,
        games: Mapping[str, Game] = GAMES,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        token: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        self.store = store
        self.games = games
        self.now = clock
        self.token = token
        self._cache = ViewCache(store, games)
        self._writer: Writer[View, Entry] = Writer(
            store, clock, load=self._cache.load, entries=from_records, grow=self._cache.add, most=MAX_EVENTS
        )

    def open_sheet(
        self, request: OpenSheet | JsonObject, *, actor: str = "", watch: bool = True, seed: bytes | None = None
    ) -> Opened:
        """Create a sheet from `{"seats": ["Aki", ...], "title"?, "lang"?, "game"?, "rules"?, "dealer"?, ...}`.

        Without `watch`, only a score link is created: there is no link whose secret nobody is shown. With a `seed`, the
        id and the secrets follow from it: the same request with the same seed makes nothing and has the first result
        again. Raises Refused, or KeyReused for another request.
        """
        asked = request if isinstance(request, OpenSheet) else read_opening(request)
        at = stamp(self.now())
        events = asked.decide(self.games)
        return self._keep_new(to_records(events, NO_HASH, 0, at, clean(actor)), watch=watch, seed=seed, asked=asked)

    def read(self, sheet: str) -> View:
        """Return the sheet at its latest version. Raises NoSuchSheet."""
        if is_group(sheet):
            raise NoSuchSheet(sheet)
        return self._cache.load(sheet)

    def head(self, sheet: str) -> Head:
        """Return the latest event of a sheet without reading the others, for polling. Raises NoSuchSheet."""
        return self.store.head(sheet)

    def version(self, sheet: str) -> int:
        """Return the version of a sheet. Raises NoSuchSheet."""
        return self.head(sheet).version

    def head_at(self, sheet: str, version: int) -> Head:
        """Return the event of a sheet with that number. Raises NoSuchSheet."""
        for record in self.store.read(sheet, version - 1, 1):
            return Head(version, record.hash)
        raise NoSuchSheet(sheet)

    def do(
        self,
        sheet: str,
        command: Command | JsonObject,
        *,
        base_version: int | None = None,
        key: str | None = None,
        link: Link | None = None,
        actor: str = "",
        at: datetime | None = None,
    ) -> Done:
        """Write the events to which a command leads.

        With `base_version`, raises Conflict if the sheet is at another version; without, the command is applied to the
        latest one. A `key` that was used before returns the first result again, or raises KeyReused for another
        command. With the `link` of whoever writes, its label is the actor, and it is looked up again in the transaction
        that writes. A command that was given earlier, on a device without a line, is of the time `at`. Raises Refused
        and NoSuchSheet.
        """
        asked = read_command(command) if isinstance(command, Mapping) else command
        if key is not None:
            shapes.read(IDEMPOTENCY_KEY, key)
        done = self._writer.write(
            sheet, asked, lambda view: asked.decide(view.sheet, self.games),
            base_version=base_version, key=key, link=link, actor=actor, at=at,
        )  # fmt: skip
        self._keep_command(sheet, asked, key, done)
        return done

    def _keep_command(self, sheet: str, asked: Command, key: str | None, done: Done) -> None:
        """Keep a command after its events; only a device does, which gives it to a server later."""

    def preview(self, sheet: str, command: Command | JsonObject) -> Ripple:
        """Return what a command would change in its game, without writing. Raises Refused and NoSuchSheet."""
        asked = read_command(command) if isinstance(command, Mapping) else command
        return preview(self.read(sheet).sheet, asked, self.games)

    def what_if(self, view: View, house: HouseRules[object]) -> Ripple:
        """Return what other house rules would change in the running game, without writing. Raises Refused."""
        game = view.game
        if game is None:
            refuse((), "no-game")
        known = self.games[game.game]
        read_whole(sides_json(game.sides), lambda node: known.read_sides(node, house.options), ("sides",))
        under = view.under(game, {"preset": house.preset, "options": known.options.plain(house.options)})
        return ripple(game.number, view.ledgers[-1], under)

    def events(self, sheet: str, after: int = 0, most: int | None = None) -> list[Entry]:
        """Return the log of a sheet after a version, at most so many events of it. Raises NoSuchSheet."""
        return from_records(self.store.read(sheet, after, most))

    def history(self, sheet: str) -> list[HistoryEntry]:
        """Return every entry of a log, marking those that were undone. Raises NoSuchSheet."""
        return history(self.events(sheet))

    def check(self, secret: str, scope: str, sheet: str) -> Link:
        """Return the link with a secret if it allows this on this sheet. Raises NoSuchSheet whatever the reason is."""
        link = self.find(secret, scope)
        if link.sheet != sheet:
            raise NoSuchSheet(sheet)
        return link

    def find(self, secret: str, scope: str = WATCH) -> Link:
        """Return the link with a secret if it allows at least this. Raises NoSuchSheet whatever the reason is."""
        link = self.known(secret)
        if link is None or not link.allows(scope):
            raise NoSuchSheet("no such link")
        return link

    def known(self, secret: str) -> Link | None:
        """Return the link to a sheet with a secret, revoked or not."""
        link = self.store.find_link(hashed(secret))
        return None if link is None or is_group(link.sheet) else link

    def watch(self, secret: str) -> tuple[Link, Head]:
        """Return the link with a secret and the latest event of its sheet. Raises NoSuchSheet as `find` does."""
        found = self.store.linked_head(hashed(secret))
        if found is None or is_group(found[0].sheet) or not found[0].allows(WATCH):
            raise NoSuchSheet("no such link")
        return found

    def create_link(self, sheet: str, scope: str, label: str = "", *, seed: bytes | None = None) -> NewLink:
        """Create a link; return it with its secret, which is shown only once.

        With a `seed`, its id and secret follow from it: the same link with the same seed is made once. Raises Refused
        and NoSuchSheet, or KeyReused for another link.
        """
        asked = shapes.read(NewLinkShape, {"scope": scope, "label": label})
        token = self.token if seed is None else derived(seed)
        link, secret = new_link(token, sheet, asked["scope"], asked["label"], stamp(self.now()))
        before = None if seed is None else self.store.find_link(hashed(secret))
        if before is None:
            try:
                self.store.add_link(link, hashed(secret))
            except Conflict:
                before = self.store.find_link(hashed(secret))
        if before is not None and (before.scope, before.label) != (link.scope, link.label):
            raise KeyReused(link.id)
        return NewLink(before or link, secret, before is not None)

    def links(self, sheet: str) -> list[Link]:
        """Return all links of a sheet, oldest first, revoked ones included. Raises NoSuchSheet."""
        return self.store.links(sheet)

    def revoke_link(self, sheet: str, link: str) -> None:
        """Revoke a link. Raises NoSuchSheet if the sheet has no such link."""
        self.store.revoke_link(sheet, link, stamp(self.now()))

    def export_json(self, sheet: str) -> dict[str, Any]:
        """Return the log of a sheet as one JSON value that `import_json` reads back unchanged. Raises NoSuchSheet."""
        return to_file(self.store.read(sheet), sheet, self.store.anchors)

    def import_json(self, value: object) -> Opened:
        """Create a sheet from an exported one, with a new id and new secrets. Raises Refused."""
        return self.import_records(from_file(value, self.games, self.store.anchors))

    def import_records(self, records: Sequence[Record], *, watch: bool = True, seed: bytes | None = None) -> Opened:
        """Create a sheet from records that `from_file` has checked. `watch` and `seed` are those of `open_sheet`.

        Raises KeyReused for other records.
        """
        return self._keep_new(records, watch=watch, seed=seed)

    def export_csv(self, sheet: str) -> str:
        """Return a table with a row for each side in each deal, safe to open in a spreadsheet. Raises NoSuchSheet."""
        view = self.read(sheet)
        return csv_text(view.sheet, view.ledgers)

    def export_text(self, sheet: str, say: Say) -> str:
        """Return the games deal by deal as text for a chat, with the words of `say`. Raises NoSuchSheet."""
        view = self.read(sheet)
        return chat_text(view.sheet, view.ledgers, say)

    def erase(self, sheet: str) -> None:
        """Erase a sheet for good, for privacy. Raises NoSuchSheet."""
        self.store.erase(sheet, stamp(self.now()))
        self._cache.forget(sheet)

    def verify(self) -> list[Fault]:
        """Return what is wrong in the store; see `companion.sheets.verification`."""
        return list(faults(self.store, self.games))

    def backup(self, place: Path) -> None:
        """Copy the store to a new file during writes. Raises FileExistsError, BackupUnsupported."""
        self.store.backup(place)

    def _keep_new(
        self, records: Sequence[Record], *, watch: bool, seed: bytes | None, asked: OpenSheet | None = None
    ) -> Opened:
        made = self.create_log(records, SCOPES if watch else (SCORE,), seed=seed, asked=asked)
        shown = {scope: secret for scope, (_, secret) in made.links.items()}
        return Opened(
            self.read(made.id), shown.get(WATCH, ""), shown[SCORE], made.links[SCORE][0], made.head, made.replayed
        )

    def create_log(
        self,
        records: Sequence[Record],
        scopes: Sequence[str],
        *,
        seed: bytes | None = None,
        asked: OpenSheet | None = None,
        mark: str = "",
    ) -> NewLog:
        """Create a log with these events and a link for each scope; its id begins with the mark.

        With a `seed`, the id and the secrets follow from it: what is `asked`, or the same events where that is not
        known, is written once with the same seed. Raises KeyReused for anything else.
        """
        token = self.token if seed is None else derived(seed)
        log, at = mark + new_id(token), stamp(self.now())
        made = {scope: new_link(token, log, scope, "", at) for scope in scopes}
        replayed = seed is not None and self._has(log)
        if not replayed:
            try:
                links = [(link, hashed(secret)) for link, secret in made.values()]
                self.store.create(log, at, records, links, answer_to(asked, records) if seed and asked else None)
            except Conflict:
                replayed = True
        if replayed:
            records = self._check_same(log, records, asked)
        return NewLog(log, made, records[-1].head, replayed)

    def _has(self, sheet: str) -> bool:
        try:
            self.store.head(sheet)
        except NoSuchSheet:
            return False
        return True

    def _check_same(self, sheet: str, records: Sequence[Record], asked: OpenSheet | None) -> list[Record]:
        """Return the first events of a sheet. Raises KeyReused if something else was asked, or if it was erased.

        What an earlier version of this program made of the same request may be other events.
        """
        before = self.store.answered(sheet, OPENING) if asked else None
        last = written_before(before, asked)[1] if before else len(records)
        try:
            kept = self.store.read(sheet, 0, last)
        except NoSuchSheet:
            raise KeyReused(sheet) from None
        if before is None and [(one.kind, one.version, one.body) for one in kept] != [
            (one.kind, one.version, one.body) for one in records
        ]:
            raise KeyReused(sheet)
        return kept
