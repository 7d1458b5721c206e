"""The table as people sit round it: who deals, whose turn it is, what each seat has called or what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.engine.dialogue import Text
from companion.engine.entry import Answered, EntryStep, SeatNote, TableNotes
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.board import SIDE_MARKS

_TWO = 2
ASKED = "seat:"
"""How the question begins that asks a seat for its call."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table. `place` counts clockwise from the far edge, `question` asks for its call.

    `note` is what the game puts at the seat, such as the points of the deal so far.
    """

    name: str
    place: int
    question: str
    dealer: bool
    turn: bool
    said: Answered | None
    note: SeatNote | None
    side: str = ""
    mark: str = "a"
    """Letter of the side's colour."""


def seats_at(view: View, game: SheetGame, step: EntryStep, *, changeable: bool = True) -> tuple[Seat, ...]:
    """Return the seats in the order in which they call, else as they sit; none where there is nothing to show at them.

    Whoever only watches is given calls that cannot be changed.
    """
    called = {said.seat: said if changeable else replace(said, question="") for said in step.said if said.seat}
    asked = step.question.id if step.question else ""
    notes = {note.seat: note for note in (step.table or TableNotes()).seats}
    order = list(called) or [seat for seat in game.seating if ASKED + seat == asked]
    if not order and not notes:
        return ()
    first = game.seating.index(order[0]) if order else 0
    return tuple(
        Seat(
            view.sheet.names[seat],
            game.seating.index(seat),
            ASKED + seat,
            seat == game.open.dealer,
            ASKED + seat == asked or step.asked in (seat, game.side_of(seat).id),
            called.get(seat),
            notes.get(seat),
            game.side_of(seat).id,
            SIDE_MARKS[game.sides.index(game.side_of(seat)) % len(SIDE_MARKS)],
        )
        for seat in (*game.seating[first:], *game.seating[:first])
    )


def at_totals(seats: Sequence[Seat]) -> dict[str, Seat]:
    """Return the seats by side where two play alone: what is at the seats is shown with the totals, and no table.

    Empty where people sit round a table, or call.
    """
    alone = len(seats) == len({seat.side for seat in seats}) == _TWO and all(seat.note for seat in seats)
    return {seat.side: seat for seat in seats} if alone else {}


def middle_of(step: EntryStep) -> Text:
    """Return the text in the middle of the table: the count of the calls, else what the game puts there."""
    return step.hint if step.kind == "call" else step.table.middle if step.table else ""
