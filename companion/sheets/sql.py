"""The store in SQLite or PostgreSQL: connections, keys, tables, anchors and their audit, devices, sheets."""

from __future__ import annotations

import os
import secrets
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, fields
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, cast
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, ExceptionContext, make_url
from sqlalchemy.exc import DataError, DBAPIError, DisconnectionError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection
from sqlalchemy.sql.compiler import SQLCompiler

from companion.sheets.shapes import BUCKETS, MAX_COUNT, NO_SHEETS, Anchor, Anchors, Head, Register, Row, bucket_of
from companion.sheets.store import (
    GROUP_MARK,
    OPENING,
    Answered,
    BackupUnsupported,
    Code,
    Conflict,
    Device,
    Fault,
    Kept,
    Link,
    NoSuchSheet,
    NotMigrated,
    Record,
    Unavailable,
)

_OLDEST_SQLITE = (3, 37)
"""The first SQLite with STRICT tables."""
BUSY_MILLISECONDS = 5_000
"""How long a writer waits for another process; then its request is answered 503."""
_SECONDS_BETWEEN_ATTEMPTS = 0.005
"""How long a writer waits between two attempts; a write takes a millisecond or two."""
_SECONDS_TO_CONNECT = 5
_OWNER_ONLY = 0o600
_REFUSED_BY_TRIGGER = "P0001"
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
        connecting = {"connect_timeout": _SECONDS_TO_CONNECT}
        engine = sa.create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=connecting)
    sa.event.listen(engine, "handle_error", _raise_unavailable)
    return engine


def _try_write(connection: Connection) -> None:
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
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise RuntimeError(f"SQLite {'.'.join(map(str, _OLDEST_SQLITE))} or newer is needed")
    file = Path(url.database).absolute()
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, _OWNER_ONLY))
    if file.stat().st_mode & 0o077 and file.stat().st_uid == os.geteuid():
        file.chmod(_OWNER_ONLY)  # made by an earlier version; SQLite gives the files beside it the same rights

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
            sleep(_SECONDS_BETWEEN_ATTEMPTS)
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # its fault is the one that is raised
    finally:
        raw.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")


def _raise_unavailable(context: ExceptionContext) -> None:
    """Raise a fault of the storage without the statement, its parameters and the server's address."""
    if isinstance(context.sqlalchemy_exception, DBAPIError) and not isinstance(
        context.sqlalchemy_exception, IntegrityError | DataError
    ):
        fault = context.original_exception
        if getattr(fault, "sqlstate", None) == _REFUSED_BY_TRIGGER:
            return
        code = getattr(fault, "sqlite_errorname", None) or getattr(fault, "sqlstate", None)
        raise Unavailable(str(code or type(fault).__name__)) from None


KEY_FILE: Final = "signing-key"
"""Name of the file beside an SQLite database."""


class NoKey(Exception):
    """A database on a server without a key: other processes and the next start would have another one."""


def kept_key(database: str) -> str:
    """Return the key kept beside an SQLite file, made once; for a store in memory, one for this process.

    Raises NoKey for a database on a server.
    """
    if database == "memory:":
        return secrets.token_urlsafe(32)
    file = _key_file(database)
    if file is None:
        raise NoKey
    if not file.exists():
        _make_key(file)
    return file.read_text("ascii").strip()


def found_key(database: str) -> str:
    """Return the key in COMPANION_SECRET_KEY, or else the one kept beside an SQLite file; empty without either."""
    given = os.environ.get("COMPANION_SECRET_KEY", "")
    file = _key_file(database)
    return given or (file.read_text("ascii").strip() if file and file.exists() else "")


def _key_file(database: str) -> Path | None:
    file = file_of(database)
    return file.resolve().parent / KEY_FILE if file else None


