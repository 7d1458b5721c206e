"""The whole rulebook in memory: phrases and pages of every game in every language, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.data import LANGUAGES, data_folder
from companion.engine.articles import Articles
from companion.games import GAMES
from companion.rulebook.phrases import Site, Toml, Words, merge, read_phrases
from companion.rulebook.source import game_folder, parts, pieces, titles

SITE_FILES = ("site", "keeper", "house-rules", "referee", "api")
"""Files of interface words: what all pages share, the keeper's screens and house rules, the referee's, the API's."""
GUIDES = ("glossary", "verdicts")
"""Pages of the book that belong to no game: the words of all games, and how to read a verdict."""


@dataclass(frozen=True, slots=True)
class Book:
    """Words by game and language, sources of the pages by page and language, words of the interface by language.

    `places` has the address of every article and section by id, such as `rules/<game>/<part>#<article>`.
    """

    words: Mapping[tuple[str, str], Words]
    sources: Mapping[tuple[str, str], str]
    sites: Mapping[str, Site]
    places: Mapping[str, str]

    def title(self, lang: str, article: str) -> str:
        """Return the title of an article in a language."""
        return self.words[article.partition(".")[0], lang].title(article)


@lru_cache(maxsize=1)
def load_book() -> Book:
    """Read the rulebook at the first call. Raises ValueError if a page has an article that its game does not know."""
    words: dict[tuple[str, str], Words] = {}
    sources: dict[tuple[str, str], str] = {}
    sites: dict[str, Site] = {}
    found: dict[str, str] = {}
    for lang in LANGUAGES:
        folder = data_folder(f"rules_{lang}")
        common = read_phrases(folder / "phrases" / "common.toml")
        site = sites[lang] = Site(lang, _site_words(folder), common)
        words["", lang] = Words(lang, common, {}, site)
        for game in GAMES.values():
            own_folder = game_folder(game, lang)
            text = sources[game.id, lang] = _source(own_folder / "book.md")
            _check_page(text, game.articles, lang)
            own = titles(text, game.id)
            phrases = merge(common, read_phrases(own_folder / "phrases.toml"))
            words[game.id, lang] = Words(lang, phrases, own, site)
            found |= _places(game.id, f"rules/{game.id}", text, game.articles.retired)
        for guide in GUIDES:
            text = sources[guide, lang] = _source(folder / f"{guide}.md")
            found |= _places(guide, guide, text, {})
    return Book(words, sources, sites, found)


def words(game: str, lang: str) -> Words:
    """Return the sentences of a game in a language; for `""` those that all games share."""
    return load_book().words[game, lang]


def say(lang: str, key: str, **facts: object) -> str:
    """Return a shared interface phrase: `say("en", "sheet.deal", number=3)`. Raises KeyError for an unknown key."""
    return load_book().sites[lang].say(key, facts)


def article_url(lang: str, article: str) -> str:
    """Where an article stands on the site, also one that has retired: `/en/rules/<game>#follow-suit`."""
    place = load_book().places.get(article)
    if place is None:
        game, _, anchor = article.partition(".")
        return f"/{lang}/rules/{game}#{anchor}"
    return f"/{lang}/{place}"


def rules_url(lang: str, game: str, code: str) -> str:
    """Return where the complete rules of a preset (`/en/rules/<game>/<preset>`) or a code (`?rules=<code>`) are."""
    return f"/{lang}/{rules_path(game, code)}"


def rules_path(game: str, code: str) -> str:
    """Return the path of the complete rules of a preset or a code, without the language."""
    return f"rules/{game}?rules={code}" if "~" in code else f"rules/{game}/{code}"


def article_title(lang: str, article: str) -> str:
    """Return the title of an article in a language."""
    return load_book().title(lang, article)


def _site_words(folder: Path) -> Toml:
    """Return the tables of interface phrases, merged from one file for each part of the site."""
    tables: Toml = {}
    for name in SITE_FILES:
        tables = merge(tables, read_phrases(folder / "phrases" / f"{name}.toml"))
    return tables


def _source(path: Path) -> str:
    """Return the Markdown of a page; empty if there is no such file."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _places(page: str, address: str, text: str, retired: Mapping[str, str]) -> dict[str, str]:
    """Return the address of every part, section and article of a page; a retired one has its successor's."""
    found = {}
    for anchor, part in parts(text).items():
        path = f"{address}/{part}" if part else address
        found[f"{page}.{anchor}"] = path if anchor == part else f"{path}#{anchor}"
    return found | {old: found[new] for old, new in retired.items() if new in found}


def _check_page(text: str, articles: Articles, lang: str) -> None:
    strange = [
        piece.anchor for piece in pieces(text) if piece.level == 3 and f"{articles.game}.{piece.anchor}" not in articles
    ]
    if strange:
        raise ValueError(f"{articles.game} in {lang} has articles that the game does not know: {', '.join(strange)}")
