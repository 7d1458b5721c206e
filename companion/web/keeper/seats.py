"""The table as people sit round it: who deals, whose turn it is, and what each seat has called."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.engine.entry import Answered, Step
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame

ASKED = "seat:"
"""How the question begins that asks a seat for its call."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table. `place` counts clockwise from the near edge, `question` asks for its call."""

    name: str
    place: int
    question: str
    dealer: bool
    turn: bool
    said: Answered | None


def seats_at(view: View, game: SheetGame, step: Step, *, changeable: bool = True) -> tuple[Seat, ...]:
    """Return the seats in the order in which they call; none while no seat has called or is asked to.

    Whoever only watches is given calls that cannot be changed.
    """
    called = {said.seat: said if changeable else replace(said, question="") for said in step.said if said.seat}
    asked = step.question.id if step.question else ""
    order = list(called) or [seat for seat in game.seating if ASKED + seat == asked]
    if not order:
        return ()
    first = game.seating.index(order[0])
    return tuple(
        Seat(
            view.sheet.names[seat],
            game.seating.index(seat),
            ASKED + seat,
            seat == game.open.dealer,
            ASKED + seat == asked,
            called.get(seat),
        )
        for seat in (*game.seating[first:], *game.seating[:first])
    )
