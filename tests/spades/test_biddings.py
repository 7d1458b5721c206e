"""Biddings of legal calls on tables where settings meet: they can be finished, and the score takes what was called."""

from __future__ import annotations

from itertools import product
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


@pytest.mark.parametrize("options", [{}, {"zero_bid": True}, {"second_round": True}], ids=str)
def test_beside_a_blind_bid_below_the_minimum_the_partner_who_passes_is_innocent(options: dict[str, Any]) -> None:
    """The fault was the blind call; nothing that the partner may say mends it (SPADES-155, 170)."""
    rules = {"options": {"minimum_bid": 7, "blind_bid": True, "blind_deficit": 0, **options}}
    first = zip("ABC", (7, "blind_6", 7), strict=True)
    position = {"seats": [*"ABCD"], "dealer": "D", "calls": [{"seat": seat, "call": call} for seat, call in first]}
    move = {"type": "call", "seat": "D", "call": "pass"}
    verdict = ask("check", {"rules": rules, "position": position, "move": move})
    assert (verdict["verdict"], verdict["breaches"]) == ("legal", [])


def test_no_call_that_is_not_heard_changes_a_contract() -> None:
    """SPADES-130, 155, A-29: none after the bidding, and none beside a blind number or a moon of the partner."""
    rng, whole = Random("unheard"), 0
    for _ in range(TABLES):
        rules = some_table(rng)
        if rules is None or rules["options"]["bid_method"] == "consultation":
            continue
        bids, _ = bid(rng, rules)
        table = bids.table
        for seat, word in product(table.bidders, (1, 5, 13, "nil", "moon", "blind_7", "pass")):
            extra = Bids(table, (*bids.calls, *read_calls(Node([{"seat": seat, "call": word}]), table)))
            side = table.side(seat)
            assert settled_facts(extra, side) == settled_facts(bids, side), (rules, bids.calls, seat, word)
        for place, call in enumerate(bids.calls):
            partner = table.partner(call.seat or "")
            if call.side_wide and partner:
                whole += 1
                for word in (1, 8, "nil", "moon"):
                    late = read_calls(Node([{"seat": partner, "call": word}]), table)
                    said = Bids(table, (*bids.calls[: place + 1], *late))
                    plain = Bids(table, bids.calls[: place + 1])
                    assert settled_facts(said, call.side or "") == settled_facts(plain, call.side or "")
    assert whole > 2


@pytest.mark.parametrize("word", ["moon", "blind_6", "blind_moon"])
@pytest.mark.parametrize("second", [False, True])
def test_the_list_of_calls_has_what_may_be_said_instead_of_a_pass(word: str, second: bool) -> None:
    """Whose partner has bid for the side may pass, and the next player may bid without it: both are listed."""
    options = {"moon": True, "blind_bid": True, "blind_moon": True, "blind_deficit": 0, "blind_moon_deficit": 0}
    rules = {"options": {**options, "second_round": second}}
    calls = [{"seat": "A", "call": word, "looked": False}, {"seat": "B", "call": 2}]
    position = {"seats": [*"ABCD"], "dealer": "D", "calls": calls}
    body = ask("moves", {"rules": rules, "position": position, "looked": True})
    legal = [
        {"seat": seat, "call": call}
        for seat, call in product("ABCD", ("pass", "nil", "moon", *range(14)))
        if ask("check", {
            "rules": rules, "position": position,
            "move": {"type": "call", "seat": seat, "call": call, "looked": True},
        })["verdict"] == "legal"
    ]  # fmt: skip
    listed = [{"seat": move["seat"], "call": move["call"]} for move in body["moves"]]
    assert sorted(map(str, listed)) == sorted(map(str, legal))
    assert len({move["seat"] for move in listed}) == 2
    assert body["compulsory"] == []


@pytest.mark.parametrize("preset", ["mirror", "whiz"])
@pytest.mark.parametrize("options", [{}, {"mode": "solo3"}, {"mode": "solo3", "deck": "jokers_added"}])
def test_nobody_bids_more_spades_than_there_are(preset: str, options: Json) -> None:
    """MIR-R1: whatever the hand."""
    most = 15 if "deck" in options else 13
    seats = "ABC" if options else "ABCD"
    for number in range(1, 18):
        request = {
            "rules": {"preset": preset, "options": options},
            "position": {"seats": [*seats], "dealer": seats[-1], "calls": []},
            "move": {"type": "call", "seat": "A", "call": number},
        }
        assert ask("check", request)["verdict"] == ("undecided" if number <= most else "illegal"), number


BLIND_ALONE = ("double_nil", "double_blind_nil", "blind_7", "blind_moon")


