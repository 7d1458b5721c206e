"""Search over the book and the options in memory: one character and up, either syllabary, synonyms, the best first."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from companion.data import data_folder, other_language
from companion.games import GAMES
from companion.rulebook.answers import Json
from companion.rulebook.book import GUIDES, article_url, load_book, words
from companion.rulebook.pages import Page, page

QUERY_LIMIT = 100
"""Longer questions are cut here."""

_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_TOKENS = re.compile(r"[a-z]+|[0-9]+|[♠♥♦♣]|[^\W\d_a-z]+")
_WORDS = re.compile(r"[a-z]+|[0-9]+[一-鿿]*|[♠♥♦♣]|[一-鿿々]+|[ァ-ヴ][ァ-ヴー・]*")
"""The words of a question that carry its meaning: what Japanese writes in hiragana alone bears them along."""
_RUBY = re.compile(r"<ruby>(.*?)<rp>.*?<rt>(.*?)</rt>")
_SYNONYM = 0.95
_VARIANT = 0.85
_OPTION = 0.5
_WORDS_ALONE = 0.5
"""What a hit counts by another word for it, in an article that the default rules do not play, in an option, and by the
words of a question without what stands between them."""
_GUIDE = {"glossary": ("term", 0.55), "verdicts": ("guide", 0.85)}
"""The kind of what stands in a guide, and what a hit there counts: the rule itself comes before the word for it."""


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: an article, an option explained by one, a term, a passage of a guide."""

    kind: str
    game: str
    id: str
    title: str
    text: str
    url: str
    leads: tuple[str, ...] = ()
    """Words that somebody who means just this would type."""
    keywords: str = ""
    """Words that lead here though the text does not show them: the section, the other language's title."""
    factor: float = 1.0
    """How much a hit here counts beside one in an article that everybody plays."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document with its rank; higher is better."""

    document: Document
    rank: float

    @property
    def excerpt(self) -> str:
        """The beginning of the text."""
        text = " ".join(self.document.text.split())
        return text if len(text) <= 120 else text[:119] + "…"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought: hits, the best first, and words that come near where there are none."""

    hits: tuple[Hit, ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Fields:
    """A document's texts in the spelling that is compared: its name (the anchor), title, keywords, text."""

    name: str
    title: str
    keywords: str
    text: str
    leads: frozenset[str]


class Index:
    """Everything of one language that can be searched."""

    def __init__(
        self, documents: Sequence[Document], synonyms: Iterable[Sequence[str]], small: Iterable[str] = ()
    ) -> None:
        self.documents = tuple(documents)
        self._small = tuple(sorted(small, key=len, reverse=True))
        self._fields = [
            _Fields(
                comparable(one.id.partition(".")[2]), comparable(one.title), comparable(one.keywords),
                comparable(one.text), frozenset(map(comparable, one.leads)),
            )
            for one in self.documents
        ]  # fmt: skip
        self._synonyms: dict[str, tuple[str, ...]] = {}
        self._near: dict[str, str] = {}
        for group in synonyms:
            spelt = [comparable(word) for word in group]
            for own, word in zip(spelt, group, strict=True):
                self._synonyms[own] = tuple({*self._synonyms.get(own, ()), *spelt} - {own})
                self._near.setdefault(own, word)
        self._grams: dict[str, set[int]] = {}
        for place, fields in enumerate(self._fields):
            for gram in grams(" ".join((fields.name, fields.title, fields.keywords, fields.text, *fields.leads))):
                self._grams.setdefault(gram, set()).add(place)
            self._near.setdefault(fields.title, self.documents[place].title)

    def search(self, query: str, *, games: Iterable[str] = (), limit: int = 50) -> Found:
        """The documents that answer a query, the best first; near words where there are none."""
        terms = comparable(query[:QUERY_LIMIT]).split()
        if not terms:
            return Found()
        wanted = set(games)
        ranks = self._rank(terms)
        for place, rank in self._rank(self._words(query[:QUERY_LIMIT])).items():
            ranks[place] = max(ranks.get(place, 0.0), _WORDS_ALONE * rank)
        hits = [
            Hit(self.documents[place], rank)
            for place, rank in sorted(ranks.items(), key=lambda item: (-item[1], item[0]))
            if not wanted or self.documents[place].game in wanted
        ]
        return Found(tuple(hits[:limit])) if hits else Found(near=self._nearest("".join(terms)))

    def _rank(self, terms: Sequence[str]) -> dict[int, float]:
        """Documents with their rank: the whole phrase first, else where every term is found."""
        ranks = self._rank_term(" ".join(terms)) if terms else {}
        if len(terms) > 1:
            each = [self._rank_term(term) for term in terms]
            for place in set.intersection(*(set(found) for found in each)):
                rank = _SYNONYM * min(found[place] for found in each)
                ranks[place] = max(ranks.get(place, 0.0), rank)
        return ranks

    def _words(self, query: str) -> list[str]:
        """The words of a question without the small ones of its language; none where that leaves it as it is."""
        text = unicodedata.normalize("NFKC", query).lower()
        if text.isascii():
            found = [word for word in _WORDS.findall(text) if word not in self._small]
        else:
            for small in self._small:
                text = text.replace(small, " ")
            found = _WORDS.findall(text)
        words = [comparable(word) for word in found]
        return words if words != comparable(query).split() else []

    def _rank_term(self, term: str) -> dict[int, float]:
        ranks: dict[int, float] = {}
        for factor, spelling in [(1.0, term), *((_SYNONYM, other) for other in self._synonyms.get(term, ()))]:
            for place in self._candidates(spelling):
                rank = factor * self.documents[place].factor * _weight(self._fields[place], spelling)
                if rank > ranks.get(place, 0.0):
                    ranks[place] = rank
        return ranks

    def _candidates(self, spelling: str) -> set[int]:
        """Documents that have every gram of a spelling; a Latin word's beginning is enough for the last one."""
        sets = []
        for gram in grams(spelling):
            found = self._grams.get(gram, set())
            if gram.isascii() and gram.isalpha():
                found = found.union(*(places for known, places in self._grams.items() if known.startswith(gram)))
            sets.append(found)
        return set.intersection(*sets) if sets else set()

    def _nearest(self, term: str) -> tuple[str, ...]:
        known = get_close_matches(term, self._near, n=5, cutoff=0.5)
        return tuple(dict.fromkeys(self._near[word] for word in known))


