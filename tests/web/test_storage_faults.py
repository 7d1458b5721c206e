"""Faults of the storage: 503 with Retry-After and one line in the log, nothing written, and all well afterwards."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from companion.sheets import sql as database
from companion.sheets.store import Unavailable
from companion.web import monitoring
from tests.conftest import DATABASE
from tests.keeper.phone import Phone
from tests.sheet_client import SheetClient, as_json, bearer, record

Fault = Callable[[Flask, Path], Any]


@contextmanager
def locked(app: Flask, file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def _pragma(app: Flask, pragma: str) -> Iterator[None]:
    """Let every new connection begin with a pragma."""

    def set_up(connection: Any, _: Any) -> None:
        connection.execute(pragma)

    engine = app.extensions["companion-sheets"].store.engine
    engine.dispose()
    sa.event.listen(engine, "connect", set_up)
    yield
    sa.event.remove(engine, "connect", set_up)
    engine.dispose()


def read_only(app: Flask, file: Path) -> Any:
    return _pragma(app, "PRAGMA query_only = ON")


@contextmanager
def full(app: Flask, file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE ballast (content TEXT)")
        other.executemany("INSERT INTO ballast VALUES (?)", [("x" * 3000,)] * 40)
        other.execute("DROP TABLE ballast")
        other.commit()
        other.execute("VACUUM")
        pages = other.execute("PRAGMA page_count").fetchone()[0]
    with _pragma(app, f"PRAGMA max_page_count = {pages}"):
        yield


@contextmanager
def vanished(app: Flask, file: Path) -> Iterator[None]:
    elsewhere = file.with_name("elsewhere")
    file.rename(elsewhere)
    yield
    assert not file.exists(), "an empty database was made in its place"
    elsewhere.rename(file)


@contextmanager
def without_tables(app: Flask, file: Path) -> Iterator[None]:
    elsewhere = file.with_name("elsewhere")
    engine = app.extensions["companion-sheets"].store.engine
    engine.dispose()  # everything is in the file itself
    file.rename(elsewhere)
    file.touch()
    yield
    engine.dispose()
    elsewhere.rename(file)


faults = pytest.mark.parametrize("fault", [locked, read_only, full, vanished, without_tables])


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 50)
    monkeypatch.setattr(monitoring, "READY_SECONDS", 0)


@pytest.fixture
def hasty_app(app: Flask) -> Flask:
    app.extensions["companion-sheets"].store.engine.dispose()
    return app


@faults
def test_writers_are_told_to_come_back(
    hasty_app: Flask, tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: Fault
) -> None:
    client = hasty_app.test_client()
    sheet = SheetClient(client)
    large = record(4, 6, 4) | {"facts": record(4, 6, 4)["facts"]}
    headers = {**bearer(sheet.score), "Idempotency-Key": "secret-key", "If-Match": "*"}
    note = {"type": "write_note", "note": "SecretName " * 10}
    with fault(hasty_app, tmp_path / DATABASE):
        for command in (note, large):
            for _ in range(200 if fault is full else 1):
                caplog.clear()
                answer = client.post(f"{sheet.url}/events", **as_json(command), headers=headers)
                headers["Idempotency-Key"] += "x" if answer.status_code == 201 else ""
                if answer.status_code != 201:
                    break
            assert (answer.status_code, answer.json["type"]) == (503, "/problems/unavailable")
            assert int(answer.headers["Retry-After"]) > 0
            assert len(caplog.records) == 1
            line = logging.Formatter().format(caplog.records[0])
            assert "\n" not in line
            assert not any(word in line for word in ("ecret", sheet.score, sheet.watch, sheet.id))
        assert client.get("/healthz").status_code == 200
        if fault is not full:  # a file that may not grow still takes what replaces a page
            assert client.get("/readyz").status_code == 503
    assert client.post(f"{sheet.url}/events", **as_json(note), headers=headers).status_code == 201
    assert client.get("/readyz").status_code == 200


@faults
def test_a_keeper_sees_a_page_that_says_so(hasty_app: Flask, tmp_path: Path, fault: Fault) -> None:
    phone = Phone(hasty_app.test_client())
    with fault(hasty_app, tmp_path / DATABASE):
        for _ in range(60 if fault is full else 1):
            with suppress(AssertionError):  # the phone expects pages that are there
                phone.open()
            if phone.status == 503:
                break
    assert phone.status == 503
    assert "Not available at the moment" in phone.page.text


def test_a_fault_names_no_statement_and_no_address(tmp_path: Path) -> None:
    for url in ("postgresql://somebody:secret@127.0.0.1:1/hidden", f"sqlite:///{tmp_path}/secret.sqlite3"):
        engine = database.make_engine(database.url_of(url))
        with pytest.raises(Unavailable) as raised, engine.connect() as connection:
            connection.execute(sa.text("SELECT secret FROM hidden WHERE a = :a"), {"a": "secret"})
        assert "secret" not in repr(raised.value)
        assert "hidden" not in repr(raised.value)
        assert raised.value.__suppress_context__
        engine.dispose()


def test_the_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    from companion.sheets.store import open_store

    for name in ("new.sqlite3", "old.sqlite3"):
        file = tmp_path / name
        if name.startswith("old"):
            file.touch(0o644)
        store = open_store(file)
        store.ready()
        assert {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.glob(f"{name}*")} == {
            path.name: "0o600" for path in tmp_path.glob(f"{name}*")
        }
        store.close()


def test_a_fault_of_the_program_is_one_line_without_what_was_sent(
    fresh_app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(token: str) -> str:
        raise KeyError(f"{token}\nforged line")

    fresh_app.add_url_rule("/watch-me/<token>", view_func=fail)
    fresh_app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    assert fresh_app.test_client().get("/watch-me/SecretToken?a=SecretName").status_code == 500
    (line,) = (logging.Formatter().format(logged) for logged in caplog.records)
    assert "KeyError in /watch-me/<token>" in line
    assert "Secret" not in line
    assert "\n" not in line
