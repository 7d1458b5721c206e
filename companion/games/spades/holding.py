"""What is known of a player's cards: those that show for certain, and where the hidden cards can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.engine.cards import Card
from companion.engine.verdict import AtLeast, Claim, Knowledge, Place, negation
from companion.games.spades.table import Position, Table, pack_of

HAND: Final = "hand"
"""The hidden cards of the player whose card is judged, that card left aside."""
OTHERS: Final = "others"
DEAD: Final = "dead"
"""Cards that nobody was dealt, or that were laid aside before play."""
EARLIER: Final = "earlier"
"""Cards of earlier tricks that nobody names."""


class Sizes(NamedTuple):
    """How many hidden cards each place holds."""

    hand: int
    others: int
    dead: int
    earlier: int = 0


@dataclass(frozen=True, slots=True)
class Holding:
    """What is known of a player's cards beside the one that is judged."""

    sure: int = 0
    """Cards that the player holds for certain."""
    hidden: int = 0
    """Cards of which nobody says where they are."""
    sizes: Sequence[Sizes] = ()
    """The sizes of the hidden places, one entry for every trick that it may be."""
    conditions: tuple[Claim, ...] = ()
    elsewhere: int = 0
    """Cards that other players hold for certain."""
    counted: bool = True
    """False where the facts contradict each other, so that only certain cards prove anything."""

    def holds(self, cards: int) -> bool | None:
        """Return whether the player holds any of these cards; None where nobody can say."""
        if self.sure & cards:
            return True
        if not self.counted:
            return None
        if not self.hidden & cards or not any(sizes.hand for sizes in self.sizes):
            return False
        return self.decide(AtLeast(HAND, cards)) if self.conditions else self._by_counting(cards)

    def _by_counting(self, cards: int) -> bool | None:
        """Return whether the hand holds any of these cards where nothing but the sizes of the places is known."""
        others = (self.hidden & ~cards).bit_count()
        found = {sizes.hand > others or (None if sizes.hand else False) for sizes in self._fitting()}
        return found.pop() if len(found) == 1 else None

    def _fitting(self) -> list[Sizes]:
        """Return the sizes that the hidden cards fill exactly."""
        count = self.hidden.bit_count()
        return [sizes for sizes in self.sizes if sum(sizes) == count and min(sizes) >= 0]

    def decide(self, claim: Claim) -> bool | None:
        """Return True where a claim about hidden cards holds in every world, False where in none, None otherwise."""
        if not self.counted:
            return None
        found = {known.decide(claim) for known in self.worlds() if known.consistent}
        return found.pop() if len(found) == 1 else None

    def may(self, claim: Claim) -> bool:
        """Return whether a claim about hidden cards holds in any world."""
        return not self.counted or any(known.possible(claim) for known in self.worlds())

    @property
    def possible(self) -> bool:
        """Whether any world agrees with what is known."""
        if not self.counted:
            return True
        return any(known.consistent for known in self.worlds()) if self.conditions else bool(self._fitting())

    def worlds(self) -> Iterator[Knowledge]:
        """Yield what is known of the hidden cards, for every trick that it may be."""
        for sizes in self.sizes:
            if min(sizes) >= 0:
                places = [Place(name, size, size) for name, size in zip(_PLACES, sizes, strict=True)]
                yield Knowledge(self.hidden, tuple(places), self.conditions)

    def proof_by_counting(self, cards: int) -> Mapping[str, int]:
        """Return the two numbers that prove a hidden card of these: cards in the hand, hidden cards of other kinds.

        None where more than these numbers is needed, such as what was given away.
        """
        others = (self.hidden & ~cards).bit_count()
        if self.sure & cards or len(self.sizes) != 1 or self.sizes[0].hand <= others:
            return {}
        return {"cards_held": self.sizes[0].hand, "others": others}


_PLACES: Final = (HAND, OTHERS, DEAD, EARLIER)


def dead_cards(table: Table) -> int:
    """Return how many cards of the pack nobody plays (SPADES-101, 103, 105, 111)."""
    return len(pack_of(table.rules).cards) - table.rules.tricks * len(table.seats)


def holding_in(position: Position, seat: str | None, card: Card | None = None) -> Holding:
    """Return what a position says of a seat's cards beside the one that is judged.

    Where the trick is not numbered, every trick is possible that agrees with the cards named. A hand of fewer cards
    than its player must have is taken for the whole hand all the same: others hold the rest. Without a seat, the
    cards are those of one that has not played to the trick.
    """
    table = position.table
    pack, rules = pack_of(table.rules), table.rules
    played = pack.mask(position.played or ())
    hand = None if position.hand is None else pack.mask(position.hand)
    seen = played | pack.mask([one.card for one in position.trick])
    hidden = pack.whole & ~(seen | (hand or 0))
    bit = 0 if card is None else pack.bits.get(card, 0)
    own = bit & hidden if hand is None else 0
    on_table = [one.seat for one in position.trick]
    dead, sizes = dead_cards(table), []
    for number in (position.trick_number,) if position.trick_number else range(1, rules.tricks + 1):
        left = {each: rules.tricks - number + 1 - on_table.count(each) for each in table.seats}
        earlier = (number - 1) * len(table.seats) - len(position.played or ())
        mine = left.pop(seat or max(left, key=left.__getitem__))
        others = -1 if min(left.values()) < 0 else sum(left.values())
        if hand is None:
            sizes.append(Sizes(mine - own.bit_count(), others, dead, earlier))
        elif hand.bit_count() <= mine:
            sizes.append(Sizes(0, others + mine - hand.bit_count(), dead, earlier))
    conditions: tuple[Claim, ...] = ()
    if position.spades_broken is not None and not played & pack.trump_bits:
        broken = AtLeast(EARLIER, pack.trump_bits)
        conditions = (broken if position.spades_broken else negation(broken),)
    return Holding((hand or 0) & ~bit, hidden & ~own, sizes, conditions)
