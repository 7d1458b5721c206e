"""Duplicate keys in the text of a JSON object, which readers would drop without a word."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.problems import Problem
from companion.library import duplicate_keys


def found(text: str) -> list[Problem]:
    return duplicate_keys(text.encode())


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ('{"a": 1, "a": 2}', [("a",)]),
        ('{"a": 1, "a": 1, "b": 1, "a": 3}', [("a",)]),
        ('{"a": 1, "b": 1, "b": 2, "a": 3}', [("a",), ("b",)]),
        ('[0, {"a": {"b": 1, "b"\n:2}}, {"c":1,"c":2}]', [(2, "c"), (1, "a", "b")]),
        ('{"a": {"b": 1, "b": 2}, "a": {"b": 1}}', [("a",)]),
        ('{"a": 0, "a": {"b": 1, "b": 2}}', [("a",), ("a", "b")]),
    ],
)
def test_every_duplicate_is_found_where_it_is(text: str, pointers: list[tuple[str | int, ...]]) -> None:
    assert found(text) == [Problem(at, "duplicate-key", {"key": at[-1]}) for at in pointers]


@pytest.mark.parametrize("text", ['{"a": {"a": [{"a": 1}, {"a": 1}]}}', '{"a": "\\"a\\": 1"}', "[]", '"a"', "1"])
def test_equal_keys_of_different_objects_are_no_duplicates(text: str) -> None:
    assert found(text) == []


def test_nesting_without_end_is_a_problem_of_its_own() -> None:
    text = b'{"a":1,"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert duplicate_keys(text) == [Problem((), "depth", {"most": 100})]


@pytest.mark.slow
@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_was_written_from_a_value_has_none(value: Any) -> None:
    assert found(json.dumps(value)) == []
    assert found(json.dumps(value, indent=2, ensure_ascii=False)) == []
