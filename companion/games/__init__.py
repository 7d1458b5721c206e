"""The games this program knows: those built in, installed packages, and those that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Final

from companion.engine.game import Game

GROUP: Final = "companion.games"
"""The entry-point group under which an installed package offers a game."""
_VARIABLE: Final = "COMPANION_GAMES"
"""The environment variable with further games, `module:ATTRIBUTE` each, separated by spaces or commas."""
BUILT_IN: Final = (
    "companion.games.spades:SPADES",
    "companion.games.casino:CASINO",
    "companion.games.spite_and_malice:SPITE_AND_MALICE",
    "companion.games.pad:PAD",
)


class Registry(MutableMapping[str, Game]):
    """Games by id, in the order of the front page. A built-in one is imported when it is asked for, all by a list."""

    def __init__(self) -> None:
        self._games: dict[str, Game] | None = None
        self._alone: dict[str, Game] = {}

    def __getitem__(self, game: str) -> Game:
        if self._games is not None:
            return self._games[game]
        if game not in self._alone:
            reference = next((each for each in BUILT_IN if _folder(each) == game.replace("-", "_")), "")
            if not reference:
                return self._loaded()[game]
            self._alone[game] = find_game(reference)
        return self._alone[game]

    def __setitem__(self, game: str, value: Game) -> None:
        self._loaded()[game] = value

    def __delitem__(self, game: str) -> None:
        del self._loaded()[game]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded())

    def __len__(self) -> int:
        return len(self._loaded())

    def are_built_in(self) -> bool:
        """Return whether there are no games but those that come with the program; none is loaded for the answer."""
        return len(_references() if self._games is None else self._games) == len(BUILT_IN)

    def _loaded(self) -> dict[str, Game]:
        if self._games is None:
            self._games = load_games()
        return self._games


def load_games() -> dict[str, Game]:
    """Return every game by id: built in first, then installed ones by name, then those of the environment.

    Raises ImportError or AttributeError for a game that cannot be found, TypeError for what is no game, and ValueError
    where two games have the same id.
    """
    games: dict[str, Game] = {}
    for reference in _references():
        game = find_game(reference)
        if game.id in games:
            raise ValueError(f"{reference} is a second game with the id {game.id!r}")
        games[game.id] = game
    return games


def _references() -> list[str]:
    """Return where each game is: built in, installed, named by the environment."""
    from importlib.metadata import entry_points  # not for who only scores: it takes a tenth of that

    installed = [entry.value for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)]
    configured = os.environ.get(_VARIABLE, "").replace(",", " ").split()
    return list(dict.fromkeys((*BUILT_IN, *installed, *configured)))


def _folder(reference: str) -> str:
    """Return the folder of a built-in game, which is called like the game."""
    return reference.partition(":")[0].rpartition(".")[2]


def find_game(reference: str) -> Game:
    """Return the game that `module:ATTRIBUTE` names. Raises ImportError, AttributeError or TypeError."""
    module, _, attribute = reference.partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, Game):
        raise TypeError(f"{reference} is a {type(found).__name__}, not a game")
    return found


GAMES: Final = Registry()


def default_game() -> Game:
    """Return the game that is meant where none is named: the first."""
    return next(iter(GAMES.values()))
