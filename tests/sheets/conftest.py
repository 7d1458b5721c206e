"""Services with a clock that ticks a second at a time, on every kind of store."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from companion.sheets.event import View
from companion.sheets.service import Opened, SheetService
from companion.sheets.shapes import NO_SHEETS
from companion.sheets.sql import metadata
from companion.sheets.store import Store, from_file, open_store
from tests.conftest import empty_database

NAMES = ["Aki", "Ben", "Chie", "Dai"]
BEGINNING = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


def imported(service: SheetService, value: Any) -> Opened[View]:
    """The sheet that a service makes of an exported one. Raises Refused."""
    return service.import_records(from_file(value, service.games, service.store.anchors))


class Clock:
    """A clock that is a second later every time it is asked."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """The same tests run on every store."""
    if request.param == "memory":
        yield open_store("memory:")
    elif request.param == "sqlite":
        yield from _opened(open_store(without_sheets(tmp_path / "sheets.sqlite3")))
    else:
        yield from _opened(request.getfixturevalue("postgres_store"))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """The stores that are databases."""
    if request.param == "sqlite":
        yield from _opened(open_store(without_sheets(tmp_path / "sheets.sqlite3")))
    else:
        yield from _opened(request.getfixturevalue("postgres_store"))


def without_sheets(place: Path) -> Path:
    """Write a migrated database to a file that is not there."""
    place.write_bytes(empty_database())
    return place


@pytest.fixture
def postgres_place(postgres_url: str) -> Iterator[str]:
    """An empty schema on the server."""
    with _schema(postgres_url) as place:
        yield place


@contextmanager
def _schema(postgres_url: str) -> Iterator[str]:
    """A schema of its own on the server, so that tests may run side by side."""
    schema = "sheets_" + secrets.token_hex(6)
    engine = sa.create_engine(postgres_url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
    yield f"{postgres_url}?options=-csearch_path%3D{schema}"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
    engine.dispose()


@pytest.fixture(scope="session")
def migrated_place(postgres_url: str) -> Iterator[str]:
    """A schema for the tests of a process that leave its tables as they are: to migrate one takes a quarter second."""
    with _schema(postgres_url) as place:
        open_store(place, migrate=True).close()
        yield place


@pytest.fixture
def postgres_store(migrated_place: str) -> Iterator[Store]:
    """A store without sheets. What a test leaves is deleted past the triggers that forbid it."""
    yield open_store(migrated_place)
    engine = sa.create_engine(migrated_place)
    with engine.begin() as connection:
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        for table in metadata.sorted_tables:
            if table.name != "register":
                connection.execute(sa.delete(table))
        connection.execute(sa.update(metadata.tables["register"]).values(NO_SHEETS._asdict()))
    engine.dispose()


@pytest.fixture
def service() -> SheetService:
    """A service on a store in memory."""
    return SheetService(open_store("memory:"), clock=Clock())


@pytest.fixture
def spades(service: SheetService) -> str:
    """A sheet with a game of Spades just begun; D deals first."""
    return service.open_sheet({"seats": NAMES, "game": "spades", "dealer": "D"}).id


def _opened(store: Store) -> Iterator[Store]:
    yield store
    store.close()
