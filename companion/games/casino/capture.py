"""What a card captures, and the judge of a turn: captures, builds, raises, augmentations and trails.

The search for captures is exact. Suits do not matter, so a layout is a count per rank; it deepens on the number of
cards that must be left, always settles the highest rank that is left, and remembers every layout that failed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import TRUE, Breach, Ruling, negation
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import (
    ACE_HIGH,
    AUGMENT,
    BIG_TEN,
    BUILD,
    CAPTURE,
    COURTS,
    RAISE,
    SPY_TWO,
    Base,
    Build,
    Layout,
    Material,
    Play,
    Position,
    alone_values,
    capturers,
    hand_values,
    highest_value,
    makes,
    names,
    numberless,
    set_value,
    total,
)

_RANKS: Final = 13
_MOST_OF_A_RANK: Final = 4
_BITS: Final = 4
_MASK: Final = (1 << _BITS) - 1
_GUARDS: Final = sum(1 << (_BITS * place + _BITS - 1) for place in range(_RANKS))
_UNITS: Final = tuple(1 << _BITS * place for place in range(_RANKS))

_Counts = Mapping[int, int]
"""Cards per rank, ace 1 to king 13; a rank without cards may be absent."""


@dataclass(frozen=True, slots=True)
class Split:
    """Cards that can be taken together: the sets, each as its ranks from high to low, and what the search cost."""

    sets: tuple[tuple[int, ...], ...]
    nodes: int = 0

    @property
    def cards(self) -> int:
        """Return how many cards the sets hold."""
        return sum(map(len, self.sets))


def most(counts: _Counts, value: int, *, must: _Counts | None = None, loose_aces: bool = False) -> Split | None:
    """Return the most cards that form sets of the value, each of two cards or more, with all of `must` among them.

    None where no such sets exist.
    """
    return _Search(counts, value, must or {}, loose_aces).run()


@lru_cache(maxsize=64)
def set_types(value: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return all sets of two cards or more with this total, as ranks from high to low, by their highest rank."""
    groups: list[tuple[tuple[int, ...], ...]] = [()]
    for top in range(1, _RANKS + 1):
        rests = (rest for rest in _parts(value - top, top) if rest and rest.count(top) < _MOST_OF_A_RANK)
        groups.append(tuple((top, *rest) for rest in rests))
    return tuple(groups)


def _parts(total: int, highest: int) -> list[tuple[int, ...]]:
    if total == 0:
        return [()]
    return [
        (first, *rest)
        for first in range(min(total, highest), 0, -1)
        for rest in _parts(total - first, first)
        if rest.count(first) < _MOST_OF_A_RANK
    ]


@lru_cache(maxsize=64)
def _packed_types(value: int) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]:
    return tuple(
        tuple((sum(_UNITS[rank - 1] for rank in ranks), ranks) for ranks in group) for group in set_types(value)
    )


