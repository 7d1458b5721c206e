"""What can be known of hidden cards: proofs by counting, facts that contradict each other, nothing said beyond."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from benchmarks.spades import legal_plays
from companion.engine.problems import Node, read_whole
from companion.games.spades import SPADES as SPADES_GAME
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import pack_of
from companion.rulebook.answers import check_answer
from tests.spades.asking import Json, answer, ask, codes

FOUR: Json = {"seats": ["A", "B", "C", "D"], "dealer": "D"}
WHOLE = pack_of(OPTIONS.preset().options)
CLUBS, DIAMONDS, HEARTS, SPADES = (WHOLE.named(WHOLE.suits[suit]) for suit in "CDHS")


def plays(*tricks: str) -> list[Json]:
    """Tricks as `A: 9H 2H 3H 4H`: the leader, then the cards clockwise."""
    found = []
    for trick in tricks:
        leader, cards = trick.split(": ")
        start = "ABCD".index(leader)
        found += [{"seat": "ABCD"[(start + n) % 4], "card": card} for n, card in enumerate(cards.split())]
    return found


def replay(*tricks: str, **more: Any) -> Json:
    return ask("replay", FOUR | {"plays": plays(*tricks)} | more)


def check(card: str, *, seat: str = "A", rules: Json | None = None, **position: Any) -> Json:
    request = {"position": FOUR | {"phase": "play"} | position, "move": {"type": "play", "seat": seat, "card": card}}
    return ask("check", request | ({"rules": rules} if rules else {}))


def refused(rules: Json | None = None, seat: str = "A", card: str = "9H", **position: Any) -> set[str]:
    """The pointers of an impossible position."""
    position = FOUR | {"phase": "play"} | position
    request = {"rules": rules or {}, "position": position, "move": {"type": "play", "seat": seat, "card": card}}
    status, body = answer("check", request)
    assert status == 422, body
    assert {error["code"] for error in body["errors"]} == {"impossible-position"}
    assert answer("moves", {"rules": rules or {}, "position": position})[0] == 422
    return {error["pointer"].removeprefix("/position") for error in body["errors"]}


# Nothing beyond what is known ----------------------------------------------------------------------------------------


def test_cards_shown_so_far_are_not_the_whole_hand() -> None:
    """A double blind nil plays from the top, but need not have shown the two of clubs yet."""
    rules = {"options": {"double_blind_nil": True, "first_trick": "lowest_club_strict"}}
    calls = [{"seat": s, "call": c} for s, c in zip("ABCD", ("double_blind_nil", 4, 5, 4), strict=True)]
    body = replay("A: 7C 3C 4C", rules=rules, calls=calls)
    assert body["findings"] == []
    assert body["verdicts"][4]["settled"] is None
    body = replay("A: 7C 3C 2C", rules=rules, calls=calls)
    assert [(one["code"], one["seat"], one["shown_by"]["card"]) for one in body["findings"]] == [
        ("not-the-club-holder", "A", "2C")
    ]


def test_a_revoke_of_what_may_be_a_double_blind_nil_is_not_said() -> None:
    rules = {"options": {"double_blind_nil": True}}
    tricks = ("A: 9H 2C 3H 4H", "A: 8H 7H 6H 5H")
    assert replay(*tricks, rules=rules)["findings"] == []
    calls = [{"seat": seat, "call": 3} for seat in "ABCD"]
    assert [one["code"] for one in replay(*tricks, rules=rules, calls=calls)["findings"]] == ["must-follow"]
    body = check("2S", seat="B", trick=plays("A: 9H"), trick_number=4, hand=["2S", "7H"], rules=rules)
    assert (body["verdict"], [one["fact"] for one in body["missing"]]) == ("undecided", ["calls"])


# Proofs by counting ---------------------------------------------------------------------------------------------------


def test_a_hand_of_spades_alone_is_refuted_by_the_first_spade_of_another() -> None:
    body = replay("A: AS")
    assert (body["findings"], body["verdicts"][0]["settled"]) == ([], None)
    found = replay("A: AS 5S 4C 3C")["findings"]
    assert [(one["code"], one["seat"], one["shown_by"]) for one in found] == [
        ("spades-not-broken", "A", {"trick": 1, "card": "5S", "seat": "B"})
    ]
    assert (found[0]["cards_held"], found[0]["others"]) == (12, 11)


def test_a_revoke_is_shown_by_the_three_other_hands() -> None:
    """A never shows a heart again; the others show that nobody else can hold those that are out."""
    tricks = ["D: 2H 3C 3H 4H"]
    hands = {"B": HEARTS[4:9] + DIAMONDS[:7], "C": DIAMONDS[7:] + CLUBS[3:9], "D": SPADES[:9] + CLUBS[9:12]}
    whole = {"B": ["3H"], "C": ["4H"], "D": ["2H"]}
    given = {seat: whole[seat] + hands[seat][:12] for seat in hands}
    body = replay(*tricks, hands=given, dealer="C")
    assert [(one["code"], one["seat"]) for one in body["findings"]] == [("must-follow", "A")]


def test_some_club_is_in_play_whichever_card_is_out() -> None:
    request: Json = {
        "rules": {"preset": "solo3", "options": {"first_leader": "club_two", "club_two_must_lead": True}},
        "position": {"seats": ["A", "B", "C"], "dealer": "C", "phase": "play", "trick": [], "trick_number": 1},
        "move": {"type": "play", "seat": "A", "card": "9H"},
    }
    assert ask("check", request)["verdict"] == "illegal"
    request["move"]["card"] = "4C"
    assert ask("check", request)["verdict"] == "illegal"
    request["move"]["card"] = "3C"
    body = ask("check", request)
    assert (body["verdict"], [one["fact"] for one in body["missing"]]) == ("undecided", ["lowest-club"])


def test_earlier_tricks_that_nobody_names_are_counted_too() -> None:
    """Only spades are out, so some of the cards that nobody names were spades."""
    assert check("AS", trick=[], trick_number=11, played=CLUBS + DIAMONDS + HEARTS[:12])["verdict"] == "legal"
    assert check("AS", trick=[], trick_number=8, played=CLUBS + DIAMONDS)["verdict"] == "undecided"
    body = check("AS", trick=[], trick_number=8, played=CLUBS + DIAMONDS[:12], spades_broken=False)
    assert body["verdict"] == "undecided"


def test_with_a_full_hand_it_is_the_first_trick() -> None:
    hand = [*SPADES[:12], "2H"]
    assert check("2S", trick=[], leader="A", hand=hand)["verdict"] == "illegal"
    assert check("3S", trick=[], leader="A", hand=hand[1:])["verdict"] == "undecided"


# Facts that contradict each other ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "position", "pointers"),
    [
        ({"preset": "jokers"}, {"hand": ["2C", "9H"], "trick": []}, {"/hand/0"}),
        ({}, {"trick": [{"seat": "A", "card": "BJ"}], "trick_number": 3}, {"/trick/0/card"}),
        ({"preset": "solo3", "options": {"solo3_deck": "remove_2c"}},
         {"seats": ["A", "B", "C"], "dealer": "C", "trick": [], "played": ["3C", "2C"]}, {"/played/1"}),
        ({}, {"trick": [], "trick_number": 3, "spades_broken": False, "played": ["3C", "2S"]},
         {"/spades_broken", "/played/1"}),
        ({}, {"trick": [], "trick_number": 1, "spades_broken": True}, {"/spades_broken", "/trick_number"}),
        ({}, {"trick": [], "trick_number": 2, "spades_broken": True, "played": CLUBS[:4]},
         {"/spades_broken", "/played", "/trick_number"}),
        ({}, {"trick": [], "trick_number": 13, "spades_broken": False}, {"/spades_broken", "/trick_number"}),
        ({}, {"trick": [], "trick_number": 13, "hand": ["3C", "2S"]}, {"/hand", "/trick_number"}),
        ({}, {"trick": [], "trick_number": 2, "played": CLUBS[:5]}, {"/played", "/trick_number"}),
        ({}, {"trick": [{"seat": "B", "card": "2H"}], "trick_number": 3, "leader": "C"}, {"/leader", "/trick/0/seat"}),
        ({}, {"trick": [], "trick_number": 1, "leader": "B"}, {"/leader", "/dealer"}),
    ],
    ids=["removed-two", "joker", "removed-club", "spade-played", "broken-at-first", "no-spade-among-all",
         "unbroken-at-last", "hand", "played", "leader-of-trick", "first-leader"],
)  # fmt: skip
def test_a_position_that_cannot_be_is_refused(rules: Json, position: Json, pointers: set[str]) -> None:
    assert refused(rules, **position) == pointers


@pytest.mark.parametrize(
    ("side", "seats", "dealer"),
    [("left", ["A", "dummy", "B"], "B"), ("left", ["A", "B", "dummy"], "A"), ("right", ["A", "dummy", "B"], "A")],
)
def test_a_dummy_on_the_wrong_side_of_the_dealer_contradicts_the_rules(
    side: str, seats: list[str], dealer: str
) -> None:
    """It sits at the dealer's left, or right where the table has it so, from deal to deal (SPADES-105, 106)."""
    rules = {"preset": "duo_dummy", "options": {"dummy_side": side}}
    assert refused(rules, seats=seats, dealer=dealer, trick_number=3) == {"/seats", "/dealer"}
    record = {"rules": rules, "seats": seats, "dealer": dealer, "plays": []}
    assert [one["why"] for one in ask("replay", record)["findings"]] == ["dummy-side"]
    other = "A" if dealer == "B" else "B"
    assert ask("replay", record | {"dealer": other})["findings"] == []
    assert ask("replay", record | {"dealer": None})["findings"] == []


