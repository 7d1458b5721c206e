"""The exact search behind captures: how many cards can be split into sets of one value, and one way to do it.

Suits do not matter here, so a layout is a count per rank. The search deepens on the number of cards that must be left
lying, always settles the highest rank that is left, and remembers every layout that failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

RANKS: Final = 13
MOST_OF_A_RANK: Final = 4
FEW: Final = 6
"""Cards up to which sets are looked for one by one."""
NODE_CAP: Final = 200_000
"""Search nodes after which an answer is the best found so far; the hardest layouts known need a thirtieth of it."""

_BITS: Final = 4
_MASK: Final = (1 << _BITS) - 1
_GUARDS: Final = sum(1 << (_BITS * place + _BITS - 1) for place in range(RANKS))
_UNITS: Final = tuple(1 << _BITS * place for place in range(RANKS))

Counts = Mapping[int, int]
"""Cards per rank, ace 1 to king 13; a rank without cards may be absent."""


@dataclass(frozen=True, slots=True)
class Split:
    """Cards that can be taken together: the sets, each as its ranks from high to low, and what the search cost."""

    sets: tuple[tuple[int, ...], ...]
    nodes: int = 0
    truncated: bool = False

    @property
    def cards(self) -> int:
        """Return how many cards the sets hold."""
        return sum(map(len, self.sets))

    def counts(self) -> dict[int, int]:
        """Return the cards of all sets per rank."""
        found: dict[int, int] = {}
        for rank in (rank for one in self.sets for rank in one):
            found[rank] = found.get(rank, 0) + 1
        return found


def split_exactly(counts: Counts, value: int, *, loose_aces: bool = False) -> Split | None:
    """Return all these cards as sets of the value, each of two cards or more; None where that is impossible.

    With `loose_aces` an ace may also stand alone, as a set of one.
    """
    return most(counts, value, must=counts, loose_aces=loose_aces)


def split_few(ranks: Sequence[int], value: int, *, loose_aces: bool = False) -> Split | None:
    """Return the same as `split_exactly` for a few cards, at once and without any table of sets."""
    if not ranks:
        return Split(())
    first, *rest = sorted(ranks, reverse=True)
    if first == 1 and loose_aces:
        return Split(((1,),) * len(ranks))
    for size in range(1, len(rest) + 1):
        for some in set(combinations(rest, size)):
            if sum(some) == value - first:
                left = list(rest)
                for rank in some:
                    left.remove(rank)
                found = split_few(left, value, loose_aces=loose_aces)
                if found is not None:
                    return Split(((first, *some), *found.sets))
    return None


def most(
    counts: Counts, value: int, *, must: Counts | None = None, loose_aces: bool = False, cap: int = NODE_CAP
) -> Split | None:
    """Return the most cards that form sets of the value, each of two cards or more, with all of `must` among them.

    None where no such sets exist. Past `cap` nodes the answer is a good one, marked as truncated (None then only says
    that nothing was found).
    """
    search = _Search(counts, value, must or {}, loose_aces, cap)
    return search.run()


@lru_cache(maxsize=64)
def set_types(value: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return all sets of two cards or more with this total, as ranks from high to low, by their highest rank."""
    groups: list[tuple[tuple[int, ...], ...]] = [()]
    for top in range(1, RANKS + 1):
        rests = (rest for rest in _parts(value - top, top) if rest and rest.count(top) < MOST_OF_A_RANK)
        groups.append(tuple((top, *rest) for rest in rests))
    return tuple(groups)


def _parts(total: int, highest: int) -> list[tuple[int, ...]]:
    if total == 0:
        return [()]
    return [
        (first, *rest)
        for first in range(min(total, highest), 0, -1)
        for rest in _parts(total - first, first)
        if rest.count(first) < MOST_OF_A_RANK
    ]


@lru_cache(maxsize=64)
def _packed_types(value: int) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]:
    return tuple(
        tuple((sum(_UNITS[rank - 1] for rank in ranks), ranks) for ranks in group) for group in set_types(value)
    )


class _Capped(Exception):
    pass


