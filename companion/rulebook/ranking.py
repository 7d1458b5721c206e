"""Weights of pieces learned from the phrases of a language: how likely each of some articles answers a query."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping
from math import exp, sqrt

STEPS = 12
"""How many steps of the file's whole numbers are one of the scores that are compared as exponents."""


class Ranking:
    """Weights by piece and document, read from the lines that `benchmarks.fit_ranking` writes.

    The first line names the documents; each other one a piece, a tab, and `number:weight` for documents of the first.
    Pieces and documents that are no longer there are left out. Not changed once made.
    """

    def __init__(self, lines: Iterable[str], places: Mapping[str, int], numbers: Mapping[str, int]) -> None:
        each = iter(lines)
        known = [places.get(name, -1) for name in next(each, "").split()]
        rows: dict[int, list[tuple[int, int]]] = {}
        for line in each:
            piece, _, entries = line.partition("\t")
            if piece in numbers:
                pairs = (tuple(map(int, entry.split(":"))) for entry in entries.split())
                rows[numbers[piece]] = [(known[one], weight) for one, weight in pairs if known[one] >= 0]
        self._numbers = numbers
        self._ranked = {place for place in known if place >= 0}
        self._starts = array("I", [0])
        self._places = array("H")
        self._weights = array("h")
        for number in range(len(numbers)):
            for place, weight in rows.get(number, ()):
                self._places.append(place)
                self._weights.append(weight)
            self._starts.append(len(self._places))

    def likely(self, weights: Mapping[str, float], among: Collection[int]) -> dict[int, float]:
        """Return for each of some documents how likely it is the one that a query with weighed pieces looks for.

        The likelihoods of articles add up to 1; that of other documents is left out.
        """
        scores = dict.fromkeys(self._ranked.intersection(among), 0.0)
        own = {self._numbers[piece]: weight for piece, weight in weights.items() if piece in self._numbers}
        length = STEPS * sqrt(sum(weight * weight for weight in own.values()))
        if not scores or not length:
            return {}
        for number, weight in own.items():
            share = weight / length
            for at in range(self._starts[number], self._starts[number + 1]):
                if (place := self._places[at]) in scores:
                    scores[place] += share * self._weights[at]
        best = max(scores.values())
        powers = {place: exp(score - best) for place, score in scores.items()}
        whole = sum(powers.values())
        return {place: power / whole for place, power in powers.items()}
