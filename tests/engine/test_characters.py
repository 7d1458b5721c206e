"""Characters of users' texts: which control others, which cannot be encoded, and how values are quoted."""

from __future__ import annotations

import pytest

from companion.engine.cards import is_control, is_encodable, quoted


@pytest.mark.parametrize("sign", ["\0", "\n", "\x7f", "\u2028", "\u2029", "\u202e", "\u200b", "\ufeff", "\U000e0001"])
def test_signs_that_control_others(sign: str) -> None:
    assert is_control(sign)


@pytest.mark.parametrize("sign", ["a", " ", "札", "♠", "\u200c", "\u200d", "\U000e0020", "\U000e0067", "\U000e007f"])
def test_signs_that_are_shown_and_parts_of_emoji(sign: str) -> None:
    assert not is_control(sign)


def test_tags_end_where_unicode_ends_them() -> None:
    assert is_control("\U000e0001")
    assert not is_control("\U000e0080")  # unassigned: neither a tag nor a control


def test_lone_surrogates_cannot_be_encoded() -> None:
    assert is_encodable("札 ♠ \U0001f0a1")
    assert not is_encodable("a\ud800")


@pytest.mark.parametrize("value", [None, True, False, 0, 2**64 - 1, -(2**64) + 1, 1.5, "", "a" * 60, ["a" * 99], {}])
def test_values_quoted_as_they_are(value: object) -> None:
    assert quoted(value) is value


def test_long_texts_are_cut_and_huge_numbers_left_out() -> None:
    assert quoted("a" * 61) == "a" * 60 + "…"
    assert quoted("ab" * 500) == "ab" * 30 + "…"
    assert quoted(2**64) == quoted(-(2**64)) == quoted(10**400) == "…"