def _make_key(file: Path) -> None:
    """Write a key beside the place and link it there whole: of several processes that begin together, one is first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=KEY_FILE) as out:
        out.write(secrets.token_urlsafe(32))
        out.flush()
        with suppress(FileExistsError):
            os.link(out.name, file)


metadata = sa.MetaData()
_INTEGERS: Final = frozenset({"seq", "version", "size", "place", "bucket"})
_OPTIONAL: Final = frozenset({"erased", "revoked", "signed_out", "until", "leaving"})


def _table(name: str, keys: str, columns: str) -> sa.Table:
    """Return a table with these columns, given by their names; those of the primary key come first."""
    return sa.Table(
        name,
        metadata,
        *(
            sa.Column(
                column,
                sa.Integer() if column in _INTEGERS else sa.Text(),
                primary_key=column in keys.split(),
                autoincrement=False,
                nullable=column in _OPTIONAL,
            )
            for column in f"{keys} {columns}".split()
        ),
    )


_sheet_table = _table("sheet", "id", "created erased")
_event_table = _table("event", "sheet seq", "at actor kind version body prev_hash hash")
_key_table = _table("idempotency", "sheet key", "fingerprint answer")
_link_table = _table("link", "id", "sheet secret_hash scope label created revoked")
_anchor_table = _table("anchor", "sheet", "seq rows key mac")
_register_table = _table("register", "bucket", "size sheets key mac")
_device_table = _table("device", "id", "owner key_hash name created seen signed_out")
_kept_table = _table("kept", "owner sheet", "link place")
_code_table = _table("code", "code_hash", "owner until leaving")


_OF_SHEET: sa.BindParameter[str] = sa.bindparam("sheet")
_SELECT_HEAD = (
    sa.select(_event_table.c.seq, _event_table.c.hash)
    .where(_event_table.c.sheet == _OF_SHEET)
    .order_by(_event_table.c.seq.desc())
    .limit(1)
)
_ANCHOR = [_anchor_table.c[name] for name in Anchor._fields]
_REGISTER = [_register_table.c[name] for name in Register._fields]
_SELECT_ANCHOR = sa.select(*_ANCHOR).where(_anchor_table.c.sheet == _OF_SHEET)
_UPDATE_ANCHOR = sa.update(_anchor_table).where(_anchor_table.c.sheet == sa.bindparam("of"))
_SELECT_REGISTER = sa.select(*_REGISTER).where(_register_table.c.bucket == sa.bindparam("bucket"))
_UPDATE_REGISTER = sa.update(_register_table).where(_register_table.c.bucket == sa.bindparam("of"))
_COVERED = {"link": _link_table, "key": _key_table}
"""The tables whose rows an anchor covers, by the word that a code has for them."""


def _head_of(connection: Connection, sheet: str) -> Head:
    """Return the latest event of a sheet. Raises NoSuchSheet."""
    row = connection.execute(_SELECT_HEAD, {"sheet": sheet}).first()
    if row is None:
        raise NoSuchSheet(sheet)
    return Head(*row)


def _anchor_of(connection: Connection, sheet: str) -> Anchor | None:
    """Return the anchor of a sheet, None for one that was stored before there were anchors."""
    row = connection.execute(_SELECT_ANCHOR, {"sheet": sheet}).first()
    return Anchor(*row) if row else None


def _register_of(connection: Connection, bucket: int, *, lock: bool = False) -> Register:
    """Return the part of the register for a bucket; one that was deleted is like none that this key has signed."""
    query = _SELECT_REGISTER.with_for_update() if lock else _SELECT_REGISTER
    row = connection.execute(query, {"bucket": bucket}).first()
    return Register(*row) if row else Register(0, "", "", "gone")


def _rows_of(connection: Connection, sheet: str) -> list[Row]:
    """Return the rows beside a sheet's events that its anchor covers."""
    return [
        (word, *row)
        for word, table in _COVERED.items()
        for row in connection.execute(sa.select(*table.c).where(table.c.sheet == sheet))
    ]


def advance(
    connection: Connection,
    anchors: Anchors,
    sheet: str,
    before: Head,
    after: Head,
    *,
    added: Sequence[Row] = (),
    gone: Sequence[Row] = (),
) -> None:
    """Anchor what has just been written on a locked sheet; a sheet without an anchor gets its first one.

    An anchor that did not fit before is left as it is: `companion verify` names it.
    """
    anchor = _anchor_of(connection, sheet)
    if anchor is None:
        begin(connection, anchors, sheet, after)
    elif anchor == anchors.of_sheet(sheet, before, anchor.rows):
        fresh = anchors.of_sheet(sheet, after, anchors.sum(added, anchor.rows, gone))
        connection.execute(_UPDATE_ANCHOR, {"of": sheet, **fresh._asdict()})


def begin(connection: Connection, anchors: Anchors, sheet: str, head: Head) -> None:
    """Give a sheet its first anchor, and enter it in the register."""
    _begin_with(connection, anchors, sheet, anchors.of_sheet(sheet, head, anchors.sum(_rows_of(connection, sheet))))


def end(connection: Connection, anchors: Anchors, sheet: str, before: Head, at: str) -> None:
    """Anchor the tombstone of a sheet that is being erased."""
    anchor, erased = _anchor_of(connection, sheet), anchors.of_erased(sheet, at)
    if anchor is None:
        _begin_with(connection, anchors, sheet, erased)
    elif anchor == anchors.of_sheet(sheet, before, anchor.rows):
        connection.execute(_UPDATE_ANCHOR, {"of": sheet, **erased._asdict()})


