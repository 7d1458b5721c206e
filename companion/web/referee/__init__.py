"""`May I?`: questions about one move, answered by tapping cards; what was tapped stands in the address alone."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request

from companion.engine import dialogue
from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import words
from companion.web.dialogue import Drawer, Drawn, sheet_address
from companion.web.referee.asking import SHARED, Asking, Question
from companion.web.referee.faces import by_name, reason
from companion.web.referee.shown import Page, Reason
from companion.web.referee.source import rules_at, told_by_sheet
from companion.web.referee.state import LONGEST, State

QUESTIONS: Mapping[str, Mapping[str, Question | dialogue.Question]] = {
    game.id: game.questions for game in GAMES.values()
}
MOST_ACTS = 20

referee = Blueprint("referee", __name__)


def init_app(app: Flask) -> None:
    """Add the referee's pages."""
    app.register_blueprint(referee)


@referee.get("/<lang:lang>/referee")
def index(lang: str) -> str:
    """All questions that can be asked."""
    return _questions(lang, tuple(QUESTIONS), "referee", "")


@referee.get("/<lang:lang>/referee/<game_id>")
def of_game(lang: str, game_id: str) -> str:
    """The questions of one game; a sheet or a code of rules is taken along to each of them."""
    if game_id not in QUESTIONS:
        abort(404)
    carried = _with_query("", State.of(request.args.to_dict()).query(SHARED))
    return _questions(lang, (game_id,), f"referee/{game_id}{carried}", carried)


def _questions(lang: str, games: tuple[str, ...], path: str, carried: str) -> str:
    shown = [(GAMES[game], words(game, lang), tuple(QUESTIONS[game])) for game in games if game in GAMES]
    return render_template("referee/index.html", games=shown, path=path, carried=carried)


@referee.get("/<lang:lang>/referee/<game_id>/<name>")
def ask(lang: str, game_id: str, name: str) -> Response:
    """One question: what was done last is added to the state of the address, then everything is judged anew."""
    game = GAMES.get(game_id) or abort(404)
    question = QUESTIONS.get(game_id, {}).get(name) or abort(404)
    asking, too_long = _after_acts(_asking(game, question, lang), question)
    page, refused = _answered(asking, question)
    path = _with_query(f"referee/{game_id}/{name}", _query(asking, question))
    html = render_template(
        "referee/question.html",
        asking=asking, game=game, name=name, page=page, refused=refused, path=path, too_long=too_long,
        hidden=[(each, asking.state.get(each)) for each in question.all_names if asking.state.get(each)],
        presets=tuple(game.options.presets),
        summary=asking.own.summary(game.options, asking.house),
        names=tuple(QUESTIONS[game_id]),
        carried=_with_query("", asking.state.query(SHARED)),
    )  # fmt: skip
    response = make_response(html)
    if request.args:
        response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _after_acts(asking: Asking, question: Question | dialogue.Question) -> tuple[Asking, bool]:
    """The question after what was done last, and whether more was said than an address holds."""
    too_long = any(len(text) > LONGEST for _, text in request.args.items(multi=True))
    for done in request.args.getlist("do")[:MOST_ACTS]:
        verb, _, word = done[:LONGEST].partition(":")
        after = _done(asking, question, verb, word)
        if question.too_long(after.state) and len(_query(after, question)) > len(_query(asking, question)):
            return asking, True
        asking = after
    return asking, too_long


def _answered(asking: Asking, question: Question | dialogue.Question) -> tuple[Page | Drawn | None, tuple[Reason, ...]]:
    """The page of the question, or why what was said stands in no position."""
    try:
        if isinstance(question, dialogue.Question):
            return _drawn(asking, question.page(asking.context)), ()
        return question.page(asking), ()
    except Refused as refused:
        return None, tuple(reason(asking, problem) for problem in refused.problems)


def _drawn(asking: Asking, page: dialogue.Page) -> Drawn:
    """A page of a game's question in words; with the way to the sheet that the question came from."""
    drawer = Drawer(asking.game, asking.lang, lambda facts: by_name(asking, facts), asking.spoken_rules)
    drawn: Drawn = drawer.draw(page)
    sheet = asking.state.get("sheet")
    if sheet and page.sheet_answers:
        drawn["link"] = (sheet_address(asking.lang, sheet, page.sheet_answers), asking.say("to-sheet"))
    return drawn


def _asking(game: Game, question: Question | dialogue.Question, lang: str) -> Asking:
    """The question with the rules that the address names: by a sheet that this device keeps, or by their code."""
    state = State.of(request.args.to_dict()).only(question.all_names)
    sheet = told_by_sheet(state.get("sheet"), game) if state.get("sheet") else None
    if sheet is None and state.get("sheet"):
        if not state.get("rules"):
            abort(404)
        state = state.put(sheet=None)
    house = rules_at(game, state.get("rules"), sheet)
    code = game.options.code(house)
    state = state.put(rules=None if code == game.options.default_preset else code)
    if sheet is None:
        return Asking(game, lang, house, state)
    return Asking(game, lang, house, state, sheet.names, sheet.seat_ids, sheet.totals, sheet.dealer)


def _done(asking: Asking, question: Question | dialogue.Question, verb: str, word: str) -> Asking:
    """The question after one thing was done; other rules empty the page, for its cards may not exist there."""
    if verb == "rules":
        house = rules_at(asking.game, word, None)
        fresh = State({}).put(rules=None if word == asking.game.options.default_preset else word)
        return Asking(asking.game, asking.lang, house, fresh)
    if verb == "empty":
        return asking.with_state(asking.state.only(SHARED))
    if isinstance(question, dialogue.Question):
        return asking.with_state(question.act(asking.context, verb, word).only(question.all_names))
    return asking.with_state(question.act(asking, verb, word).only(question.all_names))


def _query(asking: Asking, question: Question | dialogue.Question) -> str:
    return asking.state.query(question.all_names)


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path
