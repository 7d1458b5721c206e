"""What search engines read: descriptions of pages, and the book as linked data in the words of schema.org."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from companion.engine.cards import is_wide
from companion.rulebook.answers import Json
from companion.rulebook.book import say
from companion.rulebook.pages import Page, PageArticle, plain_text

DESCRIPTION = 160
"""Columns of a description that search engines show; a character of full width takes one and a half."""
_BREAK = re.compile(r"</(?:p|li|tr|h[1-6])>")
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z0-9“(])")
_CONTEXT = "https://schema.org"


def answer_text(html: str) -> str:
    """Return the text of an article in one line, its paragraphs and rows parted by spaces."""
    return " ".join(plain_text(_BREAK.sub(" \\g<0>", html)).split())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in Japanese or a European language."""
    return [sentence.strip() for sentence in _END.split(text) if sentence and sentence.strip()]


def describe(text: str, lang: str) -> str:
    """Return as many whole sentences of a text as a description holds, at least the beginning of the first."""
    gap, kept = say(lang, "site.sentence-gap"), ""
    for sentence in sentences(text):
        longer = f"{kept}{gap}{sentence}".strip()
        if _columns(longer) > DESCRIPTION - 1:
            break
        kept = longer
    if kept:
        return kept
    while _columns(text) > DESCRIPTION - 1:
        text = text[: min(len(text) - 1, DESCRIPTION - 1)]
    return f"{text.rstrip()}…"


def breadcrumbs(trail: Iterable[tuple[str, str]]) -> Json:
    """Return the way to a page: titles with addresses, the page itself last."""
    items = [
        {"@type": "ListItem", "position": place, "name": name, "item": url}
        for place, (name, url) in enumerate(trail, start=1)
    ]
    return {"@context": _CONTEXT, "@type": "BreadcrumbList", "itemListElement": items}


def questions(lang: str, asked: Sequence[tuple[str, str]]) -> Json:
    """Return questions with their answers as a page of frequently asked questions."""
    return {
        "@context": _CONTEXT,
        "@type": "FAQPage",
        "inLanguage": lang,
        "mainEntity": [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in asked
        ],
    }


def defined_terms(glossary: Page, url: str) -> Json:
    """Return the glossary as a set of terms, each with its address under `url` and the sentence that explains it."""
    return {
        "@context": _CONTEXT,
        "@type": "DefinedTermSet",
        "name": glossary.title,
        "inLanguage": glossary.lang,
        "url": url,
        "hasDefinedTerm": [
            {"@type": "DefinedTerm", "name": term.title, "description": meaning(term), "url": f"{url}#{term.anchor}"}
            for term in glossary.articles()
        ],
    }


def meaning(term: PageArticle) -> str:
    """Return the first sentence that explains a term: what follows the line of its names."""
    paragraphs = [plain_text(part) for part in term.html.split("</p>")]
    explaining = next((text for text in paragraphs[1:] if text), paragraphs[0])
    return (sentences(" ".join(explaining.split())) or [""])[0]


def _columns(text: str) -> float:
    return sum(1.5 if is_wide(sign) else 1 for sign in text)
