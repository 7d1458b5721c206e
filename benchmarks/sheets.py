"""What a score sheet costs: one event beside a plain insert, folding its log; and what a start costs."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import Measured, seconds_a_call
from companion.sheets.service import SheetService
from companion.sheets.store import open_store

NAMES = ["A", "B", "C", "D"]
FACTS = {"A+C": {"bid": 8, "tricks": 6}, "B+D": {"bid": 8, "tricks": 7}}
"""Neither side makes its contract, so that the game goes on."""


def sheets() -> Iterator[Measured]:
    """Appending, folding and starting."""
    with tempfile.TemporaryDirectory() as folder:
        service = SheetService(open_store(Path(folder) / "sheets.sqlite3"))
        sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
        plain = sqlite3.connect(Path(folder) / "plain.sqlite3", isolation_level=None)
        plain.execute("PRAGMA journal_mode=WAL")
        plain.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, data TEXT)")
        note, insert = seconds_a_call(
            lambda: service.do(sheet, {"type": "write_note", "note": "x"}),
            lambda: plain.execute("INSERT INTO events (data) VALUES ('{}')"),
            times=40,
        )
        yield Measured("one event appended: time against a plain insert of sqlite3", note / insert, 3, "<=")
        plain.close()
        service.store.close()
    yield Measured("sheet of 50 deals folded: milliseconds", _fold(_record, 50) * 1000, 1, "<=")
    yield Measured("sheet of 2,000 notes folded: milliseconds", _fold(_note, 2000) * 1000, 20, "<=")
    yield Measured("start to the first answer, CPU: seconds", _start(), 1.5, "<=")


def _record(service: SheetService, sheet: str) -> None:
    service.do(sheet, {"type": "record_deal", "facts": FACTS})


def _note(service: SheetService, sheet: str) -> None:
    service.do(sheet, {"type": "write_note", "note": "x"})


def _fold(write: Callable[[SheetService, str], None], times: int) -> float:
    """Seconds of CPU to read a sheet with so many events for the first time, by a service that has nothing cached."""
    store = open_store("memory:")
    service = SheetService(store)
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    for _ in range(times):
        write(service, sheet)
    return seconds_a_call(lambda: SheetService(store).read(sheet), times=3)[0]


def _start() -> float:
    """Seconds of CPU of a process that starts the application and answers one request."""
    program = "from companion.web import start; assert start().test_client().get('/healthz').status_code == 200"
    before = os.times()
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "COMPANION_DATABASE": "memory:"})
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
