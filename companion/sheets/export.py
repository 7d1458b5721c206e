"""A sheet as a table for spreadsheets and as lines for a chat."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.engine.ledger import SCORED, Ledger
from companion.sheets.shapes import canonical
from companion.sheets.state import Sheet, SheetGame

Say = Callable[[str, Mapping[str, Any]], str]
"""Says a phrase by its key with these facts, in the reader's language."""

COLUMNS = ("game_number", "game", "deal", "status", "dealer", "side", "players", "points", "total")
MORE_COLUMNS = ("lines", "corrected", "facts")
"""Behind them, with the names of the tallies in between."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""How a formula begins, in full width too: where that is how people type, some spreadsheets read it alike."""


def csv_text(sheet: Sheet, ledgers: tuple[Ledger, ...]) -> str:
    """One row for each side in each deal; a cell that would be a formula in a spreadsheet begins with an apostrophe."""
    standings = [standing for kept in ledgers for standing in kept.standing.values()]
    tallies = tuple(dict.fromkeys(name for standing in standings for name in standing.tallies))
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow((*COLUMNS, *tallies, *MORE_COLUMNS))
    for game, kept in zip(sheet.games, ledgers, strict=True):
        for row in _rows(sheet, game, kept, tallies):
            rows.writerow([safe_cell(value) for value in row])
    return out.getvalue()


def safe_cell(value: Any) -> Any:
    """The value as a spreadsheet may have it: numbers as they are, text never a formula."""
    if isinstance(value, str) and value.lstrip().startswith(_FORMULA):
        return "'" + value
    return value


def chat_text(sheet: Sheet, ledgers: tuple[Ledger, ...], say: Say) -> str:
    """The games deal by deal in plain lines, with the words `chat-game`, `chat-void`, `chat-winner` and `chat-open`."""
    title = [sheet.title] if sheet.title else []
    games = ["\n".join(_game_lines(sheet, game, kept, say)) for game, kept in zip(sheet.games, ledgers, strict=True)]
    return "\n\n".join([*title, *games]) + "\n"


def _rows(sheet: Sheet, game: SheetGame, kept: Ledger, tallies: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
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
        totals = _together(deal.sides[side].standing.total for side in sides)
        points = ", ".join(_minus(f"{deal.sides[side].points:+d}") for side in sides)
        lines.append(f"{number}: {totals} ({points})")
    winners = [sheet.side_name(side) for side in game.sides if side.id in kept.outcome.winners]
    if kept.outcome.over:
        totals = _together(kept.standing[side].total for side in sides)
        lines.append(say("chat-winner", {"winners": ", ".join(winners), "totals": totals}))
    else:
        lines.append(say("chat-open", {"deals": len(kept.deals)}))
    return lines


def _together(totals: Iterable[int]) -> str:
    return " – ".join(_minus(str(total)) for total in totals)


def _minus(number: str) -> str:
    """A number with a real minus sign, which no chat takes for the dash between two totals."""
    return number.replace("-", "−")
