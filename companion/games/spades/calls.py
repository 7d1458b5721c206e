"""The calls of a deal so far: whose turn it is, every call the table plays, each side's contract, the facts settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypedDict

from companion.engine.ledger import Side
from companion.engine.problems import Node
from companion.games.spades.played_calls import why_not_played
from companion.games.spades.rules import SpadesRules
from companion.games.spades.shapes import read_calls
from companion.games.spades.table import (
    BLIND,
    BLIND_MOON,
    MOON,
    NIL_CALLS,
    NORMAL,
    PASS,
    Call,
    Table,
)


@dataclass(frozen=True)
class Bids:
    """What has been called so far."""

    table: Table
    calls: tuple[Call, ...]

    @cached_property
    def by_seat(self) -> Mapping[str, Sequence[Call]]:
        """The calls of each seat that has called, in order."""
        found: dict[str, list[Call]] = {}
        for call in self.calls:
            if call.seat is not None:
                found.setdefault(call.seat, []).append(call)
        return found

    def first(self, seat: str | None) -> Call | None:
        """Return a seat's call of the first round."""
        return next(iter(self.by_seat.get(seat or "", ())), None)

    def side_calls(self, side: str) -> list[Call]:
        """Return all calls of a side, in order."""
        return [call for call in self.calls if call.side == side]

    def side_wide(self, side: str) -> Call | None:
        """Return a side's blind number or moon."""
        return next((call for call in self.side_calls(side) if call.side_wide), None)

    def contract(self, side: str) -> int | None:
        """Return the side's number of tricks; None where it has called none (SPADES-012, 024, 130, 131)."""
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
        """Return the nil calls of a side."""
        return [call for call in self.side_calls(side) if call.is_nil]

    def complete(self, side: str) -> bool:
        """Return whether a side has announced all that it must, in consultation."""
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
        return all(self.silent(seat) for seat in self.turn[0])

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

    @property
    def callers(self) -> tuple[str, ...]:
        """Everybody who calls: seats, or sides where partners announce together."""
        return self.table.sides if self.by_sides else self.table.bidders

    def caller(self, place: int | None = None) -> tuple[str | None, str]:
        """Return the seat and the side that call next, or those at an index of `callers`.

        The seat is None where partners announce together. After the bidding it is the first bidder, or the dealer's
        side.
        """
        if place is not None and place < len(self.callers):
            named = self.callers[place]
            return (None, named) if self.by_sides else (named, self.table.side(named))
        if self.by_sides:
            first, dealers = self.announcing
            return None, dealers if self.complete(first) else first
        seat = next(iter(self.turn[0]), self.table.bidders[0])
        return seat, self.table.side(seat)

    def uncalled(self) -> tuple[str, ...]:
        """Return who has not called at all and should have: seats, or sides in consultation."""
        if self.by_sides:
            return tuple(side for side in self.table.sides if not self.complete(side))
        return tuple(s for s in self.table.bidders if s not in self.by_seat and not self.silent(s))

    @cached_property
    def turn(self) -> tuple[tuple[str, ...], int]:
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
                if not self.silent(seat):
                    return tuple(waiting), number
            if waiting and number == self.rounds:
                return tuple(waiting), number
        return (), 0

    def silent(self, seat: str) -> bool:
        """Return whether the partner's blind number or moon has already said everything for this seat."""
        partner = self.table.partner(seat)
        return any(call.side_wide for call in self.by_seat.get(partner or "", ()))


@dataclass(frozen=True, slots=True)
class CallMenu:
    """Every call that a table plays for one caller, legal at this moment or not."""

    numbers: tuple[Call, ...]
    nils: tuple[Call, ...]
    """Nils, of both partners where they announce together."""
    special: tuple[Call, ...]
    """Blind numbers and moons."""
    passes: tuple[Call, ...]

    def __iter__(self) -> Iterator[Call]:
        return iter((*self.numbers, *self.nils, *self.special, *self.passes))


def call_menu(bids: Bids, seat: str | None, side: str, *, looked: bool | None = None) -> CallMenu:
    """Return every call that this table plays, for a seat, or for a side whose partners announce together.

    In the second round that is a higher number, a moon or a pass (SPADES-131); in the first, only the partner of a
    blind number or a moon may pass.
    """
    rules = bids.table.rules
    second = not bids.by_sides and bids.turn[1] == 2
    plain = Call(NORMAL, None, seat, side, looked)
    numbers = [replace(plain, number=n) for n in range((rules.max_contract if second else rules.tricks) + 1)]
    nils, special, passes = [], [], []
    if not second:
        members = (seat,) if seat is not None else bids.table.members(side)
        nils = [replace(plain, word=word, seat=one) for one in members for word in nils_played(rules)]
        if why_not_played(rules, BLIND) is None:
            blind = range(rules.blind_bid_min, rules.tricks + 1)
            special += [replace(plain, word=BLIND, number=n) for n in blind]
    if why_not_played(rules, MOON) is None:
        special.append(replace(plain, word=MOON))
    if why_not_played(rules, BLIND_MOON) is None and not second:
        special.append(replace(plain, word=BLIND_MOON))
    if second or (seat is not None and bids.silent(seat)):
        passes.append(replace(plain, word=PASS))
    return CallMenu(tuple(numbers), tuple(nils), tuple(special), tuple(passes))


def nils_played(rules: SpadesRules) -> tuple[str, ...]:
    """Return the kinds of nil that a table plays."""
    return tuple(word for word in NIL_CALLS if why_not_played(rules, word) is None)


class NilEntry(TypedDict, total=False):
    """A nil of a deal's facts as JSON; its tricks are missing until they are counted."""

    player: str
    call: str
    tricks: int


class SideEntry(TypedDict, total=False):
    """A side of a deal's facts as JSON, as far as they are known."""

    bid: int | None
    tricks: int
    call: str
    nils: list[NilEntry]
    last_tricks: list[str]


def settle_calls(node: Node, rules: SpadesRules, sides: Sequence[Side]) -> Mapping[str, SideEntry]:
    """Return the facts that the calls so far settle, by side; what is still to be counted (tricks) is left out."""
    seats = tuple(side.players[place] for place in range(len(sides[0].players)) for side in sides)
    table = Table(rules, seats, None)
    bids = Bids(table, read_calls(node, table))
    return {side.id: settled_facts(bids, table.side(side.players[0])) for side in sides}


def settled_facts(bids: Bids, side: str) -> SideEntry:
    """Return the contract, the side-wide call and the nils of a side of the table, as facts without tricks."""
    entry: SideEntry = {}
    if (bid := bids.contract(side)) is not None:
        entry["bid"] = bid
    if (wide := bids.side_wide(side)) is not None:
        entry["call"] = wide.word
    nils: list[NilEntry] = [{"player": call.seat, "call": call.word} for call in bids.nils(side) if call.seat]
    if nils:
        entry["nils"] = nils
    return entry
