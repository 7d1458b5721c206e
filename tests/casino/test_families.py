"""Casino as books and apps print it: cases worked by hand for each preset, and whole random deals.

A turn is written as `table; builds; hand; play`: `9C = 5D 4C` takes, `9C + 5D -> 14` builds, `2S ^ B1 -> 11` raises,
`9C @ B1` adds to a build (`4C 5D @ B1` with a loose card), `. 9C` trails. A build is `6S 3H = 9 P1`.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.casino.asking import Json, answer, ask, scored
from tests.casino.paper import Deal, faulty, played
from tests.pairs import casino_oracle

PRESETS = ("book", "japanese", "spade", "spade_26", "draw", "royal_draw")
BAN, OFF = {"trail_capturing": False}, {"partners": "off"}

BOOK = """
legal   | KH KD; ; KC 2S; KC = KH KD          | equal courts are taken together
legal   | KH KD; ; KC 2S; KC = KH             | one of them is enough: nothing is demanded
illegal | KH QD; ; KC 2S; KC = KH QD          | a court takes its own rank only
legal   | 5D 4C 9H; ; 9C 2S; 9C = 5D 4C 9H    | a sum and an equal card
illegal | 5D 4C; ; 8C 2S; 8C = 5D 4C          | 9 is not 8
illegal | 10H 3D; ; KC 2S; KC = 10H 3D        | a king has no number
legal   | 5D; ; 4C 9S; 4C + 5D -> 9           | a 9 is left for it
illegal | 5D; ; 4C 8S; 4C + 5D -> 9           | no 9 is left
illegal | JD; ; 4C 9S; 4C + JD -> 15          | no court goes into a build
legal   | ; 5H 4D = 9 P2; 2C JS AC; . 2C      | whoever owns no build may trail
illegal | ; 5H 4D = 9 P1; 2C 9S; . 2C         | the owner of a build may not
legal   | 2H; 5H 4D = 9 P1; 2C 9S; 2C = 2H    | the owner may take something else
legal   | ; 5H 4D = 9 P1; AC 9S 10C; AC ^ B1 -> 10 | one's own build may be raised
illegal | ; 5H 4D = 9 P2; AC 9S; AC ^ B1 -> 10     | no 10 is left
legal   | ; 5H 4D = 9 P2; 9S 2C; 9S = B1      | anybody takes it
illegal | ; 5H 4D = 9 P1; 9S 2C; . 9S         | the last 9 is kept for it
legal   | 4C; 5H 4D = 9 P1; 5C 9S; 5C 4C @ B1 | a set is added
legal   | 5D 4C; ; 9C 8H; . 9C                | the ban on trailing is an option
"""
BOOK_BAN = """
illegal | 5D KC; ; 5C 8H; . 5C                | it takes the 5
illegal | 5D 4C; ; 9C 8H; . 9C                | it takes the sum
legal   | 5D 4C; ; 8H 9C; . 8H                | it takes nothing
illegal | KC; ; KD 8H; . KD                   | a court takes its rank
legal   | 10H 3D; ; KD 8H; . KD               | but no sum
illegal | ; 5H 4D = 9 P2; 9C 8H; . 9C         | it takes the build
legal   | 5D; ; 4C 9C; 4C + 5D -> 9           | building is free
legal   | ; ; 5C 8H; . 5C                     | after a sweep anything may go
illegal | AD AH 3C; ; 5C 8H; . 5C             | three cards come to 5
"""
JAPANESE = """
illegal | 5D; 6S 3H = 9 P1; 9C 5S; 5S = 5D    | another capture does not do
legal   | 5D; 6S 3H = 9 P1; 9C 5S; 9C = B1    | the build is taken
legal   | 9D; 6S 3H = 9 P1; 9C 5S; 9C = 9D B1 | with a loose card beside it
illegal | 9D; 6S 3H = 9 P1; 9C 5S; 9C = 9D    | the loose card alone does not do
illegal | 5D; 6S 3H = 9 P1; 9C 5S; . 5S       | trailing neither
illegal | ; 6S 3H = 9 P1; 9C 9H 5S; 9H @ B1   | adding to it neither
illegal | 4D; 6S 3H = 9 P1; 9C 5S 9H; 5S + 4D -> 9 | nor another build
legal   | 5D; 6S 3H = 9 P2; 9C 5S; 5S = 5D    | what the other owns is not owed
legal   | 5D; 6S 3H = 9 P2; 9C 5S; 9C = B1    | but may be taken
legal   | 5D; 6S 3H = 9 P2; 9C 5S 2H; . 2H    | or left
legal   | ; 6S 3H = 9 P1, 5H 3D = 8 P1; 9C 8S; 9C = B1 | of two, one is enough
legal   | ; 6S 3H = 9 P1, 5H 3D = 8 P2; 9C 8S; 9C = B1 | the own one
illegal | ; 6S 3H = 9 P1, 5H 3D = 8 P2; 9C 8S; 8S = B2 | the other's does not do
illegal | ; 6S 3H = 9 P2; AC 10S; AC ^ B1 -> 10 | no build is raised
illegal | ; 6S 3H = 9 P1; AC 9S 10S; AC ^ B1 -> 10 | one's own neither
legal   | QH QD; ; QC 2S; QC = QH QD          | equal courts are taken together
legal   | 5D; ; 4C 9S; 4C + 5D -> 9           | a new build is not owed in the same turn
legal   | ; 6S 3H = 9 P2; 9C 9S; 9C @ B1      | adding to the other's build
"""
SPADE = """
legal   | 5D 4C; ; 9C 8H; . 9C                | as standard
illegal | KH KD; ; KC 2S; KC = KH KD          | one court at a time
legal   | KH; ; KC 2S; KC = KH                | which is one
illegal | ; 5H 4D = 9 P1; 2C 9S; . 2C         | the owner may not trail
legal   | 5D; ; 4C 9S; 4C + 5D -> 9           | a 9 is left
"""
DRAW = """
legal   | 5D 4C; ; 9C 8H 2S JD; 9C = 5D 4C    | captures are as standard
illegal | KH KD; ; KC 2S; KC = KH KD          | one court at a time
legal   | 5D; ; 4C 9S; 4C + 5D -> 9           | a 9 is left
illegal | 5D; ; 4C 8S; 4C + 5D -> 9           | no 9 is left
legal   | 5D; ; 5C 8S; . 5C                   | a card that takes may be trailed
illegal | ; 5H 4D = 9 P1; 2C 9S; . 2C         | the owner may not trail
"""
ROYAL_DRAW = """
legal   | 10H 3D; ; KC 2S; KC = 10H 3D        | a king is 13
legal   | KH KD; ; KC 2S; KC = KH KD          | equal courts together
legal   | 9H 5D; ; AC 2S; AC = 9H 5D          | an ace is 14 from the hand
legal   | AH; ; AC 2S; AC = AH                | or 1
illegal | KH AH; ; AC 2S; AC = KH             | it is no king
legal   | 8D; ; 5C KS; 5C + 8D -> 13          | builds go up to 13
legal   | 9D; ; 5C AS; 5C + 9D -> 14          | or 14 with an ace
illegal | 9D; ; 5C KS; 5C + 9D -> 14          | which must be held
legal   | JD; ; 2C KS; 2C + JD -> 13          | a jack is 11 in a build
"""
DRAWS = """
legal   | 3 30 n 1 | one after the play
illegal | 3 30 n 2 | no more
illegal | 4 30 n 1 | not before the play
legal   | 2 30 y 2 | two where one was missed
illegal | 3 30 y 2 | but never five cards
illegal | 2 30 y 1 | the missed one is made good
illegal | 2 30 n 2 | without having missed one
illegal | 3 0 n 1  | nothing is left
illegal | 2 0 y 2  | not even for a missed one
legal   | 2 1 y 1  | the last card
illegal | 2 1 y 2  | there is one only
undecided | 3 ? n 1 | unless it is known that there is a stock
illegal | 4 ? n 1  | but not with a full hand
"""


def lines(text: str) -> list[tuple[str, str]]:
    return [(want.strip(), rest.partition("|")[0].strip()) for want, _, rest in
            (line.partition("|") for line in text.strip().splitlines())]  # fmt: skip


TURNS = [
    (preset, options, *line)
    for preset, options, text in (
        ("book", {}, BOOK), ("book", BAN, BOOK_BAN), ("book", OFF, BOOK), ("japanese", {}, JAPANESE),
        ("spade", {}, SPADE), ("spade_26", {}, SPADE), ("draw", {}, DRAW), ("royal_draw", {}, ROYAL_DRAW),
    )
    for line in lines(text)
]  # fmt: skip


def position(text: str) -> tuple[Json, Json]:
    """A table and a turn, as the head of this file writes them."""
    table, builds, hand, play = (part.strip() for part in text.split(";"))
    laid = []
    for number, build in enumerate(filter(None, (one.strip() for one in builds.split(","))), start=1):
        cards, _, rest = build.partition("=")
        value, owner = rest.split()
        laid.append({"id": f"B{number}", "value": int(value), "sets": [cards.split()], "owner": owner})
    place = {"seats": ["P1", "P2"], "player": "P1", "table": table.split(), "builds": laid, "hand": hand.split()}
    return place, {"type": "turn", "plays": [read_play(play)]}


def read_play(text: str) -> Json:
    card, sign, *rest = text.split()
    if card == ".":
        return {"play": "trail", "card": sign}
    if sign == "=":
        builds = [one for one in rest if one[0] == "B"]
        return {"play": "capture", "card": card, "table": [one for one in rest if one[0] != "B"], "builds": builds}
    if sign == "+":
        return {"play": "build", "card": card, "table": rest[:-2], "value": int(rest[-1])}
    if sign == "^":
        return {"play": "raise", "card": card, "build": rest[0], "to": int(rest[-1])}
    loose = [] if sign == "@" else [sign]
    added = {"card": card, "table": loose}
    return {"play": "augment", "value": 9, "base": {"build": rest[-1]}, "sets": [added]}


@pytest.mark.parametrize(("preset", "options", "want", "text"), TURNS)
def test_turn(preset: str, options: Json, want: str, text: str) -> None:
    place, move = position(text)
    rules = {"preset": preset, "options": options}
    status, body, codes = answer("check", {"rules": rules, "position": place, "move": move})
    assert (status, codes) == (200, set())
    assert body["verdict"] == want


@pytest.mark.parametrize("preset", ["draw", "royal_draw"])
@pytest.mark.parametrize(("want", "text"), lines(DRAWS))
def test_draw(preset: str, want: str, text: str) -> None:
    held, stock, missed, count = text.split()
    place: Json = {"seats": ["P1", "P2"], "player": "P1", "hand": ["9C", "5S", "2H", "KD"][: int(held)]}
    place |= {} if stock == "?" else {"stock": int(stock)}
    place["missed_draw"] = missed == "y"
    move = {"type": "draw", "count": int(count)}
    assert answer("check", {"rules": {"preset": preset}, "position": place, "move": move})[1]["verdict"] == want


@pytest.mark.parametrize("preset", ["book", "standard", "swazi", "royal"])
def test_nobody_draws_in_other_games(preset: str) -> None:
    place = {"seats": ["P1", "P2"], "player": "P1", "hand": ["9C"], "stock": 30}
    request = {"rules": {"preset": preset}, "position": place, "move": {"type": "draw"}}
    assert answer("check", request)[1]["verdict"] == "illegal"


# Scores --------------------------------------------------------------------------------------------------------------


def facts(text: str) -> Json:
    """`30 8 3 T.JA 2`: cards, spades, aces (or their suits), 10D, 2S, the jack and the ace of spades, sweeps."""
    cards, spades, aces, single, *sweeps = text.split()
    found: Json = {"cards": int(cards), "spades": int(spades), "big_ten": "T" in single, "spy_two": "2" in single}
    found["aces"] = int(aces) if aces.isdigit() else [*aces.strip("-")]
    found |= {"spade_jack": "J" in single, "spade_ace": "A" in single, "sweeps": int(sweeps[0]) if sweeps else 0}
    return found


SCORES = [
    ("book", "30 8 1 T 2", "22 5 3 2 1", (9, 5)),
    ("book", "30 8 3 T 0", "22 5 1 2 0", (9, 2)),
    ("book", "26 7 2 T 0", "26 6 2 2 3", (5, 6)),  # a tie for cards: nobody
    ("book", "26 7 4 T2 5", "26 6 0 . 0", (13, 0)),
    ("japanese", "30 8 1 T 2", "22 5 3 2 1", (9, 5)),
    ("japanese", "20 4 0 . 6", "32 9 4 T2 0", (6, 11)),
    ("japanese", "27 6 4 . 0", "25 7 0 T2 1", (7, 5)),
    ("spade", "30 8 3 TJA", "22 5 1 2", (17, 7)),
    ("spade", "27 8 3 JA", "25 5 1 T2", (15, 9)),
    ("spade", "26 13 4 T2JA", "26 0 0 .", (21, 0)),
    ("spade", "22 0 0 .", "30 13 4 T2JA", (0, 24)),
    ("spade", "30 3 0 T", "22 10 4 2JA", (8, 16)),
    ("spade", "20 6 1 A", "32 7 3 T2J", (7, 17)),
    ("spade", "27 7 2 2J", "25 6 2 TA", (14, 10)),
    ("spade", "11 10 2 2A", "41 3 2 TJ", (13, 11)),
    ("spade", "50 11 4 T2JA", "2 2 0 .", (22, 2)),
    ("spade_26", "30 8 3 TJA", "22 5 1 2", (19, 7)),
    ("spade_26", "27 8 3 JA", "25 5 1 T2", (17, 9)),
    ("spade_26", "30 13 4 T2JA", "22 0 0 .", (26, 0)),
    ("spade_26", "22 0 0 .", "30 13 4 T2JA", (0, 26)),
    ("spade_26", "30 3 0 T", "22 10 4 2JA", (8, 18)),
    ("spade_26", "20 6 1 A", "32 7 3 T2J", (8, 18)),
    ("spade_26", "27 7 2 2J", "25 6 2 TA", (15, 11)),
    ("spade_26", "26 7 2 TJA", "26 6 2 2", (14, 9)),
    ("spade_26", "11 10 2 2A", "41 3 2 TJ", (15, 11)),
    ("spade_26", "50 11 4 T2JA", "2 2 0 .", (24, 2)),
    ("draw", "30 8 3 T", "22 5 1 2", (9, 2)),
    ("draw", "26 7 2 T2", "26 6 2 .", (6, 2)),
    ("draw", "25 6 4 T2", "27 7 0 .", (7, 4)),
    ("royal_draw", "30 8 3 T", "22 5 1 2", (9, 2)),
    ("royal_draw", "25 6 4 T2", "27 7 0 .", (7, 4)),
]


@pytest.mark.parametrize(("preset", "ours", "theirs", "points"), SCORES)
def test_score(preset: str, ours: str, theirs: str, points: tuple[int, int]) -> None:
    deal = {"A": facts(ours), "B": facts(theirs)}
    answered = scored({"rules": {"preset": preset}, "sides": ["A", "B"], "deals": [deal]})["deals"][0]["sides"]
    assert (answered["A"]["points"], answered["B"]["points"]) == points


@pytest.mark.parametrize(("ours", "theirs", "codes"), [
    ("30 8 3 TJA", "22 5 1 2J", {"spade-jack-total"}), ("30 8 3 TJA", "22 5 1 2A", {"spade-ace-total"}),
    ("30 8 3 TA", "22 5 1 2", {"spade-jack-total"}), ("30 8 4 TJ", "22 5 0 2", {"spade-ace-total"}),
])  # fmt: skip
def test_at_most_one_side_has_a_card(ours: str, theirs: str, codes: set[str]) -> None:
    deal = {"A": facts(ours), "B": facts(theirs)}
    request = {"rules": {"preset": "spade_26"}, "sides": ["A", "B"], "deals": [deal]}
    assert answer("score", request)[2] == codes


@pytest.mark.parametrize("preset", PRESETS)
def test_there_are_fifteen_cases_of_each(preset: str) -> None:
    turns = sum(each[0] == preset for each in TURNS)
    drawn = len(lines(DRAWS)) if "draw" in preset else 0
    assert turns + drawn + sum(each[0] == preset for each in SCORES) + sum(each[0] == preset for each in ENDS) >= 15


CLAIM, OUT = {"ending": "claim"}, {"ending": "count_out"}
TAKEN: Json = {}
ACES = {"spades_points": 0, "big_ten_points": 0, "spy_two_points": 0}
SHARED = {"cards_points": 2, "cards_tie": "split"}
DOUBLED = {"margin": "difference_doubled"}
ENDS: list[tuple[str, Json, str, list[str], Json, Json]] = [
    # rules, totals before, what each took, what else the deal says, what comes of it
    ("book", CLAIM, "17 20", ["20 4 2 T", "18 5 1 2"], {"claim": "A"}, {"winners": ["A"], "total": [21, 22]}),
    ("book", CLAIM, "16 10", ["20 4 2 T", "18 5 1 2"], {"claim": "A"}, {"winners": ["B"]}),
    ("book", CLAIM, "17 10", ["27 4 1 .", "18 5 1 2"], {"claim": "A"}, {"winners": ["A"], "total": [21, 12]}),
    ("book", CLAIM, "17 10", ["26 4 1 .", "18 5 1 2"], {"claim": "A"}, {"winners": ["B"], "total": [18, 12]}),
    ("book", CLAIM, "19 10", ["9 7 1 .", "18 5 1 2"], {"claim": "A"}, {"winners": ["A"], "total": [21, 12]}),
    ("book", CLAIM, "19 10", ["9 6 1 .", "18 5 1 2"], {"claim": "A"}, {"winners": ["B"], "total": [20, 12]}),
    ("book", CLAIM, "17 18", ["30 8 0 .", "22 5 4 T2"], {}, {"over": False, "target": 32, "total": [21, 25]}),
    ("book", CLAIM, "17 8", ["30 8 0 .", "22 5 4 T2"], {}, {"winners": ["A"]}),
    ("book", CLAIM, "3 10 12", ["9 2 1 .", "9 2 1 .", "9 2 1 ."], {"claim": "A"}, {"winners": ["C"]}),
    ("book", CLAIM, "3 12 12", ["9 2 1 .", "9 2 1 .", "9 2 1 ."], {"claim": "A"}, {"winners": ["B", "C"]}),
    ("book", OUT, "17 18", ["30 8 0 .", "22 5 4 T2"], {}, {"winners": ["A"]}),  # cards, then spades
    ("book", OUT, "15 18", ["30 8 2 .", "22 5 2 T2"], {}, {"winners": ["B"]}),  # 10D before the aces
    ("book", OUT, "20 20", ["22 5 SC .", "30 8 HD T2"], {}, {"winners": ["B"]}),
    ("book", OUT, "20 20", ["26 5 2 T", "26 8 2 2"], {}, {"winners": ["B"]}),  # spades come before 10D
    ("book", OUT, "18 20", ["26 6 SHD .", "26 7 C T2"], {}, {"winners": ["B"]}),
    ("book", OUT | ACES, "20 20", ["26 6 SH T2", "26 7 CD ."], {}, {"winners": ["A"]}),
    ("book", OUT | ACES, "19 20", ["26 6 SH T2", "26 7 CD ."], {}, {"winners": ["B"]}),
    ("book", OUT | ACES, "20 20", ["26 6 2 T2", "26 7 2 ."], {}, {"codes": {"aces-needed"}}),
    ("book", OUT | ACES, "20 19", ["26 6 4 T2", "26 7 0 ."], {}, {"winners": ["A"], "total": [24, 19]}),
    ("book", OUT | ACES, "20 20", ["26 6 SHD T2", "26 7 1 ."], {}, {"winners": ["A"]}),  # the rest is the other's
    ("book", OUT, "18 20 0", ["20 5 S T", "20 5 2 .", "12 3 1 2"], {}, {"winners": ["A"]}),  # the others' do not matter
    ("spade_26", OUT | {"target": 21}, "12 10", ["26 6 3 TA", "26 7 1 2J"], {}, {"winners": ["A"]}),  # its ace is told
    ("book", OUT | SHARED, "20 20", ["26 6 2 .", "26 7 2 T2"], {}, {"winners": ["B"]}),  # level, then ahead by spades
    ("book", OUT | SHARED | {"cards_points": 4}, "20 19", ["26 6 2 .", "26 7 2 T2"], {}, {"winners": ["A"]}),
    ("spade", TAKEN, "50 50", ["30 8 3 TJA", "22 5 1 2"], {}, {"winners": ["A"], "total": [67, 57]}),
    ("spade", TAKEN, "50 55", ["30 8 3 TJA", "22 5 1 2"], {}, {"codes": {"first-out-needed"}}),
    ("spade", TAKEN, "50 55", ["30 8 3 TJA", "22 5 1 2"], {"first_out": "B"}, {"winners": ["B"]}),
    ("spade", TAKEN, "50 55", ["30 8 3 TJA", "22 5 1 2"], {"first_out": "A"}, {"winners": ["A"]}),
    ("spade", TAKEN, "50 50", ["30 8 3 TJA", "22 5 1 2"], {"first_out": "B"}, {"codes": {"first-out-short"}}),
    ("spade", DOUBLED, "50 20", ["30 8 3 TJA", "22 5 1 2"], {}, {"winners": ["A"], "margin": {"B": 80}}),
    ("spade", DOUBLED, "50 23", ["30 8 3 TJA", "22 5 1 2"], {}, {"margin": {"B": 74}}),  # 30 of 61 is under half
    ("spade", DOUBLED, "50 24", ["30 8 3 TJA", "22 5 1 2"], {}, {"margin": {"B": 36}}),  # 31 is not
    ("spade", {"margin": "difference"}, "50 20", ["30 8 3 TJA", "22 5 1 2"], {}, {"margin": {"B": 40}}),
    ("spade_26", TAKEN, "45 50", ["30 8 3 TJA", "22 5 1 2"], {}, {"winners": ["A"], "total": [64, 57]}),
    ("spade_26", TAKEN, "45 55", ["30 8 3 TJA", "22 5 1 2"], {}, {"winners": ["B"]}),  # A only by the majorities
    ("spade_26", TAKEN, "45 55", ["30 8 3 TJA", "22 5 1 2"], {"first_out": "B"}, {"winners": ["B"]}),
    ("spade_26", TAKEN, "45 55", ["30 8 3 TJA", "22 5 1 2"], {"first_out": "A"}, {"codes": {"first-out-short"}}),
    ("spade_26", TAKEN, "47 55", ["30 8 3 TJA", "22 5 1 2"], {}, {"codes": {"first-out-needed"}}),
    ("book", {}, "17 18", ["30 8 0 .", "22 5 4 T2"], {}, {"winners": ["B"], "total": [21, 25]}),
    ("japanese", {}, "17 14", ["30 8 0 .", "22 5 4 T2"], {}, {"over": False, "total": [21, 21]}),
    ("draw", {}, "17 15", ["30 8 0 .", "22 5 4 T2"], {}, {"winners": ["B"], "total": [21, 22]}),
    ("royal_draw", {}, "17 10", ["30 8 0 .", "22 5 4 T2"], {}, {"winners": ["A"], "total": [21, 17]}),
    ("book", OUT, "20 20", ["26 6 2 .", "26 7 2 T2"], {}, {"winners": ["B"]}),
]  # fmt: skip


LESS = {"adjustments": [{"side": "A", "points": -10, "reason": "late"}]}
MORE = {"adjustments": [{"side": "A", "points": 10, "reason": "gift"}]}
FALSE_BUILDS = {"irregularities": [{"kind": "false_build", "by": "A"}] * 4}
BESIDE: list[Any] = [
    ("spade", TAKEN, "50 55", LESS, {"winners": ["B"]}),
    ("spade", TAKEN, "40 55", MORE, {"codes": {"first-out-needed"}}),
    ("spade", TAKEN, "40 55", MORE | {"first_out": "A"}, {"winners": ["A"]}),
    ("spade", TAKEN, "50 55", LESS | {"first_out": "A"}, {"codes": {"first-out-short"}}),
]
"""What the table gives or takes beside a deal counts where it is asked who has reached the target (END-R1)."""
ENDS += [
    (preset, options, before, ["30 8 3 TJA", "22 5 1 2"], told, want) for preset, options, before, told, want in BESIDE
]
SHORT = ("19 19 20", ["20 3 0 .", "16 5 2 T", "16 5 2 2"])
ENDS += [
    ("standard", OUT | {"false_build_remedy": "point_lost"}, *SHORT, FALSE_BUILDS, {"winners": ["B"]}),
    ("standard", OUT, *SHORT, {"adjustments": [{"side": "A", "points": -4, "reason": "late"}]}, {"winners": ["B"]}),
]  # whoever is below the target in the end was never the first there


@pytest.mark.parametrize(("preset", "options", "before", "took", "told", "want"), ENDS)
def test_end(preset: str, options: Json, before: str, took: list[str], told: Json, want: Json) -> None:
    sides = [*"ABC"[: len(took)]]
    deal: Json = {side: facts(text) for side, text in zip(sides, took, strict=True)} | told
    out = len(sides) - len(before.split())
    assert not out
    opening = {side: {"total": int(total)} for side, total in zip(sides, before.split(), strict=True)}
    if sum(int(text.split()[0]) for text in took) < 52 and not told.get("claim"):
        deal["unclaimed"] = 52 - sum(int(text.split()[0]) for text in took)
    rules = {"preset": preset, "options": options}
    status, body, codes = answer("score", {"rules": rules, "sides": sides, "deals": [deal], "opening": opening})
    if "codes" in want:
        assert (status, codes) == (422, want["codes"])
        return
    assert codes == set()
    outcome = body["outcome"]
    assert outcome["over"] == want.get("over", True)
    for name in ("winners", "margin", "target"):
        if name in want:
            assert outcome[name] == want[name]
    if "total" in want:
        assert [body["standing"][side]["total"] for side in sides] == want["total"]


def test_a_shut_out_is_counted_out_after_the_sweeps() -> None:
    """The aces that it stands for are not counted before, one by one, as well."""
    options = {"ending": "count_out", "shutout": True, "sweep": 2, "cards_tie": "none"}
    deal = {"A": facts("26 13 SCHD T2"), "B": facts("26 0 0 .") | {"sweeps": 1}}
    request = {"rules": {"preset": "swazi", "options": options}, "sides": ["A", "B"], "deals": [deal]}
    for before, winner in ((19, "B"), (18, "A")):
        _, body, codes = answer("score", request | {"opening": {side: {"total": before} for side in "AB"}})
        assert (codes, body["outcome"]["winners"]) == (set(), [winner])


def test_a_target_rises_once_a_deal_and_stays_risen() -> None:
    """END-R5: 21, then 32, and whoever is alone there at the end of a deal wins."""
    level, behind = [facts("30 8 0 ."), facts("22 5 4 T2")], [facts("40 9 4 T2"), facts("12 4 0 .")]
    deals = [dict(zip("AB", each, strict=True)) for each in (level, behind)]
    rules = {"preset": "book", "options": {"ending": "claim"}}
    request: Json = {"rules": rules, "sides": ["A", "B"], "opening": {"A": {"total": 17}, "B": {"total": 18}}}
    first = scored(request | {"deals": deals[:1]})["outcome"]
    assert (first["over"], first["target"]) == (False, 32)
    both = scored(request | {"deals": deals})
    assert both["outcome"]["winners"] == ["A"]
    assert both["standing"]["A"]["total"] == 32
    slow = [deals[0], {"A": facts("26 6 0 ."), "B": facts("26 7 4 T2")}, deals[1]]
    assert scored(request | {"deals": slow[:2]})["outcome"] == {
        "over": True, "winners": ["B"], "reason": "casino.target"
    }  # fmt: skip


# Whole deals ---------------------------------------------------------------------------------------------------------

PLAYED: list[tuple[str, Json, int]] = [
    *((preset, {}, players) for preset in PRESETS for players in ((2,) if preset == "japanese" else (2, 3, 4))),
    ("book", BAN, 2), ("book", OFF, 4), ("book", {"deck": 49, "partners": "off"}, 5),
]  # fmt: skip
CLEAN, SPOILT = 1_000, 500
"""Deals of each preset that the long run replays, and those with a fault."""


def shared(deals: int, preset: str, options: Json) -> int:
    """How many of the deals of a preset are for each number of players."""
    return -(-deals // sum(other[:2] == (preset, options) for other in PLAYED))


@pytest.mark.parametrize(("preset", "options", "players"), PLAYED)
def test_random_deals_replay_clean_and_score_as_on_paper(
    preset: str, options: Json, players: int, soak_round: int, thorough: bool, soaked: Any
) -> None:
    rules, count = {"preset": preset, "options": options}, shared(CLEAN, preset, options) if thorough else 2
    for seed in range(count):
        deal = played(rules, players, random.Random(f"{preset} {options} {players} {soak_round} {seed}"))
        found = ask("replay", deal.request())
        assert found["findings"] == []
        assert found["complete"]
        assert all(each.verdict.value == "legal" for each in found["verdicts"])
        own, result = deal.facts(), dict(found["result"])
        assert {side: set(took["captured"]) for side, took in result.items()} == {
            side: set(took) for side, took in deal.taken().items()
        }
        points = casino_oracle.points(deal.options, own)
        answered = scored({"rules": rules, "sides": [side["id"] for side in found["sides"]], "deals": [result]})
        assert {side: one["points"] for side, one in answered["deals"][0]["sides"].items()} == points
    soaked(deals=count)


@pytest.mark.parametrize(("preset", "options", "players"), PLAYED)
def test_a_planted_fault_is_found_where_it_is(
    preset: str, options: Json, players: int, soak_round: int, thorough: bool, soaked: Any
) -> None:
    rules, kinds = {"preset": preset, "options": options}, Counter[str]()
    for seed in range(shared(SPOILT, preset, options) if thorough else 3):
        chance = random.Random(f"fault {preset} {options} {players} {soak_round} {seed}")
        deal: Deal = played(rules, players, chance)
        kind, request = faulty(deal, chance)
        found = ask("replay", request)
        assert found["findings"], (kind, request["turns"][-1])
        assert all(each.verdict.value == "legal" for each in found["verdicts"][:-1])
        assert found["verdicts"][-1].verdict.value == "illegal"
        kinds[kind] += 1
    soaked(**kinds)


@pytest.mark.parametrize("shutout", [False, True])
def test_a_pack_without_courts_has_no_jack_that_scores(shutout: bool) -> None:
    options = {"deck": 40, "spade_jack_points": 1, "spy_two_points": 1, "shutout": shutout}
    deal = {"A": facts("20 5 4 T2"), "B": facts("20 5 0 .") | {"spade_jack": True}}
    request = {"rules": {"preset": "swazi", "options": options}, "sides": ["A", "B"], "deals": [deal]}
    _, body, codes = answer("score", request)
    assert (codes, body["standing"]["B"]["total"]) == (set(), 0)
