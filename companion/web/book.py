"""The rulebook as pages: parts, articles, presets, both languages, guides, sources, the search; links between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from urllib.parse import urlencode

import orjson
from flask import Blueprint, Flask, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.data import LANGUAGES, other_language
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.answers import difference_text, notice_answer
from companion.rulebook.markup import readings
from companion.rulebook.pages import Leaf, Page, PageArticle, essential_articles, leaves, page, relink, score_section
from companion.rulebook.search import QUERY_LIMIT, answers, asks_permission, index, search
from companion.rulebook.source import sources
from companion.rulebook.words import GUIDES, article_url, load_book, rules_path, rules_url, say, words
from companion.web.assets import qr
from companion.web.http import GOOD, QUICK, CachedPage, cache_page, compress, serve, site_root


@dataclass(frozen=True, slots=True)
class NavLink:
    """A link between pages of one game; `here` where it is the current page."""

    title: str
    url: str
    here: bool = False


def part_path(name: str, part: str) -> str:
    """Return the path of a part, or of a guide by its name, without the language."""
    path = name if name in GUIDES else f"rules/{name}"
    return f"{path}/{part}" if part else path


def article_path(article: PageArticle) -> str:
    """Return the path of an article's own page, without the language."""
    game, _, anchor = article.id.partition(".")
    return f"{part_path(game, '')}/{anchor}"


def leaf_path(game: str, part: str, leaf: str) -> str:
    """Return the path of a page in both languages, without the language of the path."""
    path = f"{part_path(game, part)}/both"
    return f"{path}/{leaf}" if leaf else path


def _part_links(whole: Page, here: str | None) -> dict[str, object]:
    """Return what the template of a part needs: links to other parts and the guides, and the base of article paths."""
    parts = [NavLink(p.title, f"/{whole.lang}/{part_path(whole.game, p.name)}", p.name == here) for p in whole.parts]
    names = [part.name for part in whole.parts]
    after = parts[names.index(here) + 1 :][:1] if here is not None else []
    base = f"/{whole.lang}/{part_path(whole.game, '')}"
    return {"parts": parts, "guides": _guides(whole), "after": after, "base": base}


def _preset_links(game: Game, lang: str, here: str = "") -> dict[str, object]:
    """Return what a template needs to lead to the complete rules of every preset."""
    own = words(game.id, lang)
    return {
        "ways": [
            NavLink(own.preset_label(preset), rules_url(lang, game.id, preset), preset == here)
            for preset in game.options.presets
        ]
    }


def _bilingual_urls(game: str, lang: str, part: str) -> dict[str, str]:
    """Return the URL of each section of a part in both languages, by its anchor."""
    return {
        section.anchor: f"/{lang}/{leaf_path(game, part, leaf.name)}#{section.anchor}"
        for leaf in leaves(game, lang, part)
        for section, _ in leaf.rows
    }


def _leaf_links(whole: Page, part: str, here: Leaf) -> dict[str, object]:
    """Return what the template of a bilingual page needs: its sections, the pages around it, the single page."""
    game, lang = whole.game, whole.lang
    own = leaves(game, lang, part)
    bound = [(each.name, leaf) for each in whole.parts for leaf in leaves(game, lang, each.name)]
    place = next(number for number, (name, leaf) in enumerate(bound) if (name, leaf.name) == (part, here.name))
    return {
        "contents": [NavLink(section.title, f"#{section.anchor}") for leaf in own for section, _ in leaf.rows],
        "before": [_leaf(game, lang, *each) for each in bound[max(place - 1, 0) : place]],
        "after": [_leaf(game, lang, *each) for each in bound[place + 1 : place + 2]],
        "guides": _guides(whole),
        "alone": f"/{lang}/{part_path(game, part)}" + (f"#{here.name}" if here.name else ""),
        "base": f"/{lang}/{leaf_path(game, part, '')}",
    }


def _rewrite_anchors(html: str, whole: Page, part: str, here: Leaf) -> str:
    """Rewrite anchors that are on another page of the same part."""
    places = {
        anchor: f"/{whole.lang}/{leaf_path(whole.game, part, leaf.name)}#{anchor}"
        for leaf in leaves(whole.game, whole.lang, part)
        for anchor in leaf.anchors - here.anchors
    }
    return relink(html, lambda anchor: places.get(anchor, f"#{anchor}"))


def _guides(whole: Page) -> list[NavLink]:
    return [NavLink(page(name, whole.lang).title, f"/{whole.lang}/{name}", name == whole.game) for name in GUIDES]


