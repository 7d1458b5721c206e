"""Rule pages as objects: sections and articles in HTML, with a table's own numbers where its house rules are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Any

from markdown_it.token import Token

from companion.engine.articles import Article
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.book import article_url, load_book, words
from companion.rulebook.markup import draw_cards, fill, places, rulebook_markdown

_LEVELS = ("h1", "h2", "h3")
_TAGS = re.compile(r"<rp>.*?</rp>|<rt>.*?</rt>|<[^>]+>")


@dataclass(frozen=True, slots=True)
class PageArticle:
    """One article of a page; `source_label` says where it comes from, `numbers` are those of the rule digest."""

    id: str
    anchor: str
    title: str
    title_html: str
    html: str
    source: str
    source_label: str
    reference: str
    numbers: tuple[str, ...]
    played: bool
    url: str

    @property
    def text(self) -> str:
        """The body as plain text, without readings."""
        return plain_text(self.html)


@dataclass(frozen=True, slots=True)
class PageSection:
    """A part of a page: its head, what stands before the first article, the articles."""

    anchor: str
    title: str
    title_html: str
    html: str
    articles: tuple[PageArticle, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A rule page in one language, whole or as one table plays."""

    game: str
    lang: str
    title: str
    summary_html: str
    sections: tuple[PageSection, ...]

    def articles(self) -> Iterator[PageArticle]:
        """The articles in their order."""
        for section in self.sections:
            yield from section.articles

    def article(self, anchor: str) -> PageArticle | None:
        """The article with that anchor, if it is on the page."""
        return next((article for article in self.articles() if article.anchor == anchor), None)


def page(game: str, lang: str, rules: HouseRules[Any] | None = None) -> Page:
    """The rule page of a game. Raises KeyError where the game or its page does not exist.

    With house rules, articles that are not played are left out, and every number stands as this table plays it, marked
    `<b class="differs">` where it is not the preset's. Without, everything is there and `played` tells the default.
    """
    if rules is None:
        return _whole_page(game, lang)
    return _build(GAMES[game], lang, rules, whole=False)


def plain_text(html: str) -> str:
    """HTML of a page as plain text, without the readings of furigana."""
    return unescape(_TAGS.sub("", html)).strip()


@lru_cache(maxsize=64)
def _whole_page(game: str, lang: str) -> Page:
    return _build(GAMES[game], lang, GAMES[game].options.preset(), whole=True)


def _build(game: Game, lang: str, rules: HouseRules[Any], *, whole: bool) -> Page:
    parsed = _parsed(game.id, lang)
    values = _values(game, lang, rules)
    sections = []
    for head, blocks in parsed.sections:
        articles = [
            _article(game.articles[f"{game.id}.{block.anchor}"], block, lang, rules, values)
            for block in blocks
            if whole or game.articles[f"{game.id}.{block.anchor}"].played(rules.options)
        ]
        if articles or whole:
            body = fill(head.parts, values)
            sections.append(PageSection(head.anchor, plain_text(head.title), head.title, body, tuple(articles)))
    return Page(game.id, lang, plain_text(parsed.title), fill(parsed.summary, values), tuple(sections))


def _article(
    article: Article, block: _Block, lang: str, rules: HouseRules[Any], values: Mapping[str, str]
) -> PageArticle:
    return PageArticle(
        id=article.id,
        anchor=article.anchor,
        title=plain_text(block.title),
        title_html=block.title,
        html=fill(block.parts, values),
        source=article.source,
        source_label=words(article.id.partition(".")[0], lang).source_label(article),
        reference=article.reference,
        numbers=article.numbers,
        played=article.played(rules.options),
        url=article_url(lang, article.id),
    )


def _values(game: Game, lang: str, rules: HouseRules[Any]) -> dict[str, str]:
    """Every option's value in HTML, marked where it is not the preset's."""
    own, base = words(game.id, lang), game.options.plain(game.options.preset(rules.preset).options)
    values = {}
    for name, value in game.options.plain(rules.options).items():
        shown = draw_cards(own.option_bare(game.options.options[name], value))
        values[name] = shown if value == base[name] else f'<b class="differs">{shown}</b>'
    return values


@dataclass(frozen=True, slots=True)
class _Block:
    anchor: str
    title: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Parsed:
    title: str
    summary: tuple[str, ...]
    sections: tuple[tuple[_Block, tuple[_Block, ...]], ...]


@lru_cache(maxsize=64)
def _parsed(game: str, lang: str) -> _Parsed:
    source = load_book().sources[game, lang]
    if not source:
        raise KeyError(f"{game} has no page in {lang}")
    reader = rulebook_markdown()
    tokens = reader.parse(source)

    def render(some: list[Token]) -> str:
        return str(reader.renderer.render(some, reader.options, {}))

    starts = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.tag in _LEVELS]
    sections: list[tuple[_Block, list[_Block]]] = []
    title = ""
    summary: tuple[str, ...] = ("",)
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        head = render(tokens[start + 1 : start + 2])
        parts = places(render(tokens[start + 3 : end]))
        block = _Block(str(tokens[start].attrs.get("id", "")), head, parts)
        if tokens[start].tag == "h1":
            title, summary = head, parts
        elif tokens[start].tag == "h2":
            sections.append((block, []))
        else:
            sections[-1][1].append(block)
    return _Parsed(title, summary, tuple((head, tuple(blocks)) for head, blocks in sections))
