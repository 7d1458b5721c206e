"""Pages of the book: a table's options filled in, articles in HTML, text and JSON, what search engines read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from html import unescape
from itertools import combinations, pairwise
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.data import data_folder, other_language
from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import is_wide, number_text
from companion.engine.game import AnswerShape, Game
from companion.engine.options import CODE_LENGTH, HouseRules, Option
from companion.engine.problems import Refused
from companion.engine.shapes import Json as shapes_Json
from companion.games import GAMES
from companion.rulebook.answers import MOST_TEXT, VALUE, Json
from companion.rulebook.markup import differing, help_reading, inline_html, plain_markdown, to_html
from companion.rulebook.source import parts, pieces
from companion.rulebook.words import article_url, load_book, mentioned, rules_url, say, words

if TYPE_CHECKING:
    from jinja2 import Environment, Template


_HEAD = re.compile(r"(?:^\{#(?P<anchor>[a-z0-9-]+)[^}\n]*\}\s+)?^(?P<level>#{1,3}) +(?P<title>.+)$", re.MULTILINE)
_ALONE = re.compile(r"^[ \t]*(\{%[^%\n]*%\})[ \t]*\n", re.MULTILINE)
_BLANKS = re.compile(r"(?<=\S)  +(?=\S)")
"""What a sentence that is not printed leaves between two others."""


@dataclass(frozen=True, slots=True)
class FilledText:
    """A part, section or article with its options filled in: its level (1 to 3), title, and body in Markdown."""

    anchor: str
    level: int
    heading: str
    body: str

    @property
    def title(self) -> str:
        """The title as HTML."""
        return inline_html(self.heading)

    @property
    def html(self) -> str:
        """The body as HTML."""
        return to_html(self.body)

    @property
    def markdown(self) -> str:
        """The body in Markdown, without readings of furigana and the marks of what differs."""
        return plain_markdown(self.body)


@lru_cache(maxsize=64)
def _sources(name: str, lang: str) -> Mapping[str, str]:
    """Return each part, section and article of a page by anchor, as it is written. Raises KeyError without a page."""
    source = load_book().sources.get((name, lang))
    if not source:
        raise KeyError(f"{name} has no page in {lang}")
    heads = list(_HEAD.finditer(source))
    ends = [*(head.start() for head in heads[1:]), len(source)]
    return {head["anchor"] or "": source[head.start() : end] for head, end in zip(heads, ends, strict=True)}


@lru_cache(maxsize=64)
def _shown_options(name: str, lang: str) -> Mapping[str, frozenset[str]]:
    """Return the options that each article of a page prints or depends on, by anchor."""
    return {piece.anchor: mentioned(piece.text) for piece in pieces(load_book().sources[name, lang])}


def _filled_texts(name: str, lang: str, facts: Mapping[str, object]) -> dict[str, FilledText]:
    """Return parts, sections and articles of a page by anchor, conditions and options filled in. Raises KeyError."""
    return {anchor: _filled_text(name, lang, anchor, facts) for anchor in _sources(name, lang)}


def _filled_text(name: str, lang: str, anchor: str, facts: Mapping[str, object]) -> FilledText:
    """Return a part, section or article of a page, conditions and options filled in. Raises KeyError."""
    source = _sources(name, lang)[anchor]
    text = _BLANKS.sub(" ", page_template(source).render(facts)) if "{%" in source or "{{" in source else source
    head = _HEAD.search(text)
    if head is None:
        raise ValueError(f"{name}.{anchor} has no heading in {lang}")
    return FilledText(anchor, len(head["level"]), head["title"].strip(), text[head.end() :].strip("\n"))


@lru_cache(maxsize=2048)  # lessons ask for the same sentences on each of their pages; making one takes 8 ms
def page_template(source: str) -> Template:
    """Return the Markdown of a page as a Jinja template, in which `{#` begins an anchor and not a comment.

    A tag on a line of its own leaves no line behind, so items of lists and rows of tables can be conditional. A name
    that is not given when the template is rendered raises jinja2.UndefinedError.
    """
    return _environment().from_string(_ALONE.sub(r"\1", source))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, StrictUndefined  # not for who prints a page that is kept

    return Environment(
        autoescape=False,  # noqa: S701  Markdown, escaped when it becomes HTML
        comment_start_string="{##",
        comment_end_string="##}",
        undefined=StrictUndefined,
        optimized=False,  # each is rendered a few times: folding constants takes longer than it saves
    )


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

    def __le__(self, other: int) -> bool:
        return isinstance(self.value, int) and self.value <= other

    def __ge__(self, other: int) -> bool:
        return isinstance(self.value, int) and self.value >= other

    __hash__ = None  # type: ignore[assignment]


def page_facts(
    game: Game, lang: str, rules: HouseRules[object], *, book: bool, marked: bool = True
) -> Mapping[str, object]:
    """Return what the text of a page may use: options, the game's numbers by name, `played('<anchor>')` and `book`.

    `cited` is false: it only parts the neutral words of a heading from those under conditions (`plain_title`).
    What differs from the preset is marked. `book` is true on the pages of the book and false where one table's rules
    are shown.
    """
    own, base = words(game.id, lang), game.options.preset(rules.preset).options
    facts = {"book": book, "cited": False, "played": partial(_is_played, game, rules)}

    def note(name: str, value: object, usual: object, shown: str) -> None:
        facts[name] = _Setting(value, differing(shown) if marked and value != usual else shown)

    plain = game.options.plain(base)
    for name, value in game.options.plain(rules.options).items():
        note(name, value, plain[name], own.option_bare(game.options.options[name], value))
    numbers = game.numbers(base)
    for name, value in game.numbers(rules.options).items():
        note(name, value, numbers[name], number_text(value))
    return facts


def _is_played(game: Game, rules: HouseRules[object], anchor: str) -> bool:
    return game.articles[f"{game.id}.{anchor}"].played(rules.options)


_LEAF_BYTES = 32_000
"""Bytes of HTML that a leaf holds at most, of both languages together; brotli makes a third of them."""
_NEAR = re.compile(r'href="#([^"]+)"')


@dataclass(frozen=True, slots=True)
class Leaf:
    """Consecutive sections of a part with their translations; `name` is the first one's anchor, none for the first."""

    name: str
    rows: tuple[tuple[_PageSection, _PageSection], ...]

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
    count = min(len(rows), ceil(sum(weights) / _LEAF_BYTES))

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


