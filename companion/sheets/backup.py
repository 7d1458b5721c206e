"""Back up, verify and restore a store."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from companion.sheets.database import file_of
from companion.sheets.service import Fault, SheetService
from companion.sheets.store import BackupUnsupported, InUse, NotMigrated, Store, Unavailable, Unusable, open_store

BESIDE = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside an open database."""
SECONDS_TO_CLOSE = 0.5


@dataclass(frozen=True, slots=True)
class Checked:
    """The number of sheets in a store, and their faults."""

    sheets: int
    faults: tuple[Fault, ...]


def back_up(place: str, copy: Path) -> Checked:
    """Copy a store to a new file during writes, and verify the copy.

    Raises FileNotFoundError, FileExistsError, BackupUnsupported for PostgreSQL, Unusable.
    """
    if copy.exists():
        raise FileExistsError(copy)
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(_opened(place)) as store:
        store.backup(unfinished)
    unfinished.chmod(0o600)
    checked = _checked_file(unfinished)
    os.replace(unfinished, copy)
    return checked


def verify(place: str) -> Checked:
    """Fold and score every sheet of a store and check every hash. Raises FileNotFoundError and Unusable."""
    file = file_of(place)
    if file is not None:
        _check_pages(file)
    with closing(_opened(place)) as store:
        return _checked(store)


def restore(copy: Path, place: str, *, replace: bool = False) -> Checked:
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
        checked = _checked_file(fresh)
        if checked.faults:
            raise Unusable("; ".join(f"{fault.sheet} {fault.seq}: {fault.what}" for fault in checked.faults))
        if file.exists():
            _close(file)
            _move(file, file.with_name(f"{file.name}.before-restore"))
        os.replace(fresh, file)
    finally:
        _remove(fresh)
    return checked


def _opened(place: str) -> Store:
    file = file_of(place)
    if file is not None and not file.is_file():
        raise FileNotFoundError(file)
    try:
        return open_store(place)
    except (SQLAlchemyError, NotMigrated, Unavailable) as fault:
        raise Unusable(str(getattr(fault, "orig", fault))) from fault


def _checked(store: Store) -> Checked:
    try:
        return Checked(sum(1 for _ in store.sheets()), tuple(SheetService(store).verify()))
    except (SQLAlchemyError, Unavailable) as fault:
        raise Unusable(str(getattr(fault, "orig", fault))) from fault


def _checked_file(file: Path) -> Checked:
    """Verify an SQLite file that nobody else has open; afterwards it needs no files beside it."""
    _check_pages(file)
    with closing(_opened(str(file))) as store:
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
    with closing(sqlite3.connect(file, timeout=SECONDS_TO_CLOSE)) as connection:
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
    for end in BESIDE:
        with suppress(FileNotFoundError):
            os.replace(f"{file}{end}", f"{to}{end}")


def _remove(file: Path) -> None:
    for end in ("", *BESIDE):
        Path(f"{file}{end}").unlink(missing_ok=True)
