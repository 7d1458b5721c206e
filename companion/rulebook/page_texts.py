"""Texts of pages with a table's options filled in: parts, sections and articles in Markdown, from one Jinja source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from companion.engine.cards import number_text
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.rulebook.book import load_book, words
from companion.rulebook.markup import differing, inline_html, plain_markdown, to_html
from companion.rulebook.messages import mentioned
from companion.rulebook.source import pieces

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_HEAD = re.compile(r"(?:^\{#(?P<anchor>[a-z0-9-]+)[^}\n]*\}\s+)?^(?P<level>#{1,3}) +(?P<title>.+)$", re.MULTILINE)
_ALONE = re.compile(r"^[ \t]*(\{%[^%\n]*%\})[ \t]*\n", re.MULTILINE)


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
def shown_options(name: str, lang: str) -> Mapping[str, frozenset[str]]:
    """Return the options that each article of a page prints or depends on, by anchor."""
    return {piece.anchor: mentioned(piece.text) for piece in pieces(load_book().sources[name, lang])}


def filled_texts(name: str, lang: str, facts: Mapping[str, object]) -> dict[str, FilledText]:
    """Return parts, sections and articles of a page by anchor, conditions and options filled in. Raises KeyError."""
    return {anchor: filled_text(name, lang, anchor, facts) for anchor in _sources(name, lang)}


def filled_text(name: str, lang: str, anchor: str, facts: Mapping[str, object]) -> FilledText:
    """Return a part, section or article of a page, conditions and options filled in. Raises KeyError."""
    source = _sources(name, lang)[anchor]
    text = page_template(source).render(facts) if "{%" in source or "{{" in source else source
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
    facts: dict[str, object] = {"book": book, "cited": False, "played": partial(_is_played, game, rules)}

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
