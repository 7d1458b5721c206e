"""What a game says about itself as plain data: seatings, paper columns, essential articles, fixes, attempts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine.ledger import Side, side_id
from companion.engine.problems import Problem
from companion.engine.reading import JsonObject

"""A decoded JSON object."""
Rules = Any
"""The options of a game: an instance of the game's own class."""
Facts = Any
"""The facts of a deal: an instance of the game's own class."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A way to sit down: how many players, and how many of them score together (partners sit evenly spaced)."""

    players: int
    side_players: int = 1

    @property
    def side_count(self) -> int:
        """How many sides there are."""
        return self.players // self.side_players

    def sides(self, seats: Sequence[str]) -> tuple[Side, ...]:
        """Return the sides of these seats, given clockwise. Partners' seat ids are joined by `+`."""
        count = self.side_count
        groups = [tuple(seats[first::count]) for first in range(count)]
        return tuple(Side(side_id(group), group) for group in groups)


def always(rules: Rules) -> bool:
    """Return True whatever the rules."""
    return True


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a paper score sheet. Its heading is the phrase `print.<name>`."""

    name: str
    used: Callable[[Rules], bool] = always
    """Whether the rules need the column."""


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """Columns that a deal has once, and columns that it has for each side."""

    shared: tuple[Column, ...] = ()
    each: tuple[Column, ...] = (Column("points"), Column("total"))

    def under(self, rules: Rules) -> PaperSheet:
        """Return the columns that these rules need."""
        return PaperSheet(
            tuple(column for column in self.shared if column.used(rules)),
            tuple(column for column in self.each if column.used(rules)),
        )


@dataclass(frozen=True, slots=True)
class Essentials:
    """What a one-page summary holds: the section that opens with the table of scores, and articles by anchor."""

    scores: str = ""
    articles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One answer to what is agreed before the first deal, with the options that it sets (as JSON)."""

    id: str
    options: JsonObject


@dataclass(frozen=True, slots=True)
class Agreement:
    """What people settle in words before the first deal, since it differs most from table to table.

    Its words are the phrases `agree.<id>.question` and, for each offer, `agree.<id>.<offer>` with an example in
    `agree.<id>.<offer>-example`.
    """

    id: str
    offers: tuple[Offer, ...]
    usual: str = ""
    """The offer that is filled in where nobody has chosen any rules; empty for that of the preset."""
    asked: Callable[[Rules], bool] = always
    """Whether the rules leave it open."""
    length: bool = False
    """Whether it says how long a game lasts: one that is over can go on under a longer one."""


@dataclass(frozen=True, slots=True)
class Fix:
    """An answer to one of the keeper's questions that would fix a problem, and the side it is about (by id)."""

    question: str
    value: str
    side: str


@dataclass(frozen=True, slots=True)
class Fixes:
    """How a keeper can fix an entry, by problem code. Question ids are those of the game's entry."""

    counts: Mapping[str, str] = field(default_factory=dict)
    """Counts that do not add up: the prefix of each side's question; the place of the side follows."""
    holders: Mapping[str, str] = field(default_factory=dict)
    """A card that exactly one side has: the question that names the side."""
    suspects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Prefixes of the questions of which one answer could be wrong."""
    other_suspects: tuple[str, ...] = ()
    """The same for every problem that is not listed above."""
    shared: frozenset[str] = frozenset()
    """Problems that concern the answers of every side, whichever side they name."""
    own: Mapping[str, Callable[[JsonObject, Sequence[Side]], Iterable[Fix]]] = field(default_factory=dict)
    """Fixes that only the game can work out from the facts of the deal, by the side that a problem names."""

    def answers(self, problem: Problem, facts: JsonObject, sides: Sequence[Side]) -> Iterator[Fix] | None:
        """Return the answers that would each fix a problem; None where answers have to be checked one by one."""
        if problem.code in self.counts:
            return self._recounted(problem, sides)
        if problem.code in self.holders:
            return self._held(problem, sides)
        own = self.own.get(problem.facts.get("side", ""))
        return iter(own(facts, sides)) if own else None

    def suspect(self, problem: Problem, question: str, side: str) -> bool:
        """Return whether the answer to a question could be the wrong one; `side` is the side it is about, if any."""
        concerned = "" if problem.code in self.shared else problem.facts.get("side", "")
        if concerned and side not in ("", concerned):
            return False
        return question.startswith(self.suspects.get(problem.code, self.other_suspects))

    def _recounted(self, problem: Problem, sides: Sequence[Side]) -> Iterator[Fix]:
        """Yield each side's count as it would be if the other counts are right."""
        counts, difference = problem.facts.get("counts"), problem.facts.get("difference")
        if not isinstance(counts, Mapping) or not isinstance(difference, int):
            return
        for place, side in enumerate(sides):
            value = counts.get(side.id, 0) + difference
            if value >= 0:
                yield Fix(f"{self.counts[problem.code]}{place}", str(value), side.id)

    def _held(self, problem: Problem, sides: Sequence[Side]) -> Iterator[Fix]:
        """Yield the other sides that could have the card."""
        for place, side in enumerate(sides):
            if side.id != problem.facts.get("side"):
                yield Fix(self.holders[problem.code], str(place), side.id)


def clockwise(options: JsonObject, seating: Sequence[str], dealer: str) -> str:
    """Return the seat at the dealer's left. Seats are listed clockwise."""
    return seating[(seating.index(dealer) + 1) % len(seating)]
