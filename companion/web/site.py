"""The pages that everybody reads, and how search engines and assistants find them.

Home, problem codes and the navigation; heads of public pages, linked data, pictures, `sitemap.xml`, `llms.txt`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from xml.sax.saxutils import escape

import orjson
from flask import Blueprint, Flask, Response, abort, current_app, make_response, render_template, request
from markupsafe import Markup
from werkzeug.routing import Map

from companion.data import LANGUAGES, data_folder, read_toml
from companion.describe import explained, groups, problem_examples
from companion.engine.chooser import read_chooser
from companion.games import GAMES
from companion.rulebook.answers import Json
from companion.rulebook.markup import draw_cards, inline_html
from companion.rulebook.pages import (
    Page,
    PageArticle,
    PagePart,
    answer_text,
    breadcrumbs,
    defined_terms,
    describe,
    page,
    questions,
)
from companion.rulebook.source import game_folder
from companion.rulebook.words import GUIDES, rules_path, say, words
from companion.web import book, learn
from companion.web.book import article_path, part_path
from companion.web.http import (
    API,
    BEST,
    DEFAULT,
    GOOD,
    QUICK,
    ROOT_MARK,
    CachedPage,
    cache_page,
    current_language,
    serve,
    with_root,
)
from companion.web.keeper.access import comes_with_key, kept_sheets
from companion.web.keeper.board import Board, board
from companion.web.learn import learn_paths

PICTURE = "cover.png"
"""A picture of 1200 by 630 pixels, for links that people send: in the texts of a game, else of the language."""
PICTURE_SIZE = (1200, 630)
_PICTURE_SECONDS = 86_400
_DOCUMENTATION = {
    "docs.title": "/api/docs",
    "docs.snippets": "/api/docs/snippets",
    "docs.library": "/api/docs/library",
    "docs.document": f"{API}/openapi.json",
}
"""What a program reads first, by the phrase that names it."""
NOT_FOR_ROBOTS = (
    f"{API}/",
    *(f"/{lang}/{part}" for lang in LANGUAGES for part in ("devices", "join", "search", "sheets", "watch")),
)

_discovery = Blueprint("discovery", __name__)


@dataclass(frozen=True, slots=True)
class PublicHead:
    """The head of a public page: canonical path after the language, title, description, picture, linked data.

    `path` is None for a page that search engines should not list.
    """

    path: str | None
    title: str = ""
    description: str = ""
    picture: str = ""
    data: tuple[Markup, ...] = ()
    kind: str = "website"


def init_app(app: Flask) -> None:
    """Add the pages of the site, the book and the lessons, and what templates call for the head of a public page."""
    app.register_blueprint(_discovery)
    app.register_blueprint(_pages)
    book.init_app(app)
    learn.init_app(app)
    app.context_processor(_navigation)
    app.jinja_env.filters |= {"inline": inline_html, "cards": draw_cards}
    app.jinja_env.globals.update(
        public_page=public_page, public_part=public_part, public_article=public_article, public_table=public_table,
        default_language=DEFAULT,
    )  # fmt: skip


@_discovery.get("/sitemap.xml")
def sitemap() -> Response:
    """Every public page in every language, with its translations."""
    return serve(_cached_sitemap())


@_discovery.get("/robots.txt")
def robots() -> Response:
    """What robots should leave alone, and where the sitemap is."""
    return serve(_cached_robots())


@_discovery.get("/llms.txt")
def llms() -> Response:
    """What assistants find here, in the form of llmstxt.org: the rules of every game as pages and as JSON, the API."""
    return serve(_cached_llms())


@_discovery.get("/covers/<lang:language>.png")
@_discovery.get("/covers/<lang:language>/<game_id>.png")
def cover(language: str, game_id: str = "") -> Response:
    """The picture of a game or of the site, with its name in a language."""
    path = _picture_file(language, game_id) or abort(404)
    headers = {"Cache-Control": f"public, max-age={_PICTURE_SECONDS}"}
    return Response(path.read_bytes(), mimetype="image/png", headers=headers)


def public_page(lang: str, path: str | None, description: str) -> PublicHead:
    """Return the head of a public page that belongs to no part of the book; without a path robots do not list it."""
    return PublicHead(path, "", description, _picture_url(lang, ""))


def public_part(whole: Page, part: PagePart, path: str) -> PublicHead:
    """Return the head of a part of the book, or of a guide; `path` is the canonical one."""
    lead = answer_text(part.lead_html) or answer_text(part.sections[0].articles[0].html)
    places = [(part.title, part_path(whole.game, part.name))] if part is not whole.parts[0] else []
    terms = [defined_terms(whole, _absolute(whole.lang, path))] if whole.game == "glossary" else []
    return _head(whole, path, _title(whole, part), lead, places, terms)


def public_article(whole: Page, article: PageArticle) -> PublicHead:
    """Return the head of an article's own page: its answer, and the question with it as linked data."""
    path, text = article_path(article), answer_text(article.html)
    asked = [questions(whole.lang, [(article.title, text)])]
    return replace(
        _head(whole, path, _title_of(whole, article.title), text, [(article.title, path)], asked), kind="article"
    )


