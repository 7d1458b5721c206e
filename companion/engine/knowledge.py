"""Where hidden cards can be: which claims about them hold in every distribution, in none, or in some.

A world is a distribution of the hidden cards over the hidden places (hands, a stock, cards out of play) that agrees
with everything known: how many cards each place holds, which cards it can hold, and conditions such as "this hand
holds a nine, or the partner's does". Nobody is assumed to have played by the rules.

Cards are bits of an integer, one bit a kind; a game decides what its bits mean. A pack with several copies of a card
gives their number. Whether a world exists is decided exactly, without listing worlds: cards that no claim tells apart
are counted together, and a distribution of the counts exists if and only if every group of places can take the cards
that fit nowhere else and can be filled by the cards that fit there (Hall's condition with lower and upper bounds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Place:
    """A hidden place: how many hidden cards it holds, at least and at most, and which kinds it can hold."""

    name: str
    least: int
    most: int
    may: int = -1

    @classmethod
    def of(cls, name: str, size: int, may: int = -1) -> Place:
        """Return a place that holds exactly `size` hidden cards."""
        return cls(name, size, size, may)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A place holds at least `count` cards of the kinds in `cards`."""

    place: str
    cards: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class AtMost:
    """A place holds at most `count` cards of the kinds in `cards`."""

    place: str
    cards: int
    count: int = 0


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of the claims are true; true where there are none."""

    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the claims is true; false where there are none."""

    claims: tuple[Claim, ...]


Bound = AtLeast | AtMost
Claim = Bound | AllOf | AnyOf
TRUE, FALSE = AllOf(()), AnyOf(())


def negation(claim: Claim) -> Claim:
    """Return the claim that is true in exactly the worlds where the given one is false."""
    match claim:
        case AtLeast(place, cards, count):
            return AtMost(place, cards, count - 1) if count > 0 else FALSE
        case AtMost(place, cards, count):
            return AtLeast(place, cards, count + 1)
        case AllOf(claims):
            return AnyOf(tuple(map(negation, claims)))
        case AnyOf(claims):
            return AllOf(tuple(map(negation, claims)))


@dataclass(frozen=True)
class Knowledge:
    """What is known about the hidden cards.

    `hidden` is the set of kinds that are hidden somewhere; `copies` gives the number of hidden cards of each kind by
    bit number; without it, there is one of each. Every hidden card is in exactly one of the places.
    """

    hidden: int
    places: tuple[Place, ...]
    conditions: tuple[Claim, ...] = ()
    copies: tuple[int, ...] = ()

    def count(self, cards: int) -> int:
        """Return how many hidden cards there are of these kinds."""
        if not self.copies:
            return cards.bit_count()
        return sum(number for kind, number in enumerate(self.copies) if cards >> kind & 1)

    def knowing(self, *claims: Claim) -> Knowledge:
        """Return the same knowledge with further conditions."""
        return replace(self, conditions=(*self.conditions, *claims))

    @cached_property
    def consistent(self) -> bool:
        """Whether any world agrees with what is known."""
        return self._satisfiable(self.conditions, ())

    def possible(self, claim: Claim) -> bool:
        """Return whether the claim is true in at least one world."""
        return self._satisfiable((*self.conditions, claim), ())

    def certain(self, claim: Claim) -> bool:
        """Return whether the claim is true in every world; also where no world agrees with what is known."""
        return not self.possible(negation(claim))

    def decide(self, claim: Claim) -> bool | None:
        """Return True where the claim is true in every world, False where it is in none, None otherwise.

        Raises ValueError where no world agrees with what is known.
        """
        if self.possible(claim):
            return True if self.certain(claim) else None
        if not self.consistent:
            raise ValueError("no distribution agrees with what is known")
        return False

    def _satisfiable(self, claims: Sequence[Claim], bounds: tuple[Bound, ...]) -> bool:
        """Return whether a world makes all claims true: alternatives are tried one after another."""
        if not claims:
            return _exists(self, bounds)
        first, rest = claims[0], claims[1:]
        match first:
            case AllOf(parts):
                return self._satisfiable((*parts, *rest), bounds)
            case AnyOf(parts):
                return any(self._satisfiable((part, *rest), bounds) for part in parts)
            case _:
                return self._satisfiable(rest, (*bounds, first))


