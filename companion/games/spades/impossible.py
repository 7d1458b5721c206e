"""What no deal of the cards can lead to: positions whose facts contradict each other, and which facts those are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from companion.engine.articles import Article
from companion.engine.problems import Pointer, Problem, impossible_position
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
from companion.games.spades.holding import holding_in
from companion.games.spades.play import opening_leaders
from companion.games.spades.table import Call, Played, Position, pack_of


def contradictions(position: Position, seat: str | None = None) -> Iterator[Problem]:
    """Yield a problem for every fact of a contradiction, pointers relative to the position; `seat` is to move."""
    found = [*_not_in_pack(position), *_dummy(position), *_too_often(position), *_drawn_twice(position)]
    if position.phase == "play":
        found += [*_leader(position), *_too_many(position)]
        found = found or [*_spades(position)] or [*_no_deal(position, seat)]
    yield from found


def _not_in_pack(position: Position) -> Iterator[Problem]:
    """Yield cards that the pack in use does not hold."""
    bits = pack_of(position.table.rules).bits
    places: dict[Pointer, tuple[object, ...]] = {
        ("hand",): position.hand or (),
        ("played",): position.played or (),
        **{("hands", seat): cards for seat, cards in position.hands.items()},
    }
    named = [((*at, place), card) for at, cards in places.items() for place, card in enumerate(cards)]
    named += [(("trick", place, "card"), one.card) for place, one in enumerate(position.trick)]
    for pointer, card in named:
        if card not in bits:
            yield from impossible_position([pointer], "not-in-pack", a.PACK.id, cards=[str(card)])


def _dummy(position: Position) -> Iterator[Problem]:
    """Yield a dummy on the wrong side of the dealer."""
    if position.table.dummy_misplaced:
        yield from impossible_position([("seats",), ("dealer",)], "dummy-side", a.DUMMY_SIDE.id)


def _too_often(position: Position) -> Iterator[Problem]:
    """Yield a seat with two cards in one trick, or with more calls than there are rounds of bidding."""
    bids = Bids(position.table, position.calls or ())
    lists: tuple[tuple[str, Sequence[Played | Call], int, str, Article], ...] = (
        ("trick", position.trick, 1, "seat-twice", a.OPENING_LEAD),
        ("calls", bids.calls, bids.rounds, "called-twice", a.BID_IN_TURN),
    )
    for key, moves, most, why, article in lists:
        counts = Counter(move.seat for move in moves)
        for seat, count in counts.items():
            if seat is not None and count > most and not (bids.by_sides and key == "calls"):
                pointers: list[Pointer] = [
                    (key, place, "seat") for place, move in enumerate(moves) if move.seat == seat
                ]
                yield from impossible_position(pointers, why, article.id, seat=seat)


def _drawn_twice(position: Position) -> Iterator[Problem]:
    """Yield a player who drew twice in a row (SPADES-103)."""
    for place, (before, seat) in enumerate(pairwise(position.turns), start=1):
        if seat == before:
            pointers: list[Pointer] = [("turns", place - 1), ("turns", place)]
            yield from impossible_position(pointers, "drawn-twice", a.DUO_DRAW.id, seat=seat)


def _leader(position: Position) -> Iterator[Problem]:
    """Yield a leader who did not play the first card of the trick, or who cannot lead to the first (SPADES-030)."""
    leader, trick = position.leader, position.trick
    if leader is None:
        return
    together = position.trick_number == 1 and position.table.rules.first_trick == "lowest_club"
    if trick and trick[0].seat != leader and not together:
        facts = {"leader": leader, "player": trick[0].seat}
        yield from impossible_position(
            [("leader",), ("trick", 0, "seat")], "leader-not-first", a.OPENING_LEAD.id, **facts
        )
    leaders = opening_leaders(position.table, position.calls) if position.trick_number == 1 else ()
    if leaders and leader not in leaders:
        facts = {"leader": leader, "expected": leaders[0]}
        by_bid = position.table.rules.first_leader == "highest_bidder" and position.calls
        other = "calls" if by_bid else "dealer"
        yield from impossible_position([("leader",), (other,)], "leader-against-rule", a.OPENING_LEAD.id, **facts)


def _too_many(position: Position) -> Iterator[Problem]:
    """Yield a hand or earlier tricks of more cards than there can be in this trick."""
    rules, number = position.table.rules, position.trick_number
    most = rules.tricks - (number or 1) + 1
    numbered: list[Pointer] = [] if number is None else [("trick_number",)]
    if position.hand is not None and len(position.hand) > most:
        facts = {"count": len(position.hand), "most": most}
        yield from impossible_position([("hand",), *numbered], "hand-too-large", a.DEALING.id, **facts)
    most = ((number or rules.tricks) - 1) * len(position.table.seats)
    if position.played is not None and len(position.played) > most:
        facts = {"count": len(position.played), "most": most}
        yield from impossible_position([("played",), *numbered], "too-many-played", a.DEALING.id, **facts)


def _spades(position: Position) -> Iterator[Problem]:
    """Yield a flag that contradicts the spades among the cards of earlier tricks (SPADES-038)."""
    pack = pack_of(position.table.rules)
    if position.spades_broken is False:
        spades = [(place, card) for place, card in enumerate(position.played or ()) if pack.is_trump(card)]
        pointers: list[Pointer] = [("spades_broken",), *(("played", place) for place, _ in spades)]
        if spades:
            cards = [str(card) for _, card in spades]
            yield from impossible_position(pointers, "spade-was-played", a.BREAKING_SPADES.id, cards=cards)
    elif position.spades_broken and position.trick_number == 1:
        yield from impossible_position(
            [("spades_broken",), ("trick_number",)], "first-trick-broken", a.BREAKING_SPADES.id
        )  # fmt: skip


def _no_deal(position: Position, seat: str | None) -> Iterator[Problem]:
    """Yield the fewest facts that no distribution of the cards satisfies: none of them can be left out."""
    if holding_in(position, seat).possible:
        return
    left, involved = position, list[Pointer]()
    for fact, without in _WITHOUT.items():
        fewer = without(left)
        if holding_in(fewer, seat).possible:
            involved.append((fact,))
        else:
            left = fewer
    yield from impossible_position(involved, "no-distribution", a.PACK.id)


_WITHOUT: Mapping[str, Callable[[Position], Position]] = {
    "spades_broken": lambda at: replace(at, spades_broken=None),
    "hand": lambda at: replace(at, hand=None),
    "played": lambda at: replace(at, played=None),
    "trick": lambda at: replace(at, trick=()),
    "trick_number": lambda at: replace(at, trick_number=None),
}
"""Each fact that limits where cards can be, and the position without it."""
