"""A store in memory, with a journal that a phone keeps and brings home."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.sheets.event import Command, HistoryEntry, View, fold, history, ledger
from companion.sheets.events import Redo, Undo, command_json, read_command
from companion.sheets.service import Done, SheetService
from companion.sheets.shapes import Anchors, Head
from companion.sheets.state import Sheet
from companion.sheets.store import (
    OPENING,
    Answered,
    BackupUnsupported,
    Conflict,
    Device,
    Fault,
    Link,
    MemoryDevices,
    NoSuchSheet,
    Record,
    from_records,
    is_group,
    later,
    stamp,
    to_records,
)


class MemoryStore:
    """A store in dictionaries, guarded by one lock."""

    anchors: Anchors | None = None
    """None: nothing outlives the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._logs: dict[str, list[Record]] = {}
        self._answers: dict[tuple[str, str], Answered] = {}
        self._links: dict[str, Link] = {}
        self._erased: set[str] = set()
        self.devices = MemoryDevices(lambda: self._links)

    def create(
        self,
        sheet: str,
        created: str,
        records: Sequence[Record],
        links: Sequence[tuple[Link, str]],
        answered: Answered | None = None,
    ) -> None:
        """Insert a sheet."""
        with self._lock:
            if sheet in self._logs or sheet in self._erased:
                raise Conflict(len(self._logs.get(sheet, ())), raced=True)
            self._logs[sheet] = list(records)
            self._links |= {secret_hash: link for link, secret_hash in links}
            if answered:
                self._answers[sheet, OPENING] = answered

    def head(self, sheet: str) -> Head:
        """Return the number and the hash of the latest event."""
        return self._log(sheet)[-1].head

    def read(self, sheet: str, after: int = 0, most: int | None = None) -> list[Record]:
        """Return the events after a sequence number."""
        return self._log(sheet)[after : None if most is None else after + most]

    def append(
        self,
        sheet: str,
        base: int,
        records: Sequence[Record],
        key: str | None,
        answered: Answered,
        link: str | None = None,
    ) -> Answered | None:
        """Append events to a sheet at version `base`."""
        with self._lock:
            log = self._log(sheet)
            if link is not None and not any(each.id == link and each.revoked is None for each in self._links.values()):
                raise NoSuchSheet(sheet)
            if key is not None and (sheet, key) in self._answers:
                return self._answers[sheet, key]
            if log[-1].seq != base or log[-1].hash != records[0].prev_hash:
                raise Conflict(log[-1].seq, raced=True)
            log.extend(records)
            if key is not None:
                self._answers[sheet, key] = answered
            return None

    def answered(self, sheet: str, key: str) -> Answered | None:
        """Return the result under a key."""
        return self._answers.get((sheet, key))

    def add_link(self, link: Link, secret_hash: str) -> None:
        """Insert a link."""
        with self._lock:
            self._log(link.sheet)
            if secret_hash in self._links or any(each.id == link.id for each in self._links.values()):
                raise Conflict(0, raced=True)
            self._links[secret_hash] = link

    def links(self, sheet: str) -> list[Link]:
        """Return all links of a sheet."""
        self._log(sheet)
        return [link for link in list(self._links.values()) if link.sheet == sheet]

    def find_link(self, secret_hash: str) -> Link | None:
        """Return the link with that secret."""
        return self._links.get(secret_hash)

    def link(self, link: str) -> Link | None:
        """Return the link of that id."""
        return next((found for found in list(self._links.values()) if found.id == link), None)

    def linked_head(self, secret_hash: str) -> tuple[Link, Head] | None:
        """Return the link with that secret and the latest event of its sheet."""
        link = self._links.get(secret_hash)
        return None if link is None else (link, self.head(link.sheet))

    def linked_heads(self, links: Sequence[str]) -> Mapping[str, Head]:
        """Return the latest event of the sheet of each link that is not revoked."""
        wanted = set(links)
        found = [link for link in list(self._links.values()) if link.id in wanted and link.revoked is None]
        return {link.id: self.head(link.sheet) for link in found}

    def revoke_link(self, sheet: str, link: str, at: str) -> None:
        """Revoke a link."""
        with self._lock:
            for secret_hash, found in self._links.items():
                if found.id == link and found.sheet == sheet:
                    self._links[secret_hash] = replace(found, revoked=found.revoked or at)
                    return
        raise NoSuchSheet(link)

    def sheets(self) -> Iterator[str]:
        """Return the ids of all sheets."""
        return iter([log for log in list(self._logs) if not is_group(log)])

    def groups(self) -> Iterator[str]:
        """Return the ids of all groups."""
        return iter([log for log in list(self._logs) if is_group(log)])

    def erase(self, sheet: str, at: str) -> None:
        """Delete a sheet."""
        with self._lock:
            self._log(sheet)
            del self._logs[sheet]
            self._erased.add(sheet)
            self._answers = {place: answer for place, answer in self._answers.items() if place[0] != sheet}
            self._links = {secret: link for secret, link in self._links.items() if link.sheet != sheet}

    def ready(self) -> None:
        """Do nothing: the store is always ready."""

    def audit(self) -> Iterator[Fault]:
        """Yield nothing: nobody else can write here."""
        return iter(())

    def renew_anchors(self) -> int:
        """Do nothing: there are no anchors."""
        return 0

    def backup(self, place: Path) -> None:
        """Raise BackupUnsupported: there is nothing on a disk to copy."""
        raise BackupUnsupported("a store in memory has no backup")

    def close(self) -> None:
        """Do nothing: there are no connections."""

    def _log(self, sheet: str) -> list[Record]:
        try:
            return self._logs[sheet]
        except KeyError:
            raise NoSuchSheet(sheet) from None


