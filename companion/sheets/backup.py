"""Back up, verify and restore a store."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from companion.sheets.service import SheetService
from companion.sheets.sql import ANOTHER_KEY, UNANCHORED, file_of
from companion.sheets.store import (
    BackupUnsupported,
    Fault,
    InUse,
    NotMigrated,
    Store,
    Unavailable,
    Unusable,
    open_store,
)

_BESIDE = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside an open database."""
_SECONDS_TO_CLOSE = 0.5


@dataclass(frozen=True, slots=True)
class Checked:
    """The number of sheets in a store, their faults, and how many of them have no anchor, or one of another key."""

    sheets: int
    faults: tuple[Fault, ...]
    unanchored: int = 0
    foreign: int = 0
    anchored: bool = True
    """Whether there was a key to check anchors with."""


def back_up(place: str, copy: Path, *, key: str) -> Checked:
    """Copy a store to a new file during writes, and verify the copy, with the server's key its anchors too.

    Raises FileNotFoundError, FileExistsError, BackupUnsupported for PostgreSQL, Unusable.
    """
    if copy.exists():
        raise FileExistsError(copy)
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(_opened(place)) as store:
        store.backup(unfinished)
    unfinished.chmod(0o600)
    checked = _checked_file(unfinished, key)
    os.replace(unfinished, copy)
    return checked


def verify(place: str, *, key: str = "") -> Checked:
    """Fold and score every sheet of a store and check every hash, with the server's key the anchors too.

    Raises FileNotFoundError and Unusable.
    """
    file = file_of(place)
    if file is not None:
        _check_pages(file)
    with closing(_opened(place, key)) as store:
        return _checked(store)


def anchor(place: str, *, key: str) -> tuple[int, Checked]:
    """Anchor the sheets that have no anchor or one of another key, unless a sheet has faults; return how many, and how
    things are then. Raises FileNotFoundError and Unusable."""
    with closing(_opened(place, key)) as store:
        before = _checked(store)
        if before.faults:
            return 0, before
        return store.renew_anchors(), _checked(store)


def restore(copy: Path, place: str, *, replace: bool = False, key: str = "") -> Checked:
    """Replace a store by a copy, after migrating and verifying the copy.

    With `replace`, an existing store is kept beside it as `<name>.before-restore`. Raises FileNotFoundError,
    FileExistsError, BackupUnsupported for PostgreSQL, InUse, and Unusable if the copy has faults.
    """
    file = file_of(place)
    if file is None:
        raise BackupUnsupported("restore PostgreSQL with its own tools")
    if not copy.is_file():
        raise FileNotFoundError(copy)
    if file.exists() and not replace:
        raise FileExistsError(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.restoring")
    _remove(fresh)
    try:
        shutil.copyfile(copy, fresh)
        fresh.chmod(0o600)
        checked = _checked_file(fresh, key)
        if checked.faults:
            raise Unusable("; ".join(f"{fault.sheet} {fault.seq}: {fault.what}" for fault in checked.faults))
        if file.exists():
            _close(file)
            _move(file, file.with_name(f"{file.name}.before-restore"))
        os.replace(fresh, file)
    finally:
        _remove(fresh)
    return checked


def erase(place: str, sheet: str, *, key: str) -> None:
    """Erase a sheet for good, and anchor that. Raises FileNotFoundError, Unusable and NoSuchSheet."""
    with closing(_opened(place, key)) as store:
        SheetService(store).erase(sheet)


def _opened(place: str, key: str = "") -> Store:
    file = file_of(place)
    if file is not None and not file.is_file():
        raise FileNotFoundError(file)
    try:
        return open_store(place, key=key)
    except (SQLAlchemyError, NotMigrated, Unavailable) as fault:
        raise Unusable(str(getattr(fault, "orig", fault))) from fault


def _checked(store: Store) -> Checked:
    try:
        sheets, found = sum(1 for _ in store.sheets()), SheetService(store).verify()
    except (SQLAlchemyError, Unavailable) as fault:
        raise Unusable(str(getattr(fault, "orig", fault))) from fault
    outside = Counter(fault.what for fault in found)
    faults = tuple(fault for fault in found if fault.what not in (UNANCHORED, ANOTHER_KEY))
    return Checked(sheets, faults, outside[UNANCHORED], outside[ANOTHER_KEY], anchored=store.anchors is not None)


def _checked_file(file: Path, key: str) -> Checked:
    """Verify an SQLite file that nobody else has open; afterwards it needs no files beside it."""
    _check_pages(file)
    with closing(_opened(str(file), key)) as store:
        checked = _checked(store)
    _close(file)
    return checked


def _check_pages(file: Path) -> None:
    """Raise Unusable if SQLite finds a fault or there are no tables of this program."""
    if not file.is_file():
        raise FileNotFoundError(file)
    try:
        with closing(sqlite3.connect(file)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'event'").fetchone()[0]
    except sqlite3.DatabaseError as fault:
        raise Unusable(str(fault)) from fault
    if found != "ok" or not tables:
        raise Unusable(found if found != "ok" else "it holds no sheets")


def _close(file: Path) -> None:
    """Make SQLite write everything into the file itself. Raises InUse if another process has it open.

    A file that is broken stays as it is.
    """
    with closing(sqlite3.connect(file, timeout=_SECONDS_TO_CLOSE)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse(file) from fault
        except sqlite3.DatabaseError:
            return


def _move(file: Path, to: Path) -> None:
    _remove(to)
    os.replace(file, to)
    for end in _BESIDE:
        with suppress(FileNotFoundError):
            os.replace(f"{file}{end}", f"{to}{end}")


def _remove(file: Path) -> None:
    for end in ("", *_BESIDE):
        Path(f"{file}{end}").unlink(missing_ok=True)
