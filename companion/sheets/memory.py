"""A store in memory, for tests and for trying things out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from companion.sheets.anchors import Anchors, Head
from companion.sheets.devices import Devices, MemoryDevices
from companion.sheets.store import (
    OPENING,
    Answered,
    BackupUnsupported,
    Conflict,
    Fault,
    Link,
    NoSuchSheet,
    Record,
    is_group,
)


class MemoryStore:
    """A store in dictionaries, guarded by one lock."""

    anchors: Anchors | None = None

    def __init__(self) -> None:
        self._lock = Lock()
        self._logs: dict[str, list[Record]] = {}
        self._answers: dict[tuple[str, str], Answered] = {}
        self._links: dict[str, Link] = {}
        self._erased: set[str] = set()
        self.devices: Devices = MemoryDevices(lambda: self._links)

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
        latest = self._log(sheet)[-1]
        return latest.head

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
