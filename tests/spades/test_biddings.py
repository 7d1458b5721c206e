"""Biddings of legal calls on tables where settings meet: they can be finished, and the score takes what was called."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine.problems import Node, Refused, read_whole
from companion.games.spades import SPADES
from companion.games.spades.bidding import Bids, settled_facts
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import Table, read_calls
from tests.spades.asking import Json, ask, codes

BIDDING: dict[str, tuple[Any, ...]] = {
    "mode": ("partners4", "partners4", "partners4", "solo4", "solo3"),
    "bid_method": ("later_partner", "sum", "consultation"),
    "second_round": (False, True),
    "minimum_bid": (0, 4, 13),
    "forbid_total_13": (False, True),
    "zero_bid": (True, False),
    "nil": (True, True, False),
    "double_nil": (True, False),
    "double_blind_nil": (False, True),
    "blind_bid": (False, True),
    "blind_deficit": (0, 100),
    "blind_bid_min": (6, 13),
    "moon": (False, True),
    "thirteen_is_moon": (False, True),
    "blind_moon": (False, True),
    "blind_moon_deficit": (0, 100),
}
TABLES = 120


def some_table(rng: Random) -> Json | None:
    """A random table; None where its options exclude each other."""
    options = {name: rng.choice(values) for name, values in BIDDING.items()}
    try:
        read_whole({"options": options}, OPTIONS.read)
    except Refused:
        return None
    return {"options": options}


def bid(rng: Random, rules: Json) -> tuple[Bids, dict[str, int]]:
    """A bidding whose calls are drawn from those that are legal."""
    options = read_whole(rules, OPTIONS.read).options
    seats = "ABC" if options.mode == "solo3" else "ABCD"
    table = Table(options, tuple(seats), rng.choice(seats))
    totals = {side: rng.choice((0, 0, 150)) for side in table.sides}
    calls: list[Json] = []
    while not (bids := Bids(table, read_calls(Node(calls), table))).over:
        position = {"seats": list(seats), "dealer": table.dealer, "totals": totals, "calls": calls}
        moves = ask("moves", {"rules": rules, "position": position, "looked": False})["moves"]
        assert moves, (rules, position)
        words = [move for move in moves if not isinstance(move["call"], int)]
        move = rng.choice(words if words and rng.random() < 0.5 else moves)
        calls.append({key: value for key, value in move.items() if key != "type"})
    return bids, totals


@pytest.mark.parametrize("seed", range(4))
def test_a_bidding_of_legal_calls_ends_and_is_scored(seed: int) -> None:
    rng, done = Random(f"biddings {seed}"), 0
    while done < TABLES // 4:
        rules = some_table(rng)
        if rules is None:
            continue
        done += 1
        bids, totals = bid(rng, rules)
        sides = [{"id": side, "players": list(bids.table.members(side))} for side in bids.table.sides]
        deal: Json = {side: {"bid": None, **settled_facts(bids, side)} for side in bids.table.sides}
        for place, facts in enumerate(deal.values()):
            nils = [{**nil, "tricks": 0} for nil in facts.pop("nils", [])]
            facts |= {"tricks": 0 if place else bids.table.rules.tricks, **({"nils": nils} if nils else {})}
        first = deal[bids.table.sides[0]]
        if first["bid"] is None:  # all players of the side are nil: one of them took the tricks
            first["nils"][0]["tricks"] = first["tricks"]
        opening = {side: {"total": total} for side, total in totals.items()}
        request = {"rules": rules, "sides": sides, "opening": opening, "deals": [deal]}
        assert codes(request) == set(), (rules, bids.calls, codes(request))
    assert SPADES.moves is not None


@pytest.mark.parametrize("options", [{}, {"moon": True, "minimum_bid": 4}, {"nil": False}, {"forbid_total_13": True}])
def test_sides_that_confer_are_told_every_legal_call(options: Json) -> None:
    """A side that has said its number may still name a nil until the next side begins."""
    rules = {"options": {"bid_method": "consultation", "double_nil_deficit": 0, **options}}
    every: list[Json] = [{"side": side, "call": call} for side in ("A+C", "B+D") for call in (*range(14), "moon")]
    every += [{"seat": seat, "call": call} for seat in "ABCD" for call in ("nil", "double_nil")]
    named: list[Json] = [{"side": "A+C", "call": 6}, {"seat": "C", "call": "nil"}, {"side": "B+D", "call": 5}]
    for calls in ([], named[:1], named[1:2], named[:2], named[:1] + named[2:], named):
        position = {"seats": list("ABCD"), "dealer": "D", "totals": {"A+C": 0, "B+D": 0}, "calls": calls}
        listed = ask("moves", {"rules": rules, "position": position, "looked": False})["moves"]
        if not options.get("nil", True) and any(call["call"] == "nil" for call in calls):
            continue
        legal = []
        for call in every:
            move = {"type": "call", **call, "looked": False}
            verdict = ask("check", {"rules": rules, "position": position, "move": move})["verdict"]
            legal += [move] if verdict == "legal" else []
        assert sorted(map(str, listed)) == sorted(map(str, legal)), calls


@pytest.mark.parametrize(("number", "legal"), [(12, False), (13, True)])
def test_beside_a_nil_the_partner_alone_reaches_the_minimum(number: int, legal: bool) -> None:
    """Three sides, two rounds: too many ways to go on to try them all, and C, who calls last, cannot raise a nil."""
    options = {"bid_method": "sum", "second_round": True, "minimum_bid": 13, "zero_bid": True}
    first = zip("EFABCD", ("nil", 0, 6, 2, "nil", 2), strict=True)
    calls = [{"seat": seat, "call": call} for seat, call in (*first, ("E", "pass"))]
    move = {"type": "call", "seat": "F", "call": number}
    position = {"seats": [*"ABCDEF"], "dealer": "E", "calls": calls}
    rules = {"preset": "partners6", "options": options}
    verdict = ask("check", {"rules": rules, "position": position, "move": move})
    assert [breach["code"] for breach in verdict["breaches"]] == ([] if legal else ["no-call-left"])