def score_section(whole: Page) -> _PageSection | None:
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


def _weight(section: _PageSection) -> int:
    texts = [section.html, *(article.title_html + article.html for article in section.articles)]
    return sum(len(text.encode()) for text in texts)


_TAGS = re.compile(r'<div class="drawing".*?</div>|<rp>.*?</rp>|<rt>.*?</rt>|<[^>]+>')
_JOINER = "\u2060"
_COUNTER = re.compile(r"(?<=[0-9])(?=(?:[枚点個人回組つ席番年月巡]|チーム|ディール|トリック|ランク)[^<>]*(?:<|$))")
"""Between a number in running text and its counter, where a line would break (`12枚`)."""
_FOREIGN = re.compile(r"\A\s*(?P<label><p>[^<:\uff1a]+[:\uff1a]\s*)(?P<word>[^</]+?)(?= / |</p>)")
"""The word of the other language at the head of a term of the glossary."""
_Finish = Callable[[str], str]
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
class _PageSection:
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
    sections: tuple[_PageSection, ...]
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
    def sections(self) -> tuple[_PageSection, ...]:
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
    return unescape(_TAGS.sub("", html)).replace("\xad", "").replace(_JOINER, "").strip()


def page_article(
    game: Game, lang: str, article: Article, rules: HouseRules[object] | None
) -> tuple[_PageSection, PageArticle]:
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
        shown = _article(game, lang, house, _filled_text(game.id, lang, anchor, facts), finish)
    return _section(_filled_text(game.id, lang, name, facts), (shown,), finish), shown


