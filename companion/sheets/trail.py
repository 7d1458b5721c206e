"""The trail: the whole log of a sheet as people look back on it, with what was taken back marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.sheets import events as e
from companion.sheets.events import Entry, Json
from companion.sheets.fold import fold
from companion.sheets.sheet import Sheet, SheetDeal


@dataclass(frozen=True, slots=True)
class Trace:
    """One entry of a log: the sheet before and after it, and whether what it did still stands."""

    entry: Entry
    stands: bool
    earlier: Sheet | None
    sheet: Sheet
    target: Entry | None = None
    """For something taken back or brought back: what that was."""

    @property
    def before(self) -> Json | None:
        """The facts of its deal before it, where it is about a deal that was recorded."""
        deal = _deal(self.earlier, self.entry.event)
        return deal.facts if deal else None

    @property
    def after(self) -> Json | None:
        """The facts of its deal after it."""
        deal = _deal(self.sheet, self.entry.event)
        return deal.facts if deal else None

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The sides that had confirmed its deal, and no longer have after it."""
        before, after = _deal(self.earlier, self.entry.event), _deal(self.sheet, self.entry.event)
        still = after.confirmed if after else ()
        return tuple(side for side in before.confirmed if side not in still) if before else ()

    @property
    def place(self) -> tuple[int, int] | None:
        """The numbers of the game and of the deal that it is about; of its target, where it has one."""
        event = (self.target or self.entry).event
        deal = getattr(event, "deal", None)
        return None if deal is None else (event.game_number, deal)  # type: ignore[union-attr]


def trail(entries: Sequence[Entry]) -> list[Trace]:
    """Every entry of a log in its order; what was taken back, and not brought back again, no longer stands."""
    traces: list[Trace] = []
    sheet: Sheet | None = None
    for entry in entries:
        earlier, sheet = sheet, fold([entry], sheet)
        target: Entry | None = None
        if isinstance(entry.event, e.Undone | e.Redone):
            place = entry.event.target - 1
            traces[place] = replace(traces[place], stands=isinstance(entry.event, e.Redone))
            target = traces[place].entry
        traces.append(Trace(entry, True, earlier, sheet, target))
    return traces


def _deal(sheet: Sheet | None, event: Any) -> SheetDeal | None:
    """The recorded deal that an event is about, if it is about one."""
    deal = getattr(event, "deal", None)
    if sheet is None or deal is None or isinstance(event, e.RulesChanged) or event.game_number > len(sheet.games):
        return None
    deals = sheet.games[event.game_number - 1].deals
    return deals[deal - 1] if deal <= len(deals) else None
