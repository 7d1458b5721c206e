"""The reference made from the docstrings, and the pages about the library that the site serves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import library as facade
from companion.web.api import document

ROOT = Path(__file__).resolve().parents[2]


def test_the_reference_has_every_public_name_and_is_served(
    shared_client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    options = ["--docformat", "markdown", "--no-search"]
    assert f"pdoc {' '.join(options)} --output-directory {document.REFERENCE} " in makefile
    command = [sys.executable, "-m", "pdoc", *options, "--output-directory", str(tmp_path), "companion.library"]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setattr(document, "data_folder", lambda name: tmp_path)
    page = shared_client.get("/api/docs/reference/companion/library.html", buffered=True)
    assert page.status_code == 200
    assert [name for name in facade.__all__ if f'id="{name}"' not in page.text] == []
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert shared_client.get("/api/docs/reference/", buffered=True).status_code == 200
    for outside in ("../../pyproject.toml", "%2e%2e/pyproject.toml", "no-such.html"):
        assert shared_client.get(f"/api/docs/reference/{outside}").status_code == 404


def test_without_a_reference_there_is_no_page(shared_client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "REFERENCE", "no/such/folder")
    assert shared_client.get("/api/docs/reference/").status_code == 404


@pytest.mark.parametrize(("lang", "word"), [("en", "Functions"), ("ja", "関数")])
def test_the_documentation_leads_to_the_library(shared_client: Any, lang: str, word: str) -> None:
    assert f'href="/api/docs/library?lang={lang}"' in shared_client.get(f"/api/docs?lang={lang}").text
    page = shared_client.get(f"/api/docs/library?lang={lang}")
    assert f"<h2>{word}</h2>" in page.text
    assert f'lang="{lang}"' in page.text
