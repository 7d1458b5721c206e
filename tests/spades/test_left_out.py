"""Facts of the table that nobody tells: a verdict is what all their values have in common, and `missing` is enough."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from companion import library
from companion.games.spades.rules import OPTIONS
from tests.spades.asking import Json, answer, ask
from tests.spades.dealer import bid_deal, play_deal

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


WORDS = (1, 3, 4, 9, 13, 14, "nil", "pass", "moon", "blind_6", "double_nil", "blind_moon")
BLIND: tuple[dict[str, Any], ...] = (
    {"blind_bid": True, "blind_moon": True, "double_blind_nil": True, "double_blind_nil_deficit": 200},
    {"mode": "solo4", "blind_bid": True, "double_nil_deficit": 0},
    {"bid_method": "consultation", "blind_bid": True, "blind_deficit": 50, "thirteen_is_moon": True},
)
"""Tables with calls that depend on totals and on a look at the hand."""


def some_call(rng: Random, deal: Any) -> tuple[Json, Json]:
    """A position of the bidding with everything known, and a call of some seat."""
    calls = deal.calls[: rng.randrange(len(deal.calls))]
    seats = [seat for seat in deal.table.seats if seat != "dummy"]
    position = {
        "seats": list(deal.table.seats), "dealer": deal.table.dealer, "totals": deal.totals, "calls": calls,
    }  # fmt: skip
    seat, looked = rng.choice(seats), rng.random() < 0.3
    return position, {"type": "call", "seat": seat, "call": rng.choice(WORDS), "looked": looked}


@pytest.mark.parametrize("options", TABLES + BLIND, ids=str)
def test_the_calls_left_out_of_the_bidding(options: dict[str, Any]) -> None:
    """Where they are unknown, a call is illegal only if it is so after every bidding; it is never legal."""
    rng, rules, seen = Random(str(options)), rules_of(options), set()
    deals = [bid_deal(rng, rules) for _ in range(DEALS)]
    biddings = [(deal.table.dealer, deal.calls) for deal in deals]
    for deal in deals:
        position, move = some_call(rng, deal)
        known = [calls for dealer, calls in biddings if dealer == deal.table.dealer]
        seat = move["seat"]
        before = [calls[:place] for calls in known for place, one in enumerate(calls) if one.get("seat") == seat]
        verdicts = told(position, move, rules, "calls", [[], *before])
        value = verdict({key: one for key, one in position.items() if key != "calls"}, move, rules)
        assert value == "undecided" if "legal" in verdicts else value in ("illegal", "undecided"), (position, move)
        seen.add(value)
    assert "undecided" in seen


@pytest.mark.parametrize("options", BLIND, ids=str)
@pytest.mark.parametrize("fact", ["totals", "looked"])
def test_what_a_blind_call_needs_left_out(options: dict[str, Any], fact: str) -> None:
    rng, rules, seen = Random(str(options)), rules_of(options), set()
    deals = [bid_deal(rng, rules) for _ in range(DEALS // 4)]
    for deal in deals * DEALS:
        position, move = some_call(rng, deal)
        if fact == "looked":
            known = {verdict(position, {**move, "looked": looked}, rules) for looked in (False, True)}
            body = ask("check", {"rules": rules, "position": position, "move": {**move, "looked": None}})
            assert body["verdict"] == (known.pop() if len(known) == 1 else "undecided"), (position, move)
            seen.add(body["verdict"])
        else:
            values = [{**deal.totals, side: total} for side in deal.table.sides for total in (-900, 0, 900)]
            seen.add(check_left_out(position, move, rules, fact, values))
            side = rng.choice(deal.table.sides)
            some = {key: total for key, total in deal.totals.items() if key != side}
            values = [{**some, side: total} for total in (-900, 900)]
            merged = told(position, move, rules, "totals", values)
            assert verdict({**position, "totals": some}, move, rules) == (
                merged.pop() if len(merged) == 1 else "undecided"
            )
    assert len(seen) > 1


DUO: tuple[dict[str, Any], ...] = (
    {"mode": "duo_dummy"}, {"mode": "duo_dummy", "dummy_side": "right"}, {"mode": "duo_dummy", "dummy_leads": False},
)  # fmt: skip


@pytest.mark.parametrize("options", [*TABLES, *DUO], ids=str)
def test_what_says_who_leads_left_out(options: dict[str, Any]) -> None:
    """Dealer, calls, the number of the trick and the hand: each alone, and in company."""
    rng, rules, seen = Random(str(options)), rules_of(options), set()
    deals = [play_deal(rng, rules) for _ in range(DEALS // 4)]
    for turn, deal in product(range(4), deals):
        seats = list(deal.table.seats)
        seat = seats[turn % len(seats)]  # who has the lowest club is among them
        position: Json = {
            "phase": "play", "seats": seats, "dealer": deal.table.dealer, "calls": deal.calls, "trick": [],
            "trick_number": 1, "hand": [str(card) for card in deal.hands[seat]],
        }  # fmt: skip
        card = "2C" if "2C" in position["hand"] else rng.choice(position["hand"])
        move = {"type": "play", "seat": seat, "card": card}
        fewer = position
        for gone in rng.sample(["hand", "calls"], rng.randrange(3)):
            fewer = {key: value for key, value in fewer.items() if key != gone}
        seen.add(check_left_out(fewer, move, rules, "dealer", [one for one in seats if one != "dummy"]))
        check_left_out(fewer, move, rules, "trick_number", range(1, deal.rules.tricks + 1))
        if "calls" not in fewer:
            continue
        words = {one: (rng.choice([1, 2, "nil"])) for one in deal.table.bidders}
        biddings = [
            [{"seat": one, "call": {**words, best: 9}[one]} for one in deal.table.bidders]
            * (1 + deal.rules.second_round)
            for best in deal.table.bidders
        ]
        known = told(fewer, move, rules, "calls", [deal.calls, *biddings])
        value = verdict({key: one for key, one in fewer.items() if key != "calls"}, move, rules)
        assert value == "undecided" or known == {value}, (fewer, move, known, value)
    assert len(seen) > 1 or "undecided" in seen


@pytest.mark.parametrize("kept", [0, 1, 2])
@pytest.mark.parametrize("turns", [[], ["A"], ["A", "B"]])
def test_whose_draw_it_is(turns: list[str], kept: int) -> None:
    words = [("keep", "discard")[place >= kept] for place in range(2)]
    move = {"type": "draw", "seat": "B", "first": words[0], "second": words[1]}
    position, rules = {"seats": ["A", "B"], "turns": turns, "dealer": "A"}, {"preset": "duo_draw"}
    check_left_out(position, move, rules, "dealer", ["A", "B"])
    check_left_out(position, move, rules, "turns", [[], ["A"], ["B"], ["A", "B"] * 13])


@pytest.mark.parametrize("large", ["", "A", "AB"])
def test_who_was_dealt_two_more_cards(large: str) -> None:
    counts = {seat: 15 if seat in large else 13 for seat in "ABCD"}
    rules = rules_of({"deck": "jokers_dealer_discards"})
    check_left_out({"seats": list("ABCD"), "dealer": "A"}, {"type": "deal", "counts": counts}, rules, "dealer", "ABCD")
    position = {"seats": list("ABCD"), "previous_dealer": "A"}
    for seat in "AB":
        check_left_out(position, {"type": "dealer", "seat": seat}, rules, "previous_dealer", "ABCD")


@pytest.mark.parametrize("count", range(4))
@pytest.mark.parametrize("options", [{}, {"nil_exchange": 1}, {"double_blind_nil": True}], ids=str)
def test_an_exchange_beside_unknown_calls_or_tricks(options: dict[str, Any], count: int) -> None:
    rules, words = rules_of(options), ("nil", "double_nil", "double_blind_nil", 3)
    biddings = [[{"seat": seat, "call": word if seat == "A" else 3} for seat in "ABCD"] for word in words]
    move = {"type": "exchange", "side": "A+C", "counts": [count, count]}
    for calls in biddings:
        position: Json = {"seats": list("ABCD"), "dealer": "D", "phase": "play", "trick_number": 1, "calls": calls}
        check_left_out(position, move, rules, "trick_number", range(1, 14))
        check_left_out(position, move, rules, "calls", [[], *biddings])
        call = {"type": "call", "seat": "C", "call": 4}
        check_left_out(position | {"calls": calls[:2]}, call, rules, "trick_number", range(1, 14))


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


@pytest.mark.parametrize("options", TABLES + BLIND, ids=str)
def test_a_replay_says_of_a_call_what_a_check_says(options: dict[str, Any]) -> None:
    """Whoever does not say who dealt, or what the totals are, accuses nobody of calling out of turn."""
    rng, rules = Random(str(options)), rules_of(options)
    for gone in (["dealer"], ["totals"], ["dealer", "totals"]):
        deal = play_deal(rng, rules)
        record = {key: value for key, value in deal.request(plays=0).items() if key not in gone}
        for place, judged in enumerate(ask("replay", record)["verdicts"]):
            position: Json = {"phase": "bidding", "calls": deal.calls[:place]}
            position |= {key: record[key] for key in ("seats", "dealer", "totals") if key in record}
            move = {"type": "call", **deal.calls[place]}
            body = ask("check", {"rules": rules, "position": position, "move": move})
            assert {key: judged[key] for key in ("verdict", "breaches", "missing")} == {
                key: body[key] for key in ("verdict", "breaches", "missing")
            }
            assert body["verdict"] != "illegal"


ASLEEP: tuple[dict[str, Any], ...] = (
    {}, {"bid_method": "consultation"}, {"second_round": True}, {"first_trick": "lowest_club"}, {"mode": "solo4"},
)  # fmt: skip


@pytest.mark.parametrize("options", ASLEEP, ids=str)
def test_who_has_no_call_among_those_told_may_play_unseen_cards(options: dict[str, Any]) -> None:
    """SPADES-150: after the first lead everybody has called, so that calls which end before are not all."""
    rng, rules, seen = Random(str(options)), rules_of(options | {"double_blind_nil": True}), set()
    for _ in range(DEALS):
        deal = play_deal(rng, rules)
        place = rng.randrange(1, 13 * 4)
        start, seat = place - place % 4, deal.plays[place].seat
        played = {one.card for one in deal.plays[:place]}
        hand = [str(card) for card in deal.hands[seat] if card not in played]
        calls = deal.calls[: rng.randrange(len(deal.calls))]
        side = deal.table.side(seat)
        position: Json = {
            "phase": "play", "seats": list("ABCD"), "dealer": deal.table.dealer, "calls": calls, "hand": hand,
            "trick": [{"seat": one.seat, "card": str(one.card)} for one in deal.plays[start:place]],
            "played": [str(one.card) for one in deal.plays[:start]], "trick_number": start // 4 + 1,
        }  # fmt: skip
        move = {"type": "play", "seat": seat, "card": rng.choice([hand[0], rng.choice(hand)])}
        who = {"side": side} if "side" in deal.calls[0] else {"seat": seat}
        said = any(who.items() <= call.items() for call in calls)
        own = [{**who, "call": 4}, {"seat": seat, "side": side, "call": "double_blind_nil"}]
        told = [calls] if said else [[*calls, call] for call in own]
        known = {verdict({**position, "calls": each}, move, rules) for each in told}
        request = {"rules": rules, "position": position, "move": move}
        body = library.check("spades", {**request, "witness": True})
        assert body["verdict"] == (known.pop() if len(known) == 1 else "undecided"), (position, move)
        assert library.verify_witness("spades", request, body) is True
        seen.add(body["verdict"])
    assert seen >= {"legal", "undecided"}


def test_a_nil_of_nobody_may_be_that_of_either_partner() -> None:
    rules = rules_of({"bid_method": "consultation", "double_blind_nil": True})
    calls: list[Json] = [
        {"side": "A+C", "call": 5},
        {"side": "B+D", "call": "double_blind_nil"},
        {"side": "B+D", "call": 5},
    ]
    position: Json = {
        "phase": "play", "seats": list("ABCD"), "dealer": "D", "trick": [{"seat": "A", "card": "KD"}],
        "trick_number": 4, "calls": calls, "hand": ["5C", "4D"],
    }  # fmt: skip
    move = {"type": "play", "seat": "B", "card": "5C"}
    assert verdict(position, move, rules) == "undecided"
    assert verdict(position | {"calls": [calls[0], {**calls[1], "seat": "D"}, calls[2]]}, move, rules) == "illegal"
    assert verdict(position | {"calls": [calls[0], {**calls[1], "seat": "B"}, calls[2]]}, move, rules) == "legal"


@pytest.mark.parametrize("preset", sorted(OPTIONS.presets))
def test_what_no_bidding_of_a_table_allows_is_illegal_without_the_calls(preset: str) -> None:
    """Nobody passes where no call is for a whole side, and nobody exchanges cards without a nil that calls for it."""
    options = OPTIONS.preset(preset).options
    seats = ["A", "dummy", "B"] if options.mode == "duo_dummy" else list("ABCDEF"[: options.seats])
    position, rules = {"seats": seats, "phase": "bidding"}, {"preset": preset}
    assert verdict(position, {"type": "call", "seat": "A", "call": "pass"}, rules) == "illegal"
    if options.partners:
        move = {"type": "exchange", "side": "A+C" if len(seats) == 4 else "A+D", "counts": [2, 2]}
        assert verdict(position, move, rules) == ("undecided" if options.double_nil else "illegal")


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


@pytest.mark.parametrize("gone", ["dealer", "calls"])
def test_no_call_is_listed_where_nobody_says_whose_turn_it_is(gone: str) -> None:
    position = {"seats": list("ABCD"), "dealer": "D", "calls": []}
    assert ask("moves", {"position": position})["moves"]
    body = ask("moves", {"position": {key: value for key, value in position.items() if key != gone}})
    assert (body["moves"], [one["fact"] for one in body["missing"]]) == ([], [gone])


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


@pytest.mark.parametrize("led", TABLES[1:4], ids=str)
def test_where_a_card_says_who_leads_calls_are_asked_for_those_who_have_not_looked(led: dict[str, Any]) -> None:
    rules = rules_of({**led, "double_blind_nil": True})
    position = {"seats": list("ABCD"), "trick": [], "trick_number": 1}
    body = ask("check", {"rules": rules, "position": position, "move": {"type": "play", "seat": "A", "card": "9C"}})
    assert [one["article"] for one in body["missing"] if one["fact"] == "calls"] == ["spades.double-blind-nil"]