class _Search:
    """One search: a layout packed into an integer, four bits a rank, and what it learnt on the way."""

    def __init__(self, counts: _Counts, value: int, must: _Counts, loose_aces: bool) -> None:
        self.value, self.loose_aces = value, loose_aces
        self.counts = [counts.get(rank, 0) if rank < value else 0 for rank in range(_RANKS + 1)]
        self.quota = [count - must.get(rank, 0) for rank, count in enumerate(self.counts)]
        self.nodes = 0
        self.failed: dict[int, int] = {}
        self.path: list[tuple[int, ...]] = []

    def run(self) -> Split | None:
        if min(self.quota) < 0:
            return None
        packed = sum(count * unit for count, unit in zip(self.counts[1:], _UNITS, strict=True))
        start = packed | _GUARDS
        self.types = [
            [pair for pair in group if (start - pair[0]) & _GUARDS == _GUARDS] for group in _packed_types(self.value)
        ]
        total = sum(rank * count for rank, count in enumerate(self.counts))
        limit = sum(self.quota[1 + self.loose_aces :])
        for discards in range(self._least_discards(packed), limit + 1):
            if self._fits(packed, discards, total % self.value):
                return Split(tuple(reversed(self.path)), self.nodes)
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
        aces = packed & _MASK if self.loose_aces else 0
        if residue <= aces or discards != 1:
            return residue <= aces or discards > 1
        return any(
            packed >> _BITS * (rank - 1) & _MASK and self.quota[rank]
            for rank in range(1, _RANKS + 1)
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
        for rank in range(min(value - 1, _RANKS), value // 2, -1):
            count = packed >> _BITS * (rank - 1) & _MASK
            if count:
                served = min(count, small // (value - rank))
                small -= served * (value - rank)
                short += count - served
        return short


_COURT_TAKE: Final = {"one": (1,), "all": (1, 2, 3, 4), "one_or_three": (1, 3)}


@dataclass(frozen=True, slots=True)
class Reach:
    """The loose cards that a card, played as a value, could take at all; value 0 for a court without a number."""

    rules: CasinoRules
    card: Card
    value: int
    lifted: int = 0
    """How many equal cards of piles are taken beside the loose ones."""

    def equal(self, card: Card) -> bool:
        """Return whether a loose card can be taken alone: equal rank and value (CASINO-302, ROY-102)."""
        if numberless(self.rules, self.card):
            return card.rank == self.card.rank
        return self.value in alone_values(self.rules, card)

    def in_sums(self, card: Card) -> bool:
        """Return whether a loose card can be part of a sum of the value (CASINO-303)."""
        return self.value > 0 and 0 < set_value(self.rules, card) < self.value

    @property
    def loose_aces(self) -> bool:
        """Return whether aces are taken both alone and in sums: only at 14 where the table ace may be 14."""
        return self.value == ACE_HIGH and self.rules.ace_table == "1or14"

    def equal_counts(self) -> Collection[int]:
        """Return how many equal cards may be taken at once: courts by the house rules (STD-303), others all."""
        counts = _COURT_TAKE[self.rules.court_take if self.card.rank in COURTS else "all"]
        return [count - self.lifted for count in (0, *counts) if count >= self.lifted]

    def most_equal(self, count: int) -> int | None:
        """Return how many of so many equal cards may be taken at most; None where it cannot be any number of them."""
        return max((one for one in self.equal_counts() if one <= count), default=None)

    def above(self, piles: Iterable[tuple[str, Card]]) -> Reach:
        """Return what can be taken where these cards of piles are taken as well."""
        return replace(self, lifted=len(self.alone(card for _, card in piles)))

    def alone(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards that are taken one by one and never in a sum of this value."""
        return [card for card in cards if self.equal(card) and not self.in_sums(card)]

    def summed(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards that could be part of a sum."""
        return [card for card in cards if self.in_sums(card)]


def split(reach: Reach, cards: Sequence[Card]) -> tuple[tuple[Card, ...], ...] | None:
    """Return the sets that these loose cards form for the card played, or None (CASINO-302 to 306)."""
    alone, summed = reach.alone(cards), reach.summed(cards)
    if len(alone) + len(summed) < len(cards) or len(alone) not in reach.equal_counts():
        return None
    counts = _ranks(summed)
    found = most(counts, reach.value, must=counts, loose_aces=reach.loose_aces) if summed else Split(())
    if found is None:
        return None
    return (*((card,) for card in alone), *_deal(found, summed))


def largest(reach: Reach, loose: Sequence[Card], *, must: Collection[Card] = ()) -> tuple[Card, ...] | None:
    """Return the most loose cards that can be taken together with all of `must`; None where they cannot be."""
    alone, summed = _allowed_alone(reach, loose, must), reach.summed(loose)
    if alone is None or any(not reach.in_sums(card) and card not in alone for card in must):
        return None
    needed = [card for card in summed if card in must]
    found = most(_ranks(summed), reach.value, must=_ranks(needed), loose_aces=reach.loose_aces) if summed else Split(())
    if found is None:
        return None
    taken = {*alone, *chain.from_iterable(_deal(found, summed, first=needed))}
    return tuple(card for card in loose if card in taken)


def by_rank(cards: Iterable[Card]) -> dict[int, list[Card]]:
    """Return cards by their ranks, ace 1 to king 13."""
    found: dict[int, list[Card]] = {}
    for card in cards:
        found.setdefault(card.pips, []).append(card)
    return found


def _ranks(cards: Iterable[Card]) -> _Counts:
    return {rank: len(some) for rank, some in by_rank(cards).items()}


def _deal(found: Split, cards: Sequence[Card], *, first: Collection[Card] = ()) -> list[tuple[Card, ...]]:
    """Return the sets of ranks with cards in place of ranks, those of `first` before others of their rank."""
    left = by_rank(sorted(cards, key=first.__contains__))
    return [tuple(left[rank].pop() for rank in ranks) for ranks in found.sets]


def _allowed_alone(reach: Reach, loose: Sequence[Card], must: Collection[Card]) -> list[Card] | None:
    """Return as many equal cards as may be taken at once, those of `must` among them; None where that is impossible."""
    alone = sorted(reach.alone(loose), key=lambda card: card not in must)
    needed = sum(card in must for card in alone)
    count = reach.most_equal(len(alone))
    return alone[:count] if count is not None and needed <= count else None


def _judge_capture(layout: Layout, play: Play) -> None:
    """Judge a hand card that takes loose cards, builds of its value and, by option, pile tops (CASINO-301 to 313)."""
    material, rules = play.material, layout.rules
    if material.card is None:
        layout.ruling.breach(a.CAPTURE_WITH_HAND_CARD, "capture-without-card")
        return
    card = material.card
    layout.play_card(card)
    if not material.table and not material.piles and not material.builds:
        layout.ruling.breach(a.TAKES_SOMETHING, "takes-nothing", card=str(card))
    wanted = dict.fromkeys(material.builds)
    if wanted and rules.building == "none":
        layout.ruling.breach(a.NO_BUILDING, "no-building")
        wanted.clear()
    builds = [build for build in map(layout.find, wanted) if build is not None]
    loose_before = tuple(layout.loose)
    layout.take_loose(tuple(dict.fromkeys(material.table)))
    if material.piles and rules.pile_cards != "augment_and_capture":
        layout.ruling.breach(a.NO_PILE_CAPTURE, "pile-capture", cards=names(material.tops))
    else:
        # One by one, for a capture may hold several sets and each may use the top that then lies bare.
        for pile in material.piles:
            layout.take_from_piles((pile,))
    _judge_value(layout, play, card, builds, loose_before)
    layout.won += [build.id for build in builds]
    for build in builds:
        layout.builds.pop(build.id, None)
        layout.awaiting.pop(build.id, None)
    played = layout.place((card,))
    cards = layout.place((*material.table, *material.tops))
    taken = (*cards, *(one for build in builds for one in build.cards))
    layout.taken += [*played, *taken]
    if layout.side in layout.piles:
        new = [frozenset(layer) for layer in (played, taken) if layer]
        layout.piles[layout.side] = [*new, *layout.piles[layout.side]]
    layout.swept = not layout.loose and not layout.builds


def declared_values(rules: CasinoRules, card: Card, declared: int | None) -> tuple[int, ...]:
    """Return the values a card may be played as: 0 for a court without a number; none for a wrong declaration."""
    values = hand_values(rules, card) or (0,)
    return values if declared is None else tuple(value for value in values if value == declared and value)


def value_article(rules: CasinoRules, card: Card) -> Article:
    """Return the article that says what this card counts."""
    if card.rank == "A":
        return {"1or14": a.ACE_DECLARED, "14": a.FINNISH_VALUES, "1": a.GIVEN_VALUES}[rules.ace_hand]
    if rules.special_hand_values and card in (SPY_TWO, BIG_TEN):
        return a.SPECIAL_VALUES
    return a.CARD_VALUES if rules.court_values == "11_13" else a.GIVEN_VALUES


def _capture_faults(
    layout: Layout, play: Play, card: Card, value: int, builds: Sequence[Build], loose: Sequence[Card]
) -> list[Breach]:
    """Return why the card, played as the value, does not take exactly this; empty where it does."""
    rules, table, piles = layout.rules, tuple(dict.fromkeys(play.material.table)), play.material.piles
    reach, court, ruling = Reach(rules, card, value), numberless(rules, card), Ruling()
    wrong = [build for build in builds if build.value != value]
    for build in wrong:
        article = a.COURT_CAPTURE if court else layout.cite(a.CAPTURE_BUILD, a.STANDARD_BUILD_CAPTURE)
        facts = {"build": build.id, "value": build.value, "card": str(card), "as": value}
        ruling.breach(article, "build-value", **facts)
    cards = (*table, *play.material.tops)
    if cards and not _adds_up(reach, table, piles):
        others = names(one for one in cards if one.rank != card.rank)
        if court and others:
            ruling.breach(a.COURT_CAPTURE, "court-capture", card=str(card), cards=others, take=rules.court_take)
        elif court or len(reach.alone(cards)) not in reach.equal_counts():
            ruling.breach(a.COURT_TAKE, "court-count", card=str(card), cards=names(cards), take=rules.court_take)
        else:
            article = layout.cite(a.SUMS, a.STANDARD_CAPTURE)
            ruling.breach(article, "sets-do-not-add-up", cards=names(cards), value=value, total=total(rules, cards))
        if any(build.value + total(rules, cards) == value for build in wrong):
            ruling.breach(a.BUILD_NOT_IN_SUMS, "build-in-sum", builds=[build.id for build in wrong])
    left = [one for one in loose if not rules.trail_equal and reach.equal(one) and one not in table]
    if left:
        ruling.breach(a.EQUAL_CARDS_TAKEN, "equal-left", card=str(card), cards=names(left))
    return ruling.breaches


def _judge_value(layout: Layout, play: Play, card: Card, builds: Sequence[Build], loose: Sequence[Card]) -> None:
    rules, material = layout.rules, play.material
    repeated = sorted({str(one) for one in material.table if material.table.count(one) > 1})
    if repeated:
        layout.ruling.breach(layout.cite(a.SUMS, a.STANDARD_CAPTURE), "card-in-two-sets", cards=repeated)
    values = declared_values(rules, card, play.declared)
    if not values:
        facts = {"card": str(card), "declared": play.declared, "values": list(hand_values(rules, card))}
        layout.ruling.breach(value_article(rules, card), "declared-value", **facts)
        return
    table = tuple(dict.fromkeys(material.table))
    tried = {value: _capture_faults(layout, play, card, value, builds, loose) for value in values}
    value, faults = min(tried.items(), key=lambda pair: len(pair[1]))
    if faults:
        layout.ruling.breaches += [one for one in faults if one not in layout.ruling.breaches]
        return
    alone = Reach(rules, card, value).alone(table)
    if alone:
        layout.ruling.allow(a.EQUAL_RANK if value else a.COURT_CAPTURE, card=str(card), cards=names(alone))
    if len(alone) < len(table):
        layout.ruling.allow(layout.cite(a.SUMS, a.STANDARD_CAPTURE), value=value, cards=names(table))
    if builds:
        layout.ruling.allow(layout.cite(a.CAPTURE_BUILD, a.STANDARD_BUILD_CAPTURE), value=value)
    if material.piles:
        layout.ruling.allow(a.PILE_TOPS_TAKEN, cards=names(material.tops))


def _adds_up(reach: Reach, table: Sequence[Card], piles: Sequence[tuple[str, Card]]) -> bool:
    """Return whether the cards form sets, each with at most one card of a pile, every pile used from its top."""
    queues: dict[str, tuple[Card, ...]] = {}
    for side, card in piles:
        queues[side] = (*queues.get(side, ()), card)
    if split(reach, (*table, *(card for _, card in piles))) is None:
        return False
    return not piles or _chain(reach, tuple(table), tuple(queues.values()), set())


def _chain(
    reach: Reach, table: tuple[Card, ...], queues: tuple[tuple[Card, ...], ...], failed: set[tuple[object, ...]]
) -> bool:
    """Return whether cards form sets with the piles from their tops; `failed` are ranks and piles that did not."""
    tops = {queue[0] for queue in queues if queue}
    state = tuple(sorted(card.pips for card in table)), queues
    if state in failed or split(reach, reach.summed((*table, *chain.from_iterable(queues)))) is None:
        return False
    failed.add(state)
    for one in sets_in(reach, (*table, *tops)):
        left = tuple(queue[1:] if queue and queue[0] in one else queue for queue in queues)
        if left != queues and _chain(reach, tuple(card for card in table if card not in one), left, failed):
            return True
    return not tops


def sets_in(reach: Reach, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the sets among these cards that can be taken each by itself, single cards first."""
    yield from ((card,) for card in cards if reach.equal(card))
    summed = by_rank(reach.summed(cards))
    for group in reversed(set_types(reach.value) if reach.value else ()):
        for ranks in group:
            counts = {rank: ranks.count(rank) for rank in dict.fromkeys(ranks)}
            if all(len(summed.get(rank, ())) >= count for rank, count in counts.items()):
                for chosen in product(*(combinations(summed[rank], count) for rank, count in counts.items())):
                    yield tuple(chain.from_iterable(chosen))


def _judge_build(layout: Layout, play: Play) -> None:
    """Judge a new build of loose cards and at most one hand card: single or of several sets (CASINO-501 to 508)."""
    groups = play.groups()
    if _building_off(layout, groups):
        return
    own = [group.card for group in groups if group.card is not None]
    # Of several sets the others are added to one without pile cards, as they could be in a later play (STD-504).
    several = not layout.swazi and len(groups) > 1 and any(not group.piles for group in groups)
    if several and not own:
        _refuse_piles_alone(layout, groups)
    sets = tuple(_take_material(layout, group, a.MATERIAL if several else a.BUILD_MATERIAL) for group in groups)
    if not own and not layout.rules.table_only_build:
        layout.ruling.breach(a.PLAYED_CARD_IN_BUILD, "build-without-card", value=play.value)
    article = layout.cite(a.SINGLE_BUILD, a.BUILD_TOTAL)
    cards = [card for one in sets for card in one]
    if len(cards) < 2 or not any(group.table for group in groups):
        layout.ruling.breach(article, "build-too-small", value=play.value, cards=names(cards))
    _check_sets(layout, sets, play.value, article)
    _check_highest(layout, tuple(dict.fromkeys(cards)), play.value, article)
    layout.check_free(play.value, layout.cite(a.BUILD_VALUE_FREE, a.ONE_BUILD_A_VALUE))
    layout.check_limit()
    new = Build(layout.fresh_id(play.name), play.value, layout.place_sets(sets), layout.player)
    build = _settle(layout, new, play, layout.cite(a.BUILD_NEEDS_CARD, a.BUILDER_HOLDS))
    standard = a.BUILD_TOTAL if len(sets) == 1 else a.MULTIPLE_BUILD
    layout.ruling.allow(layout.cite(a.SINGLE_BUILD, standard), value=build.value)


def _judge_raise(layout: Layout, play: Play) -> None:
    """Judge a higher value for a single build by one card from the hand (CASINO-511 to 518, STD-501 to 505)."""
    if _building_off(layout, (play.material,)):
        return
    build, card = layout.find(play.target), play.material.card
    article = _raising(layout, a.RAISE, a.STANDARD_RAISE)
    if card is None:
        layout.ruling.breach(article, "raise-without-card", build=play.target)
    else:
        layout.play_card(card)
    # nothing else is added to it (CASINO-511, STD-502)
    _refuse_beside(layout, play.material, _raising(layout, a.RAISE, a.NO_LOOSE_CARD_IN_RAISE), "raise-material")
    layout.take_loose(play.material.table)
    absorbed = tuple(_take_material(layout, Material(one), a.MATERIAL) for one in play.absorbed)
    if build is None:
        return
    _check_raisable(layout, build)
    added = () if card is None else (card,)
    _check_raise_total(layout, build, (*added, *play.material.table), play.value)
    _check_sets(layout, absorbed, play.value, _raising(layout, a.SET_TOTAL, a.ABSORBING))
    merged = _merges(layout, build, play.value)
    if merged is None:
        layout.check_free(play.value, _raising(layout, a.RAISE_VALUE_FREE, a.ONE_BUILD_A_VALUE), besides=build.id)
    layout.check_limit(besides=build.id if merged is None else merged.id)
    sets = ((*build.cards, *layout.place((*added, *play.material.table))), *layout.place_sets(absorbed))
    raised = Build(build.id, play.value, sets, layout.player)
    if merged is not None:
        del layout.builds[build.id]
        layout.name(merged.id, build.id)
        raised = replace(merged, sets=(*merged.sets, *sets))
    layout.name(raised.id, play.name)
    _settle(layout, raised, play, _raising(layout, a.RAISE_NEEDS_CARD, a.BUILDER_HOLDS))
    layout.ruling.allow(article, value=play.value)


def _raising(layout: Layout, swazi: Article, other: Article) -> Article:
    """Return the article on a raise in the form of the game that is played, or that on there being none."""
    return a.NO_RAISING if layout.rules.raise_builds == "never" else layout.cite(swazi, other)


def _judge_augment(layout: Layout, play: Play) -> None:
    """Judge more sets of the same value on a base: a build, or one loose card (CASINO-601 to 619, STD-504)."""
    groups = play.groups()
    if _building_off(layout, groups) or play.base is None:
        return
    base = _find_base(layout, play.base, play.value)
    opposed = base is not None and play.base.kind == "build" and layout.swazi and layout.is_opponents(base)
    own = [group.card for group in groups if group.card is not None]
    if opposed and own:
        layout.ruling.breach(a.OPPONENTS_BUILD, "card-on-opponents-build", card=str(own[0]), value=play.value)
    fresh = play.base.kind != "build"
    if not own and not layout.rules.table_only_build and (fresh or not layout.swazi):
        layout.ruling.breach(layout.cite(a.PLAYED_CARD_IN_BUILD, a.ADDING), "build-without-card", value=play.value)
    if base is not None and not fresh and not layout.swazi:
        layout.check_limit(besides=base.id)
    piles = [card for group in groups for card in group.tops]
    if not own and not opposed:
        _refuse_piles_alone(layout, groups)
    sets = tuple(_take_material(layout, group, a.MATERIAL) for group in groups)
    if not sets:
        layout.ruling.breach(a.SMALLEST_AUGMENTED, "nothing-added", value=play.value)
    _check_sets(layout, sets, play.value, layout.cite(a.SET_TOTAL, a.ADDING))
    if base is None:
        return
    all_sets = (*base.sets, *layout.place_sets(sets))
    if layout.swazi and not fresh:
        extended = replace(base, value=play.value, sets=all_sets)
    else:
        extended = Build(layout.fresh_id(play.name) if fresh else base.id, play.value, all_sets, layout.player)
    layout.name(extended.id, play.name)
    if opposed:
        layout.builds[extended.id] = extended
        layout.awaiting[extended.id] = play.value
        if layout.hand is not None:
            article = a.OWN_CARD_TO_CAPTURE if a.OWN_CARD_TO_CAPTURE.played(layout.rules) else a.AUGMENT_NEEDS_CARD
            unheld = negation(layout.holds(play.value))
            layout.breach_if(unheld, article, "value-not-held", value=play.value, count=1, seat=layout.player)
        layout.ruling.allow(a.OPPONENTS_BUILD, value=play.value)
    else:
        _settle(layout, extended, play, layout.cite(a.AUGMENT_NEEDS_CARD, a.BUILDER_HOLDS), fresh=fresh)
        layout.ruling.allow(layout.cite(a.BASE, a.ADDING), value=play.value)
    if piles:
        layout.ruling.allow(a.PILE_TOP, cards=names(piles))


def _refuse_piles_alone(layout: Layout, groups: Sequence[Material]) -> None:
    """Refuse pile cards without a card from the hand where pile cards can be captured as well (SAF-103)."""
    piles = [card for group in groups for card in group.tops]
    if piles and layout.rules.pile_cards == "augment_and_capture":
        layout.ruling.breach(a.PILE_TOPS_TAKEN, "pile-without-card", cards=names(piles))


def sets_of(rules: CasinoRules, cards: tuple[Card, ...], value: int) -> tuple[tuple[Card, ...], ...]:
    """Return the sets of a value that these cards form; none where they do not."""
    fit = capturers(rules, value)
    return (split(Reach(rules, min(fit), value), cards) or ()) if fit else ()


def build_values(rules: CasinoRules, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the values of which these cards can be a build."""
    if len(cards) < 2:
        return ()
    return tuple(value for value in range(1, highest_value(rules) + 1) if sets_of(rules, cards, value))


def _building_off(layout: Layout, groups: Sequence[Material]) -> bool:
    """Return whether nobody builds under these rules; the hand card is played all the same (NOR-301)."""
    if layout.rules.building != "none":
        return False
    layout.ruling.breach(a.NO_BUILDING, "no-building")
    for group in groups:
        if group.card is not None:
            layout.play_card(group.card)
    return True


def _take_material(layout: Layout, group: Material, article: Article) -> tuple[Card, ...]:
    """Take the cards of one set from where they are; what cannot be material is a breach (CASINO-503, 605)."""
    pile_cards = article is a.MATERIAL and layout.rules.pile_cards != "none"
    for build in group.builds:
        layout.ruling.breach(article if layout.swazi else a.STANDARD_BUILDS_WHOLE, "build-as-material", build=build)
    if group.piles and not pile_cards:
        layout.ruling.breach(article if layout.swazi else a.ADDING, "pile-as-material", cards=names(group.tops))
    else:
        layout.take_from_piles(group.piles)
    layout.take_loose(group.table)
    if group.card is not None:
        layout.play_card(group.card)
    return group.cards


def _courts_in_build(layout: Layout, cards: Sequence[Card]) -> bool:
    """Record a breach for courts without a number, which no build can hold, and return whether there are any."""
    courts = [card for card in cards if numberless(layout.rules, card)]
    if courts:
        layout.ruling.breach(a.NO_COURTS_IN_BUILDS, "court-in-build", cards=names(courts))
    return bool(courts)


def _check_sets(layout: Layout, sets: Sequence[tuple[Card, ...]], value: int, article: Article) -> None:
    for one in sets:
        if not _courts_in_build(layout, one) and not makes(layout.rules, one, value):
            facts = {"value": value, "total": total(layout.rules, one), "cards": names(one)}
            apart = sets_of(layout.rules, tuple(dict.fromkeys(one)), value)
            if apart:
                facts |= {"sets": len(apart), "instead": [names(part) for part in apart]}
            layout.ruling.breach(article, "set-total", **facts)


def _check_highest(layout: Layout, cards: tuple[Card, ...], value: int, article: Article) -> None:
    """Check that a card could take the build; sets that were added up are announced by themselves instead."""
    rules, highest = layout.rules, highest_value(layout.rules)
    if value <= highest:
        return
    facts: dict[str, object] = {"value": value, "highest": highest}
    lower = build_values(rules, cards)
    if lower and len(apart := sets_of(rules, cards, lower[-1])) > 1:
        facts |= {"set_value": lower[-1], "sets": len(apart), "instead": [names(part) for part in apart]}
    layout.ruling.breach(article, "value-limit", **facts)


def _settle(layout: Layout, build: Build, play: Play, article: Article, *, fresh: bool = True) -> Build:
    """Put a build on the table with the player who answers for it, once it is known who that is."""
    partner = layout.position.partner
    if play.asked_by is not None:
        build = _asked(layout, build, play.asked_by, article)
    else:
        held = layout.answers(build.value, article, besides=build.id)
        unchanged = not fresh and layout.swazi
        if held is not None and not unchanged and partner is not None:
            owner = layout.player if held == TRUE else partner
            build = Build(build.id, build.value, build.sets, owner, layout.player, held)
    if build.sets:
        layout.builds[build.id] = build
    return build


def _asked(layout: Layout, build: Build, asker: str, article: Article) -> Build:
    """Return the build with the partner who asked for it as its owner, who holds the card for it (CASINO-807)."""
    if asker != layout.position.partner or layout.is_opponents(build):
        layout.ruling.breach(a.REQUEST, "not-partners-request", asker=asker)
        layout.answers(build.value, article)
        return build
    if build.value not in layout.position.proven_by_partner(layout.rules):
        unheld = negation(layout.holds(build.value, seat=asker))
        layout.breach_if(unheld, a.REQUEST, "value-not-held", value=build.value, count=1, seat=asker)
    layout.ruling.allow(a.REQUEST, seat=asker)
    return Build(build.id, build.value, build.sets, asker)


def _refuse_beside(layout: Layout, material: Material, article: Article, code: str) -> None:
    """Refuse whatever is announced beside a card from the hand."""
    cards = (*material.table, *material.tops)
    if cards or material.builds:
        layout.ruling.breach(article, code, cards=names(cards), builds=list(material.builds))


def _check_raisable(layout: Layout, build: Build) -> None:
    rules = layout.rules
    if not build.single:
        article = _raising(layout, a.AUGMENTED_NEVER_RAISED, a.MULTIPLE_NEVER_RAISED)
        layout.ruling.breach(article, "raise-augmented", build=build.id)
    if rules.raise_builds == "never":
        layout.ruling.breach(a.NO_RAISING, "no-raising", build=build.id)
    elif rules.raise_builds == "opponents" and not layout.is_opponents(build):
        article = layout.cite(a.OWN_BUILD_NOT_RAISED, a.STANDARD_RAISE)
        layout.ruling.breach(article, "raise-own", build=build.id, owner=build.owner)
    elif rules.raise_builds == "others":
        own = build.answers(layout.player)
        layout.breach_if(own, a.OTHERS_BUILDS_RAISED, "raise-own", build=build.id, owner=layout.player)


def _check_raise_total(layout: Layout, build: Build, added: Sequence[Card], value: int) -> None:
    if _courts_in_build(layout, added):
        return
    article = _raising(layout, a.RAISE_TOTAL, a.BUILD_TOTAL)
    true = build.value + total(layout.rules, added)
    if added and value != true:
        layout.ruling.breach(article, "raise-total", value=value, total=true, before=build.value)
    if value > highest_value(layout.rules):
        layout.ruling.breach(article, "value-limit", value=value, highest=highest_value(layout.rules))


def _merges(layout: Layout, build: Build, value: int) -> Build | None:
    """Return the own side's build that a raised one is merged into, where the rules have that (CASINO-513)."""
    if not layout.rules.merge_own_value:
        return None
    same = (one for one in layout.builds.values() if one.value == value and one.id != build.id)
    return next((one for one in same if not layout.is_opponents(one)), None)


def _find_base(layout: Layout, base: Base, value: int) -> Build | None:
    """Return what the sets are added to, as a build; None and a breach where it is no base (CASINO-602 to 604)."""
    if base.kind == "build":
        build = layout.find(base.build)
        if build is not None and build.value != value:
            layout.ruling.breach(layout.cite(a.VALUE_STAYS, a.ADDING), "augment-value", value=value, before=build.value)
        return build
    card, no_base = base.card, layout.cite(a.NOT_A_BASE, a.ADDING)
    if card is None:
        return None
    if base.kind == "hand":
        layout.play_card(card)
        layout.ruling.breach(no_base, "hand-base", card=str(card))
        return None
    if base.kind == "pile":
        layout.ruling.breach(no_base, "pile-base", card=str(card))
        return None
    if card in layout.trailed:
        layout.ruling.breach(no_base, "trailed-base", card=str(card))
    layout.take_loose((card,))
    if not _courts_in_build(layout, (card,)) and value not in alone_values(layout.rules, card):
        layout.ruling.breach(layout.cite(a.BASE, a.BUILD_TOTAL), "base-value", card=str(card), value=value)
    layout.check_free(value, layout.cite(a.LOOSE_BASE_FREE, a.ONE_BUILD_A_VALUE))
    layout.check_limit()
    return Build("", value, layout.place_sets(((card,),)), layout.player)


_JUDGES = {CAPTURE: _judge_capture, BUILD: _judge_build, RAISE: _judge_raise, AUGMENT: _judge_augment}


def play_turn(rules: CasinoRules, position: Position, plays: tuple[Play, ...]) -> Layout:
    """Return the table after the turn with everything found on the way (CASINO-201 to 208, 704)."""
    layout = Layout(rules, position)
    for play in plays:
        _check_material_value(layout, play)
        _JUDGES.get(play.kind, _judge_trail)(layout, play)
        layout.close_play()
    if not layout.played:
        layout.ruling.breach(layout.cite(a.ONE_HAND_CARD, a.STANDARD_TURN), "no-hand-card")
    for name, value in layout.awaiting.items():
        layout.ruling.breach(a.OPPONENTS_BUILD, "not-captured", build=name, value=value)
    layout.check_kept()
    layout.check_taken()
    return layout


def _judge_trail(layout: Layout, play: Play) -> None:
    """Judge one hand card that joins the loose cards (CASINO-701 to 705, STD-601, ROY-205)."""
    material, rules = play.material, layout.rules
    _refuse_beside(layout, material, a.TRAIL, "trail-takes-cards")
    card = material.card
    if card is None:
        layout.ruling.breach(a.TRAIL, "trail-without-card")
        return
    layout.play_card(card)
    if not rules.owner_may_trail:
        layout.breach_if_owner(a.OWNER_MAY_NOT_TRAIL, "owner-trails", trailed=card)
    else:
        layout.breach_if_owner(a.FIRST_HALF, "owner-trails-first-half", trailed=card)
    if not rules.trail_equal:
        reaches = [Reach(rules, card, value) for value in declared_values(rules, card, None)]
        equal = [one for one in layout.loose if any(reach.equal(one) for reach in reaches)]
        if equal:
            layout.ruling.breach(a.EQUAL_CARDS_TAKEN, "trail-equal", card=str(card), cards=names(equal))
    if not rules.trail_capturing:
        _check_no_capturer(layout, card)
    layout.loose += layout.place((card,))
    layout.trailed.append(card)
    layout.ruling.allow(a.TRAIL_ANY_CARD if rules.trail_capturing else a.NO_CAPTURER_TRAILED, card=str(card))


def _check_no_capturer(layout: Layout, card: Card) -> None:
    """Check that a card to be trailed takes nothing as any value that it can be played as (BKC-005, R3)."""
    for value in declared_values(layout.rules, card, None):
        cards = names(largest(Reach(layout.rules, card, value), layout.loose) or ())
        builds = [build.id for build in layout.builds.values() if build.value == value]
        if cards or builds:
            facts = {"card": str(card), "cards": cards, "builds": builds}
            layout.ruling.breach(a.NO_CAPTURER_TRAILED, "trail-captures", **facts)
            return


def _check_material_value(layout: Layout, play: Play) -> None:
    """Check that a value declared for a card in a set or on the table is one that it has there."""
    card = play.material.card
    if play.kind == CAPTURE or play.declared is None or card is None:
        return
    possible = {set_value(layout.rules, card), *alone_values(layout.rules, card)} - {0}
    if play.declared not in possible:
        facts = {"card": str(card), "declared": play.declared, "values": sorted(possible)}
        layout.ruling.breach(a.ACE_VALUES if card.rank == "A" else a.GIVEN_VALUES, "declared-value", **facts)
