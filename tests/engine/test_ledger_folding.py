"""What a game is told before it scores a deal, and what remains when rules change in mid-game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from companion.engine.ledger import (
    Accepted,
    Adjustment,
    Before,
    Deal,
    DealScore,
    Line,
    Outcome,
    Side,
    SideScore,
    Standing,
    Warned,
    keep_ledger,
)
from companion.engine.problems import Problem, Refused

SIDES = (Side("A"), Side("B"))
ZERO = {"bags": 0, "deals": 0}


class Recorder:
    """A game in which each fact is points; it keeps whatever it is asked."""

    game = "recorder"

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        self.checked: list[tuple[Any, Before]] = []
        self.scored: list[tuple[Any, Before]] = []
        self.ended: list[tuple[Any, Any, int]] = []

    def check(self, rules: Any, sides: Sequence[Side], facts: Any, before: Before) -> tuple[Problem, ...]:
        assert sides == SIDES
        self.checked.append((rules, before))
        return self.problems

    def score(self, rules: Any, sides: Sequence[Side], facts: int, before: Before) -> Mapping[str, SideScore]:
        assert sides == SIDES
        self.scored.append((rules, before))
        return {
            side: SideScore((Line("recorder.fact", facts),), Standing(stood.total + facts, stood.tallies))
            for side, stood in before.standing.items()
        }

    def outcome(self, rules: Any, facts: Any, standing: Mapping[str, Standing], before: Before) -> Outcome:
        self.ended.append((rules, {side: stood.total for side, stood in standing.items()}, before.scored))
        return Outcome()


def both(total: int, tallies: Mapping[str, int]) -> dict[str, Standing]:
    return {side.id: Standing(total, tallies) for side in SIDES}


def test_each_deal_is_scored_against_what_came_before() -> None:
    game = Recorder()
    deals = [Deal(5), Deal(None), Deal(7)]
    ledger = keep_ledger(game, "rules", SIDES, deals, tallies=("bags", "deals"))
    befores = [("rules", Before(both(0, ZERO), 0, False)), ("rules", Before(both(5, ZERO), 1, False))]
    assert game.checked == game.scored == befores
    assert game.ended == [("rules", {"A": 5, "B": 5}, 0), ("rules", {"A": 12, "B": 12}, 1)]
    assert ledger.deals[1] == DealScore({side.id: SideScore((), Standing(5, ZERO)) for side in SIDES}, (), "void")
    assert [deal.void for deal in deals] == [False, True, False]


def test_opening_is_said_to_be_carried_over() -> None:
    game = Recorder()
    keep_ledger(game, None, SIDES, [Deal(1)], opening={"B": Standing(40, {"bags": 3})}, tallies=("bags",))
    ((_, before),) = game.scored
    assert before == Before({"A": Standing(0, {"bags": 0}), "B": Standing(40, {"bags": 3})}, 0, True)


@pytest.mark.parametrize("opening", [None, {}])
def test_without_an_opening_nothing_is_carried_over(opening: Mapping[str, Standing] | None) -> None:
    game = Recorder()
    keep_ledger(game, None, SIDES, [Deal(1)], opening=opening)
    assert game.scored[0][1] == Before(both(0, {}), 0, False)


def test_tallies_survive_a_change_of_rules_by_name() -> None:
    game = Recorder()
    opening = {side.id: Standing(10, {"bags": 3, "deals": 2}) for side in SIDES}
    changes = {1: ("new", ("bags", "sweeps")), 3: ("newest", ("deals",))}
    deals = [Deal(1), Deal(1), Deal(1), Deal(1)]
    ledger = keep_ledger(
        game, "old", SIDES, deals, opening=opening, tallies=("bags", "deals"), changes=changes, after_end="mark"
    )
    assert [(rules, before.standing["A"]) for rules, before in game.scored] == [
        ("old", Standing(10, {"bags": 3, "deals": 2})),
        ("new", Standing(11, {"bags": 3, "sweeps": 0})),
        ("new", Standing(12, {"bags": 3, "sweeps": 0})),
        ("newest", Standing(13, {"deals": 0})),
    ]
    assert ledger.standing["B"] == Standing(14, {"deals": 0})


def test_adjustments_keep_the_tallies_and_give_their_reason() -> None:
    deal = Deal(5, (Adjustment("A", -15, "late"),))
    ledger = keep_ledger(Recorder(), None, SIDES, [deal], opening={"A": Standing(0, {"bags": 4})})
    assert ledger.deals[0].sides["A"] == SideScore(
        (Line("recorder.fact", 5), Line("recorder.adjustment", -15, {"reason": "late"})), Standing(-10, {"bags": 4})
    )
    assert ledger.deals[0].sides["B"].standing.total == 5


def test_all_that_is_accepted_or_a_hint_is_kept_in_order() -> None:
    hint, odd = Problem(("A",), "hint", warning=True), Problem(("B", "bid"), "odd", acceptable=True)
    deal = Deal(1, accepted=(Accepted("hint", "yes"), Accepted("odd", "agreed")))
    ledger = keep_ledger(Recorder(hint, odd), None, SIDES, [Deal(None), deal])
    assert ledger.deals[1].warnings == (
        Warned(Problem(("deals", 1, "A"), "hint", warning=True)),
        Warned(Problem(("deals", 1, "B", "bid"), "odd", acceptable=True), "agreed"),
    )


def test_one_problem_that_is_not_accepted_refuses_with_it_alone() -> None:
    odd, impossible = Problem((), "odd", acceptable=True), Problem((), "impossible")
    accepted = (Accepted("odd", "agreed"), Accepted("impossible", "please"))
    with pytest.raises(Refused) as caught:
        keep_ledger(Recorder(odd, impossible), None, SIDES, [Deal(1, accepted=accepted)])
    assert caught.value.problems == (Problem(("deals", 0), "impossible"),)


class Ended(Recorder):
    """The same, but over after the first deal."""

    def outcome(self, rules: Any, facts: Any, standing: Mapping[str, Standing], before: Before) -> Outcome:
        return Outcome(True, ("A", "B"), "recorder.end")


def test_deal_after_the_end_names_the_winners_unless_it_is_marked() -> None:
    with pytest.raises(Refused) as caught:
        keep_ledger(Ended(), None, SIDES, [Deal(1), Deal(None)])
    assert caught.value.problems == (Problem(("deals", 1), "game-over", {"winners": ["A", "B"]}, "recorder.end"),)
    marked = keep_ledger(Ended(), None, SIDES, [Deal(1), Deal(2)], after_end="mark").deals[1]
    assert marked == DealScore({side.id: SideScore((), Standing(1, {})) for side in SIDES}, (), "after-end")
