"""What helps in reading an article: loanwords of the field lead to the glossary where the article first uses them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from companion.data import SOURCE_LANGUAGE
from companion.rulebook.book import article_url, load_book
from companion.rulebook.source import pieces

GLOSSARY = "glossary"
COMMON = "terms-common"
_LOANWORD = re.compile(r"[ァ-ヶー]{2}")
"""Katakana, in which the source language writes loanwords."""
_SENSE = re.compile(r"\s*[(（].*")
_TAG = re.compile(r"(<[^>]+>)")
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
        if url in linked:
            return found[0]
        linked.add(url)
        return f'<a href="{url}">{found[0]}</a>'

    parts, inside = _TAG.split(html), 0
    for place, part in enumerate(parts):
        if place % 2:
            name = part.strip("</>").split(" ")[0]
            if name in _CLOSED and not part.endswith("/>"):
                inside += -1 if part.startswith("</") else 1
        elif not inside:
            parts[place] = pattern.sub(link, part)
    return "".join(parts)


@lru_cache(maxsize=64)
def _terms(game: str, lang: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the loanwords of a game, and their addresses in the glossary by the word in small letters."""
    urls: dict[str, str] = {}
    loanwords = _loanwords(game)
    for piece in pieces(load_book().sources[GLOSSARY, lang]):
        if piece.anchor in loanwords:
            word = _SENSE.sub("", piece.title).lower()
            urls.setdefault(word, article_url(lang, f"{GLOSSARY}.{piece.anchor}"))
    words = "|".join(re.escape(word) for word in sorted(urls, key=len, reverse=True))
    if lang == SOURCE_LANGUAGE:
        return re.compile(rf"(?<![ァ-ヶー・])({words})(?![ァ-ヶー・])"), urls
    return re.compile(rf"(?<![\w-])({words})(?:s|es)?(?![\w-])", re.IGNORECASE), urls


@lru_cache(maxsize=64)
def _loanwords(game: str) -> frozenset[str]:
    """Return the anchors of the loanwords in the glossary: of the section for all games and of the game's own."""
    found, section = set(), ""
    for piece in pieces(load_book().sources[GLOSSARY, SOURCE_LANGUAGE]):
        if piece.level == 2:
            section = piece.anchor
        elif section in (COMMON, f"terms-{game}") and _LOANWORD.search(_SENSE.sub("", piece.title)):
            found.add(piece.anchor)
    return frozenset(found)