def _renew(connection: Connection, anchors: Anchors, sheet: str) -> None:
    """Anchor a sheet of another key, or of none, as it is now."""
    kept = sa.select(_sheet_table.c.erased).where(_sheet_table.c.id == sheet).with_for_update()
    erased = connection.execute(kept).scalar_one()
    if erased is None:
        fresh = anchors.of_sheet(sheet, _head_of(connection, sheet), anchors.sum(_rows_of(connection, sheet)))
    else:
        fresh = anchors.of_erased(sheet, erased)
    before = _anchor_of(connection, sheet)
    if before is None:
        _begin_with(connection, anchors, sheet, fresh)
    elif before.key != anchors.key:
        connection.execute(_UPDATE_ANCHOR, {"of": sheet, **fresh._asdict()})


def _renew_register(connection: Connection, anchors: Anchors) -> None:
    """Write the parts of the register that another key has signed, from the sheets that have an anchor."""
    for bucket, sheets in _anchored_sheets(connection).items():
        found = _register_of(connection, bucket, lock=True)
        if found.key and found.key != anchors.key:
            fresh = anchors.of_bucket(bucket, len(sheets), anchors.sum(("sheet", sheet) for sheet in sheets))
            connection.execute(_UPDATE_REGISTER, {"of": bucket, **fresh._asdict()})


def _anchored_sheets(connection: Connection) -> dict[int, list[str]]:
    """Return the ids of all sheets that have an anchor, by the bucket of the register."""
    found: dict[int, list[str]] = {bucket: [] for bucket in range(BUCKETS)}
    for sheet in connection.execute(sa.select(_anchor_table.c.sheet)).scalars():
        found[bucket_of(sheet)].append(sheet)
    return found


def _begin_with(connection: Connection, anchors: Anchors, sheet: str, anchor: Anchor) -> None:
    """Insert an anchor and count the sheet in the register; a part of it that does not fit is left as it is."""
    connection.execute(sa.insert(_anchor_table), {"sheet": sheet, **anchor._asdict()})
    bucket = bucket_of(sheet)
    found = _register_of(connection, bucket, lock=True)
    if found in (NO_SHEETS, anchors.of_bucket(bucket, found.size, found.sheets)):
        fresh = anchors.of_bucket(bucket, found.size + 1, anchors.sum([("sheet", sheet)], found.sheets))
        connection.execute(_UPDATE_REGISTER, {"of": bucket, **fresh._asdict()})


ANOTHER_KEY: Final = "anchored-with-another-key"
UNANCHORED: Final = "unanchored"
_FIRST_STEP: Final = "companion.sheets.migrations.versions.step_0001_sheets"
"""The step of the migrations that makes the triggers."""


def _faults(engine: Engine, anchors: Anchors | None) -> Iterator[Fault]:
    """Yield what does not fit, and as `UNANCHORED` each sheet without an anchor.

    A fault of the store as a whole names no sheet. Without a key, only triggers and missing rows are checked.
    """
    with engine.connect() as connection:
        for name in _missing_triggers(connection):
            yield Fault("", 0, f"trigger-missing {name}")
        for sheet in sorted(_orphans(connection)):
            yield Fault(sheet, 0, "sheet-deleted")
        buckets = connection.execute(sa.select(_register_table.c.bucket)).scalars().all()
        for bucket in sorted(set(range(BUCKETS)).difference(buckets)):
            yield Fault("", bucket, "register-missing")
        if anchors is None:
            return
        sheets = connection.execute(sa.select(_sheet_table.c.id).order_by(_sheet_table.c.id)).scalars().all()
    whole = {"reading": True} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    reading = engine.execution_options(**whole)
    for sheet in sheets:
        with reading.begin() as connection:
            found = _fault_of(connection, anchors, sheet)
        if found:
            yield found
    with reading.begin() as connection:
        for bucket, anchored in _anchored_sheets(connection).items():
            kept = _register_of(connection, bucket)
            total = anchors.of_bucket(bucket, len(anchored), anchors.sum(("sheet", sheet) for sheet in anchored))
            if kept.key not in ("", anchors.key):
                yield Fault("", bucket, ANOTHER_KEY)
            elif kept != total and (anchored or kept != NO_SHEETS):
                yield Fault("", bucket, "sheets-added-or-deleted")


