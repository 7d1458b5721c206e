"""The tables on which everything else here is tried: how many there are, what they hold, that nothing gives way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.engine.problems import Refused, read_whole
from companion.library import GAMES
from tests.pairs.arrays import WORTH_TRYING, array, request, values_of

HELD = {"spades": (20_700, 6_000), "casino": (6_100, 9_000), "spite-and-malice": (4_100, 1_000), "pad": (10, 0)}
"""At least so many pairs, and triples of options that one article is about."""


@pytest.mark.parametrize("game", GAMES)
def test_few_tables_hold_every_pair(game: str, soak_round: int, thorough: bool, soaked: Any) -> None:
    found = array(game, soak_round, triples=thorough)
    soaked(tables=len(found.tables), pairs=found.pairs, triples=found.triples)
    pairs, triples = HELD[game]
    assert found.pairs >= pairs
    assert found.impossible < pairs / 19
    assert not thorough or found.triples >= triples
    assert len(found.tables) < (480 if thorough else 160)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_gives_way_to_an_option_of_a_table(game: str) -> None:
    options = GAMES[game].options
    for values in array(game, 0, triples=False).tables:
        house = read_whole(request(game, values), options.read)
        assert all(getattr(house.options, name) == value for name, value in values.items())
        assert "gave-way" not in {notice.code for notice in house.notices}


@pytest.mark.parametrize("game", GAMES)
def test_each_value_that_is_tried_has_an_effect_somewhere(game: str) -> None:
    options, idle = GAMES[game].options, set[str]()
    for name in options.options:
        assert game == "pad" or len({values[name] for values in array(game, 0, triples=False).tables}) > 1, name
        tables = [options.rules_type(**values) for values in array(game, 0, triples=False).tables]
        if not any(options.has_effect(name, rules) for rules in tables):
            idle.add(name)
    assert not idle


def test_only_the_pairs_that_are_listed_change_whether_a_table_can_be() -> None:
    """Each pair of values is tried alone: it is refused, or accepted, where its values alone would not be."""
    found = [line for game in WORTH_TRYING for line in _refused(game)]
    assert found == (Path(__file__).parent / "refused.txt").read_text("utf-8").splitlines()


def _refused(game: str) -> Iterator[str]:
    items, options = values_of(game), GAMES[game].options

    def refused(*some: tuple[str, Any]) -> bool:
        try:
            options.build(options.default_preset, dict(some))
        except Refused:
            return True
        return False

    alone = {item for item in items if refused(item)}
    for one, other in combinations(items, 2):
        if one[0] != other[0] and (is_refused := refused(one, other)) != (one in alone or other in alone):
            names = " ".join(f"{name}={options.options[name].encode(value)}" for name, value in (one, other))
            yield f"{game} {names} {'refused' if is_refused else 'possible'}"
