"""`May I?`: questions about one move, answered by tapping cards; everything entered is in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request
from werkzeug.exceptions import NotFound

from companion.engine.dialogue import SHARED_STATE, Context, Page, Question, Reason
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.engine.state import LONGEST_VALUE, State
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.rulebook.phrases import Words
from companion.web.dialogue import Drawer, Drawn, sheet_address
from companion.web.keeper.access import kept_sheet

QUESTIONS: Final[Mapping[str, Mapping[str, Question]]] = {game.id: game.questions for game in GAMES.values()}
MAX_ACTIONS: Final = 20
_MAX_SEATS: Final = 6

referee = Blueprint("referee", __name__)


def init_app(app: Flask) -> None:
    """Add the referee's pages."""
    app.register_blueprint(referee)


@referee.get("/<lang:lang>/referee")
def index(lang: str) -> str:
    """Show the questions of all games."""
    return _index(lang, tuple(QUESTIONS), "referee", "")


@referee.get("/<lang:lang>/referee/<game_id>")
def of_game(lang: str, game_id: str) -> str:
    """Show the questions of one game; a sheet or a code of rules is passed on to each of them."""
    if game_id not in QUESTIONS:
        abort(404)
    carried = _with_query("", State.of(request.args.to_dict()).query(SHARED_STATE))
    return _index(lang, (game_id,), f"referee/{game_id}{carried}", carried)


@referee.get("/<lang:lang>/referee/<game_id>/<name>")
def ask(lang: str, game_id: str, name: str) -> Response:
    """Show one question: actions are applied to the state in the address, then everything is judged anew."""
    game = GAMES.get(game_id) or abort(404)
    question = QUESTIONS[game_id].get(name) or abort(404)
    asking, too_long = _after_actions(_asking(game, question, lang), question)
    state = asking.context.state
    page, refused = _answered(asking, question)
    html = render_template(
        "referee/question.html",
        asking=asking, game=game, name=name, page=page, refused=refused, too_long=too_long,
        path=_with_query(f"referee/{game_id}/{name}", state.query(question.all_names)),
        hidden=[(each, state.get(each)) for each in question.all_names if state.get(each)],
        presets=tuple(game.options.presets),
        summary=asking.own.summary(game.options, asking.house),
        names=tuple(QUESTIONS[game_id]),
        carried=_with_query("", state.query(SHARED_STATE)),
    )  # fmt: skip
    response = make_response(html)
    if request.args:
        response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@dataclass(frozen=True, slots=True)
