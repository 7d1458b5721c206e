"""An evening as a table (CSV): a line of column names, then a deal a line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from companion.cli.common import Refusals, read_text
from companion.engine.game import Game
from companion.engine.problems import Refused, read_whole
from companion.engine.shapes import schema
from companion.library import json_value, read_house

WORDS: Final = {"true": True, "false": False, "null": None}
"""Cells that are no numbers or texts."""
SEPARATORS: Final = ",;\t"
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}(?:\.0+)?")
"""A whole number; some spreadsheets write it with a fraction of zeros."""


def read_evening(
    refusals: Refusals, game: Game | None, code: str | None, sides: str | None
) -> tuple[Game, dict[str, object], Refusals]:
    """Return the game, the score request of a table, and refusals that name its lines. Raises BadInput.

    A column is named by its place in a deal, `NS.tricks` or `EW.nils.0.call`; an empty cell is not there. The sides
    are the first parts of the columns that are no other keys of a deal, unless they are given.
    """
    from companion.games import GAMES

    if game is None:
        raise refusals.refuse("table-without-game", games=list(GAMES))
    rows = _rows(read_text(refusals))
    if not rows:
        raise refusals.refuse("not-table")
    paths = [name.split(".") for name in rows[0][1]]
    deals = []
    for number, row in rows[1:]:
        if len(row) > len(paths):
            raise refusals.refuse("long-line", line=number)
        deals.append(_deal(refusals, number, zip(paths, row, strict=False)))
    shared = {field.data_key or name for name, field in schema(game.deal).load_fields.items()} | {*game.deal_keys}
    named = sides.split(",") if sides else list(dict.fromkeys(path[0] for path in paths if path[0] not in shared))
    request: dict[str, object] = {"sides": named, "deals": deals}
    located = replace(refusals, lines=tuple(number for number, _ in rows[1:]))
    if code:
        with located.of(game):
            house = read_whole(code, lambda node: read_house(game, node), ("rules",))
        request["rules"] = {"preset": house.preset, "options": game.options.plain(house.options)}
    return game, request, located


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a table that are not empty, with their numbers. Spreadsheets write `,`, `;` or tabs."""
    head = next(filter(str.strip, text.splitlines()), "")
    separator = max(SEPARATORS, key=head.count)
    lines = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    found = []
    for row in lines:
        cells = [cell.strip() for cell in row]
        if any(cells):
            found.append((lines.line_num, cells))
    return found


def _deal(refusals: Refusals, number: int, cells: Iterable[tuple[list[str], str]]) -> dict[str, object]:
    """Return the deal in the cells of a line. Raises BadInput where a place is in the way of another."""
    deal: dict[str, object] = {}
    for path, cell in cells:
        if cell == "":
            continue
        place: object = deal
        for part, following in zip(path, [*path[1:], None], strict=True):
            value = _value(cell) if following is None else [] if following.isdecimal() else {}
            if isinstance(place, dict):
                place = place.setdefault(part, value)
            elif isinstance(place, list) and part.isdecimal() and int(part) <= len(place):
                place.extend([value] if int(part) == len(place) else [])
                place = place[int(part)]
            else:
                raise refusals.refuse("same-place", line=number)
    return deal


def _value(cell: str) -> object:
    """Return a cell as JSON has it: an object or a list as written, a whole number, true, false, null, or a text."""
    if cell in WORDS:
        return WORDS[cell]
    if cell.startswith(("[", "{")):
        try:
            return json_value(cell.encode())
        except (Refused, ValueError):
            return cell
    return int(cell.partition(".")[0]) if _WHOLE.fullmatch(cell) else cell
