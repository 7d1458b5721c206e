"""Commands and events of a sheet as a whole: opening it, its players and title, undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from companion.engine.dialogue import Phrase
from companion.sheets.model.base import (
    Command,
    Description,
    Event,
    Games,
    Reversal,
    refuse,
    require_seat,
)
from companion.sheets.model.games import StartGame
from companion.sheets.shapes import (
    SEAT_IDS,
    Count,
    Dealer,
    GameId,
    Language,
    Name,
    Opening,
    Rules,
    SeatId,
    Seating,
    Seats,
    Sides,
    Title,
)
from companion.sheets.state import Entry, Seat, Sheet, State, UndoStep


@dataclass(frozen=True, slots=True)
class SheetOpened(Event):
    """A sheet was opened for these players."""

    seats: Seats
    title: Title = ""
    lang: Language = ""

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the new sheet, which cannot be undone. Raises ValueError if it is open already."""
        if sheet is not None:
            raise ValueError("opened twice")
        return Sheet(1, self.apply(State(()), entry), entry.at, entry.at)

    def apply(self, state: State, entry: Entry) -> State:
        """Return the first state."""
        return State(self.seats, self.title, self.lang)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name the players."""
        return Description(Phrase("opened", {"players": [seat.name for seat in self.seats]}))


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """Open a sheet; with `game`, begin the first game at once."""

    seats: Seats
    title: Title = ""
    lang: Language = ""
    game: GameId | None = None
    rules: Rules = field(default_factory=dict)
    seating: Seating | None = None
    sides: Sides | None = None
    dealer: Dealer | None = None
    opening: Opening = field(default_factory=dict)

    def decide(self, games: Games) -> tuple[Event, ...]:
        """Return the first events of a new sheet. Raises Refused."""
        opened = SheetOpened(self.seats, self.title, self.lang)
        if self.game is None:
            if self.rules or self.seating or self.sides or self.dealer or self.opening:
                refuse(("game",), "required")
            return (opened,)
        start = StartGame(self.game, self.rules, self.seating, self.sides, self.dealer, self.opening)
        return (opened, start.started(1, tuple(seat.id for seat in self.seats), games))


@dataclass(frozen=True, slots=True)
class SheetTitled(Event):
    """The sheet was given a title, or lost it."""

    title: Title

    def apply(self, state: State, entry: Entry) -> State:
        """Set the title."""
        return state._replace(title=self.title)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Quote the title."""
        return Description(Phrase("titled", {"title": self.title}))


@dataclass(frozen=True, slots=True)
class TitleSheet(Command):
    """Set the title of the sheet; an empty one removes it."""

    title: Title

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the title unless it is the same."""
        return () if self.title == sheet.title else (SheetTitled(self.title),)


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """The player at a seat has another name from now on."""

    seat: SeatId
    name: Name

    def apply(self, state: State, entry: Entry) -> State:
        """Rename the seat."""
        if self.seat not in {seat.id for seat in state.seats}:
            raise KeyError(self.seat)
        seats = tuple(Seat(seat.id, self.name) if seat.id == self.seat else seat for seat in state.seats)
        return state._replace(seats=seats)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say both names."""
        return Description(Phrase("renamed", {"old": before.names[self.seat], "name": self.name}))


@dataclass(frozen=True, slots=True)
class RenamePlayer(Command):
    """Change the name at a seat."""

    seat: SeatId
    name: Name

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the name unless it is the same."""
        require_seat(self.seat, list(sheet.names))
        return () if sheet.names[self.seat] == self.name else (PlayerRenamed(self.seat, self.name),)


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """Somebody joined the sheet at a new seat; they play from the next game on."""

    seat: SeatId
    name: Name

    def apply(self, state: State, entry: Entry) -> State:
        """Add the seat."""
        if self.seat in {seat.id for seat in state.seats}:
            raise KeyError(self.seat)
        return state._replace(seats=(*state.seats, Seat(self.seat, self.name)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say who."""
        return Description(Phrase("joined", {"name": self.name}))


@dataclass(frozen=True, slots=True)
class AddPlayer(Command):
    """Add a player to the sheet; they get the first free seat."""

    name: Name

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write who joined. Refused if every seat is taken."""
        seat = next((seat for seat in SEAT_IDS if seat not in sheet.names), None)
        if seat is None:
            refuse(("name",), "seats-full", most=len(SEAT_IDS))
        return (PlayerJoined(seat, self.name),)


@dataclass(frozen=True, slots=True)
class Undone(Reversal):
    """An event was undone."""

    restores: ClassVar[bool] = False

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the sheet before the target, which can be redone. Raises ValueError if it is not next to undo."""
        past = sheet.past if sheet else None
        if sheet is None or past is None or sheet.to_undo is None or past.entry.seq != self.target:
            raise ValueError("undone out of order")
        undone = UndoStep(past.entry, past.before, past.after, sheet.future)
        return Sheet(entry.seq, past.before, sheet.opened, entry.at, past.below, undone)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say that it was undone; the history knows what."""
        return Description(Phrase("undone"))


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Undo the last event in effect; with `target`, only if it is that one."""

    target: Count | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write which event is undone. Refused if there is none, or another than `target`."""
        return (Undone(_next_seq(sheet.to_undo, self.target, "nothing-to-undo")),)


@dataclass(frozen=True, slots=True)
class Redone(Reversal):
    """An event that had been undone was redone."""

    restores: ClassVar[bool] = True

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the sheet after the target again. Raises ValueError if it is not next to redo."""
        future = sheet.future if sheet else None
        if sheet is None or future is None or future.entry.seq != self.target:
            raise ValueError("redone out of order")
        redone = UndoStep(future.entry, future.before, future.after, sheet.past)
        return Sheet(entry.seq, future.after, sheet.opened, entry.at, redone, future.below)

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say that it was redone; the history knows what."""
        return Description(Phrase("redone"))


@dataclass(frozen=True, slots=True)
class Redo(Command):
    """Redo what was undone last; with `target`, only if it is that event."""

    target: Count | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write which event is redone. Refused if there is none, or another than `target`."""
        return (Redone(_next_seq(sheet.to_redo, self.target, "nothing-to-redo")),)


def _next_seq(entry: Entry | None, target: int | None, code: str) -> int:
    if entry is None or (target is not None and target != entry.seq):
        refuse(() if target is None else ("target",), code, target=target, next=entry.seq if entry else None)
    return entry.seq
