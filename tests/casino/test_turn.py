"""Turns judged article by article: what is broken and how, what stays open, what changes on the table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.dialogue import Context, State
from companion.engine.problems import Refused
from companion.engine.verdict import Verdict
from companion.games.casino.asks import Laid
from companion.games.casino.rules import OPTIONS
from tests.casino.asking import Json, anchors, ask, check, codes, turn

FOUR = ["P1", "P2", "P3", "P4"]
THREE = ["P1", "P2", "P3"]


def build(identity: str, value: int, owner: str, *sets: list[str]) -> Json:
    return {"id": identity, "value": value, "sets": list(sets), "owner": owner}


def capture(card: str, *table: str, **more: Any) -> Json:
    return {"play": "capture", "card": card, "table": list(table), **more}


def trail(card: str) -> Json:
    return {"play": "trail", "card": card}


def make(value: int, card: str | None, *table: str, **more: Any) -> Json:
    return {"play": "build", "value": value, "table": list(table), "card": card, **more}


def raised(build_id: str, to: int, card: str | None, **more: Any) -> Json:
    return {"play": "raise", "build": build_id, "to": to, "card": card, **more}


def augment(value: int, base: Json, *sets: Json, **more: Any) -> Json:
    return {"play": "augment", "value": value, "base": base, "sets": list(sets), **more}


def pile(seat: str, card: str) -> Json:
    return {"from": seat, "card": card}


NINE = build("B1", 9, "P2", ["6S", "3D"])
OWN = build("B1", 9, "P1", ["6S", "3D"])
ON_B1: Json = {"build": "B1"}

SWAZI: list[tuple[str, list[Json], Json, set[str]]] = [
    ("101 king is 13", [capture("KS", "KH", **{"as": 13})], {"table": ["KH"], "hand": ["KS"]}, set()),
    ("102 ace in a sum is 1", [capture("QS", "AH", "JD")], {"table": ["AH", "JD"], "hand": ["QS"]}, set()),
    (
        "102 ace in a sum is not 14",
        [capture("AS", "AH", "2D", **{"as": 14})],
        {"table": ["AH", "2D"]},
        {"sets-do-not-add-up"},
    ),
    ("313 value left open, one fits", [capture("AS", "KH", "AD")], {"table": ["KH", "AD"]}, set()),
    ("202 card not held", [capture("9S", "9D")], {"table": ["9D"], "hand": ["2C"]}, {"card-not-held"}),
    ("202 card lies open", [trail("9D")], {"table": ["9D"]}, {"card-seen"}),
    ("202 nothing at all", [], {"hand": ["2C"]}, {"no-hand-card"}),
    (
        "301 capture without card",
        [{"play": "capture", "table": ["9D"]}, trail("2C")],
        {"table": ["9D"]},
        {"capture-without-card"},
    ),
    ("302 equal rank only", [capture("9S", "8D")], {"table": ["8D"]}, {"sets-do-not-add-up"}),
    ("103 not on the table", [capture("9S", "9D")], {"table": ["8D"]}, {"not-loose"}),
    ("305 named twice", [capture("6S", "3H", "3H")], {"table": ["3H"]}, {"card-in-two-sets", "sets-do-not-add-up"}),
    (
        "306 everything at once",
        [capture("9S", "9D", "5C", "4H", builds=["B1"])],
        {"table": ["9D", "5C", "4H"], "builds": [NINE]},
        set(),
    ),
    (
        "308 build in a sum",
        [capture("KS", "4C", builds=["B1"])],
        {"table": ["4C"], "builds": [NINE]},
        {"build-value", "sets-do-not-add-up", "build-in-sum"},
    ),
    ("no such build", [capture("9S", builds=["B7"])], {}, {"no-such-build"}),
    (
        "310 pile",
        [capture("9S", "9D", piles=[pile("P2", "9C")])],
        {"table": ["9D"], "piles": {"P2": ["9C"]}},
        {"pile-capture"},
    ),
    (
        "501 one card is no build",
        [make(9, None, "9H"), trail("2C")],
        {"table": ["9H"], "hand": ["9C", "2C"]},
        {"build-too-small"},
    ),
    ("501 only the hand card", [make(9, "9S")], {"hand": ["9C", "9S"]}, {"build-too-small"}),
    ("501 wrong total", [make(10, "5S", "4D")], {"table": ["4D"], "hand": ["5S", "10D"]}, {"set-total"}),
    ("502 value nobody holds", [make(1, "5S", "4D")], {"table": ["4D"], "hand": ["5S", "AD"]}, {"set-total"}),
    (
        "503 build as material",
        [make(13, "4S", builds=["B1"])],
        {"builds": [NINE], "hand": ["4S", "KD"]},
        {"build-as-material", "build-too-small", "set-total"},
    ),
    (
        "504 own value too",
        [make(9, "5S", "4D")],
        {"table": ["4D"], "builds": [OWN], "hand": ["5S", "9D"]},
        {"value-taken"},
    ),
    (
        "505 two builds, one from the hand",
        [make(13, None, "JD", "2C"), make(9, "4S", "5H")],
        {"table": ["JD", "2C", "5H"], "hand": ["4S", "KD", "9D"]},
        set(),
    ),
    (
        "511 no hand card",
        [raised("B1", 10, None), trail("2C")],
        {"builds": [NINE], "hand": ["2C", "10D"]},
        {"raise-without-card"},
    ),
    (
        "511 loose card",
        [raised("B1", 12, "AS", table=["2D"])],
        {"table": ["2D"], "builds": [NINE], "hand": ["AS", "QH"]},
        {"raise-material"},
    ),
    (
        "511 pile card",
        [raised("B1", 12, "AS", piles=[pile("P2", "2D")])],
        {"piles": {"P2": ["2D"]}, "builds": [NINE], "hand": ["AS", "QH"]},
        {"raise-material", "raise-total"},
    ),
    ("512 new value not held", [raised("B1", 10, "AS")], {"builds": [NINE], "hand": ["AS", "9H"]}, {"value-not-held"}),
    (
        "513 value stands",
        [raised("B1", 10, "AS")],
        {"builds": [NINE, build("B2", 10, "P1", ["7S", "3H"])], "hand": ["AS", "10H"]},
        {"value-taken"},
    ),
    (
        "514, 518 raised again",
        [raised("B1", 12, "2S")],
        {"builds": [build("B1", 10, "P2", ["6S", "3D", "AD"])], "hand": ["2S", "QH"]},
        set(),
    ),
    ("517 wrong total", [raised("B1", 12, "2S")], {"builds": [NINE], "hand": ["2S", "QH"]}, {"raise-total"}),
    ("517 never lower", [raised("B1", 7, "2S")], {"builds": [NINE], "hand": ["2S", "7H"]}, {"raise-total"}),
    (
        "208 raise and capture",
        [raised("B1", 10, "AS"), capture("10H", builds=["B1"])],
        {"builds": [NINE], "hand": ["AS", "10H"]},
        {"second-hand-card"},
    ),
    (
        "207 fresh build captured",
        [make(13, None, "JD", "2C"), capture("KS", builds=["N1"])],
        {"table": ["JD", "2C"], "hand": ["KS"]},
        set(),
    ),
    (
        "207 pile card captured through a base",
        [augment(9, {"table": "9D"}, {"piles": [pile("P2", "9C")]}, id="X"), capture("9S", builds=["X"])],
        {"table": ["9D"], "hand": ["9S"], "piles": {"P2": ["9C"]}},
        set(),
    ),
    (
        "602 proven for the partner",
        [augment(9, {"table": "9D"}, {"card": "9S"})],
        {"seats": FOUR, "table": ["9D"], "hand": ["9S"], "proven": {"P3": [9]}},
        set(),
    ),
    (
        "603 pile base",
        [augment(9, {"pile": "9C"}, {"card": "9S"})],
        {"hand": ["9S", "9D"], "piles": {"P2": ["9C"]}},
        {"pile-base"},
    ),
    (
        "602 base of another value",
        [augment(9, {"table": "8D"}, {"card": "9S"})],
        {"table": ["8D"], "hand": ["9S", "9D"]},
        {"base-value"},
    ),
    ("606 nothing added", [augment(9, ON_B1), trail("2C")], {"builds": [OWN], "hand": ["2C", "9D"]}, {"nothing-added"}),
    (
        "607 one hand card in all",
        [augment(9, ON_B1, {"card": "9S"}, {"card": "9C"})],
        {"builds": [OWN], "hand": ["9S", "9C", "9H"]},
        {"second-hand-card"},
    ),
    (
        "608 the last one added",
        [augment(9, ON_B1, {"card": "9S"})],
        {"builds": [OWN], "hand": ["9S", "2C"]},
        {"value-not-held"},
    ),
    (
        "609 top only",
        [augment(9, ON_B1, {"piles": [pile("P2", "9C")]}), trail("2C")],
        {"builds": [OWN], "hand": ["9S", "2C"], "piles": {"P2": ["KD", "9C"]}},
        {"not-pile-top"},
    ),
    (
        "610 two of one pile",
        [augment(9, ON_B1, {"piles": [pile("P2", "5C"), pile("P2", "4C")]}), trail("2C")],
        {"builds": [OWN], "hand": ["9S", "2C"], "piles": {"P2": ["5C", "4C"]}},
        {"pile-twice-in-set"},
    ),
    (
        "612 both opponents",
        [augment(9, ON_B1, {"piles": [pile("P2", "5C"), pile("P3", "4C")]}), trail("2C")],
        {"seats": THREE, "builds": [OWN], "hand": ["9S", "2C"], "piles": {"P2": ["5C"], "P3": ["4C"]}},
        set(),
    ),
    (
        "611 the pile named by the partner's seat",
        [augment(9, ON_B1, {"piles": [pile("P4", "9C")]}), trail("2C")],
        {"seats": FOUR, "builds": [OWN], "hand": ["9S", "2C"], "piles": {"P2": ["9C"]}},
        set(),
    ),
    (
        "613 another value",
        [augment(10, ON_B1, {"table": ["10D"]}), trail("2C")],
        {"table": ["10D"], "builds": [OWN], "hand": ["9S", "10S", "2C"]},
        {"augment-value"},
    ),
    (
        "615 own card, pile card",
        [augment(9, ON_B1, {"table": ["4C"], "piles": [pile("P2", "5C")]}), capture("9S", builds=["B1"])],
        {"table": ["4C"], "builds": [NINE], "hand": ["9S"], "piles": {"P2": ["5C"]}},
        set(),
    ),
    (
        "615 hidden hand shown by the capture",
        [augment(9, ON_B1, {"table": ["9D"]}), capture("9S", builds=["B1"])],
        {"table": ["9D"], "builds": [NINE]},
        set(),
    ),
    ("619 aces as 14", [augment(14, {"table": "AD"}, {"card": "AS"})], {"table": ["AD"], "hand": ["AS", "AC"]}, set()),
    ("102 two aces as 2", [make(2, "AS", "AD")], {"table": ["AD"], "hand": ["AS", "2C"]}, set()),
    (
        "A6 one ace for 1 and 14",
        [augment(1, {"table": "AD"}, {"table": ["AC"]}), trail("2C")],
        {"table": ["AD", "AC"], "builds": [build("B1", 14, "P1", ["10S", "4D"])], "hand": ["AS", "2C"]},
        {"value-not-held"},
    ),
    (
        "A6 one ace left for 1 and 14, hand hidden",
        [augment(1, {"table": "AD"}, {"table": ["AC"]}), trail("2C")],
        {
            "table": ["AD", "AC"],
            "builds": [build("B1", 14, "P1", ["10S", "4D"]), build("B2", 13, "P2", ["AH", "QH"])],
        },
        {"value-not-held"},
    ),
    (
        "701 trail takes nothing",
        [trail("2C") | {"table": ["2D"]}],
        {"table": ["2D"], "hand": ["2C"]},
        {"trail-takes-cards"},
    ),
    ("701 trail without card", [{"play": "trail"}], {"hand": ["2C"]}, {"trail-without-card", "no-hand-card"}),
    ("704 last one trailed", [trail("9S")], {"builds": [OWN], "hand": ["9S", "2C"]}, {"capturer-used-up"}),
    (
        "704 last one raises",
        [raised("B2", 13, "9S")],
        {"builds": [OWN, build("B2", 4, "P2", ["2S", "2D"])], "hand": ["9S", "KC"]},
        {"capturer-used-up"},
    ),
    ("704 to take it", [capture("9S", builds=["B1"])], {"builds": [OWN], "hand": ["9S", "2C"]}, set()),
    (
        "A9 the partner's build is not his duty",
        [trail("9S")],
        {"seats": FOUR, "builds": [build("B1", 9, "P3", ["6S", "3D"])], "hand": ["9S", "2C"]},
        set(),
    ),
    (
        "A11 trailed card as material",
        [trail("4S"), augment(9, ON_B1, {"table": ["4S", "5D"]})],
        {"table": ["5D"], "builds": [OWN], "hand": ["4S", "9C"]},
        set(),
    ),
    (
        "A13 build after the capture",
        [capture("2S", "2D"), make(9, None, "5D", "4D")],
        {"table": ["2D", "5D", "4D"], "hand": ["2S", "9C"]},
        set(),
    ),
    (
        "206 gone by then",
        [capture("2S", "2D"), make(9, None, "7D", "2D")],
        {"table": ["2D", "7D"], "hand": ["2S", "9C"]},
        {"not-loose"},
    ),
    (
        "807 asked by the partner",
        [augment(9, ON_B1, {"card": "9S"}, asked_by="P3")],
        {"seats": FOUR, "builds": [OWN], "hand": ["9S"], "proven": {"P3": [9]}},
        set(),
    ),
    (
        "807 asked by an opponent",
        [augment(9, ON_B1, {"card": "9S"}, asked_by="P2")],
        {"seats": FOUR, "builds": [OWN], "hand": ["9S", "9C"]},
        {"not-partners-request"},
    ),
    (
        "several sets as one build",
        [{"play": "build", "value": 9, "sets": [{"table": ["9D"]}, {"card": "9S"}]}],
        {"table": ["9D"], "hand": ["9S", "9C"]},
        set(),
    ),
    (
        "absorbed sets are an extension",
        [raised("B1", 10, "AS", absorb=[["10D"]])],
        {"table": ["10D"], "builds": [NINE], "hand": ["AS", "10H"]},
        set(),
    ),
]


@pytest.mark.parametrize(
    ("plays", "position", "expected"), [case[1:] for case in SWAZI], ids=[case[0] for case in SWAZI]
)
def test_swazi(plays: list[Json], position: Json, expected: set[str]) -> None:
    verdict = turn(*plays, **position)
    assert codes(verdict) == expected
    assert verdict.value == ("illegal" if expected else "legal"), verdict


HALVES = {"options": {"two_player_deal": "two_halves"}}
SA = {"preset": "south_african"}
STANDARD = {"preset": "standard"}
ROYAL = {"preset": "royal"}
DOMINICAN = {"preset": "dominican"}

RELATIVES: list[tuple[str, list[Json], Json, set[str]]] = [
    (
        "008a second build",
        [make(10, "6H", "4D")],
        HALVES | {"half": 1, "table": ["4D"], "builds": [OWN], "hand": ["6H", "10D", "9D"]},
        {"second-build-first-half"},
    ),
    (
        "008a second half",
        [make(10, "6H", "4D")],
        HALVES | {"half": 2, "table": ["4D"], "builds": [OWN], "hand": ["6H", "10D", "9D"]},
        set(),
    ),
    (
        "008a raise",
        [raised("B2", 10, "6H")],
        HALVES | {"half": 1, "builds": [OWN, build("B2", 4, "P2", ["2S", "2D"])], "hand": ["6H", "10D", "9D"]},
        {"second-build-first-half"},
    ),
    (
        "008a merged",
        [raised("B2", 9, "5H")],
        {
            "options": {"two_player_deal": "two_halves", "merge_own_value": True},
            "half": 1,
            "builds": [OWN, build("B2", 4, "P2", ["2S", "2D"])],
            "hand": ["5H", "9D"],
        },
        set(),
    ),
    ("008b", [trail("2C")], HALVES | {"half": 1, "builds": [OWN], "hand": ["2C", "9D"]}, {"owner-trails-first-half"}),
    (
        "008b three players",
        [trail("2C")],
        HALVES | {"seats": THREE, "half": 1, "builds": [OWN], "hand": ["2C", "9D"]},
        set(),
    ),
    (
        "STD-201 two plays",
        [make(9, "5S", "4D"), trail("2C")],
        STANDARD | {"table": ["4D"], "hand": ["5S", "9D", "2C"]},
        {"second-hand-card", "owner-trails"},
    ),
    ("STD-302 builds", [capture("KD", builds=["B1"])], STANDARD | {"builds": [NINE]}, {"build-value"}),
    ("STD-303 two of three", [capture("QD", "QS", "QH")], STANDARD | {"table": ["QS", "QH"]}, {"court-count"}),
    (
        "STD-303 all",
        [capture("QD", "QS", "QH")],
        {"preset": "standard", "options": {"court_take": "all"}, "table": ["QS", "QH"]},
        set(),
    ),
    (
        "STD-402 court in a build",
        [make(8, "3D", "5C", "KH")],
        STANDARD | {"table": ["5C", "KH"], "hand": ["3D", "8S"]},
        {"court-in-build"},
    ),
    (
        "STD-403 nothing from the hand",
        [make(8, None, "3D", "5C"), trail("2C")],
        STANDARD | {"table": ["3D", "5C"], "hand": ["8S", "2C"]},
        {"build-without-card", "owner-trails"},
    ),
    (
        "STD-405 multiple",
        [{"play": "build", "value": 3, "sets": [{"card": "3H"}, {"table": ["AC", "2D"]}]}],
        STANDARD | {"table": ["AC", "2D"], "hand": ["3H", "3S"]},
        set(),
    ),
    (
        "STD-406 fives, not ten",
        [{"play": "build", "value": 5, "sets": [{"card": "5H"}, {"table": ["5C"]}]}],
        STANDARD | {"table": ["5C"], "hand": ["5H", "10S"]},
        {"value-not-held"},
    ),
    (
        "STD-409 same number",
        [make(9, "5S", "4D")],
        STANDARD | {"table": ["4D"], "builds": [NINE], "hand": ["5S", "9D"]},
        set(),
    ),
    (
        "STD-409 forbidden",
        [make(9, "5S", "4D")],
        {
            "preset": "standard",
            "options": {"same_value_builds": "forbidden"},
            "table": ["4D"],
            "builds": [NINE],
            "hand": ["5S", "9D"],
        },
        {"value-taken"},
    ),
    ("STD-501 own build", [raised("B1", 10, "AS")], STANDARD | {"builds": [OWN], "hand": ["AS", "10D", "9D"]}, set()),
    (
        "STD-503 multiple",
        [raised("B1", 10, "AS")],
        STANDARD | {"builds": [build("B1", 9, "P2", ["6S", "3D"], ["9H"])], "hand": ["AS", "10D"]},
        {"raise-augmented"},
    ),
    (
        "STD-504 to the opponent's",
        [augment(9, ON_B1, {"card": "5S", "table": ["4D"]})],
        STANDARD | {"table": ["4D"], "builds": [NINE], "hand": ["5S", "9D"]},
        set(),
    ),
    (
        "STD-504 table only",
        [augment(9, ON_B1, {"table": ["9D"]}), capture("9S", builds=["B1"])],
        STANDARD | {"table": ["9D"], "builds": [NINE], "hand": ["9S", "9C"]},
        {"build-without-card"},
    ),
    (
        "STD-505 absorb",
        [raised("B1", 10, "AS", absorb=[["10D"], ["6D", "4C"]])],
        STANDARD | {"table": ["10D", "6D", "4C"], "builds": [NINE], "hand": ["AS", "10H"]},
        set(),
    ),
    (
        "STD-505 absorb of another total",
        [raised("B1", 10, "AS", absorb=[["8D"]])],
        STANDARD | {"table": ["8D"], "builds": [NINE], "hand": ["AS", "10H"]},
        {"set-total"},
    ),
    ("STD-601 taking it is fine", [capture("9C", builds=["B1"])], STANDARD | {"builds": [OWN], "hand": ["9C"]}, set()),
    ("STD-603 a capturer trailed", [trail("9C")], STANDARD | {"table": ["9D"], "hand": ["9C"]}, set()),
    ("STD-101 no number", [capture("KD", "KS", **{"as": 13})], STANDARD | {"table": ["KS"]}, {"declared-value"}),
    ("ROY-102 lone ace at 14", [capture("AS", "AD", **{"as": 14})], ROYAL | {"table": ["AD"]}, {"sets-do-not-add-up"}),
    ("ROY-102 ace in a sum of 14", [capture("AS", "AD", "KH", **{"as": 14})], ROYAL | {"table": ["AD", "KH"]}, set()),
    ("ROY-103 build of 14", [make(14, "AS", "KH")], ROYAL | {"table": ["KH"], "hand": ["AS", "AD"]}, set()),
    (
        "ROY-105 ten of diamonds as 16",
        [capture("10D", "KH", "3C", **{"as": 16})],
        {"preset": "royal", "options": {"special_hand_values": True}, "table": ["KH", "3C"]},
        set(),
    ),
    (
        "ROY-204 no card of the partner's",
        [make(9, "5S", "4D")],
        DOMINICAN | {"seats": FOUR, "table": ["4D"], "hand": ["5S", "2C"], "proven": {"P3": [9]}},
        {"value-not-held"},
    ),
    ("ROY-205 all equal cards", [capture("10C", "10H")], DOMINICAN | {"table": ["10H", "10S"]}, {"equal-left"}),
    ("ROY-205 sums optional", [capture("10C", "10H", "10S")], DOMINICAN | {"table": ["10H", "10S", "6D", "4D"]}, set()),
    (
        "ROY-206 the partner's",
        [raised("B1", 10, "AS")],
        DOMINICAN | {"seats": FOUR, "builds": [build("B1", 9, "P3", ["6S", "3D"])], "hand": ["AS", "10D"]},
        set(),
    ),
    (
        "NOR-301 no raise",
        [raised("B1", 10, "AS")],
        {"preset": "swedish", "builds": [NINE], "hand": ["AS", "10D"]},
        {"no-building"},
    ),
    ("NOR-102 ace is 14", [capture("AS", "KD", "AH")], {"preset": "finnish", "table": ["KD", "AH"]}, set()),
    ("SAF-101 no courts", [trail("KS")], SA, {"not-in-pack"}),
    ("SAF-103 pile top alone", [capture("9S", piles=[pile("P2", "9C")])], SA | {"piles": {"P2": ["9C"]}}, set()),
    (
        "SAF-103 pile tops in sums, chained",
        [capture("9S", "4D", "7D", piles=[pile("P2", "5C"), pile("P2", "2C")])],
        SA | {"table": ["4D", "7D"], "piles": {"P2": ["5C", "2C"]}},
        set(),
    ),
    (
        "SAF-103 two of one pile in one set",
        [capture("9S", piles=[pile("P2", "5C"), pile("P2", "4C")])],
        SA | {"piles": {"P2": ["5C", "4C"]}},
        {"sets-do-not-add-up"},
    ),
    (
        "SAF-103 own build needs a hand card",
        [augment(9, ON_B1, {"piles": [pile("P2", "9C")]}), trail("2C")],
        SA | {"half": 2, "builds": [OWN], "hand": ["9S", "2C"], "piles": {"P2": ["9C"]}},
        {"pile-without-card"},
    ),
    (
        "SAF-103 own build with a hand card",
        [augment(9, ON_B1, {"card": "5S", "piles": [pile("P2", "4C")]})],
        SA | {"builds": [OWN], "hand": ["9S", "5S"], "piles": {"P2": ["4C"]}},
        set(),
    ),
    (
        "SAF-104",
        [make(10, "6H", "4D")],
        SA | {"table": ["4D"], "builds": [OWN], "hand": ["6H", "10D", "9D"]},
        {"second-build"},
    ),
    ("SAF-105", [raised("B1", 10, "AS")], SA | {"builds": [NINE], "hand": ["AS", "10D"]}, set()),
    (
        "table only by option",
        [make(13, None, "5C", "8D"), trail("2C")],
        {"options": {"table_only_build": False}, "table": ["5C", "8D"], "hand": ["KS", "2C"]},
        {"build-without-card"},
    ),
    (
        "no piles by option",
        [augment(9, ON_B1, {"piles": [pile("P2", "9C")]}), trail("2C")],
        {"options": {"pile_cards": "none"}, "builds": [OWN], "hand": ["9S", "2C"], "piles": {"P2": ["9C"]}},
        {"pile-as-material"},
    ),
]


@pytest.mark.parametrize(
    ("plays", "position", "expected"), [case[1:] for case in RELATIVES], ids=[case[0] for case in RELATIVES]
)
def test_relatives(plays: list[Json], position: Json, expected: set[str]) -> None:
    verdict = turn(*plays, **position)
    assert codes(verdict) == expected
    assert verdict.value == ("illegal" if expected else "legal"), verdict


OPEN: list[tuple[str, list[Json], Json, list[tuple[str, str | None, dict[str, Any]]]]] = [
    ("a build", [make(10, "6S", "4D")], {"table": ["4D"]}, [("hand", "P1", {"value": 10, "count": 1})]),
    (
        "two builds",
        [make(13, None, "JD", "2C"), make(9, "4S", "5H")],
        {"table": ["JD", "2C", "5H"]},
        [("hand", "P1", {"value": 13, "count": 1}), ("hand", "P1", {"value": 9, "count": 1})],
    ),
    ("a raise", [raised("B1", 10, "AS")], {"builds": [NINE]}, [("hand", "P1", {"value": 10, "count": 1})]),
    ("a second ace", [make(14, "AS", "KH")], {"table": ["KH"]}, [("hand", "P1", {"value": 14, "count": 1})]),
    (
        "two more aces",
        [augment(1, {"table": "AD"}, {"table": ["AC"]}), trail("2C")],
        {"table": ["AD", "AC"], "builds": [build("B1", 14, "P1", ["10S", "4D"])]},
        [("hand", "P1", {"value": 1, "count": 2})],
    ),
    ("another nine", [trail("9S")], {"builds": [OWN]}, [("hand", "P1", {"value": 9, "count": 1})]),
    (
        "the pile",
        [augment(9, ON_B1, {"piles": [pile("P2", "9C")]}), trail("2C")],
        {"builds": [OWN], "hand": ["9S", "2C"]},
        [("pile", "P2", {"card": "9C"})],
    ),
    (
        "which half",
        [trail("2C")],
        HALVES | {"builds": [OWN], "hand": ["9S", "2C"]},
        [("half", None, {"builds": ["B1"]})],
    ),
    (
        "the asker's card",
        [augment(9, ON_B1, {"card": "9S"}, asked_by="P3")],
        {"seats": FOUR, "builds": [OWN], "hand": ["9S"]},
        [("hand", "P3", {"value": 9, "count": 1})],
    ),
]


@pytest.mark.parametrize(("plays", "position", "missing"), [case[1:] for case in OPEN], ids=[case[0] for case in OPEN])
def test_open_questions(plays: list[Json], position: Json, missing: list[Any]) -> None:
    verdict = turn(*plays, **position)
    assert verdict.value == "undecided"
    assert [(one.fact, one.seat, one.facts) for one in verdict.missing] == missing


def test_nines_announced_as_one_set_are_told_apart() -> None:
    """The commonest mistake: 9 and 9 are eighteen as one set, and a build of nine as two (CASINO-617)."""
    for play in (make(9, "9S", "9H"), augment(9, {"table": "9D"}, {"card": "9S", "table": ["9H"]})):
        verdict = turn(play, table=["9H", "9D"], hand=["9S", "9C"])
        (breach,) = verdict.breaches
        assert (breach.code, breach.facts["sets"]) == ("set-total", 2)
        assert sorted(breach.facts["instead"]) == [["9H"], ["9S"]]
    mixed = turn(make(9, "9S", "5H", "4H"), table=["5H", "4H"], hand=["9S", "9C"])
    assert sorted(map(sorted, mixed.breaches[0].facts["instead"])) == [["4H", "5H"], ["9S"]]
    wrong = turn(make(9, "8S", "9H"), table=["9H"], hand=["8S", "9C"])
    assert "instead" not in wrong.breaches[0].facts


@pytest.mark.parametrize("preset", ["swazi", "standard"])
def test_two_nines_added_up_to_eighteen_are_announced_as_two_sets_of_nine_instead(preset: str) -> None:
    """No card takes 18: the beginner's total of equal cards is answered with the sets that they are."""
    nines = turn(make(18, "9S", "9H"), preset=preset, table=["9H", "4C"], hand=["9S", "9C"])
    (breach,) = [one for one in nines.breaches if one.code == "value-limit"]
    assert (breach.facts["set_value"], breach.facts["sets"]) == (9, 2)
    assert sorted(breach.facts["instead"]) == [["9H"], ["9S"]]
    unfit = turn(make(19, "10S", "9H"), preset=preset, table=["9H", "4C"], hand=["10S", "9C"])
    assert "instead" not in next(one for one in unfit.breaches if one.code == "value-limit").facts


