"""Verdicts with the articles they rest on, and what is known of hidden cards: legal, illegal, or what is missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product, repeat
from typing import Final, NamedTuple, TypeVar

from companion.engine.articles import Article
from companion.engine.problems import JsonObject, NamedFacts

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
    kind: str = ""
    """The kind of irregularity that a deal records; empty where it records none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings about one move: breaches, missing facts, what allows it, and its effect on the table."""

    breaches: tuple[Breach, ...] = ()
    missing: tuple[Missing, ...] = ()
    because: tuple[Because, ...] = ()
    effect: NamedFacts = field(default_factory=dict)
    remedy: Remedy | None = None
    grounds: tuple[Ground, ...] = field(default=(), compare=False, repr=False)
    """What was decided about hidden cards, for each case of the open facts of the table."""

    @property
    def value(self) -> str:
        """Return `illegal` if any article is broken, else `undecided` if a fact is missing, else `legal`."""
        return ILLEGAL if self.breaches else UNDECIDED if self.missing else LEGAL


@dataclass(frozen=True, slots=True)
class Question:
    """An article that is broken in exactly the worlds where a claim about hidden cards is true.

    `asks` names the facts that decide it. With `table`, facts of the table are open as well: then it is broken at most
    in these worlds.
    """

    claim: Claim
    article: Article
    code: str
    facts: NamedFacts = field(default_factory=dict)
    asks: tuple[str, ...] = ()
    table: tuple[str, ...] = ()

    @property
    def breach(self) -> Breach:
        """The breach in the worlds where the claim is true."""
        return Breach(self.article.id, self.code, self.facts)


class Decided(NamedTuple):
    """Questions whose articles are broken in every world, and those which stay open with what the cards say."""

    certain: list[Question]
    open: list[tuple[Question, bool | None]]
    either: bool
    """Whether no article is certainly broken, but one or another of several is in every world."""


def decide(truth: Callable[[Claim], bool | None], questions: Iterable[Question]) -> Decided:
    """Decide which of some articles are broken by whether claims are true in every world or in none."""
    certain = list[Question]()
    left = list[tuple[Question, bool | None]]()
    for question in questions:
        outcome = True if question.claim == TRUE else truth(question.claim)
        if outcome and not question.table:
            certain.append(question)
        elif outcome is not False:
            left.append((question, outcome))
    sure = tuple([question.claim for question, _ in left if not question.table])
    return Decided(certain, left, not certain and len(sure) > 1 and truth(AnyOf(sure)) is True)


@dataclass(frozen=True, slots=True)
class Ground:
    """One case of the open facts of the table: the game's own description of it, and what was decided in it."""

    case: object
    questions: tuple[Question, ...] = ()
    breaches: tuple[Breach, ...] = ()
    """What is broken in this case; a code that none of the questions has is of known facts alone."""

    def decisive(self, world: Callable[[Claim], object]) -> Question | None:
        """Return the first question whose article is broken in every world; None where only several together are."""
        sure = [one for one in self.questions if not one.table]
        return next((one for one in sure if isinstance(world(negation(one.claim)), tuple)), None)


@dataclass(frozen=True, slots=True)
class Step:
    """A count in a proof: a code with its sentence, and the facts to count again."""

    code: str
    facts: NamedFacts


@dataclass(frozen=True, slots=True)
class Witness:
    """What shows a verdict to be right: worlds in which the move is legal or not, facts, and a chain of counts.

    A world is JSON: `hands` by seat, other hidden places by name, and the facts of the table that were open.
    """

    seat: str = ""
    legal: JsonObject | None = None
    illegal: JsonObject | None = None
    changed: tuple[str, ...] = ()
    """Cards that change places between the two worlds."""
    facts: tuple[str, ...] = ()
    """Keys of the position that prove the verdict."""
    chain: tuple[Step, ...] = ()


def in_every_case(judge: Callable[..., Verdict], *facts: tuple[Missing, Sequence[object]]) -> Verdict:
    """Return the verdict where facts have several values: `judge` is called with one value of each, in order.

    The fewest facts are missing that tell cases with different verdicts apart. A move that is illegal in each case
    breaks what it breaks in all of them, or else in the first.
    """
    if max([len(values) for _, values in facts]) == 1:
        return judge(*[values[0] for _, values in facts])
    cases = {}
    for places in product(*(range(len(values)) for _, values in facts)):
        chosen = (values[place] for (_, values), place in zip(facts, places, strict=True))
        cases[places] = judge(*chosen)
    first, *others = cases.values()
    grounds = tuple([ground for verdict in cases.values() for ground in verdict.grounds])
    if all(verdict.value == ILLEGAL for verdict in cases.values()):
        shared = tuple([breach for breach in first.breaches if all(breach in verdict.breaches for verdict in others)])
        return Verdict(shared or min((verdict.breaches for verdict in cases.values()), key=len), grounds=grounds)
    needed = next(
        chosen
        for size in range(len(facts) + 1)
        for chosen in combinations(range(len(facts)), size)
        if _separates(cases, chosen)
    )
    if not needed:
        return replace(first, grounds=grounds)
    lacking = [facts[place][0] for place in needed]
    for verdict in cases.values():
        lacking += [one for one in verdict.missing if one not in lacking]
    effects = [verdict.effect for verdict in cases.values() if verdict.value != ILLEGAL]
    effect = effects[0] if effects.count(effects[0]) == len(effects) else {}
    return Verdict(missing=tuple(lacking), effect=effect, grounds=grounds)