@pytest.mark.parametrize("word", BLIND_ALONE)
@pytest.mark.parametrize(("turns", "seat", "verdict"), [
    ([], "B", "legal"), (["A"], "B", "legal"), (["A", "B"], "B", "illegal"), (["A"], "A", "illegal"),
    ([], "A", "legal"),
])  # fmt: skip
def test_a_blind_call_of_two_who_draw_is_made_before_the_first_card(
    turns: list[str], seat: str, verdict: str, word: str
) -> None:
    """SPADES-104: it does not wait for the other's bid; afterwards the other bids in turn."""
    deficits = ("double_nil", "double_blind_nil", "blind", "blind_moon")
    options = {"double_blind_nil": True, "blind_bid": True, "blind_moon": True}
    rules = {"preset": "duo_draw", "options": options | {f"{name}_deficit": 0 for name in deficits}}
    position: Json = {"seats": ["A", "B"], "dealer": "B", "calls": [], "turns": turns}
    move = {"type": "call", "seat": seat, "call": word, "looked": False}
    assert ask("check", {"rules": rules, "position": position, "move": move})["verdict"] == verdict
    if verdict == "legal" and seat == "B":
        position |= {"calls": [{key: value for key, value in move.items() if key != "type"}]}
        after = {"type": "call", "seat": "A", "call": 4}
        assert ask("check", {"rules": rules, "position": position, "move": after})["verdict"] == "legal"


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("compulsory", range(4))
@pytest.mark.parametrize("nils", [("nil",), ("double_nil",), ("nil", "double_nil")])
def test_only_a_double_nil_with_an_exchange_makes_one_compulsory(
    nils: tuple[str, ...], compulsory: int, number: int
) -> None:
    """SPADES-145 to 147: the exchange after a plain nil may be declined, whatever else was called."""
    options = {"nil_exchange": number, "double_nil_exchange": compulsory, "double_nil_deficit": 0}
    own = dict(zip("AC", (*nils, 4), strict=False))
    calls = [{"seat": seat, "call": own.get(seat, 3), "looked": False} for seat in "ABCD"]
    request = {
        "rules": {"options": options},
        "position": {"seats": [*"ABCD"], "dealer": "D", "totals": {"A+C": 0, "B+D": 0}, "calls": calls},
        "move": {"type": "exchange", "side": "A+C", "counts": [0, 0]},
    }
    some = number if "nil" in nils else 0
    declined = some > 0 and not ("double_nil" in nils and compulsory)
    assert ask("check", request)["verdict"] == ("legal" if declined else "illegal")


ENDS: tuple[tuple[Json, list[Any], str | None], ...] = (
    ({"second_round": True}, [3, 3, 4, 4], "missing-bid"),
    ({"second_round": True}, [3, 3, 4, 4, "pass", "pass", 6], "missing-bid"),
    ({"second_round": True}, [3, 3, 4, 4, "pass", "pass", 6, "pass"], None),
    ({"second_round": True, "moon": True}, [3, 3, "moon", 4, "pass"], "missing-bid"),
    ({"bid_method": "sum", "least_total": 11}, [2, 2, 2, 2], "thrown-in"),
    ({"bid_method": "sum", "least_total": 11}, [2, 2, 2, 5], None),
    ({"least_total": 11}, [3, 3, 4, 4], "thrown-in"),
    ({"bid_method": "sum", "least_total": 11, "second_round": True}, [2, 2, 2, 2, "pass", "pass", "pass", "pass"],
     "thrown-in"),
)  # fmt: skip


@pytest.mark.parametrize(("options", "words", "code"), ENDS)
def test_nobody_leads_before_a_bidding_that_stands(options: Json, words: list[Any], code: str | None) -> None:
    """SPADES-131, CLB-009: the bidding is over, and the hands are not thrown in; in a record, too."""
    calls = [{"seat": seat, "call": word} for seat, word in zip("ABCDABCD", words, strict=False)]
    table = {"seats": [*"ABCD"], "dealer": "D", "calls": calls}
    play = {"seat": "A", "card": "5H"}
    position = {**table, "phase": "play", "trick": [], "trick_number": 1}
    rules = {"options": options}
    body = ask("check", {"rules": rules, "position": position, "move": {"type": "play", **play}})
    assert [breach["code"] for breach in body["breaches"]] == [code] * (code is not None)
    found = ask("replay", {"rules": rules, **table, "plays": [play]})["findings"]
    assert [one["code"] for one in found] == [code] * (code is not None)
    if code == "thrown-in":
        assert found[0]["remedy"]["then"] is None


@pytest.mark.parametrize("leader", ["dealer_left", "highest_bidder"])
def test_calls_left_out_are_not_taken_for_a_bidding_that_is_thrown_in(leader: str) -> None:
    """CLB-009: whoever plays has bid enough; only where everybody may have been nil is it not known who leads."""
    rules = {"options": {"least_total": 11, "first_leader": leader}}
    position = {"seats": [*"ABCD"], "dealer": "D", "phase": "play", "trick": [], "trick_number": 1}
    request = {"rules": rules, "position": position, "move": {"type": "play", "seat": "A", "card": "5H"}}
    assert ask("check", request)["verdict"] == ("legal" if leader == "dealer_left" else "undecided")