def test_nobody_can_hold_a_card_when_all_of_them_lie_open() -> None:
    seen: dict[str, Any] = {"table": ["4D", "10H", "10S"], "piles": {"P2": ["10D", "10C"]}}
    assert codes(turn(make(10, "6S", "4D"), **seen)) == {"value-not-held"}


def test_a_card_shown_later_in_the_turn_answers_the_question() -> None:
    verdict = turn(make(13, None, "JD", "2C"), capture("KS", builds=["N1"]), table=["JD", "2C"])
    assert verdict.value == "legal"
    spent = turn(make(13, None, "JD", "2C"), trail("KS"), table=["JD", "2C"])
    assert [(one.fact, one.facts) for one in spent.missing] == [("hand", {"value": 13, "count": 1})]


def test_a_legal_turn_says_what_lies_there_afterwards() -> None:
    piles = {"P1": ["2S"], "P2": ["5D", "2D", "JH"]}
    verdict = turn(
        augment(9, {"table": "9H"}, {"table": ["4C"], "piles": [pile("P2", "5D")]}, id="X"),
        capture("9S", builds=["X"]),
        table=["9H", "4C", "7C"],
        hand=["9S", "KC"],
        piles=piles,
    )
    assert verdict.effect == {
        "table": ["7C"],
        "builds": [],
        "captured": ["9S", "9H", "4C", "5D"],
        "sweep": False,
        "hand": ["KC"],
        "piles": {"P1": ["9S"], "P2": ["2D", "JH"]},  # the rest of P1's pile lies in no certain order
    }
    assert {one.article for one in verdict.because} == {"casino.base", "casino.pile-top", "casino.capture-build"}


