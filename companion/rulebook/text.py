"""Articles and whole books as plain data: text, Markdown, options, sources, published cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NotRequired, TypedDict

from companion.data import data_folder
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.shapes import Json
from companion.games import GAMES
from companion.rulebook.book import words
from companion.rulebook.pages import PageArticle, PageSection, page, rules_playing

MOST_EXAMPLES = 3
"""Published cases shown with an article."""


class ArticleOption(TypedDict):
    """An option that an article explains, and what it is set to."""

    name: str
    label: str
    value: Json
    text: str


class PublishedCase(TypedDict):
    """A published case: what is posted, and the part of the answer that must be there."""

    id: str
    post: str
    request: Json
    expect: Json
    note: NotRequired[str]


class ArticleText(TypedDict):
    """An article with its text."""

    id: str
    game: str
    anchor: str
    section: str
    section_title: str
    title: str
    text: str
    markdown: str
    played: bool
    options: list[ArticleOption]
    source: str
    source_text: str
    reference: str | None
    ruling: bool
    numbers: list[str]
    examples: list[PublishedCase]
    url: str


class SectionText(TypedDict):
    """A section of a book."""

    id: str
    title: str
    text: str
    markdown: str
    articles: list[ArticleText]


class BookText(TypedDict):
    """The book of a game, whole or as one table plays."""

    game: str
    name: str
    title: str
    rules: str | None
    summary: str | None
    text: str
    markdown: str
    sections: list[SectionText]


class Term(TypedDict):
    """A term of the glossary."""

    id: str
    title: str
    text: str
    markdown: str
    url: str


def article_text(name: str, lang: str, house: HouseRules[object] | None = None) -> ArticleText:
    """Return an article of a game by its id, with the values of house rules; a retired id is its successor's.

    Without house rules it has the values of the default preset, or of one that plays it; so has an article that these
    house rules do not play. Raises KeyError where there is no such article.
    """
    game = GAMES[name.partition(".")[0]]
    known = game.articles[game.articles.retired.get(name, name)]
    if house is not None and known.played(house.options) and not known.survey:
        shown, values = page(game.id, lang, house), house
    else:
        shown, values = page(game.id, lang), rules_playing(game, known)
    played = known.played((house or game.options.preset()).options)
    for section in shown.sections:
        for article in section.articles:
            if article.id == known.id:
                return _article(game, section, article, lang, values, played)
    raise KeyError(name)


def book_text(game: Game, lang: str, house: HouseRules[object] | None = None) -> BookText:
    """Return the book of a game; with house rules what this table plays, in the order of play, with its numbers."""
    return _book_text(game.id, lang, "" if house is None else game.options.code(house))


@lru_cache(maxsize=32)
def _book_text(game_id: str, lang: str, code: str) -> BookText:
    game = GAMES[game_id]
    house = game.options.decode(code) if code else None
    shown, own = page(game_id, lang, house), words(game_id, lang)
    usual = (house or game.options.preset()).options

    def article(section: PageSection, each: PageArticle) -> ArticleText:
        known = game.articles[each.id]
        return _article(game, section, each, lang, house or rules_playing(game, known), known.played(usual))

    return {
        "game": game_id,
        "name": own.name,
        "title": shown.title,
        "rules": code or None,
        "summary": own.summary(game.options, house) if house else None,
        "text": shown.parts[0].lead_text,
        "markdown": shown.parts[0].lead_markdown,
        "sections": [
            {
                "id": section.anchor,
                "title": section.title,
                "text": section.text,
                "markdown": section.markdown,
                "articles": [article(section, each) for each in section.articles],
            }
            for section in shown.sections
        ],
    }


def glossary_terms(lang: str) -> list[Term]:
    """Return the terms of the glossary in their order."""
    return [
        {
            "id": article.id,
            "title": article.title,
            "text": article.text,
            "markdown": article.markdown,
            "url": article.url,
        }
        for article in page("glossary", lang).articles()
    ]


def _article(
    game: Game, section: PageSection, article: PageArticle, lang: str, house: HouseRules[object], played: bool
) -> ArticleText:
    own, plain = words(game.id, lang), game.options.plain(house.options)
    return {
        "id": article.id,
        "game": game.id,
        "anchor": article.anchor,
        "section": section.anchor,
        "section_title": section.title,
        "title": article.title,
        "text": article.text,
        "markdown": article.markdown,
        "played": played,
        "options": [
            {
                "name": option.name,
                "label": own.option_label(option.name),
                "value": plain[option.name],
                "text": own.option_value(option, plain[option.name]),
            }
            for option in game.options.options.values()
            if article.id in option.articles
        ],
        "source": article.source,
        "source_text": article.source_label,
        "reference": article.reference or None,
        "ruling": article.source == "ruling",
        "numbers": list(article.numbers),
        "examples": [case for number in article.numbers for case in _cases().get(number, ())][:MOST_EXAMPLES],
        "url": article.url,
    }


@lru_cache(maxsize=1)
def _cases() -> Mapping[str, Iterable[PublishedCase]]:
    """The published cases by the number of the rule that they are about."""
    found: dict[str, list[PublishedCase]] = {}
    for file in sorted(data_folder("tests/vectors").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if number := case.pop("spec", ""):
                found.setdefault(number, []).append(case)
    return found
