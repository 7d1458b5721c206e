"""Decisions: from a sheet and a command to the events that are to be written, or the reasons why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.engine.ledger import SCORED, Ledger, Side
from companion.engine.reading import Node
from companion.sheets import commands as c
from companion.sheets import events as e
from companion.sheets.calls import merged, settled
from companion.sheets.events import Entry, Event
from companion.sheets.fields import SEAT_IDS, plain
from companion.sheets.needed import (
    Games,
    check_side,
    deal_of,
    game_of,
    going_on,
    refuse_after_end,
    running,
    tried,
)
from companion.sheets.refusals import refuse, refuse_all
from companion.sheets.scoring import ledger
from companion.sheets.seating import alone, game_started
from companion.sheets.state import RulesPeriod, Sheet


def open_sheet(request: c.OpenSheet, games: Games) -> tuple[Event, ...]:
    """The first events of a new sheet. Raises Refused."""
    opened = e.SheetOpened(request.seats, request.title, request.lang)
    if request.game is None:
        if request.rules or request.seating or request.sides or request.dealer or request.opening:
            refuse(("game",), "required")
        return (opened,)
    start = c.StartGame(
        request.game, request.rules, request.seating, request.sides, request.dealer, request.opening
    )  # fmt: skip
    seats = tuple(seat.id for seat in request.seats)
    return (opened, game_started(start, 1, seats, games))


def decide(sheet: Sheet, command: c.Command, games: Games) -> tuple[Event, ...]:
    """The event that a command leads to, none where it would change nothing.

    Raises Refused for what cannot be, with pointers into the command; a deal's own problems stand under `facts`, those
    of other deals under `deals`.
    """
    return _DECIDE[type(command)](sheet, command, games)


def _start_game(sheet: Sheet, command: c.StartGame, games: Games) -> tuple[Event, ...]:
    seats = tuple(seat.id for seat in sheet.seats)
    return (game_started(command, len(sheet.games) + 1, seats, games),)


def _rematch(sheet: Sheet, command: c.Rematch, games: Games) -> tuple[Event, ...]:
    last = running(sheet)
    seating = command.seating or last.seating
    sides: tuple[Side, ...] | None = last.sides
    if command.seating and sorted(seating) == sorted(last.seating):
        singles = all(len(side.players) == 1 for side in last.sides)
        sides = alone(seating) if singles else None
    elif command.seating:
        sides = None
    dealer = command.dealer or (last.open.dealer if last.open.dealer in seating else seating[0])
    start = c.StartGame(last.game, last.rules.request, seating, sides, dealer)
    return _start_game(sheet, start, games)


def _make_call(sheet: Sheet, command: c.MakeCall, games: Games) -> tuple[Event, ...]:
    game = going_on(sheet, command.deal, games)
    event = e.CallMade(game.number, game.open.number, command.call)
    settled(games[game.game], game, (*game.open.calls, command.call), at=len(game.open.calls))
    return (event,)


def _change_call(sheet: Sheet, command: c.ChangeCall, games: Games) -> tuple[Event, ...]:
    game = going_on(sheet, command.deal, games)
    calls, place = game.open.calls, command.place
    if place >= len(calls):
        refuse(("place",), "unknown-call", value=place, count=len(calls))
    if calls[place] == command.call:
        return ()
    settled(games[game.game], game, (*calls[:place], command.call, *calls[place + 1 :]), at=place)
    return (e.CallChanged(game.number, game.open.number, place, command.call),)


def _clear_calls(sheet: Sheet, command: c.ClearCalls, games: Games) -> tuple[Event, ...]:
    game = going_on(sheet, command.deal, games)
    return (e.CallsCleared(game.number, game.open.number),) if game.open.calls else ()


def _record_deal(sheet: Sheet, command: c.RecordDeal, games: Games) -> tuple[Event, ...]:
    game = going_on(sheet, command.deal, games)
    facts = dict(command.facts)
    if facts.get("void") is not True:
        if game.open.calls:
            facts = merged(settled(games[game.game], game, game.open.calls), facts, ("facts",))
        if game.open.adjustments:
            facts["adjustments"] = [*game.open.adjustments, *_listed(facts.get("adjustments"))]
    return tried(sheet, e.DealRecorded(game.number, game.open.number, facts), games)


def _correct_deal(sheet: Sheet, command: c.CorrectDeal, games: Games) -> tuple[Event, ...]:
    game = game_of(sheet, command.game_number)
    deal = deal_of(game, command.deal)
    facts = dict(command.facts)
    if "adjustments" not in facts and "adjustments" in deal.facts and facts.get("void") is not True:
        facts["adjustments"] = deal.facts["adjustments"]
    if facts == deal.facts:
        return ()
    return tried(sheet, e.DealCorrected(game.number, deal.number, facts, command.reason), games)


def _void_deal(sheet: Sheet, command: c.VoidDeal, games: Games) -> tuple[Event, ...]:
    game = game_of(sheet, command.game_number)
    number = command.deal or game.open.number
    event = e.DealVoided(game.number, number, command.reason, command.dealer_stays)
    if number == game.open.number:
        refuse_after_end(game, games)
        return (event,)
    if deal_of(game, number).void:
        return ()
    if command.dealer_stays and (number != len(game.deals) or game.open.calls):
        refuse(("dealer_stays",), "dealer-moved-on", deal=number, open=game.open.number)
    return tried(sheet, event, games)


def _adjust(sheet: Sheet, command: c.Adjust, games: Games) -> tuple[Event, ...]:
    game = game_of(sheet, command.game_number)
    check_side(game, command.side)
    if not command.points:
        refuse(("points",), "no-points")
    if not command.reason:
        refuse(("reason",), "required")
    number = command.deal or _last_scored(ledger(game, games)) or game.open.number
    event = e.Adjusted(game.number, number, command.side, command.points, command.reason)
    if number == game.open.number:
        refuse_after_end(game, games)
        return (event,)
    if deal_of(game, number).void:
        refuse(("deal",), "void-deal", deal=number)
    return tried(sheet, event, games)


def _confirm_deal(sheet: Sheet, command: c.ConfirmDeal, games: Games) -> tuple[Event, ...]:
    game = game_of(sheet, command.game_number)
    check_side(game, command.side)
    deal = deal_of(game, command.deal)
    return () if command.side in deal.confirmed else (e.DealConfirmed(game.number, deal.number, command.side),)


def _set_dealer(sheet: Sheet, command: c.SetDealer, games: Games) -> tuple[Event, ...]:
    game = running(sheet)
    if command.seat not in game.seating:
        refuse(("seat",), "unknown-seat", value=command.seat, choices=list(game.seating))
    same = command.seat == game.open.dealer
    return () if same else (e.DealerSet(game.number, game.open.number, command.seat),)


def _skip_dealer(sheet: Sheet, command: c.SkipDealer, games: Games) -> tuple[Event, ...]:
    game = running(sheet)
    return (e.DealerSet(game.number, game.open.number, game.after(game.open.dealer), skipped=True),)


def _change_rules(sheet: Sheet, command: c.ChangeRules, games: Games) -> tuple[Event, ...]:
    game = running(sheet)
    known = games[game.game]
    number = command.deal or game.open.number
    if number > game.open.number:
        refuse(("deal",), "unknown-deal", deal=number, count=len(game.deals))
    node = Node(command.rules, ("rules",))
    house = known.options.read(node)
    refuse_all(node.problems)
    sides = Node(plain(game.sides), ("rules",))
    known.read_sides(sides, house.options)
    refuse_all([replace(problem, pointer=("rules",)) for problem in sides.problems])
    period = RulesPeriod(number, house.preset, known.options.plain(house.options), command.note)
    if all(game.rules_of(deal).request == period.request for deal in range(number, game.open.number + 1)):
        return ()
    if game.open.calls:
        settled(known, replace(game, periods=(*game.periods, period)), game.open.calls)
    return tried(sheet, e.RulesChanged(game.number, number, period.preset, period.options, command.note), games)


def _write_note(sheet: Sheet, command: c.WriteNote, games: Games) -> tuple[Event, ...]:
    game = game_of(sheet, command.game_number)
    number = command.deal or game.open.number
    if number != game.open.number:
        deal_of(game, number)
    if not command.note:
        refuse(("note",), "required")
    return (e.Noted(game.number, number, command.note),)


def _rename_player(sheet: Sheet, command: c.RenamePlayer, games: Games) -> tuple[Event, ...]:
    if command.seat not in sheet.names:
        refuse(("seat",), "unknown-seat", value=command.seat, choices=list(sheet.names))
    same = sheet.names[command.seat] == command.name
    return () if same else (e.PlayerRenamed(command.seat, command.name),)


def _add_player(sheet: Sheet, command: c.AddPlayer, games: Games) -> tuple[Event, ...]:
    seat = next((seat for seat in SEAT_IDS if seat not in sheet.names), None)
    if seat is None:
        refuse(("name",), "seats-full", most=len(SEAT_IDS))
    return (e.PlayerJoined(seat, command.name),)


def _title_sheet(sheet: Sheet, command: c.TitleSheet, games: Games) -> tuple[Event, ...]:
    return () if command.title == sheet.title else (e.SheetTitled(command.title),)


def _undo(sheet: Sheet, command: c.Undo, games: Games) -> tuple[Event, ...]:
    return (e.Undone(_next_seq(sheet.to_undo, command.target, "nothing-to-undo")),)


def _redo(sheet: Sheet, command: c.Redo, games: Games) -> tuple[Event, ...]:
    return (e.Redone(_next_seq(sheet.to_redo, command.target, "nothing-to-redo")),)


_DECIDE: Mapping[type, Callable[[Sheet, Any, Games], tuple[Event, ...]]] = {
    c.StartGame: _start_game,
    c.Rematch: _rematch,
    c.MakeCall: _make_call,
    c.ChangeCall: _change_call,
    c.ClearCalls: _clear_calls,
    c.RecordDeal: _record_deal,
    c.CorrectDeal: _correct_deal,
    c.VoidDeal: _void_deal,
    c.Adjust: _adjust,
    c.ConfirmDeal: _confirm_deal,
    c.SetDealer: _set_dealer,
    c.SkipDealer: _skip_dealer,
    c.ChangeRules: _change_rules,
    c.WriteNote: _write_note,
    c.RenamePlayer: _rename_player,
    c.AddPlayer: _add_player,
    c.TitleSheet: _title_sheet,
    c.Undo: _undo,
    c.Redo: _redo,
}


def _last_scored(kept: Ledger) -> int | None:
    return max((place for place, deal in enumerate(kept.deals, start=1) if deal.status == SCORED), default=None)


def _next_seq(entry: Entry | None, target: int | None, code: str) -> int:
    if entry is None or (target is not None and target != entry.seq):
        refuse(() if target is None else ("target",), code, target=target, next=entry.seq if entry else None)
    return entry.seq


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []
