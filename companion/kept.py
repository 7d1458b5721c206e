"""Keeps what takes long to make from a file beside it, as Python keeps compiled modules: in `__pycache__`, by content.

What cannot be read or written there is made again: a missing folder or a read-only one only costs time. Files of
another version of Python are not read.
"""

from __future__ import annotations

import marshal
import os
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import Any


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file, empty if there is no such file. Raises TOMLDecodeError."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return {}
    key = source_hash(text)
    tables: dict[str, Any] | None = read_kept(path, key)
    if tables is None:
        import tomllib

        tables = tomllib.loads(text.decode())
        write_kept(path, key, tables)
    return tables


def read_kept(source: Path, key: bytes) -> Any:
    """Return the plain value that was kept for a file under a key; None if none is."""
    try:
        data = _place(source).read_bytes()
        version, known, value = marshal.loads(data)  # noqa: S302  trusted as the compiled modules are
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return value if (version, known) == (MAGIC_NUMBER, key) else None


def write_kept(source: Path, key: bytes, value: Any) -> None:
    """Keep a plain value for a file under a key, in place of any other; not where compiled modules are not kept."""
    if sys.dont_write_bytecode:
        return
    place = _place(source)
    unfinished = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(exist_ok=True)
        unfinished.write_bytes(marshal.dumps((MAGIC_NUMBER, key, value)))
        unfinished.replace(place)
    except (OSError, ValueError):  # a value that is not plain, such as a date
        unfinished.unlink(missing_ok=True)


def _place(source: Path) -> Path:
    """Return where what is made from a file is kept."""
    return Path(f"{cache_from_source(str(source))}.kept")
