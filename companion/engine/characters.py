"""Characters and values as texts of users: what cannot be shown, encoded or quoted at length; signs of numbers."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

_JOINERS: Final = "\u200c\u200d"
_TAGS: Final = range(0xE0020, 0xE0080)
_MAX_QUOTED: Final = 60


def is_control(sign: str) -> bool:
    """Return whether a character controls how others are shown; those that join parts of an emoji do not count."""
    if unicodedata.category(sign) == "Cf":
        return sign not in _JOINERS and ord(sign) not in _TAGS
    return unicodedata.category(sign) in ("Cc", "Zl", "Zp")


@cache
def control_pattern() -> str:
    """Return the members of a regular expression's character class that `is_control` is true of.

    Only those with at most four digits, which every dialect of JSON Schema's patterns can write.
    """
    controls = [place for place in range(0x10000) if is_control(chr(place))]
    starts = [place for place in controls if place - 1 not in controls]
    ends = [place for place in controls if place + 1 not in controls]
    return "".join(
        f"\\u{start:04x}" if start == end else f"\\u{start:04x}-\\u{end:04x}"
        for start, end in zip(starts, ends, strict=True)
    )


def is_encodable(text: str) -> bool:
    """Return whether a text has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(value: object) -> object:
    """Return a value as a problem quotes it: long texts cut, huge numbers left out."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        return "…"
    return value if not isinstance(value, str) or len(value) <= _MAX_QUOTED else value[:_MAX_QUOTED] + "…"


BYTE_ORDER_MARK: Final = "\ufeff"
"""Begins a table for spreadsheets, which else take names in other writing than Latin for something else."""


def is_wide(sign: str) -> bool:
    """Return whether a character takes two columns where text is set in columns."""
    return unicodedata.east_asian_width(sign) in "WF"


def columns(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(2 if is_wide(sign) else 1 for sign in text)


def number_text(value: float, form: str = "") -> str:
    """Return a number with a real minus sign, in the form of a format specification."""
    return format(value, form).replace("-", "−")


def signed_text(value: int) -> str:
    """Return points with their sign: `+50`, `−100`, `±0`."""
    return number_text(value, "+") if value else "±0"