class _Search:
    """One search: a layout packed into an integer, four bits a rank, and what it learnt on the way."""

    def __init__(self, counts: Counts, value: int, must: Counts, loose_aces: bool, cap: int) -> None:
        self.value, self.loose_aces, self.cap = value, loose_aces, cap
        self.counts = [0] * (RANKS + 1)
        for rank, count in counts.items():
            if rank < value:
                self.counts[rank] = count
        self.must = [0] * (RANKS + 1)
        self.possible = True
        for rank, count in must.items():
            if count and (rank >= value or count > self.counts[rank]):
                self.possible = False
            elif count:
                self.must[rank] = count
        self.quota = [own - kept for own, kept in zip(self.counts, self.must, strict=True)]
        self.nodes = 0
        self.failed: dict[int, int] = {}
        self.path: list[tuple[int, ...]] = []

    def run(self) -> Split | None:
        if not self.possible:
            return None
        packed = sum(count * _UNITS[rank - 1] for rank, count in enumerate(self.counts) if count)
        start = packed | _GUARDS
        self.types = [
            [pair for pair in group if (start - pair[0]) & _GUARDS == _GUARDS] if self.counts[top] else []
            for top, group in enumerate(_packed_types(self.value))
        ]
        total = sum(rank * count for rank, count in enumerate(self.counts))
        first = 2 if self.loose_aces else 1
        limit = sum(self.quota[first:])
        try:
            for discards in range(self._least_discards(packed), limit + 1):
                self.path.clear()
                if self._fits(packed, discards, total % self.value):
                    return Split(tuple(self.path), self.nodes)
        except _Capped:
            return self._greedy(packed)
        return None

    def _fits(self, packed: int, discards: int, residue: int) -> bool:
        """Return whether all but at most so many cards split into sets; the sets are left in `path`, last one first."""
        if packed <= _MASK:
            return self._aces_fit(packed, discards)
        if not self._cancels(packed, discards, residue):
            return False
        if self.failed.get(packed, -1) >= discards or self._least_discards(packed) > discards:
            return False
        self.nodes += 1
        if self.nodes > self.cap:
            raise _Capped
        place = (packed.bit_length() - 1) // _BITS
        guarded = packed | _GUARDS
        for one, ranks in self.types[place + 1]:
            if (guarded - one) & _GUARDS == _GUARDS and self._fits(packed - one, discards, residue):
                self.path.append(ranks)
                return True
        # Sets of the highest rank come first, so what is left of that rank is left lying all at once.
        rest = packed >> _BITS * place
        if rest <= discards and rest <= self.quota[place + 1]:
            below = packed - rest * _UNITS[place]
            if self._fits(below, discards - rest, (residue - rest * (place + 1)) % self.value):
                return True
        self.failed[packed] = discards
        return False

    def _aces_fit(self, aces: int, discards: int) -> bool:
        """Return whether the aces that are left make sets of the value, which takes many, or may be taken alone."""
        if self.loose_aces:
            self.path.extend([(1,)] * aces)
            return True
        sets, rest = divmod(aces, self.value)
        if rest > min(discards, self.quota[1]):
            return False
        self.path.extend([(1,) * self.value] * sets)
        return True

    def _cancels(self, packed: int, discards: int, residue: int) -> bool:
        """Return whether so many discards can bring the remaining total to a multiple of the value."""
        if self.loose_aces:
            aces = packed & _MASK
            if residue <= aces:
                return True
        elif residue == 0:
            return True
        else:
            aces = 0
        if discards == 0:
            return False
        if discards > 1:
            return True
        return any(
            packed >> _BITS * (rank - 1) & _MASK and self.quota[rank]
            for rank in range(1, RANKS + 1)
            if (residue - rank) % self.value <= aces
        )

    def _least_discards(self, packed: int) -> int:
        """Return a lower bound: each rank above half the value needs its own complement out of the small ranks."""
        value = self.value
        half = (value - 1) // 2
        small, rest = 0, packed
        for rank in range(1, half + 1):
            small += (rest & _MASK) * rank
            rest >>= _BITS
        short = 0
        for rank in range(min(value - 1, RANKS), value // 2, -1):
            count = packed >> _BITS * (rank - 1) & _MASK
            if count:
                served = min(count, small // (value - rank))
                small -= served * (value - rank)
                short += count - served
        return short

    def _greedy(self, packed: int) -> Split | None:
        """Return a capture found by always taking the first set that fits, the fallback past the cap."""
        self.path.clear()
        taken = [0] * (RANKS + 1)
        while True:
            guarded = packed | _GUARDS
            fit = (pair for group in reversed(self.types) for pair in group if (guarded - pair[0]) & _GUARDS == _GUARDS)
            found = next(fit, None)
            if found is None:
                break
            packed -= found[0]
            self.path.append(found[1])
            for rank in found[1]:
                taken[rank] += 1
        if self.loose_aces:
            self.path.extend([(1,)] * (packed & _MASK))
            taken[1] += packed & _MASK
        if any(have < need for have, need in zip(taken, self.must, strict=True)):
            return None
        return Split(tuple(self.path), self.nodes, truncated=True)
