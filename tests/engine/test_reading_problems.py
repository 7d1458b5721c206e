"""What every field records where it reads a value at a place: the whole problem with its facts."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import ABSENT, Node, Problem

LONG = "x" * 100
CUT = "x" * 60 + "…"
FIELDS: dict[str, tuple[s.Field[Any], str]] = {
    "integer": (s.Integer(), "integer"),
    "bounded": (s.Integer(low=3, high=5), "integer"),
    "flag": (s.Flag(), "boolean"),
    "text": (s.Text(), "text"),
    "name": (s.Name(most=9), "text"),
    "word": (s.Word(("a", "b")), "text"),
    "card": (s.CardField(), "text"),
    "list": (s.ListOf(s.Flag()), "list"),
}


@pytest.mark.parametrize("value", [None, 1.5, ABSENT])
@pytest.mark.parametrize(("field", "expected"), FIELDS.values(), ids=FIELDS)
def test_absent_and_wrong_types(field: s.Field[Any], expected: str, value: Any) -> None:
    node = Node(value, ("at",))
    assert s.read_at(node, field) is None
    missing, wrong = Problem(("at",), "required"), Problem(("at",), "type", {"expected": expected})
    assert node.problems == [missing if value is ABSENT else wrong]


@pytest.mark.parametrize(
    ("value", "field", "code", "facts"),
    [
        (6, s.Integer(low=1, high=5), "range", {"value": 6, "low": 1, "high": 5}),
        (-1, s.Integer(low=0), "range", {"value": -1, "low": 0, "high": None}),
        (6, s.Integer(high=5), "range", {"value": 6, "low": None, "high": 5}),
        (6, s.Integer(high=5, code="bid"), "bid", {"value": 6, "low": None, "high": 5}),
        (10**99, s.Integer(high=5), "range", {"value": "…", "low": None, "high": 5}),
        ("abc", s.Text(most=2), "length", {"least": 0, "most": 2, "count": 3, "unit": "characters"}),
        ("a\ud800", s.Text(), "length", {"least": 0, "most": s.MAX_TEXT, "count": 2, "unit": "characters"}),
        ("a" * 401, s.Text(), "length", {"least": 0, "most": 400, "count": 401, "unit": "characters"}),
        ("a\u202e", s.Name(most=9), "hidden-signs", {}),
        ("c", s.Word(("a", "b")), "choice", {"value": "c", "choices": ["a", "b"]}),
        (LONG, s.Word(("a",), code="call"), "call", {"value": CUT, "choices": ["a"]}),
        ("c", s.Word(()), "choice", {"value": "c", "choices": []}),
        (LONG, s.CardField(), "card", {"value": CUT}),
        ("X", s.CardField(), "card", {"value": "X"}),
        ("7", s.CardField(), "card", {"value": "7"}),
        ([1], s.ListOf(s.Anything(), least=2), "length", {"least": 2, "most": s.MAX_ITEMS, "count": 1}),
        ([1, 2], s.ListOf(s.Anything(), most=1), "length", {"least": 0, "most": 1, "count": 2}),
        ({}, s.ListOf(s.Anything()), "type", {"expected": "list"}),
    ],
)
def test_value_that_cannot_be(value: Any, field: s.Field[Any], code: str, facts: dict[str, Any]) -> None:
    node = Node(value, ("at", 0))
    assert s.read_at(node, field) is None
    assert node.problems == [Problem(("at", 0), code, facts)]


@pytest.mark.parametrize(
    ("value", "field", "result"),
    [
        (1, s.Integer(low=1, high=5), 1),
        (5, s.Integer(low=1, high=5), 5),
        (-(10**30), s.Integer(), -(10**30)),
        (True, s.Flag(), True),
        ("", s.Text(), ""),
        ("ab", s.Text(most=2), "ab"),
        ("札" * 400, s.Text(), "札" * 400),
        ("👨\u200d👩", s.Name(most=9), "👨\u200d👩"),
        ("b", s.Word(("a", "b")), "b"),
        ("X", s.CardField(jokers=("X",)), Card("X")),
        ("7", s.CardField(bare_ranks=True), Card("7")),
        (["X", "7"], s.ListOf(s.CardField(jokers=("X",), bare_ranks=True)), (Card("X"), Card("7"))),
        ([1, 2], s.ListOf(s.Integer(), least=2, most=2), (1, 2)),
        (None, s.Integer(optional=True), None),
        (0, s.Integer(optional=True), 0),
    ],
)
def test_value_that_can_be(value: Any, field: s.Field[Any], result: Any) -> None:
    node = Node(value)
    assert s.read_at(node, field) == result
    assert node.problems == []


def test_integer_out_of_range_cites_its_article() -> None:
    node = Node(6)
    s.read_at(node, s.Integer(high=5, article="game.article"))
    assert node.problems == [Problem((), "range", {"value": 6, "low": None, "high": 5}, "game.article")]


def test_problems_inside_lists_and_objects_have_their_place() -> None:
    node = Node({"cards": ["7H", "zz", 3], "other": 1}, ("deal",))
    assert s.read_at(node["cards"], s.ListOf(s.CardField())) is None
    assert node.object(required=("bid",), optional=("cards",))
    node.fault("choice", at=("cards", 0), value="7H")
    assert node.problems == [
        Problem(("deal", "cards", 1), "card", {"value": "zz"}),
        Problem(("deal", "cards", 2), "type", {"expected": "text"}),
        Problem(("deal", "bid"), "required"),
        Problem(("deal", "other"), "unknown-key", {"key": "other", "choices": ["bid", "cards"]}),
        Problem(("deal", "cards", 0), "choice", {"value": "7H"}),
    ]
    assert "cards" in node
    assert "bid" not in node
    assert "cards" not in Node(["cards"])
    assert Node(["cards"]).names() == []
    assert not Node(["cards"])["cards"].present
    assert node["cards"].present
