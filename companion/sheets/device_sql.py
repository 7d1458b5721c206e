"""Devices in a database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from companion.sheets.devices import Code, Device, Kept
from companion.sheets.store import GROUP_MARK, Link
from companion.sheets.tables import code_table, device_table, kept_table, link_table

_DEVICE = [device_table.c[field.name] for field in fields(Device)]
_LINK = [link_table.c[field.name] for field in fields(Link)]
_CODE = [code_table.c[field.name] for field in fields(Code)]
_SELECT_DEVICE = sa.select(*_DEVICE).where(device_table.c.key_hash == sa.bindparam("key_hash"))
_SELECT_KEPT = (
    sa.select(*_DEVICE, *_LINK)
    .select_from(device_table)
    .join(kept_table, kept_table.c.owner == device_table.c.owner)
    .outerjoin(link_table, link_table.c.id == kept_table.c.link)
    .where(device_table.c.key_hash == sa.bindparam("key_hash"), kept_table.c.sheet == sa.bindparam("sheet"))
)
_OPEN = kept_table.join(link_table, sa.and_(link_table.c.id == kept_table.c.link, link_table.c.revoked.is_(None)))

_IS_GROUP = kept_table.c.sheet.startswith(GROUP_MARK)


class SqlDevices:
    """Devices in the tables of a store, whose connections it uses; `first` reads what every page needs."""

    def __init__(self, first: Callable[..., Sequence[Any] | None], engine: Engine, writing: Engine) -> None:
        self._first = first
        self._engine = engine
        self._writing = writing

    def find(self, key_hash: str) -> Device | None:
        """Return the device with that key."""
        row = self._first(_SELECT_DEVICE, key_hash=key_hash)
        return Device(*row) if row else None

    def kept(self, key_hash: str, sheet: str) -> tuple[Device, Kept] | None:
        """Return a device and a sheet of its list; None if the sheet is not in it."""
        row = self._first(_SELECT_KEPT, key_hash=key_hash, sheet=sheet) if sheet.isprintable() else None
        if row is None:
            return None
        device, link = row[: len(_DEVICE)], row[len(_DEVICE) :]
        return Device(*device), Kept(sheet, Link(*link) if link[0] is not None else None)

    def add(self, device: Device, key_hash: str) -> None:
        """Insert a device, unless there is one with that key."""
        with suppress(IntegrityError), self._writing.begin() as connection:
            connection.execute(sa.insert(device_table), {**asdict(device), "key_hash": key_hash})

    def keep(self, owner: str, sheet: str, link: str) -> None:
        """Put a sheet at the head of a list, to be kept by this link from now on."""
        with suppress(IntegrityError), self._writing.begin() as connection:  # put there by another request
            mine = kept_table.c.owner == owner
            connection.execute(sa.delete(kept_table).where(mine, kept_table.c.sheet == sheet))
            _add(connection, owner, [(sheet, link)])

    def forget(self, owner: str, sheet: str) -> None:
        """Take a sheet off a list."""
        with self._writing.begin() as connection:
            mine = sa.and_(kept_table.c.owner == owner, kept_table.c.sheet == sheet)
            connection.execute(sa.delete(kept_table).where(mine))

    def sheets(self, owner: str, most: int, skip: int = 0) -> list[str]:
        """Return the sheets of a list whose links are not revoked, the latest first."""
        query = sa.select(kept_table.c.sheet).select_from(_OPEN).where(kept_table.c.owner == owner, sa.not_(_IS_GROUP))
        ordered = query.order_by(kept_table.c.place.desc(), kept_table.c.sheet).limit(most).offset(skip)
        with self._engine.connect() as connection:
            return list(connection.execute(ordered).scalars())

    def groups(self, owner: str) -> list[str]:
        """Return the groups of a list whose links are not revoked, the latest first."""
        query = sa.select(kept_table.c.sheet).select_from(_OPEN).where(kept_table.c.owner == owner, _IS_GROUP)
        with self._engine.connect() as connection:
            return list(connection.execute(query.order_by(kept_table.c.place.desc())).scalars())

    def count(self, owner: str) -> int:
        """Return the number of these sheets."""
        mine = sa.and_(kept_table.c.owner == owner, sa.not_(_IS_GROUP))
        query = sa.select(sa.func.count()).select_from(_OPEN).where(mine)
        with self._engine.connect() as connection:
            return connection.execute(query).scalar_one()

    def devices(self, owner: str) -> list[Device]:
        """Return the devices that have a list, oldest first."""
        query = sa.select(*_DEVICE).where(device_table.c.owner == owner)
        with self._engine.connect() as connection:
            return [Device(*row) for row in connection.execute(query.order_by(device_table.c.created))]

    def see(self, device: str, day: str) -> None:
        """Write the day on which a device was last seen."""
        with self._writing.begin() as connection:
            connection.execute(_change(device, seen=day))

    def rename(self, device: str, name: str) -> None:
        """Write the name of a device."""
        with self._writing.begin() as connection:
            connection.execute(_change(device, name=name))

    def sign_out(self, device: str, owner: str, fresh: str, day: str) -> bool:
        """Give a device of a list an empty one instead. Return whether there was such a device."""
        leaving = _change(device, owner=fresh, signed_out=day).where(device_table.c.owner == owner)
        with self._writing.begin() as connection:
            return connection.execute(leaving).rowcount > 0

    def unite(self, device: str, other: str) -> None:
        """Delete a device that was another name of this one; what stood on its list comes along."""
        with self._writing.begin() as connection:
            owner, before = _owner_of(connection, device), _owner_of(connection, other)
            connection.execute(sa.delete(device_table).where(device_table.c.id == other))
            if owner and before:
                _bring(connection, before, owner)

    def add_code(self, code_hash: str, code: Code) -> None:
        """Insert a code. One for recovery replaces that before it."""
        with self._writing.begin() as connection:
            if code.until is None:
                connection.execute(sa.delete(code_table).where(_recovery_of(code.owner)))
            connection.execute(sa.insert(code_table), {**asdict(code), "code_hash": code_hash})

    def redeem(self, code_hash: str, device: str, now: str, *, alone: bool, fresh: Callable[[], str]) -> Code | None:
        """Delete a code and return it; the device has its list from then on."""
        mine = code_table.c.code_hash == code_hash
        with self._writing.begin() as connection:
            row = connection.execute(sa.select(*_CODE).where(mine)).first()
            if row is None or not connection.execute(sa.delete(code_table).where(mine)).rowcount:
                return None  # another request used it in the meantime
            code = Code(*row)
            if code.is_over(now):
                return None
            before = _owner_of(connection, device)
            connection.execute(_change(device, owner=code.owner, signed_out=None))
            _bring(connection, before, code.owner)
            shared = sa.select(device_table.c.id).where(device_table.c.owner == code.owner)
            for other in connection.execute(shared).scalars().all():
                if other != device and (alone or other == code.leaving):
                    connection.execute(_change(other, owner=fresh(), signed_out=now[:10]))
        return code

    def has_recovery(self, owner: str) -> bool:
        """Return whether a list can be recovered by a code."""
        with self._engine.connect() as connection:
            return connection.execute(sa.select(code_table.c.owner).where(_recovery_of(owner))).first() is not None


def _change(device: str, **fresh: str | None) -> sa.Update:
    return sa.update(device_table).where(device_table.c.id == device).values(**fresh)


def _owner_of(connection: Connection, device: str) -> str:
    query = sa.select(device_table.c.owner).where(device_table.c.id == device).with_for_update()
    return connection.execute(query).scalar_one_or_none() or ""


def _bring(connection: Connection, before: str, owner: str) -> None:
    """Add what stood on a list to another one; a list that no device has any more is deleted."""
    if before == owner:
        return
    query = sa.select(kept_table.c.sheet, kept_table.c.link).where(kept_table.c.owner == before)
    there = set(connection.execute(sa.select(kept_table.c.sheet).where(kept_table.c.owner == owner)).scalars())
    rows = connection.execute(query.order_by(kept_table.c.place)).all()
    _add(connection, owner, [(row.sheet, row.link) for row in rows if row.sheet not in there])
    if connection.execute(sa.select(device_table.c.id).where(device_table.c.owner == before)).first() is None:
        for table in (kept_table, code_table):
            connection.execute(sa.delete(table).where(table.c.owner == before))


def _add(connection: Connection, owner: str, sheets: Sequence[tuple[str, str]]) -> None:
    latest = sa.select(sa.func.coalesce(sa.func.max(kept_table.c.place), 0)).where(kept_table.c.owner == owner)
    first = connection.execute(latest).scalar_one() + 1
    for place, (sheet, link) in enumerate(sheets, first):
        connection.execute(sa.insert(kept_table), {"owner": owner, "sheet": sheet, "link": link, "place": place})


def _recovery_of(owner: str) -> sa.ColumnElement[bool]:
    return sa.and_(code_table.c.owner == owner, code_table.c.until.is_(None))