@lru_cache(maxsize=64)
def _whole_page(name: str, lang: str) -> Page:
    game = GAMES.get(name)
    texts = _filled_texts(name, lang, _book_facts(name, lang, game.options.default_preset) if game else {})
    built: list[PagePart] = []
    for head, *rest in _parts(texts):
        finish = _finish_on_part(name, lang, head.anchor)
        sections: list[_PageSection] = []
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
    texts = _filled_texts(game.id, lang, page_facts(game, lang, rules, book=False))
    played = _in_play(game, rules)
    finish = _finish_on_table(game, lang, played)
    sections = tuple(
        _section(texts[name], tuple(_article(game, lang, rules, texts[a.anchor], finish) for a in articles), finish)
        for name, articles in played.items()
        if articles
    )
    head = texts[""]
    return Page(game.id, lang, (PagePart("", plain_text(head.title), finish(head.html), sections, head.markdown),))


def _in_play(game: Game, rules: HouseRules[object]) -> dict[str, list[Article]]:
    """Return the articles that a table plays, by section in the order of play."""
    return {
        name: [article for article in articles if article.printed(rules.options)]
        for name, articles in game.articles.in_play.items()
    }


def _finish_on_part(name: str, lang: str, part: str) -> _Finish:
    """Return what completes the HTML of a part of the book: links to what is on the same part stay on it."""
    where = parts(load_book().sources[name, lang])
    near = {anchor: anchor for anchor, own in where.items() if own == part != anchor}
    return partial(link_articles, page=name, lang=lang, near=near)


def _finish_on_table(game: Game, lang: str, played: Mapping[str, Sequence[Article]]) -> _Finish:
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


def _section(head: FilledText, articles: tuple[PageArticle, ...], finish: _Finish) -> _PageSection:
    return _PageSection(head.anchor, plain_text(head.title), head.title, finish(head.html), articles, head.markdown)


@lru_cache(maxsize=64)
def _book_facts(game_id: str, lang: str, code: str) -> Mapping[str, object]:
    """Return what the text of the book may use under the rules of a code."""
    game = GAMES[game_id]
    return page_facts(game, lang, game.options.decode(code), book=True, marked=False)


def _book_article(game: Game, lang: str, anchor: str, finish: _Finish) -> PageArticle:
    """Return an article of the book, with the values of rules that play it."""
    article = game.articles[f"{game.id}.{anchor}"]
    house = _rules_playing(game, article)
    text = book_text_of(game, lang, anchor, house)
    optional = not (article.survey or article.played(game.options.preset().options))
    return _article(game, lang, house, text, finish, optional=optional)


def book_text_of(game: Game, lang: str, anchor: str, house: HouseRules[object] | None = None) -> FilledText:
    """Return a section or an article of the book, with the values of house rules; none are those that play it."""
    house = house or _rules_playing(game, game.articles[f"{game.id}.{anchor}"])
    return _filled_text(game.id, lang, anchor, _book_facts(game.id, lang, game.options.code(house)))


def _rules_playing(game: Game, article: Article) -> HouseRules[object]:
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
    game: Game,
    lang: str,
    rules: HouseRules[object],
    text: FilledText,
    finish: _Finish,
    *,
    optional: bool | None = None,
) -> PageArticle:
    """An article under the rules that its text was rendered with; `optional` is for the page with all articles."""
    article = game.articles[f"{game.id}.{text.anchor}"]
    way_label, way_url = ways_playing(game, lang, article) if optional else ("", "")
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
        differs=optional is None and _differs(game, article, rules, _shown_options(game.id, lang)[article.anchor]),
        retired=tuple(old.partition(".")[2] for old, new in game.articles.retired.items() if new == article.id),
        markdown=text.markdown,
        way_label=way_label,
        way_url=way_url,
    )


