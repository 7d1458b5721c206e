"""What the judge finds about one move: articles broken for certain, and those that hidden cards decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from companion.engine import verdict as v
from companion.engine.articles import Article
from companion.engine.knowledge import FALSE, TRUE, AllOf, Claim, Knowledge, negation

Facts = tuple[str, ...]
"""Facts that would decide, by the names of `missing`."""
Maker = Callable[[], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Condition:
    """An article that is broken in exactly the worlds where a claim about hidden cards is true.

    With `table`, facts of the table are unknown as well: then it is broken at most in these worlds.
    """

    broken: Claim
    article: Article
    code: str
    facts: Mapping[str, object]
    asks: Facts
    table: Facts = ()


class Ruling(v.Ruling):
    """Collects breaches, conditions and what is missing; the effect of a legal move is worked out when it is read."""

    __slots__ = ("_conditions", "_effects", "_known", "seat")

    def __init__(self, seat: str, known: Callable[[], Knowledge]) -> None:
        """`seat` is whose hand `hand` asks for; `known` returns what is known of the hidden cards."""
        super().__init__()
        self.seat = seat
        self._known = known
        self._conditions: list[Condition] = []
        self._effects: list[Maker] = []

    def breach_if(
        self, claim: Claim, article: Article, code: str, asks: Facts, /, table: Facts = (), **facts: object
    ) -> None:
        """Record an article that is broken in the worlds where a claim is true; `asks` are the facts that decide.

        With `table` it is only broken there if these unknown facts of the table are such, too.
        """
        if claim == FALSE:
            return
        if claim != TRUE or table:
            self._conditions.append(Condition(claim, article, code, facts, asks, table))
        else:
            self.breach(article, code, **facts)

    def then(self, effect: Maker) -> None:
        """Record a part of what a legal move changes."""
        self._effects.append(effect)

    def verdict(self) -> v.Verdict:
        """Return the verdict: illegal if every world breaks an article, legal if none does and nothing is missing."""
        if self._conditions:
            self._decide()
        if self.breaches:
            return v.Verdict(tuple(self.breaches))
        if self.missing:
            return v.Verdict(missing=tuple(self.missing))
        return v.Verdict(because=tuple(self.because), effect=Effect(self._effects))

    def _decide(self) -> None:
        known, live = self._known(), []
        for one in self._conditions:
            # A record may contradict itself, which is another finding; nothing follows from such cards.
            broken = True if one.broken == TRUE else known.decide(one.broken) if known.consistent else None
            if broken and not one.table:
                self.breach(one.article, one.code, **one.facts)
            elif broken is not False:
                live.append((one, broken))
        if self.breaches:
            return
        sure = [one for one, _ in live if not one.table]
        if len(sure) > 1 and not known.possible(AllOf(tuple(negation(one.broken) for one in sure))):
            for one in sure:  # none of them in every world, but always one
                self.breach(one.article, "either-way")
            return
        for one, broken in live:
            for fact in (*one.table, *(() if broken else one.asks)):
                self.lack(fact, one.article, self.seat if fact == "hand" else None)


class Effect(Mapping[str, object]):
    """What a legal move changes, worked out when somebody reads it."""

    __slots__ = ("_made", "_makers")

    def __init__(self, makers: list[Maker]) -> None:
        self._makers = makers
        self._made: dict[str, object] | None = None

    def __getitem__(self, key: str) -> object:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self._read())

    def _read(self) -> dict[str, object]:
        if self._made is None:
            self._made = {}
            for make in self._makers:
                self._made.update(make())
        return self._made
