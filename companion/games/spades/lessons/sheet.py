"""A whole game of Spades in facts, and which way to play suits whom."""

from __future__ import annotations

from typing import Final

from companion.engine.lessons import Json

_US, _THEM = "p1+p3", "p2+p4"


def _nil(player: str, tricks: int) -> Json:
    return {"player": player, "call": "nil", "tricks": tricks}


SHEET: Final[Json] = {
    "rules": {"preset": "classic"},
    "sides": [{"id": _US, "players": ["p1", "p3"]}, {"id": _THEM, "players": ["p2", "p4"]}],
    "deals": [
        {_US: {"bid": 6, "tricks": 7}, _THEM: {"bid": 5, "tricks": 6}},
        {_US: {"bid": 4, "tricks": 7, "nils": [_nil("p1", 0)]}, _THEM: {"bid": 6, "tricks": 6}},
        {_US: {"bid": 7, "tricks": 5}, _THEM: {"bid": 4, "tricks": 8}},
        {_US: {"bid": 6, "tricks": 8}, _THEM: {"bid": 4, "tricks": 5, "nils": [_nil("p4", 1)]}},
        {_US: {"bid": 5, "tricks": 9}, _THEM: {"bid": 4, "tricks": 4}},
        {_US: {"bid": 9, "tricks": 9}, _THEM: {"bid": 3, "tricks": 4}},
        {_US: {"bid": 8, "tricks": 9}, _THEM: {"bid": 4, "tricks": 4}},
        {_US: {"bid": 6, "tricks": 8}, _THEM: {"bid": 5, "tricks": 5}},
        {_US: {"bid": 8, "tricks": 8}, _THEM: {"bid": 4, "tricks": 5}},
        {_US: {"bid": 5, "tricks": 6}, _THEM: {"bid": 6, "tricks": 7}},
    ],
}
WHY: Final = ((3, _US), (4, _THEM), (5, _US))
CHOICE: Final = {
    "people": {
        "four": {"classic": 9, "modern": 9, "solo4": 9}, "three": {"solo3": 20},
        "two": {"duo_draw": 20, "duo_dummy": 20},
    },
    "together": {"teams": {"classic": 2, "modern": 2}, "alone": {"solo4": 3}},
    "apps": {"yes": {"modern": 3}, "no": {"classic": 2, "duo_draw": 1}},
    "luck": {"choose": {"duo_draw": 2, "classic": 1}, "surprise": {"duo_dummy": 4, "solo4": 1}},
}  # fmt: skip
