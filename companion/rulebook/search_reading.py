"""What a query means before it is looked up: repaired typing errors, romaji in kana, the game named, other matters."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

from companion.rulebook.repairs import LONG, Repairs, errors_between
from companion.rulebook.spelling import Spelling, folded, folded_in_place, is_kanji, is_latin, romaji
from companion.rulebook.synonyms import words_in

_WRITTEN = re.compile(r"[A-Za-zÀ-ž]+|[ァ-ヶー・]{2,}|[一-鿿々]{2,}")
_TYPED = re.compile(r"[a-zà-ž]+|[ァ-ヶー・]{2,}")
_CONTENT = re.compile(r"[a-zà-ž]{2,}|[ァ-ヶー・]{2,}|[一-鿿々]{2,}")
"""What a query is about: not its hiragana, which is grammar more often than not."""
_LATIN = re.compile(r"[A-Za-z]+")
_RANK = re.compile(r"[AJQK](?![A-Z])")
"""A rank at the beginning of romaji: `Kwo`."""
_PARTICLES = {"wa": "は", "o": "を", "e": "へ"}
"""Particles that romaji spells as they sound."""
_PARTICLE = re.compile(r"^(?:での|では|で|のとき|の|は|って|における)")
_JOINED = re.compile("[・＆&]")
"""What stands between the words of a name."""
_BETWEEN_KANA = re.compile(r"(?<=[ぁ-ん])\s+(?=[ぁ-ん0-9AJQK])|(?<=[0-9AJQK])\s+(?=[ぁ-ん])")
BESIDE = 2
"""How many words of the book make up for one that is strange, where none is a term."""
FREQUENT, SELDOM = 12, 3
"""How often the book has a short word, and a long one, that is taken for one of its terms."""
ALIKE = {True: 0.75, False: 0.6}
"""How much of a word a term must share to be offered in its place, by whether it is in Latin letters."""
SMALL_COUNT, PLAIN_COUNT = 3, 1
"""How many times small words and everyday words are taken to be in the book where it is guessed what was meant."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as it was understood: its words, the typed words that were read as others, the game that it names."""

    text: str
    repairs: tuple[tuple[str, str], ...] = ()
    game: str = ""
    strict: bool = False
    """Whether the name can mean nothing else, so that other games are left out."""
    rest: str = ""
    """The query without the name of the game."""


