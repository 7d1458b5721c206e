"""Pages of the book as objects: parts, sections and articles in HTML, with a table's own numbers where it has some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from typing import Any

from markdown_it.token import Token

from companion.engine.articles import Article
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.book import article_url, load_book, words
from companion.rulebook.conditions import holds, keep_played
from companion.rulebook.markup import draw_cards, fill, option_names, places, rulebook_markdown

_LEVELS = ("h1", "h2", "h3")
_TAGS = re.compile(r"<rp>.*?</rp>|<rt>.*?</rt>|<[^>]+>")
_FOREIGN = re.compile(r"\A\s*(?P<label><p>[^<:\uff1a]+[:\uff1a]\s*)(?P<word>[^</]+?)(?= / |</p>)")
"""The word of the other language at the head of a term of the glossary."""
_LINK = re.compile(r'<a href="(?P<page>[a-z-]*)#(?P<anchor>[a-z0-9-]+)">(?P<words>.*?)</a>')


@dataclass(frozen=True, slots=True)
class PageArticle:
    """One article of a page; `source_label` says where it comes from, `numbers` are those of the rule digest."""

    id: str
    anchor: str
    title: str
    title_html: str
    html: str
    url: str
    source: str = "seed"
    source_label: str = ""
    reference: str = ""
    numbers: tuple[str, ...] = ()
    played: bool = True
    differs: bool = False
    """True where this table plays the article otherwise than the preset that it started from."""
    retired: tuple[str, ...] = ()
    """Anchors that lead here since their own articles retired."""

    @property
    def text(self) -> str:
        """The body as plain text, without readings."""
        return plain_text(self.html)


@dataclass(frozen=True, slots=True)
class PageSection:
    """A section of a page: its head, what stands before the first article, the articles."""

    anchor: str
    title: str
    title_html: str
    html: str
    articles: tuple[PageArticle, ...]


@dataclass(frozen=True, slots=True)
class PagePart:
    """What is read at one address: its name in the address (none for the first part), title, lead, sections."""

    name: str
    title: str
    lead_html: str
    sections: tuple[PageSection, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A rule page or a guide in one language, whole or as one table plays."""

    game: str
    lang: str
    parts: tuple[PagePart, ...]

    @property
    def title(self) -> str:
        """The title of the whole page."""
        return self.parts[0].title

    @property
    def summary_html(self) -> str:
        """The thirty-second summary."""
        return self.parts[0].lead_html

    @property
    def sections(self) -> tuple[PageSection, ...]:
        """The sections of all parts."""
        return tuple(section for part in self.parts for section in part.sections)

    def articles(self) -> Iterator[PageArticle]:
        """The articles in their order."""
        for section in self.sections:
            yield from section.articles

    def article(self, anchor: str) -> PageArticle | None:
        """The article with that anchor, if it is on the page."""
        return next((article for article in self.articles() if article.anchor == anchor), None)

    def part(self, name: str) -> PagePart | None:
        """The part of that name; the first has none."""
        return next((part for part in self.parts if part.name == name), None)

    def joined(self) -> PagePart:
        """All parts as one, for a table that plays only some of each."""
        first = self.parts[0]
        return PagePart("", first.title, first.lead_html, self.sections)


def page(game: str, lang: str, rules: HouseRules[Any] | None = None) -> Page:
    """The page of a game, or a guide by its name. Raises KeyError where it does not exist.

    With house rules, articles that are not played are left out, and every number stands as this table plays it, marked
    `<b class="differs">` where it is not the preset's. Without, everything is there and `played` tells the default.
    """
    if rules is None:
        return _whole_page(game, lang)
    return _table_page(GAMES[game], lang, rules)


def plain_text(html: str) -> str:
    """HTML of a page as plain text, without the readings of furigana and the marks where a word may be parted."""
    return unescape(_TAGS.sub("", html)).replace("\xad", "").strip()


@lru_cache(maxsize=64)
def _whole_page(name: str, lang: str) -> Page:
    game = GAMES.get(name)
    show = partial(_guide_article, name, lang)
    values: Mapping[str, str] = {}
    held: Callable[[str], bool] = {}.__contains__
    if game:
        house = game.options.preset()
        values, show = _values(game, lang, house), partial(_article, game, lang, house)
        held = partial(holds, game, house, True)
    parsed = _parsed(name, lang)
    here = {block.anchor: part.head.anchor for part in parsed for block in part.blocks()}
    built = []
    for part in parsed:
        near = {anchor for anchor, where in here.items() if where == part.head.anchor}
        finish = partial(_finish, page=name, lang=lang, values=values, near=near, held=held)
        built.append(_part(part, show, finish))
    return Page(name, lang, tuple(built))


