"""Finds the folders that lie beside the package in a checkout and inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """The folder `templates`, `rules_ja`, `rules_en` or `docs`: in the installed package first, in the checkout second.

    Raises FileNotFoundError where neither has it.
    """
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(name)
