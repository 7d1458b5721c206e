"""Commands and events of deals: recorded, corrected, voided, adjusted, confirmed, noted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.engine.dialogue import Phrase
from companion.engine.game import read_deal
from companion.engine.ledger import SCORED, Ledger
from companion.engine.problems import JsonObject, Node
from companion.sheets.model.base import (
    Command,
    DealEvent,
    Description,
    Event,
    Games,
    refuse,
    refuse_all,
    require_deal,
    require_game,
    require_not_over,
    require_open_deal,
    require_scorable,
    require_side,
)
from companion.sheets.model.calls import merge_facts, settled_facts
from companion.sheets.scoring import house_rules, ledger
from companion.sheets.shapes import DealNumber, Facts, Flag, GameNumber, GivenFacts, Points, Remark, SideId
from companion.sheets.state import Change, Entry, OpenDeal, Sheet, SheetDeal, SheetGame, State

VOID: JsonObject = {"void": True}


class FactsEvent(DealEvent):
    """An event that writes the facts of a deal."""

    __slots__ = ()

    def closed(self, game: SheetGame, entry: Entry, facts: JsonObject, next_dealer: str) -> SheetGame:
        """Return the game with its open deal recorded and the next one open. Raises IndexError for another deal."""
        if self.deal != game.open.number:
            raise IndexError(self.deal)
        change = Change(entry.seq, entry.at, entry.actor, self, None, facts)
        deal = SheetDeal(game.open.number, game.open.dealer, facts, game.open.calls, (change,), notes=game.open.notes)
        waiting = game.open.adjustments if deal.void else ()
        following = OpenDeal(deal.number + 1, next_dealer, adjustments=waiting)
        return game._replace(deals=(*game.deals, deal), open=following)

    def rewritten(self, state: State, entry: Entry, facts: JsonObject) -> State:
        """Return the state with other facts in the recorded deal, which is no longer confirmed."""
        game = self.game_in(state)
        deal = game.deal(self.deal)
        change = Change(entry.seq, entry.at, entry.actor, self, deal.facts, facts)
        deal = deal._replace(facts=facts, changes=(*deal.changes, change), confirmed=())
        return self.with_game(state, game.with_deal(deal))

    def check_facts(self, facts: JsonObject, sheet: Sheet, games: Games) -> None:
        """Refuse facts that the game cannot read."""
        game = self.game_in(sheet)
        known, node = games[game.game], Node(facts, ("facts",))
        read_deal(known, node, house_rules(known, game.rules_of(self.deal)).options, game.sides)
        refuse_all(node.problems)


@dataclass(frozen=True, slots=True)
class DealRecorded(FactsEvent):
    """The facts of the open deal were recorded, with its adjustments and accepted problems."""

    facts: Facts

    def apply(self, state: State, entry: Entry) -> State:
        """Record the deal and open the next one."""
        game = self.game_in(state)
        return self.with_game(state, self.closed(game, entry, self.facts, game.after(game.open.dealer)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say for which reasons problems were accepted."""
        message = Phrase("recorded", {"deal": self.deal})
        return Description(message, _accepted_anyway({}, self.facts), facts_removed=True, facts_added=True)

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse facts that the game cannot read."""
        self.check_facts(self.facts, sheet, games)


@dataclass(frozen=True, slots=True)
class RecordDeal(Command):
    """Record the open deal. What its calls have settled need not be repeated in the facts."""

    facts: GivenFacts
    deal: DealNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the facts, completed by the calls and by waiting adjustments."""
        game = require_open_deal(sheet, self.deal, games)
        facts = dict(self.facts)
        if facts.get("void") is not True:
            if game.open.calls:
                facts = merge_facts(settled_facts(games[game.game], game, game.open.calls), facts, ("facts",))
            if game.open.adjustments:
                given = facts.get("adjustments")
                facts["adjustments"] = [*game.open.adjustments, *(given if isinstance(given, list) else ())]
        event = DealRecorded(game.number, game.open.number, facts)
        return require_scorable(sheet, event, games, strict=event.deal)


