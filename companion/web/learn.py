"""Pages for those who have never played: quick starts, deals to watch, a quiz, a sheet explained, advice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import cast

from flask import Blueprint, Flask, Response, abort, render_template, request

from companion.engine.game import Game
from companion.engine.lessons import Lessons
from companion.engine.verdict import LEGAL
from companion.games import GAMES
from companion.rulebook.lessons import (
    CHOOSE,
    OWN,
    PLACES,
    LessonWords,
    MoveText,
    StepText,
    advice,
    choices,
    draw_puzzle,
    learn_path,
    lesson_texts,
    lesson_words,
    place_key,
    quick_start,
    recommend,
)
from companion.rulebook.markup import add_page_readings
from companion.rulebook.words import rules_url, say, words
from companion.web.assets import qr
from companion.web.book import NavLink
from companion.web.http import GOOD, QUICK, CachedPage, cache_page, serve, site_root, with_root

_MORE = "more"
"""In place of the name of a position: one that is drawn."""
YES, NO = "yes", "no"
_MISTAKE = "mistake"
"""The deal to watch whose moves are judged only once somebody has named one."""
_ALL = "all"
"""In place of a move that is named: everything that the record shows."""
_TAP = "tap"
"""What the names of the fields that are tapped begin with."""
_MOST_SEED = 999_999
_HANDED_OUT = 10
"""Frequent questions on the hand-out."""

_learn = Blueprint("learn", __name__)
_View = Callable[..., Response]


def init_app(app: Flask) -> None:
    """Add the pages, `teaches` for templates that lead to them, and the filter that adds readings to a page."""
    app.register_blueprint(_learn)
    app.jinja_env.globals["teaches"] = teaches
    app.jinja_env.filters["page_readings"] = add_page_readings


def teaches(game_id: str) -> bool:
    """Return whether a game has lessons."""
    return game_id in GAMES and GAMES[game_id].lessons is not None


def _page(rule: str) -> Callable[[_View], _View]:
    """Serve a page of the way for beginners, and of every other way under its name."""

    def register(view: _View) -> _View:
        for base in ("/<lang:lang>/learn/<game_id>", "/<lang:lang>/learn/<game_id>/<way>"):
            _learn.add_url_rule(base + rule, view_func=view)
        return view

    return register


def _cached(rule: str) -> Callable[[Callable[[_Taught], str]], _View]:
    """Serve a page that is rendered once for each way to play."""

    def register(render: Callable[[_Taught], str]) -> _View:
        kept = lru_cache(maxsize=64)(lambda taught: cache_page(render(taught), effort=GOOD))

        @wraps(render)
        def view(lang: str, game_id: str, way: str = "") -> Response:
            return serve(kept(_taught(game_id, way, lang)))

        return _page(rule)(view)

    return register


@_learn.get("/<lang:lang>/learn")
def index(lang: str) -> Response:
    """Every game that is taught, with its pages for beginners."""
    return serve(_cached_index(lang))


@_cached("")
def quick(taught: _Taught) -> str:
    """The quick start of a way to play."""
    return render_template(
        "learn/quick.html", start=quick_start(taught.game_id, taught.lang, taught.way),
        rules=rules_url(taught.lang, taught.game_id, taught.way), asked=f"?rules={taught.way}", **_frame(taught, ""),
    )  # fmt: skip


@_page("/deal/<name>")
@_page("/deal/<name>/<int:step>")
def deal(lang: str, game_id: str, name: str, way: str = "", step: int = 0) -> Response:
    """A deal to watch: what it shows, one of its steps, or after the last one its end.

    The one with a mistake is judged at its end: with `?pick=` a move, the step and its place in it, or with `all`.
    """
    taught = _taught(game_id, way, lang)
    if name not in taught.words.way.deals or step > (count := len(_steps(taught, name))) + 1:
        abort(404)
    pick = request.args.get("pick", "") if name == _MISTAKE and step > count else ""
    return serve(_cached_step(taught, name, step, pick if pick == _ALL or pick in _moves(taught, name) else ""))


@_cached("/quiz")
def quiz(taught: _Taught) -> str:
    """The quiz: its positions from easy to hard."""
    found = [(name, taught.words.title(name)) for name in taught.words.way.puzzles]
    return render_template("learn/quiz.html", puzzles=found, more=_MORE, store=_store(taught), **_frame(taught, "quiz"))


@_page("/quiz/<name>")
def puzzle(lang: str, game_id: str, name: str, way: str = "") -> Response:
    """A position of the quiz, or with `?seed=` one that is drawn.

    With `?say=yes` or `no` the answer to that; with `?tap=` and the like what the judge says of tapped cards.
    """
    taught = _taught(game_id, way, lang)
    if name != _MORE and name not in taught.words.way.puzzles:
        abort(404)
    seed = min(max(request.args.get("seed", 1, type=int), 1), _MOST_SEED) if name == _MORE else 0
    found = draw_puzzle(taught.game_id, taught.way, seed) if seed else taught.words.way.puzzles[name]
    said = request.args.get("say", "")
    taps = (value for key, values in request.args.lists() if key.startswith(_TAP) for value in values)
    return serve(_cached_puzzle(
        taught, name, seed, said if said in (YES, NO) else "", taught.words.known_taps(found, taps),
    ))  # fmt: skip


@_cached("/score")
def _score_it(taught: _Taught) -> str:
    """The sheet of a whole game with places that are explained."""
    found = taught.words
    return render_template(
        "learn/score.html", deals=found.sheet(), why=found.explained(), about=found.about_sheet(),
        **_frame(taught, "score"),
    )  # fmt: skip


@_cached("/questions")
def _frequent(taught: _Taught) -> str:
    """Frequent questions, common mistakes, advice."""
    found = advice(taught.game_id, taught.lang, taught.way)
    return render_template("learn/questions.html", advice=found, **_frame(taught, "questions"))


@_learn.get("/<lang:lang>/learn/<game_id>/choose")
def choose(lang: str, game_id: str) -> str:
    """Four questions, and the way to play that suits the answers."""
    taught = _taught(game_id, "", lang)
    answers = {question: request.args[question] for question, _ in choices(taught.lessons) if question in request.args}
    found = recommend(taught.lessons, answers) if answers else ""
    return with_root(render_template(
        "learn/choose.html", texts=lesson_texts(game_id, lang)["choose"], choices=list(choices(taught.lessons)),
        answers=answers, found=_recommended(taught, found) if found else None, **_frame(taught, CHOOSE),
    ))  # fmt: skip


@_page("/hand-out")
def _hand_out(lang: str, game_id: str, way: str = "") -> Response:
    """Two sheets of paper for a table of beginners: the quick start, common mistakes, frequent questions."""
    return serve(_cached_hand_out(_taught(game_id, way, lang), f"{site_root()}/"))


def learn_paths() -> Iterator[str]:
    """Yield the paths of all pages for learners that others should find, without the language."""
    for game in GAMES.values():
        lessons = game.load_lessons()
        if lessons is not None:
            for way in (*lessons.ways, *lessons.starts):
                places = PLACES if way in lessons.ways else OWN
                yield from (learn_path(game.id, lessons, way, place) for place in places if place != CHOOSE)
            yield learn_path(game.id, lessons, next(iter(lessons.ways)), CHOOSE)


@dataclass(frozen=True, slots=True)
class _Taught:
    """A way to play that is taught in a language."""

    game_id: str
    way: str
    lang: str

    @property
    def game(self) -> Game:
        return GAMES[self.game_id]

    @property
    def lessons(self) -> Lessons:
        return cast(Lessons, self.game.load_lessons())

    @property
    def words(self) -> LessonWords:
        if self.way not in self.lessons.ways:
            abort(404)
        return lesson_words(self.game_id, self.way, self.lang)

    @property
    def label(self) -> str:
        return words(self.game_id, self.lang).preset_label(self.way)

    @property
    def first(self) -> bool:
        """Whether it is the way for beginners."""
        return self.way == next(iter(self.lessons.ways))

    def url(self, place: str, *, way: str = "") -> str:
        """Return the path of a page of this way, or of another."""
        return f"/{self.lang}/{learn_path(self.game_id, self.lessons, way or self.way, place)}"


def _taught(game_id: str, way: str, lang: str) -> _Taught:
    """Return the way that a path names, where it names none that for beginners; answers 404 without."""
    game = GAMES.get(game_id) or abort(404)
    lessons = game.load_lessons() or abort(404)
    first, *others = lessons.ways
    if way and way not in (*others, *lessons.starts):
        abort(404)
    return _Taught(game_id, way or first, lang)


def _frame(taught: _Taught, path: str, here: str | None = None) -> dict[str, object]:
    """Return what every page of lessons needs: names, the ways to the others, its own path.

    `here` is the page of the list to which it belongs, without it `path`. A page of that list leads to the same page
    of other ways to play, too.
    """
    here = path if here is None else here
    lang = taught.lang
    links = [
        NavLink(say(lang, f"learn.pages.{place_key(place)}"), taught.url(place), place == here) for place in PLACES
    ]
    ways = [
        NavLink(words(taught.game_id, lang).preset_label(way), taught.url(path, way=way), way == taught.way)
        for way in (*taught.lessons.ways, *(taught.lessons.starts if path in OWN else ()))
    ]
    return {
        "game": taught.game, "own": words(taught.game_id, lang), "pages": links, "way": taught.label,
        "ways": ways if path in PLACES and path != CHOOSE else [], "first_way": taught.first,
        "path": taught.url(path).removeprefix(f"/{lang}/"), "base": taught.url(""),
    }  # fmt: skip


def _recommended(taught: _Taught, way: str) -> dict[str, str]:
    """Return what a page says of a way to play: its name and help, its code, where its pages are."""
    own = words(taught.game_id, taught.lang)
    return {
        "label": own.preset_label(way), "help": own.preset_help(way), "code": way,
        "quick": taught.url("", way=way), "rules": rules_url(taught.lang, taught.game_id, way),
    }  # fmt: skip


@lru_cache(maxsize=8)
def _cached_index(lang: str) -> CachedPage:
    games = [_frame(_taught(game, "", lang), "") for game in GAMES if teaches(game)]
    return cache_page(render_template("learn/index.html", games=games, path="learn"), effort=GOOD)


@lru_cache(maxsize=64)
def _steps(taught: _Taught, name: str) -> list[StepText]:
    return taught.words.steps(name)


def _moves(taught: _Taught, name: str) -> dict[str, MoveText]:
    """Return the moves of a deal by their step and their place in it."""
    steps = enumerate(_steps(taught, name), start=1)
    return {f"{number}.{place}": move for number, step in steps for place, move in enumerate(step.moves, start=1)}


@lru_cache(maxsize=512)
def _cached_step(taught: _Taught, name: str, step: int, pick: str) -> CachedPage:
    steps, base = _steps(taught, name), f"deal/{name}"
    count = len(steps)
    end = step > count
    html = render_template(
        "learn/step.html", deal=taught.words.deal(name),
        step=None if end or not step else steps[step - 1],
        number=step, count=count, end=end, neutral=name == _MISTAKE, steps=steps, pick=pick,
        picked=_moves(taught, name).get(pick),
        before=taught.url(f"{base}/{step - 1}" if step > 1 else base) if step else "",
        after="" if end else taught.url(f"{base}/{step + 1}"), findings=taught.words.findings(name) if end else [],
        result=taught.words.result(name) if end else [],
        **_frame(taught, f"{base}/{step}" if step else base, base),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


@lru_cache(maxsize=256)
def _cached_puzzle(taught: _Taught, name: str, seed: int, said: str, taps: tuple[str, ...]) -> CachedPage:
    """Return the page of a position; with a seed that of a drawn one."""
    found = draw_puzzle(taught.game_id, taught.way, seed) if seed else taught.words.way.puzzles[name]
    shown = taught.words.puzzle(found, taps if said or taps else None)
    names = list(taught.words.way.puzzles)
    place = 0 if seed else names.index(name) + 1
    after = names[place] if place < len(names) else f"{_MORE}?seed=1"
    path = f"quiz/{_MORE}?seed={seed}" if seed else f"quiz/{name}"
    here = f"{path}{'&' if seed else '?'}say={said}" if said else path
    html = render_template(
        "learn/puzzle.html", puzzle=shown, said=said, right=said and (said == YES) == (shown.verdict == LEGAL),
        tried=taught.words.tried(found, taps) if taps else None, after=taught.url("quiz/") + after,
        ask=taught.url(path), seed=seed, next_seed=seed % _MOST_SEED + 1, number=place,
        count=0 if seed else len(names), key="" if seed else name,
        heading=say(taught.lang, "learn.drawn", number=seed) if seed else taught.words.title(name),
        lesson="" if seed else taught.words.lesson(name), store=_store(taught), **_frame(taught, here, "quiz"),
    )  # fmt: skip
    return cache_page(html, effort=QUICK)


def _store(taught: _Taught) -> str:
    """Return under which name a device keeps the result of a quiz."""
    return taught.game_id if taught.first else f"{taught.game_id}/{taught.way}"


@lru_cache(maxsize=64)
def _cached_hand_out(taught: _Taught, root: str) -> CachedPage:
    url = f"{root.rstrip('/')}{taught.url('')}"
    html = render_template(
        "learn/hand-out.html", start=quick_start(taught.game_id, taught.lang, taught.way),
        advice=advice(taught.game_id, taught.lang, taught.way), asked=_HANDED_OUT, qr=qr(url), page_url=url,
        **_frame(taught, "hand-out"),
    )  # fmt: skip
    return cache_page(html, effort=GOOD)
