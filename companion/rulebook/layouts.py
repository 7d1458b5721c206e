"""Other layouts of a rule page: a summary on one sheet of paper, and both languages side by side in leaves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from math import ceil

from companion.data import other_language
from companion.games import GAMES
from companion.rulebook.book import article_url
from companion.rulebook.pages import Page, PageArticle, PagePart, PageSection, page

LEAF_BYTES = 32_000
"""Bytes of HTML that a leaf holds at most, of both languages together; brotli makes a third of them."""
_NEAR = re.compile(r'href="#([^"]+)"')


@dataclass(frozen=True, slots=True)
class Leaf:
    """Consecutive sections of a part with their translations; `name` is the first one's anchor, none for the first."""

    name: str
    rows: tuple[tuple[PageSection, PageSection], ...]

    @property
    def anchors(self) -> frozenset[str]:
        """The anchors of every section and article on the leaf."""
        own = [section for section, _ in self.rows]
        return frozenset([s.anchor for s in own] + [article.anchor for s in own for article in s.articles])


@lru_cache(maxsize=64)
def leaves(game: str, lang: str, part: str) -> tuple[Leaf, ...]:
    """Return the leaves of a part, about equally long, cut alike in both languages. Raises KeyError for no part."""
    own, beside = (_part(game, each, part) for each in (lang, other_language(lang)))
    rows = list(zip(own.sections, beside.sections, strict=True))
    weights = [_weight(one) + _weight(other) for one, other in rows]
    weights[0] += len((own.lead_html + beside.lead_html).encode())
    count = min(len(rows), ceil(sum(weights) / LEAF_BYTES))

    def runs(cuts: Sequence[int]) -> list[tuple[int, int]]:
        return list(pairwise((0, *cuts, len(rows))))

    def heaviest(cuts: Sequence[int]) -> int:
        return max(sum(weights[first:after]) for first, after in runs(cuts))

    best = min(combinations(range(1, len(rows)), count - 1), key=heaviest)
    return tuple(Leaf(rows[first][0].anchor if first else "", tuple(rows[first:after])) for first, after in runs(best))


def essential_articles(whole: Page) -> Iterator[PageArticle]:
    """Yield the articles of a page that its one-page summary holds and that are played, in the order of the whole."""
    chosen = GAMES[whole.game].essentials.articles
    for article in whole.articles():
        if article.played and article.anchor in chosen:
            yield replace(article, html=_absolute_links(article.html, whole))


def score_section(whole: Page) -> PageSection | None:
    """Return the section of a page that begins with the table of scores; None if the game names none."""
    chosen = GAMES[whole.game].essentials.scores
    found = next((section for section in whole.sections if section.anchor == chosen), None)
    return found and replace(found, html=_absolute_links(found.html, whole))


def relink(html: str, address: Callable[[str], str]) -> str:
    """Return HTML whose links within the page lead to the addresses that a function returns for their anchors."""
    return _NEAR.sub(lambda link: f'href="{address(link[1])}"', html)


def _absolute_links(html: str, whole: Page) -> str:
    """Return HTML whose links within the page are addresses of the whole."""
    return relink(html, lambda anchor: article_url(whole.lang, f"{whole.game}.{anchor}"))


def _part(game: str, lang: str, name: str) -> PagePart:
    found = page(game, lang).part(name)
    if not found:
        raise KeyError(name)
    return found


def _weight(section: PageSection) -> int:
    texts = [section.html, *(article.title_html + article.html for article in section.articles)]
    return sum(len(text.encode()) for text in texts)
