"""Groups of words that mean the same, found in a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.rulebook.spelling import Spelling

SHORTEST_KANA = 2
"""Words are not looked for in kana that has no more sounds than this: it is part of too many others."""


def concepts(groups: Iterable[Sequence[str]], spelling: Spelling) -> dict[str, list[tuple[str, str]]]:
    """Return the words of each group of synonyms with the group's name, the longest first, by how they begin."""
    found: dict[str, dict[str, str]] = {}
    for group in groups:
        for word in group:
            canonical = spelling.canonical(word)
            kana = spelling.kana(canonical)
            for spelt in (canonical, kana) if len(kana) > SHORTEST_KANA else (canonical,):
                found.setdefault(spelt[:2], {}).setdefault(spelt, f"c{group[0]}")
    return {first: sorted(words.items(), key=lambda word: -len(word[0])) for first, words in found.items()}


def words_in(
    words: Mapping[str, Sequence[tuple[str, str]]], canonical: str, nested: bool = False
) -> list[tuple[str, int, int]]:
    """Return the groups that a text has a word of, and where; of several the longest, unless `nested`: then all."""
    found, at, end, latin = [], 0, len(canonical), canonical.isascii()
    while at < end:
        for beginning in (canonical[at : at + 2], canonical[at]):
            for spelling, group in words.get(beginning, ()):
                if canonical.startswith(spelling, at) and _is_word(canonical, at, len(spelling)):
                    found.append((group, at, at + len(spelling)))
                    if nested:
                        continue
                    at += len(spelling)
                    break
            else:
                continue
            break
        else:
            at += 1
            if latin:
                at = canonical.find(" ", at - 1) + 1 or end
    return found


def _is_word(text: str, place: int, length: int) -> bool:
    """Return whether a part of a canonical text does not cut a Latin word or a number."""
    before, first = text[place - 1 : place], text[place : place + 1]
    last, after = text[place + length - 1 : place + length], text[place + length : place + length + 1]
    return not (first.isascii() and before.strip() and before.isascii()) and not (
        last.isascii() and after.strip() and after.isascii()
    )
