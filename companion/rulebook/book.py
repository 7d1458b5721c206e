"""The whole rulebook in memory: words and pages of every game in both languages, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.data import data_folder
from companion.engine.articles import Articles
from companion.games import GAMES
from companion.rulebook.phrases import LANGUAGES, Site, Words, merge, read_phrases
from companion.rulebook.source import pieces, source_path, titles

SITE_FILES = ("site", "keeper", "referee")
"""Files of interface words: what all pages share, the score keeper's screens, the referee's."""


@dataclass(frozen=True, slots=True)
class Book:
    """Words by game and language, sources of the pages by page and language, words of the interface by language."""

    words: Mapping[tuple[str, str], Words]
    sources: Mapping[tuple[str, str], str]
    sites: Mapping[str, Site]

    def title(self, lang: str, article: str) -> str:
        """The title of an article in a language."""
        return self.words[article.partition(".")[0], lang].title(article)


@lru_cache(maxsize=1)
def load_book() -> Book:
    """The rulebook, read at the first call. Raises ValueError where a page has articles unknown to its game."""
    words: dict[tuple[str, str], Words] = {}
    sources: dict[tuple[str, str], str] = {}
    sites: dict[str, Site] = {}
    for lang in LANGUAGES:
        folder = data_folder(f"rules_{lang}")
        common = read_phrases(folder, "common")
        for game in GAMES.values():
            path = source_path(folder, game.id)
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            sources[game.id, lang] = text
            _check_page(text, game.articles, path.name)
            own = titles(text, game.id)
            words[game.id, lang] = Words(lang, merge(common, read_phrases(folder, game.id)), own)
        shared = words["", lang] = Words(lang, common, {})
        sites[lang] = Site(_site_words(folder), shared.vocabulary)
    return Book(words, sources, sites)


def words(game: str, lang: str) -> Words:
    """The sentences of a game in a language; of no game (`""`), those that all games share."""
    return load_book().words[game, lang]


def say(lang: str, key: str, **facts: Any) -> str:
    """Words of the interface by dotted key: `say("en", "sheet.deal", number=3)`. Raises KeyError for an unknown key."""
    return load_book().sites[lang].say(key, facts)


def article_url(lang: str, article: str) -> str:
    """Where an article stands on the site: `/en/rules/spades#follow-suit`."""
    game, _, anchor = article.partition(".")
    return f"/{lang}/rules/{game}#{anchor}"


def article_title(lang: str, article: str) -> str:
    """The title of an article in a language."""
    return load_book().title(lang, article)


def _site_words(folder: Path) -> dict[str, Any]:
    """The words of the interface, from one file for each part of it."""
    tables: dict[str, Any] = {}
    for name in SITE_FILES:
        tables = merge(tables, read_phrases(folder, name))
    return tables


def _check_page(text: str, articles: Articles, name: str) -> None:
    strange = [
        piece.anchor for piece in pieces(text) if piece.level == 3 and f"{articles.game}.{piece.anchor}" not in articles
    ]
    if strange:
        raise ValueError(f"{name} has articles that the game does not know: {', '.join(strange)}")
