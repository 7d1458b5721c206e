"""The interface of a store: append-only logs with their hash chain, links and their secrets, devices."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from companion.engine import shapes
from companion.engine.game import Game
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.shapes import Shape, fault
from companion.sheets.event import BrokenLog, Event, fold, ledger
from companion.sheets.events import EVENTS
from companion.sheets.shapes import MAX_COUNT, Anchors, Head, canonical, kind_name, read, restore, to_json
from companion.sheets.state import Entry, LogEntry, Sheet, clean

if TYPE_CHECKING:
    from companion.sheets.memory import MemoryStore
    from companion.sheets.sql import SqlDevices, SqlStore

DEFAULT_PLACE = "sqlite:///var/companion.sqlite3"
"""The default of `COMPANION_DATABASE`."""
WATCH, SCORE = "watch", "score"
SCOPES = (WATCH, SCORE)
NO_VERSION = 0
"""A version that no sheet has: every sheet begins with an event."""
OPENING = ""
"""The idempotency key of a sheet's first events, which no client can send."""
GROUP_MARK = "~"
"""How the id of a group's log begins; that of a sheet never does. Both are logs of events with links."""


def is_group(log: str) -> bool:
    """Return whether the log of that id is one of a group."""
    return log.startswith(GROUP_MARK)


class NoSuchSheet(LookupError):
    """A sheet, link or secret that does not exist, was revoked or does not allow this; which one is not disclosed."""


class Conflict(Exception):
    """The sheet is at another version. `raced` is true after a concurrent write, false for an outdated base version."""

    def __init__(self, version: int, *, raced: bool) -> None:
        self.version = version
        self.raced = raced
        super().__init__(f"the sheet is at version {version}")


class KeyReused(Exception):
    """An idempotency key that was used for another command."""


class Unavailable(Exception):
    """A store that cannot be read or written now: locked, full, read-only, gone. Says which by the database's code."""


class NotMigrated(Exception):
    """A database whose tables are older or newer than this program."""


class Unusable(Exception):
    """A store or a copy that cannot be read, with the message of the database."""


class BackupUnsupported(Exception):
    """A store that this program cannot back up or restore; a server has tools of its own for that."""


class InUse(Exception):
    """A store that another process has open."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it is stored. The hash covers all fields and the hash before it."""

    seq: int
    at: str
    actor: str
    kind: str
    version: int
    body: str
    prev_hash: str
    hash: str

    @property
    def head(self) -> Head:
        """The head of a log that ends with this event."""
        return Head(self.seq, self.hash)


@dataclass(frozen=True, slots=True)
class Answered:
    """The fingerprint of the first command under an idempotency key, and its result."""

    fingerprint: str
    answer: str


@dataclass(frozen=True, slots=True)
class Link:
    """A capability to watch or score one sheet. Only its holder knows the secret."""

    id: str
    sheet: str
    scope: str
    label: str
    created: str
    revoked: str | None = None

    def allows(self, scope: str) -> bool:
        """Whether the link allows this; scoring includes watching."""
        return self.revoked is None and SCOPES.index(self.scope) >= SCOPES.index(scope)


@dataclass(frozen=True, slots=True)
class Fault:
    """A sheet that failed verification: the event and what is wrong with it. Without a sheet, a fault of the store."""

    sheet: str
    seq: int
    what: str


Store: TypeAlias = "MemoryStore | SqlStore"
"""A store of sheets. Every method is one transaction; those of `SqlStore` say what each of them does."""


def open_store(place: str | Path, *, migrate: bool | None = None, key: str = "") -> Store:
    """Open the store at a path, a database URL, or `memory:`. With the server's `key`, what is written is anchored.

    An SQLite file is created and migrated at once; a PostgreSQL database only with `migrate`. Raises NotMigrated if its
    tables have another version.
    """
    if str(place) == "memory:":
        from companion.sheets.memory import MemoryStore

        return MemoryStore()
    from companion.sheets.sql import SqlStore

    return SqlStore(place, migrate=migrate, key=key)


_SECRET_BYTES = 18


def new_id(token: Callable[[int], str]) -> str:
    """Return an id that no command line parses as an option."""
    while (sheet := token(9)).startswith("-"):
        pass
    return sheet


def new_link(token: Callable[[int], str], sheet: str, scope: str, label: str, at: str) -> tuple[Link, str]:
    """Return a link to a sheet, and its secret."""
    return Link(token(6), sheet, scope, label, at), token(_SECRET_BYTES)


