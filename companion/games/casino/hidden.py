"""The cards that nobody has seen, and which claims about them are true in every distribution.

A claim is about the hands as they are when it is made: `Unseen` takes away from it what was shown since. Above the
cards, a mask holds the value that they are to capture, for an ace captures two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from companion.engine.cards import Card, pack
from companion.engine.verdict import (
    FALSE,
    TRUE,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Breach,
    Claim,
    Cut,
    Knowledge,
    Missing,
    Place,
    Question,
    World,
    bounds_of,
    decide,
    less,
)

BITS: Final = {card: 1 << number for number, card in enumerate(pack())}
"""The bit of each card in a mask."""
_SINGLE: Final = tuple(BITS.values())
STOCK: Final = "half"
"""Where cards that are still to be dealt are; which half of the deal is played says how many."""
ELSEWHERE: Final = "elsewhere"
"""Hidden piles, and whatever else is of no interest."""


def hand_of(seat: str, number: int) -> str:
    """Return the name of the place where a seat has the cards of a round of dealing."""
    return f"hand {number} {seat}"


def pile_of(side: str, depth: int) -> str:
    """Return the name of the place of one card of a hidden pile, under so many that were taken in this turn."""
    return f"pile {depth} {side}"


def capturing_mask(cards: Collection[Card], value: int) -> int:
    """Return cards that capture a value as a mask."""
    return sum(BITS[card] for card in cards) | 1 << len(BITS) + value


def _value_of(mask: int) -> int:
    return (mask >> len(BITS)).bit_length() - 1


def all_of(*claims: Claim) -> Claim:
    """Claim that all of these are true, in the shortest form."""
    if FALSE in claims:
        return FALSE
    left = tuple(dict.fromkeys(claim for claim in claims if claim != TRUE))
    return left[0] if len(left) == 1 else AllOf(left)


def any_of(*claims: Claim) -> Claim:
    """Claim that one of these is true, in the shortest form."""
    if TRUE in claims:
        return TRUE
    left = tuple(dict.fromkeys(claim for claim in claims if claim != FALSE))
    return left[0] if len(left) == 1 else AnyOf(left)


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that a seat played from its hand, in which turn and which round of dealing."""

    turn: int
    round: int
    seat: str
    card: Card


