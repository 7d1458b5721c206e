"""Pages of the book as objects: parts, sections and articles in HTML, with a table's own numbers where it has some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from html import unescape

from companion.data import other_language
from companion.engine.articles import Article
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import article_url, load_book, rules_url, say, words
from companion.rulebook.page_texts import FilledText, filled_text, filled_texts, page_facts, shown_options
from companion.rulebook.reading import help_reading
from companion.rulebook.source import parts

_TAGS = re.compile(r'<div class="drawing".*?</div>|<rp>.*?</rp>|<rt>.*?</rt>|<[^>]+>')
JOINER = "\u2060"
_COUNTER = re.compile(r"(?<=[0-9])(?=(?:[枚点個人回組つ席番年月巡]|チーム|ディール|トリック|ランク)[^<>]*(?:<|$))")
"""Between a number in running text and its counter, where a line would break (`12枚`)."""
_FOREIGN = re.compile(r"\A\s*(?P<label><p>[^<:\uff1a]+[:\uff1a]\s*)(?P<word>[^</]+?)(?= / |</p>)")
"""The word of the other language at the head of a term of the glossary."""
Finish = Callable[[str], str]
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
    markdown: str = ""
    """The body in Markdown, without readings."""
    way_label: str = ""
    """Where the default rules do not play the article: the preset that does, if there is one."""
    way_url: str = ""
    """The article's place in the complete rules of that preset."""

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
    markdown: str = ""

    @property
    def text(self) -> str:
        """What stands before the first article, as plain text."""
        return plain_text(self.html)


@dataclass(frozen=True, slots=True)
class PagePart:
    """What is read at one address: its name in the address (none for the first part), title, lead, sections."""

    name: str
    title: str
    lead_html: str
    sections: tuple[PageSection, ...]
    lead_markdown: str = ""

    @property
    def lead_text(self) -> str:
        """The lead as plain text."""
        return plain_text(self.lead_html)


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


def page(game: str, lang: str, rules: HouseRules[object] | None = None) -> Page:
    """The page of a game, or a guide by its name. Raises KeyError where it does not exist.

    With house rules, it has one part: the articles that are played, in the order of play, and every number as this
    table plays it, marked `<b class="differs">` where it is not the preset's. Without, everything is there, `played`
    tells the default, and an article that the default does not play has the values of a preset that does.
    """
    if rules is None:
        return _whole_page(game, lang)
    return _table_page(GAMES[game], lang, rules)


def plain_text(html: str) -> str:
    """HTML of a page as plain text, without readings and the marks where a word may be parted or not."""
    return unescape(_TAGS.sub("", html)).replace("\xad", "").replace(JOINER, "").strip()


def page_article(
    game: Game, lang: str, article: Article, rules: HouseRules[object] | None = None
) -> tuple[PageSection, PageArticle]:
    """Return an article as the page has it, and the head of its section; house rules must play the article."""
    order = game.articles.sections if rules is None else game.articles.in_play
    name = next(name for name, articles in order.items() if article in articles)
    anchor = article.anchor
    if rules is None:
        finish = _finish_on_part(game.id, lang, parts(load_book().sources[game.id, lang])[anchor])
        facts = _book_facts(game.id, lang, game.options.default_preset)
        shown = _book_article(game, lang, anchor, finish)
    else:
        house = replace(rules, options=game.options.effective(rules.options))
        finish = _finish_on_table(game, lang, _in_play(game, house))
        facts = page_facts(game, lang, house, book=False)
        shown = _article(game, lang, house, filled_text(game.id, lang, anchor, facts), finish)
    return _section(filled_text(game.id, lang, name, facts), (shown,), finish), shown


@lru_cache(maxsize=64)
def _whole_page(name: str, lang: str) -> Page:
    game = GAMES.get(name)
    texts = filled_texts(name, lang, _book_facts(name, lang, game.options.default_preset) if game else {})
    built: list[PagePart] = []
    for head, *rest in _parts(texts):
        finish = _finish_on_part(name, lang, head.anchor)
        sections: list[PageSection] = []
        for text in rest:
            if text.level == 2:
                sections.append(_section(text, (), finish))
            else:
                article = (
                    _book_article(game, lang, text.anchor, finish) if game else _guide_article(name, lang, text, finish)
                )
                sections[-1] = replace(sections[-1], articles=(*sections[-1].articles, article))
        built.append(PagePart(head.anchor, plain_text(head.title), finish(head.html), tuple(sections), head.markdown))
    return Page(name, lang, tuple(built))


def _table_page(game: Game, lang: str, house: HouseRules[object]) -> Page:
    rules = replace(house, options=game.options.effective(house.options))
    texts = filled_texts(game.id, lang, page_facts(game, lang, rules, book=False))
    played = _in_play(game, rules)
    finish = _finish_on_table(game, lang, played)
    sections = tuple(
        _section(texts[name], tuple(_article(game, lang, rules, texts[a.anchor], finish) for a in articles), finish)
        for name, articles in played.items()
        if articles
    )
    head = texts[""]
    whole = PagePart("", plain_text(head.title), finish(head.html), sections, head.markdown)
    return Page(game.id, lang, (whole,))


def _in_play(game: Game, rules: HouseRules[object]) -> dict[str, list[Article]]:
    """Return the articles that a table plays, by section in the order of play."""
    return {
        name: [article for article in articles if article.played(rules.options) and not article.survey]
        for name, articles in game.articles.in_play.items()
    }


def _finish_on_part(name: str, lang: str, part: str) -> Finish:
    """Return what completes the HTML of a part of the book: links to what is on the same part stay on it."""
    where = parts(load_book().sources[name, lang])
    near = {anchor: anchor for anchor, own in where.items() if own == part != anchor}
    return partial(link_articles, page=name, lang=lang, near=near)


