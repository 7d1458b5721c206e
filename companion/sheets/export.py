"""Export a sheet as a table for spreadsheets and as text for a chat."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.engine.cards import number_text, signed_text
from companion.engine.ledger import SCORED, Ledger
from companion.sheets.shapes import canonical
from companion.sheets.state import Sheet, SheetGame

Say = Callable[[str, Mapping[str, object]], str]
"""Return a phrase by its key with these facts, in the reader's language."""

COLUMNS = ("game_number", "game", "deal", "status", "dealer", "side", "players", "points", "total")
MORE_COLUMNS = ("lines", "corrected", "facts")
"""Columns behind them; the names of the tallies are in between."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""First characters of a formula, also in full width, which some spreadsheets accept."""


def csv_text(sheet: Sheet, ledgers: tuple[Ledger, ...]) -> str:
    """Return CSV with a row for each side in each deal; an apostrophe is put before text that would be a formula."""
    standings = [standing for kept in ledgers for standing in kept.standing.values()]
    tallies = tuple(dict.fromkeys(name for standing in standings for name in standing.tallies))
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow((*COLUMNS, *tallies, *MORE_COLUMNS))
    for game, kept in zip(sheet.games, ledgers, strict=True):
        for row in _rows(sheet, game, kept, tallies):
            rows.writerow([safe_cell(value) for value in row])
    return out.getvalue()


def safe_cell(value: object) -> object:
    """Return the value of a cell: numbers unchanged, text never a formula."""
    if isinstance(value, str) and value.lstrip().startswith(_FORMULA):
        return "'" + value
    return value


def chat_text(sheet: Sheet, ledgers: tuple[Ledger, ...], say: Say) -> str:
    """Return the games deal by deal as text. Phrases: `chat-` with `game`, `deal`, `void`, `winner` and `open`."""
    title = [sheet.title] if sheet.title else []
    games = ["\n".join(_game_lines(sheet, game, kept, say)) for game, kept in zip(sheet.games, ledgers, strict=True)]
    return "\n\n".join([*title, *games]) + "\n"


def _rows(sheet: Sheet, game: SheetGame, kept: Ledger, tallies: tuple[str, ...]) -> Iterator[tuple[object, ...]]:
    for deal, scored in zip(game.deals, kept.deals, strict=True):
        for side in game.sides:
            score = scored.sides[side.id]
            lines = " ".join(f"{line.article}:{line.points}" for line in score.lines)
            yield (
                *(game.number, game.game, deal.number, scored.status, sheet.names[deal.dealer]),
                *(side.id, sheet.side_name(side), score.points, score.standing.total),
                *(score.standing.tallies.get(name, "") for name in tallies),
                *(lines, int(deal.corrected), canonical(deal.facts)),
            )


def _game_lines(sheet: Sheet, game: SheetGame, kept: Ledger, say: Say) -> list[str]:
    sides = [side.id for side in game.sides]
    lines = [say("chat-game", {"number": game.number, "game": game.game})]
    lines.append(" – ".join(sheet.side_name(side) for side in game.sides))
    for number, deal in enumerate(kept.deals, start=1):
        if deal.status != SCORED:
            lines.append(say("chat-void", {"deal": number, "status": deal.status}))
            continue
        points = [signed_text(deal.sides[side].points) for side in sides]
        totals = _together(deal.sides[side].standing.total for side in sides)
        lines.append(say("chat-deal", {"deal": number, "totals": totals, "points": points}))
    winners = [sheet.side_name(side) for side in game.sides if side.id in kept.outcome.winners]
    if kept.outcome.over:
        totals = _together(kept.standing[side].total for side in sides)
        lines.append(say("chat-winner", {"winners": winners, "count": len(winners), "totals": totals}))
    else:
        lines.append(say("chat-open", {"deals": len(kept.deals)}))
    return lines


def _together(totals: Iterable[int]) -> str:
    return " – ".join(map(number_text, totals))
