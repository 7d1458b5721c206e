"""Finds the folders beside the package in a checkout and inside it in a wheel, and the languages that have texts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_PACKAGE = Path(__file__).resolve().parent
TEXTS: Final = "COMPANION_TEXTS"
"""The environment variable with further folders that hold `rules_<language>` folders, separated like `PATH`."""
SOURCE_LANGUAGE: Final = "ja"
"""The language that the others are translated from."""


def data_folder(name: str) -> Path:
    """Return the folder `templates`, `rules_<language>` or `docs`: in the package, in the checkout, or in `TEXTS`.

    Raises FileNotFoundError if none has it.
    """
    for folder in _places():
        if (folder / name).is_dir():
            return folder / name
    raise FileNotFoundError(name)


def find_languages() -> tuple[str, ...]:
    """Return every language that has a `rules_<language>` folder, the source language first, then by tag."""
    found = {path.name.removeprefix("rules_") for place in _places() for path in place.glob("rules_*") if path.is_dir()}
    return (SOURCE_LANGUAGE, *sorted(found - {SOURCE_LANGUAGE}))


def other_language(lang: str) -> str:
    """Return the language shown beside another: the source language, or the next one beside that."""
    return next(each for each in LANGUAGES if each != lang)


def _places() -> list[Path]:
    further = [Path(place) for place in os.environ.get(TEXTS, "").split(os.pathsep) if place]
    return [_PACKAGE / "_data", _PACKAGE.parent, *further]


LANGUAGES: Final = find_languages()
"""The languages of the site, the API and the command line."""
