"""How the buttons of a question are laid out: numbers in full rows, calls in words below, apart from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.dialogue import Choice

KEYPAD: Final = {13: [5, 4, 4], 14: [6, 4, 4]}
"""Counts of numbers that make a keypad, and its rows: one to five are in the first and largest, after zero."""
_FEW, _WIDE, _WIDER, _WIDEST = 4, 5, 6, 7


@dataclass(frozen=True, slots=True)
class Key:
    """One button, and how many keys its row has; 0 where it is as wide as its words."""

    choice: Choice
    row: int = 0

    def classes(self, marks: Mapping[str, str]) -> str:
        """Return the classes of the button: its tone, its row, and the colour of the side that it is named after."""
        row = f"r{self.row}" if self.row else ""
        mark = marks.get(str(self.choice.label))
        return " ".join(filter(None, (self.choice.tone, row, mark and f"mark-{mark}")))


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Buttons of one kind: `numbers`, `numbers keys` for a keypad, `cards`, or nothing in particular."""

    kind: str
    keys: tuple[Key, ...]
    note: str
    """The note of the last choice that has one."""
    noted: str = ""
    """The words on that choice, for a note that may not name it; the note on a number does."""


def key_groups(groups: Sequence[Sequence[Choice]]) -> list[KeyGroup]:
    """Return the buttons of a question as they are drawn, in the order in which the Tab key reaches them."""
    found = []
    for group in filter(None, map(list, groups)):
        note, noted = next(((str(each.note), str(each.label)) for each in reversed(group) if each.note), ("", ""))
        if len(group) > _FEW and str(group[0].label).isdigit():
            kind = "numbers keys" if len(group) in KEYPAD else "numbers"
            rows = KEYPAD.get(len(group)) or row_sizes(len(group))
            sizes = [size for size in rows for _ in range(size)]
            found.append(KeyGroup(kind, tuple(map(Key, group, sizes)), note))
        else:
            kind = "cards" if group[0].pressed is not None else ""
            found.append(KeyGroup(kind, tuple(map(Key, group)), note, noted))
    return found


def row_sizes(count: int) -> list[int]:
    """Return how many keys stand in each row, so that every row is full; of a long list the shorter rows come first."""
    widest = _WIDE if count <= _WIDE * 3 else _WIDER if count <= _WIDER * 3 else _WIDEST
    rows = -(-count // widest)
    size, longer = divmod(count, rows)
    sizes = [size + 1] * longer + [size] * (rows - longer)
    return sizes if widest == _WIDE else sizes[::-1]