def public_table(whole: Page, code: str, name: str) -> PublicHead:
    """Return the head of the complete rules of a preset, by its name; those of a table are canonical to its preset."""
    path = rules_path(whole.game, code.partition("~")[0])
    return _head(whole, path, _title_of(whole, name), answer_text(whole.summary_html), [(name, path)])


def _head(
    whole: Page, path: str, title: str, text: str, places: Sequence[tuple[str, str]], data: Sequence[Json] = ()
) -> PublicHead:
    """Return the head of a page of a game; `places` are titles and paths that lead there from the game's first page."""
    lang = whole.lang
    trail = [(say(lang, "navigation.rules"), "rules"), (whole.title, part_path(whole.game, "")), *places]
    crumbs = breadcrumbs((name, _absolute(lang, where)) for name, where in trail)
    return PublicHead(path, title, describe(text, lang), _picture_url(lang, whole.game), _scripts([crumbs, *data]))


@lru_cache(maxsize=64)
def _picture_url(lang: str, game_id: str) -> str:
    """Return the address of the picture of a game, or of the site where the game has none; empty without either."""
    if game_id in GAMES and _picture_file(lang, game_id):
        return f"{ROOT_MARK}/covers/{lang}/{game_id}.png"
    return f"{ROOT_MARK}/covers/{lang}.png" if _picture_file(lang, "") else ""


def public_paths() -> Iterator[str]:
    """Yield the paths of all public pages, without the language."""
    yield from ("", "help", "rules", "learn", "sources", *GUIDES)
    for game in GAMES:
        whole, presets = page(game, DEFAULT), GAMES[game].options.presets
        yield from (part_path(game, part.name) for part in whole.parts)
        yield from (rules_path(game, preset) for preset in presets)
        yield from (article_path(article) for article in whole.articles() if article.anchor not in presets)
    yield from learn_paths()


def _picture_file(lang: str, game_id: str, name: str = PICTURE) -> Path | None:
    if game_id and game_id not in GAMES:
        return None
    path = (game_folder(GAMES[game_id], lang) if game_id else data_folder(f"rules_{lang}")) / name
    return path if path.is_file() else None


@lru_cache(maxsize=64)
def _motif(game_id: str) -> Markup:
    path = _picture_file(LANGUAGES[0], game_id, "motif.svg")
    return Markup(path.read_text("utf-8") if path else "")  # noqa: S704


def _title(whole: Page, part: PagePart) -> str:
    """Return the title of a window: that the page has rules, and of which game."""
    if part is not whole.parts[0]:
        return _title_of(whole, part.title)
    own = say(whole.lang, "found.rules-of", game=whole.title) if whole.game in GAMES else whole.title
    return f"{own} · {say(whole.lang, 'site.name')}"


def _title_of(whole: Page, title: str) -> str:
    return say(whole.lang, "found.title", title=title, game=whole.title)


def _absolute(lang: str, path: str) -> str:
    return f"{ROOT_MARK}/{lang}/{path}"


def _scripts(data: Sequence[Json]) -> tuple[Markup, ...]:
    """Return linked data as text for script elements, where `<` must not begin a tag."""
    return tuple(Markup(orjson.dumps(item).decode().replace("<", "\\u003c")) for item in data)  # noqa: S704


@lru_cache(maxsize=1)
def _cached_sitemap() -> CachedPage:
    entries = []
    for path in public_paths():
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{tag}" href="{escape(_absolute(lang, path))}"/>'
            for tag, lang in [*((each, each) for each in LANGUAGES), ("x-default", DEFAULT)]
        )
        entries += [f"<url><loc>{escape(_absolute(lang, path))}</loc>{links}</url>" for lang in LANGUAGES]
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    xml = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset {}>\n{}\n</urlset>\n'.format(spaces, "\n".join(entries))
    return CachedPage(xml, "", QUICK, "application/xml; charset=utf-8")


@lru_cache(maxsize=1)
def _cached_robots() -> CachedPage:
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS),
        "",
        f"Sitemap: {ROOT_MARK}/sitemap.xml",
    ]
    return CachedPage("\n".join(lines) + "\n", "", BEST, "text/plain; charset=utf-8")