def _separates(cases: Mapping[tuple[int, ...], Verdict], facts: Sequence[int]) -> bool:
    """Return whether cases with the same values of these facts, given by index, have the same verdict."""
    known: dict[tuple[int, ...], object] = {}
    return all(
        known.setdefault(tuple([places[fact] for fact in facts]), (verdict.value, verdict.missing))
        == (verdict.value, verdict.missing)
        for places, verdict in cases.items()
    )


class Ruling:
    """Collects everything that a judge finds about one move; each finding is recorded once.

    With `allow_once` an article that allows the move is recorded only with the facts that came first. `case` describes
    the facts of the table under which the move is judged.
    """

    __slots__ = ("_allow_once", "because", "breaches", "case", "effect", "missing", "questions")

    def __init__(self, *, allow_once: bool = False, case: object = None) -> None:
        self._allow_once, self.case = allow_once, case
        self.breaches: list[Breach] = []
        self.missing: list[Missing] = []
        self.because: list[Because] = []
        self.effect: dict[str, object] = {}
        self.questions: list[Question] = []

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

    def ask(self, claim: Claim, article: Article, code: str) -> None:
        """Record the claim about hidden cards that decides whether an article is broken."""
        self.questions.append(Question(claim, article, code))

    def verdict(self) -> Verdict:
        """Return the verdict; only a legal one has `because` and `effect`, only an undecided one missing facts."""
        grounds = (Ground(self.case, tuple(self.questions), tuple(self.breaches)),) if self.case else ()
        if self.legal:
            return Verdict(because=tuple(self.because), effect=self.effect, grounds=grounds)
        return Verdict(tuple(self.breaches), () if self.breaches else tuple(self.missing), grounds=grounds)


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
        case AllOf(claims) | AnyOf(claims):
            return type(claim)(tuple([less(one, place, cards, count) for one in claims]))
        case AtLeast(name, kinds, bound) | AtMost(name, kinds, bound) if name == place and kinds & cards:
            return type(claim)(name, kinds, bound - count)
        case _:
            return claim


@dataclass(frozen=True, slots=True)
class Cut:
    """The inequality for which no world exists: a group of places, and the hidden cards that they must have.

    With `need`, fewer cards fit in the group than it holds at least; otherwise more cards fit nowhere else than it
    holds at most. A place that is named twice has a part reserved for some of the cards.
    """

    places: tuple[str, ...]
    cards: int
    count: int
    """How many hidden cards these are; negative where a single place is too small for what it must hold."""
    seats: int
    need: bool


World = Mapping[str, tuple[int, ...]]
"""The hidden cards by the names of their places, each card as the bit of its kind."""

