"""The key that signs the keeper's cookie: kept beside the database, whole, for its owner alone."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from companion.web.keeper.access import KEY_FILE, _kept_key


def test_twenty_that_begin_together_read_one_key(tmp_path: Path) -> None:
    place = str(tmp_path / "sheets.sqlite3")
    with ThreadPoolExecutor(20) as pool:
        keys = set(pool.map(_kept_key, [place] * 20))
    assert len(keys) == 1
    assert len(keys.pop()) >= 43
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


def test_without_a_place_every_process_has_its_own() -> None:
    assert _kept_key("memory:") != _kept_key("memory:")
