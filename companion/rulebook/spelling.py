"""Which spellings are the same, groups of words that mean the same, and typing errors."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple, TypeVar

_Made = TypeVar("_Made")

_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_SUITS = "♠♥♦♣"
_DROPPED = {ord(sign): None for sign in "・’'\ufe0e\ufe0f\xad"}
_APOSTROPHES = {ord(sign): None for sign in "’'"}
_TOKENS = re.compile(r"[a-zà-öø-ÿā-ž]+|[0-9]+|[♠♥♦♣]|[^\W\d_a-zà-öø-ÿā-ž]+")
_KANJI = "一-鿿々"
_OKURIGANA = re.compile(rf"(?<=[{_KANJI}])[ぁ-ん]{{1,2}}(?=[{_KANJI}])")
_NUMERAL = re.compile(r"[二三四五六七八九]十?|十[二三四五六七八九]?|一(?=[人枚点組回個勝])")
_COUNTED = re.compile(rf"(?<![{_KANJI}])(?:{_NUMERAL.pattern})(?=[人枚点組回個勝]|[^{_KANJI}]|$)")
_COUNTERS = "つこ"
"""Hiragana that counts things after a number, as kanji do."""
_MINUS = re.compile(r"(?<!\w)[-−–](?=\d)")
_DIGITS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")}

_PLAIN = str.maketrans("がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔぁぃぅぇぉゃゅょゎ",
                       "かきくけこさしすせそたちつてとはひふへほはひふへほうあいうえおやゆよわ", "ーっ")  # fmt: skip
_ROWS = ("あかさたなはまやらわ", "いきしちにひみり", "うくすつぬふむゆる", "えけせてねへめれ", "おこそとのほもよろ")
_LONG = re.compile(
    "|".join(f"(?<=[{row}])[{long}]" for row, long in zip(_ROWS, ("あ", "い", "う", "えい", "おう"), strict=True))
)
"""A vowel that makes the one before it longer."""

_SYLLABLES = (
    "あいうえお", "kかきくけこ", "sさしすせそ", "tたちつてと", "nなにぬねの", "hはひふへほ", "mまみむめも",
    "rらりるれろ", "gがぎぐげご", "zざじずぜぞ", "dだぢづでど", "bばびぶべぼ", "pぱぴぷぺぽ", "vばびぶべぼ",
)  # fmt: skip
_ROMAJI = {f"{row[:-5]}{vowel}": kana for row in _SYLLABLES for vowel, kana in zip("aiueo", row[-5:], strict=True)} | {
    "shi": "し", "chi": "ち", "tsu": "つ", "fu": "ふ", "ya": "や", "yu": "ゆ", "yo": "よ", "wa": "わ", "wo": "を",
    "n": "ん", "ji": "じ", "di": "でぃ", "fa": "ふぁ", "fi": "ふぃ", "fe": "ふぇ", "fo": "ふぉ", "je": "じぇ",
    "she": "しぇ", "che": "ちぇ",
}  # fmt: skip
_ROMAJI |= {
    f"{first}{vowel}": f"{_ROMAJI[first.removesuffix('y') + 'i']}{small}"
    for first in ("ky", "sy", "ty", "ny", "hy", "my", "ry", "gy", "zy", "by", "py", "sh", "ch", "j")
    for vowel, small in zip("auo", "ゃゅょ", strict=True)
}
_AFTER_N = ("a", "i", "u", "e", "o", "y")
"""What makes one `n` of two the beginning of the next syllable."""
_WEIGHTS = {"w": 1.2, "n": 0.7, "b": 1.0, "u": 0.5, "s": 1.0, "r": 0.7, "o": 1.0}
"""What a piece counts by its kind: word, number, two characters, one kanji, suit, two sounds, order of numbers."""
_SOME_NUMBER = 0.5
"""What it counts that there is a number, whichever."""
_WORD = 1.4
"""How many pieces a Japanese word counts for, however long it is."""
_CONTENT = re.compile(rf"[ァ-ヶー・]+|[{_KANJI}]+(?:[ぁ-ん](?=[{_KANJI}])[{_KANJI}]+|[ぁ-ん])?")
"""A word that hiragana follows: in katakana, or in kanji with what makes its form."""
KEPT = 2000
"""How many words are kept with what was made of them: those of a book come again, those of queries need not."""
ALTERNATIVE = "bu"
"""Pieces that a query can be without: what they say is said by the sound too."""


@dataclass(frozen=True)
class Spelling:
    """How a language spells: irregular forms of words (`ran` to `run`), readings of kanji, what fills questions."""

    forms: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    filler: tuple[str, ...] = ()
    """What people say around what they ask, which is left out of what is compared."""
    _forms: dict[str, str] = field(default_factory=dict)
    _sounds: dict[str, str] = field(default_factory=dict)
    _words: dict[str, dict[str, float]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[Spelling], tuple[object, ...]]:
        """Return how it is made again, without what it remembers."""
        return Spelling, (self.forms, self.readings, self.filler)

    def plain(self, text: str) -> str:
        """Return a text in small letters without what only fills it; all of it where that is everything."""
        found = _MINUS.sub(" minus ", _normal(text)).translate(_APOSTROPHES)
        for typed, meant in self._rewritten:
            found = found.replace(typed, meant)
        return (self._filling.sub(" ", found).strip() or found) if self.filler else found

    @cached_property
    def _rewritten(self) -> tuple[tuple[str, str], ...]:
        return tuple((typed, meant) for typed, meant in self.forms.items() if not is_latin(typed))

    @cached_property
    def _filling(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self.filler, key=len, reverse=True))))

    def tokens(self, text: str) -> list[str]:
        """Return a text's words in the form that is compared: stems, numbers, suits, runs of Japanese in hiragana."""
        return [self.form(token) for token in _TOKENS.findall(folded(text))]

    def canonical(self, text: str) -> str:
        """Return the tokens of a text with a space between each two."""
        return " ".join(self.tokens(text))

    def form(self, token: str) -> str:
        """Return the form of a folded token that its inflections share."""
        known = self._forms.get(token)
        if known is None:
            known = _keep(self._forms, token, stem(self.forms.get(token, token)) if is_latin(token) else token)
        return known

    def sound(self, run: str) -> str:
        """Return a run of Japanese by its sound: readings for kanji, nothing voiced, no small characters, no length."""
        known = self._sounds.get(run)
        return _keep(self._sounds, run, _LONG.sub("", self.kana(run).translate(_PLAIN))) if known is None else known

    def kana(self, run: str) -> str:
        """Return a run of Japanese with readings in place of its kanji."""
        kana, at = [], 0
        while at < len(run):
            for word in self._read.get(run[at], ()):
                if run.startswith(word, at):
                    kana.append(self.readings[word])
                    at += len(word)
                    break
            else:
                kana.append(run[at])
                at += 1
        return "".join(kana)

    @cached_property
    def _read(self) -> dict[str, list[str]]:
        """The words that have readings by their first character, the longest first."""
        found: dict[str, list[str]] = {}
        for word in sorted(self.readings, key=len, reverse=True):
            found.setdefault(word[0], []).append(word)
        return found

    def pieces(self, text: str, tokens: Sequence[str] | None = None) -> dict[str, float]:
        """Return the pieces a text is indexed by, with what each counts before its rarity; `tokens` are the text's."""
        found: dict[str, float] = {}
        tokens = self.tokens(text) if tokens is None else tokens
        for word in () if text.isascii() else _CONTENT.findall(_normal(text)):
            found |= self._word_pieces(word)
        before = ""
        for token in tokens:
            if is_latin(token):
                found[f"w{token}"] = _WEIGHTS["w"]
            elif token.isdigit():
                found[f"n{token}"] = _WEIGHTS["n"]
                found["n"] = _SOME_NUMBER
            elif token[0] in _SUITS:
                found[f"s{token}"] = _WEIGHTS["s"]
            else:
                for sound in self._sounds_of(token):
                    found.setdefault(sound, _WEIGHTS["r"])
                if before.isdigit() and (is_kanji(token[0]) or token[0] in _COUNTERS):
                    found[f"n{before}{token[0]}"] = _WEIGHTS["n"]
                    found[f"n{token[0]}"] = _SOME_NUMBER
            before = token
        numbers = [int(token) for token in tokens if token.isdigit()]
        if len(numbers) == 2:
            found[f"o{(numbers[0] > numbers[1]) - (numbers[0] < numbers[1])}"] = _WEIGHTS["o"]
        elif any(sum(pair) == max(numbers) for pair in itertools.combinations(numbers, 2)):
            found["o+"] = _WEIGHTS["o"]
        return found

    def _word_pieces(self, written: str) -> dict[str, float]:
        """Return the pieces of a Japanese word: its pairs of characters, its kanji, its sounds."""
        known = self._words.get(written)
        if known is None:
            word = written.translate(_KATAKANA).translate(_DROPPED)
            share = sqrt(_WORD / max(len(word) - 1, 1))
            known = _keep(self._words, written, {})
            for run in (word, short) if (short := _OKURIGANA.sub("", word)) != word else (word,):
                known |= {f"b{run[at : at + 2]}": _WEIGHTS["b"] * share for at in range(len(run) - 1)}
            known |= {f"u{sign}": _WEIGHTS["u"] for sign in word if is_kanji(sign)}
            known |= dict.fromkeys(self._sounds_of(word), _WEIGHTS["r"] * share)
        return known

    def _sounds_of(self, run: str) -> list[str]:
        sound = self.sound(run)
        return [f"r{sound[at : at + 2]}" for at in range(len(sound) - 1)]


