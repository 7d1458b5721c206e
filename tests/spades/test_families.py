"""Spades as clubs and apps play it, worked out by hand: a line a case, at least fifteen for each preset.

A side is written `5/6` for 5 bid and 6 taken, `4/7n1` with a nil of the side that took 1 of these, `-` without number.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion.engine.dialogue import Context, State
from companion.games.spades.asks import QUESTIONS
from companion.games.spades.rules import OPTIONS
from tests.spades.asking import answer, ask, codes

Json = dict[str, Any]
TIME_UP = "time"
SIDES = {"partners6": "ABC", "solo3_jokers": "ABC"}
SEATS = {"partners6": "ABCDEF", "solo3_jokers": "ABC"}


def facts(preset: str, written: str) -> Json:
    """A deal from its sides."""
    if written == "void":
        return {"void": True}
    deal: Json = {}
    for side, one in zip(SIDES.get(preset, "AB"), written.split(), strict=False):
        bid, tricks, nils = re.fullmatch(r"(\d+|-)/(\d+)((?:n\d+)*)", one).groups()  # type: ignore[union-attr]
        deal[side] = {"bid": None if bid == "-" else int(bid), "tricks": int(tricks)}
        if nils:
            deal[side]["nils"] = [{"call": "nil", "tricks": int(count)} for count in nils[1:].split("n")]
    return deal | ({"time_up": True} if written.endswith(TIME_UP) else {})


def request(preset: str, *deals: str, **options: object) -> Json:
    sides = [*SIDES.get(preset, "AB")]
    rules = {"preset": preset, "options": options}
    return {"rules": rules, "sides": sides, "deals": [facts(preset, one) for one in deals]}


POINTS: list[tuple[str, str, str]] = [
    # no nil, at least 4, overtricks nothing, 200 from ten up, a failed ten costs 10 a trick
    ("club_350", "4/4 4/9", "40 40"),
    ("club_350", "5/8 4/5", "50 40"),
    ("club_350", "9/9 4/4", "90 40"),
    ("club_350", "10/10 4/3", "200 -40"),
    ("club_350", "11/13 4/0", "200 -40"),
    ("club_350", "13/13 4/0", "200 -40"),
    ("club_350", "10/9 4/4", "-100 40"),
    ("club_350", "12/11 4/2", "-120 -40"),
    # nil 50, a ten is 200 or -100, eleven is 110, overtricks nothing, a failed nil's tricks help
    ("four_deals", "5/7 5/6", "50 50"),
    ("four_deals", "10/10 3/3", "200 30"),
    ("four_deals", "10/12 1/1", "200 10"),
    ("four_deals", "10/9 3/4", "-100 30"),
    ("four_deals", "11/11 2/2", "110 20"),
    ("four_deals", "4/5n0 6/8", "90 60"),
    ("four_deals", "4/5n1 6/8", "-10 60"),
    ("four_deals", "-/3n0n3 6/10", "0 60"),
    # one nil a side, a failed nil's tricks are bags alone
    ("suicide", "5/6n0 4/7n0", "151 143"),
    ("suicide", "4/4n0 4/9n1", "140 -55"),
    ("suicide", "6/5n0 4/8n0", "40 144"),
    ("suicide", "4/5n2 5/8n0", "-138 153"),
    ("suicide", "13/13n0 4/0n0", "230 60"),
    ("mirror", "6/6 7/7", "60 70"),
    ("mirror", "6/7 7/6", "61 -70"),
    ("mirror", "3/5n0 10/8", "132 -100"),
    ("mirror", "-/1n0n1 13/12", "0 -130"),
    ("whiz", "6/6 6/7", "60 61"),
    ("whiz", "3/5n2 4/8", "-68 44"),
    ("whiz", "-/0n0n0 13/13", "200 130"),
    ("whiz", "1/1n0 1/12n0", "110 21"),
    # seventeen tricks, three pairs
    ("partners6", "5/6 4/3 6/8", "51 -40 62"),
    ("partners6", "17/17 1/0 1/0", "170 -10 -10"),
    ("partners6", "4/6n0 5/5 6/6", "142 50 60"),
    ("partners6", "4/6n1 5/5 6/6", "-58 50 60"),
    ("partners6", "4/3 5/4 9/10", "-40 -50 91"),
    # eighteen tricks, each alone
    ("solo3_jokers", "6/9 5/5 4/4", "63 50 40"),
    ("solo3_jokers", "18/18 1/0 1/0", "180 -10 -10"),
    ("solo3_jokers", "-/0n0 9/9 9/9", "100 90 90"),
    ("solo3_jokers", "-/2n2 9/9 7/7", "-100 90 70"),
    ("solo3_jokers", "0/3 8/8 7/7", "3 80 70"),
]
REFUSED: list[tuple[str, str, str]] = [
    ("club_350", "3/5 4/8", "below-minimum"), ("club_350", "4/5n0 4/8", "call-not-played"),
    ("four_deals", "0/3 5/10", "bid-range"), ("four_deals", "5/6 5/6", "tricks-total"),
    ("suicide", "5/6 4/7n0", "suicide"), ("suicide", "-/6n3n3 4/7n0", "suicide"),
    ("suicide", "3/6n0 4/7n0", "below-minimum"), ("suicide", "5/6n0 1/7n0", "below-minimum"),
    ("mirror", "6/6 6/7", "mirror-total"), ("mirror", "7/6 7/7", "mirror-total"),
    ("whiz", "7/6 7/7", "mirror-total"), ("whiz", "0/6 6/7", "bid-range"),
    ("partners6", "5/6 4/3 6/9", "tricks-total"), ("partners6", "5/6 4/5n3n1 6/6", "bid-with-nil"),
    ("partners6", "35/6 4/3 6/8", "bid-range"),
    ("solo3_jokers", "6/9 5/5 4/3", "tricks-total"), ("solo3_jokers", "19/9 5/5 4/4", "bid-range"),
]  # fmt: skip
ENDS: list[tuple[str, list[str], str, str]] = [
    # sets come before the target; who has fewer wins; with as many the higher total
    ("club_350", ["13/13 4/0", "10/10 4/3"], "A", "sets-lose"),
    ("club_350", ["5/4 10/9", "6/5 9/8"], "A", "sets-lose"),
    ("club_350", ["8/6 8/7", "8/6 8/7"], "", "tie"),
    ("club_350", ["8/6 8/7", "8/6 8/7", "4/4 4/9"], "", "tie"),
    ("club_350", ["8/6 8/7", "8/6 8/7", "5/5 4/8"], "A", "sets-lose"),
    ("club_350", ["9/9 4/4"] * 4, "A", "target"),
    ("club_350", ["9/9 4/4", "9/8 4/5", "4/4 4/9"], "", ""),
    ("four_deals", ["5/7 5/6"] * 3, "", ""),
    ("four_deals", ["5/7 4/6"] * 4, "A", "deals-limit"),
    ("four_deals", ["5/7 5/6"] * 4, "", "tie"),
    ("four_deals", ["5/7 5/6"] * 4 + ["5/7 4/6"], "A", "deals-limit"),
    ("four_deals", ["5/7 4/6", "void", "5/7 4/6", "5/7 4/6"], "", ""),
    ("four_deals", ["10/13 1/0"] * 3, "", ""),
    ("four_deals", ["5/7 4/6 " + TIME_UP], "A", "time-up"),
    ("four_deals", ["5/7 5/6 " + TIME_UP], "", "tie"),
    ("four_deals", ["5/7 5/6 " + TIME_UP, "5/7 4/6"], "A", "time-up"),
    ("suicide", ["4/4n1 4/9n0"] * 2, "B", "loss-limit"),
    ("suicide", ["13/13n0 4/0n0"] * 3, "A", "target"),
    ("mirror", ["13/13 -/0n0n0"] * 3, "B", "target"),
    ("mirror", ["6/7 7/6"] * 2, "", ""),
    ("mirror", ["6/7 7/6"] * 3, "A", "loss-limit"),
    ("whiz", ["6/7 6/6"] * 9, "A", "target"),
    ("partners6", ["17/17 1/0 1/0"] * 3, "A", "target"),
    ("solo3_jokers", ["9/9 5/5 4/4"] * 6, "A", "target"),
]
HANDS = {
    4: "4S 9S KS AS 8H 7D JH 6D 2D 3C 5H 6H 7H", 1: "AS 2H 3H 8H 7D JH 6D 2D 3C 5H 6H 7H KC",
    0: "QH 2H 3H 8H 7D JH 6D 2D 3C 5H 6H 7H KC", 13: "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS",
}  # fmt: skip
CALLS: list[tuple[str, str, int | None, int | str, str]] = [
    # calls before, spades held, the call, and its verdict or the code of its breach
    ("club_350", "4", None, 5, "legal"),
    ("club_350", "4 5", None, 6, "legal"),
    ("club_350", "2", None, 1, "below-minimum"),
    ("club_350", "", None, "nil", "call-not-played"),
    ("club_350", "4 5 6", None, 0, "bid-range"),
    ("four_deals", "", None, "double_nil", "call-not-played"),
    ("four_deals", "3 nil", None, 4, "legal"),
    ("suicide", "", None, "nil", "legal"),
    ("suicide", "", None, 4, "legal"),
    ("suicide", "", None, 3, "below-minimum"),
    ("suicide", "", None, "double_nil", "call-not-played"),
    ("suicide", "nil 4", None, "nil", "suicide"),
    ("suicide", "5 nil", None, 5, "suicide"),
    ("suicide", "5 nil", None, "nil", "legal"),
    ("suicide", "nil nil", None, 13, "legal"),
    ("suicide", "nil nil 4", None, 1, "below-minimum"),
    ("mirror", "", 4, 4, "legal"),
    ("mirror", "", 4, 3, "spades-held"),
    ("mirror", "3", 4, 5, "spades-held"),
    ("mirror", "", 4, "nil", "spades-held"),
    ("mirror", "", 0, "nil", "legal"),
    ("mirror", "", 0, 1, "spades-held"),
    ("mirror", "", 0, 0, "bid-range"),
    ("mirror", "", None, 3, "undecided"),
    ("mirror", "", None, "nil", "undecided"),
    ("mirror", "nil nil nil", 13, 13, "legal"),
    ("whiz", "", 4, 4, "legal"),
    ("whiz", "", 4, "nil", "legal"),
    ("whiz", "", None, "nil", "legal"),
    ("whiz", "", 4, 5, "spades-held"),
    ("whiz", "", 1, 1, "legal"),
    ("whiz", "", 1, 2, "spades-held"),
    ("whiz", "", None, 2, "undecided"),
    ("whiz", "", 0, 0, "bid-range"),
    ("partners6", "", None, 17, "legal"),
    ("partners6", "", None, 18, "bid-range"),
    ("partners6", "4 5 6", None, 1, "legal"),
    ("partners6", "4 5 6 3 2", None, "nil", "legal"),
    ("solo3_jokers", "", None, 18, "legal"),
    ("solo3_jokers", "4", None, 19, "bid-range"),
    ("solo3_jokers", "4 nil", None, "nil", "legal"),
]
ORDER = {"club_350": "ACBD"}
TRICKS: list[tuple[str, str, str]] = [
    # the cards of a first trick in turn, and who wins it
    ("club_350", "KS AS 2S 3S", "C"), ("club_350", "KH LJ 2S BJ", "D"), ("club_350", "KH 3H AH 5C", "C"),
    ("mirror", "KH 3H AH 5C", "C"), ("whiz", "KH 3H 2S AH", "C"), ("suicide", "KH 3H AH 5C", "C"),
    ("partners6", "KH 3H 5H 7H KH 2H", "E"), ("partners6", "KH KH 5H 7H AH 2H", "E"),
    ("partners6", "KH 3S 5H 3S 7H 2H", "D"), ("partners6", "3C 3C 4C 4C 5H 2H", "D"),
    ("partners6", "AS KS QS AS 2H 3H", "D"), ("partners6", "AH AH KH QH JH 10H", "B"),
    ("solo3_jokers", "AS LJ BJ", "C"), ("solo3_jokers", "2C 3C KH", "B"), ("solo3_jokers", "2C BJ AC", "B"),
    ("solo3_jokers", "KS LJ AS", "B"),
]  # fmt: skip


def ids(row: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in row)


@pytest.mark.parametrize("row", POINTS, ids=ids)
def test_points(row: tuple[str, str, str]) -> None:
    preset, written, points = row
    (deal,) = ask("score", request(preset, written))["deals"]
    assert [side["points"] for side in deal["sides"].values()] == [int(one) for one in points.split()]


@pytest.mark.parametrize("row", REFUSED, ids=ids)
def test_entries_that_cannot_be(row: tuple[str, str, str]) -> None:
    preset, written, code = row
    asked = request(preset, written)
    assert code in codes(asked)
    if code in ("mirror-total", "suicide", "below-minimum"):
        asked["deals"][0]["accept"] = [{"code": code, "reason": "so it was"}]
        assert codes(asked) == set()


@pytest.mark.parametrize("row", ENDS, ids=ids)
def test_ends(row: tuple[str, list[str], str, str]) -> None:
    preset, deals, winner, reason = row
    outcome = ask("score", request(preset, *deals))["outcome"]
    assert (outcome["over"], outcome["winners"]) == (bool(winner), [*winner])
    assert (outcome["reason"] or "spades.") == f"spades.{reason}"


@pytest.mark.parametrize("row", CALLS, ids=ids)
def test_calls(row: tuple[str, str, int | None, int | str, str]) -> None:
    preset, before, spades, call, expected = row
    seats = SEATS.get(preset, "ABCD")
    order, words = ORDER.get(preset, seats), before.split()
    calls = [
        {"seat": seat, "call": int(one) if one.isdigit() else one} for seat, one in zip(order, words, strict=False)
    ]
    position: Json = {"seats": [*seats], "dealer": seats[-1], "phase": "bidding", "calls": calls}
    if spades is not None:
        position["hand"] = HANDS[spades].split()
    move = {"type": "call", "seat": order[len(calls)], "call": call, "looked": False}
    found = ask("check", {"rules": {"preset": preset}, "position": position, "move": move})
    assert expected in (found["verdict"], *(breach["code"] for breach in found["breaches"]))


@pytest.mark.parametrize("row", TRICKS, ids=ids)
def test_tricks(row: tuple[str, str, str]) -> None:
    preset, cards, winner = row
    seats = SEATS.get(preset, "ABCD")
    plays = [{"seat": seat, "card": card} for seat, card in zip(seats, cards.split(), strict=True)]
    record = {"rules": {"preset": preset}, "seats": [*seats], "dealer": seats[-1], "plays": plays}
    assert ask("replay", record)["tricks"][0]["winner"] == winner


def test_every_preset_has_fifteen_cases() -> None:
    rows: list[tuple[Any, ...]] = [*POINTS, *REFUSED, *ENDS, *CALLS, *TRICKS]
    counted = Counter(row[0] for row in rows)
    assert min(counted.values()) >= 15
    assert len(counted) == 7


def test_of_equal_cards_the_earlier_wins_where_the_table_says_so() -> None:
    cards = ["KH", "3H", "5H", "7H", "KH", "2H"]
    plays = [{"seat": seat, "card": card} for seat, card in zip("ABCDEF", cards, strict=True)]
    rules = {"preset": "partners6", "options": {"equal_cards": "earlier"}}
    record = {"rules": rules, "seats": [*"ABCDEF"], "dealer": "F", "plays": plays}
    assert ask("replay", record)["tricks"][0]["winner"] == "A"


def test_a_third_copy_is_one_too_many_and_one_hand_may_hold_two() -> None:
    position: Json = {
        "seats": [*"ABCDEF"], "dealer": "F", "phase": "play", "trick_number": 2, "leader": "A",
        "trick": [{"seat": "A", "card": "KH"}], "played": ["KH"], "spades_broken": False,
    }  # fmt: skip
    asked = {
        "rules": {"preset": "partners6"},
        "position": position,
        "move": {"type": "play", "seat": "B", "card": "KH"},
    }
    assert [breach["code"] for breach in ask("check", asked)["breaches"]] == ["card-twice"]
    position["hand"] = ["KH", "2D"]
    assert "card-twice" in codes(asked, "check")
    position |= {"hand": ["KD", "KD", "2S"], "played": []}
    asked["move"] = {"type": "play", "seat": "B", "card": "KD"}
    assert ask("check", asked)["verdict"] == "legal"


def test_a_low_bidding_is_thrown_in_and_refused_on_a_sheet() -> None:
    rules = {"preset": "modern", "options": {"least_total": 11}}
    calls = [{"seat": seat, "call": call} for seat, call in zip("ABC", (3, 2, "nil"), strict=True)]
    position = {"seats": [*"ABCD"], "dealer": "D", "phase": "bidding", "calls": calls}
    for call, thrown in ((5, True), (6, False)):
        found = ask(
            "check", {"rules": rules, "position": position, "move": {"type": "call", "seat": "D", "call": call}}
        )
        assert found["verdict"] == "legal"
        assert ("thrown_in" in found["effect"]) is thrown
    deal = {"A": {"bid": 3, "tricks": 6, "nils": [{"call": "nil", "tricks": 0}]}, "B": {"bid": 7, "tricks": 7}}
    assert codes({"rules": rules, "sides": ["A", "B"], "deals": [deal]}) == {"total-too-low"}


def test_six_are_behind_the_best_of_the_others() -> None:
    position = {"seats": [*"ABCDEF"], "dealer": "F", "phase": "bidding", "calls": []}
    move = {"type": "call", "seat": "A", "call": "double_nil", "looked": False}
    for best, verdict in ((100, "legal"), (99, "illegal")):
        totals = {"A+D": 0, "B+E": 50, "C+F": best}
        asked = {"rules": {"preset": "partners6"}, "position": position | {"totals": totals}, "move": move}
        assert ask("check", asked)["verdict"] == verdict


@pytest.mark.parametrize(("bid", "shown"), [(1, 2), (3, 2)])
def test_a_wrong_mirror_bid_shows_in_the_play(bid: int, shown: int) -> None:
    """One spade more than bid proves it at once; one fewer only with the last trick."""
    hands = {
        "A": "AS KS AH KH QH JH 10H 9H 8H 7H 6H 5H 4H", "B": "QS JS 10S 3H 2H AD KD QD JD 10D 9D 8D 7D",
        "C": "9S 8S 7S 6D 5D 4D 3D 2D AC KC QC JC 10C", "D": "6S 5S 4S 3S 2S 9C 8C 7C 6C 5C 4C 3C 2C",
    }  # fmt: skip
    calls = [{"seat": seat, "call": call} for seat, call in zip("ABCD", (bid, 3, 3, 5), strict=True)]
    record: Json = {
        "rules": {"preset": "mirror", "options": {"lead_spades_anytime": True}}, "seats": [*"ABCD"], "dealer": "D",
        "calls": calls, "plays": [],
    }  # fmt: skip
    assert ask("replay", record | {"hands": {seat: hand.split() for seat, hand in hands.items()}})["findings"][0][
        "code"
    ] == "spades-held"  # fmt: skip
    held = {seat: hand.split() for seat, hand in hands.items()}
    for number in range(13):
        lead = held["A"][number]
        for seat in "ABCD":
            own = held[seat]
            card = lead if seat == "A" else next((c for c in own if c[-1] == lead[-1]), own[-1])
            if seat != "A":
                own.remove(card)
            record["plays"].append({"seat": seat, "card": card})
    record["rules"]["options"]["first_trick_spades"] = "free"
    found = [one for one in ask("replay", record)["findings"] if one["code"] == "spades-held" and one["seat"] == "A"]
    assert [one["spades"] for one in found] == [shown]
    assert found[0]["shown_by"]["trick"] == (2 if bid == 1 else 13)


@pytest.mark.parametrize(
    "options",
    [
        {"target": None}, {"mode": "partners6", "deck": "standard52"}, {"mode": "solo4", "deck": "jokers_added"},
        {"mode": "partners6", "promoted_twos": ["2D"]}, {"mode": "partners6", "first_leader": "club_two"},
        {"bidding_rule": "suicide", "nil": False}, {"bidding_rule": "mirror", "bid_method": "later_partner"},
        {"bidding_rule": "whiz", "mode": "duo_draw"}, {"bidding_rule": "suicide", "mode": "solo4"},
        {"least_total": 14}, {"least_total": 11, "mode": "solo4"}, {"first_bidder": "other_side", "mode": "solo4"},
        {"forbid_total_13": True, "forbidden_total": 12}, {"first_bidder": "dealer", "bid_method": "consultation"},
    ],
    ids=str,
)  # fmt: skip
def test_options_that_exclude_each_other(options: Json) -> None:
    status, body = answer("score", {"rules": {"options": options}, "sides": ["A", "B"], "deals": []})
    assert status == 422
    assert {error["code"] for error in body["errors"]} == {"options-conflict"}


@pytest.mark.parametrize("question", ["trick", "card"])
def test_a_card_of_two_packs_is_tapped_twice_on_the_referees_page(question: str) -> None:
    context = Context(OPTIONS.preset("partners6").options, State({}), tuple("ABCDEF"))
    asked = QUESTIONS[question]

    def tapped(state: str, *actions: str) -> str:
        after = State({"t": state})
        for action in actions:
            verb, _, word = action.partition(":")
            after = asked.act(context.with_state(after), verb, word)
        return after.get("t")

    assert tapped("KH", "to:t", "tap:QS", "tap:QS") == "KH.QS.QS"
    assert tapped("KH", "to:t", "tap:QS", "tap:QS", "tap:QS") == "KH"
    assert tapped("QS.KH.QS", "to:t", "back:QS") == "QS.KH"
    assert tapped("QS.KH.2D", "back:KH") == "QS.2D"
    shown = asked.page(context.with_state(State({"to": "t", "t": "KH.QS.QS"})))
    assert [str(slot.face.card) for slot in shown.slots if slot.face] == ["KH", "QS", "QS"]
    faces = {str(face.card): face for row in shown.picker.rows for face in row if face.card}
    assert (faces["QS"].mark, faces["QS"].pressed, faces["QS"].do) == ("×2", True, "tap:QS")


def test_of_two_queens_the_referee_finds_the_winning_one() -> None:
    rules = OPTIONS.preset("partners6").options
    for equal, seat in (("later", 2), ("earlier", 1)):
        context = Context(replace(rules, equal_cards=equal), State({"t": "KH.QS.QS.3H.4H.5H"}), tuple("ABCDEF"))
        assert [slot.won for slot in QUESTIONS["trick"].page(context).slots].index(True) == seat


def test_a_hand_of_two_packs_may_hold_a_card_twice() -> None:
    context = Context(OPTIONS.preset("partners6").options, State({"h": "9H.9H.2S", "t": "KH"}), tuple("ABCDEF"))
    shown = QUESTIONS["card"].page(context)
    assert "'count': 3" in str(shown.verdict)
    assert {face.mark for row in shown.picker.rows for face in row if str(face.card) == "2S"} != {""}


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("KS KS", 60), ("KS KS JS", 60), ("KS KS QS", 60), ("KS QS KS", 70), ("KS QS JS KS", 80), ("KS KS KS", None),
    ],
)  # fmt: skip
def test_equal_cards_take_last_tricks_and_make_no_sequence(cards: str, points: int | None) -> None:
    asked = request("partners6", "5/5 5/5 7/7", last_trick_bonus=True, last_sequence_bonus=True)
    asked["deals"][0]["A"]["last_tricks"] = cards.split()
    if points is None:
        assert codes(asked, "score") == {"duplicate-card"}
    else:
        assert answer("score", asked)[1]["deals"][0]["sides"]["A"]["points"] == points
