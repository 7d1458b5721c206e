"""The facts of a recorded deal in the shape that scoring asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.spades import facts as f
from companion.games.spades.bids import Bids
from companion.games.spades.position import DUMMY, Call, Played, Table


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in the order of play; the winner once it is full."""

    number: int
    plays: tuple[Played, ...]
    winner: str | None

    @property
    def winning_card(self) -> str:
        """The card that won the trick."""
        return next(str(one.card) for one in self.plays if one.seat == self.winner)


def deal_result(
    table: Table, calls: tuple[Call, ...] | None, tricks: Sequence[Trick], *, complete: bool
) -> dict[str, Any]:
    """`sides` and `result`: one deal ready to be posted to `score`; the result is None while tricks are missing.

    Without calls the contracts are null, to be filled in by who knows them.
    """
    sides = [{"id": side, "players": list(table.members(side))} for side in table.sides]
    if not complete:
        return {"sides": sides, "result": None}
    won = {seat: sum(1 for trick in tricks if trick.winner == seat) for seat in table.seats}
    bids = Bids(table, calls or ())
    result: dict[str, Any] = {}
    for side in table.sides:
        entry: dict[str, Any] = {"bid": bids.contract(side), "tricks": sum(won[seat] for seat in table.members(side))}
        wide = bids.side_wide(side)
        if wide is not None:
            entry["call"] = wide.word
        nils = [
            {"player": call.seat, "call": call.word, "tricks": won[call.seat]} for call in bids.nils(side) if call.seat
        ]
        if nils:
            entry["nils"] = nils
        last = _last_run(table, side, tricks)
        if last:
            entry["last_tricks"] = last
        result[side] = entry
    if DUMMY in table.seats:
        result[f.DUMMY_TRICKS] = won[DUMMY]
    return {"sides": sides, "result": result}


def _last_run(table: Table, side: str, tricks: Sequence[Trick]) -> list[str]:
    """The winning cards of a side's final run of tricks, the last trick first."""
    cards = []
    for trick in reversed(tricks):
        if trick.winner is None or trick.winner not in table.members(side):
            break
        cards.append(trick.winning_card)
    return cards