class Text(Protocol):
    """A document as far as its words are read: of a kind and a game, with its text."""

    @property
    def kind(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Lists:
    """Words that are no terms: small ones of questions, everyday ones, those of other matters; names of the games."""

    small: Iterable[str] = ()
    plain: Iterable[str] = ()
    foreign: Iterable[str] = ()
    names: Mapping[str, Iterable[str]] | None = None


class Reader:
    """Reads queries with the words of a book. Not changed once made."""

    def __init__(
        self,
        texts: Iterable[str],
        documents: Iterable[Text],
        lists: Lists,
        *,
        spelling: Spelling,
        concepts: Mapping[str, Sequence[tuple[str, str]]],
        pieces: Container[str],
    ) -> None:
        self._spelling = spelling
        self._concepts = concepts
        self._in_index = pieces
        self._small = {spelling.form(word) for word in lists.small}
        self._plain = {spelling.form(folded(word)) for word in lists.plain}
        self._foreign = _any_word(lists.foreign)
        self._known: Counter[str] = Counter()
        self._shown: dict[str, str] = {}
        spelt: Counter[str] = Counter()
        names = (_JOINED.sub(" ", name) for own in (lists.names or {}).values() for name in own)
        texts = itertools.chain(texts, names)
        written = Counter(word for text in texts for word in _WRITTEN.findall(unicodedata.normalize("NFKC", text)))
        for word, count in written.items():
            form = spelling.form(plain := folded(word))
            self._known[form] += count
            self._shown.setdefault(form, word)
            self._shown[plain] = word
            for each in {plain, form}:
                spelt[each] += count
        for form in self._plain:
            self._known[form] += 0
        for form in self._small:
            self._known[form] = 0
        for words, count in ((lists.plain, PLAIN_COUNT), (lists.small, SMALL_COUNT)):
            for word in words:
                spelt[folded(word)] = count
        self._repairs = Repairs(spelt, spelling)
        self._names = self._game_names(lists.names or {}, documents)
        self._naming = _naming(itertools.chain.from_iterable((lists.names or {}).values()))

    def read(self, query: str) -> Reading:
        """Return a query with typing errors repaired, romaji in kana, and the game that it names taken out."""
        repairs: list[tuple[str, str]] = []

        def repair(found: re.Match[str]) -> str:
            meant = self._meant(found[0])
            if meant is None:
                return found[0]
            if not is_latin(found[0]) or is_latin(meant[0]):
                repairs.append((found[0], meant[0]))
            return " ".join(meant)

        text = _TYPED.sub(repair, self._kana_of(unicodedata.normalize("NFKC", query)).lower())
        named = self._naming.search(folded_in_place(text))
        if named and not self._in_term(named[0], text):
            game, strict = self._names[self._spelling.canonical(named[0])]
            rest = f"{text[: named.start()]} {_PARTICLE.sub('', text[named.end() :])}".strip()
            return Reading(rest if rest and strict else text, tuple(repairs), game, strict, rest)
        return Reading(text, tuple(repairs))

    def _in_term(self, name: str, text: str) -> bool:
        """Return whether a name is only a part of a longer term of the games in a text."""
        name, canonical = self._spelling.canonical(name), self._spelling.canonical(text)
        terms = (canonical[start:end] for _, start, end in words_in(self._concepts, canonical))
        return any(name in term and len(name) < len(term) for term in terms)

    def _kana_of(self, query: str) -> str:
        """Return a query in romaji as hiragana, numbers and ranks kept, without its spaces; or as it is."""
        typed = _LATIN.findall(query)
        if not self._spelling.readings or not typed or all(self._is_known(word) for word in typed):
            return query
        kana = {word: self._romaji(word) for word in typed}
        strange = [word for word in typed if kana[word] is None and not self._is_known(word)]
        if strange or 2 * sum(each is not None for each in kana.values()) < len(typed):
            return query
        return _BETWEEN_KANA.sub("", _LATIN.sub(lambda found: kana[found[0]] or found[0], query))

    def _romaji(self, word: str) -> str | None:
        """Return a word of romaji as hiragana, after a rank that it begins with; none if it is not romaji."""
        if _RANK.fullmatch(word):
            return word
        kana = _PARTICLES.get(word) or romaji(word.lower())
        if kana and (len(kana) == 1 or self._sounds_known(kana)):
            return kana
        rest = self._romaji(word[1:]) if _RANK.match(word) and len(word) > 1 else None
        return word[0] + rest if rest else None

    def _is_known(self, word: str) -> bool:
        plain = folded(word)
        return plain in self._known or self._spelling.form(plain) in self._known

    def _sounds_known(self, kana: str) -> bool:
        sounds = [piece for piece in self._spelling.pieces(kana) if piece[0] == "r"]
        return sum(piece in self._in_index for piece in sounds) >= 0.8 * len(sounds)

    def answerable(self, query: str, reading: Reading) -> bool:
        """Return whether a query is about words of the book, and not about other matters."""
        if self._foreign.search(unicodedata.normalize("NFKC", query).lower()):
            return False
        plain = self._spelling.plain(reading.rest or reading.text)
        words = _CONTENT.findall(plain)
        about = [word for word in words if not self._is_small(word)]
        everyday = [word for word in about if self._is_everyday(word)]
        strange = [word for word in about if word not in everyday and not self._in_book(word)]
        known = len(about) - len(strange) - len(everyday)
        for word in strange:
            plain = plain.replace(word, " ")
        terms = words_in(self._concepts, self._spelling.canonical(plain))
        unsure = sum(not self._is_sure(*each) for each in reading.repairs)
        if (unsure or strange) and max(known, len(terms)) <= unsure:
            return False
        if strange:
            return bool(terms) or known >= BESIDE * len(strange)
        return not everyday or bool(terms) or any(sign.isdigit() for sign in plain)

    def _is_sure(self, typed: str, meant: str) -> bool:
        """Return whether a word was hardly meant otherwise: a small one, or a term that is near or sounds alike."""
        one, other = folded(typed), folded(meant)
        form = self._spelling.form(other)
        if form in self._small:
            return True
        alike = (
            errors_between(one, other) <= (2 if len(one) >= LONG else 1)
            or errors_between(self._spelling.form(one), form) < 2
            or self._repairs.sound_alike(one, other)
        )
        often = self._known[form] >= (FREQUENT if len(one) < LONG - 1 else SELDOM)
        return alike and (often or bool(words_in(self._concepts, form)))

    def _is_small(self, word: str) -> bool:
        return self._spelling.form(folded(word)) in self._small

    def _is_everyday(self, word: str) -> bool:
        """Return whether a word of a query is one of everyday language, which the book does not have."""
        form = self._spelling.form(folded(word))
        return form in self._plain and not self._known[form]

    def _in_book(self, word: str) -> bool:
        """Return whether a word of a query is in the texts, or most of it; of a run of kanji half of the pairs."""
        canonical = self._spelling.canonical(word)
        if canonical[:1].isdigit():
            return True
        synonyms = sum(end - start for _, start, end in words_in(self._concepts, canonical))
        if self._known[folded(word)] or self._known[self._spelling.form(folded(word))] or 2 * synonyms >= len(word):
            return True
        pairs = [piece for piece in self._spelling.pieces(word) if piece[0] == "b"]
        return is_kanji(word[0]) and sum(piece in self._in_index for piece in pairs) * 2 >= len(pairs)

    def near(self, query: str) -> tuple[str, ...]:
        """Return terms of the games that are spelt or sound like words of a query."""
        plain = self._spelling.plain(query)
        words = dict.fromkeys([*self._spelling.tokens(query), *map(folded, _CONTENT.findall(plain))])
        close = [
            known
            for word in words
            if len(word) > 1 and word not in self._small
            for known in get_close_matches(
                word, filter(self._is_term, self._repairs.alike(word)), 2, ALIKE[word.isascii()]
            )
        ]
        shown = {self._spelling.form(word): self._shown[word] for word in close if word in self._shown}.values()
        return tuple(word for word in shown if not self._foreign.search(word.lower()))

    def _is_term(self, word: str) -> bool:
        return any(self._spelling.canonical(word) == term for term, _ in self._concepts.get(word[:2], ()))

    def is_small(self, token: str) -> bool:
        """Return whether a token is a word of questions that is not what is looked for."""
        return token in self._small

    def _meant(self, typed: str) -> list[str] | None:
        """Return the words that an unknown one stands for: romaji, one typing error, two words written as one."""
        plain = folded(typed)
        form = self._spelling.form(plain)
        if len(typed) < 2 or self._is_known(typed):
            return None
        if is_latin(plain):
            kana = romaji(plain) if self._spelling.readings and len(plain) > 2 else None
            if kana and self._sounds_known(kana):
                return [kana]
        meant = self._repairs.meant(plain, form)
        return [self._shown.get(word, word).lower() for word in meant] or None

    def _game_names(self, names: Mapping[str, Iterable[str]], documents: Iterable[Text]) -> dict[str, tuple[str, bool]]:
        """Return the games by their names, and whether a name is a word of no other game's texts."""
        games: dict[str, list[str]] = {}
        for document in documents:
            if document.kind == "article":
                games.setdefault(document.game, []).append(self._spelling.canonical(document.text))
        spelt = {self._spelling.canonical(name): game for game, own in names.items() for name in own}
        return {
            name: (own, not any(_has(texts, name) for game, texts in games.items() if game != own))
            for name, own in spelt.items()
        }


def _naming(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of the names in a folded text, the longest first, written with or without dots."""
    spelt = {re.sub(r"[・\s]+", " ", folded_in_place(name)).strip() for name in names}
    patterns = []
    for name in sorted(spelt, key=lambda each: (-len(each), each)):
        written = r"[・\s]*".join(re.escape(sign) for sign in name if not sign.isspace())
        patterns.append(rf"(?<![a-z0-9]){written.removesuffix('s')}s?(?![a-z0-9])" if name.isascii() else written)
    return re.compile("|".join(patterns) or r"(?!)")


def _any_word(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of the words in a text in small letters, but not as a part of a longer one."""
    parts = sorted((re.escape(word.lower()) for word in words), key=len, reverse=True)
    return re.compile(rf"(?<![a-zァ-ヶー])(?:{'|'.join(parts)})(?![a-zァ-ヶー])" if parts else r"(?!)")


def _has(texts: Iterable[str], name: str) -> bool:
    return sum(name in text for text in texts) > 2