class Asking:
    """One question being asked: the game, the language, the house rules, and what the question knows."""

    game: Game
    lang: str
    house: HouseRules[Any]
    context: Context

    @property
    def own(self) -> Words:
        """Return the words of the game."""
        return words(self.game.id, self.lang)

    @property
    def code(self) -> str:
        """Return the short code of the house rules."""
        return self.game.options.code(self.house)

    @property
    def state(self) -> State:
        """Return what has been entered so far."""
        return self.context.state

    def with_state(self, state: State) -> Asking:
        """Return the same question with another state."""
        return replace(self, context=self.context.with_state(state))

    def drawer(self) -> Drawer:
        """Return what puts pages into words, with names in place of seats and sides."""
        rules = {"preset": self.house.preset, "options": self.game.options.plain(self.house.options)}
        return Drawer(self.game, self.lang, self._by_name, rules)

    def _by_name(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facts with the names of both partners for the id of their side: `Aki & Chika`."""
        seats = set(self.context.names or self.context.default_names)

        def named(item: Any) -> Any:
            partners = item.split("+") if isinstance(item, str) and item not in seats else []
            return " & ".join(partners) if len(partners) > 1 and seats.issuperset(partners) else item

        return {key: named(item) for key, item in facts.items()}


def _index(lang: str, games: tuple[str, ...], path: str, carried: str) -> str:
    shown = [(GAMES[game], words(game, lang), tuple(QUESTIONS[game])) for game in games]
    return render_template("referee/index.html", games=shown, path=path, carried=carried)


def _asking(game: Game, question: Question, lang: str) -> Asking:
    """Return the question under the rules of a sheet that this browser keeps, else under those of a code."""
    state = State.of(request.args.to_dict()).only(question.all_names)
    sheet = state.get("sheet")
    found = _on_sheet(sheet, game, lang) if sheet else None
    if sheet and found is None:
        if not state.get("rules"):
            abort(404)
        state = state.put(sheet=None)
    asking = found or _under_rules(game, lang, state.get("rules"))
    code = asking.code
    return asking.with_state(state.put(rules=None if code == game.options.default_preset else code))


def _under_rules(game: Game, lang: str, code: str) -> Asking:
    """Return an empty question under the rules of a code, by default the usual ones; no code of rules is a 422."""
    try:
        house = game.options.decode(code or game.options.default_preset)
    except Refused:
        abort(422)
    return Asking(game, lang, house, Context(house.options, State({}), _seat_names(lang)))


def _on_sheet(sheet: str, game: Game, lang: str) -> Asking | None:
    """Return an empty question at the table of a sheet; None unless this browser keeps it and the game runs on it."""
    try:
        view = kept_sheet(sheet)
    except NotFound:
        return None
    running = view.game
    if running is None or running.game != game.id or view.ledger is None:
        return None
    house = view.house(running)
    context = Context(
        house.options,
        State({}),
        _seat_names(lang),
        names=tuple(view.sheet.names[seat] for seat in running.seating),
        seat_ids=tuple(running.seating),
        totals={place: view.ledger.standing[side.id].total for place, side in enumerate(running.sides)},
        dealer=running.seating.index(running.open.dealer),
    )
    return Asking(game, lang, house, context)


def _seat_names(lang: str) -> tuple[str, ...]:
    return tuple(say(lang, f"keeper.seat-{place}") for place in range(1, _MAX_SEATS + 1))


def _after_actions(asking: Asking, question: Question) -> tuple[Asking, bool]:
    """Return the question after all actions, and whether more was entered than fits into an address."""
    too_long = any(len(text) > LONGEST_VALUE for _, text in request.args.items(multi=True))
    for action in request.args.getlist("do")[:MAX_ACTIONS]:
        verb, _, word = action[:LONGEST_VALUE].partition(":")
        after = _after(asking, question, verb, word)
        longer = len(after.state.query(question.all_names)) > len(asking.state.query(question.all_names))
        if longer and question.too_long(after.state):
            return asking, True
        asking = after
    return asking, too_long


def _after(asking: Asking, question: Question, verb: str, word: str) -> Asking:
    """Return the question after one action; other rules empty it, for its cards may not exist under them."""
    if verb == "rules":
        fresh = _under_rules(asking.game, asking.lang, word)
        return fresh.with_state(State({}).put(rules=None if word == asking.game.options.default_preset else word))
    if verb == "empty":
        return asking.with_state(asking.state.only(SHARED_STATE))
    return asking.with_state(question.act(asking.context, verb, word).only(question.all_names))


def _answered(asking: Asking, question: Question) -> tuple[Drawn | None, list[Drawn]]:
    """Return the page in words, or why what was entered is no possible position."""
    drawer = asking.drawer()
    try:
        page = question.page(asking.context)
    except Refused as refused:
        return None, drawer.draw([Reason(problem) for problem in refused.problems])
    return _with_link(asking, page, drawer.draw(page)), []


def _with_link(asking: Asking, page: Page, drawn: Drawn) -> Drawn:
    """Return a page with the link that takes its result over to the sheet it was asked from."""
    sheet = asking.state.get("sheet")
    if sheet and page.sheet_answers:
        drawn["link"] = (sheet_address(asking.lang, sheet, page.sheet_answers), asking.own.say("asks.to-sheet"))
    return drawn


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path
