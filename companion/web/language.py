"""Which language an answer is in: the path says it for pages, `?lang=` and Accept-Language for the API."""

from __future__ import annotations

from functools import lru_cache, partial

from flask import Flask, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.routing import BaseConverter

from companion.data import LANGUAGES, other_language
from companion.rulebook.lessons import check_texts
from companion.rulebook.words import say
from companion.web.headers import Environ, Headers, add_header_hook

CURRENT, NEGOTIATED = "companion.language", "companion.language.negotiated"
"""Where a request's environment keeps the language of its answer, and whether headers decided on it."""
DEFAULT = "en"
"""The language of a client that accepts none of ours."""


class LanguageConverter(BaseConverter):
    """The first part of a page's path: a language tag such as `ja`."""

    regex = "|".join(LANGUAGES)


class PlainConverter(BaseConverter):
    """A part of a path. No control characters: a header that leads to such an address would be none."""

    regex = r"[^/\x00-\x1f\x7f]+"


def init_app(app: Flask) -> None:
    """Register the language part of paths and the phrases of templates. Raises ValueError if texts are missing."""
    if app.config["CHECK_TEXTS"]:
        check_texts()
    app.url_map.converters |= {"lang": LanguageConverter, "default": PlainConverter, "string": PlainConverter}
    app.context_processor(_template_words)
    add_header_hook(app, _declare)


def current_language() -> str:
    """The language of the current request's answer."""
    environ = request.environ
    known: str | None = environ.get(CURRENT)
    if known is None:
        fixed = _path_language()
        known = environ[CURRENT] = fixed or _asked_language()
        environ[NEGOTIATED] = fixed is None
    return known


def _asked_language() -> str:
    """The language asked for by `?lang=`, else by Accept-Language, else the default; what is unknown is passed over."""
    environ = request.environ
    asked = request.args.get("lang") if environ.get("QUERY_STRING") else None
    return str(asked) if asked in LANGUAGES else _accepted_language(environ)


def negotiated_language(environ: Environ) -> str:
    """Return the language of the answer to a request without query, by Accept-Language, and note that it is so."""
    environ[CURRENT], environ[NEGOTIATED] = _accepted_language(environ), True
    found: str = environ[CURRENT]
    return found


def _template_words() -> dict[str, object]:
    """Return what every template may use: the language, its phrases, the other languages, addresses in these."""
    lang = current_language()
    return {
        "lang": lang,
        "say": partial(say, lang),
        "other": other_language(lang),
        "language_names": language_names(),
        "url_in": _url_in,
    }


@lru_cache(maxsize=1)
def language_names() -> dict[str, str]:
    """Return what each language calls itself, by its tag."""
    return {each: say(each, "site.language") for each in LANGUAGES}


def _accepted_language(environ: Environ) -> str:
    return _accepted(environ.get("HTTP_ACCEPT_LANGUAGE", "")) or DEFAULT


@lru_cache(maxsize=1024)
def _accepted(header: str) -> str | None:
    """Return our language that an Accept-Language header prefers by the lookup of RFC 4647; None without any."""
    accepted = parse_accept_header(header, LanguageAccept)
    refused = {tag.lower() for tag, quality in accepted if not quality}
    offered = [lang for lang in (DEFAULT, *LANGUAGES) if lang not in refused]
    for tag, quality in accepted:  # the most liked first, `*` last
        subtags = tag.lower().split("-") if quality else []
        ranges = ("-".join(subtags[:count]) for count in range(len(subtags), 0, -1))
        if found := next((offered[0] if each == "*" else each for each in ranges if each in (*offered, "*")), None):
            return found
    return None


def _path_language() -> str | None:
    first = request.path[1:].partition("/")[0]
    return first if first in LANGUAGES else None


def _url_in(other: str) -> str:
    """Return the address of this page in another language; its home page if the path has no language."""
    if _path_language() is None:
        return f"/{other}/"
    query = request.query_string.decode("ascii", "replace")
    return f"/{other}/{request.path[1:].partition('/')[2]}" + (f"?{query}" if query else "")


def _declare(environ: Environ, status: str, headers: Headers) -> None:
    lang = environ.get(CURRENT)
    if lang is None:
        return
    names = [name.lower() for name, _ in headers]
    if not status.startswith("304") and "content-language" not in names:
        headers.append(("Content-Language", lang))
    if environ[NEGOTIATED]:
        if "vary" in names:
            place = names.index("vary")
            headers[place] = ("Vary", f"{headers[place][1]}, Accept-Language")
        else:
            headers.append(("Vary", "Accept-Language"))
