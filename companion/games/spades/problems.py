"""The facts that the problems of Spades carry, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.shapes import LIMITS, NUMBER, SIZE, TEXT, TEXTS, TOTAL, VALUE, FactTypes

SIDE: Final[FactTypes] = {"side": TEXT}
BID: Final[FactTypes] = {"bid": {"type": ["integer", "string"]}}
"""A text is the beginning of a number with more digits than anybody reads."""
TRICKS: Final[FactTypes] = {"tricks": {"type": ["integer", "string"]}}

PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "below-minimum": {**SIDE, "bid?": BID["bid"], "minimum": NUMBER},
    "bid-range": {**SIDE, **BID, **LIMITS},
    "bid-replaced": {**SIDE, **TRICKS},
    "bid-with-nil": {**SIDE, **BID},
    "blind-too-low": {**SIDE, **BID, "minimum": NUMBER},
    "call": VALUE,
    "call-not-played": {"call": TEXT},
    "card-not-in-pack": {"card": TEXT},
    "contract-unmakeable": {**SIDE, **BID, **TRICKS},
    "duplicate-card": {"card": TEXT},
    "hand-count": {"seat": TEXT, **SIZE},
    "impossible-position": {
        "why": TEXT,
        "leader?": TEXT,
        "expected?": TEXT,
        "side?": TEXT,
        "bags?": NUMBER,
    },
    "last-trick-sides": {**SIDE, "other": TEXT},
    "last-tricks-count": SIDE,
    "missing-bid": SIDE,
    "nil-in-blind-side": {**SIDE, "call": TEXT},
    "nil-twice": {**SIDE, "player": TEXT},
    "nils-count": {**SIDE, "high": NUMBER},
    "no-bidding": SIDE,
    "no-dummy": {"seats": TEXTS},
    "not-far-enough-behind": {**SIDE, "behind": NUMBER, "needed": NUMBER},
    "players-count": SIZE,
    "seat-of-other-side": {"seat": TEXT, **SIDE},
    "sides-count": SIZE,
    "total-forbidden": {"total": NUMBER},
    "trick-full": {"count": NUMBER},
    "tricks-range": {**SIDE, **LIMITS},
    "tricks-total": TOTAL,
    "unknown-player": VALUE,
}

ACCEPTABLE: Final = (
    "tricks-range", "tricks-total", "bid-range", "below-minimum", "not-far-enough-behind", "nil-in-blind-side",
    "call-not-played", "total-forbidden", "blind-too-low",
)  # fmt: skip
"""What may be recorded anyway."""
