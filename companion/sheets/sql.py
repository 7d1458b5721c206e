"""The store on SQLAlchemy Core: an SQLite file that migrates itself, or a PostgreSQL database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

from companion.sheets import anchoring, audit
from companion.sheets.anchoring import SELECT_HEAD, head_of
from companion.sheets.anchors import Anchors, Head, Row
from companion.sheets.database import make_engine, try_write, url_of
from companion.sheets.device_sql import SqlDevices
from companion.sheets.devices import Devices
from companion.sheets.shapes import MAX_COUNT
from companion.sheets.store import (
    GROUP_MARK,
    OPENING,
    Answered,
    BackupUnsupported,
    Conflict,
    Fault,
    Link,
    NoSuchSheet,
    NotMigrated,
    Record,
)
from companion.sheets.tables import event_table, key_table, link_table, sheet_table
from companion.sheets.tables import metadata as metadata

HEAD = "0003"
"""The latest revision under `migrations/versions`."""
EARLIER: tuple[str, ...] = ("0001", "0002")
"""The revisions before it, from which this program can migrate."""


def schema_version(connection: Connection) -> str | None:
    """Return the revision of a database, None if it has no tables of this program."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return step


def run_migrations(connection: Connection) -> None:
    """Migrate a database to the latest revision, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


MIGRATING = 7_235_011
"""The advisory lock that lets only one process migrate a PostgreSQL database."""

_RECORD = [event_table.c[field.name] for field in fields(Record)]
_LINK = [link_table.c[field.name] for field in fields(Link)]

# Statements that every request needs are built once: building one takes longer than SQLite takes to execute it. The
# rows of `make bench` are "a watcher's page answered 304" and "one event appended".
_OF_SHEET: sa.BindParameter[str] = sa.bindparam("sheet")
_SELECT_EVENTS = (
    sa.select(*_RECORD)
    .where(
        event_table.c.sheet == _OF_SHEET,
        event_table.c.seq > sa.bindparam("after"),
        event_table.c.seq <= sa.bindparam("last"),
    )
    .order_by(event_table.c.seq)
)
_SELECT_ANSWER = sa.select(key_table.c.fingerprint, key_table.c.answer).where(
    key_table.c.sheet == _OF_SHEET, key_table.c.key == sa.bindparam("key")
)
_SELECT_LINK = sa.select(*_LINK).where(link_table.c.secret_hash == sa.bindparam("secret_hash"))
_SELECT_LINK_BY_ID = sa.select(*_LINK).where(link_table.c.id == sa.bindparam("link"))
_SELECT_LINK_HEAD = (
    _SELECT_LINK.add_columns(event_table.c.seq, event_table.c.hash)
    .join(event_table, event_table.c.sheet == link_table.c.sheet)
    .order_by(event_table.c.seq.desc())
    .limit(1)
)
_LOCK_SHEET = (
    sa.select(sheet_table.c.id).where(sheet_table.c.id == _OF_SHEET, sheet_table.c.erased.is_(None)).with_for_update()
)
_LOCK_LINK = (
    sa.select(link_table.c.id)
    .where(link_table.c.id == sa.bindparam("link"), link_table.c.revoked.is_(None))
    .with_for_update(read=True)
)
_IS_GROUP = sheet_table.c.id.startswith(GROUP_MARK)
_INSERT_EVENT, _INSERT_KEY = sa.insert(event_table), sa.insert(key_table)


class SqlStore:
    """A store in a database. The primary key (sheet, seq) decides concurrent writes."""

    def __init__(self, place: str | Path, *, migrate: bool | None = None, key: str = "") -> None:
        self.url = url_of(place)
        self.anchors = Anchors(key) if key else None
        self.engine = make_engine(self.url)
        self._writing = self.engine.execution_options(writing=True)
        self._compiled: dict[sa.Select[Any], SQLCompiler] = {}
        self.devices: Devices = SqlDevices(self._first, self.engine, self._writing)
        try:
            if migrate or (migrate is None and self.url.get_backend_name() == "sqlite"):
                self.migrate()
            self.ready()
        except BaseException:
            self.close()
            raise

    def migrate(self) -> None:
        """Create the tables or migrate them; do nothing if they have the latest revision."""
        with self._writing.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            if schema_version(connection) in (None, *EARLIER):
                run_migrations(connection)

    def ready(self) -> None:
        """Return if the database can be written and its tables have the latest revision.

        Raises NotMigrated and Unavailable.
        """
        with self._writing.begin() as connection:
            step = schema_version(connection)
            if step == HEAD:
                try_write(connection)
        if step != HEAD:
            raise NotMigrated(f"the tables have revision {step}, this program needs {HEAD}")

    def create(
        self,
        sheet: str,
        created: str,
        records: Sequence[Record],
        links: Sequence[tuple[Link, str]],
        answered: Answered | None = None,
    ) -> None:
        """Insert a sheet with its first events and its links. Raises Conflict if there is one with this id."""
        with _once(), self._writing.begin() as connection:
            connection.execute(sa.insert(sheet_table), {"id": sheet, "created": created})
            connection.execute(_INSERT_EVENT, _rows(sheet, records))
            if links:
                connection.execute(sa.insert(link_table), [_link_row(link, secret_hash) for link, secret_hash in links])
            if answered:
                connection.execute(_INSERT_KEY, {"sheet": sheet, "key": OPENING, **asdict(answered)})
            if self.anchors:
                anchoring.begin(connection, self.anchors, sheet, records[-1].head)

    def head(self, sheet: str) -> Head:
        """Return the number and the hash of the latest event. Raises NoSuchSheet."""
        row = self._first(SELECT_HEAD, sheet=_known(sheet))
        if row is None:
            raise NoSuchSheet(sheet)
        return Head(*row)

    def read(self, sheet: str, after: int = 0, most: int | None = None) -> list[Record]:
        """Return the events after a sequence number, in order, at most so many. Raises NoSuchSheet."""
        last = MAX_COUNT if most is None else after + most  # the numbers have no gaps
        with self.engine.connect() as connection:
            rows = connection.execute(_SELECT_EVENTS, {"sheet": _known(sheet), "after": after, "last": last})
            records = [Record(*row) for row in rows]
            if not records:
                head_of(connection, sheet)
        return records

    def append(
        self,
        sheet: str,
        base: int,
        records: Sequence[Record],
        key: str | None,
        answered: Answered,
        link: str | None = None,
    ) -> Answered | None:
        """Append events to a sheet at version `base`, and keep the result under the key."""
        with self._writing.begin() as connection:
            _lock(connection, sheet)
            if link is not None and connection.execute(_LOCK_LINK, {"link": link}).first() is None:
                raise NoSuchSheet(sheet)
            if key is not None and (before := _answered(connection, sheet, key)):
                return before
            head = head_of(connection, sheet)
            if head != (base, records[0].prev_hash):
                raise Conflict(head.version, raced=True)
            connection.execute(_INSERT_EVENT, _rows(sheet, records))
            added: list[Row] = []
            if key is not None:
                row = {"sheet": sheet, "key": key, **asdict(answered)}
                connection.execute(_INSERT_KEY, row)
                added.append(("key", *row.values()))
            if self.anchors:
                after = records[-1].head
                anchoring.advance(connection, self.anchors, sheet, head, after, added=added)
        return None

    def answered(self, sheet: str, key: str) -> Answered | None:
        """Return the result under a key, None for a new key."""
        if not (_is_storable(sheet) and _is_storable(key)):
            return None
        row = self._first(_SELECT_ANSWER, sheet=sheet, key=key)
        return Answered(*row) if row else None

    def add_link(self, link: Link, secret_hash: str) -> None:
        """Insert a link. Raises NoSuchSheet, or Conflict if there is one with this id."""
        with _once(), self._writing.begin() as connection:
            _lock(connection, link.sheet)
            connection.execute(sa.insert(link_table), _link_row(link, secret_hash))
            self._anchor_links(connection, link.sheet, added=[_link_of(connection, link.id)])

    def links(self, sheet: str) -> list[Link]:
        """Return all links of a sheet, oldest first, revoked ones included. Raises NoSuchSheet."""
        query = (
            sa.select(*_LINK).where(link_table.c.sheet == _known(sheet)).order_by(link_table.c.created, link_table.c.id)
        )
        with self.engine.connect() as connection:
            head_of(connection, sheet)
            return [Link(*row) for row in connection.execute(query)]

    def find_link(self, secret_hash: str) -> Link | None:
        """Return the link with that secret, revoked or not."""
        row = self._first(_SELECT_LINK, secret_hash=secret_hash)
        return Link(*row) if row else None

    def link(self, link: str) -> Link | None:
        """Return the link of that id, revoked or not."""
        if not _is_storable(link):
            return None
        row = self._first(_SELECT_LINK_BY_ID, link=link)
        return Link(*row) if row else None

    def linked_head(self, secret_hash: str) -> tuple[Link, Head] | None:
        """Return the link with that secret, revoked or not, and the latest event of its sheet."""
        row = self._first(_SELECT_LINK_HEAD, secret_hash=secret_hash)
        return (Link(*row[:-2]), Head(*row[-2:])) if row else None

    def _first(self, statement: sa.Select[Any], **given: str) -> Sequence[Any] | None:
        """Return the first row of a statement that every poll needs, read by the driver itself.

        SQLAlchemy's own way takes five times as long (row "a watcher's page answered 304" of `make bench`). A fault is
        met again on that way, which raises it as every other statement does.
        """
        if statement not in self._compiled:
            self._compiled[statement] = statement.compile(self.engine)
        compiled = self._compiled[statement]
        values = compiled.construct_params(given)
        given_to_driver = [values[name] for name in compiled.positiontup or ()] if compiled.positional else values
        try:
            with closing(self.engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
                cursor.execute(compiled.string, given_to_driver)
                row: Sequence[Any] | None = cursor.fetchone()
                return row
        except self.engine.dialect.loaded_dbapi.Error:
            with self.engine.connect() as checked:
                return checked.execute(statement, given).first()

    def revoke_link(self, sheet: str, link: str, at: str) -> None:
        """Revoke a link. Raises NoSuchSheet if the sheet has no such link."""
        mine = sa.and_(link_table.c.id == _known(link), link_table.c.sheet == _known(sheet))
        with self._writing.begin() as connection:
            _lock(connection, sheet)
            before = connection.execute(sa.select(*link_table.c).where(mine)).first()
            if before is None:
                raise NoSuchSheet(link)
            if before.revoked is None:
                connection.execute(sa.update(link_table).where(mine).values(revoked=at))
                added = [_link_of(connection, link)]
                self._anchor_links(connection, sheet, added=added, gone=[("link", *before)])

    def sheets(self) -> Iterator[str]:
        """Return the ids of all sheets that were not erased."""
        return self._logs(sa.not_(_IS_GROUP))

    def groups(self) -> Iterator[str]:
        """Return the ids of all groups that were not erased."""
        return self._logs(_IS_GROUP)

    def erase(self, sheet: str, at: str) -> None:
        """Delete a sheet; its id and the time remain as a tombstone."""
        with self._writing.begin() as connection:
            _lock(connection, sheet)
            head = head_of(connection, sheet)
            connection.execute(sa.update(sheet_table).where(sheet_table.c.id == sheet).values(erased=at))
            for table in (event_table, key_table, link_table):
                connection.execute(sa.delete(table).where(table.c.sheet == sheet))
            if self.anchors:
                anchoring.end(connection, self.anchors, sheet, head, at)

    def audit(self) -> Iterator[Fault]:
        """Yield what does not fit the anchors, and the triggers that are missing."""
        return audit.faults(self.engine, self.anchors)

    def renew_anchors(self) -> int:
        """Anchor the sheets that have no anchor or one of another key; return how many these were."""
        if self.anchors is None:
            raise ValueError("there is no key to anchor with")
        outside = {fault.sheet for fault in self.audit() if fault.what in (audit.UNANCHORED, audit.ANOTHER_KEY)}
        with self._writing.begin() as connection:
            anchoring.renew_register(connection, self.anchors)
        for sheet in sorted(outside - {""}):
            with self._writing.begin() as connection:
                anchoring.renew(connection, self.anchors, sheet)
        return len(outside - {""})

    def backup(self, place: Path) -> None:
        """Copy an SQLite database to a new file during writes.

        Raises FileExistsError, and BackupUnsupported for PostgreSQL, which has its own tools.
        """
        if self.url.get_backend_name() != "sqlite":
            raise BackupUnsupported("back up PostgreSQL with pg_dump")
        if place.exists():
            raise FileExistsError(place)
        with self.engine.connect() as connection, closing(sqlite3.connect(place)) as copy:
            source: Any = connection.connection.driver_connection
            source.backup(copy)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    def _logs(self, kind: sa.ColumnElement[bool]) -> Iterator[str]:
        query = sa.select(sheet_table.c.id).where(sheet_table.c.erased.is_(None), kind)
        with self.engine.connect() as connection:
            return iter(connection.execute(query).scalars().all())

    def _anchor_links(
        self, connection: Connection, sheet: str, *, added: Sequence[Row], gone: Sequence[Row] = ()
    ) -> None:
        if self.anchors:
            head = head_of(connection, sheet)
            anchoring.advance(connection, self.anchors, sheet, head, head, added=added, gone=gone)


@contextmanager
def _once() -> Iterator[None]:
    """Turn the insertion of an id that there is into a Conflict."""
    try:
        yield
    except IntegrityError:
        raise Conflict(0, raced=True) from None


def _known(text: str) -> str:
    """Return the id if a database can store it. Raises NoSuchSheet."""
    if not _is_storable(text):
        raise NoSuchSheet(text)
    return text


def _is_storable(text: str) -> bool:
    return text.isprintable()  # no NUL, no lone surrogate


def _lock(connection: Connection, sheet: str) -> None:
    """Lock the sheet until the transaction ends; SQLite has locked the whole file already. Raises NoSuchSheet."""
    if connection.execute(_LOCK_SHEET, {"sheet": _known(sheet)}).first() is None:
        raise NoSuchSheet(sheet)


def _link_of(connection: Connection, link: str) -> Row:
    return ("link", *connection.execute(sa.select(*link_table.c).where(link_table.c.id == link)).one())


def _answered(connection: Connection, sheet: str, key: str) -> Answered | None:
    row = connection.execute(_SELECT_ANSWER, {"sheet": sheet, "key": key}).first()
    return Answered(row.fingerprint, row.answer) if row else None


def _rows(sheet: str, records: Sequence[Record]) -> list[dict[str, object]]:
    return [{"sheet": sheet} | {column.name: getattr(record, column.name) for column in _RECORD} for record in records]


def _link_row(link: Link, secret_hash: str) -> dict[str, object]:
    return {"secret_hash": secret_hash} | {column.name: getattr(link, column.name) for column in _LINK}
