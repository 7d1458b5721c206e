"""Commands and events of calls made ahead of a deal, and what the calls settle of its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.dialogue import Phrase
from companion.engine.game import Game
from companion.engine.problems import JsonObject, Node, Pointer, Problem, Refused
from companion.sheets.model.base import (
    Command,
    DealEvent,
    Description,
    Event,
    Games,
    refuse,
    require_open_deal,
)
from companion.sheets.scoring import house_rules
from companion.sheets.shapes import Call, DealNumber, Index
from companion.sheets.state import Entry, Sheet, SheetGame, State


class CallEvent(DealEvent):
    """An event of the calls of the open deal."""

    __slots__ = ()
    in_deal_history: ClassVar[bool] = False

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse calls that the game cannot read."""
        game = self.game_in(sheet)
        settled_facts(games[game.game], game, game.open.calls)


@dataclass(frozen=True, slots=True)
class CallMade(CallEvent):
    """A call was made in the open deal."""

    call: Call

    def apply(self, state: State, entry: Entry) -> State:
        """Add the call."""
        deal = self.open_deal(state)
        return self.with_open(state, deal._replace(calls=(*deal.calls, self.call)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say who called what."""
        facts = {"name": caller(after, self.game_in(after), self.call), "call": self.call.get("call")}
        return Description(Phrase("call", facts), brief=True)


@dataclass(frozen=True, slots=True)
class MakeCall(Command):
    """Add a call to the open deal."""

    call: Call
    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the call. Refused if the game cannot read it after the calls before."""
        game = require_open_deal(sheet, self.deal, games)
        settled_facts(games[game.game], game, (*game.open.calls, self.call), at=len(game.open.calls))
        return (CallMade(game.number, game.open.number, self.call),)


@dataclass(frozen=True, slots=True)
class CallChanged(CallEvent):
    """A call of the open deal was replaced."""

    place: Index
    call: Call

    def apply(self, state: State, entry: Entry) -> State:
        """Replace the call."""
        deal = self.open_deal(state)
        deal.calls[self.place]
        return self.with_open(state, deal._replace(calls=_replaced(deal.calls, self.place, self.call)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say who calls what now, and the call before."""
        facts = {"name": caller(after, self.game_in(after), self.call), "call": self.call.get("call")}
        removed = self.game_in(before).open.calls[self.place]
        return Description(Phrase("call-changed", facts), calls_removed=(removed,), calls_added=(self.call,))


@dataclass(frozen=True, slots=True)
class ChangeCall(Command):
    """Replace a call of the open deal."""

    place: Index
    call: Call
    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the call unless it is the same. Refused if the game cannot read the calls with it."""
        game = require_open_deal(sheet, self.deal, games)
        calls, place = game.open.calls, self.place
        if place >= len(calls):
            refuse(("place",), "unknown-call", value=place, count=len(calls))
        if calls[place] == self.call:
            return ()
        settled_facts(games[game.game], game, _replaced(calls, place, self.call), at=place)
        return (CallChanged(game.number, game.open.number, place, self.call),)


@dataclass(frozen=True, slots=True)
class CallsCleared(DealEvent):
    """The calls of the open deal were removed."""

    in_deal_history: ClassVar[bool] = False

    def apply(self, state: State, entry: Entry) -> State:
        """Remove the calls."""
        return self.with_open(state, self.open_deal(state)._replace(calls=()))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Give the calls that were removed, with who made them."""
        removed = self.game_in(before).open.calls
        return Description(Phrase("calls-cleared", {"deal": self.deal}), calls_removed=removed, call_owners=True)


@dataclass(frozen=True, slots=True)
class ClearCalls(Command):
    """Remove all calls of the open deal."""

    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write that they are removed, if there are any."""
        game = require_open_deal(sheet, self.deal, games)
        return (CallsCleared(game.number, game.open.number),) if game.open.calls else ()


def caller(sheet: Sheet, game: SheetGame, call: JsonObject) -> str:
    """Return the name of the player or side that made a call, empty if it is nobody's."""
    return sheet.names_in(game).get(call.get("seat") or call.get("side") or "", "")


def settled_facts(known: Game, game: SheetGame, calls: Sequence[JsonObject], *, at: int | None = None) -> JsonObject:
    """Return the facts of the open deal that its calls settle.

    Raises Refused; problems of the call at the index `at` point into `call`, those of others into `calls`.
    """
    if known.settle_calls is None:
        raise Refused([Problem(("call",), "no-calls", {"game": known.id})])
    problems = [problem for place, call in enumerate(calls) for problem in _unknown_caller(game, place, call)]
    if not problems:
        node = Node([dict(call) for call in calls], ("calls",))
        facts = known.settle_calls(node, house_rules(known, game.rules).options, game.sides)
        problems = node.problems
        if not problems:
            return facts
    raise Refused(
        Problem(("call", *p.pointer[2:]) if p.pointer[:2] == ("calls", at) else p.pointer, p.code, p.facts, p.article)
        for p in problems
    )


def merge_facts(called: JsonObject, given: JsonObject, pointer: Pointer) -> dict[str, object]:
    """Return the given facts with what the calls settled. Raises Refused (`calls-differ`) if they contradict it."""
    problems: list[Problem] = []
    facts = _merge_objects(called, given, pointer, problems)
    if problems:
        raise Refused(problems)
    return facts


def _replaced(calls: tuple[JsonObject, ...], place: int, call: JsonObject) -> tuple[JsonObject, ...]:
    return (*calls[:place], call, *calls[place + 1 :])


def _unknown_caller(game: SheetGame, place: int, call: JsonObject) -> list[Problem]:
    sides = [side.id for side in game.sides]
    if "seat" in call and call["seat"] not in game.seating:
        choices, key, code = list(game.seating), "seat", "unknown-seat"
    elif "side" in call and call["side"] not in sides:
        choices, key, code = sides, "side", "unknown-side"
    else:
        return []
    return [Problem(("calls", place, key), code, {"value": call[key], "choices": choices})]


def _merge(called: object, given: object, pointer: Pointer, problems: list[Problem]) -> object:
    if isinstance(called, Mapping) and isinstance(given, Mapping):
        return _merge_objects(called, given, pointer, problems)
    if isinstance(called, list) and isinstance(given, list) and len(called) == len(given):
        return [
            _merge(_counterpart(called, place, item), item, (*pointer, place), problems)
            for place, item in enumerate(given)
        ]
    if called != given:
        problems.append(Problem(pointer, "calls-differ", {"called": called, "given": given}))
    return given


def _merge_objects(
    called: JsonObject, given: JsonObject, pointer: Pointer, problems: list[Problem]
) -> dict[str, object]:
    both = {
        key: _merge(called[key], item, (*pointer, key), problems) if key in called else item
        for key, item in given.items()
    }
    return {key: item for key, item in called.items() if key not in given} | both


def _counterpart(called: list[object], place: int, given: object) -> object:
    """Return the called item of the same player, or the one at the same index."""
    if isinstance(given, Mapping) and "player" in given:
        for item in called:
            if isinstance(item, Mapping) and item.get("player") == given["player"]:
                return item
    return called[place]
