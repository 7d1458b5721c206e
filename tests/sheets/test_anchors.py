"""What somebody changes who may write the database, but has not the server's key: `verify` names it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from companion.engine.problems import Refused
from companion.sheets import backup
from companion.sheets import sql as audit
from companion.sheets.service import SheetService
from companion.sheets.shapes import bucket_of
from companion.sheets.sql import SqlStore
from companion.sheets.store import Conflict, chain, open_store, to_file
from tests.sheets.conftest import NAMES, imported
from tests.sheets.deals import record

KEY = "a key of this server"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/sheets.sqlite3"
    found: str = request.getfixturevalue("postgres_place")
    return found


@pytest.fixture
def store(place: str) -> Iterator[SqlStore]:
    opened: Any = open_store(place, migrate=True, key=KEY)
    yield opened
    opened.close()


@pytest.fixture
def sheet(store: SqlStore) -> str:
    """A sheet with another one beside it."""
    written(SheetService(store))
    return written(SheetService(store))


def written(service: SheetService) -> str:
    """A sheet with five events, three keys, and three links of which one is revoked."""
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    for number in range(3):
        service.do(sheet, record(5, 8, 4), key=f"tap-{number}")
    service.revoke_link(sheet, service.create_link(sheet, "watch", "Oma").link.id)
    return sheet


def found(store: SqlStore) -> list[tuple[str, str]]:
    """The faults that are no sheet's, and of each sheet the first word of what is wrong."""
    return sorted((fault.sheet, fault.what.split()[0]) for fault in SheetService(store).verify())


def tamper(store: SqlStore, *statements: str, **values: Any) -> None:
    """Change the database as its owner can: triggers off, then on again."""
    with store.engine.execution_options(writing=True).begin() as connection:
        if connection.dialect.name == "sqlite":
            triggers = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
            off, on = [f"DROP TRIGGER {name}" for name, _ in triggers], [text for _, text in triggers]
        else:
            off, on = ([f"ALTER TABLE {table} {verb} TRIGGER USER" for table in ("event", "sheet")]
                       for verb in ("DISABLE", "ENABLE"))  # fmt: skip
        for statement in (*off, *statements, *on):
            text = sa.text(statement.replace(":=", "\\:="))
            connection.execute(text, {name: values[name] for name in text._bindparams})


def rewrite(store: SqlStore, sheet: str) -> None:
    """Write another history with hashes that fit."""
    records = store.read(sheet)
    last = records[1].hash
    statements: list[str] = []
    values: dict[str, str] = {}
    for each in records[2:]:
        body = each.body.replace('"tricks":8', '"tricks":7').replace('"tricks":5', '"tricks":6')
        hashed = chain(last, each.seq, each.at, each.actor, each.kind, each.version, body)
        statements.append(
            f"UPDATE event SET body = :b{each.seq}, prev_hash = :p{each.seq}, hash = :h{each.seq} "
            f"WHERE sheet = :sheet AND seq = {each.seq}"
        )
        values |= {f"b{each.seq}": body, f"p{each.seq}": last, f"h{each.seq}": hashed}
        last = hashed
    tamper(store, *statements, sheet=sheet, **values)


def add_event(store: SqlStore, sheet: str) -> None:
    """Append an event as this program would, but without its key."""
    other = SqlStore(store.url.render_as_string(hide_password=False), migrate=False)
    SheetService(other).do(sheet, record(3, 6, 4))
    other.close()


def statements(*wanted: str) -> Callable[[SqlStore, str], None]:
    def run(store: SqlStore, sheet: str) -> None:
        tamper(store, *wanted, sheet=sheet)

    return run


MINE = "WHERE sheet = :sheet"
CHANGES = {
    "cut": (statements(f"DELETE FROM event {MINE} AND seq = 5"), "events-cut-off"),
    "all cut": (statements(f"DELETE FROM event {MINE}"), "events-cut-off"),
    "rewritten": (rewrite, "history-rewritten"),
    "added": (add_event, "events-added"),
    "link deleted": (statements(f"DELETE FROM link {MINE} AND scope = 'score'"), "links-or-keys-changed"),
    "link given more": (statements(f"UPDATE link SET scope = 'score' {MINE}"), "links-or-keys-changed"),
    "link brought back": (statements(f"UPDATE link SET revoked = NULL {MINE}"), "links-or-keys-changed"),
    "link added": (
        statements("INSERT INTO link VALUES ('l9', :sheet, 'h9', 'score', '', '', NULL)"), "links-or-keys-changed",
    ),
    "key deleted": (statements(f"DELETE FROM idempotency {MINE} AND key = 'tap-1'"), "links-or-keys-changed"),
    "key added": (statements("INSERT INTO idempotency VALUES (:sheet, 'k', 'f', 'a')"), "links-or-keys-changed"),
    "anchor changed": (statements(f"UPDATE anchor SET seq = seq {MINE}, mac = ''".replace(f" {MINE}", "") + f" {MINE}"),
                       "history-rewritten"),
    "erased by hand": (
        statements("UPDATE sheet SET erased = 'now' WHERE id = :sheet", *(f"DELETE FROM {table} {MINE}" for table in (
            "event", "link", "idempotency"))),
        "not-erased-by-this-program",
    ),
}  # fmt: skip


