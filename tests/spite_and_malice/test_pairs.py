"""Where two settings meet, or a setting and a fact that was left out: what holds on every table."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from companion.engine.problems import Node, Refused
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from tests.pairs.arrays import array, request
from tests.spite_and_malice.asking import articles, ask
from tests.spite_and_malice.dealer import Dealer

IMMEDIATE: dict[str, Any] = {"preset": "hoyle", "stock": 30}
HAND = ["5", "9", "J", "Q", "K"]


@pytest.mark.parametrize("block_two", ["strict", "one_is_enough", "payoff_only", "off"])
@pytest.mark.parametrize("source", [{"from": "payoff"}, {"from": "side", "stack": 0}])
def test_the_player_chooses_between_exposed_twos(block_two: str, source: dict[str, Any]) -> None:
    """SNM-044, 124: the option only frees twos in hand, whichever of the exposed ones goes first."""
    table: dict[str, Any] = {
        "payoff": "2",
        "hand": ["2", "9", "J", "Q", "K"],
        "side_stacks": [["5", "2"]],
        "centre_stacks": ["A"],
    }
    options = {"block_two": block_two}
    assert ask({"type": "play", "to": 0, **source}, options=options, **table).value == "legal"
    hand = ask({"type": "play", "to": 0, "from": "hand", "card": "2"}, options=options, **table)
    assert hand.value == ("legal" if block_two == "off" else "illegal")


@pytest.mark.parametrize("done", ["stay", "set_aside", "shuffle_now"])
@pytest.mark.parametrize(
    "counts",
    [{}, {"complete": 0}, {"complete": 1}, {"set_aside": 0}, {"set_aside": 1}, {"complete": 0, "set_aside": 1}],
)
@pytest.mark.parametrize("shown", [True, False])
def test_completed_stacks_are_those_that_show_and_those_set_aside(
    done: str, counts: dict[str, int], shown: bool
) -> None:
    """SNM-082, 219, 220: only where stacks are set aside can there be some that nobody sees, or that are told."""
    move = {"type": "recycle", "what": "complete", "by": "opponent"}
    table: dict[str, Any] = {"stock": 3, "hand": HAND, "centre_stacks": ["K", "4"] if shown else ["4"], **counts}
    told = counts.get("complete", int(shown)) + counts.get("set_aside", 0)
    open_ = done == "set_aside" and not counts and not told
    if counts.get("set_aside") and done != "set_aside":
        with pytest.raises(Refused):
            ask(move, options={"centre_done": done}, **table)
        return
    verdict = ask(move, options={"centre_done": done}, **table)
    assert verdict.value == ("undecided" if open_ else "legal" if told else "illegal")
    assert {missing.fact for missing in verdict.missing} == ({"complete"} if open_ else set())


@pytest.mark.parametrize("turns", [None, [("A", True)], [("A", False)], [("A", False), ("B", False), ("A", True)]])
@pytest.mark.parametrize("hand", [["2", "9", "9", "8", "7"], ["3", "9", "9", "8", "7"], None])
def test_a_broken_deadlock_frees_the_next_player_where_that_is_played(
    turns: list[tuple[str, bool]] | None, hand: list[str] | None
) -> None:
    """SNM-072: whether somebody acted in the second chance decides, and only where a card could be played."""
    log = turns and {"turns": [{"player": player, "acted": acted} for player, acted in turns]}
    if log and len(turns or ()) < 3:
        idle = [{"player": player, "acted": False} for player in "AB"]
        log = {"turns": [*idle, *log["turns"]]}
    table: dict[str, Any] = {"player": "B", "payoff": "Q", "side_stacks": [["5"]], "centre_stacks": ["A", "3"]}
    table |= {"stock": 40, "phase": "second_chance", **({} if hand is None else {"hand": hand}), **(log or {})}
    verdict = ask(
        {"type": "discard", "card": "7", "to": "new"}, options={"second_chance_scope": "until_broken"}, **table
    )
    free = bool(turns and turns[-1][1]) or (hand is not None and "2" not in hand)
    missing = {one.fact for one in verdict.missing}
    if free:
        assert verdict.value == "legal"
    elif turns is None or hand is None:
        assert missing == ({"turns"} if turns is None else set()) | ({"hand"} if hand is None else set())
    else:
        assert articles(verdict) == {"second-chance-duty"}


@pytest.mark.parametrize(
    ("card", "to", "more", "value"),
    [
        ("9", 0, {"payoff": "9"}, "undecided"),
        ("9", 0, {"payoff": "A"}, "illegal"),
        ("2", 1, {"payoff": "9"}, "legal"),
        ("9", 0, {"payoff": "9", "side_stacks": [["9"], ["2"]]}, "illegal"),
        ("9", 0, {"payoff": "9", "side_stacks": [["9"], ["3"]]}, "legal"),
    ],
)
def test_a_card_that_is_shown_is_the_compulsory_one_only_if_it_is_one(
    card: str, to: int, more: dict[str, Any], value: str
) -> None:
    """SNM-048: what goes first must be an ace or a two, wherever it comes from."""
    play = {"type": "play", "from": "side", "stack": 0, "card": card, "to": to}
    assert ask(play, **IMMEDIATE, hand=["5", "6", "7", "8", "10"], centre_stacks=["8", "A"], **more).value == value


@pytest.mark.parametrize(
    ("move", "payoff", "options", "value"),
    [
        ({"card": "2", "to": 1}, "2", {}, "illegal"),
        ({"card": "A", "to": "new"}, "A", {"centre_max": 4}, "illegal"),
        ({"card": "A", "to": "new"}, "9", {"centre_max": 4}, "undecided"),
        ({"card": "2", "to": 1}, "9", {}, "undecided"),
    ],
)
def test_an_untold_centre_decides_nothing_that_every_centre_forbids(
    move: dict[str, Any], payoff: str, options: dict[str, Any], value: str
) -> None:
    """SNM-033, 048: with an ace the other two goes first, without one the two fits nowhere."""
    piles: dict[str, Any] = {"payoff": payoff, "hand": ["5", "2", "A", "9", "J"], "side_stacks": [["9"], ["6"]]}
    verdict = ask({"type": "play", "from": "hand", **move}, options=options, **IMMEDIATE, **piles)
    assert verdict.value == value


# Replays with pay-off cards that nobody named -------------------------------------------------------------------------


def without_names(record: dict[str, Any], chance: random.Random, share: float) -> dict[str, Any]:
    """A record in which some pay-off cards are neither turned up nor named when they are played."""
    record = copy.deepcopy(record)
    record["payoff_tops"] = {player: top for player, top in record["payoff_tops"].items() if chance.random() > share}
    for turn in record["turns"]:
        for move in turn["moves"]:
            if "turned" in move and chance.random() < share:
                del move["turned"]
            if "payoff" in move.get("from", "") and chance.random() < share:
                del move["card"]
    return record


def accused(rules: Any, seed: str, turns: int, shares: tuple[float, ...]) -> list[Any]:
    """What replays of a deal that is played by the rules find in it when pay-off cards are not named."""
    chance = random.Random(seed)
    dealer = Dealer(rules, chance.randrange(10**6), idleness=chance.choice((0.0, 0.0, 0.5)))
    record = dealer.play(turns)
    replays = [GAME.replay(rules, Node(without_names(record, chance, share))) for share in shares]
    return [finding for told in replays for finding in told["findings"]]


@pytest.mark.parametrize("preset", GAME.options.presets)
def test_unnamed_payoff_cards_accuse_nobody(preset: str, soak_round: int, soaked: Any) -> None:
    rules = GAME.options.preset(preset).options
    shares = (1.0, 0.8, 0.6, 0.4, 0.2) if soak_round else (1.0, 0.5)
    for seed in range(3):
        turns = (30, 60, 120)[seed] if soak_round else 40
        assert accused(rules, f"{preset} {seed} {soak_round}", turns, shares) == []
    soaked(replays=3 * len(shares))


def test_unnamed_payoff_cards_accuse_nobody_on_tables_that_hold_every_pair(soak_round: int, soaked: Any) -> None:
    tables = array(GAME.id, soak_round, triples=False).tables[soak_round % 4 :: 4]
    for number, values in enumerate(tables):
        rules = GAME.options.read(Node(request(GAME.id, values))).options
        assert accused(rules, f"pairs {number} {soak_round}", 30, (1.0, 0.5)) == [], values
    soaked(replays=2 * len(tables))
