"""Verdicts with the articles they rest on, and what is known of hidden cards: legal, illegal, or what is missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Final, TypeVar

from companion.engine.articles import Article
from companion.engine.problems import NamedFacts

LEGAL, ILLEGAL, UNDECIDED = "legal", "illegal", "undecided"


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken article, with a stable code for how it is broken and the facts that show it."""

    article: str
    code: str
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that must be known before the move can be judged, and the article that needs it."""

    fact: str
    article: str
    seat: str | None = None
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Because:
    """An article that allows a legal move."""

    article: str
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remedy:
    """What a table does about a breach: the article, until when it can be put right, and what follows (IRR-0).

    `then` has the option that decides with its `value`, and the number of `tricks` where it counts them; None where no
    option does.
    """

    article: str
    until: str
    then: NamedFacts | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings about one move: breaches, missing facts, what allows it, and its effect on the table."""

    breaches: tuple[Breach, ...] = ()
    missing: tuple[Missing, ...] = ()
    because: tuple[Because, ...] = ()
    effect: NamedFacts = field(default_factory=dict)
    remedy: Remedy | None = None

    @property
    def value(self) -> str:
        """Return `illegal` if any article is broken, else `undecided` if a fact is missing, else `legal`."""
        return ILLEGAL if self.breaches else UNDECIDED if self.missing else LEGAL


def in_every_case(judge: Callable[..., Verdict], *facts: tuple[Missing, Sequence[object]]) -> Verdict:
    """Return the verdict where facts have several values: `judge` is called with one value of each, in order.

    The fewest facts are missing that tell cases with different verdicts apart. A move that is illegal in each case
    breaks what it breaks in all of them, or else in the first.
    """
    cases = {}
    for places in product(*(range(len(values)) for _, values in facts)):
        chosen = (values[place] for (_, values), place in zip(facts, places, strict=True))
        cases[places] = judge(*chosen)
    first, *others = cases.values()
    if all(verdict.value == ILLEGAL for verdict in cases.values()):
        shared = tuple([breach for breach in first.breaches if all(breach in verdict.breaches for verdict in others)])
        return Verdict(shared or min((verdict.breaches for verdict in cases.values()), key=len))
    needed = next(
        chosen
        for size in range(len(facts) + 1)
        for chosen in combinations(range(len(facts)), size)
        if _told_apart(cases, chosen)
    )
    if not needed:
        return first
    lacking = [facts[place][0] for place in needed]
    for verdict in cases.values():
        lacking += [one for one in verdict.missing if one not in lacking]
    effects = [verdict.effect for verdict in cases.values() if verdict.value != ILLEGAL]
    return Verdict(missing=tuple(lacking), effect=effects[0] if effects.count(effects[0]) == len(effects) else {})


def _told_apart(cases: Mapping[tuple[int, ...], Verdict], facts: Sequence[int]) -> bool:
    """Return whether cases with the same values of these facts, given by index, have the same verdict."""
    known: dict[tuple[int, ...], object] = {}
    return all(
        known.setdefault(tuple([places[fact] for fact in facts]), (verdict.value, verdict.missing))
        == (verdict.value, verdict.missing)
        for places, verdict in cases.items()
    )


