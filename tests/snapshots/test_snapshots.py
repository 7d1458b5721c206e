"""Whole answers, pages and entries are what they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from companion.engine.game import Game
from companion.games import GAMES
from tests.snapshots import answers, declared, entries, lessons, pages, reached

PARTS: Final = {
    part.__name__.rpartition(".")[2]: part for part in (declared, answers, reached, pages, entries, lessons)
}


def file_of(game: str, part: str) -> Path:
    """Return the file of a game's snapshots."""
    return Path(__file__).parent / f"{game}.{part}.jsonl"


def parts_of(game: Game) -> list[str]:
    """Return the parts that a game has: one without a judge has no pages of questions, one without lessons none."""
    without = {"reached", "pages"} if game.judge is None else set()
    return [part for part in PARTS if part not in without | (set() if game.lessons else {"lessons"})]


def line_of(record: dict[str, Any]) -> str:
    """Return a record as a line of its file."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(("game", "part"), [(game, part) for game in GAMES for part in parts_of(GAMES[game])])
def test_nothing_has_changed_unmeant(game: str, part: str) -> None:
    lines = file_of(game, part).read_text("utf-8").splitlines()
    assert len(lines) > 2
    for line in lines:
        record = json.loads(line)
        assert json.loads(line_of(PARTS[part].repeated(GAMES[game], record))) == record
