"""Continue a history beside the sheet, without writing: what a device entered while others wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.sheets.fold import HistoryEntry, fold, history
from companion.sheets.log import from_record, later, stamp, to_records
from companion.sheets.model import Command
from companion.sheets.scoring import View, ledger
from companion.sheets.state import Sheet
from companion.sheets.store import Record


@dataclass(frozen=True, slots=True)
class Branch:
    """A history with commands after it, none of them written."""

    view: View
    records: tuple[Record, ...]
    added: tuple[HistoryEntry, ...]
    """What the commands add."""
    refused: Mapping[int, Refused]
    """Why a command adds nothing, by its place."""


def branch(
    sheet: str, records: Sequence[Record], commands: Sequence[Command], games: Mapping[str, Game], now: datetime,
    actor: str = "", asked: Callable[[int, Sheet], bool] = lambda place, sheet: True,
) -> Branch:  # fmt: skip
    """Return a history, whose first events these are, after commands in order.

    Commands that cannot be are left out, as are those that answer a question which is not `asked` where they stand.
    """
    grown = list(records)
    at_base = state = fold(from_record(record) for record in records)
    refused: dict[int, Refused] = {}
    for place, command in enumerate(commands):
        try:
            if not asked(place, state):
                raise Refused([])
            events = command.decide(state, games)
            at = stamp(later(now, state.changed))
            new = to_records(events, grown[-1].hash, grown[-1].seq, at, actor)
            after = fold((from_record(record) for record in new), state) if new else state
            for game in after.games:
                ledger(game, games)
        except Refused as why:
            refused[place] = why
            continue
        state = after
        grown += new
    entries = [from_record(record) for record in grown]
    added = tuple(history(entries)[at_base.version :])
    return Branch(View(sheet, state, games, {}, grown[-1].hash), tuple(grown), added, refused)