def test_changed_sheets_are_named_and_stay_so(store: SqlStore) -> None:
    service = SheetService(store)
    sheets = {change: written(service) for change in (*CHANGES, "none")}
    assert service.verify() == []
    for change, (act, _) in CHANGES.items():
        act(store, sheets[change])
    named = set(found(store))
    assert {(sheets[change], what) for change, (_, what) in CHANGES.items()} <= named
    assert {sheet for sheet, _ in named} == set(sheets.values()) - {sheets["none"]}
    for change, sheet in sheets.items():
        if change not in ("all cut", "erased by hand"):
            service.do(sheet, record(4, 6, 5))  # the table plays on; the trace is not covered up
            service.create_link(sheet, "watch")
    assert {sheet for sheet, _ in found(store)} == set(sheets.values()) - {sheets["none"]}


@pytest.mark.parametrize(
    "wanted",
    [
        [f"DELETE FROM {table} {MINE}" for table in ("event", "link", "idempotency", "anchor")]
        + ["DELETE FROM sheet WHERE id = :sheet"],
        [f"DELETE FROM anchor {MINE}"],
        ["DELETE FROM register"],
        ["UPDATE register SET size = 0, sheets = '', key = '', mac = ''"],
    ],
)
def test_a_sheet_or_an_anchor_that_is_gone_is_missed(store: SqlStore, sheet: str, wanted: list[str]) -> None:
    tamper(store, *wanted, sheet=sheet)
    assert ("", "sheets-added-or-deleted") in found(store)
    SheetService(store).open_sheet({"seats": NAMES, "game": "spades"})
    if (sheet, audit.UNANCHORED) in found(store):
        SheetService(store).do(sheet, record(4, 6, 5))
    assert ("", "sheets-added-or-deleted") in found(store)


UNREAD = {("sheet", "created")}
"""Columns that nothing reads and no anchor covers: when the row was inserted."""
COVERED = [audit._sheet_table, audit._event_table, audit._key_table, audit._link_table, audit._anchor_table,
           audit._register_table]  # fmt: skip


@pytest.mark.parametrize("key", [KEY, ""], ids=["key", "no key"])
@pytest.mark.parametrize("table", COVERED, ids=lambda table: table.name)
@pytest.mark.parametrize("rows", ["all", "one"])
def test_no_row_can_be_deleted_without_a_trace(tmp_path: Path, table: sa.Table, rows: str, key: str) -> None:
    """Straight in the file, where no foreign key holds a row; keys and links need the server's key to be missed."""
    place = f"{tmp_path}/sheets.sqlite3"
    with closing(open_store(place, key=KEY)) as store:
        sheets = [written(SheetService(store)) for _ in range(3)]
    column = next(iter(table.c)).name
    one = {"register": "0", "event": f"'{sheets[1]}' AND seq = 3"}.get(table.name, f"'{sheets[1]}'")
    name = "sheet" if "sheet" in table.c and table.name == "link" else column
    raw(place, f"DELETE FROM {table.name}" + (f" WHERE {name} = {one}" if rows == "one" else ""))
    secret = table.name in ("idempotency", "link", "anchor")
    assert backup.verify(place, key=key).faults or (secret and not key)


@pytest.mark.parametrize(
    ("table", "column"),
    [(table.name, column.name) for table in COVERED for column in table.c if (table.name, column.name) not in UNREAD],
)
def test_no_column_can_be_changed_without_a_trace(tmp_path: Path, table: str, column: str) -> None:
    place = f"{tmp_path}/sheets.sqlite3"
    with closing(open_store(place, key=KEY)) as store:
        sheet = written(SheetService(store))
        link = SheetService(store).links(sheet)[0].id
    number = column in ("seq", "version", "size", "bucket")
    value = f"{column} + 100" if number else f"coalesce({column}, '') || 'x'"
    if (table, column) == ("link", "scope"):
        value = "CASE scope WHEN 'score' THEN 'watch' ELSE 'score' END"
    where = {
        "sheet": f"id = '{sheet}'",
        "event": f"sheet = '{sheet}' AND seq = 5",
        "link": f"id = '{link}'",
        "idempotency": "key = 'tap-1'",
        "register": f"bucket = {bucket_of(sheet)}",
    }.get(table, f"sheet = '{sheet}'")
    raw(place, f"UPDATE {table} SET {column} = {value} WHERE {where}")
    checked = backup.verify(place, key=KEY)
    assert checked.faults or (column == "key" and checked.foreign)


