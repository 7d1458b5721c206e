"""Finds the texts beside the package in a checkout and inside it in a wheel; keeps what is made of them on the disk."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

_T = TypeVar("_T")
_PACKAGE = Path(__file__).resolve().parent
TEXTS: Final = "COMPANION_TEXTS"
"""The environment variable with further folders that hold `rules_<language>` folders, separated like `PATH`."""
SOURCE_LANGUAGE: Final = "ja"
"""The language that the others are translated from."""
FALLBACK_LANGUAGE: Final = "en"
"""The language of whatever a further translation lacks."""


def data_folder(name: str) -> Path:
    """Return the folder `templates`, `rules_<language>` or `docs`: in the package, in the checkout, or in `TEXTS`.

    Raises FileNotFoundError if none has it.
    """
    for folder in _places():
        if (folder / name).is_dir():
            return folder / name
    raise FileNotFoundError(name)


def _find_languages() -> tuple[str, ...]:
    """Return every language that has a `rules_<language>` folder, the source language first, then by tag."""
    found = {path.name.removeprefix("rules_") for place in _places() for path in place.glob("rules_*") if path.is_dir()}
    return (SOURCE_LANGUAGE, *sorted(found - {SOURCE_LANGUAGE}))


def other_language(lang: str) -> str:
    """Return the language shown beside another: the source language, or the next one beside that."""
    return next(each for each in LANGUAGES if each != lang)


def read_toml(path: Path, *, alone: bool = False) -> dict[str, Any]:
    """Return the tables of a TOML file, empty if there is no such file. Raises TOMLDecodeError.

    What a translation lacks is taken from the file that it is a translation of, unless the file `alone` is asked for.
    """
    own = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    original = None if alone else original_of(path)
    return own if original is None else merge(read_toml(original), own)


def original_of(path: Path) -> Path | None:
    """Return the file that stands in for what a translation lacks; None for a file of the languages kept here."""
    folder = next((each for each in path.parents if each.name.startswith("rules_")), None)
    if folder is None or folder.name.removeprefix("rules_") in (SOURCE_LANGUAGE, FALLBACK_LANGUAGE):
        return None
    return data_folder(f"rules_{FALLBACK_LANGUAGE}") / path.relative_to(folder)


def merge(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables with others merged in, which override them."""
    merged = dict(common)
    for key, value in own.items():
        merged[key] = merge(merged.get(key, {}), value) if isinstance(value, Mapping) else value
    return merged


def cached_on_disk(name: str, sources: Iterable[Path], make: Callable[[], _T]) -> _T:
    """Return what `make` makes of the contents of some files; it is kept in the user's cache folder until they change.

    A folder that cannot be read or written only costs time. A pickle can run code, so it is read only from a folder
    that belongs to this user and that nobody else may write: whoever can change it there can change this program, too.
    """
    import pickle  # these three not for who only scores
    from hashlib import sha256

    from platformdirs import user_cache_path

    about = sha256(sys.version.encode())
    for path in sources:
        about.update(f"\0{path}\0".encode() + path.read_bytes())
    place = user_cache_path("card-table-companion", appauthor=False) / f"{name}.pickle"
    if not _is_own(place.parent):
        return make()
    with suppress(OSError):
        kept = place.read_bytes()
        if kept[:32] == sha256(about.digest() + kept[32:]).digest():
            known: _T = pickle.loads(kept[32:])  # noqa: S301  see above
            return known
    made = make()
    data = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
    unfinished = place.with_suffix(f".{os.getpid()}")
    try:
        unfinished.write_bytes(sha256(about.digest() + data).digest() + data)
        unfinished.replace(place)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return made


def _is_own(folder: Path) -> bool:
    """Return whether only this user may write a folder, which is made if need be. Windows keeps others out of these."""
    try:
        if folder.is_absolute():  # a user without a home has none
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = folder.stat()
    except OSError:
        return False
    return os.name == "nt" or (seen.st_uid == os.geteuid() and not seen.st_mode & 0o022)


def _places() -> list[Path]:
    further = [Path(place) for place in os.environ.get(TEXTS, "").split(os.pathsep) if place]
    return [_PACKAGE / "_data", _PACKAGE.parent, *further]


LANGUAGES: Final = _find_languages()
"""The languages of the site, the API and the command line."""