def _orphans(connection: Connection) -> set[str]:
    """Return the ids of sheets that are gone, but of which other tables have rows; an erased sheet keeps its own."""
    sheets = sa.select(_sheet_table.c.id)
    tables = (_event_table, _key_table, _link_table, _anchor_table, _kept_table)
    queries = (sa.select(table.c.sheet).distinct().where(table.c.sheet.not_in(sheets)) for table in tables)
    return {sheet for query in queries for sheet in connection.execute(query).scalars()}


def _fault_of(connection: Connection, anchors: Anchors, sheet: str) -> Fault | None:
    row = connection.execute(sa.select(_sheet_table.c.erased).where(_sheet_table.c.id == sheet)).first()
    anchor = _anchor_of(connection, sheet)
    try:
        head = _head_of(connection, sheet)
    except NoSuchSheet:
        head = Head(0, "")
    if row is None:
        return None  # erased since the ids were read; what was deleted by hand is among the orphans
    if anchor is None:
        return Fault(sheet, head.version, UNANCHORED)
    if anchor.key != anchors.key:
        return Fault(sheet, head.version, ANOTHER_KEY)
    if row.erased is not None:
        fits = anchor == anchors.of_erased(sheet, row.erased)
        return None if fits else Fault(sheet, head.version, "not-erased-by-this-program")
    rows = anchors.sum(_rows_of(connection, sheet))
    if anchor == anchors.of_sheet(sheet, head, rows):
        return None
    return Fault(sheet, head.version, _why(anchors, sheet, anchor, head, rows))


def _why(anchors: Anchors, sheet: str, anchor: Anchor, head: Head, rows: str) -> str:
    if anchor.seq > head.version:
        return f"events-cut-off {anchor.seq}"
    if anchor.seq < head.version:
        return f"events-added {anchor.seq}"
    same_log = anchor == anchors.of_sheet(sheet, head, anchor.rows)
    return "links-or-keys-changed" if same_log and anchor.rows != rows else "history-rewritten"


def _missing_triggers(connection: Connection) -> Iterator[str]:
    """Yield the names of triggers and their functions that are gone, switched off or written anew."""
    step = import_module(_FIRST_STEP)
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE type = 'trigger'").scalars().all()
        yield from (_name(wanted) for wanted in step.SQLITE_TRIGGERS if wanted not in found)
        return
    sources = {str(name): str(text) for name, text in connection.exec_driver_sql(_FUNCTIONS)}
    definitions = {name: " ".join(text.split()) for name, text in connection.exec_driver_sql(_TRIGGERS)}
    for wanted in step.POSTGRES_TRIGGERS:
        name = _name(wanted)
        if wanted.startswith("CREATE TRIGGER"):
            if definitions.get(name) != _POSTGRES_SAYS[name]:
                yield name
        elif not sources.get(name) or sources[name] not in wanted:
            yield name


_FUNCTIONS: Final = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
_TRIGGERS: Final = (
    "SELECT tgname, replace(pg_get_triggerdef(pg_trigger.oid, true), current_schema() || '.', '') "
    "FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE relnamespace = current_schema()::regnamespace AND tgenabled IN ('O', 'A') AND NOT tgisinternal"
)
_POSTGRES_SAYS: Final = {
    "event_append_only": "CREATE TRIGGER event_append_only BEFORE DELETE OR UPDATE ON event "
    "FOR EACH ROW EXECUTE FUNCTION event_append_only()",
    "event_no_truncate": "CREATE TRIGGER event_no_truncate BEFORE TRUNCATE ON event "
    "FOR EACH STATEMENT EXECUTE FUNCTION event_append_only()",
    "sheet_stays_erased": "CREATE TRIGGER sheet_stays_erased BEFORE UPDATE ON sheet "
    "FOR EACH ROW WHEN (old.erased IS NOT NULL) EXECUTE FUNCTION sheet_stays_erased()",
}
"""How PostgreSQL words the triggers of the first step."""


def _name(statement: str) -> str:
    return statement.split()[2].removesuffix("()")


_DEVICE = [_device_table.c[field.name] for field in fields(Device)]
_LINK = [_link_table.c[field.name] for field in fields(Link)]
_CODE = [_code_table.c[field.name] for field in fields(Code)]
_SELECT_DEVICE = sa.select(*_DEVICE).where(_device_table.c.key_hash == sa.bindparam("key_hash"))
_SELECT_KEPT = (
    sa.select(*_DEVICE, *_LINK)
    .select_from(_device_table)
    .join(_kept_table, _kept_table.c.owner == _device_table.c.owner)
    .outerjoin(_link_table, _link_table.c.id == _kept_table.c.link)
    .where(_device_table.c.key_hash == sa.bindparam("key_hash"), _kept_table.c.sheet == sa.bindparam("sheet"))
)
_OPEN = _kept_table.join(_link_table, sa.and_(_link_table.c.id == _kept_table.c.link, _link_table.c.revoked.is_(None)))

