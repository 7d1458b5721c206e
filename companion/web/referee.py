"""`May I?`: the questions of the games about one move, answered by tapping cards; all state is in the address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.engine.dialogue import LONGEST_VALUE, SHARED_STATE, Context, Page, Question, Reason, State
from companion.engine.game import Game, with_smallest_facts
from companion.engine.ledger import side_id, team_name
from companion.engine.options import HouseRules
from companion.engine.problems import JsonObject, Refused
from companion.engine.verdict import Breach, Finding, Remedy
from companion.games import GAMES
from companion.rulebook.words import Words, say, words
from companion.web.dialogue import Drawer, Drawn, by_name, sheet_address
from companion.web.keeper.access import kept_sheet

_MAX_ACTIONS: Final = 20
_SEATS: Final = range(1, 7)

_referee = Blueprint("referee", __name__)


def init_app(app: Flask) -> None:
    """Register the referee's pages."""
    app.register_blueprint(_referee)


@_referee.get("/<lang:lang>/referee")
def index(lang: str) -> str:
    """List the questions of all games."""
    return _list_questions(lang, GAMES.values(), "referee", State({}))


@_referee.get("/<lang:lang>/referee/<game_id>")
def of_game(lang: str, game_id: str) -> str:
    """List the questions of one game; each link keeps the sheet or the rules of this address."""
    game = GAMES.get(game_id)
    if game is None or not game.questions:
        abort(404)
    state = State.of(request.args.to_dict())
    on_sheet = _sheet_context(state.get("sheet"), game, ())
    house = on_sheet[0] if on_sheet else _rules_of_code(game, state.get("rules"))
    code = game.options.code(house)
    scope = (game_id, "" if code == game.options.default_preset else code)
    return _list_questions(lang, (game,), f"referee/{game_id}", state, scope)


def _list_questions(
    lang: str, games: Iterable[Game], path: str, state: State, scope: tuple[str, str] | None = None
) -> str:
    shown = [(game, words(game.id, lang), tuple(game.questions)) for game in games if game.questions]
    carried = _with_query("", state.query(SHARED_STATE))
    return render_template(
        "referee/index.html",
        games=shown, path=path + carried, carried=carried, sheet=state.get("sheet"), scope=scope,
    )  # fmt: skip


@_referee.get("/<lang:lang>/referee/<game_id>/<name>")
def ask(lang: str, game_id: str, name: str) -> Response:
    """Apply the actions of the address to its state, then judge everything anew."""
    game = GAMES.get(game_id) or abort(404)
    question = game.questions.get(name) or abort(404)
    inquiry, too_long = _after_actions(_inquiry(game, question, lang))
    page, refused = inquiry.answer()
    html = render_template(
        "referee/question.html",
        game=game, name=name, names=tuple(game.questions), own=inquiry.words, inquiry=inquiry,
        page=page, refused=refused, too_long=too_long,
        path=_with_query(f"referee/{game_id}/{name}", inquiry.query),
        hidden=[(each, inquiry.state.get(each)) for each in question.all_names if inquiry.state.get(each)],
        sheet=inquiry.state.get("sheet"),
        code=game.options.code(inquiry.house),
        presets=tuple(game.options.presets),
        summary=inquiry.words.summary(game.options, inquiry.house),
        carried=_with_query("", inquiry.state.query(SHARED_STATE)),
    )  # fmt: skip
    response = make_response(html)
    if request.args:
        response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@dataclass(frozen=True)
