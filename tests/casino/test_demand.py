"""The demand for a full capture, and what a card can take."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from random import Random
from time import process_time
from typing import Any

import pytest

from companion.engine.problems import Node, Refused
from companion.games.casino import CASINO
from companion.games.casino.articles import ARTICLES
from tests.casino.asking import Json, ask, check, turn
from tests.casino.worlds import pips

NINE: Json = {"id": "B1", "value": 9, "sets": [["6S", "3D"]], "owner": "P2"}


def demand(card: str, table: list[str], announced: list[str], **more: Any) -> Mapping[str, Any]:
    position = {"seats": more.pop("seats", ["P1", "P2"]), "player": "P1", "table": table} | more.pop("position", {})
    rules = {"preset": more.pop("preset", "swazi"), "options": more.pop("options", {})}
    return ask("demand", {"rules": rules, "position": position, "card": card, "table": announced, **more})


def anchors(answer: Mapping[str, Any]) -> set[str]:
    return {article.partition(".")[2] for article in answer["articles"]}


def test_an_incomplete_capture_must_be_completed() -> None:
    answer = demand("6S", ["2D", "3H", "3D", "4C"], ["3H", "3D"], by="P2")
    assert (answer["legal"], answer["complete"], answer["may_demand"]) == (True, False, True)
    assert set(answer["must_take"]["table"]) == {"2D", "3H", "3D", "4C"}
    assert anchors(answer) == {"demand", "demand-measure"}


def test_the_build_belongs_to_everything() -> None:
    answer = demand("9S", ["9H"], ["9H"], position={"builds": [NINE]})
    assert not answer["complete"]
    assert answer["must_take"] == {"table": ["9H"], "builds": ["B1"]}
    assert anchors(answer) == {"demand", "demand-builds"}
    assert demand("9S", ["9H"], ["9H"], builds=["B1"], position={"builds": [NINE]})["complete"]


def test_what_is_no_capture_is_not_legal() -> None:
    assert not demand("6S", ["2D", "3H"], ["2D", "3H"])["legal"]
    assert not demand("6S", ["6D"], [], play="capture")["legal"]
    assert not demand("AS", ["KD", "AD"], ["KD", "AD"], **{"as": 11})["legal"]


def test_what_is_not_on_the_table_cannot_be_announced() -> None:
    with pytest.raises(Refused, match="/table/0: not-on-table"):
        demand("6S", ["2D", "3H"], ["6D"])
    with pytest.raises(Refused, match="/builds/0: unknown-build"):
        demand("6S", ["6D"], ["6D"], builds=["B7"])


@pytest.mark.parametrize(
    ("more", "article"),
    [
        ({"seats": ["P1", "P2", "P3", "P4"], "by": "P3"}, "partner-silent"),
        ({"by": "P1"}, "demand"),
        ({"by": "P2", "acted": True}, "demand-moment"),
        ({"by": "P2", "preset": "standard"}, "capture-optional"),
    ],
)
def test_who_may_not_demand(more: Json, article: str) -> None:
    answer = demand("6S", ["2D", "4C", "6H"], ["6H"], **more)
    assert not answer["may_demand"]
    assert anchors(answer) == {article}
    assert answer["must_take"]["table"] == ["6H"]
    assert demand("6S", ["2D", "4C", "6H"], ["6H"], by="P2")["may_demand"]


def test_a_trail_is_left_alone_unless_the_table_plays_otherwise() -> None:
    assert demand("6S", ["6H"], [], play="trail", by="P2") == {
        "legal": True, "complete": True, "must_take": {"table": [], "builds": []}, "may_demand": False,
        "articles": ["casino.demand-on-trail"],
    }  # fmt: skip
    strict = demand("6S", ["6H"], [], play="trail", by="P2", options={"demand_on_trail": True})
    assert (strict["complete"], strict["must_take"]["table"]) == (False, ["6H"])


def test_a_card_used_in_a_build_is_left_alone() -> None:
    answer = demand("6S", ["6H"], [], play="build", by="P2")
    assert (answer["may_demand"], anchors(answer)) == (False, {"demand-not-on-builds"})


def test_what_fits_an_own_build_may_be_demanded_where_the_table_plays_so() -> None:
    own = NINE | {"owner": "P1"}
    place = {"builds": [own], "piles": {"P2": ["4D", "9C"]}}
    answer = demand("KS", ["KH", "9H", "5C"], ["KH"], by="P2", preset="swazi_pagat", position=place)
    assert answer["complete"]
    assert answer["must_add"] == [
        {"build": "B1", "table": ["9H"], "piles": []},
        {"build": "B1", "table": ["5C"], "piles": [{"from": "P2", "card": "4D"}]},
    ]
    assert "must_add" not in demand("KS", ["KH", "9H"], ["KH"], by="P2", position=place)


def test_the_dominican_duty_makes_a_capture_illegal_not_incomplete() -> None:
    assert not demand("10C", ["10H", "10S"], ["10H"], preset="dominican")["legal"]
    assert demand("10C", ["10H", "10S", "6D", "4D"], ["10H", "10S"], preset="dominican")["legal"]


def test_only_as_many_courts_as_the_table_takes() -> None:
    courts = ["QS", "QH", "QC"]
    strict = {"demand": True}
    assert demand("QD", courts, ["QS"], preset="standard", options=strict)["complete"]
    three = demand("QD", courts, ["QS"], preset="standard", options=strict | {"court_take": "one_or_three"})
    assert sorted(three["must_take"]["table"]) == sorted(courts)
    two = demand("QD", courts[:2], ["QS"], preset="standard", options=strict | {"court_take": "one_or_three"})
    assert two["complete"]


@pytest.mark.parametrize(
    "change", [{"card": "ZZ"}, {"by": "P9"}, {"more": 1}, {"position": {}}, {"play": "sing"}, {"as": "high"}]
)
def test_unreadable_questions_are_refused(change: Json) -> None:
    request: Json = {
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["9D"]},
        "card": "9S",
        "table": ["9D"],
    }
    assert ask("demand", request)["legal"]
    with pytest.raises(Refused):
        ask("demand", request | change)


def moves(card: str | None, table: list[str], **more: Any) -> Mapping[str, Any]:
    rules = {"preset": more.pop("preset", "swazi"), "options": more.pop("options", {})}
    position = {"seats": ["P1", "P2"], "player": "P1", "table": table} | more.pop("position", {})
    request = {"rules": rules, "position": position} | ({"card": card} if card else {}) | more
    return ask("moves", request)


def test_what_a_card_can_take() -> None:
    answer = moves("8S", ["AC", "2D", "3H", "5S", "6C", "8D"])
    assert answer["maximum"]["cards"] == 5
    assert [sorted(one) for one in answer["minimal_sets"]] == [
        ["8D"], ["2D", "6C"], ["3H", "5S"], ["2D", "5S", "AC"],
    ]  # fmt: skip
    assert [sorted(one) for one in answer["captures"]] == [["2D", "3H", "5S", "6C", "8D"], ["2D", "5S", "8D", "AC"]]
    assert answer["moves"][0]["plays"][0]["card"] == "8S"
    assert not answer["truncated"]


def test_the_builds_of_the_value_come_along() -> None:
    answer = moves("9S", ["9H"], position={"builds": [NINE]})
    assert answer["maximum"] == {"cards": 1, "table": ["9H"], "builds": ["B1"]}


def test_an_ace_is_asked_as_the_value_that_takes_more() -> None:
    assert (moves("AS", ["KH", "AD"])["as"], moves("AS", ["KH", "AD"])["maximum"]["cards"]) == (14, 2)
    assert moves("AS", ["KH", "AD"], **{"as": 1})["maximum"]["cards"] == 1


def plays(answer: Mapping[str, Any]) -> list[Json]:
    return [one["plays"][0] for one in answer["moves"]]


def test_without_a_card_the_hand_gives_the_turns_of_one_play() -> None:
    answer = moves(None, ["9H", "5C", "4D"], position={"hand": ["9S", "2C"]})
    assert plays(answer) == [
        {"play": "trail", "card": "2C"},
        {"play": "capture", "card": "9S", "table": ["9H", "5C", "4D"], "builds": []},
        {"play": "trail", "card": "9S"},
    ]
    assert answer["partial"]
    assert [one.fact for one in moves(None, ["9H"])["missing"]] == ["hand"]


def test_a_build_of_the_highest_value_is_listed() -> None:
    found = plays(moves(None, ["10H"], position={"hand": ["4S", "AS"]}))
    assert {"play": "build", "card": "4S", "value": 14, "table": ["10H"]} in found


def test_builds_raises_and_augmentations_are_listed_and_all_are_legal() -> None:
    own = {"id": "B1", "value": 9, "sets": [["6S", "3D"]], "owner": "P1"}
    theirs = {"id": "B2", "value": 8, "sets": [["6H", "2D"]], "owner": "P2"}
    position: Json = {"hand": ["9S", "9D", "4S", "QD", "2S", "JD"], "builds": [own, theirs]}
    answer = moves(None, ["5C", "QH", "7D"], position=position)
    found = plays(answer)
    assert {"play": "build", "card": "4S", "value": 11, "table": ["7D"]} in found
    assert {"play": "raise", "card": "4S", "build": "B2", "to": 12} in found
    assert {"play": "augment", "value": 9, "base": {"build": "B1"}, "sets": [{"card": "4S", "table": ["5C"]}]} in found
    assert {"play": "augment", "value": 9, "base": {"build": "B1"}, "sets": [{"card": "9S", "table": []}]} in found
    assert not any(one["play"] == "augment" and one["value"] == 12 and "QD" in str(one["sets"]) for one in found)
    assert not any(one["play"] == "build" and one["value"] == 9 for one in found)
    for one in answer["moves"]:
        asked = {"seats": ["P1", "P2"], "player": "P1", "table": ["5C", "QH", "7D"], **position}
        assert check({"rules": {}, "position": asked, "move": one}).value == "legal"


SOUTH: Json = {"preset": "south_african"}
TOPS: Json = {"piles": {"P2": ["9D", "5H", "2S"], "P1": ["9C"]}}


def test_tops_of_piles_are_listed_where_they_can_be_taken() -> None:
    """The nine lies on top, then the five that makes nine with a loose four; one's own pile is not used (SAF-103)."""
    answer = moves("9S", ["4D", "3C"], position=TOPS, **SOUTH)
    assert answer["maximum"]["cards"] == 1
    assert answer["maximum"]["piles"] == [{"from": "P2", "card": "9D"}, {"from": "P2", "card": "5H"}]
    assert ["9D"] in answer["minimal_sets"]
    assert plays(answer)[0]["piles"] == answer["maximum"]["piles"]
    assert "piles" not in moves("9S", ["4D", "3C"], position=TOPS)["maximum"]


