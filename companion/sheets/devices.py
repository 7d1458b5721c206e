"""Devices and the lists of sheets that they may keep: what a store keeps of them, and the store in memory.

A device is known by the hash of its key. Devices of one person share a list, which has a number and nothing else: no
account, no name, no address.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from companion.sheets.store import Link, is_group


@dataclass(frozen=True, slots=True)
class Device:
    """A device, the list that it has, and the days on which it was first and last seen."""

    id: str
    owner: str
    name: str
    created: str
    seen: str
    signed_out: str | None = None
    """The day on which another device took the list away; what it opened since is a list of its own."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A sheet of a list, and the link by which it was opened; None once the sheet was erased."""

    sheet: str
    link: Link | None


@dataclass(frozen=True, slots=True)
class Code:
    """A code that gives a list to another device once: until a time, or for recovery without an end."""

    owner: str
    until: str | None = None
    leaving: str | None = None
    """The device that is signed out when the code is used."""

    def is_over(self, now: str) -> bool:
        """Return whether the code is too old."""
        return self.until is not None and self.until <= now


class Devices(Protocol):
    """What a store keeps of devices. Every method is one transaction."""

    def find(self, key_hash: str) -> Device | None:
        """Return the device with that key."""

    def kept(self, key_hash: str, sheet: str) -> tuple[Device, Kept] | None:
        """Return a device and a sheet of its list; None if the sheet is not in it."""

    def add(self, device: Device, key_hash: str) -> None:
        """Insert a device, unless there is one with that key."""

    def keep(self, owner: str, sheet: str, link: str) -> None:
        """Put a sheet at the head of a list, to be kept by this link from now on."""

    def forget(self, owner: str, sheet: str) -> None:
        """Take a sheet off a list."""

    def sheets(self, owner: str, most: int, skip: int = 0) -> list[str]:
        """Return the sheets of a list whose links are not revoked, the latest first."""

    def groups(self, owner: str) -> list[str]:
        """Return the groups of a list whose links are not revoked, the latest first."""

    def count(self, owner: str) -> int:
        """Return the number of these sheets."""

    def devices(self, owner: str) -> list[Device]:
        """Return the devices that have a list, oldest first."""

    def see(self, device: str, day: str) -> None:
        """Write the day on which a device was last seen."""

    def rename(self, device: str, name: str) -> None:
        """Write the name of a device."""

    def sign_out(self, device: str, owner: str, fresh: str, day: str) -> bool:
        """Give a device of a list an empty one instead. Return whether there was such a device."""

    def unite(self, device: str, other: str) -> None:
        """Delete a device that was another name of this one; what stood on its list comes along."""

    def add_code(self, code_hash: str, code: Code) -> None:
        """Insert a code. One for recovery replaces that before it."""

    def redeem(self, code_hash: str, device: str, now: str, *, alone: bool, fresh: Callable[[], str]) -> Code | None:
        """Delete a code and return it; None for one that is unknown, used or too old.

        The device has the list of the code from then on, with what stood on its own. The device that leaves, or with
        `alone` every other, is signed out; `fresh` names the list that it has instead.
        """

    def has_recovery(self, owner: str) -> bool:
        """Return whether a list can be recovered by a code."""


