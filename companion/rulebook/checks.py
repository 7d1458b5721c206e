"""Finds texts that are missing, or that do not agree between languages, before anybody asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from companion.data import LANGUAGES, SOURCE_LANGUAGE
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.book import GUIDES, Book, load_book
from companion.rulebook.lessons import lesson_faults
from companion.rulebook.messages import Message, mentioned, stray_brace
from companion.rulebook.phrases import Words
from companion.rulebook.source import pieces
from companion.rulebook.sources import source_faults

_PLAYED = re.compile(r"played\('([a-z0-9-]+)'\)")
_PAGE_FACTS = frozenset({"played", "book", "cited"})
"""What the text of a page may mention beside the options of its game."""


@lru_cache(maxsize=1)
def check_texts() -> None:
    """Check the texts of every game in every language. Raises ValueError with everything that is wrong."""
    faults = list(find_faults(load_book()))
    if faults:
        raise ValueError("The texts are not complete:\n" + "\n".join(faults))


def find_faults(book: Book) -> Iterator[str]:
    """Return what is missing from the texts and what differs from the source language, one line each."""
    for lang in LANGUAGES:
        ours, source = book.sites[lang].templates, book.sites[SOURCE_LANGUAGE].templates
        yield from _differences(f"{lang}, interface", ours, source)
        for guide in GUIDES:
            yield from _page_faults(f"{lang}, {guide}", book.sources[guide, lang], book.sources[guide, SOURCE_LANGUAGE])
        for name in ("", *GAMES):
            where, words, theirs = (
                f"{lang}, {name or 'common'}",
                book.words[name, lang],
                book.words[name, SOURCE_LANGUAGE],
            )
            yield from _differences(where, dict(_messages(words)), dict(_messages(theirs)))
        for game in GAMES.values():
            where, text = f"{lang}, {game.id}", book.sources[game.id, lang]
            yield from (f"{where}: {fault}" for fault in _lacking(game, book.words[game.id, lang]))
            yield from _page_faults(where, text, book.sources[game.id, SOURCE_LANGUAGE])
            yield from (f"{where}: {fault}" for fault in _unknown(game, text))
    for game in GAMES.values():
        yield from source_faults(game)
        yield from lesson_faults(game)


def _messages(words: Words) -> Iterator[tuple[str, Message]]:
    for table, messages in words.tables.items():
        yield from ((f"{table}.{key}", message) for key, message in messages.items())
    yield from words.interface.items()


def _differences(where: str, ours: Mapping[str, Message], source: Mapping[str, Message]) -> Iterator[str]:
    yield from (
        f"{where}: {key} has a brace outside {{{{ }}}} and {{% %}}" for key in ours if stray_brace(ours[key].source)
    )
    yield from (f"{where}: {key} is missing" for key in sorted(source.keys() - ours.keys()))
    yield from (f"{where}: {key} is not in the source language" for key in sorted(ours.keys() - source.keys()))
    for key in sorted(ours.keys() & source.keys()):
        if ours[key] is not source[key] and mentioned(ours[key].source) != mentioned(source[key].source):
            yield f"{where}: {key} does not mention the same facts as in the source language"


def _lacking(game: Game, words: Words) -> Iterator[str]:
    """What the record of a game asks for and its texts do not have."""
    if not words.name:
        yield "game.name is missing"
    yield from (f"article {article.id} is missing" for article in game.articles if article.id not in words.titles)
    for option in game.options.options.values():
        if option.name not in words.vocabulary.labels:
            yield f"options.{option.name}.label is missing"
        if not words.option_help(option.name):
            yield f"options.{option.name}.help is missing"
        if option.kind == "choice":
            known = words.vocabulary.by_fact.get(option.name, {})
            yield from (
                f"options.{option.name}.choices.{each} is missing" for each in option.choices if each not in known
            )
        if option.kind == "number" and option.unit not in words.tables["units"]:
            yield f"units.{option.unit} is missing"
    for preset in game.options.presets:
        yield from (
            f"presets.{preset}.{key} is missing"
            for key in ("label", "help")
            if not words.presets.get(preset, {}).get(key)
        )
    yield from (f"{key} is missing" for key in game.phrase_keys() if not words.has(key))


def _page_faults(where: str, text: str, source: str) -> Iterator[str]:
    """How a page differs from the source language: sections or articles, their order, the options they print."""
    if text is source:
        return
    ours, theirs = ({piece.anchor: mentioned(piece.text) for piece in pieces(each)} for each in (text, source))
    yield from (f"{where}: {anchor} is missing from the page" for anchor in theirs if anchor not in ours)
    yield from (
        f"{where}: {anchor} is not on the page of the source language" for anchor in ours if anchor not in theirs
    )
    if ours.keys() == theirs.keys() and list(ours) != list(theirs):
        yield f"{where}: the sections of the page are not in the order of the source language"
    for anchor in ours.keys() & theirs.keys():
        if ours[anchor] != theirs[anchor]:
            yield f"{where}: {anchor} does not mention the same options as in the source language"


def _unknown(game: Game, text: str) -> Iterator[str]:
    """Options and articles that the tags of a page name and the game does not have."""
    numbers = game.numbers(game.options.preset().options).keys()
    for name in sorted(numbers & game.options.options.keys()):
        yield f"the number {name} is called like an option"
    for name in sorted(mentioned(text) - _PAGE_FACTS - numbers - game.options.options.keys()):
        yield f"the page mentions an unknown option {name}"
    for anchor in sorted(set(_PLAYED.findall(text))):
        if f"{game.id}.{anchor}" not in game.articles:
            yield f"the page mentions an unknown article {anchor}"