def test_tops_of_piles_belong_to_everything_that_is_demanded() -> None:
    request: Json = {
        "rules": SOUTH | {"options": {"demand": True}},
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["4D", "9H"], **TOPS},
        "card": "9S",
        "table": ["9H"],
    }
    answer = ask("demand", request)
    assert (answer["legal"], answer["complete"], answer["may_demand"]) == (True, False, True)
    assert answer["must_take"]["table"] == ["4D", "9H"]
    assert answer["must_take"]["piles"] == [{"from": "P2", "card": "9D"}, {"from": "P2", "card": "5H"}]
    whole = request | {"table": ["4D", "9H"], "piles": answer["must_take"]["piles"]}
    assert ask("demand", whole)["complete"]
    assert not ask("demand", request | {"piles": [{"from": "P2", "card": "5H"}]})["legal"]
    assert not ask("demand", request | {"piles": [{"from": "P1", "card": "9C"}]})["legal"]


def test_captures_reach_as_deep_into_piles_as_the_tops_allow() -> None:
    """Every complete capture against all ways to add one set after another, each with one card of a pile at most."""
    chance, listed = Random(5), 0
    for _ in range(60):
        cards = chance.sample([f"{rank}{suit}" for rank in ("A", "2", "3", "4", "5", "6") for suit in "SHDC"], 11)
        seats = ["P1", "P2", "P3"][: chance.choice([2, 3])]
        piles = {seat: [cards.pop() for _ in range(chance.randint(0, 3))] for seat in seats[1:]}
        played, table = cards[0], cards[1 : 1 + chance.randint(1, 5)]
        position = {"seats": seats, "player": "P1", "table": table, "piles": piles}
        answer = ask("moves", {"rules": SOUTH, "position": position, "card": played})
        assert {frozenset(one) for one in answer["captures"]} == complete(played, table, list(piles.values()))
        listed += any(
            set(one) - set(table) - {pile[0] for pile in piles.values() if pile} for one in answer["captures"]
        )
        assert answer["truncated"] is False
    assert listed > 2


