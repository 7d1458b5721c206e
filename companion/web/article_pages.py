"""A page for each article of the book, for those who look for one answer; the game's page has them all."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from flask import redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.rulebook.book import article_url
from companion.rulebook.pages import PageArticle, page
from companion.web.discovery import article_path
from companion.web.navigation import NavLink, part_path
from companion.web.page_cache import QUICK, CachedPage, cache_page, serve

WHOLE = "whole"
"""In the query of an article's address: to where it stands on the page of its game."""
_NEAR = re.compile(r'href="#([^"]+)"')


def show_place(lang: str, game_id: str, anchor: str) -> BaseResponse:
    """Return the page of an article; for a section or a retired article, the way to where it stands."""
    if (request.query_string and WHOLE in request.args) or page(game_id, lang).article(anchor) is None:
        return redirect(article_url(lang, f"{game_id}.{anchor}"))
    return serve(_cached_article(lang, game_id, anchor))


@lru_cache(maxsize=256)
def _cached_article(lang: str, game_id: str, anchor: str) -> CachedPage:
    whole = page(game_id, lang)
    articles = list(whole.articles())
    place = next(number for number, each in enumerate(articles) if each.anchor == anchor)

    def links(*places: int) -> list[NavLink]:
        near = [articles[each] for each in places if 0 <= each < len(articles)]
        return [NavLink(each.title, f"/{lang}/{article_path(each)}") for each in near]

    html = render_template(
        "book/article.html", page=whole, article=_alone(articles[place], lang, game_id), before=links(place - 1),
        after=links(place + 1), section=next(each for each in whole.sections if articles[place] in each.articles),
        base=f"/{lang}/{part_path(game_id, '')}", path=article_path(articles[place]),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


def _alone(article: PageArticle, lang: str, game_id: str) -> PageArticle:
    """Return an article whose links to places near it are addresses of these."""
    base = f"/{lang}/{part_path(game_id, '')}"
    return replace(article, html=_NEAR.sub(lambda link: f'href="{base}/{link[1]}"', article.html))
