"""What became of every numbered rule of the digests: `numbers/<game>.txt` has each with the articles that state it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES

NUMBERS = Path(__file__).parent / "numbers"


@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_stated_by_the_articles_that_the_table_names(game: str) -> None:
    table = [line.split() for line in (NUMBERS / f"{game}.txt").read_text("utf-8").splitlines()]
    stated: dict[str, list[str]] = {}
    for article in GAMES[game].articles:
        for number in article.numbers:
            stated.setdefault(number, []).append(article.anchor)
    assert {number: anchors for number, *anchors in table} == stated
    assert all(anchors for _, *anchors in table)


@pytest.mark.parametrize("game", GAMES)
def test_no_number_stands_twice_in_the_table(game: str) -> None:
    numbers = [line.split()[0] for line in (NUMBERS / f"{game}.txt").read_text("utf-8").splitlines()]
    assert sorted(numbers) == sorted(set(numbers))
