"""What the deployment pages promise is there: commands, settings with their defaults, the same in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli import COMMANDS
from companion.web import DEFAULTS

ROOT = Path(__file__).parents[2]
PAGES = {
    lang: (ROOT / "docs" / name).read_text("utf-8")
    for lang, name in (("en", "deployment.md"), ("ja", "deployment.ja.md"))
}
pages = pytest.mark.parametrize("lang", PAGES)


def blocks(text: str) -> list[str]:
    """The code blocks of a page without their comments."""
    return [re.sub(r" *#.*", "", block) for block in re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M)]


def test_both_languages_show_the_same_commands() -> None:
    assert blocks(PAGES["en"]) == blocks(PAGES["ja"])
    assert len(blocks(PAGES["en"])) == 8


@pages
def test_every_command_is_there(lang: str) -> None:
    named = set(re.findall(r"companion ([a-z]+)\b", "\n".join(blocks(PAGES[lang]))))
    assert {"backup", "restore", "verify", "migrate"} <= named
    assert named <= set(COMMANDS)


@pages
def test_settings_are_named_with_their_defaults(lang: str) -> None:
    rows = dict(re.findall(r"^\| `COMPANION_(\w+)` \| (.*?) \|", PAGES[lang], re.M))
    assert set(re.findall(r"COMPANION_(\w+)", PAGES[lang])) == set(rows)
    told = {name: default.strip("`") for name, default in rows.items() if default.startswith("`")}
    assert set(rows) - set(told) == {"SECRET_KEY", "SITE_URL", "GAMES", "HOSTS"}
    assert told == {
        name: str(DEFAULTS[name]).lower() if DEFAULTS[name] is False else str(DEFAULTS[name]) for name in told
    }


def test_every_test_that_the_page_on_security_names_is_there() -> None:
    text = (ROOT / "docs/security.md").read_text("utf-8")
    files, names = set(re.findall(r"`(tests/[\w/]+\.py)`", text)), set(re.findall(r"`(test_\w+)`", text))
    written = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert {file for file in files if not (ROOT / file).is_file()} == set()
    assert {name for name in names if f"def {name}(" not in written} == set()
    assert len(files) + len(names) > 20
