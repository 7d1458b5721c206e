"""Write the lists of words that the search never reads as misspelt terms: `python -m tests.rulebook.common_words`.

Needs the package `wordfreq`, which nothing else uses; its lists are under CC BY-SA 4.0, and so are these.
"""

from __future__ import annotations

import importlib
import re
from typing import Final

from companion.data import LANGUAGES, data_folder
from companion.rulebook.search import COMMON_WORDS, index
from companion.rulebook.spelling import errors_between, folded

COUNT: Final = 20_000
CERTAIN: Final = {"en": 2_500, "ja": 600}
"""Number of the most frequent words that are listed even if a term is one error away, unless it has the same signs."""
WORD: Final = {"en": re.compile("[a-z]{3,}"), "ja": re.compile("[ァ-ヶー]{3,}|[一-鿿々]{2,}")}


def main() -> None:
    """Write the list of every language beside its texts."""
    for lang in LANGUAGES:
        words = [word for word in importlib.import_module("wordfreq").top_n_list(lang, 80_000) if _fits(lang, word)]
        terms = {word for group in index(lang).reader.terms() for word in group.split() if len(word) > 2}
        near = {word for word in words[CERTAIN[lang] : COUNT] if any(_near(folded(word), term) for term in terms)}
        near |= {word for word in words[: CERTAIN[lang]] if any(_is_swapped(folded(word), term) for term in terms)}
        head = "# From the word lists of the Python package wordfreq by Robyn Speer, CC BY-SA 4.0; so is this list.\n"
        listed = "\n".join(sorted(set(words[:COUNT]) - near))
        (data_folder(f"rules_{lang}") / COMMON_WORDS).write_text(f"{head}{listed}\n", "utf-8")


def _fits(lang: str, word: str) -> bool:
    return WORD[lang].fullmatch(word) is not None


def _is_swapped(word: str, term: str) -> bool:
    return word != term and sorted(word) == sorted(term)


def _near(word: str, term: str) -> bool:
    return word != term and abs(len(word) - len(term)) < 2 and errors_between(word, term, 1) == 1


if __name__ == "__main__":
    main()
