"""Write the events of commands in a log: decide, append, again after a concurrent write, once for each key."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, Protocol, TypeVar

from companion.engine.problems import Problem, Refused
from companion.sheets.anchors import Head
from companion.sheets.log import later, stamp, to_records
from companion.sheets.names import clean
from companion.sheets.shapes import canonical, to_json
from companion.sheets.store import Answered, Conflict, KeyReused, Link, Record, Store
from companion.sheets.tokens import hashed

MAX_RETRIES: Final = 20
"""Maximum number of retries after a concurrent write, for commands without a base version."""


class Latest(Protocol):
    """What is known of a log at its latest version."""

    @property
    def head(self) -> Head:
        """Its latest event."""

    @property
    def changed(self) -> datetime:
        """When that was written."""


V = TypeVar("V", bound=Latest)
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Written(Generic[V, E]):
    """What a command has written: the events, none if it changed nothing, and the view of the log after them."""

    view: V
    entries: tuple[E, ...]
    head: Head
    """The last of these events."""
    replayed: bool = False
    """Whether the command had been sent before under the same key; this is the first result again."""

    @property
    def version(self) -> int:
        """The version to which these events brought the log."""
        return self.head.version


class Writer(Generic[V, E]):
    """Writes in the logs of one kind: sheets, or groups."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        *,
        load: Callable[[str], V],
        entries: Callable[[Sequence[Record]], Sequence[E]],
        grow: Callable[[V, tuple[E, ...], Head], V],
        most: int,
    ) -> None:
        """`grow` returns a view after further entries, which `entries` makes of records; a log has `most` events."""
        self._store, self._now, self._load, self._entries, self._grow = store, clock, load, entries, grow
        self._most = most

    def write(
        self,
        log: str,
        command: object,
        decide: Callable[[V], Sequence[object]],
        *,
        base_version: int | None = None,
        key: str | None = None,
        link: Link | None = None,
        actor: str = "",
        at: datetime | None = None,
    ) -> Written[V, E]:
        """Write the events that `decide` returns for a command, or return the earlier result under its key.

        With `base_version`, raises Conflict if the log is at another version. A `key` that was used for another command
        raises KeyReused. With a link, its label is the actor, and the transaction that writes looks it up again. `at`
        is when the command was given, if that was earlier. Raises what `decide` raises, NoSuchSheet, and Conflict where
        others write all the time.
        """
        try:
            written = self._append(log, command, decide, base_version, key, link, actor, at)
        except (Conflict, Refused):
            # What was written under the key before may not be possible a second time; what is, the store finds.
            if again := self._earlier(log, key, command):
                return again
            raise
        return written if written.entries else self._earlier(log, key, command) or written

    def _append(
        self, log: str, command: object, decide: Callable[[V], Sequence[object]], base_version: int | None,
        key: str | None, link: Link | None, actor: str, at: datetime | None,
    ) -> Written[V, E]:  # fmt: skip
        for _ in range(MAX_RETRIES):
            view = self._load(log)
            version = view.head.version
            if base_version is not None and version != base_version:
                raise Conflict(version, raced=False)
            events = decide(view)
            if not events:
                return Written(view, (), view.head)
            if version + len(events) > self._most:
                raise Refused([Problem((), "sheet-full", {"most": self._most})])
            now = self._now()
            entered = stamp(later(min(at or now, now), view.changed))
            records = to_records(events, view.head.hash, version, entered, clean(link.label if link else actor))
            answered = answer_to(command, records)
            try:
                before = self._store.append(log, version, records, key, answered, link.id if link else None)
            except Conflict:
                if base_version is not None:
                    raise
                continue
            if before:
                return self._again(log, before, command)
            entries, head = tuple(self._entries(records)), records[-1].head
            return Written(self._grow(view, entries, head), entries, head)
        raise Conflict(self._store.head(log).version, raced=True)

    def _earlier(self, log: str, key: str | None, command: object) -> Written[V, E] | None:
        """Return the result of an earlier send under the key, None for a new key. Raises KeyReused."""
        before = self._store.answered(log, key) if key is not None else None
        return self._again(log, before, command) if before else None

    def _again(self, log: str, before: Answered, command: object) -> Written[V, E]:
        first, last = written_before(before, command)
        records = self._store.read(log, first - 1, last - first + 1)
        head = Head(last, records[-1].hash)
        return Written(self._load(log), tuple(self._entries(records)), head, replayed=True)


def answer_to(command: object, records: Sequence[Record]) -> Answered:
    """Return what a store keeps under the key of a command that led to these events."""
    return Answered(fingerprint(command), canonical({"first": records[0].seq, "last": records[-1].seq}))


def written_before(before: Answered, command: object) -> tuple[int, int]:
    """Return the first and the last event to which a command has led. Raises KeyReused for another command."""
    if before.fingerprint != fingerprint(command):
        raise KeyReused
    return span(before)


def span(before: Answered) -> tuple[int, int]:
    """Return the first and the last event that a command has become."""
    written = json.loads(before.answer)
    return written["first"], written["last"]


def fingerprint(command: object) -> str:
    """Return what two commands have in common that are the same."""
    return hashed(canonical([type(command).__name__, to_json(command)]))
