"""Facts of the table that nobody tells: a verdict is what all their values have in common, and `missing` is enough."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.spades.rules import OPTIONS
from tests.spades.asking import Json, answer, ask
from tests.spades.dealer import play_deal

DEALS = 16
TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"first_trick": "lowest_club"},
    {"first_trick": "lowest_club_strict"},
    {"first_leader": "club_two", "club_two_must_lead": True},
    {"first_leader": "highest_bidder", "bid_method": "sum"},
    {"double_blind_nil": True, "first_trick": "lowest_club"},
    {"mode": "solo4", "minimum_bid": 3, "forbid_total_13": True},
    {"second_round": True, "minimum_bid": 4},
    {"second_round": True, "bid_method": "sum", "moon": True, "blind_bid": True, "blind_deficit": 0},
    {"mode": "solo3", "solo3_deck": "remove_2c", "first_leader": "club_two"},
)
"""Tables whose rules meet where a fact of the table is left out."""


def verdict(position: Json, move: Json, rules: Json) -> str | None:
    """The verdict; None where there is no such deal."""
    status, body = answer("check", {"rules": rules, "position": position, "move": move})
    assert status == 200 or {error["code"] for error in body["errors"]} == {"impossible-position"}, body
    return body["verdict"] if status == 200 else None


def told(position: Json, move: Json, rules: Json, fact: str, values: Any) -> set[str]:
    """The verdicts for every value of a fact that a deal can have."""
    found = {verdict({**position, fact: value}, move, rules) for value in values}
    return {value for value in found if value is not None}


def check_left_out(position: Json, move: Json, rules: Json, fact: str, values: Any) -> str:
    """The verdict without a fact, held against the verdicts for each of its values."""
    fewer = {key: value for key, value in position.items() if key != fact}
    body = ask("check", {"rules": rules, "position": fewer, "move": move})
    known = told(fewer, move, rules, fact, values)
    assert body["verdict"] == (known.pop() if len(known) == 1 else "undecided"), (fewer, move, rules, body)
    return str(body["verdict"])


def rules_of(options: dict[str, Any]) -> Json:
    return {"options": options}


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_the_dealer_left_out_of_the_bidding(options: dict[str, Any]) -> None:
    rng, rules, seen = Random(str(options)), rules_of(options), set()
    for _ in range(DEALS // 4):
        deal = play_deal(rng, rules)
        calls = deal.calls[: rng.randrange(len(deal.calls))]
        seats = [seat for seat in deal.table.seats if seat != "dummy"]
        words = [1, 3, 4, 9, 13, 14, "nil", "pass", "moon", "blind_6"]
        position = {"seats": list(deal.table.seats), "totals": deal.totals, "calls": calls}
        for seat in seats:
            move = {"type": "call", "seat": seat, "call": rng.choice(words), "looked": rng.random() < 0.3}
            seen.add(check_left_out(position, move, rules, "dealer", seats))
    assert len(seen) > 1


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_the_number_of_the_trick_left_out(options: dict[str, Any]) -> None:
    rng, rules, seen = Random(str(options)), rules_of(options), set()
    for _ in range(DEALS):
        deal = play_deal(rng, rules)
        size = len(deal.table.seats)
        number = rng.choice([0, 0, rng.randrange(len(deal.plays) // size)])
        place = rng.randrange(size)
        done, trick = deal.plays[: number * size], deal.plays[number * size : number * size + place]
        played = {one.card for one in (*done, *trick)}
        seat = deal.plays[number * size + place].seat
        hand = [str(card) for card in deal.hands[seat] if card not in played]
        position: Json = {
            "phase": "play", "seats": list(deal.table.seats), "dealer": deal.table.dealer,
            "leader": deal.plays[number * size].seat, "totals": deal.totals,
            "trick": [{"seat": one.seat, "card": str(one.card)} for one in trick],
        }  # fmt: skip
        if rng.random() < 0.7:
            position["calls"] = deal.calls
        if rng.random() < 0.5:
            position["hand"] = hand
        if rng.random() < 0.5:
            position["played"] = [str(one.card) for one in done]
        move = {"type": "play", "seat": seat, "card": rng.choice(hand)}
        seen.add(check_left_out(position, move, rules, "trick_number", range(1, deal.rules.tricks + 1)))
    assert len(seen) > 1


def test_a_double_blind_nil_that_nobody_denied_is_one_reading_of_two() -> None:
    rules = rules_of({"double_blind_nil": True})
    position = {
        "phase": "play", "seats": list("ABCD"), "dealer": "D", "trick": [{"seat": "A", "card": "KD"}],
        "trick_number": 12,
    }  # fmt: skip
    move = {"type": "play", "seat": "B", "card": "5C"}
    body = ask("check", {"rules": rules, "position": position, "move": move})
    assert {one["fact"] for one in body["missing"]} == {"calls", "hand"}
    for hand, value in ((["4D", "5C"], "illegal"), (["5C", "4D"], "undecided"), (["5C", "4H"], "legal")):
        assert verdict({**position, "hand": hand}, move, rules) == value
    assert OPTIONS.preset().options.double_blind_nil is False
