"""The plain pad: its articles, options and presets, the facts of a round (a number for each side), and their score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, NamedTuple

from companion.engine import shapes as s
from companion.engine.articles import Article, Articles
from companion.engine.game import read_side_list
from companion.engine.ledger import Before, Line, Outcome, Side, SideScore, Standing, deal_shape
from companion.engine.options import OptionSet, flag, number
from companion.engine.problems import Node, Problem

GAME: Final = "pad"
_PAGES: Final = "public pages on score keepers"


def _article(anchor: str, digest: str, **when: dict[str, tuple[object, ...]]) -> Article:
    return Article(f"{GAME}.{anchor}", (f"PAD-{digest}",), "reference", _PAGES, **when)


SIDES = _article("sides", "001")
ROUND = _article("round", "002")
TOTAL = _article("total", "003")
LOWER_WINS = _article("lower-wins", "004", when={"lower_wins": (True,)})
TARGET = _article("target", "005", unless={"target": (None,)})
ROUNDS = _article("rounds", "006", unless={"rounds": (None,)})
LEVEL = _article("level", "007")
DEALER = _article("dealer", "008")
ADJUSTMENT = Article(f"{GAME}.adjustment", source="table")

ARTICLES = Articles(
    GAME, {"rounds-and-totals": (SIDES, ROUND, TOTAL, DEALER, ADJUSTMENT), "end": (LOWER_WINS, TARGET, ROUNDS, LEVEL)}
)


@dataclass(frozen=True, slots=True)
class PadRules:
    """The options of the plain pad."""

    lower_wins: bool = flag(False, key="lw", articles=(LOWER_WINS.id,))
    target: int | None = number(None, 1, 1_000_000, key="t", unit="points", nullable=True, articles=(TARGET.id,))
    rounds: int | None = number(None, 1, 100, key="r", unit="rounds", nullable=True, articles=(ROUNDS.id,))
    negative: bool = flag(True, key="n", articles=(ROUND.id,))


OPTIONS: Final = OptionSet(
    PadRules, {"plain": {}, "low_100": {"lower_wins": True, "target": 100}},
    otherwise={"lower_wins target rounds": "total"},
)  # fmt: skip

# Sides and rounds -----------------------------------------------------------------------------------------------------

FEWEST_SIDES: Final = 2
MOST_SIDES: Final = 12
MOST_POINTS: Final = 99_999
"""The largest number of a round; the smallest is its negative."""


def read_sides(node: Node, rules: PadRules) -> tuple[Side, ...]:
    """Return two to twelve sides of any players."""
    sides = read_side_list(node)
    if sides and not FEWEST_SIDES <= len(sides) <= MOST_SIDES:
        node.fault("sides-count", SIDES.id, low=FEWEST_SIDES, high=MOST_SIDES, count=len(sides))
    return sides


class Entered(NamedTuple):
    """What a side gets for a round."""

    points: Annotated[
        int,
        s.Integer(
            "Points of the round.", low=-MOST_POINTS, high=MOST_POINTS, unit="points", article=ROUND.id, example=12
        ),
    ]


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round: the points of every side under its id."""

    sides: Annotated[
        Mapping[str, Entered], s.Others(s.Keyed(s.object_of(Entered), keys=lambda deal: deal.sides, all_keys=True))
    ]

    shape_name: ClassVar = "PadDeal"


ROUND_SHAPE: Final = deal_shape(RoundFacts)


class PadScorer:
    """Scoring of the plain pad."""

    game = GAME

    def check(self, rules: PadRules, sides: Sequence[Side], facts: RoundFacts, before: Before) -> Iterator[Problem]:
        """Yield a problem for every number below 0 where the rules allow none (PAD-002)."""
        for side, (points,) in facts.sides.items():
            if points < 0 and not rules.negative:
                said = {"value": points, "low": 0, "high": MOST_POINTS}
                yield Problem((side, "points"), "range", said, ROUND.id, contextual=True)

    def score(
        self, rules: PadRules, sides: Sequence[Side], facts: RoundFacts, before: Before
    ) -> Mapping[str, SideScore]:
        """Return one line for each side, and its total after it (PAD-002, 003)."""
        return {
            side: SideScore(
                (Line(ROUND.id, points, {"points": points}),), Standing(before.standing[side].total + points)
            )
            for side, (points,) in facts.sides.items()
        }

    def outcome(
        self, rules: PadRules, facts: RoundFacts | None, standing: Mapping[str, Standing], before: Before
    ) -> Outcome:
        """Return the end at the target or after the last round; the best totals win together (PAD-004 to 007)."""
        totals = {side: at.total for side, at in standing.items()}
        if rules.target is not None and max(totals.values()) >= rules.target:
            reason = TARGET.id
        elif rules.rounds is not None and before.scored + (facts is not None) >= rules.rounds:
            reason = ROUNDS.id
        else:
            return Outcome()
        best = min(totals.values()) if rules.lower_wins else max(totals.values())
        winners = tuple(side for side, total in totals.items() if total == best)
        shown = {"target": rules.target, "rounds": rules.rounds, "lower_wins": rules.lower_wins}
        return Outcome(True, winners, reason, shown)
