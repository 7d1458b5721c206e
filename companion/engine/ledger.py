"""Lines and ledgers: every total is the sum of lines that cite an article."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from companion.engine.problems import NamedFacts, Problem, Refused

R = TypeVar("R", contravariant=True)
F = TypeVar("F", contravariant=True)
F_co = TypeVar("F_co", covariant=True)

_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Side:
    """Who scores together: an id and the players, which may be unknown."""

    id: str
    players: tuple[str, ...] = ()


def side_id(players: Iterable[str]) -> str:
    """Return the id of a side by its players: `A+C`. Never split it: an id of a player may have a plus sign."""
    return "+".join(players)


def team_name(names: Iterable[str]) -> str:
    """Return the names of those who score together in one: `Aki & Chika`, or `あき・ちか` where one is Japanese."""
    players = tuple(names)
    return ("・" if any(map(_JAPANESE.search, players)) else " & ").join(players)


@dataclass(frozen=True, slots=True)
class Line:
    """Points (or a tally alone, then 0) with the article that gave them and the facts that it counted."""

    article: str
    points: int
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """A side's total in points, and its tallies, such as bags."""

    total: int = 0
    tallies: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side's lines of one deal, and its standing after the deal."""

    lines: tuple[Line, ...]
    standing: Standing

    @property
    def points(self) -> int:
        """Return the sum of the lines."""
        return sum([line.points for line in self.lines])


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points given or taken by agreement, with the reason."""

    side: str
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """A problem that is recorded anyway, with the reason."""

    code: str
    reason: str


class Deal(NamedTuple, Generic[F_co]):
    """One deal as entered: the game's own facts (none when void), adjustments, and problems accepted."""

    facts: F_co | None
    adjustments: tuple[Adjustment, ...] = ()
    accepted: tuple[Accepted, ...] = ()

    @property
    def void(self) -> bool:
        """Return whether the deal counts for nothing, such as a misdeal."""
        return self.facts is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the game is over, who won, and the article that ended it."""

    over: bool = False
    winners: tuple[str, ...] = ()
    reason: str | None = None
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Warned:
    """A problem that did not stop the deal: accepted with a reason, or only a hint (no reason)."""

    problem: Problem
    reason: str | None = None


NOT_SEEN = ""
"""The reason of a problem that nobody accepted: it arose when an earlier deal was corrected, and is only shown."""
SCORED, VOID, AFTER_END = "scored", "void", "after-end"


@dataclass(frozen=True, slots=True)
class DealScore:
    """One scored deal: each side's score, the warnings, and whether it counts."""

    sides: Mapping[str, SideScore]
    warnings: tuple[Warned, ...] = ()
    status: str = SCORED


@dataclass(frozen=True, slots=True)
class Ledger:
    """All scored deals of a game in order, the standing of every side, and the outcome."""

    deals: tuple[DealScore, ...]
    standing: Mapping[str, Standing]
    outcome: Outcome

    def until(self, deals: int) -> Ledger | None:
        """Return the ledger of the first deals of this game; None if that does not follow from this one."""
        if deals == len(self.deals):
            return self
        if self.outcome.over or not deals:
            return None
        kept = self.deals[:deals]
        return Ledger(kept, {side: score.standing for side, score in kept[-1].sides.items()}, Outcome())


@dataclass(frozen=True, slots=True)
class Before:
    """What a deal is scored against: every side's standing before it, and the number of deals scored so far."""

    standing: Mapping[str, Standing]
    scored: int = 0
    carried_over: bool = False


class Scorer(Protocol[R, F]):
    """The scoring of one game, implemented by its package."""

    game: str

    def check(self, rules: R, sides: Sequence[Side], facts: F, before: Before) -> Iterable[Problem]:
        """Yield every problem of these facts, pointers relative to the deal."""

    def score(self, rules: R, sides: Sequence[Side], facts: F, before: Before) -> Mapping[str, SideScore]:
        """Return each side's lines and its standing after them."""

    def outcome(
        self, rules: R, facts: F | None, standing: Mapping[str, Standing], deals: int, *, carried_over: bool = False
    ) -> Outcome:
        """Return the outcome after a deal; `deals` counts the scored ones, those before an opening left aside."""