def test_many_pile_cards_are_judged_and_listed_soon() -> None:
    """A capture of a dozen, or a table of eighteen cards beside piles, is no reason to try every set of cards."""
    cards = [f"{rank}{suit}" for rank in ("A", *map(str, range(2, 10))) for suit in "SHDC"]
    Random(0).shuffle(cards)
    table, pile, seats = cards[:18], cards[18:30], ["P1", "P2", "P3"]
    place: Json = {"seats": seats, "player": "P1", "table": table, "piles": {"P2": pile[::2], "P3": pile[1::2]}}
    tops = [{"from": seat, "card": card} for seat, some in place["piles"].items() for card in some]
    start = process_time()
    for _ in range(20):
        turn({"play": "capture", "card": "10S", "table": table}, preset="south_african", **place)
    known = process_time()
    everything = {"play": "capture", "card": "10S", "table": table, "piles": tops}
    assert turn(everything, preset="south_african", **place).value == "illegal"
    assert ask("moves", {"rules": SOUTH, "position": place, "card": "10S"})["maximum"]["cards"] > 10
    assert process_time() - known < 100 * (known - start)


def complete(played: str, table: list[str], piles: list[list[str]]) -> set[frozenset[str]]:
    """Every capture that is part of no other, tried set by set."""
    value, found = pips(played), set[frozenset[str]]()

    def add(taken: frozenset[str], loose: list[str], left: list[list[str]]) -> None:
        found.add(taken)
        tops = [pile[0] for pile in left if pile]
        for size in range(1, len(loose) + len(tops) + 1):
            for one in combinations([*loose, *tops], size):
                if sum(map(pips, one)) == value and not taken.issuperset(one):
                    rest = [pile[1:] if pile and pile[0] in one else pile for pile in left]
                    add(taken.union(one), [card for card in loose if card not in one], rest)

    add(frozenset(), table, piles)
    return {one for one in found if one and not any(one < other for other in found)}