@dataclass(frozen=True, slots=True)
class DealCorrected(FactsEvent):
    """Other facts took the place of a deal's."""

    facts: Facts
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

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse facts that the game cannot read."""
        self.check_facts(self.facts, sheet, games)


@dataclass(frozen=True, slots=True)
class CorrectDeal(Command):
    """Replace the facts of a recorded deal; its adjustments stay unless the facts name others."""

    deal: DealNumber
    facts: Facts
    reason: Remark = ""
    game_number: GameNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the facts unless they are the same."""
        game = require_game(sheet, self.game_number)
        deal = require_deal(game, self.deal)
        facts = dict(self.facts)
        if "adjustments" not in facts and "adjustments" in deal.facts and facts.get("void") is not True:
            facts["adjustments"] = deal.facts["adjustments"]
        if facts == deal.facts:
            return ()
        event = DealCorrected(game.number, deal.number, facts, self.reason)
        return require_scorable(sheet, event, games, strict=event.deal)


@dataclass(frozen=True, slots=True)
class DealVoided(FactsEvent):
    """A deal counts for nothing, the open one or a recorded one."""

    reason: Remark = ""
    dealer_stays: Flag = False
    replaces_facts: ClassVar[bool] = True

    def apply(self, state: State, entry: Entry) -> State:
        """Record the open deal as void, or void the recorded one; give the deal back to its dealer if they stay."""
        game = self.game_in(state)
        if self.deal == game.open.number:
            dealer = game.open.dealer if self.dealer_stays else game.after(game.open.dealer)
            return self.with_game(state, self.closed(game, entry, VOID, dealer))
        state = self.rewritten(state, entry, VOID)
        if not self.dealer_stays:
            return state
        if self.deal != len(game.deals):
            raise ValueError("dealer")
        return self.with_open(state, game.open._replace(dealer=game.deals[-1].dealer))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say whether the dealer deals again."""
        details = (Phrase("dealer-stays"),) if self.dealer_stays else ()
        message = Phrase("voided", {"deal": self.deal})
        return Description(message, details, reason=self.reason, facts_removed=True)


@dataclass(frozen=True, slots=True)
class VoidDeal(Command):
    """Let a deal count for nothing, by default the open one."""

    deal: DealNumber | None = None
    reason: Remark = ""
    dealer_stays: Flag = False
    game_number: GameNumber | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write that the deal is void unless it is already."""
        game = require_game(sheet, self.game_number)
        number = self.deal or game.open.number
        event = DealVoided(game.number, number, self.reason, self.dealer_stays)
        if number == game.open.number:
            require_not_over(game, games)
            return (event,)
        if require_deal(game, number).void:
            return ()
        if self.dealer_stays and (number != len(game.deals) or game.open.calls):
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
            waiting = (*game.open.adjustments, adjustment)
            return self.with_open(state, game.open._replace(adjustments=waiting))
        before = game.deal(self.deal).facts
        return self.rewritten(state, entry, {**before, "adjustments": [*before.get("adjustments", ()), adjustment]})

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name the side and its points."""
        name = after.names_in(self.game_in(after)).get(self.side, self.side)
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
        """Write the adjustment. Refused without points or a reason, and in a void deal."""
        game = require_game(sheet, self.game_number)
        require_side(game, self.side)
        if not self.points:
            refuse(("points",), "no-points")
        if not self.reason:
            refuse(("reason",), "required")
        number = self.deal or _last_scored(ledger(game, games)) or game.open.number
        event = Adjusted(game.number, number, self.side, self.points, self.reason)
        if number == game.open.number:
            require_not_over(game, games)
            return (event,)
        if require_deal(game, number).void:
            refuse(("deal",), "void-deal", deal=number)
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
        name = after.names_in(self.game_in(after)).get(self.side, self.side)
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
            at = game.open
            noted = OpenDeal(at.number, at.dealer, at.calls, at.adjustments, at.notes + self.note)
            return self.with_game(state, game.with_open(noted))
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
    listed = facts.get("accept", ())
    return list(dict.fromkeys(str(each.get("reason", "")) for each in listed if each.get("reason")))


def _last_scored(kept: Ledger) -> int | None:
    return max((place for place, deal in enumerate(kept.deals, start=1) if deal.status == SCORED), default=None)