class Ruling:
    """Collects everything that a judge finds about one move; each finding is recorded once.

    With `allow_once` an article that allows the move is recorded only with the facts that came first.
    """

    __slots__ = ("_allow_once", "because", "breaches", "effect", "missing")

    def __init__(self, *, allow_once: bool = False) -> None:
        self._allow_once = allow_once
        self.breaches: list[Breach] = []
        self.missing: list[Missing] = []
        self.because: list[Because] = []
        self.effect: dict[str, object] = {}

    @property
    def legal(self) -> bool:
        """Whether no breach and no missing fact has been recorded."""
        return not self.breaches and not self.missing

    def breach(self, article: Article, code: str, /, **facts: object) -> None:
        """Record a broken article."""
        found = Breach(article.id, code, facts)
        if found not in self.breaches:
            self.breaches.append(found)

    def lack(self, fact: str, article: Article, seat: str | None = None, /, **facts: object) -> None:
        """Record a fact that must be known before this article can be judged."""
        if all((found.fact, found.seat, found.facts) != (fact, seat, facts) for found in self.missing):
            self.missing.append(Missing(fact, article.id, seat, facts))

    def allow(self, article: Article, /, **facts: object) -> None:
        """Record an article that allows the move."""
        found = Because(article.id, facts)
        known = any(one.article == article.id for one in self.because) if self._allow_once else found in self.because
        if not known:
            self.because.append(found)

    def verdict(self) -> Verdict:
        """Return the verdict; only a legal one has `because` and `effect`, only an undecided one missing facts."""
        if self.legal:
            return Verdict(because=tuple(self.because), effect=self.effect)
        return Verdict(tuple(self.breaches), () if self.breaches else tuple(self.missing))


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a recorded deal with what could be said of it at the time, and what later moves made of it.

    `settled` is `legal` or `illegal` once the rest of the deal decides it, None while it stays open.
    """

    move: NamedFacts
    verdict: Verdict
    settled: str | None = None


class PlainList(list[object]):
    """A list in an answer that is JSON already: it cites no article, and nobody has to look through it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a recorded deal shows in retrospect: whose, in which trick or turn, and the evidence."""

    article: str
    code: str
    seat: str
    facts: NamedFacts = field(default_factory=dict)
    remedy: Remedy | None = None
    established: int | None = None
    """The trick or turn from which on it could no longer be taken back; None where the record ends before."""


def record_contradicts(why: str, article: Article, seat: str = "", /, **facts: object) -> Finding:
    """Return the finding that no deal of the cards agrees with a record; it accuses nobody.

    `why` is a word of the game's own vocabulary, as for `engine.problems.impossible_position`.
    """
    return Finding(article.id, "record-contradicts", seat, {"why": why, **facts})


_F = TypeVar("_F", bound=Hashable)


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


_Bound = AtLeast | AtMost
Claim = _Bound | AllOf | AnyOf
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


def bounds_of(claim: Claim) -> Iterator[_Bound]:
    """Yield the bounds of which a claim is made."""
    if isinstance(claim, AllOf | AnyOf):
        for part in claim.claims:
            yield from bounds_of(part)
    else:
        yield claim


def less(claim: Claim, place: str, cards: int, count: int) -> Claim:
    """Return a claim about the cards of a place when so many of its cards, of these kinds, lie apart from it."""
    match claim:
        case AllOf(claims):
            return AllOf(tuple([less(one, place, cards, count) for one in claims]))
        case AnyOf(claims):
            return AnyOf(tuple([less(one, place, cards, count) for one in claims]))
        case AtLeast(name, kinds, least) if name == place and kinds & cards:
            return AtLeast(name, kinds, least - count)
        case AtMost(name, kinds, most) if name == place and kinds & cards:
            return AtMost(name, kinds, most - count)
        case _:
            return claim


_FEW: Final = 16
"""Hidden cards up to which every kind may matter; among more, only those that a claim or a condition names."""
_MOST_STEPS: Final = 2_000
"""Steps of one search for the fewest facts, half a second of them: where nearly nothing is known there is no end."""
_Range = tuple[Claim, Claim]
"""Two claims between which something lies: true where the first is, false where the second is; the same if exact."""
_Count = tuple[str, int]
"""A place and cards: what is learnt is how many of these are there."""


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
        """Return how many hidden cards there are of these kinds; kinds that are not hidden count none."""
        return self._cards(cards).bit_count()

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

    def smallest(
        self,
        ranges: Sequence[_Range],
        facts: Mapping[_F, Iterable[str]],
        *,
        kinds: Sequence[int],
        sizes: Collection[str] = (),
    ) -> tuple[_F, ...] | None:
        """Return the fewest facts that decide every range in every world, the first such in their order.

        None where not even all of them do, and where the search would take too long. Each fact says how many cards of
        each of `kinds` are in some places; of the places in `sizes` it only says how many there are.
        """
        steps = iter(range(_MOST_STEPS))
        for size in range(len(facts) + 1):
            for chosen in combinations(facts, size):
                learnt = self._learnt(ranges, [place for fact in chosen for place in facts[fact]], kinds, sizes)
                if all(self._settled(each, learnt, steps) for each in ranges):
                    return chosen
        return None

    def _learnt(
        self, ranges: Iterable[_Range], places: Sequence[str], kinds: Sequence[int], sizes: Collection[str]
    ) -> tuple[_Count, ...]:
        """Return what is learnt of some places: how many cards they hold, and how many of each kind that matters."""
        parts = [self.hidden]
        claims = (*(claim for each in ranges for claim in each), *self.conditions)
        for bound in (bound for claim in claims for bound in bounds_of(claim)):
            parts = [part for one in parts for part in (one & bound.cards, one & ~bound.cards) if part]
        if self.count(self.hidden) <= _FEW:
            parts = [part for one in parts for kind in kinds if (part := kind & one)]
        known = [place for place in places if place in self._index]
        counts = [(place, self.hidden) for place in known]
        return (*counts, *[(place, part) for part in parts for place in known if place not in sizes])

    def _settled(self, claims: _Range, learnt: Sequence[_Count], steps: Iterator[int]) -> bool:
        """Return whether the first claim is certain or the second impossible, whatever is learnt.

        False, too, where no steps are left.
        """
        if next(steps, None) is None:
            return False
        if not self.consistent or self.certain(claims[0]) or not self.possible(claims[1]):
            return True
        if not learnt:
            return False
        (name, cards), *rest = learnt
        place = self.places[self._index[name]]
        if cards == self.hidden:
            counts = range(place.least, min(place.most, self.count(cards)) + 1)
            return all(self._sized(name, count)._settled(claims, rest, steps) for count in counts)
        for count in range(min(place.most, self.count(cards)) + 1):
            first, second = (less(claim, name, cards, count) for claim in claims)
            if not self._learning(name, cards, count)._settled((first, second), rest, steps):
                return False
        return True

    def _sized(self, name: str, size: int) -> Knowledge:
        """Return the same knowledge where a place is known to hold so many cards."""
        return replace(self, places=tuple([Place.of(one.name, size, one.may) if one.name == name else one
                                           for one in self.places]))  # fmt: skip

    def _learning(self, name: str, cards: int, count: int) -> Knowledge:
        """Return the same knowledge where a place is known to hold so many of these cards: they get a place apart."""
        places = list(self.places)
        place = places[self._index[name]]
        left = replace(place, least=max(place.least - count, 0), most=place.most - count, may=place.may & ~cards)
        places[self._index[name]] = left
        if count:
            places.append(Place.of(f"{name}={len(places)}", count, place.may & cards))
        conditions = tuple([less(claim, name, cards, count) for claim in self.conditions])
        return replace(self, places=tuple(places), conditions=conditions)

    def _satisfiable(self, claims: Sequence[Claim], bounds: tuple[_Bound, ...]) -> bool:
        """Return whether a world makes all claims true: alternatives are tried one after another."""
        if not claims:
            return self._exists(bounds)
        first, rest = claims[0], claims[1:]
        if isinstance(first, AllOf):
            return self._satisfiable((*first.claims, *rest), bounds)
        if isinstance(first, AnyOf):
            return any(self._satisfiable((part, *rest), bounds) for part in first.claims)
        return self._satisfiable(rest, (*bounds, first))

    def _exists(self, bounds: tuple[_Bound, ...]) -> bool:
        """Return whether a world satisfies every bound."""
        seats = list(self._seats)
        needs: dict[int, list[_Need]] = {}
        caps: dict[int, list[_Need]] = {}
        for bound in bounds:
            place, cards = self._index[bound.place], self._cards(bound.cards)
            if isinstance(bound, AtLeast):
                if bound.count > 0:
                    needs.setdefault(place, []).append((cards, bound.count))
            elif bound.count < 0:
                return False
            elif bound.count == 0:
                least, most, may = seats[place]
                seats[place] = (least, most, may & ~cards)
            else:
                caps.setdefault(place, []).append((cards, bound.count))
        return _exists(self._deck, seats, needs, caps)

    @cached_property
    def _deck(self) -> int:
        """The hidden cards with one bit for each copy."""
        return self._cards(self.hidden)

    @cached_property
    def _seats(self) -> tuple[_Seats, ...]:
        return tuple((place.least, place.most, self._cards(place.may)) for place in self.places)

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {place.name: number for number, place in enumerate(self.places)}

    @cached_property
    def _copies(self) -> tuple[tuple[int, int], ...]:
        """Each hidden kind and the bits of its copies."""
        kinds, free = [], 0
        for kind, number in enumerate(self.copies):
            if self.hidden >> kind & 1:
                kinds.append((1 << kind, (1 << number) - 1 << free))
                free += number
        return tuple(kinds)

    def _cards(self, kinds: int) -> int:
        """Return the hidden cards of these kinds with one bit for each copy."""
        if not self.copies:
            return kinds & self.hidden
        found = self._known_cards.get(kinds)
        if found is None:
            found = self._known_cards[kinds] = sum([bits for kind, bits in self._copies if kind & kinds])
        return found

    @cached_property
    def _known_cards(self) -> dict[int, int]:
        """Kinds that somebody has asked for, with their cards: claims name the same few again and again."""
        return {}


_Seats = tuple[int, int, int]
"""Some seats of a place: how many cards sit there at least and at most, and which can."""
_Need = tuple[int, int]
"""Cards, and how many of them: at least in a need, at most in a cap."""


def _exists(deck: int, seats: list[_Seats], needs: Mapping[int, list[_Need]], caps: Mapping[int, list[_Need]]) -> bool:
    """Return whether the deck can be seated so that each place meets its needs and stays within its caps."""
    if not needs and not caps:
        return _fits(deck, seats)
    needs = dict(needs)
    for place, its in caps.items():
        least, most, may = seats[place]
        if least < most:
            # Only of a full number of cards does "at most two clubs" say how many are no clubs.
            sizes = range(least, min(most, deck.bit_count()) + 1)
            return any(_exists(deck, _with(seats, place, (size, size, may)), needs, caps) for size in sizes)
        needs[place] = needs.get(place, []) + [(deck & ~cards, most - count) for cards, count in its if most > count]
    alternatives = [list(_apart(its)) for its in needs.values()]
    return any(
        _fits(deck, _reserved(seats, dict(zip(needs, chosen, strict=True)))) for chosen in product(*alternatives)
    )


def _with(seats: list[_Seats], place: int, instead: _Seats) -> list[_Seats]:
    return [*seats[:place], instead, *seats[place + 1 :]]


def _apart(needs: list[_Need]) -> Iterator[list[_Need]]:
    """Yield the needs in all ways to say them with sets of cards that share none.

    Two clubs and two aces: the ace of clubs and one more of each, or two clubs and two aces beside it.
    """
    for first, (cards, count) in enumerate(needs):
        for second in range(first + 1, len(needs)):
            others, number = needs[second]
            both = cards & others
            if both:
                rest = needs[:first] + needs[first + 1 : second] + needs[second + 1 :]
                for shared in range(min(both.bit_count(), max(count, number)) + 1):
                    parts = ((both, shared), (cards & ~both, count - shared), (others & ~both, number - shared))
                    yield from _apart(rest + [part for part in parts if part[1] > 0])
                return
    yield needs


def _reserved(seats: list[_Seats], needs: Mapping[int, list[_Need]]) -> list[_Seats]:
    """Return the seats with some of each place reserved for what it needs."""
    result = list(seats)
    for place, its in needs.items():
        least, most, may = seats[place]
        reserved = 0
        for cards, count in its:
            result.append((count, count, may & cards))
            reserved += count
        result[place] = (max(least - reserved, 0), most - reserved, may)
    return result


def _fits(deck: int, seats: list[_Seats]) -> bool:
    """Return whether every card of the deck finds a seat and no seat that must be taken stays empty."""
    alike: dict[int, tuple[int, int]] = {}  # seats for the same cards are one group
    for least, most, may in seats:
        if most < least or most < 0:
            return False
        before = alike.get(may, (0, 0))
        alike[may] = (before[0] + least, before[1] + most)
    groups = [(0, 0, 0)]
    for may, (least, most) in alike.items():
        groups += [(low + least, high + most, cards | may) for low, high, cards in groups]
    total, last = deck.bit_count(), len(groups) - 1
    for number, (least, most, cards) in enumerate(groups):
        # What the others cannot take must fit here; what can sit here must fill what has to be filled.
        if total - groups[last - number][2].bit_count() > most or cards.bit_count() < least:
            return False
    return True
