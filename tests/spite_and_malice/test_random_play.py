"""Deals played at random by the rules: the replay finds nothing wrong in them, and loses no card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.engine.game import score
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.deal import follow, read_record
from tests.spite_and_malice.dealer import Dealer

LIMIT, FEW = 2000, 250
"""Turns of a deal at most: where the kinds of moves are counted and in long runs, and in every run."""
PLAYS = [
    (preset, idleness, seed) for preset in GAME.options.presets for idleness, seed in ((0.0, 1), (0.5, 2), (0.97, 3))
]


@pytest.mark.by_turns(4)
@pytest.mark.parametrize(("preset", "idleness", "seed"), PLAYS)
def test_legal_play_replays_clean(preset: str, idleness: float, seed: int, soak_round: int, soaked: Any) -> None:
    house, limit = GAME.options.preset(preset), LIMIT if soak_round else FEW
    dealer = Dealer(house.options, seed + 10 * soak_round, idleness=idleness)
    record = dealer.play(limit)
    soaked(turns=len(record["turns"]))
    told = GAME.replay(house.options, Node(record))
    assert told["findings"] == []
    assert {judged.verdict.value for judged in told["verdicts"]} == {"legal"}
    assert {player: pile["payoff_left"] for player, pile in told["piles"].items()} == dealer.remaining()
    assert told["state"]["stock"] == len(dealer.stock)
    assert told["state"].get("hand") == [str(card) for card in dealer.hands[told["state"]["player"]]]
    assert _counted(house.options, told) == house.options.cards
    assert told["complete"] == dealer.over
    assert dealer.over or len(record["turns"]) == limit
    if told["complete"]:
        assert told["result"]["winner"] == ("+".join(dealer.winner) if dealer.winner else None)
        request = {"rules": {"preset": preset}, "sides": told["sides"], "deals": [told["result"]]}
        _, ledger = score(GAME, request)
        assert ledger.deals[0].status == "scored"


def test_the_table_after_each_move() -> None:
    """No move loses a card, and the player in turn changes only where a turn ends."""
    rules = GAME.options.preset("massachusetts").options
    run, entries = read_record(rules, Node(Dealer(rules, 1).play(60)))
    player, count = run.table.player, 0
    for entry, table in zip(entries, follow(run, entries), strict=True):
        assert table.total() == rules.cards
        assert (table.player != player) == isinstance(entry.move, n.Start | n.Discard | n.EndTurn)
        player, count = table.player, count + 1
    assert count == len(run.verdicts) > 100


@pytest.mark.slow
def test_a_turn_goes_on_after_the_last_discard_on_an_empty_stock() -> None:
    """Played at random with SNM-123, such turns come up, and the replay agrees with the dealer."""
    options = {"after_last_discard": "refill_and_replay", "recycle_threshold": 0}
    rules = GAME.options.read(Node({"preset": "blackwood108", "options": options})).options
    kinds = set()
    for seed in range(3):
        dealer = Dealer(rules, seed)
        told = GAME.replay(rules, Node(dealer.play(LIMIT)))
        assert told["findings"] == []
        assert told["state"]["stock"] == len(dealer.stock)
        for turn in dealer.record["turns"]:
            types = [move["type"] for move in turn["moves"]]
            kinds |= {one for one in zip(types, types[1:], types[2:], strict=False) if one[0] == "discard"}
    assert ("discard", "recycle", "refill") in kinds


@pytest.mark.slow
def test_there_are_finished_and_unfinished_deals_redeals_and_recycling() -> None:
    kinds = set()
    for preset, idleness, seed in (
        ("blackwood", 0.0, 1),
        ("blackwood", 0.97, 3),
        ("hoyle", 0.97, 3),
        ("pagat", 0.0, 2),
    ):
        dealer = Dealer(GAME.options.preset(preset).options, seed, idleness=idleness)
        record = dealer.play(LIMIT)
        kinds |= {move["type"] for turn in record["turns"] for move in turn["moves"]}
    assert kinds >= {"play", "discard", "refill", "end_turn", "redeal", "recycle", "claim_stalemate"}


@pytest.mark.slow
@pytest.mark.parametrize("spoil", ["discard", "refill", "play"])
def test_a_spoilt_record_is_found_out(spoil: str) -> None:
    """One move of a clean record changed: the replay must say so."""
    rules = GAME.options.preset("blackwood").options
    record = Dealer(rules, 4).play(LIMIT)
    turn, place = next(
        (turn, place)
        for turn in record["turns"][3:]
        for place, move in enumerate(turn["moves"])
        if move["type"] == spoil and move.get("to") != "new"
    )
    wrong = {"discard": {"card": "A"}, "refill": {"count": 6}, "play": {"to": 11}}[spoil]
    turn["moves"][place] = turn["moves"][place] | wrong
    assert GAME.replay(rules, Node(record))["findings"]


def _counted(rules: Any, told: Mapping[str, Any]) -> int:
    state = told["state"]
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    centre = (
        sum(ranks.index(top) + 1 if top in ranks else int(top) for top in state["centre_stacks"])
        + state["set_aside"] * rules.top
    )
    piles = told["piles"].values()
    held = sum(pile["payoff_left"] + pile["hand_count"] + sum(map(len, pile["side_stacks"])) for pile in piles)
    return centre + held + state["stock"]
