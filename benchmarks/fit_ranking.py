"""Fits how articles are ranked to the phrases of a language: `python -m benchmarks.fit_ranking [ja|en]`.

A softmax regression on the pieces of the phrases, each with its article, and of the articles' texts. The largest
weights are written to `rules_<language>/ranking.tsv`, which `companion.rulebook.ranking` reads. Needs numpy and scipy,
which nothing else needs: install them beside the project. It takes about a minute for each language.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from companion.data import LANGUAGES, data_folder
from companion.rulebook.ranking import STEPS
from companion.rulebook.search import RANKING, documents, index_of
from companion.rulebook.search_index import Document, Index

numpy, sparse = import_module("numpy"), import_module("scipy.sparse")

ROUNDS = 40
RATE = 0.5
DECAY = 1e-5
BODY = 2.0
"""How many phrases the text of an article counts for."""
KEPT = 60_000
"""How many weights are written for a language."""


class Examples(NamedTuple):
    """Texts by their pieces, the number of the article that each belongs to, and what it counts."""

    pieces: Sequence[dict[str, float]]
    articles: Sequence[int]
    counts: Sequence[float]


def main(words: list[str]) -> None:
    """Write the weights of each language."""
    for lang in [word for word in words if word in LANGUAGES] or LANGUAGES:
        index = index_of(lang, documents(lang))
        articles = [document for document in index.documents if document.kind == "article"]
        lines = "\n".join(fitted(index, articles))
        (data_folder(f"rules_{lang}") / RANKING).write_text(f"{lines}\n", encoding="utf-8")
        print(f"{lang}: {len(lines) // 1000} kB")


def fitted(index: Index, articles: Sequence[Document]) -> list[str]:
    """Return the lines of the file: the articles, then the largest weights of each piece."""
    examples = [
        (index.weighed(text), number, 1.0)
        for number, article in enumerate(articles)
        for text in (article.title, *(phrase for phrase, _ in article.phrases))
    ]
    pieces = sorted({piece for own, _, _ in examples for piece in own})
    examples += [(index.weighed(article.text), number, BODY) for number, article in enumerate(articles)]
    weights = regression(Examples(*zip(*examples, strict=True)), pieces, len(articles))
    weights -= numpy.median(weights, axis=1, keepdims=True)
    least = numpy.sort(numpy.abs(weights).ravel())[-KEPT]
    steps = numpy.where(numpy.abs(weights) >= least, numpy.round(weights * STEPS), 0).astype(int)
    lines = [" ".join(article.id for article in articles)]
    for piece, row in zip(pieces, steps, strict=True):
        if entries := " ".join(f"{number}:{row[number]}" for number in numpy.flatnonzero(row)):
            lines.append(f"{piece}\t{entries}")
    return lines


def regression(examples: Examples, pieces: Sequence[str], articles: int):  # type: ignore[no-untyped-def]
    """Return the weights of a softmax regression, a row for each piece and a column for each article."""
    numbers = {piece: number for number, piece in enumerate(pieces)}
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    for own in examples.pieces:
        known = {numbers[piece]: weight for piece, weight in own.items() if piece in numbers}
        length = sum(weight * weight for weight in known.values()) ** 0.5 or 1.0
        values += [weight / length for weight in known.values()]
        columns.extend(known)
        ends.append(len(columns))
    given = sparse.csr_matrix((numpy.array(values, "f"), columns, ends), shape=(len(ends) - 1, len(pieces)))
    turned, right = given.T.tocsr(), numpy.array(examples.articles)
    counts, rows = numpy.array(examples.counts, "f")[:, None], numpy.arange(len(right))
    weights = numpy.zeros((len(pieces), articles), "f")
    mean, square = numpy.zeros_like(weights), numpy.zeros_like(weights)
    for step in range(1, ROUNDS + 1):
        scores = given @ weights
        likely = numpy.exp(scores - scores.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        likely[rows, right] -= 1
        slope = turned @ (likely * counts) / len(right) + DECAY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        rate = RATE if step < 0.6 * ROUNDS else 0.3 * RATE
        weights -= rate * (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.99**step)) + 1e-7)
    return weights


if __name__ == "__main__":
    main(sys.argv[1:])