def test_a_raised_build_changes_hands_and_a_merged_one_joins_the_own() -> None:
    (after,) = turn(raised("B1", 10, "AS"), builds=[NINE], hand=["AS", "10H"]).effect["builds"]
    assert after == {"id": "B1", "value": 10, "sets": [["6S", "3D", "AS"]], "owner": "P1"}
    own = build("B2", 13, "P1", ["8S", "5D"])
    merged = turn(raised("B1", 13, "4S"), builds=[NINE, own], hand=["4S", "KH"], options={"merge_own_value": True})
    assert merged.effect["builds"] == [
        {"id": "B2", "value": 13, "sets": [["8S", "5D"], ["6S", "3D", "4S"]], "owner": "P1"}
    ]


def test_who_answers_for_a_build() -> None:
    """The maker; the partner where the partner's card answers; in the standard game whoever added last."""
    proven = turn(make(9, "5S", "4D"), seats=FOUR, table=["4D"], hand=["5S", "KC"], proven={"P3": [9]})
    assert proven.effect["builds"][0]["owner"] == "P3"
    partners = build("B1", 9, "P3", ["6S", "3D"])
    kept = turn(augment(9, ON_B1, {"card": "9S"}), seats=FOUR, builds=[partners], hand=["9S", "9C"])
    assert kept.effect["builds"][0]["owner"] == "P3"
    added = turn(augment(9, ON_B1, {"card": "9S"}), builds=[NINE], hand=["9S", "9C"], preset="standard")
    assert added.effect["builds"][0]["owner"] == "P1"