@lru_cache(maxsize=4)
def index(lang: str) -> Index:
    """The index of a language, made at the first call."""
    path = data_folder(f"rules_{lang}") / "synonyms.toml"
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    documents = [*_articles(lang, known.get("leads", {})), *_options(lang), *_guides(lang)]
    return Index(documents, [*known.get("groups", ()), *_readings(lang)], known.get("small", ()))


def search(lang: str, query: str, *, games: Iterable[str] = (), limit: int = 50) -> Found:
    """What the rulebook of a language says about a query; `games` keeps to those."""
    return index(lang).search(query, games=games, limit=limit)


def found_answer(found: Found) -> Json:
    """A search's outcome as JSON: results with title, excerpt and address, and near words."""
    return {
        "results": [
            {
                "kind": hit.document.kind,
                "game": hit.document.game,
                "id": hit.document.id,
                "title": hit.document.title,
                "excerpt": hit.excerpt,
                "url": hit.document.url,
            }
            for hit in found.hits
        ],
        "near": list(found.near),
    }


def comparable(text: str) -> str:
    """A text in the one spelling that is compared: NFKC, lower case, hiragana for katakana, single spaces, no dots."""
    folded = unicodedata.normalize("NFKC", text).lower().translate(_KATAKANA).replace("・", "")
    return " ".join(_TOKENS.findall(folded))


def grams(text: str) -> Iterator[str]:
    """The pieces by which a text is indexed: Latin words and numbers whole, other scripts by one and two characters."""
    for token in text.split():
        if token.isascii():
            yield token
        else:
            yield from token
            yield from (token[at : at + 2] for at in range(len(token) - 1))


def _weight(fields: _Fields, spelling: str) -> float:
    """How well a document answers one spelling: by title, name, keywords, text, in this order."""
    if fields.title == spelling or spelling in fields.leads:
        return 100.0
    best = 90.0 if fields.name == spelling else 0.0
    for text, base in ((fields.title, 50.0), (fields.keywords, 25.0), (fields.text, 10.0)):
        count = _count(text, spelling)
        if count:
            share = len(spelling) / max(len(text), 1)
            best = max(best, base + 20 * share + (5 if text.startswith(spelling) else min(count, 5)))
    return best


def _count(text: str, spelling: str) -> int:
    """How often a spelling stands in a text: from a word's beginning in Latin script, anywhere in others."""
    if spelling[0].isascii() and spelling[0].isalpha():
        return f" {text}".count(f" {spelling}")
    return text.replace(" ", "").count(spelling.replace(" ", ""))


def _articles(lang: str, leads: Mapping[str, Sequence[str]]) -> Iterator[Document]:
    other = other_language(lang)
    for whole in _pages(lang):
        for section in whole.sections:
            for article in section.articles:
                yield Document(
                    "article",
                    whole.game,
                    article.id,
                    article.title,
                    article.text,
                    article.url,
                    tuple(leads.get(article.id, ())),
                    f"{section.title} {words(whole.game, other).title(article.id)}",
                    1.0 if article.played else _VARIANT,
                )


def _pages(lang: str) -> Iterator[Page]:
    sources = load_book().sources
    return (page(game, lang) for game in GAMES if sources[game, lang])


def _readings(lang: str) -> Iterator[tuple[str, str]]:
    """Every word that some page gives a reading for, with the reading."""
    for whole in _pages(lang):
        html = [whole.summary_html, *(article.title_html + article.html for article in whole.articles())]
        yield from dict.fromkeys(found for part in html for found in _RUBY.findall(part))


def _options(lang: str) -> Iterator[Document]:
    other = other_language(lang)
    for game in GAMES.values():
        here, there = words(game.id, lang), words(game.id, other)
        for option in game.options.options.values():
            text = " ".join([here.option_help(option.name), *here.choices(option).values()])
            keywords = f"{option.name.replace('_', ' ')} {there.option_label(option.name)}"
            url = article_url(lang, option.article)
            label = here.option_label(option.name)
            yield Document("option", game.id, option.name, label, text, url, keywords=keywords, factor=_OPTION)


def _guides(lang: str) -> Iterator[Document]:
    for name in GUIDES:
        if load_book().sources[name, lang]:
            kind, factor = _GUIDE[name]
            for article in page(name, lang).articles():
                yield Document(kind, "", article.id, article.title, article.text, article.url, factor=factor)
