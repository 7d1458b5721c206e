"""What the command line keeps of the texts between starts: as long as neither they nor the program change."""

from __future__ import annotations

import os
import sys
from array import array
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.rulebook import keeping as module
from companion.rulebook.keeping import keeping, kept_between_starts
from companion.rulebook.search_index import Document

Made = tuple["array[float]", Document]
MADE: list[str] = []


@kept_between_starts
def page(name: str) -> Made:
    """Return something that is made of a text."""
    MADE.append(name)
    return array("f", [0.5]), Document("article", "", name, "title", "text", "/", (("words", 1.0),))


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only file of the texts; nothing is made of it yet."""
    monkeypatch.setattr(module, "data_folder", lambda name: tmp_path)
    monkeypatch.setattr(module, "_HERE", tmp_path.parent / f"{tmp_path.name}-code")
    monkeypatch.setattr(module, "_CODE", ())
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path.parent / f"{tmp_path.name}-code").mkdir()
    MADE.clear()
    (tmp_path / "book.md").write_text("# Rules", "utf-8")
    return tmp_path / "book.md"


def ask(name: str = "spades") -> Made:
    """Ask for a page as a new start does."""
    with keeping():
        return page(name)


def test_what_was_made_is_kept_until_a_text_changes(text: Path) -> None:
    assert ask() == ask() == page("spades")
    assert MADE == ["spades", "spades"], "the last one was made where nobody asked to keep it"
    os.utime(text, ns=(0, 0))
    assert ask() == ask()
    assert MADE == ["spades"] * 3
    ask("casino")
    assert MADE[3:] == ["casino"]


def test_nothing_is_kept_beside_other_games(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES), "are_built_in", lambda games: False)
    assert ask() == ask()
    assert MADE == ["spades", "spades"]


def test_further_games_are_seen_before_they_are_loaded_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = type(GAMES)()
    assert registry.are_built_in()
    monkeypatch.setenv("COMPANION_GAMES", "tests.fixtures.hearts:HEARTS")
    assert not registry.are_built_in()
    assert len(registry) == 4
    assert not registry.are_built_in()
