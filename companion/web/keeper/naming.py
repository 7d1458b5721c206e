"""Facts of breaches, problems and lines with seats and sides called by the names that people gave them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rulebook.messages import NAMES
from companion.sheets.state import Sheet, SheetGame

PEOPLE = NAMES - {"key", "reason"}
"""Facts that tell of a seat or a side."""


def names_of(sheet: Sheet, game: SheetGame) -> dict[str, str]:
    """The name of every seat, and of every side of a game, by their ids."""
    return sheet.names_in(game)


def by_name(facts: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """The facts with names in the place of ids; facts that tell of no person stay as they are."""
    return {key: _named(item, names) if key in PEOPLE else item for key, item in facts.items()}


def _named(item: object, names: Mapping[str, str]) -> object:
    if isinstance(item, str):
        return names.get(item, item)
    if isinstance(item, list | tuple):
        return [_named(each, names) for each in item]
    if isinstance(item, Mapping):
        return {names.get(key, key): value for key, value in item.items()}
    return item
