"""The kinds of events and commands of a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, cast

from companion import __version__
from companion.engine import shapes
from companion.engine.dialogue import Phrase
from companion.engine.game import Game, read_deal
from companion.engine.game import read_opening as read_opening_totals
from companion.engine.ledger import MISDEAL, SCORED, Side, is_misdeal, is_void
from companion.engine.problems import JsonObject, Node, Pointer, Problem, Refused
from companion.sheets.event import (
    Command,
    DealEvent,
    Description,
    Event,
    GameEvent,
    Games,
    Reversal,
    house_rules,
    ledger,
    refuse,
    refuse_all,
    require_deal,
    require_game,
    require_not_over,
    require_open_deal,
    require_scorable,
    require_seat,
    require_side,
    without_calls,
)
from companion.sheets.shapes import (
    SEAT_IDS,
    Call,
    Calls,
    Count,
    Dealer,
    DealNumber,
    Flag,
    GameId,
    GameNumber,
    GivenFacts,
    Index,
    Irregularities,
    Language,
    Name,
    Opening,
    OptionValues,
    Points,
    Remark,
    SeatId,
    Seating,
    SeatNames,
    Seats,
    SideId,
    Sides,
    Title,
    Word,
    by_name,
    commands,
    kind_name,
    read,
    sides_json,
    to_json,
)
from companion.sheets.shapes import Facts as DealFacts
from companion.sheets.shapes import Rules as GivenRules
from companion.sheets.state import (
    Change,
    Entry,
    OpenDeal,
    RulesPeriod,
    Seat,
    Sheet,
    SheetDeal,
    SheetGame,
    State,
    Substitution,
    UndoStep,
)


class CallEvent(DealEvent):
    """An event of the calls of the open deal."""

    __slots__ = ()
    in_deal_history: ClassVar[bool] = False

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse calls that the game cannot read."""
        game = self.game_in(sheet)
        _settled_facts(games[game.game], game, game.open.calls)


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
        return Description(Phrase("call", _said(after, self.game_in(after), self.call)), brief=True)


@dataclass(frozen=True, slots=True)
class MakeCall(Command):
    """Add a call to the open deal."""

    call: Call
    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the call. Refused if the game cannot read it after the calls before."""
        game = _require_calls(sheet, self.deal, games)
        _settled_facts(games[game.game], game, (*game.open.calls, self.call), at=len(game.open.calls))
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
        message = Phrase("call-changed", _said(after, self.game_in(after), self.call))
        removed = self.game_in(before).open.calls[self.place]
        return Description(message, calls_removed=(removed,), calls_added=(self.call,))


@dataclass(frozen=True, slots=True)
class ChangeCall(Command):
    """Replace a call of the open deal."""

    place: Index
    call: Call
    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the call unless it is the same. Refused if the game cannot read the calls with it."""
        game = _require_calls(sheet, self.deal, games)
        calls, place = game.open.calls, self.place
        if place >= len(calls):
            refuse(("place",), "unknown-call", value=place, count=len(calls))
        if calls[place] == self.call:
            return ()
        _settled_facts(games[game.game], game, _replaced(calls, place, self.call), at=place)
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


def _require_calls(sheet: Sheet, deal: int | None, games: Games) -> SheetGame:
    """Return the current game. Raises Refused if it is over, or `deal` is not the open deal, or has no calls."""
    game = require_open_deal(sheet, deal, games)
    if without_calls(game, games[game.game]):
        refuse(("call",), "no-calls", game=game.game, deal=game.open.number)
    return game


def _said(sheet: Sheet, game: SheetGame, call: JsonObject) -> dict[str, object]:
    """Return the name of the player or side that made a call, empty if it is nobody's, and the call."""
    caller = call.get("seat") or call.get("side") or ""
    return {"name": sheet.names_in(game).get(caller, ""), "call": call.get("call")}


def _settled_facts(known: Game, game: SheetGame, calls: Sequence[JsonObject], *, at: int | None = None) -> JsonObject:
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
        replace(p, pointer=("call", *p.pointer[2:]) if p.pointer[:2] == ("calls", at) else p.pointer, contextual=True)
        for p in problems
    )


def _merge_facts(called: JsonObject, given: JsonObject) -> dict[str, object]:
    """Return the given facts with what the calls settled. Raises Refused (`calls-differ`) if they contradict it."""
    problems: list[Problem] = []
    facts = cast("dict[str, object]", _merge(called, given, ("facts",), problems))
    if problems:
        raise Refused(problems)
    return facts


def _settle(known: Game, game: SheetGame, calls: Sequence[JsonObject], facts: JsonObject) -> bool:
    """Return whether these calls leave nothing in the facts otherwise."""
    try:
        return _merge_facts(_settled_facts(known, game, calls), facts) == facts
    except Refused:
        return False


def _replaced(calls: tuple[JsonObject, ...], place: int, call: JsonObject) -> tuple[JsonObject, ...]:
    return (*calls[:place], call, *calls[place + 1 :])


def _unknown_caller(game: SheetGame, place: int, call: JsonObject) -> Iterator[Problem]:
    for key, choices in (("seat", list(game.seating)), ("side", [side.id for side in game.sides])):
        if key in call and call[key] not in choices:
            yield Problem(("calls", place, key), f"unknown-{key}", {"value": call[key], "choices": choices})


