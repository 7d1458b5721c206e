"""Another language, registered by configuration alone: every page in a fixture language with three plural forms."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.polish import write_polish

ROOT = Path(__file__).parents[2]


def run(texts: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COMPANION_TEXTS": str(texts), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment, cwd=ROOT)


@pytest.fixture(scope="module")
def polish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `rules_pl` is in."""
    return write_polish(tmp_path_factory.mktemp("texts")).parent


@pytest.fixture(scope="module")
def site(polish: Path) -> dict[str, Any]:
    """What every page of the site in Polish answered."""
    done = run(polish, "-m", "tests.fixtures.every_page", "pl")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_page_is_there(site: dict[str, Any]) -> None:
    assert {path: status for path, (status, _) in site["pages"].items() if status not in (200, 302, 303)} == {
        "/pl/nowhere": 404
    }
    assert len(site["pages"]) > 200
    assert site["unseen"] == []


def test_pages_say_their_language_and_lead_to_both_others(site: dict[str, Any]) -> None:
    _, home = site["pages"]["/pl/"]
    assert '<html lang="pl">' in home
    assert '<a class="language" href="/ja/" hreflang="ja" lang="ja">日本語</a>' in home
    assert '<a class="language" href="/en/" hreflang="en" lang="en">English</a>' in home
    assert '<link rel="alternate" hreflang="pl" href="http://localhost/pl/">' in home
    assert "Polski" not in home
    _, nowhere = site["pages"]["/pl/nowhere"]
    assert '<a href="/ja/nowhere" hreflang="ja" lang="ja">日本語</a>' in nowhere


def test_counted_things_have_three_forms(polish: Path) -> None:
    program = (
        "from companion.rulebook.words import say, words\n"
        "tricks = words('spades', 'pl').tables['units']['tricks']\n"
        "print(*(tricks({'value': n}) for n in (1, 2, 5, 12, 22)), sep='; ')\n"
        "print(*(say('pl', 'rules.articles', count=n) for n in (1, 3, 25)), sep='; ')\n"
    )
    assert run(polish, "-c", program).stdout.splitlines() == [
        "1 lewa; 2 lewy; 5 lew; 12 lew; 22 lewy",
        "1 artykuł; 3 artykuły; 25 artykułów",
    ]


def test_what_is_missing_is_named_at_start_up(tmp_path: Path) -> None:
    folder = write_polish(tmp_path)
    phrases = folder / "spades" / "phrases.toml"
    lines = phrases.read_text("utf-8").splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith(("about = ", "must-follow = "))]
    phrases.write_text("".join(lines).replace("{{ taken }} taken: contract made", "contract made"), "utf-8")
    shared = folder / "phrases" / "site.toml"
    shared.write_text(shared.read_text("utf-8").replace("{{ number }}", "{number}", 1), "utf-8")
    book = folder / "casino" / "book.md"
    text = book.read_text("utf-8")
    begin = text.index("{#trail ")
    book.write_text(text[:begin] + text[text.index("{#", begin + 1) :], "utf-8")
    done = run(tmp_path, "-c", "from companion.web import create_app; create_app({'DATABASE': 'memory:'})")
    assert done.returncode != 0
    for fault in (
        "pl, spades: home.about is missing",
        "pl, spades: breaches.must-follow is missing",
        "pl, spades: lines.contract does not mention the same facts as in the source language",
        "pl, casino: article casino.trail is missing",
        "has a brace outside {{ }} and {% %}",
    ):
        assert fault in done.stderr
