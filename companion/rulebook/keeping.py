"""Keeps pages and the index of the search between starts, for programs that make each of them for one answer.

A server makes them once, and so do tests; the command line asks for it: `with keeping(): ...`.
"""

from __future__ import annotations

import io
import pickle
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from os import scandir
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from companion.data import LANGUAGES, data_folder
from companion.games import GAMES
from companion.kept import read_kept, write_kept

P = ParamSpec("P")
T = TypeVar("T")
_HERE: Final = Path(__file__).parent
_CODE: Final = ("engine", "games", "rulebook")
"""Packages that decide what is made of the texts."""
_asked: list[bytes] = []
"""The key of what is kept, while somebody asks for it."""


@contextmanager
def keeping() -> Iterator[None]:
    """Keep what decorated functions return, until a file of the texts or the program changes; not for other games."""
    _asked.append(_key() if GAMES.are_built_in() else b"")
    try:
        yield
    finally:
        _asked.pop()


def kept_between_starts(make: Callable[P, T]) -> Callable[P, T]:
    """Let what a function makes of the texts be kept; its arguments are words that can be part of a file's name."""

    @wraps(make)
    def kept(*args: P.args, **kwargs: P.kwargs) -> T:
        if not _asked or not _asked[-1]:
            return make(*args, **kwargs)
        place, key = _HERE / "-".join([make.__name__.strip("_"), *map(str, args), "py"]), _asked[-1]
        data = read_kept(place, key)
        if data is not None:
            found: T = pickle.loads(data)  # noqa: S301  trusted as the compiled modules beside it are
            return found
        made = make(*args, **kwargs)
        write_kept(place, key, _pickled(made))
        return made

    return kept


def _key() -> bytes:
    """Return a text that is another one after any change of the texts or of the program: times and sizes of files."""
    folders = [*(_HERE.parent / name for name in _CODE), *(data_folder(f"rules_{lang}") for lang in LANGUAGES)]
    return repr([sorted(_files(str(folder))) for folder in folders]).encode()


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    for entry in scandir(folder):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        else:
            about = entry.stat()
            yield entry.path, about.st_mtime_ns, about.st_size


class _Pickler(pickle.Pickler):
    """Writes arrays as their bytes and small objects as what they are made of, read in a fraction of the time."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, array):
            return array, (value.typecode, value.tobytes())
        if is_dataclass(value) and "__slots__" in vars(type(value)):
            return type(value), tuple(getattr(value, each.name) for each in fields(value))
        return NotImplemented


def _pickled(value: object) -> bytes:
    written = io.BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()
