"""What a summary on one sheet of paper holds of a game: the table of its scores and the articles people look for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from companion.games import GAMES
from companion.rulebook.book import article_url
from companion.rulebook.pages import Page, PageArticle, PageSection

_NEAR = re.compile(r'href="#([^"]+)"')


def essential_articles(page: Page) -> Iterator[PageArticle]:
    """The articles of a page that its summary holds, as far as they are played, in the order of the page."""
    chosen = GAMES[page.game].essentials.articles
    for article in page.articles():
        if article.played and article.anchor in chosen:
            yield replace(article, html=_led_out(article.html, page))


def score_section(page: Page) -> PageSection | None:
    """The section of a page whose beginning is the table of scores."""
    chosen = GAMES[page.game].essentials.scores
    found = next((section for section in page.sections if section.anchor == chosen), None)
    return found and replace(found, html=_led_out(found.html, page))


def _led_out(html: str, page: Page) -> str:
    """HTML whose links within the page lead to the page from elsewhere."""
    return _NEAR.sub(lambda link: f'href="{article_url(page.lang, f"{page.game}.{link[1]}")}"', html)
