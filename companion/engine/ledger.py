"""Sides, deals, lines and ledgers: every total is the sum of lines that cite an article."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any, Final, Generic, NamedTuple, Protocol, TypeVar, Unpack, cast

from companion.engine import shapes as s
from companion.engine.problems import JsonObject, NamedFacts, Problem, Refused

_R = TypeVar("_R", contravariant=True)
_F = TypeVar("_F", contravariant=True)
_F_co = TypeVar("_F_co", covariant=True)
_T = TypeVar("_T")

_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Side:
    """A side with the names of its players, which may be unknown."""

    id: Annotated[str, s.Name("The key of the side in every deal.", example="NS")]
    players: Annotated[tuple[str, ...], s.ListOf(s.Name(), "Who plays for it, in the order of the seats.", most=4)] = ()


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
    """Points that the table itself gives or takes."""

    side: Annotated[str, s.SideId("Who gets them.")]
    points: Annotated[int, s.Points("Below 0 where they are taken.")]
    reason: Annotated[str, s.Text("Written down as given.", most=200)]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A problem that is recorded anyway."""

    code: Annotated[str, s.Text("The code of the problem, as it was answered.", most=60)]
    reason: Annotated[str, s.Text("Written down as given.", most=200)]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that went wrong in a deal; what was corrected in time is kept and changes nothing (IRR-0)."""

    kind: Annotated[str, s.Word(attrgetter("irregular"), "What went wrong, one of the kinds of the game.")]
    by: Annotated[str, s.Word(attrgetter("people"), "The player, or the whole side.", code="unknown-player")]
    trick: Annotated[
        int | None,
        s.Count("In which trick, where the game has tricks.", low=1, high=attrgetter("tricks"), unit="tricks"),
    ] = None
    corrected: Annotated[bool, s.Flag("Whether it was taken back in time.")] = False
    note: Annotated[str, s.Text("Written down as given.", most=200)] = ""
    side: str = ""
    """The side of whoever did it."""

    @staticmethod
    def build_read(data: s.Attributes, deal: DealContext) -> Irregularity:
        """Return the irregularity with its side."""
        side = next(side.id for side in deal.all_sides if data["by"] in (side.id, *side.players))
        return Irregularity(**data, side=side)


class Deal(NamedTuple, Generic[_F_co]):
    """One deal as entered: the game's own facts (none when void), adjustments, problems accepted, what went wrong."""

    facts: _F_co | None
    adjustments: tuple[Adjustment, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()

    @property
    def void(self) -> bool:
        """Return whether the deal counts for nothing, such as a misdeal."""
        return self.facts is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the game is over, who won, and the article that ended it, or lets it go on after a tie."""

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
MISDEAL: Final = "misdeal"
"""The kind of irregularity of a deal that was dealt wrongly: it is void."""


@dataclass(frozen=True, slots=True)
class DealScore:
    """One scored deal: each side's score, the warnings, and whether it counts."""

    sides: Mapping[str, SideScore]
    warnings: tuple[Warned, ...] = ()
    status: str = SCORED
    irregularities: tuple[Irregularity, ...] = ()
    time_up: bool = False
    """Whether the time was up by the end of the deal, so that none follows but for a tie."""
    outcome: Outcome = field(default=Outcome(), compare=False)
    """How the game went on after the deal."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All scored deals of a game in order, the standing of every side, and the outcome."""

    deals: tuple[DealScore, ...]
    standing: Mapping[str, Standing]
    outcome: Outcome

    def until(self, deals: int) -> Ledger | None:
        """Return the ledger of the first deals of this game; None before the first, which does not follow from this."""
        if deals == len(self.deals):
            return self
        if not deals:
            return None
        kept = self.deals[:deals]
        return Ledger(kept, {side: score.standing for side, score in kept[-1].sides.items()}, kept[-1].outcome)


@dataclass(frozen=True, slots=True)
class Before:
    """What a deal is scored against: every side's standing before it, the number of deals scored so far, mishaps."""

    standing: Mapping[str, Standing]
    scored: int = 0
    carried_over: bool = False
    irregularities: tuple[Irregularity, ...] = ()
    """What went wrong in this deal."""
    earlier: tuple[Irregularity, ...] = ()
    """What went wrong in the scored deals before it."""
    outcome: Outcome = Outcome()
    """How the game went on after the deal before it."""
    time_up: bool = False
    """Whether the time is up by the end of this deal."""
    adjustments: tuple[Adjustment, ...] = ()
    """What the table gives or takes beside this deal."""


class Scorer(Protocol[_R, _F]):
    """The scoring of one game, implemented by its package."""

    game: str

    def check(self, rules: _R, sides: Sequence[Side], facts: _F, before: Before) -> Iterable[Problem]:
        """Yield every problem of these facts, pointers relative to the deal."""

    def score(self, rules: _R, sides: Sequence[Side], facts: _F, before: Before) -> Mapping[str, SideScore]:
        """Return each side's lines and its standing after them."""

    def outcome(self, rules: _R, facts: _F | None, standing: Mapping[str, Standing], before: Before) -> Outcome:
        """Return the outcome after a deal, from every side's standing after it.

        Without facts it is that of an opening, or of a void deal beside which the table gave or took points.
        """


def keep_ledger(
    scorer: Scorer[_R, _F],
    rules: _R,
    sides: Sequence[Side],
    deals: Sequence[Deal[_F]],
    *,
    opening: Mapping[str, Standing] | None = None,
    tallies: Sequence[str] = (),
    changes: Mapping[int, tuple[_R, Sequence[str]]] | None = None,
    after_end: str = "refuse",
    lenient: bool = False,
    strict: int | None = None,
    earlier: Ledger | None = None,
) -> Ledger:
    """Return the ledger of a game from its facts.

    `changes` gives, by the place of a deal, the rules (with the names of their tallies) that hold from that deal on,
    in order. Those after the last scored deal end the game where the totals are an end by them.
    With `lenient`, problems that may be accepted are only shown, with `NOT_SEEN` as their reason, except in the deal
    at the place `strict`. With `earlier`, the ledger of the first deals of the game, `deals` are those after them and
    `rules` those of the last of them.

    Raises Refused with every problem of the first deal that has one. A deal after the end of the game is a problem
    (`game-over`) unless `after_end` is `"mark"`: then it stays, unscored.
    """
    if earlier is None:
        nothing = dict.fromkeys(tallies, 0)
        standing: Mapping[str, Standing] = {side.id: Standing(0, nothing) for side in sides} | dict(opening or {})
        begun = _without_deal(scorer, rules, Before(standing, 0, carried_over=True)) if opening else Outcome()
        earlier = Ledger((), standing, Outcome() if begun.over else begun)
    standing, entries, changes = earlier.standing, list(earlier.deals), changes or {}
    outcome = entries[-1].outcome if entries else earlier.outcome
    earlier_deals = [deal for deal in entries if deal.status == SCORED]
    scored, happened = len(earlier_deals), [one for deal in earlier_deals for one in deal.irregularities]
    time_up = any(deal.time_up for deal in earlier_deals)

    def undealt(rules: _R) -> Outcome:
        return _without_deal(scorer, rules, Before(standing, scored, bool(opening), outcome=outcome, time_up=time_up))

    for place, deal in enumerate(deals, start=len(entries)):
        if place in changes:
            rules, names = changes[place]
            standing = {
                side: Standing(stood.total, {name: stood.tallies.get(name, 0) for name in names})
                for side, stood in standing.items()
            }
        if outcome.over or deal.facts is None:
            if outcome.over and after_end != "mark":
                raise Refused(
                    [Problem(("deals", place), "game-over", {"winners": list(outcome.winners)}, outcome.reason)]
                )
            by_side, status = {side: SideScore((), at) for side, at in standing.items()}, VOID
            if outcome.over:
                status = AFTER_END
            elif deal.adjustments:
                standing = _adjust(by_side, deal.adjustments, scorer.game)
                outcome = undealt(rules)
            entries.append(DealScore(by_side, status=status, outcome=outcome))
            continue
        time_up = time_up or getattr(deal.facts, "time_up", False)
        before = Before(
            standing, scored, bool(opening), deal.irregularities, tuple(happened), outcome, time_up, deal.adjustments
        )
        problems = scorer.check(rules, sides, deal.facts, before)
        warnings = _accept(problems, deal.accepted, place, lenient=lenient and place != strict)
        by_side = dict(scorer.score(rules, sides, deal.facts, before))
        standing = _adjust(by_side, deal.adjustments, scorer.game)
        outcome = scorer.outcome(rules, deal.facts, standing, before)
        scored += 1
        happened += deal.irregularities
        entries.append(DealScore(by_side, warnings, SCORED, deal.irregularities, time_up, outcome))
    newest = max(changes, default=0)
    if newest and scored and not outcome.over and all(deal.status != SCORED for deal in entries[newest:]):
        outcome = undealt(changes[newest][0])
    return Ledger(tuple(entries), standing, outcome)


def _without_deal(scorer: Scorer[_R, _F], rules: _R, before: Before) -> Outcome:
    """Return the outcome of totals that no deal has brought; a game without a target is not over before one."""
    undecided = not before.scored and getattr(rules, "target", None) is None
    return Outcome() if undecided else scorer.outcome(rules, None, before.standing, before)


def _adjust(by_side: dict[str, SideScore], adjustments: Iterable[Adjustment], game: str) -> Mapping[str, Standing]:
    """Add what the table gave or took to the scores of a deal; return every side's standing after it."""
    for one in adjustments:
        score = by_side[one.side]
        line = Line(adjustment_article(game), one.points, {"reason": one.reason})
        after = Standing(score.standing.total + one.points, score.standing.tallies)
        by_side[one.side] = SideScore((*score.lines, line), after)
    return {side: score.standing for side, score in by_side.items()}


def adjustment_article(game: str) -> str:
    """Return the article of the lines that the table gave or took, the same for every game."""
    return f"{game}.adjustment"


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


POINTS_LIMIT: Final = 1_000_000
_SHARED_DEAL_KEYS: Final = ("adjustments", "void", "accept", "irregularities")
RESERVED_SIDE_IDS: Final = frozenset(_SHARED_DEAL_KEYS)


class DealContext(NamedTuple):
    """What the reading of deals and openings depends on: the rules, the sides, and the game's own keys and tallies."""

    rules: Rules
    all_sides: tuple[Side, ...]
    sides: tuple[str, ...]
    deal_keys: tuple[str, ...] = ()
    paper_tallies: tuple[str, ...] = ()
    irregular: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """Return all players and all sides."""
        return tuple(dict.fromkeys((*self.sides, *(player for side in self.all_sides for player in side.players))))

    @property
    def tricks(self) -> int:
        """Return the tricks of a deal, 0 in a game without tricks."""
        return getattr(self.rules, "tricks", 0)

    @property
    def entries(self) -> tuple[str, ...]:
        """The keys of a deal beside those that all games share."""
        return (*self.sides, *self.deal_keys)


class SideName(s.Name):
    """The id of a side whose players are not named."""

    def take(self, value: s.Json, context: s.ReadContext) -> s.Json:
        return Side(super().take(value, context))


class Sides(s.Field[tuple[Side, ...]]):
    """Sides written as ids or as `{"id", "players"}`, each id once and none of the keys of a deal."""

    expected = "list"
    json_types = (list,)

    def __init__(self, describe: str = "", **common: Unpack[s.FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.list = s.ListOf(s.Either(SideName(), s.object_of(Side)), least=1, most=12)

    def take(self, value: s.Json, context: s.ReadContext) -> tuple[Side, ...]:
        return _distinct(self.list.take(value, context))

    def reader(self) -> s.Read[tuple[Side, ...]]:
        read_list = self.list.reader()
        return lambda value, context: _distinct(read_list(value, context))

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        return self.list.json_schema(refer)


def _distinct(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """Return the sides. Raises where an id is empty or reserved, or a name stands for two sides or two players."""
    seen: set[str] = set()
    problems = []
    for place, side in enumerate(sides):
        names = {side.id, *side.players}
        wrong = [side.id] if not side.id or side.id in RESERVED_SIDE_IDS else sorted(names & seen)
        wrong += sorted({player for player in side.players if side.players.count(player) > 1})
        problems += [Problem((place,), "side-id", {"value": name}) for name in wrong]
        seen |= names
    if problems:
        raise s.invalid(problems)
    return sides


class DealShape(s.Shape[Deal[s.Json]]):
    """A deal as entered: facts under the ids of the sides, and what the table agreed beside them."""

    adjustments = s.ListOf(s.object_of(Adjustment), "Points given or taken by the table.", most=50, default=())
    void = s.Flag("True for a deal that counts for nothing; its facts are not read.", default=False)
    accept = s.ListOf(s.object_of(Accepted), "Problems recorded anyway.", most=50, default=())
    irregularities = s.ListOf(s.object_of(Irregularity), "What went wrong in the deal.", most=50, default=())

    def make(self, data: s.Attributes, context: s.ReadContext) -> Deal[s.Json]:
        beside = data.pop("adjustments"), data.pop("accept"), data.pop("irregularities")
        if data.pop("void"):
            return Deal(None, *beside)
        for place, one in enumerate(beside[2]):
            if one.kind == MISDEAL:
                raise s.invalid([Problem(("irregularities", place), "misdeal-not-void", {})])
        return Deal(self.facts(data, context), *beside)

    def facts(self, data: s.Attributes, context: s.ReadContext) -> object:
        """Return the game's facts from its own attributes."""
        return self.build_read(data, context)


def deal_shape(kind: type[_T]) -> type[s.Shape[Deal[_T]]]:
    """Return the shape of a deal whose facts are of this class; see `shape_of`."""
    return cast("type[s.Shape[Deal[_T]]]", s.shape_of(kind, DealShape))


class VoidDealShape(DealShape):
    """A deal that counts for nothing."""

    others = s.Others(s.Keyed(s.Anything(), keys=lambda context: context.entries), into="facts")

    def facts(self, data: s.Attributes, context: s.ReadContext) -> None:
        return None


class OpeningShape(s.Shape[Standing]):
    """A total, and the tallies of the game beside it."""

    total = s.Points("Points before the first deal.", default=0, example=337)
    others = s.Others(s.Keyed(s.Count(high=POINTS_LIMIT), keys=lambda context: context.paper_tallies), into="tallies")

    def make(self, data: s.Attributes, context: s.ReadContext) -> Standing:
        return Standing(data["total"], data["tallies"])


OPENING: Final = s.Keyed(
    s.Object(OpeningShape),
    "Totals and tallies carried on from a paper sheet, under the ids of the sides.",
    keys=lambda context: context.sides,
)


def is_void(value: object) -> bool:
    """Whether a deal says that it counts for nothing: its facts are then not looked at."""
    return isinstance(value, dict) and value.get("void") is True


def is_misdeal(irregularities: object) -> bool:
    """Whether a deal was dealt wrongly, by what it says went wrong in it; unreadable entries say nothing."""
    entries = irregularities if isinstance(irregularities, list | tuple) else ()
    return any(isinstance(one, Mapping) and one.get("kind") == MISDEAL for one in entries)


Player = str
"""The id of a player, the same on every evening."""


class MeasuredDeal(NamedTuple):
    """One player's part in one scored deal: what a measure looks at."""

    rules: Rules
    facts: Facts
    """The facts of the deal as the game has read them."""
    before: Before
    side: str
    seat: str
    score: SideScore


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that a game counts for its players deal by deal. Its words are the phrases `measures.<name>`."""

    name: str
    count: Callable[[MeasuredDeal], tuple[int, int] | None]
    """How many, and out of how many; None for a deal in which there was nothing to count."""
    share: bool = True
    """Whether the number is a part of the whole, in percent; otherwise it is a mean, such as three a deal."""


class PlayedDeal(NamedTuple):
    """A scored deal: points and totals by the place of the side, and what the game's measures found."""

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    counts: Mapping[str, Mapping[Player, tuple[int, int]]]
    """By the name of the measure and by player: how many, out of how many."""
    sides: tuple[tuple[Player, ...], ...] | None = None
    """Who played it, where that were others than at the end of the game."""


class PlayedGame(NamedTuple):
    """A game with its scored deals, and the sides as they were at its end: who left before has no part in its result.

    Guests, who belong to no group, are in none of its sides.
    """

    id: str
    at: datetime
    game: str
    lowest_wins: bool
    sides: tuple[tuple[Player, ...], ...]
    deals: tuple[PlayedDeal, ...]
    over: bool = False
    winners: tuple[int, ...] = ()
    """The places of the sides that won; several for a draw."""

    def side_of(self, player: Player) -> int | None:
        """Return the place of a player's side; None for somebody who did not play."""
        return next((place for place, side in enumerate(self.sides) if player in side), None)

    def dealt(self) -> Iterator[tuple[PlayedDeal, int, Player]]:
        """Yield each deal for each of its players, with the place of the player's side."""
        for deal in self.deals:
            for place, side in enumerate(deal.sides or self.sides):
                for player in side:
                    yield deal, place, player
