"""What games say about themselves: seatings that the games accept, fixes, the next dealer, who leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.engine.game import Game
from companion.engine.ledger import Fix, Fixes, Seating, Side, Standing, clockwise
from companion.engine.problems import Node, Problem
from companion.games import GAMES

PRESETS = [(game, preset) for game in GAMES for preset in GAMES[game].options.presets]
SEATS = ("A", "B", "C", "D", "E", "F")


def accepted(game: Game, rules: Any, sides: tuple[Side, ...]) -> bool:
    node = Node([{"id": side.id, "players": list(side.players)} for side in sides])
    game.read_sides(node, rules)
    return not node.problems


def every_seating() -> Iterator[Seating]:
    for players in range(1, len(SEATS) + 1):
        yield Seating(players)
        if players in (4, 6):
            yield Seating(players, 2)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_the_seatings_of_a_game_are_those_that_it_accepts(name: str, preset: str) -> None:
    game = GAMES[name]
    rules = game.options.preset(preset).options
    declared = tuple(game.seatings(rules))
    for way in every_seating():
        assert accepted(game, rules, way.sides(SEATS[: way.players])) == (way in declared), way


def test_partners_sit_opposite() -> None:
    assert Seating(4, 2).sides("ABCD") == (Side("A+C", ("A", "C")), Side("B+D", ("B", "D")))
    assert [side.id for side in Seating(6, 2).sides("ABCDEF")] == ["A+D", "B+E", "C+F"]
    assert [side.id for side in Seating(6, 3).sides("ABCDEF")] == ["A+C+E", "B+D+F"]
    assert Seating(2).sides("AB") == (Side("A", ("A",)), Side("B", ("B",)))


def test_the_next_dealer_sits_at_the_left_unless_the_game_says_otherwise() -> None:
    assert [clockwise({}, SEATS, seat) for seat in "AF"] == ["B", "A"]
    casino = GAMES["casino"].next_dealer
    assert [casino({"direction": "anticlockwise"}, SEATS, seat) for seat in "AF"] == ["F", "E"]
    assert [casino({"direction": "clockwise"}, SEATS, seat) for seat in "AF"] == ["B", "A"]


@pytest.mark.parametrize(("lowest", "leaders"), [(False, ("B", "C")), (True, ("A",))])
def test_leaders_have_the_best_total(lowest: bool, leaders: tuple[str, ...]) -> None:
    from dataclasses import replace

    game = replace(GAMES["spades"], lowest_wins=lambda rules: lowest)
    assert game.leaders(None, {"A": Standing(-5), "B": Standing(7), "C": Standing(7)}) == leaders


FIXES = Fixes(
    counts={"total": "t"}, holders={"holder": "h"}, suspects={"range": ("t", "n")}, other_suspects=("b",),
    shared=frozenset({"range"}), own={"nobody": lambda facts, sides: [Fix("x", str(facts["x"]), sides[0].id)]},
)  # fmt: skip
SIDES = (Side("A"), Side("B"))


def test_counts_are_fixed_on_one_side_at_a_time() -> None:
    problem = Problem((), "total", {"counts": {"A": 3, "B": 1}, "difference": -2})
    assert list(FIXES.answers(problem, {}, SIDES) or ()) == [Fix("t0", "1", "A")]


def test_a_card_is_given_to_the_other_sides() -> None:
    assert list(FIXES.answers(Problem((), "holder", {"side": "A"}), {}, SIDES) or ()) == [Fix("h", "1", "B")]


def test_a_game_may_have_fixes_of_its_own() -> None:
    assert list(FIXES.answers(Problem((), "any", {"side": "nobody"}), {"x": 4}, SIDES) or ()) == [Fix("x", "4", "A")]


def test_other_problems_name_the_answers_to_check() -> None:
    ranged, other = Problem((), "range", {"side": "A"}), Problem((), "other", {"side": "A"})
    assert FIXES.answers(ranged, {}, SIDES) is None
    assert [FIXES.suspect(ranged, *said) for said in (("t1", "B"), ("n", ""), ("b", ""))] == [True, True, False]
    assert [FIXES.suspect(other, *said) for said in (("b1", "B"), ("b0", "A"), ("b", ""), ("t0", "A"))] == [
        False, True, True, False,
    ]  # fmt: skip


def test_the_phrases_that_a_game_needs_follow_from_its_record() -> None:
    spades = set(GAMES["spades"].phrase_keys())
    assert {"home.about", "print.bid", "ledger.bags", "tallies.bags-of", "tallies.bags-left", "games.attempts"} < spades
    assert {f"asks.{name}.{part}" for name in GAMES["spades"].questions for part in ("title", "short", "help")} < spades
    assert "games.attempts" not in set(GAMES["casino"].phrase_keys())
