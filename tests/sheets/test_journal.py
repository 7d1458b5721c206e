"""A store that is filled again from its lines is the store that wrote them."""

from __future__ import annotations

import inspect
import json

import pytest

from companion.sheets.device_service import DeviceService
from companion.sheets.memory import JournalDevices, JournalStore, MemoryStore
from companion.sheets.service import SheetService
from companion.sheets.sql import SqlDevices, SqlStore
from companion.sheets.store import SCORE, MemoryDevices, NoSuchSheet

READS = {
    "head",
    "read",
    "answered",
    "links",
    "find_link",
    "link",
    "linked_head",
    "linked_heads",
    "sheets",
    "groups",
    "ready",
    "audit",
}
NOTHING_KEPT = {"renew_anchors", "backup", "close"}
READS_OF_DEVICES = {"find", "kept", "sheets", "groups", "count", "devices", "has_recovery"}
BETWEEN_DEVICES = {"sign_out", "add_code", "redeem"}
"""There is one device, whose list is no other's."""
OPENED = {"seats": ["Aki", "Beth", "Chika", "Dan"], "lang": "en", "game": "spades", "rules": {}}


def _methods(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


def test_every_method_that_writes_is_noted() -> None:
    """Red where the store learns to write something that a phone would forget."""
    methods = _methods(SqlStore) - {"migrate"}
    assert methods == _methods(MemoryStore)
    noted = {name for name in methods if name in vars(JournalStore)}
    assert noted == methods - READS - NOTHING_KEPT
    of_devices = _methods(SqlDevices)
    assert of_devices == _methods(MemoryDevices)
    noted = {name for name in of_devices if name in vars(JournalDevices)}
    assert noted == of_devices - READS_OF_DEVICES - BETWEEN_DEVICES


def test_a_store_from_its_lines_has_the_same_sheets_links_and_keys() -> None:
    store = JournalStore()
    service = SheetService(store)
    kept, erased = service.open_sheet(OPENED), service.open_sheet(OPENED)
    call = {"type": "title_sheet", "title": "Friday"}
    service.do(kept.id, call, base_version=None, key="once", link=kept.score_link)
    other = service.create_link(kept.id, SCORE, "other")
    service.revoke_link(kept.id, other.link.id)
    service.erase(erased.id)
    devices = DeviceService(store.devices)
    devices.keep("key", (kept.id, kept.score_link.id), (erased.id, erased.score_link.id))
    devices.rename("key", devices.get_or_create("key").id, "Mine")
    lines = store.take()
    assert store.take() == []
    again = JournalStore(line.text for line in lines)
    assert again.take() == []
    assert again.read(kept.id) == store.read(kept.id)
    assert DeviceService(again.devices).sheets("key", 9) == devices.sheets("key", 9) == [kept.id]
    assert again.devices.devices(devices.get_or_create("key").owner) == [devices.get_or_create("key")]
    assert again.links(kept.id) == store.links(kept.id)
    assert SheetService(again).do(kept.id, call, base_version=None, key="once", link=kept.score_link).replayed
    assert again.take() == [], "a command that is repeated writes nothing"
    with pytest.raises(NoSuchSheet):
        again.head(erased.id)


def test_a_store_is_filled_from_the_lines_of_earlier_versions() -> None:
    store = JournalStore()
    DeviceService(store.devices).get_or_create("key")
    (added,) = (line.text for line in store.take())
    device = json.loads(added)[1][0]
    again = JournalStore([added, json.dumps(["update", [device], {}])])
    assert DeviceService(again.devices).find("key") == DeviceService(store.devices).find("key")


def test_what_is_refused_is_not_noted() -> None:
    store = JournalStore()
    with pytest.raises(NoSuchSheet):
        store.erase("unknown", "now")
    assert store.take() == []
    assert isinstance(store, MemoryStore)
