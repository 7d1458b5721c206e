"""What is kept in memory is counted in bytes, and a sheet never outgrows what an import takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from companion.engine.problems import Refused
from companion.games import GAMES
from companion.sheets import event, service
from companion.sheets.service import SheetService
from companion.sheets.state import ByteCache
from companion.sheets.store import MAX_BYTES, MAX_EVENTS, MAX_FILE, from_file, open_store
from companion.web.keeper import deals
from companion.web.keeper.deals import log_of
from tests.sheets.conftest import NAMES
from tests.sheets.deals import record

REASON = "延" * 200


def corrected(number: int) -> dict[str, Any]:
    """A correction that differs from the one before."""
    return {**record(4, 4 + number % 5, 4), "type": "correct_deal", "deal": 1, "reason": f"{number}"}


def growth(act: Callable[[], object], *, times: int) -> int:
    """Return by how many bytes the memory grows while something is done again and again."""
    act()
    gc.collect()
    tracemalloc.start()
    try:
        act()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(times):
            act()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def test_reading_a_log_leaves_nothing_behind() -> None:
    sheets = SheetService(open_store("memory:"))
    sheet = sheets.open_sheet({"seats": NAMES, "game": "spades"}).id
    sheets.do(sheet, record(4, 6, 4))
    for number in range(150):
        sheets.do(sheet, corrected(number))

    def look() -> None:
        view = sheets.read(sheet)
        for before in (None, 100):
            deals._STEPS.clear()
            log_of(view, sheets, "en", before=before)

    assert growth(look, times=8) < 80_000


def test_a_sheet_is_full_before_an_import_would_refuse_it() -> None:
    sheets = SheetService(open_store("memory:"))
    sheet = sheets.open_sheet({"seats": NAMES, "game": "spades"}).id
    sheets.do(sheet, record(4, 6, 4))
    adjustments = [{"side": "A+C", "points": 1, "reason": REASON}] * 50

    def fill() -> None:
        for number in range(MAX_EVENTS):
            facts = {**record(4, 4 + number % 5, 4)["facts"], "adjustments": adjustments}
            sheets.do(sheet, {"type": "correct_deal", "deal": 1, "facts": facts, "reason": REASON})

    with pytest.raises(Refused) as refused:
        fill()
    (problem,) = refused.value.problems
    file = orjson.dumps(sheets.export_json(sheet))
    assert (problem.code, problem.facts) == ("sheet-full", {"most": sheets.head(sheet).version})
    assert MAX_BYTES - 100_000 < len(file) <= MAX_FILE
    assert len(from_file(orjson.loads(file), GAMES, None)) == sheets.head(sheet).version
    assert sheets.read(sheet).size <= MAX_BYTES


def test_the_size_of_a_view_is_that_of_its_log_however_it_came_to_be() -> None:
    store = open_store("memory:")
    writing, reading = SheetService(store), SheetService(store)
    sheet = writing.open_sheet({"seats": NAMES, "game": "spades"}).id
    for number in range(4):
        writing.do(sheet, record(4, 6, 4) if not number else corrected(number))
        assert reading.read(sheet).size == writing.read(sheet).size == SheetService(store).read(sheet).size


def test_a_cache_holds_so_many_bytes_and_drops_what_was_used_longest_ago() -> None:
    cache: ByteCache[str, int] = ByteCache(100)
    for number, name in enumerate("abcd"):
        cache.put(name, number, 30)
    assert [cache.get(name) for name in "acdb"] == [None, 2, 3, 1]
    cache.put("e", 4, 40)
    assert [cache.get(name) for name in "cdbe"] == [None, 3, 1, 4]
    assert cache.size == 100
    cache.put("b", 5, 60)
    assert (cache.get("b"), cache.get("e"), cache.size) == (5, 4, 100)
    cache.put("huge", 6, 101)
    assert (cache.get("huge"), cache.get("b")) == (None, 5)
    cache.forget("b")
    assert (cache.get("b"), cache.size) == (None, 40)
    cache.clear()
    assert (cache.get("e"), cache.size) == (None, 0)


def test_caches_count_the_bytes_of_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty sheets with long adjustments: some 12 MB."""
    monkeypatch.setattr(service, "CACHED_BYTES", 1_000_000)
    monkeypatch.setattr(event, "_LATEST", ByteCache(1_000_000))
    adjustments = [{"side": "A+C", "points": 1, "reason": REASON}] * 50

    sheets = SheetService(open_store("memory:"))
    for _ in range(30):
        sheet = sheets.open_sheet({"seats": NAMES, "game": "spades"}).id
        for _ in range(4):
            sheets.do(sheet, {"type": "record_deal", "facts": {**record(4, 6, 4)["facts"], "adjustments": adjustments}})
            assert sheets.read(sheet).ledger
        assert 0 < sheets._cache.size <= 1_000_000
        assert 0 < event._LATEST.size <= 1_000_000
