"""Every store alike: logs that only grow, races decided by one, keys that make a retry harmless, links."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Barrier, Event
from time import monotonic, sleep
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DBAPIError

from companion.sheets import sql
from companion.sheets.service import SheetService
from companion.sheets.sql import SqlStore
from companion.sheets.store import (
    Answered,
    Conflict,
    KeyReused,
    Link,
    NoSuchSheet,
    NotMigrated,
    Record,
    Store,
    open_store,
)
from tests.sheets.conftest import NAMES
from tests.sheets.deals import NS, deal, record

RACERS = 20
WHO = Link("link1", "s1", "watch", "Oma", "2026-11-20T18:00:00.000Z")


def records(*seqs: int) -> list[Record]:
    return [Record(seq, "2026-11-20T18:00:00.000Z", "Aki", "noted", 1, "{}", f"h{seq - 1}", f"h{seq}") for seq in seqs]


def race(run: Callable[[int], str]) -> Counter[str]:
    """What came of running something from many threads at once."""
    barrier = Barrier(RACERS)

    def runner(number: int) -> str:
        barrier.wait()
        return run(number)

    with ThreadPoolExecutor(RACERS) as pool:
        return Counter(pool.map(runner, range(RACERS)))


def test_what_was_written_is_read(any_store: Store) -> None:
    any_store.create("s1", "now", records(1, 2), [(WHO, "x" * 64)])
    assert any_store.append("s1", 2, records(3), None, Answered("", "")) is None
    assert any_store.read("s1") == records(1, 2, 3)
    assert any_store.read("s1", after=2) == records(3)
    assert any_store.read("s1", after=3) == []
    assert any_store.head("s1").version == 3
    assert list(any_store.sheets()) == ["s1"]


@pytest.mark.parametrize("sheet", ["nobody", "", "a\x00b", "\ud800", "x" * 500])
def test_an_unknown_sheet_is_none(any_store: Store, sheet: str) -> None:
    for ask in (
        lambda: any_store.read(sheet),
        lambda: any_store.head(sheet),
        lambda: any_store.append(sheet, 0, records(1), None, Answered("", "")),
        lambda: any_store.links(sheet),
        lambda: any_store.add_link(replace(WHO, sheet=sheet), "y"),
        lambda: any_store.revoke_link(sheet, "link1", "now"),
        lambda: any_store.erase(sheet, "now"),
    ):
        with pytest.raises(NoSuchSheet):
            ask()
    assert any_store.answered(sheet, "key") is None


def test_an_old_base_is_a_conflict(any_store: Store) -> None:
    any_store.create("s1", "now", records(1, 2), [])
    for base in (1, 3):
        with pytest.raises(Conflict) as caught:
            any_store.append("s1", base, records(base + 1), "key", Answered("", ""))
        assert caught.value.version == 2
    assert any_store.read("s1") == records(1, 2)
    assert any_store.answered("s1", "key") is None


def test_a_key_is_answered_once_and_belongs_to_one_sheet(any_store: Store) -> None:
    any_store.create("s1", "now", records(1), [])
    any_store.create("s2", "now", records(1), [])
    first = Answered("print", "answer")
    assert any_store.append("s1", 1, records(2), "key", first) is None
    assert any_store.append("s1", 2, records(3), "key", Answered("other", "other")) == first
    assert any_store.head("s1").version == 2
    assert any_store.append("s2", 1, records(2), "key", Answered("other", "other")) is None


def test_links_are_found_listed_and_revoked(any_store: Store) -> None:
    any_store.create("s1", "now", records(1), [(WHO, "a")])
    any_store.create("s2", "now", records(1), [])
    second = replace(WHO, id="link2", scope="score", created="2026-11-20T18:00:01.000Z")
    any_store.add_link(second, "b")
    assert any_store.links("s1") == [WHO, second]
    assert any_store.find_link("b") == second
    assert any_store.find_link("c") is None
    any_store.append("s1", 1, records(2), None, Answered("", ""))
    assert any_store.linked_head("b") == (second, (2, "h2"))
    assert any_store.linked_head("c") is None
    any_store.revoke_link("s1", "link2", "later")
    any_store.revoke_link("s1", "link2", "much later")
    assert any_store.find_link("b") == replace(second, revoked="later")
    assert any_store.linked_head("b") == (replace(second, revoked="later"), (2, "h2"))
    with pytest.raises(NoSuchSheet):
        any_store.revoke_link("s2", "link1", "now")


def test_an_erased_sheet_is_gone_and_stays_so(any_store: Store) -> None:
    any_store.create("s1", "now", records(1), [(WHO, "a")])
    any_store.append("s1", 1, records(2), "key", Answered("", ""))
    any_store.create("s2", "now", records(1), [])
    any_store.erase("s1", "later")
    assert list(any_store.sheets()) == ["s2"]
    assert any_store.find_link("a") is None
    assert any_store.answered("s1", "key") is None
    for ask in (
        lambda: any_store.read("s1"),
        lambda: any_store.append("s1", 2, records(3), None, Answered("", "")),
        lambda: any_store.erase("s1", "again"),
    ):
        with pytest.raises(NoSuchSheet):
            ask()
    with pytest.raises(Conflict):
        any_store.create("s1", "now", records(1), [])
    assert list(any_store.sheets()) == ["s2"]


@pytest.mark.parametrize(("link", "secret"), [("link1", "b"), ("link2", "a")])
def test_no_link_takes_the_place_of_another(any_store: Store, link: str, secret: str) -> None:
    any_store.create("s1", "now", records(1), [(WHO, "a")])
    with pytest.raises(Conflict):
        any_store.add_link(replace(WHO, id=link), secret)
    with pytest.raises(NoSuchSheet):
        any_store.add_link(replace(WHO, id="link3", sheet="s9"), "c")
    assert any_store.links("s1") == [WHO]


def test_of_many_clients_with_one_version_one_wins(any_store: Store) -> None:
    service = SheetService(any_store)
    opened = service.open_sheet({"seats": NAMES, "game": "spades"})

    def client(number: int) -> str:
        try:
            SheetService(any_store).do(opened.id, record(number % 13, 8, 4), base_version=2, actor=f"phone {number}")
        except Conflict:
            return "told"
        return "won"

    assert race(client) == {"won": 1, "told": RACERS - 1}
    assert service.head(opened.id).version == 3
    assert service.verify() == []


def test_of_many_sends_under_one_key_one_counts(any_store: Store) -> None:
    service = SheetService(any_store)
    opened = service.open_sheet({"seats": NAMES, "game": "spades"})

    def client(number: int) -> str:
        done = service.do(opened.id, record(5, 8, 4), key="tap-1")
        assert [entry.seq for entry in done.entries] == [3]
        return "replayed" if done.replayed else "written"

    assert race(client) == {"written": 1, "replayed": RACERS - 1}
    assert service.head(opened.id).version == 3
    with pytest.raises(KeyReused):
        service.do(opened.id, record(6, 8, 4), key="tap-1")


def test_without_a_base_version_everybody_is_served_in_turn(any_store: Store) -> None:
    service = SheetService(any_store)
    opened = service.open_sheet({"seats": NAMES, "game": "spades"})

    def client(number: int) -> str:
        done = service.do(opened.id, {"type": "write_note", "note": f"note {number}"})
        return "written" if len(done.entries) == 1 else "lost"

    assert race(client) == {"written": RACERS}
    assert service.head(opened.id).version == 2 + RACERS


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '{}' WHERE seq = 2",
        "UPDATE event SET hash = hash",
        "DELETE FROM event WHERE seq = 2",
        "DELETE FROM event",
        "DELETE FROM sheet",
        "INSERT INTO event SELECT sheet, seq, at, actor, kind, version, body, prev_hash, hash FROM event",
        "INSERT INTO event SELECT 'nobody', seq, at, actor, kind, version, body, prev_hash, hash FROM event",
        "INSERT INTO link VALUES ('l9', 's1', 'h9', 'rule', '', '', NULL)",
    ],
)
def test_the_database_itself_refuses_to_change_the_past(database: SqlStore, statement: str) -> None:
    database.create("s1", "now", records(1, 2), [(WHO, "a")])
    with pytest.raises(DBAPIError), database.engine.execution_options(writing=True).begin() as connection:
        connection.exec_driver_sql(statement)
    assert database.read("s1") == records(1, 2)


def test_erasing_cannot_be_taken_back(database: SqlStore) -> None:
    database.create("s1", "now", records(1), [])
    database.erase("s1", "later")
    with (
        pytest.raises(DBAPIError, match="stays erased"),
        database.engine.execution_options(writing=True).begin() as connection,
    ):
        connection.exec_driver_sql("UPDATE sheet SET erased = NULL")


@pytest.mark.postgres
def test_postgres_refuses_to_empty_the_log(postgres_store: SqlStore) -> None:
    with pytest.raises(DBAPIError, match="append only"), postgres_store.engine.begin() as connection:
        connection.exec_driver_sql("TRUNCATE event")
    postgres_store.close()


@pytest.mark.postgres
def test_postgres_is_migrated_only_when_told(postgres_place: str) -> None:
    with pytest.raises(NotMigrated):
        open_store(postgres_place)
    open_store(postgres_place, migrate=True).close()
    open_store(postgres_place).close()


def test_tables_and_migrations_are_the_same(database: SqlStore) -> None:
    inspector = sa.inspect(database.engine)
    for table in sql.metadata.sorted_tables:
        found = {column["name"]: column["nullable"] for column in inspector.get_columns(table.name)}
        assert found == {column.name: bool(column.nullable) for column in table.columns}
    folder = Path(sql.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [sql.HEAD]


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "sheets.sqlite3"
    store = open_store(place)
    store.close()
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(NotMigrated, match="9999"):
        open_store(place)


def test_sqlite_is_set_up_to_survive(tmp_path: Path) -> None:
    store = SqlStore(f"sqlite:///{tmp_path / 'new' / 'sheets.sqlite3'}")
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5_000, "trusted_schema": 0}
    with store.engine.connect() as connection:
        found: dict[str, Any] = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in pragmas}
        strict = connection.exec_driver_sql("SELECT name FROM pragma_table_list WHERE strict").scalars().all()
    assert found == pragmas
    assert {"sheet", "event", "idempotency", "link"} <= set(strict)
    store.close()


@pytest.mark.slow
def test_many_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    program = "import sys; from companion.sheets.store import open_store; open_store(sys.argv[1]).close()"
    place = str(tmp_path / "sheets.sqlite3")
    started = [subprocess.Popen([sys.executable, "-c", program, place]) for _ in range(4)]
    assert [process.wait(timeout=60) for process in started] == [0, 0, 0, 0]
    open_store(place).close()


def test_a_writer_comes_between_others_that_hardly_pause(tmp_path: Path) -> None:
    """Another connection holds the file for some 100 ms and leaves it for 4 ms, again and again."""
    file, begun, stop, chance = tmp_path / "companion.sqlite3", Event(), Event(), Random(1)

    def hold() -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            while not stop.is_set():
                other.execute("BEGIN IMMEDIATE")
                begun.set()
                sleep(chance.uniform(0.08, 0.12))
                other.execute("ROLLBACK")
                sleep(0.004)

    waited = []
    with closing(SqlStore(file)) as store, ThreadPoolExecutor(1) as pool:
        store.create("busy", "now", records(1), [])
        holding = pool.submit(hold)
        try:
            for version in range(1, 9):
                begun.clear()
                assert begun.wait(5)
                start = monotonic()
                store.append("busy", version, records(version + 1), None, Answered("", ""))
                waited.append(monotonic() - start)
        finally:
            stop.set()
        holding.result()
    assert max(waited) < 1


@pytest.mark.parametrize("place", ["sqlite://", "sqlite:///:memory:"])
def test_sqlite_in_memory_is_refused_since_it_would_forget(place: str) -> None:
    with pytest.raises(ValueError, match="memory:"):
        open_store(place)


def test_services_of_several_processes_see_each_other(database: SqlStore) -> None:
    one, other = SheetService(database), SheetService(database)
    sheet = one.open_sheet({"seats": NAMES, "game": "spades"}).id
    assert other.read(sheet).version == 2
    one.do(sheet, record(5, 8, 4))
    view = other.do(sheet, record(5, 8, 4)).view
    assert view.ledger.standing[NS].total == 106
    assert one.read(sheet).game.deals[1].facts == deal(5, 8, 4)
