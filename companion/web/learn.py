"""Pages for those who have never played: quick starts, deals to watch, a quiz, a sheet explained, advice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from flask import Blueprint, Flask, Response, abort, render_template, request

from companion.engine.game import Game
from companion.engine.lessons import Lessons, Puzzle
from companion.games import GAMES
from companion.rulebook.book import rules_url, say, words
from companion.rulebook.lessons import advice, quick_start
from companion.rulebook.teaching import choices, draw_puzzle, lesson_words, recommend
from companion.web.assets import qr
from companion.web.navigation import NavLink
from companion.web.page_cache import GOOD, QUICK, CachedPage, cache_page, serve
from companion.web.site_address import site_root, with_root

MORE = "more"
"""In place of the name of a position: one that is drawn."""
YES, NO = "yes", "no"
MOST_SEED = 999_999
HANDED_OUT = 10
"""Frequent questions on the hand-out."""
PLACES = ("", "deal/first", "deal/mistake", "quiz", "score", "questions", "choose", "hand-out")
"""The pages of a game's lessons, in the order in which they are offered."""

learn = Blueprint("learn", __name__)


def init_app(app: Flask) -> None:
    """Add the pages, and `teaches` for templates that lead to them."""
    app.register_blueprint(learn)
    app.jinja_env.globals["teaches"] = teaches


def teaches(game_id: str) -> bool:
    """Return whether a game has lessons."""
    return game_id in GAMES and GAMES[game_id].lessons is not None


@learn.get("/<lang:lang>/learn/<game_id>")
@learn.get("/<lang:lang>/learn/<game_id>/<preset>")
def quick(lang: str, game_id: str, preset: str = "") -> Response:
    """The quick start of a preset, or of the one for beginners."""
    game, lessons = _lessons(game_id)
    if preset and preset not in lessons.ways[1:]:
        abort(404)
    return serve(_cached_quick(game.id, lang, preset or lessons.ways[0]))


@learn.get("/<lang:lang>/learn/<game_id>/deal/<name>")
@learn.get("/<lang:lang>/learn/<game_id>/deal/<name>/<int:step>")
def deal(lang: str, game_id: str, name: str, step: int = 0) -> Response:
    """A deal to watch: what it shows, one of its steps, or after the last one its end."""
    game, lessons = _lessons(game_id)
    if name not in lessons.deals or step > _step_count(game.id, name) + 1:
        abort(404)
    return serve(_cached_step(game.id, lang, name, step))


@learn.get("/<lang:lang>/learn/<game_id>/quiz")
def quiz(lang: str, game_id: str) -> Response:
    """The quiz: its positions from easy to hard."""
    game, _ = _lessons(game_id)
    return serve(_cached_quiz(game.id, lang))


@learn.get("/<lang:lang>/learn/<game_id>/quiz/<name>")
def puzzle(lang: str, game_id: str, name: str) -> Response:
    """A position of the quiz, or with `?seed=` one that is drawn; with `?say=yes` or `no` the answer to that."""
    game, lessons = _lessons(game_id)
    said = request.args.get("say", "")
    said = said if said in (YES, NO) else ""
    if name == MORE:
        seed = min(max(request.args.get("seed", 1, type=int), 1), MOST_SEED)
        return serve(_cached_drawn(game.id, lang, seed, said))
    if name not in lessons.puzzles:
        abort(404)
    return serve(_cached_puzzle(game.id, lang, name, said))


@learn.get("/<lang:lang>/learn/<game_id>/score")
def score_it(lang: str, game_id: str) -> Response:
    """The sheet of a whole game with places that are explained."""
    game, _ = _lessons(game_id)
    return serve(_cached_score(game.id, lang))


@learn.get("/<lang:lang>/learn/<game_id>/questions")
def frequent(lang: str, game_id: str) -> Response:
    """Frequent questions, common mistakes, advice."""
    game, _ = _lessons(game_id)
    return serve(_cached_questions(game.id, lang))


