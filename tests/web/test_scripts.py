"""Scripts of one page share their names: a name declared twice keeps the second script from running at all."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC, TEMPLATES = ROOT / "companion/web/static", ROOT / "templates"
SCRIPT = re.compile(r"""<script src="{{ static\('([\w-]+\.js)'\) }}" defer>""")
"""A script that is no module: a module's names are its own."""
DECLARED = re.compile(
    r"^(?:async )?(?:let|const|var|function|class) +([\w$]+(?:, [\w$]+)*|\{[^}]*\}|\[[^]]*\])", re.MULTILINE
)
EVERYWHERE = SCRIPT.findall((TEMPLATES / "base.html").read_text(encoding="utf-8"))
PAGES = sorted(path for path in TEMPLATES.rglob("*.html") if SCRIPT.search(path.read_text(encoding="utf-8")))


def declared(script: str) -> set[str]:
    """The names that a script declares for all scripts of its page."""
    found = DECLARED.findall((STATIC / script).read_text(encoding="utf-8"))
    return {name for names in found for name in re.findall(r"[\w$]+", names)}


@pytest.mark.parametrize("template", PAGES, ids=lambda template: template.relative_to(TEMPLATES).as_posix())
def test_scripts_of_a_page_declare_different_names(template: Path) -> None:
    scripts = {*EVERYWHERE, *SCRIPT.findall(template.read_text(encoding="utf-8"))}
    names = Counter(name for script in scripts for name in declared(script))
    assert [name for name, times in names.items() if times > 1] == []


def test_scripts_and_their_names_are_found() -> None:
    assert EVERYWHERE
    assert len(PAGES) > 10
    assert {"waiting", "asked", "query"} <= declared("search.js")
