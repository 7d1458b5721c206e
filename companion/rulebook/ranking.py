"""How likely each article answers a query, by what its pieces mean: learned from the phrases of a language."""

from __future__ import annotations

from array import array
from base64 import b64decode
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from math import exp, sqrt
from operator import mul

WARMTH = 1.5
"""By what the scores of articles are divided before they are compared as exponents: more makes them more alike."""


class Ranking:
    """Vectors of pieces and articles, read from the lines that `benchmarks.fit_ranking` writes.

    The first line is how many numbers a vector has, how many articles follow, and what one step is in their vectors.
    Each other line is an article or a piece, a tab, and its numbers in steps as bytes in base64. An article has one
    number more, which it counts for any query; the length of a query's vector counts nothing. Articles that are no
    longer there are left out. Not changed once made.
    """

    def __init__(self, lines: Iterable[str], places: Mapping[str, int]) -> None:
        each = iter(lines)
        size, articles, step = next(each, "0 0 1").split()
        self._size, unit = int(size), float(step)
        self._articles: dict[int, array[float]] = {}
        for name, steps in map(_row, islice(each, int(articles))):
            if name in places:
                self._articles[places[name]] = array("f", (unit * step for step in steps))
        self._rows: dict[str, int] = {}
        self._pieces = array("b")
        for piece, steps in map(_row, each):
            self._rows[piece] = len(self._pieces)
            self._pieces.extend(steps)

    def likely(self, weights: Mapping[str, float], among: Collection[int]) -> dict[int, float]:
        """Return for each of some documents how likely it is the one that a query with weighed pieces looks for.

        The likelihoods of articles add up to 1; that of other documents is left out.
        """
        meaning = [0.0] * self._size
        for piece, weight in weights.items():
            if (at := self._rows.get(piece)) is not None:
                steps = self._pieces[at : at + self._size]
                meaning = [before + weight * step for before, step in zip(meaning, steps, strict=True)]
        length = sqrt(sum(map(mul, meaning, meaning)))
        if not length:
            return {}
        meaning = [*(part / length for part in meaning), 1.0]
        scores = {place: sum(map(mul, self._articles[place], meaning)) for place in self._articles.keys() & set(among)}
        best = max(scores.values(), default=0.0)
        powers = {place: exp((score - best) / WARMTH) for place, score in scores.items()}
        whole = sum(powers.values())
        return {place: power / whole for place, power in powers.items()}


def _row(line: str) -> tuple[str, array[int]]:
    name, _, steps = line.partition("\t")
    return name, array("b", b64decode(steps))