def _exists(known: Knowledge, bounds: tuple[Bound, ...]) -> bool:
    """Return whether a world satisfies every bound."""
    places = {place.name: place for place in known.places}
    needs: list[AtLeast] = []
    caps: list[AtMost] = []
    for bound in bounds:
        if isinstance(bound, AtLeast):
            if bound.count > 0:
                needs.append(bound)
        elif bound.count < 0:
            return False
        elif bound.count == 0:
            place = places[bound.place]
            places[bound.place] = replace(place, may=place.may & ~bound.cards)
        else:
            caps.append(bound)
    masks = [*(need.cards for need in needs), *(cap.cards for cap in caps)]
    classes = _classes(known, tuple(places.values()), masks)
    return _place_cards(_World(tuple(places.values()), classes), needs, caps)


@dataclass(frozen=True, slots=True)
class _Class:
    """Hidden cards that nothing tells apart: how many, where they may be, and one of their bits."""

    count: int
    at: int
    """The places that can hold them, as bits by their index."""
    bit: int


@dataclass(frozen=True, slots=True)
class _World:
    """A distribution in the making: what the places still hold, and the cards that are not placed yet."""

    places: tuple[Place, ...]
    classes: tuple[_Class, ...]

    def feasible(self) -> bool:
        """Return whether the remaining cards can be distributed (Hall's condition with bounds, for every group)."""
        total = sum([one.count for one in self.classes])
        supply = [(one.count, one.at) for one in self.classes if one.count]
        least, most = [0], [0]  # of every group of places
        for place in self.places:
            least += [before + place.least for before in least]
            most += [before + place.most for before in most]
        for group in range(len(least)):
            inside = outside = 0
            for count, at in supply:
                if not at & ~group:
                    inside += count  # these fit nowhere else
                if not at & group:
                    outside += count
            if inside > most[group] or total - outside < least[group]:
                return False
        return True

    def put(self, place: int, bit: int) -> _World | None:
        """Return the world with one card of a class in a place; None where it has no room."""
        here = self.places[place]
        if here.most <= 0:
            return None
        fuller = replace(here, least=max(here.least - 1, 0), most=here.most - 1)
        places = (*self.places[:place], fuller, *self.places[place + 1 :])
        return _World(
            places, tuple(replace(one, count=one.count - 1) if one.bit == bit else one for one in self.classes)
        )

    def close(self, place: int, cards: int) -> _World:
        """Return the world where a place takes no more cards of these kinds."""
        return _World(
            self.places,
            tuple(replace(one, at=one.at & ~(1 << place)) if one.bit & cards else one for one in self.classes),
        )


def _classes(known: Knowledge, places: tuple[Place, ...], masks: list[int]) -> tuple[_Class, ...]:
    """Return the hidden cards in classes, told apart by where they may be and by the masks of the bounds."""
    groups = [(known.hidden, 0)] if known.hidden else []
    for index, place in enumerate(places):
        groups = [
            part
            for cards, at in groups
            for part in ((cards & place.may, at | 1 << index), (cards & ~place.may, at))
            if part[0]
        ]
    for mask in masks:
        groups = [part for cards, at in groups for part in ((cards & mask, at), (cards & ~mask, at)) if part[0]]
    return tuple([_Class(known.count(cards), at, cards & -cards) for cards, at in groups])


def _place_cards(world: _World, needs: list[AtLeast], caps: list[AtMost]) -> bool:
    """Return whether the needs can be met within the caps: cards are placed one by one, class by class."""
    if not world.feasible():
        return False
    index = {place.name: number for number, place in enumerate(world.places)}
    if needs:
        need = needs[0]
        here = index[need.place]
        for one in world.classes:
            if one.count and one.bit & need.cards and one.at >> here & 1:
                after = world.put(here, one.bit)
                if after is not None and _place_cards(after, *_met(needs, caps, need.place, one.bit)):
                    return True
        return False
    if caps:
        cap, *rest = caps
        here = index[cap.place]
        if cap.count < 0:
            return False
        if _place_cards(world.close(here, cap.cards), [], rest):
            return True
        return cap.count > 0 and any(
            after is not None and _place_cards(after, *_met([], caps, cap.place, one.bit))
            for one in world.classes
            if one.count and one.bit & cap.cards and one.at >> here & 1
            for after in (world.put(here, one.bit),)
        )
    return True


def _met(needs: list[AtLeast], caps: list[AtMost], place: str, bit: int) -> tuple[list[AtLeast], list[AtMost]]:
    """Return what is left of the bounds after a card of a class was put in a place."""

    def touched(bound: Bound) -> bool:
        return bound.place == place and bool(bound.cards & bit)

    left = [replace(need, count=need.count - 1) if touched(need) else need for need in needs]
    return [need for need in left if need.count > 0], [
        replace(cap, count=cap.count - 1) if touched(cap) else cap for cap in caps
    ]
