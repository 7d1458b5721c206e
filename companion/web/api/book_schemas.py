"""The shapes of articles, books and the glossary."""

from __future__ import annotations

from typing import Final

from companion.engine import shapes as s
from companion.engine.questions import AnswerShape
from companion.games import GAMES
from companion.rulebook.answers import MOST_TEXT
from companion.rulebook.catalogue_answers import VALUE

ANY_JSON: Final[s.JsonSchema] = {
    "type": ["object", "array", "string", "integer", "boolean", "null"],
    "items": {},
}
NO_READINGS: Final = "In Markdown, without readings of Japanese words."


class ArticleOptionShape(AnswerShape):
    """An option that an article explains, and what it is set to."""

    name = s.Text("The option.")
    label = s.Text("Its label.")
    value = s.Anything("What it is set to.", schema=VALUE)
    text = s.Text("The same in words.", most=MOST_TEXT)


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

    id = s.Text("Never changes.")
    game = s.Word(tuple(GAMES), "The game.")
    anchor = s.Text("Its place on the page of the game.")
    section = s.Text("The section that it is in.")
    section_title = s.Text("The title of that section.")
    title = s.Text("Its title.")
    text = s.Text("As plain text, without figures.", most=MOST_TEXT)
    markdown = s.Text(NO_READINGS, most=MOST_TEXT)
    played = s.Flag("Whether these house rules play it.")
    options = s.ListOf(s.Object(ArticleOptionShape), "The options that it explains.")
    source = s.Text("What it rests on.")
    source_text = s.Text("The same in words; empty for the author's own text.", most=MOST_TEXT)
    reference = s.Text("Where the source says so.", nullable=True)
    ruling = s.Flag("True where the sources are silent and this program decides.")
    numbers = s.ListOf(s.Text(), "Its numbers in the source.")
    examples = s.ListOf(s.Object(PublishedCaseShape), "Published cases about it.")
    url = s.Text("Its place on the site.")


class SectionTextShape(AnswerShape):
    """A section of a book."""

    id = s.Text("Its place on the page of the game.")
    title = s.Text("Its title.")
    text = s.Text("What stands before its first article, as plain text.", most=MOST_TEXT)
    markdown = s.Text(NO_READINGS, most=MOST_TEXT)
    articles = s.ListOf(s.Object(ArticleTextShape), "Its articles in their order.")


class BookTextShape(AnswerShape):
    """The book of a game, whole or as one table plays."""

    game = s.Word(tuple(GAMES), "The id of the game.")
    name = s.Text("The name of the game.")
    title = s.Text("The title of the page.")
    rules = s.Text("The code of the house rules asked for; null for the whole book.", most=2000, nullable=True)
    summary = s.Text("These house rules in one line.", most=MOST_TEXT, nullable=True)
    text = s.Text("The summary at its head, as plain text.", most=MOST_TEXT)
    markdown = s.Text(NO_READINGS, most=MOST_TEXT)
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

    terms = s.ListOf(s.Object(TermShape), "In the order of the page.")
