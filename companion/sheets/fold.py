"""Fold events into the state of a sheet, and look back on every event with the sheets before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from companion.engine.problems import JsonObject
from companion.sheets.model import DealEvent, Description, Reversal
from companion.sheets.state import Entry, LogEntry, Sheet, SheetDeal


class BrokenLog(Exception):
    """A log that cannot have come about: an event that does not fit those before it."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq = seq
        super().__init__(f"event {seq}: {why}")


class Versioned(Protocol):
    """The state of a log after some of its events."""

    @property
    def version(self) -> int:
        """The sequence number of the latest one."""


S = TypeVar("S", bound=Versioned)


class Advancing(Protocol[S]):
    """An event of a log."""

    def advance(self, state: S | None, entry: LogEntry[Any], /) -> S:
        """Return the state after it; None is that of an empty log. Raises LookupError or ValueError."""


def fold(entries: Iterable[LogEntry[Advancing[S]]], state: S | None = None) -> S:
    """Return the state of a log after these events; `state` is the one before them. Raises BrokenLog."""
    for entry in entries:
        expected = state.version + 1 if state else 1
        if entry.seq != expected:
            raise BrokenLog(entry.seq, f"has the place of event {expected}")
        try:
            state = entry.event.advance(state, entry)
        except (LookupError, ValueError, AttributeError, TypeError) as fault:
            raise BrokenLog(entry.seq, repr(fault)) from fault
    if state is None:
        raise BrokenLog(0, "no event at all")
    return state


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
    def before(self) -> JsonObject | None:
        """The facts of its deal before it, if that is a recorded deal."""
        deal = self._deal(self.earlier)
        return deal.facts if deal else None

    @property
    def after(self) -> JsonObject | None:
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