@learn.get("/<lang:lang>/learn/<game_id>/choose")
def choose(lang: str, game_id: str) -> str:
    """Four questions, and the way to play that suits the answers."""
    game, lessons = _lessons(game_id)
    taught = lesson_words(game.id, lang)
    answers = {question: request.args[question] for question, _ in choices(lessons) if question in request.args}
    found = recommend(lessons, answers) if answers else ""
    page = render_template(
        "learn/choose.html", texts=taught.texts["choose"], choices=list(choices(lessons)), answers=answers,
        found=_way(game, lessons, lang, found) if found else None, **_frame(game, lang, "choose"),
    )  # fmt: skip
    return with_root(page)


@learn.get("/<lang:lang>/learn/<game_id>/hand-out")
def hand_out(lang: str, game_id: str) -> Response:
    """Two sheets of paper for a table of beginners: the quick start, common mistakes, frequent questions."""
    game, _ = _lessons(game_id)
    return serve(_cached_hand_out(game.id, lang, f"{site_root()}/"))


def learn_paths() -> Iterator[str]:
    """Yield the paths of all pages for learners that others should find, without the language."""
    for game in GAMES.values():
        lessons = game.load_lessons()
        if lessons is not None:
            yield from (quick_path(game.id, lessons, way) for way in lessons.ways)
            yield from (f"learn/{game.id}/{place}" for place in PLACES if place)


def quick_path(game_id: str, lessons: Lessons, way: str) -> str:
    """Return the path of a quick start, without the language."""
    return f"learn/{game_id}" if way == lessons.ways[0] else f"learn/{game_id}/{way}"


def _lessons(game_id: str) -> tuple[Game, Lessons]:
    """Return a game and what teaches it; answers 404 without."""
    game = GAMES.get(game_id) or abort(404)
    return game, game.load_lessons() or abort(404)


def _frame(game: Game, lang: str, path: str, here: str | None = None) -> dict[str, object]:
    """Return what every page of a game's lessons needs: its name, the ways to the others, its own path."""
    here = path if here is None else here
    links = [
        NavLink(
            say(lang, f"learn.pages.{place.replace('/', '-') or 'quick'}"), _url(game.id, lang, place), place == here
        )
        for place in PLACES
    ]
    return {
        "game": game, "name": words(game.id, lang).name, "pages": links,
        "path": f"learn/{game.id}/{path}" if path else f"learn/{game.id}",
    }  # fmt: skip


def _url(game_id: str, lang: str, place: str) -> str:
    return f"/{lang}/learn/{game_id}/{place}" if place else f"/{lang}/learn/{game_id}"


def _way(game: Game, lessons: Lessons, lang: str, way: str) -> dict[str, str]:
    """Return what a page says of a way to play: its name and help, its code, where its pages are."""
    own = words(game.id, lang)
    return {
        "label": own.preset_label(way), "help": own.preset_help(way), "code": way,
        "quick": f"/{lang}/{quick_path(game.id, lessons, way)}", "rules": rules_url(lang, game.id, way),
    }  # fmt: skip


@lru_cache(maxsize=64)
def _cached_quick(game_id: str, lang: str, preset: str) -> CachedPage:
    game, lessons = _lessons(game_id)
    own = words(game_id, lang)
    ways = [
        NavLink(own.preset_label(way), f"/{lang}/{quick_path(game_id, lessons, way)}", way == preset)
        for way in lessons.ways
    ]
    html = render_template(
        "learn/quick.html", way=own.preset_label(preset), ways=ways, start=quick_start(game_id, lang, preset),
        rules=rules_url(lang, game_id, preset),
        asked="" if preset == game.options.default_preset else f"?rules={preset}",
        **_frame(game, lang, "" if preset == lessons.ways[0] else preset),
    )  # fmt: skip
    return cache_page(html, effort=GOOD)


@lru_cache(maxsize=64)
def _step_count(game_id: str, name: str) -> int:
    game, lessons = _lessons(game_id)
    watched = lessons.deals[name]
    return min(len(lessons.steps(game, watched)), watched.shown + 1)