def test_two_cards_of_one_player_in_a_trick_contradict_each_other() -> None:
    trick = [{"seat": "A", "card": "2H"}, {"seat": "A", "card": "3H"}]
    assert refused(seat="B", trick=trick, trick_number=3) == {"/trick/0/seat", "/trick/1/seat"}


@pytest.mark.parametrize(("second_round", "times"), [(False, 2), (True, 3)])
def test_more_calls_of_one_player_than_rounds_contradict_each_other(second_round: bool, times: int) -> None:
    """SPADES-010, 131: everybody calls once, or twice; before the lead and after it."""
    rules = {"options": {"second_round": second_round}}
    calls = [{"seat": "A", "call": 4}] * times
    assert refused(rules, trick_number=3, calls=calls) == {f"/calls/{place}/seat" for place in range(times)}
    position = FOUR | {"phase": "bidding", "calls": calls[1:]}
    move = {"type": "call", "seat": "B", "call": 4}
    assert answer("check", {"rules": rules, "position": position, "move": move})[0] == 200


def test_a_removed_two_in_a_hand_is_refused_before_play_too() -> None:
    request = {
        "rules": {"preset": "jokers"},
        "position": FOUR | {"phase": "bidding", "calls": [], "hand": ["2D"]},
        "move": {"type": "call", "seat": "A", "call": 4},
    }
    assert answer("check", request)[1]["errors"][0]["code"] == "impossible-position"


