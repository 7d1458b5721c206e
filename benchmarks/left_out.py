"""Asks the search for questions that it was not given: `python -m benchmarks.left_out [ja|en] [folds]`.

The phrases of the articles are parted; each part is asked in turn, within its game, of an index made without it. What
comes back is an honest estimate without new questions, and a strict one: of all articles that answer a question, only
the one that it is written beside counts as right. The second line is for the articles that the default rules play.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from companion.data import LANGUAGES
from companion.rulebook.search import documents, index_of
from companion.rulebook.search_index import Document

FOLDS = 5
PLAYED = 1.0
"""The factor of an article that the default rules play."""


def main(words: list[str]) -> None:
    """Print the shares of questions whose article came first and among three, for each language."""
    folds = next((int(word) for word in words if word.isdigit()), FOLDS)
    for lang in [word for word in words if word in LANGUAGES] or LANGUAGES:
        places = list(left_out(lang, folds))
        for name, own in (("all", [place for place, _ in places]), ("played", [p for p, played in places if played])):
            first, three = (100 * sum(place < most for place in own) / len(own) for most in (1, 3))
            print(f"{lang} {name:<7} {len(own):>5} questions: first {first:.1f} %, among three {three:.1f} %")


def left_out(lang: str, folds: int) -> Iterator[tuple[int, bool]]:
    """Yield for each question the place of its article, 99 if not found, and whether the default rules play it."""
    every = list(documents(lang))
    for part in range(folds):
        index = index_of(lang, [replace(one, phrases=_phrases(one, part, folds, kept=True)) for one in every])
        for document in every:
            for question, _ in _phrases(document, part, folds, kept=False):
                hits = index.rank(index.reader.read(question), games=[document.game])
                found = [hit.document.id for hit in hits if hit.document.kind == "article"]
                place = found.index(document.id) if document.id in found else 99
                yield place, document.factor == PLAYED


def _phrases(document: Document, part: int, folds: int, *, kept: bool) -> tuple[tuple[str, float], ...]:
    """Return the phrases of a document that are kept in the index, or those of a part of its questions."""
    asked = [phrase for phrase in document.phrases if phrase[1] == 1.0] if document.kind == "article" else []
    out = {phrase for number, phrase in enumerate(asked) if number % folds == part}
    return tuple(phrase for phrase in document.phrases if (phrase not in out) == kept)


if __name__ == "__main__":
    main(sys.argv[1:])
