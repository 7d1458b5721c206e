"""Shapes: every problem at once with its pointer; the compiled reader agrees with marshmallow on any body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import MOST_COUNTED, Problem, Refused
from companion.engine.shapes import in_order


@dataclass(frozen=True)
class Table:
    seats: tuple[str, ...] = ("A", "B")
    sides: tuple[str, ...] = ("NS", "EW")
    most: int = 13


TABLE = Table()
WIDE = {f"k{place}": place for place in range(501)}


@dataclass(frozen=True)
class Part:
    count: int
    word: str = "usual"
    card: Card | None = None


@dataclass(frozen=True)
class Whole:
    part: Part
    parts: tuple[Part, ...] = ()
    hands: Mapping[str, tuple[Card, ...]] | None = None
    seat: str | None = None
    flag: bool = False
    value: int | None = None
    by_side: Mapping[str, int] = field(default_factory=dict)


class PartShape(s.Shape[Part]):
    """A part."""

    builds = Part
    count = s.Count("How many.", high=lambda table: table.most, unit="tricks", article="spades.bid")
    word = s.Word(("usual", "rare"), default="usual")
    card = s.CardField(optional=True)

    def check(self, data: Mapping[str, Any], context: Any) -> Iterable[Problem]:
        if data["word"] == "rare" and data["count"] == 0:
            yield Problem(("count",), "rare-nothing")


class WholeShape(s.OpenShape[Whole]):
    """A whole."""

    builds = Whole
    others = s.Others(s.Keyed(s.Integer(), keys=lambda table: table.sides), into="by_side")
    part = s.Object(PartShape)
    parts = s.ListOf(s.Object(PartShape), most=3, default=())
    hands = s.Keyed(s.ListOf(s.CardField()), keys=lambda table: table.seats, code="unknown-seat", optional=True)
    seat = s.Seat(optional=True)
    flag = s.Flag(default=False)
    value = s.Integer(key="as", low=1, high=9, optional=True)

    def check(self, data: Mapping[str, Any], context: Any) -> Iterable[Problem]:
        if data["value"] is not None and data["by_side"].get("NS") == data["value"]:
            yield Problem(("NS",), "same-value")


class OneShape(s.Shape[dict[str, Any]]):
    type = s.Word(("one",))
    name = s.Name()


class OtherShape(s.Shape[dict[str, Any]]):
    type = s.Word(("other",))
    items = s.ListOf(s.Either(s.Integer(low=0), s.Name(), s.Object(PartShape), s.Flag()))
    raw = s.Anything(absent=True)


class MixedShape(s.Shape[dict[str, Any]]):
    move = s.Variants("type", {"one": OneShape, "other": OtherShape}, absent=True)
    text = s.Text(most=5, default="")
    sides = s.Keyed(s.Integer(nullable=True), keys=lambda table: table.sides, all_keys=True, absent=True)
    points = s.Points(absent=True)
    turned = s.Keyed(
        s.Integer(), keys=lambda table: table.sides, code="unknown-side", rename=lambda key, table: key.upper(),
        absent=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Move:
    """A move."""

    count: Annotated[int, s.Count("How many.", high=lambda table: table.most)]
    word: Annotated[str, s.Word(("usual", "rare"))] = "usual"
    seat: Annotated[str | None, s.Seat] = None
    hands: Annotated[Mapping[str, int], s.Keyed(s.Integer())] = field(default_factory=dict)
    left: Annotated[int, s.Integer(absent=True)] = 7
    by_side: Annotated[Mapping[str, int], s.Others(s.Keyed(s.Integer(), keys=lambda table: table.sides))] = field(
        default_factory=dict
    )
    own: int = 5

    read_keys: ClassVar = {"note": s.Text(absent=True)}

    @staticmethod
    def check_read(data: Mapping[str, Any], table: Table) -> Iterable[Problem]:
        if data["count"] == 13 and "note" not in data:
            yield Problem(("count",), "noted")


class Pair(NamedTuple):
    """A named tuple is read like a dataclass."""

    one: Annotated[Move, s.object_of(Move)]
    two: Annotated[int | None, s.Integer(low=0)] = None


SHAPES = (PartShape, WholeShape, OneShape, OtherShape, MixedShape, s.shape_of(Move), s.shape_of(Pair))


def codes(shape: Any, value: Any) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as caught:
        s.read(shape, value, context=TABLE)
    return [(problem.path(), problem.code) for problem in caught.value.problems]


def test_builds_the_dataclass() -> None:
    value = {"part": {"count": 3, "card": "th"}, "NS": 4, "seat": None, "hands": {"A": ["2S"]}, "as": 9}
    assert s.read(WholeShape, value, context=TABLE) == Whole(
        Part(3, card=Card("10", "H")), hands={"A": (Card("2", "S"),)}, value=9, by_side={"NS": 4}
    )


def test_every_problem_at_once_in_the_order_of_the_input() -> None:
    value = {
        "zz": 1,
        "part": {"extra": 1, "word": "odd", "card": 5},
        "parts": [{"count": 14}, 7, {"count": 0, "word": "rare"}],
        "hands": {"A": ["17Z", None], "C": []},
        "as": 10,
        "flag": 0,
        "EW": "x",
    }
    assert codes(WholeShape, value) == [
        ("/zz", "unknown-key"),
        ("/part/count", "required"),
        ("/part/extra", "unknown-key"),
        ("/part/word", "choice"),
        ("/part/card", "type"),
        ("/parts/0/count", "range"),
        ("/parts/1", "type"),
        ("/parts/2/count", "rare-nothing"),
        ("/hands/A/0", "card"),
        ("/hands/A/1", "type"),
        ("/hands/C", "unknown-seat"),
        ("/as", "range"),
        ("/flag", "type"),
        ("/EW", "type"),
    ]


def test_check_sees_further_keys_and_runs_beside_an_unknown_one() -> None:
    assert codes(WholeShape, {"part": {"count": 1}, "NS": 3, "as": 3, "zz": 1}) == [("/zz", "unknown-key")]
    assert codes(WholeShape, {"part": {"count": 1}, "NS": 3, "as": 3}) == [("/NS", "same-value")]
    rare = {"count": 0, "word": "rare", "x": 1}
    assert codes(PartShape, rare) == [("/count", "rare-nothing"), ("/x", "unknown-key")]


@pytest.mark.parametrize("value", [None, 5, "x", [], True])
def test_what_is_no_object(value: Any) -> None:
    assert codes(WholeShape, value) == [("", "type")]


def test_pointer_of_the_whole_input_and_facts() -> None:
    with pytest.raises(Refused) as caught:
        s.read(PartShape, {"count": 10**30, "_schema": 1}, ("deals", 0), context=TABLE)
    large, unknown = caught.value.problems
    assert (large.pointer, large.facts) == (("deals", 0, "count"), {"value": "…", "low": 0, "high": 13})
    assert large.article == "spades.bid"
    assert unknown.pointer == ("deals", 0, "_schema")
    assert unknown.facts == {"key": "_schema", "choices": ["count", "word", "card"]}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({}, [("/type", "required")]),
        ({"type": 3}, [("/type", "type")]),
        ({"type": "third"}, [("/type", "choice")]),
        ({"type": "one"}, [("/name", "required")]),
        ({"type": "one", "name": "a\u202eb"}, [("/name", "hidden-signs")]),
        ({"type": "one", "name": "x" * 61}, [("/name", "length")]),
        ({"type": "one", "name": "\ud800"}, [("/name", "length")]),
        ({"type": "other", "items": [-1, None, {}, 1.5]},
         [("/items/0", "range"), ("/items/1", "type"), ("/items/2/count", "required"), ("/items/3", "type")]),
    ],
)  # fmt: skip
def test_variants(value: Any, found: Any) -> None:
    assert codes(MixedShape, {"move": value}) == [(f"/move{path}", code) for path, code in found]


def test_keyed_by_the_table() -> None:
    assert codes(MixedShape, {"sides": {"NS": 1, "XX": 2}}) == [("/sides/EW", "required"), ("/sides/XX", "unknown-key")]
    assert codes(MixedShape, {"turned": {"ns": 1, "xx": 2}}) == [("/turned/xx", "unknown-side")]
    assert s.read(MixedShape, {"turned": {"ns": 1}}, context=TABLE) == {"turned": {"NS": 1}, "text": ""}


def test_single_field() -> None:
    names = s.ListOf(s.Name(), least=1, most=2)
    assert s.read(names, ["A", "B"]) == ("A", "B")
    for wrong, found in (([], "length"), (["A"] * 3, "length"), ({}, "type")):
        assert codes(names, wrong) == [("", found)]


@pytest.mark.parametrize(
    ("shape", "value", "facts"),
    [
        (s.Text(most=5), "longer", {"least": 0, "most": 5, "count": 6, "unit": "characters"}),
        (s.Name(), "x" * 61, {"least": 0, "most": 60, "count": 61, "unit": "characters"}),
        (s.ListOf(s.Integer(), least=1, most=2), [1, 2, 3], {"least": 1, "most": 2, "count": 3}),
        (s.ListOf(s.Integer(), least=lambda table: len(table.seats), most=lambda table: table.most), [1],
         {"least": 2, "most": 13, "count": 1}),
    ],
)  # fmt: skip
def test_wrong_length_says_how_long_it_may_be(shape: Any, value: Any, facts: Mapping[str, int]) -> None:
    with pytest.raises(Refused) as caught:
        s.read(shape, value, context=TABLE)
    assert [(problem.code, problem.facts) for problem in caught.value.problems] == [("length", facts)]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        (WIDE, ("deals", 0)),
        ({"part": WIDE}, ("deals", 0, "part")),
        ({"parts": [{"count": 1}, WIDE]}, ("deals", 0, "parts", 1)),
        ({"parts": [[{"a": 1}, [WIDE]]]}, ("deals", 0, "parts", 0, 1, 0)),
    ],
    ids=["whole", "in-object", "in-list", "in-lists"],
)
def test_an_object_of_too_many_keys_is_named_wherever_it_is(value: Any, pointer: tuple[str | int, ...]) -> None:
    with pytest.raises(Refused) as caught:
        s.read(WholeShape, value, ("deals", 0), context=TABLE)
    facts = {"least": 0, "most": 500, "count": 501}
    assert [(p.pointer, p.code, p.facts) for p in caught.value.problems] == [(pointer, "length", facts)]


def test_as_many_keys_as_any_input_needs_are_read_one_by_one() -> None:
    found = codes(WholeShape, dict(list(WIDE.items())[1:]))
    assert ("", "length") not in found
    assert len(found) == MOST_COUNTED


def test_list_whose_size_depends_on_the_table_is_read() -> None:
    shape = s.ListOf(s.Integer(), least=lambda table: len(table.seats), most=lambda table: table.most)
    assert s.compiled(shape)([3, 4], TABLE) == (3, 4)
    with pytest.raises(s.NOT_PLAIN):
        s.compiled(shape)([3], TABLE)


def test_problems_are_in_the_order_of_the_input_also_where_something_is_missing() -> None:
    value = {"list": [0, {"b": 1, "a": 2}], "text": "x"}
    places = [
        ("text", 0),
        ("list", 7, "key"),
        ("list", 1, "a"),
        ("list", 1, "b"),
        ("none",),
        ("list", "b"),
        ("list", 1, "c"),
    ]
    found = in_order([Problem(place, "type") for place in places], value, ("at",))
    assert [problem.pointer[1:] for problem in found] == [
        ("none",), ("list", "b"), ("list", 1, "c"), ("list", 1, "b"), ("list", 1, "a"), ("list", 7, "key"), ("text", 0),
    ]  # fmt: skip


def test_writes_what_it_read() -> None:
    value = {"part": {"count": 3, "word": "usual", "card": "10H"}, "parts": [], "hands": {"A": ["2S"]}, "seat": "B"}
    whole = s.read(WholeShape, value | {"EW": 4}, context=TABLE)
    assert s.write(WholeShape, whole) == value | {"flag": False, "as": None, "EW": 4}


class SaidShape(s.OpenShape[dict[str, Any]]):
    """A part, in the words of somebody."""

    text = s.Text(get=lambda part, say: say(part.count))
    card = s.Text(absent=True, get=lambda part, say: part.card)
    rare = s.Flag(absent=True, nullable=True, get=lambda part, say: part.word == "rare" or s.LEFT_OUT)
    word = s.Text(absent=True)


def test_writes_what_a_field_gets_from_the_value_and_the_context() -> None:
    assert s.write(SaidShape, Part(3), lambda count: f"{count} tricks") == {"text": "3 tricks", "word": "usual"}
    assert s.write(SaidShape, Part(0, "rare"), str) == {"text": "0", "rare": True, "word": "rare"}


def test_describes_itself() -> None:
    schema = s.shape_schema(WholeShape, lambda shape: {"$ref": f"#/{shape.__name__}"})
    assert schema["required"] == ["part"]
    assert schema["additionalProperties"] == {"type": "integer"}
    assert schema["properties"]["as"] == {"type": ["integer", "null"], "minimum": 1, "maximum": 9}
    assert schema["properties"]["part"] == {"$ref": "#/PartShape"}
    part = s.shape_schema(PartShape, lambda shape: {})
    assert part["properties"]["count"] == {
        "type": "integer", "minimum": 0, "maximum": 2**64 - 1, "description": "How many.", "x-unit": "tricks",
        "x-article": "spades.bid",
    }  # fmt: skip
    assert part["properties"]["word"] == {"type": "string", "enum": ["usual", "rare"], "x-default": "usual"}
    assert part["additionalProperties"] is False
    mixed = s.shape_schema(MixedShape, lambda shape: {"$ref": f"#/{shape.__name__}"})
    assert mixed["properties"]["move"]["discriminator"]["mapping"] == {"one": "#/OneShape", "other": "#/OtherShape"}


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 15), st.just(10**30), st.floats(allow_nan=False), st.text(max_size=3),
    st.sampled_from(["A", "B", "NS", "EW", "2S", "10H", "one", "other", "usual", "rare", "\ud800", "N\u202eS"]),
)  # fmt: skip
KEYS = st.sampled_from(
    ["part", "parts", "count", "word", "card", "hands", "seat", "flag", "as", "value", "by_side", "NS", "EW", "A", "B",
     "type", "name", "items", "raw", "move", "text", "sides", "turned", "ns", "points", "others", "_schema", "x"]
)  # fmt: skip
RUBBISH = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def _near(*required: tuple[str, Any], **optional: Any) -> Any:
    """Objects with the right keys and mostly the right values."""
    return st.fixed_dictionaries(
        dict(required), optional={key.rstrip("_"): value for key, value in optional.items()} | {"x": LEAVES}
    ) | st.fixed_dictionaries(dict(required), optional={key.rstrip("_"): value for key, value in optional.items()})


CARD = st.sampled_from(["2S", "th", "♥10", "17Z"]) | LEAVES
PART = _near(("count", st.integers(0, 13) | LEAVES), word=st.sampled_from(["usual", "rare", "odd"]), card=CARD)
SEATS = st.sampled_from(["A", "B", "C"])
WHOLE = _near(
    ("part", PART), parts=st.lists(PART, max_size=4), hands=st.dictionaries(SEATS, st.lists(CARD, max_size=2)),
    seat=SEATS | LEAVES, flag=st.booleans() | LEAVES, as_=st.integers(1, 9) | LEAVES, NS=st.integers() | LEAVES,
)  # fmt: skip
MOVE = _near(("type", st.just("one")), name=st.text(max_size=4)) | _near(
    ("type", st.just("other")), items=st.lists(LEAVES | PART, max_size=3), raw=RUBBISH
)
SIDES = st.sampled_from(["NS", "EW", "ns", "ew"])
MIXED = _near(
    move=MOVE, text=st.text(max_size=6) | LEAVES, sides=st.dictionaries(SIDES, LEAVES, max_size=3),
    turned=st.dictionaries(SIDES, st.integers() | LEAVES, max_size=3), points=st.integers() | LEAVES,
)  # fmt: skip


def typed(value: Any) -> Any:
    """A value in which true is not 1, whatever the order of keys."""
    if isinstance(value, dict):
        return {key: typed(each) for key, each in value.items()}
    return [typed(each) for each in value] if isinstance(value, list | tuple) else repr(value)


def outcome(read: Any, shape: Any, value: Any) -> Any:
    try:
        found = read(shape, value, context=TABLE)
        return "read", typed(found if isinstance(found, dict) else vars(found))
    except Refused as refused:
        return "refused", refused.problems


@given(st.sampled_from(SHAPES), st.one_of(RUBBISH, PART, WHOLE, MOVE, MIXED))
def test_compiled_reader_never_accepts_what_marshmallow_would_not_return(shape: Any, value: Any) -> None:
    assert outcome(s.read, shape, value) == outcome(s.load, shape, value)


@given(WHOLE)
def test_compiled_reader_accepts_whatever_marshmallow_accepts(value: Any) -> None:
    try:
        expected = s.load(WholeShape, value, context=TABLE)
    except Refused:
        return
    assert s.schema(WholeShape).reader()(value, TABLE) == expected


def test_annotations_are_the_shape() -> None:
    shape = s.shape_of(Move)
    assert shape is s.shape_of(Move)
    value = {"count": 13, "hands": None, "NS": 3, "note": "x"}
    assert s.read(shape, value, context=TABLE) == s.load(shape, value, context=TABLE) == Move(13, by_side={"NS": 3})
    assert s.read(s.shape_of(Pair), {"one": {"count": 1, "left": 2}}, context=TABLE) == Pair(Move(1, left=2))
    wrong = {"count": 13, "word": None, "seat": "Z", "hands": 1, "own": 3, "WE": 1}
    assert codes(shape, wrong) == [
        ("/word", "type"), ("/seat", "unknown-seat"), ("/hands", "type"), ("/own", "unknown-key"),
        ("/WE", "unknown-key"),
    ]  # fmt: skip
    assert codes(shape, {"count": 13}) == [("/count", "noted")]
    described = s.shape_schema(shape, lambda shape: {})
    assert described["required"] == ["count"]
    assert described["properties"]["word"]["x-default"] == "usual"
    assert described["properties"]["seat"]["type"] == ["string", "null"]


def test_one_of_several_dataclasses_by_a_word() -> None:
    either = s.one_of({"one_move": Move, "two": Move}, suffix="Made")
    assert s.read(either, {"type": "two", "count": 1}, context=TABLE) == Move(1)
    assert [shape.__name__ for shape in either.shapes.values()] == ["OneMoveMade", "TwoMade"]
