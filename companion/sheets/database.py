"""Connections to a database: how SQLite is set up, and faults of the storage as one kind of error without details."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import cast
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, ExceptionContext, make_url
from sqlalchemy.exc import DataError, DBAPIError, DisconnectionError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from companion.sheets.store import Unavailable

OLDEST_SQLITE = (3, 37)
"""The first SQLite with STRICT tables."""
BUSY_MILLISECONDS = 5_000
"""How long a writer waits for another process; then its request is answered 503."""
SECONDS_BETWEEN_ATTEMPTS = 0.005
"""How long a writer waits between two attempts; a write takes a millisecond or two."""
SECONDS_TO_CONNECT = 5
OWNER_ONLY = 0o600
REFUSED_BY_TRIGGER = "P0001"
"""PostgreSQL's code for what a trigger of this program forbids."""
_FILE = "companion.file"
"""Key of a pooled connection's information: which file it has open, by device and number."""
_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "trusted_schema=OFF",
)


def url_of(place: str | Path) -> URL:
    """Return the URL of a database, given as such or as the path of an SQLite file."""
    text = str(place)
    if isinstance(place, Path) or "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    url = make_url(text)
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    return url


def file_of(place: str | Path) -> Path | None:
    """Return the file of an SQLite store, None for a database on a server."""
    url = url_of(place)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def make_engine(url: URL) -> Engine:
    """Return an engine that raises `Unavailable` for faults of the storage. Creates an SQLite file for its owner alone.

    Raises ValueError for SQLite without a file, RuntimeError for an SQLite that is too old.
    """
    if url.get_backend_name() == "sqlite":
        engine = _sqlite_engine(url)
    else:
        connecting = {"connect_timeout": SECONDS_TO_CONNECT}
        engine = sa.create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=connecting)
    sa.event.listen(engine, "handle_error", _raise_unavailable)
    return engine


def try_write(connection: Connection) -> None:
    """Write what changes nothing. Raises Unavailable, for SQLite perhaps only when the transaction is committed."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA user_version = 1")  # one page, written whether or not it changes
    else:
        with connection.begin_nested() as attempt:
            connection.execute(sa.text("INSERT INTO sheet (id, created) VALUES ('', '')"))
            attempt.rollback()


def _sqlite_engine(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise ValueError("an SQLite store needs a file; use memory: for one without")
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise RuntimeError(f"SQLite {'.'.join(map(str, OLDEST_SQLITE))} or newer is needed")
    file = Path(url.database).absolute()
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
    if file.stat().st_mode & 0o077 and file.stat().st_uid == os.geteuid():
        file.chmod(OWNER_ONLY)  # made by an earlier version; SQLite gives the files beside it the same rights

    def connect() -> sqlite3.Connection:
        # A file that has gone is not made anew: it would be an empty one, and nobody would notice.
        return sqlite3.connect(
            f"file:{quote(str(file))}?mode=rw", uri=True, timeout=BUSY_MILLISECONDS / 1000, check_same_thread=False
        )

    def note_file(connection: sqlite3.Connection, record: ConnectionPoolEntry) -> None:
        record.info[_FILE] = _identity(file)

    def same_file(connection: sqlite3.Connection, record: ConnectionPoolEntry, proxy: PoolProxiedConnection) -> None:
        if record.info[_FILE] != _identity(file):
            raise DisconnectionError  # what would be written to a file that was replaced is lost

    engine = sa.create_engine(url, creator=connect, hide_parameters=True)
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "connect", note_file)
    sa.event.listen(engine, "checkout", same_file)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _set_up(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # no implicit transactions: `_begin` opens them
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # After a plain BEGIN, the first write fails at once if another connection writes; BEGIN IMMEDIATE waits. What only
    # reads is one statement, or need not agree with the one before, and needs no transaction; an audit does.
    options = connection.get_execution_options()
    if options.get("writing"):
        _begin_to_write(connection)
    elif options.get("reading"):
        connection.exec_driver_sql("BEGIN")


def _begin_to_write(connection: Connection) -> None:
    """Begin as soon as no other connection writes. Raises Unavailable after `BUSY_MILLISECONDS`.

    SQLite itself waits ever longer between its attempts, up to 100 ms: whoever waits longest is the least likely to
    come between writers that are quick, and in the end is refused.
    """
    raw = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    end = monotonic() + BUSY_MILLISECONDS / 1000
    raw.execute("PRAGMA busy_timeout=0")
    try:
        while monotonic() < end:
            try:
                raw.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as fault:
                if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    break
            sleep(SECONDS_BETWEEN_ATTEMPTS)
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # its fault is the one that is raised
    finally:
        raw.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")


def _raise_unavailable(context: ExceptionContext) -> None:
    """Raise a fault of the storage without the statement, its parameters and the server's address."""
    if isinstance(context.sqlalchemy_exception, DBAPIError) and not isinstance(
        context.sqlalchemy_exception, IntegrityError | DataError
    ):
        fault = context.original_exception
        if getattr(fault, "sqlstate", None) == REFUSED_BY_TRIGGER:
            return
        code = getattr(fault, "sqlite_errorname", None) or getattr(fault, "sqlstate", None)
        raise Unavailable(str(code or type(fault).__name__)) from None
