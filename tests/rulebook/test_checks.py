"""A text that is missing is reported when the application starts, together with all others, never as a broken page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from companion.rulebook.lessons import find_faults
from companion.rulebook.words import load_book

ROOT = Path(__file__).parents[2]
HEARTS = ROOT / "tests/fixtures/hearts"


def start(folder: Path) -> subprocess.CompletedProcess[str]:
    """Start the application with the game `hearts` from a folder."""
    program = "from companion.web import create_app; create_app({'DATABASE': 'memory:'}); print('started')"
    settings = {"COMPANION_GAMES": "hearts:HEARTS", "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
    return subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **settings}, capture_output=True, text=True
    )


def without(path: Path, *keys: str) -> None:
    """Take phrases out of a file, by the beginning of their lines."""
    text = path.read_text("utf-8")
    for key in keys:
        text, count = re.subn(rf"^{re.escape(key)} = .*\n", "", text, count=1, flags=re.MULTILINE)
        assert count == 1, key
    path.write_text(text, "utf-8")


def test_no_text_is_missing() -> None:
    assert list(find_faults(load_book())) == []


def test_every_missing_text_is_named_at_the_start(tmp_path: Path) -> None:
    shutil.copytree(HEARTS, tmp_path / "hearts")
    assert start(tmp_path).stdout.strip() == "started"
    for lang in ("ja", "en"):
        without(tmp_path / f"hearts/rules_{lang}/phrases.toml", "about", "short")
    without(tmp_path / "hearts/rules_en/phrases.toml", "not-following")
    book = tmp_path / "hearts/rules_en/book.md"
    book.write_text(book.read_text("utf-8").partition("{#target")[0], "utf-8")
    failed = start(tmp_path)
    assert failed.returncode != 0
    assert failed.stdout == ""
    for fault in (
        "ja, hearts: home.about is missing",
        "en, hearts: home.about is missing",
        "ja, hearts: asks.card.short is missing",
        "en, hearts: breaches.not-following is missing",
        "en, hearts: article hearts.target is missing",
    ):
        assert fault in failed.stderr
