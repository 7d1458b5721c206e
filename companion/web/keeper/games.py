"""The games of a sheet, one after another, each with all its lines, and what they say of each player."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, render_template

from companion.engine.cards import number_text, signed_text
from companion.engine.ledger import SCORED
from companion.rulebook.book import words
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import board
from companion.web.keeper.exports import play_url


@dataclass(frozen=True, slots=True)
class Record:
    """What a player has done on a sheet: finished games, wins, mean of the final totals, attempts made and tried."""

    name: str
    games: int
    wins: int
    average: str
    made: int
    tried: int


@dataclass(frozen=True, slots=True)
class Best:
    """The deal that was the best one for a side, and its points."""

    name: str
    points: str
    deal: int


def add_pages(keeper: Blueprint) -> None:
    """The history of a sheet, and each game of it."""
    keeper.get("/<lang:lang>/sheets/<sheet>/games")(games_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/games/<int:number>")(game_page)


def games_page(lang: str, sheet: str) -> str:
    """Every game of the sheet, the latest first, and a table of the players for each kind of game."""
    view = kept_sheet(sheet)
    boards = [board(view, lang, number=game.number) for game in reversed(view.sheet.games)]
    kinds = dict.fromkeys(game.game for game in view.sheet.games)
    return render_template(
        "keeper/games.html",
        view=view,
        boards=boards,
        records=[(words(kind, lang), records(view, kind)) for kind in kinds],
        path=f"sheets/{view.id}/games",
    )


def game_page(lang: str, sheet: str, number: int) -> str:
    """One game with every line of every deal: to look back on, to print, to take elsewhere."""
    view = kept_sheet(sheet)
    if not 1 <= number <= len(view.sheet.games):
        abort(404)
    shown = board(view, lang, number=number)
    own, known = words(shown.game.game, lang), view.games[shown.game.game]
    periods = [
        (period.first_deal, own.summary(known.options, view.house(shown.game, period.first_deal)), period.note)
        for period in shown.game.periods
    ]
    return render_template(
        "keeper/game.html",
        view=view,
        board=shown,
        periods=periods,
        best=best_deal(view, number),
        bgstats=play_url(view, shown.game, shown.name),
        path=f"sheets/{view.id}/games/{number}",
    )


def records(view: View, kind: str) -> list[Record]:
    """The record of every player of a kind of game, in the order of the seats."""
    played = [seat for seat in view.sheet.seats if any(seat.id in game.seating for game in _games(view, kind))]
    return [_record(view, kind, seat.id, seat.name) for seat in played]


def best_deal(view: View, number: int) -> Best | None:
    """Return the deal that brought one side on the most; None before the second deal, or if none brought anybody on."""
    game, ledger = view.sheet.games[number - 1], view.ledgers[number - 1]
    sign = -1 if view.games[game.game].lowest_wins else 1
    scores = [
        (sign * deal.sides[side.id].points, -place, side)
        for place, deal in enumerate(ledger.deals, start=1)
        if deal.status == SCORED
        for side in game.sides
    ]
    if len(scores) <= len(game.sides):
        return None
    gain, place, side = max(scores, key=lambda score: score[:2])
    return Best(view.sheet.side_name(side), signed_text(sign * gain), -place) if gain > 0 else None


def _games(view: View, kind: str) -> list[SheetGame]:
    return [game for game in view.sheet.games if game.game == kind]


def _record(view: View, kind: str, seat: str, name: str) -> Record:
    attempts = view.games[kind].attempts
    totals, wins, made, tried = [], 0, 0, 0
    for game in _games(view, kind):
        if seat not in game.seating:
            continue
        ledger = view.ledgers[game.number - 1]
        counted = [deal for deal, scored in zip(game.deals, ledger.deals, strict=True) if scored.status == SCORED]
        if attempts is not None:
            of_deals = [attempts(deal.facts.get(game.side_of(seat).id, {}), seat) for deal in counted]
            made, tried = made + sum(one for one, _ in of_deals), tried + sum(one for _, one in of_deals)
        if ledger.outcome.over:
            side = game.side_of(seat).id
            totals.append(ledger.standing[side].total)
            wins += side in ledger.outcome.winners
    return Record(name, len(totals), wins, _mean(totals), made, tried)


def _mean(totals: list[int]) -> str:
    """The mean with one decimal where it needs one; a dash for none."""
    if not totals:
        return "–"
    return number_text(sum(totals) / len(totals), "z.1f").removesuffix(".0")