class MemoryDevices:
    """Devices in dictionaries, guarded by one lock."""

    def __init__(self, links: Callable[[], dict[str, Link]]) -> None:
        self._links = links
        self._lock = Lock()
        self._devices: dict[str, tuple[str, Device]] = {}
        self._lists: dict[str, dict[str, str]] = {}
        self._codes: dict[str, Code] = {}

    def find(self, key_hash: str) -> Device | None:
        """Return the device with that key."""
        return next((device for known, device in list(self._devices.values()) if known == key_hash), None)

    def kept(self, key_hash: str, sheet: str) -> tuple[Device, Kept] | None:
        """Return a device and a sheet of its list."""
        device = self.find(key_hash)
        link = self._lists.get(device.owner, {}).get(sheet) if device else None
        return (device, Kept(sheet, self._link(link))) if device and link is not None else None

    def add(self, device: Device, key_hash: str) -> None:
        """Insert a device."""
        with self._lock:
            if self.find(key_hash) is None:
                self._devices[device.id] = (key_hash, device)

    def keep(self, owner: str, sheet: str, link: str) -> None:
        """Put a sheet at the head of a list."""
        with self._lock:
            mine = self._lists.setdefault(owner, {})
            mine.pop(sheet, None)
            mine[sheet] = link

    def forget(self, owner: str, sheet: str) -> None:
        """Take a sheet off a list."""
        with self._lock:
            self._lists.get(owner, {}).pop(sheet, None)

    def sheets(self, owner: str, most: int, skip: int = 0) -> list[str]:
        """Return the sheets of a list."""
        return [log for log in self._open(owner) if not is_group(log)][skip : skip + most]

    def groups(self, owner: str) -> list[str]:
        """Return the groups of a list."""
        return [log for log in self._open(owner) if is_group(log)]

    def count(self, owner: str) -> int:
        """Return the number of sheets."""
        return sum(not is_group(log) for log in self._open(owner))

    def devices(self, owner: str) -> list[Device]:
        """Return the devices that have a list."""
        return [device for _, device in list(self._devices.values()) if device.owner == owner]

    def see(self, device: str, day: str) -> None:
        """Write the day."""
        with self._lock:
            self._change(device, seen=day)

    def rename(self, device: str, name: str) -> None:
        """Write the name."""
        with self._lock:
            self._change(device, name=name)

    def sign_out(self, device: str, owner: str, fresh: str, day: str) -> bool:
        """Give a device an empty list instead."""
        with self._lock:
            _, found = self._devices.get(device, ("", None))
            if found is None or found.owner != owner:
                return False
            self._change(device, owner=fresh, signed_out=day)
            return True

    def unite(self, device: str, other: str) -> None:
        """Delete a device that was another name of this one."""
        with self._lock:
            _, gone = self._devices.pop(other)
            self._bring(gone.owner, self._devices[device][1].owner)

    def add_code(self, code_hash: str, code: Code) -> None:
        """Insert a code."""
        with self._lock:
            if code.until is None:
                self._drop_recovery(code.owner)
            self._codes[code_hash] = code

    def redeem(self, code_hash: str, device: str, now: str, *, alone: bool, fresh: Callable[[], str]) -> Code | None:
        """Delete a code and return it; the device has its list from then on."""
        with self._lock:
            code = self._codes.pop(code_hash, None)
            if code is None or code.is_over(now):
                return None
            before = self._devices[device][1].owner
            self._change(device, owner=code.owner, signed_out=None)
            self._bring(before, code.owner)
            for other in self.devices(code.owner):
                if other.id != device and (alone or other.id == code.leaving):
                    self._change(other.id, owner=fresh(), signed_out=now[:10])
            return code

    def has_recovery(self, owner: str) -> bool:
        """Return whether a list can be recovered by a code."""
        return any(code.owner == owner and code.until is None for code in list(self._codes.values()))

    def _change(self, device: str, **fresh: str | None) -> None:
        if device in self._devices:
            key_hash, found = self._devices[device]
            self._devices[device] = (key_hash, replace(found, **fresh))  # type: ignore[arg-type]

    def _open(self, owner: str) -> list[str]:
        mine = reversed(list(self._lists.get(owner, {}).items()))
        return [sheet for sheet, link in mine if (found := self._link(link)) and found.revoked is None]

    def _link(self, link: str) -> Link | None:
        return next((found for found in list(self._links().values()) if found.id == link), None)

    def _bring(self, before: str, owner: str) -> None:
        if before == owner:
            return
        mine = self._lists.setdefault(owner, {})
        for sheet, link in self._lists.get(before, {}).items():
            mine.setdefault(sheet, link)
        if not self.devices(before):
            self._lists.pop(before, None)
            self._codes = {known: code for known, code in self._codes.items() if code.owner != before}

    def _drop_recovery(self, owner: str) -> None:
        kept = {known: code for known, code in self._codes.items() if code.owner != owner or code.until is not None}
        self._codes = kept
