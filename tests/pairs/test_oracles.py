"""Code that knows nothing of the program, beside it on every table: a second scorer, and a second judge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

import companion
from companion import GAMES
from tests.pairs.arrays import array, request
from tests.pairs.walks import WALKS, Json, Step
from tests.spades.chance import deal, side_names
from tests.spades.oracle import deal_points, winners
from tests.spite_and_malice.oracle import NAMES, World, allowed

PARTS = 6
GAMES_OF_A_TABLE, FEW = 12, 3
"""Games that are scored on a table: in a long run, and in every run."""


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("part", range(PARTS))
def test_spades_scores_as_the_oracle_does(part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    wrong, scored, refused = [], 0, 0
    for number, values in enumerate(array("spades", soak_round, triples=thorough).tables[part::PARTS]):
        rules = request("spades", values)
        rng = Random(f"{soak_round} {part} {number}")
        for _ in range(GAMES_OF_A_TABLE if thorough else FEW):
            deals, expected, won = _spades_game(rng, rules["options"])
            asked = {"sides": side_names(rules["options"]), "deals": deals}
            try:
                answer = companion.score("spades", {"rules": rules, **asked})
            except companion.InvalidInput:
                refused += 1
                continue
            scored += len(deals)
            got = [
                {name: (side["points"], side["total"], side.get("bags", 0)) for name, side in one["sides"].items()}
                for one in answer["deals"]
            ]
            if got != expected or answer["outcome"]["winners"] != won:
                code = companion.rules("spades", rules)["code"]
                wrong.append(f"{code}: {asked} gives {got}, {answer['outcome']}; the oracle says {expected}, {won}")
    soaked(deals=scored, refused=refused)
    assert not wrong, "\n".join(wrong[:5])
    assert scored > 2 * refused


def _spades_game(rng: Random, options: dict[str, Any]) -> tuple[list[Any], list[Any], list[str]]:
    """Random deals until the oracle says that the game is over, at most six, with what it expects of each."""
    totals, bags = dict.fromkeys(side_names(options), 0), dict.fromkeys(side_names(options), 0)
    deals: list[Any] = []
    expected: list[Any] = []
    won: list[str] = []
    while len(deals) < 6 and not won:
        first = options["first_hand_bids_itself"] and not deals
        facts = deal(rng, options, first_hand=first)
        sides = {}
        for name in totals:
            points, bags[name] = deal_points(options, facts[name], bags[name], before=totals[name], first_hand=first)
            totals[name] += points
            sides[name] = (points, totals[name], bags[name])
        deals.append(facts)
        expected.append(sides)
        won = winners(options, facts, totals)
    return deals, expected, won


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("part", range(PARTS))
def test_spite_and_malice_is_judged_as_the_oracle_does(part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    game, wrong, judged = "spite-and-malice", [], 0
    for number, values in enumerate(array(game, soak_round, triples=thorough).tables[part::PARTS]):
        rules = request(game, values)
        rng = Random(f"{soak_round} {part} {number}")
        house = GAMES[game].options.rules_type(**values)
        walk = WALKS[game](rules["options"], rules, rng)
        for step in _steps(walk):
            if not step.position["payoff_left"]:
                continue  # the oracle knows no partner who plays on
            moves = [move for move in step.candidates if "partner" not in move.get("from", "")]
            moves = moves if thorough else rng.sample(moves, min(len(moves), 6))
            for move in moves:
                verdict = companion.judge(game, {"rules": rules, "position": step.position, "move": move}).value
                judged += 1
                if verdict != ("legal" if allowed(_world(house, step.position), move) else "illegal"):
                    code = companion.rules(game, rules)["code"]
                    wrong.append(f"{code}: {move} is {verdict}, the oracle says no, in {step.position}")
    soaked(moves=judged)
    assert not wrong, "\n".join(wrong[:5])


def _steps(walk: Any) -> Iterator[Step]:
    """Yield the positions of a deal whose players choose for themselves."""
    with suppress(StopIteration):
        step = next(walk)
        while True:
            yield step
            step = walk.send([])


def _world(rules: Any, position: Json) -> World:
    """A position as the oracle sees it."""
    partner = position.get("partner", {})
    idle = 0
    for turn in position["turns"]:
        idle = 0 if turn["acted"] else idle + 1
    return World(
        rules, _rank(position.get("payoff")), position["payoff_left"], tuple(map(_rank, position["hand"])),
        [[*map(_rank, stack)] for stack in position["side_stacks"]], [*map(_rank, position["centre_stacks"])],
        position["stock"], position["refilled"], position["discarded"], position["phase"] == "second_chance",
        position["played_ace_or_two"], idle, _rank(partner.get("payoff")),
        [[*map(_rank, stack)] for stack in partner.get("side_stacks", ())],
    )  # fmt: skip


def _rank(card: str | None) -> Any:
    return None if card is None else NAMES.index(card)
