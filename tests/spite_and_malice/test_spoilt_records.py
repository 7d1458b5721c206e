"""Records written at random, and mostly wrong: each is answered or refused, and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine.cards import pack
from companion.engine.problems import Refused
from tests.spite_and_malice.asking import replayed

Json = dict[str, Any]
CARDS = [str(card) for card in pack()]
SEATS = ("N", "S")
SOURCES = ("hand", "payoff", "side", "opponent_payoff", "opponent_side")
KINDS = (
    *["play"] * 5, *["discard"] * 4, "refill", "end_turn", "recycle", "second_chance", "redeal", "redeal", "start",
    "start", "claim_win", "claim_stalemate",
)  # fmt: skip


def move(chance: Random) -> Json:
    """A move that can be read, of whoever it names, with what it turned up and the hands after a new deal."""

    def card() -> str:
        return chance.choice(CARDS)

    def tops() -> Json:
        return {seat: card() for seat in SEATS}

    kind = chance.choice(KINDS)
    found: Json = {"type": kind}
    if kind in ("play", "discard"):
        found |= {"from": chance.choice(SOURCES), "to": chance.choice(["new", 0]), "card": card()}
        if "side" in found["from"]:
            found["stack"] = 0
        if "payoff" in found["from"] and chance.random() < 0.7:
            found["turned"] = card()
        if chance.random() < 0.1:
            found["corrected"] = True
    elif kind == "refill":
        found["count"] = chance.randint(1, 5)
    elif kind == "recycle":
        found["what"] = chance.choice(["complete", "incomplete"])
    elif kind == "redeal":
        found |= {"first": chance.choice(SEATS), "hands": {seat: [card() for _ in range(5)] for seat in SEATS}}
    elif kind == "start":
        redo = {"redo": chance.choice(["reshuffle", "bury", "redraw"]), "payoff_tops": tops()}
        found |= {"first": chance.choice(SEATS)} if chance.random() < 0.5 else redo
    if kind != "start" and chance.random() < 0.3:
        found["seat"] = chance.choice(SEATS)
    return found


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("preset", ["blackwood", "hoyle", "pagat"])
def test_no_record_is_more_than_refused(preset: str, soak_round: int) -> None:
    answered = 0
    for number in range(300):
        chance = Random(f"{preset} {soak_round} {number}")
        turns = [
            {"seat": chance.choice(SEATS), "moves": [move(chance) for _ in range(chance.randint(0, 4))]}
            for _ in range(chance.randint(1, 6))
        ]
        request: Json = {"rules": {"preset": preset}, "seats": [*SEATS], "turns": turns}
        if chance.random() < 0.7:
            request["payoff_tops"] = {seat: chance.choice(CARDS) for seat in SEATS}
        try:
            replayed(request)
            answered += 1
        except Refused:
            pass
    assert answered


def test_a_discard_after_a_broken_order_of_turns_is_answered() -> None:
    moves = [
        {"type": "refill", "count": 5}, {"type": "start", "first": "N"}, {"type": "discard", "card": "AC", "to": "new"},
        {"type": "play", "from": "hand", "card": "AC", "to": 0, "seat": "S"},
    ]  # fmt: skip
    request = {"rules": {"preset": "pagat"}, "seats": [*SEATS], "turns": [{"seat": "S", "moves": moves}]}
    assert replayed(request)["verdicts"]