def _leaf(game: str, lang: str, part: str, leaf: Leaf) -> NavLink:
    title = leaf.rows[0][0].title if leaf.name else next(p.title for p in page(game, lang).parts if p.name == part)
    return NavLink(title, f"/{lang}/{leaf_path(game, part, leaf.name)}")


LINES = 22
"""Deals that a paper score sheet has room for."""
_MOST_FOUND = 12
"""Hits on a page of the search: whoever does not find it among these asks in other words."""
_WHOLE = "whole"
"""In the query of an article's address: to where it stands on the page of its game."""

_book = Blueprint("book", __name__)


def init_app(app: Flask) -> None:
    """Add the pages of the book, and `rules_url` for templates."""
    app.register_blueprint(_book)
    app.jinja_env.globals.update(rules_url=rules_url, article_url=article_url)


def prepare(app: Flask) -> None:
    """Render and compress the pages of the book, and read what is searched, before the first reader comes."""
    for lang in LANGUAGES:
        index(lang)
        with app.test_request_context(f"/{lang}/rules"):
            compress(_cached_index(lang))
            for guide in GUIDES:
                compress(_cached_part(guide, lang, ""))
            for game in GAMES:
                for part in page(game, lang).parts:
                    compress(_cached_part(game, lang, part.name))
                    for leaf in leaves(game, lang, part.name):
                        compress(_cached_both(game, lang, part.name, leaf.name))


@_book.get("/<lang:lang>/rules")
def rules_index(lang: str) -> Response:
    """The games of the rulebook, and the guides."""
    return serve(_cached_index(lang))


@_book.get("/<lang:lang>/rules/<game_id>")
def rules(lang: str, game_id: str) -> BaseResponse:
    """The rule page of a game, its first part; with `?rules=<code>` as one table plays it, a preset at its own page."""
    game, house = _asked_rules(game_id)
    if house is None:
        return serve(_cached_part(game.id, lang, ""))
    code = game.options.code(house)
    if code == house.preset:
        return redirect(rules_url(lang, game.id, code))
    return serve(_cached_table(game.id, lang, code))


@_book.get("/<lang:lang>/rules/<game_id>/<name>")
def article(lang: str, game_id: str, name: str) -> BaseResponse:
    """A further part, the complete rules of a preset, the page of an article; else where an article stands."""
    game = _game(game_id)
    if page(game_id, lang).part(name):
        return serve(_cached_part(game_id, lang, name))
    if name in game.options.presets:
        return serve(_cached_preset(game_id, lang, name))
    if f"{game_id}.{name}" not in load_book().places:
        abort(404)
    if (request.query_string and _WHOLE in request.args) or page(game_id, lang).article(name) is None:
        return redirect(article_url(lang, f"{game_id}.{name}"))
    return serve(_cached_article(lang, game_id, name))


@_book.get("/<lang:lang>/rules/<game_id>/both")
@_book.get("/<lang:lang>/rules/<game_id>/both/<name>")
@_book.get("/<lang:lang>/rules/<game_id>/<part>/both")
@_book.get("/<lang:lang>/rules/<game_id>/<part>/both/<name>")
def both(lang: str, game_id: str, part: str = "", name: str = "") -> BaseResponse:
    """A leaf of a part in both languages, article beside article; else the leaf where an article stands."""
    _game(game_id)
    if not page(game_id, lang).part(part):
        abort(404)
    if any(leaf.name == name for leaf in leaves(game_id, lang, part)):
        return serve(_cached_both(game_id, lang, part, name))
    everywhere = ((each.name, leaf) for each in page(game_id, lang).parts for leaf in leaves(game_id, lang, each.name))
    there = next(((where, leaf.name) for where, leaf in everywhere if name in leaf.anchors), None) or abort(404)
    return redirect(f"/{lang}/{leaf_path(game_id, *there)}#{name}")


@_book.get("/<lang:lang>/rules/<game_id>/summary")
def summary(lang: str, game_id: str) -> Response:
    """One sheet of paper with what is looked for most; with `?rules=<code>` as one table plays it."""
    game, house = _asked_rules(game_id)
    return serve(_cached_summary(game.id, lang, _code(game, house), f"{site_root()}/"))


@_book.get("/<lang:lang>/rules/<game_id>/score-sheet")
def score_sheet(lang: str, game_id: str) -> Response:
    """A blank score sheet with the house rules in its head; `?sides=3` for another number of sides."""
    game, house = _asked_rules(game_id)
    counts = _side_counts(game, (house or game.options.preset()).options)
    asked = request.args.get("sides", type=int)
    sides = None if asked is None else min(counts, key=lambda count: abs(count - asked))
    return serve(_cached_score_sheet(game.id, lang, _code(game, house), sides, f"{site_root()}/"))


