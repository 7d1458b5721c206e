"""Keeps the score, judges the moves and is the rulebook for card games played with real cards.

`companion.score`, `companion.check` and the other functions are those of `companion.library`; they are loaded
when the first one is used, so that this import costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.library import GAMES as GAMES
    from companion.library import LANGUAGES as LANGUAGES
    from companion.library import Card as Card
    from companion.library import Game as Game
    from companion.library import HouseRules as HouseRules
    from companion.library import InvalidInput as InvalidInput
    from companion.library import Ledger as Ledger
    from companion.library import NotFound as NotFound
    from companion.library import Problem as Problem
    from companion.library import Verdict as Verdict
    from companion.library import article as article
    from companion.library import ask as ask
    from companion.library import book as book
    from companion.library import check as check
    from companion.library import demand as demand
    from companion.library import diff as diff
    from companion.library import glossary as glossary
    from companion.library import judge as judge
    from companion.library import ledger as ledger
    from companion.library import moves as moves
    from companion.library import replay as replay
    from companion.library import rules as rules
    from companion.library import score as score
    from companion.library import search as search

__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Return a function or type of the facade."""
    if not name.startswith("_"):
        facade = import_module("companion.library")
        if name in facade.__all__:
            value: object = getattr(facade, name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
