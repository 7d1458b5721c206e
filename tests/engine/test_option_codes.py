"""How a single option is written in a short code, over every option of every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.engine.options import Option
from companion.games import GAMES

OPTIONS = [option for game in GAMES.values() for option in game.options.options.values()]


def by_kind(kind: str) -> Iterator[Option]:
    return (option for option in OPTIONS if option.kind == kind)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: f"{option.key}-{option.name}")
def test_every_possible_value_is_read_back(option: Option) -> None:
    for value in (*option.possible(), option.default):
        assert option.decode(option.encode(value)) == option.plain(value), value


def test_flags_are_digits_and_none_is_an_x() -> None:
    for option in by_kind("flag"):
        assert (option.encode(True), option.encode(False)) == ("1", "0")
        assert (option.decode("1"), option.decode("0")) == (True, False)
    nullable = [option for option in OPTIONS if option.nullable]
    assert nullable
    assert {option.encode(None) for option in nullable} == {"x"}
    assert {option.decode("x") for option in nullable} == {None}


@pytest.mark.parametrize("text", ["", "2", "true", "01", "x"])
def test_what_is_no_flag_is_left_to_be_refused(text: str) -> None:
    assert {option.decode(text) for option in by_kind("flag")} == {text}


@pytest.mark.parametrize("text", ["", "-", "--1", "1-", "1.5", "٣", "²", "1" * 10, "-" + "1" * 10, "one"])
def test_what_is_no_number_is_left_to_be_refused(text: str) -> None:
    assert {option.decode(text) for option in by_kind("number")} == {text}


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("-5", -5), ("007", 7), ("9" * 9, 999_999_999)])
def test_numbers_are_read_without_regard_to_their_range(text: str, number: int) -> None:
    assert {option.decode(text) for option in by_kind("number")} == {number}


def test_lists_are_joined_by_dots() -> None:
    for option in [*by_kind("cards"), *by_kind("words")]:
        assert option.decode("a.b") == ["a", "b"]
        assert option.decode(".a..") == ["a"]
        assert option.decode("") == []
    for option in by_kind("choice"):
        assert option.decode("a.b") == "a.b"
