"""How the buttons of a question are laid out: numbers in full rows, calls in words below, apart from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.dialogue import Choice

KEYPAD: Final = (13, 14)
"""Counts of numbers that make a keypad: the first five are largest, and zero comes last, as on a telephone."""
_FEW, _WIDE, _WIDER, _WIDEST = 4, 5, 6, 7


@dataclass(frozen=True, slots=True)
class Key:
    """One button, and how many keys its row has; 0 where it is as wide as its words."""

    choice: Choice
    row: int = 0


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Buttons of one kind: `numbers`, `numbers keys` for a keypad, `cards`, or nothing in particular."""

    kind: str
    keys: tuple[Key, ...]


def key_groups(groups: Sequence[Sequence[Choice]]) -> list[KeyGroup]:
    """Return the buttons of a question as they are drawn, in the order in which the Tab key reaches them."""
    found = []
    for group in filter(None, map(list, groups)):
        if len(group) > _FEW and str(group[0].label).isdigit():
            if len(group) == max(KEYPAD):
                group.append(group.pop(0))
            kind = "numbers keys" if len(group) in KEYPAD else "numbers"
            sizes = [size for size in row_sizes(len(group)) for _ in range(size)]
            found.append(KeyGroup(kind, tuple(map(Key, group, sizes))))
        else:
            found.append(KeyGroup("cards" if group[0].pressed is not None else "", tuple(map(Key, group))))
    return found


def row_sizes(count: int) -> list[int]:
    """Return how many keys stand in each row, so that every row is full; of a long list the shorter rows come first."""
    widest = _WIDE if count <= _WIDE * 3 else _WIDER if count <= _WIDER * 3 else _WIDEST
    rows = -(-count // widest)
    size, longer = divmod(count, rows)
    sizes = [size + 1] * longer + [size] * (rows - longer)
    return sizes if widest == _WIDE else sizes[::-1]
