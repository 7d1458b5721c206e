"""What one card can take from the loose cards: whether a claim adds up, the most, the smallest sets, all captures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from companion.engine.cards import Card
from companion.games.casino.options import CasinoRules
from companion.games.casino.search import NODE_CAP, Split, most, set_types, split_exactly
from companion.games.casino.values import ACE_HIGH, COURTS, alone_values, numberless, set_value

LIST_CAP: Final = 200
"""Sets or captures listed at most."""
SMALL_LAYOUT: Final = 12
"""Loose cards up to which all complete captures are listed."""

_COURT_TAKE: Final = {"one": (1,), "all": (1, 2, 3, 4), "one_or_three": (1, 3)}


@dataclass(frozen=True, slots=True)
class Largest:
    """The most loose cards that can be taken together, one way to take them, and what the search cost."""

    cards: tuple[Card, ...]
    sets: tuple[tuple[Card, ...], ...]
    nodes: int = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """The loose cards that a card, played as a value, could take at all; value 0 for a court without a number."""

    rules: CasinoRules
    card: Card
    value: int

    def equal(self, card: Card) -> bool:
        """Whether a loose card alone can be taken: equal rank, and of that value on the table (CASINO-302, ROY-102)."""
        if numberless(self.rules, self.card):
            return card.rank == self.card.rank
        return self.value in alone_values(self.rules, card)

    def in_sums(self, card: Card) -> bool:
        """Whether a loose card can be part of a sum of the value (CASINO-303)."""
        return self.value > 0 and 0 < set_value(self.rules, card) < self.value

    @property
    def loose_aces(self) -> bool:
        """Whether aces lie both alone and in sums: only at 14 where the table ace may be 14."""
        return self.value == ACE_HIGH and self.rules.ace_table == "1or14"

    def equal_counts(self) -> Collection[int]:
        """How many equal cards may be taken at once: courts as the table plays them (STD-303), others all."""
        court = self.card.rank in COURTS
        return _COURT_TAKE[self.rules.court_take] if court else _COURT_TAKE["all"]

    def alone(self, cards: Iterable[Card]) -> list[Card]:
        """The cards that are taken one by one and never in a sum of this value."""
        return [card for card in cards if self.equal(card) and not self.in_sums(card)]

    def summed(self, cards: Iterable[Card]) -> list[Card]:
        """The cards that could be part of a sum."""
        return [card for card in cards if self.in_sums(card)]


def split(reach: Reach, cards: Sequence[Card]) -> tuple[tuple[Card, ...], ...] | None:
    """The sets that these loose cards make for the card played, or None where they make none (CASINO-302 to 306)."""
    alone, summed = reach.alone(cards), reach.summed(cards)
    if len(alone) + len(summed) < len(cards) or (alone and len(alone) not in reach.equal_counts()):
        return None
    found = split_exactly(_ranks(summed), reach.value, loose_aces=reach.loose_aces) if summed else Split(())
    if found is None:
        return None
    return (*((card,) for card in alone), *_deal(found, summed))


def largest(reach: Reach, loose: Sequence[Card], *, must: Collection[Card] = (), cap: int = NODE_CAP) -> Largest | None:
    """The most of the loose cards that can be taken together with all of `must`; None where they cannot be."""
    alone = _allowed_alone(reach, loose, must)
    summed = reach.summed(loose)
    if alone is None or any(not reach.in_sums(card) and card not in alone for card in must):
        return None
    needed = [card for card in summed if card in must]
    found = Split(())
    if summed:
        result = most(_ranks(summed), reach.value, must=_ranks(needed), loose_aces=reach.loose_aces, cap=cap)
        if result is None:
            return None
        found = result
    sets = (*((card,) for card in alone), *_deal(found, summed, first=needed))
    taken = {card for one in sets for card in one}
    return Largest(tuple(card for card in loose if card in taken), sets, found.nodes, found.truncated)


def minimal_sets(reach: Reach, loose: Sequence[Card], *, cap: int = LIST_CAP) -> tuple[list[tuple[Card, ...]], bool]:
    """The sets that can be taken each by itself, singles first, and whether the list was cut at the cap."""
    sets: list[tuple[Card, ...]] = [(card,) for card in loose if reach.equal(card)]
    for one in _sums(reach, loose):
        if len(sets) >= cap:
            return sets[:cap], True
        sets.append(one)
    return sets[:cap], len(sets) > cap


def complete_captures(
    reach: Reach, loose: Sequence[Card], *, maximum: bool = False, cap: int = LIST_CAP
) -> tuple[list[tuple[Card, ...]], bool]:
    """All captures of loose cards to which nothing can be added, largest first, and whether the list was cut.

    With `maximum` only those of the greatest number of cards. For layouts of `SMALL_LAYOUT` cards at most.
    """
    found: list[tuple[Card, ...]] = []
    by_rank: dict[int, list[Card]] = {}
    for card in reach.summed(loose):
        by_rank.setdefault(card.pips, []).append(card)
    unions = _unions(reach, {rank: len(cards) for rank, cards in by_rank.items()})
    full: list[tuple[int, ...]] = []
    for union in sorted(unions, key=sum, reverse=True):
        if not any(_within(union, larger) for larger in full):
            full.append(union)
    equal = _equal_choices(reach, loose)
    ranks = sorted(by_rank)
    for union in full:
        picks = [list(combinations(by_rank[rank], count)) for rank, count in zip(ranks, union, strict=True)]
        for alone, *chosen in product(equal, *picks):
            cards = {*alone, *(card for group in chosen for card in group)}
            if not cards:
                continue
            if len(found) == cap:
                return found, True
            found.append(tuple(card for card in loose if card in cards))
    most_cards = max(map(len, found), default=0)
    found.sort(key=len, reverse=True)
    return [one for one in found if len(one) == most_cards or not maximum], False


def _ranks(cards: Iterable[Card]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for card in cards:
        counts[card.pips] = counts.get(card.pips, 0) + 1
    return counts


def _deal(found: Split, cards: Sequence[Card], *, first: Collection[Card] = ()) -> list[tuple[Card, ...]]:
    """The sets of ranks with cards put to them, those of `first` before others of their rank."""
    by_rank: dict[int, list[Card]] = {}
    for card in (*(card for card in cards if card not in first), *(card for card in cards if card in first)):
        by_rank.setdefault(card.pips, []).append(card)
    return [tuple(by_rank[rank].pop() for rank in ranks) for ranks in found.sets]


def _allowed_alone(reach: Reach, loose: Sequence[Card], must: Collection[Card]) -> list[Card] | None:
    """As many equal cards as may be taken at once, those of `must` among them; None where that cannot be."""
    alone = sorted(reach.alone(loose), key=lambda card: card not in must)
    needed = sum(card in must for card in alone)
    count = max((n for n in (0, *reach.equal_counts()) if n <= len(alone)), default=0)
    return alone[:count] if needed <= count else None


def _sums(reach: Reach, loose: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    by_rank: dict[int, list[Card]] = {}
    for card in reach.summed(loose):
        by_rank.setdefault(card.pips, []).append(card)
    for group in reversed(set_types(reach.value) if reach.value else ()):
        for ranks in group:
            counts = {rank: ranks.count(rank) for rank in dict.fromkeys(ranks)}
            if all(len(by_rank.get(rank, ())) >= count for rank, count in counts.items()):
                for chosen in product(*(combinations(by_rank[rank], count) for rank, count in counts.items())):
                    yield tuple(card for group_of_rank in chosen for card in group_of_rank)


def _unions(reach: Reach, counts: dict[int, int]) -> set[tuple[int, ...]]:
    """Every union of disjoint sets of the value, as cards taken per rank in ascending order of rank."""
    ranks = sorted(counts)
    types = [
        tuple(one.count(rank) for rank in ranks)
        for group in (set_types(reach.value) if counts else ())
        for one in group
        if all(one.count(rank) <= counts.get(rank, 0) for rank in set(one))
    ]
    if reach.loose_aces and 1 in counts:
        types.append(tuple(int(rank == 1) for rank in ranks))
    start = tuple(0 for _ in ranks)
    reached, border = {start}, [start]
    limit = tuple(counts[rank] for rank in ranks)
    while border:
        at = border.pop()
        for one in types:
            there = tuple(map(int.__add__, at, one))
            if there not in reached and _within(there, limit):
                reached.add(there)
                border.append(there)
    return reached


def _within(one: Sequence[int], other: Sequence[int]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _equal_choices(reach: Reach, loose: Sequence[Card]) -> list[tuple[Card, ...]]:
    alone = reach.alone(loose)
    count = max((n for n in (0, *reach.equal_counts()) if n <= len(alone)), default=0)
    return list(combinations(alone, count))
