"""Rubbish of every kind is refused with a pointer to it; nothing that a client sends is any other exception."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.game import read_deal, score
from companion.engine.ledger import Side
from companion.engine.problems import Node, Refused
from companion.games.spades import SPADES
from companion.games.spades.rules import OPTIONS, PRESETS
from tests.spades.asking import QUESTIONS, answer
from tests.spades.dealer import play_deal
from tests.spades.test_cases import OWN, PUBLISHED

REQUESTS = [(case["post"].rpartition("/")[2], case["request"]) for case in OWN + PUBLISHED]
REQUESTS += [("replay", play_deal(Random(seed), {"preset": "solo3"}).request(hands=True)) for seed in range(2)]
REQUESTS += [
    ("moves", {key: request[key] for key in ("rules", "position") if key in request})
    for question, request in REQUESTS
    if question == "check"
]
KEYS = sorted({key for _, request in REQUESTS for key in request} | set(OPTIONS.options) | {"us", "A", "A+C", "x"})
WORDS = ["", "A", "us", "5", "nil", "blind_99", "blind_06", "moon", "10H", "BJ", "♥", "A+C", "\ud800", "\x00", "ﬀ" * 50]
NUMBERS = st.sampled_from([0, 1, -1, 13, 14, 26, 27, 99, 10**9, -(10**30), 2**70]) | st.integers()
SCALARS = st.none() | st.booleans() | NUMBERS | st.floats() | st.sampled_from(WORDS) | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner),
    max_leaves=12,
)
MANY = settings(max_examples=150, deadline=None, derandomize=True)
USUAL = settings.default.max_examples
"""Three times as many in a long run; making random JSON takes longer than reading it."""


def refuses_or_answers(question: str, request: Any) -> int:
    """The status; every problem points at something that is there, or at a key missing from it."""
    status, body = answer(question, request)
    for error in body.get("errors", ()):
        assert error["code"]
        at = request
        *parents, last = error["pointer"].split("/")[1:] or [None]
        for part in parents:
            name = part.replace("~1", "/").replace("~0", "~")
            at = at[int(name)] if isinstance(at, list) else at[name]
        assert last is None or isinstance(at, dict | list) or at is None, error
    return status


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("question", QUESTIONS)
@settings(max_examples=USUAL // 2, deadline=None, derandomize=True)
@given(value=JSON)
def test_any_json(question: str, value: Any) -> None:
    refuses_or_answers(question, value)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=USUAL // 20, deadline=None, derandomize=True)
@given(data=st.data())
def test_right_keys_with_anything_in_them(question: str, preset: str, data: st.DataObject) -> None:
    shapes = [request for asked, request in REQUESTS if asked == question]
    shape = data.draw(st.sampled_from(shapes))
    request = {key: data.draw(JSON, label=key) for key in shape}
    refuses_or_answers(question, request | {"rules": {"preset": preset}})


@pytest.mark.slow
@MANY
@given(data=st.data())
def test_one_place_of_a_sound_request_spoilt(data: st.DataObject) -> None:
    question, request = data.draw(st.sampled_from(REQUESTS))
    spoilt = copy.deepcopy(request)
    preset = data.draw(st.sampled_from([None, *PRESETS]))
    if preset is not None:
        spoilt["rules"] = {"preset": preset}
    at: Any = spoilt
    for _ in range(data.draw(st.integers(0, 6))):
        places = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not places:
            break
        place = data.draw(st.sampled_from(places))
        if not isinstance(at[place], dict | list) or data.draw(st.booleans()):
            at[place] = data.draw(JSON)
            break
        at = at[place]
    refuses_or_answers(question, spoilt)


@pytest.mark.parametrize("preset", PRESETS)
def test_all_faults_are_told_at_once(preset: str) -> None:
    status, body = answer("score", {"rules": {"preset": preset, "options": {"x": 1, "target": 0}}, "sides": 5, "y": 1})
    assert status == 422
    told = {(error["pointer"], error["code"]) for error in body["errors"]}
    assert {("/rules/options/x", "unknown-option"), ("/rules/options/target", "range")} <= told
    assert {("/sides", "type"), ("/deals", "required"), ("/y", "unknown-key")} <= told


def test_a_key_too_many_hides_no_other_fault() -> None:
    """Deals are read and rules are settled even where something beside them cannot be read."""
    status, body = answer("score", {"y": 1, "sides": ["us", "them"], "deals": [{"us": {"bid": "x", "tricks": 5}}]})
    assert status == 422
    told = {(error["pointer"], error["code"]) for error in body["errors"]}
    assert told == {("/y", "unknown-key"), ("/deals/0/us/bid", "type"), ("/deals/0/them", "required")}
    rules = {"options": {"overtrick": "minus1", "sandbag": True}}
    told = {error["code"] for error in answer("score", {"y": 1, "rules": rules, "sides": [], "deals": []})[1]["errors"]}
    assert {"unknown-key", "options-conflict"} <= told


def test_sound_requests_are_answered() -> None:
    statuses = [answer(question, request)[0] for question, request in REQUESTS]
    assert statuses.count(200) > len(statuses) * 0.8


def test_unusual_spellings_of_cards_are_read_alike() -> None:
    position = {"phase": "play", "seats": list("ABCD"), "dealer": "D", "trick": [], "trick_number": 2}
    for spelling in ("10H", "10h", "TH", "th", "♥10", "10♥", "10♥️", "１０Ｈ", "H10", " 10H ", "ｈ１０"):
        move = {"type": "play", "seat": "A", "card": spelling}
        status, body = answer("check", {"position": position | {"played": ["10H"]}, "move": move})
        assert (status, body["breaches"][0]["facts"]) == (200, {"card": "10H"})


@pytest.mark.parametrize("bid", [0, 5, -1, 10**30, True, 5.0, "5", None, [], {}])
@pytest.mark.parametrize("tricks", [8, -(10**30), False, 8.0, "8", None, []])
def test_plain_side_is_read_as_one_that_is_looked_at_closely(bid: Any, tricks: Any) -> None:
    rules, sides = OPTIONS.preset().options, (Side("NS"), Side("EW"))
    usual = {"bid": 6, "tricks": 5}
    plain = Node({"NS": {"bid": bid, "tricks": tricks}, "EW": usual})
    closely = Node({"NS": {"bid": bid, "tricks": tricks, "call": "normal"}, "EW": usual})
    assert read_deal(SPADES, plain, rules, sides) == read_deal(SPADES, closely, rules, sides)
    assert plain.problems == closely.problems


SEATS: dict[str, Any] = {"seats": ["A", "B", "C", "D"]}
CARDS: dict[str, Any] = {"hand": ["7H", "7H"], "played": ["9C"], "trick": [{"seat": "A", "card": "9C"}]}
TWICE = {("/position/hand/1", "duplicate-card"), ("/position/played/0", "duplicate-card")}
PAIRS = [{"id": "us", "players": ["A", "C"]}, {"id": "them", "players": ["B", "D"]}]
STRANGER = {"bid": 4, "tricks": 6, "nils": [{"player": "X", "call": "nil", "tricks": 0}]}


@pytest.mark.parametrize(
    ("question", "request_", "found"),
    [
        (
            "check",
            {"position": {**SEATS, **CARDS, "dealer": "Z"}, "move": {"type": "play", "seat": "B", "card": "17Z"}},
            {*TWICE, ("/position/dealer", "unknown-seat"), ("/move/card", "card")},
        ),
        (
            "score",
            {"sides": PAIRS, "deals": [{"us": STRANGER, "them": {"bid": 5}, "dummy_tricks": 0}]},
            {
                ("/deals/0/us/nils/0/player", "unknown-player"),
                ("/deals/0/them/tricks", "required"),
                ("/deals/0/dummy_tricks", "unknown-key"),
            },
        ),
        (
            "replay",
            {**SEATS, "plays": [{"seat": "Z", "card": "2C"}], "hands": {"A": ["7H"]}},
            {("/plays/0/seat", "unknown-seat"), ("/hands/A", "hand-count")},
        ),
    ],
    ids=["position", "deal", "replay"],
)
def test_every_fault_is_reported_at_once(question: str, request_: dict[str, Any], found: set[tuple[str, str]]) -> None:
    status, body = answer(question, request_)
    assert status == 422
    assert {(error["pointer"], error["code"]) for error in body["errors"]} == found


MADE = {"player": "A", "call": "nil", "tricks": 0}
NIL = {"bid": 4, "tricks": 6, "nils": [MADE]}
THEM = {"bid": 5, "tricks": 7}


@pytest.mark.parametrize(
    ("us", "pointer", "anyway"),
    [
        (NIL | {"tricks": 14}, "/tricks", True),
        (NIL | {"tricks": 100}, "/tricks", False),
        (NIL | {"nils": [MADE | {"tricks": 7}]}, "/nils/0/tricks", True),
        (NIL | {"nils": [MADE | {"tricks": 100}]}, "/nils/0/tricks", False),
        (NIL | {"bid": 14}, "/bid", True),
        (NIL | {"bid": 100}, "/bid", False),
        (NIL | {"last_tricks": ["2C", "2C"]}, "/last_tricks/1", False),
    ],
)
def test_numbers_that_no_table_counts_are_never_acceptable(us: Any, pointer: str, anyway: bool) -> None:
    deal = {"us": us, "them": THEM}
    request = {"sides": PAIRS, "deals": [deal]}
    with pytest.raises(Refused) as refused:
        score(SPADES, request)
    found = {problem.path(): problem.acceptable for problem in refused.value.problems}
    assert found[f"/deals/0/us{pointer}"] is anyway


@pytest.mark.parametrize("options", [
    {}, {"first_hand_bids_itself": True}, {"bid_method": "sum"}, {"minimum_bid": 4}, {"moon": True},
    {"blind_bid": True, "blind_deficit": 0},
])  # fmt: skip
@pytest.mark.parametrize("bid", [-99, -1, 100, 10**6])
def test_a_bid_that_is_no_number_of_tricks_is_refused_whatever_is_played(options: Any, bid: int) -> None:
    calls = ["normal", *(["moon"] if "moon" in options else []), *(["blind"] if "blind_bid" in options else [])]
    for call in calls:
        deal = {"us": {"bid": bid, "tricks": 4, "call": call}, "them": {"bid": 5, "tricks": 9}}
        request = {"rules": {"options": options}, "sides": ["us", "them"], "deals": [deal]}
        with pytest.raises(Refused) as refused:
            score(SPADES, request)
        found = {(problem.path(), problem.acceptable) for problem in refused.value.problems}
        assert ("/deals/0/us/bid", False) in found, (call, found)
