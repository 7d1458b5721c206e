"""What a command would change: decided and folded on the side, nothing written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.engine.game import Game
from companion.engine.ledger import Ledger
from companion.sheets.commands import Command
from companion.sheets.decide import decide
from companion.sheets.events import Entry
from companion.sheets.fold import fold
from companion.sheets.reckoning import Ripple, ledger, ripple
from companion.sheets.refusals import refuse
from companion.sheets.sheet import Sheet


def preview(sheet: Sheet, command: Command, games: Mapping[str, Game]) -> Ripple:
    """The game that a command is about, deal by deal before and after it. Raises Refused."""
    after = sheet
    for seq, event in enumerate(decide(sheet, command, games), start=sheet.version + 1):
        after = fold([Entry(seq, sheet.changed, "", event)], after)
    number = _game_touched(sheet, after)
    return ripple(number, _ledger_at(sheet, after, number, games), _ledger_at(after, sheet, number, games))


def _ledger_at(sheet: Sheet, other: Sheet, number: int, games: Mapping[str, Game]) -> Ledger:
    """The ledger of a game on a sheet, an empty one where only the other sheet has the game."""
    if number <= len(sheet.games):
        return ledger(sheet.games[number - 1], games)
    return ledger(replace(other.games[number - 1], deals=()), games)


def _game_touched(before: Sheet, after: Sheet) -> int:
    """The number of the first game in which two sheets differ, of the running one where there is none."""
    for one, other in zip(before.games, after.games, strict=False):
        if one is not other:
            return one.number
    number = max(len(before.games), len(after.games))
    if not number:
        refuse((), "no-game")
    return number
