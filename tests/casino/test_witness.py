"""The judge of turns against a second judge, which shares nothing with it but the names of the options."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from companion.conformance import published
from companion.games.casino.checker import cases
from companion.library import InvalidInput, check, verify_witness
from tests.casino.turns import Table, aimed
from tests.witnesses import check_spellings, contradictions, disagreement, forged, shown

TURNS = 1_600
"""Turns of a round, of which every other one is compared with distributions found by trying as well."""
SPOILT = 400
"""Positions of a round with a wrong fact."""
CASES = [case for case in published("casino_*check*") if case["expect"]["status"] == 200]
NOT_COVERED = {"deal", "draw", "recut", "request"}
"""Moves about which nothing is hidden."""


def compare(request: dict[str, Any], chance: random.Random, *, tried: bool = True) -> str:
    """The verdict on a request, whose witness is accepted and which no distribution that is found contradicts."""
    verdict, accepted = shown("casino", request)
    judged = cases(request)
    if judged is None:
        assert accepted is None, request
        return "not covered"
    assert accepted, (verdict, request)
    assert not tried or disagreement(judged, verdict, chance) is None, (verdict, request)
    if verdict != "undecided" and all(isinstance(case.wrong, bool) for case in judged):
        return f"{verdict} by a fact"
    return verdict


def test_every_verdict_is_shown_and_contradicted_by_no_distribution(soak_round: int, soaked: Any) -> None:
    kinds: Counter[str] = Counter()
    for number in range(soak_round * TURNS, (soak_round + 1) * TURNS):
        try:
            request = Table(f"witness {number}").request() if number % 10 else aimed(f"witness {number}")
            kinds[compare(request, random.Random(number), tried=not number % 2)] += 1
        except InvalidInput:
            kinds["refused"] += 1
    soaked(turns=TURNS, undecided=kinds["undecided"], counted=kinds["illegal"] + kinds["legal"])
    assert kinds["undecided"] > TURNS // 25
    assert kinds["illegal"] > 2
    assert kinds["refused"] < TURNS // 5


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_published_verdict_is_shown_and_contradicted_by_no_distribution(case: dict[str, Any]) -> None:
    request = case["request"]
    outcome = compare(request, random.Random(1))
    assert (outcome == "not covered") == (request["move"]["type"] in NOT_COVERED)


def test_a_chain_says_of_no_card_that_it_was_seen_unless_it_was() -> None:
    """A card of which no copy is left lies on the table, in a build or a pile, is known to be held or just played."""
    seen: Counter[str] = Counter()
    for number in range(700_000, 703_000):
        request = Table(f"chain {number}").request()
        try:
            answer = check("casino", {**request, "witness": True}, lang="en")
        except InvalidInput:
            continue
        for step in answer["witness"].get("chain", ()):
            facts = step["facts"]
            if "second half" in step["text"]:
                assert facts["count"] < facts["seats"], request
                seen["second half"] += 1
            if "anybody else can" in step["text"] or "nor can anybody else." in step["text"]:
                places = ("on_table", "in_builds", "just_played", "seen_before")
                assert sorted(facts["cards"]) == sorted(card for place in places for card in facts[place]), request
                assert all(f'"{card}"' in json.dumps(request) for card in facts["cards"]), (request, step)
                seen["seen" if facts["cards"] else "in no pack"] += 1
    assert min(seen["seen"], seen["in no pack"]) > 3, seen
    assert seen["second half"], seen


def test_where_one_rule_or_another_is_broken_both_are_named() -> None:
    """Whoever adds to a build of 14 must hold one (SAF-110), and whoever holds one for a build may not trail."""
    rules = {"two_player_deal": "two_halves", "building": "standard", "table_only_build": True, "merge_own_value": True}
    rules |= {"court_values": "11_13", "court_take": "one", "owner_may_trail": False, "keep_capturer": False}
    build = {"id": "B0", "value": 14, "sets": [["3S", "JD"], ["8D", "6C"]], "owner": "P2"}
    augment = {"play": "augment", "value": 14, "base": {"build": "B0"}, "sets": [{"table": ["4D", "7H", "3D"]}]}
    request = {
        "rules": {"preset": "swazi_pagat", "options": rules | {"pile_cards": "augment_and_capture"}},
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["7H", "4C", "4D", "5H", "3D"], "builds": [build]},
        "move": {"type": "turn", "plays": [augment, {"play": "trail", "card": "7C"}]}, "witness": True,
    }  # fmt: skip
    answer = check("casino", request, lang="en")
    assert [answer["verdict"], verify_witness("casino", request, answer)] == ["illegal", True]
    (text,) = answer["witness"]["text"]
    assert text.startswith("Whatever P1 holds, one of these rules is broken: ")


def test_every_contradiction_is_shown_by_the_fewest_facts(soak_round: int, soaked: Any) -> None:
    """The second judge finds no deal with the facts that are named, and one without any one of them."""
    spoilt = range(soak_round * SPOILT, (soak_round + 1) * SPOILT)
    requests = (Table(f"spoilt {number}").request() if number % 10 else aimed(f"spoilt {number}") for number in spoilt)
    kinds = contradictions("casino", requests)
    soaked(positions=SPOILT, contradictions=SPOILT - kinds["possible"])
    assert kinds.keys() >= {"duplicate-card", "build-total", "pile-twice"}


def test_a_witness_that_shows_something_else_is_refused() -> None:
    seen: Counter[str] = Counter()
    for number in range(120):
        request = Table(f"forged {number}").request()
        try:
            for what, accepted in forged("casino", request):
                assert accepted is not True, (what, request)
                seen[what] += accepted is False
        except InvalidInput:
            continue
    assert min(seen[what] for what in ("verdict", "swapped", "one world", "cards twice")) > 2, seen


def test_a_witness_is_accepted_however_the_cards_and_numbers_of_the_request_are_written() -> None:
    check_spellings("casino", (Table(f"spelt {number}").request() for number in range(200)))
