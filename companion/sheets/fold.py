"""Fold events into the state of a sheet, with undo and redo; look back on every event with the sheets around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.sheets import events as e
from companion.sheets.events import Entry, Json, Seat
from companion.sheets.state import Change, OpenDeal, RulesPeriod, Sheet, SheetDeal, SheetGame, State, Step


class BrokenLog(Exception):
    """A log that cannot have come about: an event that does not fit what stands before it."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq = seq
        super().__init__(f"event {seq}: {why}")


def fold(entries: Iterable[Entry], sheet: Sheet | None = None) -> Sheet:
    """The sheet after these events; `sheet` is where events before them had led. Raises BrokenLog."""
    for entry in entries:
        expected = sheet.version + 1 if sheet else 1
        if entry.seq != expected:
            raise BrokenLog(entry.seq, f"stands where {expected} should")
        try:
            sheet = _next(sheet, entry)
        except (LookupError, ValueError, AttributeError, TypeError) as fault:
            raise BrokenLog(entry.seq, repr(fault)) from fault
    if sheet is None:
        raise BrokenLog(0, "no event at all")
    return sheet


def _next(sheet: Sheet | None, entry: Entry) -> Sheet:
    event = entry.event
    if sheet is None:
        if not isinstance(event, e.SheetOpened):
            raise ValueError("a sheet begins with its opening")
        return Sheet(1, State(event.seats, event.title, event.lang), entry.at, entry.at)
    past, future = sheet.past, sheet.future
    if isinstance(event, e.Undone):
        if past is None or sheet.to_undo is None or past.entry.seq != event.target:
            raise ValueError("undone out of order")
        return Sheet(
            entry.seq,
            past.before,
            sheet.opened,
            entry.at,
            past.below,
            Step(past.entry, past.before, past.after, future),
        )
    if isinstance(event, e.Redone):
        if future is None or future.entry.seq != event.target:
            raise ValueError("redone out of order")
        return Sheet(
            entry.seq,
            future.after,
            sheet.opened,
            entry.at,
            Step(future.entry, future.before, future.after, past),
            future.below,
        )
    after = _APPLY[type(event)](sheet.state, entry, event)
    return Sheet(entry.seq, after, sheet.opened, entry.at, Step(entry, sheet.state, after, past), None)


def _game_started(state: State, entry: Entry, event: e.GameStarted) -> State:
    seats = {seat.id for seat in state.seats}
    playing = [seat for side in event.sides for seat in side.players]
    if event.game_number != len(state.games) + 1:
        raise ValueError("game number")
    if not seats.issuperset(event.seating) or sorted(playing) != sorted(event.seating):
        raise ValueError("seats")
    if event.dealer not in event.seating:
        raise ValueError("dealer")
    game = SheetGame(
        event.game_number, event.game, event.engine, event.seating, event.sides, event.opening,
        (RulesPeriod(1, event.preset, event.options),), entry.at, OpenDeal(1, event.dealer),
    )  # fmt: skip
    return replace(state, games=(*state.games, game))


def _call_made(state: State, entry: Entry, event: e.CallMade) -> State:
    return _with_open(state, event, lambda deal: replace(deal, calls=(*deal.calls, event.call)))


def _call_changed(state: State, entry: Entry, event: e.CallChanged) -> State:
    def change(deal: OpenDeal) -> OpenDeal:
        deal.calls[event.place]
        return replace(deal, calls=(*deal.calls[: event.place], event.call, *deal.calls[event.place + 1 :]))

    return _with_open(state, event, change)


def _calls_cleared(state: State, entry: Entry, event: e.CallsCleared) -> State:
    return _with_open(state, event, lambda deal: replace(deal, calls=()))


def _deal_recorded(state: State, entry: Entry, event: e.DealRecorded) -> State:
    game = _game(state, event.game_number)
    return _with_game(state, _closed(game, entry, event, event.facts, game.after(game.open.dealer)))


def _deal_corrected(state: State, entry: Entry, event: e.DealCorrected) -> State:
    return _with_deal(state, entry, event, event.facts)


