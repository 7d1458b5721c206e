"""A whole game of Spite and Malice in facts, and which way to play suits whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine.lessons import Why
from companion.engine.problems import JsonObject

_DEALS: Final[Sequence[tuple[str, str, int]]] = [
    ("p1", "p2", 9), ("p2", "p1", 4), ("p1", "p2", 13), ("p2", "p1", 12), ("p1", "p2", 13),
]  # fmt: skip
"""Who went out in each deal, who did not, and how many cards of that pay-off pile were left."""
TARGET: Final = {"blackwood": 50, "massachusetts": 30, "pagat": 30}
"""To how many points: without a bonus for going out it takes longer."""


def sheet(preset: str) -> JsonObject:
    """Return the score request of a whole game."""
    rules = {"preset": preset, "options": {"match": "target", "target": TARGET[preset]}}
    deals = [{"winner": winner, "remaining": {loser: left}} for winner, loser, left in _DEALS]
    return {"rules": rules, "sides": ["p1", "p2"], "deals": deals}


def why(preset: str) -> Sequence[Why]:
    """Return the places of that sheet which are explained."""
    return (Why(1, "p1", "win" if preset == "blackwood" else "win-plain"), Why(2, "p1", "nothing"), Why(5, "p1", "end"))


CHOICE: Final = {
    "time": {"short": {"massachusetts": 3}, "middle": {"pagat": 2}, "long": {"blackwood": 2}},
    "jokers": {"have": {"blackwood": 2}, "none": {"massachusetts": 2, "pagat": 2}},
    "discard": {"free": {"massachusetts": 2, "pagat": 2}, "strict": {"blackwood": 3}},
    "known": {"first": {"massachusetts": 2}, "again": {"blackwood": 1, "pagat": 1}},
}
