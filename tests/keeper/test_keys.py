"""The buttons of a question: numbers in full rows and in their order, calls apart from them."""

from __future__ import annotations

import pytest

from companion.engine.dialogue import Choice
from companion.engine.entry import number_choices
from companion.web.keeper.access import key_groups, row_sizes


@pytest.mark.parametrize("count", range(5, 60))
def test_rows_are_full_and_differ_by_one_key_at_most(count: int) -> None:
    sizes = row_sizes(count)
    assert sum(sizes) == count
    assert max(sizes) <= 7
    assert len(sizes) <= max(3, -(-count // 7))
    assert max(sizes) - min(sizes) <= 1


def labels(low: int, high: int, *calls: str) -> list[list[tuple[str, int]]]:
    """Return labels with the keys of their row, group by group, for a row of numbers and some calls."""
    groups = key_groups((number_choices(low, high), tuple(Choice(call, call) for call in calls)))
    return [[(str(key.choice.label), key.row) for key in group.keys] for group in groups]


@pytest.mark.parametrize("low", [0, 1])
def test_a_keypad_has_its_numbers_in_order_and_one_to_five_in_the_first_row(low: int) -> None:
    """Readers looked for zero before one; the rows below are the same with and without it."""
    (keys,) = labels(low, 13)
    assert [label for label, _ in keys] == [*map(str, range(low, 14))]
    assert [row for _, row in keys] == [6 - low] * (6 - low) + [4] * 8


def test_calls_stand_together_below_the_numbers() -> None:
    """Three of three readers feared to tap nil for the number beside it."""
    keys, rest = labels(1, 13, "nil", "double nil")
    assert [row for _, row in keys] == [5] * 5 + [4] * 8
    assert rest == [("nil", 0), ("double nil", 0)]


def test_words_and_few_numbers_are_as_wide_as_they_are() -> None:
    assert labels(0, 2, "nobody") == [[("0", 0), ("1", 0), ("2", 0)], [("nobody", 0)]]
