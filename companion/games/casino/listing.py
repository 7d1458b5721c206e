"""What a card can take, listed: the smallest sets, all complete captures, and the tops of opponents' piles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product, takewhile
from typing import Final

from companion.engine.cards import Card
from companion.games.casino.capture import Reach, largest, sets_with
from companion.games.casino.rules import CasinoRules
from companion.games.casino.search import set_types
from companion.games.casino.table import Position

LIST_CAP: Final = 200
"""Sets or captures listed at most."""
SMALL_LAYOUT: Final = 12
"""Loose cards up to which all complete captures are listed."""
STATES: Final = 400
"""Ways to take cards from piles that are tried at most."""
MOST_WAYS: Final = 60
"""Those for which every complete capture is listed."""

_WIDTH: Final = 4
"""Bits of a rank in a packed number of cards; the highest of them is a guard that no count reaches."""
_COUNT: Final = (1 << _WIDTH) - 1


def minimal_sets(reach: Reach, loose: Sequence[Card], *, cap: int = LIST_CAP) -> tuple[list[tuple[Card, ...]], bool]:
    """Return the sets that can be taken each by itself, singles first, and whether the list was cut at the cap."""
    sets: list[tuple[Card, ...]] = [(card,) for card in loose if reach.equal(card)]
    for one in _sums(reach, loose):
        if len(sets) >= cap:
            return sets[:cap], True
        sets.append(one)
    return sets[:cap], len(sets) > cap


def complete_captures(
    reach: Reach, loose: Sequence[Card], *, maximum: bool = False, cap: int = LIST_CAP
) -> tuple[list[tuple[Card, ...]], bool]:
    """Return all captures to which no loose card can be added, largest first, and whether the list was cut.

    With `maximum` only those of the greatest number of cards. For layouts of `SMALL_LAYOUT` cards at most.
    """
    by_rank: dict[int, list[Card]] = {}
    for card in reach.summed(loose):
        by_rank.setdefault(card.pips, []).append(card)
    # An ace that may be taken alone is never left, so only the other ranks tell complete captures apart.
    aces = by_rank.pop(1, []) if reach.loose_aces else []
    ranks = sorted(by_rank)
    unions = _unions(reach, {rank: len(by_rank[rank]) for rank in ranks}, len(aces))
    found: list[tuple[Card, ...]] = []
    equal = _equal_choices(reach, loose)
    order = {card: place for place, card in enumerate(loose)}
    for union in _complete(unions, len(ranks)):
        picks = [
            list(combinations(by_rank[rank], union >> _WIDTH * place & _COUNT)) for place, rank in enumerate(ranks)
        ]
        for alone, *chosen in product(equal, *picks):
            cards = [*alone, *aces, *(card for group in chosen for card in group)]
            if not cards:
                continue
            if len(found) == cap:
                return found, True
            cards.sort(key=order.__getitem__)
            found.append(tuple(cards))
    most_cards = max(map(len, found), default=0)
    found.sort(key=len, reverse=True)
    return [one for one in found if len(one) == most_cards or not maximum], False


@dataclass(frozen=True, slots=True)
class CapturedCards:
    """Loose cards and pile cards that are taken together, these in the order in which they lie open."""

    table: tuple[Card, ...] = ()
    piles: tuple[tuple[str, Card], ...] = ()

    def __len__(self) -> int:
        return len(self.table) + len(self.piles)


def tops_of(rules: CasinoRules, position: Position) -> tuple[Card, ...]:
    """Return the tops of opponents' piles where they can be taken (SAF-103)."""
    return tuple(cards[0] for cards in _queues(rules, position).values())


def most_with_tops(
    reach: Reach, position: Position, must: CapturedCards = CapturedCards(), *, states: int = STATES
) -> tuple[CapturedCards, bool]:
    """Return the most cards that can be taken together with all of `must`, pile tops among them where they may be.

    A pile card is taken from the top, at most one of each pile in a set. The second value is whether more might be
    possible: the search ends after so many ways to take pile cards.
    """
    best, (ways, truncated) = CapturedCards(), _ways(reach, position, states)
    for used, piles in ways:
        if any(
            sum(one == side for one, _ in piles) < sum(one == side for one, _ in must.piles) for side, _ in must.piles
        ):
            continue
        left = [card for card in position.table if card not in used]
        more = largest(reach, left, must=[card for card in must.table if card not in used])
        if more is not None:
            truncated |= more.truncated
            found = CapturedCards(tuple(card for card in position.table if card in used or card in more.cards), piles)
            best = found if len(found) > len(best) else best
    return best, truncated