def test_a_move_that_cannot_be_is_judged() -> None:
    assert check("BJ", trick=[], trick_number=3)["breaches"][0]["code"] == "card-not-in-pack"
    assert check("2C", trick=[], trick_number=3, played=CLUBS[:8])["breaches"][0]["code"] == "card-already-played"
    assert check("2C", trick=[], trick_number=13, hand=["3C"])["breaches"][0]["code"] == "card-not-in-hand"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"hands": {"B": [*CLUBS[:12], "5H"]}, "plays": plays("A: 9H 2C 5H")}, "played-by-another"),
        ({"hands": {"A": CLUBS}, "plays": plays("A: 9H")}, "not-in-hand"),
        ({"rules": {"preset": "jokers"}, "hands": {"A": CLUBS}, "plays": []}, "not-in-pack"),
        ({"leader": "B", "plays": []}, "leader-against-rule"),
        ({"dealer": None, "leader": "B", "plays": plays("A: 9H")}, "leader-not-first"),
        ({"plays": [{"seat": "A", "card": card} for card in CLUBS + DIAMONDS[:1]]}, "too-many-cards"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_record_that_contradicts_itself_is_a_finding(record: Json, why: str) -> None:
    found = [one for one in ask("replay", FOUR | record)["findings"] if one["code"] == "record-contradicts"]
    assert [one["why"] for one in found] == [why]


def test_a_hand_that_contradicts_the_plays_accuses_nobody() -> None:
    """B's hand has the five of hearts, which C played: so it says nothing about what B could have followed with."""
    record = {"hands": {"B": [*CLUBS[:12], "5H"]}, "plays": plays("A: 9H 2C 5H 3H")}
    assert [one["code"] for one in ask("replay", FOUR | record)["findings"]] == ["record-contradicts"]


# Legal plays of a known hand ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"first_trick": "lowest_club"}, {"promoted_twos": ["2D"]}], ids=str)
@pytest.mark.parametrize("seed", range(10))
def test_legal_plays_of_a_hand_are_those_that_the_judge_allows(options: Json, seed: int) -> None:
    rng = Random(seed)
    rules = {"options": options}
    pack = pack_of(read_whole(rules, OPTIONS.read).options)
    number = 1 if "first_trick" in options else rng.randint(2, 13)
    cards = rng.sample(pack.order, 15 - number)
    hand, led = cards[1:], cards[0] if rng.random() < 0.6 else None
    free = number > 1 and rng.random() < 0.5
    trick = [{"seat": "A", "card": str(led)}] if led else []
    position = FOUR | {"phase": "play", "trick": trick, "trick_number": number, "hand": list(map(str, hand))}
    if led is None:
        position |= {"leader": "A", "spades_broken": free} if number > 1 else {}
    moves = answer("moves", {"rules": rules, "position": position, "seat": "B" if led else "A"})
    if moves[0] == 422:  # no deal leaves so many spades unbroken
        return
    suit = pack.suits[pack.suit(led)] if led else 0
    legal = legal_plays(pack, pack.mask(hand), suit, free=free, first="first_trick" in options)
    assert {move["card"] for move in moves[1]["moves"]} == set(pack.named(legal))


# Sentences that are true ----------------------------------------------------------------------------------------------


def said(call: Any, options: Json, totals: Json, *, seats: str = "ABCD", looked: bool = False) -> str:
    """The sentences of the verdict on a first call, in English."""
    rules = read_whole({"options": options}, OPTIONS.read).options
    position = {"phase": "bidding", "seats": list(seats), "dealer": seats[-1], "calls": [], "totals": totals}
    move = {"type": "call", "seat": "A", "call": call, "looked": looked}
    body = check_answer(SPADES_GAME, SPADES_GAME.judge(rules, Node(position), Node(move)), "en")
    return " ".join(one["text"] for one in body["breaches"] + body["because"])


def test_who_leads_is_not_said_to_be_behind() -> None:
    text = said("double_nil", {"double_nil_deficit": 0}, {"A+C": 100, "B+D": 0})
    assert text == "The hand has not been looked at."
    assert "not behind" in said("double_nil", {}, {"A+C": 100, "B+D": 0})
    assert "40 points behind" in said("double_nil", {}, {"A+C": 0, "B+D": 40})


def test_who_plays_alone_has_no_partner() -> None:
    options = {"mode": "solo4", "blind_bid": True, "blind_deficit": 0}
    assert said("blind_6", options, {}) == "The hand has not been looked at."
    options = {"blind_bid": True, "blind_deficit": 100}
    assert said("blind_6", options, {"A+C": 0, "B+D": 100}).startswith("Neither partner has looked")


def test_the_replay_names_who_led_and_who_has_not_bid() -> None:
    calls = [{"seat": seat, "call": 3} for seat in "ABC"]
    found = replay("A: 9H 2H", calls=calls)["findings"]
    assert [(one["code"], one["seat"], one["next"]) for one in found] == [("missing-bid", "A", "D")]


def test_an_illegal_verdict_asks_for_nothing() -> None:
    body = check("BJ", trick=[], trick_number=1, leader="A", seat="B", rules={})
    assert (body["verdict"], body["missing"]) == ("illegal", [])
    body = check("2S", seat="C", trick=plays("A: 9H"), trick_number=4)
    assert (body["verdict"], body["missing"]) == ("illegal", [])


def test_a_two_cannot_be_removed_and_promoted() -> None:
    options = {"mode": "solo3", "solo3_deck": "remove_2c", "promoted_twos": ["2C"]}
    assert codes({"rules": {"options": options}}, "rules") == {"options-conflict"}


# Exchanges and discards -----------------------------------------------------------------------------------------------


def test_hands_are_played_from_after_the_exchange() -> None:
    """A gave hearts away and got clubs, so discarding a club on hearts is no revoke; C now follows."""
    a, c = HEARTS[:2] + DIAMONDS[:11], CLUBS[:2] + SPADES[:11]
    calls = [{"seat": s, "call": call} for s, call in zip("ABCD", ("nil", 3, 4, 3), strict=True)]
    record = {
        "rules": {"options": {"nil_exchange": 2}}, "calls": calls, "hands": {"A": a, "C": c}, "dealer": "C",
        "exchanges": [{"side": "A+C", "counts": [2, 2], "cards": {"A": HEARTS[:2], "C": CLUBS[:2]}}],
    }  # fmt: skip
    record["calls"] = [calls[3], *calls[:3]]
    body = replay("D: AH 2C KH 2H", **record)
    assert body["findings"] == []
    assert [one["move"]["type"] for one in body["verdicts"]][4:6] == ["exchange", "play"]
    record["exchanges"] = []
    found = [(one["seat"], one["why"]) for one in replay("D: AH 2C KH 2H", **record)["findings"]]
    assert found == [(seat, why) for seat in "AC" for why in ("played-by-another", "not-in-hand")]


def test_a_card_received_is_held() -> None:
    """C got two hearts, and fails to follow at once: nobody needs to see them played."""
    calls = [{"seat": s, "call": call} for s, call in zip("DABC", (3, "nil", 3, 4), strict=True)]
    exchange = {"side": "A+C", "counts": [2, 2], "cards": {"A": ["2H", "3H"], "C": ["2C", "3C"]}}
    record = {"rules": {"options": {"nil_exchange": 2}}, "calls": calls, "dealer": "C", "exchanges": [exchange]}
    found = replay("D: AH 4H 5H 9C", **record)["findings"]
    assert [(one["code"], one["seat"], one["held"]) for one in found] == [("must-follow", "C", ["2H", "3H"])]


def test_what_the_dealer_laid_aside_is_not_played() -> None:
    rules = {"options": {"deck": "jokers_dealer_discards"}}
    assert replay("A: 9H 2H", rules=rules, discards=["2C", "3C"])["findings"] == []
    found = replay("A: 9H 2H 2C", rules=rules, discards=["2C", "3C"])["findings"]
    assert [(one["code"], one["why"]) for one in found] == [("record-contradicts", "discard-played")]


DISCARDING: Json = {"options": {"deck": "jokers_dealer_discards"}}


@pytest.mark.parametrize("options", [{"first_leader": "club_two"}, {"first_trick": "lowest_club_strict"}])
@pytest.mark.parametrize("discards", [["2C", "5H"], ["2C", "3C"]])
def test_the_next_club_is_the_lowest_where_the_lowest_was_laid_aside(
    options: dict[str, str], discards: list[str]
) -> None:
    rules = {"options": DISCARDING["options"] | options}
    lead, other = ("3C", "4C") if "3C" not in discards else ("4C", "5C")
    fair = replay(f"D: {lead} {other} TC JC", rules=rules, discards=discards)
    assert fair["findings"] == []
    found = replay(f"D: {other} {lead} TC JC", rules=rules, discards=discards)["findings"]
    assert [(one["code"], one["seat"], one["lowest"]) for one in found] == [("not-the-club-holder", "D", lead)]


def contradictions(*tricks: str, **more: Any) -> list[tuple[str, str]]:
    return [(one["seat"], one["why"]) for one in replay(*tricks, **more)["findings"]]


def test_a_card_is_in_one_place_only() -> None:
    """Discards, hands as played from, and cards given away by somebody else."""
    hand = HEARTS[:13]
    assert contradictions(rules=DISCARDING, discards=["2H", "3C"], hands={"B": hand}) == [("B", "two-places")]
    assert contradictions(discards=["2C", "3C"]) == [("", "no-discards")]
    request = FOUR | {"plays": [], "discards": ["2C", "2C"], "rules": DISCARDING}
    assert codes(request, "replay") == {"duplicate-card"}
    exchange = {"side": "A+C", "counts": [2, 2], "cards": {"A": ["2H", "3C"], "C": ["4C", "5C"]}}
    calls = [{"seat": s, "call": call} for s, call in zip("ABCD", ("nil", 3, 4, 3), strict=True)]
    record = {"rules": {"options": {"nil_exchange": 2}}, "calls": calls, "exchanges": [exchange]}
    assert contradictions(hands={"B": hand}, **record) == [("B", "two-places"), ("C", "two-places")]


def test_what_stays_of_a_hand_after_cards_were_given_away_unseen() -> None:
    """A had six clubs and gave two cards: four are left at least, and those are not with the opponents."""
    calls = [{"seat": s, "call": call} for s, call in zip("ABCD", ("nil", 3, 4, 3), strict=True)]
    record = {
        "rules": {"options": {"nil_exchange": 2}}, "calls": calls, "hands": {"A": CLUBS[:6] + HEARTS[:7]},
        "exchanges": [{"side": "A+C", "counts": [2, 2]}], "leader": "A",
    }  # fmt: skip
    found = replay("A: 9D TD JD QD", "D: QC 5S", **record)["findings"]
    assert [(one["code"], one["seat"]) for one in found] == [("must-follow", "A")]
    assert replay("A: 9D TD JD QD", "D: QC 2H", **record | {"hands": {"A": CLUBS[:2] + HEARTS[:11]}})["findings"] == []
    assert contradictions("A: 9D 2C 3D 4D", **record) == [("A", "played-by-another")]
    assert contradictions("A: 9D TD 2C JD", **record) == []


def test_a_bid_that_nobody_may_make_binds_no_partner() -> None:
    calls = [{"seat": s, "call": call} for s, call in zip("ABCD", (14, 3, 4, 3), strict=True)]
    assert [(one["code"]) for one in replay(calls=calls)["findings"]] == ["bid-range"]


def test_who_has_drawn_has_looked() -> None:
    """SPADES-104: a double nil comes before the first card of the pack; turns to draw alternate."""
    position = {"seats": ["X", "Y"], "dealer": "X", "phase": "bidding", "calls": [], "totals": {"X": 200, "Y": 0}}
    call = {"type": "call", "seat": "Y", "call": "double_nil", "looked": False}
    request = {"rules": {"preset": "duo_draw"}, "move": call}
    assert ask("check", request | {"position": position | {"turns": []}})["verdict"] == "legal"
    body = ask("check", request | {"position": position | {"turns": ["Y"]}})
    assert [one["code"] for one in body["breaches"]] == ["already-looked"]
    assert codes(request | {"position": position | {"turns": ["X", "X"]}}, "check") == {"impossible-position"}


def test_cards_that_an_exchange_names_were_in_the_givers_hands() -> None:
    """SPADES-028: a fact that a move names counts as told, but no card is in two hands."""
    calls = [{"seat": "A", "call": "double_nil", "looked": False}, *({"seat": seat, "call": 3} for seat in "BCD")]
    position = {"phase": "bidding", "seats": list("ABCD"), "dealer": "D", "calls": calls, "totals": {"B+D": 200}}
    move = {"type": "exchange", "side": "A+C", "counts": [2, 2], "cards": {"A": ["AS", "KS"], "C": ["2C", "3C"]}}
    request: Json = {"rules": {}, "position": position, "move": move}
    assert answer("check", request)[1]["verdict"] == "legal"
    elsewhere = {"hands": {"B": ["KS", "2D"]}}
    body = answer("check", request | {"position": position | elsewhere})[1]
    assert [(one["code"], one["facts"]["card"]) for one in body["breaches"]] == [("card-not-in-hand", "KS")]


def test_what_a_side_gave_away_is_no_proof_by_numbers() -> None:
    """SPADES-036 with 145: eleven of the hearts are still in the hand that led a spade, whichever two were given."""
    calls = [{"seat": "A", "call": "nil"}, *({"seat": seat, "call": 3} for seat in "BCD")]
    record: Json = {"rules": {"options": {"nil_exchange": 2}}, "seats": list("ABCD"), "dealer": "D", "calls": calls}
    record["exchanges"] = [{"side": "A+C", "counts": [2, 2]}]
    record["hands"] = {"A": HEARTS[:13]}
    record["plays"] = [
        {"seat": seat, "card": card} for seat, card in zip("ABCD", ("AS", "3S", "4S", "5S"), strict=True)
    ]
    (found,) = answer("replay", record)[1]["findings"]
    assert (found["code"], found["seat"], found["held"]) == ("spades-not-broken", "A", [])
    assert "cards_held" not in found
    twice = answer("replay", record | {"plays": [], "exchanges": record["exchanges"] * 2})[1]
    assert [one["code"] for one in twice["findings"]] == ["exchange-twice"]


def test_cards_are_exchanged_before_any_is_played() -> None:
    calls = [{"seat": "A", "call": "nil"}, *({"seat": seat, "call": 3} for seat in "BCD")]
    position = {"phase": "play", "seats": list("ABCD"), "dealer": "D", "calls": calls, "played": ["KS"]}
    move = {"type": "exchange", "side": "A+C", "counts": [2, 2]}
    asked: Json = {"rules": {"options": {"nil_exchange": 2}}, "position": position, "move": move}
    assert [one["code"] for one in answer("check", asked)[1]["breaches"]] == ["exchange-too-late"]


def test_of_two_equal_cards_one_may_be_given_away() -> None:
    """SIX-R5: the other one stays in the hand, or is in that of somebody else; nobody gives more than there are."""
    calls = [{"seat": seat, "call": "nil" if seat == "A" else 2} for seat in "ABCDEF"]
    hand = [rank + suit for suit in "HC" for rank in ("3", "4", "5", "6", "7", "8", "9")]
    other = [rank + suit for suit in "DS" for rank in ("3", "4", "5", "6", "7", "8", "9")]
    a, d = ["3H", *hand, "10H", "JH"], [*other, "4H", "10D", "JD"]
    rules = {"preset": "partners6", "options": {"nil_exchange": 1}}
    table = {"seats": [*"ABCDEF"], "dealer": "F", "calls": calls}
    for given, fault in (("3H", None), ("4H", None), ("AS", "card-not-in-hand")):
        exchange = {"side": "A+D", "counts": [1, 1], "cards": {"A": [given], "D": ["4D"]}}
        for hands in ({"A": a, "D": d}, {"A": a, "B": d}):
            asked = {"rules": rules, "position": {**table, "hands": hands}, "move": {"type": "exchange", **exchange}}
            body = answer("check", asked)[1]
            assert "breaches" in body, body
            breaches = body["breaches"]
            assert [one["code"] for one in breaches] == [fault] * (fault is not None), (given, hands)
    record: Json = {"rules": rules, **table, "hands": {"A": a, "D": d}}
    record["exchanges"] = [{"side": "A+D", "counts": [1, 1], "cards": {"A": ["3H"], "D": ["4D"]}}]
    plays = [
        {"seat": seat, "card": card} for seat, card in zip("ABCDEF", ("3H", "5S", "6S", "3H", "7S", "8S"), strict=True)
    ]
    found = answer("replay", record | {"plays": plays})[1]
    assert [one["code"] for one in found["findings"]] == []
    twice = record | {"exchanges": [{**record["exchanges"][0], "counts": [2, 1], "cards": {"A": ["4H", "4H"]}}]}
    assert "given-not-held" in str(answer("replay", twice | {"plays": []})[1]["findings"])
