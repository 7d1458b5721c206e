"""`companion backup`, `restore`, `verify`, `migrate` and `erase`: a drill of everything that an operator may need."""

from __future__ import annotations

import json
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.sheets.service import SheetService
from companion.sheets.store import NoSuchSheet, NotMigrated, Unavailable, open_store
from tests.cli.test_score import run
from tests.sheets.conftest import postgres_place as postgres_place  # a fixture

NAMES = ["Aki", "Ben", "Chie", "Dai"]
DEAL = {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}}

KEY = "a key of this server"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where `COMPANION_DATABASE` says that the sheets are."""
    file = tmp_path / "data" / "companion.sqlite3"
    monkeypatch.setenv("COMPANION_DATABASE", f"sqlite:///{file}")
    monkeypatch.setenv("COMPANION_SECRET_KEY", KEY)
    return file


def filled(place: Path, sheets: int = 3) -> dict[str, Any]:
    """The exports of some sheets that were put into a store."""
    with closing(open_store(place, key=KEY)) as store:
        service = SheetService(store)
        for number in range(sheets):
            sheet = service.open_sheet({"seats": NAMES, "game": "spades", "title": f"Evening {number}"}).id
            service.do(sheet, DEAL)
        return exports(service)


def exports(service: SheetService) -> dict[str, Any]:
    """The exports of all sheets, whether or not this service has the key that signs them."""
    return {sheet: service.export_json(sheet) | {"anchor": None} for sheet in service.store.sheets()}


def contents(place: Path) -> dict[str, Any]:
    with closing(open_store(place)) as store:
        return exports(SheetService(store))


def tamper(file: Path) -> None:
    """Change a stored event, as somebody might who has the file."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE event SET body = replace(body, '\"tricks\":8', '\"tricks\":7') WHERE seq = 3")


def test_a_drill_backup_loss_restore_verify(capsys: Capture, place: Path, tmp_path: Path) -> None:
    before = filled(place)
    copy = tmp_path / "copy.sqlite3"
    assert run(capsys, "backup", str(copy)) == (0, "3 sheets, no errors.\n", "")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["copy.sqlite3"]
    for file in place.parent.iterdir():
        file.unlink()
    assert run(capsys, "verify")[0] == 2
    assert run(capsys, "restore", str(copy)) == (0, "3 sheets, no errors.\n", "")
    assert contents(place) == before
    assert run(capsys, "verify", "--lang", "ja") == (0, "シートは3枚、すべて問題ありません。\n", "")


def test_a_backup_made_while_others_write_is_sound(capsys: Capture, place: Path, tmp_path: Path) -> None:
    filled(place, 1)
    stop, written = threading.Event(), []

    def write() -> None:
        with closing(open_store(place)) as store:
            service = SheetService(store)
            sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
            while not stop.is_set():
                written.append(service.do(sheet, {"type": "write_note", "note": "x" * 150}).version)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    try:
        for number in range(5):
            status, out, _ = run(capsys, "backup", str(tmp_path / f"copy-{number}.sqlite3"))
            assert (status, "no errors" in out) == (0, True)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert len(written) > 5
    whole = contents(place)
    for number in range(5):
        for sheet, copied in contents(tmp_path / f"copy-{number}.sqlite3").items():
            assert copied["events"] == whole[sheet]["events"][: len(copied["events"])]


def test_nothing_is_written_over(capsys: Capture, place: Path, tmp_path: Path) -> None:
    before = filled(place)
    copy = tmp_path / "copy.sqlite3"
    copy.write_text("mine")
    status, _, err = run(capsys, "backup", str(copy))
    assert (status, copy.read_text(), str(copy) in err) == (2, "mine", True)
    copy.unlink()
    run(capsys, "backup", str(copy))
    assert run(capsys, "restore", str(copy))[0] == 2
    assert contents(place) == before


