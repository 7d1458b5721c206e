"""The state of a question as the text of an address: read with care, written in one way."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.cards import Card, pack
from companion.engine.dialogue import LONGEST_VALUE, MAX_CARDS, State, join_cards, read_cards, small_number


def test_a_query_without_what_is_no_state() -> None:
    state = State.of({"h": "7H", "do": "tap:7H", "lang": "ja", "e": "", "t": "x" * 9_999})
    assert state.values == {"h": "7H", "t": "x" * LONGEST_VALUE}
    assert state.get("h") == "7H"
    assert state.get("other") == ""


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("99", 99), ("100", None), ("-1", None), ("007", 7), ("", None), ("x", None), ("1.5", None),
        ("٣", None), ("²", None), ("--1", None), ("-", None), ("+5", None), (" 5", None), ("0000005", 5),
        ("00000005", None),
    ],
)  # fmt: skip
def test_number_of_the_usual_range(text: str, number: int | None) -> None:
    assert State.of({"n": text}).number("n") == number


@pytest.mark.parametrize(("number", "kept"), [(-501, False), (-500, True), (0, True), (500, True), (501, False)])
def test_number_of_a_range(number: int, kept: bool) -> None:
    assert State.of({"n": str(number)}).number("n", low=-500, high=500) == (number if kept else None)


def test_number_of_seven_digits() -> None:
    assert State.of({"n": "9999999"}).number("n", high=10**9) == 9_999_999
    assert State.of({"n": "-9999999"}).number("n", low=-(10**9)) == -9_999_999
    assert State.of({"n": "10000000"}).number("n", high=10**9) is None


def test_words_and_cards() -> None:
    state = State.of({"c": "7H..2S.7H.zz.X", "w": ".a.b."})
    assert state.words("w") == ("a", "b")
    assert state.words("none") == ()
    assert state.cards("c") == (Card("7", "H"), Card("2", "S"))
    assert State.of({"c": "7.7.7H"}).cards("c", bare=True) == (Card("7"), Card("7"), Card("7", "H"))
    assert State.of({"c": "X.X"}).cards("c", jokers=("X",)) == (Card("X"),)


def test_put_replaces_and_removes() -> None:
    state = State({"a": "1", "b": "2"})
    assert state.put(a=0, b=None, c="x", d="", e=None).values == {"a": "0", "c": "x"}
    assert state.put(b="").values == {"a": "1"}
    assert list(state.put(a=5).values) == ["b", "a"]
    assert state.values == {"a": "1", "b": "2"}


def test_cards_put_toggled_and_taken_back() -> None:
    seven, two = Card("7", "H"), Card("2", "S")
    state = State({}).put_cards("h", [seven]).toggle_card("h", two)
    assert state.values == {"h": "7H.2S"}
    assert state.toggle_card("h", seven).values == {"h": "2S"}
    assert state.toggle_card("h", seven).toggle_card("h", two).values == {}
    assert state.without_last("h").values == {"h": "7H"}
    assert state.without_last("h").without_last("h").values == {}
    assert state.without_last("h").without_last("h").without_last("h").values == {}


def test_query_and_reduction_follow_the_names() -> None:
    state = State({"b": "x y&=ä", "a": "7H.2S!*,:~", "c": ""})
    assert state.query(("a", "b", "c", "d")) == "a=7H.2S!*,:~&b=x%20y%26%3D%C3%A4"
    assert state.query(("b",)) == "b=x%20y%26%3D%C3%A4"
    assert state.query(()) == ""
    assert state.only(("b", "c", "d")) == State({"b": "x y&=ä"})


@given(st.dictionaries(st.sampled_from("abcde"), st.text(min_size=1, max_size=20)))
def test_query_is_read_back(values: dict[str, str]) -> None:
    values = {name: text for name, text in values.items() if text.isprintable()}
    read = {name: texts[0] for name, texts in parse_qs(State(values).query("abcde"), keep_blank_values=True).items()}
    assert read == values


def test_cards_are_read_up_to_a_limit_and_without_what_is_none() -> None:
    every = [str(card) for card in pack()]
    assert read_cards(["", "zz", *every, "7H"]) == tuple(pack())
    assert len(read_cards(["7"] * 200, bare=True)) == MAX_CARDS
    assert read_cards(["7"]) == ()
    assert join_cards(pack()) == ".".join(every)
    assert join_cards([]) == ""


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("999", 999), ("1000", None), ("", None), (None, None), ("-1", None), ("x", None), ("٣", None)],
)
def test_small_number(text: str | None, number: int | None) -> None:
    assert small_number(text) == number
