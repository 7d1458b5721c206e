"""Where the hidden cards of a position can be, by rank: the packs in use less the cards that are seen.

Kinds of cards are bits. A rank has up to four of them, since some of its copies may be barred from two places: only
one pack fills the pay-off piles of a split deal, and only as many cards of a rank top centre stacks as show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final

from companion.engine.cards import Card
from companion.engine.verdict import FALSE, TRUE, AllOf, AnyOf, AtLeast, Claim, Knowledge, Place
from companion.games.spite_and_malice.position import TWO, UNKNOWN, Position, is_wild
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules

PAYOFF, PARTNER_PAYOFF, HAND, SIDES, PARTNER_SIDES = "payoff", "partner_payoff", "hand", "sides", "partner_sides"
CENTRE, _PAYOFFS, _REST = "centre", "payoffs", "rest"
MOST_IN_HAND: Final = 2 * HAND_SIZE
"""A hand that is drawn up by mistake while it is full; more cards than these nobody takes for a hand."""

_KINGS: Final = 13
_RANKS: Final = 14
_OUTSIDE, _OUTSIDE_CENTRE, _PILED, _PILED_CENTRE = range(4)
RANK: Final = tuple(sum(1 << group * _RANKS + rank for group in range(4)) for rank in range(_RANKS))
"""Every kind of a rank, jokers at 0."""
ALL: Final = sum(RANK)


def mask(ranks: Iterable[int]) -> int:
    """Return the kinds of some ranks, jokers as 0."""
    return sum(RANK[rank] for rank in ranks)


def wild_mask(rules: SpiteRules) -> int:
    """Return the kinds that stand for any rank."""
    return (RANK[0] if "joker" in rules.wild else 0) | (RANK[_KINGS] if "K" in rules.wild else 0)


def holds(place: str, rank: int) -> AtLeast:
    """Claim that a hidden place has a card of a rank."""
    return AtLeast(place, RANK[rank])


def holding(cards: Iterable[Card]) -> tuple[Claim, ...]:
    """Claim that a hidden hand has these cards among others."""
    return tuple(AtLeast(HAND, RANK[rank], count) for rank, count in Counter(card.pips for card in cards).items())


def exposed_twos(places: Mapping[str, int], least: int) -> Claim:
    """Claim that hidden places, each with so many cards at most, show at least so many twos together."""
    if least <= 0:
        return TRUE
    ways = [
        counts for counts in product(*(range(min(most, least) + 1) for most in places.values())) if sum(counts) == least
    ]
    if not ways:
        return FALSE
    return AnyOf(
        tuple(
            AllOf(tuple(AtLeast(place, RANK[TWO], count) for place, count in zip(places, way, strict=True) if count))
            for way in ways
        )
    )


def seen(position: Position) -> Iterator[Card]:
    """Yield every card of a position that is seen, but those of pay-off piles and centre stacks."""
    yield from position.hand or ()
    for piles in (position.own, position.partner or UNKNOWN):
        for stack in piles.sides or ():
            yield from stack
    if position.laid is not None:
        yield from position.laid()


def tops_seen(position: Position) -> Iterator[Card]:
    """Yield the top of every pay-off pile that is seen, once each."""
    tops = dict(position.payoff_tops)
    for player, piles in ((position.player, position.own), (position.partner_name, position.partner or UNKNOWN)):
        if player is not None and piles.payoff is not None:
            tops[player] = piles.payoff
    yield from tops.values()


def knowledge(rules: SpiteRules, position: Position, *claims: Claim) -> Knowledge:
    """Return what is known of the hidden cards of a position; `claims` are what the move itself shows."""
    shown = () if position.laid is not None else position.centre or ()
    tops = Counter(top for top in shown if top is not None) - Counter(position.assumed)
    copies = _copies(rules, position, tops)
    conditions = [*position.known, *claims]
    if None in shown:
        conditions.append(AtLeast(CENTRE, wild_mask(rules), sum(top is None for top in shown)))
    hidden = sum(1 << kind for kind, count in enumerate(copies) if count)
    return Knowledge(hidden, tuple(_places(rules, position, len(shown))), tuple(conditions), copies)


def plainly_left(rules: SpiteRules, position: Position, place: str, card: Card) -> bool:
    """Return True where so few cards like this one are seen that another is surely left for a hidden place.

    Spares most moves a closer look: a copy that no pay-off pile must hold can change places with any card of a hand.
    """
    if card.suit or position.known or (place == HAND and position.hand_count == 0):
        return False
    gone = sum([one.rank == card.rank for one in (*seen(position), *tops_seen(position))])
    wild = is_wild(rules, card)  # any centre stack may show one
    gone += sum([wild or top == card.pips for top in position.centre or ()])
    total = 4 * rules.packs if card.pips else rules.jokers
    if rules.deal_mode == "single":
        return gone < total
    if place == HAND:
        return gone < (total - 4 if card.pips else total)
    return place in (PAYOFF, PARTNER_PAYOFF) and card.pips > 0 and gone + position.paid.get(card.pips, 0) < 4


def _copies(rules: SpiteRules, position: Position, tops: Mapping[int, int]) -> tuple[int, ...]:
    """Return how many hidden cards there are of each kind; copies of a rank take the barred kinds first."""
    copies = [0] * (4 * _RANKS)
    outside = Counter(card.pips for card in seen(position))
    piled = Counter(card.pips for card in tops_seen(position))
    doubled = _doubled(rules, position)
    wild = wild_mask(rules)
    for rank in range(_RANKS):
        total = rules.jokers if rank == 0 else 4 * rules.packs
        payable = total if rules.deal_mode == "single" else 0 if rank == 0 else 4 - position.paid.get(rank, 0)
        barred = total - payable
        lost = max(doubled[rank], outside[rank] - barred)
        left = {_OUTSIDE: barred - (outside[rank] - lost), _PILED: payable - lost - piled[rank]}
        showing = MOST_CARDS if RANK[rank] & wild else tops.get(rank, 0)
        for group, count in left.items():
            centre = min(showing, max(count, 0))
            copies[(group + 1) * _RANKS + rank] = centre
            copies[group * _RANKS + rank] = max(count, 0) - centre
            showing -= centre
    return tuple(copies)


MOST_CARDS: Final = 1_000


def _doubled(rules: SpiteRules, position: Position) -> Counter[int]:
    """Return for each rank of how many suits every copy is seen outside the pay-off piles."""
    if position.paid or rules.deal_mode == "single":
        return Counter()
    suited = Counter(card for card in seen(position) if card.suit)
    return Counter(card.pips for card, count in suited.items() if count >= rules.packs)


def _places(rules: SpiteRules, position: Position, stacks: int) -> Iterator[Place]:
    payable = ALL if rules.deal_mode == "single" else sum(RANK[1:]) & ~((1 << 2 * _RANKS) - 1)
    piles = {PAYOFF: position.own}
    if rules.players > 2:
        piles[PARTNER_PAYOFF] = position.partner or UNKNOWN
    low = high = 0
    for name, pile in piles.items():
        if pile.out:
            continue
        if pile.payoff is None and (pile.payoff_left or name == PAYOFF):
            yield Place.of(name, 1, payable)
        elif pile.payoff is None:
            yield Place(name, 0, 1, payable)
        low += pile.payoff_left - 1 if pile.payoff_left else 0
        high += (pile.payoff_left or rules.payoff_size) - 1
    others = [player for player in position.players if player not in (position.player, position.partner_name)]
    high += sum(rules.payoff_size - (player in position.payoff_tops) for player in others)
    yield Place(_PAYOFFS, low, high, payable)
    if position.hand is None:
        held = position.hand_count
        yield Place(HAND, 0, MOST_IN_HAND) if held is None else Place.of(HAND, held)
    if position.own.sides is None:
        yield Place(SIDES, 0, SIDE_PLACES)
    if rules.players > 2 and (position.partner is None or position.partner.sides is None):
        yield Place(PARTNER_SIDES, 0, SIDE_PLACES)
    if stacks:
        centre = sum(1 << group * _RANKS + rank for group in (1, 3) for rank in range(_RANKS))
        yield Place.of(CENTRE, stacks, centre)
    yield Place(_REST, position.stock or 0, rules.cards)
