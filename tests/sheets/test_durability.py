"""If the screen says saved, it survives: writers killed at random, torn logs, copies made while others write."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from companion.sheets.service import SheetService
from companion.sheets.store import open_store
from tests.sheets.conftest import NAMES
from tests.sheets.deals import record

ROUNDS = 50
"""Writers killed in one round of the soak; `make soak` has 25 such rounds."""
ROOT = Path(__file__).parents[2]


def notes(service: SheetService, sheet: str) -> list[str]:
    events: list[Any] = [entry.event for entry in service.events(sheet)[2:]]
    return [event.note for event in events]


def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path, soak_round: int, soaked: Any) -> None:
    place = tmp_path / "sheets.sqlite3"
    service = SheetService(open_store(place))
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    service.store.close()
    program = [sys.executable, "-m", "tests.sheets.killing", str(place), sheet, str(ROUNDS), str(soak_round)]
    heard = subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True, timeout=240).stdout
    acknowledged = heard.split()
    soaked(killed=ROUNDS, acknowledged=len(acknowledged))
    service = SheetService(open_store(place))
    kept = notes(service, sheet)
    assert [note for note in acknowledged if note not in set(kept)] == []
    assert len(kept) == len(set(kept))
    assert service.verify() == []
    service.store.close()
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_torn_log_opens_to_a_beginning_of_the_history(tmp_path: Path) -> None:
    place = tmp_path / "sheets.sqlite3"
    service = SheetService(open_store(place))
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    service.store.close()
    service = SheetService(open_store(place))
    for number in range(30):
        service.do(sheet, {"type": "write_note", "note": str(number)})
    whole = notes(service, sheet)
    wal = place.with_name(place.name + "-wal").read_bytes()
    database = place.read_bytes()
    service.store.close()
    dice, lengths = random.Random(7), set()
    for number in range(40):
        copy = tmp_path / f"torn{number}.sqlite3"
        copy.write_bytes(database)
        torn = bytearray(wal[: dice.randrange(len(wal))])
        if number % 2 and torn:
            torn[dice.randrange(len(torn))] ^= 0xFF
        copy.with_name(copy.name + "-wal").write_bytes(torn)
        opened = SheetService(open_store(copy))
        found = notes(opened, sheet)
        assert found == whole[: len(found)]
        assert opened.verify() == []
        opened.store.close()
        lengths.add(len(found))
    assert len(lengths) > 5


def test_a_copy_made_while_others_write_is_whole(tmp_path: Path) -> None:
    service = SheetService(open_store(tmp_path / "sheets.sqlite3"))
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    done = Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            service.do(sheet, {"type": "write_note", "note": str(number)})
            number += 1

    writer = Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            service.store.backup(tmp_path / f"copy{number}.sqlite3")
    finally:
        done.set()
        writer.join()
    for number in range(3):
        copy = SheetService(open_store(tmp_path / f"copy{number}.sqlite3"))
        found = notes(copy, sheet)
        assert found == [str(count) for count in range(len(found))]
        assert copy.verify() == []
        copy.store.close()
    with pytest.raises(FileExistsError):
        service.store.backup(tmp_path / "copy0.sqlite3")
    service.store.close()


def test_a_service_goes_on_after_its_database_was_restored(tmp_path: Path) -> None:
    place, copy = tmp_path / "sheets.sqlite3", tmp_path / "copy.sqlite3"
    service = SheetService(open_store(place))
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    service.store.backup(copy)
    service.do(sheet, record(5, 8, 4))
    service.store.close()
    for name in (place, place.with_name(place.name + "-wal"), place.with_name(place.name + "-shm")):
        name.unlink(missing_ok=True)
    shutil.copy(copy, place)
    assert service.read(sheet).version == 2
    assert service.do(sheet, record(6, 6, 4)).view.game.deals[0].facts["A+C"]["bid"] == 6
    service.store.close()


@pytest.mark.parametrize("change", ["body = replace(body, '8', '9')", "at = '2020-01-01T00:00:00.000Z'", "actor = 'x'"])
def test_tampering_shows(tmp_path: Path, change: str) -> None:
    place = tmp_path / "sheets.sqlite3"
    service = SheetService(open_store(place))
    good = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    bad = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    for sheet in (good, bad):
        service.do(sheet, record(5, 8, 4))
    assert service.verify() == []
    service.store.close()
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("DROP TRIGGER event_never_changes")
        connection.execute(f"UPDATE event SET {change} WHERE sheet = ? AND seq = 3", (bad,))
    service = SheetService(open_store(place))
    assert [(fault.sheet, fault.seq, fault.what) for fault in service.verify()] == [
        ("", 0, "trigger-missing event_never_changes"), (bad, 3, "hash-chain"),
    ]  # fmt: skip
    service.store.close()
