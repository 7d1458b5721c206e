"""Write the anchors of sheets, each in the transaction that writes what it covers."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from companion.sheets.anchors import BUCKETS, NO_SHEETS, Anchor, Anchors, Head, Register, Row, bucket_of
from companion.sheets.store import NoSuchSheet
from companion.sheets.tables import anchor_table, event_table, key_table, link_table, register_table, sheet_table

_OF_SHEET: sa.BindParameter[str] = sa.bindparam("sheet")
SELECT_HEAD = (
    sa.select(event_table.c.seq, event_table.c.hash)
    .where(event_table.c.sheet == _OF_SHEET)
    .order_by(event_table.c.seq.desc())
    .limit(1)
)
_ANCHOR = [anchor_table.c[name] for name in Anchor._fields]
_REGISTER = [register_table.c[name] for name in Register._fields]
_SELECT_ANCHOR = sa.select(*_ANCHOR).where(anchor_table.c.sheet == _OF_SHEET)
_UPDATE_ANCHOR = sa.update(anchor_table).where(anchor_table.c.sheet == sa.bindparam("of"))
_SELECT_REGISTER = sa.select(*_REGISTER).where(register_table.c.bucket == sa.bindparam("bucket"))
_UPDATE_REGISTER = sa.update(register_table).where(register_table.c.bucket == sa.bindparam("of"))
_COVERED = {"link": link_table, "key": key_table}
"""The tables whose rows an anchor covers, by the word that a code has for them."""


def head_of(connection: Connection, sheet: str) -> Head:
    """Return the latest event of a sheet. Raises NoSuchSheet."""
    row = connection.execute(SELECT_HEAD, {"sheet": sheet}).first()
    if row is None:
        raise NoSuchSheet(sheet)
    return Head(*row)


def anchor_of(connection: Connection, sheet: str) -> Anchor | None:
    """Return the anchor of a sheet, None for one that was stored before there were anchors."""
    row = connection.execute(_SELECT_ANCHOR, {"sheet": sheet}).first()
    return Anchor(*row) if row else None


def register_of(connection: Connection, bucket: int, *, lock: bool = False) -> Register:
    """Return the part of the register for a bucket; one that was deleted is like none that this key has signed."""
    query = _SELECT_REGISTER.with_for_update() if lock else _SELECT_REGISTER
    row = connection.execute(query, {"bucket": bucket}).first()
    return Register(*row) if row else Register(0, "", "", "gone")


def rows_of(connection: Connection, sheet: str) -> list[Row]:
    """Return the rows beside a sheet's events that its anchor covers."""
    return [
        (word, *row)
        for word, table in _COVERED.items()
        for row in connection.execute(sa.select(*table.c).where(table.c.sheet == sheet))
    ]


def advance(
    connection: Connection,
    anchors: Anchors,
    sheet: str,
    before: Head,
    after: Head,
    *,
    added: Sequence[Row] = (),
    gone: Sequence[Row] = (),
) -> None:
    """Anchor what has just been written on a locked sheet; a sheet without an anchor gets its first one.

    An anchor that did not fit before is left as it is: `companion verify` names it.
    """
    anchor = anchor_of(connection, sheet)
    if anchor is None:
        begin(connection, anchors, sheet, after)
    elif anchor == anchors.of_sheet(sheet, before, anchor.rows):
        fresh = anchors.of_sheet(sheet, after, anchors.sum(added, anchor.rows, gone))
        connection.execute(_UPDATE_ANCHOR, {"of": sheet, **fresh._asdict()})


def begin(connection: Connection, anchors: Anchors, sheet: str, head: Head) -> None:
    """Give a sheet its first anchor, and enter it in the register."""
    _begin_with(connection, anchors, sheet, anchors.of_sheet(sheet, head, anchors.sum(rows_of(connection, sheet))))


def end(connection: Connection, anchors: Anchors, sheet: str, before: Head, at: str) -> None:
    """Anchor the tombstone of a sheet that is being erased."""
    anchor, erased = anchor_of(connection, sheet), anchors.of_erased(sheet, at)
    if anchor is None:
        _begin_with(connection, anchors, sheet, erased)
    elif anchor == anchors.of_sheet(sheet, before, anchor.rows):
        connection.execute(_UPDATE_ANCHOR, {"of": sheet, **erased._asdict()})


def renew(connection: Connection, anchors: Anchors, sheet: str) -> None:
    """Anchor a sheet of another key, or of none, as it is now."""
    kept = sa.select(sheet_table.c.erased).where(sheet_table.c.id == sheet).with_for_update()
    erased = connection.execute(kept).scalar_one()
    if erased is None:
        fresh = anchors.of_sheet(sheet, head_of(connection, sheet), anchors.sum(rows_of(connection, sheet)))
    else:
        fresh = anchors.of_erased(sheet, erased)
    before = anchor_of(connection, sheet)
    if before is None:
        _begin_with(connection, anchors, sheet, fresh)
    elif before.key != anchors.key:
        connection.execute(_UPDATE_ANCHOR, {"of": sheet, **fresh._asdict()})


def renew_register(connection: Connection, anchors: Anchors) -> None:
    """Write the parts of the register that another key has signed, from the sheets that have an anchor."""
    for bucket, sheets in anchored_sheets(connection).items():
        found = register_of(connection, bucket, lock=True)
        if found.key and found.key != anchors.key:
            total = anchors.sum(("sheet", sheet) for sheet in sheets)
            fresh = anchors.of_bucket(bucket, len(sheets), total)
            connection.execute(_UPDATE_REGISTER, {"of": bucket, **fresh._asdict()})


def anchored_sheets(connection: Connection) -> dict[int, list[str]]:
    """Return the ids of all sheets that have an anchor, by the bucket of the register."""
    found: dict[int, list[str]] = {bucket: [] for bucket in range(BUCKETS)}
    for sheet in connection.execute(sa.select(anchor_table.c.sheet)).scalars():
        found[bucket_of(sheet)].append(sheet)
    return found


def _begin_with(connection: Connection, anchors: Anchors, sheet: str, anchor: Anchor) -> None:
    """Insert an anchor and count the sheet in the register; a part of it that does not fit is left as it is."""
    connection.execute(sa.insert(anchor_table), {"sheet": sheet, **anchor._asdict()})
    bucket = bucket_of(sheet)
    found = register_of(connection, bucket, lock=True)
    if found in (NO_SHEETS, anchors.of_bucket(bucket, found.size, found.sheets)):
        fresh = anchors.of_bucket(bucket, found.size + 1, anchors.sum([("sheet", sheet)], found.sheets))
        connection.execute(_UPDATE_REGISTER, {"of": bucket, **fresh._asdict()})
