"""A whole game of Spite and Malice in facts, and which way to play suits whom."""

from __future__ import annotations

from typing import Final

from companion.engine.lessons import Json

SHEET: Final[Json] = {
    "rules": {"preset": "blackwood", "options": {"match": "target", "target": 50}},
    "sides": ["p1", "p2"],
    "deals": [
        {"winner": "p1", "remaining": {"p2": 9}},
        {"winner": "p2", "remaining": {"p1": 4}},
        {"winner": "p1", "remaining": {"p2": 12}},
        {"winner": "p2", "remaining": {"p1": 15}},
        {"winner": "p1", "remaining": {"p2": 15}},
    ],
}
WHY: Final = ((1, "p1"), (2, "p1"), (5, "p1"))
CHOICE: Final = {
    "time": {"short": {"massachusetts": 3}, "middle": {"pagat": 2}, "long": {"blackwood": 2}},
    "jokers": {"have": {"blackwood": 2}, "none": {"massachusetts": 2, "pagat": 2}},
    "discard": {"free": {"massachusetts": 2, "pagat": 2}, "strict": {"blackwood": 3}},
    "known": {"first": {"massachusetts": 2}, "again": {"blackwood": 1, "pagat": 1}},
}