@lru_cache(maxsize=512)
def _cached_step(game_id: str, lang: str, name: str, step: int) -> CachedPage:
    game, _ = _lessons(game_id)
    taught = lesson_words(game_id, lang)
    count = _step_count(game_id, name)
    base = _url(game_id, lang, f"deal/{name}")
    end = step > count
    html = render_template(
        "learn/step.html", texts=taught.texts["deals"][name],
        step=None if end or not step else _steps(game_id, lang, name)[step - 1],
        number=step, count=count, end=end, before=(f"{base}/{step - 1}" if step > 1 else base) if step else "",
        after="" if end else f"{base}/{step + 1}", findings=taught.findings(name) if end else [],
        result=taught.result(name) if end else [],
        **_frame(game, lang, f"deal/{name}/{step}" if step else f"deal/{name}", f"deal/{name}"),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


@lru_cache(maxsize=16)
def _steps(game_id: str, lang: str, name: str) -> list[object]:
    return [*lesson_words(game_id, lang).steps(name)]


@lru_cache(maxsize=16)
def _cached_quiz(game_id: str, lang: str) -> CachedPage:
    game, lessons = _lessons(game_id)
    taught = lesson_words(game_id, lang)
    found = [(name, taught.texts["quiz"][name]["title"]) for name in lessons.puzzles]
    return cache_page(
        render_template("learn/quiz.html", puzzles=found, more=MORE, **_frame(game, lang, "quiz")), effort=GOOD
    )


@lru_cache(maxsize=128)
def _cached_puzzle(game_id: str, lang: str, name: str, said: str) -> CachedPage:
    _, lessons = _lessons(game_id)
    names = list(lessons.puzzles)
    place = names.index(name)
    texts = lesson_words(game_id, lang).texts["quiz"][name]
    after = f"quiz/{names[place + 1]}" if place + 1 < len(names) else f"quiz/{MORE}?seed=1"
    return _puzzle_page(
        game_id, lang, lessons.puzzles[name], said, after, path=f"quiz/{name}", heading=texts["title"],
        lesson=texts["lesson"], number=place + 1, count=len(names), key=name,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _cached_drawn(game_id: str, lang: str, seed: int, said: str) -> CachedPage:
    return _puzzle_page(
        game_id, lang, draw_puzzle(game_id, seed), said, "", path=f"quiz/{MORE}?seed={seed}",
        heading=say(lang, "learn.drawn", number=seed), lesson="", number=seed, count=0, key="",
        seed=seed % MOST_SEED + 1,
    )  # fmt: skip


def _puzzle_page(
    game_id: str, lang: str, found: Puzzle, said: str, after: str, *, path: str, **texts: object
) -> CachedPage:
    game, _ = _lessons(game_id)
    shown = lesson_words(game_id, lang).puzzle(found)
    right = said and (said == YES) == (shown.verdict == "legal")
    here = f"{path}{'&' if '?' in path else '?'}say={said}" if said else path
    html = render_template(
        "learn/puzzle.html", puzzle=shown, said=said, right=right, after=_url(game_id, lang, after) if after else "",
        ask=_url(game_id, lang, path), **texts, **_frame(game, lang, here, "quiz"),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


@lru_cache(maxsize=16)
def _cached_score(game_id: str, lang: str) -> CachedPage:
    game, lessons = _lessons(game_id)
    taught = lesson_words(game_id, lang)
    deals = taught.sheet(lessons.sheet)
    why = [
        (number, next(side for side in deals[number - 1] if side.name == taught.named(name)), text)
        for (number, name), text in zip(lessons.why, taught.texts["score"]["why"], strict=True)
    ]
    html = render_template(
        "learn/score.html", deals=deals, why=why, about=taught.texts["score"]["about"], **_frame(game, lang, "score")
    )
    return cache_page(html, effort=GOOD)


@lru_cache(maxsize=16)
def _cached_questions(game_id: str, lang: str) -> CachedPage:
    game, _ = _lessons(game_id)
    html = render_template("learn/questions.html", advice=advice(game_id, lang), **_frame(game, lang, "questions"))
    return cache_page(html, effort=GOOD)


@lru_cache(maxsize=16)
def _cached_hand_out(game_id: str, lang: str, root: str) -> CachedPage:
    game, lessons = _lessons(game_id)
    url = f"{root.rstrip('/')}{_url(game_id, lang, '')}"
    html = render_template(
        "learn/hand-out.html", start=quick_start(game_id, lang, lessons.ways[0]), advice=advice(game_id, lang),
        asked=HANDED_OUT, way=words(game_id, lang).preset_label(lessons.ways[0]), qr=qr(url), page_url=url,
        **_frame(game, lang, "hand-out"),
    )  # fmt: skip
    return cache_page(html, effort=GOOD)
