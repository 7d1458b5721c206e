"""The search of the rulebook: what a query means, an index of documents, the sentence that answers."""

from __future__ import annotations

import itertools
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache, partial
from heapq import nlargest
from math import exp, hypot, log, sqrt
from operator import eq, gt, le, lt, mul, ne
from pathlib import Path
from typing import Any, NamedTuple

from companion.data import LANGUAGES, cached_on_disk, data_folder, other_language, read_toml
from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import columns
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.answers import KINDS, AnswersShape, Json
from companion.rulebook.markup import readings
from companion.rulebook.pages import (
    PageArticle,
    answer_text,
    book_text_of,
    page,
    page_article,
    plain_text,
    sentences,
    ways_playing,
)
from companion.rulebook.source import game_folder
from companion.rulebook.spelling import (
    ALTERNATIVE,
    Repairs,
    Spelling,
    Statement,
    Statements,
    any_name,
    any_word,
    concepts,
    folded,
    folded_in_place,
    is_japanese,
    is_kanji,
    is_latin,
    romaji,
    words_in,
)
from companion.rulebook.words import GUIDES, article_url, load_book, rules_url, say, words

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
_BESIDE = 2
"""How many words of the book make up for one that is strange, where none is a term."""
_ALIKE = {True: 0.75, False: 0.6}
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


@dataclass(frozen=True, slots=True)
class Lists:
    """Words that are no terms: small ones of questions, everyday ones, those of other matters; names of the games.

    `unanswered` are questions that nothing answers. `common` has words between line breaks that are never read as
    misspelt terms; `elsewhere` tells of words of other games what they are.
    """

    small: Iterable[str] = ()
    plain: Iterable[str] = ()
    foreign: Iterable[str] = ()
    unanswered: Iterable[str] = ()
    common: str = ""
    sentences: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Iterable[str]] = field(default_factory=dict)