@lru_cache(maxsize=1)
def _cached_llms() -> CachedPage:
    lines = [f"# {say(DEFAULT, 'site.name')}", "", f"> {say(DEFAULT, 'site.promise')}"]
    for lang in (DEFAULT, *(each for each in LANGUAGES if each != DEFAULT)):
        lines += ["", f"## {say(lang, 'site.language')}: {say(lang, 'navigation.rules')}", ""]
        for game in GAMES:
            name, book = (
                say(lang, "found.rules-of", game=words(game, lang).name),
                f"{API}/games/{game}/book?lang={lang}",
            )
            lines.append(f"- [{name}]({_absolute(lang, part_path(game, ''))}): [JSON]({ROOT_MARK}{book})")
        lines += [f"- [{page(guide, lang).title}]({_absolute(lang, guide)})" for guide in GUIDES]
        lines.append(f"- [{say(lang, 'search.title')}]({_absolute(lang, 'search')}?q=)")
        lines += ["", f"## {say(lang, 'site.language')}: {say(lang, 'docs.title')}", "", say(lang, "docs.lead"), ""]
        for key, path in _DOCUMENTATION.items():
            lines.append(f"- [{say(lang, key)}]({ROOT_MARK}{path}{'' if path.startswith(API) else f'?lang={lang}'})")
    return CachedPage("\n".join(lines) + "\n", "", BEST, "text/markdown; charset=utf-8")


_NAVIGATION = ("sheets", "referee", "rules", "learn", "groups")
"""The main parts of the site, each at `/<lang>/<name>`; one that is not there is not offered."""

_SHEETS = 3
"""Number of latest sheets among which the front page looks for an open game."""

_pages = Blueprint("pages", __name__)


@_pages.get("/")
@_pages.get("/<lang:lang>/")
def home(lang: str | None = None) -> Response:
    """The front page, with the game and the group of this device; without a language in the path, in the reader's."""
    language = current_language()
    return _for_device(
        make_response(with_root(_home(language, _latest_board(language))))
        if comes_with_key()
        else serve(_cached_home(language, current_app.url_map))
    )


@_pages.get("/<lang:lang>/help")
def show_help(lang: str) -> Response:
    """How to do what a score sheet can do, with links to the pages of the sheet `?sheet=`, else of the newest kept."""
    kept = kept_sheets(1) if comes_with_key() else []
    sheet = request.args.get("sheet") or (kept[0].id if kept else "")
    return _for_device(make_response(with_root(_help(lang, sheet))) if sheet else serve(_cached_help(lang)))


def _for_device(response: Response) -> Response:
    """Return a page that is another one on another device."""
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@lru_cache(maxsize=8)
def _cached_help(lang: str) -> CachedPage:
    return cache_page(_help(lang, ""), effort=GOOD)


def _help(lang: str, sheet: str) -> str:
    articles = read_toml(data_folder(f"rules_{lang}") / "help.toml")
    return render_template("help.html", articles=articles, sheet=sheet, path="help")


@_pages.get("/problems")
@_pages.get("/<lang:lang>/problems")
def problems(lang: str | None = None) -> Response:
    """All problem codes of the API."""
    return serve(_cached_problems(current_language()))


@_pages.get("/problems/<code>")
@_pages.get("/<lang:lang>/problems/<code>")
def problem(code: str, lang: str | None = None) -> str:
    """What one problem code means: the page behind a problem's `type`."""
    found = explained(code, current_language()) or abort(404)
    return render_template(
        "problem.html", code=code, explained=found, example=problem_examples().get(code), path=f"problems/{code}",
        written=partial(json.dumps, ensure_ascii=False, indent=1),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _cached_home(lang: str, routes: Map) -> CachedPage:
    """Return the front page of a browser without a key; where the routes are others, it leads elsewhere."""
    return cache_page(_home(lang, None))


def _home(lang: str, latest: Board | None) -> str:
    games = [(game, words(game.id, lang)) for game in GAMES.values()]
    known = {game.id: read_chooser(game.chooser).known for game in GAMES.values() if game.chooser}
    return render_template("home.html", games=games, known=known, latest=latest, path="")


def _latest_board(lang: str) -> Board | None:
    """Return the latest open game of this device, or its latest one."""
    boards = (board(view, lang) for view in kept_sheets(_SHEETS) if view.game)
    return min(boards, key=lambda latest: latest.over, default=None)


@lru_cache(maxsize=8)
def _cached_problems(lang: str) -> CachedPage:
    return cache_page(render_template("problems.html", groups=groups(lang), path="problems"), effort=GOOD)


def _navigation() -> dict[str, object]:
    lang = current_language()
    return {"navigation": [(name, f"/{lang}/{name}") for name in _offered(current_app.url_map)], "motif": _motif}


@lru_cache(maxsize=8)  # every page asks, and an application has more than a hundred routes
def _offered(routes: Map) -> tuple[str, ...]:
    """Return the pages of the navigation that an application has."""
    there = {rule.rule for rule in routes.iter_rules()}
    return tuple(name for name in _NAVIGATION if f"/<lang:lang>/{name}" in there)