def _table_page(game: Game, lang: str, rules: HouseRules[Any]) -> Page:
    parsed = [_played(part, game, rules) for part in _parsed(game.id, lang)]
    near = {block.anchor for part in parsed for block in part.blocks()}
    held = partial(holds, game, rules, False)
    finish = partial(_finish, page=game.id, lang=lang, values=_values(game, lang, rules), near=near, held=held)
    return Page(game.id, lang, tuple(_part(part, partial(_article, game, lang, rules), finish) for part in parsed))


def _part(part: _Part, show: Callable[..., PageArticle], finish: Callable[[Sequence[str]], str]) -> PagePart:
    sections = tuple(
        PageSection(
            head.anchor, plain_text(head.title), head.title, finish(head.parts),
            tuple(show(block, finish(block.parts)) for block in blocks),
        )
        for head, blocks in part.sections
    )  # fmt: skip
    return PagePart(part.head.anchor, plain_text(part.head.title), finish(part.head.parts), sections)


def _played(part: _Part, game: Game, rules: HouseRules[Any]) -> _Part:
    """A part with the articles that a table plays, and the sections that have some."""
    kept = []
    for head, blocks in part.sections:
        played = tuple(b for b in blocks if game.articles[f"{game.id}.{b.anchor}"].played(rules.options))
        if played:
            kept.append((head, played))
    return _Part(part.head, tuple(kept))


def _article(game: Game, lang: str, rules: HouseRules[Any], block: _Block, html: str) -> PageArticle:
    article = game.articles[f"{game.id}.{block.anchor}"]
    return PageArticle(
        id=article.id,
        anchor=article.anchor,
        title=plain_text(block.title),
        title_html=block.title,
        html=html,
        url=article_url(lang, article.id),
        source=article.source,
        source_label=words(game.id, lang).source_label(article),
        reference=article.reference,
        numbers=article.numbers,
        played=article.played(rules.options),
        differs=_differs(game, article, rules, option_names(block.parts)),
        retired=tuple(old.partition(".")[2] for old, new in game.articles.retired.items() if new == article.id),
    )


def _differs(game: Game, article: Article, rules: HouseRules[Any], shown: Sequence[str]) -> bool:
    base = game.options.preset(rules.preset).options
    changed = {option.name for option, _, _ in game.options.differences(base, rules.options)}
    return article.played(rules.options) and (not article.played(base) or not changed.isdisjoint(shown))


def _guide_article(page: str, lang: str, block: _Block, html: str) -> PageArticle:
    name = f"{page}.{block.anchor}"
    if page == "glossary":
        html = _FOREIGN.sub(rf'\g<label><span lang="{"en" if lang == "ja" else "ja"}">\g<word></span>', html, count=1)
    return PageArticle(name, block.anchor, plain_text(block.title), block.title, html, article_url(lang, name))


def _finish(
    parts: Sequence[str],
    *,
    page: str,
    lang: str,
    values: Mapping[str, str],
    near: set[str],
    held: Callable[[str], bool],
) -> str:
    """Parted HTML with the values of options put in, its links leading to where the articles stand."""

    def lead(link: re.Match[str]) -> str:
        target, anchor = link["page"] or page, link["anchor"]
        if target == page and anchor in near:
            return link[0] if not link["page"] else f'<a href="#{anchor}">{link["words"]}</a>'
        if f"{target}.{anchor}" not in load_book().places:
            return link["words"]
        return f'<a href="{article_url(lang, f"{target}.{anchor}")}">{link["words"]}</a>'

    return _LINK.sub(lead, keep_played(fill(parts, values), held))


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
class _Part:
    head: _Block
    sections: tuple[tuple[_Block, tuple[_Block, ...]], ...]

    def blocks(self) -> Iterator[_Block]:
        """Everything with an anchor but the part itself."""
        for head, blocks in self.sections:
            yield head
            yield from blocks


@lru_cache(maxsize=64)
def _parsed(name: str, lang: str) -> tuple[_Part, ...]:
    source = load_book().sources.get((name, lang))
    if not source:
        raise KeyError(f"{name} has no page in {lang}")
    reader = rulebook_markdown()
    tokens = reader.parse(source)

    def render(some: list[Token]) -> str:
        return str(reader.renderer.render(some, reader.options, {}))

    starts = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.tag in _LEVELS]
    found: list[tuple[_Block, list[tuple[_Block, list[_Block]]]]] = []
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        head = render(tokens[start + 1 : start + 2])
        parts = places(render(tokens[start + 3 : end]))
        block = _Block(str(tokens[start].attrs.get("id", "")), head, parts)
        if tokens[start].tag == "h1":
            found.append((block, []))
        elif tokens[start].tag == "h2":
            found[-1][1].append((block, []))
        else:
            found[-1][1][-1][1].append(block)
    return tuple(_Part(part, tuple((head, tuple(blocks)) for head, blocks in sections)) for part, sections in found)