def test_clearing_the_table_is_a_sweep() -> None:
    assert turn(capture("9S", "9D", builds=["B1"]), table=["9D"], builds=[NINE]).effect["sweep"]
    assert not turn(capture("9S", "9D"), table=["9D"], builds=[NINE]).effect["sweep"]


def test_all_breaches_are_found_not_only_the_first() -> None:
    verdict = turn(make(10, "6S", "3D"), make(9, "5S", "4D"), table=["4D"], hand=["6S", "2C"])
    assert codes(verdict) == {"not-loose", "set-total", "value-not-held", "second-hand-card", "card-not-held"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"table": ["4D", "4D"]}, "duplicate-card"),
        ({"table": ["4D"], "hand": ["4D"]}, "duplicate-card"),
        ({"table": ["17Z"]}, "card"),
        ({"player": "P7"}, "unknown-seat"),
        ({"builds": [build("B1", 9, "P7", ["6S", "3D"])]}, "unknown-seat"),
        ({"builds": [build("B1", 8, "P2", ["6S", "3D"])]}, "build-total"),
        ({"builds": [build("B1", 9, "P2", ["9S"])]}, "build-too-small"),
        ({"builds": [NINE, build("B1", 4, "P2", ["2S", "2D"])]}, "build-id"),
        ({"piles": {"P7": []}}, "unknown-key"),
        ({"half": 3}, "range"),
        ({"surprise": 1}, "unknown-key"),
        ({"seats": ["P1", "P1"]}, "seat-twice"),
        ({"seats": ["P1", "P2", "P3", "P4", "P5"]}, "seats-count"),
        ({"seats": ["P1", "P2", "P3", "P4"], "piles": {"P2": [], "P4": []}}, "pile-twice"),
    ],
)
def test_impossible_positions_are_refused(change: Json, code: str) -> None:
    with pytest.raises(Refused) as refused:
        turn(trail("2C"), **change)
    assert code in {problem.code for problem in refused.value.problems}


