"""Where a question takes its rules from: a sheet that this device keeps, or a code in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import abort
from werkzeug.exceptions import NotFound

from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.web.keeper.access import kept_sheet


@dataclass(frozen=True, slots=True)
class Told:
    """What a sheet says of its table: rules, names and ids by seat, totals by the place of the side, who deals."""

    house: HouseRules[Any]
    names: tuple[str, ...]
    seat_ids: tuple[str, ...]
    totals: Mapping[int, int]
    dealer: int | None


def told_by_sheet(sheet: str, game: Game) -> Told | None:
    """What a sheet that this device keeps says; None where it keeps no such sheet, or another game runs on it."""
    try:
        view = kept_sheet(sheet)
    except NotFound:
        return None
    running = view.game
    if running is None or running.game != game.id or view.ledger is None:
        return None
    totals = {place: view.ledger.standing[side.id].total for place, side in enumerate(running.sides)}
    names = tuple(view.sheet.names[seat] for seat in running.seating)
    return Told(view.house(running), names, tuple(running.seating), totals, running.seating.index(running.open.dealer))


def rules_at(game: Game, code: str, told: Told | None) -> HouseRules[Any]:
    """The rules of the sheet, else those of the code, else the usual ones; a code of no rules is a fault."""
    if told is not None:
        return told.house
    try:
        return game.options.decode(code or game.options.default_preset)
    except Refused:
        abort(422)
