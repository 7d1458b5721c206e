"""Records that contradict themselves: whatever was written down is answered or refused, and nothing else."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from companion.engine.cards import pack
from companion.engine.problems import Refused
from companion.games.casino.rules import OPTIONS
from tests.casino.asking import Json, ask
from tests.casino.paper import played
from tests.casino.table import random_deal

CARDS = [str(card) for card in pack()]
DUTIES = ("keep_capturer", "owner_may_trail", "owner_must_take")


def deal(preset: str, players: int) -> tuple[Json, Any]:
    """A deal in order, and its hands."""
    if OPTIONS.preset(preset).options.deal != "draw":
        return random_deal(1, preset, players)
    found = played({"preset": preset}, players, Random(1))
    return found.request(), found.hands


def spoilt(chance: Random, preset: str, players: int) -> Json:
    """A record with turns left out, doubled and exchanged, other cards and players, and hands that may be unknown."""
    given, hands = deal(preset, players)
    request = {**deepcopy(given), "hands": {seat: hand for seat, hand in hands.items() if chance.random() < 0.4}}
    request["rules"]["options"] = {chance.choice(DUTIES): chance.random() < 0.5}
    turns = request["turns"] = request["turns"][: chance.randrange(8, len(request["turns"]) + 1)]
    for turn in turns:
        if "drawn" in turn and chance.random() < 0.4:
            turn["drawn"] = "hidden"
    for _ in range(chance.randrange(1, 4)):
        at, other = chance.randrange(len(turns)), deepcopy(chance.choice(turns))
        chance.choice((
            lambda at=at, other=other: turns.insert(at, other),
            lambda at=at: turns.pop(at),
            lambda at=at: turns[at].update(player=chance.choice(request["seats"])),
            lambda at=at, other=other: turns[at]["plays"].extend(other["plays"]),
            lambda at=at: turns[at]["plays"][-1].update(card=chance.choice(CARDS)),
            lambda at=at: turns[at].update(drawn=["hidden", chance.choice(CARDS)]),
        ))()  # fmt: skip
    return request


@pytest.mark.by_turns(8)
@pytest.mark.parametrize("preset", OPTIONS.presets)
def test_no_record_is_more_than_refused(preset: str, soak_round: int) -> None:
    answered = 0
    for number in range(4):
        chance = Random(f"{preset} {soak_round} {number}")
        try:
            ask("replay", spoilt(chance, preset, chance.choice((2, 3, 4))))
            answered += 1
        except Refused:
            pass
    assert answered


def trail(card: str, **more: Any) -> Json:
    return {"plays": [{"play": "trail", "card": card}], **more}


def record(preset: str, table: str, *turns: Json, **more: Any) -> Json:
    return {
        "rules": {"preset": preset}, "seats": ["A", "B"], "first": "A", "table": table.split(), "turns": [*turns],
        **more,
    }  # fmt: skip


def build(value: int, table: str, card: str, **more: Any) -> Json:
    return {"plays": [{"play": "build", "value": value, "table": table.split(), "card": card}], **more}


def test_a_hidden_card_drawn_into_a_known_hand_may_be_the_one_that_a_build_needs() -> None:
    """Of a known hand only what was drawn since is hidden: cards known before leave no gap there."""
    turns = trail("6D", drawn="hidden"), trail("KC", drawn="hidden"), build(3, "AS", "2C", drawn="hidden")
    answer = ask("replay", record("draw", "QH 7S AS AH", *turns, hands={"A": ["JH", "2C", "6D", "7C"]}))
    last = answer["verdicts"][-1].verdict
    assert last.value == "undecided"
    assert [(one.fact, one.seat, one.facts["value"]) for one in last.missing] == [("hand", "A", 3)]


def test_a_recorded_draw_beside_hidden_ones_leaves_the_hand_its_size() -> None:
    take = {"plays": [{"play": "capture", "card": "9C", "table": ["9D"]}], "drawn": "hidden"}
    turns = build(10, "4H", "6S", drawn=["7C"]), take, build(10, "3H", "7C", drawn=["3D"])
    answer = ask("replay", record("draw", "4H 3H 9D QD", *turns))
    assert [one.verdict.value for one in answer["verdicts"]] == ["undecided", "legal", "undecided"]


def test_a_duty_that_a_later_card_proves_is_found() -> None:
    """An owner of a ten who trails, where capturers need not be kept, and shows a ten afterwards."""
    take = {"plays": [{"play": "capture", "card": "10S", "table": ["2S", "8C"], "builds": ["N1"]}]}
    turns = build(10, "2H AC", "7S"), trail("9H"), trail("6H"), trail("KD"), take
    request = record("standard", "2H AC 2S 8C", *turns)
    request["rules"]["options"] = {"keep_capturer": False}
    (found,) = ask("replay", request)["findings"]
    assert (found.article, found.seat, found.facts["turn"]) == ("casino.owner-may-not-trail", "A", 3)


@pytest.mark.parametrize("hands", [{}, {"A": [["KD", "QD", "KC", "QC"]]}])
def test_a_turn_that_nobody_wrote_down_does_not_stop_the_questions_about_a_hand(hands: Json) -> None:
    played = [("A", "KD"), ("B", "9D"), ("A", "QD"), ("B", "9C"), ("A", "KC"), ("A", "QC"), ("B", "KH")]
    turns = [trail(card, player=seat) for seat, card in played]
    answer = ask("replay", record("standard", "2S 7H 9H 4C", *turns, build(9, "2S", "7C", player="A"), hands=hands))
    assert "record-contradicts" in [one.code for one in answer["findings"]]
