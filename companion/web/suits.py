"""The four suits as drawings of our own, alike on every device and in a picture: paths in a field of 20 by 24."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SUIT_PATHS: Final[Mapping[str, str]] = {
    "s": "M10 1C26 14 18 23 11.5 18 11.5 21 13 23 14 24H6C7 23 8.5 21 8.5 18 2 23-6 14 10 1z",
    "h": "M10 23C-7 10 1-4 10 5c9-9 17 5 0 18z",
    "d": "M10 1 18 12 10 23 2 12z",
    "c": "M10 1a5 5 0 0 1 4 8 5 5 0 1 1-2.5 8.5C11.5 21 13 23 14 24H6c1-1 2.5-3 2.5-6.5A5 5 0 1 1 6 9a5 5 0 0 1 4-8z",
}
"""By the letter of the suit."""