def raw(place: str, statement: str) -> None:
    """Change an SQLite file as any tool can: without foreign keys and triggers."""
    with closing(sqlite3.connect(place)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(statement).rowcount
        for _, text in triggers:
            connection.execute(text)
        connection.commit()


def test_a_dropped_trigger_is_named(store: SqlStore, sheet: str) -> None:
    sqlite = store.engine.dialect.name == "sqlite"
    first, table = ("event_never_changes", "") if sqlite else ("event_append_only", " ON event")
    with store.engine.execution_options(writing=True).begin() as connection:
        connection.exec_driver_sql(f"DROP TRIGGER {first}{table}")
    assert [fault.what for fault in SheetService(store).verify()] == [f"trigger-missing {first}"]


@pytest.mark.postgres
def test_triggers_that_do_nothing_are_named(postgres_place: str) -> None:
    opened: Any = open_store(postgres_place, migrate=True, key=KEY)
    for count, statement in enumerate(IDLE):
        assert len(list(opened.audit())) == count
        with opened.engine.begin() as connection:
            connection.exec_driver_sql(statement)
    assert len(list(opened.audit())) == len(IDLE)
    opened.close()


IDLE = [
    "ALTER TABLE event DISABLE TRIGGER event_no_truncate",
    "CREATE OR REPLACE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "CREATE OR REPLACE TRIGGER sheet_stays_erased BEFORE UPDATE ON sheet FOR EACH ROW WHEN (false) "
    "EXECUTE FUNCTION sheet_stays_erased()",
]


def test_what_this_program_does_itself_always_fits(store: SqlStore, sheet: str) -> None:
    service = SheetService(store)
    service.do(sheet, {"type": "undo"}, key="undo")
    service.do(sheet, {"type": "undo"}, key="undo")
    with pytest.raises(Conflict):
        service.do(sheet, record(5, 8, 4), base_version=1, key="stale")
    for link in service.links(sheet):
        service.revoke_link(sheet, link.id)
        service.revoke_link(sheet, link.id)
    imported(service, service.export_json(sheet))
    assert service.verify() == []
    service.erase(sheet)
    assert service.verify() == []


def test_sheets_of_before_play_on_and_are_anchored(place: str, store: SqlStore) -> None:
    older: Any = open_store(place, migrate=False)
    service = SheetService(older)
    first, second, third = (service.open_sheet({"seats": NAMES, "game": "spades"}).id for _ in range(3))
    service.erase(third)
    older.close()
    assert found(store) == sorted((sheet, audit.UNANCHORED) for sheet in (first, second, third))
    SheetService(store).do(first, record(5, 8, 4), key="k")
    assert found(store) == sorted((sheet, audit.UNANCHORED) for sheet in (second, third))
    assert store.renew_anchors() == 2
    assert found(store) == []
    tamper(store, f"DELETE FROM event {MINE} AND seq = 2", sheet=second)
    assert found(store) == [(second, "events-cut-off")]


def test_another_key_is_said_and_renewed(place: str, store: SqlStore, sheet: str) -> None:
    checked = backup.verify(place, key="another key")
    assert (checked.faults, checked.foreign > 0, checked.unanchored) == ((), True, 0)
    assert backup.verify(place).anchored is False
    other: Any = open_store(place, key="another key")
    SheetService(other).do(sheet, record(5, 8, 4))
    SheetService(other).open_sheet({"seats": NAMES, "game": "spades"})
    other.close()
    count, checked = backup.anchor(place, key="another key")
    assert (count, checked.faults, checked.foreign, checked.unanchored) == (2, (), 0, 0)


def test_nothing_is_anchored_where_something_is_wrong(place: str, store: SqlStore, sheet: str) -> None:
    tamper(store, f"DELETE FROM event {MINE} AND seq = 5", sheet=sheet)
    count, checked = backup.anchor(place, key=KEY)
    assert (count, [fault.what for fault in checked.faults]) == (0, ["events-cut-off 5"])


def test_an_exported_file_that_was_cut_or_written_anew_is_refused(store: SqlStore, sheet: str) -> None:
    service = SheetService(store)
    file = json.loads(json.dumps(service.export_json(sheet)))
    assert imported(service, file).view.version == 5
    for other in (
        {**file, "events": file["events"][:-1]},
        {**file, "anchor": {**file["anchor"], "sheet": "another"}},
        {**file, "anchor": {**file["anchor"], "mac": "0" * 64}},
    ):
        with pytest.raises(Refused) as refused:
            imported(service, other)
        assert [problem.code for problem in refused.value.problems] == ["file-anchor"]
    unsigned = to_file(store.read(sheet))
    elsewhere = {**file, "anchor": {**file["anchor"], "key": "0" * 16, "mac": "0" * 64}}
    for other in (unsigned, elsewhere):
        assert imported(service, other).view.version == 5