def derived(seed: bytes) -> Callable[[int], str]:
    """Return a source of ids and secrets that follow from a seed, each by its number."""
    numbers = count()

    def token(size: int) -> str:
        digest = hmac.digest(seed, b"%d" % next(numbers), "sha256")
        return urlsafe_b64encode(digest[:size]).rstrip(b"=").decode()

    return token


def hashed(secret: str) -> str:
    """Return the hash under which a store has a secret."""
    return sha256(secret.encode(errors="replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Device:
    """A device, the list that it has, and the days on which it was first and last seen."""

    id: str
    owner: str
    name: str
    created: str
    seen: str
    signed_out: str | None = None
    """The day on which another device took the list away; what it opened since is a list of its own."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A sheet of a list, and the link by which it was opened; None once the sheet was erased."""

    sheet: str
    link: Link | None


@dataclass(frozen=True, slots=True)
class Code:
    """A code that gives a list to another device once: until a time, or for recovery without an end."""

    owner: str
    until: str | None = None
    leaving: str | None = None
    """The device that is signed out when the code is used."""

    def is_over(self, now: str) -> bool:
        """Return whether the code is too old."""
        return self.until is not None and self.until <= now


Devices: TypeAlias = "MemoryDevices | SqlDevices"
"""What a store keeps of devices. Every method is one transaction."""


class MemoryDevices:
    """Devices in dictionaries, guarded by one lock."""

    def __init__(self, links: Callable[[], dict[str, Link]]) -> None:
        self._links = links
        self._lock = Lock()
        self._devices: dict[str, tuple[str, Device]] = {}
        self._lists: dict[str, dict[str, str]] = {}
        self._codes: dict[str, Code] = {}

    def find(self, key_hash: str) -> Device | None:
        """Return the device with that key."""
        return next((device for known, device in list(self._devices.values()) if known == key_hash), None)

    def kept(self, key_hash: str, sheet: str) -> tuple[Device, Kept] | None:
        """Return a device and a sheet of its list."""
        device = self.find(key_hash)
        link = self._lists.get(device.owner, {}).get(sheet) if device else None
        return (device, Kept(sheet, self._link(link))) if device and link is not None else None

    def add(self, device: Device, key_hash: str) -> None:
        """Insert a device."""
        with self._lock:
            if self.find(key_hash) is None:
                self._devices[device.id] = (key_hash, device)

    def keep(self, owner: str, sheet: str, link: str) -> None:
        """Put a sheet at the head of a list."""
        with self._lock:
            mine = self._lists.setdefault(owner, {})
            mine.pop(sheet, None)
            mine[sheet] = link

    def forget(self, owner: str, sheet: str) -> None:
        """Take a sheet off a list."""
        with self._lock:
            self._lists.get(owner, {}).pop(sheet, None)

    def sheets(self, owner: str, most: int, skip: int = 0) -> list[str]:
        """Return the sheets of a list."""
        return [log for log in self._open(owner) if not is_group(log)][skip : skip + most]

    def groups(self, owner: str) -> list[str]:
        """Return the groups of a list."""
        return [log for log in self._open(owner) if is_group(log)]

    def count(self, owner: str) -> int:
        """Return the number of sheets."""
        return sum(not is_group(log) for log in self._open(owner))

    def devices(self, owner: str) -> list[Device]:
        """Return the devices that have a list."""
        return [device for _, device in list(self._devices.values()) if device.owner == owner]

    def see(self, device: str, day: str) -> None:
        """Write the day."""
        with self._lock:
            self._change(device, seen=day)

    def rename(self, device: str, name: str) -> None:
        """Write the name."""
        with self._lock:
            self._change(device, name=name)

    def sign_out(self, device: str, owner: str, fresh: str, day: str) -> bool:
        """Give a device an empty list instead."""
        with self._lock:
            _, found = self._devices.get(device, ("", None))
            if found is None or found.owner != owner:
                return False
            self._change(device, owner=fresh, signed_out=day)
            return True

    def unite(self, device: str, other: str) -> None:
        """Delete a device that was another name of this one."""
        with self._lock:
            _, gone = self._devices.pop(other)
            self._bring(gone.owner, self._devices[device][1].owner)

    def add_code(self, code_hash: str, code: Code) -> None:
        """Insert a code."""
        with self._lock:
            if code.until is None:
                self._drop_recovery(code.owner)
            self._codes[code_hash] = code

    def redeem(self, code_hash: str, device: str, now: str, *, alone: bool, fresh: Callable[[], str]) -> Code | None:
        """Delete a code and return it; the device has its list from then on."""
        with self._lock:
            code = self._codes.pop(code_hash, None)
            if code is None or code.is_over(now):
                return None
            before = self._devices[device][1].owner
            self._change(device, owner=code.owner, signed_out=None)
            self._bring(before, code.owner)
            for other in self.devices(code.owner):
                if other.id != device and (alone or other.id == code.leaving):
                    self._change(other.id, owner=fresh(), signed_out=now[:10])
            return code

    def has_recovery(self, owner: str) -> bool:
        """Return whether a list can be recovered by a code."""
        return any(code.owner == owner and code.until is None for code in list(self._codes.values()))

    def _change(self, device: str, **fresh: str | None) -> None:
        if device in self._devices:
            key_hash, found = self._devices[device]
            self._devices[device] = (key_hash, replace(found, **fresh))  # type: ignore[arg-type]

    def _open(self, owner: str) -> list[str]:
        mine = reversed(list(self._lists.get(owner, {}).items()))
        return [sheet for sheet, link in mine if (found := self._link(link)) and found.revoked is None]

    def _link(self, link: str) -> Link | None:
        return next((found for found in list(self._links().values()) if found.id == link), None)

    def _bring(self, before: str, owner: str) -> None:
        if before == owner:
            return
        mine = self._lists.setdefault(owner, {})
        for sheet, link in self._lists.get(before, {}).items():
            mine.setdefault(sheet, link)
        if not self.devices(before):
            self._lists.pop(before, None)
            self._codes = {known: code for known, code in self._codes.items() if code.owner != before}

    def _drop_recovery(self, owner: str) -> None:
        kept = {known: code for known, code in self._codes.items() if code.owner != owner or code.until is not None}
        self._codes = kept


FORMAT: Final = "companion-sheet"
FORMAT_VERSION: Final = 1
MAX_EVENTS: Final = 2_000
"""Events of one sheet: some two hundred games. A sheet that has more, from an earlier version, can be read."""
MAX_FILE: Final = 2 * 1024 * 1024
"""Bytes of an exported sheet that is brought back: a thousand for each of its events."""
MAX_BYTES: Final = MAX_FILE - 4 * 1024
"""Bytes of the log of one sheet in an export; the rest is for what is around the events."""
_RECORD_BYTES: Final = 240
"""Bytes of an event in an export beside its body and its label, at most."""
_HASH: Final[shapes.JsonSchema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_FIELDS: Final[shapes.JsonSchema] = {
    "type": "object",
    "additionalProperties": {"description": "As the `data` of an event of this kind."},
}
NO_HASH: Final = "0" * 64
"""The hash before the first event of a sheet."""

_E = TypeVar("_E")
_Upcaster = Callable[[dict[str, object]], dict[str, object]]
_UPCASTERS: Mapping[tuple[str, int], _Upcaster] = {
    ("deal_voided", 1): lambda data: {**data, "irregularities": []},
}
"""By kind and version: what turns data of that version into data of the next one."""


def version_of(kind: str, upcasters: Mapping[tuple[str, int], _Upcaster] = _UPCASTERS) -> int:
    """Return the version in which events of a kind are written now."""
    return 1 + max((version for name, version in upcasters if name == kind), default=0)


def decode(
    kind: str,
    version: int,
    data: object,
    *,
    pointer: Pointer = (),
    upcasters: Mapping[tuple[str, int], _Upcaster] = _UPCASTERS,
) -> Event:
    """Return the event in foreign JSON, with every field checked.

    Raises Refused with `unknown-event` or `event-version` for what this program does not know, with `not-canonical`
    for data that it would have written otherwise.
    """
    if kind not in EVENTS:
        raise Refused([Problem((*pointer, "kind"), "unknown-event", {"value": kind[:60]})])
    if not 1 <= version <= version_of(kind, upcasters):
        raise Refused([Problem((*pointer, "version"), "event-version", {"kind": kind, "value": version})])
    pointer = (*pointer, "data")
    if isinstance(data, dict):
        event = read(EVENTS[kind], _lifted(kind, version, data, upcasters), pointer)
    else:
        event = read(EVENTS[kind], data, pointer)
    if version == version_of(kind, upcasters) and to_json(event) != data:
        raise Refused([Problem(pointer, "not-canonical", {"kind": kind})])
    return event


def chain(previous: str, seq: int, at: str, actor: str, kind: str, version: int, body: str) -> str:
    """Return the hash of an event: SHA-256 over everything in its record, and the hash before it."""
    return sha256(canonical([previous, seq, at, actor, kind, version, body]).encode()).hexdigest()


def _lifted(
    kind: str, version: int, data: dict[str, object], upcasters: Mapping[tuple[str, int], _Upcaster]
) -> dict[str, object]:
    while (kind, version) in upcasters:
        data, version = upcasters[kind, version](data), version + 1
    return data


def bytes_of(records: Iterable[Record]) -> int:
    """Return how many bytes events take in an export, or a few more."""
    return sum(_RECORD_BYTES + len(record.body.encode()) + 2 * len(record.actor.encode()) for record in records)


def stamp(at: datetime) -> str:
    """Return a time as the log writes it: UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later(now: datetime, before: datetime) -> datetime:
    """Return now, or the time of the event before if the clock has gone back."""
    return max(now.astimezone(UTC), before)


def to_records(events: Sequence[object], last_hash: str, version: int, at: str, actor: str) -> list[Record]:
    """Return records of events that follow a version of a log and the hash of its last event."""
    records = []
    for seq, event in enumerate(events, start=version + 1):
        kind = kind_name(type(event))
        body = canonical(to_json(event))
        hashed = chain(last_hash, seq, at, actor, kind, version_of(kind), body)
        records.append(Record(seq, at, actor, kind, version_of(kind), body, last_hash, hashed))
        last_hash = hashed
    return records


def from_records(records: Sequence[Record]) -> list[Entry]:
    """Return the entries in the records of a sheet. Raises KeyError for an unknown kind."""
    return entries_in(records, EVENTS)


def entries_in(records: Sequence[Record], kinds: Mapping[str, type[_E]]) -> list[LogEntry[_E]]:
    """Return the entries in records of events of these kinds. Raises KeyError for another one.

    Their bodies are read as one text: each alone takes five times as long.
    """
    bodies = json.loads(f"[{','.join([record.body for record in records])}]")
    return [
        LogEntry(
            record.seq,
            datetime.fromisoformat(record.at),
            record.actor,
            restore(kinds[record.kind], _lifted(record.kind, record.version, body, _UPCASTERS)),
        )
        for record, body in zip(records, bodies, strict=True)
    ]


def broken_at(records: Sequence[Record]) -> int | None:
    """Return the number of the first record whose hash does not fit its content or the hash before, None if all fit."""
    last_hash = NO_HASH
    for seq, record in enumerate(records, start=1):
        hashed = chain(last_hash, record.seq, record.at, record.actor, record.kind, record.version, record.body)
        if record.seq != seq or record.prev_hash != last_hash or record.hash != hashed:
            return record.seq
        last_hash = hashed
    return None


def to_file(records: Sequence[Record], sheet: str = "", anchors: Anchors | None = None) -> dict[str, Any]:
    """Return a sheet as one JSON value that `from_file` reads back unchanged; signed where there are anchors."""
    events = [
        {
            "seq": record.seq, "at": record.at, "actor": record.actor, "kind": record.kind,
            "version": record.version, "data": json.loads(record.body), "hash": record.hash,
        }
        for record in records
    ]  # fmt: skip
    file = {"format": FORMAT, "format_version": FORMAT_VERSION, "events": events}
    if anchors:
        file["anchor"] = {"sheet": sheet, "key": anchors.key, "mac": anchors.of_file(sheet, records[-1].head)}
    return file


def from_file(value: object, games: Mapping[str, Game], anchors: Anchors | None = None) -> list[Record]:
    """Return the records in such a JSON value, after checking every one of them. Raises Refused.

    An anchor of another key says nothing here; one of this key must fit.
    """
    file = shapes.read(SheetFileShape, value)
    records: list[Record] = []
    entries: list[Entry] = []
    for place, item in enumerate(file["events"]):
        record, event = _read_record(item, ("events", place), records[-1].hash if records else NO_HASH)
        records.append(record)
        entries.append(Entry(record.seq, datetime.fromisoformat(record.at), record.actor, event))
    signed = file.get("anchor")
    if signed and anchors and signed["key"] == anchors.key:
        head = records[-1].head
        if not hmac.compare_digest(signed["mac"], anchors.of_file(signed["sheet"], head)):
            raise Refused([Problem(("anchor",), "file-anchor", {"seq": head.version})])
    check_log(entries, games)
    return records


def check_log(entries: Sequence[Entry], games: Mapping[str, Game]) -> Sheet:
    """Return the sheet after a foreign log of which every step could have been taken. Raises Refused."""
    sheet: Sheet | None = None
    for place, entry in enumerate(entries):
        try:
            sheet = fold([entry], sheet)
            entry.event.check(sheet, games)
        except BrokenLog as broken:
            raise Refused([Problem(("events", place), "broken-log", {"seq": broken.seq})]) from broken
        except Refused as refused:
            raise Refused(
                replace(p, pointer=("events", place, "data", *p.pointer), contextual=True) for p in refused.problems
            ) from refused
    if sheet is None:
        raise Refused([Problem(("events",), "length", {"least": 1, "most": MAX_EVENTS, "count": 0})])
    for game in sheet.games:
        ledger(game, games)
    return sheet


class StampField(shapes.Text):
    """A time as the log writes it."""

    def take(self, value: object, context: object) -> str:
        """Return the text. Raises ValidationError for another notation or another time zone."""
        text = super().take(value, context)
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            raise fault("time", value=text) from None
        if at.utcoffset() != timedelta(0) or stamp(at) != text:
            raise fault("time", value=text)
        return text

    def json_schema(self, refer: shapes.Refer) -> shapes.JsonSchema:
        """Describe the notation."""
        return {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}


class ActorField(shapes.Text):
    """The label of the link that was used."""

    def take(self, value: object, context: object) -> str:
        """Return the label. Raises ValidationError if it is not clean."""
        actor = super().take(value, context)
        if clean(actor) != actor:
            raise fault("not-canonical")
        return actor


class RecordShape(Shape[shapes.Attributes]):
    """An event of an exported sheet with its hash."""

    seq = shapes.Integer("From 1, without gaps.", low=1, high=MAX_COUNT)
    at = StampField("UTC, to the millisecond.", most=30)
    actor = ActorField("The label of the link that was used; may be empty.")
    kind = shapes.Text(most=60)
    version = shapes.Integer("The version of the kind.", low=1, high=MAX_COUNT)
    data = shapes.Anything("The fields of the event.", schema=_FIELDS)
    hash = shapes.Anything("SHA-256 over the event and the hash before it.", schema=_HASH)


class RecordField(shapes.Anything):
    """An event of an exported sheet, which is read after those before it have been checked."""

    def json_schema(self, refer: shapes.Refer) -> shapes.JsonSchema:
        """Refer to the record."""
        return refer(RecordShape)


class FileAnchorShape(Shape[shapes.Attributes]):
    """What shows that a file is as this server wrote it: no event was cut off, and none was written anew."""

    sheet = shapes.Text("The id that the sheet had.", most=60)
    key = shapes.Text("Which server's key has signed.", most=60)
    mac = shapes.Text("HMAC-SHA-256 over the sheet, the number and the hash of its last event.", most=64)


class SheetFileShape(Shape[shapes.Attributes]):
    """A sheet as its JSON export wrote it."""

    format = shapes.Word((FORMAT,))
    format_version = shapes.Integer(low=FORMAT_VERSION, high=FORMAT_VERSION)
    events = shapes.ListOf(RecordField(), "Every event with its hash.", least=1, most=MAX_EVENTS)
    anchor = shapes.Object(FileAnchorShape, "Checked where this server has signed.", optional=True)


def _read_record(value: object, pointer: Pointer, last_hash: str) -> tuple[Record, Event]:
    given = shapes.read(RecordShape, value, pointer)
    seq, at, actor, kind, version = (given[name] for name in ("seq", "at", "actor", "kind", "version"))
    try:
        event = decode(kind, version, given["data"], pointer=pointer)
    except Refused as refused:  # the kind says what the fields are
        raise Refused(replace(problem, contextual=True) for problem in refused.problems) from None
    body = canonical(given["data"])
    hashed = chain(last_hash, seq, at, actor, kind, version, body)
    if given["hash"] != hashed:
        raise Refused([Problem((*pointer, "hash"), "hash-chain", {"seq": seq})])
    return Record(seq, at, actor, kind, version, body, last_hash, hashed), event