def _deal_voided(state: State, entry: Entry, event: e.DealVoided) -> State:
    game = _game(state, event.game_number)
    if event.deal == game.open.number:
        dealer = game.open.dealer if event.dealer_stays else game.after(game.open.dealer)
        return _with_game(state, _closed(game, entry, event, {"void": True}, dealer))
    state = _with_deal(state, entry, event, {"void": True})
    if not event.dealer_stays:
        return state
    if event.deal != len(game.deals):
        raise ValueError("dealer")
    return _with_open(state, event, lambda deal: replace(deal, dealer=game.deals[-1].dealer), any_deal=True)


def _adjusted(state: State, entry: Entry, event: e.Adjusted) -> State:
    game = _game(state, event.game_number)
    adjustment = {"side": event.side, "points": event.points, "reason": event.reason}
    if event.side not in {side.id for side in game.sides}:
        raise KeyError(event.side)
    if event.deal == game.open.number:
        return _with_open(state, event, lambda deal: replace(deal, adjustments=(*deal.adjustments, adjustment)))
    before = game.deal(event.deal).facts
    return _with_deal(state, entry, event, {**before, "adjustments": [*before.get("adjustments", ()), adjustment]})


def _deal_confirmed(state: State, entry: Entry, event: e.DealConfirmed) -> State:
    game = _game(state, event.game_number)
    deal = game.deal(event.deal)
    if event.side in deal.confirmed or event.side not in {side.id for side in game.sides}:
        raise ValueError("side")
    return _with_game(state, _put(game, replace(deal, confirmed=(*deal.confirmed, event.side))))


def _dealer_set(state: State, entry: Entry, event: e.DealerSet) -> State:
    if event.seat not in _game(state, event.game_number).seating:
        raise KeyError(event.seat)
    return _with_open(state, event, lambda deal: replace(deal, dealer=event.seat))


def _rules_changed(state: State, entry: Entry, event: e.RulesChanged) -> State:
    game = _game(state, event.game_number)
    if not 1 <= event.deal <= game.open.number:
        raise IndexError(event.deal)
    kept = tuple(period for period in game.periods if period.first_deal < event.deal)
    period = RulesPeriod(event.deal, event.preset, event.options, event.note)
    return _with_game(state, replace(game, periods=(*kept, period)))


def _noted(state: State, entry: Entry, event: e.Noted) -> State:
    game = _game(state, event.game_number)
    if event.deal == game.open.number:
        return _with_open(state, event, lambda deal: replace(deal, notes=(*deal.notes, event.note)))
    deal = game.deal(event.deal)
    return _with_game(state, _put(game, replace(deal, notes=(*deal.notes, event.note))))


def _player_renamed(state: State, entry: Entry, event: e.PlayerRenamed) -> State:
    if event.seat not in {seat.id for seat in state.seats}:
        raise KeyError(event.seat)
    seats = tuple(Seat(seat.id, event.name) if seat.id == event.seat else seat for seat in state.seats)
    return replace(state, seats=seats)


def _player_joined(state: State, entry: Entry, event: e.PlayerJoined) -> State:
    if event.seat in {seat.id for seat in state.seats}:
        raise KeyError(event.seat)
    return replace(state, seats=(*state.seats, Seat(event.seat, event.name)))


def _sheet_titled(state: State, entry: Entry, event: e.SheetTitled) -> State:
    return replace(state, title=event.title)


_APPLY: Mapping[type, Callable[[State, Entry, Any], State]] = {
    e.GameStarted: _game_started,
    e.CallMade: _call_made,
    e.CallChanged: _call_changed,
    e.CallsCleared: _calls_cleared,
    e.DealRecorded: _deal_recorded,
    e.DealCorrected: _deal_corrected,
    e.DealVoided: _deal_voided,
    e.Adjusted: _adjusted,
    e.DealConfirmed: _deal_confirmed,
    e.DealerSet: _dealer_set,
    e.RulesChanged: _rules_changed,
    e.Noted: _noted,
    e.PlayerRenamed: _player_renamed,
    e.PlayerJoined: _player_joined,
    e.SheetTitled: _sheet_titled,
}


