"""Whole deals: random legal ones replay clean, broken promises are found, no card is ever lost."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.engine.problems import Refused
from companion.games.casino.deal import Course
from companion.games.casino.rules import OPTIONS
from companion.games.casino.table import Seats, deal_plan, full_pack
from tests.casino.asking import Json, announced, ask, scored
from tests.casino.table import random_deal

DEALS = [
    (preset, players, seed)
    for preset in OPTIONS.presets
    if OPTIONS.preset(preset).options.deal != "draw"  # whose dealer is in `paper.py`
    for players in (2, 3, 4)
    for seed in range(2 if preset.startswith("swazi") else 1)
]


@pytest.mark.by_turns(5)
@pytest.mark.parametrize(("preset", "players", "seed"), DEALS)
def test_a_legal_deal_replays_clean_with_hidden_hands(
    preset: str, players: int, seed: int, soak_round: int, soaked: Any
) -> None:
    request, hands = random_deal(seed + 100 * soak_round, preset, players)
    soaked(turns=len(request["turns"]))
    answer = ask("replay", request)
    assert answer["complete"]
    assert answer["findings"] == []
    assert {one.settled for one in answer["verdicts"]} == {"legal"}
    assert {one.verdict.value for one in answer["verdicts"]} <= {"legal", "undecided"}
    known = ask("replay", request | {"hands": hands})
    assert {one.verdict.value for one in known["verdicts"]} == {"legal"}
    assert known["result"] == answer["result"]


@pytest.mark.slow
@pytest.mark.by_turns(2)
@pytest.mark.parametrize(("preset", "players", "seed"), DEALS)
def test_the_result_is_ready_to_score(preset: str, players: int, seed: int) -> None:
    request, _ = random_deal(seed, preset, players)
    answer = ask("replay", request)
    score = {"rules": request["rules"], "sides": answer["sides"], "deals": [answer["result"]]}
    sides = scored(score)["deals"][0]["sides"]
    rules = OPTIONS.preset(preset).options
    cards = [card for facts in answer["result"].values() if isinstance(facts, dict) for card in facts["captured"]]
    assert len(cards) == len(set(cards)) == rules.deck
    assert sum(side["points"] for side in sides.values()) >= rules.big_ten_points + rules.spy_two_points + 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_every_card_stays_in_one_place_whatever_is_announced(seed: int) -> None:
    """Turns that were legal in another deal are nonsense here; still no card is lost or doubled."""
    rules = OPTIONS.preset("swazi").options
    chance = random.Random(seed)
    seats = Seats(("P1", "P2", "P3"))
    foreign = [turn for other in range(3) for turn in random_deal(100 * seed + other, "swazi", 3)[0]["turns"]]
    chance.shuffle(foreign)
    course = Course(rules, seats, deal_plan(rules, 3), {}, tuple(chance.sample(sorted(full_pack(rules)), 4)), "P1")
    for turn in foreign[:48]:
        player = course.expected or "P1"
        course.take(player, announced(rules, turn["plays"], seats))
        _assert_each_card_once(course)


def _assert_each_card_once(course: Course) -> None:
    lying = [*course.table, *(card for build in course.builds for card in build.cards)]
    lying += [card for pile in course.piles.values() for layer in pile for card in layer]
    assert len(lying) == len(set(lying))
    assert set(lying) <= full_pack(course.rules)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), [("swazi", 2), ("swazi", 4), ("royal", 3), ("khasino", 2)])
def test_the_pack_is_conserved_at_every_step(preset: str, players: int) -> None:
    request, hands = random_deal(5, preset, players)
    deck = OPTIONS.preset(preset).options.deck
    for count in range(0, len(request["turns"]) + 1, 3):
        part = request | {"turns": request["turns"][:count]}
        answer = ask("replay", part)
        lying = [*answer["table"], *(card for build in answer["builds"] for one in build["sets"] for card in one)]
        for capture in answer["captures"]:
            lying += [capture["card"], *capture["cards"]]
        dealt = {card for parts in hands.values() for one in parts for card in one}
        held = dealt - set(lying)
        assert len(set(lying)) + len(held) == deck
        assert len(held) == len(dealt) - count
        assert answer["complete"] == (count == len(request["turns"]))


TABLE = ["2H", "3D", "8C", "KH"]


def record(*turns: Json, **more: Any) -> Json:
    return {"rules": {}, "seats": ["P1", "P2"], "dealer": "P1", "table": TABLE, "turns": list(turns), **more}


def test_a_question_is_settled_by_a_later_card() -> None:
    build = {"plays": [{"play": "build", "value": 13, "table": ["2H", "3D", "8C"]}, {"play": "trail", "card": "5H"}]}
    reply = {"plays": [{"play": "trail", "card": "9C"}]}
    take = {"plays": [{"play": "capture", "card": "KS", "table": ["KH"], "builds": ["N1"]}]}
    open_still = ask("replay", record(build, reply))
    assert [one.settled for one in open_still["verdicts"]] == [None, "legal"]
    assert open_still["verdicts"][0].verdict.value == "undecided"
    settled = ask("replay", record(build, reply, take))
    assert [one.settled for one in settled["verdicts"]] == ["legal"] * 3
    assert settled["captures"] == [
        {"turn": 3, "player": "P2", "card": "KS", "cards": ["KH", "2H", "3D", "8C"]},
    ]
    assert settled["findings"] == []
    assert settled["result"] is None


def test_a_build_that_its_maker_could_never_take_is_found_at_the_end_of_the_hand() -> None:
    request, _ = _deal_with_a_false_build()
    answer = ask("replay", request)
    assert answer["complete"]
    (finding,) = answer["findings"]
    assert (finding.article, finding.code, finding.seat) == ("casino.build-needs-card", "card-never-shown", "P2")
    assert finding.facts["turn"] == 1
    assert finding.facts["value"] == 13
    assert finding.facts["shown_by"]["seat"] == "P2"
    assert answer["verdicts"][0].verdict.value == "undecided"
    assert answer["verdicts"][0].settled == "illegal"


def test_with_known_hands_the_same_build_is_illegal_at_once() -> None:
    request, hands = _deal_with_a_false_build()
    answer = ask("replay", request | {"hands": hands})
    assert answer["verdicts"][0].verdict.value == "illegal"
    assert [finding.code for finding in answer["findings"]] == ["value-not-held"]


def _deal_with_a_false_build() -> tuple[Json, Json]:
    """P2 has no king, builds 13 all the same, and everything else is trailed."""
    rules = OPTIONS.preset("swazi").options
    rest = sorted((card for card in full_pack(rules) if str(card) not in TABLE), key=lambda card: card.rank == "K")
    hands = {"P2": [str(card) for card in rest[:24]], "P1": [str(card) for card in rest[24:]]}
    turns: list[dict[str, Any]] = []
    for place in range(24):
        for seat in ("P2", "P1"):
            plays: list[Json] = [{"play": "trail", "card": hands[seat][place]}]
            if not turns:
                plays.insert(0, {"play": "build", "value": 13, "table": ["2H", "3D", "8C"]})
            turns.append({"player": seat, "plays": plays})
    return record(*turns), hands


def test_if_nobody_captured_the_cards_belong_to_nobody() -> None:
    request, _ = _deal_with_a_false_build()
    result = ask("replay", request)["result"]
    assert result == {
        "P1": {"captured": [], "last_capture": False},
        "P2": {"captured": [], "last_capture": False},
        "unclaimed": 52,
        "irregularities": [{"kind": "false_build", "by": "P2"}],
    }
    answer = scored({"sides": ["P1", "P2"], "deals": [result]})
    assert [side["points"] for side in answer["deals"][0]["sides"].values()] == [0, 0]


FOUR = {"seats": ["P1", "P2", "P3", "P4"], "dealer": "P2"}


def test_a_proof_lets_the_partner_build_and_ends_when_the_card_is_played() -> None:
    """P1 shows a king by building 13; P3 then builds 13 on it; with the king played nothing is."""
    turns = [
        {"player": "P1", "plays": [{"play": "build", "value": 13, "table": ["2H", "3D"], "card": "8S", "id": "X"}]},
        {"player": "P4", "plays": [{"play": "capture", "card": "KD", "builds": ["X"]}]},
        {"player": "P3", "plays": [{"play": "build", "value": 13, "table": ["8C"], "card": "5S", "id": "Y"}]},
    ]
    deal = record(*turns, **FOUR)
    answer = ask("replay", deal)
    assert answer["proven"] == {"P1": [13]}
    assert answer["verdicts"][2].verdict.value == "legal"
    assert answer["builds"][0]["owner"] == "P1"
    after = [
        {"player": "P2", "plays": [{"play": "trail", "card": "4S"}]},
        {"player": "P1", "plays": [{"play": "capture", "card": "KS", "builds": ["Y"]}]},
    ]
    assert ask("replay", record(*turns, *after, **FOUR))["proven"] == {}


@pytest.mark.parametrize("played", [False, True])
@pytest.mark.parametrize("keep_capturer", [False, True])
def test_a_build_that_still_stands_proves_a_card_only_if_it_must_be_kept(keep_capturer: bool, played: bool) -> None:
    """P1 builds 13 and may take KH with a king: without CASINO-704 that was perhaps the only one (CASINO-805)."""
    take = {"play": "capture", "card": "KS", "table": ["KH"]} if played else {"play": "trail", "card": "6C"}
    turns: list[Json] = [
        {"player": "P1", "plays": [{"play": "build", "value": 13, "table": ["2H", "3D"], "card": "8S", "id": "X"}]},
        *(
            {"player": seat, "plays": [{"play": "trail", "card": card}]}
            for seat, card in zip(("P4", "P3", "P2"), ("4S", "4D", "4C"), strict=True)
        ),
        {"player": "P1", "plays": [take]},
        {"player": "P4", "plays": [{"play": "trail", "card": "QS"}]},
        {
            "player": "P3",
            "plays": [
                {"play": "augment", "value": 13, "base": {"build": "X"}, "sets": [{"card": "5S", "table": ["8C"]}]}
            ],
        },
    ]
    answer = ask("replay", record(*turns, **FOUR) | {"rules": {"options": {"keep_capturer": keep_capturer}}})
    last = answer["verdicts"][-1].verdict
    proven = keep_capturer or not played
    assert (last.value, "casino.proven-card" in {one.article for one in last.because}) == (
        ("legal", True) if proven else ("undecided", False)
    )


def test_a_build_on_the_partners_card_proves_nothing_of_ones_own() -> None:
    """P3's second build stands on P1's king, so P1 has no proof from P3 (CASINO-804)."""
    turns = [
        {"player": "P1", "plays": [{"play": "build", "value": 13, "table": ["2H", "3D"], "card": "8S", "id": "X"}]},
        {"player": "P4", "plays": [{"play": "capture", "card": "KD", "builds": ["X"]}]},
        {"player": "P3", "plays": [{"play": "build", "value": 13, "table": ["8C"], "card": "5S", "id": "Y"}]},
    ]
    assert 13 not in ask("replay", record(*turns, **FOUR))["proven"].get("P3", [])


def test_turns_go_round_the_table_in_the_direction_of_the_game() -> None:
    turns = [{"player": "P4", "plays": [{"play": "trail", "card": "4S"}]}]
    deal = record(*turns, seats=["P1", "P2", "P3", "P4"], dealer="P1")
    assert ask("replay", deal)["findings"] == []
    other = deal | {"rules": {"options": {"direction": "clockwise"}}}
    (finding,) = ask("replay", other)["findings"]
    assert (finding.code, finding.facts["expected"]) == ("out-of-turn", "P2")


def test_a_card_that_lies_open_cannot_be_played() -> None:
    answer = ask("replay", record({"plays": [{"play": "trail", "card": "KH"}]}))
    (finding,) = answer["findings"]
    assert (finding.code, finding.facts["why"]) == ("record-contradicts", "card-seen")
    assert [one.code for one in answer["verdicts"][0].verdict.breaches] == ["card-seen"]


def test_the_layer_under_a_capturing_card_may_lie_in_any_order() -> None:
    """The capturing king is on top; under it either of the two cards taken may be named next (CASINO-011, 609)."""
    turns: list[Json] = [
        {"player": "P2", "plays": [{"play": "capture", "card": "KS", "table": ["KH", "2H", "3D", "8C"]}]},
        {"player": "P1", "plays": [{"play": "trail", "card": "5S"}]},
        {"player": "P2", "plays": [{"play": "trail", "card": "10S"}]},
    ]
    piles = [{"from": "P2", "card": "KS"}]
    for card, codes in (("8C", []), ("3D", ["set-total"]), ("9H", ["not-pile-top"])):
        sets: list[Json] = [{"piles": piles}, {"table": ["5S"], "piles": [{"from": "P2", "card": card}]}]
        augment = {"play": "augment", "value": 13, "base": {"table": "KC"}, "sets": sets}
        more: list[Json] = [
            {"player": "P1", "plays": [{"play": "trail", "card": "KC"}]},
            {"player": "P2", "plays": [{"play": "trail", "card": "7S"}]},
            {"player": "P1", "plays": [augment, {"play": "trail", "card": "4S"}]},
        ]
        found = [finding.code for finding in ask("replay", record(*turns, *more))["findings"]]
        assert found[: len(codes)] == codes
        assert bool(found) == bool(codes)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"table": ["2H", "3D", "8C"]}, "table-count"),
        ({"table": ["2H", "3D", "8C", "8C"]}, "duplicate-card"),
        ({"dealer": "P9"}, "unknown-seat"),
        ({"hands": {"P1": ["4S"]}}, "hand-count"),
        ({"turns": [{"plays": [{"play": "fly"}]}]}, "choice"),
        ({"turns": [{"plays": [], "extra": 1}]}, "unknown-key"),
        ({"turns": [7]}, "type"),
        ({"seats": ["P1"]}, "seats-count"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(change: Json, code: str) -> None:
    deal = record({"plays": [{"play": "trail", "card": "4S"}]}) | change
    with pytest.raises(Refused) as refused:
        ask("replay", deal)
    assert code in {problem.code for problem in refused.value.problems}


def test_who_began_must_be_known() -> None:
    deal = record({"plays": [{"play": "trail", "card": "4S"}]})
    del deal["dealer"]
    with pytest.raises(Refused):
        ask("replay", deal)
    assert ask("replay", deal | {"first": "P2"})["verdicts"][0].move["player"] == "P2"


def two(first: str, *turns: Json, preset: str = "standard", options: Json | None = None, **more: Any) -> Json:
    """A record of A and B with these cards on the table."""
    return {
        "rules": {"preset": preset, "options": options or {}}, "seats": ["A", "B"], "table": ["2S", "7H", "9H", "4C"],
        "first": first, "turns": list(turns), **more,
    }  # fmt: skip


def trailed(card: str, **more: Any) -> Json:
    return {"plays": [{"play": "trail", "card": card}], **more}


@pytest.mark.parametrize(
    "hands", [{}, {"A": ["9C", "3D", "QD", "KD", "QC", "KC", "10S", "10H", "8S", "8H", "8C", "6S"]}]
)
def test_the_last_card_for_a_build_used_up_is_no_false_build(hands: Json) -> None:
    """Its maker held the card (IRR-C2); with hands of four turns: A builds, and trails its last nine."""
    made = {"plays": [{"play": "build", "value": 9, "table": ["2S", "7H"], "id": "X"}, {"play": "trail", "card": "3D"}]}
    turns = made, trailed("9D"), trailed("9C"), trailed("9S")
    dealt = {seat: [*cards, "6H", "6D", "6C", "5S", "5H", "5D", "5C", "4S", "4H", "4D", "JS", "JH"][:24]
             for seat, cards in hands.items()}  # fmt: skip
    answer = ask("replay", two("A", *turns, preset="swazi", options={"false_build_remedy": "point"}, hands=dealt))
    found = [(one.code, one.remedy.article) for one in answer["findings"] if one.facts["turn"] == 3]
    assert found == [("capturer-used-up", "casino.illegal-play")]


@pytest.mark.parametrize(
    ("plays", "builds"),
    [
        ([{"play": "build", "value": 11, "table": ["4C", "7H"], "card": "AC"}], 1),
        ([{"play": "build", "value": 10, "table": ["4C", "7H"], "card": "AC"}], 1),
        ([{"play": "build", "value": 9, "sets": [{"table": ["2S"], "card": "8S"}, {"table": ["4C", "7H"]}]}], 1),
        ([{"play": "build", "value": 12, "table": ["4C", "7H"], "card": "AC"}], 1),
    ],
)
def test_one_false_build_is_one_irregularity(plays: list[Json], builds: int) -> None:
    """However many articles it breaks (IRR-C2e); the rest of the deal is trailed."""
    options: Json = {"owner_may_trail": True, "keep_capturer": False, "false_build_remedy": "point_lost"}
    used = {"2S", "7H", "9H", "4C", plays[0].get("card") or "8S"}
    rest = [str(card) for card in sorted(full_pack(OPTIONS.preset("standard").options)) if str(card) not in used]
    answer = ask("replay", two("A", {"plays": plays}, *map(trailed, rest), options=options))
    assert answer["complete"]
    made = [one for one in answer["findings"] if one.facts["turn"] == 1]
    assert made
    assert answer["result"]["irregularities"] == [{"kind": "false_build", "by": "A"}] * builds


def test_a_breach_stands_once_an_opponent_has_played() -> None:
    wrong = {"plays": [{"play": "build", "value": 9, "table": ["2S"], "card": "8S"}]}
    own = ask("replay", two("A", wrong, trailed("KD", player="A")))
    assert own["findings"][0].established is None
    other = ask("replay", two("A", wrong, trailed("KD", player="A"), trailed("KC", player="B")))
    assert other["findings"][0].established == 3


def test_who_began_against_the_dealer_is_found() -> None:
    (found,) = ask("replay", two("A", trailed("KD"), dealer="A"))["findings"]
    assert (found.article, found.code, found.facts["expected"]) == ("casino.first-player", "out-of-turn", "B")
    assert ask("replay", two("B", trailed("KD"), dealer="A"))["findings"] == []
