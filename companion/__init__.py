"""Keeps the score, judges the moves and is the rulebook for card games played with real cards.

`companion.score`, `companion.check` and the other functions are those of `companion.library.facade`; they are loaded
when the first one is used, so that this import costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.library.facade import GAMES as GAMES
    from companion.library.facade import LANGUAGES as LANGUAGES
    from companion.library.facade import Card as Card
    from companion.library.facade import Game as Game
    from companion.library.facade import HouseRules as HouseRules
    from companion.library.facade import InvalidInput as InvalidInput
    from companion.library.facade import Ledger as Ledger
    from companion.library.facade import NotFound as NotFound
    from companion.library.facade import Problem as Problem
    from companion.library.facade import Verdict as Verdict
    from companion.library.facade import article as article
    from companion.library.facade import ask as ask
    from companion.library.facade import book as book
    from companion.library.facade import check as check
    from companion.library.facade import demand as demand
    from companion.library.facade import diff as diff
    from companion.library.facade import glossary as glossary
    from companion.library.facade import judge as judge
    from companion.library.facade import ledger as ledger
    from companion.library.facade import moves as moves
    from companion.library.facade import replay as replay
    from companion.library.facade import rules as rules
    from companion.library.facade import score as score
    from companion.library.facade import search as search

__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Return a function or type of the facade."""
    if not name.startswith("_"):
        facade = import_module("companion.library.facade")
        if name in facade.__all__:
            value: object = getattr(facade, name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
