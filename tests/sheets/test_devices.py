"""Devices in every kind of store: lists that are shared, moved and taken away; codes that work once."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from companion.engine.problems import Refused
from companion.sheets.device_service import ALPHABET, MINUTES, DeviceService, NoSuchCode, normalize_code
from companion.sheets.service import Opened, SheetService
from companion.sheets.store import NoSuchSheet, Store, Unavailable, hashed
from tests.sheets.conftest import NAMES
from tests.sheets.test_store import race


class Table:
    """A store with sheets and devices, and a clock that stands still until it is moved."""

    def __init__(self, store: Store) -> None:
        self.now = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
        self.store = store
        self.sheets = SheetService(store, clock=lambda: self.now)
        self.devices = DeviceService(store.devices, clock=lambda: self.now)

    def open(self, key: str) -> Opened:
        """A new sheet on the list of a device."""
        opened = self.sheets.open_sheet({"seats": NAMES, "game": "spades"})
        self.devices.keep(key, (opened.id, opened.score_link.id))
        return opened

    def list(self, key: str) -> list[str]:
        """The sheets of a device."""
        return self.devices.sheets(key, 100)


@pytest.fixture
def table(any_store: Store) -> Table:
    return Table(any_store)


def test_a_list_has_no_end_and_its_latest_comes_first(table: Table) -> None:
    opened = [table.open("one").id for _ in range(60)]
    assert table.list("one") == opened[::-1]
    assert table.devices.sheets("one", 50, skip=50) == opened[9::-1]
    assert table.devices.count("one") == 60
    assert table.list("two") == []
    table.devices.keep("one", (opened[5], table.devices.link("one", opened[5]).id))
    assert table.list("one")[0] == opened[5]
    assert table.devices.count("one") == 60


def test_only_the_device_may_keep_its_sheet_and_only_by_a_link_to_it(table: Table) -> None:
    mine, other = table.open("one"), table.open("two")
    watch = next(link for link in table.sheets.links(mine.id) if link.scope == "watch")
    assert table.devices.link("one", mine.id) == mine.score_link
    for link in (other.score_link.id, watch.id, "none"):
        table.devices.keep("odd", (mine.id, link))
        with pytest.raises(NoSuchSheet):
            table.devices.link("odd", mine.id)
    for sheet in (mine.id, "nothing", "\0", "\ud800"):
        with pytest.raises(NoSuchSheet):
            table.devices.link("two", sheet)


def test_a_revoked_link_and_an_erased_sheet_leave_the_list(table: Table) -> None:
    first, second, third = (table.open("one") for _ in range(3))
    table.sheets.revoke_link(first.id, first.score_link.id)
    table.sheets.erase(second.id)
    assert table.list("one") == [third.id]
    assert table.devices.count("one") == 1
    for sheet in (first.id, second.id):
        assert table.devices.kept("one", sheet) is not None
        with pytest.raises(NoSuchSheet):
            table.devices.link("one", sheet)
    table.devices.forget("one", third.id)
    assert table.list("one") == []


@pytest.mark.parametrize("leave", [False, True])
def test_a_list_moves_to_another_phone(table: Table, leave: bool) -> None:
    old, new = table.open("old").id, table.open("new").id
    code = table.devices.make_move("old", leave=leave)
    assert not table.devices.use("new", code)
    assert set(table.list("new")) == {old, new}
    assert set(table.list("old")) == (set() if leave else {old, new})
    with pytest.raises(NoSuchCode):
        table.devices.use("third", code)
    mine = table.devices.find("old")
    assert mine is not None
    assert (mine.signed_out is not None) == leave
    later = table.open("old").id
    assert (later in table.list("new")) != leave


def test_a_code_is_too_old_after_minutes_and_is_read_however_it_was_typed(table: Table) -> None:
    table.open("old")
    late = table.devices.make_move("old", leave=False)
    table.now += timedelta(minutes=MINUTES, seconds=1)
    with pytest.raises(NoSuchCode):
        table.devices.use("new", late)
    code = table.devices.make_recovery("old")
    table.now += timedelta(days=3000)
    typed = f" https://cards.example/en/devices/enter#{code} ".lower().replace("0", "o").replace("1", "l")
    assert table.devices.use("new", typed)
    assert len(table.list("new")) == 1


def test_codes_have_the_bits_that_they_need(table: Table) -> None:
    recovery, move = table.devices.make_recovery("one"), table.devices.make_move("one", leave=False)
    assert re.fullmatch(rf"([{ALPHABET}]{{4}}-){{5}}[{ALPHABET}]{{4}}", recovery)
    assert re.fullmatch(rf"([{ALPHABET}]{{4}}-){{2}}[{ALPHABET}]{{4}}", move)
    assert len(ALPHABET) == 32
    assert normalize_code(recovery.replace("-", " ")) == recovery.replace("-", "")


@pytest.mark.parametrize("alone", [False, True])
def test_a_lost_phone_is_replaced_by_the_recovery_code(table: Table, alone: bool) -> None:
    sheet = table.open("lost").id
    table.devices.use("tablet", table.devices.make_move("lost", leave=False))
    first, code = table.devices.make_recovery("lost"), table.devices.make_recovery("lost")
    with pytest.raises(NoSuchCode):
        table.devices.use("new", first)
    assert table.devices.use("new", code, alone=alone)
    assert table.list("new") == [sheet]
    assert not table.devices.has_recovery("new")
    for other in ("lost", "tablet"):
        assert table.list(other) == ([] if alone else [sheet])
        if alone:
            with pytest.raises(NoSuchSheet):
                table.devices.link(other, sheet)


def test_of_many_phones_with_one_code_one_has_the_list(table: Table) -> None:
    sheet = table.open("old").id
    code = table.devices.make_move("old", leave=False)

    def phone(number: int) -> str:
        try:
            table.devices.use(f"phone {number}", code)
        except NoSuchCode:
            return "told"
        return "has it" if table.list(f"phone {number}") == [sheet] else "has nothing"

    assert race(phone) == Counter({"told": 19, "has it": 1})


def test_many_sheets_opened_at_once_are_all_on_the_list(table: Table) -> None:
    opened: list[str] = []

    def tab(number: int) -> str:
        opened.append(table.open("one").id)
        return "opened"

    race(tab)
    assert sorted(table.list("one")) == sorted(opened)
    assert len(table.devices.with_same_list("one")) == 1


def test_devices_are_named_seen_by_day_and_signed_out(table: Table) -> None:
    sheet = table.open("one").id
    table.devices.use("two", table.devices.make_move("one", leave=False))
    one, two = table.devices.with_same_list("one")
    table.devices.rename("one", two.id, "  Oma’s\u202e tablet ")
    for name in ("x" * 41, "👩‍👩‍👧" * 41):
        with pytest.raises(Refused):
            table.devices.rename("one", two.id, name)
    table.now += timedelta(days=2)
    table.devices.kept("two", sheet)
    found = {device.id: device for device in table.devices.with_same_list("one")}
    assert found[two.id].name == "Oma’s tablet"
    assert (found[two.id].created, found[two.id].seen) == ("2026-11-20", "2026-11-22")
    table.open("stranger")
    for act in (
        lambda: table.devices.rename("stranger", one.id, "mine"),
        lambda: table.devices.sign_out("two!", one.id),
    ):
        with pytest.raises(LookupError):
            act()
    table.devices.sign_out("one", two.id)
    assert table.list("two") == []
    assert [device.id for device in table.devices.with_same_list("one")] == [one.id]


def test_a_name_is_as_long_as_people_count(table: Table) -> None:
    table.open("one")
    (one,) = table.devices.with_same_list("one")
    table.devices.rename("one", one.id, "👩‍👩‍👧" * 40)
    assert [device.name for device in table.devices.with_same_list("one")] == ["👩‍👩‍👧" * 40]


def test_noting_the_day_undoes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another request may name a device, or sign it out, after this one has read it."""
    table.open("one")
    table.devices.use("two", table.devices.make_move("one", leave=False))
    read = table.store.devices.find(hashed("two"))
    table.devices.rename("one", read.id, "tablet")
    table.devices.sign_out("one", read.id)
    table.now += timedelta(days=1)
    with monkeypatch.context() as patch:
        patch.setattr(table.store.devices, "find", lambda key: read)
        table.devices.find("two")
    after = table.devices.find("two")
    assert (after.name, after.signed_out, after.seen) == ("tablet", "2026-11-20", "2026-11-21")


