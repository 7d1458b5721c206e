"""The key that signs cookies and anchors: kept beside the database, whole, for its owner alone."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.sheets.sql import KEY_FILE, found_key, kept_key


def test_twenty_that_begin_together_read_one_key(tmp_path: Path) -> None:
    place = str(tmp_path / "sheets.sqlite3")
    with ThreadPoolExecutor(20) as pool:
        keys = set(pool.map(kept_key, [place] * 20))
    assert len(keys) == 1
    assert len(keys.pop()) >= 43
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


def test_without_a_place_every_process_has_its_own() -> None:
    assert kept_key("memory:") != kept_key("memory:")


def test_the_command_line_finds_the_key_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_SECRET_KEY", raising=False)
    place = f"sqlite:///{tmp_path}/sheets.sqlite3"
    assert found_key(place) == found_key("postgresql://127.0.0.1/companion") == ""
    assert kept_key(place) == found_key(place) != ""
    monkeypatch.setenv("COMPANION_SECRET_KEY", "set")
    assert found_key(place) == found_key("postgresql://127.0.0.1/companion") == "set"
