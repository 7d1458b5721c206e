"""Every phrase that a game's dialogues name by its key is there, in every language."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest

from companion import games
from companion.data import LANGUAGES
from companion.rulebook.words import words


def keys() -> Iterator[tuple[str, str]]:
    """Yield the game and the key of every `say("key")` and `Phrase("asks.key")` in its modules.

    Lessons have texts of their own.
    """
    for package in pkgutil.iter_modules(games.__path__, "companion.games."):
        game = package.name.rpartition(".")[2].replace("_", "-")
        for module in pkgutil.walk_packages(import_module(package.name).__path__, f"{package.name}."):
            if module.name.endswith(".teach"):
                continue
            for node in ast.walk(ast.parse(inspect.getsource(import_module(module.name)))):
                if isinstance(node, ast.Call) and node.args:
                    yield from ((game, prefix + key) for prefix in prefixes(node.func) for key in texts(node.args[0]))


def prefixes(called: ast.expr) -> tuple[str, ...]:
    if isinstance(called, ast.Attribute) and called.attr == "say":
        return ("asks.",)
    return ("",) if isinstance(called, ast.Name) and called.id == "Phrase" else ()


def texts(argument: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument can be, as far as the source says."""
    if isinstance(argument, ast.IfExp):
        yield from (*texts(argument.body), *texts(argument.orelse))
    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_phrases_of_dialogues_are_there(lang: str) -> None:
    named = set(keys())
    assert len(named) > 100
    assert [(game, key) for game, key in sorted(named) if not words(game, lang).has(key)] == []