@pytest.mark.parametrize("alone", [False, True])
def test_a_code_is_spent_by_nothing_but_its_use(database: Any, alone: bool) -> None:
    """Whatever statement a fault of the storage strikes, the code still works afterwards."""
    table = Table(database)
    sheet = table.open("lost").id
    table.devices.use("tablet", table.devices.make_move("lost", leave=False))
    code = table.devices.make_recovery("lost")
    table.open("new")
    left = 0

    def strike(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        nonlocal left
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            left -= 1
            if left < 0:
                raise sqlite3.OperationalError("database is locked")

    sa.event.listen(database.engine, "before_cursor_execute", strike)
    for number in range(20):
        left = number
        try:
            assert table.devices.use("new", code, alone=alone)
        except (sqlite3.OperationalError, Unavailable):
            continue
        break
    sa.event.remove(database.engine, "before_cursor_execute", strike)
    assert 4 < number < 19, "every statement was struck once"
    assert sheet in table.list("new")
    assert (table.list("tablet") == []) is alone
    with pytest.raises(NoSuchCode):
        table.devices.use("new", code)


def test_keys_of_one_browser_become_one_device(table: Table) -> None:
    first, second = table.open("a").id, table.open("b").id
    table.devices.use("tablet", table.devices.make_move("a", leave=False))
    one = table.devices.merge_duplicates(["never used", "b", "a"])
    assert one in ("a", "b")
    assert set(table.list(one)) == {first, second}
    assert table.devices.merge_duplicates(["b2", one]) == one
    assert table.devices.merge_duplicates(["new", "newer"]) == "new"