@dataclass(frozen=True)
class Unseen:
    """The cards that nobody has seen, and where they can be. `shown` are those that came out of hidden hands since."""

    cards: int
    """Cards hidden at the start, those of `shown` among them."""
    places: tuple[Place, ...]
    """The hidden places as they were at the start."""
    shown: tuple[Shown, ...] = ()
    conditions: tuple[Claim, ...] = ()

    @property
    def consistent(self) -> bool:
        """Whether any distribution agrees with what is known."""
        return self._stated.consistent

    def assuming(self, *claims: Claim) -> Unseen:
        """Return the same knowledge where these claims about the start are true, too."""
        return replace(self, conditions=(*self.conditions, *claims))

    def decide(self, claim: Claim) -> bool | None:
        """Return True where the claim is true in every distribution, False where it is in none, None otherwise."""
        return self._knowledge.decide(self._now(claim))

    def world(self, claim: Claim, like: World | None = None) -> World | tuple[Cut, ...]:
        """Return a distribution where the claim is true, or why there is none."""
        return self._knowledge.world(self._now(claim), like)

    def breaches(self, questions: Sequence[Question]) -> tuple[list[Breach], list[Question]]:
        """Return the breaches that are certain, and the questions that stay open.

        Where it is only certain that one of several articles is broken, each is named; if all of them are of cards that
        builds need, one breach says that the cards do not suffice.
        """
        decided = decide(self.decide, questions)
        left = [question for question, _ in decided.open]
        if decided.either and any(question.code != "value-not-held" for question in left):
            return [Breach(article, "either-way") for article in dict.fromkeys(one.article.id for one in left)], []
        if decided.either:
            bounds = [bound for one in left for bound in bounds_of(one.claim)]
            values = sorted({_value_of(bound.cards) for bound in bounds if fact_of(bound.place)[0] == "hand"})
            facts = {"values": values, "seat": left[0].facts.get("seat")}
            return [Breach(left[0].article.id, "cards-do-not-suffice", facts)], []
        return [question.breach for question in decided.certain], left

    def lacking(self, questions: Sequence[Question]) -> list[Missing]:
        """Return the fewest things that must be known to decide whether any of several articles is broken."""
        found: dict[tuple[str, str | None], list[Missing]] = {}
        for question in questions:
            for bound in bounds_of(self._now(question.claim)):
                if self._knowledge.decide(bound) is None:
                    missing = _missing(bound, question)
                    same = found.setdefault((missing.fact, missing.seat), [])
                    if missing not in same:
                        same.append(missing)
        for same in found.values():
            if len(same) > 1 and any(one.facts.get("count") == 0 for one in same):
                same[:] = [replace(same[0], facts={})]  # not to hold one of the cards would not be enough
        chosen: Collection[tuple[str, str | None]] = found
        if len(found) > 1:
            claim = self._now(AnyOf(tuple(question.claim for question in questions)))
            shows = {key: [place.name for place in self.places if fact_of(place.name) == key] for key in found}
            exact = [(claim, claim)]
            chosen = self._knowledge.smallest(exact, shows, kinds=_SINGLE, sizes=(STOCK,), enough=True) or found
        return [one for key, same in found.items() if key in chosen for one in same]

    def _now(self, claim: Claim) -> Claim:
        """Return a claim about what is still hidden."""
        places = {bound.place for bound in bounds_of(claim)}
        for place, card in self._gone:
            if place in places:
                claim = less(claim, place, card, 1)
        return claim

    @cached_property
    def _gone(self) -> list[tuple[str, int]]:
        """The hands that hidden cards have left, each with the bit of the card."""
        return [(hand_of(one.seat, one.round), bit) for one in self.shown if (bit := BITS[one.card]) & self.cards]

    @cached_property
    def _stated(self) -> Knowledge:
        gone = Counter(place for place, _ in self._gone)
        places = [
            replace(place, least=max(place.least - gone[place.name], 0), most=max(place.most - gone[place.name], 0))
            for place in self.places
        ]
        left = self.cards & ~sum({bit for _, bit in self._gone})
        return Knowledge(left, tuple(places), tuple(map(self._now, self.conditions)))

    @cached_property
    def _knowledge(self) -> Knowledge:
        if self._stated.consistent:
            return self._stated
        # Only what cards were seen counts then, and no place has a certain size.
        hands = [replace(one, least=0) for one in self._stated.places if one.name != ELSEWHERE]
        return replace(self._stated, places=(*hands, Place(ELSEWHERE, 0, len(BITS))), conditions=())


def fact_of(place: str) -> tuple[str, str | None]:
    """Return what must be asked for to know a hidden place, and of whom."""
    fact, *rest = place.split(" ", 2)
    return fact, rest[-1] if rest else None


def _missing(bound: AtLeast | AtMost, question: Question) -> Missing:
    """Return what must be known to decide a single claim."""
    fact, name = fact_of(bound.place)
    if fact == "hand":
        # Too few cards break a rule, or, where it binds only who has one, enough of them.
        count = bound.count + (1 if isinstance(bound, AtMost) else -1)
        facts: dict[str, object] = {"value": _value_of(bound.cards), "count": count}
    elif fact == "pile":
        card = next(card for card, bit in BITS.items() if bit & bound.cards)
        depth = int(bound.place.split()[1])
        facts = {"card": str(card)} | ({"under": depth} if depth else {})
    else:
        facts = {"builds": question.facts["builds"]}
    return Missing(fact, question.article.id, name, facts)
