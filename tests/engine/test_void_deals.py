"""A deal that was void leaves no trace: what is asked and scored after it is what the same deal alone is asked and
scored, under every preset and with every option off its default. Rules that hold for a first deal hold for the one
after it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from companion.engine.entry import EntryStep, Sitting
from companion.engine.game import Game, score
from companion.engine.ledger import Outcome
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.games import GAMES

SEATS: Final = ("A", "B", "C", "D", "E", "F")
VOID: Final = {"void": True}


def tables(game: Game) -> Iterator[HouseRules[Any]]:
    """Yield every preset, and the default rules with each option at each of its other values."""
    yield from map(game.options.preset, game.options.presets)
    for name, option in game.options.options.items():
        for value in option.possible():
            try:
                yield game.options.build(game.options.default_preset, {name: value})
            except Refused:  # needs others that the default rules exclude
                continue


def asked(game: Game, sitting: Sitting, answers: dict[str, str]) -> EntryStep:
    """Return the step of a deal. It must be the same where the deal before it was void."""
    entry = game.load_entry()
    assert entry is not None
    step = entry.step(sitting, answers)
    assert entry.step(replace(sitting, deals=(VOID,)), answers) == step, sitting.rules
    return step


def entered(game: Game, dice: random.Random, sitting: Sitting) -> dict[str, Any]:
    """Return the facts of a deal whose questions are answered at random."""
    answers: dict[str, str] = {}
    while (step := asked(game, sitting, answers)).facts is None:
        assert step.question is not None
        if step.question.span:
            answers = {**(step.answers or {}), step.question.id: str(dice.randint(*step.question.span))}
            continue
        choices = [each for group in step.question.groups for each in group]
        chosen = dice.choice([each for each in choices if each.tone != "odd"] or choices).value
        if step.kind == "call":
            kind, _, who = step.question.id.partition(":")
            seat, slash, word = chosen.rpartition("/")
            call = {kind: who, **({"seat": seat} if slash else {}), "call": int(word) if word.isdigit() else word}
            sitting = replace(sitting, calls=(*sitting.calls, {**call, **game.call_facts(word)}))
        elif step.done and dice.random() < 0.3:
            answers = {**(step.answers or {}), step.done[0]: step.done[1].value}
        else:
            answers = {**(step.answers or {}), step.question.id: chosen}
    return dict(step.facts)


def scored(game: Game, house: HouseRules[Any], sitting: Sitting, *deals: object) -> object:
    """Return the lines and the standing after the last of these deals, or the codes of its problems."""
    options = {"preset": house.preset, "options": game.options.plain(house.options)}
    sides = [{"id": side.id, "players": list(side.players)} for side in sitting.sides]
    try:
        ledger = score(game, {"rules": options, "sides": sides, "deals": list(deals)})[1]
    except Refused as refused:
        return [(problem.code, problem.pointer[2:], problem.acceptable) for problem in refused.problems]
    return ledger.deals[-1].sides, ledger.outcome


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.entry], ids=lambda game: game.id)
def test_deal_after_a_void_one_is_asked_and_scored_as_if_it_were_the_first(game: Game) -> None:
    dice, played = random.Random(game.id), 0
    for house in tables(game):
        seating = game.seatings(house.options)[0]
        seats = SEATS[: seating.players]
        names = dict(zip(seats, seats, strict=True))
        sitting = Sitting(house.options, seating.sides(seats), seats, names, seats[-1])
        facts = entered(game, dice, sitting)
        alone = scored(game, house, sitting, facts)
        assert scored(game, house, sitting, VOID, facts) == alone, house
        played += isinstance(alone, tuple)
    assert played > (20 if game.judge else 8)


def told(game: str, deals: list[dict[str, Any]], opening: dict[str, int], **options: object) -> Outcome:
    """Return the outcome of these deals after totals from paper."""
    began = {side: {"total": total} for side, total in opening.items()}
    request = {"rules": {"options": options}, "sides": list(opening), "opening": began, "deals": deals}
    return score(GAMES[game], request)[1].outcome


def agreed(side: str, points: int) -> dict[str, Any]:
    return {**VOID, "adjustments": [{"side": side, "points": points, "reason": "agreed"}]}


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (20, Outcome(True, ("A",), "spades.target", {"limit": 500})),
        (-20, Outcome(True, ("B",), "spades.target", {"limit": 500})),
        (0, Outcome(False, (), "spades.tie", {"limit": 500})),
    ],
)
def test_outcome_of_a_tie_is_that_of_the_totals_after_what_was_agreed_in_a_void_deal(
    points: int, expected: Outcome
) -> None:
    deal = {"A": {"bid": 6, "tricks": 6}, "B": {"bid": 6, "tricks": 7}}
    deals = [deal, agreed("A", points) if points else VOID]
    assert told("spades", deals, {"A": 481, "B": 480}) == expected


@pytest.mark.parametrize(
    ("game", "opening", "options", "expected"),
    [
        ("spades", {"A": 500, "B": 500}, {}, Outcome(False, (), "spades.tie", {"limit": 500})),
        ("spades", {"A": 499, "B": 499}, {}, Outcome()),
        ("casino", {"A": 25, "B": 22}, {"ending": "claim", "target": 21},
         Outcome(False, (), "casino.claim", {"raised_to": 32, "target": 21})),
        ("casino", {"A": 5, "B": 5}, {}, Outcome()),
    ],
)  # fmt: skip
def test_totals_from_paper_are_told_how_they_go_on(
    game: str, opening: dict[str, int], options: dict[str, object], expected: Outcome
) -> None:
    assert told(game, [], opening, **options) == expected
    assert told(game, [VOID], opening, **options) == expected


def test_a_game_of_one_deal_is_not_over_by_points_given_before_that_deal() -> None:
    assert told("casino", [agreed("A", 3)], {"A": 5, "B": 5}) == Outcome()