def test_a_replaced_store_is_kept_beside(capsys: Capture, place: Path, tmp_path: Path) -> None:
    before = filled(place)
    copy = tmp_path / "copy.sqlite3"
    run(capsys, "backup", str(copy))
    later = filled(place, 1)
    assert run(capsys, "restore", "--replace", str(copy))[0] == 0
    assert contents(place) == before
    assert contents(place.with_name(f"{place.name}.before-restore")) == later


def test_a_store_in_use_is_not_replaced(capsys: Capture, place: Path, tmp_path: Path) -> None:
    before = filled(place)
    copy = tmp_path / "copy.sqlite3"
    run(capsys, "backup", str(copy))
    with closing(open_store(place)):
        status, _, err = run(capsys, "restore", "--replace", str(copy))
    assert (status, "Stop the service first" in err) == (2, True)
    assert contents(place) == before


def test_a_broken_store_can_be_replaced(capsys: Capture, place: Path, tmp_path: Path) -> None:
    before = filled(place)
    copy = tmp_path / "copy.sqlite3"
    run(capsys, "backup", str(copy))
    place.write_bytes(b"no database at all" * 400)
    assert run(capsys, "verify")[0] == 2
    assert run(capsys, "restore", "--replace", str(copy))[0] == 0
    assert contents(place) == before