@pytest.mark.parametrize(
    ("plays", "code"),
    [
        ([{"play": "sing"}], "choice"),
        ([{"play": "build", "table": ["4D"]}], "required"),
        ([{"play": "augment", "value": 9, "base": {"build": "B1", "table": "9D"}}], "one-base"),
        ([{"play": "trail", "card": "2C", "to": 3}], "unknown-key"),
        ([{"play": "capture", "card": "2C", "piles": [{"from": "P9", "card": "2D"}]}], "unknown-seat"),
        ([{"play": "build", "value": 9, "id": "B1", "table": ["5D"]}], "build-id"),
        (["trail"], "type"),
    ],
)
def test_unreadable_plays_are_refused(plays: list[Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        turn(*plays, builds=[NINE])
    assert code in {problem.code for problem in refused.value.problems}


TABLE: Json = {"seats": FOUR, "dealer": "P1"}


def move(move: Json, position: Json = TABLE, **rules: Any) -> set[str]:
    return codes(check({"rules": rules, "position": position, "move": move}))


def test_dealing() -> None:
    """Everybody has 12 of 48, the deal passes anticlockwise, the dealer's neighbour begins (CASINO-004 to 006, 010)."""
    right = {"type": "deal", "dealer": "P4", "first": "P3", "table": 4, "hands": dict.fromkeys(FOUR, 12)}
    assert move(right) == set()
    assert move(right | {"dealer": "P2"}) == {"wrong-dealer", "wrong-first-player"}
    assert move(right | {"table": 3, "hands": {"P1": 13}}) == {"table-count", "hand-count"}
    assert move({"type": "deal", "hands": {"P1": 4}, "round": 2, "table": 0}, preset="standard") == set()
    assert move({"type": "deal", "hands": {"P1": 10}, "table": 0}, preset="khasino") == set()


@pytest.mark.parametrize(
    ("preset", "players", "table", "rounds"),
    [
        ("swazi", 2, 4, [24]),
        ("swazi", 3, 4, [16]),
        ("swazi", 4, 4, [12]),
        ("swazi_pagat", 2, 4, [12, 12]),
        ("swazi_pagat", 3, 4, [16]),
        ("standard", 2, 4, [4] * 6),
        ("standard", 3, 4, [4] * 4),
        ("standard", 4, 4, [4] * 3),
        ("south_african", 2, 0, [10, 10]),
        ("south_african", 3, 1, [13]),
        ("south_african", 4, 0, [10]),
    ],
)
def test_how_many_cards_are_dealt(preset: str, players: int, table: int, rounds: list[int]) -> None:
    request = {"rules": {"preset": preset}, "position": {"seats": FOUR[:players]}, "move": {"type": "deal"}}
    assert check(request).effect == {"table": table, "rounds": rounds}


def test_cutting_again() -> None:
    """With 3 points or 3 courts among the four, where the table plays so (CASINO-009)."""
    for table, rich in (
        (["10D", "AS", "3C", "4C"], True),
        (["KS", "QS", "JS", "2H"], True),
        (["10D", "3C", "4C", "5C"], False),
    ):
        recut = {"type": "recut", "table": table}
        assert move(recut, options={"recut": True}) == (set() if rich else {"no-recut"})
        assert move(recut) == {"recut-not-played"}


def test_asking_the_partner() -> None:
    """The asker needs the card and a build of the own side (CASINO-807)."""
    place = TABLE | {"player": "P3", "builds": [OWN, build("B2", 5, "P2", ["2S", "3H"])]}
    ask_for: Json = {"type": "request", "build": "B1"}
    assert move(ask_for, place | {"hand": ["9S"]}) == set()
    assert move(ask_for, place | {"hand": ["8S"]}) == {"value-not-held"}
    assert move(ask_for | {"build": "B2"}, place | {"hand": ["5S"]}) == {"not-partners-build"}
    assert move(ask_for | {"build": "B9"}, place) == {"no-such-build"}
    assert check({"position": place, "move": ask_for}).value == "undecided"


def test_a_turn_of_somebody_else_is_out_of_turn() -> None:
    request = {"type": "turn", "player": "P2", "plays": [trail("2C")]}
    assert move(request, {"seats": ["P1", "P2"], "player": "P1"}) == {"out-of-turn"}


@pytest.mark.parametrize(
    ("play", "more", "article", "facts"),
    [
        (make(9, "AS", "8D", **{"as": 3}), {}, "ace-values", {"card": "AS", "declared": 3, "values": [1, 14]}),
        (
            make(9, "AS", "8D", **{"as": 2}),
            {"preset": "royal"},
            "ace-values",
            {"card": "AS", "declared": 2, "values": [1]},
        ),
        (make(9, "5S", "4D", **{"as": 6}), {}, "given-values", {"card": "5S", "declared": 6, "values": [5]}),
        (trail("5S") | {"as": 4}, {}, "given-values", {"card": "5S", "declared": 4, "values": [5]}),
        (capture("5S", "5D", **{"as": 6}), {}, "card-values", {"card": "5S", "declared": 6, "values": [5]}),
        (capture("AS", "AD", **{"as": 3}), {}, "ace-declared", {"card": "AS", "declared": 3, "values": [1, 14]}),
        (capture("KD", "KS", **{"as": 13}), STANDARD, "given-values", {"card": "KD", "declared": 13, "values": []}),
    ],
)
def test_a_declared_value_is_refused_with_those_that_the_card_has(
    play: Json, more: Json, article: str, facts: Json
) -> None:
    """CASINO-101, 102, 313, 606, ROY-102: on the table or from hand, with every value that could be declared."""
    place: Json = {"table": ["8D", "4D", "5D", "AD", "KS"], "hand": [play["card"], "9D"]}
    found = [one for one in turn(play, **place | more).breaches if one.code == "declared-value"]
    assert [(one.article, dict(one.facts)) for one in found] == [(f"casino.{article}", facts)]


def test_a_value_that_the_card_has_is_declared_freely() -> None:
    """CASINO-102, 313: an ace as 1 or as 14, any other card as what it shows."""
    place: Json = {"table": ["8D", "4D", "5D", "AD", "KS"], "hand": ["AS", "5S", "9D"]}
    for play in (
        make(9, "AS", "8D", **{"as": 1}),
        make(9, "5S", "4D", **{"as": 5}),
        capture("AS", "AD", **{"as": 14}),
        capture("AS", "AD", **{"as": 1}),
        trail("5S") | {"as": 5},
    ):
        assert "declared-value" not in codes(turn(play, **place))


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    ("preset", "more", "play", "code"),
    [
        ("standard", {}, trail("2S"), "owner-trails"),
        ("swazi_pagat", {"half": 1}, trail("2S"), "owner-trails-first-half"),
        ("japanese", {}, capture("2S", "2D"), "own-build-left"),
    ],
)
def test_who_can_take_no_own_build_owes_nothing(preset: str, more: Json, play: Json, code: str, kept: bool) -> None:
    """Else a false build that stands leaves its owner without any play (CASINO-202); see the hand, or ask for it."""
    position: Json = {"preset": preset, "options": {"keep_capturer": kept}, "builds": [OWN], "table": ["KD", "2D"]}
    assert turn(play, **position, **more, hand=["2S", "5H"]).value == "legal"
    assert codes(turn(play, **position, **more, hand=["2S", "9H"])) == {code}
    unknown = turn(play, **position, **more)
    assert [(one.fact, one.facts) for one in unknown.missing] == [("hand", {"value": 9, "count": 0})]
    gone = {"P1": ["9H", "9C", "9D"], "P2": ["9S"]}
    assert turn(play, **position, **more, piles=gone).value == "legal"


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    ("more", "plays", "code"),
    [
        ({"preset": "standard"}, [trail("2S")], "owner-trails"),
        ({"preset": "royal"}, [trail("2S")], "owner-trails"),
        ({"preset": "swazi_pagat", "half": 1}, [trail("2S")], "owner-trails-first-half"),
        ({"preset": "swazi_pagat"}, [trail("2S")], ""),
        ({"preset": "japanese"}, [capture("2S", "2D")], "own-build-left"),
    ],
)
def test_what_is_said_to_make_a_turn_legal_is_enough(number: int, more: Json, plays: list[Json], code: str) -> None:
    """No card of one value is enough only where no other value counts; with several own builds, the hand is asked."""
    own = [OWN, build("B2", 10, "P1", ["7S", "3C"]), build("B3", 8, "P1", ["6C", "2H"])][:number]
    position: Json = more | {"builds": own, "table": ["KD", "2D"]}
    unknown = turn(*plays, **position)
    asked = {"value": 9, "count": 0} if number == 1 else {}
    assert [one.facts for one in unknown.missing if one.fact == "hand"] == [asked]
    assert [one.fact for one in unknown.missing] == ["hand", *([] if code else ["half"])]
    for held in ["9H", "10H", "8H"][:number]:
        found = turn(*plays, **position, hand=["2S", held])
        assert codes(found) == ({code} if code else set()), held
        assert [one.fact for one in found.missing] == ([] if code else ["half"])
    assert turn(*plays, **position, hand=["2S", "5H"]).value == "legal"