@_book.get("/<lang:lang>/glossary")
def glossary(lang: str) -> Response:
    """The words of all games."""
    return serve(_cached_part("glossary", lang, ""))


@_book.get("/<lang:lang>/verdicts")
def verdicts(lang: str) -> Response:
    """How to read a verdict."""
    return serve(_cached_part("verdicts", lang, ""))


@_book.get("/<lang:lang>/sources")
def show_sources(lang: str) -> Response:
    """The sources of every game, and the decisions of this book."""
    return serve(_cached_sources(lang))


@_book.get("/readings/<lang:language>.json")
def show_readings(language: str) -> Response:
    """The readings of words, for a script that shows all of them."""
    return serve(_cached_readings(language))


@lru_cache(maxsize=8)
def _cached_readings(lang: str) -> CachedPage:
    return CachedPage(orjson.dumps(readings(lang)).decode(), "", GOOD, "application/json")


@_book.get("/<lang:lang>/search")
def search_book(lang: str) -> Response:
    """What the rulebook says about `?q=`, first of the game of `?game=` under the rules of `?rules=`.

    A script shows the list of this page while somebody types in the field of any header.
    """
    query, game_id, code = (request.args.get(name, "") for name in ("q", "game", "rules"))
    game = GAMES.get(game_id)
    try:
        code = game.options.code(game.options.decode(code)) if game and code else ""
    except Refused:
        abort(422)
    return serve(_cached_search(lang, query[:QUERY_LIMIT].strip(), game.id if game else "", code))


def _game(game_id: str) -> Game:
    return GAMES.get(game_id) or abort(404)


def _asked_rules(game_id: str) -> tuple[Game, HouseRules[object] | None]:
    """The game, and the house rules of `?rules=`. Answers 422 where the code is none of the game's."""
    game, code = _game(game_id), request.args.get("rules") if request.query_string else None
    if code is None:
        return game, None
    try:
        return game, game.options.decode(code)
    except Refused:
        abort(422)


def _code(game: Game, house: HouseRules[object] | None) -> str:
    return "" if house is None else game.options.code(house)


@lru_cache(maxsize=8)
def _cached_index(lang: str) -> CachedPage:
    books = [(game, page(game.id, lang), _preset_links(game, lang)["ways"]) for game in GAMES.values()]
    guides = [page(name, lang) for name in GUIDES]
    return cache_page(render_template("book/index.html", books=books, guides=guides, path="rules"))


@lru_cache(maxsize=64)
def _cached_part(name: str, lang: str, part: str) -> CachedPage:
    whole, path = page(name, lang), part_path(name, part)
    sides = _bilingual_urls(name, lang, part) if name in GAMES else {}
    ways = _preset_links(GAMES[name], lang) if name in GAMES else {}
    html = render_template(
        "book/part.html", page=whole, part=whole.part(part), path=path, beside=sides, **_part_links(whole, part), **ways
    )
    return cache_page(html)


@lru_cache(maxsize=256)
def _cached_preset(game_id: str, lang: str, preset: str) -> CachedPage:
    return cache_page(_complete(GAMES[game_id], lang, GAMES[game_id].options.preset(preset)), effort=GOOD)


@lru_cache(maxsize=64)
def _cached_table(game_id: str, lang: str, code: str) -> CachedPage:
    game = GAMES[game_id]
    return cache_page(_complete(game, lang, game.options.decode(code)), effort=QUICK)