def test_a_demand_asks_for_a_pile_that_nobody_told() -> None:
    """Whether more could be taken hangs on the top of the opponent's pile, unless every card that helps is seen."""
    rules = SOUTH | {"options": {"demand": True}}
    position: Json = {"seats": ["P1", "P2"], "player": "P1", "table": ["9H", "2S"]}
    request: Json = {"rules": rules, "position": position, "card": "9S", "table": ["9H"]}
    answer = ask("demand", request)
    assert (answer["complete"], answer["may_demand"]) == (True, False)
    assert [(one.fact, one.seat) for one in answer["missing"]] == [("pile", "P2")]
    assert "missing" not in ask("demand", request | {"position": position | {"piles": {"P2": []}}})
    assert "missing" not in ask("demand", request | {"rules": {"preset": "swazi"}})
    gone = {"P1": [f"{rank}{suit}" for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9") for suit in "SHDC"]}
    gone["P1"] = [card for card in gone["P1"] if card not in ("9H", "9S", "2S")]
    assert "missing" not in ask("demand", request | {"position": position | {"piles": gone}})


@pytest.mark.parametrize("measure", ["maximal", "maximum"])
@pytest.mark.parametrize("asked", [
    {"card": "9S", "table": ["9H"]}, {"card": "9S", "table": ["9H"], "by": "P3"}, {"card": "9S", "table": ["5C", "4D"]},
    {"card": "4S", "play": "trail"}, {"card": "9S", "table": ["9H"], "by": "P3", "acted": True},
])  # fmt: skip
@pytest.mark.parametrize("options", [
    {"pile_cards": "augment_and_capture"}, {"demand_augment": True},
    {"demand_augment": True, "pile_cards": "augment_and_capture"},
])  # fmt: skip
@pytest.mark.parametrize("partners", [True, False])
@pytest.mark.parametrize("hand", [["9S", "4S", "8S"], ["9S", "4S"]])
def test_what_the_top_of_a_hidden_pile_can_change_is_asked_for(
    partners: bool, options: Json, asked: Json, measure: str, hand: list[str]
) -> None:
    """Whether more is demanded, and how much, hangs on tops that nobody told, whoever asks and whatever is known."""
    own = {"id": "B1", "value": 8, "sets": [["6S", "2D"]], "owner": "P1"}
    position: Json = {
        "seats": ["P1", "P2", "P3", "P4"], "partners": partners, "player": "P1", "table": ["9H", "5C", "4D", "QC"],
        "builds": [own], "hand": hand, "piles": {} if partners else {"P3": [], "P4": []},
    }  # fmt: skip
    request = {"rules": {"options": {"demand_on_trail": True, "demand_measure": measure} | options}, **asked}

    def answer(pile: Json) -> Mapping[str, Any]:
        return ask("demand", {**request, "position": position | {"piles": position["piles"] | pile}})

    def said(found: Mapping[str, Any]) -> Json:
        taken = len(found["must_take"]["table"]) + len(found["must_take"].get("piles", ()))
        return {name: found.get(name) for name in ("legal", "complete", "may_demand", "must_add")} | {"take": taken}

    hidden = answer({})
    unseen = [f"{rank}{suit}" for rank in ("A", "2", "3", "4", "7", "8", "9", "K") for suit in "CH"]
    changes = any(said(answer({"P2": [top]})) != said(hidden) for top in unseen if top not in ("9H", "5C", "QC"))
    assert [(one.fact, one.seat) for one in hidden.get("missing", ())] == ([("pile", "P2")] if changes else [])
    played = CASINO.options.read(Node(request["rules"])).options
    assert all(ARTICLES[one.article].played(played) for one in hidden.get("missing", ()))


@pytest.mark.parametrize("options", [{}, {"keep_capturer": False}, {"partner_build": "none"}, {"building": "standard"}])
@pytest.mark.parametrize("seats", [["P1", "P2"], ["P1", "P2", "P3", "P4"]])
@pytest.mark.parametrize("owner", ["P1", "P3"])
def test_what_may_be_added_without_a_look_at_the_hand_asks_for_it(owner: str, seats: list[str], options: Json) -> None:
    """Who holds no card of the value may add nothing (CASINO-608), but a build of the partner can stand in (803)."""
    if owner not in seats:
        return
    build = {"id": "B1", "value": 9, "sets": [["4C", "5C"]], "owner": owner}
    place = {"seats": seats, "player": "P1", "table": ["9D", "KC"], "builds": [build], "half": 2, "piles": {"P2": []}}
    asked = {"rules": {"preset": "swazi_pagat", "options": options}, "card": "2S", "play": "trail", "by": "P2"}
    may = [
        ask("demand", {**asked, "position": place | {"hand": hand}})["may_demand"]
        for hand in (["2S", "9S"], ["2S", "3D"])
    ]
    hidden = ask("demand", {**asked, "position": place})
    assert [(one.fact, one.seat) for one in hidden.get("missing", ())] == ([("hand", "P1")] if len({*may}) > 1 else [])
    assert hidden["may_demand"] == any(may)


def test_a_demand_beside_four_hidden_piles_is_answered_soon() -> None:
    """No top can help a king that has no number: that is said without a look at every four cards of the pack."""
    rules = {"preset": "standard", "options": {"deck": 49, "demand": True, "pile_cards": "augment_and_capture"}}
    position: Json = {"seats": [*"ABCDE"], "player": "A", "table": ["KS", "KH", "KD", "3S"]}
    request: Json = {"rules": rules, "position": position, "card": "KC", "table": ["KS"], "by": "B"}
    told = request | {"position": position | {"piles": {seat: [] for seat in "BCDE"}}}
    start = process_time()
    for _ in range(20):
        assert "missing" not in ask("demand", told)
    known = process_time()
    assert "missing" not in ask("demand", request)
    assert process_time() - known < 500 * (known - start)


def test_what_tops_of_hidden_piles_may_add_is_answered_soon() -> None:
    """Also on a table so full that not every set of loose cards is listed."""
    table = [f"{rank}{suit}" for rank in ("A", "2", "3", "4", "6", "7", "8") for suit in "SHDC"][:24]
    build = {"id": "B1", "value": 13, "sets": [["9S", "4C"]], "owner": "P1"}
    table = [card for card in table if card != "4C"]
    place: Json = {"seats": ["P1", "P2", "P3", "P4"], "partners": False, "player": "P1", "table": table}
    place |= {"hand": ["KD", "JS"], "builds": [build]}
    request: Json = {"rules": {"preset": "swazi_pagat"}, "position": place, "card": "JS", "play": "trail", "by": "P2"}
    start = process_time()
    for _ in range(5):
        ask("demand", request | {"position": place | {"piles": {"P2": [], "P3": [], "P4": []}}})
    known = process_time()
    assert [one.seat for one in ask("demand", request)["missing"]] == ["P2", "P3", "P4"]
    assert process_time() - known < 20 * (known - start)


def test_tops_of_piles_are_among_what_can_be_added_to_a_build() -> None:
    position: Json = {"table": ["9D"], "hand": ["4S", "9S"], "piles": {"P2": ["5H", "2C"]}}
    asked = {"seats": ["P1", "P2"], "player": "P1", **position}
    found = plays(ask("moves", {"rules": {}, "position": asked}))
    wanted = {"card": "4S", "table": [], "piles": [{"from": "P2", "card": "5H"}]}
    assert any(one["play"] == "augment" and one["sets"] == [wanted] for one in found)


@pytest.mark.parametrize("preset", ["south_african", "khasino"])
def test_nobody_demands_in_the_south_african_games(preset: str) -> None:
    answer = demand("9S", ["9H", "5C", "4D"], ["9H"], preset=preset)
    assert (answer["legal"], answer["may_demand"], answer["complete"]) == (True, False, True)


@pytest.mark.parametrize("position", [{"hand": ["2C"]}, {"builds": [NINE | {"sets": [["9S"], ["9C"]]}]}])
def test_a_card_that_is_not_in_the_hand_takes_nothing(position: Json) -> None:
    request = {"position": {"seats": ["P1", "P2"], "player": "P1", "table": ["9H"], **position}, "card": "9S"}
    assert not ask("demand", request | {"table": ["9H"]})["legal"]


def test_more_than_twelve_loose_cards_list_no_captures() -> None:
    table = [f"{rank}{suit}" for rank in ("2", "3", "4", "5") for suit in "SHDC"][:13]
    assert moves("9S", table)["captures"] is None
    assert moves("9S", table[:12])["captures"] is not None


@pytest.mark.parametrize(("card", "more"), [("KS", {"as": 14}), ("9H", {}), ("ZZ", {}), ("9S", {"other": 1})])
def test_cards_that_cannot_be_asked_for(card: str, more: Json) -> None:
    with pytest.raises(Refused):
        moves(card, ["9H"], **more)


@pytest.mark.parametrize("preset", ["swazi_pagat", "standard", "south_african"])
@pytest.mark.parametrize("owner", ["P1", "P3", "P2"])
@pytest.mark.parametrize("hand", [None, ["2S", "3D"], ["2S", "9H"]])
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("partner_build", ["proven", "none"])
@pytest.mark.parametrize("piles", ["none", "augment", "augment_and_capture"])
def test_what_may_be_demanded_for_a_build_may_be_added(
    preset: str, owner: str, hand: list[str] | None, keep: bool, partner_build: str, piles: str
) -> None:
    """Each set is legal in that turn; what a check refuses nobody may demand (CASINO-407)."""
    options = {
        "demand": True, "demand_on_trail": True, "demand_augment": True, "owner_may_trail": True,
        "keep_capturer": keep, "partner_build": partner_build, "pile_cards": piles,
    }  # fmt: skip
    rules, loose = {"preset": preset, "options": options}, [["9D"], ["6H", "3C"]]
    position: Json = {
        "seats": ["P1", "P2", "P3", "P4"], "player": "P1", "table": ["9D", "6H", "3C", "8D"],
        "builds": [{"id": "B1", "value": 9, "sets": [["4C", "5C"]], "owner": owner}], "piles": {"P2": ["9C", "2H"]},
    } | ({} if hand is None else {"hand": hand})  # fmt: skip
    answer = ask("demand", {"rules": rules, "position": position, "card": "2S", "play": "trail", "by": "P2"})
    asked = [(sorted(one["table"]), one["piles"]) for one in answer["must_add"]]
    for table, top in ((table, top) for table in (*loose, []) for top in ([], [{"from": "P2", "card": "9C"}])):
        if len(table) + len(top) in (0, 3) or (table == ["9D"] and top):
            continue
        added: Json = {"play": "augment", "value": 9, "base": {"build": "B1"}, "sets": [{"table": table, "piles": top}]}
        plays = [added, {"play": "trail", "card": "2S"}]
        allowed = check({"rules": rules, "position": position, "move": {"type": "turn", "plays": plays}})
        own_side = owner != "P2"
        assert ((sorted(table), top) in asked) == (allowed.value != "illegal" and own_side), (table, top)


def test_nothing_is_demanded_for_a_build_whose_cards_are_all_elsewhere() -> None:
    """The card that was played is not in the hidden hand any more; then nobody can hold what adding needs (608)."""
    rules = {"preset": "swazi_pagat", "options": {"keep_capturer": False}}
    build = {"id": "B1", "value": 9, "sets": [["4C", "5C"]], "owner": "P1"}
    position: Json = {
        "seats": ["P1", "P2"],
        "player": "P1",
        "table": ["9D"],
        "builds": [build],
        "piles": {"P2": ["KC", "9C"]},
    }
    for seen, asked in ((["KC", "9C"], True), (["KC", "9C", "9H"], False)):
        request = {"rules": rules, "position": position | {"piles": {"P2": seen}}, "card": "9S", "play": "trail"}
        assert bool(ask("demand", request)["must_add"]) is asked


def test_nothing_is_demanded_for_a_build_that_was_taken() -> None:
    build = {"id": "B1", "value": 9, "sets": [["4C", "5C"]], "owner": "P1"}
    position = {"seats": ["P1", "P2"], "player": "P1", "table": ["9D"], "builds": [build], "hand": ["9S", "9H"]}
    request: Json = {"rules": {"preset": "swazi_pagat"}, "position": position, "card": "9S"}
    assert ask("demand", {**request, "builds": ["B1"]})["must_add"] == []
    assert [one["table"] for one in ask("demand", {**request, "play": "trail"})["must_add"]] == [["9D"], ["9S"]]


def test_a_trailed_card_may_be_asked_for_as_well() -> None:
    """It lies on the table by then (A11)."""
    build = {"id": "B1", "value": 7, "sets": [["4C", "3C"]], "owner": "P1"}
    position = {"seats": ["P1", "P2"], "player": "P1", "table": ["5D", "4H"], "builds": [build], "hand": ["2H", "7S"]}
    asked = ask("demand", {"rules": {"preset": "swazi_pagat"}, "position": position, "card": "2H", "play": "trail"})
    assert [one["table"] for one in asked["must_add"]] == [["5D", "2H"]]


def test_a_trailed_ace_is_judged_as_whatever_it_could_have_taken() -> None:
    """It was played as no value yet; the one that takes most is asked about (CASINO-405)."""
    position = {"seats": ["P1", "P2"], "player": "P1", "table": ["10D", "4D"], "builds": [], "hand": ["AS", "QC"]}
    asked = {"rules": {"preset": "swazi_pagat"}, "position": position, "card": "AS", "play": "trail", "by": "P2"}
    answer = ask("demand", asked)
    assert (answer["complete"], answer["may_demand"]) == (False, True)
    assert answer["must_take"]["table"] == ["10D", "4D"]
    most = {"preset": "swazi_pagat", "options": {"demand_measure": "maximum"}}
    answer = ask("demand", {**asked, "rules": most, "position": position | {"table": ["AC", "KC", "10D", "4D"]}})
    assert len(answer["must_take"]["table"]) == 4


def test_what_may_be_added_may_be_demanded() -> None:
    """The answer says so even where nothing more can be taken (CASINO-407)."""
    build = {"id": "B1", "value": 9, "sets": [["6S", "3D"]], "owner": "P1"}
    position = {"seats": ["P1", "P2"], "player": "P1", "table": ["9D", "KC"], "builds": [build], "hand": ["2H", "9S"]}
    asked = {"rules": {"preset": "swazi_pagat"}, "position": position, "card": "2H", "play": "trail"}
    answer = ask("demand", {**asked, "by": "P2"})
    assert (answer["complete"], answer["may_demand"], anchors(answer)) == (True, True, {"demand-augment"})
    assert not ask("demand", {**asked, "position": position | {"table": ["KC"]}, "by": "P2"})["may_demand"]


def test_what_cannot_be_known_is_asked_for_as_a_check_asks() -> None:
    """Of the hand behind an own build, of the tops of piles that nobody named."""
    own = [{"id": "X", "value": 9, "sets": [["6S", "3S"]], "owner": "P1"}]
    place = {"seats": ["P1", "P2"], "player": "P1", "table": ["9C", "5H", "4H"], "builds": own}
    taken = ask("demand", {"rules": {}, "position": place, "card": "9S", "table": ["9C"]})
    assert [(one.fact, one.seat) for one in taken["missing"]] == [("hand", "P1")]
    hidden = {"seats": ["P1", "P2"], "player": "P1", "table": ["9C", "4C"], "hand": ["9S", "2H"]}
    moves = ask("moves", {"rules": {"preset": "south_african"}, "position": hidden, "card": "9S"})
    assert ("pile", "P2") in [(one.fact, one.seat) for one in moves["missing"]]
    turns = ask("moves", {"rules": {"preset": "south_african"}, "position": hidden})
    assert ("pile", "P2") in [(one.fact, one.seat) for one in turns["missing"]]
    adding = {"rules": {"options": {"demand_augment": True}}, "card": "3S", "play": "trail"}
    built = [{"id": "X", "value": 9, "sets": [["2S", "7D"]], "owner": "P1"}]
    table = {"seats": ["P1", "P2"], "player": "P1", "table": ["5C"], "hand": ["3S", "9S", "9D"], "builds": built}
    assert [one.fact for one in ask("demand", adding | {"position": table})["missing"]] == ["pile"]
    known = ask("demand", adding | {"position": table | {"piles": {"P2": ["4D", "2H"]}}})
    assert (known["may_demand"], "missing" in known) == (True, False)