def test_a_card_to_hold_and_one_not_to_hold_are_asked_for_together() -> None:
    """Neither is enough: the hand that has the card for the new build may have that for the old one, too."""
    plays = [make(10, None, "8C", "2H"), capture("2S", "2D")]
    position: Json = {"preset": "japanese", "builds": [OWN], "table": ["8C", "2H", "2D", "KD"]}
    position["options"] = {"table_only_build": True}
    hands = {None: "undecided", ("10H",): "legal", ("9H",): "illegal", ("9H", "10H"): "illegal", (): "illegal"}
    for hand, value in hands.items():
        position["hand"] = None if hand is None else ["2S", *hand]
        found = turn(*plays, **position)
        assert (found.value, [dict(one.facts) for one in found.missing]) == (value, [{}] if hand is None else [])


def test_whoever_built_for_one_ace_twice_may_take_one_of_the_builds() -> None:
    own = [build("B1", 14, "P1", ["10S", "4D"]), build("B2", 1, "P1", ["AD"], ["AC"])]
    position: Json = {"builds": own, "table": ["KD"], "hand": ["AS"]}
    assert turn(capture("AS", builds=["B1"], **{"as": 14}), **position).value == "legal"
    assert codes(turn(trail("AS"), **position)) == {"capturer-used-up"}


