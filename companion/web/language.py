"""Which language an answer is in: the path says it for pages, `?lang=` and Accept-Language for the API."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.routing import BaseConverter

from companion.rulebook.book import say
from companion.rulebook.phrases import LANGUAGES

NAMES = {"ja": "日本語", "en": "English"}


class LanguageConverter(BaseConverter):
    """The first part of a page's path: `ja` or `en`."""

    regex = "|".join(LANGUAGES)


def init_app(app: Flask) -> None:
    """Give paths their language part and templates their words."""
    app.url_map.converters["lang"] = LanguageConverter
    app.context_processor(template_words)
    app.after_request(_declare)


def current_language() -> str:
    """The language of the current request's answer."""
    known: str | None = g.get("lang")
    if known is None:
        fixed = _path_language()
        known = g.lang = fixed or asked_language()
        g.negotiated = fixed is None
    return known


def asked_language() -> str:
    """The language asked for by `?lang=`, else by Accept-Language, else English; what is unknown is passed over."""
    asked = request.args.get("lang") if request.query_string else None
    if asked in LANGUAGES:
        return str(asked)
    return _accepted(request.headers.get("Accept-Language", "")) or "en"


def template_words() -> dict[str, Any]:
    """What every template may use: the language, its words, the other language."""
    lang = current_language()
    other = next(each for each in LANGUAGES if each != lang)
    return {
        "lang": lang,
        "say": partial(say, lang),
        "other": other,
        "language_names": NAMES,
        "other_url": _other_url(other),
    }


@lru_cache(maxsize=1024)
def _accepted(header: str) -> str | None:
    """The language that an Accept-Language header likes best, if it is one of ours; English where any will do (`*`)."""
    return parse_accept_header(header, LanguageAccept).best_match(("en", *LANGUAGES))


def _path_language() -> str | None:
    first = request.path[1:].partition("/")[0]
    return first if first in LANGUAGES else None


def _other_url(other: str) -> str:
    """The same page in the other language; its home page where the path has no language."""
    if _path_language() is None:
        return f"/{other}/"
    query = request.query_string.decode("ascii", "replace")
    return f"/{other}/{request.path[1:].partition('/')[2]}" + (f"?{query}" if query else "")


def _declare(response: Response) -> Response:
    lang = g.get("lang")
    if lang is not None:
        response.headers.setdefault("Content-Language", lang)
        if g.negotiated:
            varies = response.headers.get("Vary")
            response.headers["Vary"] = f"{varies}, Accept-Language" if varies else "Accept-Language"
    return response