@pytest.mark.parametrize("kind", ["missing", "empty", "text", "foreign", "torn", "tampered"])
def test_a_bad_copy_is_not_restored(capsys: Capture, place: Path, tmp_path: Path, kind: str) -> None:
    before = filled(place, 30)
    copy = tmp_path / "copy.sqlite3"
    run(capsys, "backup", str(copy))
    if kind == "missing":
        copy.unlink()
    elif kind == "empty":
        copy.write_bytes(b"")
    elif kind == "text":
        copy.write_text("no database" * 500)
    elif kind == "foreign":
        copy.unlink()
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("CREATE TABLE song (title)")
    elif kind == "torn":
        whole = copy.read_bytes()
        copy.write_bytes(whole[: len(whole) // 2] + bytes(len(whole) - len(whole) // 2))
    else:
        tamper(copy)
    status, _, err = run(capsys, "restore", "--replace", str(copy))
    assert (status, err.startswith("Error: ")) == (2, True)
    assert contents(place) == before
    assert sorted(file.name for file in place.parent.iterdir()) == ["companion.sqlite3"]


def test_verify_names_the_event_that_was_changed(capsys: Capture, place: Path) -> None:
    sheets = list(filled(place))
    tamper(place)
    status, out, _ = run(capsys, "verify")
    assert status == 1
    *faults, summary = out.splitlines()
    assert {f"{sheet}, event 3: hash-chain" for sheet in sheets} <= set(faults)
    gone = ("event_never_changes", "event_never_goes", "sheet_stays_erased")
    assert {f"The database: trigger-missing {name}" for name in gone} <= set(faults)
    assert summary == "3 sheets, 6 errors."


def test_anchors_are_checked_added_and_renewed(capsys: Capture, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(place)
    monkeypatch.setenv("COMPANION_SECRET_KEY", "another key")
    status, out, _ = run(capsys, "verify")
    assert (status, "of another key" in out, "anchored with" in out) == (1, True, False)
    assert run(capsys, "anchor") == (0, "3 sheets anchored.\n3 sheets, no errors.\n", "")
    monkeypatch.delenv("COMPANION_SECRET_KEY")
    assert run(capsys, "verify")[:2] == (
        0, "Anchors were not checked: there is no COMPANION_SECRET_KEY and no key beside the database.\n"
        "3 sheets, no errors.\n",
    )  # fmt: skip
    assert run(capsys, "anchor")[0] == 2
    monkeypatch.setenv("COMPANION_SECRET_KEY", "another key")
    with closing(open_store(place)) as store:
        SheetService(store).open_sheet({"seats": NAMES})
    assert run(capsys, "verify")[:2] == (
        0, "1 sheet of an earlier version without an anchor; companion anchor adds it.\n4 sheets, no errors.\n",
    )  # fmt: skip


def test_a_copy_is_restored_where_another_key_is_and_says_so(
    capsys: Capture, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled(place)
    copy = tmp_path / "copy.sqlite3"
    assert run(capsys, "backup", str(copy))[0] == 0
    monkeypatch.setenv("COMPANION_SECRET_KEY", "another key")
    status, out, _ = run(capsys, "restore", "--replace", str(copy))
    assert (status, "of another key" in out) == (0, True)
    assert contents(place) == before


def test_erasing_asks_first_and_leaves_the_others(
    capsys: Capture, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet, *others = filled(place)
    assert run(capsys, "erase", "--yes", sheet)[0] == 0
    assert list(contents(place)) == others
    assert run(capsys, "erase", "--yes", sheet)[0] == 2
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "n")
    assert run(capsys, "erase", others[0])[0] == 130
    assert list(contents(place)) == others


def test_erasing_makes_no_database_and_leaves_no_anchor_behind(
    capsys: Capture, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, err = run(capsys, "erase", "--yes", "nothing")
    assert (status, str(place) in err, place.exists()) == (2, True, False)
    sheet, *others = filled(place)
    monkeypatch.delenv("COMPANION_SECRET_KEY")
    status, _, err = run(capsys, "erase", "--yes", sheet)
    assert (status, "COMPANION_SECRET_KEY" in err) == (2, True)
    assert list(contents(place)) == [sheet, *others]
    monkeypatch.setenv("COMPANION_SECRET_KEY", KEY)
    assert run(capsys, "erase", "--yes", sheet)[0] == 0
    assert run(capsys, "verify")[:2] == (0, "2 sheets, no errors.\n")


@pytest.mark.parametrize("command", [["erase", "--yes", "nothing"], ["migrate"], ["verify"], ["anchor"]])
@pytest.mark.parametrize("raised", [NotMigrated("old"), Unavailable("5")])
def test_a_database_that_cannot_be_used_is_said_to_be(
    capsys: Capture, place: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], raised: Exception
) -> None:
    filled(place, 1)

    def fail(*_: Any, **__: Any) -> None:
        raise raised

    monkeypatch.setattr("companion.sheets.store.open_store", fail)
    monkeypatch.setattr("companion.sheets.backup.open_store", fail)
    status, _, err = run(capsys, *command)
    assert (status, str(raised) in err) == (2, True)


def test_migrate_is_harmless_where_nothing_is_to_do(capsys: Capture, place: Path) -> None:
    before = filled(place)
    assert run(capsys, "migrate")[:2] == (0, "The database is up to date.\n")
    assert contents(place) == before


@pytest.mark.postgres
def test_on_a_server(capsys: Capture, postgres_place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATABASE", postgres_place)
    monkeypatch.setenv("COMPANION_SECRET_KEY", KEY)
    assert run(capsys, "verify")[0] == 2
    assert run(capsys, "migrate")[0] == 0
    with closing(open_store(postgres_place, key=KEY)) as store:
        sheet = SheetService(store).open_sheet({"seats": NAMES}).id
    assert run(capsys, "verify")[:2] == (0, "1 sheet, no errors.\n")
    for command in ("backup", "restore"):
        status, _, err = run(capsys, command, str(tmp_path / "copy"))
        assert (status, "pg_dump" in err) == (2, True)
    assert run(capsys, "erase", "--yes", sheet)[0] == 0
    with closing(open_store(postgres_place)) as store, pytest.raises(NoSuchSheet):
        store.read(sheet)


def test_a_restored_sheet_still_opens_with_its_secrets(capsys: Capture, place: Path, tmp_path: Path) -> None:
    with closing(open_store(place)) as store:
        opened = SheetService(store).open_sheet({"seats": NAMES, "game": "spades"})
        first = SheetService(store).do(opened.id, DEAL, key="tap-1")
    run(capsys, "backup", str(tmp_path / "copy"))
    run(capsys, "restore", "--replace", str(tmp_path / "copy"))
    with closing(open_store(place)) as store:
        service = SheetService(store)
        assert service.check(opened.score_secret, "score", opened.id)
        assert service.do(opened.id, json.loads(json.dumps(DEAL)), key="tap-1").entries == first.entries
