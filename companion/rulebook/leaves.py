"""Both languages beside each other, in leaves: runs of sections that are small enough to be sent at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import ceil

from companion.data import other_language
from companion.rulebook.pages import PagePart, PageSection, page

MOST = 32_000
"""Bytes of text, markup and all, that a leaf holds of both languages together; brotli makes a third of them."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """Consecutive sections of a part with their translations; `name` is the first one's anchor, none for the first."""

    name: str
    rows: tuple[tuple[PageSection, PageSection], ...]

    @property
    def anchors(self) -> frozenset[str]:
        """Every section and article that stands on the leaf."""
        own = [section for section, _ in self.rows]
        return frozenset([s.anchor for s in own] + [article.anchor for s in own for article in s.articles])


@lru_cache(maxsize=64)
def leaves(game: str, lang: str, part: str) -> tuple[Leaf, ...]:
    """The leaves of a part of a game, about equally long, cut alike in both languages. Raises KeyError for no part."""
    own, beside = (_part(game, each, part) for each in (lang, other_language(lang)))
    rows = list(zip(own.sections, beside.sections, strict=True))
    weights = [_weight(one) + _weight(other) for one, other in rows]
    weights[0] += len((own.lead_html + beside.lead_html).encode())
    count = min(len(rows), ceil(sum(weights) / MOST))

    def runs(cuts: Sequence[int]) -> list[tuple[int, int]]:
        return list(pairwise((0, *cuts, len(rows))))

    def heaviest(cuts: Sequence[int]) -> int:
        return max(sum(weights[first:after]) for first, after in runs(cuts))

    best = min(combinations(range(1, len(rows)), count - 1), key=heaviest)
    return tuple(Leaf(rows[first][0].anchor if first else "", tuple(rows[first:after])) for first, after in runs(best))


def _part(game: str, lang: str, name: str) -> PagePart:
    found = page(game, lang).part(name)
    if not found:
        raise KeyError(name)
    return found


def _weight(section: PageSection) -> int:
    texts = [section.html, *(article.title_html + article.html for article in section.articles)]
    return sum(len(text.encode()) for text in texts)