def keep_ledger(
    scorer: Scorer[R, F],
    rules: R,
    sides: Sequence[Side],
    deals: Sequence[Deal[F]],
    *,
    opening: Mapping[str, Standing] | None = None,
    tallies: Sequence[str] = (),
    changes: Mapping[int, tuple[R, Sequence[str]]] | None = None,
    after_end: str = "refuse",
    lenient: bool = False,
    strict: int | None = None,
    earlier: Ledger | None = None,
) -> Ledger:
    """Return the ledger of a game from its facts.

    `changes` gives, by the place of a deal, the rules (with the names of their tallies) that hold from that deal on.
    With `lenient`, problems that may be accepted are only shown, with `NOT_SEEN` as their reason, except in the deal
    at the place `strict`. With `earlier`, the ledger of the first deals of the game, `deals` are those after them and
    `rules` those of the last of them.

    Raises Refused with every problem of the first deal that has one. A deal after the end of the game is a problem
    (`game-over`) unless `after_end` is `"mark"`: then it stays, unscored.
    """
    if earlier is None:
        nothing = dict.fromkeys(tallies, 0)
        standing: Mapping[str, Standing] = {side.id: Standing(0, nothing) for side in sides} | dict(opening or {})
        earlier = Ledger((), standing, Outcome())
    standing, outcome, entries = earlier.standing, earlier.outcome, list(earlier.deals)
    scored = [deal.status for deal in entries].count(SCORED)
    for place, deal in enumerate(deals, start=len(entries)):
        if changes and place in changes:
            rules, names = changes[place]
            standing = {
                side: Standing(stood.total, {name: stood.tallies.get(name, 0) for name in names})
                for side, stood in standing.items()
            }
        if outcome.over:
            if after_end != "mark":
                raise Refused(
                    [Problem(("deals", place), "game-over", {"winners": list(outcome.winners)}, outcome.reason)]
                )
            entries.append(_unscored(standing, AFTER_END))
            continue
        if deal.facts is None:
            entries.append(_void(standing, deal.adjustments, scorer.game))
            standing = {side: score.standing for side, score in entries[-1].sides.items()}
            continue
        before = Before(standing, scored, bool(opening))
        problems = scorer.check(rules, sides, deal.facts, before)
        warnings = _accept(problems, deal.accepted, place, lenient=lenient and place != strict)
        by_side = dict(scorer.score(rules, sides, deal.facts, before))
        _adjust(by_side, deal.adjustments, scorer.game)
        standing = {side: score.standing for side, score in by_side.items()}
        scored += 1
        outcome = scorer.outcome(rules, deal.facts, standing, scored, carried_over=bool(opening))
        entries.append(DealScore(by_side, warnings))
    return Ledger(tuple(entries), standing, outcome)


def _unscored(standing: Mapping[str, Standing], status: str) -> DealScore:
    return DealScore({side: SideScore((), at) for side, at in standing.items()}, status=status)


def _void(standing: Mapping[str, Standing], adjustments: Iterable[Adjustment], game: str) -> DealScore:
    """Return a deal that counts for nothing but what the table gave or took beside it."""
    by_side = {side: SideScore((), at) for side, at in standing.items()}
    _adjust(by_side, adjustments, game)
    return DealScore(by_side, status=VOID)


def _adjust(by_side: dict[str, SideScore], adjustments: Iterable[Adjustment], game: str) -> None:
    """Add what the table gave or took to the scores of a deal."""
    for adjustment in adjustments:
        by_side[adjustment.side] = _adjusted(by_side[adjustment.side], adjustment, adjustment_article(game))


def adjustment_article(game: str) -> str:
    """Return the article of the lines that the table gave or took, the same for every game."""
    return f"{game}.adjustment"


def _adjusted(score: SideScore, adjustment: Adjustment, article: str) -> SideScore:
    line = Line(article, adjustment.points, {"reason": adjustment.reason})
    after = Standing(score.standing.total + adjustment.points, score.standing.tallies)
    return SideScore((*score.lines, line), after)


def _accept(
    problems: Iterable[Problem], accepted: Sequence[Accepted], place: int, *, lenient: bool
) -> tuple[Warned, ...]:
    problems = list(problems)
    if not problems:
        return ()
    reasons = {item.code: item.reason for item in accepted}
    warnings, left = [], []
    for problem in problems:
        at = replace(problem, pointer=("deals", place, *problem.pointer))
        if problem.warning:
            warnings.append(Warned(at))
        elif problem.acceptable and problem.code in reasons:
            warnings.append(Warned(at, reasons[problem.code]))
        else:
            warnings.append(Warned(at, NOT_SEEN))
            left.append(at)
    if left and not (lenient and all(problem.acceptable for problem in left)):
        raise Refused(left)
    return tuple(warnings)
