"""Anchors: signatures with the server's key over what a store holds, so that who may write the database alone is seen.

A sheet's anchor covers the number and the hash of its last event, and its links and idempotency keys. The register
covers which sheets have an anchor. Signatures cover the links, keys and sheets by the sum of their codes: a row more or
less changes the sum, and no other row needs to be read for it. An anchor that does not fit is never written anew: the
trace of what was changed would be gone.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from companion.sheets.shapes import canonical

BUCKETS: Final = 16
"""Rows of the register: sheets that are made at once seldom wait for one another."""
_CODES: Final = 2**256
_KEY_DIGITS: Final = 16

Row = Sequence[str | int | None]
"""What is covered: the kind of a row, and its columns."""


class Head(NamedTuple):
    """The latest event of a sheet: its number and its hash, which stands for the whole history."""

    version: int
    hash: str

    @property
    def tag(self) -> str:
        """The ETag: no other history has it, whichever version it is at."""
        return f"{self.version}-{self.hash[:12]}"

    @staticmethod
    def version_in(tag: str) -> int | None:
        """Return the version in an ETag, or in a version alone; None for another text."""
        digits = tag.partition("-")[0]
        return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


class Anchor(NamedTuple):
    """The anchor of a sheet as it is stored: number of the last event, sum of the rows, id of the key, signature."""

    seq: int
    rows: str
    key: str
    mac: str


class Register(NamedTuple):
    """The part of the register for one bucket as it is stored: the anchored sheets, counted and summed."""

    size: int
    sheets: str
    key: str
    mac: str


NO_SHEETS: Final = Register(0, "", "", "")
"""A register in which no sheet was ever entered."""


class Anchors:
    """Make and check signatures with a key that is derived from the server's."""

    def __init__(self, key: str) -> None:
        self._key = hmac.digest(key.encode(), b"companion anchors", "sha256")
        self.key = self._sign("key")[:_KEY_DIGITS]

    def of_sheet(self, sheet: str, head: Head, rows: str) -> Anchor:
        """Return the anchor of a sheet with these rows."""
        return Anchor(head.version, rows, self.key, self._sign("sheet", sheet, *head, rows))

    def of_erased(self, sheet: str, at: str) -> Anchor:
        """Return the anchor of a sheet that was erased."""
        return Anchor(0, "", self.key, self._sign("erased", sheet, at))

    def of_bucket(self, bucket: int, size: int, sheets: str) -> Register:
        """Return a part of the register."""
        return Register(size, sheets, self.key, self._sign("register", bucket, size, sheets))

    def of_file(self, sheet: str, head: Head) -> str:
        """Return the signature of an exported sheet."""
        return self._sign("file", sheet, *head)

    def sum(self, rows: Iterable[Row], before: str = "", gone: Iterable[Row] = ()) -> str:
        """Return the sum of the codes of rows, those before included and those that are gone taken off."""
        found = int(before or "0", 16)
        found += sum(self._code(row) for row in rows) - sum(self._code(row) for row in gone)
        return f"{found % _CODES:064x}"

    def _code(self, row: Row) -> int:
        return int(self._sign("row", *row), 16)

    def _sign(self, *parts: str | int | None) -> str:
        return hmac.new(self._key, canonical(list(parts)).encode(), sha256).hexdigest()


def bucket_of(sheet: str) -> int:
    """Return the bucket of the register for a sheet."""
    return sha256(sheet.encode()).digest()[0] % BUCKETS
