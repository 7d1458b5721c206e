"""Typing errors: the known word that an unknown one was meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.rulebook.spelling import Spelling, is_kanji, is_latin

SHORT = 3
"""Characters of words in which nothing may be superfluous; of those that are shorter still, a sign may be missing."""
LONG = 7
"""Characters from which a word may have two errors."""
PREFIXES = ("re", "un", "non", "mis", "over")
"""Beginnings without which a word means nearly the same: `restock`."""
LONGEST_JOINED = 24
_SKELETON = 3
"""Sounds that two words need to be taken for each other by their consonants."""
_DOUBLED = re.compile(r"(.)\1+")
_SOFT = (("ck", "k"), ("ph", "f"), ("gh", "g"), ("c", "k"), ("q", "k"), ("z", "s"), ("x", "ks"))


class Repairs:
    """Known words by what a typing error leaves of them."""

    def __init__(self, known: Mapping[str, int], spelling: Spelling) -> None:
        self._known = known
        self._spelling = spelling
        self._by_length: dict[int, list[tuple[str, int]]] = {}
        self._by_beginning: dict[tuple[int, str], list[tuple[str, int]]] = {}
        self._by_sound: dict[str, str] = {}
        for form, count in known.items():
            if not count:
                continue
            entry = form, _signs(form)
            self._by_length.setdefault(len(form), []).append(entry)
            for beginning in (form[0], form[1:3]):
                self._by_beginning.setdefault((len(form), beginning), []).append(entry)
            sound = self._sound(form)
            heard = not any(map(is_kanji, sound)) and (len(sound) >= _SKELETON or not is_kanji(form[0]))
            if heard and count > known.get(self._by_sound.get(sound, ""), 0):
                self._by_sound[sound] = form

    def meant(self, typed: str, form: str) -> list[str]:
        """Return the known words that an unknown one stands for: one, or two written as one; none if it is strange."""
        if not is_latin(typed):
            found = self._by_sound.get(self._sound(typed)) or self._near(typed)
            return [found] if found else []
        found = self._near(typed, 1) or self._near(form, 1) or self._sounding(form) or self._near(typed)
        found = found or next((typed[len(each) :] for each in PREFIXES if self._prefixed(typed, each)), None)
        return [found] if found else self._parted(typed)

    def _prefixed(self, typed: str, prefix: str) -> bool:
        rest = typed.removeprefix(prefix)
        return rest != typed and len(rest) > SHORT and self._spelling.form(rest) in self._known

    def sound_alike(self, one: str, other: str) -> bool:
        """Return whether two words sound the same, English ones by their consonants."""
        return self._sound(one) == self._sound(other)

    def alike(self, word: str) -> list[str]:
        """Return the known words that are as long as a word, more or less, and have most of its characters."""
        own, most = _signs(word), max(len(word) // 2, 2)
        lengths = range(len(word) - _SKELETON + 1, len(word) + _SKELETON)
        return [
            known
            for length in lengths
            for known, signs in self._by_length.get(length, ())
            if (own ^ signs).bit_count() <= most
        ]

    def _near(self, typed: str, most: int = 2) -> str | None:
        """Return the most frequent known word with one error, in long words with two; swapped characters first."""
        latin, most = is_latin(typed), most if len(typed) >= LONG else 1
        if latin and len(typed) < SHORT:
            return doubled if (doubled := typed + typed[-1]) in self._known else None
        best: tuple[int, bool, int, str] | None = None
        own = _signs(typed)
        shortest = len(typed) - most if len(typed) > SHORT else len(typed) + (len(typed) < SHORT)
        for length in range(shortest, len(typed) + most + 1):
            for known, signs in self._beginning_alike(typed, length):
                if (own ^ signs).bit_count() > 2 * most or is_latin(known) != latin:
                    continue
                errors = errors_between(typed, known, most)
                if errors <= most:
                    changed = set(typed) != set(known)
                    best = min(best or (9, True, 0, ""), (errors, changed, -self._known[known], known))
        return best[3] if best else None

    def _beginning_alike(self, word: str, length: int) -> Iterator[tuple[str, int]]:
        """Yield the known words of a length that begin as a word does, or with its first two characters swapped.

        Long words and Japanese may differ in the first character.
        """
        yield from self._by_beginning.get((length, word[0]), ())
        yield from (known for known in self._by_beginning.get((length, word[1]), ()) if known[0][1:2] == word[0])
        if len(word) >= LONG:
            yield from self._by_beginning.get((length, word[1:3]), ())

    def _sounding(self, form: str) -> str | None:
        """Return the known word with the same consonants."""
        found = self._by_sound.get(sound := self._sound(form))
        return found if found and len(sound) >= _SKELETON and errors_between(form, found) <= 2 else None

    def _sound(self, word: str) -> str:
        return consonants(word) if is_latin(word) else self._spelling.sound(word)

    def _parted(self, typed: str) -> list[str]:
        """Return the two known words that were written without a space between them."""
        for at in range(3, min(len(typed), LONGEST_JOINED) - 2):
            pair = [typed[:at], typed[at:]]
            if all(self._known.get(self._spelling.form(word)) for word in pair):
                return pair
        return []


def consonants(word: str) -> str:
    """Return the sounds of an English word's consonants, with its first letter: `dubble` and `double` are `dbl`."""
    for written, heard in _SOFT:
        word = word.replace(written, heard)
    word = _DOUBLED.sub(r"\1", word)
    return word[0] + _DOUBLED.sub(r"\1", re.sub("[aeiouyhw]", "", word[1:]))


def errors_between(one: str, other: str, most: int = 2) -> int:
    """Return how many characters are added, left out, changed or swapped between two words, at most `most` + 1."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, sign in enumerate(one, start=1):
        now = [row]
        for column, opposite in enumerate(other, start=1):
            cost = min(last[column] + 1, now[-1] + 1, last[column - 1] + (sign != opposite))
            if row > 1 and column > 1 and sign == other[column - 2] and one[row - 2] == opposite:
                cost = min(cost, before[column - 2] + 1)
            now.append(cost)
        if min(now) > most:
            return most + 1
        before, last = last, now
    return min(last[-1], most + 1)


def _signs(word: str) -> int:
    """Return which characters a word has, as bits."""
    found = 0
    for sign in word:
        found |= 1 << (ord(sign) % 61)
    return found
