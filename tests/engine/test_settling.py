"""Conflicts between options are resolved in one pass, for every game and any set of explicit options."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.engine.game import Game
from companion.engine.options import Settling
from companion.engine.problems import Node, Refused
from companion.games import GAMES


def settling(game: Game, chance: random.Random) -> Settling:
    """A random preset with up to twenty explicit options."""
    options = game.options
    values: dict[str, Any] = {name: option.default for name, option in options.options.items()}
    values |= options.presets[chance.choice(list(options.presets))]
    names = chance.sample(list(options.options), min(chance.choice([1, 2, 3, 4, 6, 10, 20]), len(values)))
    values |= {name: chance.choice(list(options.options[name].possible(()))) for name in names}
    return Settling(options.options, options.excludes, options.needs, values, names)


def resolved(game: Game, one: Settling) -> bool:
    """Whether the conflicts can be resolved, and the game has nothing against the result."""
    try:
        one.settle()
    except Refused:
        return False
    return not list(game.options.conflicts(game.options.rules_type(**one.values)))


@pytest.mark.parametrize("game", GAMES)
def test_second_pass_changes_nothing(game: str) -> None:
    chance, refused, changed = random.Random(game), 0, 0
    for _ in range(1_500):
        first = settling(GAMES[game], chance)
        if not resolved(GAMES[game], first):
            refused += 1
            continue
        changed += bool(first.notices)
        second = Settling(first.options, first.excludes, first.needs, dict(first.values), first.firm)
        second.settle()
        assert (second.values, second.notices) == (first.values, [])
    if GAMES[game].options.excludes or GAMES[game].options.needs:
        assert refused > 20
        assert changed > 100


@pytest.mark.parametrize("game", GAMES)
def test_settled_rules_are_read_back_unchanged(game: str) -> None:
    chance, options = random.Random(game), GAMES[game].options
    for _ in range(300):
        one = settling(GAMES[game], chance)
        if not resolved(GAMES[game], one):
            continue
        plain = {name: options.options[name].plain(value) for name, value in one.values.items()}
        node = Node({"options": plain})
        assert options.plain(options.read(node).options) == plain
        assert node.problems == []
