"""What one card takes: whether a claim adds up, the most, the smallest sets, all captures, and the judge of one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Breach, Ruling
from companion.games.casino import articles as a
from companion.games.casino.layout import Layout, names
from companion.games.casino.plays import Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.search import FEW, NODE_CAP, Split, most, split_exactly, split_few
from companion.games.casino.table import (
    ACE_HIGH,
    COURTS,
    Build,
    alone_values,
    hand_values,
    numberless,
    set_value,
    total,
)

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
        court = self.card.rank in COURTS
        return _COURT_TAKE[self.rules.court_take] if court else _COURT_TAKE["all"]

    def alone(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards that are taken one by one and never in a sum of this value."""
        return [card for card in cards if self.equal(card) and not self.in_sums(card)]

    def summed(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards that could be part of a sum."""
        return [card for card in cards if self.in_sums(card)]


def split(reach: Reach, cards: Sequence[Card]) -> tuple[tuple[Card, ...], ...] | None:
    """Return the sets that these loose cards form for the card played, or None (CASINO-302 to 306)."""
    alone, summed = reach.alone(cards), reach.summed(cards)
    if len(alone) + len(summed) < len(cards) or (alone and len(alone) not in reach.equal_counts()):
        return None
    found: Split | None = Split(())
    if len(summed) > FEW:
        found = split_exactly(_ranks(summed), reach.value, loose_aces=reach.loose_aces)
    elif summed:
        found = split_few([card.pips for card in summed], reach.value, loose_aces=reach.loose_aces)
    if found is None:
        return None
    return (*((card,) for card in alone), *_deal(found, summed))


def largest(reach: Reach, loose: Sequence[Card], *, must: Collection[Card] = (), cap: int = NODE_CAP) -> Largest | None:
    """Return the most loose cards that can be taken together with all of `must`; None where they cannot be."""
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


def _ranks(cards: Iterable[Card]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for card in cards:
        counts[card.pips] = counts.get(card.pips, 0) + 1
    return counts


def _deal(found: Split, cards: Sequence[Card], *, first: Collection[Card] = ()) -> list[tuple[Card, ...]]:
    """Return the sets of ranks with cards in place of ranks, those of `first` before others of their rank."""
    by_rank: dict[int, list[Card]] = {}
    for card in (*(card for card in cards if card not in first), *(card for card in cards if card in first)):
        by_rank.setdefault(card.pips, []).append(card)
    return [tuple(by_rank[rank].pop() for rank in ranks) for ranks in found.sets]


def _allowed_alone(reach: Reach, loose: Sequence[Card], must: Collection[Card]) -> list[Card] | None:
    """Return as many equal cards as may be taken at once, those of `must` among them; None where that is impossible."""
    alone = sorted(reach.alone(loose), key=lambda card: card not in must)
    needed = sum(card in must for card in alone)
    count = max((n for n in (0, *reach.equal_counts()) if n <= len(alone)), default=0)
    return alone[:count] if needed <= count else None


def judge_capture(layout: Layout, play: Play) -> None:
    """Judge a hand card that takes loose cards, builds of its value and, by option, pile tops (CASINO-301 to 313)."""
    material, rules = play.material, layout.rules
    if material.card is None:
        layout.ruling.breach(a.CAPTURE_WITH_HAND_CARD, "capture-without-card")
        return
    card = material.card
    layout.play_card(card)
    if not material.table and not material.piles and not material.builds:
        layout.ruling.breach(a.TAKES_SOMETHING, "takes-nothing", card=str(card))
    builds = [build for build in (layout.find(name) for name in dict.fromkeys(material.builds)) if build is not None]
    loose_before = tuple(layout.loose)
    layout.take_loose(tuple(dict.fromkeys(material.table)))
    if material.piles and rules.pile_cards != "augment_and_capture":
        layout.ruling.breach(a.NO_PILE_CAPTURE, "pile-capture", cards=names(one for _, one in material.piles))
    else:
        # One by one, for a capture may hold several sets and each may use the top that then lies bare.
        for pile in material.piles:
            layout.take_from_piles((pile,))
    _judge_value(layout, play, card, builds, loose_before)
    for build in builds:
        layout.builds.pop(build.id, None)
        layout.awaiting.pop(build.id, None)
    played = layout.place((card,))
    cards = layout.place((*material.table, *(one for _, one in material.piles)))
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
    if rules.special_hand_values and len(hand_values(rules, card)) == 1 and hand_values(rules, card)[0] > card.pips:
        return a.SPECIAL_VALUES
    return a.CARD_VALUES if rules.court_values == "11_13" else a.GIVEN_VALUES


def capture_faults(
    rules: CasinoRules,
    card: Card,
    value: int,
    table: Sequence[Card],
    builds: Sequence[Build],
    *,
    piles: Sequence[tuple[str, Card]] = (),
    loose: Sequence[Card] = (),
) -> list[Breach]:
    """Return why the card, played as the value, does not take exactly this; empty where it does."""
    reach = Reach(rules, card, value)
    court = numberless(rules, card)
    swazi = rules.building == "swazi"
    ruling = Ruling()
    wrong = [build for build in builds if build.value != value]
    for build in wrong:
        article = a.COURT_CAPTURE if court else a.CAPTURE_BUILD if swazi else a.STANDARD_BUILD_CAPTURE
        facts = {"build": build.id, "value": build.value, "card": str(card), "as": value}
        ruling.breach(article, "build-value", **facts)
    single = [one for _, one in piles]
    cards = [*table, *single]
    if cards and not _adds_up(reach, table, piles):
        equal = all(one.rank == card.rank for one in cards)
        if court and not equal:
            ruling.breach(a.COURT_CAPTURE, "court-capture", card=str(card), cards=names(cards), take=rules.court_take)
        elif court or len(reach.alone(cards)) not in (0, *reach.equal_counts()):
            ruling.breach(a.COURT_TAKE, "court-count", card=str(card), cards=names(cards), take=rules.court_take)
        else:
            article = a.SUMS if swazi else a.STANDARD_CAPTURE
            ruling.breach(article, "sets-do-not-add-up", cards=names(cards), value=value, total=total(rules, cards))
        if any(build.value + total(rules, cards) == value for build in wrong):
            ruling.breach(a.BUILD_NOT_IN_SUMS, "build-in-sum", builds=[build.id for build in wrong])
    if not rules.trail_equal:
        left = [one for one in reach.alone(loose) if one.rank == card.rank and one not in table]
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
    tried = {
        value: capture_faults(rules, card, value, table, builds, piles=material.piles, loose=loose) for value in values
    }
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
        layout.ruling.allow(a.PILE_TOPS_TAKEN, cards=names(one for _, one in material.piles))


def _adds_up(reach: Reach, table: Sequence[Card], piles: Sequence[tuple[str, Card]]) -> bool:
    """Return whether the cards form sets, each with at most one card of a pile, every pile used from its top."""
    if not piles:
        return split(reach, table) is not None
    queues: dict[str, tuple[Card, ...]] = {}
    for side, card in piles:
        queues[side] = (*queues.get(side, ()), card)
    return _chain(reach, tuple(table), tuple(queues.values()))


def _chain(reach: Reach, table: tuple[Card, ...], queues: tuple[tuple[Card, ...], ...]) -> bool:
    queues = tuple(queue for queue in queues if queue)
    if not queues:
        return not table or split(reach, table) is not None
    for place, (top, *_) in enumerate(queues):
        others = [queue[0] for number, queue in enumerate(queues) if number != place]
        for one in sets_with(reach, top, (*table, *others)):
            rest = tuple(card for card in table if card not in one)
            if _chain(reach, rest, tuple(queue[1:] if queue[0] in one else queue for queue in queues)):
                return True
    return False


def sets_with(reach: Reach, top: Card, others: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Return the sets that hold this pile card, alone or with others."""
    found: list[tuple[Card, ...]] = [(top,)] if reach.equal(top) else []
    if reach.in_sums(top):
        fit = [card for card in others if reach.in_sums(card)]
        for size in range(1, min(len(fit), reach.value - 1) + 1):
            sets = ((top, *some) for some in combinations(fit, size))
            found += [one for one in sets if total(reach.rules, one) == reach.value]
    return found
