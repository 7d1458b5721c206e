"""False builds found too late: random evenings against a scorer written from the rules, and cases worked by hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine.game import read_score_request, score_request
from companion.engine.problems import Node, Refused, read_whole
from companion.games.casino import CASINO
from companion.games.casino.articles import ARTICLES
from tests.casino.asking import Json, answer, check, scored
from tests.pairs import casino_oracle
from tests.pairs.test_oracles import casino_deal

EVENINGS, FEW = 200, 150
"""Evenings of a round: of a long run, and of every run."""
REMEDY = "casino.false-build-remedy"
TABLES: dict[str, tuple[Any, ...]] = {
    "false_build_remedy": ("none", "point", "point", "point_lost"),
    "misdeal_dealer": ("none", "same", "next"),
    "target": (None, 11, 21),
    "final_tie": ("another", "draw"),
    "cards_tie": ("none", "split"),
    "sweep": (0, 1),
    "sweep_cancel": (False, True),
    "shutout": (False, True),
    "last_capture_points": (0, 1),
    "majorities": ("always", "two_sides_only"),
}


def test_agrees_with_the_second_scorer(soak_round: int, soaked: Any) -> None:
    rng, wanted = Random(1889 + soak_round), EVENINGS if soak_round else FEW
    wrong, deals, remedied = [], 0, 0
    while wanted:
        given = {name: rng.choice(values) for name, values in TABLES.items() if rng.random() < 0.6}
        try:
            options = CASINO.options.plain(read_whole({"options": given}, CASINO.options.read).options)
        except Refused:
            continue
        wanted -= 1
        request = _evening(rng, given, options)
        expected = _expected(options, request)
        node = Node(request)
        asked = node.require(read_score_request(CASINO, node))
        ledger = score_request(CASINO, asked, after_end="mark")
        got = [
            {
                name: (side.points, side.standing.total, [line.points for line in side.lines if line.article == REMEDY])
                for name, side in one.sides.items()
            }
            for one in ledger.deals
        ]
        deals += len(got)
        remedied += sum(bool(one[2]) for deal in got for one in deal.values())
        if (got, list(ledger.outcome.winners)) != expected:
            wrong.append((request, got, expected))
    soaked(evenings=EVENINGS if soak_round else FEW, deals=deals)
    assert not wrong, f"{len(wrong)} evenings, such as {wrong[0]}"
    assert remedied > 20


def _expected(options: Json, request: Json) -> tuple[list[Json], list[str]]:
    """What every side gets from every deal: points, total and the points of its lines about false builds."""
    sides = {side["id"]: side["players"] for side in request["sides"]}
    totals = {name: request["opening"].get(name, {}).get("total", 0) for name in sides}
    found, won = [], list[str]()
    for facts in request["deals"]:
        lines: dict[str, list[int]] = {name: [] for name in sides}
        points = dict.fromkeys(sides, 0)
        if not facts.get("void") and not won:
            points = casino_oracle.points(options, {name: facts[name] for name in sides})
            made = [
                name for entry in facts["irregularities"] for name in sides
                if entry["kind"] == "false_build" and entry["by"] in (name, *sides[name])
                and not entry.get("corrected")
            ]  # fmt: skip
            for maker in made if options["false_build_remedy"] != "none" else ():
                if options["false_build_remedy"] == "point" and len(sides) == 2:
                    (other,) = set(sides) - {maker}
                    lines[maker].append(0)
                    lines[other].append(1)
                else:
                    lines[maker].append(-1)
            points = {name: points[name] + sum(lines[name]) for name in sides}
            totals = {name: totals[name] + points[name] for name in sides}
            won = casino_oracle.winners(options, totals if options["target"] else points)
        found.append({name: (points[name], totals[name], lines[name]) for name in sides})
    return found, won


ACCEPTED = (
    "spy-two-without-spade", "cards-below-parts", "spades-below-parts", "spade-ace-against-aces", "last-capture-total",
)  # fmt: skip


def _evening(rng: Random, given: Json, options: Json) -> Json:
    names = [*"ABCD"[: rng.choice((2, 2, 2, 3, 4))]]
    pairs = len(names) == 2 and rng.random() < 0.5
    sides = [{"id": name, "players": [f"{name}{n}" for n in range(1 + pairs)]} for name in names]
    opening = {name: {"total": rng.choice((-1, 0, 3, 9))} for name in names} if rng.random() < 0.5 else {}
    deals: list[Json] = []
    for _ in range(rng.randint(1, 4)):
        entries: list[Json] = []
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            side = rng.choice(sides)
            kind = rng.choice(("false_build", "false_build", "false_build", "illegal_play", "exposed"))
            entries.append({"kind": kind, "by": rng.choice([side["id"], *side["players"]])})
            if rng.random() < 0.2:
                entries[-1]["corrected"] = True
        if rng.random() < 0.15:
            deals.append({"void": True, "irregularities": [*entries, {"kind": "misdeal", "by": names[0]}]})
            continue
        accept = [{"code": c, "reason": "tried out"} for c in ACCEPTED]
        facts = casino_deal(rng, options, names)
        for side in facts.values():
            del side["suits"]
        deals.append(facts | {"irregularities": entries, "accept": accept})
    return {"rules": {"options": given}, "sides": sides, "deals": deals, "opening": opening}


A = {"cards": 30, "spades": 8, "aces": 3, "big_ten": True, "spy_two": False, "sweeps": 0}
B = {"cards": 22, "spades": 5, "aces": 1, "big_ten": False, "spy_two": True, "sweeps": 0}
C = {"cards": 20, "spades": 6, "aces": 2, "big_ten": True, "spy_two": False, "sweeps": 0}
D = {"cards": 17, "spades": 4, "aces": 1, "big_ten": False, "spy_two": True, "sweeps": 0}
E = {"cards": 15, "spades": 3, "aces": 1, "big_ten": False, "spy_two": False, "sweeps": 0}
ALL = {"cards": 52, "spades": 13, "aces": 4, "big_ten": True, "spy_two": True, "sweeps": 0}
NOTHING = {"cards": 0, "spades": 0, "aces": 0, "big_ten": False, "spy_two": False, "sweeps": 0}
"""By the standard table 9 and 2; 8, 2 and 1; 11 and 0."""
POINT, LOST = {"false_build_remedy": "point"}, {"false_build_remedy": "point_lost"}
PAIRS = [{"id": "A", "players": ["Aki", "Cho"]}, {"id": "B", "players": ["Ben", "Dov"]}]


def _build(*makers: str, kind: str = "false_build", **more: Any) -> list[Json]:
    return [{"kind": kind, "by": maker, **more} for maker in makers]


def _two(entries: list[Json], **more: Any) -> Json:
    return {"A": A, "B": B, "irregularities": entries, **more}


def _three(entries: list[Json]) -> Json:
    return {"A": C, "B": D, "C": E, "irregularities": entries}


CASES: dict[str, tuple[str, Json, list[Json], list[list[int]]]] = {
    # the article, options, deals, and the totals of all sides after each deal
    "none": ("IRR-C2", {}, [_two(_build("A", "A", "B"))], [[9, 2]]),
    "point to B": ("IRR-C2b", POINT, [_two(_build("A"))], [[9, 3]]),
    "point to A": ("IRR-C2b", POINT, [_two(_build("B"))], [[10, 2]]),
    "point for each build": ("IRR-C2e", POINT, [_two(_build("A", "A", "A"))], [[9, 5]]),
    "point both ways": ("IRR-C2b", POINT, [_two(_build("A", "B"))], [[10, 3]]),
    "point both ways, one more": ("IRR-C2e", POINT, [_two(_build("A", "B", "B"))], [[11, 3]]),
    "lost by A": ("IRR-C2c", LOST, [_two(_build("A"))], [[8, 2]]),
    "lost by B": ("IRR-C2c", LOST, [_two(_build("B"))], [[9, 1]]),
    "lost for each build": ("IRR-C2e", LOST, [_two(_build("B", "B"))], [[9, 0]]),
    "below zero": ("IRR-C2c", LOST, [_two(_build("B", "B", "B"))], [[9, -1]]),
    "lost both ways": ("IRR-C2c", LOST, [_two(_build("A", "B"))], [[8, 1]]),
    "fifty builds": ("IRR-C2e", LOST, [_two(_build(*["A"] * 50))], [[-41, 2]]),
    "put back, point": ("IRR-C2a", POINT, [_two(_build("A", corrected=True))], [[9, 2]]),
    "put back, lost": ("IRR-C2a", LOST, [_two(_build("A", corrected=True))], [[9, 2]]),
    "one put back, one found": (
        "IRR-C2a", POINT, [_two([*_build("A", corrected=True), *_build("A", corrected=False)])], [[9, 3]],
    ),
    "a note changes nothing": ("IRR-0", POINT, [_two(_build("A", note="a nine of five and three"))], [[9, 3]]),
    "illegal capture, point": ("IRR-C1", POINT, [_two(_build("A", kind="illegal_play"))], [[9, 2]]),
    "illegal trail, lost": ("IRR-C1", LOST, [_two(_build("B", kind="illegal_play"))], [[9, 2]]),
    "exposed, point": ("IRR-C3", POINT, [_two(_build("A", kind="exposed"))], [[9, 2]]),
    "exposed, lost": ("IRR-C3", LOST, [_two(_build("A", kind="exposed"))], [[9, 2]]),
    "three players, point": ("IRR-C2d", POINT, [_three(_build("A"))], [[7, 2, 1]]),
    "three players, lost": ("IRR-C2c", LOST, [_three(_build("A"))], [[7, 2, 1]]),
    "three players, two makers": ("IRR-C2d", POINT, [_three(_build("B", "C"))], [[8, 1, 0]]),
    "three players, below zero": ("IRR-C2d", POINT, [_three(_build("C", "C"))], [[8, 2, -1]]),
    "four players": (
        "IRR-C2d", POINT,
        [{"A": C, "B": D, "C": E | {"cards": 13}, "D": NOTHING | {"cards": 2}, "irregularities": _build("D")}],
        [[8, 2, 1, -1]],
    ),
    "partners, a player": ("IRR-C2b", POINT, [_two(_build("Aki"))], [[9, 3]]),
    "partners, both": ("IRR-C2e", POINT, [_two(_build("Aki", "Cho"))], [[9, 4]]),
    "partners, the side": ("IRR-C2b", POINT, [_two(_build("A"))], [[9, 3]]),
    "partners, lost": ("IRR-C2c", LOST, [_two(_build("Dov"))], [[9, 1]]),
    "after the sweeps": (
        "IRR-C2e", POINT | {"sweep": 1},
        [{"A": A | {"sweeps": 2}, "B": B | {"sweeps": 1}, "irregularities": _build("A")}], [[11, 4]],
    ),
    "after sweeps that cancel": (
        "IRR-C2e", POINT | {"sweep": 1, "sweep_cancel": True},
        [{"A": A | {"sweeps": 2}, "B": B | {"sweeps": 1}, "irregularities": _build("A")}], [[10, 3]],
    ),
    "after a shutout": (
        "IRR-C2e", POINT | {"shutout": True}, [{"A": ALL, "B": NOTHING, "irregularities": _build("A")}], [[11, 1]],
    ),
    "after a shutout, lost": (
        "IRR-C2e", LOST | {"shutout": True}, [{"A": ALL, "B": NOTHING, "irregularities": _build("B")}], [[11, -1]],
    ),
    "a void deal": (
        "IRR-C5", POINT,
        [{"void": True, "irregularities": [*_build("A"), *_build("B", kind="misdeal")]}, _two([])], [[0, 0], [9, 2]],
    ),
    "a void deal, lost": (
        "IRR-C5", LOST | {"misdeal_dealer": "same"},
        [{"void": True, "irregularities": [*_build("A"), *_build("B", kind="misdeal")]}, _two(_build("A"))],
        [[0, 0], [8, 2]],
    ),
    "no warnings in Casino": ("IRR-C2e", POINT, [_two(_build("A")), _two(_build("A"))], [[9, 3], [18, 6]]),
    "each deal by itself": ("IRR-C2e", LOST, [_two(_build("B")), _two([])], [[9, 1], [18, 3]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_totals_worked_by_hand(name: str) -> None:
    number, options, deals, totals = CASES[name]
    assert number.rstrip("abcde") in {one for article in ARTICLES for one in article.numbers}
    sides: list[Any] = PAIRS if "partners" in name else [side for side in deals[-1] if len(side) == 1]
    request = {"rules": {"preset": "standard", "options": options}, "sides": sides, "deals": deals}
    body = scored(request)
    assert [[side["total"] for side in deal["sides"].values()] for deal in body["deals"]] == totals


@pytest.mark.parametrize(
    ("options", "opening", "builds", "winners"),
    [
        (POINT, (5, 18), "A", ["B"]),  # 14 and 20 + 1: the target is met by the point
        (LOST, (12, 0), "A", []),  # 21 - 1
        (POINT, (13, 19), "AA", ["B"]),  # 22 to 23
        (POINT, (12, 18), "A", []),  # 21 each: another deal
        (LOST, (13, 19), "A", []),  # 21 each again
    ],
)
def test_the_target_and_the_tie_come_after_it(
    options: Json, opening: tuple[int, int], builds: str, winners: list[str]
) -> None:
    """IRR-C2e."""
    before = {name: {"total": total} for name, total in zip("AB", opening, strict=True)}
    rules = {"preset": "standard", "options": options | {"target": 21}}
    request = {"rules": rules, "sides": ["A", "B"], "deals": [_two(_build(*builds))], "opening": before}
    assert scored(request)["outcome"]["winners"] == winners


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (POINT, {"A": [0, 0], "B": [1, 1]}),
        (LOST, {"A": [-1, -1], "B": []}),
        ({}, {"A": [], "B": []}),
    ],
)
def test_its_lines_follow_all_others(options: Json, expected: dict[str, list[int]]) -> None:
    request = {
        "rules": {"preset": "standard", "options": options},
        "sides": ["A", "B"],
        "deals": [_two(_build("A", "A"))],
    }
    for name, side in scored(request)["deals"][0]["sides"].items():
        lines = [line["points"] for line in side["lines"] if line["article"] == REMEDY]
        assert lines == expected[name]
        assert [line["article"] for line in side["lines"]][len(side["lines"]) - len(lines) :] == [REMEDY] * len(lines)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"kind": "misdeal", "by": "A"}, "misdeal-not-void"),
        ({"kind": "false_build", "by": "Nobody"}, "unknown-player"),
        ({"kind": "revoke", "by": "A"}, "choice"),
    ],
)
def test_entries_that_cannot_be(entry: Json, code: str) -> None:
    request = {"rules": {"preset": "standard"}, "sides": ["A", "B"], "deals": [_two([entry])]}
    assert answer("score", request)[2] == {code}


@pytest.mark.parametrize(("plays", "hand"), [
    ([{"play": "build", "value": 9, "table": ["5C"], "card": "4H"}], ["4H", "8S"]),  # a second nine, no card of nine
    ([{"play": "raise", "build": "B1", "to": 11, "card": "2H"}], ["2H", "8S"]),  # an own build, and no jack
    ([{"play": "build", "value": 9, "table": ["5C"], "card": "3H"}], ["4H", "9S"]),  # a wrong sum, and no such card
])  # fmt: skip
def test_a_turn_that_breaks_several_rules_is_a_false_build_if_one_of_them_is(
    plays: list[Json], hand: list[str]
) -> None:
    """The first row of the remedies that fits is the one (IRR-C2), in whatever order the rules were looked at."""
    build = {"id": "B1", "value": 9, "sets": [["6S", "3D"]], "owner": "P1"}
    position = {"seats": ["P1", "P2"], "player": "P1", "table": ["5C"], "builds": [build], "hand": hand}
    rules = {"preset": "swazi", "options": POINT}
    verdict = check({"rules": rules, "position": position, "move": {"type": "turn", "plays": plays}})
    assert len(verdict.breaches) > 1
    assert verdict.remedy is not None
    assert verdict.remedy.article == REMEDY
