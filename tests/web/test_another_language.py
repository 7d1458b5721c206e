"""Another language, registered by configuration alone: every page in a fixture language with three plural forms."""

from __future__ import annotations

import json
import os
import shutil
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


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A translation that has begun: a few words of the pages, and one article of one game."""
    folder = write_polish(tmp_path_factory.mktemp("unfinished"))
    book = (folder / "spades" / "book.md").read_text("utf-8")
    begin = book.index("{#bags ")
    article = book[begin : book.index("{#", begin + 1)].replace("### ", "### PL ", 1)
    shared = (folder / "phrases" / "site.toml").read_text("utf-8")
    shutil.rmtree(folder)
    (folder / "spades").mkdir(parents=True)
    (folder / "phrases").mkdir()
    (folder / "spades" / "book.md").write_text(article, "utf-8")
    language = next(line for line in shared.splitlines() if line.startswith("language = "))
    (folder / "phrases" / "site.toml").write_text(
        f"[site]\n{language}\n\n[rules]\nuntranslated = 'Po angielsku.'\n", "utf-8"
    )
    return folder.parent


def test_what_is_not_translated_is_english_and_says_so(unfinished: Path) -> None:
    program = (
        "from companion.web import create_app\n"
        "client = create_app({'DATABASE': 'memory:', 'RATE_LIMIT': 'off'}).test_client()\n"
        "for path in ('/pl/', '/pl/rules/spades', '/pl/rules/casino', '/pl/help', '/pl/glossary', '/pl/learn',\n"
        "             '/pl/referee/spades', '/pl/rules?q=bags', '/pl/problems/tricks-total', '/api/docs?lang=pl'):\n"
        "    print(path, client.get(path, follow_redirects=True).status_code)\n"
        "page = client.get('/pl/rules/spades/classic').text\n"
        "print(page.count('Po angielsku.') > 20, 'PL ' in page, 'Polski' in client.get('/en/').text)\n"
        "article = client.get('/api/v1/articles/spades.bags?lang=pl').json\n"
        "print(article['title'].startswith('PL '), 'Po angielsku.' in article['text'])\n"
        "other = client.get('/api/v1/articles/spades.target?lang=pl').json\n"
        "print('Po angielsku.' in other['text'])\n"
    )
    done = run(unfinished, "-c", program)
    *pages, whole, translated, other = done.stdout.splitlines() or [done.stderr] * 3
    assert [page for page in pages if not page.endswith(" 200")] == [], done.stderr
    assert (whole, translated, other) == ("True True True", "True False", "True"), done.stderr


def test_a_command_lists_what_is_missing(unfinished: Path, polish: Path) -> None:
    done = run(unfinished, "-m", "companion", "untranslated", "pl")
    assert done.returncode == 1, done.stderr
    listed = done.stdout.splitlines()
    assert {"phrases/site.toml: rules.lead", "spades/book.md: target", "spades/phrases.toml: home.about"} <= set(listed)
    assert not {"phrases/site.toml: site.language", "spades/book.md: bags"} & set(listed)
    whole = run(polish, "-m", "companion", "untranslated", "pl")
    assert (whole.returncode, whole.stdout) == (0, ""), whole.stderr


def test_the_languages_kept_here_lack_nothing() -> None:
    for lang in ("ja", "en"):
        done = run(ROOT, "-m", "companion", "untranslated", lang)
        assert (done.returncode, done.stdout) == (0, ""), lang


def test_what_is_wrong_is_named_at_start_up(tmp_path: Path) -> None:
    """What is missing is not wrong: it falls back."""
    folder = write_polish(tmp_path)
    phrases = folder / "spades" / "phrases.toml"
    text = phrases.read_text("utf-8")
    phrases.write_text(text.replace("{{ taken }} taken: contract made", "contract made"), "utf-8")
    shared = folder / "phrases" / "site.toml"
    shared.write_text(shared.read_text("utf-8").replace("{{ number }}", "{number}", 1), "utf-8")
    done = run(tmp_path, "-c", "from companion.web import create_app; create_app({'DATABASE': 'memory:'})")
    assert done.returncode != 0
    for fault in (
        "pl, spades: lines.contract does not mention the same facts as in the source language",
        "has a brace outside {{ }} and {% %}",
    ):
        assert fault in done.stderr