def _keep(kept: dict[str, _Made], word: str, made: _Made) -> _Made:
    """Return what was made of a word, kept for the next time; where many are kept, these are forgotten first."""
    if len(kept) >= KEPT:
        kept.clear()
    kept[word] = made
    return made


def folded(text: str) -> str:
    """Return a text with one form of each character: NFKC, lower case, hiragana for katakana, digits for numerals."""
    if text.isascii():
        return text.lower().replace("'", "")
    plain = _normal(text).translate(_DROPPED).translate(_KATAKANA)
    return _COUNTED.sub(lambda found: str(_numeral(found[0])), plain)


def _normal(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()


def folded_in_place(text: str) -> str:
    """Return a text folded character by character, each in the place where it was."""
    return "".join(
        plain if len(plain := unicodedata.normalize("NFKC", sign).lower().translate(_KATAKANA)) == 1 else sign
        for sign in text
    )


def is_latin(token: str) -> bool:
    """Return whether a folded token is a word in Latin letters."""
    return token[:1].isalpha() and ord(token[0]) < 0x250


def is_kanji(sign: str) -> bool:
    """Return whether a character is a kanji."""
    return "一" <= sign <= "鿿" or sign == "々"


def is_japanese(text: str) -> bool:
    """Return whether a text is Japanese: any of it in kana or kanji, or all of it in two words or more of romaji."""
    words = re.findall("[a-z]+", text.lower())
    return bool(re.search(f"[ぁ-ヶ{_KANJI}]", _normal(text))) or (len(words) > 1 and all(map(romaji, words)))


def stem(word: str) -> str:
    """Return an English word without the endings of number, tense and doer: `bags` and `bagging` are `bag`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and re.search("[aeiouy]", root):
            word = root
            break
    if len(word) > 2 and word[-1] == word[-2] and word[-1] not in "aeiouylsz":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def romaji(word: str) -> str | None:
    """Return a word in Latin letters as hiragana, if all of it can be read as such: `kirifuda` is `きりふだ`."""
    kana, at = [], 0
    while at < len(word):
        if at + 1 < len(word) and word[at] == word[at + 1] and word[at] not in "aiueon":
            kana.append("っ")
            at += 1
            continue
        if word.startswith("nn", at) and word[at + 2 : at + 3] not in _AFTER_N:
            at += 1  # as it is typed into an input method: `kannji`
        for length in (3, 2, 1):
            part = word[at : at + length]
            if part in _ROMAJI and len(part) == length:
                kana.append(_ROMAJI[part])
                at += length
                break
        else:
            return None
    return "".join(kana)


def _numeral(text: str) -> int:
    tens, ten, ones = text.partition("十") if "十" in text else ("", "", text)
    return (_DIGITS.get(tens, 1) * 10 if ten else 0) + _DIGITS.get(ones, 0)


_SHORTEST_KANA = 2
"""Words are not looked for in kana that has no more sounds than this: it is part of too many others."""


def concepts(groups: Iterable[Sequence[str]], spelling: Spelling) -> dict[str, list[tuple[str, str]]]:
    """Return the words of each group of synonyms with the group's name, the longest first, by how they begin."""
    found: dict[str, dict[str, str]] = {}
    for group in groups:
        for word in group:
            canonical = spelling.canonical(word)
            kana = spelling.kana(canonical)
            for spelt in (canonical, kana) if len(kana) > _SHORTEST_KANA else (canonical,):
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


_NUMBER = re.compile("[0-9]+|#")


class Statement(NamedTuple):
    """What a yes-or-no question says, in a form that its wordings share: must, may or is; negated or not; its words."""

    mood: str
    negated: bool
    words: frozenset[str]


def any_name(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of the names in a folded text, the longest first, written with or without dots."""
    spelt = {re.sub(r"[・\s]+", " ", folded_in_place(name)).strip() for name in names}
    patterns = []
    for name in sorted(spelt, key=lambda each: (-len(each), each)):
        written = r"[・\s]*".join(re.escape(sign) for sign in name if not sign.isspace())
        patterns.append(rf"(?<![a-z0-9]){written.removesuffix('s')}s?(?![a-z0-9])" if name.isascii() else written)
    return re.compile("|".join(patterns) or r"(?!)")


_EDGE = "(?:(?<![a-zァ-ヶー])|(?![a-zァ-ヶー]))"
"""Where no word in Latin letters or katakana goes on."""


def any_word(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of the words in a text in small letters, but not as a part of a longer one."""
    parts = sorted((re.escape(word.lower()) for word in words), key=len, reverse=True)
    return re.compile(rf"{_EDGE}(?:{'|'.join(parts)}){_EDGE}" if parts else r"(?!)")


class Statements:
    """Reads yes-or-no questions with a language's tables: patterns of questions, and words by what they do.

    `asks` and `never` are patterns of what is such a question and of what is none, in which `though` does not count.
    The words of `must`, `may` and `not` are counted, those of `drop` left out, those of a list in `same` are one;
    `endings` are single kana that may follow kanji. Everything else counts as it is, a number with what it counts.
    """

    def __init__(self, tables: Mapping[str, Any], spelling: Spelling) -> None:
        self._asks, self._never, self._though = (
            re.compile(tables.get(key) or "(?!)") for key in ("asks", "never", "though")
        )
        self._form, self._endings = spelling.form, tables.get("endings", "")
        self._meant = {word: word for word in tables.get("keep", ())}
        self._meant |= {word: f"{key}!" for key in ("drop", "not", "may", "must") for word in tables.get(key, ())}
        self._meant |= {word: words[0] for words in tables.get("same", ()) for word in words}
        listed = sorted(map(re.escape, self._meant), key=len, reverse=True)
        latin, others = ("|".join(word for word in listed if word.isascii() is ascii) for ascii in (True, False))
        self._parts = re.compile(
            rf"(?<![a-z0-9])(?:{latin})(?![a-z0-9])|{others or '(?!)'}"
            rf"|[a-z]+|[0-9]+|#|[ァ-ヶー・]+|[{_KANJI}]+|[{_SUITS}ぁ-ん]"
        )

    def asks(self, query: str) -> bool:
        """Return whether a query can be answered with yes or no."""
        plain = _normal(query).translate(_APOSTROPHES).strip()
        return bool(self._asks.search(plain)) and not self._never.search(self._though.sub(" ", plain))

    def read(self, text: str) -> Statement:
        """Return what a question says."""
        meant, last, inflected = list[str](), 0, False
        for found in self._parts.finditer(_MINUS.sub(" minus ", _normal(text)).translate(_APOSTROPHES)):
            part = found[0]
            inflected = inflected and found.start() == last
            last = found.end()
            if inflected and part in self._endings:
                continue
            word = self._meant.get(part) or self._form(part)
            inflected = is_kanji(part[0]) or (inflected and word[-1] == "!")
            if meant and word[-1] != "!" and _NUMBER.fullmatch(meant[-1]):
                word = f"{meant.pop()} {word}"
            meant.append(word)
        mood = next((mood for mood in ("must", "may") if f"{mood}!" in meant), "is")
        return Statement(mood, meant.count("not!") % 2 == 1, frozenset(word for word in meant if word[-1] != "!"))

    def readings(self, text: str) -> Iterator[tuple[Statement, int | None]]:
        """Yield what a question says as it is, and with its number, if it has one, left open."""
        said = self.read(text)
        yield said, None
        numbers = [word for word in said.words if word[0].isdigit()]
        if len(numbers) == 1 and (number := _NUMBER.match(numbers[0])):
            left = numbers[0].replace(number[0], "#", 1)
            yield said._replace(words=said.words - {*numbers} | {left}), int(number[0])


_SHORT = 3
"""Characters of words in which nothing may be superfluous; of those that are shorter still, a sign may be missing."""
LONG = 7
"""Characters from which a word may have two errors."""
_LONGEST_JOINED = 24
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
        return [found] if found else self._parted(typed)

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
        if latin and len(typed) < _SHORT:
            return doubled if (doubled := typed + typed[-1]) in self._known else None
        best: tuple[int, bool, int, str] | None = None
        own = _signs(typed)
        shortest = len(typed) - most if len(typed) > _SHORT else len(typed) + (len(typed) < _SHORT)
        for length in range(shortest, len(typed) + most + 1):
            for known, signs in self._beginning_alike(typed, length):
                if (own ^ signs).bit_count() > 2 * most or is_latin(known) != latin:
                    continue
                errors = errors_between(typed, known, most)
                if errors <= most:
                    best = min(best or (9, True, 0, ""), (errors, set(typed) != set(known), -self._known[known], known))
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
        for at in range(3, min(len(typed), _LONGEST_JOINED) - 2):
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
