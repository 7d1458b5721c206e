"""The server's key: it signs the forms of pages and the anchors of sheets."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.sheets.database import file_of

KEY_FILE: Final = "signing-key"
"""Name of the file beside an SQLite database."""


class NoKey(Exception):
    """A database on a server without a key: other processes and the next start would have another one."""


def kept_key(database: str) -> str:
    """Return the key kept beside an SQLite file, made once; for a store in memory, one for this process.

    Raises NoKey for a database on a server.
    """
    if database == "memory:":
        return secrets.token_urlsafe(32)
    file = _key_file(database)
    if file is None:
        raise NoKey
    if not file.exists():
        _make_key(file)
    return file.read_text("ascii").strip()


def found_key(database: str) -> str:
    """Return the key in COMPANION_SECRET_KEY, or else the one kept beside an SQLite file; empty without either."""
    given = os.environ.get("COMPANION_SECRET_KEY", "")
    file = _key_file(database)
    return given or (file.read_text("ascii").strip() if file and file.exists() else "")


def _key_file(database: str) -> Path | None:
    file = file_of(database)
    return file.resolve().parent / KEY_FILE if file else None


def _make_key(file: Path) -> None:
    """Write a key beside the place and link it there whole: of several processes that begin together, one is first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=KEY_FILE) as out:
        out.write(secrets.token_urlsafe(32))
        out.flush()
        with suppress(FileExistsError):
            os.link(out.name, file)