def _merge(called: object, given: object, pointer: Pointer, problems: list[Problem]) -> object:
    """Return the given value with what only the called one has; the items of a list belong together by player."""
    if isinstance(called, Mapping) and isinstance(given, Mapping):
        both = {key: _merge(called[key], given[key], (*pointer, key), problems) for key in given if key in called}
        return {**called, **given, **both}
    if isinstance(called, list) and isinstance(given, list) and len(called) == len(given):
        named = {str(item["player"]): item for item in called if isinstance(item, Mapping) and "player" in item}
        players = [str(item.get("player")) if isinstance(item, Mapping) else "" for item in given]
        left = iter(
            [item for item in called if not isinstance(item, Mapping) or str(item.get("player")) not in players]
        )
        own = [named[player] if player in named else next(left, called[place]) for place, player in enumerate(players)]
        return [_merge(one, given[place], (*pointer, place), problems) for place, one in enumerate(own)]
    if called != given:
        numbers = {"called": called, "given": given} if isinstance(called, int) and isinstance(given, int) else {}
        problems.append(Problem(pointer, "calls-differ", numbers))
    return given


_VOID: JsonObject = {"void": True}


class FactsEvent(DealEvent):
    """An event that writes the facts of a deal."""

    __slots__ = ()

    def closed(self, game: SheetGame, entry: Entry, facts: JsonObject, next_dealer: str) -> SheetGame:
        """Return the game with its open deal recorded and the next one open. Raises IndexError for another deal."""
        if self.deal != game.open.number:
            raise IndexError(self.deal)
        change = Change(entry.seq, entry.at, entry.actor, self, None, facts)
        deal = SheetDeal(game.open.number, game.open.dealer, facts, game.open.calls, (change,), notes=game.open.notes)
        following = OpenDeal(deal.number + 1, next_dealer, adjustments=game.open.adjustments if deal.void else ())
        return game._replace(deals=(*game.deals, deal), open=following)

    def rewritten(self, state: State, entry: Entry, facts: JsonObject) -> State:
        """Return the state with other facts in the recorded deal, which is no longer confirmed."""
        game = self.game_in(state)
        deal = game.deal(self.deal)
        change = Change(entry.seq, entry.at, entry.actor, self, deal.facts, facts)
        deal = deal._replace(facts=facts, changes=(*deal.changes, change), confirmed=())
        return self.with_game(state, game.with_deal(deal))

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse facts that the game cannot read."""
        facts: JsonObject = getattr(self, "facts", _VOID)
        game = self.game_in(sheet)
        known, node = games[game.game], Node(facts, ("facts",))
        read_deal(known, node, house_rules(known, game.rules_of(self.deal)).options, game.sides)
        refuse_all(node.problems)


@dataclass(frozen=True, slots=True)
class DealRecorded(FactsEvent):
    """The facts of the open deal were recorded, with its adjustments and accepted problems."""

    facts: DealFacts

    def apply(self, state: State, entry: Entry) -> State:
        """Record the deal and open the next one."""
        game = self.game_in(state)
        return self.with_game(state, self.closed(game, entry, self.facts, game.after(game.open.dealer)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say for which reasons problems were accepted."""
        message = Phrase("recorded", {"deal": self.deal})
        return Description(message, _accepted_anyway({}, self.facts), facts_removed=True, facts_added=True)


