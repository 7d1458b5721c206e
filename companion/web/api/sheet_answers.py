"""What the JSON answers about sheets are made of: games, deals, previews, and the words that they are written in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from companion.engine.game import Game
from companion.engine.ledger import DealScore, Ledger, Line, Outcome, Side, side_id
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import JsonObject, Node, Problem, Refused
from companion.engine.shapes import write
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.sheets.events import View
from companion.sheets.service import Effect, Ripple, Say
from companion.sheets.state import Entry, RulesPeriod, Sheet, SheetDeal, SheetGame
from companion.sheets.store import SCORE, WATCH
from companion.web.api import sheet_schemas as schemas
from companion.web.language import current_language
from companion.web.naming import by_name, effect_sentence
from companion.web.site_address import site_root

Json = dict[str, Any]


class SheetWords:
    """The words of a game for a sheet: sentences name the players of seats and sides; the facts keep the ids."""

    def __init__(self, game: str, lang: str, sheet: Sheet, sides: Iterable[Side]) -> None:
        self._own, self._sheet = words(game, lang), sheet
        self._names = sheet.names | {side.id: sheet.side_name(side) for side in sides}
        self.lang, self.name = lang, self._own.name

    def line(self, line: Line) -> str:
        """Return the sentence of a line of the ledger."""
        return self._own.line(replace(line, facts=by_name(line.facts, self._names)))

    def outcome(self, outcome: Outcome) -> str:
        """Return why the game is over."""
        winners = tuple(self._names[side] for side in outcome.winners)
        return self._own.outcome(replace(outcome, winners=winners, facts=by_name(outcome.facts, self._names)))

    def problem(self, problem: Problem) -> str:
        """Return what is wrong with an input."""
        return self._own.problem(replace(problem, facts=by_name(problem.facts, self._names)))

    def summary(self, options: OptionSet[object], house: HouseRules[object]) -> str:
        """Return house rules in one line."""
        return self._own.summary(options, house)

    def side_name(self, side: Side) -> str:
        """Return the names of the players of a side."""
        return self._sheet.side_name(side)

    def effect(self, effect: Effect) -> str:
        """Return the sentence of an effect of a command on the game."""
        return effect_sentence(effect, self._own, self._names)


class ShownRules(NamedTuple):
    """House rules from a deal on."""

    known: Game
    period: RulesPeriod
    house: HouseRules[object]


class ShownDeal(NamedTuple):
    """A recorded deal and its score."""

    deal: SheetDeal
    scored: DealScore


class ShownGame(NamedTuple):
    """A game of a sheet and its ledger."""

    view: View
    game: SheetGame
    ledger: Ledger

    def words(self, lang: str) -> SheetWords:
        """Return the words of the game."""
        return SheetWords(self.game.game, lang, self.view.sheet, self.game.sides)

    def rules(self, period: RulesPeriod) -> ShownRules:
        """Return the house rules of a period."""
        return ShownRules(GAMES[self.game.game], period, self.view.house(self.game, period.first_deal))

    @property
    def deals(self) -> Iterable[ShownDeal]:
        """The recorded deals."""
        return map(ShownDeal, self.game.deals, self.ledger.deals)

    @property
    def open_deal(self) -> ShownGame | None:
        """Itself, for the deal that is being played; None once the game is over."""
        return None if self.ledger.outcome.over else self

    @property
    def to_call(self) -> list[str]:
        """The seats (in consultation the sides) of which one may call now; none once the bidding is over."""
        known, game = GAMES[self.game.game], self.game
        if known.settle_calls is None or known.moves is None:
            return []
        totals = {
            side_id(seat for seat in game.seating if seat in side.players): self.ledger.standing[side.id].total
            for side in game.sides
        }
        position = {
            "phase": "bidding",
            "seats": list(game.seating),
            "dealer": game.open.dealer,
            "totals": totals,
            "calls": [dict(call) for call in game.open.calls],
        }
        try:
            moves = known.moves(self.view.house(game).options, Node({"position": position}))["moves"]
        except Refused:
            return []
        return list(dict.fromkeys(str(move.get("seat", move.get("side"))) for move in moves))


class ShownSheet(NamedTuple):
    """A sheet with its games."""

    view: View

    @property
    def id(self) -> str:
        """The id of the sheet."""
        return self.view.id

    @property
    def version(self) -> int:
        """The sequence number of its latest event."""
        return self.view.version

    @property
    def sheet(self) -> Sheet:
        """The sheet itself."""
        return self.view.sheet

    @property
    def games(self) -> list[ShownGame]:
        """Its games with their ledgers."""
        return [
            ShownGame(self.view, game, ledger)
            for game, ledger in zip(self.view.sheet.games, self.view.ledgers, strict=True)
        ]


class ShownWritten(NamedTuple):
    """What a command has written, and the sheet after it."""

    view: View
    events: tuple[Entry, ...]

    @property
    def game(self) -> ShownGame | None:
        """The current game; None without one."""
        game, ledger = self.view.game, self.view.ledger
        return None if game is None or ledger is None else ShownGame(self.view, game, ledger)


class Made(NamedTuple):
    """Something new with its secrets, and the pages that they open."""

    id: str
    version: int
    url: str
    watch_secret: str
    score_secret: str
    of: str = ""
    """Where its pages are."""
    sides: tuple[str, ...] = ()

    @property
    def watch_url(self) -> str:
        """The page to look at it."""
        return link_url(WATCH, self.watch_secret, self.of)

    @property
    def join_url(self) -> str:
        """The page from which on a device may write."""
        return link_url(SCORE, self.score_secret, self.of)


class LogPage(NamedTuple):
    """A part of a log, the version of the sheet, and the cursor of the next part."""

    events: Sequence[Entry]
    version: int
    next: str | None


class ShownRipple(NamedTuple):
    """What a command would change on a sheet."""

    view: View
    ripple: Ripple


def sheet_answer(view: View, lang: str) -> Json:
    """Return a sheet: seats, games with rules, sides, deals and lines, the open deal, what can be undone."""
    return write(schemas.SheetShape, ShownSheet(view), lang)


def written_answer(view: View, entries: tuple[Entry, ...], lang: str) -> Json:
    """Return what a command has written, and the totals, outcome and open deal of the current game."""
    return write(schemas.WrittenShape, ShownWritten(view, entries), lang)


def ripple_answer(view: View, ripple: Ripple, lang: str) -> Json:
    """Return a preview: every deal that differs with both scores, the totals, both outcomes."""
    games = view.sheet.games
    game = games[ripple.game_number - 1] if ripple.game_number <= len(games) else None
    own = SheetWords(game.game if game else "", lang, view.sheet, game.sides if game else ())
    return write(schemas.RippleShape, ShownRipple(view, ripple), own)


def link_url(scope: str, secret: str, of: str = "") -> str:
    """Return the page for people that a secret opens, in the language of the request; `of` is `groups/` for a group."""
    at = f"{site_root()}/{current_language()}/{of}"
    return f"{at}watch/{secret}" if scope == WATCH else f"{at}join#{secret}"


def chat_words(lang: str) -> Say:
    """Return the phrases of the text export as a function of a key and its facts."""

    def phrase(key: str, facts: JsonObject) -> str:
        named = {name: words(fact, lang).name if name == "game" else fact for name, fact in facts.items()}
        return say(lang, f"keeper.{key}", **named)

    return phrase