_FEW: Final = 16
"""Hidden cards up to which every kind may matter; among more, only those that a claim or a condition names."""
_MOST_STEPS: Final = 8_000
"""Layouts that one search for the fewest facts tries, half a second of them: a claim can have thousands of them."""
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

    @cached_property
    def consistent(self) -> bool:
        """Whether any world agrees with what is known."""
        return self._satisfiable(self.conditions)

    def possible(self, claim: Claim) -> bool:
        """Return whether the claim is true in at least one world."""
        return self._satisfiable((*self.conditions, claim))

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

    def world(self, claim: Claim = TRUE, like: World | None = None) -> World | tuple[Cut, ...]:
        """Return a world where the claim is true, or a cut for each alternative of the claim where there is none.

        The search starts from the world `like`, so that few cards have another place than in it.
        """
        bits = {kind: tuple(_singles(cards)) for kind, cards in self._copies} if self.copies else {}
        free = {kind: iter(cards) for kind, cards in bits.items()}
        prefer = {
            next(free.get(kind, iter(())), 0) if self.copies else kind: self._index[place]
            for place, kinds in (like or {}).items() if place in self._index for kind in kinds
        }  # fmt: skip
        kind_of = {card: kind for kind, cards in bits.items() for card in cards}
        cuts = dict[Cut, None]()
        for bounds in self._alternatives((*self.conditions, claim), ()):
            for seats in self._layouts(bounds):
                owner = _seated(self._deck, seats, prefer)
                if isinstance(owner, dict):
                    held: dict[str, list[int]] = {place.name: [] for place in self.places}
                    for card in sorted(owner):
                        held[self.places[seats[owner[card]][3]].name].append(kind_of.get(card, card))
                    return {name: tuple(cards) for name, cards in held.items()}
                group, cards, count, least, need = owner
                rest = tuple([at for at in range(len(seats)) if at not in group])
                others = self._deck & ~cards
                full = all(low == high for low, high, _, _ in seats)
                total = sum([low for low, _, _, _ in seats])
                if full and total == self._deck.bit_count() and others.bit_count() < count:
                    # Full places say the same of the others: the shorter side is named.
                    group, cards, count, least, need = rest, others, others.bit_count(), total - least, not need
                kinds = sum({kind_of[card] for card in _singles(cards)}) if kind_of else cards
                cuts[Cut(tuple([self.places[seats[at][3]].name for at in group]), kinds, count, least, need)] = None
        return tuple(cuts)

    def smallest(
        self,
        ranges: Sequence[_Range],
        facts: Mapping[_F, Iterable[str]],
        *,
        kinds: Sequence[int],
        sizes: Collection[str] = (),
        enough: bool = False,
    ) -> tuple[_F, ...] | None:
        """Return the fewest facts that decide every range in every world, the first such in their order.

        None where not even all of them do, and where the search would take too long. Each fact says how many cards of
        each of `kinds` are in some places; of the places in `sizes` it only says how many there are. Where all of them
        are known to be `enough`, that takes no search, and None says that no fewer do.
        """
        steps = iter(range(_MOST_STEPS))
        for size in range(len(facts) + (not enough)):
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
        if not all(self._satisfiable((*self.conditions, one), steps) for one in (negation(claims[0]), claims[1])):
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

    def _satisfiable(self, claims: Sequence[Claim], steps: Iterable[object] = repeat(None)) -> bool:
        """Return whether a world makes all claims true: alternatives are tried one after another.

        True, too, where no steps are left.
        """
        steps = iter(steps)
        for alternative in self._alternatives(claims, ()):
            for seats in self._layouts(alternative):
                if next(steps, self) is self or _fits(self._deck, seats):
                    return True
        return False

    def _alternatives(self, claims: Sequence[Claim], bounds: tuple[_Bound, ...]) -> Iterator[tuple[_Bound, ...]]:
        """Yield the bounds of every alternative of some claims."""
        if not claims:
            yield bounds
            return
        first, rest = claims[0], claims[1:]
        if isinstance(first, AllOf):
            yield from self._alternatives((*first.claims, *rest), bounds)
        elif isinstance(first, AnyOf):
            for part in first.claims:
                yield from self._alternatives((part, *rest), bounds)
        else:
            yield from self._alternatives(rest, (*bounds, first))

    def _layouts(self, bounds: tuple[_Bound, ...]) -> Iterable[list[_Seats]]:
        """Return all seats that satisfy every bound; none where a bound allows no world."""
        seats = list(self._seats)
        needs: dict[int, list[_Need]] = {}
        caps: dict[int, list[_Need]] = {}
        for bound in bounds:
            place, cards = self._index[bound.place], self._cards(bound.cards)
            if isinstance(bound, AtLeast):
                if bound.count > 0:
                    needs.setdefault(place, []).append((cards, bound.count))
            elif bound.count < 0:
                return ()
            elif bound.count == 0:
                least, most, may, _ = seats[place]
                seats[place] = (least, most, may & ~cards, place)
            else:
                caps.setdefault(place, []).append((cards, bound.count))
        return _layouts(self._deck, seats, needs, caps) if needs or caps else (seats,)

    @cached_property
    def _deck(self) -> int:
        """The hidden cards with one bit for each copy."""
        return self._cards(self.hidden)

    @cached_property
    def _seats(self) -> tuple[_Seats, ...]:
        return tuple((one.least, one.most, self._cards(one.may), at) for at, one in enumerate(self.places))

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


_Seats = tuple[int, int, int, int]
"""Some seats of a place: how many cards sit there at least and at most, which can, and the index of the place."""
_Need = tuple[int, int]
"""Cards, and how many of them: at least in a need, at most in a cap."""