def test_of_two_cards_of_a_hidden_pile_one_is_on_top() -> None:
    sets = [{"table": ["4C"], "piles": [pile("P2", "5D")]}, {"table": ["7S"], "piles": [pile("P2", "2S")]}]
    add = augment(9, {"table": "9H"}, *sets)
    verdict = turn(add, capture("9S", builds=["N1"]), table=["9H", "4C", "7S"], hand=["9S", "9C"])
    assert [one.facts for one in verdict.missing] == [{"card": "5D"}, {"card": "2S", "under": 1}]


@pytest.mark.parametrize("ace", ["1", "14", "1or14"])
@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("courts", ["none", "11_13"])
@pytest.mark.parametrize(("card", "loose"), [("AC", "AS"), ("10D", "10S"), ("2S", "2D"), ("KC", "KD"), ("5C", "5D")])
def test_a_card_that_may_not_be_trailed_can_take_its_equal(
    card: str, loose: str, courts: str, ace: str, special: bool
) -> None:
    """Values from the hand and on the table may differ; then nothing is equal, and the card is trailed (ROY-205)."""
    options: Json = {"ace_hand": ace, "special_hand_values": special, "court_values": courts}
    table: Json = {"preset": "dominican", "options": options, "table": [loose, "QD"], "hand": [card]}
    trailed, taken = turn(trail(card), **table), turn(capture(card, loose), **table)
    assert {trailed.value, taken.value} == {"legal", "illegal"}
    assert codes(trailed) <= {"trail-equal"}


def test_four_who_each_play_alone_are_opponents() -> None:
    """A sheet can score four by themselves (KASA); then nobody has a partner, whoever sits opposite (109, 801)."""
    position: Json = {"seats": FOUR, "builds": [build("B1", 9, "P3", ["6S", "3D"])], "hand": ["2S", "JD", "9H"]}
    proven: Json = {**position, "table": ["4D", "7D"], "proven": {"P3": [11]}, "hand": ["2S", "9H"]}
    assert codes(turn(raised("B1", 11, "2S"), **position)) == {"raise-own"}
    assert turn(raised("B1", 11, "2S"), **position, partners=False).value == "legal"
    assert turn(make(11, None, "4D", "7D"), trail("2S"), **proven).value == "legal"
    alone = turn(make(11, None, "4D", "7D"), trail("2S"), **proven, partners=False)
    assert codes(alone) == {"value-not-held"}
    piles: Json = {"piles": {"P1": ["KS"], "P2": ["KH"], "P3": ["9C"], "P4": ["KD"]}, "partners": False}
    added = augment(9, ON_B1, {"table": [], "piles": [pile("P3", "9C")]})
    assert turn(added, capture("9H", builds=["B1"]), **(position | piles)).value == "legal"
    with pytest.raises(Refused, match="pile-twice"):
        turn(added, capture("9H", builds=["B1"]), **(position | piles | {"partners": True}))


def test_four_sides_of_a_sheet_play_alone_on_the_pages() -> None:
    names = ("Ann", "Bob", "Cleo", "Dan")
    rules = OPTIONS.preset().options
    for totals, paired in (({0: 3, 1: 4}, True), ({0: 1, 1: 2, 2: 3, 3: 4}, False)):
        laid = Laid(Context(rules, State({}), names=names, totals=totals))
        assert laid.position().get("partners", True) is paired
        assert laid.opponents == ((1,) if paired else (1, 2, 3))


def test_four_who_each_play_alone_are_four_sides() -> None:
    record: Json = {"seats": FOUR, "first": "P1", "table": ["2H", "3D", "8C", "9H"], "turns": []}
    sides = ask("replay", {**record, "partners": False})["sides"]
    assert [side["players"] for side in sides] == [["P1"], ["P2"], ["P3"], ["P4"]]
    assert [side["players"] for side in ask("replay", record)["sides"]] == [["P1", "P3"], ["P2", "P4"]]


def test_a_pile_top_goes_on_an_opponents_build_without_a_hand_card() -> None:
    """Where pile tops may be captured, the own build takes them with a hand card only; the other is captured (615)."""
    options: Json = {"pile_cards": "augment_and_capture"}
    position: Json = {"options": options, "piles": {"P2": ["9C"]}, "hand": ["9H", "9S"], "table": ["KD"]}
    added = augment(9, ON_B1, {"piles": [pile("P2", "9C")]})
    assert turn(added, capture("9H", builds=["B1"]), **position, builds=[NINE]).value == "legal"
    assert codes(turn(added, capture("9H", builds=["B1"]), **position, builds=[OWN])) == {"pile-without-card"}


def test_a_card_of_the_hand_never_goes_on_an_opponents_build() -> None:
    """It would be a second one beside the card that must take the build (615, A27)."""
    position: Json = {"builds": [NINE], "table": ["4D"], "hand": ["5S", "9H"]}
    added = augment(9, ON_B1, {"card": "5S", "table": ["4D"]})
    assert codes(turn(added, **position)) == {"card-on-opponents-build", "not-captured"}
    assert codes(turn(added, capture("9H", builds=["B1"]), **position)) == {
        "card-on-opponents-build",
        "second-hand-card",
    }


@pytest.mark.parametrize("take", ["one", "one_or_three", "all"])
@pytest.mark.parametrize("loose", range(4))
def test_courts_of_piles_count_among_those_taken_at_once(take: str, loose: int) -> None:
    """STD-303 and SAF-103 together: a king from a pile is one of the kings that a king takes."""
    options = {"court_take": take, "pile_cards": "augment_and_capture"}
    table, tops = ["KH", "KC"][:loose], ["KD", "KC"][: 1 + (loose == 3)]
    table = ["KH"] if loose == 3 else table
    play = {"play": "capture", "card": "KS", "table": table, "piles": [{"from": "P2", "card": one} for one in tops]}
    found = turn(play, preset="standard", options=options, table=table, hand=["KS"], piles={"P2": tops})
    allowed = {"one": (1,), "one_or_three": (1, 3), "all": (1, 2, 3)}[take]
    assert (found.value == "legal") == (len(table) + len(tops) in allowed)


@pytest.mark.parametrize(("limits", "own", "allowed"), [(True, True, False), (True, False, True), (False, True, True)])
def test_who_adds_to_an_opponents_build_owns_it_as_one_of_so_many(limits: bool, own: bool, allowed: bool) -> None:
    """STD-504 and SAF-104 together: it would be a second build of one player."""
    builds = [{"id": "B1", "value": 9, "sets": [["5C", "4D"]], "owner": "P2"}]
    builds += [{"id": "B2", "value": 8, "sets": [["5D", "3D"]], "owner": "P1"}] if own else []
    play = {"play": "augment", "value": 9, "base": {"build": "B1"}, "sets": [{"table": ["7H"], "card": "2C"}]}
    options = {"builds_per_player": 1 if limits else None}
    hand = ["2C", "9S", "8S"]
    found = turn(play, preset="standard", options=options, table=["7H"], hand=hand, builds=builds)
    assert (found.value == "legal") == allowed