def _game(state: State, number: int) -> SheetGame:
    if number < 1:
        raise IndexError(number)
    return state.games[number - 1]


def _with_game(state: State, game: SheetGame) -> State:
    place = game.number - 1
    return replace(state, games=(*state.games[:place], game, *state.games[place + 1 :]))


def _with_open(state: State, event: Any, change: Callable[[OpenDeal], OpenDeal], *, any_deal: bool = False) -> State:
    game = _game(state, event.game_number)
    if event.deal != game.open.number and not any_deal:
        raise IndexError(event.deal)
    return _with_game(state, replace(game, open=change(game.open)))


def _closed(game: SheetGame, entry: Entry, event: Any, facts: Json, next_dealer: str) -> SheetGame:
    if event.deal != game.open.number:
        raise IndexError(event.deal)
    change = Change(entry.seq, entry.at, entry.actor, event, None, facts)
    deal = SheetDeal(game.open.number, game.open.dealer, facts, game.open.calls, (change,), notes=game.open.notes)
    waiting = game.open.adjustments if deal.void else ()
    return replace(game, deals=(*game.deals, deal), open=OpenDeal(deal.number + 1, next_dealer, adjustments=waiting))


def _with_deal(state: State, entry: Entry, event: Any, facts: Json) -> State:
    game = _game(state, event.game_number)
    deal = game.deal(event.deal)
    change = Change(entry.seq, entry.at, entry.actor, event, deal.facts, facts)
    return _with_game(state, _put(game, replace(deal, facts=facts, changes=(*deal.changes, change), confirmed=())))


def _put(game: SheetGame, deal: SheetDeal) -> SheetGame:
    return replace(game, deals=(*game.deals[: deal.number - 1], deal, *game.deals[deal.number :]))


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One entry of a log: the sheet before and after it, and whether what it did still stands."""

    entry: Entry
    stands: bool
    earlier: Sheet | None
    sheet: Sheet
    target: Entry | None = None
    """For something taken back or brought back: what that was."""

    @property
    def before(self) -> Json | None:
        """The facts of its deal before it, where it is about a deal that was recorded."""
        deal = _deal(self.earlier, self.entry.event)
        return deal.facts if deal else None

    @property
    def after(self) -> Json | None:
        """The facts of its deal after it."""
        deal = _deal(self.sheet, self.entry.event)
        return deal.facts if deal else None

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The sides that had confirmed its deal, and no longer have after it."""
        before, after = _deal(self.earlier, self.entry.event), _deal(self.sheet, self.entry.event)
        still = after.confirmed if after else ()
        return tuple(side for side in before.confirmed if side not in still) if before else ()

    @property
    def place(self) -> tuple[int, int] | None:
        """The numbers of the game and of the deal that it is about; of its target, where it has one."""
        event = (self.target or self.entry).event
        deal = getattr(event, "deal", None)
        return None if deal is None else (event.game_number, deal)  # type: ignore[union-attr]


def history(entries: Sequence[Entry]) -> list[HistoryEntry]:
    """Every entry of a log in its order; what was taken back, and not brought back again, no longer stands."""
    traces: list[HistoryEntry] = []
    sheet: Sheet | None = None
    for entry in entries:
        earlier, sheet = sheet, fold([entry], sheet)
        target: Entry | None = None
        if isinstance(entry.event, e.Undone | e.Redone):
            place = entry.event.target - 1
            traces[place] = replace(traces[place], stands=isinstance(entry.event, e.Redone))
            target = traces[place].entry
        traces.append(HistoryEntry(entry, True, earlier, sheet, target))
    return traces


def _deal(sheet: Sheet | None, event: Any) -> SheetDeal | None:
    """The recorded deal that an event is about, if it is about one."""
    deal = getattr(event, "deal", None)
    if sheet is None or deal is None or isinstance(event, e.RulesChanged) or event.game_number > len(sheet.games):
        return None
    deals = sheet.games[event.game_number - 1].deals
    return deals[deal - 1] if deal <= len(deals) else None
