"""The facts that the problems of Casino carry, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.shapes import NUMBER, NUMBERS, SIZE, TEXT, TEXTS, TOTAL, VALUE, FactTypes

PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "aces-total": TOTAL,
    "big-ten-total": TOTAL,
    "build-id": VALUE,
    "build-too-small": VALUE,
    "build-total": {**VALUE, "sets": {"type": "array", "items": TEXTS}},
    "card-elsewhere": {"card": TEXT},
    "card-value": {"card": TEXT, "values": NUMBERS},
    "cards-below-parts": {"side": TEXT, "least": NUMBER, "count": NUMBER},
    "cards-total": TOTAL,
    "duplicate-card": {"card": TEXT, "place?": TEXT, "sides?": TEXTS},
    "hand-count": {"seat": TEXT, **SIZE},
    "impossible-position": {"why": TEXT, "seat?": {"type": ["string", "null"]}, "value?": NUMBER},
    "last-capture-total": {"sides": TEXTS},
    "most-cards-missing": {"item": TEXT},
    "most-spades-missing": {"item": TEXT},
    "not-in-pack": {"card": TEXT},
    "not-on-table": {"card": TEXT},
    "one-base": {},
    "pile-twice": {"seat": TEXT},
    "players-count": SIZE,
    "sides-count": SIZE,
    "spades-total": TOTAL,
    "spy-two-total": TOTAL,
    "spy-two-without-spade": {"side": TEXT},
    "table-count": SIZE,
    "unknown-build": VALUE,
}

ACCEPTABLE: Final = (
    "cards-total", "spades-total", "aces-total", "big-ten-total", "spy-two-total", "spy-two-without-spade",
    "most-cards-missing", "most-spades-missing", "last-capture-total", "cards-below-parts",
)  # fmt: skip
"""What may be recorded anyway."""
