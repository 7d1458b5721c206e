"""Continue a history beside the sheet, without writing: what a device entered while others wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.sheets.fold import HistoryEntry, fold, history
from companion.sheets.log import from_records, later, stamp, to_records
from companion.sheets.model import Command, Redo, Undo, command_json, read_command
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
    times: Sequence[datetime | None] = (),
) -> Branch:  # fmt: skip
    """Return a history, whose first events these are, after commands in order.

    Commands that cannot be are left out, as are those that answer a question which is not `asked` where they stand.
    Each command is of its time among `times`, of now where it has none.
    """
    grown = list(records)
    at_base = state = fold(from_records(records))
    refused: dict[int, Refused] = {}
    for place, command in enumerate(commands):
        try:
            if not asked(place, state):
                raise Refused([])
            events = command.decide(state, games)
            at = stamp(later(min((times[place] if place < len(times) else None) or now, now), state.changed))
            new = to_records(events, grown[-1].hash, grown[-1].seq, at, actor)
            after = fold(from_records(new), state) if new else state
            for game in after.games:
                ledger(game, games)
        except Refused as why:
            refused[place] = why
            continue
        state = after
        grown += new
    entries = from_records(grown)
    added = tuple(history(entries)[at_base.version :])
    return Branch(View(sheet, state, games, {}, grown[-1].hash), tuple(grown), added, refused)


def moved(command: Command, base: Sheet, now: Sheet) -> Command:
    """Return a command given after a version of a sheet as it is meant after another one, which others have written.

    What it names by a number and what the device added itself is counted from the end of that history: a deal, a game,
    the event that is undone.
    """
    if isinstance(command, Undo | Redo):
        own = command.target is not None and command.target > base.version
        return replace(command, target=(command.target or 0) + now.version - base.version) if own else command
    fields: dict[str, int] = {}
    deal, number = getattr(command, "deal", None), getattr(command, "game_number", None)
    games, of = len(base.games), (number or len(base.games))
    if deal is not None and of == games and games:
        added = deal - len(base.games[-1].deals)
        if added > 0:
            fields = {"deal": added + len(now.games[-1].deals), "game_number": len(now.games)}
        elif number is None and hasattr(command, "game_number"):
            fields = {"game_number": games}
    elif number is not None and number > games:
        fields = {"game_number": number + len(now.games) - games}
    kept = {name: value for name, value in fields.items() if hasattr(command, name)}
    return read_command({**command_json(command), **kept}) if kept else command
