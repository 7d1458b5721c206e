"""What the judge finds about one move: articles broken for certain, and those that hidden cards decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine import verdict as v
from companion.engine.articles import Article
from companion.engine.verdict import FALSE, TRUE, AllOf, AnyOf, Claim, Knowledge, negation
from companion.games.spite_and_malice import hidden

Facts = tuple[str, ...]
"""Facts that would decide, by the names of `missing`."""
_PLACES: Final = {
    "hand": hidden.HAND, "payoff": hidden.PAYOFF, "partner_payoff": hidden.PARTNER_PAYOFF,
    "side_stacks": hidden.SIDES, "partner_side_stacks": hidden.PARTNER_SIDES,
}  # fmt: skip
"""The hidden place that each fact shows."""
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
        if live:
            self._lack(known, live)

    def _lack(self, known: Knowledge, live: Sequence[tuple[Condition, bool | None]]) -> None:
        """Record the fewest facts that decide what is open: with facts of the table among them, or without."""
        asked = dict.fromkeys(fact for one, broken in live if not broken for fact in one.asks)
        table = dict.fromkeys(fact for one, _ in live for fact in one.table)
        wanted = {*asked, *table}
        if len(wanted) > 1 and known.consistent:
            wanted = _fewest(known, live, {fact: (_PLACES[fact],) for fact in asked}, table) or wanted
        for one, broken in live:
            for fact in (*one.table, *(() if broken else one.asks)):
                if fact in wanted:
                    self.lack(fact, one.article, self.seat if fact == "hand" else None)


def _fewest(
    known: Knowledge,
    live: Sequence[tuple[Condition, bool | None]],
    facts: Mapping[str, tuple[str, ...]],
    table: Iterable[str],
) -> set[str] | None:
    """Return the fewest of these facts and of those of the table that decide what is open."""
    sure = tuple(one.broken for one, _ in live if not one.table)
    perhaps = [one.broken for one, _ in live if one.table]
    most = AnyOf((*sure, *perhaps))
    alone = known.smallest([(AnyOf(sure), most)], facts, kinds=hidden.RANK)
    if not perhaps:
        return None if alone is None else set(alone)
    exact = [AnyOf(sure), most, *(AnyOf((*sure, one)) for one in perhaps)]
    with_table = known.smallest([(claim, claim) for claim in exact], facts, kinds=hidden.RANK)
    found = [set(alone)] if alone is not None else []
    if with_table is not None:
        found.append({*with_table, *table})
    return min(found, key=len, default=None)


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