_IS_GROUP = _kept_table.c.sheet.startswith(GROUP_MARK)


class SqlDevices:
    """Devices in the tables of a store, whose connections it uses; `first` reads what every page needs."""

    def __init__(self, first: Callable[..., Sequence[Any] | None], engine: Engine, writing: Engine) -> None:
        self._first = first
        self._engine = engine
        self._writing = writing

    def find(self, key_hash: str) -> Device | None:
        """Return the device with that key."""
        row = self._first(_SELECT_DEVICE, key_hash=key_hash)
        return Device(*row) if row else None

    def kept(self, key_hash: str, sheet: str) -> tuple[Device, Kept] | None:
        """Return a device and a sheet of its list; None if the sheet is not in it."""
        row = self._first(_SELECT_KEPT, key_hash=key_hash, sheet=sheet) if sheet.isprintable() else None
        if row is None:
            return None
        device, link = row[: len(_DEVICE)], row[len(_DEVICE) :]
        return Device(*device), Kept(sheet, Link(*link) if link[0] is not None else None)

    def add(self, device: Device, key_hash: str) -> None:
        """Insert a device, unless there is one with that key."""
        with suppress(IntegrityError), self._writing.begin() as connection:
            connection.execute(sa.insert(_device_table), {**asdict(device), "key_hash": key_hash})

    def keep(self, owner: str, sheet: str, link: str) -> None:
        """Put a sheet at the head of a list, to be kept by this link from now on."""
        with suppress(IntegrityError), self._writing.begin() as connection:  # put there by another request
            connection.execute(sa.delete(_kept_table).where(_kept_table.c.owner == owner, _kept_table.c.sheet == sheet))
            _add(connection, owner, [(sheet, link)])

    def forget(self, owner: str, sheet: str) -> None:
        """Take a sheet off a list."""
        with self._writing.begin() as connection:
            connection.execute(sa.delete(_kept_table).where(_kept_table.c.owner == owner, _kept_table.c.sheet == sheet))

    def sheets(self, owner: str, most: int, skip: int = 0) -> list[str]:
        """Return the sheets of a list whose links are not revoked, the latest first."""
        query = (
            sa.select(_kept_table.c.sheet).select_from(_OPEN).where(_kept_table.c.owner == owner, sa.not_(_IS_GROUP))
        )
        ordered = query.order_by(_kept_table.c.place.desc(), _kept_table.c.sheet).limit(most).offset(skip)
        with self._engine.connect() as connection:
            return list(connection.execute(ordered).scalars())

    def groups(self, owner: str) -> list[str]:
        """Return the groups of a list whose links are not revoked, the latest first."""
        query = sa.select(_kept_table.c.sheet).select_from(_OPEN).where(_kept_table.c.owner == owner, _IS_GROUP)
        with self._engine.connect() as connection:
            return list(connection.execute(query.order_by(_kept_table.c.place.desc())).scalars())

    def count(self, owner: str) -> int:
        """Return the number of these sheets."""
        query = sa.select(sa.func.count()).select_from(_OPEN).where(_kept_table.c.owner == owner, sa.not_(_IS_GROUP))
        with self._engine.connect() as connection:
            return connection.execute(query).scalar_one()

    def devices(self, owner: str) -> list[Device]:
        """Return the devices that have a list, oldest first."""
        query = sa.select(*_DEVICE).where(_device_table.c.owner == owner)
        with self._engine.connect() as connection:
            return [Device(*row) for row in connection.execute(query.order_by(_device_table.c.created))]

    def see(self, device: str, day: str) -> None:
        """Write the day on which a device was last seen."""
        with self._writing.begin() as connection:
            connection.execute(_change(device, seen=day))

    def rename(self, device: str, name: str) -> None:
        """Write the name of a device."""
        with self._writing.begin() as connection:
            connection.execute(_change(device, name=name))

    def sign_out(self, device: str, owner: str, fresh: str, day: str) -> bool:
        """Give a device of a list an empty one instead. Return whether there was such a device."""
        leaving = _change(device, owner=fresh, signed_out=day).where(_device_table.c.owner == owner)
        with self._writing.begin() as connection:
            return connection.execute(leaving).rowcount > 0

    def unite(self, device: str, other: str) -> None:
        """Delete a device that was another name of this one; what stood on its list comes along."""
        with self._writing.begin() as connection:
            owner, before = _owner_of(connection, device), _owner_of(connection, other)
            connection.execute(sa.delete(_device_table).where(_device_table.c.id == other))
            if owner and before:
                _bring(connection, before, owner)

    def add_code(self, code_hash: str, code: Code) -> None:
        """Insert a code. One for recovery replaces that before it."""
        with self._writing.begin() as connection:
            if code.until is None:
                connection.execute(sa.delete(_code_table).where(_recovery_of(code.owner)))
            connection.execute(sa.insert(_code_table), {**asdict(code), "code_hash": code_hash})

    def redeem(self, code_hash: str, device: str, now: str, *, alone: bool, fresh: Callable[[], str]) -> Code | None:
        """Delete a code and return it; None for one that is unknown, used or too old.

        The device has the list of the code from then on, with what stood on its own. The device that leaves, or with
        `alone` every other, is signed out; `fresh` names the list that it has instead.
        """
        mine = _code_table.c.code_hash == code_hash
        with self._writing.begin() as connection:
            row = connection.execute(sa.select(*_CODE).where(mine)).first()
            if row is None or not connection.execute(sa.delete(_code_table).where(mine)).rowcount:
                return None  # another request used it in the meantime
            code = Code(*row)
            if code.is_over(now):
                return None
            before = _owner_of(connection, device)
            connection.execute(_change(device, owner=code.owner, signed_out=None))
            _bring(connection, before, code.owner)
            shared = sa.select(_device_table.c.id).where(_device_table.c.owner == code.owner)
            for other in connection.execute(shared).scalars().all():
                if other != device and (alone or other == code.leaving):
                    connection.execute(_change(other, owner=fresh(), signed_out=now[:10]))
        return code

    def has_recovery(self, owner: str) -> bool:
        """Return whether a list can be recovered by a code."""
        with self._engine.connect() as connection:
            return connection.execute(sa.select(_code_table.c.owner).where(_recovery_of(owner))).first() is not None