_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")
_KINDS: Final[Mapping[str, type]] = {kind.__name__: kind for kind in (Answered, Device, Link, Record)}

_DROPPED: Final = ("update",)
"""Lines of earlier versions that nothing is read from: on which day this device was seen, which is noted again."""


class Line(NamedTuple):
    """What one transaction wrote: the sheet, the text that the store is filled from again, and the method's name.

    For what is written of devices, `sheet` is the id of a list or of a device, or empty.
    """

    sheet: str
    text: str
    kind: str


def _noted(write: Callable[Concatenate[_S, _P], _R]) -> Callable[Concatenate[Any, _P], _R]:
    """Return a method that writes and notes it. What answers something other than None wrote nothing."""

    def method(self: Any, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        result = write(self, *args, **kwargs)
        if result is None:
            first = args[0]
            sheet = first.sheet if isinstance(first, Link) else first if isinstance(first, str) else ""
            text = json.dumps([write.__name__, _plain(args), _plain(kwargs)], ensure_ascii=False)
            self.lines.append(Line(sheet, text, write.__name__))
        return result

    return method


class GivenCommand(NamedTuple):
    """A command that was given here: the first event that it became, its key, and what it is as JSON."""

    seq: int
    key: str
    command: Mapping[str, object]


class CommandStore(MemoryStore):
    """A store in memory that also keeps the commands, so that they can be given to a server as they were given here."""

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[str, list[GivenCommand]] = {}

    def give(self, sheet: str, seq: int, key: str, command: Mapping[str, object]) -> None:
        """Keep a command."""
        self._given.setdefault(sheet, []).append(GivenCommand(seq, key, command))

    def given(self, sheet: str) -> list[GivenCommand]:
        """Return the commands of a sheet, in order."""
        return self._given.get(sheet, [])

    def erase(self, sheet: str, at: str) -> None:
        """Delete a sheet, which may be taken along again."""
        super().erase(sheet, at)
        self._erased.discard(sheet)
        self._given.pop(sheet, None)


class JournalStore(CommandStore):
    """A store in memory; `lines` has what was written since somebody last took it away."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self.devices = JournalDevices(lambda: self._links, self.lines)
        for line in lines:
            name, args, kwargs = json.loads(line, object_hook=_made)
            if name in _DROPPED:
                continue
            part = CommandStore if hasattr(CommandStore, name) else MemoryDevices
            getattr(part, name)(self if part is CommandStore else self.devices, *args, **kwargs)

    create = _noted(MemoryStore.create)
    append = _noted(MemoryStore.append)
    add_link = _noted(MemoryStore.add_link)
    revoke_link = _noted(MemoryStore.revoke_link)
    give = _noted(CommandStore.give)
    erase = _noted(CommandStore.erase)

    def take(self) -> list[Line]:
        """Return what was written since the last call, one line for each transaction."""
        taken = self.lines[:]
        self.lines.clear()
        return taken


class JournalDevices(MemoryDevices):
    """Devices in memory, whose writes go to the same lines."""

    def __init__(self, links: Callable[[], dict[str, Link]], lines: list[Line]) -> None:
        super().__init__(links)
        self.lines = lines

    add = _noted(MemoryDevices.add)
    keep = _noted(MemoryDevices.keep)
    forget = _noted(MemoryDevices.forget)
    see = _noted(MemoryDevices.see)
    rename = _noted(MemoryDevices.rename)
    unite = _noted(MemoryDevices.unite)


class JournalService(SheetService):
    """A service whose store keeps the commands, too."""

    def __init__(self, store: JournalStore) -> None:
        super().__init__(store)
        self._journal = store

    def _keep_command(self, sheet: str, asked: Command, key: str | None, done: Done) -> None:
        if done.entries and not done.replayed:
            self._journal.give(sheet, done.entries[0].seq, key or f"phone-{done.head.hash}", command_json(asked))


def _plain(value: object) -> object:
    """Return a value as JSON can hold it, records as objects that name their kind."""
    if is_dataclass(value):
        return {"kind": type(value).__name__, "of": {f.name: _plain(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _made(found: dict[str, object]) -> object:
    kind = _KINDS.get(str(found.get("kind"))) if set(found) == {"kind", "of"} else None
    return kind(**found["of"]) if kind else found  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Branch:
    """A history with commands after it, none of them written."""

    view: View
    records: tuple[Record, ...]
    added: tuple[HistoryEntry, ...]
    """What the commands add."""
    refused: Mapping[int, Refused]
    """Why a command adds nothing, by its place."""


def branch(
    sheet: str, records: Sequence[Record], commands: Sequence[Command], games: Mapping[str, Game], now: datetime,
    actor: str = "", asked: Callable[[int, Sheet], bool] = lambda place, sheet: True,
    times: Sequence[datetime | None] = (),
) -> Branch:  # fmt: skip
    """Return a history, whose first events these are, after commands in order.

    Commands that cannot be are left out, as are those that answer a question which is not `asked` where they stand.
    Each command is of its time among `times`, of now where it has none.
    """
    grown = list(records)
    at_base = state = fold(from_records(records))
    refused: dict[int, Refused] = {}
    for place, command in enumerate(commands):
        try:
            if not asked(place, state):
                raise Refused([])
            events = command.decide(state, games)
            at = stamp(later(min((times[place] if place < len(times) else None) or now, now), state.changed))
            new = to_records(events, grown[-1].hash, grown[-1].seq, at, actor)
            after = fold(from_records(new), state) if new else state
            for game in after.games:
                ledger(game, games)
        except Refused as why:
            refused[place] = why
            continue
        state = after
        grown += new
    added = tuple(history(from_records(grown))[at_base.version :])
    return Branch(View(sheet, state, games, {}, grown[-1].hash), tuple(grown), added, refused)


def moved(command: Command, base: Sheet, now: Sheet) -> Command:
    """Return a command given after a version of a sheet as it is meant after another one, which others have written.

    What it names by a number and what the device added itself is counted from the end of that history: a deal, a game,
    the event that is undone.
    """
    if isinstance(command, Undo | Redo):
        own = command.target is not None and command.target > base.version
        return replace(command, target=(command.target or 0) + now.version - base.version) if own else command
    fields: dict[str, int] = {}
    deal, number = getattr(command, "deal", None), getattr(command, "game_number", None)
    games, of = len(base.games), (number or len(base.games))
    if deal is not None and of == games and games:
        added = deal - len(base.games[-1].deals)
        if added > 0:
            fields = {"deal": added + len(now.games[-1].deals), "game_number": len(now.games)}
        elif number is None and hasattr(command, "game_number"):
            fields = {"game_number": games}
    elif number is not None and number > games:
        fields = {"game_number": number + len(now.games) - games}
    kept = {name: value for name, value in fields.items() if hasattr(command, name)}
    return read_command({**command_json(command), **kept}) if kept else command
