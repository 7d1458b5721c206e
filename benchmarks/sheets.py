"""What a score sheet costs: writing on it, reading it, watching it; and what a start costs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

import sqlalchemy as sa
from flask import Flask

from benchmarks.measure import Measured, best_in_turn, seconds_a_call, seconds_once
from benchmarks.over_http import request
from companion.sheets.event import Event
from companion.sheets.events import DealRecorded, Noted
from companion.sheets.service import Opened, SheetService
from companion.sheets.store import Answered, open_store, stamp, to_records
from companion.web import create_app
from companion.web.sheet_service import sheet_service

NAMES = ["A", "B", "C", "D"]
FACTS = {"A+C": {"bid": 8, "tricks": 6}, "B+D": {"bid": 8, "tricks": 7}}
"""Neither side makes its contract, so that the game goes on."""
OPENING = {"seats": NAMES, "game": "spades", "rules": {"options": {"loss_limit": None}}}
"""A game that no number of lost deals ends."""
STARTS = 5


def sheets() -> Iterator[Measured]:
    """Writing, folding, watching and starting."""
    with tempfile.TemporaryDirectory() as folder:
        yield Measured("one event appended: time against SQLAlchemy Core", _append(Path(folder)), 3, "<=")
    yield Measured("sheet of 50 deals folded: milliseconds", _fold(_deals(50)) * 1000, 1, "<=")
    yield Measured("sheet of 2,000 notes folded: milliseconds", _fold(_notes(2000)) * 1000, 20, "<=")
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"RATE_LIMIT": "off", "DATABASE": f"sqlite:///{folder}/sheets.sqlite3"})
        short, long = _append_deals(app)
        yield Measured("a deal appended over the API: time at 400 deals against 10", long / short, 1.5, "<=")
        yield Measured("a deal appended over the API at 400 deals: milliseconds", long * 1000, 5, "<=")
        yield Measured("a keeper's tap, POST and page: milliseconds", _tap(app) * 1000, 5, "<=")
        page, api = _unchanged(app)
        yield Measured("a watcher's page answered 304: milliseconds", page * 1000, 0.5, "<=")
        yield Measured("a poll of the API answered 304: milliseconds", api * 1000, 0.5, "<=")
    yield Measured("start to the first answer, CPU: seconds", _start(), 1.5, "<=")


def _deals(number: int) -> Iterable[Event]:
    return [DealRecorded(1, deal, FACTS) for deal in range(1, number + 1)]


def _notes(number: int) -> Iterable[Event]:
    return [Noted(1, 1, "x")] * number


def _sheet(service: SheetService, events: Iterable[Event] = ()) -> Opened:
    """Open a sheet, write the events on it without deciding on them, and read it once."""
    opened = service.open_sheet(OPENING)
    last = service.store.read(opened.id)[-1]
    records = to_records(tuple(events), last.hash, last.seq, stamp(datetime.now(UTC)), "")
    if records:
        service.store.append(opened.id, last.seq, records, None, Answered("", ""))
    assert service.read(opened.id).ledgers
    return opened


def _append(folder: Path) -> float:
    """Return the time of a written note as a multiple of two inserts by SQLAlchemy Core in one transaction."""
    service = SheetService(open_store(folder / "sheets.sqlite3"))
    sheet = _sheet(service).id
    engine = sa.create_engine(f"sqlite:///{folder}/plain.sqlite3")
    metadata = sa.MetaData()
    event = sa.Table(
        "event", metadata,
        sa.Column("sheet", sa.Text, primary_key=True), sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text),
    )  # fmt: skip
    snapshot = sa.Table("snapshot", metadata, sa.Column("sheet", sa.Text, primary_key=True), sa.Column("body", sa.Text))
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        metadata.create_all(connection)
        connection.execute(sa.insert(snapshot), {"sheet": sheet, "body": ""})
    numbers = count(1)

    def plain() -> None:
        with engine.begin() as connection:
            connection.execute(sa.insert(event), {"sheet": sheet, "seq": next(numbers), "body": '{"note":"x"}'})
            connection.execute(sa.update(snapshot).where(snapshot.c.sheet == sheet), {"body": '{"note":"x"}'})

    note, insert = seconds_a_call(lambda: service.do(sheet, {"type": "write_note", "note": "x"}), plain, times=20)
    engine.dispose()
    service.store.close()
    return note / insert


def _fold(events: Iterable[Event]) -> float:
    """Return the CPU seconds of reading a sheet with these events by a service that has nothing cached."""
    store = open_store("memory:")
    sheet = _sheet(SheetService(store), events).id
    return seconds_a_call(lambda: SheetService(store).read(sheet), times=1)[0]


def _append_deals(app: Flask) -> Sequence[float]:
    """Return the CPU seconds of a deal sent to sheets of 10 and of 400 deals that were read before."""
    with app.app_context():
        service = sheet_service()
        few, many = ([_sheet(service, _deals(deals)) for _ in range(21)] for deals in (10, 400))
    return best_in_turn(*[_recorder(app, sheets) for sheets in (few, many)])


def _recorder(app: Flask, sheets: Sequence[Opened]) -> Callable[[], float]:
    """Return a clock for one more deal on the next of these sheets."""
    next_sheet, body = iter(sheets), {"type": "record_deal", "facts": FACTS}

    def clock() -> float:
        sheet = next(next_sheet)
        headers = {"Authorization": f"Bearer {sheet.score_secret}", "If-Match": "*", "Idempotency-Key": "bench"}
        send = request(app, "POST", f"/api/v1/sheets/{sheet.id}/events", headers, body, status=201)
        return seconds_once(send, 1)

    return clock


def _tap(app: Flask) -> float:
    """Return the CPU seconds of a call tapped on a sheet of 10 deals, and of the page after it."""
    keeper = app.test_client()
    names = {f"name{place}": name for place, name in enumerate(NAMES)}
    token = _token(keeper.get("/en/sheets/new/spades").text)
    place = keeper.post("/en/sheets/new/spades", data={"csrf_token": token, **names}).location
    sheet = place.rpartition("/")[2]
    with app.app_context():
        service = sheet_service()
    for _ in range(10):
        service.do(sheet, {"type": "record_deal", "facts": FACTS})
    token, keys = _token(keeper.get(place).text), count()

    def tap(seat: str) -> None:
        call = {"csrf_token": token, "key": f"tap{next(keys)}", "who": f"seat:{seat}", "call": "3"}
        assert keeper.post(f"{place}/do/call", data=call).status_code == 303
        assert keeper.get(place).status_code == 200

    def clock() -> float:
        dealer = service.read(sheet).game.open.dealer
        after = NAMES.index(dealer) + 1
        taken = [seconds_once(partial(tap, seat), 1) for seat in (*NAMES[after:], *NAMES[:after])]
        service.do(sheet, {"type": "clear_calls"})
        return sum(taken) / len(taken)

    return best_in_turn(clock)[0]


def _token(html: str) -> str:
    return re.search(r'name="csrf_token" value="([^"]+)"', html)[1]


def _unchanged(app: Flask) -> Sequence[float]:
    """Return the CPU seconds of a watcher's page and of a read of the API that have not changed."""
    with app.app_context():
        sheet = _sheet(sheet_service(), _deals(10))
    watcher = app.test_client()
    page, api = f"/en/watch/{sheet.watch_secret}", f"/api/v1/sheets/{sheet.id}"
    secret = {"Authorization": f"Bearer {sheet.watch_secret}"}
    tags = [watcher.get(path, headers=secret).headers["ETag"] for path in (page, api)]
    return seconds_a_call(
        request(app, "GET", page, {"If-None-Match": tags[0]}, status=304),
        request(app, "GET", api, {**secret, "If-None-Match": tags[1]}, status=304),
        times=30,
    )


def _start() -> float:
    """Return the CPU seconds of a process from its beginning until it has answered one request; its end is not a start.

    The database is an SQLite file, as it is by default, which the first of several starts makes.
    """
    program = """
from time import process_time
from werkzeug.test import create_environ, run_wsgi_app
from companion.web import start
assert run_wsgi_app(start(), create_environ("/healthz"))[1].startswith("200")
print(process_time())
"""
    run = [sys.executable, "-c", program]
    with tempfile.TemporaryDirectory() as folder:
        settings = {**os.environ, "COMPANION_DATABASE": f"sqlite:///{folder}/sheets.sqlite3"}
        said = [subprocess.run(run, check=True, env=settings, capture_output=True) for _ in range(STARTS)]
    return min(float(one.stdout) for one in said)
