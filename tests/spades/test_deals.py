"""Whole deals played by chance: clean ones replay without a finding, and one planted fault is found."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.problems import Node
from companion.games.spades.deal import _judge_play, _judge_plays, follow
from companion.games.spades.table import pack_of, read_record
from tests.spades.asking import ask, codes
from tests.spades.dealer import FAULTS, Dealt, play_deal

RULES: dict[str, dict[str, Any]] = {
    "classic": {},
    "modern": {"preset": "modern"},
    "jokers": {"preset": "jokers"},
    "jokers-deuces": {"preset": "jokers_deuces"},
    "jokers-dealer-discards": {"options": {"deck": "jokers_dealer_discards"}},
    "deuce-high": {"options": {"trump_order": "deuce_high"}},
    "three-promoted": {"options": {"promoted_twos": ["2H", "2C", "2D"]}},
    "solo4": {"preset": "solo4"},
    "solo3": {"preset": "solo3"},
    "solo3-removed": {"preset": "solo3", "options": {"solo3_deck": "remove_2c"}},
    "duo-draw": {"preset": "duo_draw"},
    "dummy-left": {"preset": "duo_dummy"},
    "dummy-left-not-leading": {"preset": "duo_dummy", "options": {"dummy_leads": False}},
    "dummy-right": {"preset": "duo_dummy", "options": {"dummy_side": "right"}},
    "lowest-club": {"options": {"first_trick": "lowest_club"}},
    "lowest-club-strict": {"options": {"first_trick": "lowest_club_strict"}},
    "lowest-club-solo3": {"preset": "solo3", "options": {"first_trick": "lowest_club_strict"}},
    "lowest-club-jokers": {"preset": "jokers", "options": {"first_trick": "lowest_club_strict"}},
    "club-two": {"options": {"first_leader": "club_two"}},
    "club-two-led": {"options": {"club_two_must_lead": True}},
    "club-two-draw": {"preset": "duo_draw", "options": {"first_leader": "club_two"}},
    "highest-bidder": {"options": {"first_leader": "highest_bidder", "moon": True, "blind_bid": True}},
    "highest-bidder-twice": {"options": {"first_leader": "highest_bidder", "second_round": True}},
    "lead-anytime": {"options": {"lead_spades_anytime": True}},
    "double-blind": {"options": {"double_blind_nil": True, "double_nil_deficit": None, "zero_bid": False}},
    "double-blind-clubs": {"options": {"double_blind_nil": True, "first_trick": "lowest_club_strict"}},
    "double-blind-draw": {"preset": "duo_draw", "options": {"double_blind_nil": True}},
    "two-rounds": {"options": {"second_round": True}},
    "consultation": {"options": {"bid_method": "consultation"}},
    "club-350": {"preset": "club_350"},
    "four-deals": {"preset": "four_deals"},
    "suicide": {"preset": "suicide"},
    "mirror": {"preset": "mirror"},
    "whiz": {"preset": "whiz"},
    "mirror-jokers": {"preset": "mirror", "options": {"mode": "solo4", "deck": "jokers_minus_twos"}},
    "solo3-jokers": {"preset": "solo3_jokers"},
    "partners6": {"preset": "partners6"},
    "partners6-earlier": {
        "preset": "partners6",
        "options": {"equal_cards": "earlier", "first_trick_spades": "forbidden"},
    },
    "partners6-jokers": {"preset": "partners6", "options": {"deck": "two_packs_jokers", "first_trick": "lowest_club"}},
    "dealer-bids": {"options": {"first_bidder": "dealer", "least_total": 4, "forbidden_total": 12}},
    "no-first-spade": {"options": {"first_trick_spades": "forbidden", "lead_spades_anytime": True}},
    "blind-and-moons": {"options": {"blind_bid": True, "blind_deficit": 0, "moon": True, "blind_moon": True}},
}
BY_NAME = pytest.mark.parametrize("name", RULES)
CODES = {
    "revoke": "must-follow",
    "early-spade": "spades-not-broken",
    "wrong-leader": "wrong-leader",
    "duplicate": "card-already-played",
    "not-in-pack": "card-not-in-pack",
}


def deals(name: str, count: int, fault: str | None = None, *, soak_round: int = 0) -> list[Dealt]:
    return [_deal(name, fault, place) for place in range(count * soak_round, count * (soak_round + 1))]


@cache
def _deal(name: str, fault: str | None, place: int) -> Dealt:
    return play_deal(Random(f"{name} {fault} {place}"), RULES[name], fault=fault)


@BY_NAME
def test_clean_deal_replays_without_a_finding(name: str, soak_round: int, soaked: Any) -> None:
    for deal in deals(name, 2, soak_round=soak_round):
        soaked(deals=1)
        for hands in (False, True):
            body = ask("replay", deal.request(hands=hands))
            assert body["findings"] == []
            assert body["complete"] is True
            assert {one["settled"] for one in body["verdicts"]} == {"legal"}, [
                one for one in body["verdicts"] if one["settled"] != "legal"
            ]
            assert [trick["winner"] for trick in body["tricks"]] == deal.winners


@BY_NAME
def test_nothing_is_open_where_all_hands_are_known(name: str) -> None:
    for deal in deals(name, 2):
        body = ask("replay", deal.request(hands=True))
        assert {one["verdict"] for one in body["verdicts"]} == {"legal"}


@BY_NAME
def test_result_is_ready_to_score(name: str) -> None:
    for deal in deals(name, 2):
        body = ask("replay", deal.request())
        opening = {side: {"total": total} for side, total in deal.totals.items()}
        request = {"rules": deal.given, "sides": body["sides"], "opening": opening, "deals": [body["result"]]}
        assert codes(request) == set(), request
        for side in deal.table.sides:
            won = sum(seat in deal.table.members(side) for seat in deal.winners)
            assert body["result"][side]["tricks"] == won


@BY_NAME
def test_a_call_of_no_number_of_the_game_is_no_contract(name: str) -> None:
    """What is called instead of a number is illegal; nothing that the record says after it cannot be scored."""
    deal = deals(name, 1)[0]
    request = deal.request(hands=True)
    places = range(len(request["calls"]))
    for changed, spoken in [([place], spoken) for place in places for spoken in (-1, 103)] + [(places, 60)]:
        calls = [{**call, "call": spoken} if at in changed else call for at, call in enumerate(request["calls"])]
        body = ask("replay", {**request, "calls": calls})
        contracts = [one["effect"]["contract"] for one in body["verdicts"] if "contract" in one.get("effect", {})]
        facts = [body["result"][side["id"]]["bid"] for side in body["sides"]]
        assert {body["verdicts"][place]["verdict"] for place in changed} == {"illegal"}
        assert all(each is None or 0 <= each < 100 for each in (*contracts, *facts)), (calls, contracts, facts)


@BY_NAME
def test_part_of_a_clean_deal_shows_no_fault(name: str) -> None:
    for place, deal in enumerate(deals(name, 2)):
        cut = Random(place).randrange(len(deal.plays))
        body = ask("replay", deal.request(plays=cut))
        assert body["findings"] == []
        assert body["result"] is None
        assert "illegal" not in {one["verdict"] for one in body["verdicts"]}


@pytest.mark.by_turns(4)
@BY_NAME
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_is_found(name: str, fault: str, soak_round: int, soaked: Any) -> None:
    for deal in deals(name, 1, fault, soak_round=soak_round):
        planted = deal.planted
        if planted is None:
            continue
        soaked(faults=1)
        for hands in (False, True):
            findings = ask("replay", deal.request(hands=hands))["findings"]
            told = {(one["code"], one["seat"], one["trick"]) for one in findings}
            code = "card-twice" if fault == "duplicate" and deal.rules.two_packs else CODES[fault]
            assert (code, planted.seat, planted.trick) in told, deal.request(hands=hands)
            if fault not in ("duplicate", "not-in-pack"):
                assert len(findings) == 1, "nothing else was wrong"
                assert findings[0]["card"] == str(planted.card)


@pytest.mark.slow
def test_faults_are_planted_in_most_rule_sets() -> None:
    for fault in FAULTS:
        planted = [name for name in RULES if deals(name, 1, fault)[0].planted]
        missing = set(RULES) - set(planted)
        assert len(planted) > len(RULES) * 0.7, (fault, missing)


@pytest.mark.parametrize("name", ["classic", "jokers-deuces", "solo3", "dummy-left", "double-blind"])
def test_revoke_in_part_of_a_deal_is_found_when_the_suit_is_shown(name: str, soak_round: int, soaked: Any) -> None:
    """With all hands known, the test says itself whether the cards on record betray the revoke."""
    found_early = hidden = 0
    for place, deal in enumerate(deals(name, 4, "revoke", soak_round=soak_round)):
        planted = deal.planted
        if planted is None:
            continue
        size = len(deal.table.seats)
        at = next(i for i, one in enumerate(deal.plays) if one.card == planted.card)
        led = deal.plays[at - at % size].card
        shows = [
            i for i, one in enumerate(deal.plays)
            if i > at and one.seat == planted.seat and _same_suit(deal, one.card, led)
        ]  # fmt: skip
        for cut in range(at + 1, len(deal.plays), 1 + place % 3):
            findings = ask("replay", deal.request(plays=cut))["findings"]
            told = [(one["code"], one["seat"], one["trick"]) for one in findings]
            if any(i < cut for i in shows):
                assert told == [("must-follow", planted.seat, planted.trick)]
                shown_by = findings[0]["shown_by"]
                assert shown_by is None or shown_by["card"] in {str(deal.plays[i].card) for i in shows}
            else:
                assert told in ([], [("must-follow", planted.seat, planted.trick)])
                found_early += bool(told)
                hidden += not told
    soaked(deals=4, not_provable=hidden)
    assert hidden > 0
    assert found_early < hidden


def _same_suit(deal: Dealt, card: Card, other: Card) -> bool:
    suit = pack_of(deal.rules).suit
    return suit(card) == suit(other)


def test_card_out_of_turn_leaves_those_passed_over_in_turn() -> None:
    plays = [("A", "9H"), ("C", "KH"), ("B", "2H"), ("D", "3H"), ("C", "AC"), ("D", "2C")]
    record = {
        "seats": ["A", "B", "C", "D"],
        "dealer": "D",
        "plays": [{"seat": seat, "card": card} for seat, card in plays],
    }
    found = ask("replay", record)["findings"]
    assert [(one["article"], one["seat"], one["card"]) for one in found] == [("spades.opening-lead", "C", "KH")]


@pytest.mark.parametrize("name", [name for name in RULES if "draw" not in name])  # two players are soon in turn again
def test_a_play_left_out_of_a_record_accuses_nobody_after_it(name: str, soak_round: int, soaked: Any) -> None:
    """At most the first player who seems to be out of turn; a fault that was made may still be told."""
    rng = Random(f"left out {name} {soak_round}")
    deal = play_deal(rng, RULES[name], fault=rng.choice([None, "revoke", "early-spade"]))
    request = deal.request(hands=rng.random() < 0.3, plays=rng.choice([None, rng.randrange(10, len(deal.plays))]))
    made = {(one["code"], one["seat"], one["card"]) for one in ask("replay", request)["findings"]}
    del request["plays"][rng.randrange(1, len(request["plays"]) - 1)]
    answer = ask("replay", request)
    told = [(one["code"], one["seat"], one["card"]) for one in answer["findings"]]
    turns = [place for place, one in enumerate(told) if one[0] in ("play-out-of-turn", "wrong-leader")]
    assert len(turns) <= 1, request
    assert not turns or made.issuperset(told[turns[0] + 1 :]), request
    soaked(deals=1)


@pytest.mark.parametrize(
    ("spoken", "told"),
    [
        ("A9H CKH B2H D3H CAC D2C A3C BKS B5C C4C D6C A7C", ["CKH", "BKS"]),  # no play more brings these in turn
        ("A9H CKH D3H CAC D2C A3C B4C C4H D5H A6H B9H", ["CKH", "B9H"]),  # B may have played, and nobody a card twice
        ("A9H CKH D3H CAC D2C A3C B4C C4H D5H AKS B7H C6H D8H A2H", ["CKH", "AKS"]),  # a revoke in either reading
        ("A9H CKH D3H CAC D2C A3C BKS C4H D5H A6H B7H C5C D6C A7C B8C", ["CKH", "BKS"]),
    ],
)
def test_what_is_wrong_in_either_reading_of_a_record_is_told(spoken: str, told: list[str]) -> None:
    plays = [{"seat": one[0], "card": one[1:]} for one in spoken.split()]
    found = ask("replay", {"seats": [*"ABCD"], "dealer": "D", "plays": plays})["findings"]
    assert [one["seat"] + one["card"] for one in found] == told


HIDDEN = 20


def hidden(rng: Random, deal: Dealt, *, plays: int | None = None) -> dict[str, Any]:
    """The deal as a request with some of its hands left out."""
    request = deal.request(hands=True, plays=plays)
    request["hands"] = {seat: hand for seat, hand in request["hands"].items() if rng.random() < 0.5}
    return request


def test_clean_deals_with_hands_hidden_at_random_have_no_finding(soak_round: int, soaked: Any) -> None:
    rng = Random(4000 + soak_round)
    for _ in range(HIDDEN):
        deal = play_deal(rng, RULES[rng.choice(list(RULES))])
        request = hidden(rng, deal, plays=rng.choice([None, rng.randrange(len(deal.plays))]))
        assert ask("replay", request)["findings"] == [], request
    soaked(deals=HIDDEN)


def test_a_planted_fault_is_found_in_full_and_never_beyond_what_all_hands_show(soak_round: int, soaked: Any) -> None:
    """Part of a deal with hidden hands shows at most the fault; all hands, or the whole deal, always show it."""
    rng, hid = Random(5000 + soak_round), 0
    for _ in range(HIDDEN):
        fault = rng.choice(["revoke", "early-spade"])
        deal = play_deal(rng, RULES[rng.choice(list(RULES))], fault=fault)
        planted = deal.planted
        if planted is None:
            continue
        at = next(place for place, one in enumerate(deal.plays) if one.card == planted.card)
        told = {(CODES[fault], planted.seat, planted.trick)}
        cut = rng.randrange(at + 1, len(deal.plays) + 1)
        for request in (hidden(rng, deal), deal.request(), deal.request(hands=True, plays=cut)):
            assert _told(request) == told, request
        part = _told(hidden(rng, deal, plays=cut))
        assert part <= told
        hid += not part
    soaked(deals=HIDDEN, not_provable=hid)


def test_plays_that_need_no_closer_look_are_judged_as_closely(soak_round: int, soaked: Any) -> None:
    """Whole and partial deals with a fault or none, some hands and the calls hidden, cards and seats confused."""
    rng = Random(6000 + soak_round)
    for name in RULES:
        deal = play_deal(rng, RULES[name], fault=rng.choice([None, *FAULTS]))
        request = hidden(rng, deal, plays=rng.choice([None, rng.randrange(1, len(deal.plays))]))
        if rng.random() < 0.5:
            request["hands"] = None
        if rng.random() < (0.8 if "double-blind" in name else 0.2):
            request["calls"] = None
        for _ in range(rng.randrange(3)):
            one, other = rng.choice(request["plays"][:: len(deal.table.seats)]), rng.choice(request["plays"])
            one["card"], other["card"] = rng.choice([other["card"], "BJ", "LJ"]), one["card"]
            one, other = rng.choices(request["plays"], k=2)
            key = rng.choice(["seat", "card"])
            one[key] = other[key]
        record = read_record(Node({key: value for key, value in request.items() if key != "rules"}), deal.rules)
        assert record is not None
        found = follow(record)
        closely = [_judge_play(found.cards, found.tricks, number) for number in range(len(record.plays))]
        assert [*_judge_plays(found.cards, found.tricks)] == closely, request
    soaked(deals=len(RULES))


def _told(request: dict[str, Any]) -> set[tuple[str, str, int]]:
    return {(one["code"], one["seat"], one["trick"]) for one in ask("replay", request)["findings"]}


@pytest.mark.parametrize("words", [("nil", 4, 4, 5), (1, 4, 4, 4), (2, 4, 4, 3)])
def test_the_number_of_spades_is_the_one_that_showed_the_bid_to_be_wrong(words: tuple[Any, ...]) -> None:
    """MIR-R2: one more than was bid, in the trick that is named; a fact, not the number of the whole record."""
    tricks = ["A5H B2H C6H D1H", "DKC A2S B4C C8C", "A3S B4S C6S D7S", "D8S A9S B10S CJS"]
    plays = [{"seat": one[0], "card": one[1:].replace("1H", "AH")} for trick in tricks for one in trick.split()]
    calls = [{"seat": seat, "call": word} for seat, word in zip("ABCD", words, strict=True)]
    record = {"rules": {"preset": "mirror"}, "seats": [*"ABCD"], "dealer": "D", "calls": calls, "plays": plays}
    found = [one for one in ask("replay", record)["findings"] if one["seat"] == "A"]
    number = 0 if words[0] == "nil" else words[0]
    assert [(one["spades"], one["shown_by"]["trick"]) for one in found] == [(number + 1, number + 2)]


@pytest.mark.parametrize(("preset", "exchange", "faults"), [("mirror", 0, 2), ("mirror", 2, 0), ("whiz", 1, 0)])
def test_no_bid_is_wrong_by_cards_that_partners_may_have_exchanged(preset: str, exchange: int, faults: int) -> None:
    """MIR-R2 beside SPADES-145: after a nil, the spades played are not those that were held at the bidding."""
    tricks = ["A2S BAH CAS DKH", "AKC BQH C3S DJH"]
    plays = [{"seat": one[0], "card": one[1:]} for trick in tricks for one in trick.split()]
    calls = [{"seat": seat, "call": word} for seat, word in zip("ABCD", (1, 6, "nil", 6), strict=True)]
    rules = {"preset": preset, "options": {"nil_exchange": exchange}}
    record = {"rules": rules, "seats": [*"ABCD"], "dealer": "D", "calls": calls, "plays": plays}
    found = [one for one in ask("replay", record)["findings"] if one["code"] == "spades-held"]
    assert len(found) == min(faults, 1)
