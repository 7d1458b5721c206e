"""What helps in reading an article: links to the glossary and readings of hard words, where it first uses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from companion.data import SOURCE_LANGUAGE, data_folder, read_toml
from companion.rulebook.book import article_url, load_book
from companion.rulebook.markup import RUBY, ruby_html
from companion.rulebook.source import pieces

GLOSSARY = "glossary"
COMMON = "terms-common"
_LOANWORD = re.compile(r"[ァ-ヶー]{2}")
"""Katakana, in which the source language writes loanwords."""
_SENSE = re.compile(r"\s*[(（].*")
_TAG = re.compile(r"(<[^>]+>)")
_ALONE = "(?<![一-龯々])(?<![一-龯々][きみり]){}(?![一-龯々])"
"""A word of one sign, which is another one within a longer word (場, but 場合 and 置き場)."""
_READ = re.compile(r"<ruby>(.*?)<rp>")
_CLOSED = frozenset({"a", "code", "figure", "ruby", "svg"})
"""Elements whose text stays as it is."""


@lru_cache(maxsize=4096)
def link_terms(html: str, game: str, lang: str) -> str:
    """Return the HTML of an article with each loanword of its game linked to the glossary at its first use."""
    pattern, urls = _terms(game, lang)
    if not urls:
        return html
    linked: set[str] = set()

    def link(found: re.Match[str]) -> str:
        url = urls[found[1].lower()]
        if not url or url in linked:
            return found[0]
        linked.add(url)
        return f'<a href="{url}">{found[0]}</a>'

    return _in_text(html, lambda text: pattern.sub(link, text), _CLOSED)


@lru_cache(maxsize=64)
def _terms(game: str, lang: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the terms of a game, and their addresses in the glossary by the word in small letters.

    A term that is no loanword has no address: it only keeps a loanword within it (`side stack`) from being linked.
    """
    urls: dict[str, str] = {}
    terms = _terms_of(game)
    for piece in pieces(load_book().sources[GLOSSARY, lang]):
        if piece.anchor in terms:
            word = _SENSE.sub("", piece.title).lower()
            urls.setdefault(word, article_url(lang, f"{GLOSSARY}.{piece.anchor}") if terms[piece.anchor] else "")
    words = "|".join(re.escape(word) for word in sorted(urls, key=len, reverse=True))
    if lang == SOURCE_LANGUAGE:
        return re.compile(rf"(?<![ァ-ヶー・])({words})(?![ァ-ヶー・])"), urls
    return re.compile(rf"(?<![\w-])({words})(?:s|es)?(?![\w-]| cards?\b)", re.IGNORECASE), urls


@lru_cache(maxsize=64)
def _terms_of(game: str) -> Mapping[str, bool]:
    """Return the anchors of the terms of all games and of the game's own, each with whether it is a loanword."""
    found, section = {}, ""
    for piece in pieces(load_book().sources[GLOSSARY, SOURCE_LANGUAGE]):
        if piece.level == 2:
            section = piece.anchor
        elif section in (COMMON, f"terms-{game}"):
            found[piece.anchor] = bool(_LOANWORD.search(_SENSE.sub("", piece.title)))
    return found


@lru_cache(maxsize=8)
def readings(lang: str) -> Mapping[str, str]:
    """Return the reading of every word of the book that has a sign not learnt in the first school years."""
    path = data_folder(f"rules_{lang}") / "furigana.toml"
    found: Mapping[str, str] = read_toml(path).get("furigana", {})
    return found


@lru_cache(maxsize=8)
def _hard_words(lang: str) -> Mapping[str, str]:
    """Return the words that the texts write with their readings anywhere (`{札|ふだ}`)."""
    texts = (text for (_, language), text in load_book().sources.items() if language == lang)
    return {word: reading for text in texts for word, reading in RUBY.findall(text)}


def help_reading(html: str, game: str, lang: str) -> str:
    """Return the HTML of an article with what helps in reading it: links to the glossary, readings of hard words."""
    return add_readings(link_terms(html, game, lang), lang)


@lru_cache(maxsize=4096)
def add_readings(html: str, lang: str) -> str:
    """Return the HTML of an article with the reading of each hard word where the article first uses it."""
    return add_page_readings(html, lang)


def add_page_readings(html: str, lang: str) -> str:
    """Return the HTML of a page with the reading of each hard word where the page first uses it; it is not kept."""
    words = _hard_words(lang)
    if not words:
        return html
    read = set(_READ.findall(html))

    def ruby(found: re.Match[str]) -> str:
        word = found[0]
        if word in read:
            return word
        read.add(word)
        return ruby_html(word, words[word])

    longest_first = sorted(words, key=len, reverse=True)
    pattern = re.compile("|".join(re.escape(word) if len(word) > 1 else _ALONE.format(word) for word in longest_first))
    return _in_text(html, lambda text: pattern.sub(ruby, text), _CLOSED - {"a"})


def _in_text(html: str, change: Callable[[str], str], closed: Collection[str]) -> str:
    """Return HTML whose text is changed, but for that in elements of these names."""
    parts, inside = _TAG.split(html), 0
    for place, part in enumerate(parts):
        if place % 2:
            name = part.strip("</>").split(" ")[0]
            if name in closed and not part.endswith("/>"):
                inside += -1 if part.startswith("</") else 1
        elif not inside:
            parts[place] = change(part)
    return "".join(parts)
