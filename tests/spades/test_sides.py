"""SPADES-001, 101: the sides of a score request, and every problem of those that do not fit the table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.ledger import Side
from companion.engine.problems import Node, Problem
from companion.games.spades import articles as a
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import read_sides

PAIRS = [{"id": "we", "players": ["a", "c"]}, {"id": "they", "players": ["b", "d"]}]
EXPECTED = {"partners4": 2, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


def read(mode: str, sides: list[Any]) -> tuple[tuple[Side, ...], list[Problem]]:
    node = Node(sides, ("sides",))
    return read_sides(node, OPTIONS.build(OPTIONS.default_preset, {"mode": mode}).options), node.problems


def test_two_pairs() -> None:
    assert read("partners4", PAIRS) == ((Side("we", ("a", "c")), Side("they", ("b", "d"))), [])
    assert read("partners4", ["we", "they"]) == ((Side("we"), Side("they")), [])


@pytest.mark.parametrize("mode", EXPECTED)
@pytest.mark.parametrize("count", range(1, 9))
def test_number_of_sides(mode: str, count: int) -> None:
    sides, problems = read(mode, [f"s{place}" for place in range(count)])
    assert len(sides) == count
    article = (a.PLAYERS if mode == "partners4" else a.SOLO4).id
    wrong = [Problem(("sides",), "sides-count", {"expected": EXPECTED[mode], "count": count}, article)]
    assert problems == (wrong if count != EXPECTED[mode] else [])


@pytest.mark.parametrize("mode", EXPECTED)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_number_of_players(mode: str, players: int) -> None:
    ids = [f"s{place}" for place in range(EXPECTED[mode])]
    _, problems = read(mode, [*ids[:-1], {"id": ids[-1], "players": list("wxyz"[:players])}])
    expected = 2 if mode == "partners4" else 1
    at = ("sides", len(ids) - 1, "players")
    article = (a.PLAYERS if mode == "partners4" else a.SOLO4).id
    wrong = [Problem(at, "players-count", {"expected": expected, "count": players}, article)]
    assert problems == (wrong if players != expected else [])


def test_side_is_not_called_like_the_tricks_of_the_dummy() -> None:
    _, problems = read("duo_dummy", ["dummy_tricks", "x"])
    assert problems == [Problem(("sides",), "side-id", {"value": "dummy_tricks"})]


@pytest.mark.parametrize(
    ("sides", "name"),
    [
        ([{"id": "NS", "players": ["N", "S"]}, {"id": "EW", "players": ["N", "W"]}], "N"),
        ([{"id": "NS", "players": ["E", "W"]}, {"id": "EW", "players": ["N", "N"]}], "N"),
        ([{"id": "N", "players": ["S", "E"]}, {"id": "E", "players": ["N2", "W"]}], "E"),
        (["S", {"id": "EW", "players": ["S", "W"]}], "S"),
    ],
)
def test_a_name_stands_for_one_side_or_one_player(sides: list[Any], name: str) -> None:
    """IRR-5: what somebody did is entered under a name, so that the name must say who."""
    _, problems = read("partners4", sides)
    assert problems == [Problem(("sides", 1), "side-id", {"value": name})]
