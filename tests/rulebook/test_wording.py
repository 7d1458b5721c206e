"""What an editor struck stays struck, and every value of an option shows in the sentences of a table's page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import companion
from companion.data import LANGUAGES, data_folder
from companion.engine.options import HouseRules, Option
from companion.engine.problems import Refused
from companion.engine.shapes import read
from companion.games import GAMES
from companion.rulebook.pages import page, plain_text

EDITED = tuple(GAMES)
PACKAGE = Path(companion.__file__).parent
STRUCK = {
    "ja": ("コンパニオン", "サイド", "原典", "終わりの点", "目標の点", "変種", "裁定", "罰", "点を失", "ここでは「"),
    "en": (
        "an own ", "any own ", "the own ", "own side’s", "hangs on", "we rule", ", too.", "Here:", "the courts",
        "offence", "who are level", "are also met", "in succession", "incomplete stacks", "match to a target",
    ),
}  # fmt: skip
HALF_WIDTH = re.compile(r"[():]|[ぁ-んァ-ヶ一-龥、。] (?=[A-Za-z0-9♠♥♦♣])")
"""Brackets and colons of Latin script, and a typed space, in running Japanese."""
TAGS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
TYPED = {"names.toml", "questions.toml", "synonyms.toml"}
"""What people type into the search."""
_BLIND = {"blind_bid": True}
TOGETHER: Mapping[str, Mapping[str, Any]] = {
    "match_deals": {"match": "deals"},
    "both_nil_value": {"both_nil": "unit"},
    "double_blind_nil_value": {"double_blind_nil": True},
    "double_blind_nil_deficit": {"double_blind_nil": True},
    "blind_bid_min": _BLIND,
    "blind_reward": _BLIND,
    "blind_exact": _BLIND,
    "blind_exact_over": _BLIND | {"blind_exact": True},
    "blind_deficit": _BLIND,
    "moon_value": {"moon": True},
    "moon_wins": {"moon": True},
    "thirteen_is_moon": {"moon": True},
    "blind_failure": {"blind_bid": True},
    "blind_moon_value": {"blind_moon": True},
    "blind_moon_deficit": {"blind_moon": True},
    "club_two_must_lead": {"first_leader": "club_two"},
    "ten_bonus_failure": {"ten_bonus": "plus200"},
    "removed_twos": {"deck": "jokers_minus_twos"},
}
"""Options that are words on the page only with another one."""

ALIKE = {("double_blind_nil_deficit", 0)}
"""Values that mean the same as the usual one: a deficit of 0 is none."""

games = pytest.mark.parametrize("game", EDITED)
languages = pytest.mark.parametrize("lang", LANGUAGES)


@games
@languages
def test_struck_words_do_not_come_back(game: str, lang: str) -> None:
    for name in ("book.md", "phrases.toml"):
        text = (data_folder(f"rules_{lang}") / game / name).read_text("utf-8")
        text = text.replace("スーサイド", "")  # the name of a game
        assert [word for word in STRUCK[lang] if word in text] == [], name


@games
def test_running_japanese_has_full_width_marks(game: str) -> None:
    options = GAMES[game].options
    for rules in (None, *map(options.preset, options.presets)):
        articles = list(page(game, "ja", rules).articles())
        texts = [plain_text("".join(re.findall(r"<p\b[^>]*>(.*?)</p>", each.html, re.DOTALL))) for each in articles]
        assert sum(map(bool, texts)) > 0.9 * len(articles) > (30 if GAMES[game].judge else 5)
        assert [text for text in texts if HALF_WIDTH.search(text)] == []


def test_running_english_has_curved_apostrophes() -> None:
    for path in data_folder("rules_en").rglob("*"):
        if path.suffix in {".md", ".toml"} and path.name not in TYPED:
            lines = TAGS.sub("", path.read_text("utf-8")).splitlines()
            said = [line for line in lines if path.suffix == ".md" or not line.startswith(("#", "when = "))]
            assert [line for line in said if "'" in line] == [], path.name


def test_code_writes_no_separators_and_no_minus_signs() -> None:
    """A list is separated as its language does, and a number gets its sign, where phrases print them."""
    written = re.compile(r"""["'](, |; |、)["'](\.join|\))|replace\("-", "−"\)|f["']−""")
    layers = ("games", "web/keeper", "web/groups", "sheets")
    found = (path for layer in layers for path in (PACKAGE / layer).rglob("*.py"))
    paths = [path for path in found if path.name != "backup.py"]  # it speaks to operators, in English
    lines = [(path.name, line.strip()) for path in paths for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if written.search(line[1])] == []
    assert len(lines) > 10_000


@games
def test_every_value_of_an_option_changes_what_the_page_says(game: str) -> None:
    """In one language: the conditions of both are the same."""
    options = GAMES[game].options

    def silent(name: str, value: object) -> bool:
        tried = False
        for preset in options.presets:
            if pair := _built(game, preset, name, value):
                tried = True
                if _said(game, options.code(pair[0])) != _said(game, options.code(pair[1])):
                    return False
        return tried

    values = [(option.name, value) for option in options.options.values() for value in _values(option)]
    assert len(values) > (80 if GAMES[game].judge else 8)
    assert [one for one in values if silent(*one) and one not in ALIKE] == []


def _values(option: Option) -> tuple[Any, ...]:
    """Values that an option can have: all of a choice, the ends of a range, the shortest lists."""
    numbers = map(int, option.choices) if option.choices else (option.low, option.high)
    return {
        "flag": lambda: (False, True),
        "choice": lambda: option.choices,
        "number": lambda: (*numbers, *([None] if option.nullable else [])),
        "words": lambda: tuple((word,) for word in option.choices),
        "cards": lambda: tuple(read(option.field(), [*each]) for each in combinations(option.choices, option.low or 1)),
    }[option.kind]()


def _built(game: str, preset: str, name: str, value: object) -> tuple[HouseRules[Any], HouseRules[Any]] | None:
    """The rules of a preset without and with a value of one option; None where they are the same or do not last."""
    options = GAMES[game].options
    together = TOGETHER.get(name, {})
    try:
        before, after = options.build(preset, together), options.build(preset, {**together, name: value})
    except Refused:
        return None
    if getattr(before.options, name) == value or getattr(after.options, name) != value:
        return None
    return before, after


@lru_cache(maxsize=1024)
def _said(game: str, code: str) -> str:
    whole = page(game, "en", GAMES[game].options.decode(code))
    heads = [section.html for section in whole.sections]
    said = "\n".join([whole.summary_html, *heads, *(article.html for article in whole.articles())])
    return said.replace('<b class="differs">', "").replace("</b>", "")
