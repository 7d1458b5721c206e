"""What a command needs to find on a sheet: the running game, a deal of that number, facts that can be. Refused else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.engine.game import Game
from companion.engine.problems import Pointer, Problem, Refused
from companion.sheets import events as e
from companion.sheets.events import Entry, Event
from companion.sheets.fold import fold
from companion.sheets.refusals import refuse
from companion.sheets.scoring import ledger
from companion.sheets.state import Sheet, SheetDeal, SheetGame

Games = Mapping[str, Game]


def tried(sheet: Sheet, event: Any, games: Games) -> tuple[Event, ...]:
    """The event, once the game has been scored with it. Raises Refused where its facts cannot be."""
    entry = Entry(sheet.version + 1, sheet.changed, "", event)
    own = isinstance(event, e.DealRecorded | e.DealCorrected)
    try:
        ledger(fold([entry], sheet).games[event.game_number - 1], games, strict=event.deal if own else None)
    except Refused as refused:
        place = event.deal - 1 if own else None
        raise Refused(
            replace(problem, pointer=_within(problem.pointer, place)) for problem in refused.problems
        ) from refused
    return (event,)


def _within(pointer: Pointer, place: int | None) -> Pointer:
    return ("facts", *pointer[2:]) if pointer[:2] == ("deals", place) else pointer


def running(sheet: Sheet) -> SheetGame:
    """The running game."""
    if sheet.game is None:
        refuse((), "no-game")
    return sheet.game


def game_of(sheet: Sheet, number: int | None) -> SheetGame:
    """The game of that number, the running one where none is named."""
    if number is None:
        return running(sheet)
    if number > len(sheet.games):
        refuse(("game_number",), "unknown-game-number", value=number, count=len(sheet.games))
    return sheet.games[number - 1]


def going_on(sheet: Sheet, deal: int | None, games: Games) -> SheetGame:
    """The running game, which must not be over, and whose open deal must be the one meant."""
    game = running(sheet)
    if deal is not None and deal != game.open.number:
        refuse(("deal",), "deal-number", value=deal, open=game.open.number)
    refuse_after_end(game, games)
    return game


def refuse_after_end(game: SheetGame, games: Games) -> None:
    """Go on only where the game is not over. Raises Refused."""
    outcome = ledger(game, games).outcome
    if outcome.over:
        raise Refused([Problem((), "game-over", {"winners": list(outcome.winners)}, outcome.reason)])


def deal_of(game: SheetGame, number: int) -> SheetDeal:
    """The recorded deal of that number."""
    if number > len(game.deals):
        refuse(("deal",), "unknown-deal", deal=number, count=len(game.deals))
    return game.deals[number - 1]


def check_side(game: SheetGame, side: str) -> None:
    """Go on only where the game has such a side."""
    sides = [one.id for one in game.sides]
    if side not in sides:
        refuse(("side",), "unknown-side", value=side, choices=sides)
