"""A sheet, its log and a preview as JSON values, without words; who answers adds those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.ledger import Ledger
from companion.sheets.codec import encode, kind_of, version_of
from companion.sheets.events import Entry
from companion.sheets.fields import plain
from companion.sheets.records import stamp
from companion.sheets.sheet import SheetGame
from companion.sheets.view import View

Score = Callable[[SheetGame, Ledger], Any]
"""A ledger as the score answer has it: deals, standing, outcome."""


def entry_json(entry: Entry) -> dict[str, Any]:
    """One event of the log: when, under which label, its kind and version, and what it says."""
    kind = kind_of(entry.event)
    return {
        "seq": entry.seq,
        "at": stamp(entry.at),
        "actor": entry.actor,
        "kind": kind,
        "version": version_of(kind),
        "data": encode(entry.event),
    }


def view_json(view: View, score: Score) -> dict[str, Any]:
    """The sheet as it stands, every game with its rules, facts and score."""
    sheet = view.sheet
    return {
        "id": view.id,
        "version": view.version,
        "title": sheet.title,
        "lang": sheet.lang,
        "opened": stamp(sheet.opened),
        "changed": stamp(sheet.changed),
        "seats": plain(sheet.seats),
        "to_undo": sheet.to_undo.seq if sheet.to_undo else None,
        "to_redo": sheet.to_redo.seq if sheet.to_redo else None,
        "games": [
            {**_game_json(game), "score": score(game, kept)}
            for game, kept in zip(sheet.games, view.ledgers, strict=True)
        ],
    }


def _game_json(game: SheetGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "game": game.game,
        "engine": game.engine,
        "started": stamp(game.started),
        "seating": plain(game.seating),
        "sides": plain(game.sides),
        "opening": game.opening,
        "rules": [{"deal": period.first_deal, **period.request, "note": period.note} for period in game.periods],
        "open": {
            "deal": game.open.number,
            "dealer": game.open.dealer,
            "calls": list(game.open.calls),
            "adjustments": list(game.open.adjustments),
            "notes": list(game.open.notes),
        },
        "deals": [
            {
                "deal": deal.number,
                "dealer": deal.dealer,
                "facts": deal.facts,
                "calls": list(deal.calls),
                "corrected": deal.corrected,
                "confirmed": list(deal.confirmed),
                "notes": list(deal.notes),
            }
            for deal in game.deals
        ],
    }
