"""The log: events as stored records in a hash chain, and the file in which a sheet travels."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from companion.engine.game import Game, read_deal
from companion.engine.ledger import Side
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.reading import Node
from companion.sheets import events as e
from companion.sheets.calls import settled
from companion.sheets.events import Entry, Event
from companion.sheets.fields import MOST_COUNTED, canonical, plain, read_fields
from companion.sheets.fold import BrokenLog, fold
from companion.sheets.names import clean
from companion.sheets.scoring import house_rules, ledger
from companion.sheets.state import Sheet
from companion.sheets.store import Record

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

_CLASSES: tuple[type, ...] = (
    e.SheetOpened, e.GameStarted, e.CallMade, e.CallChanged, e.CallsCleared, e.DealRecorded, e.DealCorrected,
    e.DealVoided, e.Adjusted, e.DealConfirmed, e.DealerSet, e.RulesChanged, e.Noted, e.PlayerRenamed, e.PlayerJoined,
    e.SheetTitled, e.Undone, e.Redone,
)  # fmt: skip

KINDS: Mapping[str, type] = {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in _CLASSES}
NAMES: Mapping[type, str] = {kind: name for name, kind in KINDS.items()}
UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""By kind and the version that it lifts: what turns that version's data into the next one's."""
NO_HASH = "0" * 64
"""What the first event of a sheet has before it."""


def kind_of(event: e.Event) -> str:
    """The kind's name in JSON: `deal_recorded`."""
    return NAMES[type(event)]


def version_of(kind: str, upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS) -> int:
    """The version in which events of a kind are written now."""
    return 1 + max((version for name, version in upcasters if name == kind), default=0)


def encode(event: e.Event) -> dict[str, Any]:
    """The event's own fields as JSON has them, in its kind's present version."""
    return {field.name: plain(getattr(event, field.name)) for field in dataclasses.fields(event)}


def decode(
    kind: str,
    version: int,
    data: Any,
    *,
    pointer: Pointer = (),
    upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
) -> e.Event:
    """The event in foreign JSON, every field checked.

    Raises Refused with `unknown-event` or `event-version` for what this program does not know.
    """
    if kind not in KINDS:
        raise Refused([Problem((*pointer, "kind"), "unknown-event", {"value": kind[:60]})])
    if not 1 <= version <= version_of(kind, upcasters):
        raise Refused([Problem((*pointer, "version"), "event-version", {"kind": kind, "value": version})])
    node = Node(data, (*pointer, "data"))
    if not node.object(others=True):
        raise Refused(node.problems)
    node = Node(_lifted(kind, version, data, upcasters), node.pointer)
    event: Any = read_fields(KINDS[kind], node)
    if event is None or node.problems:
        raise Refused(node.problems)
    if version == version_of(kind, upcasters) and encode(event) != data:
        raise Refused([Problem(node.pointer, "not-canonical", {"kind": kind})])
    known: e.Event = event
    return known


def restore(kind: str, version: int, data: dict[str, Any]) -> e.Event:
    """The event in JSON that this program wrote itself. Raises KeyError for an unknown kind."""
    values = dict(_lifted(kind, version, data, UPCASTERS))
    if kind == "sheet_opened":
        values["seats"] = tuple(e.Seat(**seat) for seat in values["seats"])
    elif kind == "game_started":
        values["seating"] = tuple(values["seating"])
        values["sides"] = tuple(Side(side["id"], tuple(side["players"])) for side in values["sides"])
    event: e.Event = KINDS[kind](**values)
    return event


def chain(previous: str, seq: int, at: str, actor: str, kind: str, version: int, body: str) -> str:
    """The hash of an event that stands after another: SHA-256 over everything that it says, and the hash before it."""
    return sha256(canonical([previous, seq, at, actor, kind, version, body]).encode()).hexdigest()


def _lifted(
    kind: str, version: int, data: dict[str, Any], upcasters: Mapping[tuple[str, int], Upcaster]
) -> dict[str, Any]:
    while (kind, version) in upcasters:
        data, version = upcasters[kind, version](data), version + 1
    return data


FORMAT = "companion-sheet"
FORMAT_VERSION = 1
MOST_EVENTS = 20_000


