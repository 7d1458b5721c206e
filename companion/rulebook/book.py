"""The whole rulebook in memory: phrases and pages of every game in every language, read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import TypeVar

from companion.data import LANGUAGES, data_folder, read_toml
from companion.engine.articles import Articles
from companion.games import GAMES
from companion.rulebook.phrases import Site, Toml, Words, merge
from companion.rulebook.source import game_folder, parts, pieces, titles

K = TypeVar("K")
V = TypeVar("V")
SITE_FILES = ("site", "keeper", "house-rules", "groups", "referee", "learn", "api")
"""Files of interface words: of all pages, of the keeper's screens, of groups, the referee, the learners, the API."""
GUIDES = ("glossary", "verdicts")
"""Pages of the book that belong to no game: the words of all games, and how to read a verdict."""


class Lazy(Mapping[K, V]):
    """Values that are loaded when they are first asked for."""

    def __init__(self, keys: Callable[[], Iterable[K]], load: Callable[[K], V]) -> None:
        """`load` raises KeyError for what is not among the `keys`."""
        self._keys, self._load = keys, load
        self._known: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        try:
            return self._known[key]
        except KeyError:
            value = self._known[key] = self._load(key)
            return value

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys())

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Book:
    """Words by game and language, sources of the pages by page and language, words of the interface by language.

    `places` has the address of every article and section by id, such as `rules/<game>/<part>#<article>`. Everything is
    read when it is first asked for: a command needs one game in one language.
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
    """Return the rulebook. Using it raises ValueError if a page has an article that its game does not know."""
    commons = Lazy(lambda: LANGUAGES, lambda lang: read_toml(_phrases(lang) / "common.toml"))
    sources = Lazy(lambda: product((*GAMES, *GUIDES), LANGUAGES), _read_source)
    sites = Lazy(lambda: LANGUAGES, lambda lang: Site(lang, _site_words(lang), commons[lang]))
    by_page = Lazy(lambda: (*GAMES, *GUIDES), lambda page: _places(page, [sources[page, lang] for lang in LANGUAGES]))

    def read_words(key: tuple[str, str]) -> Words:
        game, lang = key
        if not game:
            return Words(lang, commons[lang], site=lambda: sites[lang])
        phrases = merge(commons[lang], read_toml(game_folder(GAMES[game], lang) / "phrases.toml"))
        return Words(lang, phrases, lambda: titles(sources[game, lang], game), lambda: sites[lang])

    return Book(
        Lazy(lambda: product(("", *GAMES), LANGUAGES), read_words),
        sources,
        sites,
        Lazy(lambda: chain.from_iterable(by_page.values()), lambda name: by_page[name.partition(".")[0]][name]),
    )


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


def _phrases(lang: str) -> Path:
    if lang not in LANGUAGES:
        raise KeyError(lang)
    return data_folder(f"rules_{lang}") / "phrases"


def _site_words(lang: str) -> Iterator[Toml]:
    """Yield the tables of interface phrases, those of one part of the site after another."""
    return (read_toml(_phrases(lang) / f"{name}.toml") for name in SITE_FILES)


def _read_source(key: tuple[str, str]) -> str:
    """Return the Markdown of a page in a language; empty if there is no such file. Raises KeyError or ValueError."""
    name, lang = key
    path = _phrases(lang).parent / f"{name}.md" if name in GUIDES else game_folder(GAMES[name], lang) / "book.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if name not in GUIDES:
        _check_page(text, GAMES[name].articles, lang)
    return text


def _places(page: str, texts: Iterable[str]) -> dict[str, str]:
    """Return the address of every part, section and article of a page; a retired one has its successor's."""
    address, retired = (page, {}) if page in GUIDES else (f"rules/{page}", GAMES[page].articles.retired)
    found = {}
    for text in texts:
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