def _complete(game: Game, lang: str, house: HouseRules[object]) -> str:
    """The complete rules of one way to play."""
    played = page(game.id, lang, house)
    return render_template(
        "book/part.html", page=played, part=played.parts[0], table=_table(game, lang, house),
        path=rules_path(game.id, game.options.code(house)),
        **_part_links(played, None), **_preset_links(game, lang, house.preset),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _cached_article(lang: str, game_id: str, anchor: str) -> CachedPage:
    """The page of an article alone, for those who look for one answer; its links lead to other such pages."""
    whole = page(game_id, lang)
    articles = list(whole.articles())
    place = next(number for number, each in enumerate(articles) if each.anchor == anchor)
    base = f"/{lang}/{part_path(game_id, '')}"

    def links(*places: int) -> list[NavLink]:
        near = [articles[each] for each in places if 0 <= each < len(articles)]
        return [NavLink(each.title, f"/{lang}/{article_path(each)}") for each in near]

    alone = replace(articles[place], html=relink(articles[place].html, lambda near: f"{base}/{near}"))
    html = render_template(
        "book/article.html", page=whole, article=alone, before=links(place - 1), after=links(place + 1),
        section=next(each for each in whole.sections if articles[place] in each.articles),
        base=base, path=article_path(articles[place]),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


@lru_cache(maxsize=64)
def _cached_both(game_id: str, lang: str, part: str, name: str) -> CachedPage:
    first, second = page(game_id, lang), page(game_id, other_language(lang))
    leaf = next(each for each in leaves(game_id, lang, part) if each.name == name)
    html = render_template(
        "book/both.html", part=first.part(part), there=second.part(part), leaf=leaf,
        path=leaf_path(game_id, part, name), whole=first, canonical=part_path(game_id, part),
        say_there=partial(say, second.lang), **_leaf_links(first, part, leaf),
    )  # fmt: skip
    return cache_page(_rewrite_anchors(html, first, part, leaf), effort=GOOD)


@lru_cache(maxsize=64)
def _cached_summary(game_id: str, lang: str, code: str, root: str) -> CachedPage:
    game = GAMES[game_id]
    house = game.options.decode(code) if code else None
    whole, query = page(game_id, lang, house), f"?rules={code}" if code else ""
    html = render_template(
        "book/summary.html", page=whole, articles=list(essential_articles(whole)), scores=score_section(whole),
        path=f"rules/{game_id}/summary{query}", table=_table(game, lang, house) if house else None,
        **_printed(root, lang, game_id, code),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


@lru_cache(maxsize=64)
def _cached_score_sheet(game_id: str, lang: str, code: str, sides: int | None, root: str) -> CachedPage:
    game = GAMES[game_id]
    house = game.options.decode(code) if code else game.options.preset()
    counts = _side_counts(game, house.options)
    query = f"?rules={code}" if code else ""
    chosen = {name: value for name, value in (("rules", code), ("sides", sides)) if value}
    html = render_template(
        "book/score-sheet.html", page=page(game_id, lang), table=_table(game, lang, house), lines=LINES,
        sides=sides or counts[0], counts=counts, columns=game.paper.under(house.options), asked=query,
        own=words(game_id, lang),
        path=f"rules/{game_id}/score-sheet" + (f"?{urlencode(chosen, safe='~')}" if chosen else ""),
        **_printed(root, lang, game_id, code),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


@lru_cache(maxsize=8)
def _cached_sources(lang: str) -> CachedPage:
    found = [(words(game, lang), game, sources(game, lang)) for game in GAMES]
    return cache_page(render_template("book/sources.html", games=[each for each in found if each[2]], path="sources"))


@lru_cache(maxsize=256)
def _cached_search(lang: str, query: str, game_id: str, code: str) -> CachedPage:
    house = GAMES[game_id].options.decode(code) if code else None
    found = search(lang, query, games=[game_id] if game_id else [], house=house, limit=_MOST_FOUND)
    given = list(answers(found, lang))
    asked = {name: value for name, value in (("q", query), ("game", game_id), ("rules", code)) if value}
    html = render_template(
        "book/search.html", query=query, found=found, answers=given, scope=(game_id, code) if game_id else None,
        names={game.id: words(game.id, lang).name for game in GAMES.values()},
        judged=_judged(lang, query, given[0].hit.document.game if given else ""),
        path=f"search?{urlencode(asked)}" if asked else "search",
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


def _judged(lang: str, query: str, game_id: str) -> str:
    """Return the game whose referee can answer a question by whether something may be done; empty if there is none."""
    return game_id if game_id and GAMES[game_id].questions and asks_permission(lang, query) else ""


def _side_counts(game: Game, rules: object) -> list[int]:
    """Return how many sides the game can have under the rules, fewest first."""
    return sorted({way.side_count for way in game.seatings(rules)})


def _table(game: Game, lang: str, house: HouseRules[object]) -> dict[str, object]:
    """What a page says of the house rules that it shows."""
    own, base = words(game.id, lang), game.options.preset(house.preset).options
    return {
        "code": game.options.code(house),
        "summary": own.summary(game.options, house),
        "preset": own.preset_label(house.preset),
        "about": own.preset_help(house.preset),
        "notices": [notice_answer(notice, own)["text"] for notice in house.notices],
        "differences": [
            (difference_text(own, option, one, other), article_url(lang, option.article))
            for option, one, other in game.options.differences(base, house.options)
        ],
    }


def _printed(root: str, lang: str, game_id: str, code: str) -> dict[str, object]:
    """The page that a printed sheet belongs to, as text and as a QR code."""
    path = rules_url(lang, game_id, code) if code else f"/{lang}/rules/{game_id}"
    url = f"{root.rstrip('/')}{path}"
    return {"page_path": path, "page_url": url, "qr": qr(url)}
