"""Pages of the book as objects: parts, sections and articles in HTML, with a table's own numbers where it has some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape

from jinja2 import Environment, StrictUndefined, Template

from companion.data import other_language
from companion.engine.articles import Article
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.book import article_url, load_book, words
from companion.rulebook.markup import differing, inline_html, to_html
from companion.rulebook.messages import mentioned
from companion.rulebook.source import pieces

_HEAD = re.compile(r"(?:^\{#(?P<anchor>[a-z0-9-]+)[^}\n]*\}\s+)?^(?P<level>#{1,3}) +(?P<title>.+)$", re.MULTILINE)
_ALONE = re.compile(r"^[ \t]*(\{%[^%\n]*%\})[ \t]*\n", re.MULTILINE)
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


def page(game: str, lang: str, rules: HouseRules[object] | None = None) -> Page:
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


def page_template(source: str) -> Template:
    """Return the Markdown of a page as a Jinja template, in which `{#` begins an anchor and not a comment.

    A tag on a line of its own leaves no line behind, so items of lists and rows of tables can be conditional. A name
    that is not given when the template is rendered raises jinja2.UndefinedError.
    """
    known = Environment(
        autoescape=False,  # noqa: S701  Markdown, escaped when it becomes HTML
        comment_start_string="{##",
        comment_end_string="##}",
        undefined=StrictUndefined,
    )
    return known.from_string(_ALONE.sub(r"\1", source))


@lru_cache(maxsize=64)
def _whole_page(name: str, lang: str) -> Page:
    game = GAMES.get(name)
    show = partial(_guide_article, name, lang)
    facts: Mapping[str, object] = {}
    if game:
        house = game.options.preset()
        show, facts = partial(_article, game, lang, house), _facts(game, lang, house, book=True)
    parsed = _parsed(name, lang, facts)
    here = {block.anchor: part.head.anchor for part in parsed for block in part.blocks()}
    built = []
    for part in parsed:
        near = {anchor for anchor, where in here.items() if where == part.head.anchor}
        built.append(_part(part, show, partial(_finish, page=name, lang=lang, near=near)))
    return Page(name, lang, tuple(built))


def _table_page(game: Game, lang: str, rules: HouseRules[object]) -> Page:
    parsed = [_played(part, game, rules) for part in _parsed(game.id, lang, _facts(game, lang, rules, book=False))]
    near = {block.anchor for part in parsed for block in part.blocks()}
    finish = partial(_finish, page=game.id, lang=lang, near=near)
    return Page(game.id, lang, tuple(_part(part, partial(_article, game, lang, rules), finish) for part in parsed))


def _part(part: _Part, show: Callable[..., PageArticle], finish: Callable[[str], str]) -> PagePart:
    sections = tuple(
        PageSection(
            head.anchor, plain_text(head.title), head.title, finish(head.html),
            tuple(show(block, finish(block.html)) for block in blocks),
        )
        for head, blocks in part.sections
    )  # fmt: skip
    return PagePart(part.head.anchor, plain_text(part.head.title), finish(part.head.html), sections)


def _played(part: _Part, game: Game, rules: HouseRules[object]) -> _Part:
    """A part with the articles that a table plays, and the sections that have some."""
    kept = []
    for head, blocks in part.sections:
        played = tuple(b for b in blocks if game.articles[f"{game.id}.{b.anchor}"].played(rules.options))
        if played:
            kept.append((head, played))
    return _Part(part.head, tuple(kept))


def _article(game: Game, lang: str, rules: HouseRules[object], block: _Block, html: str) -> PageArticle:
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
        differs=_differs(game, article, rules, _shown(game.id, lang)[article.anchor]),
        retired=tuple(old.partition(".")[2] for old, new in game.articles.retired.items() if new == article.id),
    )


def _differs(game: Game, article: Article, rules: HouseRules[object], shown: frozenset[str]) -> bool:
    base = game.options.preset(rules.preset).options
    changed = {option.name for option, _, _ in game.options.differences(base, rules.options)}
    return article.played(rules.options) and (not article.played(base) or not changed.isdisjoint(shown))


def _guide_article(page: str, lang: str, block: _Block, html: str) -> PageArticle:
    name = f"{page}.{block.anchor}"
    if page == "glossary":
        html = _FOREIGN.sub(rf'\g<label><span lang="{other_language(lang)}">\g<word></span>', html, count=1)
    return PageArticle(name, block.anchor, plain_text(block.title), block.title, html, article_url(lang, name))


def _finish(html: str, *, page: str, lang: str, near: set[str]) -> str:
    """HTML whose links lead to where the articles are; those that this book does not have become plain words."""

    def lead(link: re.Match[str]) -> str:
        target, anchor = link["page"] or page, link["anchor"]
        if target == page and anchor in near:
            return link[0] if not link["page"] else f'<a href="#{anchor}">{link["words"]}</a>'
        if f"{target}.{anchor}" not in load_book().places:
            return link["words"]
        return f'<a href="{article_url(lang, f"{target}.{anchor}")}">{link["words"]}</a>'

    return _LINK.sub(lead, html)


class _Setting:
    """An option in the text of a page: printed in words, compared and tested by its value."""

    __slots__ = ("text", "value")

    def __init__(self, value: object, text: str) -> None:
        self.value = value
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.value)

    def __eq__(self, other: object) -> bool:
        return self.value == other

    __hash__ = None  # type: ignore[assignment]


def _facts(game: Game, lang: str, rules: HouseRules[object], *, book: bool) -> Mapping[str, object]:
    """What the text of a page may ask for: every option by name, `played('<anchor>')`, and `book`.

    Options that differ from the preset are marked. `book` is true on the pages of the book and false where one table's
    rules are shown.
    """
    own, base = words(game.id, lang), game.options.plain(game.options.preset(rules.preset).options)
    facts: dict[str, object] = {"book": book, "played": partial(_is_played, game, rules)}
    for name, value in game.options.plain(rules.options).items():
        shown = own.option_bare(game.options.options[name], value)
        facts[name] = _Setting(value, shown if value == base[name] else differing(shown))
    return facts


def _is_played(game: Game, rules: HouseRules[object], anchor: str) -> bool:
    return game.articles[f"{game.id}.{anchor}"].played(rules.options)


@dataclass(frozen=True, slots=True)
class _Block:
    anchor: str
    title: str
    html: str


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
def _template(name: str, lang: str) -> Template:
    source = load_book().sources.get((name, lang))
    if not source:
        raise KeyError(f"{name} has no page in {lang}")
    return page_template(source)


@lru_cache(maxsize=64)
def _shown(name: str, lang: str) -> Mapping[str, frozenset[str]]:
    """The options that each article of a page prints or depends on, by anchor."""
    return {piece.anchor: mentioned(piece.text) for piece in pieces(load_book().sources[name, lang])}


def _parsed(name: str, lang: str, facts: Mapping[str, object]) -> tuple[_Part, ...]:
    """The parts, sections and articles of a page, its conditions and options filled in. Raises KeyError if unknown."""
    text = _template(name, lang).render(facts)
    heads = list(_HEAD.finditer(text))
    found: list[tuple[_Block, list[tuple[_Block, list[_Block]]]]] = []
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() : following.start() if following else len(text)].strip("\n")
        block = _Block(head["anchor"] or "", inline_html(head["title"].strip()), to_html(body))
        if head["level"] == "#":
            found.append((block, []))
        elif head["level"] == "##":
            found[-1][1].append((block, []))
        else:
            found[-1][1][-1][1].append(block)
    return tuple(_Part(part, tuple((head, tuple(blocks)) for head, blocks in sections)) for part, sections in found)