def captures_with_tops(
    reach: Reach, position: Position, *, maximum: bool = False, cap: int = LIST_CAP
) -> tuple[list[tuple[Card, ...]], bool]:
    """Return all captures to which no loose card and no pile card can be added, largest first, and whether cut.

    Pile cards come last, in the order in which they are taken from the tops. For layouts of `SMALL_LAYOUT` cards.
    """
    ways, cut = _ways(reach, position, MOST_WAYS)
    if len(ways) == 1:
        return complete_captures(reach, position.table, maximum=maximum, cap=cap)
    found: dict[frozenset[Card], tuple[Card, ...]] = {}
    for used, piles in ways:
        captures, more = complete_captures(reach, [card for card in position.table if card not in used], cap=cap)
        cut |= more
        for capture in captures or [()]:
            loose = [card for card in position.table if card in used or card in capture]
            whole = (*loose, *(card for _, card in piles))
            found.setdefault(frozenset(whole), whole)
    complete = [whole for cards, whole in found.items() if whole and not any(cards < other for other in found)]
    complete.sort(key=len, reverse=True)
    if maximum:
        complete = [one for one in complete if len(one) == len(complete[0])]
    return complete[:cap], cut or len(complete) > cap


def _ways(
    reach: Reach, position: Position, states: int
) -> tuple[list[tuple[frozenset[Card], tuple[tuple[str, Card], ...]]], bool]:
    """Return every way to take pile cards, with the loose cards used for it; the first takes none.

    The second value is whether there are more than so many ways.
    """
    queues = _queues(reach.rules, position)
    sides, truncated = tuple(queues), False
    start = (frozenset[Card](), (0,) * len(sides))
    ways: dict[tuple[frozenset[Card], tuple[int, ...]], tuple[tuple[str, Card], ...]] = {start: ()}
    waiting = [start]
    while waiting:
        used, depths = waiting.pop()
        left = [card for card in position.table if card not in used]
        tops = {queues[side][depth]: side for side, depth in zip(sides, depths, strict=True) if queues[side][depth:]}
        for top in tops:
            for one in sets_with(reach, top, [*left, *(card for card in tops if card != top)]):
                lifted = [(tops[card], card) for card in one if card in tops]
                deeper = tuple(
                    depth + any(side == own for own, _ in lifted) for side, depth in zip(sides, depths, strict=True)
                )
                state = used.union(card for card in one if card not in tops), deeper
                if state not in ways and len(ways) < states:
                    ways[state] = (*ways[used, depths], *lifted)
                    waiting.append(state)
                elif state not in ways:
                    truncated = True
    return [(used, piles) for (used, _), piles in ways.items()], truncated


def _queues(rules: CasinoRules, position: Position) -> dict[str, tuple[Card, ...]]:
    """Return the opponents' piles by side, from the top as far as the order is known; none where they are not taken."""
    if rules.pile_cards != "augment_and_capture":
        return {}
    own, found = position.seats.side(position.player), {}
    for side, layers in position.piles.items():
        known = [next(iter(layer)) for layer in takewhile(lambda layer: len(layer) == 1, layers)]
        if side != own and known:
            found[side] = tuple(known)
    return found


def _unions(reach: Reach, counts: Mapping[int, int], aces: int) -> Collection[int]:
    """Return every union of disjoint sets of the value, as packed counts of these ranks in ascending order.

    `aces` lie beside them, may help in sets, and do not count.
    """
    if not reach.value:
        return [0]
    places = {rank: _WIDTH * place for place, rank in enumerate(sorted(counts))}
    limit = sum(counts[rank] << place for rank, place in places.items())
    guards = sum(1 << place + _WIDTH - 1 for place in places.values())
    room = limit | guards
    needed = {0: 0}  # the fewest aces with which a union can be made
    for group in set_types(reach.value):
        for one in group:
            used = one.count(1) if aces else 0
            if used > aces or any(rank not in places for rank in one[: len(one) - used]):
                continue
            packed = sum(1 << places[rank] for rank in one[: len(one) - used])
            if not packed or (room - packed) & guards != guards:
                continue
            border = list(needed.items())
            while border:
                reached = []
                for union, before in border:
                    there, cost = union + packed, before + used
                    if cost <= aces and (room - there) & guards == guards and needed.get(there, cost + 1) > cost:
                        needed[there] = cost
                        reached.append((there, cost))
                border = reached
    return needed


def _complete(unions: Collection[int], ranks: int) -> list[int]:
    """Return the unions that are part of no other, those of more cards first."""
    guards = sum(1 << _WIDTH * place + _WIDTH - 1 for place in range(ranks))
    full: list[int] = []
    for union in sorted(unions, key=_cards, reverse=True):
        if not any(((larger | guards) - union) & guards == guards for larger in full):
            full.append(union)
    return full


def _cards(union: int) -> int:
    count = 0
    while union:
        count += union & _COUNT
        union >>= _WIDTH
    return count


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


def _equal_choices(reach: Reach, loose: Sequence[Card]) -> list[tuple[Card, ...]]:
    alone = reach.alone(loose)
    count = max((n for n in (0, *reach.equal_counts()) if n <= len(alone)), default=0)
    return list(combinations(alone, count))
