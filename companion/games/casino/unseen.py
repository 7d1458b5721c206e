"""What nobody sees: facts about hidden hands, and whether they are true in every distribution of the cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import Card, pack
from companion.engine.verdict import AllOf, AnyOf, AtLeast, Claim, Knowledge, Missing, Place, negation

BITS: Final = {card: 1 << number for number, card in enumerate(pack())}
"""The bit of each card in a mask."""
_SINGLE: Final = tuple(BITS.values())
STOCK: Final = "stock"
"""Where cards that are still to be dealt are; seats have a round of dealing in their place's name."""
ELSEWHERE: Final = "elsewhere"
"""Hidden piles, and whatever else is of no interest."""


@dataclass(frozen=True, slots=True)
class Holds:
    """A seat holds at least so many cards that capture a value, when so many cards had been shown in the deal."""

    seat: str
    round: int
    since: int
    value: int
    cards: int
    """Those that capture the value, as a mask."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class FirstHalf:
    """The first of two halves is played; the builds for which that matters."""

    builds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OnTop:
    """A card lies on a hidden pile, under so many others that were taken from it in this turn."""

    side: str
    card: Card
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a single fact."""

    fact: Single


@dataclass(frozen=True, slots=True)
class Every:
    """All of these facts; true where there are none."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of these facts; false where there are none."""

    facts: tuple[Fact, ...]


Single = Holds | FirstHalf | OnTop
Fact = Single | Not | Every | Some
TRUE: Final = Every(())
"""The one fact that is always true; `every`, `some` and `opposite` return no other."""
FALSE: Final = Some(())
"""The one fact that is never true."""


def opposite(fact: Fact) -> Fact:
    """Return the fact that is true where the given one is false."""
    if fact is TRUE or fact is FALSE:
        return FALSE if fact is TRUE else TRUE
    match fact:
        case Not(single):
            return single
        case Every(facts):
            return Some(tuple(map(opposite, facts)))
        case Some(facts):
            return Every(tuple(map(opposite, facts)))
        case _:
            return Not(fact)


def every(*facts: Fact) -> Fact:
    """Return the fact that all of these are true, in its shortest form."""
    if any(fact is FALSE for fact in facts):
        return FALSE
    left = tuple(dict.fromkeys([fact for fact in facts if fact is not TRUE]))
    return left[0] if len(left) == 1 else Every(left) if left else TRUE


def some(*facts: Fact) -> Fact:
    """Return the fact that one of these is true, in its shortest form."""
    if any(fact is TRUE for fact in facts):
        return TRUE
    left = tuple(dict.fromkeys([fact for fact in facts if fact is not FALSE]))
    return left[0] if len(left) == 1 else Some(left) if left else FALSE


def singles(fact: Fact) -> Iterator[Single]:
    """Yield the single facts on which a fact depends."""
    match fact:
        case Not(single):
            yield single
        case Every(facts) | Some(facts):
            for one in facts:
                yield from singles(one)
        case _:
            yield fact


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that a seat played from its hand, in which turn and which round of dealing."""

    turn: int
    round: int
    seat: str
    card: Card


def hand_of(seat: str, number: int) -> str:
    """Return the name of the place where a seat has the cards of a round of dealing."""
    return f"{seat}#{number}"


def pile_of(side: str, depth: int) -> str:
    """Return the name of the place of one card of a hidden pile."""
    return f"{side}^{depth}"


@dataclass(frozen=True)
class Unseen:
    """The cards that nobody has seen, and where they can be. `shown` are those that came out of hidden hands since."""

    cards: int
    """Cards hidden at the start, those of `shown` among them."""
    places: tuple[Place, ...]
    """The hidden places as they were at the start."""
    shown: tuple[Shown, ...] = ()
    conditions: tuple[Claim, ...] = ()

    def decide(self, fact: Fact) -> bool | None:
        """Return True where the fact is true in every distribution, False where it is in none, None otherwise."""
        if fact is TRUE or fact is FALSE:
            return fact is TRUE
        return self._knowledge.decide(self._claim(fact))

    def lacking(self, facts: Iterable[tuple[Fact, Article]]) -> Iterator[Missing]:
        """Yield the fewest things that must be known to decide whether any of several facts is true."""
        found: dict[tuple[str, str | None], list[Missing]] = {}
        wanted = list(facts)
        for fact, article in wanted:
            for single in singles(fact):
                if self.decide(single) is None:
                    missing = self._missing(single, article)
                    found.setdefault((missing.fact, missing.seat), []).append(missing)
        chosen: Collection[tuple[str, str | None]] | None = None
        if len(found) > 1:
            claim = AnyOf(tuple(self._claim(fact) for fact, _ in wanted))
            shows = {key: self._places(*key) for key in found}
            chosen = self._knowledge.smallest([(claim, claim)], shows, kinds=_SINGLE, sizes=(STOCK,))
        for key, every in found.items():
            if chosen is None or key in chosen:
                yield from every

    def _missing(self, single: Single, article: Article) -> Missing:
        """Return what must be known to decide a single fact."""
        match single:
            case Holds(seat=seat, value=value, count=count):
                left = count - (self._known(single) & single.cards).bit_count()
                return Missing("hand", article.id, seat, {"value": value, "count": left})
            case FirstHalf(builds):
                return Missing("half", article.id, None, {"builds": list(builds)})
            case OnTop(side, card):
                return Missing("pile", article.id, side, {"card": str(card)})

    def _places(self, fact: str, name: str | None) -> list[str]:
        """Return the hidden places that something to be known shows."""
        if fact == "half":
            return [STOCK]
        mark = "#" if fact == "hand" else "^"
        return [place.name for place in self.places if place.name.rpartition(mark)[0] == name]

    @cached_property
    def _knowledge(self) -> Knowledge:
        gone: dict[str, int] = {}
        hidden = self.cards
        for one in self.shown:
            if hidden & BITS[one.card]:
                hidden &= ~BITS[one.card]
                hand = hand_of(one.seat, one.round)
                gone[hand] = gone.get(hand, 0) + 1
        places = []
        for place in self.places:
            count = gone.get(place.name, 0)
            places.append(Place(place.name, max(place.least - count, 0), max(place.most - count, 0), place.may))
        return Knowledge(hidden, tuple(places), self.conditions)

    def _known(self, holds: Holds) -> int:
        """Return the cards that the seat has shown since the moment meant, as a mask."""
        found = 0
        for one in self.shown[holds.since :]:
            if one.seat == holds.seat and one.round == holds.round:
                found |= BITS[one.card]
        return found

    def _claim(self, fact: Fact) -> Claim:
        match fact:
            case Every(facts):
                return AllOf(tuple(map(self._claim, facts)))
            case Some(facts):
                return AnyOf(tuple(map(self._claim, facts)))
            case Not(single):
                return negation(self._claim(single))
            case FirstHalf():
                return AtLeast(STOCK, -1)
            case OnTop(side, card, depth):
                return AtLeast(pile_of(side, depth), BITS[card])
            case _:
                place = hand_of(fact.seat, fact.round)
                left = fact.count - (self._known(fact) & fact.cards).bit_count()
                if left <= 0:
                    return AllOf(())
                return AtLeast(place, fact.cards, left) if place in self._names else AnyOf(())

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(place.name for place in self.places)
