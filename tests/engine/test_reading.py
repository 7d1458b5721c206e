"""Reading JSON: every fault at once, each with its pointer; nothing is guessed or converted."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.game import read_side_list
from companion.engine.ledger import Side
from companion.engine.problems import Problem, Refused
from companion.engine.reading import ABSENT, MAX_TEXT, Node, read_whole


def faults(node: Node) -> list[tuple[str, str]]:
    return [(problem.path(), problem.code) for problem in node.problems]


@pytest.mark.parametrize("value", [True, False, 1.0, 1.5, "1", None, [], {}, float("nan")])
def test_only_whole_numbers_are_integers(value: Any) -> None:
    node = Node({"n": value})
    node["n"].integer(low=0, high=5)
    assert faults(node) == [("/n", "type")]


@pytest.mark.parametrize(("value", "found"), [(0, []), (5, []), (-1, ["range"]), (6, ["range"]), (10**400, ["range"])])
def test_range(value: int, found: list[str]) -> None:
    node = Node(value)
    node.integer(low=0, high=5)
    assert [problem.code for problem in node.problems] == found


def test_a_huge_number_is_not_repeated_in_the_facts() -> None:
    node = Node(10**5000)
    node.integer(low=0, high=5)
    assert node.problems[0].facts["value"] == "…"


@pytest.mark.parametrize("value", [0, 1, "true", None, ABSENT])
def test_only_true_and_false_are_flags(value: Any) -> None:
    node = Node(value)
    assert node.flag() is False
    assert [problem.code for problem in node.problems] == ["required" if value is ABSENT else "type"]
    assert Node(ABSENT).flag(default=True) is True


def test_keys() -> None:
    node = Node({"a": 1, "z": 2})
    assert node.object(required=("a", "b"), optional=("c",))
    assert faults(node) == [("/b", "required"), ("/z", "unknown-key")]
    assert node.names() == ["a", "z"]
    assert not Node([]).object()
    assert Node({"anything": 1}).object(others=True)


def test_items() -> None:
    node = Node({"list": [1, "x"], "word": "ab"})
    assert [item.pointer for item in node["list"].items()] == [("list", 0), ("list", 1)]
    assert list(node["absent"].items()) == []
    assert list(node["word"].items()) == []
    assert list(node["list"].items(least=3)) == []
    assert faults(node) == [("/word", "type"), ("/list", "length")]


def test_text() -> None:
    node = Node({"long": "x" * (MAX_TEXT + 1), "torn": "\ud800", "number": 5, "word": "no"})
    assert [node[key].text() for key in ("long", "torn", "number")] == ["", "", ""]
    assert node["absent"].text(default="so") == "so"
    assert node["word"].one_of(("yes", "maybe")) == "yes"
    assert faults(node) == [("/long", "length"), ("/torn", "length"), ("/number", "type"), ("/word", "choice")]


def test_cards() -> None:
    node = Node(["10h", "17Z", 5])
    assert node.cards() == (Card("10", "H"), Card("A", "S"), Card("A", "S"))
    assert faults(node) == [("/1", "card"), ("/2", "type")]


def test_optional() -> None:
    assert Node(ABSENT).optional(lambda node: node.integer()) is None
    assert Node(None).optional(lambda node: node.integer()) is None
    assert Node(3).optional(lambda node: node.integer()) == 3


def test_pointer_is_escaped() -> None:
    assert Problem(("a/b", "c~d", 0), "code").path() == "/a~1b/c~0d/0"
    assert Problem((), "code").path() == ""


def test_whole_or_refused() -> None:
    assert read_whole(5, lambda node: node.integer()) == 5
    with pytest.raises(Refused) as caught:
        read_whole({"x": 1}, lambda node: node.object(required=("y", "z")))
    assert [problem.path() for problem in caught.value.problems] == ["/y", "/z", "/x"]
    assert str(caught.value) == "/y: required; /z: required; /x: unknown-key"


def test_sides_that_were_read_before_have_their_problems_at_their_own_place() -> None:
    for pointer in (("sides",), ("game", "sides")):
        node = Node(["NS", "NS"], pointer)
        assert read_side_list(node) == ()
        assert [problem.pointer for problem in node.problems] == [(*pointer, 1)]
    assert read_side_list(Node(["NS", "EW"])) == (Side("NS"), Side("EW"))
    for strange in ("NS", [], [1, 2], [True, "1"], [["NS"], "EW"], {"NS": 1}, None, list("ABCDEFGHI")):
        node = Node(strange)
        assert read_side_list(node) == ()
        assert node.problems, strange
