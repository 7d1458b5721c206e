"""The games of a sheet, one after another, and what they say of each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template

from companion.engine.ledger import SCORED
from companion.sheets.sheet import SheetGame
from companion.sheets.view import View
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import board


@dataclass(frozen=True, slots=True)
class Record:
    """What one player has done on a sheet: finished games, wins, the mean of the final totals, nils made of nils."""

    name: str
    games: int
    wins: int
    average: float | None
    nils: int
    nils_made: int


def add_pages(keeper: Blueprint) -> None:
    """The history of a sheet."""
    keeper.get("/<lang:lang>/sheets/<sheet>/games")(games_page)


def games_page(lang: str, sheet: str) -> str:
    """Every game of the sheet, the latest first, and a table of the players."""
    view = kept_sheet(sheet)
    boards = [board(view, lang, number=game.number) for game in reversed(view.sheet.games)]
    return render_template(
        "keeper/games.html", view=view, boards=boards, records=records(view), path=f"sheets/{view.id}/games"
    )  # fmt: skip


def records(view: View) -> list[Record]:
    """The record of every player in the order of the seats."""
    return [_record(view, seat.id, seat.name) for seat in view.sheet.seats]


def _record(view: View, seat: str, name: str) -> Record:
    totals, wins, nils = [], 0, []
    for game, ledger in zip(view.sheet.games, view.ledgers, strict=True):
        if seat not in game.seating:
            continue
        counted = [deal for deal, scored in zip(game.deals, ledger.deals, strict=True) if scored.status == SCORED]
        nils += [nil for deal in counted for nil in _nils(game, deal.facts, seat)]
        if ledger.outcome.over:
            side = game.side_of(seat).id
            totals.append(ledger.standing[side].total)
            wins += side in ledger.outcome.winners
    made = sum(1 for nil in nils if nil.get("tricks") == 0)
    average = round(sum(totals) / len(totals), 1) if totals else None
    return Record(name, len(totals), wins, average, len(nils), made)


def _nils(game: SheetGame, facts: Mapping[str, Any], seat: str) -> Iterator[Mapping[str, Any]]:
    """The nils of a player in a deal, in games that know them."""
    entry = facts.get(game.side_of(seat).id)
    for nil in entry.get("nils", ()) if isinstance(entry, Mapping) else ():
        if nil.get("player") == seat:
            yield nil
