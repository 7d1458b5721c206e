"""Every option, off its default, changes some outcome; presets are what the table of the rules says."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.options import Option
from companion.engine.problems import Refused
from companion.games.casino import CASINO as GAME
from companion.games.casino import articles
from tests.casino.asking import Json, answer, check

OPTIONS = GAME.options
TWO = ["P1", "P2"]
FOUR = ["P1", "P2", "P3", "P4"]


def counts(cards: int, spades: int, aces: int, big_ten: bool, spy_two: bool, **more: Any) -> Json:
    return {"cards": cards, "spades": spades, "aces": aces, "big_ten": big_ten, "spy_two": spy_two, **more}


A_LOT, A_LITTLE = counts(30, 8, 3, True, False), counts(22, 5, 1, False, True)
FORTY = {"A": counts(20, 7, 3, True, False), "B": counts(20, 3, 1, False, True)}


def score(*deals: Json, sides: tuple[str, ...] = ("A", "B"), **more: Any) -> tuple[str, Json]:
    return "score", {"sides": list(sides), "deals": list(deals), **more}


def turn(*plays: Json, **position: Any) -> tuple[str, Json]:
    place = {"seats": TWO, "player": "P1", **position}
    return "check", {"position": place, "move": {"type": "turn", "plays": list(plays)}}


def demand(card: str, table: list[str], announced: list[str], **more: Any) -> tuple[str, Json]:
    place = {"seats": TWO, "player": "P1", "table": table, **more.pop("position", {})}
    return "demand", {"position": place, "card": card, "table": announced, **more}


def build(identity: str, value: int, owner: str, *sets: list[str]) -> Json:
    return {"id": identity, "value": value, "sets": list(sets), "owner": owner}


def trail(card: str) -> Json:
    return {"play": "trail", "card": card}


NINE = build("B1", 9, "P2", ["6S", "3D"])
OWN_NINE = build("B1", 9, "P1", ["6S", "3D"])
DEAL = score({"A": A_LOT, "B": A_LITTLE})
BOTH_OVER = score(
    {"A": counts(30, 8, 0, False, False), "B": counts(22, 5, 4, True, True)},
    opening={"A": {"total": 17}, "B": {"total": 18}},
)
SPADES = score(
    {
        "A": A_LOT | {"spade_ace": True, "spade_jack": False},
        "B": A_LITTLE | {"spade_ace": False, "spade_jack": True},
    }
)
FALSE_BUILD = score({"A": A_LOT, "B": A_LITTLE, "irregularities": [{"kind": "false_build", "by": "A"}]})
WRONG_DEAL = ("check", {"position": {"seats": TWO, "dealer": "P1"}, "move": {"type": "deal", "table": 5}})
SPADES_TIED = score(
    {"A": counts(20, 5, 2, True, False), "B": counts(17, 5, 1, False, True), "C": counts(15, 3, 1, False, False)},
    sides=("A", "B", "C"),
)
ACE_AS_14 = turn({"play": "capture", "card": "AS", "as": 14, "table": ["KH", "AD"]}, table=["KH", "AD"])
PILE_SET = {"table": ["3C"], "piles": [{"from": "P2", "card": "7D"}]}
TEN = build("B1", 10, "P1", ["8S", "2D"])
FILLED = {"table": ["3C"], "builds": [TEN], "hand": ["10H", "4C"], "piles": {"P2": ["7D", "3H"]}}
OTHER_MOVES: Json = {"seats": ["P1", "P2", "P3"], "dealer": "P1"}

PROBES: dict[str, list[tuple[Any, Json, tuple[str, Json]]]] = {
    "deck": [(40, {}, score(FORTY)), (49, {"deal": "fours", "partners": "off"}, score({"A": A_LOT, "B": A_LITTLE}))],
    "partners": [
        (
            "off",
            {},
            turn(
                {"play": "raise", "build": "B1", "to": 10, "card": "AS"},
                seats=FOUR,
                builds=[build("B1", 9, "P3", ["6S", "3D"])],
                hand=["AS", "10H"],
            ),
        ),
    ],
    "deal": [
        ("fours", {}, ("check", {"position": OTHER_MOVES, "move": {"type": "deal", "hands": {"P2": 16}}})),
        ("south_african", {"deck": 40}, ("check", {"position": OTHER_MOVES, "move": {"type": "deal", "table": 4}})),
        ("draw", {}, ("check", {"position": OTHER_MOVES, "move": {"type": "deal", "hands": {"P2": 16}}})),
    ],
    "direction": [("clockwise", {}, ("check", {"position": OTHER_MOVES, "move": {"type": "deal", "dealer": "P2"}}))],
    "two_player_deal": [("two_halves", {}, turn(trail("4C"), builds=[OWN_NINE], hand=["4C", "9S"], half=1))],
    "recut": [
        (
            True,
            {},
            ("check", {"position": {"seats": TWO}, "move": {"type": "recut", "table": ["KS", "QS", "JS", "2H"]}}),
        )
    ],
    "court_values": [
        ("none", {}, turn({"play": "capture", "card": "KS", "table": ["10H", "3D"]}, table=["10H", "3D"]))
    ],
    "ace_hand": [
        ("1", {"ace_table": "1"}, ACE_AS_14),
        ("14", {}, turn({"play": "capture", "card": "AS", "as": 1, "table": ["AD"]}, table=["AD"])),
    ],
    "ace_table": [("1", {}, turn({"play": "capture", "card": "AS", "as": 14, "table": ["AD"]}, table=["AD"]))],
    "special_hand_values": [
        (True, {}, turn({"play": "capture", "card": "2S", "as": 15, "table": ["KS", "2D"]}, table=["KS", "2D"]))
    ],
    "court_take": [
        (value, {}, turn({"play": "capture", "card": "KS", "table": ["KH", "KD"]}, table=["KH", "KD"]))
        for value in ("one", "one_or_three")
    ],
    "demand": [(False, {}, demand("6S", ["2D", "4C", "6H"], ["6H"], by="P2"))],
    "demand_measure": [("maximum", {}, demand("8S", ["AC", "AD", "2D", "6C"], ["6C", "2D"], by="P2"))],
    "demand_on_trail": [(True, {}, demand("6S", ["6H"], [], by="P2", play="trail"))],
    "demand_augment": [(True, {}, demand("KS", ["KH", "5C", "4D"], ["KH"], by="P2", position={"builds": [OWN_NINE]}))],
    "building": [
        (
            "standard",
            {},
            turn(
                {"play": "augment", "value": 9, "base": {"build": "B1"}, "sets": [{"card": "9C"}]},
                builds=[NINE],
                hand=["9C", "9H"],
            ),
        ),
        (
            "none",
            {},
            turn({"play": "build", "value": 10, "table": ["4D"], "card": "6S"}, table=["4D"], hand=["6S", "10H"]),
        ),
    ],
    "table_only_build": [
        (
            False,
            {},
            turn(
                {"play": "build", "value": 13, "table": ["5C", "8D"]},
                trail("4S"),
                table=["5C", "8D"],
                hand=["4S", "KS"],
            ),
        ),
    ],
    "same_value_builds": [
        (
            "allowed",
            {},
            turn(
                {"play": "build", "value": 9, "table": ["4D"], "card": "5S"},
                table=["4D"],
                builds=[NINE],
                hand=["5S", "9H"],
            ),
        ),
    ],
    "merge_own_value": [
        (
            True,
            {},
            turn(
                {"play": "raise", "build": "B1", "to": 13, "card": "4S"},
                builds=[NINE, build("B2", 13, "P1", ["8S", "5D"])],
                hand=["4S", "KH"],
            ),
        ),
    ],
    "raise_builds": [
        (
            "others",
            {},
            turn(
                {"play": "raise", "build": "B1", "to": 10, "card": "AS"},
                seats=FOUR,
                builds=[build("B1", 9, "P3", ["6S", "3D"])],
                hand=["AS", "10H"],
            ),
        ),
        (
            "anyone",
            {},
            turn({"play": "raise", "build": "B1", "to": 10, "card": "AS"}, builds=[OWN_NINE], hand=["AS", "10H", "9C"]),
        ),
        (
            "never",
            {},
            turn({"play": "raise", "build": "B1", "to": 10, "card": "AS"}, builds=[NINE], hand=["AS", "10H"]),
        ),
    ],
    "builds_per_player": [
        (
            1,
            {},
            turn(
                {"play": "build", "value": 10, "table": ["4D"], "card": "6H"},
                table=["4D"],
                builds=[OWN_NINE],
                hand=["6H", "10H", "9S"],
            ),
        ),
    ],
    "pile_cards": [
        (
            "none",
            {},
            turn({"play": "augment", "value": 10, "base": {"build": "B1"}, "sets": [PILE_SET]}, trail("4C"), **FILLED),
        ),
        (
            "augment_and_capture",
            {},
            turn(
                {"play": "capture", "card": "10H", "builds": ["B1"], "table": ["3C"], "piles": PILE_SET["piles"]},
                **FILLED,
            ),
        ),
    ],
    "owner_may_trail": [(False, {}, turn(trail("4C"), builds=[OWN_NINE], hand=["4C", "9S"]))],
    "owner_must_take": [
        (
            True,
            {"building": "standard", "owner_may_trail": False},
            turn(
                {"play": "capture", "card": "4C", "table": ["4D"]}, table=["4D"], builds=[OWN_NINE], hand=["4C", "9S"]
            ),
        ),
    ],
    "trail_capturing": [(False, {}, turn(trail("4C"), table=["3D", "AD"], hand=["4C", "9S"]))],
    "each_spade_points": [(1, {}, DEAL)],
    "spade_jack_points": [(1, {}, SPADES)],
    "spade_ace_points": [(1, {}, SPADES)],
    "trail_equal": [(False, {}, turn(trail("4C"), table=["4D"], hand=["4C", "9S"]))],
    "keep_capturer": [(False, {}, turn(trail("9S"), builds=[OWN_NINE], hand=["4C", "9S"]))],
    "partner_build": [
        (
            "none",
            {},
            turn(
                {"play": "build", "value": 9, "table": ["4D"], "card": "5S"},
                seats=FOUR,
                table=["4D"],
                hand=["5S", "KC"],
                proven={"P3": [9]},
            ),
        ),
    ],
    "cards_points": [(1, {}, DEAL)],
    "spades_points": [(1, {}, DEAL)],
    "cards_tie": [("split", {}, score({"A": counts(26, 7, 3, True, False), "B": counts(26, 6, 1, False, True)}))],
    "spades_tie": [("split", {}, SPADES_TIED)],
    "spades_minimum": [(5, {}, DEAL)],
    "big_ten_points": [(3, {}, DEAL)],
    "spy_two_points": [(2, {}, DEAL)],
    "ace_points": [(2, {}, DEAL)],
    "sweep": [(1, {}, score({"A": A_LOT | {"sweeps": 2}, "B": A_LITTLE | {"sweeps": 1}}))],
    "sweep_cancel": [(True, {"sweep": 1}, score({"A": A_LOT | {"sweeps": 2}, "B": A_LITTLE | {"sweeps": 1}}))],
    "last_capture_points": [(1, {}, score({"A": A_LOT | {"last_capture": True}, "B": A_LITTLE}))],
    "shutout": [(True, {}, score({"A": counts(20, 6, 4, True, True), "B": counts(32, 7, 0, False, False)}))],
    "majorities": [("two_sides_only", {}, SPADES_TIED)],
    "target": [(11, {}, score({"A": A_LOT, "B": A_LITTLE}, opening={"A": {"total": 2}})), (None, {}, DEAL)],
    "ending": [
        ("claim", {}, BOTH_OVER),
        ("count_out", {}, BOTH_OVER),
        ("as_taken", {}, BOTH_OVER),
    ],
    "margin": [
        (value, {}, score({"A": A_LOT, "B": A_LITTLE}, opening={"A": {"total": 15}}))
        for value in ("difference", "difference_doubled")
    ],
    "final_tie": [("draw", {}, score({"A": A_LOT, "B": A_LITTLE}, opening={"A": {"total": 12}, "B": {"total": 19}}))],
    "false_build_remedy": [(value, {}, FALSE_BUILD) for value in ("point", "point_lost")],
    "misdeal_dealer": [(value, {}, WRONG_DEAL) for value in ("same", "next")],
}


@pytest.mark.parametrize("option", OPTIONS.options.values(), ids=lambda option: option.name)
def test_every_setting_off_its_default_changes_some_outcome(option: Option) -> None:
    tried = {value for value, _, _ in PROBES[option.name]}
    if option.kind == "choice":
        assert tried | {option.default} == set(option.choices)
    for value, beside, (question, request) in PROBES[option.name]:
        assert value != option.default
        before = answer(question, request | {"rules": {"options": beside}})
        after = answer(question, request | {"rules": {"options": {**beside, option.name: value}}})
        assert before != after, (option.name, value, before)


def test_no_option_is_only_advice() -> None:
    assert not [option.name for option in OPTIONS.options.values() if option.advisory]
    assert set(PROBES) == set(OPTIONS.options)


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("swazi", {"deck": 52, "building": "swazi", "cards_points": 2, "target": 21, "demand": True, "sweep": 0}),
        (
            "swazi_pagat",
            {"merge_own_value": True, "demand_on_trail": True, "demand_augment": True, "cards_tie": "split"},
        ),
        (
            "standard",
            {"court_values": "none", "court_take": "one", "cards_points": 3, "spades_points": 1, "target": 21},
        ),
        ("book", {"court_take": "all", "sweep": 1, "building": "standard", "trail_capturing": True}),
        ("japanese", {"raise_builds": "never", "owner_must_take": True, "owner_may_trail": False, "sweep": 1}),
        (
            "spade",
            {"spades_points": 0, "each_spade_points": 1, "spade_jack_points": 1, "target": 61, "ending": "as_taken"},
        ),
        ("spade_26", {"spades_points": 1, "spade_ace_points": 1, "each_spade_points": 1, "target": 61}),
        ("draw", {"deal": "draw", "court_values": "none", "cards_points": 3}),
        ("royal_draw", {"deal": "draw", "court_values": "11_13", "ace_hand": "1or14", "court_take": "all"}),
        ("royal", {"court_values": "11_13", "ace_hand": "1or14", "ace_table": "1", "direction": "clockwise"}),
        ("dominican", {"direction": "anticlockwise", "sweep": 1, "sweep_cancel": True, "trail_equal": False}),
        ("wippen", {"cards_points": 2, "spades_points": 2, "sweep": 1, "target": None, "building": "standard"}),
        (
            "swedish",
            {"building": "none", "last_capture_points": 1, "target": 16, "sweep_cancel": False, "ace_hand": "1or14"},
        ),
        ("finnish", {"ace_hand": "14", "special_hand_values": True, "sweep_cancel": True, "last_capture_points": 0}),
        ("south_african", {"deck": 40, "spades_minimum": 5, "builds_per_player": 1, "target": None, "shutout": False}),
        ("khasino", {"spades_minimum": None, "spades_points": 2, "shutout": True, "majorities": "two_sides_only"}),
    ],
)
def test_presets_hold_what_the_table_says(preset: str, expected: Json) -> None:
    plain = OPTIONS.plain(OPTIONS.preset(preset).options)
    assert {name: plain[name] for name in expected} == expected


@pytest.mark.parametrize("preset", OPTIONS.presets)
def test_presets_contradict_nothing_and_have_a_code_that_leads_back(preset: str) -> None:
    house = OPTIONS.preset(preset)
    assert house.notices == ()
    assert OPTIONS.code(house) == preset
    assert OPTIONS.decode(preset) == house
    changed = OPTIONS.build(preset, {"target": 33, "spades_minimum": 4})
    assert OPTIONS.decode(OPTIONS.code(changed)) == changed


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"merge_own_value": True, "same_value_builds": "allowed"}, {"merge_own_value", "same_value_builds"}),
        ({"deal": "fours", "two_player_deal": "two_halves"}, {"deal", "two_player_deal"}),
        ({"building": "none", "pile_cards": "augment"}, {"building", "pile_cards"}),
        ({"demand": False, "demand_on_trail": True}, {"demand", "demand_on_trail"}),
        ({"ace_hand": "1", "ace_table": "1or14"}, {"ace_hand", "ace_table"}),
        ({"sweep": 0, "sweep_cancel": True}, {"sweep", "sweep_cancel"}),
        ({"deck": 52, "deal": "south_african"}, {"deck", "deal"}),
        ({"trail_equal": False, "court_take": "one"}, {"trail_equal", "court_take"}),
        ({"owner_must_take": True}, {"owner_must_take", "building"}),
        ({"owner_must_take": True, "building": "none"}, {"owner_must_take", "building"}),
        ({"deck": 49, "partners": "opposite", "deal": "fours"}, {"deck", "partners"}),
        ({"deck": 49, "partners": "off", "deal": "cut_four"}, {"deck", "deal"}),
        ({"deal": "draw", "deck": 40}, {"deal", "deck"}),
        ({"deal": "draw", "two_player_deal": "two_halves"}, {"deal", "two_player_deal"}),
        ({"ending": "claim", "target": None}, {"ending", "target"}),
        ({"margin": "difference", "target": None}, {"margin", "target"}),
    ],
)
def test_given_options_that_exclude_each_other_are_refused_by_name(options: Json, names: set[str]) -> None:
    with pytest.raises(Refused) as refused:
        OPTIONS.build("swazi", options)
    (problem,) = refused.value.problems
    assert problem.code == "options-conflict"
    assert set(problem.facts["options"]) == names


@pytest.mark.parametrize(
    ("preset", "given", "settled"),
    [
        ("swazi_pagat", {"demand": False}, {"demand_on_trail": False, "demand_augment": False}),
        ("swazi", {"ace_hand": "1"}, {"ace_table": "1"}),
        ("swazi", {"building": "none"}, {"pile_cards": "none"}),
        ("swazi", {"sweep_cancel": True}, {"sweep": 1}),
        ("dominican", {"sweep": 0}, {"sweep_cancel": False}),
        ("south_african", {"deck": 52}, {"deal": "cut_four"}),
        ("standard", {"trail_equal": False}, {"court_take": "all"}),
        ("standard", {"owner_must_take": True, "owner_may_trail": False}, {}),
        ("book", {"deck": 49}, {"partners": "off"}),
        ("swazi_pagat", {"deck": 49}, {"partners": "off", "deal": "fours", "two_player_deal": "all_24"}),
        ("swazi_pagat", {"deal": "draw"}, {"two_player_deal": "all_24"}),
        ("wippen", {"ending": "count_out"}, {"target": 21}),
        ("spade", {"target": None}, {"ending": "highest"}),
        ("swazi_pagat", {"same_value_builds": "allowed"}, {"merge_own_value": False}),
    ],
)
def test_defaults_give_way_to_what_was_given_and_say_so(preset: str, given: Json, settled: Json) -> None:
    house = OPTIONS.build(preset, given)
    plain = OPTIONS.plain(house.options)
    assert {name: plain[name] for name in (*given, *settled)} == given | settled
    assert {notice.options[0] for notice in house.notices if notice.code == "gave-way"} >= set(settled)


@pytest.mark.parametrize("options", [{"deck": 48}, {"builds_per_player": 2}, {"ace_hand": "13"}, {"sweep": -1}])
def test_values_that_are_not_offered_are_refused(options: Json) -> None:
    status, _, codes = answer("score", {"rules": {"options": options}, "sides": ["A", "B"], "deals": []})
    assert status == 422
    assert codes & {"choice", "range"}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"cards_tie": "split", "cards_points": 3}, "split-leaves-over"),
        ({"spades_tie": "split", "spades_points": 1}, "spades-split-leaves-over"),
        ({"spades_tie": "split", "spades_minimum": 5}, "spades-tie-unused"),
        ({"deck": 40, "deal": "fours"}, "short-last-round"),
        (
            dict.fromkeys(("cards_points", "spades_points", "big_ten_points", "spy_two_points", "ace_points"), 0),
            "no-points-to-win",
        ),
    ],
)
def test_surprising_combinations_are_pointed_out(given: Json, code: str) -> None:
    assert code in {notice.code for notice in OPTIONS.build("swazi", given).notices}


def test_cards_are_cut_again_only_where_four_are_cut() -> None:
    """Nothing is drawn again where the layout starts empty or is dealt; the option changes nothing there (009)."""
    rich = {"type": "recut", "table": ["KH", "QH", "JH", "5H"]}
    for deal, verdict in (("cut_four", "legal"), ("fours", "illegal")):
        rules = {"options": {"recut": True, "deal": deal}}
        assert check({"rules": rules, "position": {"seats": ["P1", "P2"]}, "move": rich}).value == verdict
        own = GAME.options.build("swazi", {"recut": True, "deal": deal}).options
        assert articles.RECUT.played(own) is (verdict == "legal")
        assert GAME.options.has_effect("recut", own) is (verdict == "legal")
