"""The log: events as stored records in a hash chain, and the file in which a sheet travels."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, TypeVar

from companion.engine import shapes
from companion.engine.game import Game
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.shapes import Shape, fault
from companion.sheets.anchors import Anchors
from companion.sheets.fold import BrokenLog, fold
from companion.sheets.model import EVENTS, Entry, Event
from companion.sheets.names import clean
from companion.sheets.scoring import ledger
from companion.sheets.shapes import MAX_COUNT, canonical, kind_name, read, restore, to_json
from companion.sheets.state import LogEntry, Sheet
from companion.sheets.store import Record

FORMAT: Final = "companion-sheet"
FORMAT_VERSION: Final = 1
MAX_EVENTS: Final = 2_000
MAX_FILE: Final = 2 * 1024 * 1024
"""Bytes of an exported sheet that is brought back: a thousand for each of its events."""
"""Events of one sheet: some two hundred games. A sheet that has more, from an earlier version, can be read."""
HASH: Final[shapes.JsonSchema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
FIELDS: Final[shapes.JsonSchema] = {
    "type": "object",
    "additionalProperties": {"description": "As the `data` of an event of this kind."},
}
NO_HASH: Final = "0" * 64
"""The hash before the first event of a sheet."""

E = TypeVar("E")
Upcaster = Callable[[dict[str, object]], dict[str, object]]
UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""By kind and version: what turns data of that version into data of the next one."""


def version_of(kind: str, upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS) -> int:
    """Return the version in which events of a kind are written now."""
    return 1 + max((version for name, version in upcasters if name == kind), default=0)


def decode(
    kind: str,
    version: int,
    data: object,
    *,
    pointer: Pointer = (),
    upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
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
    kind: str, version: int, data: dict[str, object], upcasters: Mapping[tuple[str, int], Upcaster]
) -> dict[str, object]:
    while (kind, version) in upcasters:
        data, version = upcasters[kind, version](data), version + 1
    return data


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


def entries_in(records: Sequence[Record], kinds: Mapping[str, type[E]]) -> list[LogEntry[E]]:
    """Return the entries in records of events of these kinds. Raises KeyError for another one.

    Their bodies are read as one text: each alone takes five times as long.
    """
    bodies = json.loads(f"[{','.join([record.body for record in records])}]")
    return [
        LogEntry(
            record.seq,
            datetime.fromisoformat(record.at),
            record.actor,
            restore(kinds[record.kind], _lifted(record.kind, record.version, body, UPCASTERS)),
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
    file: dict[str, Any] = {"format": FORMAT, "format_version": FORMAT_VERSION, "events": events}
    if anchors:
        head = records[-1].head
        file["anchor"] = {"sheet": sheet, "key": anchors.key, "mac": anchors.of_file(sheet, head)}
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
    data = shapes.Anything("The fields of the event.", schema=FIELDS)
    hash = shapes.Anything("SHA-256 over the event and the hash before it.", schema=HASH)


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