def _change(device: str, **fresh: str | None) -> sa.Update:
    return sa.update(_device_table).where(_device_table.c.id == device).values(**fresh)


def _owner_of(connection: Connection, device: str) -> str:
    query = sa.select(_device_table.c.owner).where(_device_table.c.id == device).with_for_update()
    return connection.execute(query).scalar_one_or_none() or ""


def _bring(connection: Connection, before: str, owner: str) -> None:
    """Add what stood on a list to another one; a list that no device has any more is deleted."""
    if before == owner:
        return
    query = sa.select(_kept_table.c.sheet, _kept_table.c.link).where(_kept_table.c.owner == before)
    there = set(connection.execute(sa.select(_kept_table.c.sheet).where(_kept_table.c.owner == owner)).scalars())
    rows = connection.execute(query.order_by(_kept_table.c.place)).all()
    _add(connection, owner, [(row.sheet, row.link) for row in rows if row.sheet not in there])
    if connection.execute(sa.select(_device_table.c.id).where(_device_table.c.owner == before)).first() is None:
        for table in (_kept_table, _code_table):
            connection.execute(sa.delete(table).where(table.c.owner == before))


def _add(connection: Connection, owner: str, sheets: Sequence[tuple[str, str]]) -> None:
    latest = sa.select(sa.func.coalesce(sa.func.max(_kept_table.c.place), 0)).where(_kept_table.c.owner == owner)
    for place, (sheet, link) in enumerate(sheets, connection.execute(latest).scalar_one() + 1):
        connection.execute(sa.insert(_kept_table), {"owner": owner, "sheet": sheet, "link": link, "place": place})


def _recovery_of(owner: str) -> sa.ColumnElement[bool]:
    return sa.and_(_code_table.c.owner == owner, _code_table.c.until.is_(None))


HEAD = "0003"
"""The latest revision under `migrations/versions`."""
_EARLIER: tuple[str, ...] = ("0001", "0002")
"""The revisions before it, from which this program can migrate."""


def _schema_version(connection: Connection) -> str | None:
    """Return the revision of a database, None if it has no tables of this program."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return step


def _run_migrations(connection: Connection) -> None:
    """Migrate a database to the latest revision, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


_MIGRATING = 7_235_011
"""The advisory lock that lets only one process migrate a PostgreSQL database."""

_RECORD = [_event_table.c[field.name] for field in fields(Record)]

