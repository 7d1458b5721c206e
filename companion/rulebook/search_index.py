"""An index of documents by pieces of their words: phrases weighed as wholes, bodies by what they cover of a query."""

from __future__ import annotations

import itertools
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nlargest
from math import log, sqrt

from companion.rulebook.repairs import Repairs
from companion.rulebook.spelling import ALTERNATIVE, Spelling, folded, folded_in_place, is_kanji, is_latin, romaji
from companion.rulebook.synonyms import concepts, words_in

COVERED = 1.5
"""What a document counts that covers all of a query, beside a phrase that equals it."""
IN_BODY = 0.45
"""What a piece in the body counts beside one in a phrase."""
RARELY = 0.6
"""In how many phrases a piece is that counts half."""
IN_BODY_COUNT = 0.4
"""How many phrases with a piece a body that has it stands for where its rarity is weighed."""
SEEN = 1.5
"""In how many phrases a piece is that counts half of its rarity: what is met once may be there by chance."""
CONCEPT = 1.4
PAIR = 0.6
"""What a group of synonyms counts, and two Latin words that follow each other but for small ones."""
APART = 0.3
"""How much more a document counts that has all that sets the best ones apart."""
COMPARED = 6
"""How many of the best are compared with each other."""
SMALL = 0.5
"""What a word of a question counts that is not what is looked for."""
STRANGE = 0.3
"""What a word of a query counts that the book does not have, beside the rarest that it has."""
CANDIDATES = 14
FEW = 240
"""How many documents that cover most of a query are compared with it phrase by phrase, and how many more, divided by
the pieces of the query: one word tells fewer documents apart than a sentence does."""
ENOUGH = 0.15
"""The share of a query that a document must cover to be an answer."""
_WRITTEN = re.compile(r"[A-Za-zÀ-ž]+|[ァ-ヶー・]{2,}|[一-鿿々]{2,}")
_TYPED = re.compile(r"[a-zà-ž]+|[ァ-ヶー・]{3,}")
_CONTENT = re.compile(r"[a-zà-ž]{2,}|[ァ-ヶー・]{2,}|[一-鿿々]{2,}")
"""What a query is about: not its hiragana, which is grammar more often than not."""
_LATIN = re.compile(r"[a-z]+")
_PARTICLE = re.compile(r"^(?:での|では|で|のとき|の|は|って|における)")


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

    @property
    def anchor(self) -> str:
        """The anchor of an article on its page."""
        return self.id.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Hit:
    """A document with its score; higher is better, 1 is a phrase that equals the query."""

    document: Document
    score: float
    covered: float
    """The share of the query that the document has."""


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


