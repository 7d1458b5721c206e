"""Words and numbers of the pages of groups."""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.engine.problems import Problem
from companion.rulebook.book import words

_BETWEEN_NAMES = re.compile(r"[\n,、，;；]")


def typed_names(text: str) -> list[str]:
    """Return the names that somebody typed, one a line or with commas between them."""
    return [name for each in _BETWEEN_NAMES.split(text) if (name := each.strip())]


def problem_texts(problems: Iterable[Problem], lang: str) -> list[str]:
    """Return what keeps a form from being written, each sentence once."""
    own = words("", lang)
    return list(dict.fromkeys(own.problem(problem) for problem in problems))