def _finish_on_table(game: Game, lang: str, played: Mapping[str, Sequence[Article]]) -> Finish:
    """Return what completes the HTML of the rules of a table: links to its articles stay on the page."""
    near = {article.anchor: article.anchor for articles in played.values() for article in articles}
    for name, articles in game.articles.sections.items():
        first = next((article.anchor for article in articles if article.anchor in near), None)
        if played[name]:
            near[name] = name
        elif first:
            near[name] = first
    return partial(link_articles, page=game.id, lang=lang, near=near)


def _parts(texts: Mapping[str, FilledText]) -> list[list[FilledText]]:
    """Return the texts of each part, its head first."""
    parts: list[list[FilledText]] = []
    for text in texts.values():
        if text.level == 1:
            parts.append([])
        parts[-1].append(text)
    return parts


def _section(head: FilledText, articles: tuple[PageArticle, ...], finish: Finish) -> PageSection:
    return PageSection(head.anchor, plain_text(head.title), head.title, finish(head.html), articles, head.markdown)


@lru_cache(maxsize=64)
def _book_facts(game_id: str, lang: str, code: str) -> Mapping[str, object]:
    """Return what the text of the book may use under the rules of a code."""
    game = GAMES[game_id]
    return page_facts(game, lang, game.options.decode(code), book=True, marked=False)


def _book_article(game: Game, lang: str, anchor: str, finish: Finish) -> PageArticle:
    """Return an article of the book, with the values of rules that play it."""
    article = game.articles[f"{game.id}.{anchor}"]
    house = rules_playing(game, article)
    text = filled_text(game.id, lang, anchor, _book_facts(game.id, lang, game.options.code(house)))
    optional = not (article.survey or article.played(game.options.preset().options))
    return _article(game, lang, house, text, finish, optional=optional)


def rules_playing(game: Game, article: Article) -> HouseRules[object]:
    """Return rules that an article belongs to: the first preset that plays it, else the default with its conditions.

    Where even these do not play it, the default.
    """
    presets = map(game.options.preset, game.options.presets)
    found = next((house for house in presets if article.played(house.options)), None)
    if found is None:
        try:
            given = {name: next(iter(values)) for name, values in article.when.items()}
            found = game.options.build(game.options.default_preset, given)
        except Refused:
            return game.options.preset()
    return found if article.played(found.options) else game.options.preset()


def _article(
    game: Game, lang: str, rules: HouseRules[object], text: FilledText, finish: Finish, *, optional: bool | None = None
) -> PageArticle:
    """An article under the rules that its text was rendered with; `optional` is for the page with all articles."""
    article = game.articles[f"{game.id}.{text.anchor}"]
    way_label, way_url = _way(game, lang, article) if optional else ("", "")
    return PageArticle(
        id=article.id,
        anchor=article.anchor,
        title=plain_text(text.title),
        title_html=text.title,
        html=help_reading(finish(text.html), game.id, lang),
        url=article_url(lang, article.id),
        source=article.source,
        source_label=words(game.id, lang).source_label(article),
        reference=article.reference,
        numbers=article.numbers,
        played=not optional,
        differs=optional is None and _differs(game, article, rules, shown_options(game.id, lang)[article.anchor]),
        retired=tuple(old.partition(".")[2] for old, new in game.articles.retired.items() if new == article.id),
        markdown=text.markdown,
        way_label=way_label,
        way_url=way_url,
    )


def _way(game: Game, lang: str, article: Article) -> tuple[str, str]:
    """Return the presets that play an article in words and its place in the rules of the first; empty without any."""
    first, *others = [name for name in game.options.presets if article.played(game.options.preset(name).options)] or [
        ""
    ]
    if not first:
        return "", ""
    label = words(game.id, lang).preset_label(first)
    url = f"{rules_url(lang, game.id, first)}#{article.anchor}"
    return say(lang, "book.and-others", preset=label) if others else label, url


def _differs(game: Game, article: Article, rules: HouseRules[object], shown: frozenset[str]) -> bool:
    base = game.options.preset(rules.preset).options
    changed = {option.name for option, _, _ in game.options.differences(base, rules.options)}
    usual = game.numbers(base)
    changed |= {name for name, value in game.numbers(rules.options).items() if value != usual[name]}
    return article.played(rules.options) and (not article.played(base) or not changed.isdisjoint(shown))


def _guide_article(page: str, lang: str, text: FilledText, finish: Finish) -> PageArticle:
    name, html = f"{page}.{text.anchor}", finish(text.html)
    if page == "glossary":
        html = _FOREIGN.sub(rf'\g<label><span lang="{other_language(lang)}">\g<word></span>', html, count=1)
    return PageArticle(
        name, text.anchor, plain_text(text.title), text.title, html, article_url(lang, name), markdown=text.markdown
    )


def link_articles(html: str, *, page: str, lang: str, near: Mapping[str, str]) -> str:
    """HTML whose links lead to where the articles are; those that this book does not have become plain words.

    Numbers and their counters stay on one line.

    `near` has the anchors on the same page, and for a section that is not there the first of its articles that is.
    """

    def lead(link: re.Match[str]) -> str:
        target, anchor = link["page"] or page, link["anchor"]
        if target == page and anchor in near:
            return f'<a href="#{near[anchor]}">{link["words"]}</a>'
        if f"{target}.{anchor}" not in load_book().places:
            return link["words"]
        return f'<a href="{article_url(lang, f"{target}.{anchor}")}">{link["words"]}</a>'

    return _COUNTER.sub(JOINER, _LINK.sub(lead, html))
