"""What a store of sheets must do: keep logs that only grow, keys that make a retry harmless, and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

DEFAULT_PLACE = "sqlite:///var/companion.sqlite3"
"""Where sheets are kept unless `COMPANION_DATABASE` says otherwise."""
WATCH, SCORE = "watch", "score"
SCOPES = (WATCH, SCORE)


class NoSuchSheet(LookupError):
    """A sheet, link or secret that does not exist, was revoked, or was never allowed to do this: alike for all."""


class Conflict(Exception):
    """A lost race. `raced` tells two writers that met from one who came with an old version."""

    def __init__(self, version: int, *, raced: bool) -> None:
        self.version = version
        self.raced = raced
        super().__init__(f"the sheet stands at {version}")


class KeyReused(Exception):
    """An idempotency key that came before with other content."""


class NotMigrated(Exception):
    """A database whose tables are older or newer than this program."""


class Unusable(Exception):
    """A store or a copy that cannot be read: what the database says of it."""


class BackupUnsupported(Exception):
    """A store that is copied and restored by its database's own tools, or not at all."""


class InUse(Exception):
    """A store that another process has open."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it is stored; the hash covers everything here and the hash before it."""

    seq: int
    at: str
    actor: str
    kind: str
    version: int
    body: str
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What the first send under an idempotency key was, and what it was answered."""

    fingerprint: str
    answer: str


@dataclass(frozen=True, slots=True)
class Link:
    """A capability to watch or to score one sheet. Its secret is known only to who holds it."""

    id: str
    sheet: str
    scope: str
    label: str
    created: str
    revoked: str | None = None

    def allows(self, scope: str) -> bool:
        """Whether who holds it may do this; scoring includes watching."""
        return self.revoked is None and SCOPES.index(self.scope) >= SCOPES.index(scope)


class Store(Protocol):
    """A place that keeps sheets. Every method is one transaction."""

    def create(self, sheet: str, created: str, records: Sequence[Record], links: Sequence[tuple[Link, str]]) -> None:
        """Keep a new sheet with its first events and its links, each with the hash of its secret."""

    def version(self, sheet: str) -> int:
        """The sequence number of the latest event. Raises NoSuchSheet."""

    def read(self, sheet: str, after: int = 0) -> list[Record]:
        """The events after a sequence number, in order. Raises NoSuchSheet."""

    def append(
        self, sheet: str, base: int, records: Sequence[Record], key: str | None, answered: Answered
    ) -> Answered | None:
        """Add events to a sheet that stands at `base`, and what the key was answered.

        None comes back where they were added; the earlier answer where the key had been used. Raises Conflict where the
        sheet stands elsewhere, NoSuchSheet where there is none.
        """

    def answered(self, sheet: str, key: str) -> Answered | None:
        """What was answered under a key, or None where it is new."""

    def add_link(self, link: Link, secret_hash: str) -> None:
        """Keep a link. Raises NoSuchSheet."""

    def links(self, sheet: str) -> list[Link]:
        """All links of a sheet, the revoked ones too, oldest first."""

    def find_link(self, secret_hash: str) -> Link | None:
        """The link with that secret, revoked or not."""

    def revoke_link(self, sheet: str, link: str, at: str) -> None:
        """Let a link open nothing from now on. Raises NoSuchSheet where the sheet has no such link."""

    def sheets(self) -> Iterator[str]:
        """The ids of all sheets that were not erased."""

    def erase(self, sheet: str, at: str) -> None:
        """Forget a whole sheet for privacy's sake: events, keys and links; only its id and the time remain."""

    def ready(self) -> None:
        """Return where the store answers and its tables are this program's. Raises otherwise."""

    def backup(self, place: Path) -> None:
        """Write a whole copy to a new file while others go on writing. Raises BackupUnsupported."""

    def close(self) -> None:
        """Let go of every connection."""


def open_store(place: str | Path, *, migrate: bool | None = None) -> Store:
    """The store at a path, a database URL, or `memory:`.

    An SQLite file is made and brought up to date at once; a PostgreSQL database only with `migrate`, else NotMigrated
    is raised where its tables are not this program's.
    """
    if str(place) == "memory:":
        from companion.sheets.memory import MemoryStore

        return MemoryStore()
    from companion.sheets.sql import SqlStore

    return SqlStore(place, migrate=migrate)
