"""A whole game of Spades in facts for each way to play, and which way suits whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine.lessons import Why
from companion.engine.problems import JsonObject

_US, _THEM = "p1+p3", "p2+p4"


def _nil(player: str, tricks: int) -> JsonObject:
    return {"player": player, "call": "nil", "tricks": tricks}


def _alone(*deals: str) -> Sequence[JsonObject]:
    """Return deals of people who play alone, each written as what everybody bid and took: `4/7 n/0`.

    What is left of 17 tricks where two are written and a third one begins with `d` is the dummy's.
    """
    found = []
    for deal in deals:
        facts: dict[str, object] = {}
        for place, written in enumerate(deal.split(), start=1):
            bid, tricks = written.split("/")
            seat, took = f"p{place}", int(tricks)
            if bid == "dummy":
                facts["dummy_tricks"] = took
            elif bid == "nil":
                facts[seat] = {"bid": None, "tricks": took, "nils": [_nil(seat, took)]}
            else:
                facts[seat] = {"bid": int(bid), "tricks": took}
        found.append(facts)
    return found


_PAIRS: Final = {
    "rules": {},
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
_SHORT: Final = {
    "solo4": (
        200, ["2/5 3/3 4/4 3/1", "3/6 nil/0 4/4 3/3", "2/5 3/4 nil/1 3/3", "4/6 3/3 2/2 2/2", "4/4 3/3 4/4 2/2"],
        (Why(1, "p4", "set"), Why(3, "p3", "nil"), Why(4, "p1", "bags")),
    ),
    "solo3": (
        300, ["4/7 6/6 5/4", "5/8 nil/0 8/9", "5/8 6/7 nil/2", "6/8 5/5 4/4", "5/5 6/6 6/6"],
        (Why(1, "p3", "set"), Why(3, "p3", "nil"), Why(4, "p1", "bags")),
    ),
    "duo_draw": (
        250, ["4/7 7/6", "nil/0 9/13", "5/8 nil/5", "4/7 6/6", "5/6 7/7", "6/6 7/7"],
        (Why(1, "p2", "set"), Why(3, "p2", "nil"), Why(5, "p1", "bags")),
    ),
    "duo_dummy": (
        200, ["3/7 5/4 dummy/6", "3/7 nil/0 dummy/10", "nil/2 6/8 dummy/7", "5/7 5/5 dummy/5", "4/5 4/5 dummy/7"],
        (Why(1, "p2", "set"), Why(3, "p1", "nil"), Why(4, "p1", "bags")),
    ),
}  # fmt: skip
"""Shorter games for those who play alone: to how many points, the deals, what is explained."""


def sheet(preset: str) -> JsonObject:
    """Return the score request of a whole game."""
    if preset not in _SHORT:
        return {**_PAIRS, "rules": {"preset": preset}}
    target, deals, _ = _SHORT[preset]
    facts = _alone(*deals)
    sides = [side for side in facts[0] if side != "dummy_tricks"]
    return {"rules": {"preset": preset, "options": {"target": target}}, "sides": sides, "deals": facts}


def why(preset: str) -> Sequence[Why]:
    """Return the places of that sheet which are explained."""
    return _SHORT[preset][2] if preset in _SHORT else (Why(3, _US, "set"), Why(4, _THEM, "nil"), Why(5, _US, "bags"))


CHOICE: Final = {
    "people": {
        "four": {"classic": 9, "modern": 9, "solo4": 9}, "three": {"solo3": 20},
        "two": {"duo_draw": 20, "duo_dummy": 20},
    },
    "together": {"teams": {"classic": 2, "modern": 2}, "alone": {"solo4": 3}},
    "apps": {"yes": {"modern": 3}, "no": {"classic": 2, "duo_draw": 1}},
    "luck": {"choose": {"duo_draw": 2, "classic": 1}, "surprise": {"duo_dummy": 4, "solo4": 1}},
}  # fmt: skip
