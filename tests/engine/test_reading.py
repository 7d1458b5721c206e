"""Reading at a place in JSON: every fault at once, each with its pointer; nothing is guessed or converted."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.game import read_side_list
from companion.engine.ledger import Side
from companion.engine.problems import ABSENT, Node, Problem, Refused, read_whole
from companion.engine.shapes import Flag, Integer, read_at


def faults(node: Node) -> list[tuple[str, str]]:
    return [(problem.path(), problem.code) for problem in node.problems]


@pytest.mark.parametrize("value", [True, False, 1.0, 1.5, "1", None, [], {}, float("nan")])
def test_only_whole_numbers_are_integers(value: Any) -> None:
    node = Node({"n": value})
    assert read_at(node["n"], Integer(low=0, high=5)) is None
    assert faults(node) == [("/n", "type")]


def test_a_huge_number_is_not_repeated_in_the_facts() -> None:
    node = Node(10**5000)
    assert read_at(node, Integer(low=0, high=5)) is None
    assert node.problems[0].facts["value"] == "…"


@pytest.mark.parametrize("value", [0, 1, "true", None, ABSENT])
def test_only_true_and_false_are_flags(value: Any) -> None:
    node = Node(value)
    assert read_at(node, Flag()) is None
    assert [problem.code for problem in node.problems] == ["required" if value is ABSENT else "type"]


def test_keys() -> None:
    node = Node({"a": 1, "z": 2})
    assert node.object(required=("a", "b"), optional=("c",))
    assert faults(node) == [("/b", "required"), ("/z", "unknown-key")]
    assert node.names() == ["a", "z"]
    assert not Node([]).object()
    assert Node({"anything": 1}).object(others=True)


def test_pointer_is_escaped() -> None:
    assert Problem(("a/b", "c~d", 0), "code").path() == "/a~1b/c~0d/0"
    assert Problem((), "code").path() == ""


def test_whole_or_refused() -> None:
    assert read_whole(5, lambda node: read_at(node, Integer())) == 5
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
    for strange in ("NS", [], [1, 2], [True, "1"], [["NS"], "EW"], {"NS": 1}, None, list("ABCDEFGHIJKLM")):
        node = Node(strange)
        assert read_side_list(node) == ()
        assert node.problems, strange