# Statements that every request needs are built once: building one takes longer than SQLite takes to execute it. The
# rows of `make bench` are "a watcher's page answered 304" and "one event appended".
_SELECT_EVENTS = (
    sa.select(*_RECORD)
    .where(
        _event_table.c.sheet == _OF_SHEET,
        _event_table.c.seq > sa.bindparam("after"),
        _event_table.c.seq <= sa.bindparam("last"),
    )
    .order_by(_event_table.c.seq)
)
_SELECT_ANSWER = sa.select(_key_table.c.fingerprint, _key_table.c.answer).where(
    _key_table.c.sheet == _OF_SHEET, _key_table.c.key == sa.bindparam("key")
)
_SELECT_LINK = sa.select(*_LINK).where(_link_table.c.secret_hash == sa.bindparam("secret_hash"))
_SELECT_LINK_BY_ID = sa.select(*_LINK).where(_link_table.c.id == sa.bindparam("link"))
_SELECT_LINK_HEAD = (
    _SELECT_LINK.add_columns(_event_table.c.seq, _event_table.c.hash)
    .join(_event_table, _event_table.c.sheet == _link_table.c.sheet)
    .order_by(_event_table.c.seq.desc())
    .limit(1)
)
_later_event = _event_table.alias()
_SELECT_LINKED_HEADS = (
    sa.select(_link_table.c.id, _event_table.c.seq, _event_table.c.hash)
    .join(_event_table, _event_table.c.sheet == _link_table.c.sheet)
    .where(
        _link_table.c.id.in_(sa.bindparam("links", expanding=True)),
        _link_table.c.revoked.is_(None),
        _event_table.c.seq
        == sa.select(sa.func.max(_later_event.c.seq))
        .where(_later_event.c.sheet == _link_table.c.sheet)
        .scalar_subquery(),
    )
)
_LOCK_SHEET = (
    sa.select(_sheet_table.c.id)
    .where(_sheet_table.c.id == _OF_SHEET, _sheet_table.c.erased.is_(None))
    .with_for_update()
)
_LOCK_LINK = (
    sa.select(_link_table.c.id)
    .where(_link_table.c.id == sa.bindparam("link"), _link_table.c.revoked.is_(None))
    .with_for_update(read=True)
)
_IS_GROUP_SHEET = _sheet_table.c.id.startswith(GROUP_MARK)
_INSERT_EVENT, _INSERT_KEY = sa.insert(_event_table), sa.insert(_key_table)


