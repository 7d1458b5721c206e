"""What is made of the texts is kept in the user's cache folder; where others may write, or nobody, it is made anew."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.data import cached_on_disk
from companion.games import BUILT_IN, Registry
from companion.rulebook import search

MADE: list[str] = []


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A text of which nothing is made yet, in a folder beside that of the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    MADE.clear()
    (tmp_path / "book.md").write_text("# Rules", "utf-8")
    return tmp_path / "book.md"


def ask(text: Path, name: str = "page") -> list[str]:
    """Ask for what is made of a text as a new start does."""

    def make() -> list[str]:
        MADE.append(name)
        return [text.read_text("utf-8")]

    return cached_on_disk(name, [text], make)


def kept(text: Path) -> Path:
    return text.parent / "cache" / "card-table-companion" / "page.pickle"


def test_what_was_made_is_kept_until_the_text_changes(text: Path) -> None:
    assert ask(text) == ask(text) == ["# Rules"]
    assert MADE == ["page"]
    os.utime(text, ns=(0, 0))
    assert ask(text) == ["# Rules"]
    assert MADE == ["page"]
    text.write_text("# Other", "utf-8")
    assert ask(text) == ask(text) == ["# Other"]
    assert MADE == ["page", "page"]
    ask(text, "other")
    assert MADE[2:] == ["other"]
    assert {path.name for path in kept(text).parent.iterdir()} == {"page.pickle", "other.pickle"}


@pytest.mark.parametrize("damage", [b"", b"\x00", b"no pickle at all" * 9, None])
def test_a_damaged_file_is_made_again(text: Path, damage: bytes | None) -> None:
    ask(text)
    kept(text).write_bytes(kept(text).read_bytes()[:-1] if damage is None else damage)
    assert ask(text) == ask(text) == ["# Rules"]
    assert MADE == ["page", "page"]


def test_the_folder_is_the_users_own(text: Path) -> None:
    ask(text)
    assert stat.S_IMODE(kept(text).parent.stat().st_mode) == 0o700


def test_nothing_is_read_from_a_folder_that_others_may_write(text: Path) -> None:
    ask(text)
    kept(text).parent.chmod(0o770)
    assert ask(text) == ["# Rules"]
    assert MADE == ["page", "page"]


def test_a_folder_that_cannot_be_made_only_costs_time(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(text / "file"))
    assert ask(text) == ask(text) == ["# Rules"]
    kept(text).mkdir(parents=True)  # a folder in the place of the file
    monkeypatch.setenv("XDG_CACHE_HOME", str(text.parent / "cache"))
    assert ask(text) == ["# Rules"]
    assert MADE == ["page"] * 3


def test_the_index_is_not_kept_beside_games_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "cached_on_disk", lambda *given: "kept")
    monkeypatch.setattr(search, "_make_index", lambda lang: "made")
    found: list[object] = [search.index.__wrapped__("en")]
    monkeypatch.setattr(Registry, "are_built_in", lambda games: False)
    assert [*found, search.index.__wrapped__("en")] == ["kept", "made"]


def test_further_games_are_seen_before_they_are_loaded_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    assert registry.are_built_in()
    monkeypatch.setenv("COMPANION_GAMES", "tests.fixtures.hearts:HEARTS")
    assert not registry.are_built_in()
    assert len(registry) == len(BUILT_IN) + 1
    assert not registry.are_built_in()
