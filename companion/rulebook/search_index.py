"""An index of documents by pieces of their words: phrases weighed as wholes, bodies by what they cover of a query."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import exp, log, sqrt

from companion.rulebook.search_reading import Lists, Reader, Reading
from companion.rulebook.spelling import ALTERNATIVE, Spelling, is_latin
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
CANDIDATES, CLOSEST, FEW = 16, 9, 100
"""How many documents that cover most of a query are weighed by what is likely, how many of these are compared with it
phrase by phrase, and how many more, divided by the pieces of the query: one word tells fewer documents apart."""
LIKELY = 0.3
"""What the likelihood counts beside the score."""
SMOOTH = 60
"""How many pieces of any document are added to each where it is counted how often it has a piece."""
NAMED = 1.15
"""How much more an answer of a game counts whose name may mean something else."""
ENOUGH = 0.15
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

    @property
    def anchor(self) -> str:
        """The anchor of an article on its page."""
        return self.id.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Hit:
    """A document with its score; higher is better, 1 is a phrase that equals the query."""

    document: Document
    score: float


class Index:
    """Documents by the pieces of their phrases and bodies. Not changed once made."""

    def __init__(
        self,
        documents: Iterable[Document],
        groups: Iterable[Sequence[str]] = (),
        spelling: Spelling | None = None,
        lists: Lists | None = None,
    ) -> None:
        self.documents = tuple(documents)
        self.spelling = spelling or Spelling()
        lists = lists or Lists()
        self._small = {f"w{self.spelling.form(word)}" for word in lists.small}
        self._concepts = concepts(groups, self.spelling)
        self._phrase_documents = array("H")
        self._phrase_factors = array("f")
        phrases: list[dict[str, float]] = []
        bodies: list[set[str]] = []
        for place, document in enumerate(self.documents):
            for text, factor in ((document.title, 1.0), *document.phrases):
                self._phrase_documents.append(place)
                self._phrase_factors.append(factor)
                phrases.append(self._pieces(text))
            bodies.append({piece for piece in self._pieces(document.text) if piece[0] != "p"})
        self._weigh(phrases, bodies)
        texts = itertools.chain(
            *groups, *((each.title, *(phrase for phrase, _ in each.phrases), each.text) for each in self.documents)
        )
        self.reader = Reader(
            texts, self.documents, lists, spelling=self.spelling, concepts=self._concepts, pieces=self._rarity
        )

    def rank(
        self, reading: Reading, *, games: Iterable[str] = (), factors: Mapping[str, float] | None = None
    ) -> list[Hit]:
        """Return the documents that answer a query, the best first; none if it is about other things.

        `factors` weigh documents by id.
        """
        wanted = {reading.game} if reading.strict else set(games)
        if reading.game and reading.rest and not reading.strict and not wanted:
            every = self._scores(reading.text, set(), factors or {}, FEW // 2)
            best = {place: found for place, found in every.items() if self.documents[place].game != reading.game}
            for place, score in self._scores(reading.rest, {reading.game}, factors or {}, FEW // 2).items():
                best[place] = NAMED * score
        else:
            best = self._scores(reading.text, wanted, factors or {})
        order = sorted(best, key=lambda place: (-best[place], place))
        return [Hit(self.documents[place], best[place]) for place in order]

    def _scores(self, text: str, games: set[str], factors: Mapping[str, float], few: int = FEW) -> dict[int, float]:
        """Return the score of each document that has something of a text; about `few` are compared."""
        weights = self.weighed(text)
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
        near = nlargest(CANDIDATES + few // len(known), here, key=covered.__getitem__)
        likely = self._likely(known, near)
        closest = nlargest(CLOSEST + few // len(known), near, lambda place: covered[place] / whole + likely[place])
        alike = dict(zip(closest, self._alike(known, closest), strict=True))
        found = {}
        for place in here:
            document, share = self.documents[place], min(covered[place] / whole, 1.0)
            score = (alike.get(place, 0.0) + COVERED * share) / (1 + COVERED) / (1 + APART)
            found[place] = score * factors.get(document.id, document.factor)
        self._compare(found, counted)
        for place, likelihood in likely.items():
            document = self.documents[place]
            found[place] += LIKELY * likelihood * factors.get(document.id, document.factor)
        return found

    def _likely(self, known: Mapping[str, float], places: Iterable[int]) -> dict[int, float]:
        """Return how likely each of some documents is the one looked for, by how often it has each piece of a query."""
        scores = {place: log(SMOOTH / (self._sizes[place] + SMOOTH)) for place in places}
        length, whole = sum(known.values()), sum(self._sizes)
        for piece, weight in known.items():
            there, shares = self._in_documents.get(piece, ((), ()))
            counts = {place: _often(share) for place, share in zip(there, shares, strict=True)}
            usual = sum(counts.values()) / whole
            for place in scores.keys() & counts.keys():
                scores[place] += weight / length * log(1 + counts[place] / (SMOOTH * usual))
        powers = {place: exp(score) for place, score in scores.items()}
        return {place: power / sum(powers.values()) for place, power in powers.items()}

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

    def _compare(self, found: dict[int, float], counted: Mapping[str, float]) -> None:
        """Prefer among the best documents those that have what sets them apart: pieces that few of them have."""
        best = sorted(found, key=lambda place: -found[place])[:COMPARED]
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
            if whole:
                found[place] *= 1 + APART * covered / whole

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
        about = [token for token in tokens if is_latin(token) and f"w{token}" not in self._small]
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
        self._sizes = [0.0] * count
        for places, shares in self._in_documents.values():
            for place, share in zip(places, shares, strict=True):
                self._sizes[place] += _often(share)
        self._numbers: dict[str, int] = {}
        self._phrases: list[list[tuple[array[int], float]]] = [[] for _ in self.documents]
        rarity, numbers = self._rarity, self._numbers
        for pieces, factor, place in zip(phrases, self._phrase_factors, self._phrase_documents, strict=True):
            length = sqrt(sum((base * rarity[piece]) ** 2 for piece, base in pieces.items())) or 1.0
            own = array("H", [numbers.setdefault(piece, len(numbers)) for piece in pieces])
            self._phrases[place].append((own, factor / length))

    def weighed(self, text: str) -> dict[str, float]:
        """Return the pieces of a text with their weights."""
        return {piece: self._weight(piece, base) for piece, base in self._pieces(text).items()}

    def _weight(self, piece: str, base: float) -> float:
        return base * self._rarity.get(piece, self._rarest)


def _often(share: float) -> float:
    """Return how often a document has a piece that has this share in it."""
    return RARELY * share / (1.0 - share)


def _told(counts: Sequence[float], documents: int) -> float:
    """Return how much a piece tells of the document that is looked for, from how often each document has it."""
    whole = sum(counts)
    entropy = -sum(each / whole * log(each / whole) for each in counts)
    return (log(1 + documents) - entropy) * whole / (whole + SEEN)