@dataclass(frozen=True, slots=True)
class RecordDeal(Command):
    """Record the open deal. What its calls have settled need not be repeated in the facts."""

    facts: GivenFacts
    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the facts, completed by the calls and by waiting adjustments."""
        game = require_open_deal(sheet, self.deal, games)
        facts = dict(self.facts)
        if _only_misdealt(facts):
            return VoidDeal(self.deal, irregularities=tuple(facts["irregularities"])).decide(sheet, games)
        cleared: tuple[Event, ...] = ()
        if facts.get("void") is not True:
            if game.open.calls and without_calls(game, games[game.game]):
                cleared = ClearCalls().decide(sheet, games)
            elif game.open.calls:
                facts = _merge_facts(_settled_facts(games[game.game], game, game.open.calls), facts)
            if game.open.adjustments:
                given = facts.get("adjustments")
                facts["adjustments"] = [*game.open.adjustments, *(given if isinstance(given, list) else ())]
        event = DealRecorded(game.number, game.open.number, facts)
        written = require_scorable(sheet, event, games, strict=event.deal)
        return (*cleared, *written, *_dealt_again(game, game.open, facts))


@dataclass(frozen=True, slots=True)
class DealCorrected(FactsEvent):
    """Other facts took the place of a deal's."""

    facts: DealFacts
    reason: Remark = ""
    replaces_facts: ClassVar[bool] = True

    def apply(self, state: State, entry: Entry) -> State:
        """Replace the facts of the deal."""
        return self.rewritten(state, entry, self.facts)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say for which reasons further problems were accepted."""
        deal = self.recorded_deal(before)
        details = _accepted_anyway(deal.facts if deal else {}, self.facts)
        message = Phrase("corrected", {"deal": self.deal})
        return Description(message, details, reason=self.reason, facts_removed=True, facts_added=True)


@dataclass(frozen=True, slots=True)
class CallsCorrected(FactsEvent):
    """Other calls, and facts that they settle, took the place of a deal's."""

    calls: Calls
    facts: DealFacts
    reason: Remark = ""
    replaces_facts: ClassVar[bool] = True

    def apply(self, state: State, entry: Entry) -> State:
        """Replace the calls and the facts of the deal."""
        state = self.rewritten(state, entry, self.facts)
        game = self.game_in(state)
        return self.with_game(state, game.with_deal(game.deal(self.deal)._replace(calls=self.calls)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Give the calls before and after it that differ, with who made them."""
        deal = self.recorded_deal(before)
        said = DealCorrected(self.game_number, self.deal, self.facts, self.reason).describe(before, after)
        one, other = deal.calls if deal else (), self.calls
        removed, added = (tuple(c for c in a if c not in b) for a, b in ((one, other), (other, one)))
        return replace(said, calls_removed=removed, calls_added=added, call_owners=True)

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse calls that the game cannot read, and facts that it cannot read or the calls do not settle."""
        FactsEvent.check(self, sheet, games)
        game = self.game_in(sheet)
        _merge_facts(_settled_facts(games[game.game], game.until(self.deal), self.calls), self.facts)


@dataclass(frozen=True, slots=True)
class CorrectDeal(Command):
    """Replace the facts of a recorded deal; its adjustments and irregularities stay unless others are named.

    A misdeal does not stay where the deal is no longer void.
    With `calls`, those that were made take the place of the ones recorded; what they settle need not be repeated.
    Without, the recorded ones stay as long as they settle the facts.
    """

    deal: DealNumber
    facts: GivenFacts
    reason: Remark = ""
    game_number: GameNumber | None = None
    calls: Calls | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the facts unless they are the same."""
        game = require_game(sheet, self.game_number)
        deal = require_deal(game, self.deal)
        facts = dict(self.facts)
        for beside in ("adjustments", "irregularities"):
            if beside not in facts and beside in deal.facts and facts.get("void") is not True:
                facts[beside] = [one for one in deal.facts[beside] if one.get("kind") != MISDEAL]
        if _only_misdealt(facts) and not deal.void:
            wrong = tuple(facts["irregularities"])
            return VoidDeal(deal.number, self.reason, None, game.number, wrong).decide(sheet, games)
        calls, known, then = self.calls, games[game.game], game.until(deal.number)
        if calls is not None:
            facts = _merge_facts(_settled_facts(known, then, calls), facts)
        elif deal.calls and not is_void(facts) and not _settle(known, then, deal.calls, facts):
            calls = ()
        if (facts, calls or deal.calls) == (deal.facts, deal.calls):
            return ()
        event: DealCorrected | CallsCorrected = DealCorrected(game.number, deal.number, facts, self.reason)
        if calls is not None:
            event = CallsCorrected(game.number, deal.number, calls, facts, self.reason)
        again = () if deal.void else _dealt_again(game, deal, facts)
        return (*require_scorable(sheet, event, games, strict=event.deal), *again)


def _only_misdealt(facts: JsonObject) -> bool:
    """Return whether these facts say nothing but that the deal was a misdeal."""
    only = facts.keys() == {"void", "irregularities"}
    return only and is_void(facts) and is_misdeal(facts["irregularities"])


def _dealt_again(game: SheetGame, deal: OpenDeal | SheetDeal, facts: JsonObject) -> tuple[Event, ...]:
    """Return that the dealer of a deal with these facts deals again, if it was a misdeal and the rules say so."""
    if is_void(facts) and _dealer_stays(game, deal.number, facts.get("irregularities")):
        return (DealerSet(game.number, game.open.number + (deal is game.open), deal.dealer),)
    return ()


def _dealer_stays(game: SheetGame, number: int, irregularities: object) -> bool:
    """Return whether the rules let the dealer of a misdeal deal again: in the last deal, before the next calls."""
    last = number == game.open.number or (number == len(game.deals) and not game.open.calls)
    return last and game.rules_of(number).options.get("misdeal_dealer") == "same" and is_misdeal(irregularities)


@dataclass(frozen=True, slots=True)
class DealVoided(FactsEvent):
    """A deal counts for nothing, the open one or a recorded one."""

    reason: Remark = ""
    dealer_stays: Flag = False
    irregularities: Irregularities = ()
    replaces_facts: ClassVar[bool] = True

    @property
    def facts(self) -> JsonObject:
        """Return the facts of the deal: that it is void, and what went wrong in it."""
        return {**_VOID, **({"irregularities": list(self.irregularities)} if self.irregularities else {})}

    def apply(self, state: State, entry: Entry) -> State:
        """Record the open deal as void, or void the recorded one; give the deal back to its dealer if they stay."""
        game = self.game_in(state)
        if self.deal == game.open.number:
            dealer = game.open.dealer if self.dealer_stays else game.after(game.open.dealer)
            return self.with_game(state, self.closed(game, entry, self.facts, dealer))
        state = self.rewritten(state, entry, self.facts)
        if not self.dealer_stays:
            return state
        if self.deal != len(game.deals):
            raise ValueError("dealer")
        return self.with_open(state, game.open._replace(dealer=game.deals[-1].dealer))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say whether the dealer deals again."""
        details = (Phrase("dealer-stays"),) if self.dealer_stays else ()
        message = Phrase("voided", {"deal": self.deal})
        wrong = bool(self.irregularities)
        return Description(message, details, reason=self.reason, facts_removed=True, facts_added=wrong)


@dataclass(frozen=True, slots=True)
class VoidDeal(Command):
    """Let a deal count for nothing, by default the open one."""

    deal: DealNumber | None = None
    reason: Remark = ""
    dealer_stays: Flag | None = None
    game_number: GameNumber | None = None
    irregularities: Irregularities = ()

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write that the deal is void unless it is already. After a misdeal the table's rules may say who deals."""
        game = require_game(sheet, self.game_number)
        number = self.deal or game.open.number
        stays = self.dealer_stays
        if stays is None:
            stays = _dealer_stays(game, number, self.irregularities)
        event = DealVoided(game.number, number, self.reason, stays, self.irregularities)
        if number == game.open.number:
            require_not_over(game, games)
            event.check(sheet, games)
            return (event,)
        if require_deal(game, number).void:
            return ()
        if stays and (number != len(game.deals) or game.open.calls):
            refuse(("dealer_stays",), "dealer-moved-on", deal=number, open=game.open.number)
        return require_scorable(sheet, event, games)


@dataclass(frozen=True, slots=True)
class Adjusted(FactsEvent):
    """A side was given points, or lost some, for a reason."""

    side: SideId
    points: Points
    reason: Remark

    def apply(self, state: State, entry: Entry) -> State:
        """Add the adjustment to the facts of the deal; in the open deal it waits for them."""
        game = self.game_in(state)
        adjustment = {"side": self.side, "points": self.points, "reason": self.reason}
        if self.side not in {side.id for side in game.sides}:
            raise KeyError(self.side)
        if self.deal == game.open.number:
            return self.with_open(state, game.open._replace(adjustments=(*game.open.adjustments, adjustment)))
        before = game.deal(self.deal).facts
        return self.rewritten(state, entry, {**before, "adjustments": [*before.get("adjustments", ()), adjustment]})

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name the side and its points."""
        name = after.names_in(self.game_in(after), self.deal).get(self.side, self.side)
        message = Phrase("adjusted", {"deal": self.deal, "name": name, "points": self.points})
        return Description(message, reason=self.reason)


@dataclass(frozen=True, slots=True)
class Adjust(Command):
    """Give or take points for a reason, by default in the last scored deal."""

    side: SideId
    points: Points
    reason: Remark
    deal: DealNumber | None = None
    game_number: GameNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the adjustment. Refused without points or a reason."""
        game = require_game(sheet, self.game_number)
        require_side(game, self.side)
        if not self.points:
            refuse(("points",), "no-points")
        if not self.reason:
            refuse(("reason",), "required")
        scored = (place for place, deal in enumerate(ledger(game, games).deals, start=1) if deal.status == SCORED)
        number = self.deal or max(scored, default=game.open.number)
        event = Adjusted(game.number, number, self.side, self.points, self.reason)
        if number == game.open.number:
            require_not_over(game, games)
            event.check(sheet, games)
            return (event,)
        require_deal(game, number)
        return require_scorable(sheet, event, games)


@dataclass(frozen=True, slots=True)
class DealConfirmed(DealEvent):
    """A side confirmed a recorded deal."""

    side: SideId

    def apply(self, state: State, entry: Entry) -> State:
        """Add the side to those that have confirmed the deal."""
        game = self.game_in(state)
        deal = game.deal(self.deal)
        if self.side in deal.confirmed or self.side not in {side.id for side in game.sides}:
            raise ValueError("side")
        return self.with_game(state, game.with_deal(deal._replace(confirmed=(*deal.confirmed, self.side))))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name the side."""
        name = after.names_in(self.game_in(after), self.deal).get(self.side, self.side)
        return Description(Phrase("confirmed", {"deal": self.deal, "name": name}))


@dataclass(frozen=True, slots=True)
class ConfirmDeal(Command):
    """Confirm a recorded deal for a side."""

    deal: DealNumber
    side: SideId
    game_number: GameNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the confirmation unless the side has confirmed already."""
        game = require_game(sheet, self.game_number)
        require_side(game, self.side)
        deal = require_deal(game, self.deal)
        return () if self.side in deal.confirmed else (DealConfirmed(game.number, deal.number, self.side),)


@dataclass(frozen=True, slots=True)
class Noted(DealEvent):
    """A note was written beside a deal."""

    note: Remark

    def apply(self, state: State, entry: Entry) -> State:
        """Add the note to the deal."""
        game = self.game_in(state)
        if self.deal == game.open.number:
            return self.with_open(state, game.open._replace(notes=game.open.notes + self.note))
        deal = game.deal(self.deal)
        return self.with_game(state, game.with_deal(deal._replace(notes=deal.notes + self.note)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Give the note."""
        return Description(Phrase("noted", {"deal": self.deal}), note=self.note)


@dataclass(frozen=True, slots=True)
class WriteNote(Command):
    """Write a note beside a deal, by default the open one."""

    note: Remark
    deal: DealNumber | None = None
    game_number: GameNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the note. Refused if it is empty."""
        game = require_game(sheet, self.game_number)
        number = self.deal or game.open.number
        if number != game.open.number:
            require_deal(game, number)
        if not self.note:
            refuse(("note",), "required")
        return (Noted(game.number, number, self.note),)


def _accepted_anyway(before: JsonObject, after: JsonObject) -> tuple[Phrase, ...]:
    """Return a message for each reason why problems were accepted that was not among those before."""
    known = _reasons(before)
    return tuple(Phrase("anyway", {"reason": reason}) for reason in _reasons(after) if reason not in known)


def _reasons(facts: JsonObject) -> list[str]:
    return list(dict.fromkeys(str(each.get("reason", "")) for each in facts.get("accept", ()) if each.get("reason")))


@dataclass(frozen=True, slots=True)
class GameStarted(GameEvent):
    """A game began. Every option is written out, so that a later default changes no old game."""

    game: Word
    preset: Word
    options: OptionValues
    engine: Word
    """The version of the program with which it began."""
    seating: Seating
    sides: Sides
    dealer: Dealer
    opening: Opening = field(default_factory=dict)

    def apply(self, state: State, entry: Entry) -> State:
        """Add the game with its first open deal."""
        seats = {seat.id for seat in state.seats}
        playing = [seat for side in self.sides for seat in side.players]
        if self.game_number != len(state.games) + 1:
            raise ValueError("game number")
        if not seats.issuperset(self.seating) or sorted(playing) != sorted(self.seating):
            raise ValueError("seats")
        if self.dealer not in self.seating:
            raise ValueError("dealer")
        game = SheetGame(
            self.game_number, self.game, self.engine, self.seating, self.sides, self.opening,
            (RulesPeriod(1, self.preset, self.options),), entry.at, OpenDeal(1, self.dealer),
        )  # fmt: skip
        return state._replace(games=(*state.games, game))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say the game and its dealer, its sides and its rules."""
        facts = {"number": self.game_number, "game": self.game, "dealer": after.names[self.dealer]}
        rules = RulesPeriod(1, self.preset, self.options)
        return Description(Phrase("started", facts), sides=self.sides, rules=(rules,))

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse an unknown game, and sides or options that are not those of its rules."""
        if self.game not in games:
            refuse(("game",), "unknown-game", value=self.game, choices=list(games))
        _check_rules(self.game_in(sheet), self.options, games)


@dataclass(frozen=True, slots=True)
class StartGame(Command):
    """Begin a game. Without `sides`, partners sit across the table if the rules allow it; else everybody is alone."""

    game: GameId
    rules: GivenRules = field(default_factory=dict)
    seating: Seating | None = None
    sides: Sides | None = None
    dealer: Dealer | None = None
    opening: Opening = field(default_factory=dict)

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the start, with every option."""
        return (self.started(len(sheet.games) + 1, tuple(seat.id for seat in sheet.seats), games),)

    def started(self, number: int, seats: Sequence[str], games: Games) -> GameStarted:
        """Return the start of the game with that number, among these seats of the sheet. Raises Refused."""
        known = games.get(self.game)
        if known is None:
            refuse(("game",), "unknown-game", value=self.game, choices=list(games))
        node = Node(self.rules, ("rules",))
        house = known.options.read(node)
        refuse_all(node.problems)
        seating = self.seating or tuple(seats)
        for seat in seating:
            require_seat(seat, seats, "seating")
        dealer = self.dealer or seating[0]
        require_seat(dealer, seating, "dealer")
        sides = self._sides(known, house.options, seating)
        opening = Node(self.opening, ("opening",))
        read_opening_totals(known, opening, house.options, sides)
        refuse_all(opening.problems)
        options = known.options.plain(house.options)
        return GameStarted(number, known.id, house.preset, options, __version__, seating, sides, dealer, self.opening)

    def _sides(self, known: Game, rules: object, seating: tuple[str, ...]) -> tuple[Side, ...]:
        """Return the sides as given, or the game's preferred ones for this number of players. Raises Refused."""
        if self.sides is not None:
            playing = sorted(seat for side in self.sides for seat in side.players)
            if playing != sorted(seating):
                refuse(("sides",), "sides-seats", seating=list(seating), playing=playing)
            refuse_all(_side_problems(known, rules, self.sides, ("sides",)))
            ways = known.seatings(rules) if known.judge else ()  # where nothing is judged, partners sit as they like
            partners = [{frozenset(side.players) for side in way.sides(seating)} for way in ways]
            if ways and {frozenset(side.players) for side in self.sides} not in partners:
                refuse(("sides",), "sides-seats", seating=list(seating))
            return self.sides
        for way in known.seatings(rules):
            if way.players == len(seating):
                return way.sides(seating)
        facts = {"count": len(seating), "possible": possible_seats(known, rules)}
        raise Refused([Problem(("seats",), "table-size", facts)])


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Begin the same game again: same rules and sides, the dealer moved on; another `seating` makes new sides."""

    seating: Seating | None = None
    dealer: Dealer | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the start of the next game."""
        last = require_game(sheet)
        seating = self.seating or last.seating
        sides: tuple[Side, ...] | None = last.sides
        if self.seating and sorted(seating) == sorted(last.seating):
            alone = all(len(side.players) == 1 for side in last.sides)
            sides = tuple(Side(seat, (seat,)) for seat in seating) if alone else None
        elif self.seating:
            sides = None
        dealer = self.dealer or (last.open.dealer if last.open.dealer in seating else seating[0])
        return StartGame(last.game, last.rules.request, seating, sides, dealer).decide(sheet, games)


@dataclass(frozen=True, slots=True)
class RulesChanged(GameEvent):
    """The table plays by these rules from a deal on. Every option is written out."""

    deal: DealNumber
    preset: Word
    options: OptionValues
    note: Remark = ""

    def apply(self, state: State, entry: Entry) -> State:
        """Replace the rules of that deal and of all later ones."""
        game = self.game_in(state)
        if not 1 <= self.deal <= game.open.number:
            raise IndexError(self.deal)
        kept = tuple(period for period in game.periods if period.first_deal < self.deal)
        period = RulesPeriod(self.deal, self.preset, self.options, self.note)
        return self.with_game(state, game._replace(periods=(*kept, period)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Give the rules before and after the change."""
        game = self.game_in(before)
        rules = (game.rules_of(self.deal), RulesPeriod(self.deal, self.preset, self.options))
        gone = rules_gone(game, self.game_in(after))
        details = (Phrase("later-rules-gone", {"deals": list(gone)}),) if gone else ()
        return Description(Phrase("rules", {"deal": self.deal}), details, note=self.note, rules=rules)

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse rules that do not suit the sides, and options that are not those of the rules."""
        _check_rules(self.game_in(sheet), self.options, games)


def rules_gone(before: SheetGame, after: SheetGame) -> tuple[int, ...]:
    """Return the deals from which other rules held in an earlier version of a game, and no longer do."""
    kept = {period.first_deal for period in after.periods}
    return tuple(period.first_deal for period in before.periods if period.first_deal not in kept)


@dataclass(frozen=True, slots=True)
class ChangeRules(Command):
    """Play by other rules from a deal on, by default the open one."""

    rules: GivenRules
    deal: DealNumber | None = None
    note: Remark = ""

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the new rules unless all those deals have them already."""
        game = require_game(sheet)
        known = games[game.game]
        number = self.deal or game.open.number
        if number > game.open.number:
            refuse(("deal",), "unknown-deal", deal=number, count=len(game.deals))
        node = Node(self.rules, ("rules",))
        house = known.options.read(node)
        refuse_all(node.problems)
        problems = _side_problems(known, house.options, game.sides)
        refuse_all([replace(problem, pointer=("rules",)) for problem in problems])
        period = RulesPeriod(number, house.preset, known.options.plain(house.options), self.note)
        if all(game.rules_of(deal).request == period.request for deal in range(number, game.open.number + 1)):
            return ()
        if game.open.calls:
            try:
                _settled_facts(known, game._replace(periods=(*game.periods, period)), game.open.calls)
            except Refused:  # its problems are at calls, which were not sent
                refuse(("rules",), "calls-differ")
        event = RulesChanged(game.number, number, period.preset, period.options, self.note)
        return require_scorable(sheet, event, games)


@dataclass(frozen=True, slots=True)
class DealerSet(DealEvent):
    """Somebody else deals the open deal: named by the table, or the next one because the dealer was skipped."""

    seat: SeatId
    skipped: Flag = False
    """Whether the dealer was skipped."""
    in_deal_history: ClassVar[bool] = False

    def apply(self, state: State, entry: Entry) -> State:
        """Set the dealer of the open deal."""
        if self.seat not in self.game_in(state).seating:
            raise KeyError(self.seat)
        return self.with_open(state, self.open_deal(state)._replace(dealer=self.seat))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name both dealers."""
        names, earlier = after.names_in(self.game_in(after), self.deal), self.game_in(before).open.dealer
        facts = {"deal": self.deal, "name": names[earlier], "dealer": names[self.seat]}
        return Description(Phrase("skipped" if self.skipped else "dealer", facts))


@dataclass(frozen=True, slots=True)
class SetDealer(Command):
    """Name the dealer of the open deal."""

    seat: SeatId

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the dealer unless it is the same."""
        game = require_game(sheet)
        require_seat(self.seat, game.seating)
        return () if self.seat == game.open.dealer else (DealerSet(game.number, game.open.number, self.seat),)


@dataclass(frozen=True, slots=True)
class SkipDealer(Command):
    """Let the next seat deal in place of the dealer."""

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write who deals instead."""
        game = require_game(sheet)
        return (DealerSet(game.number, game.open.number, game.after(game.open.dealer), skipped=True),)


def possible_seats(known: Game, rules: object) -> list[int]:
    """Return how many players the game can have under the rules, in ascending order."""
    return sorted({way.players for way in known.seatings(rules)})


def _side_problems(known: Game, rules: object, sides: tuple[Side, ...], pointer: tuple[str, ...] = ()) -> list[Problem]:
    node = Node(sides_json(sides), pointer)
    known.read_sides(node, rules)
    return node.problems


def _check_rules(game: SheetGame, options: JsonObject, games: Games) -> None:
    """Refuse rules of an imported log that do not suit the sides, or options that the rules would not give."""
    known = games[game.game]
    rules = house_rules(known, game.rules).options
    problems = _side_problems(known, rules, game.sides, ("sides",))
    if not options.items() <= known.options.plain(rules).items():  # an older program had fewer options
        problems.append(Problem(("sides",), "not-canonical"))
    refuse_all(problems)


@dataclass(frozen=True, slots=True)
class SheetOpened(Event):
    """A sheet was opened for these players."""

    seats: Seats
    title: Title = ""
    lang: Language = ""

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the new sheet, which cannot be undone. Raises ValueError if it is open already."""
        if sheet is not None:
            raise ValueError("opened twice")
        return Sheet(1, self.apply(State(()), entry), entry.at, entry.at)

    def apply(self, state: State, entry: Entry) -> State:
        """Return the first state."""
        return State(self.seats, self.title, self.lang)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name the players."""
        return Description(Phrase("opened", {"players": [seat.name for seat in self.seats]}))


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """Open a sheet; with `game`, begin the first game at once."""

    seats: Seats
    title: Title = ""
    lang: Language = ""
    game: GameId | None = None
    rules: GivenRules = field(default_factory=dict)
    seating: Seating | None = None
    sides: Sides | None = None
    dealer: Dealer | None = None
    opening: Opening = field(default_factory=dict)

    def decide(self, games: Games) -> tuple[Event, ...]:
        """Return the first events of a new sheet. Raises Refused."""
        opened = SheetOpened(self.seats, self.title, self.lang)
        if self.game is None:
            if self.rules or self.seating or self.sides or self.dealer or self.opening:
                refuse(("game",), "required")
            return (opened,)
        start = StartGame(self.game, self.rules, self.seating, self.sides, self.dealer, self.opening)
        return (opened, start.started(1, tuple(seat.id for seat in self.seats), games))


@dataclass(frozen=True, slots=True)
class SheetTitled(Event):
    """The sheet was given a title, or lost it."""

    title: Title

    def apply(self, state: State, entry: Entry) -> State:
        """Set the title."""
        return state._replace(title=self.title)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Quote the title."""
        return Description(Phrase("titled", {"title": self.title}))


@dataclass(frozen=True, slots=True)
class TitleSheet(Command):
    """Set the title of the sheet; an empty one removes it."""

    title: Title

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the title unless it is the same."""
        return () if self.title == sheet.title else (SheetTitled(self.title),)


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """The name of the player at a seat is spelled otherwise."""

    seat: SeatId
    name: Name

    def apply(self, state: State, entry: Entry) -> State:
        """Rename the seat, and whoever of that name has left it before. Raises KeyError if there is no such seat."""
        old = {seat.id: seat.name for seat in state.seats}[self.seat]
        seats = tuple(Seat(seat.id, self.name) if seat.id == self.seat else seat for seat in state.seats)
        taken = tuple(
            each._replace(left=self.name) if (each.seat, each.left) == (self.seat, old) else each
            for each in state.taken
        )
        return state._replace(seats=seats, taken=taken)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say both names."""
        return Description(Phrase("renamed", {"old": before.names[self.seat], "name": self.name}))


@dataclass(frozen=True, slots=True)
class RenamePlayer(Command):
    """Change how the name at a seat is spelled, in every deal; where somebody else sits down, `take_seat` says so."""

    seat: SeatId
    name: Name

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the name unless it is the same."""
        require_seat(self.seat, list(sheet.names))
        return () if sheet.names[self.seat] == self.name else (PlayerRenamed(self.seat, self.name),)


@dataclass(frozen=True, slots=True)
class SetNames(Command):
    """Change how names at seats are spelled, and the title of the sheet, where it is given."""

    names: SeatNames = field(default_factory=dict)
    title: Title | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write what is not the same."""
        for seat in self.names:
            require_seat(seat, list(sheet.names), "names")
        changes: list[Command] = [RenamePlayer(seat, name) for seat, name in self.names.items()]
        changes += [] if self.title is None else [TitleSheet(self.title)]
        return tuple(event for command in changes for event in command.decide(sheet, games))


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """Somebody else plays at a seat from a deal on. A game that has not begun is the one after the last."""

    seat: SeatId
    player: Name
    from_deal: DealNumber
    game_number: GameNumber

    def apply(self, state: State, entry: Entry) -> State:
        """Put the player at the seat; whoever was to sit there later does not."""
        place = self.game_number, self.from_deal
        last = [game.open.number for game in state.games] + [1]
        if self.from_deal > last[self.game_number - 1]:
            raise IndexError(place)
        left = state.names_at(self.game_number, self.from_deal - 1)[self.seat]
        taken = [each for each in state.taken if each.seat != self.seat or each[:2] < place]
        if left != self.player:
            taken.append(Substitution(*place, self.seat, left))
        seats = tuple(Seat(seat.id, self.player) if seat.id == self.seat else seat for seat in state.seats)
        return state._replace(seats=seats, taken=tuple(sorted(taken)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name both players."""
        left = before.state.names_at(self.game_number, self.from_deal - 1)[self.seat]
        key = "seat-taken" if self.game_number <= len(before.games) else "seat-taken-next"
        return Description(Phrase(key, {"name": left, "player": self.player, "deal": self.from_deal}))


@dataclass(frozen=True, slots=True)
class TakeSeat(Command):
    """Let somebody else play at a seat from a deal of the current game on, by default the open one.

    Once the game is over, from the next one on.
    """

    seat: SeatId
    player: Name
    from_deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write who sits there unless they do already. Refused where they sit at another seat of one of these deals."""
        game = require_game(sheet)
        require_seat(self.seat, list(sheet.names))
        deal = self.from_deal or game.open.number
        if deal > game.open.number:
            refuse(("from_deal",), "unknown-deal", deal=deal, count=len(game.deals))
        beside = [seat for seat in game.seating if seat != self.seat]
        table = [sheet.state.names_at(game.number, number) for number in range(deal, game.open.number + 1)]
        if any(self.player == names[seat] for names in table for seat in beside):
            refuse(("player",), "name-taken", value=self.player)
        over = deal == game.open.number and ledger(game, games).outcome.over
        event = SeatTaken(self.seat, self.player, *((1, game.number + 1) if over else (deal, game.number)))
        after = event.apply(sheet.state, Entry(sheet.version + 1, sheet.changed, "", event))
        return () if after == sheet.state else (event,)


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """Somebody joined the sheet at a new seat; they play from the next game on."""

    seat: SeatId
    name: Name

    def apply(self, state: State, entry: Entry) -> State:
        """Add the seat."""
        if self.seat in {seat.id for seat in state.seats}:
            raise KeyError(self.seat)
        return state._replace(seats=(*state.seats, Seat(self.seat, self.name)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say who."""
        return Description(Phrase("joined", {"name": self.name}))


@dataclass(frozen=True, slots=True)
class AddPlayer(Command):
    """Add a player to the sheet; they get the first free seat."""

    name: Name

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write who joined. Refused if every seat is taken."""
        seat = next((seat for seat in SEAT_IDS if seat not in sheet.names), None)
        if seat is None:
            refuse(("name",), "seats-full", most=len(SEAT_IDS))
        return (PlayerJoined(seat, self.name),)


@dataclass(frozen=True, slots=True)
class Undone(Reversal):
    """An event was undone."""

    restores: ClassVar[bool] = False

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the sheet before the target, which can be redone. Raises ValueError if it is not next to undo."""
        past = sheet.past if sheet else None
        if sheet is None or past is None or sheet.to_undo is None or past.entry.seq != self.target:
            raise ValueError("undone out of order")
        undone = UndoStep(past.entry, past.before, past.after, sheet.future)
        return Sheet(entry.seq, past.before, sheet.opened, entry.at, past.below, undone)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say that it was undone; the history knows what."""
        return Description(Phrase("undone"))


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Undo the last event in effect; with `target`, only if it is that one."""

    target: Count | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write which event is undone. Refused if there is none, or another than `target`."""
        return (Undone(_next_seq(sheet.to_undo, self.target, "nothing-to-undo")),)


@dataclass(frozen=True, slots=True)
class Redone(Reversal):
    """An event that had been undone was redone."""

    restores: ClassVar[bool] = True

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the sheet after the target again. Raises ValueError if it is not next to redo."""
        future = sheet.future if sheet else None
        if sheet is None or future is None or future.entry.seq != self.target:
            raise ValueError("redone out of order")
        redone = UndoStep(future.entry, future.before, future.after, sheet.past)
        return Sheet(entry.seq, future.after, sheet.opened, entry.at, redone, future.below)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say that it was redone; the history knows what."""
        return Description(Phrase("redone"))


@dataclass(frozen=True, slots=True)
class Redo(Command):
    """Redo what was undone last; with `target`, only if it is that event."""

    target: Count | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write which event is redone. Refused if there is none, or another than `target`."""
        return (Redone(_next_seq(sheet.to_redo, self.target, "nothing-to-redo")),)


def _next_seq(entry: Entry | None, target: int | None, code: str) -> int:
    if entry is None or (target is not None and target != entry.seq):
        refuse(() if target is None else ("target",), code, target=target, next=entry.seq if entry else None)
    return entry.seq


EVENTS: Mapping[str, type[Event]] = by_name(
    SheetOpened, GameStarted, CallMade, CallChanged, CallsCleared, DealRecorded, DealCorrected, CallsCorrected,
    DealVoided, Adjusted, DealConfirmed, DealerSet, RulesChanged, Noted, PlayerRenamed, SeatTaken, PlayerJoined,
    SheetTitled, Undone, Redone,
)  # fmt: skip
COMMANDS: Mapping[str, type[Command]] = by_name(
    StartGame, Rematch, MakeCall, ChangeCall, ClearCalls, RecordDeal, CorrectDeal, VoidDeal, Adjust, ConfirmDeal,
    SetDealer, SkipDealer, ChangeRules, WriteNote, RenamePlayer, SetNames, TakeSeat, AddPlayer, TitleSheet, Undo, Redo,
)  # fmt: skip

COMMAND: Final = commands(COMMANDS)
"""A command in JSON: its name under `type` beside its fields."""


def kind_of(event: Event) -> str:
    """Return the name of the event's kind in JSON: `deal_recorded`."""
    return kind_name(type(event))


def read_command(value: object) -> Command:
    """Return the command in a JSON object: its name under `type` beside its fields.

    `deal` and `game_number` mean the open deal and the current game if they are left out. Raises Refused with every
    problem found.
    """
    return shapes.read(COMMAND, value)


def command_json(command: Command) -> dict[str, object]:
    """Return a command as `read_command` reads it."""
    return {"type": kind_name(type(command)), **to_json(command)}


def read_opening(value: object) -> OpenSheet:
    """Return the request for a new sheet in a JSON object. Raises Refused with every problem found."""
    return read(OpenSheet, value)
