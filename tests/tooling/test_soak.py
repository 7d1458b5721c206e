"""What a short run leaves to a long one: of cases that take turns some, and never all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import of_another_turn


class Item:
    """As much of a test's item as is asked."""

    def __init__(self, *args: int) -> None:
        self.marker = SimpleNamespace(args=args)

    def get_closest_marker(self, name: str) -> Any:
        return self.marker


@pytest.mark.parametrize("test", ["a", "tests/some.py::test_it", "札"])
@pytest.mark.parametrize(
    ("count", "args", "taken"), [(1, (), 1), (6, (), 1), (1, (3,), 1), (2, (3,), 1), (12, (3,), 4)]
)
def test_of_cases_that_take_turns_some_are_taken(test: str, count: int, args: tuple[int, ...], taken: int) -> None:
    items: list[Any] = [Item(*args) for _ in range(count)]
    assert len(set(items) - of_another_turn(test, items)) == taken