class SqlStore:
    """A store in a database. The primary key (sheet, seq) decides concurrent writes."""

    def __init__(self, place: str | Path, *, migrate: bool | None = None, key: str = "") -> None:
        self.url = url_of(place)
        self.anchors = Anchors(key) if key else None
        self.engine = make_engine(self.url)
        self._writing = self.engine.execution_options(writing=True)
        self._compiled: dict[sa.Select[Any], SQLCompiler] = {}
        self.devices = SqlDevices(self._first, self.engine, self._writing)
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
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
            if _schema_version(connection) in (None, *_EARLIER):
                _run_migrations(connection)

    def ready(self) -> None:
        """Return if the database can be written and its tables have the latest revision.

        Raises NotMigrated and Unavailable.
        """
        with self._writing.begin() as connection:
            step = _schema_version(connection)
            if step == HEAD:
                _try_write(connection)
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
        """Insert a sheet with its first events and its links, each with the hash of its secret.

        What was asked, and these events as its result, are kept under the key `OPENING`. Raises Conflict if there is,
        or was, one with this id.
        """
        with _once(), self._writing.begin() as connection:
            connection.execute(sa.insert(_sheet_table), {"id": sheet, "created": created})
            connection.execute(_INSERT_EVENT, _rows(sheet, records))
            if links:
                connection.execute(
                    sa.insert(_link_table), [_link_row(link, secret_hash) for link, secret_hash in links]
                )
            if answered:
                connection.execute(_INSERT_KEY, {"sheet": sheet, "key": OPENING, **asdict(answered)})
            if self.anchors:
                begin(connection, self.anchors, sheet, records[-1].head)

    def head(self, sheet: str) -> Head:
        """Return the number and the hash of the latest event. Raises NoSuchSheet."""
        row = self._first(_SELECT_HEAD, sheet=_known(sheet))
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
                _head_of(connection, sheet)
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
        """Append events to a sheet at version `base`, and keep the result under the key.

        Return None if they were appended, the earlier result if the key had been used. Raises Conflict if the sheet is
        at another version or has another history, NoSuchSheet if there is none or the link of that id may no longer
        write.
        """
        with self._writing.begin() as connection:
            _lock(connection, sheet)
            if link is not None and connection.execute(_LOCK_LINK, {"link": link}).first() is None:
                raise NoSuchSheet(sheet)
            if key is not None and (before := _answered(connection, sheet, key)):
                return before
            head = _head_of(connection, sheet)
            if head != (base, records[0].prev_hash):
                raise Conflict(head.version, raced=True)
            connection.execute(_INSERT_EVENT, _rows(sheet, records))
            added: list[Row] = []
            if key is not None:
                row = {"sheet": sheet, "key": key, **asdict(answered)}
                connection.execute(_INSERT_KEY, row)
                added.append(("key", *row.values()))
            if self.anchors:
                advance(connection, self.anchors, sheet, head, records[-1].head, added=added)
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
            connection.execute(sa.insert(_link_table), _link_row(link, secret_hash))
            self._anchor_links(connection, link.sheet, added=[_link_of(connection, link.id)])

    def links(self, sheet: str) -> list[Link]:
        """Return all links of a sheet, oldest first, revoked ones included. Raises NoSuchSheet."""
        query = (
            sa.select(*_LINK)
            .where(_link_table.c.sheet == _known(sheet))
            .order_by(_link_table.c.created, _link_table.c.id)
        )
        with self.engine.connect() as connection:
            _head_of(connection, sheet)
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

    def linked_heads(self, links: Sequence[str]) -> Mapping[str, Head]:
        """Return the latest event of the sheet of each link that is not revoked."""
        with self.engine.connect() as connection:
            rows = connection.execute(_SELECT_LINKED_HEADS, {"links": list(links)})
            return {row.id: Head(row.seq, row.hash) for row in rows}

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
        mine = sa.and_(_link_table.c.id == _known(link), _link_table.c.sheet == _known(sheet))
        with self._writing.begin() as connection:
            _lock(connection, sheet)
            before = connection.execute(sa.select(*_link_table.c).where(mine)).first()
            if before is None:
                raise NoSuchSheet(link)
            if before.revoked is None:
                connection.execute(sa.update(_link_table).where(mine).values(revoked=at))
                self._anchor_links(connection, sheet, added=[_link_of(connection, link)], gone=[("link", *before)])

    def sheets(self) -> Iterator[str]:
        """Return the ids of all sheets that were not erased."""
        return self._logs(sa.not_(_IS_GROUP_SHEET))

    def groups(self) -> Iterator[str]:
        """Return the ids of all groups that were not erased."""
        return self._logs(_IS_GROUP_SHEET)

    def erase(self, sheet: str, at: str) -> None:
        """Delete the events, keys and links of a sheet; only its id and the time remain. Raises NoSuchSheet."""
        with self._writing.begin() as connection:
            _lock(connection, sheet)
            head = _head_of(connection, sheet)
            connection.execute(sa.update(_sheet_table).where(_sheet_table.c.id == sheet).values(erased=at))
            for table in (_event_table, _key_table, _link_table):
                connection.execute(sa.delete(table).where(table.c.sheet == sheet))
            if self.anchors:
                end(connection, self.anchors, sheet, head, at)

    def audit(self) -> Iterator[Fault]:
        """Yield what does not fit the anchors, `UNANCHORED` for sheets that have none, and missing triggers."""
        return _faults(self.engine, self.anchors)

    def renew_anchors(self) -> int:
        """Anchor the sheets that have no anchor or one of another key; return how many these were."""
        if self.anchors is None:
            raise ValueError("there is no key to anchor with")
        outside = {fault.sheet for fault in self.audit() if fault.what in (UNANCHORED, ANOTHER_KEY)}
        with self._writing.begin() as connection:
            _renew_register(connection, self.anchors)
        for sheet in sorted(outside - {""}):
            with self._writing.begin() as connection:
                _renew(connection, self.anchors, sheet)
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
        query = sa.select(_sheet_table.c.id).where(_sheet_table.c.erased.is_(None), kind)
        with self.engine.connect() as connection:
            return iter(connection.execute(query).scalars().all())

    def _anchor_links(
        self, connection: Connection, sheet: str, *, added: Sequence[Row], gone: Sequence[Row] = ()
    ) -> None:
        if self.anchors:
            head = _head_of(connection, sheet)
            advance(connection, self.anchors, sheet, head, head, added=added, gone=gone)


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
    return ("link", *connection.execute(sa.select(*_link_table.c).where(_link_table.c.id == link)).one())


def _answered(connection: Connection, sheet: str, key: str) -> Answered | None:
    row = connection.execute(_SELECT_ANSWER, {"sheet": sheet, "key": key}).first()
    return Answered(row.fingerprint, row.answer) if row else None


def _rows(sheet: str, records: Sequence[Record]) -> list[dict[str, object]]:
    return [{"sheet": sheet} | {column.name: getattr(record, column.name) for column in _RECORD} for record in records]


def _link_row(link: Link, secret_hash: str) -> dict[str, object]:
    return {"secret_hash": secret_hash} | {column.name: getattr(link, column.name) for column in _LINK}
