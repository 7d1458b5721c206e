"""The interface of a store: append-only logs, idempotency keys, links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.sheets.anchors import Anchors, Head

if TYPE_CHECKING:
    from companion.sheets.devices import Devices

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


class Store(Protocol):
    """A store of sheets. Every method is one transaction."""

    anchors: Anchors | None
    """Signs what is written; None where no key was given, or where nothing outlives the process."""
    devices: Devices
    """The devices that keep the sheets."""

    def create(
        self,
        sheet: str,
        created: str,
        records: Sequence[Record],
        links: Sequence[tuple[Link, str]],
        answered: Answered | None = None,
    ) -> None:
        """Insert a sheet with its first events and its links, each with the hash of its secret.

        What was asked, and these events as its result, are kept under the key `OPENING`. Raises Conflict if there is,
        or was, one with this id.
        """

    def head(self, sheet: str) -> Head:
        """Return the number and the hash of the latest event. Raises NoSuchSheet."""

    def read(self, sheet: str, after: int = 0, most: int | None = None) -> list[Record]:
        """Return the events after a sequence number, in order, at most so many. Raises NoSuchSheet."""

    def append(
        self,
        sheet: str,
        base: int,
        records: Sequence[Record],
        key: str | None,
        answered: Answered,
        link: str | None = None,
    ) -> Answered | None:
        """Append events to a sheet at version `base`, and keep the result under the key.

        Return None if they were appended, the earlier result if the key had been used. Raises Conflict if the sheet is
        at another version or has another history, NoSuchSheet if there is none or the link of that id may no longer
        write.
        """

    def answered(self, sheet: str, key: str) -> Answered | None:
        """Return the result under a key, None for a new key."""

    def add_link(self, link: Link, secret_hash: str) -> None:
        """Insert a link. Raises NoSuchSheet, or Conflict if there is one with this id."""

    def links(self, sheet: str) -> list[Link]:
        """Return all links of a sheet, oldest first, revoked ones included. Raises NoSuchSheet."""

    def find_link(self, secret_hash: str) -> Link | None:
        """Return the link with that secret, revoked or not."""

    def link(self, link: str) -> Link | None:
        """Return the link of that id, revoked or not."""

    def linked_head(self, secret_hash: str) -> tuple[Link, Head] | None:
        """Return the link with that secret, revoked or not, and the latest event of its sheet, for polling."""

    def revoke_link(self, sheet: str, link: str, at: str) -> None:
        """Revoke a link. Raises NoSuchSheet if the sheet has no such link."""

    def sheets(self) -> Iterator[str]:
        """Return the ids of all sheets that were not erased."""

    def groups(self) -> Iterator[str]:
        """Return the ids of all groups that were not erased."""

    def erase(self, sheet: str, at: str) -> None:
        """Delete the events, keys and links of a sheet; only its id and the time remain. Raises NoSuchSheet."""

    def ready(self) -> None:
        """Return if the store answers and its tables have the version of this program. Raises otherwise."""

    def audit(self) -> Iterator[Fault]:
        """Yield what does not fit the anchors, with `audit.UNANCHORED` for sheets that have none."""

    def renew_anchors(self) -> int:
        """Anchor as they are now the sheets that have no anchor or one of another key; return how many these were."""

    def backup(self, place: Path) -> None:
        """Write a consistent copy to a new file during writes. Raises BackupUnsupported."""

    def close(self) -> None:
        """Close every connection."""


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
