"""What every accessor records and returns: the whole problem with its facts, and the placeholder that follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.problems import Problem
from companion.engine.reading import ABSENT, MAX_ITEMS, MAX_TEXT, Node

LONG = "x" * 100
CUT = "x" * 60 + "…"
Accessor = Callable[[Node], Any]
ACCESSORS: dict[str, tuple[Accessor, str, Any]] = {
    "object": (lambda node: node.object(), "object", False),
    "integer": (lambda node: node.integer(), "integer", 0),
    "bounded": (lambda node: node.integer(low=3, high=5), "integer", 3),
    "flag": (lambda node: node.flag(), "boolean", False),
    "text": (lambda node: node.text(), "text", ""),
    "name": (lambda node: node.name(most=9), "text", ""),
    "word": (lambda node: node.one_of(("a", "b")), "text", "a"),
    "card": (lambda node: node.card(), "text", Card("A", "S")),
}


@pytest.mark.parametrize("value", [ABSENT, None, 1.5])
@pytest.mark.parametrize(("read", "expected", "placeholder"), ACCESSORS.values(), ids=ACCESSORS)
def test_absent_and_wrong_types(read: Accessor, expected: str, placeholder: Any, value: Any) -> None:
    node = Node(value, ("at",))
    assert read(node) == placeholder
    code = "required" if value is ABSENT else "type"
    assert node.problems == [Problem(("at",), code, {"expected": expected})]


@pytest.mark.parametrize(
    ("value", "read", "result", "code", "facts"),
    [
        (6, lambda n: n.integer(low=1, high=5), 1, "range", {"value": 6, "low": 1, "high": 5}),
        (-1, lambda n: n.integer(low=0), 0, "range", {"value": -1, "low": 0, "high": None}),
        (6, lambda n: n.integer(high=5), 0, "range", {"value": 6, "low": None, "high": 5}),
        (6, lambda n: n.integer(high=5, code="bid"), 0, "bid", {"value": 6, "low": None, "high": 5}),
        (10**99, lambda n: n.integer(high=5), 0, "range", {"value": "…", "low": None, "high": 5}),
        ("abc", lambda n: n.text(most=2), "", "length", {"least": 0, "most": 2, "count": 3}),
        ("a\ud800", lambda n: n.text(), "", "length", {"least": 0, "most": MAX_TEXT, "count": 2}),
        ("a" * 401, lambda n: n.text(), "", "length", {"least": 0, "most": 400, "count": 401}),
        ("a\u202e", lambda n: n.name(most=9), "", "hidden-signs", {}),
        ("c", lambda n: n.one_of(("a", "b")), "a", "choice", {"value": "c", "choices": ["a", "b"]}),
        (LONG, lambda n: n.one_of(("a",), code="call"), "a", "call", {"value": CUT, "choices": ["a"]}),
        ("c", lambda n: n.one_of(()), "", "choice", {"value": "c", "choices": []}),
        (LONG, lambda n: n.card(), Card("A", "S"), "card", {"value": CUT}),
        ("X", lambda n: n.card(), Card("A", "S"), "card", {"value": "X"}),
        ("7", lambda n: n.card(), Card("A", "S"), "card", {"value": "7"}),
        ([1], lambda n: list(n.items(least=2)), [], "length", {"least": 2, "most": MAX_ITEMS, "count": 1}),
        ([1, 2], lambda n: list(n.items(most=1)), [], "length", {"least": 0, "most": 1, "count": 2}),
        ({}, lambda n: list(n.items()), [], "type", {"expected": "list"}),
    ],
)
def test_value_that_cannot_be(value: Any, read: Accessor, result: Any, code: str, facts: dict[str, Any]) -> None:
    node = Node(value, ("at", 0))
    assert read(node) == result
    assert node.problems == [Problem(("at", 0), code, facts)]


@pytest.mark.parametrize(
    ("value", "read", "result"),
    [
        (1, lambda n: n.integer(low=1, high=5), 1),
        (5, lambda n: n.integer(low=1, high=5), 5),
        (-(10**30), lambda n: n.integer(), -(10**30)),
        (ABSENT, lambda n: n.flag(default=False), False),
        (True, lambda n: n.flag(default=False), True),
        (ABSENT, lambda n: n.text(default="d"), "d"),
        ("", lambda n: n.text(default="d"), ""),
        ("ab", lambda n: n.text(most=2), "ab"),
        ("札" * 400, lambda n: n.text(), "札" * 400),
        ("👨\u200d👩", lambda n: n.name(most=9), "👨\u200d👩"),
        (ABSENT, lambda n: n.one_of(("a",), default="z"), "z"),
        ("b", lambda n: n.one_of(("a", "b"), default="z"), "b"),
        ("X", lambda n: n.card(jokers=("X",)), Card("X")),
        ("7", lambda n: n.card(bare_ranks=True), Card("7")),
        (["X", "7"], lambda n: n.cards(jokers=("X",), bare_ranks=True), (Card("X"), Card("7"))),
        ([1, 2], lambda n: [item.value for item in n.items(least=2, most=2)], [1, 2]),
        (ABSENT, lambda n: list(n.items(least=2)), []),
        (ABSENT, lambda n: n.optional(Node.integer), None),
        (None, lambda n: n.optional(Node.integer), None),
        (0, lambda n: n.optional(Node.integer), 0),
    ],
)
def test_value_that_can_be(value: Any, read: Accessor, result: Any) -> None:
    node = Node(value)
    assert read(node) == result
    assert node.problems == []


def test_integer_out_of_range_cites_its_article() -> None:
    node = Node(6)
    node.integer(high=5, article="game.article")
    assert node.problems == [Problem((), "range", {"value": 6, "low": None, "high": 5}, "game.article")]


def test_problems_inside_lists_and_objects_have_their_place() -> None:
    node = Node({"cards": ["7H", "zz", 3], "other": 1}, ("deal",))
    assert node["cards"].cards() == (Card("7", "H"), Card("A", "S"), Card("A", "S"))
    assert node.object(required=("bid",), optional=("cards",))
    assert node.problems == [
        Problem(("deal", "cards", 1), "card", {"value": "zz"}),
        Problem(("deal", "cards", 2), "type", {"expected": "text"}),
        Problem(("deal", "bid"), "required"),
        Problem(("deal", "other"), "unknown-key", {"key": "other"}),
    ]
    assert "cards" in node
    assert "bid" not in node
    assert "cards" not in Node(["cards"])
    assert Node(["cards"]).names() == []
    assert not Node(["cards"])["cards"].present
    assert node["cards"].present
