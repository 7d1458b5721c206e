"""Fold events into the state of a sheet, and look back on every event with the sheets before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.sheets.model import DealEvent, Description, Reversal
from companion.sheets.state import Entry, Json, Sheet, SheetDeal


class BrokenLog(Exception):
    """A log that cannot have come about: an event that does not fit those before it."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq = seq
        super().__init__(f"event {seq}: {why}")


def fold(entries: Iterable[Entry], sheet: Sheet | None = None) -> Sheet:
    """Return the sheet after these events; `sheet` is the one after the events before them. Raises BrokenLog."""
    for entry in entries:
        expected = sheet.version + 1 if sheet else 1
        if entry.seq != expected:
            raise BrokenLog(entry.seq, f"has the place of event {expected}")
        try:
            sheet = entry.event.advance(sheet, entry)
        except (LookupError, ValueError, AttributeError, TypeError) as fault:
            raise BrokenLog(entry.seq, repr(fault)) from fault
    if sheet is None:
        raise BrokenLog(0, "no event at all")
    return sheet


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One entry of a log: the sheet before and after it, and whether it is in effect or was undone."""

    entry: Entry
    in_effect: bool
    earlier: Sheet | None
    sheet: Sheet
    target: Entry | None = None
    """For an undo or a redo: the entry that it is about."""

    @property
    def subject(self) -> Entry:
        """The entry itself, or the one that it undoes or redoes."""
        return self.target or self.entry

    @property
    def description(self) -> Description:
        """What its subject does, with the names of the time when that was in effect."""
        earlier, sheet = self.earlier, self.sheet
        if isinstance(self.entry.event, Reversal) and not self.entry.event.restores:
            earlier, sheet = self.sheet, self.earlier or self.sheet
        return self.subject.event.describe(earlier or sheet, sheet)

    @property
    def before(self) -> Json | None:
        """The facts of its deal before it, if that is a recorded deal."""
        deal = self._deal(self.earlier)
        return deal.facts if deal else None

    @property
    def after(self) -> Json | None:
        """The facts of its deal after it."""
        deal = self._deal(self.sheet)
        return deal.facts if deal else None

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The sides whose confirmation of its deal it ended."""
        before, after = self._deal(self.earlier), self._deal(self.sheet)
        still = after.confirmed if after else ()
        return tuple(side for side in before.confirmed if side not in still) if before else ()

    @property
    def place(self) -> tuple[int, int] | None:
        """The numbers of the game and of the deal that its subject is about."""
        event = self.subject.event
        return (event.game_number, event.deal) if isinstance(event, DealEvent) else None

    @property
    def in_deal_history(self) -> bool:
        """Whether the history of a deal shows it."""
        event = self.subject.event
        return isinstance(event, DealEvent) and event.in_deal_history

    def _deal(self, sheet: Sheet | None) -> SheetDeal | None:
        event = self.entry.event
        return event.recorded_deal(sheet) if isinstance(event, DealEvent) else None


def history(entries: Sequence[Entry]) -> list[HistoryEntry]:
    """Return every entry of a log in its order; what was undone, and not redone, is not in effect."""
    found: list[HistoryEntry] = []
    sheet: Sheet | None = None
    for entry in entries:
        earlier, sheet = sheet, fold([entry], sheet)
        target: Entry | None = None
        if isinstance(entry.event, Reversal):
            place = entry.event.target - 1
            found[place] = replace(found[place], in_effect=entry.event.restores)
            target = found[place].entry
        found.append(HistoryEntry(entry, True, earlier, sheet, target))
    return found
