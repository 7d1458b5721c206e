"""How often each card of a recorded deal was to be seen at one time: more often than the packs hold it cannot be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from companion.engine.cards import Card
from companion.engine.verdict import Finding, record_contradicts
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.position import JOKER, copies, in_pack
from companion.games.spite_and_malice.rules import SpiteRules

START = -1
"""Before the first move; moves are counted from 0."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card that came into view (`change` 1) or went back among hidden ones (-1), and the turn that showed it."""

    time: int
    change: int
    card: Card
    turn: int
    seat: str


@dataclass(slots=True)
class Sightings:
    """Every card of a record from the time when it was surely where it was seen.

    A card of a pay-off pile was in it from the start; one that is played from a hidden hand was there since the last
    draw.
    """

    rules: SpiteRules
    seen: list[Sighting] = field(default_factory=list)
    payoffs: list[Sighting] = field(default_factory=list)

    def show(self, cards: Iterable[Card], since: int, turn: int, seat: str, *, payoff: bool = False) -> None:
        """Note cards that were seen in this turn, and were where they are since a move."""
        found = [Sighting(START if payoff else since, 1, card, turn, seat) for card in cards]
        self.seen += found
        if payoff:
            self.payoffs += found

    def hide(self, cards: Iterable[Card], time: int) -> None:
        """Note cards that were shuffled away."""
        self.seen += [Sighting(time, -1, card, 0, "") for card in cards]

    def contradictions(self) -> Iterator[Finding]:
        """Yield a finding for each kind of card that no pack holds, or that was seen too often."""
        strange = dict.fromkeys(one.card for one in self.seen if not in_pack(self.rules, one.card))
        for card in strange:
            first = next(one for one in self.seen if one.card == card)
            yield _finding("not-in-pack", first, card, 1, 0)
        ranks = dict.fromkeys(one.card.rank for one in self.seen if one.card not in strange)
        for rank in ranks:
            mine = sorted((one for one in self.seen if one.card.rank == rank), key=lambda one: (one.time, one.change))
            yield from self._at_one_time(mine)
        if self.rules.deal_mode != "single":
            yield from self._of_one_pack()

    def _at_one_time(self, mine: list[Sighting]) -> Iterator[Finding]:
        """Yield a finding if these sightings of one rank show it, or a card of it, too often at one time."""
        counts: Counter[Card] = Counter()
        shown: list[Sighting] = []
        for one in mine:
            shown += [one] if one.change > 0 else []
            for kind in {one.card, Card(one.card.rank)}:
                counts[kind] += one.change
                most = copies(self.rules, kind)
                if counts[kind] > most:
                    last = max(
                        (each for each in shown if kind.suit in ("", each.card.suit)), key=lambda each: each.turn
                    )
                    yield _finding("too-many-copies", last, kind, counts[kind], most)
                    return

    def _of_one_pack(self) -> Iterator[Finding]:
        """Yield a finding for each card that the one pack of the pay-off piles does not hold so often."""
        counts: Counter[Card] = Counter()
        for one in self.payoffs:
            if one.card.rank == JOKER:
                if in_pack(self.rules, one.card):
                    yield _finding("no-joker-in-payoff", one, one.card, 1, 0)
                continue
            for kind in {one.card, Card(one.card.rank)}:
                counts[kind] += 1
                most = 1 if kind.suit else 4
                if counts[kind] == most + 1:
                    yield _finding("one-pack", one, kind, counts[kind], most)
                    break


def _finding(why: str, one: Sighting, card: Card, count: int, most: int) -> Finding:
    return record_contradicts(why, a.PACKS, one.seat, turn=one.turn, cards=[str(card)], count=count, most=most)
