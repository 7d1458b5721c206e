"""What is made of the games of a group is made once, and anew as soon as its log or one of its sheets has changed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine.evenings import Statistics
from companion.sheets import groups as group_games
from companion.sheets.group_events import RenameMember
from companion.sheets.groups import GroupService
from tests.groups.evenings import play


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of games of each export that was made."""
    counts: list[int] = []
    make = group_games._group_json

    def counting(group: Any, games: Any) -> str:
        counts.append(len(games))
        return make(group, games)

    monkeypatch.setattr(group_games, "_group_json", counting)
    return counts


def test_an_export_is_made_once_until_something_changes(made: list[int]) -> None:
    groups, group = play(Random(5), 6)
    sheets = groups.sheets
    first = groups.export_json(groups.read(group))
    assert groups.export_json(groups.read(group)) == first
    assert len(made) == 1
    joined = list(groups.read(group).group.sheets.values())
    changes = (
        lambda: groups.do(group, RenameMember("m1", "Akiko")),
        lambda: sheets.do(joined[0].id, {"type": "rename_player", "seat": "A", "name": "Somebody"}),
        lambda: sheets.revoke_link(joined[1].id, joined[1].link),
        lambda: sheets.erase(joined[2].id),
    )
    for count, change in enumerate(changes, start=2):
        change()
        text = groups.export_json(groups.read(group))
        assert len(made) == count
        assert text == GroupService(sheets).export_json(groups.read(group))
        made.pop()
        assert groups.export_json(groups.read(group)) == text
        assert len(made) == count


def test_texts_have_a_bound_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_games, "CACHED_BYTES", 20_000)
    groups, group = play(Random(6), 3)
    view = groups.read(group)
    for number in range(50):
        groups.text(view, str(number), lambda games: "語" * 2_000)
        assert groups._texts.size <= 20_000
    assert groups._games.size <= 20_000
    assert groups.played(view) == list(Statistics(groups.played(view)).games)