def ways_playing(game: Game, lang: str, article: Article) -> tuple[str, str]:
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


def _guide_article(page: str, lang: str, text: FilledText, finish: _Finish) -> PageArticle:
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

    return _COUNTER.sub(_JOINER, _LINK.sub(lead, html))


_DESCRIPTION = 160
"""Columns of a description that search engines show; a character of full width takes one and a half."""
_BREAK = re.compile(r"</(?:p|li|tr|h[1-6])>")
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z0-9“(])")
_CONTEXT = "https://schema.org"


def answer_text(html: str) -> str:
    """Return the text of an article in one line, its paragraphs and rows parted by spaces."""
    return " ".join(plain_text(_BREAK.sub(" \\g<0>", html)).split())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in Japanese or a European language."""
    return [sentence.strip() for sentence in _END.split(text) if sentence and sentence.strip()]


def describe(text: str, lang: str) -> str:
    """Return as many whole sentences of a text as a description holds, at least the beginning of the first."""
    gap, kept = say(lang, "site.sentence-gap"), ""
    for sentence in sentences(text):
        longer = f"{kept}{gap}{sentence}".strip()
        if _columns(longer) > _DESCRIPTION - 1:
            break
        kept = longer
    if kept:
        return kept
    while _columns(text) > _DESCRIPTION - 1:
        text = text[: min(len(text) - 1, _DESCRIPTION - 1)]
    return f"{text.rstrip()}…"


def breadcrumbs(trail: Iterable[tuple[str, str]]) -> Json:
    """Return the way to a page: titles with addresses, the page itself last."""
    items = [
        {"@type": "ListItem", "position": place, "name": name, "item": url}
        for place, (name, url) in enumerate(trail, start=1)
    ]
    return {"@context": _CONTEXT, "@type": "BreadcrumbList", "itemListElement": items}


def questions(lang: str, asked: Sequence[tuple[str, str]]) -> Json:
    """Return questions with their answers as a page of frequently asked questions."""
    return {
        "@context": _CONTEXT,
        "@type": "FAQPage",
        "inLanguage": lang,
        "mainEntity": [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in asked
        ],
    }


def defined_terms(glossary: Page, url: str) -> Json:
    """Return the glossary as a set of terms, each with its address under `url` and the sentence that explains it."""
    return {
        "@context": _CONTEXT,
        "@type": "DefinedTermSet",
        "name": glossary.title,
        "inLanguage": glossary.lang,
        "url": url,
        "hasDefinedTerm": [
            {"@type": "DefinedTerm", "name": term.title, "description": _meaning(term), "url": f"{url}#{term.anchor}"}
            for term in glossary.articles()
        ],
    }


def _meaning(term: PageArticle) -> str:
    """Return the first sentence that explains a term: what follows the line of its names."""
    paragraphs = [plain_text(part) for part in term.html.split("</p>")]
    explaining = next((text for text in paragraphs[1:] if text), paragraphs[0])
    return (sentences(" ".join(explaining.split())) or [""])[0]


def _columns(text: str) -> float:
    return sum(1.5 if is_wide(sign) else 1 for sign in text)


_MOST_EXAMPLES = 3
"""Published cases shown with an article."""


_ANY_JSON: Final[s.JsonSchema] = {
    "type": ["object", "array", "string", "integer", "boolean", "null"],
    "items": {},
}
_NO_READINGS: Final = "In Markdown, without readings of Japanese words."


class _ShownArticle(NamedTuple):
    """An article on a page, and the house rules whose values it has."""

    game: Game
    section: _PageSection
    article: PageArticle
    house: HouseRules[object]
    played: bool

    @property
    def options(self) -> list[Option]:
        """The options that it explains."""
        return [option for option in self.game.options.options.values() if self.article.id in option.articles]

    def value(self, option: Option) -> shapes_Json:
        """Return what an option is set to."""
        return option.plain(getattr(self.house.options, option.name))


class _ShownSection(NamedTuple):
    """A section of a page with its articles."""

    section: _PageSection
    articles: list[_ShownArticle]


class _ShownBook(NamedTuple):
    """A page of a game; with house rules, as this table plays."""

    game: Game
    page: Page
    house: HouseRules[object] | None
    sections: list[_ShownSection]


class _ArticleOptionShape(AnswerShape):
    """An option that an article explains, and what it is set to."""

    name = s.Text("The option.", get=lambda shown, own: shown[1].name)
    label = s.Text("Its label.", get=lambda shown, own: own.option_label(shown[1].name))
    value = s.Anything("What it is set to.", schema=VALUE, get=lambda shown, own: shown[0].value(shown[1]))
    text = s.Text(
        "The same in words.",
        most=MOST_TEXT,
        get=lambda shown, own: own.option_value(shown[1], shown[0].value(shown[1])),
    )


class _PublishedExpectationShape(AnswerShape):
    """What a published case expects."""

    status = s.Integer("The status of the response.")
    body = s.Keyed(s.Anything(schema=_ANY_JSON), "The part of the answer that must be there.", absent=True)


class _PublishedCaseShape(AnswerShape):
    """A published case."""

    id = s.Text("The id of the case.")
    post = s.Text("Where it is posted, below `/api/v1`.")
    request = s.Keyed(s.Anything(schema=_ANY_JSON), "What is posted.")
    expect = s.Object(_PublishedExpectationShape)
    note = s.Text("What it is about, in English.", absent=True, most=MOST_TEXT)


class ArticleTextShape(AnswerShape):
    """An article with its text."""

    id = s.Text("Never changes.", get="article.id")
    game = s.Word(GAMES, "The game.", get="game.id")
    anchor = s.Text("Its place on the page of the game.", get="article.anchor")
    section = s.Text("The section that it is in.", get="section.anchor")
    section_title = s.Text("The title of that section.", get="section.title")
    title = s.Text("Its title.", get="article.title")
    text = s.Text("As plain text, without figures.", most=MOST_TEXT, get="article.text")
    markdown = s.Text(_NO_READINGS, most=MOST_TEXT, get="article.markdown")
    played = s.Flag("Whether these house rules play it.")
    options = s.ListOf(
        s.Object(_ArticleOptionShape),
        "The options that it explains.",
        get=lambda shown, own: [(shown, option) for option in shown.options],
    )
    source = s.Text("What it rests on.", get="article.source")
    source_text = s.Text(
        "The same in words; empty for the author's own text.", most=MOST_TEXT, get="article.source_label"
    )
    reference = s.Text(
        "Where the source says so.", nullable=True, get=lambda shown, own: shown.article.reference or None
    )
    ruling = s.Flag(
        "True where the sources are silent and this program decides.",
        get=lambda shown, own: shown.article.source == "ruling",
    )
    numbers = s.ListOf(s.Text(), "Its numbers in the source.", get="article.numbers")
    examples = s.ListOf(
        s.Written(_PublishedCaseShape),
        "Published cases about it.",
        get=lambda shown, own: _cases_about(shown.article),
    )
    url = s.Text("Its place on the site.", get="article.url")


class _SectionTextShape(AnswerShape):
    """A section of a book."""

    id = s.Text("Its place on the page of the game.", get="section.anchor")
    title = s.Text("Its title.", get="section.title")
    text = s.Text("What stands before its first article, as plain text.", most=MOST_TEXT, get="section.text")
    markdown = s.Text(_NO_READINGS, most=MOST_TEXT, get="section.markdown")
    articles = s.ListOf(s.Object(ArticleTextShape), "Its articles in their order.")


class BookTextShape(AnswerShape):
    """The book of a game, whole or as one table plays."""

    game = s.Word(GAMES, "The id of the game.", get="game.id")
    name = s.Text("The name of the game.", get=lambda shown, own: own.name)
    title = s.Text("The title of the page.", get="page.title")
    rules = s.Text(
        "The code of the house rules asked for; null for the whole book.",
        most=CODE_LENGTH,
        nullable=True,
        get=lambda shown, own: shown.game.options.code(shown.house) if shown.house else None,
    )
    summary = s.Text(
        "These house rules in one line.",
        most=MOST_TEXT,
        nullable=True,
        get=lambda shown, own: own.summary(shown.game.options, shown.house) if shown.house else None,
    )
    text = s.Text(
        "The summary at its head, as plain text.", most=MOST_TEXT, get=lambda shown, own: shown.page.parts[0].lead_text
    )
    markdown = s.Text(_NO_READINGS, most=MOST_TEXT, get=lambda shown, own: shown.page.parts[0].lead_markdown)
    sections = s.ListOf(s.Object(_SectionTextShape), "Its sections in their order.")


class _TermShape(AnswerShape):
    """A term of the glossary."""

    id = s.Text("Never changes.")
    title = s.Text("The term.")
    text = s.Text("What it means, as plain text.", most=MOST_TEXT)
    markdown = s.Text(_NO_READINGS, most=MOST_TEXT)
    url = s.Text("Its place on the site.")


class GlossaryShape(AnswerShape):
    """The terms of all games."""

    terms = s.ListOf(s.Object(_TermShape), "In the order of the page.", get=lambda page, _: page.articles())


def article_text(name: str, lang: str, house: HouseRules[object] | None) -> dict[str, shapes_Json]:
    """Return an article of a game by its id, with the values of house rules; a retired id is its successor's.

    Without house rules it has the values of the default preset, or of one that plays it; so has an article that these
    house rules do not play. Raises KeyError where there is no such article.
    """
    game = GAMES[name.partition(".")[0]]
    known = game.articles[game.articles.retired.get(name, name)]
    played = known.played((house or game.options.preset()).options)
    own = house if house and known.printed(house.options) else None
    section, article = page_article(game, lang, known, own)
    shown = _ShownArticle(game, section, article, own or _rules_playing(game, known), played)
    return s.write(ArticleTextShape, shown, words(game.id, lang))


def book_text(game: Game, lang: str, house: HouseRules[object] | None) -> dict[str, shapes_Json]:
    """Return the book of a game; with house rules what this table plays, in the order of play, with its numbers."""
    return _book_text(game.id, lang, "" if house is None else game.options.code(house))


@lru_cache(maxsize=32)
def _book_text(game_id: str, lang: str, code: str) -> dict[str, shapes_Json]:
    game = GAMES[game_id]
    house = game.options.decode(code) if code else None
    shown = page(game_id, lang, house)
    usual = (house or game.options.preset()).options

    def article(section: _PageSection, each: PageArticle) -> _ShownArticle:
        known = game.articles[each.id]
        return _ShownArticle(game, section, each, house or _rules_playing(game, known), known.played(usual))

    sections = [
        _ShownSection(section, [article(section, each) for each in section.articles]) for section in shown.sections
    ]
    return s.write(BookTextShape, _ShownBook(game, shown, house, sections), words(game_id, lang))


def glossary(lang: str) -> dict[str, shapes_Json]:
    """Return the terms of the glossary in their order."""
    return s.write(GlossaryShape, page("glossary", lang))


def _cases_about(article: PageArticle) -> list[shapes_Json]:
    return [case for number in article.numbers for case in _cases().get(number, ())][:_MOST_EXAMPLES]


@lru_cache(maxsize=1)
def _cases() -> Mapping[str, list[shapes_Json]]:
    """The published cases by the number of the rule that they are about."""
    found: dict[str, list[shapes_Json]] = {}
    for file in sorted(data_folder("tests/vectors").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if number := case.pop("spec", ""):
                found.setdefault(number, []).append(case)
    return found