def stamp(at: datetime) -> str:
    """A time as the log writes it: UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later(now: datetime, before: datetime) -> datetime:
    """Now, or the time of the event before where the clock has gone back."""
    return max(now.astimezone(UTC), before)


def to_records(events: Sequence[Event], last_hash: str, version: int, at: str, actor: str) -> list[Record]:
    """Records of events that follow a version of a sheet and the hash of its last event."""
    records = []
    for seq, event in enumerate(events, start=version + 1):
        kind = kind_of(event)
        body = canonical(encode(event))
        hashed = chain(last_hash, seq, at, actor, kind, version_of(kind), body)
        records.append(Record(seq, at, actor, kind, version_of(kind), body, last_hash, hashed))
        last_hash = hashed
    return records


def from_record(record: Record) -> Entry:
    """The entry that a record holds."""
    event = restore(record.kind, record.version, json.loads(record.body))
    return Entry(record.seq, datetime.fromisoformat(record.at), record.actor, event)


def broken_at(records: Sequence[Record]) -> int | None:
    """The sequence number of the first record whose hash does not fit what it says or what stands before it."""
    last_hash = NO_HASH
    for seq, record in enumerate(records, start=1):
        hashed = chain(last_hash, record.seq, record.at, record.actor, record.kind, record.version, record.body)
        if record.seq != seq or record.prev_hash != last_hash or record.hash != hashed:
            return record.seq
        last_hash = hashed
    return None


def to_file(records: Sequence[Record]) -> dict[str, Any]:
    """A sheet as one JSON value that can be taken elsewhere and brought back without a change."""
    events = [
        {
            "seq": record.seq, "at": record.at, "actor": record.actor, "kind": record.kind,
            "version": record.version, "data": json.loads(record.body), "hash": record.hash,
        }
        for record in records
    ]  # fmt: skip
    return {"format": FORMAT, "format_version": FORMAT_VERSION, "events": events}


def from_file(value: Any, games: Mapping[str, Game]) -> list[Record]:
    """The records in such a JSON value, every one of them checked. Raises Refused."""
    node = Node(value)
    if not node.object(required=("format", "format_version", "events")):
        raise Refused(node.problems)
    node["format"].one_of((FORMAT,))
    node["format_version"].integer(low=FORMAT_VERSION, high=FORMAT_VERSION)
    records: list[Record] = []
    entries: list[Entry] = []
    for item in node["events"].items(least=1, most=MOST_EVENTS):
        record, event = _read_record(item, records[-1].hash if records else NO_HASH)
        if node.problems:
            raise Refused(node.problems)
        records.append(record)
        entries.append(Entry(record.seq, datetime.fromisoformat(record.at), record.actor, event))
    if node.problems:
        raise Refused(node.problems)
    check_log(entries, games)
    return records


def check_log(entries: Sequence[Entry], games: Mapping[str, Game]) -> Sheet:
    """The sheet behind a foreign log of which every step could have been taken. Raises Refused."""
    sheet: Sheet | None = None
    for place, entry in enumerate(entries):
        try:
            sheet = fold([entry], sheet)
            _check_step(sheet, entry.event, games)
        except BrokenLog as broken:
            raise Refused([Problem(("events", place), "broken-log", {"seq": broken.seq})]) from broken
        except Refused as refused:
            raise Refused(
                Problem(("events", place, "data", *p.pointer), p.code, p.facts, p.article) for p in refused.problems
            ) from refused
    if sheet is None:
        raise Refused([Problem(("events",), "length", {"least": 1, "most": MOST_EVENTS, "count": 0})])
    for game in sheet.games:
        ledger(game, games)
    return sheet


def _check_step(sheet: Sheet, event: Event, games: Mapping[str, Game]) -> None:
    """What the fold lets pass: games and rules that nobody knows, facts and calls that no game could read."""
    if isinstance(event, e.GameStarted) and event.game not in games:
        raise Refused([Problem(("game",), "unknown-game", {"value": event.game, "choices": list(games)})])
    if not hasattr(event, "game_number"):
        return
    game = sheet.games[event.game_number - 1]
    known = games[game.game]
    rules = house_rules(known, game.rules).options
    if isinstance(event, e.GameStarted | e.RulesChanged):
        node = Node(plain(game.sides), ("sides",))
        known.read_sides(node, rules)
        if not event.options.items() <= known.options.plain(rules).items():  # an older program had fewer options
            node.fault("not-canonical")
        if node.problems:
            raise Refused(node.problems)
    if isinstance(event, e.DealRecorded | e.DealCorrected):
        facts = Node(event.facts, ("facts",))
        read_deal(known, facts, house_rules(known, game.rules_of(event.deal)).options, game.sides)
        if facts.problems:
            raise Refused(facts.problems)
    if isinstance(event, e.CallMade | e.CallChanged):
        settled(known, game, game.open.calls)


def _read_record(node: Node, last_hash: str) -> tuple[Record, Any]:
    node.object(required=("seq", "at", "actor", "kind", "version", "data", "hash"))
    seq = node["seq"].integer(low=1, high=MOST_COUNTED)
    at, actor, kind = node["at"].text(most=30), node["actor"].text(), node["kind"].text(most=60)
    version = node["version"].integer(low=1, high=MOST_COUNTED)
    if not _is_stamp(at):
        node["at"].fault("time", value=at)
    if clean(actor) != actor:
        node["actor"].fault("not-canonical")
    event = None
    if not node.problems:
        try:
            event = decode(kind, version, node["data"].value, pointer=node.pointer)
        except Refused as refused:
            node.problems.extend(refused.problems)
    if node.problems:
        return Record(seq, at, actor, kind, version, "", last_hash, ""), event
    body = canonical(node["data"].value)
    hashed = chain(last_hash, seq, at, actor, kind, version, body)
    if node["hash"].value != hashed:
        node["hash"].fault("hash-chain", seq=seq)
    return Record(seq, at, actor, kind, version, body, last_hash, hashed), event


def _is_stamp(text: str) -> bool:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return False
    return at.utcoffset() == timedelta(0) and stamp(at) == text
