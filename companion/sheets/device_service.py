"""Track which devices keep which sheets, and move a list to another device."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from companion.engine import shapes
from companion.sheets.shapes import TitleField
from companion.sheets.store import SCORE, Code, Device, Devices, Kept, Link, NoSuchSheet, hashed, stamp

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's signs: without I, L, O and U, which are read as others."""
_MISREAD: Final = str.maketrans("OIL", "011")
GROUP: Final = 4
_RECOVERY_SIGNS: Final = 24
"""Signs of a recovery code: 120 bits, which nobody guesses even from its hash."""
_MOVE_SIGNS: Final = 12
"""Signs of a code for another phone: 60 bits for ten minutes."""
MINUTES: Final = 10


class NoSuchCode(LookupError):
    """A code that is unknown, used or too old."""


class DeviceService:
    """Look up, add and join devices. The clock is a parameter."""

    def __init__(self, devices: Devices, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.devices = devices
        self._clock = clock

    def find(self, key: str) -> Device | None:
        """Return the device with a key, None for one that has kept nothing yet."""
        found = self.devices.find(hashed(key))
        return self._see(found) if found else None

    def get_or_create(self, key: str) -> Device:
        """Return the device with a key; create it with an empty list if there is none."""
        if found := self.find(key):
            return found
        day = self._day()
        self.devices.add(Device(_new_id(), _new_id(), "", day, day), hashed(key))
        return self.devices.find(hashed(key)) or self.get_or_create(key)

    def kept(self, key: str, sheet: str) -> Kept | None:
        """Return a sheet of a device's list, its link revoked or not; None if it is not there."""
        found = self.devices.kept(hashed(key), sheet)
        if found is None:
            return None
        self._see(found[0])
        return found[1]

    def link(self, key: str, sheet: str) -> Link:
        """Return the link by which a device keeps a sheet. Raises NoSuchSheet."""
        kept = self.kept(key, sheet)
        if kept is None or kept.link is None or kept.link.sheet != sheet or not kept.link.allows(SCORE):
            raise NoSuchSheet(sheet)
        return kept.link

    def keep(self, key: str, *links: tuple[str, str]) -> None:
        """Put sheets on the list of a device, each with the id of its link, the latest last."""
        owner = self.get_or_create(key).owner
        for sheet, link in links:
            self.devices.keep(owner, sheet, link)

    def forget(self, key: str, sheet: str) -> None:
        """Take a sheet off the list of a device."""
        if found := self.find(key):
            self.devices.forget(found.owner, sheet)

    def sheets(self, key: str, most: int, skip: int = 0) -> list[str]:
        """Return the sheets on the list of a device whose links are not revoked, the latest first."""
        found = self.find(key)
        return self.devices.sheets(found.owner, most, skip) if found else []

    def groups(self, key: str) -> list[str]:
        """Return the groups on the list of a device whose links are not revoked, the latest first."""
        found = self.find(key)
        return self.devices.groups(found.owner) if found else []

    def count(self, key: str) -> int:
        """Return the number of these sheets."""
        found = self.find(key)
        return self.devices.count(found.owner) if found else 0

    def with_same_list(self, key: str) -> list[Device]:
        """Return the devices that share the list of this one, itself included, oldest first."""
        found = self.find(key)
        return self.devices.devices(found.owner) if found else []

    def merge_duplicates(self, keys: list[str]) -> str:
        """Merge the devices of several keys that one browser sent; return the key of the one that remains."""
        found = {key: device for key in keys if (device := self.find(key))}
        if not found:
            return keys[0]
        one = min(found, key=lambda key: (found[key].created, key))
        for key, device in found.items():
            if key != one:
                self.devices.unite(found[one].id, device.id)
        return one

    def rename(self, key: str, device: str, name: str) -> None:
        """Name a device of the same list. Raises LookupError if there is none, Refused for a name that is too long."""
        if device not in (each.id for each in self.with_same_list(key)):
            raise LookupError(device)
        self.devices.rename(device, shapes.read(TitleField(), name))

    def sign_out(self, key: str, device: str) -> None:
        """Take the list away from a device of the same list. Raises LookupError if there is none."""
        mine = self.find(key)
        if mine is None or not self.devices.sign_out(device, mine.owner, _new_id(), self._day()):
            raise LookupError(device)

    def has_recovery(self, key: str) -> bool:
        """Return whether the list of a device can be recovered by a code."""
        found = self.find(key)
        return found is not None and self.devices.has_recovery(found.owner)

    def make_recovery(self, key: str) -> str:
        """Return a new recovery code for the list of a device. The one before works no longer."""
        return self._make(_RECOVERY_SIGNS, Code(self.get_or_create(key).owner))

    def make_move(self, key: str, *, leave: bool) -> str:
        """Return a code that gives the list to one other device soon; with `leave`, this one is then signed out."""
        mine = self.get_or_create(key)
        until = stamp(self._clock() + timedelta(minutes=MINUTES))
        return self._make(_MOVE_SIGNS, Code(mine.owner, until, mine.id if leave else None))

    def use(self, key: str, code: str, *, alone: bool = False) -> bool:
        """Give the list behind a code to a device; with `alone`, all others are signed out.

        Return whether it was a recovery code, which is spent. Raises NoSuchCode.
        """
        mine, now = self.get_or_create(key), stamp(self._clock())
        found = self.devices.redeem(hashed(normalize_code(code)), mine.id, now, alone=alone, fresh=_new_id)
        if found is None:
            raise NoSuchCode
        return found.until is None

    def _make(self, signs: int, code: Code) -> str:
        made = "".join(secrets.choice(ALPHABET) for _ in range(signs))
        self.devices.add_code(hashed(made), code)
        return "-".join(made[place : place + GROUP] for place in range(0, signs, GROUP))

    def _see(self, device: Device) -> Device:
        day = self._day()
        if device.seen == day:
            return device
        self.devices.see(device.id, day)
        return replace(device, seen=day)

    def _day(self) -> str:
        return self._clock().date().isoformat()


def _new_id() -> str:
    return secrets.token_urlsafe(9)


def normalize_code(code: str) -> str:
    """Return a typed code in its canonical spelling."""
    return "".join(sign for sign in code.rpartition("#")[2].upper().translate(_MISREAD) if sign in ALPHABET)
