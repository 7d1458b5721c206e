"""Check witnesses without the judge: formulas about hidden cards, in a world of named cards or by plain counts.

A checker says in which worlds a move is wrong. A world is counted card by card; a proof is one set of cards for each
alternative of what it rules out: more of them are needed, or fewer can be placed, than there are. Nothing is searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Final

from companion.engine.shapes import Json

LEAST, MOST = "least", "most"


@dataclass(frozen=True, slots=True)
class Bound:
    """A hidden place has at least, or at most, so many of some cards."""

    way: str
    place: str
    cards: frozenset[str]
    count: int


@dataclass(frozen=True, slots=True)
class Together:
    """Several hidden places, each with so many at most, have at least, or at most, so many of some cards together."""

    way: str
    places: Mapping[str, int]
    cards: frozenset[str]
    count: int

    def split(self) -> Formula:
        """Return the same of each place by itself."""
        parts = [
            every(
                *(Bound(self.way, place, self.cards, count) for place, count in zip(self.places, counts, strict=True))
            )
            for counts in product(*(range(most + 1) for most in self.places.values()))
            if sum(counts) == self.count
        ]
        return some(*parts) if sum(self.places.values()) > self.count or self.way == LEAST else True


@dataclass(frozen=True, slots=True)
class Every:
    """All of these are true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of these is true."""

    parts: tuple[Formula, ...]


Formula = bool | Bound | Together | Every | Some
World = Mapping[str, Sequence[str]]
"""The hidden cards by place."""
_TOO_MANY: Final = 5_000
"""Alternatives of a proof that are looked at."""


def every(*parts: Formula) -> Formula:
    """Return that all of these are true."""
    left = tuple(part for part in parts if part is not True)
    return False if False in left else Every(left) if left else True


def some(*parts: Formula) -> Formula:
    """Return that one of these is true."""
    left = tuple(part for part in parts if part is not False)
    return True if True in left else Some(left) if left else False


def opposite(formula: Formula) -> Formula:
    """Return the formula that is true where this one is not."""
    match formula:
        case bool():
            return not formula
        case Every(parts):
            return some(*map(opposite, parts))
        case Some(parts):
            return every(*map(opposite, parts))
        case Bound() | Together():
            least = formula.way == LEAST
            return replace(formula, way=MOST if least else LEAST, count=formula.count + (-1 if least else 1))


def true_in(world: World, formula: Formula) -> bool:
    """Return whether a formula is true in a world."""
    match formula:
        case bool():
            return formula
        case Every(parts):
            return all(true_in(world, part) for part in parts)
        case Some(parts):
            return any(true_in(world, part) for part in parts)
        case Together():
            return true_in(world, formula.split())
        case Bound(way, place, cards, count):
            held = sum(card in cards for card in world.get(place, ()))
            return held >= count if way == LEAST else held <= count


def _alternatives(formula: Formula) -> Iterator[frozenset[Bound]]:
    """Yield sets of bounds: the formula is true where all bounds of one of them are."""
    match formula:
        case bool():
            yield from [frozenset()] if formula else []
        case Every(parts):
            for chosen in product(*(tuple(_alternatives(part)) for part in parts)):
                yield frozenset().union(*chosen)
        case Some(parts):
            for part in parts:
                yield from _alternatives(part)
        case Together():
            yield from _alternatives(formula.split())
        case Bound():
            yield frozenset((formula,))


@dataclass(frozen=True, slots=True)
class Room:
    """A hidden place: how many cards it has at least and at most, and which it can have; None for any."""

    least: int
    most: int
    may: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the open facts of a table: the hidden cards and their places, and where the move is wrong."""

    hidden: Counter[str]
    rooms: Mapping[str, Room]
    wrong: Formula
    known: Formula = True
    """What is known of the hidden cards."""

    def fits(self, world: World) -> bool:
        """Return whether a world has every hidden card once where it can be, and agrees with what is known."""
        if Counter(card for cards in world.values() for card in cards) != self.hidden or world.keys() - self.rooms:
            return False
        for place, room in self.rooms.items():
            cards = world.get(place, ())
            if not room.least <= len(cards) <= room.most or (room.may is not None and not room.may.issuperset(cards)):
                return False
        return true_in(world, self.known)

    def never(self, formula: Formula, counts: Iterable[frozenset[str]]) -> bool:
        """Return whether a formula is true in no world: each of its alternatives fails one of these counts."""
        counts = (*counts, *{room.may for room in self.rooms.values() if room.may is not None})
        for number, bounds in enumerate(_alternatives(every(self.known, formula))):
            named = [bound.cards for bound in bounds]  # plainly impossible without a proof
            if number > _TOO_MANY or not any(self._impossible(bounds, cards) for cards in (*counts, *named)):
                return False
        return True

    def nowhere(self) -> bool:
        """Return whether what is known is true in no world, by counting all hidden cards or those of a few places."""
        kinds = {room.may for room in self.rooms.values() if room.may is not None}
        few = [frozenset().union(*chosen) for size in (2, 3, 4) for chosen in combinations(kinds, size)]
        return self.never(True, [frozenset(self.hidden), *few])

    def _impossible(self, bounds: frozenset[Bound], cards: frozenset[str]) -> bool:
        """Return whether the places need more of these cards than there are, or can have fewer."""
        there, least, most = self._count(cards), 0, 0
        for place, room in self.rooms.items():
            mine = [bound for bound in bounds if bound.place == place]
            has, can_have = self._range(room, mine, cards)
            if has > can_have:
                return True
            least, most = least + has, most + can_have
        return least > there or most < there

    def _range(self, room: Room, bounds: Sequence[Bound], cards: frozenset[str]) -> tuple[int, int]:
        """Return how many of these cards a place has at least and at most."""
        barred = [bound.cards for bound in bounds if bound.way == MOST and bound.count == 0]
        may = frozenset(self.hidden).difference(*barred).intersection(*[room.may] if room.may is not None else [])

        def most(some: frozenset[str]) -> int:
            fit = may & some
            limits = [bound.count + self._count(fit - bound.cards) for bound in bounds if bound.way == MOST]
            return min(room.most - _disjoint(bounds, some.isdisjoint), self._count(fit), *limits, room.most)

        inside = _disjoint(bounds, lambda named: named & may <= cards)
        return max(inside, room.least - most(frozenset(self.hidden) - cards), 0), most(cards)

    def _count(self, cards: Iterable[str]) -> int:
        return sum([self.hidden[card] for card in cards])