class _Inquiry:
    """A question of a game in one language, with the house rules and the context that it is asked under."""

    game: Game
    question: Question
    lang: str
    house: HouseRules[object]
    context: Context

    @property
    def words(self) -> Words:
        """The words of the game."""
        return words(self.game.id, self.lang)

    @property
    def state(self) -> State:
        """What has been entered so far."""
        return self.context.state

    @property
    def query(self) -> str:
        """The state as a query string."""
        return self.state.query(self.question.all_names)

    def after(self, verb: str, word: str) -> _Inquiry:
        """Return the inquiry after one action; other rules start from an empty state."""
        if verb == "rules":
            house = _rules_of_code(self.game, word)
            code = None if word == self.game.options.default_preset else word
            context = Context(house.options, State({}).put(rules=code), self.context.default_names)
            return replace(self, house=house, context=context)
        if verb == "empty":
            return self._with_state(self.state.only(SHARED_STATE))
        return self._with_state(self.question.act(self.context, verb, word).only(self.question.all_names))

    def answer(self) -> tuple[Drawn | None, list[Drawn]]:
        """Return the page in words, or the reasons why the state describes no possible position."""
        rules = {"preset": self.house.preset, "options": self.game.options.plain(self.house.options)}
        drawer = Drawer(self.game, self.lang, self._with_names, rules)
        try:
            page = self.question.page(self.context)
        except Refused as refused:
            first, *others = [drawer.draw(Reason(problem)) for problem in refused.problems]
            return None, [first | {"shown": self._contradiction(refused)}, *others]
        return drawer.draw(page) | {"link": self._sheet_link(page), "wrong": self._what_went_wrong(page)}, []

    def _contradiction(self, refused: Refused) -> Drawn:
        """Return which facts that were entered cannot be true together, in words; empty where there is no saying."""

        def ask(request: JsonObject) -> None:
            self.question.page(self.context.with_state(State(request["position"])))

        first = with_smallest_facts(refused, {"position": dict(self.state.values)}, ask)[0]
        try:
            ask({"position": {str(pointer[1]): value for pointer, value in first.witness}})
        except Refused as least:
            places = [problem.pointer[problem.pointer[0] == "position" :] for problem in least.problems]
            facts = [(("position", *place), place[1] if len(place) > 1 else None) for place in places]
            return {"steps": [{"text": self.words.contradiction(replace(first, witness=tuple(facts)))}]}
        return {}

    def _with_state(self, state: State) -> _Inquiry:
        return replace(self, context=self.context.with_state(state))

    def _with_names(self, facts: Mapping[str, object]) -> dict[str, object]:
        """Return the facts with both partners' names in place of the id of their side: `Aki & Chika`."""
        seats = self.context.names or self.context.default_names
        pairs = {side_id(pair): team_name(pair) for pair in permutations(seats, 2)}
        return by_name(facts, pairs | {seat: seat for seat in seats})

    def _what_went_wrong(self, page: Page) -> str:
        """Return the query that fills in what went wrong on the sheet: that of the first breach or finding."""
        found = [one.found for each in page.answers for one in each.reasons if isinstance(one, Reason)]
        remedies = [one.remedy if isinstance(one, Finding) else one for one in found]
        kind = next((one.kind for one in remedies if isinstance(one, Remedy)), "")
        wrong = next((one for one in found if isinstance(one, Finding | Breach)), None)
        seat = wrong.seat if isinstance(wrong, Finding) else wrong.facts.get("seat") if wrong else None
        ids = dict(zip(self.context.names, self.context.seat_ids, strict=True))
        filled = {"what": kind, "player": ids.get(str(seat)), "trick": wrong.facts.get("trick") if wrong else None}
        given = {name: value for name, value in filled.items() if value}
        answers = {"entry": urlencode(page.sheet_answers)} if page.sheet_answers else {}
        return urlencode({**given, **answers, "in": "open"}) if kind else ""

    def _sheet_link(self, page: Page) -> tuple[str, str] | None:
        """Return the address of the sheet with the result filled in, and the words of the link."""
        sheet = self.state.get("sheet")
        if not sheet or not page.sheet_answers:
            return None
        return sheet_address(self.lang, sheet, page.sheet_answers), self.words.say("asks.to-sheet")


def _after_actions(inquiry: _Inquiry) -> tuple[_Inquiry, bool]:
    """Return the inquiry after the actions of the address, and whether its state no longer fits into an address."""
    too_long = any(len(text) > LONGEST_VALUE for _, text in request.args.items(multi=True))
    for action in request.args.getlist("do")[:_MAX_ACTIONS]:
        verb, _, word = action[:LONGEST_VALUE].partition(":")
        after = inquiry.after(verb, word)
        if inquiry.question.too_long(after.state) and len(after.query) > len(inquiry.query):
            return inquiry, True
        inquiry = after
    return inquiry, too_long


def _inquiry(game: Game, question: Question, lang: str) -> _Inquiry:
    """Return the question under the rules of the address: those of a sheet of this device, or of a code."""
    names = tuple(say(lang, f"keeper.seat-{place}") for place in _SEATS)
    state = State.of(request.args.to_dict()).only(question.all_names)
    on_sheet = _sheet_context(state.get("sheet"), game, names)
    if on_sheet is None and state.get("sheet"):
        if not state.get("rules"):
            abort(404)
        state = state.put(sheet=None)
    if on_sheet is None:
        house = _rules_of_code(game, state.get("rules"))
        context = Context(house.options, state, names)
    else:
        house, context = on_sheet
    code = game.options.code(house)
    state = state.put(rules=None if code == game.options.default_preset else code)
    return _Inquiry(game, question, lang, house, context.with_state(state))


def _sheet_context(sheet: str, game: Game, default_names: tuple[str, ...]) -> tuple[HouseRules[object], Context] | None:
    """Return the rules, names and totals of a sheet of this device; None if it has no running game of this kind."""
    if not sheet:
        return None
    try:
        view = kept_sheet(sheet)
    except HTTPException:
        return None
    running = view.game
    if running is None or running.game != game.id or view.ledger is None:
        return None
    house, names = view.house(running), view.sheet.names_in(running)
    return house, Context(
        rules=house.options,
        state=State({}),
        default_names=default_names,
        names=tuple(names[seat] for seat in running.seating),
        seat_ids=tuple(running.seating),
        totals={place: view.ledger.standing[side.id].total for place, side in enumerate(running.sides)},
        dealer=running.seating.index(running.open.dealer),
    )


def _rules_of_code(game: Game, code: str) -> HouseRules[object]:
    """Return the rules of a code; without one the default preset. Responds 422 for an unknown code."""
    try:
        return game.options.decode(code or game.options.default_preset)
    except Refused:
        abort(422)


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path
