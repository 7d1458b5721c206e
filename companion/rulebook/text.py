"""Articles and whole books as JSON: text, Markdown, options, sources, published cases; each shape writes its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from companion.data import data_folder
from companion.engine import shapes as s
from companion.engine.game import AnswerShape, Game
from companion.engine.options import CODE_LENGTH, HouseRules, Option
from companion.engine.shapes import Json
from companion.games import GAMES
from companion.rulebook.answers import MOST_TEXT
from companion.rulebook.book import words
from companion.rulebook.catalogue_answers import VALUE
from companion.rulebook.pages import Page, PageArticle, PageSection, page, page_article, rules_playing

MOST_EXAMPLES = 3
"""Published cases shown with an article."""


ANY_JSON: Final[s.JsonSchema] = {
    "type": ["object", "array", "string", "integer", "boolean", "null"],
    "items": {},
}
NO_READINGS: Final = "In Markdown, without readings of Japanese words."


class ShownArticle(NamedTuple):
    """An article on a page, and the house rules whose values it has."""

    game: Game
    section: PageSection
    article: PageArticle
    house: HouseRules[object]
    played: bool

    @property
    def options(self) -> list[Option]:
        """The options that it explains."""
        return [option for option in self.game.options.options.values() if self.article.id in option.articles]

    def value(self, option: Option) -> Json:
        """Return what an option is set to."""
        return option.plain(getattr(self.house.options, option.name))


class ShownSection(NamedTuple):
    """A section of a page with its articles."""

    section: PageSection
    articles: list[ShownArticle]


class ShownBook(NamedTuple):
    """A page of a game; with house rules, as this table plays."""

    game: Game
    page: Page
    house: HouseRules[object] | None
    sections: list[ShownSection]


class ArticleOptionShape(AnswerShape):
    """An option that an article explains, and what it is set to."""

    name = s.Text("The option.", get=lambda shown, own: shown[1].name)
    label = s.Text("Its label.", get=lambda shown, own: own.option_label(shown[1].name))
    value = s.Anything("What it is set to.", schema=VALUE, get=lambda shown, own: shown[0].value(shown[1]))
    text = s.Text(
        "The same in words.",
        most=MOST_TEXT,
        get=lambda shown, own: own.option_value(shown[1], shown[0].value(shown[1])),
    )


class PublishedExpectationShape(AnswerShape):
    """What a published case expects."""

    status = s.Integer("The status of the response.")
    body = s.Keyed(s.Anything(schema=ANY_JSON), "The part of the answer that must be there.", absent=True)


class PublishedCaseShape(AnswerShape):
    """A published case."""

    id = s.Text("The id of the case.")
    post = s.Text("Where it is posted, below `/api/v1`.")
    request = s.Keyed(s.Anything(schema=ANY_JSON), "What is posted.")
    expect = s.Object(PublishedExpectationShape)
    note = s.Text("What it is about, in English.", absent=True, most=MOST_TEXT)


class ArticleTextShape(AnswerShape):
    """An article with its text."""

    id = s.Text("Never changes.", get=s.attribute("article.id"))
    game = s.Word(GAMES, "The game.", get=s.attribute("game.id"))
    anchor = s.Text("Its place on the page of the game.", get=s.attribute("article.anchor"))
    section = s.Text("The section that it is in.", get=s.attribute("section.anchor"))
    section_title = s.Text("The title of that section.", get=s.attribute("section.title"))
    title = s.Text("Its title.", get=s.attribute("article.title"))
    text = s.Text("As plain text, without figures.", most=MOST_TEXT, get=s.attribute("article.text"))
    markdown = s.Text(NO_READINGS, most=MOST_TEXT, get=s.attribute("article.markdown"))
    played = s.Flag("Whether these house rules play it.")
    options = s.ListOf(
        s.Object(ArticleOptionShape),
        "The options that it explains.",
        get=lambda shown, own: [(shown, option) for option in shown.options],
    )
    source = s.Text("What it rests on.", get=s.attribute("article.source"))
    source_text = s.Text(
        "The same in words; empty for the author's own text.", most=MOST_TEXT, get=s.attribute("article.source_label")
    )
    reference = s.Text(
        "Where the source says so.", nullable=True, get=lambda shown, own: shown.article.reference or None
    )
    ruling = s.Flag(
        "True where the sources are silent and this program decides.",
        get=lambda shown, own: shown.article.source == "ruling",
    )
    numbers = s.ListOf(s.Text(), "Its numbers in the source.", get=s.attribute("article.numbers"))
    examples = s.ListOf(
        s.Written(PublishedCaseShape),
        "Published cases about it.",
        get=lambda shown, own: _cases_about(shown.article),
    )
    url = s.Text("Its place on the site.", get=s.attribute("article.url"))


class SectionTextShape(AnswerShape):
    """A section of a book."""

    id = s.Text("Its place on the page of the game.", get=s.attribute("section.anchor"))
    title = s.Text("Its title.", get=s.attribute("section.title"))
    text = s.Text(
        "What stands before its first article, as plain text.", most=MOST_TEXT, get=s.attribute("section.text")
    )
    markdown = s.Text(NO_READINGS, most=MOST_TEXT, get=s.attribute("section.markdown"))
    articles = s.ListOf(s.Object(ArticleTextShape), "Its articles in their order.")


class BookTextShape(AnswerShape):
    """The book of a game, whole or as one table plays."""

    game = s.Word(GAMES, "The id of the game.", get=s.attribute("game.id"))
    name = s.Text("The name of the game.", get=lambda shown, own: own.name)
    title = s.Text("The title of the page.", get=s.attribute("page.title"))
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
    markdown = s.Text(NO_READINGS, most=MOST_TEXT, get=lambda shown, own: shown.page.parts[0].lead_markdown)
    sections = s.ListOf(s.Object(SectionTextShape), "Its sections in their order.")


class TermShape(AnswerShape):
    """A term of the glossary."""

    id = s.Text("Never changes.")
    title = s.Text("The term.")
    text = s.Text("What it means, as plain text.", most=MOST_TEXT)
    markdown = s.Text(NO_READINGS, most=MOST_TEXT)
    url = s.Text("Its place on the site.")


class GlossaryShape(AnswerShape):
    """The terms of all games."""

    terms = s.ListOf(s.Object(TermShape), "In the order of the page.", get=lambda page, _: page.articles())


def article_text(name: str, lang: str, house: HouseRules[object] | None = None) -> dict[str, Json]:
    """Return an article of a game by its id, with the values of house rules; a retired id is its successor's.

    Without house rules it has the values of the default preset, or of one that plays it; so has an article that these
    house rules do not play. Raises KeyError where there is no such article.
    """
    game = GAMES[name.partition(".")[0]]
    known = game.articles[game.articles.retired.get(name, name)]
    played = known.played((house or game.options.preset()).options)
    own = house if played and not known.survey else None
    section, article = page_article(game, lang, known, own)
    shown = ShownArticle(game, section, article, own or rules_playing(game, known), played)
    return s.write(ArticleTextShape, shown, words(game.id, lang))


def book_text(game: Game, lang: str, house: HouseRules[object] | None = None) -> dict[str, Json]:
    """Return the book of a game; with house rules what this table plays, in the order of play, with its numbers."""
    return _book_text(game.id, lang, "" if house is None else game.options.code(house))


@lru_cache(maxsize=32)
def _book_text(game_id: str, lang: str, code: str) -> dict[str, Json]:
    game = GAMES[game_id]
    house = game.options.decode(code) if code else None
    shown = page(game_id, lang, house)
    usual = (house or game.options.preset()).options

    def article(section: PageSection, each: PageArticle) -> ShownArticle:
        known = game.articles[each.id]
        return ShownArticle(game, section, each, house or rules_playing(game, known), known.played(usual))

    sections = [
        ShownSection(section, [article(section, each) for each in section.articles]) for section in shown.sections
    ]
    return s.write(BookTextShape, ShownBook(game, shown, house, sections), words(game_id, lang))


def glossary(lang: str) -> dict[str, Json]:
    """Return the terms of the glossary in their order."""
    return s.write(GlossaryShape, page("glossary", lang))


def _cases_about(article: PageArticle) -> list[Json]:
    return [case for number in article.numbers for case in _cases().get(number, ())][:MOST_EXAMPLES]


@lru_cache(maxsize=1)
def _cases() -> Mapping[str, list[Json]]:
    """The published cases by the number of the rule that they are about."""
    found: dict[str, list[Json]] = {}
    for file in sorted(data_folder("tests/vectors").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if number := case.pop("spec", ""):
                found.setdefault(number, []).append(case)
    return found