def _disjoint(bounds: Sequence[Bound], wanted: Callable[[frozenset[str]], bool]) -> int:
    """Return how many cards a place has at least that are in sets of cards as wanted, none counted twice."""
    found = [bound for bound in bounds if bound.way == LEAST and wanted(bound.cards)]
    return max(
        sum(bound.count for bound in chosen)
        for size in range(len(found) + 1)
        for chosen in combinations(found, size)
        if all(one.cards.isdisjoint(other.cards) for one, other in combinations(chosen, 2))
    )


def spelt(value: Json, keys: Collection[str], card: Callable[[str], str], *, inside: bool = False) -> Json:
    """Return the JSON of a request with the cards that are under some keys as a function spells them."""
    if isinstance(value, dict):
        return {key: spelt(part, keys, card, inside=inside or key in keys) for key, part in value.items()}
    if isinstance(value, list):
        return [spelt(part, keys, card, inside=inside and not isinstance(part, dict)) for part in value]
    return card(value) if inside and isinstance(value, str) else value


def accepts(
    cases: Sequence[Case], verdict: str, worlds: Mapping[str, tuple[Case, World]], counts: Sequence[frozenset[str]]
) -> bool:
    """Return whether worlds and counts prove a verdict; each world comes with the case that it is of."""
    for name, (case, world) in worlds.items():
        if not case.fits(world) or true_in(world, case.wrong) != (name == "illegal"):
            return False
    if verdict == "undecided":
        return worlds.keys() == {"legal", "illegal"}
    wrong = [case.wrong if verdict == "legal" else opposite(case.wrong) for case in cases]
    return bool(cases) and all(case.never(one, counts) for case, one in zip(cases, wrong, strict=True))