class _Reader:
    """Reads queries with the words of a book. Not changed once made."""

    def __init__(
        self,
        texts: Iterable[str],
        documents: Iterable[Document],
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
        self._foreign = any_word(lists.foreign)
        self._common = lists.common
        self._elsewhere = [(any_word(words.split(", ")), text) for words, text in lists.elsewhere.items()]
        self._known: Counter[str] = Counter()
        self._shown: dict[str, str] = {}
        spelt: Counter[str] = Counter()
        names = (_JOINED.sub(" ", name) for own in lists.names.values() for name in own)
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
        for listed, count in ((lists.plain, PLAIN_COUNT), (lists.small, SMALL_COUNT)):
            for word in listed:
                spelt[folded(word)] = count
        self._repairs = Repairs(spelt, spelling)
        self._names = self._game_names(lists.names, documents)
        self._naming = any_name(itertools.chain.from_iterable(lists.names.values()))

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
        found = [name for name in self._naming.finditer(folded_in_place(text)) if not self._in_term(name[0], text)]
        if found:
            named = max(found, key=lambda name: self._names[self._spelling.canonical(name[0])][1])
            game, strict = self._names[self._spelling.canonical(named[0])]
            rest = f"{text[: named.start()]} {_PARTICLE.sub('', text[named.end() :])}".strip()
            return Reading(rest if rest and strict and len(found) == 1 else text, tuple(repairs), game, strict, rest)
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

    def elsewhere(self, query: str) -> tuple[str, ...]:
        """Return a word of another game in a query, and what it is; nothing without any."""
        plain = unicodedata.normalize("NFKC", query).lower()
        found = ((word.search(plain), text) for word, text in self._elsewhere)
        return next(((word[0], text) for word, text in found if word), ())

    def unknown(self, query: str, reading: Reading) -> tuple[tuple[str, ...], bool]:
        """Return the words of a query that the book does not have, and whether it is about the book all the same."""
        if foreign := self._foreign.search(unicodedata.normalize("NFKC", query).lower()):
            return (foreign[0],), False
        plain = self._spelling.plain(reading.rest or reading.text)
        about = [word for word in _CONTENT.findall(plain) if not self.is_small(word)]
        strange = [
            word for word in about if self._spelling.form(folded(word)) not in self._plain and not self._in_book(word)
        ]
        if sum(map(self._in_book, about)) >= _BESIDE * len(strange):
            return tuple(strange), True
        for word in strange:
            plain = plain.replace(word, " ")
        return tuple(strange), bool(words_in(self._concepts, self._spelling.canonical(plain)))

    def is_small(self, word: str) -> bool:
        """Return whether a word is one of questions that is not what is looked for."""
        return self._spelling.form(folded(word)) in self._small

    def _is_common(self, word: str) -> bool:
        return f"\n{word}\n" in self._common

    def _in_book(self, word: str) -> bool:
        """Return whether a word of a query is in the texts, or most of it; of a run of kanji half of the pairs."""
        canonical = self._spelling.canonical(word)
        if canonical[:1].isdigit():
            return True
        synonyms = sum(end - start for _, start, end in words_in(self._concepts, canonical))
        common, form = self._is_common(word), self._spelling.form(folded(word))
        if self._known[folded(word)] or self._known[form] or (1 if common else 2) * synonyms >= len(word):
            return True
        pairs = [piece for piece in self._spelling.pieces(word) if piece[0] == "b"]
        return not common and is_kanji(word[0]) and sum(piece in self._in_index for piece in pairs) * 2 >= len(pairs)

    def suggestions(self, query: str) -> tuple[str, ...]:
        """Return terms of the games that are spelt or sound like words of a query."""
        plain = self._spelling.plain(query)
        words = dict.fromkeys([*self._spelling.tokens(query), *map(folded, _CONTENT.findall(plain))])
        terms = self.terms()
        close = [
            known
            for word in words
            if len(word) > 1 and word not in self._small
            for known in get_close_matches(
                word,
                [each for each in self._repairs.alike(word) if self._spelling.canonical(each) in terms],
                2,
                _ALIKE[word.isascii()],
            )
        ]
        shown = {self._spelling.form(word): self._shown[word] for word in close if word in self._shown}.values()
        return tuple(word for word in shown if not self._foreign.search(word.lower()))

    def terms(self) -> set[str]:
        """Return the words of all groups of synonyms."""
        return {term for terms in self._concepts.values() for term, _ in terms}

    def _meant(self, typed: str) -> list[str] | None:
        """Return the words that an unknown one stands for: romaji, one typing error, two words written as one."""
        plain = folded(typed)
        form = self._spelling.form(plain)
        if len(plain) < 2 or self._is_known(typed) or self._is_common(typed):
            return None
        if is_latin(plain):
            kana = romaji(plain) if self._spelling.readings and len(plain) > 2 else None
            if kana and self._sounds_known(kana):
                return [kana]
        return [self._shown.get(word, word).lower() for word in self._repairs.meant(plain, form)] or None

    def _game_names(
        self, names: Mapping[str, Iterable[str]], documents: Iterable[Document]
    ) -> dict[str, tuple[str, bool]]:
        """Return the games by their names, and whether a name is a word of no other game's texts."""
        games: dict[str, list[str]] = {}
        for document in documents:
            if document.kind == "article":
                games.setdefault(document.game, []).append(self._spelling.canonical(document.text))
        spelt = {self._spelling.canonical(name): game for game, own in names.items() for name in own}
        return {
            name: (own, all(sum(name in text for text in texts) < 3 for game, texts in games.items() if game != own))
            for name, own in spelt.items()
        }


_COVERED = 1.0
"""What a document counts that covers all of a query, beside a phrase that equals it."""
_IN_BODY = 0.45
"""What a piece in the body counts beside one in a phrase."""
_RARELY = 1.0
"""In how many phrases a piece is that counts half."""
_SEEN = 1.5
"""In how many phrases a piece is that counts half of its rarity: what is met once may be there by chance."""
_CONCEPT = 1.4
"""What a group of synonyms counts."""
_APART = 0.5
"""How much more a document counts that has all that sets the best ones apart."""
_COMPARED = 6
"""How many of the best are compared with each other."""
_STRANGE = 2.0
"""What a word of a query counts that the book does not have; the rarest that it has counts three times as much."""
_CANDIDATES, _FEW = 20, 100
"""How many documents that cover most of a query are compared with it phrase by phrase and weighed by what is likely,
and how many more, divided by the pieces of the query: one word tells fewer documents apart."""
_LIKELY = 0.7
"""What the likelihood counts beside the score."""
_SMOOTH = 60
"""How many pieces of any document are added to each where it is counted how often it has a piece."""
NAMED = 1.15
"""How much more an answer of a game counts whose name may mean something else."""
_BY_CHANCE = 0.125
"""What is added to how often questions without an answer have a piece: they are few, and what they lack may be met."""
_ENOUGH = 0.15
"""The share of a query that a document must cover to be an answer."""


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: an article, an option explained by one, a term, a passage of a guide."""

    kind: str
    game: str
    id: str
    title: str
    text: str
    url: str
    phrases: tuple[tuple[str, float], ...] = ()
    """Words and questions that lead here, each with what it counts."""
    factor: float = 1.0
    """How much a hit here counts beside one in an article that everybody plays."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document with its score; higher is better, 1 is a phrase that equals the query."""

    document: Document
    score: float


@dataclass(frozen=True, slots=True)
class Claim:
    """What a yes-or-no question says to be so, by the articles and values of options that make it so.

    A condition is an article's anchor, or an option with a value as in short codes: `target=500`, `deck!=standard52`.
    `loss_limit<=#` compares the size of its number with the one asked about; also `=`, `<` and `>`.
    """

    game: str
    ask: Sequence[str]
    yes: Sequence[str] = ()
    no: Sequence[str] = ()
    silent: Sequence[str] = ()
    """Conditions under which neither word is said."""
    only: str = ""
    """The only word that is said: `yes` or `no`."""

    def holds(self, rules: object, number: int | None = None) -> bool | None:
        """Return whether the claim is true at a table, with the number asked about; None where it cannot be said."""
        options = GAMES[self.game].options
        names = {name for each in (*self.yes, *self.no, *self.silent) for name in self._options(each)}
        if not all(options.has_effect(name, rules) for name in names) or self._any(self.silent, rules, number):
            return None
        so = self._any(self.yes, rules, number) if self.yes else not self._any(self.no, rules, number)
        return so if self.only in ("", "yes" if so else "no") else None

    def articles(self) -> list[Article]:
        """Return the articles that the conditions are about."""
        game = GAMES[self.game]
        found: list[str] = []
        for condition in (*self.yes, *self.no):
            name, *value = _OPERATOR.split(condition)
            found += game.options.options[name].articles if value else [f"{game.id}.{name}"]
            found += [f"{game.id}.{game.options.otherwise[name]}"] if value and name in game.options.otherwise else []
        return [game.articles[id] for id in found]

    def _options(self, condition: str) -> Iterable[str]:
        name, *value = _OPERATOR.split(condition)
        if value:
            return [name]
        article = GAMES[self.game].articles[f"{self.game}.{name}"]
        return [*article.when, *article.unless]

    def _any(self, conditions: Iterable[str], rules: object, number: int | None) -> bool:
        return any(self._is_met(condition, rules, number) for condition in conditions)

    def _is_met(self, condition: str, rules: object, number: int | None) -> bool:
        game = GAMES[self.game]
        name, *value = _OPERATOR.split(condition)
        if not value:
            return game.articles[f"{game.id}.{name}"].played(rules)
        own, (sign, wanted) = getattr(rules, name), value
        if wanted != "#":
            return _COMPARISONS[sign](game.options.options[name].encode(own), wanted)
        return own is not None and number is not None and _COMPARISONS[sign](abs(own), number)


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<=": le, "<": lt, ">": gt}
_OPERATOR = re.compile("(!=|<=|[=<>])")


class Claims(NamedTuple):
    """Claims by what the questions that ask them are read as."""

    statements: Statements
    by_statement: Mapping[Statement, Sequence[Claim]]


class _Postings(NamedTuple):
    """The documents a piece is in, its share there, and where their `phrases` with it, in one array, end."""

    places: array[int]
    shares: array[float]
    ends: array[int]
    phrases: array[int]


class Index:
    """Documents by the pieces of their phrases and bodies. Not changed once made."""

    def __init__(
        self,
        documents: Iterable[Document],
        groups: Iterable[Sequence[str]] = (),
        spelling: Spelling | None = None,
        lists: Lists | None = None,
        claims: Claims | None = None,
    ) -> None:
        self.documents = tuple(documents)
        self.spelling = spelling or Spelling()
        self.claims = claims or Claims(Statements({}, self.spelling), {})
        lists = lists or Lists()
        self._sentences = lists.sentences
        self._concepts = concepts(groups, self.spelling)
        self._weigh()
        self._elsewhere = Counter(each for text in (*lists.foreign, *lists.unanswered) for each in self._pieces(text))
        texts = itertools.chain(
            *groups, *((each.title, *(phrase for phrase, _ in each.phrases), each.text) for each in self.documents)
        )
        self.reader = _Reader(
            texts, self.documents, lists, spelling=self.spelling, concepts=self._concepts, pieces=self._rarity
        )

    def rank(
        self, reading: Reading, *, games: Iterable[str] = (), factors: Mapping[str, float] | None = None
    ) -> list[Hit]:
        """Return the documents that answer a query, the best first; none if it is about other things.

        `factors` weigh documents by id.
        """
        wanted = {reading.game} if reading.strict else set(games)
        best = self._scores(reading.text, wanted, factors or {})
        if reading.game and reading.rest and not reading.strict and not wanted:
            named = self._scores(reading.rest, {reading.game}, factors or {})
            best = {place: score for place, score in best.items() if self.documents[place].game != reading.game}
            best |= {place: NAMED * score for place, score in named.items()}
        order = sorted(best, key=lambda place: (-best[place], place))
        return [Hit(self.documents[place], best[place]) for place in order]

    def _scores(self, text: str, games: set[str], factors: Mapping[str, float]) -> dict[int, float]:
        """Return the score of each document that has something of a text."""
        weights = {piece: self._weight(piece, base) for piece, base in self._pieces(text).items()}
        known = {piece: weight for piece, weight in weights.items() if piece in self._rarity}
        counted = self._counted(text, weights)
        counted = counted if counted.keys() & known.keys() else known
        whole = sum(weight * weight for weight in counted.values())
        if not known or not whole:
            return {}
        covered = [0.0] * len(self.documents)
        for piece, weight in counted.items():
            square = weight * weight
            for place, share in self._places(piece):
                covered[place] += square * share
        least = _ENOUGH * whole
        here = [place for place, cover in enumerate(covered) if cover >= least]
        if games:
            here = [at for at in here if self.documents[at].game in games or self.documents[at].kind == "help"]
        near = nlargest(_CANDIDATES + _FEW // len(known), here, key=covered.__getitem__)
        likely, alike = self._likely(known, near)
        found = {}
        for place in here:
            document, share = self.documents[place], min(covered[place] / whole, 1.0)
            score = (alike.get(place, 0.0) + _COVERED * share) / (1 + _COVERED) / (1 + _APART)
            found[place] = score * factors.get(document.id, document.factor)
        self._compare(found, counted)
        for place, likelihood in likely.items():
            document = self.documents[place]
            found[place] += _LIKELY * likelihood * factors.get(document.id, document.factor)
        return found

    def _likely(self, known: Mapping[str, float], places: Iterable[int]) -> tuple[dict[int, float], dict[int, float]]:
        """Return how likely each of some documents is meant, and how much a query is like its best phrase: a cosine."""
        scores = {place: log(_SMOOTH / (self._sizes[place] + _SMOOTH)) for place in places}
        common = [0.0] * len(self._scales)
        whole, length = sum(known.values()), hypot(*known.values())
        for piece, weight in known.items():
            square, start, own = weight * weight / length, 0, self._postings[piece]
            for place, share, end in zip(own.places, own.shares, own.ends, strict=True):
                if place in scores:
                    often = _RARELY * share / (1.0 - share)
                    scores[place] += weight / whole * log(1 + often / (self._smooth * self._usual[piece]))
                    for phrase in own.phrases[start:end]:
                        common[phrase] += square
                start = end
        powers = {place: exp(score) for place, score in scores.items()}
        whole = sum(powers.values())
        phrases = {place: slice(*self._firsts[place : place + 2]) for place in scores}
        alike = {place: max(map(mul, common[own], self._scales[own])) for place, own in phrases.items()}
        return {place: power / whole for place, power in powers.items()}, alike

    def _compare(self, found: dict[int, float], counted: Mapping[str, float]) -> None:
        """Prefer among the best documents those that have what sets them apart: pieces that few of them have."""
        own = dict.fromkeys(sorted(found, key=lambda place: -found[place])[:_COMPARED], 0.0)
        whole = 0.0
        for piece, weight in counted.items():
            there = {place: share for place, share in self._places(piece) if place in own}
            rarity = weight * weight * (1 - sum(there.values()) / _COMPARED)
            if there:
                whole += rarity
            for place, share in there.items():
                own[place] += rarity * share
        for place, covered in own.items():
            if whole:
                found[place] *= 1 + _APART * covered / whole

    def fit(self, query: str, sentence: str) -> float:
        """Return how much of a query a sentence has, weighed by rarity, for its length."""
        there = self._pieces(sentence)
        return self._in_common(self._pieces(query), there) / sqrt(8 + len(there))

    def share(self, text: str, other: str) -> float:
        """Return the share of a text that another one has, weighed by rarity."""
        wanted = self._pieces(text)
        return self._in_common(wanted, self._pieces(other)) / self._in_common(wanted, wanted)

    def _in_common(self, wanted: Mapping[str, float], there: Container[str]) -> float:
        return sum(self._weight(piece, base) ** 2 for piece, base in wanted.items() if piece in there)

    def unlike(self, query: str) -> float:
        """Return how much likelier a query is among questions without an answer than in phrases: a mean of logs."""
        pieces = self._pieces(query)
        there = (log((self._elsewhere[each] + _BY_CHANCE) / (self._usual.get(each, 0.0) + 0.5)) for each in pieces)
        return sum(there) / (len(pieces) or 1)

    def is_so(self, kind: str, text: str) -> bool:
        """Return whether a text is of a kind: a question for a number, a sentence with one, an aside."""
        return re.search(self._sentences.get(kind, "(?!)"), text) is not None

    def spellings_beside(self, query: str) -> set[str]:
        """Return the words of every group of synonyms that a query has a word of."""
        found = {concept for concept, _, _ in words_in(self._concepts, self.spelling.canonical(query))}
        return {word for words in self._concepts.values() for word, concept in words if concept in found}

    def _pieces(self, text: str) -> dict[str, float]:
        """Return the pieces of a text, and a piece for each group of synonyms that it has a word of."""
        plain = self.spelling.plain(text)
        tokens = self.spelling.tokens(plain)
        pieces = self.spelling.pieces(plain, tokens)
        for concept, _, _ in words_in(self._concepts, " ".join(tokens), nested=True):
            pieces[concept] = _CONCEPT
        return pieces

    def _counted(self, text: str, weights: Mapping[str, float]) -> Mapping[str, float]:
        """Return the pieces of a query that an answer must have: for words with synonyms any of these."""
        canonical = self.spelling.canonical(self.spelling.plain(text))
        concepts, rest, last = [], [], 0
        for concept, start, end in words_in(self._concepts, canonical):
            concepts.append(concept)
            rest.append(canonical[last:start])
            last = end
        rest.append(canonical[last:])
        others = [piece for piece in self.spelling.pieces(" ".join(rest)) if piece[0] not in ALTERNATIVE]
        return {piece: weights[piece] for piece in (*concepts, *others) if piece in weights}

    def _weigh(self) -> None:
        """Weigh the pieces by how few documents have them, and list where each is."""
        counts: dict[str, list[float]] = {}
        self._postings: dict[str, _Postings] = {}
        self._sizes = [0.0] * len(self.documents)
        self._firsts = array("I", (0,))
        phrases: list[tuple[dict[str, float], float]] = []
        for place, document in enumerate(self.documents):
            body = self._pieces(document.text)
            in_phrases: dict[str, list[int]] = {piece: [] for piece in body}
            for text, factor in ((document.title, 1.0), *document.phrases):
                phrases.append((self._pieces(text), factor))
                for piece in phrases[-1][0]:
                    in_phrases.setdefault(piece, []).append(len(phrases) - 1)
            self._firsts.append(len(phrases))
            for piece, numbers in in_phrases.items():
                often = len(numbers) + (_IN_BODY if piece in body else 0.0)
                counts.setdefault(piece, []).append(often)
                self._sizes[place] += often
                if (postings := self._postings.get(piece)) is None:
                    postings = self._postings[piece] = _Postings(array("H"), array("f"), array("I"), array("I"))
                postings.places.append(place)
                postings.shares.append(often / (often + _RARELY))
                postings.phrases.extend(numbers)
                postings.ends.append(len(postings.phrases))
        self._usual = {piece: sum(own) for piece, own in counts.items()}
        self._smooth = _SMOOTH / sum(self._sizes)
        self._rarity = {piece: _told(own, len(self.documents)) for piece, own in counts.items()}
        self._scales = array("f")
        for pieces, factor in phrases:
            length = hypot(*(base * self._rarity[piece] for piece, base in pieces.items())) or 1.0
            self._scales.append(factor / length)

    def _places(self, piece: str) -> Iterable[tuple[int, float]]:
        """Return the documents that have a piece, each with the share that it has there."""
        postings = self._postings.get(piece)
        return zip(postings.places, postings.shares, strict=True) if postings else ()

    def _weight(self, piece: str, base: float) -> float:
        return base * self._rarity.get(piece, _STRANGE)


def _told(counts: Sequence[float], documents: int) -> float:
    """Return how much a piece tells of the document that is looked for, from how often each document has it."""
    whole = sum(counts)
    return (whole * log((1 + documents) / whole) + sum(each * log(each) for each in counts)) / (whole + _SEEN)


QUERY_LIMIT = 100
"""Longer questions are cut here."""
_QUESTIONS, _NAMES = "questions.toml", "names.toml"
"""The files of a game with what people ask, by article; and with its `names`, `presets` in other words and `claims`."""
_KANA_END = re.compile("[ぁ-ん]*$")
COMMON_WORDS = "common-words.txt"
"""The file with frequent words of a language, which are never misspelt terms."""
_WEAK, _FAR = 0.45, 4
"""What the best hit scores where the book has an answer, and how many times better it may be than another one shown."""
_SURE, _UNLIKE = 2.35, 0.5
"""What the best hit scores for a question that is as much like those without an answer, and by what that changes."""
_ABSENT = 2.0
"""What divides the score of a rule that the table asked about does not play."""
_TWIN = 0.7
"""The share of a rule's title in that of another from which both say the same, each at other tables."""
_DECLARED = 1.3
"""What counts, among articles in force, the one that an option names for when another is not played."""
_VARIANT = 0.9
_OWN = 1.15
_OPTION = 0.5
_PRESET, _NAMED = 0.55, 2.5
_OTHER_LANGUAGE = 0.9
_SECTION = 0.8
"""What counts a hit in the help or an article that the default rules lack, in one that the table plays unlike these, in
an option, in a preset, by a preset's name, by the words of the other language, and by a title with its section's."""
_PRESET_ASIDE = 0.3
"""What counts a hit in a preset where its table, or something else about it, is asked about."""
_CLEARLY = 1.5
"""How much better another game must answer whose name is a word of the game asked for too, or a rule not played."""
_GUIDE = {"glossary": ("term", 0.55), "verdicts": ("guide", 0.85)}
"""The kind of what stands in a guide, and what a hit there counts: the rule itself comes before the word for it."""
_LESSON, _HELP = 0.4, 1.1
"""What counts a hit in a page for learners, which leads to the rules and comes after them, and one in the help where
no game is asked about."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought: how the query was read; hits, the best first; near words where nothing answers."""

    reading: Reading
    hits: tuple[Hit, ...] = ()
    total: int = 0
    """How many hits there are, of which these are the best."""
    near: tuple[str, ...] = ()
    widened: bool = False
    """Whether the scope that was asked for has no answer, and these are hits outside it."""
    unknown: tuple[str, ...] = ()
    """Words of the query that the book does not have: the hits are only what comes nearest."""
    tables: Mapping[str, HouseRules[object]] = field(default_factory=dict)
    """The house rules that the query is asked under, by game."""
    reply: Reply | None = None

    def played(self, document: Document) -> bool | None:
        """Return whether the book of the table has an article; None for a survey of other tables and what is none."""
        if document.kind != "article":
            return None
        article, rules = GAMES[document.game].articles[document.id], self.table(document.game).options
        return article.printed(rules) or (None if article.played(rules) else False)

    def table(self, game: str) -> HouseRules[object]:
        """Return the house rules that questions about a game are asked under."""
        return self.tables.get(game) or GAMES[game].options.preset()


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said before the hits: yes, no, or that a rule is not in force; and the article that tells what is."""

    yes: bool | None
    head: str
    article: str = ""
    text: str = ""


def search(
    lang: str,
    query: str,
    *,
    games: Iterable[str] = (),
    house: HouseRules[object] | None = None,
    kinds: Collection[str] = KINDS,
    limit: int = 50,
) -> Found:
    """Return what the rulebook of a language says about a query.

    `games` keeps to those, unless the query names another one or nothing there answers; `house` are the rules of the
    one game asked for: what they play comes first. Empty `kinds` are all. A query that the language has no sure answer
    to is looked up as one in the other language, if it is written in that.
    """
    tables = dict.fromkeys(games, house) if house else {}
    found = _found(lang, query, tuple(games), tables, kinds, limit)
    other = other_language(lang)
    if (found.hits and not found.unknown) or not query.strip() or is_japanese(query) is not bool(_readings(other)):
        return found
    translated = _found(other, query, tuple(games), tables, kinds, limit)
    own = {(each.kind, each.game, each.id): each for each in index(lang).documents}
    hits = ((hit, own.get((hit.document.kind, hit.document.game, hit.document.id))) for hit in translated.hits)
    known = tuple(replace(hit, document=document) for hit, document in hits if document)
    return replace(translated, hits=known, reply=None) if known else found


def _found(
    lang: str,
    query: str,
    wanted: tuple[str, ...],
    tables: Mapping[str, HouseRules[object]],
    kinds: Collection[str],
    limit: int,
) -> Found:
    known, query = index(lang), query[:QUERY_LIMIT]
    reading = known.reader.read(query)
    unknown, answerable = known.reader.unknown(query, reading)
    elsewhere = None
    if matter := known.reader.elsewhere(query):
        unknown, elsewhere = (*dict.fromkeys([matter[0], *unknown]),), Reply(None, matter[1], text=matter[1])
    if not answerable:
        return Found(reading, near=_suggestions(known, lang, query), unknown=unknown, reply=elsewhere)
    hits = _answers(known.rank(reading, games=wanted, factors=_factors(lang, reading, wanted, tables)), kinds)
    if wanted and reading.rest and not reading.strict and reading.game not in ("", *wanted):
        named = _answers(known.rank(Reading(reading.rest), games=[reading.game]), kinds)
        if named and (not hits or named[0].score > _CLEARLY * hits[0].score):
            hits, wanted = named, (reading.game,)
    widened = bool(wanted) and not any(hit.document.game for hit in hits)
    if widened:
        hits = _answers(known.rank(reading), kinds)
    if not hits:
        return Found(reading, near=_suggestions(known, lang, query), unknown=unknown, reply=elsewhere)
    least = max(_WEAK, _SURE + _UNLIKE * known.unlike(reading.rest or reading.text))
    unknown = unknown or (query,) * (hits[0].score < least)
    found = Found(
        reading, widened=widened and bool(hits[0].document.game), unknown=unknown, tables=tables, reply=elsewhere
    )
    if "article" in (kinds or KINDS) and not elsewhere:
        found, hits = _in_force(lang, query, found, hits, wanted)
    return replace(found, hits=hits[:limit], total=len(hits))


def _in_force(
    lang: str, query: str, found: Found, hits: tuple[Hit, ...], wanted: Sequence[str]
) -> tuple[Found, tuple[Hit, ...]]:
    """Return hits with what is in force first, and what is said before them."""
    known, score, top = index(lang), hits[0].score, hits[0].document
    absent = {hit for hit in hits if hit.document.game in found.tables and found.played(hit.document) is False}
    hits = tuple(sorted(hits, key=lambda hit: -hit.score / (_ABSENT if hit in absent else 1.0)))
    named = top.game if found.reading.strict else found.reading.game
    asks = len(query) < QUERY_LIMIT and known.claims.statements.asks(query)
    game, yes, article = top.game, None, ""
    if asks and (claimed := _claimed(known.claims, lang, found, set(wanted) or {named or top.game})):
        game, yes, article = claimed
    elif (game in found.tables or asks) and found.played(top) is False:
        article = instead(lang, top.id, GAMES[game].options.code(found.table(game)))
        near = {hit.document.id for hit in hits if score < _CLEARLY * hit.score} - {top.id}
        if article not in near and (game not in found.tables or (not asks and hits[0].document.id in near)):
            return found, hits
    else:
        return found, hits
    first = article or next((hit.document.id for hit in hits if found.played(hit.document)), "")
    ahead = [each for each in known.documents if each.kind == "article" and each.id in (first, top.id)]
    moved = tuple(Hit(document, score) for document in sorted(ahead, key=lambda document: document.id != first))
    rest = tuple(hit for hit in hits if hit.document not in ahead)
    if yes is None and article and known.share(top.title, moved[0].document.title) > _TWIN:
        return found, moved + rest
    way = "" if game in found.tables else words(game, lang).preset_label(found.table(game).preset)
    head = {True: "yes", False: "no", None: "absent"}[yes]
    said = say(lang, f"search.{head}", way=way, title=top.title, more=bool(article))
    return replace(found, reply=Reply(yes, said, article, said)), moved + rest


def _claimed(claims: Claims, lang: str, found: Found, games: Collection[str]) -> tuple[str, bool, str] | None:
    """Return the game, the answer and its article where a query is a claim that the options decide."""
    reading = found.reading
    for text, among in ((reading.text, games), (reading.rest, {reading.game}.intersection(games))):
        for statement, number in claims.statements.readings(text):
            for claim in claims.by_statement.get(statement, ()):
                house = found.table(claim.game)
                yes = claim.holds(house.options, number) if claim.game in among else None
                articles = claim.articles()
                named = next((each.id for each in articles if each.printed(house.options)), "")
                if not named and not (yes and claim.yes):
                    named = instead(lang, articles[0].id, GAMES[claim.game].options.code(house))
                if yes is not None and named:
                    return claim.game, yes, named
    return None


@lru_cache(maxsize=4096)
def instead(lang: str, name: str, code: str) -> str:
    """Return the article that tells what holds at a table in place of one that it does not play; empty if none does.

    It is declared for the article or for an option that keeps it out, or is the nearest to its title among the articles
    of these options.
    """
    game = GAMES[name.partition(".")[0]]
    rules, missing = game.options.decode(code).options, game.articles[name]
    if (declared := game.articles.instead.get(name)) and declared.played(rules):
        return declared.id
    failing = {option for option, values in missing.when.items() if getattr(rules, option) not in values}
    failing |= {option for option, values in missing.unless.items() if getattr(rules, option) in values}
    near = {id for option in failing & game.options.options.keys() for id in game.options.options[option].articles}
    near |= {each.id for each in game.articles if failing & (each.when.keys() | each.unless.keys())}
    weights = dict.fromkeys(near, 1.0)
    weights |= {
        f"{game.id}.{game.options.otherwise[option]}": _DECLARED for option in failing & game.options.otherwise.keys()
    }
    ranked = {
        hit.document.id: hit.score
        for hit in index(lang).rank(Reading(words(game.id, lang).title(name)), games=[game.id])
    }
    played = [each for each in weights if game.articles[each].printed(rules)]
    return max(sorted(played), key=lambda each: weights[each] * ranked.get(each, 0.0), default="")


def _suggestions(found: Index, lang: str, query: str) -> tuple[str, ...]:
    """Return words of the book that are near those of a query; the games, if none is; nothing for an empty query."""
    return found.reader.suggestions(query) or (tuple(words(game, lang).name for game in GAMES) if query.strip() else ())


def _answers(hits: Sequence[Hit], kinds: Collection[str]) -> tuple[Hit, ...]:
    """Return the hits of some kinds without those that the best leaves far behind."""
    good = [hit for hit in hits if hit.document.kind in (kinds or KINDS)]
    return tuple(hit for hit in good if hit.score * _FAR > good[0].score)


def asks_permission(lang: str, query: str) -> bool:
    """Return whether a question is about what somebody may do, which the referee judges for the cards at hand."""
    statements = index(lang).claims.statements
    return statements.asks(query) and statements.read(query).mood != "is"


@lru_cache(maxsize=4)
def index(lang: str) -> Index:
    """Return the index of a language, made at the first call and kept on the disk; not beside games from elsewhere."""
    if not GAMES.are_built_in():
        return _make_index(lang)
    return cached_on_disk(f"search-{lang}", _sources(), partial(_make_index, lang))


def _sources() -> list[Path]:
    """Return the files that an index is made of: all texts, and the code that decides what is made of them."""
    code = Path(__file__).parent.parent
    texts = [path for lang in LANGUAGES for path in data_folder(f"rules_{lang}").rglob("*.*") if path.suffix != ".png"]
    return sorted(texts + [path for name in ("engine", "games", "rulebook") for path in (code / name).rglob("*.py")])


def _make_index(lang: str) -> Index:
    known = _known(lang)
    spelling = Spelling(known.get("forms", {}), _readings(lang), tuple(known.get("filler", ())))
    path, elsewhere = data_folder(f"rules_{lang}") / COMMON_WORDS, known.get("elsewhere", {})
    common = [path.read_text(encoding="utf-8"), *", ".join(elsewhere).split(", "), ""]
    lists = Lists(
        names=_names(),
        common="\n".join(common),
        elsewhere=elsewhere,
        sentences=known.get("sentences", {}),
        **{name: known.get(name, ()) for name in ("small", "plain", "foreign", "unanswered")},
    )
    return Index(_documents(lang), known.get("groups", ()), spelling, lists, _claims(lang, spelling))


def _claims(lang: str, spelling: Spelling) -> Claims:
    """Return the claims of all games by what a question that asks them is read as."""
    statements = Statements(_known(lang).get("yes-no", {}), spelling)
    found: dict[Statement, list[Claim]] = {}
    for game in GAMES.values():
        for claim in claims_of(game, lang).values():
            for text in claim.ask:
                found.setdefault(statements.read(text), []).append(claim)
    return Claims(statements, found)


def claims_of(game: Game, lang: str = LANGUAGES[0]) -> dict[str, Claim]:
    """Return the claims of a game by name, in the words of a language; the first one has the conditions."""
    declared = _toml(game_folder(game, LANGUAGES[0]) / _NAMES).get("claims", {})
    asked = _toml(game_folder(game, lang) / _NAMES).get("claims", {})
    return {name: Claim(game.id, **(declared[name] | own)) for name, own in asked.items()}


def _documents(lang: str) -> Iterator[Document]:
    """Yield everything that can be found in a language."""
    yield from _articles(lang, _known(lang).get("leads", {}))
    yield from _presets(lang)
    yield from _options(lang)
    yield from _guides(lang)
    yield from _lessons(lang)
    yield from _choosers(lang)
    yield from _help(lang)


def _known(lang: str) -> dict[str, Any]:
    return _toml(data_folder(f"rules_{lang}") / "synonyms.toml")


def _readings(lang: str) -> dict[str, str]:
    """Return the readings of words: those that pages show, with the kana that end a word, and the others."""
    shown = {word: reading + _KANA_END.findall(word)[0] for word, reading in readings(lang).items() if reading}
    others: Mapping[str, str] = _toml(data_folder(f"rules_{lang}") / "readings.toml").get("readings", {})
    return {**shown, **others}


def asked_questions(game: Game, lang: str) -> Mapping[str, Sequence[str]]:
    """Return what people ask, by the anchor of the article that answers."""
    found: Mapping[str, Sequence[str]] = _toml(game_folder(game, lang) / _QUESTIONS).get("questions", {})
    return found


def _names() -> dict[str, list[str]]:
    """Return what each game is called in every language."""
    found = {}
    for game in GAMES.values():
        own = [name for lang in LANGUAGES for name in _toml(game_folder(game, lang) / _NAMES).get("names", ())]
        found[game.id] = [*dict.fromkeys([words(game.id, lang).name for lang in LANGUAGES] + own)]
    return found


def _factors(
    lang: str, reading: Reading, wanted: Sequence[str], tables: Mapping[str, HouseRules[object]]
) -> dict[str, float]:
    """Return what hits count at a table, or where a query asks about a preset."""
    found = index(lang)
    text = folded_in_place(reading.rest or reading.text)
    names = (each for each in _preset_names(lang) if each[0] in text and reading.game in ("", each[1]))
    name, named, preset = next((each for each in names if not wanted or each[1] in wanted), ("", "", ""))
    if name and not found.spelling.tokens(text.replace(name, " ")):
        return {preset: 1.0}
    factors = dict.fromkeys([preset, *(each for game in tables for each in GAMES[game].options.presets)], _PRESET_ASIDE)
    if not (wanted or reading.game):
        factors |= {each.id: _HELP for each in found.documents if each.kind == "help"}
    for game, house in (tables or ({named: GAMES[named].options.preset(preset)} if name else {})).items():
        usual = GAMES[game].options.preset().options
        for article in GAMES[game].articles:
            if article.printed(house.options):
                factors[article.id] = 1.0 if article.played(usual) else _OWN
            elif tables:
                factors[article.id] = _VARIANT**2
    return factors


@lru_cache(maxsize=4)
def _preset_names(lang: str) -> list[tuple[str, str, str]]:
    """Return what the presets but the default are called in any language, folded, with game and preset."""
    found = {
        folded_in_place(name): (document.game, document.id)
        for document in index(lang).documents
        if document.kind == "preset" and document.id != GAMES[document.game].options.preset().preset
        for name, _ in document.phrases[1:]
    }
    return sorted(((name, *own) for name, own in found.items()), key=lambda each: -len(each[0]))


_toml = lru_cache(maxsize=32)(read_toml)


def _articles(lang: str, leads: Mapping[str, Sequence[str]]) -> Iterator[Document]:
    for game in GAMES.values():
        if not load_book().sources[game.id, lang]:
            continue
        asked, usual = asked_questions(game, lang), game.options.preset()
        translated = words(game.id, other_language(lang))
        for section, articles in game.articles.sections.items():
            head = plain_text(book_text_of(game, lang, section, usual).title)
            for article in articles:
                filled = book_text_of(game, lang, article.anchor)
                title = plain_text(filled.title)
                phrases = [(phrase, 1.0) for phrase in (*leads.get(article.id, ()), *asked.get(article.anchor, ()))]
                phrases += [(translated.title(article.id), _OTHER_LANGUAGE), (f"{head} {title}", _SECTION)]
                factor = 1.0 if article.survey or article.played(usual.options) else _VARIANT
                text, url = answer_text(filled.html), article_url(lang, article.id)
                yield Document("article", game.id, article.id, title, text, url, tuple(phrases), factor)


def _options(lang: str) -> Iterator[Document]:
    other = other_language(lang)
    for game in GAMES.values():
        here, there = words(game.id, lang), words(game.id, other)
        for option in game.options.options.values():
            text = " ".join([here.option_help(option.name), *here.choices(option).values()])
            phrases = (
                (option.name.replace("_", " "), _OTHER_LANGUAGE), (there.option_label(option.name), _OTHER_LANGUAGE),
            )  # fmt: skip
            url, label = article_url(lang, option.article), here.option_label(option.name)
            yield Document("option", game.id, option.name, label, text, url, phrases, _OPTION)


def _presets(lang: str) -> Iterator[Document]:
    for game in GAMES.values():
        asked = {each: _toml(game_folder(game, each) / _NAMES).get("presets", {}) for each in LANGUAGES}
        known = {each: words(game.id, each) for each in (lang, *LANGUAGES)}
        for preset in game.options.presets:
            label, text = known[lang].preset_label(preset), known[lang].preset_help(preset)
            labels = (own.preset_label(preset) for own in known.values())
            names = (*labels, *(name for each in LANGUAGES for name in asked[each].get(preset, ())))
            phrases = tuple((phrase, _NAMED) for phrase in (f"{known[lang].name} {label}", *names))
            yield Document("preset", game.id, preset, label, text, rules_url(lang, game.id, preset), phrases, _PRESET)


def _guides(lang: str) -> Iterator[Document]:
    for name in GUIDES:
        if load_book().sources[name, lang]:
            kind, factor = _GUIDE[name]
            for article in page(name, lang).articles():
                yield Document(kind, "", article.id, article.title, article.text, article.url, (), factor)


def _lessons(lang: str) -> Iterator[Document]:
    from companion.rulebook.lessons import lesson_pages

    for lesson in lesson_pages(lang):
        url, asked = f"/{lang}/{lesson.path}", ((lesson.asked, 1.0),)
        yield Document("lesson", lesson.game, lesson.path, lesson.title, lesson.asked, url, asked, _LESSON)


def _choosers(lang: str) -> Iterator[Document]:
    """Yield the pages that ask how people play, for those who do not know what their way is called."""
    asked = tuple((phrase.strip(), 1.0) for phrase in re.split("[,、]", say(lang, "house-rules.which-asked")))
    lead = say(lang, "house-rules.which-lead")
    for game in GAMES.values():
        if game.chooser is not None:
            title, path = say(lang, "house-rules.which-title", game=words(game.id, lang).name), f"{game.id}/which"
            yield Document("lesson", game.id, path, title, lead, f"/{lang}/house-rules/{path}", asked)


def _help(lang: str) -> Iterator[Document]:
    for name, asked in _toml(data_folder(f"rules_{lang}") / "help.toml").items():
        text = answer_text(" ".join(asked["text"]).replace("**", ""))
        phrases = tuple((phrase, 1.0) for phrase in asked["phrases"])
        yield Document("help", "", name, asked["title"], text, f"/{lang}/help#{name}", phrases, _VARIANT)


_SHORTEST = 180
"""Columns that an answer fills at least where its article goes on; a character of full width takes two."""
_MOST = 260
_FIRST = 1.4
"""How much better another sentence must fit than the first, which states the rule that the title names."""
_KINDS_ASKED = ("number", "who", "when")
_OF_KIND, _NOT_OF_KIND, _ASIDE = 1.4, 0.6, 0.4
"""How much better a sentence fits that is of the kind asked for, one that is not, and an aside."""
_FIGURE = re.compile(r"<figure>.*?</figure>|<table>.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr>\s*(<td.*?)</tr>", re.DOTALL)
_LIST = re.compile(r"(?=<[uo]l>)|(?<=</[uo]l>)")
_BETWEEN_ITEMS = " · "
_WORDS = re.compile(r"[A-Za-zÀ-ž]+|[0-9]+|[♠♥♦♣]|[ァ-ヶー・]+|[ぁ-ん一-鿿々]+")
_BETWEEN_WORDS = "はがをにのへもでと"
"""Hiragana between words, which belongs to neither; what katakana writes is a word."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """A hit with the sentences that answer, the places of the query's words in them, and where to read on."""

    hit: Hit
    text: str
    marks: tuple[tuple[int, int], ...]
    url: str
    played: bool | None
    """Whether the table asked about plays the article, without one the usual rules; None for what is no article."""
    instead: str = ""
    """The article that tells what holds where this one is not played."""
    way: str = ""
    """Where no table was asked about, the presets that play an article which the usual rules do not."""

    def parts(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in parts, each with whether it is marked."""
        at = 0
        for start, end in self.marks:
            if start > at:
                yield self.text[at:start], False
            yield self.text[start:end], True
            at = end
        if at < len(self.text):
            yield self.text[at:], False


def answers(found: Found, lang: str) -> Iterator[SearchAnswer]:
    """Yield the hits of a search with their answers, those of a table where one was asked about."""
    known = index(lang)
    for hit in found.hits:
        document, played = hit.document, found.played(hit.document)
        asked = document.game in found.tables and document.kind == "article"
        code = GAMES[document.game].options.code(found.tables[document.game]) if asked else ""
        shown = _article(lang, document.game, document.id, code) if document.kind == "article" else None
        html = shown.html if shown else ""
        if shown and asked:
            document = replace(document, title=shown.title)
        gap = say(lang, "site.sentence-gap")
        parts = list(_parts(html, gap)) or [_Part(part) for part in _sentences(document.text, gap)]
        chosen = _chosen(known, found.reading, document.title, parts, gap)
        url = (
            f"{rules_url(lang, document.game, code)}#{document.id.partition('.')[2]}" if code and html else document.url
        )
        other = way = ""
        if played is False:
            game = GAMES[document.game]
            other = instead(lang, document.id, code or game.options.code(found.table(game.id)))
            way = "" if code else ways_playing(game, lang, game.articles[document.id])[0] or say(lang, "rules.option")
        marked = tuple(marks(known, found.reading, chosen))
        yield SearchAnswer(replace(hit, document=document), chosen, marked, url, played, other, way)


def found_answer(found: Found, given: Iterable[SearchAnswer], lang: str) -> Json:
    """Return a search's outcome as JSON: results with the sentence that answers, how the query was read, near words."""
    given, reply = tuple(given), found.reply
    if reply and reply.article and given:
        title, text = given[0].hit.document.title, given[0].text
        reply = replace(reply, text=say(lang, "search.answer", head=reply.head, title=title, text=text))
    return s.write(AnswersShape, replace(found, reply=reply), given)


def marks(known: Index, reading: Reading, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of a query's words in a text, in order: other forms of a word too, and its synonyms."""
    wanted = {token for token in known.spelling.tokens(reading.text) if not known.reader.is_small(token)}
    runs = [token for token in wanted if not is_latin(token) and not token.isdigit()]
    synonyms = known.spellings_beside(reading.text)
    found: list[tuple[int, int]] = []
    plain = folded_in_place(text)
    for word in _WORDS.finditer(text):
        run = plain[word.start() : word.end()]
        if is_latin(run) or run.isdigit() or run in "♠♥♦♣":
            if known.spelling.form(run) in wanted | synonyms:
                found.append(word.span())
        else:
            found += [(word.start() + at, word.start() + end) for at, end in _shared(word[0], runs, synonyms)]
    yield from _joined(found)


def _shared(written: str, wanted: list[str], synonyms: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a run of Japanese that are in the query, or are synonyms, without particles."""
    run, at = folded_in_place(written), 0
    while at < len(run):
        for end in range(len(run), at, -1):
            part = run[at:end]
            kanji = any(map(is_kanji, part))
            if part.replace("・", "") in synonyms:
                yield from _without_particles(written[at:end], at) if kanji else [(at, end)]
            elif len(part) > (1 if kanji else 3) and any(part in token for token in wanted):
                yield from (each for each in _without_particles(written[at:end], at) if not _cut_off(run, *each))
            else:
                continue
            at = end
            break
        else:
            at += 1


def _cut_off(run: str, at: int, end: int) -> bool:
    """Return whether a part of a run is one kanji of a longer word: the 札 of 手札."""
    return end - at == 1 and any(map(is_kanji, run[max(at - 1, 0) : at] + run[end : end + 1]))


def _without_particles(part: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield where a part that begins there is without the particles around it, if anything is left of it."""
    end = at + len(part.rstrip(_BETWEEN_WORDS))
    at += len(part) - len(part.lstrip(_BETWEEN_WORDS))
    if at < end:
        yield at, end


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


class _Part(NamedTuple):
    """A sentence of an article, or an item of a list or a row of a table in it."""

    text: str
    listed: bool = False


def _parts(html: str, gap: str) -> Iterator[_Part]:
    """Yield what an article says to answer questions, without its figures; rows of tables last."""
    for block in _LIST.split(_FIGURE.sub("", html)):
        listed = block.startswith(("<ul", "<ol"))
        for item in block.split("</li>") if listed else [block]:
            yield from (_Part(sentence, listed) for sentence in _sentences(answer_text(item), gap))
    for row in _ROW.findall(html):
        first, *others = (answer_text(cell) for cell in row.split("</td>")[:-1])
        yield _Part(f"{first}: {', '.join(others)}", listed=True)


def _sentences(text: str, gap: str) -> Iterator[str]:
    """Yield the sentences of a text, each with the brackets within it or after it."""
    whole = ""
    for part in sentences(" ".join(text.split())):
        if whole and part[0] not in "(（" and whole.count("（") == whole.count("）"):
            yield whole
            whole = ""
        whole = f"{whole}{gap if whole else ''}{part}"
    if whole:
        yield whole


def _chosen(known: Index, reading: Reading, title: str, parts: Sequence[_Part], gap: str) -> str:
    """Return the part of a titled article that answers a query best, and what follows while that is short.

    A sentence of the kind that is asked for comes first, an aside last. A list follows what introduces it. An item or
    a sentence that points back is shown with what is before it, any other with the first, which states the rule.
    """
    if not parts:
        return ""
    kind = next((kind for kind in _KINDS_ASKED if known.is_so(f"asks-{kind}", reading.text)), "")
    fit = [known.fit(reading.text, part.text) for part in parts]
    fit[0] = first = _FIRST * max(fit[0], known.fit(reading.text, f"{title} {parts[0].text}"))
    for at, part in enumerate(parts):
        if kind:
            fit[at] = fit[at] * _OF_KIND + first / 5 if known.is_so(kind, part.text) else fit[at] * _NOT_OF_KIND
        if known.is_so("aside", part.text):
            fit[at] *= _ASIDE
    at = fit.index(max(fit))
    listed = parts[at].listed
    near = range(at)[::-1] if listed or known.is_so("back", parts[at].text) else range(at)[:1]
    before = next((place for place in near if not (listed and parts[place].listed)), at)
    tried = list[tuple[bool, bool, bool, int, str]]()
    for shown in [*range(at + 1)], [*range(before, at + 1)], sorted({before, at}), [at]:
        for place in range(at + 1, len(parts)):
            chosen, longer = (columns(_joined_parts(parts, run, gap)) for run in (shown, [*shown, place]))
            stray = known.is_so("aside", parts[place].text) and fit[place] < _ASIDE * fit[at] / 2
            if longer > _MOST or stray or (chosen >= _SHORTEST and not parts[place].listed):
                break
            shown.append(place)
        goes_on = parts[shown[-1]].listed and any(part.listed for part in parts[shown[-1] + 1 :][:1])
        text = _joined_parts(parts, shown, gap)
        tried.append((columns(text) > _MOST, len(tried) > 2, goes_on, len(tried), f"{_cut(text)}{' …' * goes_on}"))
    return min(tried)[-1]


def _joined_parts(parts: Sequence[_Part], places: Iterable[int], gap: str) -> str:
    """Return some parts as one text, with a mark where some between them are left out."""
    text, last = "", -1
    for place in places:
        left_out = place > last + 1 and not parts[place].listed
        between = " … " if left_out else _BETWEEN_ITEMS if parts[place].listed and parts[last].listed else gap
        text, last = f"{text}{between if text else ''}{parts[place].text}", place
    return text


def _cut(text: str) -> str:
    """Return a text, or as much of it as is shown."""
    while columns(text) > _MOST:
        text = f"{text[:-2]}…"
    return text


@lru_cache(maxsize=1024)
def _article(lang: str, game_id: str, name: str, code: str) -> PageArticle | None:
    """Return an article as the rules of a code play it, as the book has it without a code; None where there is none."""
    game = GAMES[game_id]
    house, article = game.options.decode(code) if code else None, game.articles[name]
    if house and not article.printed(house.options):
        return None
    return page_article(game, lang, article, house)[1]
