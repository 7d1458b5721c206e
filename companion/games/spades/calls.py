"""The calls of a deal so far: whose turn it is, each side's contract, and what they settle of the deal's facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, MOON, NORMAL, Call, Table, read_calls


@dataclass(slots=True)
class Bids:
    """What has been called so far: each seat's calls, and each side's contract as it stands."""

    table: Table
    calls: tuple[Call, ...]
    by_seat: dict[str, list[Call]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for call in self.calls:
            if call.seat is not None:
                self.by_seat.setdefault(call.seat, []).append(call)

    def first(self, seat: str | None) -> Call | None:
        """A seat's call of the first round."""
        return next(iter(self.by_seat.get(seat or "", ())), None)

    def side_calls(self, side: str) -> list[Call]:
        """All calls of a side, in order."""
        return [call for call in self.calls if call.side == side]

    def side_wide(self, side: str) -> Call | None:
        """A side's blind number or moon."""
        return next((call for call in self.side_calls(side) if call.side_wide), None)

    def contract(self, side: str) -> int | None:
        """The side's number as the calls stand; None where no number has been said (SPADES-012, 024, 130, 131)."""
        rules = self.table.rules
        number: int | None = None
        seen: set[str | None] = set()
        for call in self.side_calls(side):
            if call.word in (MOON, BLIND_MOON):
                number = rules.tricks
            elif call.word == BLIND:
                number = call.number
            elif call.word == NORMAL and call.number is not None:
                adds = rules.partners and rules.bid_method == "sum" and call.seat not in seen
                number = call.number + (number or 0) if adds else call.number
            seen.add(call.seat)
        return number

    def nils(self, side: str) -> list[Call]:
        """The nil calls of a side."""
        return [call for call in self.side_calls(side) if call.is_nil]

    def complete(self, side: str) -> bool:
        """In consultation: whether a side has announced all that it must."""
        return self.contract(side) is not None or len(self.nils(side)) == len(self.table.members(side))

    @property
    def rounds(self) -> int:
        """How often everybody may call (SPADES-131)."""
        return 2 if self.table.rules.second_round else 1

    @property
    def over(self) -> bool:
        """Whether everybody has called; partners who have nothing to say need not."""
        if self.by_sides:
            return all(self.complete(side) for side in self.table.sides)
        return all(self._silent(seat) for seat in self.next_seats()[0])

    @property
    def by_sides(self) -> bool:
        """Whether partners confer and announce one number for their side (SPADES-132)."""
        return self.table.rules.partners and self.table.rules.bid_method == "consultation"

    @property
    def announcing(self) -> tuple[str, str]:
        """In consultation: the side that announces first and the dealer's side, which follows (SPADES-132)."""
        table = self.table
        dealers = table.side(table.dealer or table.seats[0])
        return next(side for side in table.sides if side != dealers), dealers

    def uncalled(self) -> tuple[str, ...]:
        """Who has not called at all and should have: seats, or sides in consultation."""
        if self.by_sides:
            return tuple(side for side in self.table.sides if not self.complete(side))
        return tuple(s for s in self.table.bidders if s not in self.by_seat and not self._silent(s))

    def next_seats(self) -> tuple[tuple[str, ...], int]:
        """Who may call now, and in which round (0 when the bidding is over).

        A partner of a blind number or a moon has nothing to say: both that seat and the one after may go on.
        """
        order = self.table.bidders
        said = dict.fromkeys(order, 0)
        for call in self.calls:
            if call.seat in said:
                said[call.seat] += 1
        for number in range(1, self.rounds + 1):
            waiting: list[str] = []
            for seat in order:
                if said[seat] >= number:
                    waiting = []
                    continue
                waiting.append(seat)
                if not self._silent(seat):
                    return tuple(waiting), number
            if waiting and number == self.rounds:
                return tuple(waiting), number
        return (), 0

    def _silent(self, seat: str) -> bool:
        """Whether the partner's blind number or moon has already said everything for this seat."""
        partner = self.table.partner(seat)
        return any(call.side_wide for call in self.by_seat.get(partner or "", ()))


def settle_calls(node: Node, rules: SpadesRules, sides: Sequence[Side]) -> Mapping[str, Any]:
    """The facts that the calls so far settle, by side; what is still to be counted (tricks) is left out."""
    seats = tuple(side.players[place] for place in range(len(sides[0].players)) for side in sides)
    table = Table(rules, seats, None)
    bids = Bids(table, read_calls(node, table))
    facts = {}
    for side in sides:
        own = table.side(side.players[0])
        entry: dict[str, Any] = {}
        if (bid := bids.contract(own)) is not None:
            entry["bid"] = bid
        if (wide := bids.side_wide(own)) is not None:
            entry["call"] = wide.word
        if nils := [{"player": call.seat, "call": call.word} for call in bids.nils(own) if call.seat]:
            entry["nils"] = nils
        facts[side.id] = entry
    return facts