class Index:
    """Documents by the pieces of their phrases and bodies. Not changed once made."""

    def __init__(
        self,
        documents: Iterable[Document],
        groups: Iterable[Sequence[str]] = (),
        small: Iterable[str] = (),
        spelling: Spelling | None = None,
        names: Mapping[str, Iterable[str]] | None = None,
        foreign: Iterable[str] = (),
        plain: Iterable[str] = (),
    ) -> None:
        self.documents = tuple(documents)
        self.spelling = spelling or Spelling()
        self._small = {f"w{self.spelling.form(word)}" for word in small}
        self._concepts = concepts(groups, self.spelling)
        self._foreign = _any_word(foreign)
        self._phrase_documents = array("H")
        self._phrase_factors = array("f")
        phrases: list[dict[str, float]] = []
        bodies: list[set[str]] = []
        self._known: Counter[str] = Counter()
        self._shown: dict[str, str] = {}
        forms: dict[str, str] = {}
        for place, document in enumerate(self.documents):
            for text, factor in ((document.title, 1.0), *document.phrases):
                self._phrase_documents.append(place)
                self._phrase_factors.append(factor)
                phrases.append(self._pieces(text))
                self._learn(text, forms)
            bodies.append({piece for piece in self._pieces(document.text) if piece[0] != "p"})
            self._learn(document.text, forms)
        for group in groups:
            for word in group:
                self._learn(word, forms)
        self._plain = {self.spelling.form(folded(word)) for word in plain}
        self._known.update(dict.fromkeys(self._plain, 0))
        for piece in self._small:
            self._known[piece[1:]] = 0
        self._repairs = Repairs(self._known, self.spelling)
        self._weigh(phrases, bodies)
        self._names = self._game_names(names or {})
        self._naming = _naming(itertools.chain.from_iterable((names or {}).values()))

    def search(self, query: str, *, games: Iterable[str] = (), factors: Mapping[str, float] | None = None) -> list[Hit]:
        """Return the documents that answer a query, the best first; `factors` weigh documents by id."""
        return self.rank(self.read(query), games=games, factors=factors)

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

        text = _TYPED.sub(repair, self._kana_of(unicodedata.normalize("NFKC", query).lower()))
        named = self._naming.search(folded_in_place(text))
        if named and not self._in_term(named[0], text):
            game, strict = self._names[self.spelling.canonical(named[0])]
            rest = f"{text[: named.start()]} {_PARTICLE.sub('', text[named.end() :])}".strip()
            return Reading(rest if rest and strict else text, tuple(repairs), game, strict, rest)
        return Reading(text, tuple(repairs))

    def _in_term(self, name: str, text: str) -> bool:
        """Return whether a name is only a part of a longer term of the games in a text."""
        name, canonical = self.spelling.canonical(name), self.spelling.canonical(text)
        terms = (canonical[start:end] for _, start, end in words_in(self._concepts, canonical))
        return any(name in term and len(name) < len(term) for term in terms)

    def _kana_of(self, query: str) -> str:
        """Return a query in romaji as hiragana, without its spaces; another one as it is."""
        typed = _LATIN.findall(query)
        if not self.spelling.readings or not typed or all(self._is_known(word) for word in typed):
            return query
        kana = [romaji(word) for word in typed]
        if all(each and (len(each) == 1 or self._sounds_known(each)) for each in kana):
            return "".join(filter(None, kana))
        return query

    def _is_known(self, word: str) -> bool:
        plain = folded(word)
        return plain in self._known or self.spelling.form(plain) in self._known

    def _sounds_known(self, kana: str) -> bool:
        sounds = [piece for piece in self.spelling.pieces(kana) if piece[0] == "r"]
        return sum(piece in self._rarity for piece in sounds) >= 0.8 * len(sounds)

    def rank(
        self, reading: Reading, *, games: Iterable[str] = (), factors: Mapping[str, float] | None = None
    ) -> list[Hit]:
        """Return the documents that answer a query that was read, the best first; none if it is about other things."""
        wanted = {reading.game} if reading.strict else set(games)
        best = self._scores(reading.text, wanted, factors or {})
        if reading.game and reading.rest and not reading.strict and not wanted:
            for place, found in self._scores(reading.rest, {reading.game}, factors or {}).items():
                best[place] = max(found, best.get(place, found))
        order = sorted(best, key=lambda place: (-best[place][0], place))
        return [Hit(self.documents[place], *best[place]) for place in order]

    def answerable(self, query: str, reading: Reading) -> bool:
        """Return whether a query is about words of the book, and not about other matters."""
        if self._foreign.search(unicodedata.normalize("NFKC", query).lower()):
            return False
        plain = self.spelling.plain(reading.text)
        words = _CONTENT.findall(plain)
        about = [word for word in words if not self._is_small(word)]
        everyday = [word for word in about if self._is_everyday(word)]
        strange = [word for word in about if word not in everyday and not self._in_book(word)]
        known = len(about) - len(strange) - len(everyday)
        for word in strange:
            plain = plain.replace(word, " ")
        terms = words_in(self._concepts, self.spelling.canonical(plain))
        if not strange:
            return not everyday or bool(terms) or any(sign.isdigit() for sign in plain)
        return max(known, len(terms)) > len(reading.repairs) and bool(terms)

    def _is_small(self, word: str) -> bool:
        return f"w{self.spelling.form(folded(word))}" in self._small

    def _is_everyday(self, word: str) -> bool:
        """Return whether a word of a query is one of everyday language, which the book does not have."""
        form = self.spelling.form(folded(word))
        return form in self._plain and not self._known[form]

    def _in_book(self, word: str) -> bool:
        """Return whether a word of a query is in the texts, or most of it; of a run of kanji half of the pairs."""
        canonical = self.spelling.canonical(word)
        if canonical[:1].isdigit():
            return True
        synonyms = sum(end - start for _, start, end in words_in(self._concepts, canonical))
        if self._known[folded(word)] or self._known[self.spelling.form(folded(word))] or 2 * synonyms >= len(word):
            return True
        pairs = [piece for piece in self.spelling.pieces(word) if piece[0] == "b"]
        return is_kanji(word[0]) and sum(piece in self._rarity for piece in pairs) * 2 >= len(pairs)

    def _scores(self, text: str, games: set[str], factors: Mapping[str, float]) -> dict[int, tuple[float, float]]:
        """Return score and covered share of each document that has something of a text."""
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
            for place, share in zip(*self._in_documents.get(piece, ((), ())), strict=True):
                covered[place] += square * share
        least = ENOUGH * whole
        here = [place for place, cover in enumerate(covered) if cover >= least]
        if games:
            here = [place for place in here if self.documents[place].game in games]
        near = nlargest(CANDIDATES + FEW // len(known), here, key=covered.__getitem__)
        alike = dict(zip(near, self._alike(known, near), strict=True))
        found = {}
        for place in here:
            document, share = self.documents[place], min(covered[place] / whole, 1.0)
            score = (alike.get(place, 0.0) + COVERED * share) / (1 + COVERED) / (1 + APART)
            found[place] = score * factors.get(document.id, document.factor), share
        self._compare(found, counted)
        return found

    def _alike(self, known: Mapping[str, float], places: Iterable[int]) -> Iterator[float]:
        """Yield for each of some documents how much a query is like its best phrase: the cosine of their pieces."""
        length = sqrt(sum(weight * weight for weight in known.values()))
        squares = [0.0] * len(self._numbers)
        for piece, weight in known.items():
            if piece in self._numbers:
                squares[self._numbers[piece]] = weight * weight / length
        square_of = squares.__getitem__
        for place in places:
            yield max(sum(map(square_of, pieces)) * scale for pieces, scale in self._phrases[place])

    def _compare(self, found: dict[int, tuple[float, float]], counted: Mapping[str, float]) -> None:
        """Prefer among the best documents those that have what sets them apart: pieces that few of them have."""
        best = sorted(found, key=lambda place: -found[place][0])[:COMPARED]
        if len(best) < 2:
            return
        own = dict.fromkeys(best, 0.0)
        whole = 0.0
        for piece, weight in counted.items():
            places, shares = self._in_documents.get(piece, ((), ()))
            there = {place: share for place, share in zip(places, shares, strict=True) if place in own}
            rarity = weight * weight * (1 - sum(there.values()) / len(best))
            if there:
                whole += rarity
            for place, share in there.items():
                own[place] += rarity * share
        for place, covered in own.items():
            score, share = found[place]
            found[place] = score * (1 + APART * covered / whole) if whole else score, share

    def near(self, query: str, most: int = 5) -> tuple[str, ...]:
        """Return words of the book that are spelt or sound like those of a query."""
        plain = self.spelling.plain(query)
        words = dict.fromkeys([*self.spelling.tokens(query), *map(folded, _CONTENT.findall(plain))])
        close = [
            known
            for word in words
            if len(word) > 1 and f"w{word}" not in self._small
            for known in get_close_matches(word, self._repairs.alike(word), n=2, cutoff=0.6 if word.isascii() else 0.5)
        ]
        shown = dict.fromkeys(self._shown[known] for known in close)
        return tuple(word for word in shown if not self._foreign.search(word.lower()))[:most]

    def is_small(self, token: str) -> bool:
        """Return whether a token is a word of questions that is not what is looked for."""
        return f"w{token}" in self._small

    def fit(self, query: str, sentence: str) -> float:
        """Return how much of a query a sentence has, weighed by rarity, for its length."""
        wanted, there = self._pieces(query), self._pieces(sentence)
        shared = sum(self._weight(piece, base) ** 2 for piece, base in wanted.items() if piece in there)
        return shared / sqrt(8 + len(there))

    def spellings_beside(self, query: str) -> set[str]:
        """Return the words of every group of synonyms that a query has a word of."""
        found = {concept for concept, _, _ in words_in(self._concepts, self.spelling.canonical(query))}
        return {word for words in self._concepts.values() for word, concept in words if concept in found}

    def _pieces(self, text: str) -> dict[str, float]:
        """Return the pieces of a text, and a piece for each group of synonyms that it has a word of."""
        plain = self.spelling.plain(text)
        tokens = self.spelling.tokens(plain)
        pieces = self.spelling.pieces(plain, tokens)
        for piece in self._small & pieces.keys():
            pieces[piece] *= SMALL
        for concept, _, _ in words_in(self._concepts, " ".join(tokens), nested=True):
            pieces[concept] = CONCEPT
        about = [token for token in tokens if is_latin(token) and not self.is_small(token)]
        for pair in itertools.pairwise(about):
            pieces[f"p{' '.join(pair)}"] = PAIR
        return pieces

    def _counted(self, text: str, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the pieces of a query that an answer must have: for words with synonyms any of these."""
        canonical = self.spelling.canonical(self.spelling.plain(text))
        if len(canonical) == 1:
            return dict(weights)
        concepts, rest, last = [], [], 0
        for concept, start, end in words_in(self._concepts, canonical):
            concepts.append(concept)
            rest.append(canonical[last:start])
            last = end
        rest.append(canonical[last:])
        others = [piece for piece in self.spelling.pieces(" ".join(rest)) if piece[0] not in ALTERNATIVE]
        strange = self._rarest * STRANGE
        return {
            piece: weights.get(piece, strange) if piece in self._rarity else strange for piece in (*concepts, *others)
        }

    def _weigh(self, phrases: Sequence[Mapping[str, float]], bodies: Sequence[set[str]]) -> None:
        """Weigh the pieces by how few documents have them, and list where each is."""
        in_titles: list[Counter[str]] = [Counter() for _ in self.documents]
        for pieces, place in zip(phrases, self._phrase_documents, strict=True):
            in_titles[place].update(pieces.keys())
        counts: dict[str, list[float]] = {}
        for title, body in zip(in_titles, bodies, strict=True):
            for piece in title.keys() | body:
                counts.setdefault(piece, []).append(title[piece] + (IN_BODY_COUNT if piece in body else 0.0))
        count = len(self.documents)
        self._rarity = {piece: _told(own, count) for piece, own in counts.items()}
        self._rarest = log(1 + count)
        self._in_documents: dict[str, tuple[array[int], array[float]]] = {
            piece: (array("H"), array("f")) for piece in counts if piece[0] != "p"
        }
        for place, (title, body) in enumerate(zip(in_titles, bodies, strict=True)):
            for piece in title.keys() | body:
                if piece[0] == "p":
                    continue
                places, shares = self._in_documents[piece]
                often = title[piece] + (IN_BODY if piece in body else 0.0)
                places.append(place)
                shares.append(often / (often + RARELY))
        self._numbers: dict[str, int] = {}
        self._phrases: list[list[tuple[array[int], float]]] = [[] for _ in self.documents]
        rarity, numbers = self._rarity, self._numbers
        for pieces, factor, place in zip(phrases, self._phrase_factors, self._phrase_documents, strict=True):
            length = sqrt(sum((base * rarity[piece]) ** 2 for piece, base in pieces.items())) or 1.0
            own = array("H", [numbers.setdefault(piece, len(numbers)) for piece in pieces])
            self._phrases[place].append((own, factor / length))

    def _weight(self, piece: str, base: float) -> float:
        return base * self._rarity.get(piece, self._rarest)

    def _learn(self, text: str, forms: dict[str, str]) -> None:
        """Note the words of a text as known, and how they are written; `forms` are those of words met before."""
        for word in _WRITTEN.findall(unicodedata.normalize("NFKC", text)):
            form = forms.get(word)
            if form is None:
                form = forms[word] = self.spelling.form(folded(word))
            self._known[form] += 1
            self._shown.setdefault(form, word)

    def _meant(self, typed: str) -> list[str] | None:
        """Return the words that an unknown one stands for: romaji, one typing error, two words written as one."""
        plain = folded(typed)
        form = self.spelling.form(plain)
        if len(typed) < 3 or self._is_known(typed):
            return None
        if is_latin(plain):
            kana = romaji(plain) if self.spelling.readings else None
            if kana and self._sounds_known(kana):
                return [kana]
        meant = self._repairs.meant(plain, form)
        return [self._shown.get(word, word).lower() for word in meant] or None

    def _game_names(self, names: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, bool]]:
        """Return the games by their names, and whether a name is a word of no other game's texts."""
        games: dict[str, list[str]] = {}
        for document in self.documents:
            if document.kind == "article":
                games.setdefault(document.game, []).append(self.spelling.canonical(document.text))
        spelt = {self.spelling.canonical(name): game for game, own in names.items() for name in own}
        return {
            name: (own, not any(_has(texts, name) for game, texts in games.items() if game != own))
            for name, own in spelt.items()
        }


def _told(counts: Sequence[float], documents: int) -> float:
    """Return how much a piece tells of the document that is looked for, from how often each document has it."""
    whole = sum(counts)
    entropy = -sum(each / whole * log(each / whole) for each in counts)
    return (log(1 + documents) - entropy) * whole / (whole + SEEN)


def _naming(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of the names in a folded text, the longest first, written with or without dots."""
    spelt = {re.sub(r"[・\s]+", " ", folded_in_place(name)).strip() for name in names}
    patterns = []
    for name in sorted(spelt, key=len, reverse=True):
        written = r"[・\s]*".join(re.escape(sign) for sign in name if not sign.isspace())
        patterns.append(rf"(?<![a-z0-9]){written.removesuffix('s')}s?(?![a-z0-9])" if name.isascii() else written)
    return re.compile("|".join(patterns) or r"(?!)")


def _any_word(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of the words in a text in small letters, but not as a part of a longer one."""
    parts = sorted((re.escape(word.lower()) for word in words), key=len, reverse=True)
    return re.compile(rf"(?<![a-zァ-ヶー])(?:{'|'.join(parts)})(?![a-zァ-ヶー])" if parts else r"(?!)")


def _has(texts: Iterable[str], name: str) -> bool:
    return sum(name in text for text in texts) > 2
