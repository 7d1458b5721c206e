"""Keeps the score, judges the moves and is the rulebook for card games played with real cards.

`companion.score`, `companion.check` and the other functions are those of `companion.library`; they are loaded
when the first one is used, so that this import costs nothing. Their types, by game, are in `__init__.pyi`.
"""

from importlib import import_module

__version__ = "0.3.0"


def __getattr__(name: str) -> object:
    """Return a function or type of the facade, or the list of them. Raises AttributeError."""
    if name == "__all__" or not name.startswith("_"):
        facade = import_module("companion.library")
        if name == "__all__" or name in facade.__all__:
            value: object = getattr(facade, name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the module and of the facade."""
    return sorted({*globals(), *import_module("companion.library").__all__})
