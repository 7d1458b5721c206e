"""The registry: games built in, installed, and named by the environment; what is wrong with one is said at once."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from companion import games
from companion.games import GAMES, Registry, default_game, find_game, load_games

HEARTS = "tests.fixtures.hearts:HEARTS"


def test_the_built_in_games_come_first_and_the_first_is_the_default() -> None:
    assert list(load_games()) == [find_game(reference).id for reference in games.BUILT_IN]
    assert default_game() is GAMES[next(iter(GAMES))]


@pytest.mark.parametrize("named", [HEARTS, f" {HEARTS}, ", f"{HEARTS} {HEARTS}"])
def test_the_environment_names_further_games(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("COMPANION_GAMES", named)
    loaded = Registry()
    assert list(loaded)[len(games.BUILT_IN) :] == ["hearts"]
    assert loaded["hearts"].lowest_wins(loaded["hearts"].options.preset().options)
    assert len(loaded) == len(games.BUILT_IN) + 1


def test_installed_packages_come_after_the_built_in_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint, EntryPoints

    def entry_points(*, group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("hearts", HEARTS, "companion.games")]).select(group=group)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    assert list(load_games())[-1] == "hearts"


@pytest.mark.parametrize(
    ("named", "error"),
    [
        ("no_such_module:GAME", ImportError),
        ("companion.games:NO_GAME", AttributeError),
        ("companion.games:GROUP", TypeError),
        ("tests.engine.test_registry:SECOND", ValueError),
    ],
)
def test_what_is_no_game_is_refused(monkeypatch: pytest.MonkeyPatch, named: str, error: type[Exception]) -> None:
    monkeypatch.setenv("COMPANION_GAMES", named)
    with pytest.raises(error):
        load_games()


def test_nothing_is_loaded_before_a_game_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Any] = []
    monkeypatch.setattr(importlib, "import_module", loaded.append)
    monkeypatch.setattr(games, "import_module", loaded.append)
    assert Registry() is not None
    assert loaded == []


SECOND = default_game()