def _layouts(
    deck: int, seats: list[_Seats], needs: Mapping[int, list[_Need]], caps: Mapping[int, list[_Need]]
) -> Iterator[list[_Seats]]:
    """Yield all ways to reserve seats so that each place meets its needs and stays within its caps."""
    if not needs and not caps:
        yield seats
        return
    needs = dict(needs)
    for place, its in caps.items():
        least, most, may, _ = seats[place]
        if least < most:
            # Only of a full number of cards does "at most two clubs" say how many are no clubs.
            for size in range(least, min(most, deck.bit_count()) + 1):
                yield from _layouts(deck, _with(seats, place, (size, size, may, place)), needs, caps)
            return
        needs[place] = needs.get(place, []) + [(deck & ~cards, most - count) for cards, count in its if most > count]
    for chosen in product(*[list(_apart(its)) for its in needs.values()]):
        yield _reserved(seats, dict(zip(needs, chosen, strict=True)))


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
        least, most, may, _ = seats[place]
        reserved = 0
        for cards, count in its:
            result.append((count, count, may & cards, place))
            reserved += count
        result[place] = (max(least - reserved, 0), most - reserved, may, place)
    return result


def _fits(deck: int, seats: list[_Seats]) -> bool:
    """Return whether every card of the deck finds a seat and no seat that must be taken stays empty."""
    alike: dict[int, tuple[int, int]] = {}  # seats for the same cards are one group
    for least, most, may, _ in seats:
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


def _seated(deck: int, seats: Sequence[_Seats], prefer: Mapping[int, int]) -> dict[int, int] | _Group:
    """Return the seats, by index, where the cards of a deck sit, or the group of seats for which it is impossible.

    First every seat that must be taken gets a card, then every card a seat, others moving along chains where they must.
    `prefer` has the places where cards should stay.
    """
    for at, (least, most, _, _) in enumerate(seats):
        if most < least or most < 0:  # a place that is too small for what is reserved in it
            return (at,), 0, most - least, 0, True
    owner: dict[int, int] = {}
    load = [0] * len(seats)
    order = sorted(_singles(deck), key=_scattered)
    for card in order if prefer else ():
        for at in range(len(seats) - 1, -1, -1):  # reserved seats first
            if seats[at][3] == prefer.get(card) and seats[at][2] & card and load[at] < seats[at][1]:
                owner[card] = at
                load[at] += 1
                break
    for at in sorted(range(len(seats)), key=lambda at: (deck & seats[at][2]).bit_count()):
        least, _, may, _ = seats[at]
        if load[at] < least:
            taken = [card for card in order if card & may and card not in owner][: least - load[at]]
            owner.update(dict.fromkeys(taken, at))
            load[at] += len(taken)
        while load[at] < least:
            if group := _pull(at, deck, seats, owner, load):
                cards = deck & _union(seats, group)
                return group, cards, cards.bit_count(), sum([seats[one][0] for one in group]), True
    for card in order:
        if card not in owner and (full := _push(card, seats, owner, load)) is not None:
            cards = deck & ~_union(seats, [at for at in range(len(seats)) if at not in full])
            return full, cards, cards.bit_count(), sum([seats[at][1] for at in full]), False
    return owner


_Group = tuple[tuple[int, ...], int, int, int, bool]
"""Seats by index, the cards that they must have, how many these are, how many fit, and whether too few."""


def _union(seats: Sequence[_Seats], group: Iterable[int]) -> int:
    cards = 0
    for at in group:
        cards |= seats[at][2]
    return cards


def _pull(goal: int, deck: int, seats: Sequence[_Seats], owner: dict[int, int], load: list[int]) -> tuple[int, ...]:
    """Give a seat one more card, along a chain of seats; return the seats reached where there is none to be had."""
    came: dict[int, tuple[int, int]] = {}
    queue = [goal]
    for at in queue:
        for card in _singles(deck & seats[at][2]):
            other = owner.get(card)
            if other is not None:
                if other == goal or other in came:
                    continue
                came[other] = (at, card)
                if load[other] <= seats[other][0]:
                    queue.append(other)
                    continue
                load[other] -= 1
            while True:
                owner[card] = at
                if at == goal:
                    load[goal] += 1
                    return ()
                at, card = came[at]
    return tuple(queue)


def _push(card: int, seats: Sequence[_Seats], owner: dict[int, int], load: list[int]) -> tuple[int, ...] | None:
    """Find a seat for a card, others moving along a chain; return the full seats reached where there is none."""
    came = {at: (-1, card) for at in range(len(seats)) if seats[at][2] & card}
    queue = list(came)
    for at in queue:
        if load[at] < seats[at][1]:
            load[at] += 1
            while at >= 0:
                before, moved = came[at]
                owner[moved] = at
                at = before
            return None
        for each in [one for one, seat in owner.items() if seat == at]:
            for other in range(len(seats)):
                if other not in came and seats[other][2] & each:
                    came[other] = (at, each)
                    queue.append(other)
    return tuple(queue)


def _scattered(card: int) -> int:
    """Order cards as if they were shuffled, so that hands of a world are not all of one suit."""
    return card.bit_length() * 37 % 61


def _singles(cards: int) -> Iterator[int]:
    """Yield the single bits of some cards, the lowest first."""
    while cards:
        yield cards & -cards
        cards &= cards - 1