def test_a_face_card_is_told_only_what_it_cannot_take() -> None:
    (breach,) = turn(capture("KS", "KH", "10H"), preset="standard", table=["KH", "10H"], hand=["KS", "4H"]).breaches
    assert (breach.code, breach.facts["cards"]) == ("court-capture", ["10H"])


@pytest.mark.parametrize(
    ("preset", "options", "seats"), [("dominican", {"partner_build": "proven"}, FOUR), ("swazi", {}, THREE)]
)
def test_nobody_asks_without_a_partner_or_where_it_is_not_played(preset: str, options: Json, seats: list[str]) -> None:
    own = build("X", 9, "P1", ["4S", "5S"])
    position = {"seats": seats, "player": "P1", "hand": ["9S", "3S"], "builds": [own]}
    move = {"type": "request", "build": "X"}
    assert codes(check({"rules": {"preset": preset, "options": options}, "position": position, "move": move})) == {
        "no-request"
    }


@pytest.mark.parametrize(
    ("hand", "proven"),
    [(["9S", "2H"], {"P3": [9]}), (["3S"], {"P1": [8]})],
)
def test_nobody_is_proven_to_hold_what_the_hand_shows_elsewhere(hand: list[str], proven: Json) -> None:
    position: Json = {"seats": FOUR, "table": ["9H", "9C", "9D", "4C", "5C"], "hand": hand, "proven": proven}
    with pytest.raises(Refused) as refused:
        turn(trail(hand[-1]), **position)
    assert {problem.facts["why"] for problem in refused.value.problems} == {"proven-gone"}


def test_under_the_only_card_of_a_pile_that_was_named_may_lie_any() -> None:
    sets = [{"table": ["4C"], "piles": [pile("P2", "5D")]}, {"table": ["7S"], "piles": [pile("P2", "2S")]}]
    add = augment(9, {"table": "9H"}, *sets)
    position: Json = {"table": ["9H", "4C", "7S"], "hand": ["9S", "3H"], "piles": {"P2": ["5D"]}}
    verdict = turn(add, capture("9S", builds=["N1"]), **position)
    assert [(one.fact, one.facts["card"]) for one in verdict.missing] == [("pile", "2S")]
    assert codes(turn(add, capture("9S", builds=["N1"]), **position | {"piles": {"P2": ["5D", "JS"]}})) == {
        "not-pile-top"
    }


def test_no_build_is_taken_where_there_are_none() -> None:
    taken = turn(capture("9S", builds=["B1"]), preset="swedish", builds=[OWN], hand=["9S"])
    assert anchors(taken) == {"no-building"}


def test_a_set_without_cards_adds_nothing() -> None:
    assert codes(turn(augment(9, {"table": "9H"}, {}), trail("9C"), table=["9H"], hand=["9C", "9S"])) == {
        "nothing-added"
    }


def judged_deal(move: Json, preset: str = "standard", **position: Any) -> Any:
    place = {"seats": ["A", "B"], **position}
    return check({"rules": {"preset": preset}, "position": place, "move": {"type": "deal", **move}})


def test_who_plays_first_follows_from_who_dealt_last() -> None:
    assert codes(judged_deal({"first": "B"}, dealer="A")) == {"wrong-first-player"}
    assert judged_deal({"first": "A"}, dealer="A").value == "legal"


def test_a_deal_is_not_asked_for_who_is_to_move() -> None:
    with pytest.raises(Refused) as refused:
        judged_deal({"dealer": "B", "round": 7}, dealer="A")
    assert [problem.path() for problem in refused.value.problems] == ["/move/round"]


def test_the_remedy_for_a_deal_fits_the_fault() -> None:
    """The wrong dealer gives it back; in a later round the deal stands, and short hands are played short (IRR-C4)."""
    wrong = judged_deal({"dealer": "A"}, dealer="A").remedy
    assert (wrong.article, wrong.then) == ("casino.misdeal", None)
    assert judged_deal({"round": 3, "hands": {"A": 5}}).remedy.article == "casino.short-hand"
    assert judged_deal({"round": 1, "hands": {"A": 5}}).remedy.article == "casino.misdeal"


def test_four_cards_are_cut_again_or_none() -> None:
    rules = {"preset": "swazi", "options": {"recut": True}}
    move = {"type": "recut", "table": ["KS", "KH", "KD"]}
    with pytest.raises(Refused) as refused:
        check({"rules": rules, "position": {"seats": ["A", "B"]}, "move": move})
    assert [problem.code for problem in refused.value.problems] == ["table-count"]


@pytest.mark.parametrize("missed", [None, False, True])
@pytest.mark.parametrize("stock", [None, 0, 1, 2, 9])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_draw_is_judged_as_whatever_is_left_out_allows(missed: bool | None, stock: int | None, count: int) -> None:
    """What those of every stock and of both answers have in common; what is asked for decides (DRC-001, 002)."""
    move, seats = {"type": "draw", "count": count}, {"seats": ["A", "B"], "player": "A"}

    def drawn(**known: Any) -> Verdict:
        return check({"rules": {"preset": "draw"}, "position": seats | known, "move": move})

    told = [
        {"missed_draw": late, "stock": left}
        for late in ((False, True) if missed is None else (missed,))
        for left in (range(10) if stock is None else (stock,))
    ]
    every = {drawn(**one).value for one in told}
    facts = {"missed_draw": missed, "stock": stock}
    verdict = drawn(**{name: value for name, value in facts.items() if value is not None})
    assert verdict.value == (every.pop() if len(every) == 1 else "undecided")
    unknown = [name for name, value in facts.items() if value is None]
    assert [one.fact for one in verdict.missing] == (unknown if verdict.value == "undecided" else [])


@pytest.mark.parametrize(
    ("hand", "count", "value"),
    [(["AS", "2S"], 2, "legal"), (["AS", "2S"], 1, "illegal"), (["AS", "2S", "3S"], 1, "legal"), (None, 2, "undecided"),
     (None, 1, "undecided"), (None, 3, "illegal")],
)  # fmt: skip
def test_whether_a_draw_was_missed_is_seen_in_the_hand_or_asked(hand: Any, count: int, value: str) -> None:
    position = {"seats": ["A", "B"], "player": "A", "stock": 10, "hand": hand}
    move = {"type": "draw", "count": count}
    verdict = check({"rules": {"preset": "draw"}, "position": position, "move": move})
    assert verdict.value == value
    assert [one.fact for one in verdict.missing] == (["missed_draw"] if value == "undecided" else [])


@pytest.mark.parametrize("piles", ["augment", "augment_and_capture"])
def test_a_multiple_build_is_one_however_it_is_announced(piles: str) -> None:
    """Its sets put together at once, or added to the first of them: pile tops may be in the others (STD-504)."""
    added = {"card": "4C", "piles": [pile("P2", "5D")]}
    position: Json = {"preset": "standard", "options": {"pile_cards": piles}, "table": ["9S", "7S"]}
    position |= {"hand": ["4C", "9D"], "piles": {"P2": ["5D", "2S"]}}
    at_once = {"play": "build", "value": 9, "sets": [{"table": ["9S"]}, added]}
    assert turn(augment(9, {"table": "9S"}, added), **position).value == "legal"
    assert turn(at_once, **position).value == "legal"
    assert codes(turn({"play": "build", "value": 9, **added}, **position)) >= {"pile-as-material"}
