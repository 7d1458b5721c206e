"""The facts that the problems of Spite and Malice carry, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.shapes import LIMITS, SIZE, TEXT, TEXTS, VALUE, FactTypes

PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "duplicate-card": {"card": TEXT},
    "first-or-redo": {},
    "hand-count": {"player": TEXT, **SIZE},
    "payoff-empty": {"card": TEXT},
    "players-count": SIZE,
    "remaining-players": {"expected": TEXTS, "given": TEXTS},
    "remaining-range": {"player?": TEXT, **VALUE, **LIMITS},
    "side-start-count": {"player": TEXT, **SIZE},
    "sides-count": SIZE,
}
